//! The rim: the only place that names a terminal.

pub mod theme;
pub mod view;
pub mod widget;
