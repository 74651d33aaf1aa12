//! `simscope explain`: why a pair is found, or is not found; with one id, the reasons for a document's bits.

use anyhow::{bail, ensure};

use super::args::ExplainArgs;
use super::options::CommandRun;
use super::work::finish;
use super::{explain_json, lookup};
use crate::analysis::explained_pair::ExplainedPair;
use crate::analysis::inspection::Inspection;
use crate::analysis::{Analysis, AnalysisDepth};
use crate::explain::triage::{Finding, TriageFacts, findings};
use crate::explain::{BitExplanation, BitMargins, PairExplanation};
use crate::export::Format;
use crate::facts::documents::{bits as bit_columns, votes};
use crate::facts::layouts::{TableRow, tables};
use crate::id::DocId;
use crate::present::document::FeatureLimits;
use crate::present::page::{PageLine, Section};
use crate::present::{document, lines, pair};
use crate::simhash::{FeatureVotes, Recipe};

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, ask: &ExplainArgs) -> anyhow::Result<u8> {
    let width = run.settings.recipe.bits;
    if let Some(bit) = ask.bit {
        ensure!(bit < width, "--bit {bit}: a fingerprint of {width} bits has 0 to {}", width - 1);
    }
    match &ask.b {
        None if ask.exit_code => bail!("--exit-code: is about a pair; give two ids"),
        // A name that is not UTF-8 is shown in replacement characters, like the name of such a file.
        Some(b) => pair(run, ask, &b.to_string_lossy()),
        None => one(run, ask),
    }
}

/// The exit status of a pair that is not near, if it is asked for.
const NOT_NEAR: u8 = 3;

/// Explains a pair.
fn pair(run: &CommandRun, ask: &ExplainArgs, b: &str) -> anyhow::Result<u8> {
    let (analysis, code) = finish(run, AnalysisDepth::Index)?;
    let [first, second] = [&ask.a, b].map(|id| lookup::document(run, &analysis, id));
    let documents = [first?, second?];
    let fingerprints = [
        lookup::fingerprint(&analysis, documents[0])?,
        lookup::fingerprint(&analysis, documents[1])?,
    ];
    let is_near = fingerprints[0].distance(fingerprints[1]) <= run.settings.k;
    let code = if ask.exit_code && !is_near { NOT_NEAR } else { code };
    if !matches!(run.format, Format::Table | Format::Jsonl) {
        let layout = analysis.index.as_deref().expect("this depth has an index").layout();
        let outcomes = PairExplanation::new(fingerprints[0], fingerprints[1], layout).tables;
        let row = |(at, outcome)| TableRow { layout, at, outcome: Some(outcome) };
        run.write_rows(tables(), outcomes.iter().enumerate().map(row))?;
        return Ok(code);
    }
    let opened = [analysis.open(documents[0])?, analysis.open(documents[1])?];
    let it = ExplainedPair::new(&analysis, documents, fingerprints, &opened, ask.top);
    let ids = documents.map(|document| analysis.corpus.id(document));
    let tie = run.settings.recipe.tie;
    let [one, other] = opened.each_ref().map(|(_, feature_votes)| feature_votes.as_ref());
    let feature_votes = it.texts.as_ref().and(one.zip(other)).map(<[&FeatureVotes; 2]>::from);
    let bits = feature_votes.zip(ask.bit).map(|(feature_votes, bit)| {
        (feature_votes, feature_votes.map(|votes| BitExplanation::new(votes, bit, tie)))
    });
    if run.format == Format::Jsonl {
        return write_json(run, &explain_json::pair(&it, ids, bits.as_ref(), ask.top))
            .map(|()| code);
    }
    let mut sections = vec![pair::beginning(&it, ids)];
    sections.extend(pair::candidacy(&it));
    sections.extend(match bits {
        Some((feature_votes, bits)) => {
            pair::bits_of(feature_votes, &bits, ask.cosine, lengths(ask))
        }
        None => pair::texts(&it, ask.top),
    });
    write_sections(run, &sections).map(|()| code)
}

fn write_json(run: &CommandRun, object: &explain_json::Object) -> anyhow::Result<()> {
    Ok(run.target.write(run.format, &(serde_json::to_string(object)? + "\n"))?)
}

fn write_sections(run: &CommandRun, sections: &[Section]) -> anyhow::Result<()> {
    Ok(run.write_text(&lines::text(sections))?)
}

fn lengths(ask: &ExplainArgs) -> FeatureLimits {
    FeatureLimits { waterfall: ask.top, names: ask.top }
}

/// Explains one document.
fn one(run: &CommandRun, ask: &ExplainArgs) -> anyhow::Result<u8> {
    let run = &run.without_search();
    let (analysis, code) = finish(run, AnalysisDepth::Fingerprints)?;
    let id = lookup::document(run, &analysis, &ask.a)?;
    let (_, feature_votes) = analysis.open(id)?;
    let recipe = &run.settings.recipe;
    let findings = flags(run, &analysis, id, feature_votes.as_ref());
    let name = (analysis.corpus.id(id), analysis.fingerprint(id));
    let bit = feature_votes.as_ref().zip(ask.bit);
    let bit = bit.map(|(feature_votes, bit)| {
        (feature_votes, BitExplanation::new(feature_votes, bit, recipe.tie))
    });
    match (run.format, bit) {
        (Format::Jsonl, bit) => {
            let feature_votes = feature_votes.as_ref();
            let bit = bit.as_ref().map(|(_, bit)| bit);
            let json = explain_json::document(name, recipe, feature_votes, &findings, ask, bit);
            write_json(run, &json)?;
        }
        (Format::Table, _) => {
            let (id, fingerprint) = name;
            let fingerprint = fingerprint.map_or("no fingerprint".to_owned(), |it| it.to_string());
            let title = PageLine::from(fingerprint + "  ").name(id);
            write_sections(run, &one_as_text(title, recipe, feature_votes, &findings, ask))?;
        }
        (_, Some((feature_votes, bit))) => {
            let steps = bit.steps.iter();
            let rows = steps.map(|step| (&feature_votes.features[step.feature], step));
            run.write_rows(votes(), rows)?;
        }
        // No row without text.
        (_, None) => {
            let margins = feature_votes.map(|votes| BitMargins::new(&votes, recipe.tie));
            let bits = margins.iter().flat_map(|margins| margins.bits.iter().rev());
            run.write_rows(bit_columns(), bits.map(|bit| (bit, ask.cosine)))?;
        }
    }
    Ok(code)
}

/// The document in words, with the bit of `--bit` or all bits.
fn one_as_text(
    title: PageLine,
    recipe: &Recipe,
    feature_votes: Option<FeatureVotes>,
    findings: &[Finding],
    ask: &ExplainArgs,
) -> Vec<Section> {
    let (is_text, most) = (feature_votes.is_some(), lengths(ask));
    let open = Inspection::new(DocId(0), recipe.clone(), None, feature_votes, usize::MAX);
    let mut about = document::document(title, &open, findings, ask.cosine, most);
    if !is_text && findings.is_empty() {
        about.say("this row has no text, so there are no votes to explain");
    }
    let mut sections = vec![about];
    match (&open.margins, ask.bit) {
        (Some(margins), Some(bit)) => {
            sections.extend(document::bit(&open, &margins.bits[bit as usize], ask.cosine, most));
        }
        (Some(margins), None) => sections.push(document::votes(margins, ask.cosine)),
        (None, _) => {}
    }
    sections
}

/// The reasons for which the document's distances may mislead, as far as this document alone shows them.
fn flags(
    run: &CommandRun,
    analysis: &Analysis,
    id: DocId,
    feature_votes: Option<&FeatureVotes>,
) -> Vec<Finding> {
    let recipe = &run.settings.recipe;
    let facts = match feature_votes {
        Some(feature_votes) => TriageFacts::of(feature_votes, recipe, None),
        None if analysis.fingerprint(id).is_none() => {
            TriageFacts::empty(recipe.bits, recipe.features)
        }
        None => return Vec::new(),
    };
    findings(&facts)
}
