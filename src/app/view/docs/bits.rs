//! The Bits view: the votes on every bit of the selected document.

use std::sync::Arc;

use super::super::contract::{ListOfView, View};
use super::list::DocsView;
use crate::app::page::{ANY, Block, Page, Part, Place, VoteBars};
use crate::app::screen::docs::bits::COSINE;
use crate::app::{Action, App, Screen, Size};
use crate::evaluate::angle;
use crate::explain::BitExplanation;
use crate::explain::figures::{signed, weight};
use crate::facts::ExplainedNumber;
use crate::facts::figures::digits;
use crate::id::DocId;
use crate::number::counted;
use crate::present::page::Section;

/// The id of the selected document, and remarks on its fingerprint, the least important first.
fn titles(app: &App) -> (String, Vec<String>) {
    let Some(document) = app.query() else { return (String::new(), Vec::new()) };
    let title = app.shown_id(document);
    let Some(record) = app.analysis.record(document) else { return (title, Vec::new()) };
    let Some(fingerprint) = record.fingerprint else {
        let why =
            if record.unreadable { "could not be read" } else { "no features, so no fingerprint" };
        return (title, vec![why.to_owned()]);
    };
    let set = fingerprint.bits().count_ones();
    let mut remarks = vec![format!("{set} of {} bits set", fingerprint.width())];
    for (n, what) in [(record.n_features, "feature"), (u32::from(record.n_ties), "tie")] {
        remarks.extend((n > 0).then(|| counted(n.into(), what)));
    }
    if record.dominated {
        let is_one = record.n_features == 1;
        let words = if is_one { "it decides every bit" } else { "one outweighs the rest" };
        remarks.push(words.to_owned());
    }
    (title, remarks)
}

/// The reason why there are no votes to explain; `None` where there are.
fn missing(app: &App) -> Option<String> {
    Some(match (app.document.problem(), app.open_bits()) {
        (_, Some(_)) if !app.docs.votes.sections.is_empty() => return None,
        (Some(problem), _) => problem.to_owned(),
        (None, Some(open)) if open.lines.is_none() => {
            "this row has no text, so there are no votes to explain".to_owned()
        }
        (None, Some(_)) => "votes are shown when every document is counted ..".to_owned(),
        (None, None) if app.query().is_none() => "no document is selected".to_owned(),
        (None, None) => "..".to_owned(),
    })
}

/// The Bits view.
pub(in crate::app) struct BitsView;

impl View for BitsView {
    fn act(&self, app: &mut App, action: Action) -> bool {
        let width = app.analysis.settings.recipe.bits;
        match action {
            Action::Enter if app.query().is_none() => app.say("no document is selected"),
            Action::Enter => app.screen = Screen::Pair,
            Action::Sideways(by) => app.docs.votes.sideways(by, width),
            Action::FindNext(step) => {
                if let Some(margins) = app.open_bits().and_then(|open| open.margins.clone()) {
                    app.docs.votes.to_weak(&margins, step);
                }
            }
            _ => return false,
        }
        true
    }

    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        DocsView.list(app)
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        app.query().into_iter().collect()
    }

    fn refresh(&self, app: &mut App) {
        if let Some(open) = app.open_bits().map(Arc::clone) {
            let findings = app.open_findings();
            if app.docs.votes.explain(&open, &findings) {
                app.page.top = 0;
            }
        }
    }

    fn sections(&self, app: &App) -> Vec<Section> {
        match missing(app) {
            None => app.docs.votes.sections.clone(),
            Some(_) => Vec::new(),
        }
    }

    fn page<'a>(&self, app: &'a App, size: Size) -> Page<'a> {
        let (title, remarks) = titles(app);
        // Beside the sentences the bars have the whole height.
        let is_beside = Place::Wide.cells(size) < Place::Across.cells(size);
        let most = if is_beside { size.body() } else { (size.body() / 2).saturating_sub(1) | 1 };
        let bars = VoteBars {
            print: app.query().and_then(|query| app.analysis.fingerprint(query)),
            votes: app.open_votes(),
            blocks: app.layout().block_list().to_vec(),
            names: Vec::new(),
            bit: Some(app.docs.votes.bit(app.layout().width())),
        };
        let votes = Part::new(title, 5..=most.max(5), Block::Votes(bars))
            .remarked(remarks.join(", "))
            .at(Place::Wide, 0);
        let why = match missing(app) {
            Some(why) => Part::text("why", [why], 0, Place::Right, size),
            None => Part::new("why", 4..=ANY, Block::Sections).at(Place::Right, 0),
        };
        Page { parts: vec![votes, why] }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let Some(open) = app.open_document() else { return Vec::new() };
        let width = app.analysis.settings.recipe.bits;
        let bit = app.docs.votes.bit(width);
        let mut numbers = Vec::new();
        if let Some(feature_votes) = open.feature_votes.as_ref().filter(|it| it.votes.width() > bit)
        {
            let explained = BitExplanation::new(feature_votes, bit, open.recipe.tie);
            let (ones, zeros) = explained.sides();
            let (ones, zeros, value) = (weight(ones), weight(zeros), u8::from(explained.bit.value));
            let v = signed(explained.bit.votes);
            numbers.push(ExplainedNumber::new(format!("V of bit {bit}"), &v).explained(
                format!(
                    "weights of features whose hash has a 1 there - weights of the others = {ones} - {zeros} = {v}; so the bit is {value}"
                ),
                "The sum of the votes; its sign is the bit.",
            ));
            let [votes, norm] = [explained.bit.votes.to_f64().abs(), open.norm()].map(digits);
            let margin = format!("{:.2}", explained.bit.margin);
            numbers.push(ExplainedNumber::new("margin", &margin).explained(
                format!("|V| / ||w|| = {votes} / {norm} = {margin}"),
                "How firmly the bit was decided; below 0.1 it is weak. By chance 5 bits of 64 are weak.",
            ));
            let chance = digits(angle::flips(explained.bit.margin, COSINE));
            numbers.push(ExplainedNumber::new("flip chance", &chance).explained(
                format!("Phi(-c z / sqrt(1 - c^2)) with c = {COSINE}, z = {margin}: {chance}"),
                "How likely this bit is to differ in a text at that cosine.",
            ));
        }
        if let Some(margins) = &open.margins {
            let flips = digits(margins.expected_flips(COSINE));
            numbers.push(ExplainedNumber::new("bits to flip", &flips).explained(
                format!("sum of the flip chances of all {width} bits at cosine {COSINE} = {flips}"),
                "The expected distance of a text at that cosine, by the margins of this document.",
            ));
        }
        numbers.extend(DocsView.numbers(app));
        numbers
    }
}
