//! Marks of documents, such as `is:near`.

use crate::{
    analysis::{Analysis, TwinKind},
    choice::choice,
    explain::triage::{Flag, FlagLimits, is_tied},
    id::DocId,
};

choice! {
    /// Something a document is.
    pub enum Mark, "mark" {
        /// Has a near-duplicate.
        #[default]
        Near = "near",
        /// Has a document with an equal text.
        Copy = "copy",
        /// Has a document with an equal fingerprint, and none whose text is known to be equal.
        SameBits = "samebits",
        /// Has no features, so no fingerprint.
        Empty = "empty",
        /// Has an eighth of its bits or more decided by the tie rule alone.
        Tied = "tied",
        /// Has one feature with most of its squared norm; before flags are known, one above all others.
        Dominated = "dominated",
        /// Held bytes that are not UTF-8.
        Lossy = "lossy",
        /// Has few features.
        Short = "short",
        /// Consists mainly of common features; unknown until the flags are known.
        Boilerplate = "boilerplate",
        /// Misleads in any of these ways.
        Flagged = "flagged",
        /// Is of the reference.
        Reference = "reference",
        /// Has a near-duplicate in the other corpus, the reference or the first.
        Across = "across",
    }
}

/// Whether a document has a mark, as far as is known.
pub fn has(analysis: &Analysis, document: DocId, mark: Mark) -> bool {
    let record = analysis.record(document);
    let flagged = |flag| analysis.flags.as_ref().is_some_and(|flags| flags.has(document, flag));
    match mark {
        Mark::Near => analysis.near_count(document).is_some_and(|n| n > 0),
        Mark::Copy => analysis.twin(document) == Some(TwinKind::Text),
        Mark::SameBits => {
            matches!(analysis.twin(document), Some(TwinKind::OtherText | TwinKind::Unknown))
        }
        Mark::Empty => {
            record.is_some_and(|record| record.fingerprint.is_none() && !record.unreadable)
        }
        Mark::Tied => record
            .is_some_and(|record| is_tied(u32::from(record.n_ties), analysis.settings.recipe.bits)),
        Mark::Dominated => {
            record.is_some_and(|record| record.dominated) || flagged(Flag::Dominated)
        }
        // A document without text is not short: it has no features to count.
        Mark::Short => record
            .is_some_and(|record| (1..FlagLimits::default().short).contains(&record.n_features)),
        Mark::Boilerplate => flagged(Flag::Boilerplate),
        Mark::Flagged => {
            let known = [Mark::Empty, Mark::Short, Mark::Tied, Mark::Dominated, Mark::Boilerplate];
            known.iter().any(|mark| has(analysis, document, *mark))
        }
        Mark::Reference => analysis.corpus.is_reference(document),
        // With a reference near-duplicates are looked for in the other corpus only.
        Mark::Across => {
            analysis.corpus.reference().is_some() && has(analysis, document, Mark::Near)
        }
        Mark::Lossy => analysis.corpus.flags(document).is_lossy(),
    }
}
