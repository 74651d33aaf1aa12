//! Marks in a file: one JSON object on each line, with `id`, `file`, `line`, `mark` and the digest of the text. If
//! the mark is about a pair that is not a duplicate, `of` names the other document in the same way.
//!
//! A document is found by its address. If that address now has another text or id, the whole corpus is searched for
//! the text, so that marks survive changes of the files.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::mark::pair;
use super::{FIRST_DEFAULT, Mark, Marks, Policy, ReviewSettings};
use crate::analysis::{Analysis, Job};
use crate::id::DocId;
use crate::progress::Cancelled;
use crate::text::{digest, visible};

/// Documents read at once in the search for a text.
const AT_ONCE: usize = 1 << 10;

/// The most documents of a review that are compared to find out whether it is a review of this corpus.
const MOST_COMPARED: usize = 64;

/// The mark of a pair that is not a duplicate.
const NOT_A_DUPLICATE: &str = "not a duplicate";

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct MarkRow {
    #[serde(flatten)]
    document: MarkedDocument,
    mark: String,
    /// The document that this one is not a duplicate of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    of: Option<MarkedDocument>,
}

/// A document of a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct MarkedDocument {
    id: String,
    file: String,
    line: Option<u64>,
    /// The digest of the text; `None` if there is only a fingerprint, or the text cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl MarkRow {
    /// The documents that the row names: one, or two.
    fn documents(&self) -> impl Iterator<Item = &MarkedDocument> {
        [Some(&self.document), self.of.as_ref()].into_iter().flatten()
    }
}

impl MarkedDocument {
    fn address(&self) -> Address {
        (self.file.clone(), self.line)
    }
}

/// The file of a document, and its line if it is not the whole file.
type Address = (String, Option<u64>);

/// The line with the policy and, in a saved review, with other settings.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyRow {
    policy: String,
    /// The other settings of the user.
    #[serde(default, skip_serializing_if = "ReviewSettings::are_default")]
    choices: ReviewSettings,
}

/// The marks of an earlier review.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EarlierReview {
    /// The marks, by the documents of this corpus.
    pub marks: Marks,
    /// The policy, if the file names one.
    pub policy: Option<Policy>,
    /// The other settings in the file.
    pub choices: ReviewSettings,
    /// The lines whose documents are not in the corpus.
    pub absent: Vec<AbsentMark>,
}

/// A mark whose document is not in the corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbsentMark {
    /// The number of the line, from 1.
    pub number: usize,
    /// The line.
    pub line: String,
    /// The reason why its document was not found.
    pub problem: String,
}

impl Analysis {
    /// Parses the text of a marks file and finds the marked documents in this corpus. Goes through the addresses of
    /// the corpus, reads the marked documents and, if a text has moved, the whole corpus.
    ///
    /// # Errors
    /// A message: the line that is not a mark, by its number, and why; or that the job was cancelled.
    pub fn earlier_review(&self, text: &str, job: &Job) -> Result<EarlierReview, String> {
        let mut found = EarlierReview::default();
        let mut rows = Vec::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            if let Ok(row) = serde_json::from_str::<PolicyRow>(line) {
                let policy = row.policy.clone();
                found.choices = row.settings();
                let no_policy = |it| format!("{number}: {it}");
                found.policy = Some(policy.parse::<Policy>().map_err(no_policy)?);
                continue;
            }
            let (row, mark) = parsed(line).map_err(|problem| format!("{number}: {problem}"))?;
            rows.push((number, line, row, mark));
        }
        let named = rows.iter().flat_map(|(_, _, row, _)| row.documents());
        let documents = self.marked_documents(named, job).map_err(|it| it.to_string())?;
        for (number, line, row, mark) in rows {
            let both: Result<Vec<DocId>, &String> =
                row.documents().map(|it| documents[it].as_ref().copied()).collect();
            match (both, mark) {
                (Ok(both), Some(mark)) => {
                    found.marks.documents.insert(both[0], mark);
                }
                (Ok(both), None) => {
                    found.marks.not_duplicates.insert(pair(both[0], both[1]));
                }
                (Err(problem), _) => {
                    let (line, problem) = (line.to_owned(), problem.clone());
                    found.absent.push(AbsentMark { number, line, problem });
                }
            }
        }
        Ok(found)
    }

    /// The number of the first review whose texts are in this corpus, whatever the paths: at least half of the
    /// documents that its first marks name are here, with the same id and text. Goes through the ids, and reads the
    /// documents with these ids.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn review_of_same_texts(
        &self,
        reviews: &[&str],
        job: &Job,
    ) -> Result<Option<usize>, Cancelled> {
        let documents_of = |review: &&str| -> Vec<MarkedDocument> {
            let rows = review.lines().filter_map(|line| parsed(line).ok());
            let marked = rows.flat_map(|(row, _)| [Some(row.document), row.of]).flatten();
            marked.filter(|it| it.text.is_some()).take(MOST_COMPARED).collect()
        };
        let named: Vec<Vec<MarkedDocument>> = reviews.iter().map(documents_of).collect();
        let wanted: HashSet<&str> = named.iter().flatten().map(|it| &*it.id).collect();
        let mut here: HashMap<&str, DocId> = HashMap::new();
        for document in (0..self.len()).map(DocId::from) {
            if let Some(id) = wanted.get(self.corpus.id(document)) {
                here.entry(id).or_insert(document);
            }
        }
        for (at, marked) in named.iter().enumerate() {
            job.progress.check()?;
            let is_here = |it: &&MarkedDocument| {
                here.get(&*it.id).is_some_and(|&document| self.digest_of_text(document) == it.text)
            };
            let n_here = marked.iter().filter(is_here).count();
            if n_here > 0 && 2 * n_here >= marked.len() {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// For each document that a file names: the document of this corpus, or the reason why it was not found.
    fn marked_documents<'a>(
        &self,
        named: impl Iterator<Item = &'a MarkedDocument>,
        job: &Job,
    ) -> Result<HashMap<MarkedDocument, Result<DocId, String>>, Cancelled> {
        // In the order of the file: if several equal texts have moved, they are matched in corpus order.
        let mut wanted: Vec<&MarkedDocument> = Vec::new();
        let mut seen = HashSet::new();
        wanted.extend(named.filter(|it| seen.insert(*it)));
        let places = self.documents_at(&wanted.iter().map(|it| it.address()).collect());
        let is_at = |it: &&MarkedDocument| self.is_at(it, places.get(&it.address()).copied());
        let mut found: Vec<Result<DocId, String>> = wanted.iter().map(is_at).collect();
        let known: HashSet<DocId> = found.iter().flatten().copied().collect();
        let missing = wanted.iter().zip(&found).filter(|(_, found)| found.is_err());
        let texts = missing.filter_map(|(it, _)| it.text.clone()).collect();
        let mut moved = self.moved(texts, &known, job)?;
        for (it, found) in wanted.iter().zip(&mut found).filter(|(_, found)| found.is_err()) {
            let documents = it.text.as_ref().and_then(|text| moved.get_mut(text));
            if let Some(document) = documents.and_then(Vec::pop) {
                *found = Ok(document);
            }
        }
        Ok(wanted.into_iter().cloned().zip(found).collect())
    }

    /// The lines of a marks file with these marks. Reads the marked documents.
    #[expect(clippy::missing_panics_doc, reason = "strings and a number are JSON")]
    pub fn mark_lines(&self, marks: &Marks) -> Vec<String> {
        let documents = marks.documents.iter().map(|(&document, mark)| MarkRow {
            document: self.marked(document),
            mark: mark.name().to_owned(),
            of: None,
        });
        let pairs = marks.not_duplicates.iter().map(|&[one, other]| MarkRow {
            document: self.marked(one),
            mark: NOT_A_DUPLICATE.to_owned(),
            of: Some(self.marked(other)),
        });
        let line = |row| serde_json::to_string(&row).expect("strings and a number are JSON");
        documents.chain(pairs).map(line).collect()
    }

    fn marked(&self, document: DocId) -> MarkedDocument {
        let address = self.corpus.address(document);
        MarkedDocument {
            id: address.id.to_owned(),
            file: address.file,
            line: address.line,
            text: self.digest_of_text(document),
        }
    }

    /// The documents at these addresses.
    fn documents_at(&self, wanted: &HashSet<Address>) -> HashMap<Address, DocId> {
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

    /// The document at the address of a row, if id and text are those of the row; otherwise the reason.
    fn is_at(&self, row: &MarkedDocument, document: Option<DocId>) -> Result<DocId, String> {
        let line = row.line.map_or_else(String::new, |line| format!(":{line}"));
        let place = format!("{}{line}", visible(&row.file));
        let document = document
            .filter(|document| self.corpus.id(*document) == row.id)
            .ok_or_else(|| format!("{place} has no document with the id {:?}", row.id))?;
        if row.text.is_some() && row.text != self.digest_of_text(document) {
            return Err(format!("{place} has another text now"));
        }
        Ok(document)
    }

    /// For each of these texts, the documents with this text that are not known yet, in reverse corpus order.
    fn moved(
        &self,
        wanted: Vec<String>,
        known: &HashSet<DocId>,
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
                let name =
                    content.ok().and_then(|it| it.text().map(|text| digest(text).to_string()));
                if let Some(place) = name.as_ref().and_then(|name| documents.get_mut(name))
                    && !known.contains(&document)
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

    /// The digest of the text of a document; `None` if it has no text or cannot be read.
    fn digest_of_text(&self, document: DocId) -> Option<String> {
        Some(digest(self.corpus.read(document).ok()?.text()?).to_string())
    }
}

/// The line of a review with its policy and the other settings.
#[expect(clippy::missing_panics_doc, reason = "strings and numbers are JSON")]
pub fn policy_line(policy: &Policy, choices: &ReviewSettings) -> String {
    let row = PolicyRow { policy: policy.to_string(), choices: choices.clone() };
    serde_json::to_string(&row).expect("strings and numbers are JSON")
}

/// The settings that a review holds beside its policy.
pub fn review_settings(text: &str) -> ReviewSettings {
    let row = text.lines().find_map(|line| serde_json::from_str::<PolicyRow>(line).ok());
    row.map(PolicyRow::settings).unwrap_or_default()
}

impl PolicyRow {
    fn settings(mut self) -> ReviewSettings {
        self.choices.recipe.get_or_insert_with(|| FIRST_DEFAULT.to_owned());
        self.choices
    }
}

/// Parses a line into a row and its mark; `None` if it says that two documents are not duplicates.
fn parsed(line: &str) -> Result<(MarkRow, Option<Mark>), String> {
    let row: MarkRow = serde_json::from_str(line).map_err(|error| {
        let error = error.to_string();
        let problem = error.split(" at line ").next().unwrap_or_default();
        format!("{problem}; a mark has id, file, line and mark")
    })?;
    let mark = match (&*row.mark, &row.of) {
        ("keep", None) => Some(Mark::Keep),
        ("drop", None) => Some(Mark::Drop),
        (NOT_A_DUPLICATE, Some(_)) => None,
        (NOT_A_DUPLICATE, None) => {
            return Err(format!("{NOT_A_DUPLICATE:?} needs the other document in \"of\""));
        }
        ("keep" | "drop", Some(_)) => {
            return Err(format!("{:?} is the mark of one document; leave \"of\" out", row.mark));
        }
        (other, _) => {
            return Err(format!("{other:?} is not a mark; write keep, drop or {NOT_A_DUPLICATE}"));
        }
    };
    Ok((row, mark))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::analysis::{AnalysisDepth, AnalysisInput, Settings, run_to};
    use crate::corpus::{Input, LoadOptions};

    fn analysed(rows: &str) -> Arc<Analysis> {
        let bytes = rows.to_owned().into_bytes().leak();
        let inputs = vec![Input::Bundled { name: "rows.jsonl", bytes }];
        let work = AnalysisInput::Load(inputs, LoadOptions::default(), None);
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
        (found.marks.documents.into_iter().map(id).collect(), problems)
    }

    #[test]
    fn marks_are_found_at_their_place_else_by_their_text() {
        let texts = ["a low tide", "b high tide", "c spring tide", "a low tide"].map(row);
        let analysis = analysed(&texts.concat());
        let documents = [(DocId(0), Mark::Keep), (DocId(1), Mark::Drop), (DocId(3), Mark::Drop)];
        let not_duplicates = [[DocId(0), DocId(2)], [DocId(1), DocId(3)]];
        let marks = Marks { documents: documents.into(), not_duplicates: not_duplicates.into() };
        let lines = analysis.mark_lines(&marks).join("\n");
        assert_eq!(analysis.earlier_review(&lines, &Job::new()).unwrap().marks, marks);
        // With a row before them each text has moved. The two equal texts are matched in corpus order.
        let later = analysed(&(row("n new tide") + &texts.concat()));
        let moved = later.earlier_review(&lines, &Job::new()).unwrap();
        let documents = [(DocId(1), Mark::Keep), (DocId(2), Mark::Drop), (DocId(4), Mark::Drop)];
        let not_duplicates = [[DocId(1), DocId(3)], [DocId(2), DocId(4)]];
        let expected = Marks { documents: documents.into(), not_duplicates: not_duplicates.into() };
        assert_eq!((moved.marks, moved.absent), (expected, Vec::new()));
        // The second document has another text now.
        let changed = analysed(
            &[&texts[0], &row("b neap tide"), &texts[2], &texts[3]].map(String::as_str).concat(),
        );
        let (marks, problems) = restored(&changed, &lines);
        assert_eq!(marks, [("a".to_owned(), Mark::Keep), ("a".to_owned(), Mark::Drop)]);
        // The mark of that document, and the pair that it is in.
        assert_eq!(problems.len(), 2);
        assert!(problems.iter().all(|it| it.ends_with(":2 has another text now")), "{problems:?}");
    }

    #[test]
    fn a_review_is_known_by_its_texts_wherever_the_corpus_lies() {
        let texts = ["a low tide", "b high tide", "c spring tide"].map(row);
        let analysis = analysed(&texts.concat());
        let documents = [(DocId(0), Mark::Keep), (DocId(1), Mark::Drop), (DocId(2), Mark::Drop)];
        let marks = Marks { documents: documents.into(), ..Marks::default() };
        let lines = analysis.mark_lines(&marks).join("\n").replace("rows.jsonl", "elsewhere.jsonl");
        let policy = policy_line(&Policy::default(), &ReviewSettings::default());
        let reviews = [&*policy, "no review", &lines];
        let found = |rows: &[&str]| {
            analysed(&rows.concat()).review_of_same_texts(&reviews, &Job::new()).unwrap()
        };
        let [a, b, c] = texts.each_ref().map(|text| &**text);
        assert_eq!(found(&[&row("n new tide"), c, b, a]), Some(2));
        assert_eq!(found(&[a, b, &row("c neap tide")]), Some(2));
        assert_eq!(found(&[a, &row("b neap tide"), &row("c neap tide")]), None);
        // The texts must have their ids.
        assert_eq!(found(&[&row("x low tide"), &row("y high tide")]), None);
    }

    #[test]
    fn a_policy_is_a_line_and_a_bad_line_is_named() {
        let analysis = analysed(&row("a low tide"));
        let read = |text: &str| analysis.earlier_review(text, &Job::new());
        let policy: Policy = "source:x,longest".parse().unwrap();
        assert_eq!(
            read(&policy_line(&policy, &ReviewSettings::default())).unwrap().policy,
            Some(policy)
        );
        let other = "{\"policy\":\"first\",\"choices\":{\"filter\":\"is:near\",\"splits\":[0,4]}}";
        assert_eq!(read(other).unwrap().choices.filter, "is:near");
        let no_policy = read("\n{\"policy\": \"best\"}").unwrap_err();
        assert!(no_policy.starts_with("2: \"best\" is not a preference"), "{no_policy}");
        assert!(read("{}").unwrap_err().starts_with("1: missing field"));
        let row =
            |rest: &str| format!("{{\"id\":\"a\",\"file\":\"f\",\"line\":1,\"mark\":{rest}}}");
        let other = "\"of\":{\"id\":\"b\",\"file\":\"f\",\"line\":2}";
        for (rest, problem) in [
            (
                "\"not a duplicate\"".to_owned(),
                "1: \"not a duplicate\" needs the other document in \"of\"",
            ),
            (
                format!("\"keep\",{other}"),
                "1: \"keep\" is the mark of one document; leave \"of\" out",
            ),
            ("\"x\"".to_owned(), "1: \"x\" is not a mark; write keep, drop or not a duplicate"),
        ] {
            assert_eq!(read(&row(&rest)).unwrap_err(), problem);
        }
    }
}
