//! Features to bits: three words, eight bits, by hand.
//!
//! Take the text "tide tide pool crab" with words as features, counts as weights and, to keep the
//! arithmetic small, hashes of eight bits. Each feature adds its weight to a bit's total where its
//! hash has a 1 and takes it away where it has a 0; the sign of the total is the bit.
//!
//! ```text
//! feature  weight  hash       bit 7   6   5   4   3   2   1   0
//! tide        2    1011 0010      +2  -2  +2  +2  -2  -2  +2  -2
//! pool        1    0110 0111      -1  +1  +1  -1  -1  +1  +1  +1
//! crab        1    1100 1011      +1  +1  -1  -1  +1  -1  +1  +1
//!                                 --  --  --  --  --  --  --  --
//! V, the votes                    +2   0  +2   0  -2  -2  +4   0
//! fingerprint (0 gives 1)          1   1   1   1   0   0   1   1   = f3
//! ```
//!
//! Change "crab" to "gull" and each bit's total moves by at most 2: bit 1, at +4, cannot flip; the
//! balanced bits may. That is the whole trick: texts that share most of their weight share most of
//! their bits. For vectors of features at angle theta, two bits disagree with probability theta / pi,
//! as if each bit asked on which side of a random plane the vector lies.
//!
//! - [`hash`]: a feature's bits.  - [`votes`]: the totals and their margins.
//! - [`fingerprint`]: the bits, and the distance of two fingerprints.  - [`recipe`]: all choices, in one line.
//! - [`preset`]: the recipes of other programs.
//! - [`fingerprinter`]: a recipe at work, on the fast twins of all this: `count` and `weighing`.
//!
//! Read: Charikar (STOC 2002), section 3, for the random planes; Manku, Jain and Das Sarma (WWW 2007),
//! section 2, for the voting as used here; Sood and Loguinov (CIKM 2011) for the meaning of the margins.

mod count;
pub mod fingerprint;
pub mod fingerprinter;
pub mod hash;
pub mod preset;
pub mod recipe;
pub mod recipe_file;
pub mod votes;
mod weighing;

pub use count::Features;
pub use fingerprint::{Bits, Fingerprint, FingerprintRecord};
pub use fingerprinter::{Fingerprinter, Scratch};
pub use hash::HashFunction;
pub use preset::Preset;
pub use recipe::{Recipe, RecipeError};
pub use recipe_file::{
    FrequencyFile, RecipeFile, StopWordChoice, StopWordFile, Template, TemplateFile,
};
pub use votes::{FeatureVotes, TieRule, Votes, WeightedFeature};
