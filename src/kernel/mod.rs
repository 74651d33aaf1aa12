//! The innermost loops of text, where one instruction does what takes dozens.
//!
//! ```text
//! words    the UAX #29 words of ASCII, 64 bytes at a time
//! sip      SipHash-1-3 of eight slices side by side
//! ```
//!
//! Each is chosen by the processor: vectors of AVX-512, and as the safe twin, which a property test holds
//! them to, plain code for any. What is `unsafe` are loads and stores, all in [`lanes`], and the calls of
//! functions compiled for instructions that the processor was seen to have.

#[cfg(target_arch = "x86_64")]
mod lanes;
pub(crate) mod sip;
mod slices;
pub(crate) mod words;

pub(crate) use slices::Slices;
