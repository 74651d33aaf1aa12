//! Fingerprints to neighbours: blocks, permuted tables, queries, all pairs, groups.
//!
//! # Why four blocks must share one
//!
//! We look for fingerprints at most k = 3 bits apart. Take 8 bits, cut into 4 blocks A B C D:
//!
//! ```text
//!                A    B    C    D
//! fingerprint   10 | 11 | 01 | 00
//! three bits    x.   ..   .x   x.      flip the three marked bits
//! neighbour     00 | 11 | 00 | 10
//!                     ==               B is the same
//! ```
//!
//! Each flipped bit changes one block, and three flips change at most three of the four blocks; so at least one
//! block is unchanged, wherever the flips are. (Pigeons and holes: three pigeons leave one of four holes empty.)
//! Two fingerprints that agree on *no* block are therefore more than 3 bits apart, and never need to be compared.
//! With 6 blocks at least 3 are unchanged, so we can require more: agreement on three blocks at once, which
//! chance makes far less often.
//!
//! # How to find fingerprints that agree on a block
//!
//! Sort them. Fingerprints that agree on their first block are neighbours in sorted order. So for each block (or
//! choice of blocks) that could be the unchanged one, make a copy of the fingerprints with those blocks in front:
//!
//! ```text
//!  table 1: A leads      table 2: B leads      table 3: C leads      table 4: D leads
//!   A  B  C  D            B  A  C  D            C  A  B  D            D  A  B  C
//!  00 11 00 10           01 11 10 01           00 00 11 10           00 10 11 01  <- query
//!  10 11 01 00 <- query  11 00 00 10 <- found  01 10 11 00 <- query  01 11 01 10
//!  11 01 10 01           11 10 01 00 <- query  10 11 01 01           10 00 11 00
//!  `' key                `' key: one window
//! ```
//!
//! The rows with the query's key are one window of the table, which binary search finds. Each row of the window
//! is a candidate; XOR and a population count give its distance. Moving blocks about never changes a distance: it
//! only decides which pairs are compared.
//!
//! ```
//! use simscope::{
//!     index::{Layout, Pair, Plan, near_pairs},
//!     progress::Progress,
//! };
//!
//! let layout = Layout::for_distance(8, 4, 3)?;
//! let xor = 0b10_11_01_00 ^ 0b00_11_00_10;
//! assert_eq!(layout.differing_blocks(xor), [0, 2, 3]); // A, C and D
//! assert_eq!(layout.tables_hit(xor).collect::<Vec<_>>(), [1]); // the table B leads
//!
//! let values = [0b10_11_01_00_u64, 0b00_11_00_10, 0b01_00_10_11];
//! let pairs = near_pairs(&values, &Plan::by_tables(&layout, 3), &Progress::new())?;
//! assert_eq!(pairs, [Pair { a: 0, b: 1, distance: 3 }]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What to read
//!
//! - Manku, Jain, Das Sarma, "Detecting near-duplicates for web crawling", WWW 2007. The source of nearly
//!   everything here. Section 3.1 has the tables, and example 3.1 their 4, 10, 16 and 20 for eight billion pages
//!   ([`designs`]); 3.2 compresses a table to half; 3.3 describes batches;
//!   4.1 is the origin of k = 3.
//! - Norouzi, Punjani, Fleet, "Fast search in Hamming space with multi-index hashing", CVPR 2012 (longer: TPAMI
//!   2014, arXiv 1307.2982). The other use of the pigeonhole principle: disjoint blocks, which are themselves
//!   probed with a few flipped bits. Better for large k; section 3 derives the best number of blocks, about
//!   `width / log2 n`, which agrees with our cost model ([`choose`]).
//! - Charikar, "Similarity estimation techniques from rounding algorithms", STOC 2002. Section 3
//!   derives the Hamming distance of fingerprints from random hyperplanes.
//!
//! # The modules
//!
//! [`block`] cuts the width and counts choices of blocks, [`layout`] lists tables, [`permutation`] reorders bits,
//! [`near_pairs`](mod@near_pairs) finds all pairs with a [`plan`]: by a [`block_plan`] or a [`scan`], whichever is
//! estimated to be cheaper, or, for bands, by the tables of a layout; [`candidates`] counts the pairs that share a
//! key of a layout. [`scan`] also finds the neighbours of one fingerprint and shows a few rows of a table. [`distinct`] collapses copies before a
//! search, and [`pair`] unfolds them after it. [`link`] makes [`cluster`]s, also without storing pairs,
//! [`linkage`] makes groups in which every two members are near, and [`shape`] tells how a group holds together.
//! [`rank_bit_set`] maps a few entries of many to positions in a short list. [`design`] picks tables and lists the
//! alternatives, and [`load`](mod@load) gives the sizes of their buckets and the probability that a pair is missed.

pub mod block;
pub mod block_plan;
pub mod candidates;
pub mod cluster;
pub mod design;
pub mod distinct;
pub mod document_distances;
mod folds;
mod join;
pub mod layout;
pub mod link;
pub mod linkage;
pub mod load;
pub mod near_pairs;
pub mod pair;
mod pair_sorter;
pub(crate) mod partition;
pub mod permutation;
pub mod plan;
mod price;
pub mod rank_bit_set;
mod runs;
pub mod scan;
pub mod shape;

pub use block::{Block, binomial, letter};
pub use block_plan::{BlockPlan, ProbedBlock};
pub use candidates::{count_at_distances, count_candidates};
pub use cluster::{GroupGrowth, GroupTotals, Groups, growth};
pub use design::{Design, default_layout, designs};
pub use distinct::Distinct;
pub use document_distances::{document_comparisons, document_histogram, sampled_histogram};
pub use layout::{Layout, LayoutError, LayoutKind, MAX_TABLES};
pub use link::{Links, groups, linked_groups};
pub use linkage::{CompleteLinkage, Linkage, TooManyPartPairs, cover};
pub use load::{Load, load, predicted_candidates};
pub use near_pairs::{
    FingerprintPair, near_pairs, near_pairs_up_to, ordered_pairs, visit_pairs, visit_pairs_of_table,
};
pub use pair::{DocumentPair, Pair, count_document_pairs, document_pairs, without_copies};
pub use permutation::{Permutation, TableLayout};
pub use plan::{Method, Plan, choose};
pub use rank_bit_set::{BitSetBuilder, RankBitSet, Sides};
pub use scan::{
    IndexWindow, Match, Neighbour, SearchStep, WindowEnd, distance_histogram, neighbours,
    neighbours_by_tables,
};
pub use shape::{Bridge, Farthest, GroupShape, Members};
