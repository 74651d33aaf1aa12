//! Features to bits.

pub mod fingerprint;

pub use fingerprint::{Bits, Fingerprint};
