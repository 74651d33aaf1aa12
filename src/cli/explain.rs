//! `simscope explain`: why a pair is, or is not, found; with one id, why a document's bits are what they
//! are.

use anyhow::ensure;

use super::{
    args::ExplainArgs,
    lookup,
    options::Run,
    report::{
        Cell, Format, Output, Report,
        comparison::Comparison,
        document::{self, Document},
        explanation::{self, Explained},
        explanation_json,
    },
    work::finish,
};
use crate::{
    analysis::{Analysis, Depth, LayoutChoice},
    explain::{
        BitExplanation, PairExplanation,
        triage::{Facts, Finding, Limits, findings},
    },
    id::DocId,
    simhash::Ballot,
};

const COLUMNS: &[&str] = &["table", "key", "hit", "damaged"];
const BITS: &[&str] = &["bit", "value", "votes", "margin", "flips"];
const FEATURES: &[&str] = &["feature", "count", "push", "sum"];

/// Runs the command; the exit code.
pub(super) fn run(run: &Run, ask: &ExplainArgs) -> anyhow::Result<u8> {
    let width = run.settings.recipe.bits;
    if let Some(bit) = ask.bit {
        ensure!(bit < width, "--bit {bit}: a fingerprint of {width} bits has 0 to {}", width - 1);
    }
    match &ask.b {
        // What is no UTF-8 is shown so, as where it is the name of a file.
        Some(b) => pair(run, ask, &b.to_string_lossy()),
        None => one(run, ask),
    }
}

/// Explains a pair.
fn pair(run: &Run, ask: &ExplainArgs, b: &str) -> anyhow::Result<u8> {
    let (analysis, code) = finish(run, Depth::Shelf)?;
    let [first, second] = [&ask.a, b].map(|id| lookup::document(run, &analysis, id));
    let documents = [first?, second?];
    let fingerprints = [
        lookup::fingerprint(&analysis, documents[0])?,
        lookup::fingerprint(&analysis, documents[1])?,
    ];
    let layout = analysis.shelf.as_deref().expect("depth is shelf").layout();
    let explanation = PairExplanation::new(fingerprints[0], fingerprints[1], layout);
    if matches!(run.format, Format::Csv | Format::Tsv) {
        let mut report = Report::new(COLUMNS, run.format, &run.target);
        let tables = layout.tables().iter().zip(&explanation.tables);
        for (number, (table, outcome)) in tables.enumerate() {
            report.row(&[
                Cell::Number(number as u64 + 1),
                Cell::Text(&table.letters()),
                Cell::Flag(outcome.hit),
                Cell::Words(&explanation::letters(&outcome.damaged)),
            ])?;
        }
        report.finish()?;
        return Ok(code);
    }
    let opened = [analysis.open(documents[0])?, analysis.open(documents[1])?];
    let [(Some(one), Some(votes)), (Some(other), Some(other_votes))] = &opened else {
        return write_pair(run, &analysis, documents, &explanation, None, ask).map(|()| code);
    };
    let comparison = Comparison {
        fingerprinter: &analysis.fingerprinter,
        texts: [one, other],
        ballots: [votes, other_votes],
        fingerprints,
        k: run.settings.k,
        most: ask.top,
    };
    write_pair(run, &analysis, documents, &explanation, Some(comparison), ask).map(|()| code)
}

fn write_pair(
    run: &Run,
    analysis: &Analysis,
    documents: [DocId; 2],
    explanation: &PairExplanation,
    comparison: Option<Comparison<'_>>,
    ask: &ExplainArgs,
) -> anyhow::Result<()> {
    let tie = run.settings.recipe.tie;
    let bits = comparison.as_ref().zip(ask.bit).map(|(comparison, bit)| {
        comparison.ballots.map(|ballot| BitExplanation::new(ballot, bit, tie))
    });
    let explained = Explained {
        ids: documents.map(|document| analysis.corpus.id(document)),
        fingerprints: documents
            .map(|document| analysis.fingerprint(document).expect("looked up before")),
        layout: analysis.shelf.as_deref().expect("depth is shelf").layout(),
        explanation,
        k: run.settings.k,
        comparison,
        bits,
    };
    let mut output = Output::new(&run.target, run.format);
    if run.format == Format::Table {
        explanation::write_text(&explained, run.ascii, &mut output)?;
    } else {
        explanation_json::write_json(&explained, &mut output)?;
    }
    Ok(output.finish()?)
}

/// Explains one document.
fn one(run: &Run, ask: &ExplainArgs) -> anyhow::Result<u8> {
    // No search, so no search option can be wrong.
    let mut run = run.clone();
    (run.settings.k, run.settings.layout) = (0, LayoutChoice::Auto);
    let run = &run;
    let (analysis, code) = finish(run, Depth::Sketches)?;
    let id = lookup::document(run, &analysis, &ask.a)?;
    let (_, ballot) = analysis.open(id)?;
    let findings = flags(run, &analysis, id, ballot.as_ref());
    let it = Document {
        id: analysis.corpus.id(id),
        fingerprint: analysis.fingerprint(id),
        recipe: &run.settings.recipe,
        ballot: ballot.as_ref(),
        findings: &findings,
        cosine: ask.cosine,
        bit: ask.bit,
        most: ask.top,
    };
    match run.format {
        Format::Table | Format::Jsonl => {
            let mut output = Output::new(&run.target, run.format);
            if run.format == Format::Table {
                document::write_text(&it, run.ascii, &mut output)?;
            } else {
                document::write_json(&it, &mut output)?;
            }
            output.finish()?;
        }
        Format::Csv | Format::Tsv => rows(run, &it)?,
    }
    Ok(code)
}

/// A row a bit; or, of the bit asked about, a row a feature.
fn rows(run: &Run, it: &Document<'_>) -> anyhow::Result<()> {
    if let (Some(bit), Some(ballot)) = (it.bit, it.ballot) {
        let explanation = BitExplanation::new(ballot, bit, it.recipe.tie);
        let mut report = Report::new(FEATURES, run.format, &run.target);
        for step in &explanation.steps {
            let voter = &ballot.voters[step.voter];
            report.row(&[
                Cell::Text(&voter.shingle),
                Cell::Number(u64::from(voter.count)),
                Cell::Decimal(step.push.to_f64()),
                Cell::Decimal(step.sum.to_f64()),
            ])?;
        }
        return Ok(report.finish()?);
    }
    let mut report = Report::new(BITS, run.format, &run.target);
    for bit in it.standing().iter().flat_map(|standing| standing.bits.iter().rev()) {
        report.row(&[
            Cell::Number(u64::from(bit.bit)),
            Cell::Number(u64::from(bit.value)),
            Cell::Decimal(bit.votes.to_f64()),
            Cell::Decimal(bit.margin),
            Cell::Decimal(bit.flips(it.cosine)),
        ])?;
    }
    Ok(report.finish()?)
}

/// What misleads about the document, as far as one document tells.
fn flags(run: &Run, analysis: &Analysis, id: DocId, ballot: Option<&Ballot>) -> Vec<Finding> {
    let recipe = &run.settings.recipe;
    let facts = match ballot {
        Some(ballot) => Facts::of(ballot, recipe, None),
        None if analysis.fingerprint(id).is_none() => Facts::empty(recipe.bits, recipe.features),
        None => return Vec::new(),
    };
    findings(&facts, &Limits::default())
}
