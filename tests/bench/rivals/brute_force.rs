//! Everything with everything, one thread: pairs a second beside the machine's limit.

use crate::answer::Answer;
use crate::asked::Asked;
use crate::data::Kind;
use crate::limit::{self, Level};
use crate::measure::{self, Turns};
use crate::report::{self, Goal, Row, size, three, time};
use crate::{ours, theirs};

const N: usize = 100_000;
const K: u32 = 3;

/// Makes the table.
pub(crate) fn run(asked: &Asked) {
    let mut rows = Vec::new();
    let level = Level::detect();
    for kind in Kind::ALL {
        let values = kind.values::<u64>(N);
        let what = format!("of {}, {}", size(N), kind.name());
        if asked.wants(&format!("scan/{}/{}", size(N), kind.name())) {
            let expected = theirs::all_pairs(&values, K, 4);
            let expected = expected.into_iter().map(|(a, b)| (a as u32, b as u32));
            let found = ours::scan(&values, K).into_iter().map(|pair| (pair.a, pair.b));
            Answer::of_pairs(found).must_equal(Answer::of_pairs(expected), &what);
            let work = format!("pairs within {K} {what}");
            rows.push(row(asked, &work, level, || ours::scan(&values, K)));
        }
        if asked.wants(&format!("histogram/{}/{}", size(N), kind.name())) {
            check_histogram(&values, &ours::histogram(&values));
            let work = format!("distance histogram {what}");
            rows.push(row(asked, &work, level, || ours::histogram(&values)));
        }
    }
    report::table("Brute force", &format!("limit: {}", level.name()), &rows);
}

fn row<T>(asked: &Asked, work: &str, level: Level, ours: impl Fn() -> T + Sync) -> Row
where
    T: Send,
{
    let n_pairs = (N * (N - 1) / 2) as f64;
    let pool = ours::pool(1);
    let ours = || measure::cpu(|| pool.install(&ours)).1;
    let limit = || n_pairs / limit::pairs_per_second(level, n_pairs);
    // The limit over us: a ratio of rates is that of times turned round.
    let turns = Turns::take(asked.budget(), (limit(), ours()), limit, ours);
    let rate = |seconds: f64| format!("{}e9 pairs/s", three(n_pairs / seconds * 1e-9));
    Row {
        work: format!("{work}: {}", time(turns.theirs())),
        ours: rate(turns.theirs()),
        beside: rate(turns.ours()),
        ratio: Some(turns.ratio()),
        goal: Some(Goal::AtLeast(0.8)),
    }
}

/// Stops unless `counts` has every pair once and those within [`K`] at the right distances.
fn check_histogram(values: &[u64], counts: &[u64]) {
    let total: u64 = counts.iter().sum();
    assert_eq!(total, (N * (N - 1) / 2) as u64, "every pair is counted once");
    let mut near = [0; K as usize + 1];
    for pair in ours::scan(values, K) {
        near[pair.distance as usize] += 1;
    }
    assert_eq!(counts[..near.len()], near, "pairs within {K} are at their distances");
}
