//! Documents that hurt: copies, near copies, chains, one bucket. They cost what their answer costs.
//!
//! Copies are collapsed and groups made as the commands do it. Beside each, uniform fingerprints of the
//! same number: what finding nothing much costs.

use crate::asked::Asked;
use crate::data::{self, Random};
use crate::measure::{self, Turns};
use crate::report::{self, Row, size, three, time};
use crate::{memory, ours};

const K: u32 = 3;

/// Makes the table.
pub(crate) fn run(asked: &Asked) {
    let cases = [
        ("equal", "equal documents", vec![Random(8).next(); 200_000]),
        ("ball", "documents one or two bits from one another's centre", data::ball(5000)),
        ("chain", "documents, each a bit from the next", data::chain(2000)),
        ("bucket", "distinct fingerprints with the same first 16 bits", data::bucket(100_000)),
    ];
    let rows: Vec<_> = cases
        .iter()
        .filter(|(name, ..)| asked.wants(&format!("hard/{name}")))
        .map(|(_, what, values)| row(asked, what, values))
        .collect();
    report::table("Worst cases, k = 3", "uniform, as many", &rows);
}

fn row(asked: &Asked, what: &str, values: &[u64]) -> Row {
    let pool = ours::pool(1);
    let even = data::uniform::<u64>(values.len());
    let documents = |values: &[u64]| pool.install(|| ours::documents(values, K));
    let ((n_pairs, n_groups), peak) = memory::peak(|| documents(values));
    let seconds = |values: &[u64]| measure::cpu(|| documents(values)).1;
    let first = (seconds(values), seconds(&even));
    let turns = Turns::take(asked.budget(), first, || seconds(values), || seconds(&even));
    let plural = if n_groups == 1 { "" } else { "s" };
    Row {
        work: format!("{} {what}: {n_pairs} pairs, {n_groups} group{plural}", size(values.len())),
        ours: format!("{}, {} MB", time(turns.ours()), three(peak as f64 * 1e-6)),
        beside: time(turns.theirs()),
        ratio: Some(turns.ratio()),
        goal: None,
    }
}
