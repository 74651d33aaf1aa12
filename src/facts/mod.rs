//! Facts: all that anyone shows of a row, declared once.
//!
//! ```text
//! Fact { key, title, rank, value, meaning, how }
//!    |-- export   columns of six formats; the type of each follows from the kind of its values
//!    |-- screen   columns of a list: title, text, and what goes first where there is no room
//!    |-- report   tables of a page
//!    `-- `?`      the value with its formula and its meaning
//! ```
//!
//! A file below this one holds the rows of one subject. A new column is one line there.

pub(crate) mod cluster;
pub(crate) mod documents;
pub(crate) mod figures;
pub(crate) mod groups;
pub(crate) mod layouts;
pub(crate) mod pairs;
pub(crate) mod recipes;
pub(crate) mod thresholds;

use std::borrow::Cow;

use crate::corpus::FingerprintType;
use crate::number::{grouped, rounded};
use crate::simhash::Fingerprint;
use crate::text::visible;

/// Decimals of an exact cosine.
const COSINE: usize = 4;

/// How a value is taken from a row.
enum Get<R> {
    Text(fn(&R) -> Option<Cow<'_, str>>),
    Words(fn(&R) -> Vec<String>),
    Count(fn(&R) -> Option<u64>),
    /// Cells of a column of this kind.
    Cell(Kind, fn(&R) -> Cell<'static>),
    Number(fn(&R) -> Option<f64>),
    Fixed(usize, fn(&R) -> Option<f64>),
    Cosine(fn(&R) -> Option<f64>),
    Flag(fn(&R) -> Option<bool>),
    Fingerprint(fn(&R) -> Option<Fingerprint>),
}

/// A column of rows of type `R`.
pub(crate) struct Fact<R> {
    /// Its name in files; empty if it is for people alone.
    pub(crate) key: &'static str,
    get: Get<R>,
    /// Its name for people.
    pub(crate) title: &'static str,
    /// Its place in a list on a screen, if it is there: the last goes first where there is no room.
    pub(crate) rank: Option<u8>,
    /// Cells of the column on a screen.
    pub(crate) cells: usize,
    shown: Option<fn(&R, Room) -> String>,
    how: Option<fn(&R) -> Option<String>>,
    /// The meaning of the value, in a sentence.
    meaning: &'static str,
}

/// Rows of any type with their columns, for a file.
pub(crate) struct Rows {
    /// The name and the kind of each column.
    pub(crate) columns: Vec<(Cow<'static, str>, Kind)>,
    pub(crate) rows: Vec<Vec<Cell<'static>>>,
}

impl Rows {
    /// These rows with the columns that files have.
    pub(crate) fn of<R>(facts: &[Fact<R>], rows: impl IntoIterator<Item = R>) -> Self {
        let facts: Vec<_> = facts.iter().filter(|fact| !fact.key.is_empty()).collect();
        let cell = |fact: &&Fact<R>, row: &R| fact.cell(row, FingerprintType::Hex).into_owned();
        let cells = |row| facts.iter().map(|fact| cell(fact, &row)).collect();
        Self {
            columns: facts.iter().map(|fact| (fact.key.into(), fact.kind())).collect(),
            rows: rows.into_iter().map(cells).collect(),
        }
    }

    /// Adds a column of words with a name of the user's own.
    pub(crate) fn add_words<'a>(
        &mut self,
        name: &str,
        values: impl Iterator<Item = Option<&'a str>>,
    ) {
        self.columns.push((name.to_owned().into(), Kind::Text));
        for (row, value) in self.rows.iter_mut().zip(values) {
            let value = value.map(|value| Cell::Text(value.to_owned().into()));
            row.push(value.unwrap_or(Cell::Missing));
        }
    }
}

/// A number, explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedNumber {
    /// Its name on the screen.
    pub name: String,
    /// Its value, as the screen shows it.
    pub value: String,
    /// The formula, with the present values in it.
    pub formula: String,
    /// The meaning, in a sentence.
    pub meaning: &'static str,
}

impl ExplainedNumber {
    /// A number of no row, which its formula and its meaning are added to.
    pub(crate) fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into(), formula: String::new(), meaning: "" }
    }

    /// The number with its formula, filled with the present values, and its meaning.
    pub(crate) fn explained(self, how: impl Into<String>, meaning: &'static str) -> Self {
        Self { formula: how.into(), meaning, ..self }
    }

    /// The facts of a row that have a formula.
    pub(crate) fn of<R>(facts: &[Fact<R>], row: &R) -> Vec<Self> {
        let explained = facts.iter().filter_map(|fact| {
            let value = fact.value(row, Room::Cells);
            Some(Self::new(fact.title, value).explained(fact.how?(row)?, fact.meaning))
        });
        explained.collect()
    }
}

/// The room that the text of a value has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// A column of a list.
    Cells,
    /// A page.
    Page,
}

impl<R> Fact<R> {
    const fn new(key: &'static str, get: Get<R>) -> Self {
        Self { key, get, title: key, rank: None, cells: 0, shown: None, how: None, meaning: "" }
    }

    /// The fact, also in lists on a screen: under a title, in a number of cells, at a rank.
    pub(crate) const fn listed(self, title: &'static str, cells: usize, rank: u8) -> Self {
        Self { title, cells, rank: Some(rank), ..self }
    }

    /// The fact with a name for people where that differs from the one in files.
    pub(crate) const fn titled(self, title: &'static str) -> Self {
        Self { title, ..self }
    }

    /// The fact with a text for people where that differs from the value in files.
    pub(crate) const fn shown(self, shown: fn(&R, Room) -> String) -> Self {
        Self { shown: Some(shown), ..self }
    }

    /// The fact with its formula, filled with the numbers of a row, and its meaning.
    pub(crate) const fn explained(
        self,
        how: fn(&R) -> Option<String>,
        meaning: &'static str,
    ) -> Self {
        Self { how: Some(how), meaning, ..self }
    }

    /// The value for people.
    pub(crate) fn value(&self, row: &R, room: Room) -> String {
        if let Some(shown) = self.shown {
            return shown(row, room);
        }
        match self.cell(row, FingerprintType::Hex) {
            Cell::Text(text) => visible(&text).into_owned(),
            Cell::Words(words) => words.join(" "),
            Cell::Count(number) => grouped(number),
            Cell::Integer(number) => number.to_string(),
            Cell::Number(number) => rounded(number),
            Cell::Fixed(number, places) => format!("{number:.places$}"),
            Cell::Flag(flag) => if flag { "yes" } else { "no" }.to_owned(),
            Cell::Missing => figures::dash(room),
        }
    }

    /// Text with any characters.
    pub(crate) const fn text(key: &'static str, get: fn(&R) -> Option<Cow<'_, str>>) -> Self {
        Self::new(key, Get::Text(get))
    }

    /// Several words.
    pub(crate) const fn words(key: &'static str, get: fn(&R) -> Vec<String>) -> Self {
        Self::new(key, Get::Words(get))
    }

    /// A count or a distance.
    pub(crate) const fn count(key: &'static str, get: fn(&R) -> Option<u64>) -> Self {
        Self::new(key, Get::Count(get))
    }

    /// Cells of a column of this kind.
    pub(crate) const fn cell_of(
        key: &'static str,
        kind: Kind,
        get: fn(&R) -> Cell<'static>,
    ) -> Self {
        Self::new(key, Get::Cell(kind, get))
    }

    /// An expectation or a ratio, written with four significant digits.
    pub(crate) const fn number(key: &'static str, get: fn(&R) -> Option<f64>) -> Self {
        Self::new(key, Get::Number(get))
    }

    /// A ratio or a time with a number of decimals.
    pub(crate) const fn fixed(
        key: &'static str,
        decimals: usize,
        get: fn(&R) -> Option<f64>,
    ) -> Self {
        Self::new(key, Get::Fixed(decimals, get))
    }

    /// An exact cosine, cut after four decimals, so that only equal features give 1.
    pub(crate) const fn cosine(key: &'static str, get: fn(&R) -> Option<f64>) -> Self {
        Self::new(key, Get::Cosine(get))
    }

    /// Yes or no.
    pub(crate) const fn flag(key: &'static str, get: fn(&R) -> Option<bool>) -> Self {
        Self::new(key, Get::Flag(get))
    }

    /// A fingerprint, written as the user asked.
    pub(crate) const fn fingerprint(key: &'static str, get: fn(&R) -> Option<Fingerprint>) -> Self {
        Self::new(key, Get::Fingerprint(get))
    }

    /// The kind of its values.
    pub(crate) fn kind(&self) -> Kind {
        match self.get {
            Get::Text(_) | Get::Words(_) => Kind::Text,
            Get::Cell(kind, _) => kind,
            Get::Count(_) => Kind::Count,
            Get::Number(_) | Get::Fixed(..) | Get::Cosine(_) => Kind::Number,
            Get::Flag(_) => Kind::Flag,
            Get::Fingerprint(_) => Kind::Fingerprint,
        }
    }

    /// The value of a row in a file whose fingerprints are written as `written`.
    pub(crate) fn cell<'a>(&self, row: &'a R, written: FingerprintType) -> Cell<'a> {
        fn or<'a, T>(value: Option<T>, cell: impl FnOnce(T) -> Cell<'a>) -> Cell<'a> {
            value.map_or(Cell::Missing, cell)
        }
        match self.get {
            Get::Text(get) => or(get(row), Cell::Text),
            Get::Words(get) => Cell::Words(get(row)),
            Get::Count(get) => or(get(row), Cell::Count),
            Get::Cell(_, get) => get(row),
            Get::Number(get) => or(get(row), Cell::Number),
            Get::Fixed(decimals, get) => or(get(row), |it| Cell::Fixed(it, decimals)),
            Get::Cosine(get) => {
                let scale = 10_f64.powi(COSINE as i32);
                or(get(row), |it| Cell::Fixed((it * scale).floor() / scale, COSINE))
            }
            Get::Flag(get) => or(get(row), Cell::Flag),
            Get::Fingerprint(get) => or(get(row), |it| match written {
                FingerprintType::Hex => Cell::Text(it.to_string().into()),
                FingerprintType::Uint64 => Cell::Count(it.bits() as u64),
                FingerprintType::Int64 => Cell::Integer(it.bits() as u64 as i64),
            }),
        }
    }
}

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    /// Text, such as an id, with any characters.
    Text(Cow<'a, str>),
    /// Several words, such as the damaged blocks of a table.
    Words(Vec<String>),
    /// A count or a distance.
    Count(u64),
    /// A number with a sign, such as a fingerprint in a column of 64-bit integers.
    Integer(i64),
    /// An expectation or a ratio; written with four significant digits.
    Number(f64),
    /// A ratio or a time, with this number of decimals.
    Fixed(f64, usize),
    /// Yes or no.
    Flag(bool),
    /// No value: null in JSON, empty in CSV and TSV.
    Missing,
}

impl Cell<'_> {
    /// The same value, which borrows nothing.
    pub(crate) fn into_owned(self) -> Cell<'static> {
        match self {
            Self::Text(text) => Cell::Text(text.into_owned().into()),
            Self::Words(words) => Cell::Words(words),
            Self::Count(number) => Cell::Count(number),
            Self::Integer(number) => Cell::Integer(number),
            Self::Number(number) => Cell::Number(number),
            Self::Fixed(number, places) => Cell::Fixed(number, places),
            Self::Flag(flag) => Cell::Flag(flag),
            Self::Missing => Cell::Missing,
        }
    }
}

/// The kind of the values of a column, which decides its type in Parquet and Arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Count,
    Number,
    Flag,
    /// Written as the user asked: hexadecimal digits, or a number of 64 bits with or without a sign.
    Fingerprint,
}
