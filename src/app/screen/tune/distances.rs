//! The Tune view: the distances of all pairs, and what follows for each k.

use crate::{
    analysis::Tuning,
    app::{
        query,
        resource::{JobNumber, Resource},
    },
};

/// The state of the Tune view.
#[derive(Debug, Default)]
pub struct DistancesState {
    /// Whether only small distances are shown, on a wider scale.
    pub is_zoomed: bool,
    /// The distances of all pairs.
    pub measured: Resource<query::DistancesQuery>,
    /// The recommended k by cosines.
    pub advised: Resource<query::AdviceQuery>,
    /// The known rows, one for each k.
    pub tuning: Option<Tuning>,
    /// The inputs of these rows.
    pub(in crate::app) tuned: Option<TuningInputs>,
}

/// The inputs of a tuning: a step of k changes none of them.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct TuningInputs {
    /// The version of the fingerprints.
    pub(in crate::app) fingerprints: u64,
    /// The version of the pairs.
    pub(in crate::app) pairs: Option<u64>,
    /// The version of the analysis, if there are no pairs.
    pub(in crate::app) analysis: Option<u64>,
    /// Whether the distances were known.
    pub(in crate::app) has_distances: bool,
    /// Whether only bands were searched.
    pub(in crate::app) is_bands: bool,
    /// The number of the answer that gave the advice.
    pub(in crate::app) advice: Option<JobNumber>,
}
