//! The columns of a delimited file, found once in its header, or numbered, and what its rows are.

use std::borrow::Cow;

use csv::ByteRecord;

use super::content::Content;
use super::fields::{BETWEEN, RowError, quoted_names};
use super::hash_list::{fingerprint, hashes};
use super::options::LoadOptions;
use super::pattern::Pattern;
use super::record_format::{CopyFormat, Header, Parsed, RecordFormat};
use super::rows::{Dialect, from_cells};

/// The columns that matter, and the number of columns.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct RowColumns {
    pub(super) delimiter: u8,
    /// The byte before a quote that is a part of its cell.
    pub(super) escape: Option<u8>,
    /// The first row as it stands in the file, with its line end; empty without a header.
    pub(super) head: Vec<u8>,
    pub(super) width: usize,
    pub(super) id: Option<usize>,
    /// The columns that documents are made of; several only of texts.
    pub(super) content: Vec<usize>,
    pub(super) kind: CellKind,
    /// The names of all columns.
    pub(super) names: Vec<String>,
    /// The column that holds the title.
    pub(super) title: Option<usize>,
}

/// The kind of content that a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) enum CellKind {
    Text,
    Fingerprint,
    Hashes,
}

impl RowColumns {
    pub(super) fn resolve(
        header: &ByteRecord,
        delimiter: u8,
        options: &LoadOptions,
    ) -> Result<Self, RowError> {
        let find = |name: &str| header.iter().position(|column| column == name.as_bytes());
        let (name, option) = options.content();
        let whole = find(name).map(|at| vec![at]);
        let parts = || {
            let parts: Option<Vec<_>> = options.parts().map(find).collect();
            parts.filter(|_| options.takes_text() && options.has_parts())
        };
        let named = whole.or_else(parts);
        let kind = match named {
            Some(_) if options.hashes_field.is_some() => CellKind::Hashes,
            Some(_) if options.takes_text() => CellKind::Text,
            _ => CellKind::Fingerprint,
        };
        let instead =
            || find(options.fingerprint()).filter(|_| options.takes_text()).map(|at| vec![at]);
        let Some(content) = named.or_else(instead) else {
            let problem = format!("no column \"{name}\" among {}", listed(header));
            let or = match (header.len(), options.no_header) {
                (1, _) => "; if that is a whole row, give its `delimiter`",
                (_, false) => "; a file without a header needs `no-header`",
                (_, true) => "",
            };
            return Err(RowError::new(problem, format!("name it with {option}{or}")));
        };
        let id = find(options.id());
        let names = header.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        let title = options.titles().find_map(find);
        let (width, escape, head) = (header.len(), options.csv_escape, Vec::new());
        Ok(Self { delimiter, escape, head, width, id, content, kind, names, title })
    }

    /// The content of the row, and whether some of it was not valid UTF-8.
    pub(super) fn document(
        &self,
        record: &ByteRecord,
        options: &LoadOptions,
    ) -> Result<(Content, bool), RowError> {
        let cells = self.content.iter().map(|at| String::from_utf8_lossy(&record[*at]));
        let cells: Vec<_> = cells.collect();
        let lossy = cells.iter().any(|cell| matches!(cell, Cow::Owned(_)));
        let content = match (self.kind, &cells[..]) {
            (CellKind::Text, [cell]) => Content::Text(String::from(&**cell).into()),
            (CellKind::Text, _) => {
                let cells: Vec<_> =
                    cells.iter().map(|it| &**it).filter(|it| !it.is_empty()).collect();
                Content::Text(cells.join(BETWEEN).into())
            }
            (CellKind::Fingerprint, _) => fingerprint(&cells[0], options.fp_type)?,
            (CellKind::Hashes, _) => {
                hashes(&cells[0], &format!("column \"{}\"", self.names[self.content[0]]))?
            }
        };
        Ok((content, lossy))
    }

    /// One cell of a row.
    fn cell(&self, row: &[u8], at: usize) -> Option<String> {
        let cell = |cells: &ByteRecord| Some(String::from_utf8_lossy(cells.get(at)?).into_owned());
        from_cells(row, self.dialect(), cell)?
    }

    fn dialect(&self) -> Dialect {
        (self.delimiter, self.escape)
    }
}

impl RecordFormat for RowColumns {
    fn parse(&self, bytes: &[u8], options: &LoadOptions, _: &mut String) -> Parsed {
        let is_whole = |cells: &ByteRecord| cells.len() == self.width;
        let document = |cells: &ByteRecord| is_whole(cells).then(|| self.document(cells, options));
        let document = from_cells(bytes, self.dialect(), document).flatten().transpose()?;
        Ok(document.map(|(content, _)| content.into()))
    }

    fn title(&self, bytes: &[u8], _: &LoadOptions) -> Option<String> {
        self.cell(bytes, self.title?)
    }

    fn fields(&self, bytes: &[u8]) -> Vec<(String, String)> {
        let named = |cells: &ByteRecord| {
            let values = cells.iter().map(|value| String::from_utf8_lossy(value).into_owned());
            self.names.iter().cloned().zip(values).collect()
        };
        from_cells(bytes, self.dialect(), named).unwrap_or_default()
    }

    fn field(&self, bytes: &[u8], name: &str) -> Option<String> {
        self.cell(bytes, self.names.iter().position(|column| column == name)?)
    }

    fn parts(&self, bytes: &[u8], _: &LoadOptions) -> Vec<(String, String)> {
        if self.content.len() == 1 {
            return Vec::new();
        }
        let cell = |at: &usize| Some((self.names[*at].clone(), self.cell(bytes, *at)?));
        let cells = self.content.iter().filter_map(cell);
        cells.filter(|(_, text)| !text.is_empty()).collect()
    }

    fn may_hold(&self, bytes: &[u8], words: &Pattern) -> bool {
        self.escape.is_some() || words.may_be_in_row(bytes, self.delimiter)
    }

    fn copy_format(&self) -> CopyFormat {
        let (names, delimiter) = (self.names.clone(), self.delimiter);
        CopyFormat::Rows(Header { names, delimiter })
    }

    fn head(&self) -> &[u8] {
        &self.head
    }

    fn is_sound(&self) -> bool {
        let mut places = self.content.iter().copied().chain(self.id).chain(self.title);
        self.names.len() == self.width
            && !self.content.is_empty()
            && places.all(|at| at < self.width)
    }
}

/// The delimiter that occurs most often outside quotes in the first row; a comma if there is none.
pub(super) fn likely_delimiter(head: &[u8]) -> u8 {
    const KNOWN: [u8; 4] = [b',', b';', b'\t', b'|'];
    let (mut counts, mut is_quoted) = ([0; KNOWN.len()], false);
    for &byte in head {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' if !is_quoted => break,
            _ if is_quoted => {}
            _ => {
                if let Some(at) = KNOWN.iter().position(|known| *known == byte) {
                    counts[at] += 1;
                }
            }
        }
    }
    // The first of equally frequent delimiters.
    let most = counts.iter().max().copied().unwrap_or(0);
    KNOWN[counts.iter().position(|count| *count == most).unwrap_or(0)]
}

/// The first few columns, in quotes.
fn listed(header: &ByteRecord) -> String {
    let names: Vec<_> = header.iter().map(String::from_utf8_lossy).collect();
    quoted_names(&names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_beyond_the_row_are_not_sound() {
        let sound = RowColumns {
            delimiter: b',',
            escape: None,
            head: Vec::new(),
            width: 2,
            id: Some(0),
            content: vec![1],
            kind: CellKind::Text,
            names: vec!["id".to_owned(), "text".to_owned()],
            title: None,
        };
        assert!(sound.is_sound());
        let damaged = [
            RowColumns { content: vec![1, 2], ..sound.clone() },
            RowColumns { content: Vec::new(), ..sound.clone() },
            RowColumns { id: Some(2), ..sound.clone() },
            RowColumns { title: Some(9), ..sound.clone() },
            RowColumns { width: 3, ..sound.clone() },
            RowColumns { names: Vec::new(), ..sound.clone() },
        ];
        assert!(damaged.iter().all(|columns| !columns.is_sound()));
    }
}
