//! simscope: near-duplicate texts, found by SimHash fingerprints, and why they were found.
//!
//! ```
//! let texts = [
//!     "The tide log of the harbour wall, kept by Hester Tench.",
//!     "The tide log of the harbour wall, kept by Hester Tench!",
//!     "Notes on crabs.",
//! ];
//! let fingerprints = texts.map(simscope::fingerprint);
//! let pairs = simscope::pairs_within(&fingerprints, 3);
//! assert_eq!((pairs.len(), pairs[0].a.index(), pairs[0].b.index()), (1, 0, 1));
//! assert_eq!(simscope::groups(&fingerprints, 3).len(), 1);
//! ```
//!
//! The functions below answer one question each. A [`Recipe`] defines how a text becomes a fingerprint, and a
//! [`Fingerprinter`] applies a recipe to texts. All searches are exact: they return every pair within k bits.
//!
//! # Remove near-duplicates from a list
//! ```
//! use simscope::{Fingerprinter, Recipe};
//!
//! let mut texts: Vec<String> = ["The TIDE came in.", "Crabs!", "the tide came in"].map(String::from).into();
//!
//! let recipe: Recipe = "words:2 stop=english".parse()?;
//! let fingerprinter = Fingerprinter::for_texts(&recipe, &texts)?;
//! let fingerprints: Vec<_> = texts.iter().map(|text| fingerprinter.fingerprint(text)).collect();
//!
//! // The first document of each group stays, and every document that is in no group.
//! let mut is_kept = vec![true; texts.len()];
//! for group in simscope::groups(&fingerprints, 3).iter() {
//!     group[1..].iter().for_each(|document| is_kept[document.index()] = false);
//! }
//! let mut is_kept = is_kept.into_iter();
//! texts.retain(|_| is_kept.next().unwrap());
//! assert_eq!(texts, ["The TIDE came in.", "Crabs!"]);
//! # Ok::<(), simscope::RecipeError>(())
//! ```
//!
//! # Explain a pair
//! ```
//! use simscope::{Fingerprinter, Recipe};
//!
//! let fingerprinter = Fingerprinter::new(&Recipe::default())?;
//! let (a, b) = ("the tide came in at noon", "the tide came in at dawn");
//! let why = simscope::explain(&fingerprinter, a, b);
//! println!("{:?} bits apart, cosine {:?}", why.distance, why.overlap.cosine);
//! assert_eq!(why.overlap.cosine, Some(0.75)); // three of four shingles
//! assert_eq!(&*why.overlap.only[1][0].feature.shingle, "in at dawn");
//! # Ok::<(), simscope::RecipeError>(())
//! ```
//!
//! # Features
//! All are on by default. Without them the crate needs no terminal, no command line and no C compiler:
//! `simscope = { version = "0.2.0", default-features = false }`.
//!
//! - `explorer`: the program, its screens, its commands and the manual.
//! - `zstd`: reads corpora that are compressed with Zstandard.
//! - `formats`: archives, other packings, character sets and Parquet.
//! - `stem` and `phrases`: words cut to their stems; phrases of Chinese, Japanese and Thai.
//!
//! # The modules
//! Only the names on this page are the library's interface. Their modules are public so that the program and its
//! tests can use them; they may change in any version and are not listed here. Read them in the source, from
//! `text` to `explain`. With the feature `explorer` the manual is part of this documentation.
//!
//! ## The pipeline
//! Data moves down this list, and imports go one way: `tests/layering.rs` names what each module may import.
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
//! in rows      facts       what anyone shows of a row: columns of files, lists and reports
//! in words     present    explanations composed once, for a screen, a terminal or a file
//! screen       app, tui   what is selected, and how it is drawn
//! rows         cli        the same numbers without a screen, and all of them on a page
//! a question   library    the functions of this page: a few calls into the modules above
//! to the end   program    from arguments to an exit code, for the binary and for Python
//! loops        kernel     what text, feature, simhash and index do most often, many steps at a time
//! ```
//!
//! ## The screen
//! ```text
//! +-------------------------------------------------------------+
//! | simscope [1 Docs] 2 Pair  3 Tables  4 Groups  5 Tune  6 ..  |  tui::view::chrome
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
//! ## What is not there
//! - Only `kernel` holds `unsafe` code.
//! - The modules from `text` to `explain` use no files, no clock and no threads except data-parallel loops.
//! - `corpus` uses no features and no hashes; only `analysis` and the modules built on it use documents and bits
//!   together.
//! - `app` names no terminal and does no work: it requests work with an `Effect`. Drawing takes `&App` and
//!   changes nothing.
//! - Only `tui` uses the terminal and only `cli` the command line. Neither imports the other; `program` joins them.
//!
//! `tests/layering.rs` checks these rules.

// Hidden only from the documentation: `missing_docs` still checks each public item.
#[cfg_attr(doc, doc(hidden))]
pub mod analysis;
#[cfg(feature = "explorer")]
#[cfg_attr(doc, doc(hidden))]
pub mod app;
#[cfg_attr(doc, doc(hidden))]
pub mod choice;
#[cfg(feature = "explorer")]
#[cfg_attr(doc, doc(hidden))]
pub mod cli;
#[cfg_attr(doc, doc(hidden))]
pub mod corpus;
#[cfg_attr(doc, doc(hidden))]
pub mod evaluate;
#[cfg_attr(doc, doc(hidden))]
pub mod explain;
#[cfg(feature = "explorer")]
#[cfg_attr(doc, doc(hidden))]
pub mod explorer_start;
#[cfg(feature = "explorer")]
#[cfg_attr(doc, doc(hidden))]
pub mod export;
#[cfg(feature = "explorer")]
mod facts;
#[cfg_attr(doc, doc(hidden))]
pub mod feature;
#[cfg_attr(doc, doc(hidden))]
pub mod id;
mod in_order;
#[cfg_attr(doc, doc(hidden))]
pub mod index;
mod kernel;
mod library;
#[cfg(feature = "explorer")]
#[cfg_attr(doc, doc(hidden))]
pub mod look;
#[cfg(feature = "explorer")]
pub mod manual;
#[cfg_attr(doc, doc(hidden))]
pub mod number;
#[cfg(feature = "explorer")]
#[cfg_attr(doc, doc(hidden))]
pub mod present;
#[cfg(feature = "explorer")]
#[cfg_attr(doc, doc(hidden))]
pub mod program;
#[cfg_attr(doc, doc(hidden))]
pub mod progress;
#[cfg(feature = "explorer")]
#[cfg_attr(doc, doc(hidden))]
pub mod sign;
#[cfg_attr(doc, doc(hidden))]
pub mod simhash;
#[cfg_attr(doc, doc(hidden))]
pub mod text;
#[cfg(feature = "explorer")]
#[cfg_attr(doc, doc(hidden))]
pub mod tui;
#[cfg_attr(doc, doc(hidden))]
pub mod verdict;

pub use choice::ValueError;
pub use explain::Overlap;
pub use explain::overlap::{AlignedFeature, Only, Shared};
pub use feature::{DocumentFrequencies, FixedWeight, FrequencyCounter, Shingling, Weighting};
pub use id::DocId;
pub use index::{DocumentPair, GroupTotals, Groups, Neighbour};
pub use library::{Explanation, explain, fingerprint, groups, neighbours, pairs_within};
pub use simhash::{
    FeatureVotes, Features, Fingerprint, FingerprintRecord, Fingerprinter, HashFunction, Recipe,
    RecipeError, Scratch, StopWordChoice, StopWordFile, TieRule, Votes, WeightedFeature,
};
pub use text::{Case, NormalForm, StopWords};
