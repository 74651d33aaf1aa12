//! `simscope cluster`: searches on many machines. `plan` prints the price of finding all near pairs for each number of
//! blocks, `sql` the search as one query for systems that cannot run this program, `open` opens the explorer on the
//! fingerprints and pairs that a cluster made.
//!
//! The query does what tables do: a fingerprint has a row for each table, rows of equal keys are joined, and pairs
//! within the distance are kept. Equal fingerprints are made one row before, so copies make no pairs.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde::Deserialize;

use super::args::{Args, OpenArgs};
use super::explore::{self, ExploreRequest};
use super::options::CommandRun;
use super::recipe_args;
use super::value::Dialect;
use crate::analysis::LayoutChoice;
use crate::analysis::offers::{DistributedPlan, cheapest};
use crate::evaluate::distances::expected_pairs;
use crate::export::{Format, Target, quoted, visible_path};
use crate::facts::cluster::{PlanRow, plans as plans_as_rows};
use crate::index::Layout;
use crate::number::counted;
use crate::simhash::Recipe;

/// Prints the price of each number of blocks; the exit code.
pub(super) fn plan(run: &CommandRun, n: f64) -> anyhow::Result<u8> {
    let (width, k) = (run.settings.recipe.bits, run.settings.k);
    ensure!(
        width <= 64,
        "a search on many machines is for fingerprints of at most 64 bits; give --bits 64"
    );
    let plans = match run.settings.layout {
        LayoutChoice::Auto => DistributedPlan::all(n, width, k)?,
        LayoutChoice::Blocks(m) => vec![DistributedPlan::new(n, width, k, m)?],
        _ => bail!("a search on many machines uses one level of blocks; give --blocks M"),
    };
    let (recipe, chance) = (run.settings.recipe.to_string(), expected_pairs(n as u64, k, width));
    let rows = plans.iter().map(|plan| PlanRow { plan, chance, recipe: &recipe });
    run.write_rows(plans_as_rows(run.format == Format::Jsonl), rows)?;
    if let (Some(best), true) = (cheapest(&plans), plans.len() > 1) {
        let m = best.layout.block_list().len();
        let tables = counted(best.layout.tables().len() as u64, "table");
        run.notes.note(&format_args!("cheapest: --blocks {m}, {tables}, if bits are random"));
    }
    Ok(0)
}

/// Prints the query; the exit code.
pub(super) fn sql(run: &CommandRun, dialect: Dialect) -> anyhow::Result<u8> {
    let (width, k) = (run.settings.recipe.bits, run.settings.k);
    if let Target::File(path) = &run.target {
        let shown = visible_path(path);
        let of_rows = Format::of_name(&shown);
        ensure!(
            of_rows.is_none(),
            "{shown}: a query is SQL, not {}; give -o a name such as query.sql",
            of_rows.map_or_else(String::new, |it| it.to_string()),
        );
    }
    ensure!(width <= 64, "databases have whole numbers of 64 bits; give --bits 64 or less");
    let layout = match run.settings.layout {
        // One block more than the program itself would take, because databases compare slowly.
        LayoutChoice::Auto => LayoutChoice::Blocks(k + 2).layout(0, width, k)?,
        LayoutChoice::Blocks(_) => run.settings.layout(0)?,
        _ => bail!("the query has one level of blocks; give --blocks M"),
    };
    run.target.write(run.format, &query(dialect, &layout, k))?;
    Ok(0)
}

fn query(dialect: Dialect, layout: &Layout, k: u32) -> String {
    let template = match dialect {
        Dialect::Spark => include_str!("../../assets/cluster/spark.sql"),
        Dialect::Duckdb => include_str!("../../assets/cluster/duckdb.sql"),
        Dialect::Clickhouse => include_str!("../../assets/cluster/clickhouse.sql"),
    };
    let mask = |(table, bits): (usize, u64)| match dialect {
        Dialect::Spark => format!("CAST('{}' AS BIGINT)", bits as i64),
        Dialect::Duckdb => format!("({table}, CAST('{}' AS BIGINT))", bits as i64),
        Dialect::Clickhouse => format!("({table}, toUInt64({bits}))"),
    };
    let masks = layout.tables().iter().map(|table| table.mask as u64).enumerate();
    let masks: Vec<String> = masks.map(mask).collect();
    template
        .replace("{within}", &counted(u64::from(k), "bit"))
        .replace("{n_tables}", &masks.len().to_string())
        .replace("{masks}", &masks.join(",\n    "))
        .replace("{k}", &k.to_string())
}

/// The note beside the folders of a job.
#[derive(Deserialize)]
struct JobNote {
    /// Missing where the job was given fingerprints of an unknown recipe.
    recipe: Option<String>,
    k: u32,
}

/// Turns the folders into the data that the explorer is opened with, after a check that the pairs are those of the
/// fingerprints.
pub(super) fn open(mut args: Args, given: &OpenArgs) -> anyhow::Result<ExploreRequest> {
    let OpenArgs { fingerprints, pairs } = given;
    if let Some(note) =
        pairs.as_ref().unwrap_or(fingerprints).parent().map(|at| at.join("_simscope.json"))
        && note.is_file()
    {
        let shown = visible_path(&note);
        let read =
            || anyhow::Ok(serde_json::from_str::<JobNote>(&std::fs::read_to_string(&note)?)?);
        let JobNote { recipe, k } = read().with_context(|| shown.clone())?;
        let recipe: Option<Recipe> =
            recipe.map(|line| line.parse()).transpose().context(shown.clone())?;
        if let Some(recipe) = recipe.as_ref().filter(|_| args.recipe.is_given()) {
            ensure!(
                recipe_args::recipe(&args.recipe)?.to_string() == recipe.to_string(),
                "{}: its fingerprints are of another recipe, as {shown} says; give --recipe {}, or none",
                visible_path(fingerprints),
                quoted(&recipe.to_string()),
            );
        } else if let Some(recipe) = recipe {
            args.recipe.recipe = Some(recipe);
        }
        args.search.distance = args.search.distance.or(Some(k));
    }
    args.paths = vec![fingerprints.clone()];
    let request = explore::run(args)?;
    if let Some(pairs) = pairs {
        check(&request, fingerprints, pairs)?;
    }
    Ok(request)
}

/// Finds the pairs of the fingerprints and compares them with the given ones.
#[cfg(feature = "columnar")]
fn check(request: &ExploreRequest, fingerprints: &Path, pairs: &Path) -> anyhow::Result<()> {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicU64, Ordering};

    use crate::corpus::read_number_folder;
    use crate::index::{Pair, choose, visit_pairs};
    use crate::progress::Progress;

    // The order of pairs is not fixed, and a sum of their hashes does not depend on it.
    let name = |a: u64, b: u64| {
        let mixed = (a.min(b) ^ a.max(b).rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ mixed >> 32
    };
    let field = request.start.options.fingerprint_field.as_deref().unwrap_or("fingerprint");
    let mut values = Vec::new();
    read_number_folder(fingerprints, [field, field], &mut |value, _| values.push(value))?;
    values.sort_unstable();
    values.dedup();
    let (mut n_there, mut sum_there) = (0, 0_u64);
    read_number_folder(pairs, ["fp_a", "fp_b"], &mut |a, b| {
        n_there += 1;
        sum_there = sum_there.wrapping_add(name(a, b));
    })?;
    let (n_here, sum_here) = (AtomicU64::new(0), AtomicU64::new(0));
    let (k, width) = (request.start.settings.k, request.start.settings.recipe.bits);
    let plan = choose(&values, width, k);
    let _ = visit_pairs(&values, &plan, &Progress::new(), &|found: &[Pair]| {
        let of = |pair: &Pair| name(values[pair.a as usize], values[pair.b as usize]);
        sum_here.fetch_add(found.iter().map(of).fold(0, u64::wrapping_add), Ordering::Relaxed);
        n_here.fetch_add(found.len() as u64, Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    let (n_here, sum_here) = (n_here.into_inner(), sum_here.into_inner());
    if (n_there, sum_there) != (n_here, sum_here) {
        let of_fingerprints =
            if n_here == n_there { "others".to_owned() } else { counted(n_here, "pair") };
        bail!(
            "{}: {}, but the fingerprints have {of_fingerprints} within {k}; name pairs and fingerprints of one run, \
             and its -k",
            visible_path(pairs),
            counted(n_there, "pair"),
        );
    }
    Ok(())
}

/// Refuses the pairs, since this build reads no Parquet.
#[cfg(not(feature = "columnar"))]
fn check(_: &ExploreRequest, _: &Path, pairs: &Path) -> anyhow::Result<()> {
    let shown = visible_path(pairs);
    bail!("{shown}: this build reads no Parquet; build with --features columnar")
}
