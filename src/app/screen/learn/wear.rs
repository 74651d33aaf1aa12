//! Wear: how far the selected document moves when some of its words change.

use crate::analysis::query;
use crate::app::resource::Resource;

/// The state of the Wear view.
#[derive(Debug, Default)]
pub struct WearState {
    /// The distances of the last document edited; while that is another than the selected one, the selected
    /// one's are on their way.
    pub worn: Resource<query::Wear>,
    /// The seed of the trials.
    pub seed: u64,
}
