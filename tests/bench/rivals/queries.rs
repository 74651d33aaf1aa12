//! Queries, one thread: simscope beside mih-rs at its best number of blocks.
//!
//! Ten thousand queries in a row, half of them near something; the time of one is the mean of a row.
//! Our index is one for every k, theirs has the blocks that are best for each.

use mih_rs::Index;

use crate::{
    answer::Answer,
    asked::Asked,
    data::{self, Kind},
    measure::{self, Turns},
    ours,
    report::{self, Goal, Row, size, time},
    theirs,
};

const SIZES: [usize; 2] = [1_000_000, 10_000_000];
const DISTANCES: [u32; 3] = [3, 6, 10];
const N_QUERIES: usize = 10_000;
/// Queries by which the rival's number of blocks is chosen.
const N_TRIALS: usize = 1000;

/// Makes the table.
pub(crate) fn run(asked: &Asked) {
    let mut rows = Vec::new();
    for n in SIZES {
        for kind in Kind::ALL {
            let name = |k: &u32| format!("query/{}/k{k}/{}", size(n), kind.name());
            let wanted: Vec<u32> =
                DISTANCES.into_iter().filter(|k| asked.wants(&name(k))).collect();
            if !wanted.is_empty() {
                rows.extend(rows_of(asked, n, kind, &wanted));
            }
        }
    }
    report::table("A query", "mih-rs", &rows);
}

fn rows_of(asked: &Asked, n: usize, kind: Kind, distances: &[u32]) -> Vec<Row> {
    let values = kind.values::<u64>(n);
    let queries = data::queries(&values, N_QUERIES);
    let indexes: Vec<_> = theirs::index_blocks(asked.full)
        .iter()
        .map(|&blocks| {
            let (index, seconds) = measure::cpu(|| theirs::build_index(&values, blocks));
            eprintln!("    mih-rs, {blocks} blocks: built in {seconds:.2} s");
            index
        })
        .collect();
    let (ours, seconds) = measure::cpu(|| ours::build_index(&values));
    eprintln!("    simscope: built in {seconds:.2} s");
    let row = |&k: &u32| row(asked, &ours, &queries, k, best(&indexes, &queries, k));
    distances
        .iter()
        .map(|k| {
            let row = row(k);
            Row { work: format!("{}, k = {k}, {}: {}", size(n), kind.name(), row.work), ..row }
        })
        .collect()
}

fn row(asked: &Asked, ours: &ours::Index, queries: &[u64], k: u32, theirs: &Index<u64>) -> Row {
    let expected = their_answer(theirs, queries, k);
    our_answer(ours, queries, k).must_equal(expected, &format!("queries, k = {k}"));

    let first = (our_seconds(ours, queries, k), their_seconds(theirs, queries, k));
    let turns = Turns::take(
        asked.budget(),
        first,
        || our_seconds(ours, queries, k),
        || their_seconds(theirs, queries, k),
    );
    let one = |seconds: f64| time(seconds / queries.len() as f64);
    Row {
        work: format!("{} found", expected.count),
        ours: one(turns.ours()),
        beside: format!("{} ({} blocks)", one(turns.theirs()), theirs.num_blocks()),
        ratio: Some(turns.ratio()),
        goal: Some(Goal::AtMost(1.0)),
    }
}

/// The rival's fastest index for `k`.
fn best<'a>(indexes: &'a [Index<u64>], queries: &[u64], k: u32) -> &'a Index<u64> {
    let trial = |index: &Index<u64>| {
        let seconds = their_seconds(index, &queries[..N_TRIALS], k) / N_TRIALS as f64;
        eprintln!("    mih-rs, k = {k}, {} blocks: {}", index.num_blocks(), time(seconds));
        seconds
    };
    let timed = indexes.iter().map(|index| (index, trial(index)));
    timed.min_by(|left, right| left.1.total_cmp(&right.1)).expect("some indexes").0
}

fn our_answer(index: &ours::Index, queries: &[u64], k: u32) -> Answer {
    let found = (0..).zip(queries).flat_map(|(number, &query)| {
        ours::query(index, query, k).into_iter().map(move |found| (number, found.entry))
    });
    tagged(found)
}

fn their_answer(index: &Index<u64>, queries: &[u64], k: u32) -> Answer {
    let mut searcher = index.range_searcher();
    let found = (0..).zip(queries).flat_map(|(number, &query)| {
        let found = searcher.run(query, k as usize).to_vec();
        found.into_iter().map(move |entry| (number, entry))
    });
    tagged(found)
}

/// The answer that holds these entries, each with its query's number.
fn tagged(found: impl Iterator<Item = (u32, u32)>) -> Answer {
    let mut answer = Answer::default();
    for (number, entry) in found {
        answer.add(u64::from(number) << 32 | u64::from(entry));
    }
    answer
}

fn our_seconds(index: &ours::Index, queries: &[u64], k: u32) -> f64 {
    let count = || queries.iter().map(|&query| ours::query(index, query, k).len()).sum::<usize>();
    measure::cpu(|| std::hint::black_box(count())).1
}

fn their_seconds(index: &Index<u64>, queries: &[u64], k: u32) -> f64 {
    let mut searcher = index.range_searcher();
    let mut count =
        || queries.iter().map(|&query| searcher.run(query, k as usize).len()).sum::<usize>();
    measure::cpu(|| std::hint::black_box(count())).1
}
