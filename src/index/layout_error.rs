//! Why a layout cannot be: each message names the setting to change.

use super::layout::MAX_TABLES;

/// The reason why there is no such layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// The width is not 1 to 128.
    #[error("a fingerprint has 1 to 128 bits, not {0}; set the width with `bits`")]
    Width(u32),
    /// A key of no blocks, or of more than there are.
    #[error("a key needs 1 to {blocks} of {blocks} blocks, not {key}; use more blocks (`blocks`)")]
    Key {
        /// Blocks to choose from.
        blocks: u32,
        /// Blocks asked for.
        key: u32,
    },
    /// Nothing is cut.
    #[error("a layout needs at least one block; use `blocks` 1 or more")]
    NoBlocks,
    /// A block would be empty.
    #[error("{width} bits cannot be cut into {blocks} blocks; use at most {width} (`blocks`)")]
    MoreBlocksThanBits {
        /// Blocks asked for.
        blocks: u32,
        /// Bits there are to cut.
        width: u32,
    },
    /// The outer key of two levels takes every bit.
    #[error("an outer key of all {outer} blocks leaves nothing to cut; use fewer outer key blocks")]
    NothingLeft {
        /// Outer blocks, all of them key.
        outer: u32,
    },
    /// So many differing bits can damage every block.
    #[error(
        "{blocks} block{s} cannot guarantee distance {distance}; use at least {needed} blocks \
         (`blocks` {needed}) or a smaller `k`",
        s = if *blocks == 1 { "" } else { "s" },
        needed = distance + 1,
    )]
    TooFewBlocks {
        /// Blocks asked for.
        blocks: u32,
        /// Distance asked for.
        distance: u32,
    },
    /// No two fingerprints are farther apart.
    #[error("any two {width}-bit fingerprints are within distance {distance}; use `k` {} or less", width - 1)]
    EveryPair {
        /// Bits of a fingerprint.
        width: u32,
        /// Distance asked for.
        distance: u32,
    },
    /// More tables than are sensible to sort.
    #[error(
        "this layout has {tables} tables and {MAX_TABLES} is the limit; use fewer blocks (`blocks`)"
    )]
    TooManyTables {
        /// Tables it would have; `u128::MAX` if that does not fit.
        tables: u128,
    },
    /// No band, or bands without bits.
    #[error("{bands}x{bits} has no band to compare; use at least 1x1 (`bands`)")]
    NoBands {
        /// Bands asked for.
        bands: u32,
        /// Bits a band.
        bits: u32,
    },
    /// The bands need more bits than there are.
    #[error(
        "{bands} bands of {bits} bits need {needed} bits and a fingerprint has {width}; widen it \
         with `bits` or use smaller `bands`"
    )]
    BandsTooWide {
        /// Bands asked for.
        bands: u32,
        /// Bits a band.
        bits: u32,
        /// Bits of a fingerprint.
        width: u32,
        /// Bits the bands need.
        needed: u64,
    },
}
