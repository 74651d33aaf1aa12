//! The document model: sections of blocks, which are rendered as rows of a screen, text or HTML.
//!
//! A line consists of spans, and a span knows the author of its words: a renderer must make names and
//! quotations safe, whatever characters they hold. Labels and table cells hold only our own words.

use std::borrow::Borrow;

use crate::evaluate::distances::Estimate;
use crate::explain::Excerpt;
use crate::explain::figures::quoted;
use crate::facts::{Fact, Kind, Room};
use crate::number::grouped;
use crate::text::visible;

/// A page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Its subject.
    pub title: PageLine,
    /// The page in a few sentences.
    pub lead: Vec<PageLine>,
    /// Its sections.
    pub sections: Vec<Section>,
}

/// A section under a title.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The title, different from those of all other sections; it may be empty on a screen and in text.
    pub title: PageLine,
    /// The contents.
    pub blocks: Vec<PageBlock>,
}

impl Section {
    /// A section without contents.
    pub fn new(title: impl Into<PageLine>) -> Self {
        Self { title: title.into(), blocks: Vec::new() }
    }

    /// Adds a paragraph.
    pub fn say(&mut self, line: impl Into<PageLine>) {
        self.blocks.push(PageBlock::Paragraph(line.into()));
    }

    /// Adds a fact with its label.
    pub fn fact(&mut self, label: impl Into<String>, line: impl Into<PageLine>) {
        let fact = (label.into(), line.into());
        match self.blocks.last_mut() {
            Some(PageBlock::Facts(facts)) => facts.push(fact),
            _ => self.blocks.push(PageBlock::Facts(vec![fact])),
        }
    }

    /// Adds the number of items that were left out of `n_all` after the first `most`, if there are any.
    pub fn more(&mut self, n_all: usize, most: usize) {
        if n_all > most {
            self.say(format!("and {} more", grouped((n_all - most) as u64)));
        }
    }
}

/// A part of a section.
#[derive(Clone, Debug)]
pub enum PageBlock {
    /// A heading below the title of the section, to which links lead. Headings hold only our words and all differ.
    Heading(PageLine),
    /// A paragraph.
    Paragraph(PageLine),
    /// A list.
    List(Vec<PageLine>),
    /// Labels, each with a line of text.
    Facts(Vec<(String, PageLine)>),
    /// A table.
    Table(PageTable),
    /// Our own lines, unchanged: a command to copy, or a picture of bits.
    Lines(Vec<String>),
    /// The number of pairs at each distance.
    Histogram(Histogram),
    /// Two texts with their names, side by side.
    Texts([String; 2], Excerpt),
}

/// Words in a row, each run with its kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct PageLine(pub Vec<(SpanKind, String)>);

/// The kind of some words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpanKind {
    /// Our words.
    Text,
    /// Our important words.
    Strong,
    /// The name of a document or file.
    Name,
    /// Words of a document.
    Quote,
    /// Our words, with a link to the heading with this anchor.
    Link(String),
}

impl PageLine {
    /// Adds our words.
    pub fn text(self, text: impl Into<String>) -> Self {
        self.with(SpanKind::Text, text)
    }

    /// Adds important words.
    pub fn strong(self, text: impl Into<String>) -> Self {
        self.with(SpanKind::Strong, text)
    }

    /// Adds a name.
    pub fn name(self, name: impl Into<String>) -> Self {
        self.with(SpanKind::Name, name)
    }

    /// Adds a quotation.
    pub fn quote(self, text: impl Into<String>) -> Self {
        self.with(SpanKind::Quote, text)
    }

    /// Adds a link to the heading with this anchor.
    pub fn link(self, text: impl Into<String>, anchor: String) -> Self {
        self.with(SpanKind::Link(anchor), text)
    }

    fn with(mut self, kind: SpanKind, words: impl Into<String>) -> Self {
        self.0.push((kind, words.into()));
        self
    }

    /// The anchor of the heading with this line.
    pub fn anchor(&self) -> String {
        let kept = |c: char| match c {
            ' ' | '-' => Some('-'),
            c => c.is_ascii_alphanumeric().then(|| c.to_ascii_lowercase()),
        };
        self.plain().chars().filter_map(kept).collect()
    }

    /// Adds the first `most` of some quotations, and the number of the others: `"a" "b" and 5 more`.
    pub fn quotes<'t>(
        mut self,
        texts: impl ExactSizeIterator<Item = &'t str>,
        most: usize,
    ) -> Self {
        let n_more = texts.len().saturating_sub(most);
        for (at, text) in texts.take(most).enumerate() {
            self = if at == 0 { self } else { self.text(" ") }.quote(text);
        }
        if n_more == 0 { self } else { self.text(format!(" and {n_more} more")) }
    }

    /// The line for a terminal, without markup: names and quotations are made safe, quotations are cut to the
    /// width of [`quoted`].
    pub fn plain(&self) -> String {
        let words = |(kind, words): &(SpanKind, String)| match kind {
            SpanKind::Text | SpanKind::Strong | SpanKind::Link(_) => words.clone(),
            SpanKind::Name => visible(words).into_owned(),
            SpanKind::Quote => quoted(words),
        };
        self.0.iter().map(words).collect()
    }
}

impl PageBlock {
    /// A list of some items, the first of `n_all`, and the number of the others.
    pub fn list(mut lines: Vec<PageLine>, n_all: u64) -> Self {
        let n_more = n_all - lines.len() as u64;
        if n_more > 0 {
            lines.push(format!("and {} more", grouped(n_more)).into());
        }
        Self::List(lines)
    }
}

impl From<String> for PageLine {
    fn from(text: String) -> Self {
        Self::default().text(text)
    }
}

impl From<&str> for PageLine {
    fn from(text: &str) -> Self {
        Self::default().text(text)
    }
}

/// A table of our own words.
#[derive(Clone, Debug, Default)]
pub struct PageTable {
    /// A description of the content.
    pub caption: String,
    /// The columns; the last [`PageTable::n_words`] columns hold words, all others hold numbers.
    pub columns: Vec<&'static str>,
    /// The number of columns at the end that hold words.
    pub n_words: usize,
    /// The rows, a cell for each column; the first one names the row.
    pub rows: Vec<PageRow>,
}

impl PageTable {
    /// The facts with these keys, of rows. Text in the last columns is words.
    ///
    /// # Panics
    /// If a key is that of no fact.
    pub(crate) fn of<R>(
        caption: impl Into<String>,
        facts: &[Fact<R>],
        keys: &[&str],
        rows: impl IntoIterator<Item = impl Borrow<R>>,
    ) -> Self {
        let fact = |key: &&str| facts.iter().find(|fact| fact.key == *key).expect("a fact");
        let shown: Vec<_> = keys.iter().map(fact).collect();
        let cell = |row: &R| shown.iter().map(|fact| fact.value(row, Room::Page)).collect();
        let rows = rows.into_iter().map(|row| cell(row.borrow()));
        Self {
            caption: caption.into(),
            columns: shown.iter().map(|fact| fact.title).collect(),
            n_words: shown.iter().rev().take_while(|fact| fact.kind() == Kind::Text).count(),
            rows: rows.map(|cells| PageRow { cells, ..PageRow::default() }).collect(),
        }
    }

    /// The table with the row at this place highlighted.
    #[must_use]
    pub(crate) fn marked(mut self, at: u32) -> Self {
        self.rows.iter_mut().skip(at as usize).take(1).for_each(|row| row.is_marked = true);
        self
    }

    /// The table with another column of words.
    #[must_use]
    pub(crate) fn with_words(
        mut self,
        title: &'static str,
        words: impl IntoIterator<Item = String>,
    ) -> Self {
        self.columns.push(title);
        self.n_words += 1;
        self.rows.iter_mut().zip(words).for_each(|(row, words)| row.cells.push(words));
        self
    }
}

/// A row of a table.
#[derive(Clone, Debug, Default)]
pub struct PageRow {
    /// Its cells.
    pub cells: Vec<String>,
    /// Whether the row is highlighted.
    pub is_marked: bool,
    /// The anchor of the heading to which the first cell links, if it does.
    pub anchor: Option<String>,
}

/// The number of pairs at each distance, and the number expected by chance.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    /// A bar for each distance from 0 up.
    pub bars: Vec<Bar>,
    /// The largest distance that is near.
    pub k: u32,
    /// A description of the picture.
    pub in_words: String,
}

/// The pairs at one distance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bar {
    /// Pairs of documents.
    pub pairs: Estimate,
    /// The number of pairs expected by chance.
    pub by_chance: f64,
}

/// The height of a number of pairs on a logarithmic scale up to `most`, 0 to 1: one pair is visible, less than
/// half a pair is not.
pub fn height(pairs: f64, most: f64) -> f64 {
    if pairs <= 0.5 { 0.0 } else { (pairs * 2.0).ln() / (most.max(1.0) * 2.0).ln() }
}
