//! Marks from a file: a JSON object a line with `file`, `line` and `mark`; the id tells a corpus that has changed.

use std::collections::HashMap;

use serde::Deserialize;

use super::{Mark, Marks};
use crate::{analysis::Analysis, id::DocId};

/// A line of the file.
#[derive(Deserialize)]
struct MarkRow {
    id: String,
    file: String,
    line: Option<u64>,
    mark: String,
}

impl Analysis {
    /// The marks that a text holds, by the documents of this corpus.
    ///
    /// # Errors
    /// The number of the first line that is no mark, or whose document the corpus has not, and what is wrong.
    pub fn marks(&self, text: &str) -> Result<Marks, (usize, String)> {
        let mut wanted: HashMap<(String, Option<u64>), (usize, String, Mark)> = HashMap::new();
        for (at, row) in (1..).zip(text.lines()).filter(|(_, row)| !row.trim().is_empty()) {
            let row: MarkRow = serde_json::from_str(row).map_err(|error| {
                let error = error.to_string();
                let problem = error.split(" at line ").next().unwrap_or_default();
                (at, format!("{problem}; a mark has id, file, line and mark"))
            })?;
            let mark = match &*row.mark {
                "keep" => Mark::Keep,
                "drop" => Mark::Drop,
                other => return Err((at, format!("{other:?} is no mark; write keep or drop"))),
            };
            wanted.insert((row.file, row.line), (at, row.id, mark));
        }
        let mut marks = Marks::new();
        for document in (0..self.len()).map(DocId::from) {
            if marks.len() == wanted.len() {
                break;
            }
            let address = self.corpus.address(document);
            let found = wanted.get(&(address.file, address.line));
            if let Some((_, _, mark)) = found.filter(|(_, id, _)| id == address.id) {
                marks.insert(document, *mark);
            }
        }
        let is_found = |place: &(String, Option<u64>)| {
            let has = |document: &DocId| {
                let address = self.corpus.address(*document);
                (address.file, address.line) == *place
            };
            marks.keys().any(has)
        };
        if marks.len() < wanted.len()
            && let Some((place, (at, id, _))) =
                wanted.iter().filter(|(place, _)| !is_found(place)).min_by_key(|(_, (at, ..))| *at)
        {
            let line = place.1.map_or_else(String::new, |line| format!(":{line}"));
            return Err((*at, format!("{}{line} is no document called {id:?}", place.0)));
        }
        Ok(marks)
    }
}
