//! All pairs, one thread: simscope beside `MultiSort` at its best number of blocks.

use crate::answer::Answer;
use crate::asked::Asked;
use crate::data::Kind;
use crate::measure::{self, Turns};
use crate::report::{self, Goal, Row, size, time};
use crate::{ours, theirs};

/// Sizes and distances, with the ratios asked for: uniform, skewed.
const WORKS: [(usize, u32, [Option<f64>; 2]); 5] = [
    (100_000, 3, [None, None]),
    (1_000_000, 3, [Some(0.25), Some(0.20)]),
    (10_000_000, 3, [Some(0.40), Some(0.35)]),
    (1_000_000, 6, [Some(0.5), Some(0.5)]),
    (1_000_000, 10, [Some(0.5), Some(0.5)]),
];

/// Makes the table.
pub(crate) fn run(asked: &Asked) {
    let mut rows = Vec::new();
    for (n, k, goals) in WORKS {
        for (kind, goal) in Kind::ALL.into_iter().zip(goals) {
            let name = format!("pairs/{}/k{k}/{}", size(n), kind.name());
            if asked.wants(&name) {
                rows.push(Row { goal: goal.map(Goal::AtMost), ..row(asked, n, k, kind) });
            }
        }
    }
    report::table("All pairs", "MultiSort", &rows);
}

fn row(asked: &Asked, n: usize, k: u32, kind: Kind) -> Row {
    let values = kind.values::<u64>(n);
    let work = format!("{}, k = {k}, {}", size(n), kind.name());
    let pool = ours::pool(1);
    let ours = || measure::cpu(|| pool.install(|| ours::all_pairs(&values, k)));

    let (blocks, their_first, found) = theirs::best_all_pairs(&values, k, asked.full);
    let expected = Answer::of_pairs(found.into_iter().map(|(a, b)| (a as u32, b as u32)));
    let (found, our_first) = ours();
    eprintln!("    simscope: {our_first:.3} s by {}", ours::plan(&values, k));
    Answer::of_pairs(found.into_iter().map(|pair| (pair.a, pair.b))).must_equal(expected, &work);

    let theirs = || measure::cpu(|| theirs::all_pairs(&values, k, blocks)).1;
    let turns = Turns::take(asked.budget(), (our_first, their_first), || ours().1, theirs);
    Row {
        work: format!("{work}: {} pairs", expected.count),
        ours: time(turns.ours()),
        beside: format!("{} ({blocks} blocks)", time(turns.theirs())),
        ratio: Some(turns.ratio()),
        goal: None,
    }
}
