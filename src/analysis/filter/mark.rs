//! The properties of documents that a filter can ask for, such as `is:near`.

use crate::{
    analysis::{Analysis, TwinKind},
    choice::choice,
    explain::triage::{Flag, FlagLimits, is_tied},
    id::DocId,
};

choice! {
    /// A property of a document that a filter can ask for with `is:`.
    pub enum Mark, "mark" {
        /// Has a near-duplicate.
        #[default]
        Near = "near",
        /// Another document has an equal text.
        Copy = "copy",
        /// Another document has an equal fingerprint, and no other document is known to have an equal text.
        SameBits = "samebits",
        /// Has no features, so no fingerprint.
        Empty = "empty",
        /// The tie rule alone decides an eighth of its bits or more.
        Tied = "tied",
        /// One feature has most of its squared norm; before flags are known: one feature outweighs all others.
        Dominated = "dominated",
        /// Held bytes that are not UTF-8.
        Lossy = "lossy",
        /// Has few features.
        Short = "short",
        /// Consists mainly of common features; unknown until the flags are known.
        Boilerplate = "boilerplate",
        /// May mislead: empty, short, tied, dominated or boilerplate.
        Flagged = "flagged",
        /// Belongs to the reference.
        Reference = "reference",
        /// Has a near-duplicate in the other corpus, the reference or the first.
        Across = "across",
        /// Is marked by the user as kept or dropped.
        Marked = "marked",
    }
}

/// Whether a document has a property, as far as is known from the analysis, which has no marks of the user.
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
        Mark::Marked => false,
        Mark::Reference => analysis.corpus.is_reference(document),
        // With a reference, near-duplicates are searched in the other corpus only.
        Mark::Across => {
            analysis.corpus.reference().is_some() && has(analysis, document, Mark::Near)
        }
        Mark::Lossy => analysis.corpus.flags(document).is_lossy(),
    }
}
