//! Two documents read again and compared word by word.

use std::time::Instant;

use super::inspection::clip;
use crate::{explain::TextDiff, id::DocId};

/// Two documents read again and compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The document on the left.
    pub left: DocId,
    /// The document on the right.
    pub right: DocId,
    /// The difference; `None` if a document carries only a fingerprint.
    pub diff: Option<TextDiff>,
    /// Whether texts were cut to what a screen can show.
    pub clipped: bool,
}

impl Comparison {
    /// Compares two texts. After `deadline` the diff is coarser.
    pub fn new(
        left: (DocId, Option<&str>),
        right: (DocId, Option<&str>),
        deadline: Option<Instant>,
    ) -> Self {
        let texts = left.1.zip(right.1);
        let diff = texts.map(|(a, b)| TextDiff::new(clip(a), clip(b), deadline));
        let clipped =
            texts.is_some_and(|(a, b)| clip(a).len() < a.len() || clip(b).len() < b.len());
        Self { left: left.0, right: right.0, diff, clipped }
    }
}
