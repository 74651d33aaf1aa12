//! Files that import each other in a circle are read together or not at all, so a circle stays small.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};

use super::sources;

/// Files that a circle may have.
const MOST: usize = 3;

/// A file by its place in the crate: `["app", "screen", "learn"]` for `src/app/screen/learn/mod.rs`.
type Module = Vec<String>;

/// The modules that a file names, without its tests.
#[derive(Default)]
struct Names {
    /// Paths in the code and in `use`, as written.
    paths: Vec<Vec<String>>,
    /// Names that `pub use` hands on, with what they stand for.
    handed_on: BTreeMap<String, Vec<String>>,
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|it| {
        it.path().is_ident("cfg")
            && it.parse_args::<syn::Path>().is_ok_and(|it| it.is_ident("test"))
    })
}

fn expand(tree: &syn::UseTree, before: &[String], found: &mut Vec<(String, Vec<String>)>) {
    let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
    match tree {
        syn::UseTree::Path(path) => expand(&path.tree, &with(&path.ident), found),
        syn::UseTree::Name(name) if name.ident == "self" => {
            found.push((before.last().cloned().unwrap_or_default(), before.to_vec()));
        }
        syn::UseTree::Name(name) => found.push((name.ident.to_string(), with(&name.ident))),
        syn::UseTree::Rename(name) => found.push((name.rename.to_string(), with(&name.ident))),
        syn::UseTree::Glob(_) => found.push((String::new(), before.to_vec())),
        syn::UseTree::Group(group) => {
            group.items.iter().for_each(|tree| expand(tree, before, found));
        }
    }
}

impl<'a> Visit<'a> for Names {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        if is_test(&item.attrs) {
            return;
        }
        let mut found = Vec::new();
        expand(&item.tree, &[], &mut found);
        if matches!(item.vis, syn::Visibility::Inherited) {
            self.paths.extend(found.into_iter().map(|(_, path)| path));
        } else {
            self.handed_on.extend(found);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        // A name alone is a variable, or something imported.
        if path.segments.len() > 1 {
            self.paths.push(path.segments.iter().map(|it| it.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

struct House(BTreeMap<Module, Names>);

impl House {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let files = sources().into_iter().map(|(_, path, _)| {
            let text = fs::read_to_string(root.join(&path)).expect("a source is text");
            let mut names = Names::default();
            names.visit_file(&syn::parse_file(&text).expect("a source parses"));
            (module(&path), names)
        });
        Self(files.filter(|(module, _)| !matches!(&module[..], [one] if one == "main")).collect())
    }

    /// The file that a path named in `from` leads to.
    fn target(&self, from: &Module, path: &[String], hops: usize) -> Option<Module> {
        let (mut at, mut rest) = (from.clone(), path);
        match path.first()?.as_str() {
            "crate" => (at, rest) = (vec![], &path[1..]),
            "self" => rest = &path[1..],
            "super" => {
                while let Some(("super", after)) = rest.split_first().map(|(a, b)| (a.as_str(), b))
                {
                    at.pop()?;
                    rest = after;
                }
            }
            _ => {}
        }
        let names_a_module = rest.len() < path.len();
        let mut is_found = names_a_module;
        for name in rest {
            let inner = [at.clone(), vec![name.clone()]].concat();
            if self.0.contains_key(&inner) {
                (at, is_found) = (inner, true);
            } else if let Some(handed_on) = self.0.get(&at).and_then(|it| it.handed_on.get(name))
                && hops > 0
            {
                return self.target(&at, handed_on, hops - 1);
            } else {
                break;
            }
        }
        (is_found && self.0.contains_key(&at)).then_some(at)
    }

    fn imports(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let of = |module: &Module, names: &Names| {
            let targets = names.paths.iter().filter_map(|path| self.target(module, path, 8));
            targets.filter(|target| target != module).collect()
        };
        self.0.iter().map(|(module, names)| (module, of(module, names))).collect()
    }
}

fn module(path: &Path) -> Module {
    let without = path.with_extension("");
    let parts = without.iter().map(|part| part.to_string_lossy().into_owned());
    parts.filter(|part| part != "mod" && part != "lib").collect()
}

/// All that can be reached from a file by its imports.
fn reached(from: &Module, imports: &BTreeMap<&Module, BTreeSet<Module>>) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    let mut next = vec![from.clone()];
    while let Some(module) = next.pop() {
        for target in imports.get(&module).into_iter().flatten() {
            if found.insert(target.clone()) {
                next.push(target.clone());
            }
        }
    }
    found
}

#[test]
fn a_circle_of_files_has_at_most_three() {
    let house = House::read();
    let imports = house.imports();
    let reached: BTreeMap<_, _> =
        imports.keys().map(|module| (*module, reached(module, &imports))).collect();
    let circles: BTreeSet<Vec<String>> = reached
        .iter()
        .map(|(module, there)| {
            let back = there.iter().filter(|it| reached[it].contains(*module));
            back.map(|it| it.join("::")).collect()
        })
        .collect();
    let large: Vec<_> = circles.iter().filter(|circle| circle.len() > MOST).collect();
    assert!(large.is_empty(), "{large:#?}");
    // The reader reads: a file and the one that holds its type import each other.
    assert!(circles.iter().any(|circle| circle.len() > 1), "no imports were read");
}
