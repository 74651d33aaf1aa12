//! Groups by single or complete linkage from kept pairs, and the shape of a group.
//!
//! The shape is computed from the group's own fingerprints, so it needs no pairs of the corpus, and its cost
//! depends on the group only. With a band layout, only pairs that share a band are used.
//!
//! Also here: pairs that are streamed, and groups of them, as the commands use them. Memory is bounded for any
//! number of pairs: at most sixteen million pairs are held, and none for groups.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::dedup::{TextId, texts_marked};
use super::fingerprint_index::{TypedIndex, each};
use super::settings::MOST_STREAMED_PAIRS;
use super::{Analysis, AnalysisError, FingerprintIndex, Job, PairsByDistance, Settings, Stage};
use crate::id::DocId;
use crate::index::{
    self, CompleteLinkage, DocumentPair, GroupShape, Groups, Linkage, Links, Members, Pair, Plan,
    TooManyPartPairs, count_document_pairs, document_pairs, without_copies,
};
use crate::progress::{Cancelled, Progress};
use crate::simhash::Bits;

/// Groups that are processed at once.
const AT_ONCE: usize = 1 << 10;

/// Groups, and what they were made from.
#[derive(Clone, Debug)]
pub struct GroupListing {
    /// The groups.
    pub groups: Arc<Groups>,
    /// The k.
    pub k: u32,
    /// The linkage.
    pub linkage: Linkage,
}

/// Pairs of entries that grouping ignores, the lower number first. Their texts are marked as not duplicates.
pub type IgnoredPairs = HashSet<[u32; 2]>;

/// A test whether a pair is ignored.
fn is_ignored(ignored: &IgnoredPairs) -> impl Fn(&Pair) -> bool + Clone {
    move |pair| !ignored.is_empty() && ignored.contains(&[pair.a.min(pair.b), pair.a.max(pair.b)])
}

impl Analysis {
    /// The pairs of entries whose texts are all marked as not duplicates by these pairs of documents. Documents
    /// with equal fingerprints stay in one group. Linear in the documents of these fingerprints.
    pub fn ignored_pairs(&self, not_duplicates: &BTreeSet<[DocId; 2]>) -> IgnoredPairs {
        let Some(index) = self.index.as_ref().filter(|_| !not_duplicates.is_empty()) else {
            return IgnoredPairs::new();
        };
        let documents: Vec<DocId> = not_duplicates.iter().flatten().copied().collect();
        let numbers = self.text_numbers(&documents);
        let marked = texts_marked(not_duplicates, &numbers);
        let entries = |pair: &[DocId; 2]| {
            let [a, b] = pair.map(|document| index.entry_of(document));
            a.zip(b).filter(|(a, b)| a != b).map(|(a, b)| [a.min(b), a.max(b)])
        };
        let texts = |entry| {
            let documents = index.documents(entry).iter();
            documents.map(|&it| TextId::new(it, &numbers)).collect::<HashSet<_>>()
        };
        let are_all_marked = |[a, b]: &[u32; 2]| {
            let others = texts(*b);
            texts(*a).iter().all(|&one| others.iter().all(|&it| marked.contains(&[one, it])))
        };
        not_duplicates.iter().filter_map(entries).filter(are_all_marked).collect()
    }
}

impl FingerprintIndex {
    /// The groups of the pairs within `k`, without the ignored pairs. Nearly linear in the entries, or in the pairs
    /// if some are ignored. Complete linkage processes every pair, some 100 ns each.
    ///
    /// # Errors
    /// [`TooManyPartPairs`] if complete linkage would take too much memory.
    pub fn linked(
        &self,
        near: &PairsByDistance,
        k: u32,
        linkage: Linkage,
        ignored: &IgnoredPairs,
    ) -> Result<Groups, TooManyPartPairs> {
        if linkage == Linkage::Single && ignored.is_empty() {
            return Ok(self.groups(near, k));
        }
        let is_ignored = is_ignored(ignored);
        each!(self, index => match linkage {
            Linkage::Single => {
                let pairs = near.pairs(k).iter().filter(|pair| !is_ignored(pair));
                Ok(index::groups(&index.distinct, pairs))
            }
            Linkage::Complete => {
                let mut linkage = CompleteLinkage::new(index.distinct.len());
                near.pairs(k).split(is_ignored).try_for_each(|some| linkage.meet(some))?;
                Ok(linkage.groups(&index.distinct))
            }
        })
    }

    /// Some of the pairs of a search, in its order, with numbers of their own.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub(super) fn count_again(
        &self,
        pairs: Vec<Pair>,
        near: &PairsByDistance,
        job: &Job,
    ) -> Result<PairsByDistance, Cancelled> {
        let (reach, limit) = (near.reach(), near.limit);
        each!(self, index => PairsByDistance::new(reach, &index.distinct, pairs, limit, &job.progress))
    }

    /// The shape of the group of these documents at `k`.
    ///
    /// # Panics
    /// If they are not a group at that k.
    pub fn shape(&self, documents: &[DocId], k: u32) -> GroupShape {
        let progress = Progress::new();
        let shape = each!(self, index => {
            let members = Members::of(&index.distinct, documents);
            GroupShape::search(&members, &index.plan_among(&members.values, k), &progress)
        });
        shape.expect("it is never cancelled")
    }

    /// Calls `take` with the shape of every group at `k`, group 0 first, in bounded memory.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled, or the error of `take`.
    pub fn each_shape<E: From<AnalysisError>>(
        &self,
        groups: &Groups,
        k: u32,
        job: &Job,
        take: &mut dyn FnMut(u32, GroupShape) -> Result<(), E>,
    ) -> Result<(), E> {
        for first in (0..groups.len()).step_by(AT_ONCE) {
            job.progress.check().map_err(AnalysisError::from)?;
            let some = first as u32..groups.len().min(first + AT_ONCE) as u32;
            let shape = |group| self.shape(groups.documents(group), k);
            let shapes: Vec<GroupShape> = some.clone().into_par_iter().map(shape).collect();
            some.zip(shapes).try_for_each(|(group, shape)| take(group, shape))?;
        }
        Ok(())
    }
}

/// Pairs of distinct fingerprints that are sorted at once. A corpus with more pairs is searched several times, and
/// each search yields one portion. A pair takes 12 bytes, and as many again while their list grows.
const PAIRS_AT_ONCE: usize = 16_000_000;

/// Receives some pairs of documents at a time, and returns whether to continue.
pub type Take<'a> = dyn FnMut(&mut dyn Iterator<Item = DocumentPair>) -> ControlFlow<()> + 'a;

/// A summary of a finished search: its plan, its counts and its time.
#[derive(Clone, Debug)]
pub struct SearchSummary {
    /// The planner's choice and prediction.
    pub plan: Plan,
    /// The number of pairs of documents within k, including pairs with equal fingerprints.
    pub pairs: u64,
    /// The number of groups of these pairs.
    pub groups: usize,
    /// With a reference, the number of documents of the first corpus that are near a document of the reference.
    pub shared: Option<u64>,
    /// The time it took, without the time that the caller spent on the pairs.
    pub took: Duration,
}

impl FingerprintIndex {
    /// Calls `take` with every pair of documents within the settings' k, by distance and then by documents, in
    /// several portions, until `take` stops the search.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled or if chance alone brings too many pairs.
    pub fn stream_pairs(
        &self,
        settings: &Settings,
        job: &Job,
        take: &mut Take<'_>,
    ) -> Result<SearchSummary, AnalysisError> {
        settings.check_pairs(self.n_distinct(), MOST_STREAMED_PAIRS)?;
        each!(self, index => index.stream_pairs(settings, PAIRS_AT_ONCE, job, take))
    }

    /// The groups of all pairs within the settings' k, without the ignored pairs.
    ///
    /// # Errors
    /// As [`FingerprintIndex::stream_pairs`], and if complete linkage would take too much memory.
    pub fn stream_groups(
        &self,
        settings: &Settings,
        linkage: Linkage,
        ignored: &IgnoredPairs,
        job: &Job,
    ) -> Result<(Groups, SearchSummary), AnalysisError> {
        settings.check_pairs(self.n_distinct(), MOST_STREAMED_PAIRS)?;
        each!(self, index => index.stream_groups(settings, linkage, ignored, PAIRS_AT_ONCE, job))
    }
}

impl<B: Bits> TypedIndex<B> {
    fn stream_pairs(
        &self,
        settings: &Settings,
        at_once: usize,
        job: &Job,
        take: &mut Take<'_>,
    ) -> Result<SearchSummary, AnalysisError> {
        let (distinct, values) = (&*self.distinct, self.distinct.values());
        let begun = Instant::now();
        job.enter(Stage::Pair, 0);
        let links = Links::new(distinct.len());
        let mut pairs = count_document_pairs(distinct, &[]);
        let mut waited = Duration::ZERO;
        let mut pass_on = |found: &mut dyn Iterator<Item = DocumentPair>| {
            let begun = Instant::now();
            let flow = take(found);
            waited += begun.elapsed();
            flow
        };
        let plan = self.plan(settings.k);
        // Pairs with equal fingerprints come first, before the search.
        if pass_on(&mut document_pairs(distinct, &[])).is_continue() {
            let mut each = |found: &[Pair]| {
                for pair in found {
                    links.join(pair.a, pair.b);
                    pairs += distinct.n_pairs_between(pair.a, pair.b);
                }
                pass_on(&mut without_copies(distinct, found))
            };
            index::ordered_pairs(values, &plan, at_once, &job.progress, &mut each)?;
        }
        let groups = links.groups(distinct);
        let took = begun.elapsed().saturating_sub(waited);
        Ok(self.report(plan, pairs, &groups, took))
    }

    fn report(&self, plan: Plan, pairs: u64, groups: &Groups, took: Duration) -> SearchSummary {
        SearchSummary { plan, pairs, groups: groups.len(), shared: self.n_shared(groups), took }
    }

    /// Complete linkage needs the pairs in order. So the search runs in portions, as in
    /// [`FingerprintIndex::stream_pairs`].
    fn stream_groups(
        &self,
        settings: &Settings,
        linkage: Linkage,
        ignored: &IgnoredPairs,
        at_once: usize,
        job: &Job,
    ) -> Result<(Groups, SearchSummary), AnalysisError> {
        let distinct = &*self.distinct;
        let begun = Instant::now();
        job.enter(Stage::Pair, 0);
        let (plan, is_ignored) = (self.plan(settings.k), is_ignored(ignored));
        let (groups, pairs) = match linkage {
            Linkage::Single => {
                let is_link = |pair: &Pair| !is_ignored(pair);
                index::linked_groups(distinct, &plan, is_link, &job.progress)?
            }
            Linkage::Complete => {
                let mut pairs = count_document_pairs(distinct, &[]);
                let mut complete = CompleteLinkage::new(distinct.len());
                let mut met = Ok(());
                let mut each = |found: &[Pair]| {
                    let n = found.iter().map(|pair| distinct.n_pairs_between(pair.a, pair.b));
                    pairs += n.sum::<u64>();
                    met = found.split(&is_ignored).try_for_each(|run| complete.meet(run));
                    if met.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                };
                let values = distinct.values();
                index::ordered_pairs(values, &plan, at_once, &job.progress, &mut each)?;
                met?;
                (complete.groups(distinct), pairs)
            }
        };
        let search = self.report(plan, pairs, &groups, begun.elapsed());
        Ok((groups, search))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{FingerprintColumn, LayoutChoice};
    use crate::index::Distinct;
    use crate::index::near_pairs::all_pairs::all_pairs;
    use crate::simhash::{Fingerprint, FingerprintRecord};

    #[test]
    fn what_is_streamed_in_many_portions_is_what_is_kept_at_once() {
        let words: Vec<u64> = (0..120_u64).map(|n| (n * 7 % 64) | ((n % 3) << 40)).collect();
        let record =
            |word: &u64| FingerprintRecord::carried(Some(Fingerprint::new(u128::from(*word), 64)));
        let mut records = FingerprintColumn::new();
        records.extend(words.iter().map(record));
        let bands = LayoutChoice::Bands { bands: 16, bits: 4 };
        check(&records, &words, &Settings { k: 4, ..Settings::default() });
        check(&records, &words, &Settings { k: 4, layout: bands, ..Settings::default() });
    }

    fn check(records: &FingerprintColumn, words: &[u64], settings: &Settings) {
        let job = Job::new();
        let index = TypedIndex::<u64>::build(records, None, settings, &job).unwrap();
        let values: Vec<Option<u64>> = words.iter().copied().map(Some).collect();
        let distinct = Distinct::collapse(&values, &Progress::new()).unwrap();
        let mut pairs = all_pairs(distinct.values(), 4);
        if index.layout.is_bands() {
            let xor = |pair: &Pair| distinct.value(pair.a) ^ distinct.value(pair.b);
            pairs.retain(|pair| {
                index.layout.first_table_with_shared_key(xor(pair).into()).is_some()
            });
        }
        let expected: Vec<DocumentPair> = document_pairs(&distinct, &pairs).collect();
        for at_once in [1, 100, pairs.len(), usize::MAX] {
            let (mut found, mut portions) = (Vec::new(), 0);
            let search = index.stream_pairs(settings, at_once, &job, &mut |some| {
                portions += 1;
                found.extend(some);
                ControlFlow::Continue(())
            });
            let search = search.unwrap();
            assert_eq!(found, expected);
            assert_eq!(portions > 2, at_once < pairs.len(), "{portions}");
            assert_eq!(search.pairs, expected.len() as u64);
            let streamed = |linkage, ignored: &IgnoredPairs| {
                index.stream_groups(settings, linkage, ignored, at_once, &job).unwrap()
            };
            let (groups, grouped) = streamed(Linkage::Single, &IgnoredPairs::new());
            assert!(groups.iter().eq(index::groups(&distinct, &pairs).iter()));
            assert_eq!((grouped.groups, grouped.pairs), (search.groups, search.pairs));
            let mut linkage = CompleteLinkage::new(distinct.len());
            linkage.meet(&pairs).unwrap();
            let (groups, grouped) = streamed(Linkage::Complete, &IgnoredPairs::new());
            assert!(groups.iter().eq(linkage.groups(&distinct).iter()));
            assert_eq!(grouped.pairs, search.pairs);
            // Every third pair is ignored.
            let ignored: IgnoredPairs = pairs.iter().step_by(3).map(|it| [it.a, it.b]).collect();
            let left: Vec<Pair> =
                pairs.iter().copied().filter(|it| !ignored.contains(&[it.a, it.b])).collect();
            let mut linkage = CompleteLinkage::new(distinct.len());
            linkage.meet(&left).unwrap();
            let (complete, _) = streamed(Linkage::Complete, &ignored);
            assert!(complete.iter().eq(linkage.groups(&distinct).iter()));
            let (single, _) = streamed(Linkage::Single, &ignored);
            assert!(single.iter().eq(index::groups(&distinct, &left).iter()));
        }
        let mut portions = 0;
        let stop = &mut |_: &mut dyn Iterator<Item = DocumentPair>| {
            portions += 1;
            ControlFlow::Break(())
        };
        index.stream_pairs(settings, 1, &job, stop).unwrap();
        assert_eq!(portions, 1, "who wants no more is asked no more");
    }
}
