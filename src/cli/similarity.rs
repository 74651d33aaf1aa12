//! `--similarity`: the k for texts of a least similarity, before a command searches.

use std::sync::Arc;

use anyhow::{bail, ensure};

use super::args::Command;
use super::options::CommandRun;
use super::work::{analyse, staged};
use crate::analysis::grouping::SearchSummary;
use crate::analysis::similarity::WANTED;
use crate::analysis::{Analysis, AnalysisDepth, Stage};
use crate::evaluate::angle;

/// Refuses the option for commands that search no pairs.
pub(super) fn refuse(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Pairs(given) if given.table_field.is_none() => Ok(()),
        Command::Query(_) | Command::Groups(_) | Command::Dedup(_) => Ok(()),
        _ => bail!(
            "--similarity is for pairs, groups, dedup, query and the explorer; give -k, or leave it out"
        ),
    }
}

/// The run with the k for its similarity, if it names one. Reads the corpus for that, once for both.
pub(super) fn settle(mut run: CommandRun) -> anyhow::Result<CommandRun> {
    if run.similarity.is_none() {
        return Ok(run);
    }
    ensure!(
        run.layouts.is_empty(),
        "--similarity chooses k and searches all pairs within it; leave --blocks and --bands out, or give -k"
    );
    let read = analyse(&run.without_search(), AnalysisDepth::Fingerprints, true, &mut |_, _| {})?;
    ensure!(
        read.records.iter().any(|it| it.n_features > 0),
        "--similarity compares texts, and this corpus has none; give -k"
    );
    let (choice, similar) = staged(&run, Stage::Compare, |job| read.k_for_similarity(job))?;
    run.settings.k = choice.k;
    run.notes.note(&choice);
    let read = Arc::unwrap_or_clone(read);
    run.read = Some(Arc::new(Analysis { similar_texts: Some(Arc::new(similar)), ..read }));
    Ok(run)
}

/// Notes what the search for a similarity cost, and what bands would find and cost in its place.
pub(super) fn note_cost(run: &CommandRun, found: &SearchSummary) {
    let Some(similarity) = run.similarity else { return };
    run.notes.note(&format_args!("every pair within {} was found: {}", run.settings.k, found.plan));
    let width = run.settings.recipe.bits;
    if let Some((bands, bits)) = angle::cheapest_bands(width, similarity, WANTED) {
        run.notes.note(&format_args!(
            "by theory --bands {bands}x{bits} would find {:.1} % of the pairs at {similarity}, and compare {} of all \
             unlike pairs",
            100.0 * angle::candidate(bands, bits, similarity),
            share(angle::candidate(bands, bits, 0.0)),
        ));
    }
}

/// A share in percent, with two digits.
fn share(share: f64) -> String {
    let percent = 100.0 * share;
    if percent >= 10.0 { format!("{percent:.0} %") } else { format!("{percent:.2} %") }
}
