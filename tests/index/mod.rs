//! The index against its slow twins: whatever the data, the layout and the distance.

mod across;
mod dense;
mod shape;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;

use proptest::prelude::*;
use simscope::id::DocId;
use simscope::index::{
    BlockPlan, Distinct, IndexWindow, Layout, Match, Method, Pair, Plan, WindowEnd, choose,
    count_at_distances, count_candidates, count_document_pairs, default_layout, distance_histogram,
    document_histogram, document_pairs, groups, linked_groups, load, near_pairs, neighbours,
    neighbours_by_tables, ordered_pairs, visit_pairs,
};
use simscope::progress::{Cancelled, Progress};
use simscope::simhash::Bits;
use simscope::simhash::fingerprint::mask;

use crate::support::data;
use crate::support::fingerprints::{all_pairs, any_kind, planted};

/// Layouts of every kind that fit `width`; at most 300 tables, to keep the tests short.
fn layouts(width: u32) -> impl Strategy<Value = Layout> {
    let blocks = (1..=10_u32.min(width)).prop_flat_map(|m| (Just(m), 1..=m));
    let one_level = blocks.prop_map(move |(m, c)| Layout::blocks(width, m, c));
    let bands = (1..=6_u32.min(width))
        .prop_flat_map(move |m| (Just(m), 1..=width / m))
        .prop_map(move |(m, bits)| Layout::bands(width, m, bits));
    let two_level = (2..6_u32, 1..4_u32, 1..5_u32, 1..4_u32)
        .prop_map(move |(r, c, m, b)| Layout::two_level(width, r, c, m, b));
    prop_oneof![3 => one_level, 1 => bands, 2 => two_level]
        .prop_filter_map("fits", Result::ok)
        .prop_filter("few tables", |layout| layout.tables().len() <= 300)
}

/// Width, data and layout that belong together.
fn cases(max: usize) -> impl Strategy<Value = (Vec<u128>, Layout)> {
    (1..=128_u32).prop_flat_map(move |width| (any_kind(width, max), layouts(width)))
}

fn words<B: Bits>(values: &[u128]) -> Vec<B> {
    values.iter().map(|&value| B::from_wide(value)).collect()
}

/// The pairs within `k` that share a key of the layout: all pairs there are, within the guarantee.
fn expected_pairs<B: Bits>(values: &[B], layout: &Layout, k: u32) -> Vec<Pair> {
    let mut pairs = all_pairs(values, k);
    if !layout.guarantees(k) {
        let xor = |pair: &Pair| (values[pair.a as usize] ^ values[pair.b as usize]).to_wide();
        pairs.retain(|pair| layout.tables().iter().any(|table| table.mask & xor(pair) == 0));
    }
    pairs
}

fn check_all_pairs<B: Bits>(values: &[B], layout: &Layout, k: u32) -> Result<(), TestCaseError> {
    let progress = Progress::new();
    let found = near_pairs(values, &Plan::by_tables(layout, k), &progress).expect("nobody cancels");
    prop_assert_eq!(found, expected_pairs(values, layout, k), "{} k={}", layout, k);
    let (done, total) = progress.get();
    prop_assert_eq!(done, total);
    prop_assert_eq!(total, (layout.tables().len() * values.len()) as u64);
    Ok(())
}

fn check_queries<B: Bits>(
    values: &[B],
    layout: &Layout,
    k: u32,
    query: B,
) -> Result<(), TestCaseError> {
    for &query in values.iter().take(5).chain([&query]) {
        let distances = (0..).zip(values).map(|(entry, value)| (value.distance(query), entry));
        let mut expected: Vec<Match> = distances
            .filter(|(distance, _)| *distance <= k)
            .map(|(distance, entry)| Match { distance, entry })
            .collect();
        expected.sort_unstable();
        prop_assert_eq!(&neighbours(values, query, k), &expected);
        let shares_key = |found: &Match| {
            let xor = (values[found.entry as usize] ^ query).to_wide();
            layout.tables().iter().any(|table| table.mask & xor == 0)
        };
        expected.retain(|found| layout.guarantees(k) || shares_key(found));
        let found = neighbours_by_tables(values, layout, query, k);
        prop_assert_eq!(found, expected, "{} k={}", layout, k);
    }
    Ok(())
}

/// Every way to find all pairs: as planned, by the formula for other sizes, in memory or in stretches.
fn check_plans<B: Bits>(
    values: &[B],
    width: u32,
    k: u32,
    searches: usize,
) -> Result<(), TestCaseError> {
    let progress = Progress::new();
    let expected = all_pairs(values, k);
    let most = expected.len() / searches;
    let plans = [0, 1, 2, 3, 5].map(|m| match m {
        0 => choose(values, width, k),
        m => plan_of_blocks(values.len(), width, k, m.min(k + 1).min(width)),
    });
    for plan in plans {
        let found = near_pairs(values, &plan, &progress).expect("nobody cancels");
        prop_assert_eq!(&found, &expected, "{}", plan);
        let (done, total) = progress.get();
        prop_assert_eq!(done, total, "{}", plan);

        let mut streamed = Vec::new();
        let each = &mut |pairs: &[Pair]| {
            streamed.push(pairs.len());
            prop_assert_eq!(
                pairs,
                &expected[streamed.iter().sum::<usize>() - pairs.len()..][..pairs.len()]
            );
            Ok(())
        };
        let mut outcome = Ok(());
        ordered_pairs(values, &plan, most, &progress, &mut |pairs| {
            outcome = each(pairs);
            if outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .expect("nobody cancels");
        outcome?;
        prop_assert_eq!(streamed.iter().sum::<usize>(), expected.len());

        let value = |document: DocId| Some(values[document.index()]);
        let distinct = Distinct::collapse_each(values.len(), value, &progress).unwrap();
        let counts = count_at_distances(&distinct, &plan, &progress).expect("nobody cancels");
        for (distance, &count) in counts.iter().enumerate() {
            let at = expected.iter().filter(|pair| pair.distance as usize == distance);
            prop_assert_eq!(count, at.count() as u64);
        }
    }
    let histogram = distance_histogram(values, &progress).expect("nobody cancels");
    for (distance, &count) in histogram.iter().enumerate().take(k as usize + 1) {
        let at = expected.iter().filter(|pair| pair.distance as usize == distance);
        prop_assert_eq!(count, at.count() as u64);
    }
    let n = values.len() as u64;
    prop_assert_eq!(histogram.iter().sum::<u64>(), n * n.saturating_sub(1) / 2);
    Ok(())
}

/// Buckets by a map of masked values.
fn check_load<B: Bits>(values: &[B], layout: &Layout) -> Result<(), TestCaseError> {
    let found = load(values, layout, &Progress::new()).expect("nobody cancels");
    let (mut candidates, mut fullest): (u64, usize) = (0, 0);
    for table in layout.tables() {
        let mut buckets: BTreeMap<u128, usize> = BTreeMap::new();
        for value in values {
            *buckets.entry(value.to_wide() & table.mask).or_default() += 1;
        }
        for size in buckets.into_values() {
            candidates += size as u64 * (size as u64 - 1) / 2;
            fullest = fullest.max(size);
        }
    }
    prop_assert_eq!((found.candidates, found.fullest), (candidates, fullest));
    Ok(())
}

/// Some of the values many times over: `copies` says how often the first ones come again.
fn check_document_histogram<B: Bits>(values: &[B], copies: &[usize]) -> Result<(), TestCaseError> {
    let progress = Progress::new();
    let again =
        values.iter().zip(copies).flat_map(|(&value, &n)| std::iter::repeat_n(value, n * n));
    let documents: Vec<B> = values.iter().copied().chain(again).collect();
    let rows: Vec<Option<B>> = documents.iter().copied().map(Some).chain([None]).collect();
    let distinct = Distinct::collapse(&rows, &progress).expect("nobody cancels");
    let mut expected = vec![0_u64; B::CAPACITY as usize + 1];
    for (at, one) in documents.iter().enumerate() {
        for other in &documents[at + 1..] {
            expected[one.distance(*other) as usize] += 1;
        }
    }
    let found = document_histogram(&distinct, &progress).expect("nobody cancels");
    prop_assert_eq!(found, expected);
    Ok(())
}

proptest! {
    #[test]
    fn all_pairs_are_those_of_the_double_loop((values, layout) in cases(150), k in 0..14_u32) {
        check_all_pairs(&words::<u128>(&values), &layout, k)?;
        if layout.width() <= 64 {
            check_all_pairs(&words::<u64>(&values), &layout, k)?;
        }
    }

    #[test]
    fn queries_are_those_of_one_comparison_at_a_time(
        (values, layout) in cases(80),
        k in 0..14_u32,
        query in any::<u128>(),
    ) {
        let query = query & mask(layout.width());
        check_queries(&words::<u128>(&values), &layout, k, query)?;
        if layout.width() <= 64 {
            check_queries(&words::<u64>(&values), &layout, k, query as u64)?;
        }
    }

    #[test]
    fn loads_are_those_of_a_map_of_keys((values, layout) in cases(200)) {
        check_load(&words::<u128>(&values), &layout)?;
        if layout.width() <= 64 {
            check_load(&words::<u64>(&values), &layout)?;
        }
    }

    #[test]
    fn distances_of_documents_are_those_of_the_double_loop(
        (width, values) in (1..=128_u32).prop_flat_map(|width| (Just(width), any_kind(width, 300))),
        copies in proptest::collection::vec(0..40_usize, 0..8),
    ) {
        check_document_histogram(&words::<u128>(&values), &copies)?;
        if width <= 64 {
            check_document_histogram(&words::<u64>(&values), &copies)?;
        }
    }

    #[test]
    fn every_plan_is_exact(
        (width, values) in (1..=128_u32).prop_flat_map(|width| (Just(width), any_kind(width, 400))),
        k in 0..=14_u32,
        extra in 0..=128_u32,
        searches in 1..6_usize,
    ) {
        // Now and then a distance that nearly everything is within.
        let k = if extra % 8 == 0 { k + extra } else { k }.min(width);
        check_plans(&words::<u128>(&values), width, k, searches)?;
        if width <= 64 {
            check_plans(&words::<u64>(&values), width, k, searches)?;
        }
    }

    #[test]
    fn a_permutation_keeps_distances_and_moves_the_key_to_the_top(
        (values, layout) in cases(20),
        table in any::<prop::sample::Index>(),
    ) {
        let number = table.index(layout.tables().len());
        let (permutation, table) = (layout.permutation(number), &layout.tables()[number]);
        for &value in &values {
            let permuted = permutation.apply(value);
            prop_assert_eq!(permuted & !mask(layout.width()), 0);
            prop_assert_eq!(permuted.distance(permutation.apply(values[0])), value.distance(values[0]));
            if layout.width() <= 64 {
                prop_assert_eq!(u128::from(permutation.apply(value as u64)), permuted);
            }
        }
        // The bits of the key, and no others, become the top bits.
        prop_assert_eq!(permutation.apply(table.mask), permutation.key_mask());
    }

    #[test]
    fn rows_around_a_fingerprint_are_those_of_the_sorted_table(
        (values, layout) in cases(60),
        height in 0..70_usize,
        other in any::<u128>(),
    ) {
        let n = values.len();
        for number in 0..layout.tables().len() {
            let permutation = layout.permutation(number);
            let permuted = (0_u32..).zip(&values).map(|(entry, &value)| (permutation.apply(value), entry));
            let mut table: Vec<(u128, u32)> = permuted.collect();
            table.sort_unstable();
            for &value in values.iter().take(4).chain([&(other & mask(layout.width()))]) {
                let permuted = permutation.apply(value);
                let found = IndexWindow::around(&values, &permutation, value, height);
                let (before, row) = (
                    table.partition_point(|row| row.0 & permutation.key_mask() < permuted & permutation.key_mask()),
                    table.partition_point(|row| row.0 < permuted),
                );
                let same_key = |row: &&(u128, u32)| (row.0 ^ permuted) & permutation.key_mask() == 0;
                let matching = before..before + table.iter().filter(same_key).count();
                let is_there = table.get(row).is_some_and(|row| row.0 == permuted);
                prop_assert_eq!(&found.matching, &matching);
                prop_assert_eq!((found.n_rows, found.query), (n, is_there.then_some(row)));
                let shown = found.first..n.min(found.first + height);
                let entries: Vec<u32> = table[shown.clone()].iter().map(|row| row.1).collect();
                prop_assert_eq!(&found.entries, &entries);
                let fits = matching.len() <= height;
                prop_assert!(!fits || matching.is_empty() || shown.contains(&matching.start));
                prop_assert!(!fits || matching.end <= shown.end);
                prop_assert!(height == 0 || !is_there || shown.contains(&row));
            }
        }
    }

    #[test]
    fn the_steps_of_the_binary_search_lead_to_the_window(
        (values, layout) in cases(60),
        table in any::<prop::sample::Index>(),
    ) {
        let permutation = layout.permutation(table.index(layout.tables().len()));
        for &value in values.iter().take(4) {
            let window = IndexWindow::around(&values, &permutation, value, 5);
            let steps = window.steps();
            let answer = |end| {
                let step = steps.iter().rfind(|step| step.end == end)?;
                Some(if step.goes_up { step.middle + 1 } else { step.middle })
            };
            prop_assert_eq!(answer(WindowEnd::First).unwrap_or(0), window.matching.start);
            prop_assert_eq!(answer(WindowEnd::Past).unwrap_or(values.len()), window.matching.end);
            prop_assert!(steps.iter().all(|s| s.low <= s.middle && s.middle < s.high));
        }
    }

    #[test]
    fn copies_collapse_to_entries_in_order_of_first_document(values in documents(120)) {
        let distinct = Distinct::collapse(&values, &Progress::new()).unwrap();
        let mut seen: Vec<u64> = Vec::new();
        for (document, value) in values.iter().enumerate() {
            let Some(value) = value else {
                prop_assert_eq!(distinct.entry_of(DocId::from(document)), None);
                continue;
            };
            if !seen.contains(value) {
                seen.push(*value);
            }
            let entry = seen.iter().position(|other| other == value).unwrap() as u32;
            prop_assert_eq!(distinct.entry_of(DocId::from(document)), Some(entry));
            prop_assert!(distinct.documents(entry).contains(&DocId::from(document)));
        }
        prop_assert_eq!(distinct.values(), &seen[..]);
        let shelved: usize = (0..distinct.len()).map(|e| distinct.documents(e as u32).len()).sum();
        prop_assert_eq!(shelved, distinct.n_fingerprinted());
        prop_assert!((0..distinct.len()).all(|e| distinct.documents(e as u32).is_sorted()));
        let has_copies = |entry: &u32| distinct.documents(*entry).len() > 1;
        prop_assert!(distinct.copied().eq((0..distinct.len() as u32).filter(has_copies)));
        prop_assert_eq!(distinct.n_documents(), values.len());
    }

    #[test]
    fn pairs_of_documents_come_in_the_promised_order(
        values in documents(60),
        k in 0..10_u32,
    ) {
        let distinct = Distinct::collapse(&values, &Progress::new()).unwrap();
        let pairs = all_pairs(distinct.values(), k);
        let expected = brute_document_pairs(&values, k);
        let plain = |iter: &mut dyn Iterator<Item = simscope::index::DocumentPair>| {
            iter.map(|pair| (pair.distance, pair.a.0, pair.b.0)).collect::<Vec<_>>()
        };
        prop_assert_eq!(plain(&mut document_pairs(&distinct, &pairs)), expected.clone());
        prop_assert_eq!(count_document_pairs(&distinct, &pairs), expected.len() as u64);
        for distance in 0..=k {
            let near = &pairs[..pairs.partition_point(|pair| pair.distance <= distance)];
            let within = expected.iter().filter(|pair| pair.0 <= distance).count();
            prop_assert_eq!(count_document_pairs(&distinct, near), within as u64);
        }
    }

    #[test]
    fn groups_are_the_components_of_the_graph_of_pairs(values in documents(80), k in 0..7_u32) {
        let distinct = Distinct::collapse(&values, &Progress::new()).unwrap();
        let pairs = all_pairs(distinct.values(), k);
        let found = groups(&distinct, &pairs);
        let expected = components(values.len() as u32, &brute_document_pairs(&values, k));
        let listed: Vec<Vec<u32>> =
            found.iter().map(|group| group.iter().map(|document| document.0).collect()).collect();
        prop_assert_eq!(&listed, &expected);
        for plan in [choose(distinct.values(), 64, k), plan_of_blocks(distinct.len(), 64, k, k + 1)] {
            let (linked, n_pairs) = linked_groups(&distinct, &plan, |_| true, &Progress::new()).unwrap();
            prop_assert!(linked.iter().eq(found.iter()));
            prop_assert_eq!(n_pairs, count_document_pairs(&distinct, &pairs));
        }
        for document in 0..values.len() as u32 {
            let group = expected.iter().position(|group| group.contains(&document));
            prop_assert_eq!(found.group_of(DocId(document)), group.map(|group| group as u32));
        }
    }
}

/// Documents of which some have no features and many are copies.
fn documents(max: usize) -> impl Strategy<Value = Vec<Option<u64>>> {
    (planted(64, max), proptest::collection::vec(0..8_u8, max)).prop_map(|(values, dice)| {
        let document = |(value, die): (u128, u8)| match die {
            0 => None,
            1..=3 => Some(value as u64 & 0xf0f0_0000_0000_0000),
            _ => Some(value as u64),
        };
        values.into_iter().zip(dice).map(document).collect()
    })
}

/// All pairs of documents as (distance, a, b): by distance, then by the first documents of the two
/// fingerprints, then in document order.
fn brute_document_pairs(values: &[Option<u64>], k: u32) -> Vec<(u32, u32, u32)> {
    let first = |value: u64| {
        values.iter().position(|other| *other == Some(value)).expect("one of the values")
    };
    let mut pairs = Vec::new();
    for a in 0..values.len() {
        for b in a + 1..values.len() {
            if let (Some(x), Some(y)) = (values[a], values[b]) {
                let distance = (x ^ y).count_ones();
                let firsts = (first(x).min(first(y)), first(x).max(first(y)));
                pairs.push((distance, firsts, a as u32, b as u32));
            }
        }
    }
    pairs.retain(|pair| pair.0 <= k);
    pairs.sort_unstable();
    pairs.into_iter().map(|(distance, _, a, b)| (distance, a, b)).collect()
}

/// Connected components of at least two, by breadth-first search; largest first, then by first member.
fn components(n: u32, pairs: &[(u32, u32, u32)]) -> Vec<Vec<u32>> {
    let mut neighbours: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &(_, a, b) in pairs {
        neighbours.entry(a).or_default().push(b);
        neighbours.entry(b).or_default().push(a);
    }
    let mut seen = BTreeSet::new();
    let mut components = Vec::new();
    for start in 0..n {
        let mut component = BTreeSet::new();
        let mut queue = VecDeque::from([start]);
        while let Some(document) = queue.pop_front() {
            if seen.insert(document) {
                component.insert(document);
                queue.extend(neighbours.get(&document).into_iter().flatten());
            }
        }
        if component.len() >= 2 {
            components.push(component.into_iter().collect::<Vec<_>>());
        }
    }
    components.sort_by_key(|component| (std::cmp::Reverse(component.len()), component[0]));
    components
}

#[test]
fn what_was_cancelled_before_it_began_does_nothing() {
    let layout = default_layout(100, 64, 3);
    let values: Vec<u64> = (0..100).collect();
    let progress = Progress::new();
    progress.cancel();
    assert_eq!(near_pairs(&values, &Plan::by_tables(&layout, 3), &progress), Err(Cancelled));
}

/// One bucket of 300,000: 4.5e10 comparisons, minutes of work if the cancel were not heard.
#[test]
fn a_cancel_is_heard_inside_one_huge_bucket() {
    let values: Vec<u64> =
        (0..300_000_u64).map(|i| i.wrapping_mul(0x9e37_79b9) & 0xffff_ffff).collect();
    let layout = Layout::blocks(64, 2, 1).unwrap();
    let progress = Progress::new();
    let outcome = visit_pairs(&values, &Plan::by_tables(&layout, 20), &progress, &|_| {
        progress.cancel();
        ControlFlow::Continue(())
    });
    assert_eq!(outcome, Err(Cancelled));
}

/// A million of each kind of data against the scan: a minute and a half on two cores, so only when asked
/// for: `cargo test --release -- --ignored a_million`.
#[test]
#[ignore = "takes minutes"]
fn all_pairs_at_a_million_are_those_of_the_scan() {
    let progress = Progress::new();
    for kind in data::Kind::ALL {
        let values = kind.values::<u64>(1_000_000);
        let all = near_pairs(&values, &Plan::scan(values.len(), 64, 8), &progress).unwrap();
        for k in [3, 6, 8] {
            let expected = &all[..all.partition_point(|pair| pair.distance <= k)];
            let plan = choose(&values, 64, k);
            let found = near_pairs(&values, &plan, &progress).unwrap();
            assert!(found == expected, "{}, k = {k}: {} pairs by {plan}", kind.name(), found.len());
        }
    }
}

/// Copies as planted data has them, and again as many of the first values.
fn with_copies(values: &[u128]) -> Vec<Option<u128>> {
    let again = values.iter().take(values.len() / 3);
    values.iter().chain(again).copied().map(Some).chain([None]).collect()
}

/// The slow twin of [`count_candidates`]: compares every pair of values with every key.
fn naive_candidates<B: Bits>(distinct: &Distinct<B>, layout: &Layout) -> u64 {
    let copies = |entry: usize| distinct.documents(entry as u32).len() as u64;
    let values = distinct.values();
    let mut candidates = 0;
    for a in 0..values.len() {
        candidates += copies(a) * (copies(a) - 1) / 2;
        for b in a + 1..values.len() {
            let xor = (values[a] ^ values[b]).to_wide();
            if layout.first_table_with_shared_key(xor).is_some() {
                candidates += copies(a) * copies(b);
            }
        }
    }
    candidates
}

/// A plan of `m` blocks of about equal width.
fn plan_of_blocks(n: usize, width: u32, k: u32, m: u32) -> Plan {
    let mut plan = Plan::scan(n, width, k);
    plan.method = Method::Blocks(BlockPlan::even(n, width, plan.k(), m));
    plan
}

proptest! {
    #![proptest_config(crate::support::cases(48))]

    /// Many bands of a bit or two: keys that take nothing apart.
    #[test]
    fn candidates_of_narrow_bands_are_counted_as_if_gone_through(
        values in any_kind(64, 300), bands in 1..=64_u32, bits in 1..=3_u32,
    ) {
        let layout = Layout::bands(64, bands.min(64 / bits), bits).unwrap();
        let distinct = Distinct::collapse(&with_copies(&values), &Progress::new()).unwrap();
        let found = count_candidates(&distinct, &layout, &Progress::new()).unwrap();
        prop_assert_eq!(found, naive_candidates(&distinct, &layout));
    }

    /// Large buckets too: a band of few bits holds most of skewed data.
    #[test]
    fn candidates_are_counted_as_if_gone_through((values, layout) in cases(400)) {
        let distinct = Distinct::collapse(&with_copies(&values), &Progress::new()).unwrap();
        let found = count_candidates(&distinct, &layout, &Progress::new()).unwrap();
        prop_assert_eq!(found, naive_candidates(&distinct, &layout));
    }

    #[test]
    fn pairs_within_k_are_counted_with_their_copies(
        values in any_kind(64, 300), k in 0..12_u32,
    ) {
        let distinct = Distinct::collapse(&with_copies(&values), &Progress::new()).unwrap();
        let plan = choose(distinct.values(), 64, k);
        let at = count_at_distances(&distinct, &plan, &Progress::new()).unwrap();
        let pairs = all_pairs(distinct.values(), k);
        prop_assert_eq!(at.iter().sum::<u64>(), count_document_pairs(&distinct, &pairs));
        let mut expected = vec![0; k as usize + 1];
        for pair in document_pairs(&distinct, &pairs) {
            expected[pair.distance as usize] += 1;
        }
        prop_assert_eq!(at, expected);
    }
}

#[test]
fn a_heavy_bucket_in_every_band_is_counted_without_going_through_it() {
    // 100,000 values that differ in the low 20 bits alone share all of the upper bands.
    let values: Vec<Option<u64>> = (0..100_000_u64).map(Some).collect();
    let distinct = Distinct::collapse(&values, &Progress::new()).unwrap();
    let layout = Layout::bands(64, 4, 16).unwrap();
    let found = count_candidates(&distinct, &layout, &Progress::new()).unwrap();
    assert_eq!(found, 100_000 * 99_999 / 2);
}

/// Taking away what was taken away would go through 2^63 sets of bands.
#[test]
fn many_narrow_bands_cost_no_more_than_all_pairs() {
    let values: Vec<Option<u64>> =
        (0..3000_u64).map(|n| Some(n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 3)).collect();
    let distinct = Distinct::collapse(&values, &Progress::new()).unwrap();
    for (bands, bits) in [(64, 1), (32, 1), (24, 1), (32, 2), (21, 3)] {
        let layout = Layout::bands(64, bands, bits).unwrap();
        let found = count_candidates(&distinct, &layout, &Progress::new()).unwrap();
        assert_eq!(found, naive_candidates(&distinct, &layout), "{bands}x{bits}");
    }
}
