//! The interactive program without a terminal.
//!
//! ```text
//! key, mouse, resize, answer --Message--> update(&mut App) --Effect--> tui does the work --Message--> ..
//!                                              |
//!                                           draw(&App)
//! ```
//!
//! [`App`] is the whole state; [`update()`] changes it and asks for work; drawing reads it. Nothing here uses a
//! terminal, a file or a clock, so a test can drive it with messages alone.

mod ask;
mod change;
pub mod cursor;
pub mod custom_keys;
mod history;
pub mod key;
pub mod keymap;
pub mod layout;
mod lists;
pub mod menu;
pub mod message;
pub mod numbers;
pub mod overlay;
pub mod page;
pub mod recipe_form;
pub mod resource;
mod rows;
pub mod screen;
pub mod side_by_side;
pub mod state;
mod text_column;
mod tone;
pub mod update;
mod view;

/// The queries that run in the background.
pub mod query {
    pub use crate::analysis::query::*;
    pub use crate::export::{Export, KeepReview};
}

pub use crate::present::wrap;
pub use crate::present::wrap::wrap;
pub(in crate::app) use ask::want;
pub(in crate::app) use change::{change_k, change_recipe, follow_settings, refuse};
pub use cursor::Cursor;
pub use key::{Key, KeyCode, Keys};
pub use keymap::{Action, Binding};
pub use layout::Size;
pub use message::{AnalysisTask, ClickTarget, Effect, Message, Task};
pub use overlay::{Overlay, Purpose};
pub use query::DerivedInput;
pub use resource::{JobNumber, Resource};
pub use screen::{Screen, ViewId};
pub use state::{App, StartOptions};
pub use update::update;
