//! simscope: a terminal explorer for near-duplicate text.
//!
//! The [`manual`] is part of this documentation; begin with its page about the library.
//!
//! # The pipeline
//! Be the data, and follow it down the page; imports run the same way and never back.
//!
//! ```text
//! bytes        corpus     a document with an address kept for life: file and line, row or whole file
//! tokens       text       one normal form, one case, UAX #29 words or grapheme clusters
//! features     feature    shingles of N tokens, weighed
//! votes        simhash    every feature votes on every bit with its weight
//! fingerprint  simhash    the signs of the votes: 1 to 128 bits
//! tables       index      fingerprints sorted under several permutations of their blocks
//! candidates   index      rows that share a table's key
//! pairs        index      candidates within k bits, by XOR and popcount
//! groups       index      connected pairs, by union-find
//! how good     evaluate   what chance gives, what is true, what people judged, which k to choose
//! why          explain    which bits, blocks and tables; which words; what misleads
//! all of it    analysis   a corpus and the core under one set of settings
//! in words     present    explanations composed once, for a screen, a terminal or a file
//! screen       app, tui   what is selected, and how it is drawn
//! rows         cli        the same numbers without a screen, and all of them on a page
//! loops        kernel     what text, feature, simhash and index do most often, many steps at a time
//! ```
//!
//! # The screen
//! ```text
//! +-------------------------------------------------------------+
//! | simscope [1 Docs] 2 Near  3 Tables  4 Groups  5 Tune  6 ..  |  tui::view::chrome
//! |-------------------------------------------------------------|
//! |   # document     words near mark print            hex       |  tui::view::docs
//! | > 1 tide-log       244    5 c    [33fdd8f9...]    33fdd8f9  |    app::screen::docs
//! |---------------------------------- 33 of 64 bits set --------|
//! |  fp  ..##..########.#|##.##...#####..#                      |  tui::widget::bits
//! |  |V| 48533243378113221|138711234432253                      |    simhash::votes
//! |  Tide log, Quillhaven harbour wall, kept by Hester Tench.   |    analysis::inspection
//! | 100 docs  k=3  34 pairs  14 groups             pairing 52%  |  tui::view::status
//! | ? help  j/k move  Enter near  / find  q quit                |    app::keymap
//! +-------------------------------------------------------------+
//! ```
//!
//! # What is not there
//! - Only `kernel` holds `unsafe` code.
//! - `text` to `explain` know no file, no clock and no thread of their own (data-parallel loops aside).
//! - `corpus` knows no feature and no hash; only `analysis` sees documents and bits at once.
//! - `app` names no terminal and does no work: it asks for it. Drawing takes `&App` and changes nothing.
//! - Only `tui` names the terminal, only `cli` the command line; neither knows the other.
//!
//! `tests/layering.rs` holds these.

pub mod analysis;
#[cfg(feature = "explorer")]
pub mod app;
pub mod choice;
#[cfg(feature = "explorer")]
pub mod cli;
pub mod corpus;
pub mod evaluate;
pub mod explain;
pub mod feature;
pub mod id;
pub mod index;
mod kernel;
#[cfg(feature = "explorer")]
pub mod manual;
pub mod number;
#[cfg(feature = "explorer")]
pub mod present;
pub mod progress;
pub mod simhash;
pub mod text;
#[cfg(feature = "explorer")]
pub mod tui;
pub mod verdict;
