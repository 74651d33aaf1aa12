//! Pieces that screens are drawn from; none knows the program's state.

pub mod bits;
pub mod canvas;
pub(crate) mod table;
