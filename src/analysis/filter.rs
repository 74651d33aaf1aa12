//! The filter of the list of documents: words of the id, and marks such as `is:near`.

use std::str::FromStr;

use super::{Analysis, Twin};
use crate::{
    choice::choice,
    explain::triage::{Flag, Limits, is_tied},
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
    }
}

/// A filter as typed: all terms must hold; a leading `-` negates a term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    terms: Vec<(bool, Term)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Term {
    Is(Mark),
    /// A part of the id, in lower case.
    Id(String),
}

impl Filter {
    /// Whether everything passes.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether it asks for marks that need a pass over the texts.
    pub fn needs_flags(&self) -> bool {
        let needs = |term: &Term| {
            matches!(term, Term::Is(Mark::Dominated | Mark::Boilerplate | Mark::Flagged))
        };
        self.terms.iter().any(|(_, term)| needs(term))
    }

    /// Whether it asks which documents with equal fingerprints have equal texts.
    pub fn needs_equal_texts(&self) -> bool {
        let needs = |term: &Term| matches!(term, Term::Is(Mark::Copy | Mark::SameBits));
        self.terms.iter().any(|(_, term)| needs(term))
    }

    /// Whether a document passes. Marks not known yet count as not there.
    pub fn admits(&self, analysis: &Analysis, document: DocId) -> bool {
        self.terms.iter().all(|(wanted, term)| *wanted == term.holds(analysis, document))
    }
}

impl FromStr for Filter {
    type Err = crate::choice::UnknownChoice;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let term = |word: &str| {
            let (wanted, word) = match word.strip_prefix('-') {
                Some(rest) if !rest.is_empty() => (false, rest),
                _ => (true, word),
            };
            let term = match word.strip_prefix("is:") {
                Some(mark) => Term::Is(mark.parse()?),
                None => Term::Id(word.to_lowercase()),
            };
            Ok((wanted, term))
        };
        Ok(Self { terms: text.split_whitespace().map(term).collect::<Result<_, _>>()? })
    }
}

impl Term {
    fn holds(&self, analysis: &Analysis, document: DocId) -> bool {
        match self {
            Self::Is(mark) => has(analysis, document, *mark),
            Self::Id(part) => contains(analysis.corpus.id(document), part),
        }
    }
}

/// Whether `id` holds `part`, which is in lower case, whatever its own case.
pub fn contains(id: &str, part: &str) -> bool {
    id.contains(part) || id.to_lowercase().contains(part)
}

/// Whether a document has a mark, as far as is known.
pub fn has(analysis: &Analysis, document: DocId, mark: Mark) -> bool {
    let sketch = analysis.sketch(document);
    let flagged = |flag| analysis.flags.as_ref().is_some_and(|flags| flags.has(document, flag));
    match mark {
        Mark::Near => analysis.near_count(document).is_some_and(|n| n > 0),
        Mark::Copy => analysis.twin(document) == Some(Twin::Text),
        Mark::SameBits => {
            matches!(analysis.twin(document), Some(Twin::OtherText | Twin::Unknown))
        }
        Mark::Empty => {
            sketch.is_some_and(|sketch| sketch.fingerprint.is_none() && !sketch.unreadable)
        }
        Mark::Tied => sketch
            .is_some_and(|sketch| is_tied(u32::from(sketch.n_ties), analysis.settings.recipe.bits)),
        Mark::Dominated => {
            sketch.is_some_and(|sketch| sketch.dominated) || flagged(Flag::Dominated)
        }
        // A document without text is not short: it has no features to count.
        Mark::Short => {
            sketch.is_some_and(|sketch| (1..Limits::default().short).contains(&sketch.n_features))
        }
        Mark::Boilerplate => flagged(Flag::Boilerplate),
        Mark::Flagged => {
            let known = [Mark::Empty, Mark::Short, Mark::Tied, Mark::Dominated, Mark::Boilerplate];
            known.iter().any(|mark| has(analysis, document, *mark))
        }
        Mark::Lossy => analysis.corpus.flags(document).is_lossy(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_words_and_marks() {
        let filter: Filter = "Harbour -is:empty is:near".parse().unwrap();
        let expected = [
            (true, Term::Id("harbour".into())),
            (false, Term::Is(Mark::Empty)),
            (true, Term::Is(Mark::Near)),
        ];
        assert_eq!(filter.terms, expected);
        let needs = |text: &str| text.parse::<Filter>().unwrap().needs_flags();
        assert_eq!(
            ["tide is:short", "-is:boilerplate", "is:flagged"].map(needs),
            [false, true, true]
        );
        let message = "is:nere".parse::<Filter>().unwrap_err().to_string();
        assert!(message.contains("choose one of near, copy, samebits, empty"), "{message}");
    }
}
