//! Rows about a search on many machines.

use super::Fact;
#[cfg(feature = "columnar")]
use super::{Cell, Kind};
use crate::analysis::offers::DistributedPlan;
#[cfg(feature = "columnar")]
use crate::index::FingerprintPair;

/// The plan for a number of blocks.
pub(crate) struct PlanRow<'a> {
    pub(crate) plan: &'a DistributedPlan,
    /// Pairs expected by chance.
    pub(crate) chance: f64,
    pub(crate) recipe: &'a str,
}

/// The columns of plans, with what a program needs if they are for one.
pub(crate) fn plans<'a>(for_a_program: bool) -> Vec<Fact<PlanRow<'a>>> {
    let mut facts = vec![
        Fact::count("blocks", |it: &PlanRow<'a>| Some(it.plan.layout.block_list().len() as u64)),
        Fact::count("tables", |it| Some(it.plan.layout.tables().len() as u64)),
        Fact::count("key_bits", |it| Some(it.plan.key_bits.into())),
        Fact::number("rows", |it| Some(it.plan.rows)),
        Fact::number("bytes", |it| Some(it.plan.bytes)),
        Fact::number("rows_a_key", |it| Some(it.plan.rows_a_key)),
        Fact::number("comparisons", |it| Some(it.plan.comparisons)),
        Fact::number("core_hours", |it| Some(it.plan.core_hours)),
        Fact::number("chance_pairs", |it| Some(it.chance)),
    ];
    if for_a_program {
        facts.push(Fact::words("masks", |it| {
            let tables = it.plan.layout.tables().iter();
            tables.map(|table| (table.mask as u64 as i64).to_string()).collect()
        }));
        facts.push(Fact::text("recipe", |it| Some(it.recipe.into())));
    }
    facts
}

/// Two fingerprints of one part of such a search, and their distance.
#[cfg(feature = "columnar")]
pub(crate) fn part_pairs() -> Vec<Fact<FingerprintPair>> {
    vec![
        Fact::cell_of("fp_a", Kind::Count, |it: &FingerprintPair| Cell::Integer(it.a as i64)),
        Fact::cell_of("fp_b", Kind::Count, |it| Cell::Integer(it.b as i64)),
        Fact::count("distance", |it| Some(it.distance.into())),
    ]
}
