//! The fingerprints in an index: the notes of its chunks.

use std::io::{self, Write};

use rayon::prelude::*;

use super::Analysis;
use crate::corpus::{KeptCorpus, KeptInputs};
use crate::id::DocId;
use crate::simhash::{Fingerprint, FingerprintRecord, Recipe};

/// A record as written: the bits of its fingerprint, its tokens, features and ties, and whether it is dominated and
/// unreadable.
type WrittenRecord = (Option<u128>, u32, u32, u8, bool, bool);

impl KeptInputs {
    /// Whether the fingerprints are those of a run under this recipe.
    pub fn is_of(&self, recipe: &Recipe) -> bool {
        match &self.recipe {
            Some(own) => *own == recipe.to_string(),
            // They came as they are.
            None => self.bits == recipe.bits && !recipe.counts_frequencies(),
        }
    }

    /// The recipe with which they are used; `None` if it is damaged.
    pub fn recipe_to_use(&self) -> Option<Recipe> {
        let unknown = || Some(Recipe { bits: self.bits, ..Recipe::default() });
        self.recipe.as_deref().map_or_else(unknown, |own| own.parse().ok())
    }
}

impl Analysis {
    /// Writes the index of this corpus, which was read from `of` when its digest was taken.
    ///
    /// # Errors
    /// As [`Corpus::keep`](crate::corpus::Corpus::keep).
    pub fn keep(&self, mut of: KeptInputs, out: &mut dyn Write) -> io::Result<()> {
        let recipe = &self.settings.recipe;
        of.recipe = (!self.corpus.is_of_unknown_recipe()).then(|| recipe.to_string());
        of.bits = recipe.bits;
        of.problems = self.problems.to_vec();
        let written = |document: DocId| -> WrittenRecord {
            let it = self.record(document).unwrap_or_else(FingerprintRecord::unreadable);
            let bits = it.fingerprint.map(Fingerprint::bits);
            (bits, it.n_tokens, it.n_features, it.n_ties, it.dominated, it.unreadable)
        };
        let notes = |first: DocId, n: usize| {
            let documents = first.index()..first.index() + n;
            let records: Vec<_> = documents.map(|at| written(DocId::from(at))).collect();
            postcard::to_allocvec(&records).unwrap_or_default()
        };
        self.corpus.keep(of, &notes, out)
    }
}

/// The records of the `n` documents of an index. Those that cannot be used count as unreadable.
pub(super) fn kept_records(kept: &KeptCorpus, n: usize) -> Vec<FingerprintRecord> {
    let width = kept.of.bits;
    let record = |written: WrittenRecord| {
        let (bits, n_tokens, n_features, n_ties, dominated, unreadable) = written;
        let fingerprint = bits.map(|bits| Fingerprint::new(bits, width));
        FingerprintRecord { fingerprint, n_tokens, n_features, n_ties, dominated, unreadable }
    };
    let written = |notes: &Vec<u8>| postcard::from_bytes::<Vec<_>>(notes).unwrap_or_default();
    let mut records: Vec<_> = kept
        .notes
        .par_iter()
        .flat_map_iter(|notes| written(notes).into_iter().map(record))
        .collect();
    records.resize(n, FingerprintRecord::unreadable());
    records
}
