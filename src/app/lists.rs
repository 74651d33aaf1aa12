//! The rows of the present view's list, for a file: all of them, with the columns of the commands where a command
//! writes the same rows.

use super::{App, ViewId, rows};
use crate::app::screen::docs::OpenKind;
use crate::app::screen::docs::bits::COSINE;
use crate::app::screen::tune::label::Below;
use crate::app::view::docs::groups::members;
use crate::explain::overlap::AlignedFeature;
use crate::facts::documents::bits;
use crate::facts::layouts::{LayoutRow, TableRow, evaluations, layouts, tables};
use crate::facts::pairs::{ChangeRow, changes, disagreements};
use crate::facts::recipes::recipes;
use crate::facts::thresholds::{JudgedRow, TunedRow, judged, tuned};
use crate::facts::{Fact, Rows};
use crate::id::DocId;

impl App {
    /// All rows of the view's list; `None` if the view has none, or not yet.
    pub(crate) fn list(&self) -> Option<Rows> {
        Some(match self.view() {
            ViewId::Docs if self.lists_groups() => members_of_groups(self)?,
            ViewId::Docs => documents(self),
            ViewId::Bits => {
                let bits_of = &self.open_bits()?.margins.as_ref()?.bits;
                Rows::of(&bits(), bits_of.iter().rev().map(|bit| (bit, COSINE)))
            }
            // Problems are words for people, with no command that writes them as rows.
            ViewId::Check if matches!(self.docs.check.open, Some(OpenKind::Unread(_))) => {
                return None;
            }
            ViewId::Check => {
                let found = &self.docs.check.disagreements.answer()?.found;
                let id = |document: DocId| self.analysis.corpus.id(document);
                let found = found.iter().map(|it| (it, [it.pair.a, it.pair.b].map(id)));
                Rows::of(&disagreements(), found)
            }
            ViewId::Pair => {
                let near = self.near.neighbours.iter();
                Rows::of(&rows::neighbours(), near.map(|&it| (self, it)))
            }
            ViewId::Tables => tables_of_pair(self),
            ViewId::Judging => judged_rows(self)?,
            ViewId::Tune if self.tune.label.below == Below::Judged => judged_rows(self)?,
            ViewId::Tune => {
                let tuning = self.tune.distances.tuning.as_ref()?;
                let row = |k| TunedRow { tuning, row: self.row_of(tuning, k as u32) };
                Rows::of(&tuned(), (0..tuning.rows.len()).map(row))
            }
            ViewId::Layouts => layouts_of(self)?,
            ViewId::Recipes if self.tune.compare.leads => changes_of(self)?,
            ViewId::Recipes => {
                let running = self.tune.sweep.running.as_ref()?;
                let by = &**running.reference.as_ref()?;
                Rows::of(&recipes(), running.swept.iter().map(|it| (it.as_ref().clone(), by)))
            }
            ViewId::Playground => {
                let overlap = self.learn.playground.overlap();
                let shared = overlap.shared.iter().map(|shared| &shared.feature);
                let only = overlap.only.iter().flatten().map(|only| &only.feature);
                Rows::of(&features(), shared.chain(only))
            }
            _ => return None,
        })
    }
}

/// Each k by the judgements.
fn judged_rows(app: &App) -> Option<Rows> {
    let assessed = app.tune.label.assessed.answer()?;
    Some(Rows::of(&judged(), JudgedRow::all(&assessed.advice, &[])))
}

/// The documents of Docs in their order, with the fields that are shown.
fn documents(app: &App) -> Rows {
    let shown = (0..app.docs.len()).filter_map(|row| app.docs.document(row));
    let mut rows = Rows::of(&rows::documents(app), shown.clone().map(|it| (app, it)));
    for (at, name) in app.docs.fields.names.iter().enumerate() {
        rows.add_words(name, shown.clone().map(|it| app.docs.fields.value(it, at)));
    }
    rows
}

/// The tables, with what each does with the pair of Pair.
fn tables_of_pair(app: &App) -> Rows {
    let (layout, explained) = (app.layout(), app.tables.explanation.as_ref());
    let row = |at| TableRow { layout: &layout, at, outcome: explained.map(|it| &it.tables[at]) };
    Rows::of(&tables(), (0..layout.tables().len()).map(row))
}

/// The texts of all groups, with the decision on each.
fn members_of_groups(app: &App) -> Option<Rows> {
    let n_groups = app.groups.listing.as_ref()?.groups.len() as u32;
    let of = |group| members(app, group).into_iter().map(move |it| (app, (group, it)));
    Some(Rows::of(&rows::members(), (0..n_groups).flat_map(of)))
}

/// The measured layouts; before there are any, those that tables can have.
fn layouts_of(app: &App) -> Option<Rows> {
    let (state, index) = (&app.tune.layouts, app.analysis.index.as_ref()?);
    if state.rows.is_empty() {
        let load = |layout| state.load_of(layout).map(|known| known.load.clone());
        let n = index.n_distinct() as u64;
        let row = |offer| LayoutRow { offer, load: load(&offer.layout), n };
        return Some(Rows::of(&layouts(), state.offers.iter().map(row)));
    }
    let rows = state.rows.iter().map(|row| (*row.evaluation).clone());
    Some(Rows::of(&evaluations(), rows))
}

/// The pairs that the last change of the recipe gained and lost.
fn changes_of(app: &App) -> Option<Rows> {
    let found = app.tune.compare.found.answer()?;
    Some(Rows::of(&changes(), ChangeRow::all(found, &app.analysis.corpus)))
}

/// The columns of the features of two texts.
fn features<'a>() -> Vec<Fact<&'a AlignedFeature>> {
    vec![
        Fact::text("feature", |it: &&AlignedFeature| Some((&*it.shingle).into())),
        Fact::number("in_one", |it| Some(it.weights[0]?.to_f64())),
        Fact::number("in_two", |it| Some(it.weights[1]?.to_f64())),
        Fact::text("hash", |it| Some(format!("{:x}", it.hash).into())),
    ]
}
