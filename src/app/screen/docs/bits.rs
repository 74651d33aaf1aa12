//! The Bits view: how every bit of the selected document was decided, and the features that decided the selected bit.

use std::sync::Arc;

use crate::analysis::inspection::Inspection;
use crate::explain::BitMargins;
use crate::explain::triage::Finding;
use crate::present::document::{self, FeatureLimits};
use crate::present::page::Section;

/// The cosine that flip chances are shown for.
pub const COSINE: f64 = 0.95;

/// Features that the view names.
const MOST: FeatureLimits = FeatureLimits { waterfall: 200, names: 12 };

/// The state of the Bits view.
#[derive(Clone, Debug, Default)]
pub struct BitsState {
    /// The bit looked at, counted from the left of the screen.
    pub column: u32,
    /// The sentences about the bit and the document.
    pub sections: Vec<Section>,
    /// The inputs that they were made from: the inspected document, the bit, the number of findings.
    pub(in crate::app) made: Option<(Arc<Inspection>, u32, usize)>,
}

impl BitsState {
    /// The bit looked at in fingerprints of `width` bits.
    pub fn bit(&self, width: u32) -> u32 {
        width - 1 - self.column.min(width - 1)
    }

    /// Selects the bit `by` places to the right, at most the last one.
    pub fn sideways(&mut self, by: isize, width: u32) {
        let column = self.column.min(width - 1) as usize;
        self.column = column.saturating_add_signed(by).min(width as usize - 1) as u32;
    }

    /// Selects the weak bit that is `step` places on in the order of margins, after the last one the first; if the selected
    /// bit is not weak, the weakest.
    pub fn to_weak(&mut self, margins: &BitMargins, step: isize) {
        let width = margins.bits.len() as u32;
        let order = margins.weakest_first();
        let n_weak = margins.weak().len().max(1);
        let here = order[..n_weak].iter().position(|bit| bit.bit == self.bit(width));
        let to = |at: usize| (at as isize + step).rem_euclid(n_weak as isize) as usize;
        let next = here.map_or(0, to);
        self.column = width - 1 - order[next].bit;
    }

    /// Makes the sentences about the selected bit and its document, unless this is done; returns whether they are new.
    /// Costs a sort of the document's features.
    pub(in crate::app) fn explain(&mut self, open: &Arc<Inspection>, findings: &[Finding]) -> bool {
        let (bit, n) = (self.bit(open.recipe.bits), findings.len());
        if let Some((had, of, n_had)) = &self.made
            && Arc::ptr_eq(had, open)
            && (*of, *n_had) == (bit, n)
        {
            return false;
        }
        self.made = Some((Arc::clone(open), bit, n));
        let margins = open.margins.iter();
        self.sections = margins
            .flat_map(|it| document::bit(open, &it.bits[bit as usize], COSINE, MOST))
            .collect();
        let about = document::document("the document", open, findings, COSINE, MOST);
        self.sections.extend((!about.blocks.is_empty()).then_some(about));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::inspection::MOST_FEATURES;
    use crate::explain::BitExplanation;
    use crate::id::DocId;
    use crate::number::counted;
    use crate::present::lines::rows;
    use crate::simhash::{Fingerprinter, Recipe};

    fn open(text: &str, recipe: &str) -> Arc<Inspection> {
        let recipe: Recipe = recipe.parse().unwrap();
        let fingerprinter = Fingerprinter::new(&recipe).unwrap();
        let feature_votes = fingerprinter.feature_votes(text);
        Arc::new(Inspection::new(DocId(0), recipe, Some(text), Some(feature_votes), MOST_FEATURES))
    }

    #[test]
    fn weak_bits_come_one_after_another() {
        let open = open("the tide came in and the pool was gone by nine o'clock", "bits=64");
        let margins = open.margins.as_ref().unwrap();
        let weak: Vec<u32> = margins.weak().iter().map(|bit| bit.bit).collect();
        assert!(weak.len() > 1, "{weak:?}");
        let mut state = BitsState::default();
        let looked_at: Vec<u32> = (0..=weak.len())
            .map(|_| {
                state.to_weak(margins, 1);
                state.bit(64)
            })
            .collect();
        assert_eq!(looked_at[..weak.len()], weak);
        assert_eq!(looked_at[weak.len()], weak[0]);
        state.to_weak(margins, -1);
        assert_eq!(state.bit(64), weak[weak.len() - 1]);
    }

    #[test]
    fn a_short_fingerprint_keeps_the_cursor_inside() {
        let mut state = BitsState { column: 120, ..BitsState::default() };
        assert_eq!((state.bit(128), state.bit(8)), (7, 0));
        state.sideways(-1, 8);
        assert_eq!(state.bit(8), 1);
        state.sideways(isize::MAX, 8);
        assert_eq!(state.bit(8), 0);
    }

    #[test]
    fn what_is_said_is_what_the_explanation_finds() {
        let open = open("tide tide tide pool crab crab", "words:1 tf bits=8");
        let mut state = BitsState::default();
        assert!(state.explain(&open, &open.findings(None)));
        assert!(!state.explain(&open, &open.findings(None)));
        let rows = rows(&state.sections, 70);
        let text: String = rows.iter().map(|row| row.text.clone() + "\n").collect();
        let explanation =
            BitExplanation::new(open.feature_votes.as_ref().unwrap(), 7, open.recipe.tie);
        assert!(
            text.starts_with(&format!("bit 7 is {}", u8::from(explanation.bit.value))),
            "{text}"
        );
        let removal = explanation.removal.unwrap();
        let needed = counted(removal.len() as u64, "feature");
        let first = &open.feature_votes.as_ref().unwrap().features[removal[0]].shingle;
        let fewest = if removal.len() > 1 { " (fewer will not do)" } else { "" };
        let words = format!("flips without {needed}{fewest}: \"{first}\"");
        assert!(text.contains(&words), "{text}");
        assert!(text.contains("heaviest \"tide\" weighs 3: 64.3 % of ||w||^2"), "{text}");
        assert!(text.contains("! short: only 3 features"), "{text}");
    }
}
