//! The change that the answer to each query brings: one line a query.

use super::{
    super::{App, ask::AppQuery, query},
    docs::{self, disagreements, documents, fields},
    groups, near, review, similar, tables, titles,
    tune::{compare, lab, label, layouts, sweep},
};

macro_rules! arrivals {
    ($($query:ident $(=> $arrived:path)? $(, or $failed:path)?;)+) => {
        $(impl AppQuery for query::$query {
            $(fn arrived(app: &mut App) {
                $arrived(app);
            })?
            $(fn failed(app: &mut App, problem: &str) {
                $failed(app, problem);
            })?
        })+
    };
}

/// The view itself shows the reason why there is no answer.
fn shown(_: &mut App, _: &str) {}

arrivals! {
    Rows => documents::show_rows;
    TextSearch;
    Admission;
    Document, or shown;
    Neighbours => near::show_neighbours;
    Texts => near::texts::show_first_difference, or shown;
    Why, or shown;
    Similarities => similar::take;
    Window => tables::show_window;
    Groups => groups::take_single;
    LinkedGroups => groups::take_linked, or groups::leave_complete;
    Shapes => groups::take_shapes;
    Chain => groups::go_to_chain;
    Distances;
    Advice;
    Load => layouts::take_load;
    Wear;
    PairTable;
    Labelling => label::on_prepared;
    Assessment;
    PairToJudge => label::on_shown, or label::on_unreadable;
    LayoutEvaluation => lab::on_tried, or lab::on_failed;
    RowPairs => lab::on_pairs;
    SweepStep => sweep::take, or sweep::on_failed;
    Flags => docs::take_flags;
    EqualTexts => docs::take_equal_texts;
    Health;
    Disagreements => disagreements::fit;
    Changes => compare::fit;
    Decisions, or shown;
    Export => review::written, or review::not_written;
    Marks => review::take_marks, or review::not_restored;
    KeepReview => review::kept, or review::not_written;
    Titles => titles::take;
    FieldValues => fields::take;
    FieldNames;
    TextKind => docs::tell_text_kind;
}
