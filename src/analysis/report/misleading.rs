//! The number of misleading documents for each flag, and the first of these documents.

use super::name;
use crate::{
    analysis::{Analysis, AnalysisError, Job},
    explain::triage::{Flag, FlagLimits},
    id::DocId,
};

/// The most documents that are named for each flag.
const MOST_NAMED: usize = 3;

/// The number of documents whose distances may mislead, by reason.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MisleadingDocuments {
    /// Documents with at least one flag.
    pub n_documents: u64,
    /// Documents whose texts are absent, so that only a missing fingerprint is known of them.
    pub n_absent: u64,
    /// The flags that at least one document has, in their order.
    pub flags: Vec<FlaggedDocuments>,
}

/// The documents with one flag.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlaggedDocuments {
    /// The reason why they may mislead.
    pub flag: Flag,
    /// The number of these documents.
    pub n_documents: u64,
    /// The first documents.
    pub first: Vec<FlaggedDocument>,
}

/// A document with a flag.
#[derive(Clone, Debug, PartialEq)]
pub struct FlaggedDocument {
    /// The document.
    pub document: DocId,
    /// Its shown id.
    pub name: String,
    /// The warning.
    pub sentence: String,
}

impl MisleadingDocuments {
    /// Flags every document, with the default limits.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled.
    pub fn find(analysis: &Analysis, job: &Job) -> Result<Self, AnalysisError> {
        let of = |&flag: &Flag| FlaggedDocuments { flag, ..FlaggedDocuments::default() };
        let n_absent = analysis.corpus.summary().fingerprints;
        let mut found =
            Self { n_documents: 0, n_absent, flags: Flag::ALL.iter().map(of).collect() };
        analysis.triage(&FlagLimits::default(), job, &mut |document, findings| {
            found.n_documents += 1;
            for finding in findings {
                let flagged = &mut found.flags[finding.flag as usize];
                flagged.n_documents += 1;
                if flagged.first.len() < MOST_NAMED {
                    let name = name(&analysis.corpus, document);
                    let sentence = finding.sentence;
                    flagged.first.push(FlaggedDocument { document, name, sentence });
                }
            }
        })?;
        found.flags.retain(|flagged| flagged.n_documents > 0);
        Ok(found)
    }
}
