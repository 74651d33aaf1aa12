//! The sizes of a tile, and its results.

/// Positions of a row and a column.
pub(crate) type Hit = (u32, u32);

/// Rows and columns of a tile: two columns of words fit the first-level cache, and all hits of a tile
/// together 8 MB.
pub(crate) const TILE: usize = 1024;

/// Columns that are counted at once: the bits of a vector.
pub(crate) const COUNT_COLUMNS: usize = 512;

/// Folds that a vector holds.
pub(crate) const FOLD_LANES: usize = 16;

/// Pairs at each distance: 0 to 64.
pub(crate) type Counts = [u64; 65];
