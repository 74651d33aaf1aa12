//! The health of a corpus: statistics of all fingerprints, and of the number of features of a document.
//!
//! The contents of a crowded bucket: the documents whose fingerprints begin with the same bits, and their common
//! features. Manku, Jain and Das Sarma (figure 2) found hot prefixes: leading bits that many fingerprints share.
//! These came from empty pages, error pages and the log-in pages of one bulletin board. At most 200 documents of a
//! bucket are read.
//!
//! The kind of text that a corpus holds: how short the texts are, and how many letters are of scripts without word
//! spaces. It shows when a recipe for long texts of words does not fit.
//!
//! The flags of documents whose distances may mislead: one byte for each document, and 16 more if it is
//! boilerplate. The sentence about a flag is not kept; [`findings`] makes it from the document.
//!
//! The cost is the two passes over the texts of [`Analysis::triage`].
//!
//! [`findings`]: crate::explain::triage::findings

use std::collections::HashMap;

use super::{Analysis, Job};
use crate::corpus::Corpus;
use crate::explain::Health;
use crate::explain::figures::quoted;
use crate::explain::health::prefix;
use crate::explain::triage::{COMMON, Flag, MOST_SHARE};
use crate::feature::{Shingling, Weighting};
use crate::id::DocId;
use crate::number::{counted, grouped};
use crate::progress::{Cancelled, Progress};
use crate::simhash::Fingerprint;
use crate::text::visible::visible;

/// Statistics of all fingerprints of a corpus.
#[derive(Clone, Debug)]
pub struct CorpusHealth {
    /// Bits, pairs of bits and prefixes.
    pub health: Health,
    /// The number of documents in each range of feature counts.
    pub features: FeatureCounts,
    /// The contents of the fullest crowded buckets.
    pub hot_prefixes: Vec<HotPrefix>,
    /// The number of crowded buckets.
    pub n_hot_prefixes: usize,
}

/// The number of documents in each range of feature counts: 0, 1, 2 to 3, 4 to 7 and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureCounts {
    /// The number of documents in each bin.
    pub bins: Vec<u64>,
}

impl FeatureCounts {
    /// The fewest and most features of a bin.
    pub fn range(bin: usize) -> (u64, u64) {
        if bin == 0 { (0, 0) } else { (1 << (bin - 1), (1 << bin) - 1) }
    }

    /// A bin's range as text: `1` or `4-7`.
    pub fn range_name(bin: usize) -> String {
        let (fewest, most) = Self::range(bin);
        if fewest == most { fewest.to_string() } else { format!("{fewest}-{most}") }
    }

    fn add(&mut self, n_features: u32) {
        let bin = (u32::BITS - n_features.leading_zeros()) as usize;
        self.bins.resize(self.bins.len().max(bin + 1), 0);
        self.bins[bin] += 1;
    }
}

impl Analysis {
    /// All statistics, with the contents of the `most` fullest crowded buckets; `progress` counts the buckets.
    /// Reads all fingerprints, and up to two hundred documents for each bucket.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn corpus_health(
        &self,
        most: usize,
        progress: &Progress,
    ) -> Result<CorpusHealth, Cancelled> {
        let fingerprints: Vec<u128> =
            self.records.fingerprints().flatten().map(Fingerprint::bits).collect();
        let health = Health::new(&fingerprints, self.settings.recipe.bits);
        let buckets = health.hot_prefixes();
        progress.begin(buckets.len().min(most) as u64);
        let mut hot_prefixes = Vec::new();
        for &bucket in buckets.iter().take(most) {
            progress.check()?;
            hot_prefixes.push(self.hot_prefix(bucket));
            progress.add(1);
        }
        // Not counted are documents that could not be read or that carry a fingerprint without text.
        let mut features = FeatureCounts::default();
        for record in self.records.iter() {
            if !record.unreadable && (record.n_features > 0 || record.fingerprint.is_none()) {
                features.add(record.n_features);
            }
        }
        Ok(CorpusHealth { health, features, hot_prefixes, n_hot_prefixes: buckets.len() })
    }
}

/// The least share of boilerplate documents at which a sentence advises tf-idf.
const MANY: f64 = 0.05;

/// The flags of every document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CorpusFlags {
    /// For each document, one bit for each flag.
    of: Vec<u8>,
    /// For each boilerplate document, in order, the share of `||w||^2` that common features have.
    common: Vec<(DocId, f64)>,
    counts: [u64; Flag::ALL.len()],
    /// The number of documents with any flag.
    pub n_flagged: u64,
    /// The number of documents that could not be read again, so that their flags are not known.
    pub n_unread: u64,
}

impl CorpusFlags {
    /// Whether a document has a flag.
    pub fn has(&self, document: DocId, flag: Flag) -> bool {
        self.of.get(document.index()).is_some_and(|bits| bits >> flag as u8 & 1 == 1)
    }

    /// The share of `||w||^2` that common features have, 0 to 1; `None` if the document is not boilerplate.
    pub fn common(&self, document: DocId) -> Option<f64> {
        let at = self.common.binary_search_by_key(&document, |(document, _)| *document).ok()?;
        Some(self.common[at].1)
    }

    /// The number of documents with a flag.
    pub fn count(&self, flag: Flag) -> u64 {
        self.counts[flag as usize]
    }

    /// A sentence about templates; `None` if they are few or if the weights are tf-idf.
    pub fn template_advice(&self, weights: Weighting) -> Option<String> {
        let (n, all) = (self.count(Flag::Boilerplate), self.of.len() as u64);
        (weights != Weighting::TfIdf && n > 0 && n as f64 >= MANY * all as f64).then(|| {
            format!(
                "templates: {} of {} have over {:.0} % of their squared weight in features that more than {:.0} % \
                 of the documents share; tf-idf gives these features less weight",
                grouped(n),
                counted(all, "document"),
                100.0 * MOST_SHARE,
                100.0 * COMMON,
            )
        })
    }
}

impl Analysis {
    /// Flags every document. All documents must be fingerprinted.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn flag(&self, job: &Job) -> Result<CorpusFlags, Cancelled> {
        let mut flags = CorpusFlags { of: vec![0; self.len()], ..CorpusFlags::default() };
        self.triage(job, &mut |document, findings| {
            flags.n_flagged += 1;
            for finding in findings {
                flags.of[document.index()] |= 1 << finding.flag as u8;
                flags.counts[finding.flag as usize] += 1;
                if finding.flag == Flag::Boilerplate {
                    flags.common.push((document, finding.value));
                }
            }
        })?;
        flags.n_unread = self.corpus.n_unread();
        Ok(flags)
    }
}

/// The most documents of a bucket that are read, evenly spread.
const MOST_READ: usize = 200;
/// The most features, and the most documents, that are named.
const NAMED: usize = 3;

/// The contents of a bucket that holds too many fingerprints.
#[derive(Clone, Debug, PartialEq)]
pub struct HotPrefix {
    /// The leading bits.
    pub bucket: usize,
    /// Its documents, in order.
    pub documents: Vec<DocId>,
    /// The number of documents with the commonest fingerprint of the bucket.
    pub n_alike: usize,
    /// The number of documents that were read for their features.
    pub n_read: usize,
    /// The number of documents that could not be read for their features.
    pub n_unread: usize,
    /// The features that most of the read documents have, each with the number of these documents.
    pub shared: Vec<(String, usize)>,
}

impl HotPrefix {
    /// The contents of the bucket in words, with the first ids of its documents.
    pub fn sentence(&self, corpus: &Corpus) -> String {
        let mut text = counted(self.documents.len() as u64, "document");
        if self.n_alike > 1 {
            text += &format!(", {} with one fingerprint", grouped(self.n_alike as u64));
        }
        if !self.shared.is_empty() {
            let shared: Vec<String> = self
                .shared
                .iter()
                .map(|(shingle, n)| format!("{} in {n}", quoted(shingle)))
                .collect();
            text += &format!("; of {} read: {}", self.n_read, shared.join(", "));
        }
        if self.n_unread > 0 {
            text += &format!("; {} could not be read again", grouped(self.n_unread as u64));
        }
        let first = self.documents.iter().take(NAMED);
        let ids: Vec<_> = first.map(|&document| visible(corpus.id(document))).collect();
        format!("{text}; such as {}", ids.join(", "))
    }
}

impl Analysis {
    /// The contents of a bucket of leading bits. One pass over the fingerprints; reads at most 200
    /// documents.
    fn hot_prefix(&self, bucket: usize) -> HotPrefix {
        let width = self.settings.recipe.bits;
        let mut alike: HashMap<u128, usize> = HashMap::new();
        let mut documents = Vec::new();
        for (document, fingerprint) in self.records.fingerprints().enumerate() {
            let Some(bits) = fingerprint.map(Fingerprint::bits) else { continue };
            if prefix(bits, width) == bucket {
                documents.push(DocId::from(document));
                *alike.entry(bits).or_default() += 1;
            }
        }
        let step = documents.len().div_ceil(MOST_READ).max(1);
        let mut shared: HashMap<String, usize> = HashMap::new();
        let (mut n_read, mut n_unread) = (0, 0);
        for &document in documents.iter().step_by(step) {
            match self.open(document) {
                Ok((_, Some(feature_votes))) => {
                    n_read += 1;
                    for feature in feature_votes.features {
                        *shared.entry(feature.shingle).or_default() += 1;
                    }
                }
                Ok((_, None)) => {}
                Err(_) => n_unread += 1,
            }
        }
        let mut shared: Vec<(String, usize)> =
            shared.into_iter().filter(|(_, count)| *count > 1).collect();
        shared.sort_by(|x, y| y.1.cmp(&x.1).then_with(|| x.0.cmp(&y.0)));
        shared.truncate(NAMED);
        let n_alike = alike.into_values().max().unwrap_or(0);
        HotPrefix { bucket, documents, n_alike, n_read, n_unread, shared }
    }
}

/// The most documents that are read, evenly spread over the corpus.
const SAMPLE: usize = 400;
/// The most bytes of each document that are used.
const MOST_BYTES: usize = 1 << 14;
/// A text with fewer tokens is short: one changed word changes a tenth of the shingles or more.
const SHORT: u32 = 30;
/// If fewer texts were read, there is no advice.
const FEWEST: usize = 20;
/// The least share of the letters at which a script is named.
const MANY_LETTERS: f64 = 0.3;

/// The kind of text, from a sample of documents.
#[derive(Clone, Debug, PartialEq)]
pub struct TextKind {
    /// The number of documents that were read.
    pub n_looked_at: usize,
    /// The script without word spaces that has the most letters, and its share of all letters.
    pub script: Option<(&'static str, f64)>,
    /// The median number of tokens over all documents with text, as the recipe cuts them; `None` if there are no
    /// such documents.
    pub median_tokens: Option<u32>,
}

/// The number in [`SCRIPTS`] of the script of a character, if its words are not separated by spaces.
fn script(c: char) -> Option<usize> {
    match u32::from(c) {
        0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff => Some(0),
        0x3040..=0x309f => Some(1),
        0x0e00..=0x0e7f => Some(2),
        0x0e80..=0x0eff => Some(3),
        0x1000..=0x109f => Some(4),
        0x1780..=0x17ff => Some(5),
        _ => None,
    }
}

/// The names of these scripts.
const SCRIPTS: [&str; 6] = ["Han", "Hiragana", "Thai", "Lao", "Myanmar", "Khmer"];

impl Analysis {
    /// Reads a sample of the texts again, without those that cannot be read. The lengths of all texts are used.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn text_kind(&self, job: &Job) -> Result<TextKind, Cancelled> {
        let step = self.len().div_ceil(SAMPLE).max(1);
        let (mut letters, mut n_letters, mut n_looked_at) = ([0_u64; SCRIPTS.len()], 0_u64, 0);
        for document in (0..self.len()).step_by(step).map(DocId::from) {
            job.progress.check()?;
            let Ok(content) = self.corpus.read(document) else { continue };
            let Some(text) = content.text() else { continue };
            n_looked_at += 1;
            let text = &text[..text.floor_char_boundary(MOST_BYTES)];
            for c in text.chars().filter(|c| c.is_alphabetic()) {
                n_letters += 1;
                if let Some(script) = script(c) {
                    letters[script] += 1;
                }
            }
        }
        let most = (0..SCRIPTS.len()).max_by_key(|&script| letters[script]);
        let most = most.filter(|&script| letters[script] > 0);
        let script =
            most.map(|script| (SCRIPTS[script], letters[script] as f64 / n_letters as f64));
        let lengths = (0..self.len()).filter_map(|at| self.record(DocId::from(at)));
        let lengths = lengths.map(|record| record.n_tokens).filter(|&n| n > 0);
        let median_tokens = median(lengths.collect());
        Ok(TextKind { n_looked_at, script, median_tokens })
    }
}

/// The value in the middle, the larger one of two; `None` if there are no values.
pub(super) fn median(mut values: Vec<u32>) -> Option<u32> {
    let middle = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable(middle).1)
}

impl TextKind {
    /// A sentence if these shingles do not fit the texts.
    pub fn advice(&self, shingling: Shingling) -> Option<String> {
        if self.n_looked_at < FEWEST {
            return None;
        }
        let size = shingling.size();
        let is_words = matches!(shingling, Shingling::Words(_));
        if let Some((script, share)) =
            self.script.filter(|&(_, share)| is_words && share >= MANY_LETTERS)
        {
            return Some(format!(
                "{:.0} % of the letters in a sample of {} are {script}, where each character counts as a word: \
                 {shingling} is {}",
                // Rounded down, so that 99.9 % is never shown as 100 %.
                (share * 100.0).floor(),
                counted(self.n_looked_at as u64, "document"),
                counted(size as u64, "character"),
            ));
        }
        let median = self.median_tokens.filter(|&n| is_words && size > 1 && n < SHORT)?;
        Some(format!(
            "half of the texts have {} words or fewer, and one word is in up to {size} shingles: words:1 or \
             chars:5 suit short texts better",
            grouped(u64::from(median)),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{AnalysisDepth, AnalysisInput, Settings, run_to};
    use crate::corpus::{Input, LoadOptions};

    #[test]
    fn bins_double() {
        let mut counts = FeatureCounts::default();
        for n in [0, 1, 2, 3, 4, 7, 8, 1000] {
            counts.add(n);
        }
        assert_eq!(counts.bins, [1, 1, 2, 2, 1, 0, 0, 0, 0, 0, 1]);
        assert_eq!([0, 1, 3, 10].map(FeatureCounts::range), [(0, 0), (1, 1), (4, 7), (512, 1023)]);
    }

    #[test]
    fn what_is_kept_is_what_triage_finds() {
        let bytes = include_bytes!("../../assets/sample.jsonl");
        let inputs = vec![Input::Bundled { name: "sample.jsonl", bytes }];
        let work = AnalysisInput::Load(inputs, LoadOptions::default(), None);
        let settings = Settings { k: 3, ..Settings::default() };
        let analysis =
            run_to(AnalysisDepth::Fingerprints, work, settings, &Job::new(), &mut |_| {}).unwrap();
        let flags = analysis.flag(&Job::new()).unwrap();
        let mut found = Vec::new();
        let mut each = |document, findings| found.push((document, findings));
        analysis.triage(&Job::new(), &mut each).unwrap();
        assert!(!found.is_empty());
        assert_eq!(flags.n_flagged, found.len() as u64);
        for flag in Flag::ALL {
            let bearing = |document: &DocId| flags.has(*document, *flag);
            let all = (0..analysis.len()).map(DocId::from);
            assert_eq!(all.filter(bearing).count() as u64, flags.count(*flag), "{flag}");
        }
        for (document, findings) in &found {
            assert!(!findings.is_empty());
            for flag in Flag::ALL {
                let finding = findings.iter().find(|finding| finding.flag == *flag);
                assert_eq!(flags.has(*document, *flag), finding.is_some());
                if *flag == Flag::Boilerplate {
                    assert_eq!(flags.common(*document), finding.map(|finding| finding.value));
                }
            }
        }
        let job = Job::new();
        job.progress.cancel();
        assert_eq!(analysis.flag(&job), Err(Cancelled));
    }

    #[test]
    fn templates_are_told_where_they_are_many_and_weigh_in_full() {
        let mut flags = CorpusFlags { of: vec![0; 200], ..CorpusFlags::default() };
        flags.counts[Flag::Boilerplate as usize] = 9;
        assert_eq!(flags.template_advice(Weighting::Tf), None);
        flags.counts[Flag::Boilerplate as usize] = 10;
        assert_eq!(flags.template_advice(Weighting::TfIdf), None);
        assert_eq!(
            flags.template_advice(Weighting::Tf).unwrap(),
            "templates: 10 of 200 documents have over 50 % of their squared weight in features that more than 5 % of \
             the documents share; tf-idf gives these features less weight"
        );
    }

    fn kind(script: Option<(&'static str, f64)>, median_tokens: u32) -> TextKind {
        TextKind { n_looked_at: 400, script, median_tokens: Some(median_tokens) }
    }

    #[test]
    fn short_texts_and_texts_without_word_spaces_are_named() {
        let words = Shingling::Words(3);
        assert_eq!(kind(None, 300).advice(words), None);
        assert_eq!(kind(Some(("Hiragana", 0.1)), 300).advice(words), None);
        let short = kind(None, 14).advice(words).unwrap();
        assert!(short.starts_with("half of the texts have 14 words or fewer"), "{short}");
        assert_eq!(kind(None, 14).advice(Shingling::Words(1)), None);
        assert_eq!(kind(None, 14).advice(Shingling::Chars(5)), None);
        let han = kind(Some(("Han", 0.98)), 14).advice(words).unwrap();
        assert_eq!(
            han,
            "98 % of the letters in a sample of 400 documents are Han, where each character counts as a word: words:3 \
             is 3 characters"
        );
    }
}
