//! Search of a corpus against a reference corpus: for each document, the nearest document of the reference.
//!
//! The same search as for pairs is used. Only the nearest reference document of each entry is kept: 8 bytes for
//! each entry of the first corpus. Ties go to the document that is first in the reference.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::alike::ShingleSets;
use super::dedup::{
    Decisions, DropRule, Dropped, MOST_REFUSALS, Mark, Marks, Reason, TextId, texts_marked,
};
use super::fingerprint_index::{TypedIndex, each};
use super::{
    Analysis, AnalysisDepth, AnalysisError, AnalysisInput, FingerprintIndex, Job, Settings, Stage,
    run_to,
};
use crate::id::DocId;
use crate::index::{self, Groups, Linkage, Neighbour, Pair, Sides};
use crate::number::{counted, grouped, percent};
use crate::progress::Cancelled;
use crate::simhash::Bits;

/// No reference document is within k.
const NONE: u64 = u64::MAX;

impl FingerprintIndex {
    /// For each entry of the first corpus, the nearest document of the reference within the settings' k.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    ///
    /// # Panics
    /// If there is no reference.
    pub(crate) fn nearest_in_reference(
        &self,
        settings: &Settings,
        job: &Job,
    ) -> Result<Vec<Option<Neighbour>>, Cancelled> {
        each!(self, index => index.nearest_in_reference(settings.k, job))
    }
}

impl<B: Bits> TypedIndex<B> {
    /// See [`FingerprintIndex::n_shared`]. Only pairs across the two corpora form groups, so each document in a
    /// group is near a document of the other corpus.
    pub(super) fn n_shared(&self, groups: &Groups) -> Option<u64> {
        let boundary = self.distinct.sides()?.boundary();
        let n_first = |group: &[DocId]| group.partition_point(|&document| document < boundary);
        Some(groups.iter().map(|group| n_first(group) as u64).sum())
    }

    fn nearest_in_reference(&self, k: u32, job: &Job) -> Result<Vec<Option<Neighbour>>, Cancelled> {
        let distinct = &*self.distinct;
        let sides: &Sides = distinct.sides().expect("there is a reference");
        let first_there = |entry| distinct.documents_by_side(entry)[1].first().copied();
        let packed = |entry, distance: u32| {
            let document = first_there(entry)?;
            Some(u64::from(distance) << 32 | u64::from(document.0))
        };
        let own = |entry| AtomicU64::new(packed(entry, 0).unwrap_or(NONE));
        let nearest: Vec<AtomicU64> = (0..sides.n_first()).map(own).collect();
        let update = |entry: u32, other: u32, distance: u32| {
            if let Some(place) = nearest.get(entry as usize)
                && place.load(Relaxed) >> 32 >= u64::from(distance)
                && let Some(found) = packed(other, distance)
            {
                place.fetch_min(found, Relaxed);
            }
        };
        job.enter(Stage::Pair, 0);
        let take = |pairs: &[Pair]| {
            for &Pair { distance, a, b } in pairs {
                update(a, b, distance);
                update(b, a, distance);
            }
            ControlFlow::Continue(())
        };
        index::near_pairs::visit_pairs(distinct.values(), &self.plan(k), &job.progress, &take)?;
        job.progress.check()?;
        let near = |place: AtomicU64| {
            let place = Some(place.into_inner()).filter(|&place| place != NONE)?;
            Some(Neighbour { document: DocId(place as u32), distance: (place >> 32) as u32 })
        };
        Ok(nearest.into_iter().map(near).collect())
    }
}

impl Analysis {
    /// Decides which documents of the first corpus are dropped: each document within k of a reference document, in
    /// favour of the nearest that shares enough of its text. If several have its own fingerprint, a document with the same text is chosen. No
    /// document of the reference is dropped, and near-duplicates inside the first corpus do not count. The policy
    /// is not used.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    ///
    /// # Panics
    /// If there is no reference, or no index.
    pub fn decide_across(&self, rule: &DropRule, job: &Job) -> Result<Decisions, Cancelled> {
        let index = self.index.as_deref().expect("fingerprints are there");
        let nearest = index.nearest_in_reference(&self.settings, job)?;
        // The documents whose fingerprints both corpora have, and for each of their texts the first document of the
        // reference.
        let entries = 0..nearest.len() as u32;
        let is_in_both = |sides: [&[DocId]; 2]| sides.iter().all(|side| !side.is_empty());
        let in_both: Vec<DocId> = entries
            .filter(|&entry| is_in_both(index.documents_by_side(entry)))
            .flat_map(|entry| index.documents(entry).iter().copied())
            .collect();
        let numbers = self.text_numbers(&in_both);
        let mut same_texts: HashMap<u32, DocId> = HashMap::new();
        for &document in in_both.iter().filter(|&&document| self.corpus.is_reference(document)) {
            if let Some(&number) = numbers.get(&document) {
                same_texts.entry(number).or_insert(document);
            }
        }
        let dropped_for = |document: DocId| {
            let entry = index.entry_of(document)?;
            let near = nearest[entry as usize]?;
            let same_text =
                numbers.get(&document).and_then(|number| same_texts.get(number)).copied();
            let reason = Reason::of(same_text.is_some(), near.distance);
            let (kept, distance) = (same_text.unwrap_or(near.document), near.distance);
            Some(Dropped { document, kept, distance, cosine: None, reason, shared: None })
        };
        let documents = (0..self.corpus.n_first()).into_par_iter().map(DocId::from);
        let mut dropped: Vec<Dropped> = documents.filter_map(dropped_for).collect();
        job.progress.check()?;
        let n_shared = dropped.len() as u64;
        dropped.retain(|one| rule.marks.get(one.document) != Some(Mark::Keep));
        if !rule.marks.not_duplicates.is_empty() {
            let marked = rule.marks.not_duplicates.iter().flatten().copied();
            let found = dropped.iter().flat_map(|one| [one.document, one.kept]);
            let numbers = self.text_numbers(&marked.chain(found).collect::<Vec<_>>());
            let marked = texts_marked(&rule.marks.not_duplicates, &numbers);
            let text = |document| TextId::new(document, &numbers);
            dropped.retain(|one| !marked.contains(&[text(one.document), text(one.kept)]));
        }
        let sets = self.settings.alike.sets();
        job.enter(Stage::Compare, dropped.len() as u64);
        let compare = |one: &mut Dropped| {
            job.progress.check()?;
            job.progress.add(1);
            if one.reason == Reason::EqualText || rule.min_shared.share() == 0.0 {
                return Ok(());
            }
            let mut sets = ShingleSets::new(self, &sets);
            one.shared = sets.shared(one.kept, one.document);
            if rule.min_shared.allows(one.shared) {
                return Ok(());
            }
            // What one document of the reference refuses may go for another.
            let own = self.fingerprint(one.document).expect("it is near one");
            let near = index.neighbours(own, self.settings.k).into_iter();
            let others = near.filter(|it| self.corpus.is_reference(it.document));
            for Neighbour { document: kept, distance } in others.take(MOST_REFUSALS as usize) {
                job.progress.check()?;
                let shared = sets.shared(kept, one.document);
                let is_duplicate = !rule.marks.are_not_duplicates(one.document, kept);
                if is_duplicate && rule.min_shared.allows(shared) {
                    let reason = Reason::of(false, distance);
                    *one = Dropped { kept, distance, reason, shared, ..*one };
                    break;
                }
            }
            Ok(())
        };
        dropped.par_iter_mut().try_for_each(compare)?;
        let (dropped, spared) = dropped.into_iter().partition(|one| {
            one.reason == Reason::EqualText
                || rule.min_shared.share() == 0.0
                || rule.min_shared.allows(one.shared)
                || rule.marks.get(one.document) == Some(Mark::Drop)
        });
        let mut decisions = self.decided(dropped, spared, rule, job)?;
        let wordless =
            decisions.dropped.iter().filter(|it| self.fingerprint(it.document).is_none());
        decisions.shared = Some(n_shared + wordless.count() as u64);
        Ok(decisions)
    }

    /// Decides which of the documents that are not dropped for the reference are dropped for one of them, as if they were
    /// the corpus, and adds these to the decisions.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, if a text cannot be read again, or if too much of the corpus is alike.
    ///
    /// # Panics
    /// If there is no index.
    pub fn decide_also_within(
        &self,
        across: Decisions,
        rule: &DropRule,
        linkage: Linkage,
        job: &Job,
    ) -> Result<Decisions, AnalysisError> {
        let all = (0..self.corpus.n_first()).map(DocId::from);
        let rest: Vec<DocId> = all.filter(|&document| across.is_kept(document)).collect();
        let here = |document: &DocId| rest.binary_search(document).ok().map(DocId::from);
        let marked = |(document, mark): (&DocId, &Mark)| Some((here(document)?, *mark));
        let pair = |[one, other]: &[DocId; 2]| Some([here(one)?, here(other)?]);
        let marks = Marks {
            documents: rule.marks.documents.iter().filter_map(marked).collect(),
            not_duplicates: rule.marks.not_duplicates.iter().filter_map(pair).collect(),
        };
        let rule = DropRule { marks, ..rule.clone() };
        let work = AnalysisInput::Reindex(Arc::new(self.only(&rest, job)?));
        let settings = self.settings.clone();
        let within = run_to(AnalysisDepth::Index, work, settings, job, &mut |_| {})?;
        let within = within.with_equal_texts(Arc::new(within.compare_texts(job)?));
        let index = within.index.as_deref().expect("it was just built");
        let ignored = within.ignored_pairs(&rule.marks.not_duplicates);
        let (groups, _) = index.stream_groups(&self.settings, linkage, &ignored, job)?;
        let mut found = within.decide(&groups, &rule, job)?;
        within.compare(&mut found.dropped, job)?;
        let there = |one: Dropped| Dropped {
            document: rest[one.document.index()],
            kept: rest[one.kept.index()],
            ..one
        };
        Ok(across.and(found, there, self.len()))
    }

    /// A sentence: the share of the first corpus that has a near-duplicate in the reference.
    pub fn share(&self, n_shared: u64) -> String {
        let n = self.corpus.n_first() as u64;
        let verb = if n_shared == 1 { "has" } else { "have" };
        format!(
            "{} of {} ({}) {verb} a near-duplicate within {} in the reference",
            grouped(n_shared),
            counted(n, "document"),
            percent(n_shared, n),
            self.settings.k,
        )
    }
}

impl AnalysisError {
    /// Returns an error if one of the two corpora has no fingerprint. No pair could be found then.
    ///
    /// # Errors
    /// [`AnalysisError::Refused`] with the name of that corpus.
    pub fn require_fingerprints_on_both_sides(analysis: &Analysis) -> Result<(), Self> {
        let Some(reference) = analysis.corpus.reference() else { return Ok(()) };
        let n = analysis.len();
        let is_known = |at: usize| analysis.fingerprint(DocId::from(at)).is_some();
        let boundary = reference.index();
        let side = match () {
            () if !(boundary..n).any(is_known) => "the reference",
            () if !(0..boundary).any(is_known) => "the first corpus",
            () => return Ok(()),
        };
        let refusal = format!(
            "no document of {side} has a fingerprint of {} bits; its rows may carry fingerprints of another width, \
             which `bits` asks for, or texts without words",
            analysis.settings.recipe.bits
        );
        Err(AnalysisError::Refused(refusal))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::ops::ControlFlow;

    use proptest::prelude::*;

    use super::*;
    use crate::analysis::{AnalysisDepth, AnalysisInput, run_to};
    use crate::corpus::{Input, LoadOptions};
    use crate::index::Linkage;

    fn input(name: &'static str, prints: &[Option<u16>]) -> Input {
        let row = |print: &Option<u16>| match print {
            Some(print) => format!("{{\"fingerprint\": \"{print:04x}\"}}\n"),
            None => "{\"fingerprint\": null}\n".to_owned(),
        };
        let rows: String = prints.iter().map(row).collect();
        Input::Bundled { name, bytes: rows.into_bytes().leak() }
    }

    /// Fingerprints of 16 bits against others.
    fn analysed(first: &[Option<u16>], reference: &[Option<u16>], k: u32) -> Analysis {
        let inputs = vec![input("first.jsonl", first), input("reference.jsonl", reference)];
        let settings = Settings { recipe: "bits=16".parse().unwrap(), k, ..Settings::default() };
        let options = LoadOptions { n_reference: 1, ..LoadOptions::default() };
        let work = AnalysisInput::Load(inputs, options, None);
        (*run_to(AnalysisDepth::PairsByDistance, work, settings, &Job::new(), &mut |_| {}).unwrap())
            .clone()
    }

    /// The pairs across the corpora within k, by comparison of every pair: the first document, the other, the
    /// distance.
    fn brute_force(
        first: &[Option<u16>],
        reference: &[Option<u16>],
        k: u32,
    ) -> Vec<(u32, u32, u32)> {
        let mut found = Vec::new();
        for (a, one) in first.iter().enumerate() {
            for (b, other) in reference.iter().enumerate() {
                let (Some(one), Some(other)) = (one, other) else { continue };
                let distance = (one ^ other).count_ones();
                if distance <= k {
                    found.push((a as u32, (first.len() + b) as u32, distance));
                }
            }
        }
        found
    }

    fn streamed(analysis: &Analysis) -> (Vec<(u32, u32, u32)>, super::super::SearchSummary) {
        let mut found = Vec::new();
        let index = analysis.index.as_deref().unwrap();
        let search = index.stream_pairs(&analysis.settings, &Job::new(), &mut |pairs| {
            found.extend(pairs.map(|pair| (pair.a.0, pair.b.0, pair.distance)));
            ControlFlow::Continue(())
        });
        (found, search.unwrap())
    }

    fn check(first: &[Option<u16>], reference: &[Option<u16>], k: u32) {
        let analysis = analysed(first, reference, k);
        let mut expected = brute_force(first, reference, k);
        let (mut found, search) = streamed(&analysis);
        assert!(found.is_sorted_by_key(|pair| pair.2), "nearest first");
        assert_eq!(search.pairs, expected.len() as u64);
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
        // The share, and the number of near documents of each document.
        let n_near = |document: u32| {
            let has = |pair: &&(u32, u32, u32)| pair.0 == document || pair.1 == document;
            expected.iter().filter(has).count() as u32
        };
        let shared = (0..first.len() as u32).filter(|&document| n_near(document) > 0).count();
        assert_eq!(search.shared, Some(shared as u64));
        let totals = analysis.totals().unwrap();
        assert_eq!((totals.pairs, totals.shared), (search.pairs, search.shared));
        assert_eq!(totals.groups.groups as usize, search.groups);
        for document in (0..analysis.len()).map(DocId::from) {
            assert_eq!(analysis.near_count(document), Some(n_near(document.0)), "{document:?}");
            assert_eq!(analysis.group_of(document).is_some(), n_near(document.0) > 0);
        }
        let index = analysis.index.as_deref().unwrap();
        let (groups, grouped) = index
            .stream_groups(&analysis.settings, Linkage::Single, &HashSet::new(), &Job::new())
            .unwrap();
        assert!(groups.iter().eq(analysis.groups.as_ref().unwrap().iter()));
        assert_eq!((grouped.pairs, grouped.shared), (search.pairs, search.shared));
        for (a, b, _) in &expected {
            assert_eq!(groups.group_of(DocId(*a)), groups.group_of(DocId(*b)));
        }
        // Each document that is near the reference is dropped for its nearest document.
        let decisions = analysis.decide_across(&DropRule::default(), &Job::new()).unwrap();
        let dropped: Vec<(u32, u32, u32)> = decisions
            .dropped
            .iter()
            .map(|one| (one.document.0, one.kept.0, one.distance))
            .collect();
        let nearest = |document: u32| {
            let own = expected.iter().filter(|pair| pair.0 == document);
            own.min_by_key(|pair| (pair.2, pair.1)).copied()
        };
        let wanted: Vec<_> = (0..first.len() as u32).filter_map(nearest).collect();
        assert_eq!(dropped, wanted);
        assert_eq!(decisions.shared, search.shared);
    }

    #[test]
    fn copies_on_both_sides_make_pairs_across_alone() {
        let (one, two) = (Some(0), Some(1));
        check(&[one, one, two], &[one, None, one, one], 0);
        check(&[one, one, two], &[one, None, one, one], 1);
        check(&[one, one, None], &[Some(0xff), Some(0xff)], 1);
        check(&[one, two, Some(3)], &[Some(7)], 1);
    }

    #[test]
    fn a_million_copies_on_one_side_are_no_pairs() {
        let distinct = |first: usize, reference: usize| {
            let words = vec![Some(5_u64); first + reference];
            let progress = crate::progress::Progress::new();
            let distinct = index::Distinct::collapse(&words, &progress).unwrap();
            distinct.with_reference(first, &progress).unwrap()
        };
        let alone = distinct(0, 1_000_000);
        assert_eq!(index::document_pairs(&alone, &[]).next(), None);
        let one = distinct(1, 1_000_000);
        assert_eq!(index::count_document_pairs(&one, &[]), 1_000_000);
        let last = index::document_pairs(&one, &[]).nth(999_999).unwrap();
        assert_eq!((last.a, last.b), (DocId(0), DocId(1_000_000)));
    }

    #[test]
    fn a_side_without_documents_is_refused() {
        let load = |first: &[Option<u16>], reference: &[Option<u16>]| {
            let inputs = vec![input("first.jsonl", first), input("reference.jsonl", reference)];
            let options = LoadOptions { n_reference: 1, ..LoadOptions::default() };
            let work = AnalysisInput::Load(inputs, options, None);
            let run =
                run_to(AnalysisDepth::Index, work, Settings::default(), &Job::new(), &mut |_| {});
            run.map(|_| ()).unwrap_err().to_string()
        };
        assert!(load(&[Some(1)], &[]).starts_with("no document in the reference;"));
        assert!(load(&[], &[Some(1)]).starts_with("no document in the first corpus;"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// A few values and their neighbours on both sides. Every number must be that of a comparison of every
        /// pair.
        #[test]
        fn pairs_across_are_those_of_brute_force(
            first in prop::collection::vec(prop::option::weighted(0.9, 0_u16..40), 1..40),
            reference in prop::collection::vec(prop::option::weighted(0.9, 0_u16..40), 1..40),
            k in 0..4_u32,
        ) {
            check(&first, &reference, k);
        }
    }
}
