//! The parsers of everything that comes from outside, each as a function of bytes that panics if something is wrong
//! with the parser: it panics itself, or what it read does not come back as it was.
//!
//! The fuzz targets call them with bytes of their own making (`tests/fuzz/run`), the usual tests with all seeds.

mod index;

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::{fs, thread};

pub(crate) use index::index;
use simscope::analysis::dedup::{Policy, review_settings};
use simscope::analysis::filter::Filter;
use simscope::analysis::found::FilterMatches;
use simscope::analysis::{
    Analysis, AnalysisDepth, AnalysisInput, Job, LayoutChoice, Settings, run_to,
};
use simscope::app::Keys;
use simscope::app::screen::learn::check::number_of;
use simscope::corpus::{
    Batch, Content, Corpus, FingerprintType, Input, InputFormat, InputLimits, LabelFile,
    LoadOptions, TextEncoding, load, read_frequencies, read_truth,
};
use simscope::id::DocId;
use simscope::progress::Progress;
use simscope::{Fingerprint, Fingerprinter, Recipe};
use tempfile::TempDir;

/// A parser, by the name of its target and of the folder of its seeds.
pub(crate) type Parser = fn(&[u8]);

/// All of them.
pub(crate) const ALL: &[(&str, Parser)] = &[
    ("answer", answer),
    ("archive", archive),
    ("config", config),
    ("filter", filter),
    ("fingerprint", fingerprint),
    ("frequencies", frequencies),
    ("index", index),
    ("keys", keys),
    ("labels", labels),
    ("recipe", recipe),
    ("review", review),
    ("rows", rows),
    ("warc", warc),
];

/// The folder that inputs are written to, one for each thread: tests run side by side, and a file that another one writes
/// again has changed since it was loaded.
fn folder() -> PathBuf {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));
    let own = FOLDER.path().join(format!("{:?}", thread::current().id()));
    fs::create_dir_all(&own).expect("a folder of ours");
    own
}

fn written(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    fs::write(&path, bytes).expect("a file in a folder of ours");
    path
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// Limits that let no input take long.
fn options() -> LoadOptions {
    let limits = InputLimits { document: 1 << 20, expansion: 200, spool: 8 << 20 };
    LoadOptions { limits, ..LoadOptions::default() }
}

/// Reads a file, and each document again: the second reading must be as the first.
fn read(name: &str, bytes: &[u8], options: &LoadOptions) {
    let input = [Input::Path(written(name, bytes))];
    let mut contents: Vec<Content> = Vec::new();
    let mut keep = |batch: Batch| contents.extend(batch.contents);
    let Ok(corpus) = load(&input, options, &Progress::new(), &mut keep) else { return };
    assert_eq!(corpus.len(), contents.len());
    read_again(&corpus, Some(&contents));
    for message in corpus.diagnostics().iter().chain(corpus.remarks()) {
        assert!(!message.to_string().contains(char::is_control), "{message:?}");
    }
}

fn read_again(corpus: &Corpus, before: Option<&[Content]>) {
    for (at, content) in corpus.read_many(0..usize::MAX).iter().enumerate() {
        let document = DocId::from(at);
        assert!(!corpus.place(document).contains(char::is_control));
        if let Some(before) = before {
            assert_eq!(content.as_ref(), Ok(&before[at]), "{}", corpus.place(document));
        }
    }
    let documents: Vec<DocId> = (0..corpus.len()).map(DocId::from).collect();
    assert_eq!(corpus.titles(&documents).len(), corpus.len());
}

/// Rows. The first line names the file and the options, as in `rows.csv csv no-header int64 shift_jis`; the rest is
/// the file.
pub(crate) fn rows(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (head, body) = bytes.split_at(end);
    let mut options = options();
    let mut words = text(head).split_whitespace();
    let name: String = words.next().unwrap_or_default().chars().take(20).collect();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '.';
    let name = if name.contains(|c| !is_plain(c)) { String::new() } else { name };
    for word in words.take(6) {
        if let Ok(format) = word.parse::<InputFormat>() {
            options.input_format = format;
        } else if let Ok(form) = word.parse::<FingerprintType>() {
            options.fp_type = form;
        } else if let Ok(encoding) = word.parse::<TextEncoding>() {
            options.encoding = encoding;
        } else if word == "no-header" {
            options.no_header = true;
        } else if word == "escape" {
            options.csv_escape = Some(b'\\');
        } else if let [byte] = word.as_bytes() {
            options.delimiter = Some(*byte);
        } else if let Some(field) = word.strip_prefix("fingerprint=") {
            options.fingerprint_field = Some(field.to_owned());
        } else {
            options.text_field = Some(word.to_owned());
        }
    }
    read(&format!("x{name}"), body.get(1..).unwrap_or_default(), &options);
}

/// Archives and packed files, each under the name that its first bytes ask for. The checksums of headers of a tar
/// archive are put right, else hardly one would be read.
pub(crate) fn archive(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    let mut name = "x.jsonl.gz";
    if bytes.starts_with(b"PK") {
        name = "x.zip";
    }
    for header in bytes.chunks_exact_mut(512).filter(|block| block[257..].starts_with(b"ustar")) {
        name = "x.tar";
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    }
    read(name, &bytes, &options());
}

/// Web crawls.
pub(crate) fn warc(bytes: &[u8]) {
    read("x.warc", bytes, &options());
}

/// Recipes, which come back as they were written and make fingerprints.
pub(crate) fn recipe(bytes: &[u8]) {
    let Ok(recipe) = text(bytes).parse::<Recipe>() else { return };
    let line = recipe.to_string();
    let again: Recipe = line.parse().expect("a recipe reads what it writes");
    assert_eq!(again.to_string(), line);
    let texts = ["The tide log, kept by Hester Tench.", "\u{1f980} crabs \u{0301}", ""];
    if let Ok(fingerprinter) = Fingerprinter::for_texts(&recipe, texts) {
        for text in texts {
            fingerprinter.fingerprint(text);
        }
    }
}

/// Filters, each applied to the sample.
pub(crate) fn filter(bytes: &[u8]) {
    let typed = text(bytes);
    match typed.parse::<Filter>() {
        Ok(filter) => {
            let found = FilterMatches::default();
            let _ = sample().search(&filter, DocId(0), &found, &Job::new());
        }
        Err(error) => assert!((1..=typed.chars().count() + 1).contains(&error.at), "{error:?}"),
    }
}

/// Keys, which come back as they were written.
pub(crate) fn keys(bytes: &[u8]) {
    let Ok(keys) = text(bytes).parse::<Keys>() else { return };
    let line: String = keys.0.iter().map(|key| key.written()).collect();
    assert_eq!(line.parse::<Keys>(), Ok(keys), "{line}");
}

/// Configurations.
pub(crate) fn config(bytes: &[u8]) {
    let path = written("config.toml", bytes);
    let line = ["simscope", "config", "check"].map(Into::into);
    simscope::cli::run(line.into_iter().chain([path.into()]));
}

/// Files of labels and of known pairs.
pub(crate) fn labels(bytes: &[u8]) {
    let path = written("labels.jsonl", bytes);
    if let Ok((file, _)) = LabelFile::open(&path) {
        assert_eq!(file.labels().iter().count(), file.labels().count());
        file.labels().repeats().for_each(drop);
    }
    let _ = read_truth(&path);
    let _ = read_truth(&written("pairs.csv", bytes));
}

/// Files of document frequencies.
pub(crate) fn frequencies(bytes: &[u8]) {
    let _ = read_frequencies(written("frequencies.tsv", bytes));
}

/// Answers to lessons: numbers and expressions.
pub(crate) fn answer(bytes: &[u8]) {
    assert!(number_of(text(bytes)).is_none_or(f64::is_finite));
}

/// Fingerprints of some widths, which come back as they were written.
pub(crate) fn fingerprint(bytes: &[u8]) {
    let typed = text(bytes);
    for width in [1, 7, 8, 33, 64, 65, 127, 128] {
        if let Ok(fingerprint) = Fingerprint::parse(typed, width) {
            assert_eq!(Fingerprint::parse(&fingerprint.to_string(), width), Ok(fingerprint));
        }
    }
    let _ = typed.parse::<LayoutChoice>();
}

/// Reviews: marks of documents of the sample, a policy and choices.
pub(crate) fn review(bytes: &[u8]) {
    let typed = text(bytes);
    let _ = sample().earlier_review(typed, &Job::new());
    let _ = review_settings(typed).settings(&Settings::default());
    if let Ok(policy) = typed.parse::<Policy>() {
        assert_eq!(policy.to_string().parse(), Ok(policy));
    }
}

/// The sample, analysed.
fn sample() -> &'static Analysis {
    static SAMPLE: LazyLock<Arc<Analysis>> = LazyLock::new(|| {
        let bytes = include_bytes!("../../assets/sample.jsonl");
        let inputs = vec![Input::Bundled { name: "sample.jsonl", bytes }];
        analysed(AnalysisInput::Load(inputs, LoadOptions::default(), None))
    });
    &SAMPLE
}

fn analysed(work: AnalysisInput) -> Arc<Analysis> {
    run_to(AnalysisDepth::Pairs, work, Settings::default(), &Job::new(), &mut |_| {})
        .expect("documents")
}
