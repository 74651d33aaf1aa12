//! What the records of a format are: how they are cut out of an input, parsed, shown, searched and copied.
//!
//! Each format says it in a file of its own; [`formats`](super::formats) lists them.

use std::ops::Range;

use super::blocks::RecordCut;
use super::content::{Content, ContentFlags};
use super::fields::RowError;
use super::options::LoadOptions;
use super::pattern::Pattern;

/// A format of records. Bytes are those of one record; those that are read again may not be what they were.
pub(super) trait RecordFormat {
    /// The way in which an input is cut into records; `None` for lines, and for rows that have the numbers of lines.
    fn cut(&self) -> Option<Box<dyn RecordCut>> {
        None
    }

    /// Parses a record, whose strings are appended to `strings`, the text first.
    fn parse(&self, bytes: &[u8], options: &LoadOptions, strings: &mut String) -> Parsed;

    /// The document in a record.
    fn content(&self, bytes: &[u8], options: &LoadOptions) -> Option<Content> {
        let mut strings = String::new();
        match self.parse(bytes, options, &mut strings).ok()??.content {
            RowContent::Text(text) => {
                strings.truncate(text.end);
                strings.shrink_to_fit();
                Some(Content::Text(strings.into()))
            }
            RowContent::Other(content) => Some(content),
        }
    }

    /// The field that holds the title.
    fn title(&self, _bytes: &[u8], _: &LoadOptions) -> Option<String> {
        None
    }

    /// The fields that are texts, numbers or truth values, by their names.
    fn fields(&self, _bytes: &[u8]) -> Vec<(String, String)> {
        Vec::new()
    }

    /// One field, or what a path leads to.
    fn field(&self, bytes: &[u8], name: &str) -> Option<String> {
        self.fields(bytes).into_iter().find(|(field, _)| field == name).map(|(_, value)| value)
    }

    /// The texts that the text is made of, by their names or paths; none if it is made of one.
    fn parts(&self, _bytes: &[u8], _: &LoadOptions) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Whether the words may be in some field of the record.
    fn may_hold(&self, _bytes: &[u8], _words: &Pattern) -> bool {
        true
    }

    /// The format of a copy of records.
    fn copy_format(&self) -> CopyFormat {
        CopyFormat::List
    }

    /// The bytes before the first record, which a copy has, too.
    fn head(&self) -> &[u8] {
        b""
    }

    /// The way to cut what follows a record, where a copy has the bytes around and between the records.
    fn cut_behind(&self) -> Option<Box<dyn RecordCut>> {
        None
    }

    /// Whether this can be: what an index holds may be anything.
    fn is_sound(&self) -> bool {
        true
    }
}

/// The row in a record, `None` if there is none, or what is wrong with it.
pub(super) type Parsed = Result<Option<ParsedRow>, RowError>;

/// The row in a record; its strings are ranges of one common string.
pub(super) struct ParsedRow {
    pub(super) content: RowContent,
    pub(super) id: Option<Range<usize>>,
    /// The problem of its id.
    pub(super) row_error: Option<RowError>,
    pub(super) flags: ContentFlags,
}

/// A document's content.
pub(super) enum RowContent {
    Text(Range<usize>),
    /// Something else instead of text, or a text of its own.
    Other(Content),
}

impl From<Content> for ParsedRow {
    fn from(content: Content) -> Self {
        let flags = content.flags();
        Self { content: RowContent::Other(content), id: None, row_error: None, flags }
    }
}

/// Appends it, and returns its range.
pub(super) fn append(strings: &mut String, text: &str) -> Range<usize> {
    let start = strings.len();
    strings.push_str(text);
    start..strings.len()
}

/// The format in which the documents of a corpus can be copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopyFormat {
    /// One text per line.
    Lines,
    /// One JSON object per line.
    Jsonl,
    /// JSON objects in an array, or one after another if not.
    Json {
        /// Whether they are in an array.
        is_array: bool,
    },
    /// Messages in an mbox.
    Mail,
    /// Rows of Parquet, with all their columns.
    #[cfg(feature = "formats")]
    Parquet,
    /// Rows below a header, in the delimiter of the inputs.
    Rows(Header),
    /// A list of addresses, because each document is a file or a member of an archive, or because the inputs differ in
    /// format.
    List,
}

/// The header of CSV or TSV inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub(super) names: Vec<String>,
    pub(super) delimiter: u8,
}

impl CopyFormat {
    /// The usual ending of a file of this format, such as "jsonl".
    pub fn extension(&self) -> &'static str {
        match self {
            Self::Lines => "txt",
            Self::Jsonl | Self::List => "jsonl",
            Self::Json { .. } => "json",
            Self::Mail => "mbox",
            #[cfg(feature = "formats")]
            Self::Parquet => "parquet",
            Self::Rows(header) if header.delimiter == b'\t' => "tsv",
            Self::Rows(_) => "csv",
        }
    }
}
