//! The screens: what each remembers, and what its keys do.

pub mod docs;
pub mod groups;
pub mod learn;
pub mod near;
pub mod tables;
pub mod tree;
pub mod tune;

use super::{App, keymap::Action};
use crate::choice::choice;

choice! {
    /// The screens there are.
    pub enum Screen, "screen" {
        /// Every document with its bits at a glance.
        #[default]
        Docs = "Docs",
        /// The neighbours of one document.
        Near = "Near",
        /// The tables, for one pair.
        Tables = "Tables",
        /// Groups of near-duplicates, and how each hangs together.
        Groups = "Groups",
        /// What each k would do, and the evidence for one.
        Tune = "Tune",
        /// How all of it works, hands on.
        Learn = "Learn",
    }
}

/// What the footer calls an action here, where the keymap's word does not tell enough.
pub fn word(app: &App, action: Action) -> Option<&'static str> {
    (app.screen == Screen::Learn).then(|| learn::word(app, action)).flatten()
}

/// Whether an action does something in the view that shows: what the footer offers.
pub fn serves(app: &App, action: Action) -> bool {
    let votes = matches!(action, Action::Sideways(_) | Action::WeakBit | Action::Cosine(_));
    let parts = matches!(action, Action::FindNext(_));
    match app.screen {
        Screen::Docs => match app.docs.view {
            docs::View::Documents => !votes && !parts,
            docs::View::Bits => {
                let list = matches!(action, Action::Sort | Action::Filter | Action::Bits);
                !list && !parts
            }
            docs::View::Health => {
                let document = matches!(action, Action::Enter | Action::Find | Action::Sort);
                !votes && !document && action != Action::Bits
            }
            docs::View::Disagreements => {
                let list = matches!(action, Action::Find | Action::Sort | Action::Filter);
                !votes && !list && !matches!(action, Action::Bits | Action::Scroll(_))
            }
        },
        Screen::Near => match app.near.view {
            near::View::Texts => true,
            near::View::Why => !matches!(action, Action::DiffView | Action::Bits),
        },
        Screen::Learn => learn::serves(app, action),
        _ => true,
    }
}
