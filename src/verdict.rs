//! A person's verdict on a pair: whether one document is a near-duplicate of the other.
//!
//! Files keep verdicts, estimates count them, screens ask for them: one word for all three.

use crate::choice::choice;

choice! {
    /// A person's answer.
    pub enum Verdict, "verdict" {
        /// They are near-duplicates.
        Yes = "yes",
        /// They are not.
        No = "no",
        /// It cannot be told; counted both ways, never left out.
        #[default]
        Unsure = "unsure",
    }
}
