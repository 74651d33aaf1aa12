//! The Distances view: how the histogram is drawn.

/// What the Distances view remembers.
#[derive(Clone, Debug, Default)]
pub struct DistancesState {
    /// Whether bars are as high as their counts; else as their logarithms.
    pub is_linear: bool,
    /// Whether only the distances near enough to matter show, on a wider scale.
    pub is_zoomed: bool,
}
