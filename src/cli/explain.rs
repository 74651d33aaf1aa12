//! `simscope explain`: why a pair is, or is not, found; with one id, why a document's bits are what they
//! are.

use std::io::Write as _;

use anyhow::ensure;

use super::{
    args::ExplainArgs,
    explain_json::{self, letters},
    lookup,
    options::Run,
    work::finish,
};
use crate::export::{Cell, Format, Output, Report};
use crate::{
    analysis::{
        Analysis, Depth, LayoutChoice, explained_pair::ExplainedPair, inspection::Inspection,
    },
    explain::{
        BitExplanation, PairExplanation, Standing,
        triage::{Facts, Finding, Limits, findings},
    },
    id::DocId,
    present::{
        document,
        document::Lengths,
        lines,
        page::{Line, Section},
        pair,
    },
    simhash::{Ballot, Fingerprint, Recipe},
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
        // A name that is not UTF-8 is shown in replacement characters, like the name of such a file.
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
    if matches!(run.format, Format::Csv | Format::Tsv) {
        table_rows(run, &analysis, fingerprints)?;
        return Ok(code);
    }
    let opened = [analysis.open(documents[0])?, analysis.open(documents[1])?];
    let it = ExplainedPair::new(&analysis, documents, fingerprints, &opened, ask.top);
    let ids = documents.map(|document| analysis.corpus.id(document));
    let tie = run.settings.recipe.tie;
    let [one, other] = opened.each_ref().map(|(_, ballot)| ballot.as_ref());
    let ballots = it.texts.as_ref().and(one.zip(other)).map(<[&Ballot; 2]>::from);
    let bits = ballots.zip(ask.bit).map(|(ballots, bit)| {
        (ballots, ballots.map(|ballot| BitExplanation::new(ballot, bit, tie)))
    });
    if run.format == Format::Jsonl {
        let bits =
            bits.as_ref().map(|(ballots, bits)| [0, 1].map(|side| (ballots[side], &bits[side])));
        return write_json(run, &explain_json::pair(&it, ids, bits, ask.top)).map(|()| code);
    }
    let mut sections = [pair::beginning(&it, ids), pair::candidacy(&it)].concat();
    sections.extend(match bits {
        Some((ballots, bits)) => pair::bits_of(ballots, &bits, ask.cosine, lengths(ask)),
        None => pair::texts(&it, ask.top),
    });
    write_text(run, &lines::text(&sections, run.ascii)).map(|()| code)
}

/// A row a table.
fn table_rows(run: &Run, analysis: &Analysis, [a, b]: [Fingerprint; 2]) -> anyhow::Result<()> {
    let layout = analysis.shelf.as_deref().expect("depth is shelf").layout();
    let mut report = Report::new(COLUMNS, run.format, &run.target);
    let outcomes = PairExplanation::new(a, b, layout).tables;
    for (number, (table, outcome)) in layout.tables().iter().zip(outcomes).enumerate() {
        report.row(&[
            Cell::Number(number as u64 + 1),
            Cell::Text(&table.letters()),
            Cell::Flag(outcome.hit),
            Cell::Words(&letters(&outcome.damaged)),
        ])?;
    }
    Ok(report.finish()?)
}

fn write_text(run: &Run, text: &str) -> anyhow::Result<()> {
    let mut output = Output::new(&run.target, run.format);
    output.write_all(text.as_bytes())?;
    Ok(output.finish()?)
}

fn write_json(run: &Run, object: &explain_json::Object) -> anyhow::Result<()> {
    write_text(run, &(serde_json::to_string(object)? + "\n"))
}

fn lengths(ask: &ExplainArgs) -> Lengths {
    Lengths { waterfall: ask.top, names: ask.top }
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
    let recipe = &run.settings.recipe;
    let findings = flags(run, &analysis, id, ballot.as_ref());
    let name = (analysis.corpus.id(id), analysis.fingerprint(id));
    let bit = ballot.as_ref().zip(ask.bit);
    let bit = bit.map(|(ballot, bit)| (ballot, BitExplanation::new(ballot, bit, recipe.tie)));
    match (run.format, bit) {
        (Format::Jsonl, bit) => {
            let (cosine, most) = (ask.cosine, ask.top);
            let json =
                explain_json::document(name, recipe, ballot.as_ref(), &findings, (cosine, most));
            write_json(
                run,
                &match bit {
                    Some((ballot, bit)) => json.with_bit(ballot, &bit, most),
                    None => json,
                },
            )?;
        }
        (Format::Table, _) => {
            let (id, fingerprint) = name;
            let fingerprint = fingerprint.map_or("no fingerprint".to_owned(), |it| it.to_string());
            let title = Line::from(fingerprint + "  ").name(id);
            let text = one_as_text(title, recipe, ballot, &findings, ask);
            write_text(run, &lines::text(&text, run.ascii))?;
        }
        (_, Some((ballot, bit))) => feature_rows(run, ballot, &bit)?,
        (_, None) => bit_rows(run, ballot.as_ref(), ask.cosine)?,
    }
    Ok(code)
}

/// The document in words, with the bit asked about or all bits.
fn one_as_text(
    title: Line,
    recipe: &Recipe,
    ballot: Option<Ballot>,
    findings: &[Finding],
    ask: &ExplainArgs,
) -> Vec<Section<'static>> {
    let (is_text, most) = (ballot.is_some(), lengths(ask));
    let open = Inspection::new(DocId(0), recipe.clone(), None, ballot, usize::MAX);
    let mut about = document::document(title, &open, findings, ask.cosine, most);
    if !is_text && findings.is_empty() {
        about.say("the corpus holds its fingerprint and no text, so there are no votes to explain");
    }
    let mut sections = vec![about];
    match (&open.standing, ask.bit) {
        (Some(standing), Some(bit)) => {
            sections.extend(document::bit(&open, &standing.bits[bit as usize], ask.cosine, most));
        }
        (Some(standing), None) => sections.push(document::votes(standing, ask.cosine)),
        (None, _) => {}
    }
    sections
}

/// A row a feature of the bit asked about.
fn feature_rows(run: &Run, ballot: &Ballot, bit: &BitExplanation) -> anyhow::Result<()> {
    let mut report = Report::new(FEATURES, run.format, &run.target);
    for step in &bit.steps {
        let voter = &ballot.voters[step.voter];
        report.row(&[
            Cell::Text(&voter.shingle),
            Cell::Number(u64::from(voter.count)),
            Cell::Decimal(step.push.to_f64()),
            Cell::Decimal(step.sum.to_f64()),
        ])?;
    }
    Ok(report.finish()?)
}

/// A row a bit; none without text.
fn bit_rows(run: &Run, ballot: Option<&Ballot>, cosine: f64) -> anyhow::Result<()> {
    let mut report = Report::new(BITS, run.format, &run.target);
    let standing = ballot.map(|ballot| Standing::new(ballot, run.settings.recipe.tie));
    for bit in standing.iter().flat_map(|standing| standing.bits.iter().rev()) {
        report.row(&[
            Cell::Number(u64::from(bit.bit)),
            Cell::Number(u64::from(bit.value)),
            Cell::Decimal(bit.votes.to_f64()),
            Cell::Decimal(bit.margin),
            Cell::Decimal(bit.flips(cosine)),
        ])?;
    }
    Ok(report.finish()?)
}

/// The reasons why the document's distances may mislead, as far as this document alone shows them.
fn flags(run: &Run, analysis: &Analysis, id: DocId, ballot: Option<&Ballot>) -> Vec<Finding> {
    let recipe = &run.settings.recipe;
    let facts = match ballot {
        Some(ballot) => Facts::of(ballot, recipe, None),
        None if analysis.fingerprint(id).is_none() => Facts::empty(recipe.bits, recipe.features),
        None => return Vec::new(),
    };
    findings(&facts, &Limits::default())
}
