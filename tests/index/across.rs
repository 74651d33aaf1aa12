//! Pairs across two corpora, against comparing every two documents: planted contamination, skewed data, copies
//! on both sides, sides without documents.

use std::ops::ControlFlow;

use proptest::prelude::*;
use simscope::id::DocId;
use simscope::index::{
    Distinct, DocumentPair, Pair, Plan, choose, count_document_pairs, document_pairs, groups,
    growth, linked_groups, near_pairs, ordered_pairs,
};
use simscope::progress::Progress;

use crate::support::fingerprints::any_kind;

/// The pairs that comparing every two finds, in the contract's order.
fn brute_force(values: &[Option<u64>], n_first: usize, k: u32) -> Vec<DocumentPair> {
    let first = |at: usize| values.iter().position(|other| *other == values[at]).unwrap();
    let mut found = Vec::new();
    for a in 0..n_first {
        for b in n_first..values.len() {
            let (Some(one), Some(other)) = (values[a], values[b]) else { continue };
            let distance = (one ^ other).count_ones();
            if distance <= k {
                found.push(DocumentPair { a: DocId::from(a), b: DocId::from(b), distance });
            }
        }
    }
    found.sort_by_key(|pair| {
        let [one, other] = [pair.a, pair.b].map(|document| first(document.index()));
        (pair.distance, one.min(other), one.max(other), pair.a, pair.b)
    });
    found
}

fn check(values: &[Option<u64>], n_first: usize, k: u32) -> Result<(), TestCaseError> {
    let progress = Progress::new();
    let distinct = Distinct::collapse(values, &progress).unwrap();
    let distinct = distinct.with_reference(n_first, &progress).unwrap();
    let expected = brute_force(values, n_first, k);
    for plan in [choose(distinct.values(), 64, k), Plan::scan(distinct.len(), 64, k)] {
        let plan = plan.across(distinct.sides().cloned());
        let pairs = near_pairs(distinct.values(), &plan, &progress).unwrap();
        let found: Vec<DocumentPair> = document_pairs(&distinct, &pairs).collect();
        prop_assert_eq!(&found, &expected, "{}", plan);
        for distance in 0..=k {
            let near = &pairs[..pairs.partition_point(|pair| pair.distance <= distance)];
            let within = expected.iter().filter(|pair| pair.distance <= distance).count();
            prop_assert_eq!(count_document_pairs(&distinct, near), within as u64);
        }
        let mut portions: Vec<Pair> = Vec::new();
        ordered_pairs(distinct.values(), &plan, 3, &progress, &mut |some| {
            portions.extend(some);
            ControlFlow::Continue(())
        })
        .unwrap();
        prop_assert_eq!(&portions, &pairs);
        // Groups: as kept, as linked while found, and as counted on the way to k.
        let kept = groups(&distinct, &pairs);
        let (linked, n_pairs) = linked_groups(&distinct, &plan, |_| true, &progress).unwrap();
        prop_assert_eq!(n_pairs, expected.len() as u64);
        prop_assert!(kept.iter().eq(linked.iter()));
        let grown = growth(&distinct, &pairs, k, &progress).unwrap();
        prop_assert_eq!(*grown.totals.last().unwrap(), kept.totals());
        prop_assert!(groups(&distinct, &grown.links).iter().eq(kept.iter()));
        for document in (0..values.len()).map(DocId::from) {
            let has = expected.iter().any(|pair| pair.a == document || pair.b == document);
            prop_assert_eq!(kept.group_of(document).is_some(), has);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn pairs_across_are_those_of_comparing_every_two(
        values in any_kind(64, 120),
        copied in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..40),
        missing in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
        boundary in any::<prop::sample::Index>(),
        k in 0..12_u32,
    ) {
        let mut values: Vec<Option<u64>> = values.iter().map(|&value| Some(value as u64)).collect();
        // Contamination: the same fingerprint on any side, many times.
        let is_empty = values.is_empty();
        for (from, to) in copied.iter().filter(|_| !is_empty) {
            let value = values[from.index(values.len())];
            values.insert(to.index(values.len()), value);
        }
        for at in missing.iter().filter(|_| !is_empty) {
            let at = at.index(values.len());
            values[at] = None;
        }
        let n = values.len();
        for n_first in [boundary.index(n + 1), 0, n] {
            check(&values, n_first, k)?;
        }
    }
}
