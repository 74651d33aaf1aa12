//! Numbers of the selected group.

use super::number::ExplainedNumber;
use crate::{
    analysis::dedup::Reason,
    app::App,
    number::{counted, grouped},
};

/// Numbers of the group selected in Groups.
pub(in crate::app) fn of_the_group(app: &App) -> Vec<ExplainedNumber> {
    let Some(shape) = app.groups.shape() else { return Vec::new() };
    let (k, farthest) = (shape.k, shape.farthest);
    let least = if farthest.is_exact { "" } else { "at least " };
    let mut numbers = vec![
        ExplainedNumber::new(
            "diameter",
            format!("{least}{}", farthest.distance),
            format!(
                "the largest distance of any two of its fingerprints: {least}{}",
                farthest.distance
            ),
            "If it is above k the group is a chain: two of its documents are not near each other.",
        ),
        ExplainedNumber::new(
            "covered",
            shape.covered.to_string(),
            format!(
                "members within k = {k} of the representative: {} of {}",
                shape.covered, shape.documents
            ),
            "If only the representative is kept, these members have a near-duplicate left and the others do not.",
        ),
        ExplainedNumber::new(
            "covered by medoid",
            shape.covered_by_medoid.to_string(),
            format!(
                "members within k = {k} of the one nearest to all: {} of {}",
                shape.covered_by_medoid, shape.documents
            ),
            "If this number is larger, keep the medoid instead of the representative; another member may be better still.",
        ),
    ];
    if let Some(weakest) = shape.weakest {
        let parts: Vec<String> = shape.cut.iter().take(5).map(u32::to_string).collect();
        let more = if shape.cut.len() > 5 { " + .." } else { "" };
        numbers.push(ExplainedNumber::new(
            "weakest",
            weakest.to_string(),
            format!(
                "the longest link of the tree: {weakest}; k = {} splits the {} into {}{more}",
                weakest.saturating_sub(1),
                counted(u64::from(shape.documents), "document"),
                parts.join(" + ")
            ),
            "The tree connects the group by the shortest possible links; a k smaller than this one cuts it.",
        ));
    }
    numbers.extend(of_the_review(app));
    numbers
}

/// The documents that the review drops.
fn of_the_review(app: &App) -> Option<ExplainedNumber> {
    let decisions = app.decisions()?;
    let n = decisions.dropped.len() as u64;
    let count = |reason| grouped(decisions.count(reason));
    let mut how = format!(
        "{} with the text of the one kept for them + {} with its fingerprint + {} near it = {}",
        count(Reason::EqualText),
        count(Reason::EqualFingerprint),
        count(Reason::Near),
        grouped(n)
    );
    if !decisions.spared.is_empty() {
        how += &format!(
            "; {} more are near, and spared: the kept one has less than half of their text",
            grouped(decisions.spared.len() as u64)
        );
    }
    Some(ExplainedNumber::new(
        "drops",
        grouped(n),
        how,
        "Each of them has a kept document within k. w writes the list and the corpus without them.",
    ))
}
