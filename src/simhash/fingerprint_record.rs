//! The record that is kept of every document: 40 bytes.

use super::fingerprint::Fingerprint;

/// The record that is kept of every document: its fingerprint and the numbers behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FingerprintRecord {
    /// `None` where the text has no features: a state of its own, not a fingerprint.
    pub fingerprint: Option<Fingerprint>,
    /// Tokens after stop words.
    pub n_tokens: u32,
    /// Distinct features.
    pub n_features: u32,
    /// Bits whose votes balance exactly.
    pub n_ties: u8,
    /// One feature outweighs all the others together, or is the only one: the fingerprint is that
    /// feature's hash.
    pub dominated: bool,
    /// The document was there once but could not be read for this record.
    pub unreadable: bool,
}

impl FingerprintRecord {
    /// A record that knows the fingerprint and nothing else, as read from a file of fingerprints.
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

    /// The record of a document that could not be read: nothing is known of it.
    pub fn unreadable() -> Self {
        Self { unreadable: true, ..Self::carried(None) }
    }
}
