//! The queries of the screens: those of [`analysis`](crate::analysis::query), and one whose answer is laid out
//! in sections.

use std::sync::Arc;

use super::screen::near;
pub use crate::analysis::query::*;
use crate::{
    analysis::{Analysis, Job},
    id::DocId,
};

/// Why two documents are found, or are not. Costs the length of their texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Why(pub [DocId; 2]);

impl Query for Why {
    type Answer = Arc<near::Why>;
    const NAME: &'static str = "why";
    const READS: Reads = Reads::Analysis;

    fn run(self, analysis: &Analysis, _: &Job) -> Result<Self::Answer, String> {
        near::Why::new(analysis, self.0).map(Arc::new)
    }
}
