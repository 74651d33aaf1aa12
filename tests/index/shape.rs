//! The shape of a group and complete linkage against their slow twins.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use proptest::prelude::*;
use simscope::id::DocId;
use simscope::index::shape::farthest;
use simscope::index::{
    Bridge, CompleteLinkage, Distinct, Farthest, GroupShape, Groups, Members, Pair, Plan, choose,
    groups, growth,
};
use simscope::progress::Progress;
use simscope::simhash::Bits;

use crate::support::cases;
use crate::support::fingerprints::{all_pairs, any_kind};

/// Values of some width, and a k that connects some of them.
fn corpora(max: usize) -> impl Strategy<Value = (u32, Vec<u128>, u32)> {
    (4..=128_u32).prop_flat_map(move |width| (Just(width), any_kind(width, max), 0..=width.min(16)))
}

/// The values as words, collapsed.
fn collapsed<B: Bits>(values: &[u128]) -> Distinct<B> {
    let words: Vec<Option<B>> = values.iter().map(|&value| Some(B::from_wide(value))).collect();
    Distinct::collapse(&words, &Progress::new()).unwrap()
}

/// The connected parts of some entries under some pairs, each ascending.
fn connected(entries: &[u32], pairs: &[Pair]) -> Vec<Vec<u32>> {
    let mut parts: Vec<Vec<u32>> = entries.iter().map(|&entry| vec![entry]).collect();
    for pair in pairs {
        let of = |entry| parts.iter().position(|part| part.contains(&entry));
        if let (Some(a), Some(b)) = (of(pair.a), of(pair.b))
            && a != b
        {
            let mut moved = parts.swap_remove(a.max(b));
            parts[a.min(b)].append(&mut moved);
        }
    }
    parts
}

/// Documents in each part, the largest first.
fn sizes<B: Bits>(distinct: &Distinct<B>, parts: &[Vec<u32>]) -> Vec<u32> {
    let documents = |entry: &u32| distinct.documents(*entry).len() as u32;
    let mut sizes: Vec<u32> = parts.iter().map(|part| part.iter().map(documents).sum()).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}

fn check_shape<B: Bits>(
    distinct: &Distinct<B>,
    documents: &[DocId],
    width: u32,
    k: u32,
    links: &[Pair],
) -> Result<(), TestCaseError> {
    let progress = Progress::new();
    let members = Members::of(distinct, documents);
    let entries = &members.entries;
    let plan = choose(&members.values, width, k);
    let shape = GroupShape::search(&members, &plan, &progress).unwrap();
    let distance = |a: u32, b: u32| distinct.value(a).distance(distinct.value(b));
    let pairs = all_pairs(&members.values, k);
    let scan = Plan::scan(entries.len(), width, k);
    prop_assert_eq!(&GroupShape::search(&members, &scan, &progress).unwrap(), &shape);
    let named =
        |pair: &Pair| Pair { a: entries[pair.a as usize], b: entries[pair.b as usize], ..*pair };
    let pairs: Vec<Pair> = pairs.iter().map(named).collect();

    // The weakest edge is the last one of the part of the corpus's spanning forest that lies in the group.
    let inside = |pair: &&Pair| entries.binary_search(&pair.a).is_ok();
    let longest = links.iter().filter(inside).map(|link| link.distance).max();
    prop_assert_eq!(shape.weakest, longest);
    prop_assert_eq!(shape.distinct, entries.len());
    prop_assert_eq!(shape.documents as usize, documents.len());

    // The diameter, by the double loop.
    let both = entries.iter().flat_map(|&a| entries.iter().map(move |&b| (a, b)));
    let far = both.map(|(a, b)| distance(a, b)).max().unwrap();
    prop_assert_eq!(shape.farthest, Farthest { distance: far, is_exact: true });

    // The weakest edge again: the smallest k that keeps it whole.
    let whole = (0..=k).find(|&less| {
        let near: Vec<Pair> = pairs.iter().filter(|pair| pair.distance <= less).copied().collect();
        connected(entries, &near).len() == 1
    });
    prop_assert_eq!(shape.weakest.unwrap_or(0), whole.unwrap());

    // The bridge, by taking out one after another.
    let without = |&gone: &u32| {
        let rest: Vec<u32> = entries.iter().copied().filter(|&entry| entry != gone).collect();
        let apart = |pair: &&Pair| pair.a != gone && pair.b != gone;
        let pairs: Vec<Pair> = pairs.iter().filter(apart).copied().collect();
        (sizes(distinct, &connected(&rest, &pairs)), gone)
    };
    let best = entries.iter().map(without).filter(|(parts, _)| parts.len() >= 2);
    let others = |parts: &[u32]| parts[1..].iter().sum::<u32>();
    let best = best.min_by_key(|(parts, entry)| (Reverse(others(parts)), *entry));
    prop_assert_eq!(shape.bridge, best.map_or(Bridge::None, |(_, entry)| Bridge::At(entry)));

    // The members within k of the first.
    let within = entries.iter().filter(|&&entry| distance(entry, entries[0]) <= k);
    let covered: u32 = within.map(|&entry| distinct.documents(entry).len() as u32).sum();
    prop_assert_eq!(shape.covered, covered);
    Ok(())
}

fn check_shapes<B: Bits>(values: &[u128], width: u32, k: u32) -> Result<(), TestCaseError> {
    let progress = Progress::new();
    let distinct = collapsed::<B>(values);
    let pairs = all_pairs(distinct.values(), k);
    let links = growth(&distinct, &pairs, k, &progress).unwrap().links;
    for documents in groups(&distinct, &pairs).iter() {
        check_shape(&distinct, documents, width, k, &links)?;
    }
    Ok(())
}

/// Agglomerative clustering as textbooks have it: of all parts within k the two whose farthest members
/// are nearest become one.
fn complete_by_the_book<B: Bits>(distinct: &Distinct<B>, k: u32) -> Vec<Vec<u32>> {
    let mut parts: Vec<Vec<u32>> = (0..distinct.len() as u32).map(|entry| vec![entry]).collect();
    let pair = |&a: &u32, &b: &u32| Pair {
        distance: distinct.value(a).distance(distinct.value(b)),
        a: a.min(b),
        b: a.max(b),
    };
    loop {
        let farthest = |left: &[u32], right: &[u32]| {
            left.iter().flat_map(|a| right.iter().map(move |b| pair(a, b))).max()
        };
        let both = (0..parts.len()).flat_map(|left| (0..left).map(move |right| (right, left)));
        let nearest = both.map(|(a, b)| (farthest(&parts[a], &parts[b]), a, b)).min();
        match nearest {
            Some((Some(pair), a, b)) if pair.distance <= k => {
                let mut moved = parts.swap_remove(b);
                parts[a].append(&mut moved);
            }
            _ => return parts,
        }
    }
}

fn complete<B: Bits>(distinct: &Distinct<B>, pairs: &[Pair], portion: usize) -> Groups {
    let mut linkage = CompleteLinkage::new(distinct.len());
    for portion in pairs.chunks(portion) {
        linkage.meet(portion).unwrap();
    }
    linkage.groups(distinct)
}

fn check_complete<B: Bits>(values: &[u128], k: u32, portion: usize) -> Result<(), TestCaseError> {
    let distinct = collapsed::<B>(values);
    let pairs = all_pairs(distinct.values(), k);
    let found = complete(&distinct, &pairs, portion);
    let listed: BTreeSet<Vec<DocId>> = found.iter().map(<[DocId]>::to_vec).collect();
    let documents = |part: &Vec<u32>| {
        let entries = part.iter().flat_map(|&entry| distinct.documents(entry));
        let mut documents: Vec<DocId> = entries.copied().collect();
        documents.sort_unstable();
        documents
    };
    let expected = complete_by_the_book(&distinct, k);
    let expected: BTreeSet<Vec<DocId>> =
        expected.iter().map(documents).filter(|part| part.len() >= 2).collect();
    prop_assert_eq!(listed, expected);
    for part in found.iter() {
        let members = Members::of(&distinct, part);
        prop_assert!(farthest(&members.values, &Progress::new()).unwrap().distance <= k);
    }
    // Every part lies in one group of single linkage.
    let single = groups(&distinct, &pairs);
    for part in found.iter() {
        let of: BTreeSet<_> = part.iter().map(|&document| single.group_of(document)).collect();
        prop_assert_eq!(of.len(), 1);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn the_shape_of_every_group_is_that_of_the_slow_twin((width, values, k) in corpora(40)) {
        check_shapes::<u128>(&values, width, k)?;
        if width <= 64 {
            check_shapes::<u64>(&values, width, k)?;
        }
    }

    #[test]
    fn complete_linkage_is_that_of_the_book((_, values, k) in corpora(40), portion in 1..50_usize) {
        check_complete::<u128>(&values, k, portion)?;
    }

    #[test]
    fn the_farthest_two_are_those_of_the_double_loop((width, values, _) in corpora(3000)) {
        prop_assume!(!values.is_empty());
        let mut expected = 0;
        for (a, left) in values.iter().enumerate() {
            for right in &values[a + 1..] {
                expected = expected.max((left ^ right).count_ones());
            }
        }
        prop_assert_eq!(farthest(&values, &Progress::new()).unwrap().distance, expected);
        if width <= 64 {
            let words: Vec<u64> = values.iter().map(|&value| value as u64).collect();
            let found = farthest(&words, &Progress::new()).unwrap();
            prop_assert_eq!(found, Farthest { distance: expected, is_exact: true });
        }
    }
}

/// A group of many pairs is measured while the pairs are thrown away.
#[test]
fn a_group_of_too_many_pairs_has_its_weakest_edge_and_no_bridge() {
    let values: Vec<Option<u64>> = (0..4096).map(Some).collect();
    let distinct = Distinct::collapse(&values, &Progress::new()).unwrap();
    let documents: Vec<DocId> = (0..4096).map(DocId).collect();
    let members = Members::of(&distinct, &documents);
    let plan = choose(&members.values, 64, 12);
    let search = || GroupShape::search(&members, &plan, &Progress::new()).unwrap();
    let shape = search();
    assert_eq!((shape.weakest, shape.bridge, shape.covered), (Some(1), Bridge::Unknown, 4096));
    assert_eq!((shape.farthest.distance, shape.distinct), (12, 4096));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let alone = pool.install(search);
    assert_eq!(shape, alone);
}
