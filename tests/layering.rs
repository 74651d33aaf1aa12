//! The house keeps its one-way flow: which module may name which, and who may name a terminal.

#[path = "layering/circles.rs"]
mod circles;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every module below `src` with the modules it may use, itself aside.
const MAY_USE: &[(&str, &[&str])] = &[
    ("id", &[]),
    ("in_order", &[]),
    ("choice", &[]),
    ("number", &[]),
    ("progress", &[]),
    ("manual", &[]),
    ("look", &["choice"]),
    ("sign", &[]),
    // The judgement of a person on a pair: kept in files by one bank, counted by the other.
    ("verdict", &["choice"]),
    // The instruction-set level has a written name: `choice`.
    ("kernel", &["choice"]),
    ("text", &["choice", "kernel", "progress"]),
    ("feature", &["choice", "kernel", "progress", "text"]),
    ("simhash", &["choice", "feature", "kernel", "progress", "text"]),
    ("index", &["choice", "id", "kernel", "number", "progress", "simhash"]),
    // A number of pairs says by its written name how it was counted. Truth is made of weighed features,
    // its pairs of entries; long joins can be stopped.
    ("evaluate", &["choice", "feature", "index", "progress", "verdict"]),
    (
        "explain",
        &["choice", "evaluate", "feature", "index", "number", "progress", "simhash", "text"],
    ),
    // A message names a limit, or how many ids occur twice: `number`.
    // The front door: each function is a few calls into what is behind it.
    ("library", &["explain", "id", "index", "progress", "simhash"]),
    ("corpus", &["choice", "id", "in_order", "number", "progress", "text", "verdict"]),
    (
        "analysis",
        &[
            // `explain` for triage: what misleads about a document, asked of a whole corpus.
            "choice", "corpus", "evaluate", "explain", "feature", "id", "in_order", "index",
            "number", "progress", "simhash", "text", "verdict",
        ],
    ),
    // What anyone shows of a row.
    (
        "facts",
        &[
            "analysis", "corpus", "evaluate", "explain", "feature", "id", "index", "number",
            "simhash", "text",
        ],
    ),
    (
        "present",
        &[
            // The names of documents, the figures of explanations, and their words.
            "analysis", "corpus", "evaluate", "explain", "facts", "feature", "id", "index",
            "number", "simhash", "text",
        ],
    ),
    // Rows and files on their way out.
    ("export", &["analysis", "choice", "corpus", "facts", "id", "number", "progress", "text"]),
    (
        "app",
        &[
            // A question that takes seconds shows how far it is: `progress`. What is asked for may be files:
            // `export`.
            "analysis", "choice", "corpus", "evaluate", "explain", "export", "facts", "feature",
            "id", "index", "number", "present", "progress", "sign", "simhash", "text", "verdict",
        ],
    ),
    // The command line hands these to the screen.
    ("explorer_start", &["analysis", "app", "corpus", "look"]),
    (
        "tui",
        &[
            "analysis",
            "app",
            "corpus",
            "evaluate",
            "explain",
            "explorer_start",
            "export",
            "facts",
            "feature",
            "id",
            "index",
            "look",
            "number",
            "present",
            "progress",
            "sign",
            "simhash",
            "text",
            "verdict",
        ],
    ),
    (
        "cli",
        &[
            // Refuses an instruction-set level that the processor lacks: `kernel`. The configuration has the
            // keys of actions: `app`.
            "analysis",
            "app",
            "choice",
            "corpus",
            "evaluate",
            "explain",
            "explorer_start",
            "export",
            "facts",
            "feature",
            "id",
            "index",
            "kernel",
            "look",
            "manual",
            "number",
            "present",
            "progress",
            "sign",
            "simhash",
            "text",
            "verdict",
        ],
    ),
    // Joins the command line and the screen.
    ("program", &["app", "cli", "look", "tui"]),
];

/// Crates that only one module may name.
const ONLY_IN: &[(&str, &str)] = &[
    ("ratatui", "tui"),
    ("crossterm", "tui"),
    ("signal_hook", "tui"),
    ("clap", "cli"),
    ("indicatif", "cli"),
    ("nucleo_matcher", "app"),
    ("toml", "cli"),
    ("walkdir", "corpus"),
    ("flate2", "corpus"),
    ("zstd", "corpus"),
    ("zip", "corpus"),
    ("bzip2", "corpus"),
    ("lzma_rust2", "corpus"),
    ("encoding_rs", "corpus"),
    ("chardetng", "corpus"),
    ("arrow_json", "corpus"),
];

/// The one thing of crossterm that the app uses.
const KEY_NAMES: &str = "pub use crossterm::event::KeyCode;";

/// Names that the pure modules may never use: files, clocks, threads, channels.
const IMPURE: &[&str] =
    &["std::fs", "std::io", "std::thread", "SystemTime", "Instant::now", "crossbeam_channel"];
const PURE: &[&str] = &[
    "id", "choice", "number", "verdict", "kernel", "text", "feature", "simhash", "index",
    "evaluate", "explain", "present", "sign",
];

fn sources() -> Vec<(String, PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("src is readable") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    walk(&root, &mut files);
    files
        .into_iter()
        .map(|path| {
            let inside = path.strip_prefix(&root).expect("below src").to_owned();
            let first = inside.components().next().expect("a name").as_os_str().to_string_lossy();
            let module = first.trim_end_matches(".rs").to_owned();
            let text = fs::read_to_string(&path).expect("a source is text");
            (module, inside, code(&text))
        })
        .collect()
}

/// A source without its comments and without its tests, which may use anything: an item marked as a test ends
/// at the first line that is indented no more than its mark and ends a block or a statement.
fn code(text: &str) -> String {
    let mut lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let mut kept = Vec::new();
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.push(line);
            continue;
        }
        let indent = |line: &str| line.len() - line.trim_start().len();
        let ends =
            |it: &&str| indent(it) <= indent(line) && (it.ends_with('}') || it.ends_with(';'));
        lines.find(ends);
    }
    kept.join("\n")
}

/// The modules a source names as `crate::module` or inside `crate::{..}`.
fn used(code: &str) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut word = String::new();
            for c in list.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    _ => {}
                }
                if depth == 0 && (c.is_alphanumeric() || c == '_') {
                    word.push(c);
                } else if c == ',' || c == ':' || c == '{' {
                    used.insert(std::mem::take(&mut word));
                    // A name behind `::` on the same level belongs to the module just named.
                    if c == ':' {
                        word.push('\u{0}');
                    }
                } else if c == '\n' {
                    word.clear();
                }
            }
            used.insert(word);
        } else {
            used.insert(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    used.retain(|name| MAY_USE.iter().any(|(module, _)| module == name));
    used
}

#[test]
fn imports_run_one_way() {
    let mut wrong = Vec::new();
    for (module, path, code) in sources() {
        if module == "main" || module == "lib" {
            continue;
        }
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == module) else {
            wrong.push(format!("{}: module {module} has no place in the house", path.display()));
            continue;
        };
        for name in used(&code) {
            if name != module && !allowed.contains(&name.as_str()) {
                wrong.push(format!("{}: {module} may not use {name}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_top_level_holds_what_it_should() {
    let known =
        ["Cargo.toml", "Cargo.lock", "LICENSE", "README.md", "assets", "src", "target", "tests"];
    let there = fs::read_dir(env!("CARGO_MANIFEST_DIR")).unwrap();
    let names = there.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    // A test that writes where it runs leaves its files here; dot-files may be there.
    let strange: Vec<String> = names
        .filter(|it| !(known.contains(&&**it) || it.starts_with('.') && it.is_ascii()))
        .collect();
    assert!(strange.is_empty(), "{strange:?}");
}

#[test]
fn some_crates_have_one_home() {
    let mut wrong = Vec::new();
    for (module, path, code) in sources() {
        // The names of keys are data: no terminal comes with them.
        let is_of_keys = path == Path::new("app/key.rs");
        let code = if is_of_keys { code.replace(KEY_NAMES, "") } else { code };
        for (name, home) in ONLY_IN {
            let named = [format!("{name}::"), format!("use {name}")];
            if module != *home && named.iter().any(|named| code.contains(named.as_str())) {
                wrong.push(format!("{}: only {home} names {name}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_four_files_of_the_kernel_may_be_unsafe() {
    // Loads and stores, and the calls of functions compiled for instructions.
    let unsafe_files = [
        "kernel/simd.rs",
        "kernel/hamming/mod.rs",
        "kernel/sip/vector.rs",
        "kernel/words/vector.rs",
    ]
    .map(PathBuf::from);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (_, path, _) in sources() {
        // Tests too.
        let text = fs::read_to_string(root.join(&path)).expect("a source is text");
        assert!(
            unsafe_files.contains(&path) || !text.contains("unsafe_code"),
            "{}",
            path.display()
        );
    }
}

#[test]
fn the_core_is_pure_and_the_app_does_no_work_of_its_own() {
    let mut wrong = Vec::new();
    for (module, path, code) in sources() {
        if PURE.contains(&module.as_str()) || module == "app" {
            for name in IMPURE.iter().filter(|name| code.contains(**name)) {
                wrong.push(format!("{}: {module} names {name}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_reader_of_imports_reads_them() {
    let code = "use crate::{\n    analysis::{Analysis, Work},\n    id::DocId,\n    text,\n};\nlet x = crate::index::f();";
    let expected = ["analysis", "id", "index", "text"].map(String::from);
    assert_eq!(used(code), BTreeSet::from(expected));
}
