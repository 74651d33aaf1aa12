//! The Bits view, and the text of the selected document.

pub(super) mod bits;
pub(super) mod text;
