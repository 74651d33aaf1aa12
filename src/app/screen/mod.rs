//! The screens: what each remembers, and what its keys do.

pub mod docs;
pub mod groups;
pub mod learn;
pub mod near;
pub mod tables;
pub mod tree;
pub mod tune;

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
