//! The analysis of a corpus under one set of settings: its fingerprints, and what follows from them.
//!
//! ```text
//! corpus --batches--> records --collapse--> index --pairs--> near --at k--> counts, totals, groups
//!                                              |--at k--> layout, tables, the shape of a group
//!                                              |--all pairs, or a sample--> distances --> tuning
//!                                              `--at k--> grouping: pairs or groups, nothing kept
//! corpus --texts--> truth --one layout on fingerprints of the texts--> layout evaluation
//! texts under many recipes --compared with the true pairs--> sweep: precision and recall of each
//! two indexes of one corpus --what only one finds--> changes
//! near + labels --one pass over the corpus--> labelling: strata to sample from, and the judged pairs
//! query: the computations that run in the background of a screen, one type for each
//! ```
//!
//! The result is an immutable [`Analysis`], shared as an `Arc`. While it grows, snapshots of it are published. Only
//! this layer uses both `corpus` (documents) and `index` (fingerprints).

mod across;
pub mod advice;
pub mod alike;
pub mod arrangement;
mod batch;
pub mod changes;
mod cosines;
pub mod dedup;
pub mod disagreement;
mod equal_texts;
pub mod evidence;
pub mod explained_pair;
mod field_value;
pub mod filter;
mod fingerprint_column;
pub mod fingerprint_index;
mod folders;
pub mod found;
pub mod grouping;
pub mod index_file;
pub mod inspection;
pub mod job;
pub mod lab;
pub mod labelling;
pub mod layout_evaluation;
pub mod neighbour_counts;
pub mod offers;
pub mod query;
pub mod reach;
pub mod run;
pub mod settings;
pub mod similarity;
pub mod sweep;
mod text_kind;
mod triage;
pub mod truth;
pub mod tuning;

use std::sync::Arc;

pub use advice::{Advice, GroupsAtK};
pub use alike::{Alike, AlikeBy, DEFAULT_TAU, SimilarTexts};
pub use changes::{ChangedPair, Changes};
pub use equal_texts::{EqualTexts, TwinKind};
pub use evidence::{Basis, Evidence};
pub use fingerprint_column::FingerprintColumn;
pub use fingerprint_index::{FingerprintIndex, TableRow};
pub use folders::{Containment, FolderShares, folder_shares};
pub use grouping::SearchSummary;
pub use job::{Job, Stage, deadline};
pub use lab::{EvaluatedPair, Lab, PairOutcome, TextFingerprints};
pub use labelling::{Assessment, Labelling};
pub use layout_evaluation::{LayoutEvaluation, check_layout};
pub use neighbour_counts::{PairsByDistance, ReachLimit, ThresholdTotals};
pub use offers::LayoutOffer;
pub use run::{AnalysisDepth, AnalysisInput, run_to};
pub use settings::{AnalysisError, DEFAULT_K, LayoutChoice, Settings};
pub use sweep::{Reference, SweepGrid, SweptRecipe};
pub use text_kind::TextKind;
pub use triage::CorpusFlags;
pub use truth::{Truth, TruthChoice};
pub use tuning::{KRow, Tuning};

use crate::corpus::{Content, Corpus, Diagnostic, ReadError};
use crate::id::DocId;
use crate::index::Groups;
use crate::simhash::{FeatureVotes, Fingerprint, FingerprintRecord, Fingerprinter};

/// The analysis of a corpus under one recipe. While the corpus is read, it holds the part that is finished.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The documents.
    pub corpus: Corpus,
    /// The settings of the analysis.
    pub settings: Settings,
    /// The recipe, ready to fingerprint texts, with its document frequencies.
    pub fingerprinter: Fingerprinter,
    /// One record for each document fingerprinted so far.
    pub records: FingerprintColumn,
    /// Problems of documents that were found after the corpus was read.
    pub problems: Arc<Vec<Diagnostic>>,
    /// The distinct fingerprints and the layout; `None` until all fingerprints are computed.
    pub index: Option<Arc<FingerprintIndex>>,
    /// The near pairs: all pairs within k, and the kept pairs beyond k. `None` until they are searched.
    pub near: Option<Arc<PairsByDistance>>,
    /// The groups at the settings' k; `None` until they are formed.
    pub groups: Option<Arc<Groups>>,
    /// The flags of misleading documents; `None` until they are computed.
    pub flags: Option<Arc<CorpusFlags>>,
    /// The documents with equal fingerprints, divided by equal texts; `None` until the texts are compared.
    pub equal_texts: Option<Arc<EqualTexts>>,
    /// The shares of text that were computed.
    pub known_shares: Arc<alike::KnownShares>,
    /// The judge of similar texts, if a document may be dropped only for a similar one.
    pub similar_texts: Option<Arc<SimilarTexts>>,
}

impl Default for Analysis {
    fn default() -> Self {
        Self::empty(Settings::default()).expect("the usual settings do not contradict themselves")
    }
}

impl Analysis {
    /// An empty analysis. A screen shows it before the first document is read.
    ///
    /// # Errors
    /// [`AnalysisError`] if the settings contradict themselves.
    pub fn empty(settings: Settings) -> Result<Self, AnalysisError> {
        settings.check()?;
        Ok(Self {
            corpus: Corpus::default(),
            fingerprinter: Fingerprinter::before_frequencies(&settings.recipe)?,
            settings,
            records: FingerprintColumn::new(),
            problems: Arc::default(),
            index: None,
            near: None,
            groups: None,
            flags: None,
            equal_texts: None,
            known_shares: Arc::default(),
            similar_texts: None,
        })
    }

    /// The same fingerprints with another k or layout. Keeps the near pairs if they stay valid, and removes the
    /// groups. Costs microseconds.
    ///
    /// # Errors
    /// [`AnalysisError`] if the settings contradict themselves.
    pub fn under(&self, settings: &Settings) -> Result<Self, AnalysisError> {
        let mut analysis = Self { settings: settings.clone(), ..self.clone() };
        let had = &self.settings;
        if (had.k, had.layout) == (settings.k, settings.layout) {
            return Ok(analysis);
        }
        if let Some(index) = &self.index {
            analysis.index = Some(Arc::new(index.under(settings)?));
        }
        // Each banding finds pairs of its own; all other layouts find the same pairs.
        let bands = |layout| matches!(layout, LayoutChoice::Bands { .. });
        if had.layout != settings.layout && (bands(had.layout) || bands(settings.layout)) {
            analysis.near = None;
        }
        analysis.groups = None;
        Ok(analysis)
    }

    /// The number of documents known so far.
    pub fn len(&self) -> usize {
        self.corpus.len()
    }

    /// Whether no document is known yet.
    pub fn is_empty(&self) -> bool {
        self.corpus.is_empty()
    }

    /// Whether the pairs within k are known.
    pub fn is_complete(&self) -> bool {
        self.totals().is_some()
    }

    /// Whether the pairs one bit beyond k are known, or are too many to keep.
    pub fn knows_the_next_bit(&self) -> bool {
        let next = (self.settings.k + 1).min(self.settings.recipe.bits);
        self.near.as_ref().is_some_and(|near| near.reach() >= next || near.limit.is_some())
    }

    /// The numbers of pairs and groups within k; `None` until the pairs are found.
    pub fn totals(&self) -> Option<ThresholdTotals> {
        self.near.as_ref()?.totals(self.settings.k)
    }

    /// The record of a document; `None` if it is not fingerprinted yet.
    pub fn record(&self, document: DocId) -> Option<FingerprintRecord> {
        self.records.get(document)
    }

    /// A document's fingerprint; `None` if it is not computed yet or the document has no features.
    pub fn fingerprint(&self, document: DocId) -> Option<Fingerprint> {
        self.record(document)?.fingerprint
    }

    /// The number of documents within k of this one; `None` until the pairs are found. If there is a reference,
    /// only documents of the other corpus count.
    pub fn near_count(&self, document: DocId) -> Option<u32> {
        let (near, index, k) = (self.near.as_ref()?, self.index.as_ref()?, self.settings.k);
        if near.reach() < k {
            return None;
        }
        let Some(entry) = index.entry_of(document) else { return Some(0) };
        let copies = self.near_copies(document) as u32;
        Some(near.count(entry, k, self.corpus.is_reference(document)) + copies)
    }

    /// The number of other documents with the fingerprint of this one. If there is a reference, only documents of
    /// the other corpus count.
    pub fn near_copies(&self, document: DocId) -> usize {
        let index = self.index.as_ref();
        let known = index.and_then(|index| Some((index, index.entry_of(document)?)));
        let Some((index, entry)) = known else { return 0 };
        let [first, reference] = index.documents_by_side(entry).map(<[DocId]>::len);
        match self.corpus.reference() {
            None => first - 1,
            Some(_) if self.corpus.is_reference(document) => first,
            Some(_) => reference,
        }
    }

    /// The number of the document's group; `None` if groups are not formed yet, or if it is in no group.
    pub fn group_of(&self, document: DocId) -> Option<u32> {
        self.groups.as_ref()?.group_of(document)
    }

    /// The diagnostics of the corpus and of the analysis.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        self.corpus.diagnostics().iter().chain(self.problems.iter())
    }

    /// The problems to list: the diagnostics, then the remarks of the corpus.
    pub fn listed_problems(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics().chain(self.corpus.remarks())
    }

    /// Reads a document again and counts its votes. A document that carries a fingerprint or hashes instead of text has
    /// no text and no votes.
    ///
    /// # Errors
    /// [`ReadError`] if the document vanished, changed or cannot be read.
    pub fn open(
        &self,
        document: DocId,
    ) -> Result<(Option<String>, Option<FeatureVotes>), ReadError> {
        match self.corpus.read(document)? {
            Content::Text(text) => {
                // Weights that need the whole corpus are not known before it is read.
                let known = self.fingerprinter.is_ready();
                let feature_votes = known.then(|| self.fingerprinter.feature_votes(&text));
                Ok((Some((*text).to_owned()), feature_votes))
            }
            Content::Fingerprint(_) | Content::Hashes(_) => Ok((None, None)),
        }
    }
}
