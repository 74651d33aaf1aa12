//! The screens: what each remembers, and what its keys do.

pub mod docs;
pub mod near;
pub mod tables;

use crate::choice::choice;

choice! {
    /// The screens there are; Groups, Tune and Learn will stand behind these.
    pub enum Screen, "screen" {
        /// Every document with its bits at a glance.
        #[default]
        Docs = "Docs",
        /// The neighbours of one document.
        Near = "Near",
        /// The tables, for one pair.
        Tables = "Tables",
    }
}
