//! A page for readers as blocks, before it is HTML or Markdown.
//!
//! A line is made of spans, and a span says whose words they are: a writer must make a name or a quotation
//! harmless, whatever it holds. Table cells hold our own words alone, since no Markdown table can hold a
//! bar that somebody else wrote.

use crate::{explain::Excerpt, number::grouped};

/// A page.
#[derive(Clone, Debug, Default)]
pub(super) struct Page<'a> {
    /// What it is about.
    pub(super) title: Line,
    /// The page in a few sentences.
    pub(super) lead: Vec<Line>,
    /// Its sections.
    pub(super) sections: Vec<Section<'a>>,
    /// Who made it.
    pub(super) foot: Line,
}

/// A section with a heading of its own.
#[derive(Clone, Debug)]
pub(super) struct Section<'a> {
    /// The heading: words of ours, unlike any other section's.
    pub(super) title: &'static str,
    /// What it says.
    pub(super) blocks: Vec<Block<'a>>,
}

impl Section<'_> {
    /// The heading as code hosts make an anchor of it.
    pub(super) fn anchor(&self) -> String {
        let kept = |c: char| match c {
            ' ' | '-' => Some('-'),
            c => c.is_ascii_alphanumeric().then(|| c.to_ascii_lowercase()),
        };
        self.title.chars().filter_map(kept).collect()
    }
}

/// A part of a section.
#[derive(Clone, Debug)]
pub(super) enum Block<'a> {
    /// A heading below the section's: 3, or 4 below that.
    Heading(u8, Line),
    /// A paragraph.
    Paragraph(Line),
    /// A list.
    List(Vec<Line>),
    /// Names, and what is to be said of each.
    Facts(Vec<(&'static str, Line)>),
    /// A table.
    Table(Table),
    /// A line to copy.
    Code(String),
    /// How many pairs there are at each distance.
    Histogram(Histogram),
    /// Two texts, by their names, side by side.
    Texts([&'a str; 2], &'a Excerpt),
    /// What only some will want to see.
    Folded(&'static str, Vec<Block<'a>>),
}

/// Words in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line(pub(super) Vec<Span>);

/// Words of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Span {
    /// Ours.
    Text(String),
    /// Ours, and important.
    Strong(String),
    /// The name of a document or file.
    Name(String),
    /// What a document says.
    Quote(String),
}

impl Line {
    /// Our words added.
    pub(super) fn text(mut self, text: impl Into<String>) -> Self {
        self.0.push(Span::Text(text.into()));
        self
    }

    /// Important words added.
    pub(super) fn strong(mut self, text: impl Into<String>) -> Self {
        self.0.push(Span::Strong(text.into()));
        self
    }

    /// A name added.
    pub(super) fn name(mut self, name: impl Into<String>) -> Self {
        self.0.push(Span::Name(name.into()));
        self
    }

    /// A quotation added.
    pub(super) fn quote(mut self, text: impl Into<String>) -> Self {
        self.0.push(Span::Quote(text.into()));
        self
    }
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Self::default().text(text)
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Self {
        Self::default().text(text)
    }
}

/// A table of our own words.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// What it shows.
    pub(super) caption: String,
    /// The columns; all but the last ones of [`Table::n_words`] hold numbers.
    pub(super) columns: Vec<&'static str>,
    /// How many columns at the end hold words.
    pub(super) n_words: usize,
    /// The rows, a cell for each column; the first one names the row.
    pub(super) rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    /// Its cells.
    pub(super) cells: Vec<String>,
    /// Whether it is the one in question.
    pub(super) is_marked: bool,
}

/// How many pairs there are at each distance, with what chance would bring.
#[derive(Clone, Debug, Default)]
pub(super) struct Histogram {
    /// A bar for each distance from 0 up.
    pub(super) bars: Vec<Bar>,
    /// The largest distance that is near.
    pub(super) k: u32,
    /// The picture in words.
    pub(super) in_words: String,
}

/// The pairs at one distance.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bar {
    /// Pairs of documents, or the best guess.
    pub(super) pairs: u64,
    /// The ends of the 95 % interval; `None` where the number is exact.
    pub(super) interval: Option<(u64, u64)>,
    /// Pairs that chance alone would bring.
    pub(super) by_chance: f64,
}

impl Bar {
    /// `1,234`, or with the interval where it is estimated.
    pub(super) fn in_words(&self) -> String {
        let pairs = grouped(self.pairs);
        match self.interval {
            None => pairs,
            Some((low, high)) => format!("{pairs} ({} to {})", grouped(low), grouped(high)),
        }
    }
}

/// The height of a number of pairs on a logarithmic scale up to `most`, 0 to 1: a single pair is seen, less
/// than half a pair is not.
pub(super) fn height(pairs: f64, most: f64) -> f64 {
    if pairs <= 0.5 { 0.0 } else { (pairs * 2.0).ln() / (most.max(1.0) * 2.0).ln() }
}
