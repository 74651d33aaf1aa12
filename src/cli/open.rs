//! `simscope open`: the explorer on the fingerprints and pairs that a cluster made.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde::Deserialize;

use super::{
    args::{Args, OpenArgs},
    explore::{self, ExploreRequest},
    recipe_args,
};
use crate::{export::quoted, simhash::Recipe, text::visible::visible};

/// The note beside the folders of a job.
#[derive(Deserialize)]
struct JobNote {
    /// Missing where the job was given fingerprints of an unknown recipe.
    recipe: Option<String>,
    k: u32,
}

/// Turns the folders into the data that the explorer is opened with, after a check that the pairs are those of the
/// fingerprints.
pub(super) fn run(mut args: Args, given: &OpenArgs) -> anyhow::Result<ExploreRequest> {
    let OpenArgs { fingerprints, pairs } = given;
    if let Some(note) =
        pairs.as_ref().unwrap_or(fingerprints).parent().map(|at| at.join("_simscope.json"))
        && note.is_file()
    {
        let shown = visible(&note.to_string_lossy()).into_owned();
        let read =
            || anyhow::Ok(serde_json::from_str::<JobNote>(&std::fs::read_to_string(&note)?)?);
        let JobNote { recipe, k } = read().with_context(|| shown.clone())?;
        let recipe: Option<Recipe> =
            recipe.map(|line| line.parse()).transpose().context(shown.clone())?;
        if let Some(recipe) = recipe.as_ref().filter(|_| args.recipe.is_given()) {
            ensure!(
                recipe_args::recipe(&args.recipe)?.to_string() == recipe.to_string(),
                "{}: its fingerprints are of another recipe, as {shown} says; give --recipe {}, or none",
                visible(&fingerprints.to_string_lossy()),
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
    use std::{
        ops::ControlFlow,
        sync::atomic::{AtomicU64, Ordering},
    };

    use crate::{
        corpus::read_number_folder,
        index::{Pair, choose, visit_pairs},
        number::counted,
        progress::Progress,
    };

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
            visible(&pairs.to_string_lossy()),
            counted(n_there, "pair"),
        );
    }
    Ok(())
}

/// Refuses the pairs, since this build reads no Parquet.
#[cfg(not(feature = "columnar"))]
fn check(_: &ExploreRequest, _: &Path, pairs: &Path) -> anyhow::Result<()> {
    let shown = visible(&pairs.to_string_lossy()).into_owned();
    bail!("{shown}: this build reads no Parquet; build with --features columnar")
}
