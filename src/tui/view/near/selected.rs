//! The query and the selected pair of Near.

use crate::{app::App, explain::PairExplanation, simhash::Fingerprint, text::visible};

/// The id of the document whose neighbours are listed.
pub(super) fn query_id(app: &App) -> String {
    app.near
        .query
        .map_or_else(String::new, |query| visible(app.analysis.corpus.id(query)).into_owned())
}

/// The fingerprints of the selected pair, and the outcomes of the tables.
pub(super) fn pair(app: &App) -> Option<(Fingerprint, Fingerprint, PairExplanation)> {
    let (query, neighbour) = app.near.pair()?;
    let (a, b) = (app.analysis.fingerprint(query)?, app.analysis.fingerprint(neighbour.document)?);
    Some((a, b, PairExplanation::new(a, b, &app.layout())))
}
