//! Wear: how far the selected document moves when some of its words change.

use crate::analysis::query;
use crate::app::resource::Resource;

/// The state of the Wear view.
#[derive(Debug, Default)]
pub struct WearState {
    /// The last document worn; the selected one's is on its way while it is another.
    pub worn: Resource<query::Wear>,
    /// The seed of the trials.
    pub seed: u64,
}
