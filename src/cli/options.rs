//! The command line after its check: defaults are filled in, contradictions refused, lists read.
//!
//! Every invalid option is refused here, before any document is read.

use std::borrow::Borrow;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anyhow::{bail, ensure};

use super::args::{Args, InputArgs, OutputArgs, SearchArgs};
use super::environment::{is_ascii, set_threads};
use super::notes::{self, Notes};
use super::opened_index::OpenedIndex;
use super::recipe_args::{files_of, read_files, recipe};
use super::recorded;
use crate::analysis::filter::Filter;
use crate::analysis::{Analysis, DEFAULT_K, LayoutChoice, Settings};
use crate::corpus::{
    Corpus, FingerprintType, Input, InputLimits, LoadOptions, UNKNOWN_RECIPE, recipe_beside,
};
use crate::export::{Format, OutputFormat, Report, Target, misplaced, path_of, real, visible_path};
use crate::facts::Fact;
use crate::feature::Weighting;
use crate::sign;
use crate::simhash::Recipe;

const SAMPLE: Input =
    Input::Bundled { name: "sample.jsonl", bytes: include_bytes!("../../assets/sample.jsonl") };

/// One run of a command.
#[derive(Clone, Debug)]
pub(super) struct CommandRun {
    /// The inputs to read.
    pub(super) inputs: Vec<Input>,
    /// The options of reading.
    pub(super) load: LoadOptions,
    /// Whether files that are passed over are named.
    pub(super) lists_skipped: bool,
    /// The filter of documents.
    pub(super) filter: Option<Filter>,
    /// Recipe, k and layout; not yet checked, since not every command needs k and layout.
    pub(super) settings: Settings,
    /// The layouts given, in the order of bands, then blocks; only one unless several can be compared.
    pub(super) layouts: Vec<LayoutChoice>,
    /// The least similarity of texts, if it is given in place of k; it is then the tau of the settings.
    pub(super) similarity: Option<f64>,
    /// The fingerprints, if they were made to choose k.
    pub(super) read: Option<Arc<Analysis>>,
    /// Whether the command line names a width.
    pub(super) has_width: bool,
    /// The format of rows.
    pub(super) format: Format,
    /// How fingerprints are written in rows.
    pub(super) written: FingerprintType,
    /// The format as the command line names it.
    pub(super) named_format: Option<OutputFormat>,
    /// The target of the rows or the page.
    pub(super) target: Target,
    /// Whether pictures are drawn with ASCII alone.
    pub(super) ascii: bool,
    /// The writer of notes.
    pub(super) notes: Notes,
    /// The index among the paths and the reference, if there is one.
    pub(super) opened: Option<OpenedIndex>,
    /// The corpus, after it is read; it knows which documents could not be read again.
    pub(super) corpus: Arc<OnceLock<Corpus>>,
}

impl CommandRun {
    /// The run that `args` and `paths` ask for.
    ///
    /// # Errors
    /// If an option is invalid, or for more than one layout.
    pub(super) fn new(args: &Args, paths: Vec<PathBuf>) -> anyhow::Result<Self> {
        let SearchArgs { blocks, bands, .. } = &args.search;
        let (n_blocks, n_bands) = (blocks.len(), bands.len());
        if n_blocks > 0 && n_bands > 0 {
            bail!("--blocks and --bands are two layouts; give one of them");
        }
        if n_blocks + n_bands > 1 {
            let option = if n_blocks > 0 { "--blocks" } else { "--bands" };
            bail!(
                "{option} names {} layouts; give one, or compare them with tune --layouts --measure",
                n_blocks + n_bands
            );
        }
        Self::comparing(args, paths)
    }

    /// The run of a command that compares layouts: any number of layouts is allowed.
    pub(super) fn comparing(args: &Args, paths: Vec<PathBuf>) -> anyhow::Result<Self> {
        if let Some((option, n)) = args.recipe.given.iter().find(|(_, n)| *n > 1) {
            bail!("{option} names {n} values; give one, or compare them with sweep");
        }
        Self::sweeping(args, paths)
    }

    /// The run of a command that compares recipes: an option with several values has its default in `settings`.
    pub(super) fn sweeping(args: &Args, paths: Vec<PathBuf>) -> anyhow::Result<Self> {
        set_threads(&args.search)?;
        let layouts: Vec<_> =
            args.search.bands.iter().chain(&args.search.blocks).copied().collect();
        let (mut paths, mut reference) = (paths, args.input.reference.clone());
        let mut load = load_options(&args.input);
        let notes = Notes::new(args.output.quiet);
        let opened = OpenedIndex::find(&mut paths, &mut reference, &mut load, &notes)?;
        let recipe = match &opened {
            Some(opened) if opened.is_named && !args.recipe.is_given() => {
                let recipe = opened.recipe()?;
                warn_of_counts("the index", &recipe);
                recipe
            }
            _ => recipe(&args.recipe)?,
        };
        let settings = settings(recipe, args, &layouts)?;
        ensure!(
            load.hashes_field.is_none() || settings.recipe.bits <= 64,
            "--hashes-field: hashes have 64 bits, and the fingerprints of this recipe have {}; give --bits 64 or fewer",
            settings.recipe.bits
        );
        let inputs = inputs(paths, &reference)?;
        let target = target(&args.output, &files_read(&settings.recipe, &inputs))?;
        if let (Some(opened), Target::File(written)) = (&opened, &target)
            && opened.is_named
        {
            refuse_overwriting("-o", written, &[&opened.place])?;
        }
        let format = format(&args.output, &target)?;
        let is_narrow = settings.recipe.bits <= 64;
        let usual = if format.is_columnar() && is_narrow {
            FingerprintType::Int64
        } else {
            FingerprintType::Hex
        };
        Ok(Self {
            written: args.input.fp_type.unwrap_or(usual),
            load,
            opened,
            lists_skipped: args.input.list_skipped,
            filter: args.input.filter.clone(),
            settings,
            layouts,
            similarity: args.search.similarity,
            read: None,
            has_width: !args.recipe.bits.is_empty() || args.recipe.recipe.is_some(),
            format,
            named_format: args.output.format,
            target,
            ascii: is_ascii(args.output.glyphs),
            notes,
            corpus: Arc::default(),
            inputs,
        })
    }

    /// Whether a page for readers is asked for instead of rows.
    pub(super) fn is_page(&self) -> bool {
        self.named_format == Some(OutputFormat::Html)
    }

    /// The same run for a command that searches nothing, so that no search option can be wrong.
    pub(super) fn without_search(&self) -> Self {
        let settings = Settings { k: 0, layout: LayoutChoice::Auto, ..self.settings.clone() };
        Self { settings, ..self.clone() }
    }

    /// Refuses a run that would overwrite `read`, another file that it needs.
    pub(super) fn protect(&self, read: &Path) -> anyhow::Result<()> {
        match &self.target {
            Target::File(written) => refuse_overwriting("-o", written, &[read]),
            Target::Stdout => Ok(()),
        }
    }

    /// The target for a second file, which `option` names.
    ///
    /// # Errors
    /// If the file cannot be written, is an input, or is the target of the rows or of their recipe.
    pub(super) fn second_target(&self, option: &str, path: &Path) -> anyhow::Result<Target> {
        let shown = visible_path(path);
        ensure!(path != Path::new("-"), "{option} -: rows go to standard output; name a file");
        let read = files_read(&self.settings.recipe, &self.inputs);
        let place = place_to_write(option, path, &read)?;
        match &self.target {
            Target::File(rows) => {
                for taken in [rows.clone(), recipe_beside(rows)] {
                    // Different paths can name one place.
                    let is_same = real(&place) == real(&taken);
                    ensure!(!is_same, "{shown}: the rows go there; give {option} another file");
                }
            }
            Target::Stdout => {
                let is_file = place.metadata().map_or(true, |there| there.is_file());
                ensure!(
                    is_file && !place.starts_with("/dev") && !place.starts_with("/proc"),
                    "{shown}: the rows go to standard output, so give -o a file, or {option} one"
                );
            }
        }
        Ok(Target::File(place))
    }

    /// Refuses the target of a second file, which `option` names, if its recipe cannot stand beside it.
    pub(super) fn require_place_of_recipe(&self, option: &str, place: &Path) -> anyhow::Result<()> {
        let beside = recipe_beside(place);
        require_free(option, &beside)?;
        let read = files_read(&self.settings.recipe, &self.inputs);
        refuse_overwriting(option, &beside, &read)?;
        let is_taken = matches!(&self.target, Target::File(rows) if real(rows) == real(&beside));
        ensure!(
            !is_taken,
            "{}: the rows go there, and the recipe of {option}, too; give one of them another name",
            visible_path(&beside),
        );
        Ok(())
    }

    /// A report with these columns.
    pub(super) fn report<R>(&self, facts: Vec<Fact<R>>) -> Report<R> {
        self.report_to(facts, &self.target)
    }

    /// A report with these columns in a file of its own.
    pub(super) fn report_to<R>(&self, facts: Vec<Fact<R>>, target: &Target) -> Report<R> {
        let (recipe, manifest) = (self.recipe_to_record(), recorded::manifest(self));
        let recipe = recipe.unwrap_or_default();
        Report::new(facts, self.format, self.written, target, &recipe, &manifest)
    }

    /// Writes these rows with these columns.
    pub(super) fn write_rows<R>(
        &self,
        facts: Vec<Fact<R>>,
        rows: impl IntoIterator<Item: Borrow<R>>,
    ) -> io::Result<()> {
        let mut report = self.report(facts);
        rows.into_iter().try_for_each(|row| report.row(row.borrow()))?;
        report.finish()
    }

    /// Writes text for people, with the signs that their terminal has.
    pub(super) fn write_text(&self, text: &str) -> io::Result<()> {
        let shown = |c| sign::in_ascii(c).filter(|_| self.ascii).unwrap_or(c);
        self.target.write(self.format, &text.chars().map(shown).collect::<String>())
    }

    /// The recipe of the rows; `None` if fingerprints are of an unknown one, as far as inputs have been read.
    pub(super) fn recipe_to_record(&self) -> Option<String> {
        let recipe = &self.settings.recipe;
        self.corpus.get().map_or(Some(recipe.to_string()), |read| read.recipe_to_record(recipe))
    }

    /// Whether the corpus is the bundled one.
    pub(super) fn is_sample(&self) -> bool {
        matches!(self.inputs[..], [Input::Bundled { .. }])
    }

    /// The inputs that are not the reference, and the reference.
    pub(super) fn sides(&self) -> (&[Input], &[Input]) {
        self.inputs.split_at(self.inputs.len() - self.load.n_reference)
    }

    /// The corpus by name, safe to print: `a.jsonl, b.jsonl`, or `a.jsonl against b.jsonl`.
    pub(super) fn title(&self) -> String {
        let name = |input: &Input| match input {
            Input::Path(path) => visible_path(path),
            Input::Stdin => "standard input".to_owned(),
            Input::Bundled { name, .. } => (*name).to_owned(),
        };
        let names = |inputs: &[Input]| inputs.iter().map(name).collect::<Vec<_>>().join(", ");
        match self.sides() {
            (inputs, []) => names(inputs),
            (inputs, reference) => format!("{} against {}", names(inputs), names(reference)),
        }
    }
}

/// Warns of weights that were the default once, under which one repeated shingle can decide a fingerprint.
pub(super) fn warn_of_counts(whose: &str, recipe: &Recipe) {
    if recipe.weights == Weighting::Tf {
        notes::warning(&format_args!(
            "{whose} has the weights tf, by which a shingle that a text repeats can decide its fingerprint alone; the \
             default is log-tf now"
        ));
    }
}

/// The inputs, and after them the reference.
fn inputs(paths: Vec<PathBuf>, reference: &[PathBuf]) -> anyhow::Result<Vec<Input>> {
    if paths.is_empty() && reference.is_empty() {
        return Ok(vec![SAMPLE]);
    }
    ensure!(!paths.is_empty(), "--reference is compared with a corpus; name its PATH");
    for reference in reference {
        refuse_reference(&paths, reference)?;
    }
    let input = |path: PathBuf| {
        if path == Path::new("-") { Input::Stdin } else { Input::Path(path) }
    };
    Ok(paths.into_iter().chain(reference.iter().cloned()).map(input).collect())
}

/// Refuses a reference that is also an input.
fn refuse_reference(paths: &[PathBuf], reference: &Path) -> anyhow::Result<()> {
    let shown = visible_path(reference);
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (there, is_folder) = (real(reference), reference.is_dir());
    for path in paths {
        let here = real(path);
        let clashes = here == there
            || path.is_dir() && there.starts_with(&here)
            || is_folder && here.starts_with(&there);
        ensure!(
            !clashes,
            "--reference {shown}: is also an input, so each document would find itself; give it another PATH, or leave \
            --reference out"
        );
    }
    Ok(())
}

fn load_options(args: &InputArgs) -> LoadOptions {
    let usual = InputLimits::default();
    LoadOptions {
        n_reference: args.reference.len(),
        input_format: args.input_format.unwrap_or_default(),
        // The usual field is no choice: an index knows only choices.
        text_field: args.text_field.clone().filter(|field| field != "text"),
        id_field: args.id_field.clone(),
        title_field: args.title_field.clone(),
        fingerprint_field: args.fingerprint_field.clone(),
        hashes_field: args.hashes_field.clone(),
        records: args.records.clone(),
        no_quotes: args.no_quotes,
        encoding: args.encoding.unwrap_or_default(),
        fp_type: args.fp_type.unwrap_or_default(),
        delimiter: args.delimiter,
        csv_escape: args.csv_escape,
        no_header: args.no_header,
        glob: args.glob.clone(),
        follow_links: args.follow_links,
        limits: InputLimits {
            document: args.max_document.unwrap_or(usual.document),
            expansion: args.max_expansion.unwrap_or(usual.expansion),
            spool: args.max_spool.unwrap_or(usual.spool),
        },
    }
}

fn settings(mut recipe: Recipe, args: &Args, layouts: &[LayoutChoice]) -> anyhow::Result<Settings> {
    recipe.check()?;
    let layout = match layouts {
        [layout] => *layout,
        _ => LayoutChoice::Auto,
    };
    // The default k, but never more than the bits of a fingerprint.
    let k = args.search.distance.unwrap_or(DEFAULT_K.min(recipe.bits));
    read_files(&mut recipe)?;
    let mut alike = args.alike.definition();
    alike.tau = args.search.similarity.unwrap_or(alike.tau);
    Ok(Settings { recipe, k, layout, alike })
}

/// The target of rows; refuses to overwrite an input.
fn target(output: &OutputArgs, read: &[&Path]) -> anyhow::Result<Target> {
    let Some(path) = output.output.as_ref().filter(|path| *path != Path::new("-")) else {
        return Ok(Target::Stdout);
    };
    let path = place_to_write("-o", path, read)?;
    let shown = visible_path(&path);
    let beside = recipe_beside(&path);
    let is_too_long = |error: io::Error| error.kind() == io::ErrorKind::InvalidFilename;
    ensure!(
        !beside.symlink_metadata().is_err_and(is_too_long),
        "{shown}: the name is too long for the recipe beside the rows, NAME.recipe; give -o a shorter name"
    );
    require_free("-o", &beside)?;
    refuse_overwriting("-o", &beside, read)?;
    Ok(Target::File(path))
}

/// The place of a file that `option` names, through links; refuses a place that cannot be written to, or that
/// is read.
fn place_to_write(option: &str, path: &Path, read: &[&Path]) -> anyhow::Result<PathBuf> {
    let shown = visible_path(path);
    // If the path is a link, rows and recipe go to the file behind it.
    let behind = path.canonicalize().ok().filter(|_| path.is_symlink());
    let path = behind.as_deref().unwrap_or(path);
    ensure!(!path.is_dir(), "{shown}: a folder; give {option} the name of a file");
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    ensure!(folder.is_none_or(Path::is_dir), "{shown}: no such folder to write to; make it first");
    let read_only =
        path.metadata().is_ok_and(|file| file.is_file() && file.permissions().readonly());
    ensure!(!read_only, "{shown}: read-only; give {option} another file, or make it writable");
    refuse_overwriting(option, path, read)?;
    Ok(path.to_owned())
}

/// The files that a run reads: inputs, and files that the recipe names.
fn files_read<'a>(recipe: &'a Recipe, inputs: &'a [Input]) -> Vec<&'a Path> {
    inputs.iter().filter_map(path_of).chain(files_of(recipe).map(|(path, _)| path)).collect()
}

/// Refuses a path that neither is free nor holds the recipe of an earlier run: it belongs to the user.
fn require_free(option: &str, beside: &Path) -> anyhow::Result<()> {
    const LONGEST: u64 = 512 << 10;
    let Ok(there) = beside.symlink_metadata() else { return Ok(()) };
    let is_recipe =
        |line: String| line.starts_with(UNKNOWN_RECIPE) || line.parse::<Recipe>().is_ok();
    ensure!(
        there.is_file()
            && there.len() <= LONGEST
            && !there.permissions().readonly()
            && std::fs::read_to_string(beside).is_ok_and(is_recipe),
        "{}: exists and is not a recipe; a recipe would be written there beside the rows, so give {option} another \
         name",
        visible_path(beside),
    );
    Ok(())
}

/// Refuses to write to an input file, or into an input folder, even if the target does not exist yet: the next run
/// would read it.
fn refuse_overwriting(option: &str, written: &Path, read: &[&Path]) -> anyhow::Result<()> {
    let Some(reason) = misplaced(written, read.iter().copied()) else { return Ok(()) };
    let shown = visible_path(written);
    bail!("{shown}: {reason}; give {option} another file")
}

/// The format of rows: by the option, else by the name of the file, else the default of the target.
fn format(output: &OutputArgs, target: &Target) -> anyhow::Result<Format> {
    let is_terminal = *target == Target::Stdout && io::stdout().is_terminal();
    let format = match (output.format, target) {
        (Some(OutputFormat::Rows(format)), _) => format,
        (None, Target::File(path)) => {
            Format::of_name(&path.to_string_lossy()).unwrap_or(Format::Jsonl)
        }
        _ if is_terminal => Format::Table,
        _ => Format::Jsonl,
    };
    ensure!(
        format.is_built(),
        "this build of simscope does not write {format}; build it with --features columnar"
    );
    ensure!(
        !(format.is_columnar() && is_terminal),
        "--format {format} cannot be shown on a terminal; name a file with -o"
    );
    Ok(format)
}
