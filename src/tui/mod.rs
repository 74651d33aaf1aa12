//! The outermost layer: the program on a terminal or, for scripts and tests, on a page of text.
//!
//! ```text
//!  input thread ----keys----.
//!  signal thread --signals--+--> event_loop --Message--> app::update --Effect--> worker threads
//!  worker threads --answers-'        |                                              |
//!                                 view::draw                                     analysis
//! ```
//!
//! The loop sleeps until something happens; there are no ticks unless a job runs. Only this layer uses ratatui and
//! crossterm (but the names of keys), and in it only `terminal` changes the terminal's state.

mod clipboard;
mod event_loop;
mod frame_timer;
#[cfg(unix)]
mod hand_over;
mod headless;
mod input;
mod label_keeper;
mod memory;
mod plain;
mod screen;
mod session;
#[cfg(unix)]
mod signals;
mod svg;
mod terminal;
pub mod theme;
pub mod view;
mod view_export;
pub mod widget;
mod worker;

pub use event_loop::run;
pub use headless::print;
pub use plain::plain;
