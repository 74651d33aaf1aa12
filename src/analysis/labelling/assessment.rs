//! The precision of each k by the judgements, and the conclusion in words; the next batch of pairs to judge, and one
//! pair of it. The screen and the command show the same sentences.
//!
//! Labels and truth files, matched to the pairs of an analysis.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::Labelling;
use crate::{
    analysis::{Advice, Analysis, AnalysisError, Basis, Evidence, Job, explained_pair::Comparison},
    corpus::{Corpus, Judgement, Label, Labels, TextPair},
    evaluate::{
        distances::Chance,
        labels::{Agreement, Stratum, VerdictCounts},
        precision::precision,
        recommend::{LabelPlan, PrecisionGoal, next},
        sample::Pick,
    },
    id::DocId,
    number::{counted, grouped},
    text::{Digest, digest},
    verdict::Verdict,
};

/// The number of judgements from which on they take the place of the cosines.
pub const ENOUGH: u32 = 40;

/// The precision of each k by the judgements, and the recommended k.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// The strata with their judgements.
    pub strata: Vec<Stratum>,
    n_labels: u32,
    /// The recommended k by the judgements.
    pub advice: Arc<Advice>,
    /// The number of further labels after which another k may pass, if all of them are yes.
    pub next: Option<LabelPlan>,
    /// The numbers of judgements that count and that do not.
    pub counts: JudgementCounts,
    /// The agreement of the judgements of pairs that were shown twice.
    pub agreement: Agreement,
}

impl Assessment {
    /// Assesses the judgements. Takes some tenths of a second.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled.
    pub fn new(
        analysis: &Analysis,
        judged: JudgedStrata,
        chance: Chance,
        aim: PrecisionGoal,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let JudgedStrata { strata, counts, agreement, .. } = judged;
        let n_labels = strata.iter().fold(0_u32, |sum, it| sum.saturating_add(it.labels()));
        let rows = precision(&strata);
        let evidence = Evidence::new(Basis::Judged { n_labels }, analysis.settings.alike, rows);
        let advice = Arc::new(analysis.advise_by(evidence, chance, aim, job)?);
        let next = next(&strata, &advice.by_chance, aim);
        Ok(Self { strata, n_labels, advice, next, counts, agreement })
    }

    /// Whether there are enough judgements to use in place of the texts: one for every pair, or [`ENOUGH`] at distances
    /// without a gap, because the precision within k is that of all distances up to k.
    pub fn has_enough_labels(&self) -> bool {
        let is_judged =
            |distance| self.strata.iter().any(|it| it.distance == distance && it.labels() > 0);
        let left = self.strata.iter().filter(|it| it.left() > 0).map(|it| it.distance);
        let gap = left.filter(|&distance| !is_judged(distance)).min();
        let before = self.strata.iter().filter(|it| gap.is_none_or(|gap| it.distance < gap));
        let n: u32 = before.map(Stratum::labels).sum();
        n >= ENOUGH || self.n_labels > 0 && !self.has_pairs_left()
    }

    fn has_pairs_left(&self) -> bool {
        self.strata.iter().any(|stratum| stratum.left() > 0)
    }

    /// The conclusion as a list of sentences, the most important first.
    pub fn conclusion(&self) -> Vec<String> {
        let mut sentences = self.advice.choice();
        if !self.has_enough_labels() {
            sentences[0].insert_str(0, "so far ");
        }
        sentences.extend(self.about_next());
        sentences.push(self.about_matches());
        sentences.extend(self.about_bounds());
        sentences.extend(self.about_agreement());
        sentences.extend(self.advice.grounds());
        sentences
    }

    fn about_next(&self) -> Option<String> {
        let LabelPlan { k, labels } = self.next?;
        let judgements = counted(u64::from(labels), "judgement");
        Some(format!("k = {k} passes if the next {judgements} all say yes"))
    }

    fn about_bounds(&self) -> Option<String> {
        let provisional = if self.has_enough_labels() {
            String::new()
        } else {
            format!("; provisional until there are {ENOUGH} judgements, some at each distance")
        };
        self.has_pairs_left().then(|| {
            format!(
                "bounds: for all k at once, if you decided how many pairs to judge before you began{provisional}"
            )
        })
    }

    /// A warning if every judgement says yes, so that the precision is 1 at every k. A truth file that names only
    /// true pairs does that.
    pub fn about_one_sided_truth(&self) -> Option<String> {
        let sum = |of: fn(&Stratum) -> u32| self.strata.iter().map(of).any(|labels| labels > 0);
        let JudgementCounts { beyond, contradicted, .. } = self.counts;
        let is_one_sided = sum(|it| it.yes.labels)
            && !sum(|it| it.no.labels + it.unsure.labels)
            && beyond + contradicted == 0;
        is_one_sided.then(|| {
            "every judgement says yes, so every k looks precise; if the file names all near-duplicates, use --complete-truth"
                .to_owned()
        })
    }

    fn about_matches(&self) -> String {
        let JudgementCounts {
            judgements,
            counted: n,
            one_text,
            contradicted,
            missed,
            beyond,
            absent,
        } = self.counts;
        let window = self.advice.evidence.rows.last().map_or(0, |row| row.k);
        let number = |n: usize| grouped(n as u64);
        let mut text = format!(
            "{}: {} count (pairs within {window} bits; a larger -k at the start keeps more pairs)",
            counted(judgements as u64, "judgement"),
            number(n)
        );
        let parts = [
            (missed, "are yes for pairs farther apart"),
            (beyond, "are no or unsure for pairs farther apart"),
            (
                one_text,
                "name two documents with the same text (white space aside), which count as yes in any case",
            ),
            (contradicted, "of these are no or unsure"),
            (absent, "name documents that are not in the corpus"),
        ];
        for (n, what) in parts.into_iter().filter(|&(n, _)| n > 0) {
            text.push_str(&format!(", {} {what}", number(n)));
        }
        text
    }

    fn about_agreement(&self) -> Option<String> {
        let Agreement { repeats, same } = self.agreement;
        (repeats > 0).then(|| {
            let shown = counted(u64::from(repeats), "pair");
            let were = if repeats == 1 { "was" } else { "were" };
            format!("{shown} {were} shown twice, {same} of them judged the same both times")
        })
    }
}

/// The most bytes of a text that are compared and shown. It is more than a person reads, and two such texts are
/// compared in a fraction of a second even if they have nothing in common.
pub const MOST_BYTES: usize = 32 * 1024;
/// A pair to judge, with its texts. They are ordered by digest, so that left and right show nothing about the pair.
#[derive(Clone, Debug)]
pub struct PairWithTexts {
    /// Its documents, left and right.
    pub documents: [DocId; 2],
    /// The digests of their texts.
    pub names: [Digest; 2],
    /// The comparison of the texts.
    pub comparison: Comparison,
}

impl PairWithTexts {
    /// Reads the pair of a pick and compares its texts.
    ///
    /// # Errors
    /// The reason why one of them cannot be read.
    pub(crate) fn new(
        analysis: &Analysis,
        labelling: &Labelling,
        pick: Pick,
    ) -> Result<Self, String> {
        let pair = labelling.pair(pick);
        let read = |document| {
            let content = analysis.corpus.read(document).map_err(|error| error.to_string())?;
            let text = content.text().ok_or("a fingerprint without its text cannot be judged")?;
            let shown = &text[..text.floor_char_boundary(MOST_BYTES)];
            let is_cut = shown.len() < text.len();
            Ok::<_, String>((digest(text), document, shown.to_owned(), is_cut))
        };
        let mut texts = [read(pair.a)?, read(pair.b)?];
        texts.sort_by_key(|(name, ..)| *name);
        let [(left_name, left, a, a_cut), (right_name, right, b, b_cut)] = texts;
        let mut comparison = Comparison::new(Some((&a, &b)), None);
        comparison.clipped |= a_cut || b_cut;
        comparison.name_fields(&analysis.corpus, [left, right]).map_err(|it| it.to_string())?;
        Ok(Self { documents: [left, right], names: [left_name, right_name], comparison })
    }
}

/// The strata of pairs, with their judgements.
#[derive(Clone, Debug, Default)]
pub struct JudgedStrata {
    /// The strata with their judgements.
    pub strata: Vec<Stratum>,
    /// The numbers of judgements that count and that do not.
    pub counts: JudgementCounts,
    /// The agreement of the judgements of pairs that were shown twice.
    pub agreement: Agreement,
    /// The judged pairs of texts, each text by its first document.
    pub(super) texts: HashSet<(DocId, DocId)>,
}

/// The numbers of judgements by the place of their pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JudgementCounts {
    /// All judgements.
    pub judgements: usize,
    /// Judgements that count in a stratum.
    pub counted: usize,
    /// Judgements of a pair of equal texts, which is a near-duplicate without a judgement.
    pub one_text: usize,
    /// Judgements of a pair of equal texts that are not yes.
    pub contradicted: usize,
    /// Yes judgements of pairs beyond the window. No k within the window finds these pairs.
    pub missed: usize,
    /// Other judgements of pairs beyond the window.
    pub beyond: usize,
    /// Judgements of documents that are not in the corpus, or that have no fingerprint.
    pub absent: usize,
}

impl Labelling {
    /// Counts the labels whose texts are in the corpus. Some look-ups for each label.
    pub fn judge_by_text(&self, labels: &Labels) -> JudgedStrata {
        let mut judged =
            JudgedStrata { strata: self.strata.list.clone(), ..JudgedStrata::default() };
        for label in labels.iter() {
            let [one, other] = label.pair.digests();
            let named = |name| self.texts.named.get(name).map_or(&[][..], Vec::as_slice);
            let mut pairs = Vec::new();
            for (at, &a) in named(&one).iter().enumerate() {
                // If both texts are the same, each pair of entries is counted once.
                let from = if one == other { at } else { 0 };
                pairs.extend(named(&other)[from..].iter().map(|&b| (a, b)));
            }
            let settles = |a, b| {
                let copies = |document| self.sides().counts(self.copies(document));
                self.sides().n_pairs(copies(a), copies(b))
            };
            self.count(&mut judged, label.verdict, &pairs, settles);
        }
        for (before, again) in labels.repeats() {
            judged.agreement.note(before, again);
        }
        judged
    }

    /// Counts the judgements whose documents are in the corpus, by id. If a pair has several judgements, the last
    /// one counts. If several documents have an id, the first one is used.
    ///
    /// Goes through the ids of the corpus once.
    pub fn judge_by_id(&self, truth: &[Judgement]) -> JudgedStrata {
        let mut judged =
            JudgedStrata { strata: self.strata.list.clone(), ..JudgedStrata::default() };
        let documents = documents(&self.analysis.corpus, truth);
        let mut last: HashMap<(DocId, DocId), usize> = HashMap::new();
        let both = |it: &Judgement| {
            let [a, b] = it.ids.each_ref().map(|id| documents[id.as_str()]);
            let (a, b) = (a?, b?);
            (a != b).then_some((a.min(b), a.max(b)))
        };
        for (at, judgement) in truth.iter().enumerate() {
            if let Some(pair) = both(judgement) {
                last.insert(pair, at);
            }
        }
        for (at, judgement) in truth.iter().enumerate() {
            match both(judgement) {
                Some(pair) if last[&pair] != at => {}
                pair => self.count(&mut judged, judgement.verdict, pair.as_slice(), |_, _| 1),
            }
        }
        judged
    }

    /// Counts one verdict on some pairs of documents. `settles` gives the number of document pairs that each of
    /// them represents.
    fn count(
        &self,
        judged: &mut JudgedStrata,
        verdict: Verdict,
        pairs: &[(DocId, DocId)],
        settles: impl Fn(DocId, DocId) -> u64,
    ) {
        let mut settled: Vec<(usize, u64)> = Vec::new();
        let (mut one_text, mut beyond) = (false, false);
        for &(a, b) in pairs {
            let Some(entries) = self.index.entry_of(a).zip(self.index.entry_of(b)) else {
                continue;
            };
            let texts = self.texts_of(a, b);
            if texts.0 == texts.1 {
                one_text = true;
                continue;
            }
            judged.texts.insert(texts);
            let fingerprint = |document| self.analysis.fingerprint(document);
            let distance = fingerprint(a).zip(fingerprint(b)).map(|(a, b)| a.distance(b));
            let distance = distance.expect("an entry has a fingerprint");
            match self.stratum_of(entries, distance) {
                // Two documents of one corpus are no pair where there is a reference.
                Some(stratum) if settles(a, b) > 0 => settled.push((stratum, settles(a, b))),
                Some(_) => {}
                None => beyond = true,
            }
        }
        settled.sort_unstable();
        for same in settled.chunk_by(|left, right| left.0 == right.0) {
            let n: u64 = same.iter().map(|&(_, n)| n).sum();
            judged.strata[same[0].0].judge(verdict, n);
        }
        let counts = &mut judged.counts;
        counts.judgements += 1;
        match (settled.is_empty(), one_text, beyond) {
            (false, ..) => counts.counted += 1,
            (_, true, _) => {
                counts.one_text += 1;
                counts.contradicted += usize::from(verdict != Verdict::Yes);
            }
            (_, _, true) if verdict == Verdict::Yes => counts.missed += 1,
            (_, _, true) => counts.beyond += 1,
            _ => counts.absent += 1,
        }
    }
}

impl JudgedStrata {
    /// Counts every unjudged pair as no. Use it if the truth file names all near-duplicates.
    pub fn rest_is_no(&mut self) {
        for stratum in &mut self.strata {
            let left = stratum.left();
            // Nothing is left to estimate, so the number of labels may be cut to fit 32 bits.
            let room = u32::MAX - stratum.labels();
            let VerdictCounts { labels, pairs } = &mut stratum.no;
            *labels += u32::try_from(left).unwrap_or(u32::MAX).min(room);
            *pairs += left;
        }
    }
}

/// The labels from the judgements of a truth file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedLabels {
    /// A label for each judgement whose texts are both in the corpus, in the order of the judgements.
    pub labels: Vec<Label>,
    /// Judgements that name a document that is not in the corpus, or that has no text.
    pub n_absent: u64,
    /// Judgements of a document that could not be read again.
    pub n_unread: u64,
}

/// Converts judgements to labels from this source. If several documents have an id, the first one is used. Reads
/// the named documents.
pub fn labels_of(corpus: &Corpus, truth: &[Judgement], source: &str) -> ImportedLabels {
    let documents = documents(corpus, truth);
    let mut names = HashMap::new();
    // The digest of the text with this id; `None` if the corpus has no such document or text.
    let mut name = |id: &str| -> Result<Option<Digest>, ()> {
        let Some(document) = documents[id] else { return Ok(None) };
        *names.entry(document).or_insert_with(|| {
            let content = corpus.read(document).map_err(drop)?;
            Ok(content.text().map(digest))
        })
    };
    let (mut n_absent, mut n_unread) = (0, 0);
    let mut label = |judgement: &Judgement| {
        let [one, other] = &judgement.ids;
        let (left, right) = match (name(one), name(other)) {
            (Ok(Some(left)), Ok(Some(right))) => (left, right),
            (Err(()), _) | (_, Err(())) => {
                n_unread += 1;
                return None;
            }
            _ => {
                n_absent += 1;
                return None;
            }
        };
        let (one, other) = if left <= right { (one, other) } else { (other, one) };
        Some(Label {
            pair: TextPair::new(left, right),
            verdict: judgement.verdict,
            ids: [one.clone(), other.clone()],
            source: source.to_owned(),
            is_repeat: false,
        })
    };
    let labels = truth.iter().filter_map(&mut label).collect();
    ImportedLabels { labels, n_absent, n_unread }
}

/// The first document with each named id, if the corpus has one. Goes through the ids once.
pub(in crate::analysis) fn documents<'a>(
    corpus: &Corpus,
    truth: &'a [Judgement],
) -> HashMap<&'a str, Option<DocId>> {
    let named = truth.iter().flat_map(|it| &it.ids);
    let mut documents: HashMap<&str, Option<DocId>> = named.map(|id| (id.as_str(), None)).collect();
    for document in (0..corpus.len()).map(DocId::from) {
        if let Some(found @ None) = documents.get_mut(corpus.id(document)) {
            *found = Some(document);
        }
    }
    documents
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{analysis::Settings, verdict::Verdict};

    fn assessed(of: &[(u64, u32, u32)], target: f64) -> Assessment {
        let strata = (0..).zip(of).map(|(distance, &(pairs, yes, no))| {
            let mut stratum = Stratum::new(distance, pairs, 0);
            (0..yes).for_each(|_| stratum.judge(Verdict::Yes, 1));
            (0..no).for_each(|_| stratum.judge(Verdict::No, 1));
            stratum
        });
        let counts = JudgementCounts {
            judgements: 120,
            counted: 100,
            missed: 20,
            ..JudgementCounts::default()
        };
        let judged = JudgedStrata { strata: strata.collect(), counts, ..JudgedStrata::default() };
        let aim = PrecisionGoal { precision: target, ..PrecisionGoal::default() };
        let analysis = Analysis::empty(Settings::default()).unwrap();
        Assessment::new(&analysis, judged, Chance::coins(64), aim, &Job::new()).unwrap()
    }

    #[test]
    fn sentences_for_every_case() {
        let good = [(1000, 40, 0), (1000, 40, 0), (1000, 16, 24)];
        let found = assessed(&good, 0.9).conclusion();
        assert!(
            found[0].starts_with("precise and balanced k = 1: 2,000 pairs, 100 in 100 (9")
                && found[0].contains(" true; last bit 100 in 100 (9"),
            "{found:?}"
        );
        let all = found.join("; ");
        assert!(all.contains(
            "120 judgements: 100 count (pairs within 2 bits; a larger -k at the start keeps more pairs), 20 are yes for pairs farther apart"
        ), "{all}");
        assert!(all.contains("bounds: for all k at once") && !all.contains("provisional"), "{all}");
    }

    #[test]
    fn none_is_an_answer_and_what_helps_is_said() {
        let found = assessed(&[(1000, 20, 1)], 0.95).conclusion();
        assert!(
            found[0].starts_with(
                "so far no k is known to be precise: the goal is 95 %; k = 0 is closest, with at least 8"
            ),
            "{found:?}"
        );
        let all = found.join("; ");
        assert!(all.contains("k = 0 passes if the next "), "{all}");
        assert!(all.contains("you began; provisional until there are 40 judgements"), "{all}");
        let found = assessed(&[(1000, 1, 30)], 0.95).conclusion();
        assert!(
            found[0].starts_with("so far no k is precise: even at k = 0 only 3 % (")
                && found[0].ends_with(
                    "of 1,000 pairs are true (judged near-duplicates); the goal is 95 %"
                ),
            "{found:?}"
        );
    }

    #[test]
    fn only_a_file_without_any_no_is_one_sided() {
        let mut found = assessed(&[(1000, 30, 0)], 0.9);
        assert!(found.about_one_sided_truth().unwrap().starts_with("every judgement says yes"));
        found.counts.beyond = 9280;
        assert_eq!(found.about_one_sided_truth(), None);
    }

    #[test]
    fn judgements_stand_for_cosines_once_there_are_enough() {
        let ripe = |yes| assessed(&[(1000, yes, 0)], 0.9).has_enough_labels();
        assert_eq!([0, 39, 40].map(ripe), [false, false, true]);
        // Nearer pairs that nobody judged are within k, too.
        let of = |nearer| assessed(&[(1000, nearer, 0), (1000, 45, 0)], 0.9).has_enough_labels();
        assert_eq!([0, 1].map(of), [false, true]);
    }
}
