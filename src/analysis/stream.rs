//! Streams pairs, and groups from streamed pairs, in bounded memory. The commands use it.
//!
//! Memory is bounded for any number of pairs: at most sixteen million pairs are held, and none for groups.

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

/// Pairs of distinct fingerprints that are sorted at once. A corpus with more pairs is searched several times, and
/// each search yields one portion. A pair takes at most 20 bytes during sorting: 320 MB.
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
        settings.check_stream(self.n_distinct())?;
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

    fn stream_groups(
        &self,
        settings: &Settings,
        job: &Job,
    ) -> Result<(Groups, SearchSummary), AnalysisError> {
        let begun = Instant::now();
        job.enter(Stage::Pair, 0);
        let plan = self.plan(settings.k);
        let (groups, pairs) = index::linked_groups(&self.distinct, &plan, &job.progress)?;
        let search = self.report(plan, pairs, &groups, begun.elapsed());
        Ok((groups, search))
    }

    /// Complete linkage needs the pairs in order. So the search runs in portions, as in
    /// [`FingerprintIndex::stream_pairs`].
    fn stream_linked(
        &self,
        settings: &Settings,
        linkage: Linkage,
        ignored: &IgnoredPairs,
        at_once: usize,
        job: &Job,
    ) -> Result<(Groups, SearchSummary), AnalysisError> {
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
        let search = self.report(plan, pairs, &groups, begun.elapsed());
        Ok((groups, search))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analysis::{FingerprintColumn, LayoutChoice},
        index::{Distinct, near_pairs},
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
        let mut pairs = near_pairs::all_pairs(distinct.values(), 4, &Progress::new()).unwrap();
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
