//! The number of a document: its position in the corpus, from 0.
//!
//! Every layer refers to documents only by this number, so that hashing and searching never see a file name. It
//! takes four bytes: a corpus holds at most 2^32 - 1 documents.

/// A document's position in the corpus, counted from 0 in the order of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocId(pub u32);

impl DocId {
    /// The number as an index into a slice with one element for each document.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<usize> for DocId {
    /// # Panics
    /// If `index` does not fit 32 bits; loaders stop before that number of documents.
    fn from(index: usize) -> Self {
        Self(u32::try_from(index).expect("a corpus holds fewer than 2^32 documents"))
    }
}
