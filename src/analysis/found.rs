//! The documents that pass a filter, as far as they were scanned: 2 bits for each document.
//!
//! Worker threads add documents while a screen reads the next match and the number of matches so far.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use super::filter::Filter;
use super::run::refingerprinted;
use super::{Analysis, AnalysisError, FingerprintColumn, Job, Stage};
use crate::corpus::Corpus;
use crate::id::DocId;
use crate::index::partition::for_each_task;
use crate::progress::Cancelled;

/// The most documents that a thread scans at once.
const AT_ONCE: usize = 512;
/// A thread also stops at the document that reaches this number of bytes.
const BYTES_AT_ONCE: u64 = 1 << 20;

/// The scanned documents, and whether each passes the terms of a filter that need records.
#[derive(Debug, Default)]
pub struct FilterMatches(RwLock<Sets>);

/// The scanned documents, and those of them that pass.
#[derive(Debug, Default)]
pub struct Sets {
    /// For each document whether it passes; `None` if it was not looked at.
    passes: Vec<Option<bool>>,
    /// The number of documents that were looked at.
    pub n_looked_at: usize,
    /// The number of documents that pass.
    pub n_passing: usize,
}

impl FilterMatches {
    /// The documents scanned so far. The scanning threads wait while the guard is held.
    pub fn read(&self) -> RwLockReadGuard<'_, Sets> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, looked_at: &[(DocId, bool)]) {
        let mut sets = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for &(document, passes) in looked_at {
            sets.add(document, passes);
        }
    }
}

impl Sets {
    /// Whether a document passes; `None` if it was not scanned.
    pub fn get(&self, document: DocId) -> Option<bool> {
        self.passes.get(document.index()).copied().flatten()
    }

    fn add(&mut self, document: DocId, passes: bool) {
        let at = document.index();
        self.passes.resize(self.passes.len().max(at + 1), None);
        if self.passes[at].is_none() {
            self.passes[at] = Some(passes);
            self.n_looked_at += 1;
            self.n_passing += usize::from(passes);
        }
    }
}

impl Analysis {
    /// Scans all documents that pass the terms without a record and were not scanned yet, starting with the
    /// documents from `from` on. Costs about as much as reading their files.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled; the results so far are kept.
    pub fn search(
        &self,
        filter: &Filter,
        from: DocId,
        found: &FilterMatches,
        job: &Job,
    ) -> Result<(), Cancelled> {
        let all = (0..self.len()).map(DocId::from);
        let wanted: Vec<DocId> = {
            let known = found.read();
            let is_new = |document: &DocId| known.get(*document).is_none();
            all.filter(is_new).filter(|&document| filter.admits_unread(self, document)).collect()
        };
        job.enter(Stage::Search, wanted.len() as u64);
        let mut held = (0, 0);
        let fits = |document: &DocId, _: &DocId| {
            held = (held.0 + 1, held.1 + u64::from(self.corpus.document(*document).length));
            let fits = held.0 < AT_ONCE && held.1 < BYTES_AT_ONCE;
            held = if fits { held } else { (0, 0) };
            fits
        };
        let portions: Vec<&[DocId]> = wanted.chunk_by(fits).collect();
        let first = portions.partition_point(|portion| portion.last() < Some(&from));
        for_each_task(portions.len(), Vec::new, |looked_at, number| {
            job.progress.check()?;
            let portion = portions[(first + number) % portions.len()];
            looked_at.clear();
            self.corpus.visit_records(portion, &mut |glance| {
                let document = glance.document();
                let passes = filter.admits_read(glance);
                looked_at.push((document, *passes.as_ref().unwrap_or(&false)));
                passes.map(drop)
            });
            found.add(looked_at);
            job.progress.add(portion.len() as u64);
            Ok(())
        })?;
        job.progress.check()
    }

    /// The documents that pass a filter, in the order of the corpus.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn passing(&self, filter: &Filter, job: &Job) -> Result<Vec<DocId>, Cancelled> {
        let found = FilterMatches::default();
        if filter.needs_records() {
            self.search(filter, DocId(0), &found, job)?;
        }
        let known = found.read();
        Ok(self.admitted(filter, &known))
    }

    /// A new analysis of only the documents that pass the filter, as if the inputs held no others. It is only
    /// fingerprinted, without an index. With tf-idf the documents are fingerprinted again, because their weights
    /// depend on all documents.
    ///
    /// # Errors
    /// [`AnalysisError`] if no document passes, if cancelled, or if a text cannot be read again.
    pub fn of_those_that_pass(
        &self,
        filter: &Filter,
        job: &Job,
    ) -> Result<Arc<Self>, AnalysisError> {
        let documents = self.passing(filter, job)?;
        if documents.is_empty() {
            let none = "no document passes the filter".to_owned();
            return Err(AnalysisError::Refused(none));
        }
        let corpus = self.corpus.only(&documents, &job.progress)?;
        if self.settings.recipe.counts_frequencies() {
            return refingerprinted(&corpus, self.settings.clone(), job);
        }
        Ok(Arc::new(self.with_corpus(corpus, &documents)?))
    }

    /// These documents alone, with their fingerprints.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled.
    pub(super) fn only(&self, documents: &[DocId], job: &Job) -> Result<Self, AnalysisError> {
        self.with_corpus(self.corpus.only(documents, &job.progress)?, documents)
    }

    /// The same with a corpus of these documents alone.
    fn with_corpus(&self, corpus: Corpus, documents: &[DocId]) -> Result<Self, AnalysisError> {
        let mut records = FingerprintColumn::new();
        records.extend(documents.iter().filter_map(|&document| self.record(document)));
        let mut only = Self::empty(self.settings.clone())?;
        (only.corpus, only.records) = (corpus, records);
        (only.fingerprinter, only.problems) =
            (self.fingerprinter.clone(), Arc::clone(&self.problems));
        Ok(only)
    }

    /// The documents that pass a filter, as far as their records were scanned.
    pub(super) fn admitted(&self, filter: &Filter, known: &Sets) -> Vec<DocId> {
        let all = (0..self.len()).map(DocId::from);
        let needs_records = filter.needs_records();
        let is_found = |document: &DocId| !needs_records || known.get(*document) == Some(true);
        all.filter(is_found).filter(|&document| filter.admits_unread(self, document)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analysis::{AnalysisDepth, AnalysisInput, Settings, run_to};
    use crate::corpus::{Input, LoadOptions, folded};

    fn analysed(rows: &str) -> Arc<Analysis> {
        let inputs =
            vec![Input::Bundled { name: "rows.jsonl", bytes: rows.to_owned().into_bytes().leak() }];
        let work = AnalysisInput::Load(inputs, LoadOptions::default(), None);
        run_to(AnalysisDepth::Pairs, work, Settings::default(), &Job::new(), &mut |_| {}).unwrap()
    }

    #[test]
    fn a_search_that_was_stopped_goes_on_where_it_was() {
        let rows: Vec<String> =
            (0..1_500).map(|n| format!("{{\"text\": \"tide {n}\"}}\n")).collect();
        let rows = rows.concat();
        let analysis = analysed(&rows);
        let (filter, found) = (Filter::words("TIDE 1").unwrap(), FilterMatches::default());
        let job = Job::new();
        job.progress.cancel();
        assert_eq!(analysis.search(&filter, DocId(0), &found, &job), Err(Cancelled));
        assert_eq!(found.read().n_looked_at, 0);
        analysis.search(&filter, DocId(1_200), &found, &Job::new()).unwrap();
        let n = (0..1_500).filter(|n| n.to_string().starts_with('1')).count();
        assert_eq!((found.read().n_looked_at, found.read().n_passing), (1_500, n));
        assert_eq!(found.read().get(DocId(21)), Some(false));
        assert_eq!(found.read().get(DocId(1_500)), None);
        // No document is left to scan.
        let job = Job::new();
        analysis.search(&filter, DocId(0), &found, &job).unwrap();
        assert_eq!((job.progress.get(), found.read().n_passing), ((0, 0), n));
    }

    /// A row of the test, and terms with a direct implementation of each.
    type Row = (String, String, Option<u8>);

    fn plain(terms: &[(bool, usize, u8)], row: &Row) -> bool {
        let (title, text, n) = row;
        let holds = |text: &str, n: u8| folded(text).contains(&folded(WORDS[n as usize % 3]));
        terms.iter().all(|&(wanted, kind, value)| {
            let is = match kind {
                0 => holds(title, value) || holds(text, value) || holds("rows", value),
                1 => holds(title, value),
                2 => n.is_some_and(|n| n > value),
                3 => n.is_some_and(|n| n.to_string().contains(&value.to_string())),
                _ => text.split_whitespace().count() >= usize::from(value),
            };
            is == wanted
        })
    }

    const WORDS: [&str; 3] = ["ab", "É", "b A"];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        /// Against a direct check of the terms on the titles, texts and numbers as written.
        #[test]
        fn what_passes_is_what_the_terms_say(
            rows in prop::collection::vec(
                ("[aB]{1,2}", "[aBé ]{1,6}", prop::option::of(0_u8..20)), 1..20),
            terms in prop::collection::vec((any::<bool>(), 0_usize..5, 0_u8..20), 1..4),
        ) {
            let line = |row: &Row| {
                let mut line = serde_json::json!({"id": "-", "title": row.0, "text": row.1, "n": row.2});
                if row.2.is_none() {
                    line.as_object_mut().unwrap().remove("n");
                }
                line.to_string() + "\n"
            };
            let analysis = analysed(&rows.iter().map(line).collect::<String>());
            let typed = |&(wanted, kind, value): &(bool, usize, u8)| {
                let word = WORDS[value as usize % 3];
                let term = match kind {
                    0 => format!("\"{word}\""),
                    1 => format!("title:\"{word}\""),
                    2 => format!("n>{value}"),
                    3 => format!("n:{value}"),
                    _ => format!("words>={value}"),
                };
                if wanted { term } else { format!("-{term}") }
            };
            let filter: Filter =
                terms.iter().map(typed).collect::<Vec<_>>().join(" ").parse().unwrap();
            let expected: Vec<DocId> = (0..rows.len())
                .filter(|&at| plain(&terms, &rows[at]))
                .map(DocId::from)
                .collect();
            prop_assert_eq!(analysis.passing(&filter, &Job::new()).unwrap(), expected);
        }
    }
}
