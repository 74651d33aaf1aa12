//! The recipe of the command line, with the files that it names.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail, ensure};

use super::args::RecipeArgs;
use super::value::PresetChoice;
use crate::corpus::{read_frequencies, read_text_file, read_word_list, recipe_beside};
use crate::feature::{DocumentFrequencies, FrequencyCut};
use crate::simhash::{FrequencyFile, Recipe, StopWordChoice, Template, TemplateFile};
use crate::text::StopWords;
use crate::text::visible::visible;

/// Reads the files of stop words, document frequencies and templates that a recipe names; afterwards the recipe names
/// the digests of their content.
pub(super) fn read_files(recipe: &mut Recipe) -> anyhow::Result<()> {
    if let Some(file) = &mut recipe.ignore {
        let text = read_text_file(file.path()).context("--ignore")?;
        let read = file.read(Template(text.into()));
        read.map_err(|other| anyhow!("--ignore: {}: {other}", visible(file.path())))?;
    }
    read_frozen(recipe)?;
    let StopWordChoice::File(file) = &mut recipe.stop else { return Ok(()) };
    let words = read_word_list(file.path()).context("--stop-words")?;
    let words = StopWords::from_words(words.iter().map(String::as_str));
    let read = file.read(words);
    read.map_err(|other| anyhow!("--stop-words: {}: {other}", visible(file.path())))
}

/// Reads frozen document frequencies, which must be of the same features.
fn read_frozen(recipe: &mut Recipe) -> anyhow::Result<()> {
    let Some(file) = &recipe.frequencies else { return Ok(()) };
    let shown = visible(file.path()).into_owned();
    let beside = recipe_beside(Path::new(file.path()));
    // A pipe would be waited for.
    if let Some(Ok(line)) = beside.is_file().then(|| std::fs::read_to_string(&beside)) {
        let theirs: Recipe = line.trim_end().parse().context(format!("{shown}.recipe"))?;
        let [ours, theirs] = [&*recipe, &theirs].map(Recipe::of_features);
        ensure!(
            ours == theirs,
            "--frequencies: {shown}: its features are of another recipe, {}; count them again under {}",
            // Weights are not a matter of these tables.
            theirs.short().replace(" log-tf", ""),
            ours.short().replace(" log-tf", ""),
        );
    }
    let (n, counts) = read_frequencies(file.path()).context("--frequencies")?;
    let Some(file) = &mut recipe.frequencies else { return Ok(()) };
    let read = file.read(Arc::new(DocumentFrequencies::frozen(n, counts)));
    read.map_err(|other| anyhow!("--frequencies: {shown}: {other}"))
}

/// The files that a recipe names, each with a word for its content.
pub(super) fn files_of(recipe: &Recipe) -> impl Iterator<Item = (&Path, &'static str)> {
    let stop = match &recipe.stop {
        StopWordChoice::File(file) => Some((file.path(), "stop words, ")),
        _ => None,
    };
    let frequencies = recipe.frequencies.as_ref().map(|it| (it.path(), "document frequencies, "));
    let ignored = recipe.ignore.as_ref().map(|file| (file.path(), "text to ignore, "));
    let files = [stop, frequencies, ignored].into_iter().flatten();
    files.map(|(path, what)| (Path::new(path), what))
}

/// The value, if exactly one is given.
fn one<T: Copy>(given: &[T]) -> Option<T> {
    match given {
        [one] => Some(*one),
        _ => None,
    }
}

pub(super) fn recipe(args: &RecipeArgs) -> anyhow::Result<Recipe> {
    let (features, weights, bits) = (one(&args.features), one(&args.weights), one(&args.bits));
    if let Some(recipe) = &args.recipe {
        // Several values are recipes to compare, each beside this one.
        let clash = args.given.iter().find(|(option, n)| *n == 1 && option != "--recipe");
        if let Some((option, _)) = clash {
            bail!(
                "--recipe is a whole recipe; leave {option} out, and write its value into that line"
            );
        }
        return Ok(recipe.clone());
    }
    let usual = match args.preset {
        Some(PresetChoice::Of(preset)) => preset.recipe(),
        Some(PresetChoice::List) | None => Recipe::default(),
    };
    Ok(Recipe {
        features: features.unwrap_or(usual.features),
        weights: weights.unwrap_or(usual.weights),
        hash: args.hash.unwrap_or(usual.hash),
        seed: args.seed.unwrap_or(usual.seed),
        bits: bits.unwrap_or(usual.bits),
        tie: args.tie.unwrap_or(usual.tie),
        form: args.norm.unwrap_or(usual.form),
        case: args.case.unwrap_or(usual.case),
        stop: args.stop_words.as_deref().map_or(usual.stop, StopWordChoice::from),
        split: args.split.unwrap_or(usual.split),
        stem: args.stem.unwrap_or(usual.stem),
        short: args.short_texts.unwrap_or(usual.short),
        frequencies: args.frequencies.as_deref().map(|path| FrequencyFile::new(path, None)),
        cut: FrequencyCut {
            least: args.min_df.unwrap_or(usual.cut.least),
            most: args.max_df.unwrap_or(usual.cut.most),
        },
        ignore: args.ignore.as_deref().map(|path| TemplateFile::new(path, None)),
    })
}
