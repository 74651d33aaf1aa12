//! Pairs and groups that are passed on instead of kept: what the commands ask for.
//!
//! Memory is bounded whatever the number of pairs: [`PAIRS_AT_ONCE`] of them, and for groups none.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use super::{
    AnalysisError, FingerprintIndex, Job, Settings, Stage,
    fingerprint_index::{TypedIndex, each},
    grouping::{IgnoredPairs, is_ignored},
};
use crate::{
    index::{
        self, CompleteLinkage, DocumentPair, Groups, Linkage, Links, Pair, Plan,
        count_document_pairs, document_pairs, without_copies,
    },
    simhash::Bits,
};

/// Pairs of distinct fingerprints that are sorted at once. A corpus with more of them is searched
/// several times, once for each so many. They take at most 20 bytes each while they are sorted: 320 MB.
pub const PAIRS_AT_ONCE: usize = 16_000_000;

/// Takes some pairs of documents at a time, and returns whether it wants more.
pub type Take<'a> = dyn FnMut(&mut dyn Iterator<Item = DocumentPair>) -> ControlFlow<()> + 'a;

/// A finished search: its plan and its cost.
#[derive(Clone, Debug)]
pub struct SearchReport {
    /// The planner's choice and prediction.
    pub plan: Plan,
    /// Pairs of documents within k, copies among them.
    pub pairs: u64,
    /// The groups they make.
    pub groups: usize,
    /// With a reference, the documents of the first corpus that have a near one in it.
    pub shared: Option<u64>,
    /// The time it took, without the time the caller spent on its pairs.
    pub took: Duration,
}

impl FingerprintIndex {
    /// Passes every pair of documents within the settings' k to `take`, in the contract's order, in several
    /// portions, until it stops the search.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled or if chance alone brings too many pairs.
    pub fn stream_pairs(
        &self,
        settings: &Settings,
        job: &Job,
        take: &mut Take<'_>,
    ) -> Result<SearchReport, AnalysisError> {
        settings.check_stream(self.n_distinct())?;
        each!(self, index => index.stream_pairs(settings, PAIRS_AT_ONCE, job, take))
    }

    /// The groups that the copies make and all pairs within the settings' k, without those that are
    /// ignored.
    ///
    /// # Errors
    /// As [`FingerprintIndex::stream_pairs`], and if complete linkage would fill the memory.
    pub fn stream_groups(
        &self,
        settings: &Settings,
        linkage: Linkage,
        ignored: &IgnoredPairs,
        job: &Job,
    ) -> Result<(Groups, SearchReport), AnalysisError> {
        settings.check_stream(self.n_distinct())?;
        each!(self, index => match linkage {
            Linkage::Single if ignored.is_empty() => index.stream_groups(settings, job),
            linkage => index.stream_linked(settings, linkage, ignored, PAIRS_AT_ONCE, job),
        })
    }
}

impl<B: Bits> TypedIndex<B> {
    fn stream_pairs(
        &self,
        settings: &Settings,
        at_once: usize,
        job: &Job,
        take: &mut Take<'_>,
    ) -> Result<SearchReport, AnalysisError> {
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
        // Copies come first, before anything is searched.
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
        Ok(SearchReport { plan, pairs, groups: groups.len(), shared: self.n_shared(&groups), took })
    }

    fn stream_groups(
        &self,
        settings: &Settings,
        job: &Job,
    ) -> Result<(Groups, SearchReport), AnalysisError> {
        let begun = Instant::now();
        job.enter(Stage::Pair, 0);
        let plan = self.plan(settings.k);
        let (groups, pairs) = index::linked_groups(&self.distinct, &plan, &job.progress)?;
        let shared = self.n_shared(&groups);
        let search =
            SearchReport { plan, pairs, groups: groups.len(), shared, took: begun.elapsed() };
        Ok((groups, search))
    }

    /// Pairs come in order, as complete linkage takes them, so as many portions are searched for as
    /// [`FingerprintIndex::stream_pairs`] does.
    fn stream_linked(
        &self,
        settings: &Settings,
        linkage: Linkage,
        ignored: &IgnoredPairs,
        at_once: usize,
        job: &Job,
    ) -> Result<(Groups, SearchReport), AnalysisError> {
        let (distinct, values) = (&*self.distinct, self.distinct.values());
        let begun = Instant::now();
        job.enter(Stage::Pair, 0);
        let mut pairs = count_document_pairs(distinct, &[]);
        let links = Links::new(distinct.len());
        let n_parts = if linkage == Linkage::Complete { distinct.len() } else { 0 };
        let mut complete = CompleteLinkage::new(n_parts);
        let mut met = Ok(());
        let mut each = |found: &[Pair]| {
            pairs += found.iter().map(|pair| distinct.n_pairs_between(pair.a, pair.b)).sum::<u64>();
            let mut runs = found.split(is_ignored(ignored));
            met = match linkage {
                Linkage::Single => {
                    runs.flatten().for_each(|pair| links.join(pair.a, pair.b));
                    Ok(())
                }
                Linkage::Complete => runs.try_for_each(|run| complete.meet(run)),
            };
            if met.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let plan = self.plan(settings.k);
        index::ordered_pairs(values, &plan, at_once, &job.progress, &mut each)?;
        met?;
        let groups = match linkage {
            Linkage::Single => links.groups(distinct),
            Linkage::Complete => complete.groups(distinct),
        };
        let shared = self.n_shared(&groups);
        let search =
            SearchReport { plan, pairs, groups: groups.len(), shared, took: begun.elapsed() };
        Ok((groups, search))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analysis::{FingerprintColumn, LayoutChoice},
        index::{Distinct, naive},
        progress::Progress,
        simhash::{Fingerprint, FingerprintRecord},
    };

    #[test]
    fn what_is_streamed_in_many_portions_is_what_is_kept_at_once() {
        let words: Vec<u64> = (0..400_u64).map(|n| (n * 7 % 64) | ((n % 3) << 40)).collect();
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
        let mut pairs = naive::all_pairs(distinct.values(), 4, &Progress::new()).unwrap();
        if index.layout.is_bands() {
            let xor = |pair: &Pair| distinct.value(pair.a) ^ distinct.value(pair.b);
            pairs.retain(|pair| index.layout.first_table_hit(xor(pair).into()).is_some());
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
            let (groups, grouped) = index.stream_groups(settings, &job).unwrap();
            assert!(groups.iter().eq(index::groups(&distinct, &pairs).iter()));
            assert_eq!((grouped.groups, grouped.pairs), (search.groups, search.pairs));
            let mut linkage = CompleteLinkage::new(distinct.len());
            linkage.meet(&pairs).unwrap();
            let streamed = |linkage, ignored: &IgnoredPairs| {
                index.stream_linked(settings, linkage, ignored, at_once, &job).unwrap()
            };
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
