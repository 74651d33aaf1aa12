//! The record stored for every document: 40 bytes.

use super::fingerprint::Fingerprint;

/// The record stored for every document: its fingerprint and the numbers behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FingerprintRecord {
    /// `None` if the text has no features, which is not the same as fingerprint 0.
    pub fingerprint: Option<Fingerprint>,
    /// Tokens after stop words.
    pub n_tokens: u32,
    /// Distinct features.
    pub n_features: u32,
    /// The number of bits whose votes balance exactly.
    pub n_ties: u8,
    /// Whether one feature weighs more than all other features together, or is the only one: the fingerprint is
    /// then the hash of that feature.
    pub dominated: bool,
    /// Whether the document could no longer be read for this record.
    pub unreadable: bool,
}

impl FingerprintRecord {
    /// A record of only a fingerprint, as read from a file of fingerprints.
    pub fn carried(fingerprint: Option<Fingerprint>) -> Self {
        Self {
            fingerprint,
            n_tokens: 0,
            n_features: 0,
            n_ties: 0,
            dominated: false,
            unreadable: false,
        }
    }

    /// The record of a document that could not be read.
    pub fn unreadable() -> Self {
        Self { unreadable: true, ..Self::carried(None) }
    }
}
