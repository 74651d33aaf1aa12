//! `simscope plan`: the price of finding all near pairs on many machines, for each number of blocks.

use anyhow::ensure;

use super::options::CommandRun;
use crate::{
    analysis::{
        LayoutChoice,
        offers::{DistributedPlan, chance_pairs, cheapest},
    },
    export::{Cell, Format},
    number::counted,
};

const COLUMNS: &[&str] = &[
    "blocks",
    "tables",
    "key_bits",
    "rows",
    "bytes",
    "rows_a_key",
    "comparisons",
    "core_hours",
    "chance_pairs",
];
const FOR_A_PROGRAM: &[&str] = &[
    "blocks",
    "tables",
    "key_bits",
    "rows",
    "bytes",
    "rows_a_key",
    "comparisons",
    "core_hours",
    "chance_pairs",
    "masks",
    "recipe",
];

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, n: f64) -> anyhow::Result<u8> {
    let (width, k) = (run.settings.recipe.bits, run.settings.k);
    ensure!(
        width <= 64,
        "a search on many machines is for fingerprints of at most 64 bits; give --bits 64"
    );
    let plans = match run.settings.layout {
        LayoutChoice::Auto => DistributedPlan::all(n, width, k)?,
        LayoutChoice::Blocks(m) => vec![DistributedPlan::new(n, width, k, m)?],
        _ => anyhow::bail!("a search on many machines uses one level of blocks; give --blocks M"),
    };
    let is_for_a_program = run.format == Format::Jsonl;
    let mut report = run.report(if is_for_a_program { FOR_A_PROGRAM } else { COLUMNS });
    let recipe = run.settings.recipe.to_string();
    let chance = chance_pairs(n, k, width);
    for plan in &plans {
        let tables = plan.layout.tables();
        let masks: Vec<String> =
            tables.iter().map(|table| (table.mask as u64 as i64).to_string()).collect();
        let cells = [
            Cell::Number(plan.layout.block_list().len() as u64),
            Cell::Number(tables.len() as u64),
            Cell::Number(u64::from(plan.key_bits)),
            Cell::Decimal(plan.rows),
            Cell::Decimal(plan.bytes),
            Cell::Decimal(plan.rows_a_key),
            Cell::Decimal(plan.comparisons),
            Cell::Decimal(plan.core_hours),
            Cell::Decimal(chance),
            Cell::Words(&masks),
            Cell::Text(&recipe),
        ];
        report.row(if is_for_a_program { &cells } else { &cells[..COLUMNS.len()] })?;
    }
    report.finish()?;
    if let (Some(best), true) = (cheapest(&plans), plans.len() > 1) {
        let m = best.layout.block_list().len();
        let tables = counted(best.layout.tables().len() as u64, "table");
        run.notes.note(&format_args!("cheapest: --blocks {m}, {tables}, if bits are random"));
    }
    Ok(0)
}
