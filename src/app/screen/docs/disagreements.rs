//! The Disagreements view: pairs whose fingerprints and texts do not say the same.

use std::sync::Arc;

use crate::{
    analysis::{
        Job, LayoutChoice, Settings, Shelf,
        disagreement::{Disagreement, Disagreements},
    },
    app::{
        cursor::Cursor,
        layout::{Shape, Size},
    },
};

/// Under which fingerprints, k and layout pairs were looked for.
#[derive(Clone, Debug)]
pub struct Under {
    shelf: Arc<Shelf>,
    k: u32,
    layout: LayoutChoice,
}

impl Under {
    /// The present ones.
    pub fn new(shelf: &Arc<Shelf>, settings: &Settings) -> Self {
        Self { shelf: Arc::clone(shelf), k: settings.k, layout: settings.layout }
    }

    /// The distance within which pairs were near.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// Whether nothing changed since.
    pub fn is(&self, other: &Self) -> bool {
        self.is_over(&other.shelf) && (self.k, self.layout) == (other.k, other.layout)
    }

    /// Whether the fingerprints are these.
    pub fn is_over(&self, shelf: &Shelf) -> bool {
        self.shelf.is_over_the_same(shelf)
    }
}

/// What the Disagreements view remembers.
#[derive(Clone, Debug, Default)]
pub struct DisagreementsState {
    /// What was found, and under what.
    pub found: Option<(Under, Arc<Disagreements>)>,
    /// What is looked for, and how far that is; still there where it was stopped.
    pub asking: Option<(Under, Arc<Job>)>,
    /// Why that failed, where it did.
    pub problem: Option<String>,
    /// Selection in the list.
    pub cursor: Cursor,
}

impl DisagreementsState {
    /// What was found among these fingerprints, perhaps at another k.
    pub fn of(&self, shelf: &Shelf) -> Option<(&Under, &Disagreements)> {
        let (under, found) = self.found.as_ref()?;
        under.is_over(shelf).then_some((under, found))
    }

    /// The selected pair.
    pub fn selected(&self, shelf: &Shelf) -> Option<&Disagreement> {
        self.of(shelf)?.1.found.get(self.cursor.selected)
    }
}

/// Rows of the list on a screen of this size, its header not counted.
pub fn disagreements_rows(size: Size) -> usize {
    let others = match size.shape() {
        Shape::TooSmall => return 0,
        Shape::Small => 2,
        Shape::Wide => 6,
        _ => 4,
    };
    size.body().saturating_sub(others)
}
