//! The data of a report about a corpus.
//!
//! ```text
//! read       documents, fingerprints, what was skipped       the corpus and its summary
//! tuning     the distances of all pairs, a row for each k    counted, or sampled with intervals
//! judged     the judgements of people, if there are any      precision and recall with intervals
//! groups     totals, chains, the largest with their members  the ends of every group are compared for chains
//! samples    some pairs at each distance, texts compared     drawn with a fixed seed
//! misleading numbers and examples of misleading documents    two passes over the corpus
//! ```
//!
//! Everything is bounded for every corpus: lists hold their first elements and the number of all. Nothing here
//! reads a clock, so the same input gives the same report. Costs three passes over the corpus, and for the groups
//! as much as `groups --summary`.
//!
//! The number of misleading documents for each flag, and the first of these documents.
//!
//! Sample pairs at each distance up to k and a little beyond, with a comparison of their texts.
//!
//! They are drawn from all kept pairs by [`Sampler`] with a fixed seed. Pairs of equal texts and of documents
//! without text are left out, because there is no difference to show.
//!
//! The groups of a corpus in numbers, and the largest groups in detail.

use std::sync::Arc;

use rayon::prelude::*;

use super::{
    Analysis, AnalysisError, Assessment, Job, Labelling, Tuning,
    dedup::{Decisions, Dropped},
};
use crate::{
    corpus::{Content, Corpus},
    evaluate::sample::{FIRST, Pick, Sampler},
    explain::{
        Excerpt, Overlap,
        hyperplane::SeedSpread,
        overlap::align,
        text_diff::opening,
        triage::{Flag, FlagLimits},
    },
    id::DocId,
    index::{Bridge, DocumentPair, GroupShape, Groups, shape::farthest::WIDE_EXACT_UP_TO},
};

/// The most characters of an id that are shown.
const LONGEST_NAME: usize = 100;

/// The content of a report.
#[derive(Clone, Debug)]
pub struct CorpusReport {
    /// The corpus, its settings and what was skipped.
    pub analysis: Arc<Analysis>,
    /// A row for each k.
    pub tuning: Tuning,
    /// The number of pairs drawn to estimate the distances; `None` if all pairs were counted.
    pub draws: Option<u32>,
    /// The precision by judged pairs; `None` without judgements.
    pub judged: Option<Assessment>,
    /// The groups at the settings' k.
    pub groups: Arc<Groups>,
    /// The groups in numbers, with a list of the largest.
    pub brief: GroupsInBrief,
    /// The documents that `dedup` would drop at this k, if the first document of a group is preferred.
    pub dropped: Decisions,
    /// Sample pairs; `None` if there are too many pairs to keep.
    pub samples: Option<PairSamples>,
    /// Documents that mislead.
    pub misleading: MisleadingDocuments,
}

impl CorpusReport {
    /// The number of the listed group that holds all of these documents, if there is one.
    pub fn listed_group(&self, documents: &[DocId]) -> Option<u32> {
        let mut groups = documents.iter().map(|&document| self.groups.group_of(document));
        let first = groups.next()??;
        let is_one = groups.all(|group| group == Some(first));
        (is_one && (first as usize) < self.brief.listed.len()).then_some(first)
    }
}

/// A document's id, sanitised and of bounded length.
fn name(corpus: &Corpus, document: DocId) -> String {
    opening(corpus.id(document), LONGEST_NAME)
}

/// The most documents that are named for each flag.
const MOST_NAMED: usize = 3;

/// The number of documents whose distances may mislead, by reason.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MisleadingDocuments {
    /// Documents with at least one flag.
    pub n_documents: u64,
    /// Documents whose texts are absent, so that only a missing fingerprint is known of them.
    pub n_absent: u64,
    /// The flags that at least one document has, in their order.
    pub flags: Vec<FlaggedDocuments>,
}

/// The documents with one flag.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlaggedDocuments {
    /// The reason why they may mislead.
    pub flag: Flag,
    /// The number of these documents.
    pub n_documents: u64,
    /// The first documents.
    pub first: Vec<FlaggedDocument>,
}

/// A document with a flag.
#[derive(Clone, Debug, PartialEq)]
pub struct FlaggedDocument {
    /// The document.
    pub document: DocId,
    /// Its shown id.
    pub name: String,
    /// The warning.
    pub sentence: String,
}

impl MisleadingDocuments {
    /// Flags every document, with the default limits.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled.
    pub fn find(analysis: &Analysis, job: &Job) -> Result<Self, AnalysisError> {
        let of = |&flag: &Flag| FlaggedDocuments { flag, ..FlaggedDocuments::default() };
        let n_absent = analysis.corpus.summary().fingerprints;
        let mut found =
            Self { n_documents: 0, n_absent, flags: Flag::ALL.iter().map(of).collect() };
        analysis.triage(&FlagLimits::default(), job, &mut |document, findings| {
            found.n_documents += 1;
            for finding in findings {
                let flagged = &mut found.flags[finding.flag as usize];
                flagged.n_documents += 1;
                if flagged.first.len() < MOST_NAMED {
                    let name = name(&analysis.corpus, document);
                    let sentence = finding.sentence;
                    flagged.first.push(FlaggedDocument { document, name, sentence });
                }
            }
        })?;
        found.flags.retain(|flagged| flagged.n_documents > 0);
        Ok(found)
    }
}

/// The number of distances beyond k that are shown.
const BEYOND: u32 = 2;
/// The most distances that are shown. If there are more, every second or third is shown, and so on.
const MOST_DISTANCES: usize = 8;
/// The most pairs at each distance.
const AT_EACH: usize = 2;
/// The exact cosine of longer texts, in bytes, is not computed.
const MOST_WEIGHED: usize = 1 << 20;
/// The number of hash functions with which each pair is compared.
const SEEDS: u64 = 200;
/// The seed of the draws: a corpus shows the same pairs every time.
const SEED: u64 = 0;

/// Sample pairs with their texts compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairSamples {
    /// The pairs, nearest first.
    pub pairs: Vec<PairSample>,
    /// The shown distances, each with the number of pairs of documents with different texts.
    pub distances: Vec<(u32, u64)>,
}

/// One pair.
#[derive(Clone, Debug, PartialEq)]
pub struct PairSample {
    /// The documents.
    pub documents: [DocId; 2],
    /// The shown ids of the documents.
    pub names: [String; 2],
    /// Differing bits.
    pub distance: u32,
    /// The exact cosine of the features; `None` if a text is too long.
    pub cosine: Option<f64>,
    /// The distances under other hash functions; `None` if a text is too long.
    pub by_seed: Option<SeedSpread>,
    /// The comparison of the texts.
    pub excerpt: Excerpt,
}

impl PairSamples {
    /// Draws pairs and compares their texts.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled.
    pub fn draw(labelling: &Labelling, job: &Job) -> Result<Self, AnalysisError> {
        let analysis = &*labelling.analysis;
        let k = analysis.settings.k;
        let farthest = (k + BEYOND).min(labelling.window());
        let step = (farthest as usize + 1).div_ceil(MOST_DISTANCES);
        // The step counts from k, so that k itself is always shown.
        let is_shown = |distance: u32| {
            distance <= farthest && (distance.abs_diff(k) as usize).is_multiple_of(step)
        };
        let strata = labelling.strata();
        let pairs_at = |distance| {
            let ours = strata.iter().filter(|stratum| stratum.distance == distance);
            ours.map(|stratum| stratum.pairs - stratum.verified).sum()
        };
        let shown = (0..=farthest).filter(|&distance| is_shown(distance));
        let distances = shown.map(|distance| (distance, pairs_at(distance))).collect();

        // Without judgements a batch holds some pairs of every stratum.
        let nothing = labelling.judge_by_id(&[]);
        let mut sampler = Sampler::new(strata, SEED);
        let picks = labelling.batch(&nothing, &mut sampler, FIRST * strata.len() as u32);
        let mut drawn: Vec<DocumentPair> = Vec::new();
        for pick in picks.into_iter().filter(|pick: &Pick| !pick.is_repeat) {
            let pair = labelling.pair(pick);
            let n_drawn = drawn.iter().filter(|it| it.distance == pair.distance).count();
            if is_shown(pair.distance) && n_drawn < AT_EACH {
                drawn.push(pair);
            }
        }
        drawn.sort_by_key(|pair| (pair.distance, pair.a, pair.b));
        job.progress.check()?;
        let compare = |pair: &DocumentPair| PairSample::new(analysis, *pair);
        Ok(Self { pairs: drawn.par_iter().filter_map(compare).collect(), distances })
    }
}

impl PairSample {
    /// Compares a pair; `None` if a text can no longer be read.
    fn new(analysis: &Analysis, pair: DocumentPair) -> Option<Self> {
        let [one, other] = [pair.a, pair.b].map(|document| match analysis.corpus.read(document) {
            Ok(Content::Text(text)) => Some(text),
            _ => None,
        });
        let (one, other) = one.zip(other)?;
        let can_be_weighed = one.len().max(other.len()) <= MOST_WEIGHED;
        let weighed = can_be_weighed.then(|| {
            let [a, b] = [&one, &other].map(|text| analysis.fingerprinter.feature_votes(text));
            let cosine = Overlap::new(&align(&a, &b)).cosine;
            (cosine, SeedSpread::new([&a, &b], &analysis.settings.recipe, SEEDS))
        });
        let documents = [pair.a, pair.b];
        Some(Self {
            documents,
            names: documents.map(|document| name(&analysis.corpus, document)),
            distance: pair.distance,
            cosine: weighed.and_then(|weighed| weighed.0),
            by_seed: weighed.map(|weighed| weighed.1),
            excerpt: Excerpt::new(&one, &other),
        })
    }
}

/// The most groups that are listed.
const MOST_GROUPS: usize = 20;
/// The most documents of a group that are listed.
const MOST_MEMBERS: usize = 12;
/// The most characters of a representative's text.
const OPENING: usize = 160;

/// The groups in numbers, with a list of the largest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupsInBrief {
    /// The k of the groups.
    pub k: u32,
    /// Pairs of documents within k.
    pub pairs: u64,
    /// The number of groups.
    pub n_groups: usize,
    /// Documents in groups.
    pub n_documents: usize,
    /// Documents without words whose texts are equal, which are in no group.
    pub n_wordless: usize,
    /// Groups with two members farther apart than k.
    pub n_chains: usize,
    /// Whether `n_chains` is exact: a group may be too large to compare all its members.
    pub is_exact: bool,
    /// The largest groups, the largest first.
    pub listed: Vec<ListedGroup>,
}

/// One group.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedGroup {
    /// Its number, from 0, the largest first.
    pub number: u32,
    /// The shape of the group.
    pub shape: GroupShape,
    /// A document whose removal would split the group, if there is one.
    pub bridge: Option<String>,
    /// The beginning of the representative's text; `None` if there is no text.
    pub opening: Option<String>,
    /// Whether a document of the group is near a kept one and stays, because that has too little of its text.
    pub has_spared: bool,
    /// The first documents, starting with the representative.
    pub members: Vec<GroupMember>,
}

/// A document of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupMember {
    /// Its shown id.
    pub name: String,
    /// The title in its row, if it has one.
    pub title: Option<String>,
    /// Differing bits from the representative.
    pub distance: u32,
    /// Whether it is kept or dropped.
    pub fate: MemberDecision,
}

/// The decision on a document.
#[derive(Clone, Debug, PartialEq)]
pub enum MemberDecision {
    /// It is kept, and this many documents are dropped for it.
    Kept(u64),
    /// It is dropped; the shown id of the document that is kept for it, and the exact cosine if both texts are
    /// known.
    Dropped(String, Dropped),
    /// It is kept, because that of the document with this shown id, which it is near, has too little of its text; the
    /// share, if it is known.
    Spared(String, Option<f64>),
}

impl GroupsInBrief {
    /// Summarises these groups at the analysis's k, with the decisions on the listed documents. `pairs` is the
    /// number of pairs of documents within k. Reads again those listed documents that are dropped.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled.
    ///
    /// # Panics
    /// If the analysis has no index.
    pub fn new(
        analysis: &Analysis,
        groups: &Groups,
        pairs: u64,
        decisions: &Decisions,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let index = analysis.index.as_deref().expect("fingerprints come before groups");
        let k = analysis.settings.k;
        let n_chains = index.n_chains(groups, k, job)? as usize;
        let mut listed = Vec::new();
        for number in 0..groups.len().min(MOST_GROUPS) as u32 {
            job.progress.check()?;
            listed.push(ListedGroup::new(analysis, groups, number, decisions, job)?);
        }
        // The largest group that is not listed bounds the size of all others.
        let next = groups.iter().nth(MOST_GROUPS).map_or(0, <[DocId]>::len);
        let is_exact = next <= WIDE_EXACT_UP_TO
            && listed.iter().all(|group: &ListedGroup| group.shape.farthest.is_exact);
        Ok(Self {
            k,
            pairs,
            n_groups: groups.len(),
            n_documents: groups.n_documents(),
            n_wordless: analysis.equal_without_words(job)?.iter().map(Vec::len).sum(),
            n_chains,
            is_exact,
            listed,
        })
    }
}

impl ListedGroup {
    fn new(
        analysis: &Analysis,
        groups: &Groups,
        number: u32,
        decisions: &Decisions,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let index = analysis.index.as_deref().expect("looked at before");
        let documents = groups.documents(number);
        let first = documents[0];
        let shape = index.shape(documents, analysis.settings.k);
        let fingerprint =
            |document| analysis.fingerprint(document).expect("grouped, so it has one");
        let listed = &documents[..documents.len().min(MOST_MEMBERS)];
        let titles = analysis.corpus.named_titles(listed);
        let mut dropped: Vec<Dropped> =
            listed.iter().filter_map(|&document| decisions.of(document)).copied().collect();
        analysis.compare(&mut dropped, job)?;
        let is = |document: DocId| move |one: &&Dropped| one.document == document;
        let fate = |document: DocId| {
            let kept_for = |one: &Dropped| name(&analysis.corpus, one.kept);
            if let Some(one) = dropped.iter().find(is(document)) {
                return MemberDecision::Dropped(kept_for(one), *one);
            }
            match decisions.spared.iter().find(is(document)) {
                Some(one) => MemberDecision::Spared(kept_for(one), one.shared),
                None => MemberDecision::Kept(decisions.n_dropped_for(document)),
            }
        };
        let member = |(&document, title): (&DocId, Option<String>)| GroupMember {
            name: name(&analysis.corpus, document),
            title,
            distance: fingerprint(document).distance(fingerprint(first)),
            fate: fate(document),
        };
        let text = analysis.corpus.read(first);
        let text = text.as_ref().ok().and_then(Content::text);
        Ok(Self {
            number,
            bridge: match shape.bridge {
                Bridge::At(entry) => Some(name(&analysis.corpus, index.documents(entry)[0])),
                Bridge::None | Bridge::Unknown => None,
            },
            opening: text.map(|text| opening(text, OPENING)),
            has_spared: decisions
                .spared
                .iter()
                .any(|one| groups.group_of(one.document) == Some(number)),
            members: listed.iter().zip(titles).map(member).collect(),
            shape,
        })
    }

    /// The number of documents of the group.
    pub fn n_documents(&self) -> usize {
        self.shape.documents as usize
    }
}
