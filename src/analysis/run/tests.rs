//! Late cancels, and a first pass that keeps little.

use super::*;
use crate::corpus::Content;
use crate::simhash::{FingerprintRecord, Fingerprinter};

/// Documents in two batches: one waits while the first snapshot is taken.
const FEW: usize = 300;
/// Documents in several batches when they are read, and in two when they are read again.
const MANY: usize = 2500;

/// This many short texts, some of them empty.
fn work(n: usize) -> AnalysisInput {
    let line = |n: usize| match n % 50 {
        7 => "{\"text\":\"\"}\n".to_owned(),
        _ => format!("{{\"text\":\"the tide and the pool {} {}\"}}\n", n % 9, n * n % 1009),
    };
    let bytes = (0..n).map(line).collect::<String>().leak().as_bytes();
    AnalysisInput::Load(
        vec![Input::Bundled { name: "pools.jsonl", bytes }],
        LoadOptions::default(),
        None,
    )
}

fn settings(line: &str) -> Settings {
    Settings { recipe: line.parse().unwrap(), ..Settings::default() }
}

/// A cancel at the first snapshot, the second, and so on: the result is complete, or there is none.
#[test]
fn a_late_stop_leaves_no_document_without_its_sketch() {
    for line in ["words:1", "words:1 tf-idf"] {
        let mut n_before = 0;
        loop {
            let job = Job::new();
            let mut n_published = 0;
            let mut publish = |_: Arc<Analysis>| {
                if n_published == n_before {
                    // Time enough for the reader to reach its end.
                    thread::sleep(Duration::from_millis(100));
                    job.progress.cancel();
                }
                n_published += 1;
            };
            let work = work(FEW);
            let outcome =
                run_to(AnalysisDepth::Fingerprints, work, settings(line), &job, &mut publish);
            match &outcome {
                Ok(analysis) => assert_eq!(analysis.records.len(), analysis.len()),
                Err(error) => assert!(matches!(error, AnalysisError::Cancelled(_)), "{error}"),
            }
            assert!(outcome.is_err() || n_before > 0, "{line}: stopped with the first batch");
            if n_published <= n_before {
                break;
            }
            n_before += 1;
        }
    }
}

/// All, some or none of the features are kept; the corpus is read for the first time or again; against one document
/// at a time.
#[test]
fn what_is_not_kept_is_weighed_all_the_same() {
    let settings = settings("words:2 tf-idf");
    for most_kept in [0, 1, 20_000, MOST_KEPT] {
        let job = Job::new();
        let mut publish = |_: Arc<Analysis>| {};
        let mut run = AnalysisRun {
            analysis: Analysis::empty(settings.clone()).unwrap(),
            most_kept,
            job: &job,
            publish: &mut publish,
            published: None,
            n_published: 0,
            publish_every: PUBLISH_EVERY,
        };
        let AnalysisInput::Load(inputs, options, _) = work(MANY) else { panic!("to be read") };
        run.load(&inputs, &options, None).unwrap();
        let made: Vec<FingerprintRecord> = run.analysis.records.iter().collect();
        let fingerprinter = run.analysis.fingerprinter.clone();
        assert_eq!(fingerprinter.frequencies().unwrap().n_documents(), MANY as u64, "{most_kept}");
        let mut scratch = crate::simhash::Scratch::default();
        for (document, made) in made.iter().enumerate() {
            let Content::Text(text) = run.analysis.corpus.read(DocId::from(document)).unwrap()
            else {
                panic!("a text");
            };
            assert_eq!(*made, fingerprinter.record(&text, &mut scratch), "{most_kept}: {text:?}");
        }
        run.analysis.fingerprinter = Fingerprinter::before_frequencies(&settings.recipe).unwrap();
        run.fingerprint().unwrap();
        assert!(run.analysis.records.iter().eq(made), "{most_kept}");
    }
}
