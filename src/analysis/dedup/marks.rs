//! Marks in a file: a JSON object a line with `id`, `file`, `line`, `mark` and the digest of the text.
//!
//! A document is found by its address. Where another text stands there now, or another id, it is looked for by
//! its text in the whole corpus, so that marks outlive changes of the files.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::{Mark, Marks, Policy};
use crate::{
    analysis::{Analysis, Job},
    id::DocId,
    progress::Cancelled,
    text::{Digest, digest},
};

/// Documents read at once where a text is looked for.
const AT_ONCE: usize = 1 << 10;

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct MarkRow {
    id: String,
    file: String,
    line: Option<u64>,
    mark: String,
    /// The digest of the text; none of a fingerprint without its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// The file of a document, and its line if it is not the whole file.
type Place = (String, Option<u64>);

/// The line that names the policy.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyRow {
    policy: String,
}

/// The marks of an earlier review.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EarlierReview {
    /// The marks, by the documents of this corpus.
    pub marks: Marks,
    /// The policy, if the file names one.
    pub policy: Option<Policy>,
    /// The lines whose documents the corpus has not.
    pub absent: Vec<AbsentMark>,
}

/// The reason why a file of marks cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MarksError {
    /// A line, by its number from 1, is no mark.
    #[error("{0}: {1}")]
    Line(usize, String),
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A mark whose document the corpus has not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbsentMark {
    /// The number of the line, from 1.
    pub number: usize,
    /// The line.
    pub line: String,
    /// Why it is not one of the corpus.
    pub problem: String,
}

impl Analysis {
    /// The marks that a text holds, by the documents of this corpus. Goes through the addresses of the corpus,
    /// reads the documents that are marked and, where a text is not at its place any more, the whole corpus.
    ///
    /// # Errors
    /// [`MarksError`] if a line is no mark, or if the job was cancelled.
    pub fn earlier_review(&self, text: &str, job: &Job) -> Result<EarlierReview, MarksError> {
        let mut found = EarlierReview::default();
        let mut rows = Vec::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            if let Ok(PolicyRow { policy }) = serde_json::from_str(line) {
                let no_policy = |it| MarksError::Line(number, format!("{it}"));
                found.policy = Some(policy.parse::<Policy>().map_err(no_policy)?);
                continue;
            }
            let (row, mark) = parsed(line).map_err(|problem| MarksError::Line(number, problem))?;
            rows.push((number, line, row, mark));
        }
        let place = |row: &MarkRow| (row.file.clone(), row.line);
        let places = self.places(&rows.iter().map(|(_, _, row, _)| place(row)).collect());
        let mut missing = Vec::new();
        for (number, line, row, mark) in rows {
            match self.is_at(&row, places.get(&place(&row)).copied()) {
                Ok(document) => drop(found.marks.insert(document, mark)),
                Err(problem) => missing.push((number, line, row, mark, problem)),
            }
        }
        let wanted = missing.iter().filter_map(|(_, _, row, ..)| row.text.clone()).collect();
        let mut moved = self.moved(wanted, &found.marks, job)?;
        for (number, line, row, mark, problem) in missing {
            let documents = row.text.as_ref().and_then(|text| moved.get_mut(text));
            match documents.and_then(Vec::pop) {
                Some(document) => drop(found.marks.insert(document, mark)),
                None => found.absent.push(AbsentMark { number, line: line.to_owned(), problem }),
            }
        }
        Ok(found)
    }

    /// The lines of a file of these marks. Reads the documents that are marked.
    #[expect(clippy::missing_panics_doc, reason = "strings and a number are JSON")]
    pub fn mark_lines(&self, marks: &Marks) -> Vec<String> {
        let line = |(document, mark): (&DocId, &Mark)| {
            let address = self.corpus.address(*document);
            let row = MarkRow {
                id: address.id.to_owned(),
                file: address.file,
                line: address.line,
                mark: mark.name().to_owned(),
                text: self.name_of_text(*document),
            };
            serde_json::to_string(&row).expect("strings and a number are JSON")
        };
        marks.iter().map(line).collect()
    }

    /// The documents at these addresses.
    fn places(&self, wanted: &HashSet<Place>) -> HashMap<Place, DocId> {
        let mut places = HashMap::new();
        for document in (0..self.len()).map(DocId::from) {
            if places.len() == wanted.len() {
                break;
            }
            let address = self.corpus.address(document);
            let place = (address.file, address.line);
            if wanted.contains(&place) {
                places.insert(place, document);
            }
        }
        places
    }

    /// The document at the place of a row, if it is the one that was marked; else why it is not.
    fn is_at(&self, row: &MarkRow, document: Option<DocId>) -> Result<DocId, String> {
        let line = row.line.map_or_else(String::new, |line| format!(":{line}"));
        let place = format!("{}{line}", row.file);
        let document = document
            .filter(|document| self.corpus.id(*document) == row.id)
            .ok_or_else(|| format!("{place} is no document called {:?}", row.id))?;
        if row.text.is_some() && row.text != self.name_of_text(document) {
            return Err(format!("{place} has another text now"));
        }
        Ok(document)
    }

    /// The documents that have one of these texts and no mark, the first last.
    fn moved(
        &self,
        wanted: Vec<String>,
        marks: &Marks,
        job: &Job,
    ) -> Result<HashMap<String, Vec<DocId>>, Cancelled> {
        let mut documents: HashMap<String, Vec<DocId>> =
            wanted.into_iter().map(|text| (text, Vec::new())).collect();
        if documents.is_empty() {
            return Ok(documents);
        }
        for start in (0..self.len()).step_by(AT_ONCE) {
            job.progress.check()?;
            let contents = self.corpus.read_many(start..start + AT_ONCE);
            for (document, content) in (start..).map(DocId::from).zip(contents) {
                let name = content.ok().and_then(|it| it.text().map(|text| name(digest(text))));
                if let Some(place) = name.as_ref().and_then(|name| documents.get_mut(name))
                    && !marks.contains_key(&document)
                {
                    place.push(document);
                }
            }
        }
        for place in documents.values_mut() {
            place.reverse();
        }
        Ok(documents)
    }

    /// The name of the text of a document, if it has one that can be read.
    fn name_of_text(&self, document: DocId) -> Option<String> {
        Some(name(digest(self.corpus.read(document).ok()?.text()?)))
    }
}

/// The first line of a file of marks: the policy.
#[expect(clippy::missing_panics_doc, reason = "a string is JSON")]
pub fn policy_line(policy: &Policy) -> String {
    let row = PolicyRow { policy: policy.to_string() };
    serde_json::to_string(&row).expect("a string is JSON")
}

fn name(digest: Digest) -> String {
    digest.to_string()
}

/// The row that a line holds, and its mark.
fn parsed(line: &str) -> Result<(MarkRow, Mark), String> {
    let row: MarkRow = serde_json::from_str(line).map_err(|error| {
        let error = error.to_string();
        let problem = error.split(" at line ").next().unwrap_or_default();
        format!("{problem}; a mark has id, file, line and mark")
    })?;
    let mark = match &*row.mark {
        "keep" => Mark::Keep,
        "drop" => Mark::Drop,
        other => return Err(format!("{other:?} is no mark; write keep or drop")),
    };
    Ok((row, mark))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        analysis::{AnalysisDepth, AnalysisInput, Settings, run_to},
        corpus::{Input, LoadOptions},
    };

    fn analysed(rows: &str) -> Arc<Analysis> {
        let bytes = rows.to_owned().into_bytes().leak();
        let inputs = vec![Input::Bundled { name: "rows.jsonl", bytes }];
        let work = AnalysisInput::Load(inputs, LoadOptions::default());
        run_to(AnalysisDepth::Pairs, work, Settings::default(), &Job::new(), &mut |_| {}).unwrap()
    }

    fn row(text: &str) -> String {
        format!("{{\"id\": \"{}\", \"text\": \"{text}\"}}\n", &text[..1])
    }

    /// The ids of the marked documents with their marks, the problems, and the policy.
    fn restored(analysis: &Analysis, text: &str) -> (Vec<(String, Mark)>, Vec<String>) {
        let found = analysis.earlier_review(text, &Job::new()).unwrap();
        let id = |(document, mark): (DocId, Mark)| (analysis.corpus.id(document).to_owned(), mark);
        let problems = found.absent.into_iter().map(|it| it.problem).collect();
        (found.marks.into_iter().map(id).collect(), problems)
    }

    #[test]
    fn marks_are_found_at_their_place_else_by_their_text() {
        let texts = ["a low tide", "b high tide", "c spring tide", "a low tide"].map(row);
        let analysis = analysed(&texts.concat());
        let marks: Marks =
            [(DocId(0), Mark::Keep), (DocId(1), Mark::Drop), (DocId(3), Mark::Drop)].into();
        let lines = analysis.mark_lines(&marks).join("\n");
        assert_eq!(analysis.earlier_review(&lines, &Job::new()).unwrap().marks, marks);
        // A row before them: each text has moved, and of the two equal ones the first is the first again.
        let later = analysed(&(row("n new tide") + &texts.concat()));
        let moved = later.earlier_review(&lines, &Job::new()).unwrap();
        let expected: Marks =
            [(DocId(1), Mark::Keep), (DocId(2), Mark::Drop), (DocId(4), Mark::Drop)].into();
        assert_eq!((moved.marks, moved.absent), (expected, Vec::new()));
        // The second is another text now.
        let changed = analysed(
            &[&texts[0], &row("b neap tide"), &texts[2], &texts[3]].map(String::as_str).concat(),
        );
        let (marks, problems) = restored(&changed, &lines);
        assert_eq!(marks, [("a".to_owned(), Mark::Keep), ("a".to_owned(), Mark::Drop)]);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].ends_with(":2 has another text now"), "{problems:?}");
    }

    #[test]
    fn a_policy_is_a_line_and_a_bad_line_is_named() {
        let analysis = analysed(&row("a low tide"));
        let read = |text: &str| analysis.earlier_review(text, &Job::new());
        let policy: Policy = "source:x,longest".parse().unwrap();
        assert_eq!(read(&policy_line(&policy)).unwrap().policy, Some(policy));
        let no_policy = read("\n{\"policy\": \"best\"}").unwrap_err().to_string();
        assert!(no_policy.starts_with("2: \"best\" is no preference"), "{no_policy}");
        assert!(read("{}").unwrap_err().to_string().starts_with("1: missing field"));
    }
}
