//! Pieces of screens; they do not know the program's state.

pub mod bits;
pub mod canvas;
