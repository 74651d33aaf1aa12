//! The fingerprints of the texts of a truth under one recipe. Layouts are evaluated on them.

use super::{Analysis, fingerprint_index::each};
use crate::{
    index::Distinct,
    progress::{Cancelled, Progress},
    simhash::Bits,
};

/// The fingerprints of distinct texts, for either word size.
#[derive(Debug)]
pub enum TextFingerprints {
    /// Up to 64 bits.
    Narrow(TypedFingerprints<u64>),
    /// Up to 128 bits.
    Wide(TypedFingerprints<u128>),
}

/// Fingerprints of one word size.
#[derive(Debug)]
pub struct TypedFingerprints<B> {
    /// The documents with text, by fingerprint.
    pub(super) distinct: Distinct<B>,
    /// The fingerprint of each text.
    pub(super) values: Vec<B>,
    pub(super) width: u32,
}

impl TextFingerprints {
    pub(super) fn new(
        texts: &Distinct<u128>,
        analysis: &Analysis,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        Ok(if analysis.settings.recipe.bits <= u64::BITS {
            Self::Narrow(TypedFingerprints::new(texts, analysis, progress)?)
        } else {
            Self::Wide(TypedFingerprints::new(texts, analysis, progress)?)
        })
    }

    /// The width of the fingerprints.
    pub fn width(&self) -> u32 {
        each!(self, typed => typed.width)
    }
}

impl<B: Bits> TypedFingerprints<B> {
    fn new(
        texts: &Distinct<u128>,
        analysis: &Analysis,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let value = |document| analysis.fingerprint(document).map(|it| B::from_wide(it.bits()));
        let mut fingerprints = vec![None; texts.n_documents()];
        let mut values = Vec::with_capacity(texts.len());
        for text in 0..texts.len() as u32 {
            if text.is_multiple_of(1 << 14) {
                progress.check()?;
            }
            let documents = texts.documents(text);
            // Equal features give equal fingerprints, but a document may have been unreadable for a moment.
            let fingerprint = documents.iter().find_map(|&document| value(document));
            let fingerprint = fingerprint.unwrap_or(B::from_wide(0));
            for document in documents {
                fingerprints[document.index()] = Some(fingerprint);
            }
            values.push(fingerprint);
        }
        let distinct = Distinct::collapse(&fingerprints, progress)?;
        Ok(Self { distinct, values, width: analysis.settings.recipe.bits })
    }
}
