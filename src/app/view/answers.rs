//! The queries of the program: one line for each, with the place of its answer and the change that the answer brings.

use super::super::ask::AppQuery;
use super::super::resource::Background;
use super::docs::{self, documents, groups};
use super::tune::{label, layouts, recipes};
use super::{listed, pair, review, tables};
use crate::app::{App, Resource, query};

macro_rules! queries {
    ($($query:ident => $($field:ident).+ $(, then $arrived:path)? $(, or $failed:path)?;)+) => {
        $(impl AppQuery for query::$query {
            fn resource(app: &mut App) -> &mut Resource<Self> {
                &mut app.$($field).+
            }

            $(fn arrived(app: &mut App) {
                $arrived(app);
            })?

            $(fn failed(app: &mut App, problem: &str) {
                $failed(app, problem);
                app.notice_stays = true;
            })?
        })+

        impl App {
            /// The resources of all queries.
            pub(in crate::app) fn background(&self) -> impl Iterator<Item = &dyn Background> {
                let all: [&dyn Background; _] = [$(&self.$($field).+),+];
                all.into_iter()
            }

            /// The resources of all queries, to be changed.
            pub(in crate::app) fn background_mut(
                &mut self,
            ) -> impl Iterator<Item = &mut dyn Background> {
                let all: [&mut dyn Background; _] = [$(&mut self.$($field).+),+];
                all.into_iter()
            }
        }
    };
}

/// Does nothing, because the view itself shows the reason why there is no answer.
fn shown(_: &mut App, _: &str) {}

// A stop names the first running query in this order.
queries! {
    Rows => docs.rows, then documents::show_rows;
    TextSearch => docs.searching;
    FilterScan => docs.admission;
    DocumentQuery => document, or shown;
    NeighboursQuery => near.listing, then pair::show_neighbours;
    Texts => near.texts, then pair::show_first_difference, or shown;
    Why => near.why, or shown;
    SimilaritiesQuery => similar.asked, then listed::take_similarities;
    Window => tables.lookup, then tables::show_window;
    GroupsQuery => groups.single, then groups::take_single;
    LinkedGroups => groups.linked, then groups::take_linked, or groups::leave_complete;
    DistancesQuery => tune.distances.measured;
    AdviceQuery => tune.distances.advised;
    LoadQuery => tune.layouts.load, then layouts::take_load;
    LabellingQuery => tune.label.labelling, then label::on_prepared;
    AssessmentQuery => tune.label.assessed;
    PairsToJudge => tune.label.batch, then label::on_batch;
    PairToJudge => tune.label.pair, or label::on_unreadable;
    LayoutEvaluationQuery => tune.layouts.evaluation, then layouts::on_tried, or layouts::on_failed;
    SweepStep => tune.sweep.step, then recipes::take, or shown;
    Flags => docs.flags, then docs::take_flags;
    EqualTextsQuery => docs.equal_texts, then docs::take_equal_texts;
    DisagreementsQuery => docs.check.disagreements;
    ChangesQuery => tune.compare.found;
    DecisionsQuery => review.decisions, or shown;
    Export => review.export, then review::written, or review::not_written;
    MarksQuery => review.restored, then review::take_marks, or review::not_restored;
    KeepReview => review.keeping, then review::kept, or App::say;
    TitlesQuery => titles.asked, then listed::take_titles;
    TextKindQuery => docs.text_kind, then docs::advise_on_text_kind;
    FieldValues => docs.fields.asked, then documents::take_fields;
    FieldNamesQuery => docs.fields.there;
}
