//! The screens and their views: the state of each.

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

choice! {
    /// The views there are: a screen, or one of the views of a screen. Each has keys of its own.
    pub enum ViewId, "view" {
        /// Docs: the list, and the selected document.
        #[default]
        Documents = "Documents",
        /// Docs: the votes on every bit of the selected document.
        Bits = "Bits",
        /// Docs: the corpus's fingerprints as a whole.
        Health = "Health",
        /// Docs: pairs whose fingerprints and texts do not say the same.
        Disagreements = "Disagreements",
        /// Near: both texts with their differences.
        Texts = "Texts",
        /// Near: why the two are found or not.
        Why = "Why",
        /// Tables.
        Tables = "Tables",
        /// Groups.
        Groups = "Groups",
        /// Tune: the distances of all pairs.
        Distances = "Distances",
        /// Tune: the tables that could be built.
        Layouts = "Layouts",
        /// Tune: what judgements say.
        Label = "Label",
        /// Tune: layouts held against exact cosines.
        Lab = "Lab",
        /// Tune: a map of recipes.
        Sweep = "Sweep",
        /// Tune: pairs gained and lost.
        Compare = "Compare",
        /// Tune: a pair that is being judged.
        Judging = "Judging",
        /// Learn: the lessons.
        Lessons = "Lessons",
        /// Learn: two texts and all that follows from them.
        Playground = "Playground",
        /// Learn: feature by feature.
        Step = "Step",
        /// Learn: flipped bits against tables.
        Blocks = "Tables of Learn",
        /// Learn: lines between two vectors.
        Angle = "Angle",
        /// Learn: a document wearing down.
        Wear = "Wear",
    }
}
