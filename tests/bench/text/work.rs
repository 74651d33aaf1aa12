//! The timed work, ours and the rivals', and the checks that its answers are right.

use std::sync::Arc;

use gaoya::simhash::{SimHash, SimSipHasher64};
use gaoya::text::whitespace_split;
use simscope::feature::FrequencyCounter;
use simscope::progress::Progress;
use simscope::simhash::{Features, Fingerprint, FingerprintRecord, Fingerprinter, Scratch};
use unicode_segmentation::UnicodeSegmentation;

/// Bytes of text whose features are counted together, about as many as the commands do.
const AT_ONCE_BYTES: usize = 16 << 20;

/// Only the words of UAX #29, counted: what any exact tokenizer must find.
pub(crate) fn unicode_words(texts: &[String]) -> u64 {
    texts.iter().map(|text| text.unicode_words().count() as u64).sum()
}

/// The same by the general tables: how `unicode_words` found them before 1.13 gave ASCII its own way.
pub(crate) fn general_tables(texts: &[String]) -> u64 {
    let words = |text: &String| {
        text.split_word_bounds().filter(|word| word.contains(char::is_alphanumeric)).count() as u64
    };
    texts.iter().map(words).sum()
}

/// The rival: words between ASCII punctuation and white space, case kept, shingles of three as slices.
pub(crate) fn gaoya(texts: &[String]) -> u64 {
    let rival = SimHash::<SimSipHasher64, u64, 64>::new(SimSipHasher64::new(5, 6));
    texts.iter().fold(0, |all, text| {
        let words: Vec<&str> = whitespace_split(text).collect();
        all ^ rival.create_signature(words.windows(3))
    })
}

/// The default recipe.
pub(crate) fn log_tf(texts: &[String]) -> u64 {
    record(texts, &fingerprinter("words:3 log-tf"))
}

/// The recipe whose weights are the rival's.
pub(crate) fn tf(texts: &[String]) -> u64 {
    record(texts, &fingerprinter("words:3 tf"))
}

/// Counts in how many documents each feature stands, then weighs.
pub(crate) fn tf_idf(texts: &[String]) -> u64 {
    let (fingerprinter, documents) = counted(texts);
    let records = weighed(&fingerprinter, &documents);
    records.iter().fold(0, |all, record| all ^ low_bits(record.fingerprint))
}

fn counted(texts: &[String]) -> (Fingerprinter, Vec<Features>) {
    let fingerprinter = fingerprinter("words:3 tf-idf");
    let mut scratch = Scratch::default();
    let (mut counter, mut documents, mut bytes) = (FrequencyCounter::new(), Vec::new(), 0);
    let (mut n_counted, progress) = (0, Progress::new());
    let mut count = |documents: &[Features]| {
        let keys: Vec<&[u64]> = documents[n_counted..].iter().map(Features::keys).collect();
        counter.count(&keys, &progress);
        n_counted = documents.len();
    };
    for text in texts {
        documents.extend(fingerprinter.try_features(text, &mut scratch, &progress));
        bytes += text.len();
        if bytes > AT_ONCE_BYTES {
            count(&documents);
            bytes = 0;
        }
    }
    count(&documents);
    (fingerprinter.with_frequencies(Arc::new(counter.finish())), documents)
}

fn weighed(fingerprinter: &Fingerprinter, documents: &[Features]) -> Vec<FingerprintRecord> {
    let progress = Progress::new();
    let weigh = |features: &Features| fingerprinter.record_features(features, &progress).ok();
    documents.iter().filter_map(weigh).collect()
}

fn fingerprinter(recipe: &str) -> Fingerprinter {
    let recipe = recipe.parse().expect("a recipe");
    Fingerprinter::before_frequencies(&recipe).expect("a sound recipe")
}

fn record(texts: &[String], fingerprinter: &Fingerprinter) -> u64 {
    let mut scratch = Scratch::default();
    texts
        .iter()
        .fold(0, |all, text| all ^ low_bits(fingerprinter.record(text, &mut scratch).fingerprint))
}

fn low_bits(fingerprint: Option<Fingerprint>) -> u64 {
    fingerprint.map_or(0, |fingerprint| fingerprint.bits() as u64)
}

/// Panics unless ours agree with their slow twins on every document, and the rival with its own example.
pub(crate) fn check(texts: &[String]) {
    let rival = SimHash::<SimSipHasher64, u64, 64>::new(SimSipHasher64::new(5, 6));
    let words: Vec<&str> = whitespace_split("The cat sat on the mat").collect();
    assert_eq!(rival.create_signature(words.windows(3)), 0x26e8_84b2_10d2_cc00);
    let (weighing, documents) = counted(texts);
    let mut scratch = Scratch::default();
    let records = weighed(&weighing, &documents);
    assert_eq!(records.len(), texts.len());
    for (text, record) in texts.iter().zip(&records) {
        assert_eq!(*record, weighing.record(text, &mut scratch), "{text}");
    }
    for fingerprinter in [fingerprinter("words:3 tf"), weighing] {
        let mut scratch = Scratch::default();
        for text in texts {
            let feature_votes = fingerprinter.feature_votes(text);
            let record = fingerprinter.record(text, &mut scratch);
            assert_eq!(
                feature_votes.fingerprint(fingerprinter.recipe()),
                record.fingerprint,
                "{text}"
            );
            assert_eq!(feature_votes.features.len(), record.n_features as usize, "{text}");
        }
    }
}
