//! The Check view: what misleads in this corpus.

use crate::{
    analysis::disagreement::{Disagreement, DisagreementKind},
    app::{cursor::Cursor, query, resource::Resource},
};

/// The state of the view.
#[derive(Debug, Default)]
pub struct CheckState {
    /// The figures of all fingerprints.
    pub health: Resource<query::HealthQuery>,
    /// The pairs whose bits and texts disagree, perhaps at another k.
    pub disagreements: Resource<query::DisagreementsQuery>,
    /// The cursor in the kinds.
    pub cursor: Cursor,
    /// The kind whose pairs are listed.
    pub open: Option<DisagreementKind>,
    /// The cursor in the listed pairs.
    pub pairs_cursor: Cursor,
}

impl CheckState {
    /// The pairs of a kind.
    pub(in crate::app) fn pairs(&self, kind: DisagreementKind) -> Vec<&Disagreement> {
        let found = self.disagreements.answer().map_or(&[][..], |it| &it.found);
        found.iter().filter(|it| it.kind == kind).collect()
    }

    /// The listed pairs.
    pub(in crate::app) fn listed(&self) -> Vec<&Disagreement> {
        self.open.map_or_else(Vec::new, |kind| self.pairs(kind))
    }

    /// The selected pair.
    pub fn selected(&self) -> Option<&Disagreement> {
        self.listed().get(self.pairs_cursor.selected).copied()
    }
}
