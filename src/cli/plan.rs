//! `simscope plan`: the price of finding all near pairs on many machines, for each number of blocks.

use anyhow::ensure;

use super::options::CommandRun;
use crate::{
    analysis::{
        LayoutChoice,
        distributed_plan::{DistributedPlan, chance_pairs, cheapest},
    },
    export::Format,
    facts::cluster::{PlanRow, plans as columns},
    number::counted,
};

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
    let mut report = run.report(columns(run.format == Format::Jsonl));
    let (recipe, chance) = (run.settings.recipe.to_string(), chance_pairs(n, k, width));
    for plan in &plans {
        report.row(&PlanRow { plan, chance, recipe: &recipe })?;
    }
    report.finish()?;
    if let (Some(best), true) = (cheapest(&plans), plans.len() > 1) {
        let m = best.layout.block_list().len();
        let tables = counted(best.layout.tables().len() as u64, "table");
        run.notes.note(&format_args!("cheapest: --blocks {m}, {tables}, if bits are random"));
    }
    Ok(0)
}
