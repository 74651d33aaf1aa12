//! The errors of layouts: each message names the setting to change.

use super::layout::MAX_TABLES;

/// The reason why a layout is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// The width is not 1 to 128.
    #[error("a fingerprint has 1 to 128 bits, not {0}; set the width with `bits`")]
    Width(u32),
    /// A key of no blocks, or of more blocks than there are.
    #[error("a key needs 1 to {blocks} of {blocks} blocks, not {key}; use more blocks (`blocks`)")]
    Key {
        /// The number of blocks.
        blocks: u32,
        /// The requested number of blocks.
        key: u32,
    },
    /// There is no block.
    #[error("a layout needs at least one block; use `blocks` 1 or more")]
    NoBlocks,
    /// A block would be empty.
    #[error("{width} bits cannot be cut into {blocks} blocks; use at most {width} (`blocks`)")]
    MoreBlocksThanBits {
        /// The requested number of blocks.
        blocks: u32,
        /// The number of bits.
        width: u32,
    },
    /// The outer key of two levels has every bit.
    #[error("an outer key of all {outer} blocks leaves nothing to cut; use fewer outer key blocks")]
    NothingLeft {
        /// The number of outer blocks, which are all in the key.
        outer: u32,
    },
    /// The differing bits can change every block.
    #[error(
        "{blocks} block{s} cannot guarantee distance {distance}; use at least {needed} blocks \
         (`blocks` {needed}) or a smaller `k`",
        s = if *blocks == 1 { "" } else { "s" },
        needed = distance + 1,
    )]
    TooFewBlocks {
        /// The requested number of blocks.
        blocks: u32,
        /// The requested distance.
        distance: u32,
    },
    /// No two fingerprints are farther apart.
    #[error("any two {width}-bit fingerprints are within distance {distance}; use `k` {} or less", width - 1)]
    EveryPair {
        /// The width of a fingerprint in bits.
        width: u32,
        /// The requested distance.
        distance: u32,
    },
    /// More tables than the limit.
    #[error(
        "this layout has {tables} tables and {MAX_TABLES} is the limit; use fewer blocks (`blocks`)"
    )]
    TooManyTables {
        /// The number of tables; `u128::MAX` if the number does not fit.
        tables: u128,
    },
    /// No band, or bands without bits.
    #[error("{bands}x{bits} has no band to compare; use at least 1x1 (`bands`)")]
    NoBands {
        /// The requested number of bands.
        bands: u32,
        /// The requested number of bits of each band.
        bits: u32,
    },
    /// The bands need more bits than a fingerprint has.
    #[error(
        "{bands} bands of {bits} bits need {needed} bits and a fingerprint has {width}; widen it \
         with `bits` or use smaller `bands`"
    )]
    BandsTooWide {
        /// The requested number of bands.
        bands: u32,
        /// The requested number of bits of each band.
        bits: u32,
        /// The width of a fingerprint in bits.
        width: u32,
        /// The number of bits that the bands need.
        needed: u64,
    },
}
