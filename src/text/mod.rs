//! Text to tokens: one normal form, one case, then words or characters.
//!
//! ```text
//! "The  Tide, the tide!"  --normalize-->  "the  tide, the tide!"  --tokens-->  the | tide | the | tide
//! ```
//!
//! Words are those of Unicode Standard Annex #29; characters are grapheme clusters, so that an accent typed as
//! two code points stays one token. This folder uses no files, features or hashes.

pub mod digest;
pub mod normalize;
pub mod split;
pub mod stop_words;
pub mod token;
pub mod visible;
mod word_class;

pub use digest::{Digest, digest, digest_as};
pub use normalize::{Case, NormalForm, Stem, fits_normalized, normalize};
pub use split::{Piece, Split, pieces, sentences};
pub use stop_words::StopWords;
pub use token::{TokenRule, Tokens};
pub use visible::visible;
