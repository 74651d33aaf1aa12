//! Every number of blocks that a user can ask for beside the planner's choice: which is the worst.

use simscope::index::{MAX_TABLES, binomial};

use crate::{
    asked::Asked,
    data::Kind,
    measure::{self, Turns},
    ours,
    report::{self, Goal, Row, size, time},
};

const N: usize = 100_000;
const DISTANCES: [u32; 3] = [3, 6, 10];

/// Makes the table.
pub(crate) fn run(asked: &Asked) {
    let mut rows = Vec::new();
    for k in DISTANCES {
        for kind in Kind::ALL {
            if asked.wants(&format!("blocks/{}/k{k}/{}", size(N), kind.name())) {
                rows.push(row(asked, k, kind));
            }
        }
    }
    report::table("Any number of blocks: the slowest", "the planner's choice", &rows);
}

/// Times each number of blocks once, and the slowest by turns with the planner's.
fn row(asked: &Asked, k: u32, kind: Kind) -> Row {
    let values = kind.values::<u64>(N);
    let pool = ours::pool(1);
    let timed = |blocks| {
        let work = || ours::all_pairs_blocks(&values, k, blocks).expect("within the limits");
        measure::cpu(|| pool.install(work))
    };
    let (expected, planned) = timed(None);
    let mut slowest = (0, 0.0);
    let range = k + 1..=64;
    let allowed = |&blocks: &u32| binomial(blocks, k) <= u128::from(MAX_TABLES);
    let (mut n_counts, mut n_pairs) = (0, expected.len());
    for blocks in range.take_while(allowed) {
        let (pairs, seconds) = timed(Some(blocks));
        eprintln!("    {blocks} blocks: {seconds:.3} s, {:.1} times", seconds / planned);
        n_pairs = n_pairs.max(pairs.len());
        assert_eq!(pairs, expected, "{blocks} blocks find what the planner's choice finds");
        n_counts += 1;
        if seconds > slowest.1 {
            slowest = (blocks, seconds);
        }
    }
    let slow = || timed(Some(slowest.0)).1;
    let turns = Turns::take(asked.budget(), (slowest.1, planned), slow, || timed(None).1);
    Row {
        work: format!("{}, k = {k}, {}: {n_counts} counts", size(N), kind.name()),
        ours: format!("{} ({} blocks)", time(turns.ours()), slowest.0),
        beside: time(turns.theirs()),
        ratio: Some(turns.ratio()),
        goal: Some(Goal::AtMost(10.0)),
    }
}
