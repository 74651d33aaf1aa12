//! Wear: how far the selected document moves when some of its words change.

use crate::analysis::query;
use crate::app::resource::Resource;

/// The state of the Wear view.
#[derive(Debug, Default)]
pub struct WearState {
    /// The distances of the last edited document, which may not be the selected one until its answer comes.
    pub worn: Resource<query::WearQuery>,
    /// The seed of the trials.
    pub seed: u64,
}
