//! The text of the selected document.

pub(super) mod text;
