//! The screens and their views: the state of each.

pub mod docs;
pub mod groups;
pub mod learn;
pub mod pair;
pub mod tune;

pub use docs::{DocsState, SimilarState, Titles};
pub use groups::{GroupsState, Review};
pub use learn::LearnState;
pub use pair::{NearState, TablesState};
pub use tune::TuneState;

use crate::choice::{choice, cycled};

choice! {
    /// The screens.
    #[derive(strum::IntoStaticStr)]
    #[strum(serialize_all = "lowercase")]
    pub enum Screen, "screen" {
        /// Groups of near-duplicates with what can go, and all texts with their bits.
        #[default]
        Docs = "Docs",
        /// The neighbours of one document.
        Pair = "Pair",
        /// The tables, for one pair.
        Tables = "Tables",
        /// The pairs and groups at each k, and the evidence for one.
        Tune = "Tune",
        /// The kinds of misleading pairs and texts in this corpus.
        Check = "Check",
        /// Lessons on how all of this works, hands on.
        Learn = "Learn",
    }
}

impl Screen {
    /// Whether the screen is about a document and one of its neighbours.
    pub fn is_of_a_pair(self) -> bool {
        matches!(self, Self::Pair | Self::Tables)
    }
}

choice! {
    /// The views, screen by screen in the order in which a key steps through them. Each has its own keys, queries and
    /// drawing.
    pub enum ViewId, "view" {
        /// Groups of near-duplicates or all texts, and the selected one.
        #[default]
        Docs = "Docs",
        /// The votes on every bit of the selected document, and the features that cast them.
        Bits = "Bits",
        /// The neighbours of one document, and the selected one compared with it.
        Pair = "Pair",
        /// The tables, for one pair.
        Tables = "Tables",
        /// The distances of all pairs, and the pairs and groups at each k.
        Tune = "Tune",
        /// Tables that could be built instead, and their cost.
        Layouts = "Layouts",
        /// A pair of a batch, judged without its distance. Tune opens it, and it closes back to Tune.
        Judging = "Judging",
        /// A map of recipes, each at its best k, and the pairs gained and lost against the recipe before.
        Recipes = "Recipes",
        /// Misleading pairs and texts: pairs whose bits and texts disagree, flagged documents, places that were not read.
        Check = "Check",
        /// The lessons, or the open page of one that has a picture of its own.
        Lessons = "Lessons",
        /// Two texts, and their features, votes and bits.
        Playground = "Playground",
        /// Random lines between two vectors.
        Angle = "Angle",
    }
}

impl ViewId {
    /// The screen that it belongs to.
    pub fn screen(self) -> Screen {
        match self {
            Self::Docs | Self::Bits => Screen::Docs,
            Self::Pair => Screen::Pair,
            Self::Tables => Screen::Tables,
            Self::Tune | Self::Layouts | Self::Judging | Self::Recipes => Screen::Tune,
            Self::Check => Screen::Check,
            Self::Lessons | Self::Playground | Self::Angle => Screen::Learn,
        }
    }

    /// The view that each screen begins with.
    pub(crate) const FIRST: [Self; Screen::ALL.len()] =
        [Self::Docs, Self::Pair, Self::Tables, Self::Tune, Self::Check, Self::Lessons];

    /// The views of a screen, in the order in which a key steps through them.
    pub fn of(screen: Screen) -> impl Iterator<Item = Self> {
        let all = Self::ALL.iter().copied();
        all.filter(move |&view| view.screen() == screen && view.is_listed())
    }

    /// Whether keys and the menu go to it; others are opened by the view before them.
    pub fn is_listed(self) -> bool {
        self != Self::Judging
    }

    /// The name of its screen, and its own behind it if the screen has several views.
    pub fn full_name(self) -> String {
        let screen = self.screen();
        if self.is_named_as_screen() { screen.to_string() } else { format!("{screen} ({self})") }
    }

    /// Whether the name of its screen says it: it is the only view there, or has the same name.
    pub fn is_named_as_screen(self) -> bool {
        let screen = self.screen();
        Self::of(screen).count() == 1 || screen.name() == self.name()
    }

    /// The view `by` places on among the views of its screen; after the last comes the first.
    #[must_use]
    pub fn cycled(self, by: isize) -> Self {
        let views: Vec<Self> = Self::of(self.screen()).collect();
        cycled(&views, self, by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_turn_round_the_end() {
        assert_eq!(ViewId::Tune.cycled(-1), ViewId::Recipes);
        assert_eq!(ViewId::Recipes.cycled(1), ViewId::Tune);
        assert_eq!(ViewId::Layouts.cycled(1), ViewId::Recipes);
        assert_eq!(ViewId::Tables.cycled(1), ViewId::Tables);
    }

    #[test]
    fn each_screen_begins_with_its_first_view() {
        for (&screen, first) in Screen::ALL.iter().zip(ViewId::FIRST) {
            assert_eq!(ViewId::of(screen).next(), Some(first));
            assert_eq!(first.screen(), screen);
        }
    }
}
