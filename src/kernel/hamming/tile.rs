//! The sizes of a tile, and its results.

/// The positions of a row and a column.
pub(crate) type Hit = (u32, u32);

/// The most rows, and the most columns, of a tile: two arrays of this many words fit the first-level cache, and
/// all hits of a tile take at most 8 MB.
pub(crate) const TILE: usize = 1024;

/// The number of columns that are counted at once: the bits of a vector.
pub(crate) const COUNT_COLUMNS: usize = 512;

/// The number of folds in a vector.
pub(crate) const FOLD_LANES: usize = 16;

/// The number of pairs at each distance from 0 to 64.
pub(crate) type Counts = [u64; 65];
