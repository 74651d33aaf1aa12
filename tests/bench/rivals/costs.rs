//! Other costs of all pairs: a second thread, memory, twice the width.
//!
//! Two threads are also told beside two searches that run side by side and share nothing: two cores of a
//! machine seldom do twice the work of one, and a search hardly has more of them.

use std::thread;

use rayon::ThreadPool;
use simscope::index::Pair;

use crate::asked::Asked;
use crate::data::Kind;
use crate::measure::{self, Spread, Turns};
use crate::report::{self, Goal, Row, size, time};
use crate::{memory, ours};

const K: u32 = 3;
/// A distance that folds do not serve.
const BUCKETS_K: u32 = 6;
const SIZES: [usize; 2] = [1_000_000, 10_000_000];

/// Makes the tables.
pub(crate) fn run(asked: &Asked) {
    let (mut threads, mut limits) = (Vec::new(), Vec::new());
    let (mut memories, mut widths) = (Vec::new(), Vec::new());
    for n in SIZES {
        for kind in Kind::ALL {
            let name = |of: &str| format!("{of}/{}/{}", size(n), kind.name());
            if asked.wants(&name("threads")) {
                threads.push(two_threads(asked, n, kind));
                limits.push(two_searches(asked, n, kind));
            }
            if asked.wants(&name("memory")) {
                memories.extend([K, BUCKETS_K].map(|k| working_memory(n, kind, k)));
            }
            if n == SIZES[0] && asked.wants(&name("width")) {
                widths.push(double_width(asked, n, kind));
            }
        }
    }
    report::table("Two threads, wall time", "one thread", &threads);
    report::table(
        "Two threads, beside two searches of one thread side by side: their wall time, halved",
        "the machine's limit",
        &limits,
    );
    report::table(
        "Working memory: most bytes at one time beyond input and answer",
        "24 bytes a fingerprint",
        &memories,
    );
    report::table("128 bits", "64 bits", &widths);
}

fn work(n: usize, kind: Kind) -> String {
    format!("{}, k = {K}, {}", size(n), kind.name())
}

fn two_threads(asked: &Asked, n: usize, kind: Kind) -> Row {
    let values = kind.values::<u64>(n);
    let pools = [ours::pool(2), ours::pool(1)];
    let seconds =
        |pool: usize| measure::wall(|| pools[pool].install(|| ours::all_pairs(&values, K))).1;
    let first = (seconds(0), seconds(1));
    let turns = Turns::take(asked.budget(), first, || seconds(0), || seconds(1));
    Row {
        work: work(n, kind),
        ours: time(turns.ours()),
        beside: time(turns.theirs()),
        ratio: Some(turns.ratio()),
        goal: Some(Goal::AtMost(0.55)),
    }
}

fn two_searches(asked: &Asked, n: usize, kind: Kind) -> Row {
    let copies = [kind.values::<u64>(n), kind.values(n)];
    let (both, alone) = (ours::pool(2), [ours::pool(1), ours::pool(1)]);
    let search = |pool: &ThreadPool, values: &[u64]| pool.install(|| ours::all_pairs(values, K));
    let seconds = || measure::wall(|| search(&both, &copies[0])).1;
    let limit = || {
        let side_by_side = || {
            thread::scope(|scope| {
                let other = scope.spawn(|| search(&alone[1], &copies[1]));
                (search(&alone[0], &copies[0]), other.join().expect("no panic"))
            })
        };
        measure::wall(side_by_side).1 / 2.0
    };
    let turns = Turns::take(asked.budget(), (seconds(), limit()), seconds, limit);
    Row {
        work: work(n, kind),
        ours: time(turns.ours()),
        beside: time(turns.theirs()),
        ratio: Some(turns.ratio()),
        goal: None,
    }
}

fn working_memory(n: usize, kind: Kind, k: u32) -> Row {
    const ALLOWED: f64 = 24.0;
    let values = kind.values::<u64>(n);
    let pool = ours::pool(1);
    let (pairs, peak) = memory::peak(|| pool.install(|| ours::all_pairs(&values, k)));
    let bytes = (peak - pairs.len() * size_of::<Pair>()) as f64 / n as f64;
    Row {
        work: format!("{}, k = {k}, {}: {} pairs", size(n), kind.name(), pairs.len()),
        ours: format!("{bytes:.1} B each"),
        beside: format!("{ALLOWED:.0} B each"),
        ratio: Some(Spread::of(&[bytes / ALLOWED])),
        goal: Some(Goal::AtMost(1.0)),
    }
}

fn double_width(asked: &Asked, n: usize, kind: Kind) -> Row {
    let (wide, narrow) = (kind.values::<u128>(n), kind.values::<u64>(n));
    let pool = ours::pool(1);
    let wide = || measure::cpu(|| pool.install(|| ours::all_pairs(&wide, K))).1;
    let narrow = || measure::cpu(|| pool.install(|| ours::all_pairs(&narrow, K))).1;
    let turns = Turns::take(asked.budget(), (wide(), narrow()), wide, narrow);
    Row {
        work: work(n, kind),
        ours: time(turns.ours()),
        beside: time(turns.theirs()),
        ratio: Some(turns.ratio()),
        goal: Some(Goal::AtMost(2.5)),
    }
}
