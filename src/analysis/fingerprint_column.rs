//! The fingerprint records of all documents. The column grows while the corpus is read; snapshots share it without
//! copying.
//!
//! A record takes 40 bytes. Half of them are padding and the high word, which fingerprints up to 64 bits do not
//! need. In columns a record takes 20 bytes (28 for wider fingerprints). Sealed runs of 4,096 records are shared
//! between snapshots; only the open run is copied. A snapshot of a million documents costs 250 pointers and at most
//! 120 kB.

use std::num::NonZeroU8;
use std::sync::Arc;

use crate::id::DocId;
use crate::simhash::{Fingerprint, FingerprintRecord};

/// Records of a run.
const RUN: usize = 4096;

/// Records of the first documents of a corpus: all of them once an analysis is complete.
#[derive(Clone, Debug, Default)]
pub struct FingerprintColumn {
    sealed: Vec<Arc<RecordRun>>,
    open: RecordRun,
}

/// Up to [`RUN`] records in columns.
#[derive(Clone, Debug, Default)]
struct RecordRun {
    low: Vec<u64>,
    /// Empty unless a fingerprint of the run has more than 64 bits.
    high: Vec<u64>,
    rest: Vec<RecordDetails>,
}

/// The fields of a record other than the words of its fingerprint.
#[derive(Clone, Copy, Debug)]
struct RecordDetails {
    n_tokens: u32,
    n_features: u32,
    n_ties: u8,
    /// The width of the fingerprint; `None` if there is no fingerprint.
    width: Option<NonZeroU8>,
    dominated: bool,
    unreadable: bool,
}

impl RecordRun {
    fn len(&self) -> usize {
        self.rest.len()
    }

    fn get(&self, at: usize) -> Option<FingerprintRecord> {
        let rest = self.rest.get(at)?;
        let width = rest.width.map_or(0, |width| u32::from(width.get()));
        Some(FingerprintRecord {
            fingerprint: self.bits(at).map(|bits| Fingerprint::new(bits, width)),
            n_tokens: rest.n_tokens,
            n_features: rest.n_features,
            n_ties: rest.n_ties,
            dominated: rest.dominated,
            unreadable: rest.unreadable,
        })
    }

    /// The fingerprint of a record as an integer.
    fn bits(&self, at: usize) -> Option<u128> {
        self.rest.get(at)?.width?;
        let high = self.high.get(at).copied().unwrap_or(0);
        Some(u128::from(high) << 64 | u128::from(self.low[at]))
    }

    fn push(&mut self, record: &FingerprintRecord) {
        let FingerprintRecord { fingerprint, n_tokens, n_features, n_ties, dominated, unreadable } =
            *record;
        let bits = fingerprint.map_or(0, Fingerprint::bits);
        let (low, high) = (bits as u64, (bits >> 64) as u64);
        if high != 0 || !self.high.is_empty() {
            self.high.resize(self.len(), 0);
            self.high.push(high);
        }
        self.low.push(low);
        let width = fingerprint.and_then(|fingerprint| NonZeroU8::new(fingerprint.width() as u8));
        self.rest.push(RecordDetails {
            n_tokens,
            n_features,
            n_ties,
            width,
            dominated,
            unreadable,
        });
    }

    /// Frees the unused capacity.
    fn seal(mut self) -> Arc<Self> {
        self.low.shrink_to_fit();
        self.high.shrink_to_fit();
        self.rest.shrink_to_fit();
        Arc::new(self)
    }
}

impl FingerprintColumn {
    /// An empty column.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of documents fingerprinted so far.
    pub(crate) fn len(&self) -> usize {
        self.sealed.len() * RUN + self.open.len()
    }

    /// The record of a document; `None` if it is not computed yet.
    pub fn get(&self, document: DocId) -> Option<FingerprintRecord> {
        self.run(document)?.get(document.index() % RUN)
    }

    /// A document's fingerprint as an integer; `None` if it is not computed yet or there are no features.
    pub fn bits(&self, document: DocId) -> Option<u128> {
        self.run(document)?.bits(document.index() % RUN)
    }

    fn run(&self, document: DocId) -> Option<&RecordRun> {
        let run = document.index() / RUN;
        let open = || (run == self.sealed.len()).then_some(&self.open);
        self.sealed.get(run).map(Arc::as_ref).or_else(open)
    }

    /// Every record in document order.
    pub fn iter(&self) -> impl Iterator<Item = FingerprintRecord> {
        let runs = self.sealed.iter().map(Arc::as_ref).chain([&self.open]);
        runs.flat_map(|run| (0..run.len()).filter_map(|at| run.get(at)))
    }

    /// Every fingerprint in document order; `None` for documents without features.
    pub fn fingerprints(&self) -> impl Iterator<Item = Option<Fingerprint>> {
        self.iter().map(|record| record.fingerprint)
    }

    /// Adds the records of the next documents.
    pub fn extend(&mut self, records: impl IntoIterator<Item = FingerprintRecord>) {
        for record in records {
            self.open.push(&record);
            if self.open.len() == RUN {
                self.sealed.push(std::mem::take(&mut self.open).seal());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_keeps_its_sketch_across_runs() {
        let record =
            |n: usize| FingerprintRecord { n_tokens: n as u32, ..FingerprintRecord::carried(None) };
        let mut records = FingerprintColumn::new();
        records.extend((0..RUN + 2).map(record));
        assert_eq!(records.len(), RUN + 2);
        for at in [0, RUN - 1, RUN, RUN + 1] {
            assert_eq!(records.get(DocId::from(at)).map(|s| s.n_tokens), Some(at as u32));
        }
        assert_eq!(records.get(DocId::from(RUN + 2)), None);
        assert_eq!(records.get(DocId::from(5 * RUN)), None);
        assert_eq!(records.iter().count(), RUN + 2);
    }

    #[test]
    fn what_comes_out_is_what_went_in() {
        let carried = |bits, width| FingerprintRecord::carried(Some(Fingerprint::new(bits, width)));
        let made = FingerprintRecord {
            n_tokens: 7,
            n_features: 5,
            n_ties: 128,
            dominated: true,
            ..carried(u128::MAX, 128)
        };
        // A high word may come late in a run, and may be 0 in a wide fingerprint.
        let all = [
            carried(0, 1),
            FingerprintRecord::carried(None),
            carried(u128::MAX, 64),
            carried(5, 90),
            carried(1 << 89, 90),
            FingerprintRecord::unreadable(),
            made,
            carried(3, 90),
        ];
        let mut records = FingerprintColumn::new();
        records.extend(all);
        assert!(records.iter().eq(all));
        assert_eq!(size_of::<RecordDetails>(), 12);
    }
}
