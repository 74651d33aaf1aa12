//! The filter of documents: terms about words, fields, numbers and marks. All terms must hold.
//!
//! ```text
//! tide "low water" -is:copy label:earn words>50 d<=6
//! ```
//!
//! Terms about ids, numbers and marks are answered from memory. For the other terms
//! [`Analysis::search`](super::Analysis::search) reads documents again, only those that pass the terms of the first
//! kind.
//!
//! The properties of documents that a filter can ask for, such as `is:near`.

mod parse;

pub use parse::FilterError;

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::Analysis;
use crate::analysis::filter::parse::NumberOrDate;
use crate::choice::choice;
use crate::corpus::{Pattern, ReadError, RecordView, TooLong};
use crate::explain::triage::{Flag, SHORT, is_tied};
use crate::id::DocId;

choice! {
    /// A number that simscope computes for a document.
    pub enum Number, "number" {
        /// The number of its tokens.
        #[default]
        Words = "words",
        /// The number of its distinct features.
        Features = "features",
        /// The number of its near-duplicates.
        Near = "near",
        /// The number of its group.
        Group = "group",
        /// Its distance to the document that was selected when the filter was typed.
        Distance = "d",
    }
}

choice! {
    /// The id, the title or the path of a document.
    pub enum Part, "part" {
        /// Its id.
        #[default]
        Id = "id",
        /// Its title.
        Title = "title",
        /// The path of its file.
        Source = "source",
    }
}

choice! {
    /// A comparison operator; longer operators come first, because the parser takes the first that fits.
    pub enum Comparison, "comparison" {
        /// At least.
        AtLeast = ">=",
        /// At most.
        AtMost = "<=",
        /// More than.
        More = ">",
        /// Less than.
        Less = "<",
        /// Equal to.
        #[default]
        Equal = ":",
    }
}

/// A filter as typed: all terms must hold; a leading `-` negates a term.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    terms: Vec<(bool, Term)>,
    /// The document from which `d` is measured.
    origin: Option<DocId>,
    /// The documents that the user has marked, if a term asks for them.
    marked: Arc<BTreeSet<DocId>>,
}

#[derive(Clone, Debug, PartialEq)]
enum Term {
    Is(Mark),
    Number(Number, Comparison, f64),
    Part(Part, Pattern),
    /// Words in id, title or text.
    Words(Pattern),
    /// Words in a field of the row.
    Field(String, Pattern),
    /// A comparison of a field of the row.
    FieldIs(String, Comparison, NumberOrDate),
}

impl Filter {
    /// The documents whose id, title or text holds these words.
    ///
    /// # Errors
    /// [`TooLong`] if the words are.
    pub fn words(words: &str) -> Result<Self, TooLong> {
        Ok(Self { terms: vec![(true, Term::Words(Pattern::new(words)?))], ..Self::default() })
    }

    /// The same filter with distances measured from this document.
    #[must_use]
    pub fn measured_from(self, origin: Option<DocId>) -> Self {
        Self { origin, ..self }
    }

    /// Takes the documents that the user has marked, if a term asks for them.
    pub fn take_marked<'a>(&mut self, marked: impl Iterator<Item = &'a DocId> + Clone) {
        if self.needs_marked() && !self.marked.iter().eq(marked.clone()) {
            self.marked = Arc::new(marked.copied().collect());
        }
    }

    /// Whether a term asks for documents that the user has marked.
    pub fn needs_marked(&self) -> bool {
        self.asks(|term| matches!(term, Term::Is(Mark::Marked)))
    }

    /// Whether it has no terms, so that every document passes.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The fields of the rows that its terms name.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().filter_map(|(_, term)| match term {
            Term::Field(name, _) | Term::FieldIs(name, ..) => Some(&**name),
            _ => None,
        })
    }

    /// Whether a term has words between two slashes, as other programs write a regular expression.
    pub fn has_slashes(&self) -> bool {
        self.asks(|term| match term {
            Term::Words(words) | Term::Field(_, words) | Term::Part(_, words) => {
                let words = words.folded();
                words.len() > 2 && words.starts_with('/') && words.ends_with('/')
            }
            _ => false,
        })
    }

    /// Whether `asks` holds for a term.
    fn asks(&self, asks: impl Fn(&Term) -> bool) -> bool {
        self.terms.iter().any(|(_, term)| asks(term))
    }

    /// Whether it needs flags, which take a pass over the texts.
    pub fn needs_flags(&self) -> bool {
        self.asks(|term| {
            matches!(term, Term::Is(Mark::Dominated | Mark::Boilerplate | Mark::Flagged))
        })
    }

    /// Whether it needs to know which documents with equal fingerprints have equal texts.
    pub fn needs_equal_texts(&self) -> bool {
        self.asks(|term| matches!(term, Term::Is(Mark::Copy | Mark::SameBits)))
    }

    /// Whether it needs the numbers of groups.
    pub fn needs_groups(&self) -> bool {
        self.asks(|term| matches!(term, Term::Number(Number::Group, ..)))
    }

    /// Whether it compares a distance, which needs a document to measure from.
    pub fn needs_origin(&self) -> bool {
        self.asks(|term| matches!(term, Term::Number(Number::Distance, ..)))
    }

    /// Whether it needs texts or fields, so that documents must be read again.
    pub fn needs_records(&self) -> bool {
        self.asks(Term::needs_record)
    }

    /// The first term that needs the near pairs or a later result.
    pub fn known_late(&self) -> Option<String> {
        self.terms.iter().find_map(|(_, term)| match term {
            Term::Number(number @ (Number::Near | Number::Group | Number::Distance), ..) => {
                Some(number.to_string())
            }
            Term::Is(mark)
                if !matches!(mark, Mark::Empty | Mark::Tied | Mark::Lossy | Mark::Short) =>
            {
                Some(format!("is:{mark}"))
            }
            _ => None,
        })
    }

    /// Whether a document passes the terms that need no record. Marks that are not known yet count as absent.
    pub fn admits_unread(&self, analysis: &Analysis, document: DocId) -> bool {
        self.terms.iter().all(|(wanted, term)| {
            term.holds(analysis, document, self).is_none_or(|holds| *wanted == holds)
        })
    }

    /// Whether a document passes the terms that need its record.
    ///
    /// # Errors
    /// [`ReadError`] if it cannot be read again.
    pub fn admits_read(&self, glance: &mut RecordView<'_>) -> Result<bool, ReadError> {
        for (wanted, term) in &self.terms {
            let holds = match term {
                Term::Words(words) => glance.holds(words)?,
                Term::Part(Part::Title, words) => glance.title_holds(words)?,
                Term::Field(name, words) => glance.field_holds(name, words)?,
                Term::FieldIs(name, comparison, bound) => {
                    glance.field(name)?.is_some_and(|value| bound.holds(&value, *comparison))
                }
                _ => continue,
            };
            if holds != *wanted {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Term {
    fn needs_record(&self) -> bool {
        matches!(
            self,
            Self::Words(_) | Self::Field(..) | Self::FieldIs(..) | Self::Part(Part::Title, _)
        )
    }

    /// Whether it holds for a document; `None` if that needs the record.
    fn holds(&self, analysis: &Analysis, document: DocId, filter: &Filter) -> Option<bool> {
        Some(match self {
            Self::Is(Mark::Marked) => filter.marked.contains(&document),
            Self::Is(mark) => has(analysis, document, *mark),
            Self::Number(number, comparison, with) => number
                .of(analysis, document, filter.origin)
                .is_some_and(|value| comparison.holds(f64::from(value), *with)),
            Self::Part(Part::Id, words) => words.is_in(analysis.corpus.id(document)),
            Self::Part(Part::Source, words) => words.is_in(&analysis.corpus.address(document).file),
            _ => return None,
        })
    }
}

impl Number {
    /// The number of a document; `None` if it is not known or does not exist.
    fn of(self, analysis: &Analysis, document: DocId, origin: Option<DocId>) -> Option<u32> {
        match self {
            Self::Words => Some(analysis.record(document)?.n_tokens),
            Self::Features => Some(analysis.record(document)?.n_features),
            Self::Near => analysis.near_count(document),
            Self::Group => analysis.group_of(document),
            Self::Distance => {
                let (from, to) = (analysis.fingerprint(origin?)?, analysis.fingerprint(document)?);
                Some(from.distance(to))
            }
        }
    }
}

impl Comparison {
    fn holds(self, value: f64, with: f64) -> bool {
        value.partial_cmp(&with).is_some_and(|order| self.admits(order))
    }

    /// Whether this ordering satisfies the operator.
    fn admits(self, order: Ordering) -> bool {
        match self {
            Self::AtLeast => order.is_ge(),
            Self::AtMost => order.is_le(),
            Self::More => order.is_gt(),
            Self::Less => order.is_lt(),
            Self::Equal => order.is_eq(),
        }
    }
}

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
        Mark::Copy => analysis.has_equal_text(document) == Some(true),
        Mark::SameBits => analysis.has_equal_text(document) == Some(false),
        Mark::Empty => {
            record.is_some_and(|record| record.fingerprint.is_none() && !record.unreadable)
        }
        Mark::Tied => record
            .is_some_and(|record| is_tied(u32::from(record.n_ties), analysis.settings.recipe.bits)),
        Mark::Dominated => {
            record.is_some_and(|record| record.dominated) || flagged(Flag::Dominated)
        }
        // A document without text is not short: it has no features to count.
        Mark::Short => record.is_some_and(|record| (1..SHORT).contains(&record.n_features)),
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
