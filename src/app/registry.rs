//! The place of the answer to each query: one line a query.

use super::{
    App,
    query::{self, Query},
    resource::{Background, Resource},
};

/// A query whose answers the program keeps.
pub(super) trait StoredQuery: Query {
    /// The place where its answers are kept.
    fn resource(app: &mut App) -> &mut Resource<Self>;
}

macro_rules! registry {
    ($($query:ident => $($field:ident).+;)+) => {
        $(impl StoredQuery for query::$query {
            fn resource(app: &mut App) -> &mut Resource<Self> {
                &mut app.$($field).+
            }
        })+

        impl App {
            /// Everything that is computed in the background, but analyses.
            pub(super) fn background(&self) -> impl Iterator<Item = &dyn Background> {
                let all: [&dyn Background; _] = [$(&self.$($field).+),+];
                all.into_iter()
            }

            /// The same, to be changed.
            pub(super) fn background_mut(&mut self) -> impl Iterator<Item = &mut dyn Background> {
                let all: [&mut dyn Background; _] = [$(&mut self.$($field).+),+];
                all.into_iter()
            }
        }
    };
}

// The first that runs is the one that a stop names.
registry! {
    Rows => docs.rows;
    TextSearch => docs.searching;
    Admission => docs.admission;
    Document => document;
    Neighbours => near.listing;
    Texts => near.texts;
    Why => near.why.answer;
    Similarities => similar.asked;
    Window => tables.lookup;
    Groups => groups.single;
    LinkedGroups => groups.linked;
    Shapes => groups.asked_shapes;
    Chain => groups.chain;
    Distances => tune.distances.measured;
    Advice => tune.distances.advised;
    Load => tune.layouts.load;
    Wear => learn.wear.worn;
    PairTable => learn.bench.pairs;
    Labelling => tune.label.labelling;
    Assessment => tune.label.assessed;
    PairToJudge => tune.label.pair;
    LayoutEvaluation => tune.lab.evaluation;
    RowPairs => tune.lab.asked_pairs;
    SweepStep => tune.sweep.step;
    Flags => docs.flags;
    EqualTexts => docs.equal_texts;
    Health => docs.health.found;
    Disagreements => docs.disagreements.found;
    Changes => tune.compare.found;
    Decisions => review.decisions;
    Export => review.export;
    Marks => review.restored;
    KeepReview => review.keeping;
    Titles => titles.asked;
    TextKind => docs.text_kind;
    FieldValues => docs.fields.asked;
    FieldNames => docs.fields.there;
}
