//! The Bits view: how every bit of the selected document was decided, and the features that decided the selected bit.
//!
//! The layout costs a sort of the document's features for each selected bit.

use std::sync::Arc;

use crate::{
    analysis::inspection::Inspection,
    app::{
        layout::{Size, SizeClass, bit_lines},
        pane::{PaneLayout, TextPane},
    },
    explain::{BitMargins, triage::Finding},
    index::Block,
    present::document::{self, FeatureLimits},
};

/// Cosines that flip chances are shown for.
pub const COSINES: [f64; 7] = [0.99, 0.98, 0.95, 0.9, 0.8, 0.7, 0.5];

/// Features that the view names.
const MOST: FeatureLimits = FeatureLimits { waterfall: 200, names: 12 };

/// The state of the Bits view.
#[derive(Clone, Debug)]
pub struct BitsState {
    /// The bit looked at, counted from the left of the screen.
    pub column: u32,
    /// The index in [`COSINES`] of the cosine that flip chances are shown for.
    pub cosine: usize,
    /// The sentences about the bit and the document.
    pub pane: TextPane,
    /// The inputs that the pane was made from: the inspected document, the bit, the cosine, the cells of a
    /// column, the number of findings.
    pub(in crate::app) made: Option<(Arc<Inspection>, u32, usize, usize, usize)>,
}

impl Default for BitsState {
    fn default() -> Self {
        Self { column: 0, cosine: 2, pane: TextPane::default(), made: None }
    }
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

    /// Selects the next bit in the order of margins, after the last one the first; if the selected bit is not weak, the
    /// weakest.
    pub fn to_weak(&mut self, margins: &BitMargins) {
        let width = margins.bits.len() as u32;
        let order = margins.weakest_first();
        let n_weak = margins.weak().len().max(1);
        let here = order[..n_weak].iter().position(|bit| bit.bit == self.bit(width));
        let next = here.map_or(0, |at| (at + 1) % n_weak);
        self.column = width - 1 - order[next].bit;
    }

    /// The cosine that flip chances are shown for.
    pub fn cosine(&self) -> f64 {
        COSINES[self.cosine]
    }

    /// Lays out the sentences about the selected bit and its document in columns of `width` cells, unless this is done.
    pub(in crate::app) fn lay_out(
        &mut self,
        open: &Arc<Inspection>,
        findings: &[Finding],
        width: usize,
        ascii: bool,
    ) {
        let bit = self.bit(open.recipe.bits);
        let n_findings = findings.len();
        if let Some((had, of, cosine, cells, n)) = &self.made
            && Arc::ptr_eq(had, open)
            && (*of, *cosine, *cells, *n) == (bit, self.cosine, width, n_findings)
        {
            return;
        }
        self.made = Some((Arc::clone(open), bit, self.cosine, width, n_findings));
        let cosine = self.cosine();
        let mut sections = Vec::new();
        if let Some(margins) = &open.margins {
            sections.extend(document::bit(open, &margins.bits[bit as usize], cosine, MOST));
        }
        let about = document::document("the document", open, findings, cosine, MOST);
        if !about.blocks.is_empty() {
            sections.push(about);
        }
        self.pane.lay_out(&sections, width, ascii);
        self.pane.top = 0;
    }
}

/// Rows and lines of the view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitsLayout {
    /// The blocks on each shown line: the lines around the selected bit.
    pub lines: Vec<std::ops::Range<usize>>,
    /// Rows of bars to each side of the line.
    pub bars: usize,
    /// The sentences below.
    pub cut: PaneLayout,
}

/// Rows of bars to each side of the line on a wide screen.
const BARS: std::ops::RangeInclusive<usize> = 4..=10;
/// Cells of the label before a line of bars.
pub const LABEL: usize = 7;

impl BitsLayout {
    /// The rows and lines for `blocks` on a screen of this size, with the selected bit `bit`.
    pub fn new(size: Size, blocks: &[Block], bit: u32) -> Self {
        let (body, width) = (size.body(), size.width as usize);
        let inside = if size.shape() == SizeClass::Wide { width - 2 } else { width };
        let all = bit_lines(blocks, inside.saturating_sub(LABEL));
        let (bars, frames) = match size.shape() {
            SizeClass::TooSmall | SizeClass::Small => (1, 0),
            SizeClass::Medium => (1, 1),
            SizeClass::Standard => (2, 1),
            SizeClass::Wide => {
                // Higher bars on a large screen, in at most a third of its rows.
                let fits = |bars: &usize| all.len() * Self::rows_of(*bars) <= body / 3;
                (BARS.rev().find(fits).unwrap_or(*BARS.start()), 3)
            }
        };
        let fits = (body * 3 / 5 / Self::rows_of(bars)).clamp(1, all.len().max(1));
        let holds = |range: &std::ops::Range<usize>| {
            blocks[range.clone()].iter().any(|block| block.mask() >> bit & 1 == 1)
        };
        let at = all.iter().position(holds).unwrap_or(0);
        let first = at.min(all.len().saturating_sub(fits));
        let lines = all.get(first..first + fits).unwrap_or_default().to_vec();
        // The title and the picture are above.
        let above = 1 + lines.len() * Self::rows_of(bars) + frames;
        Self { lines, bars, cut: PaneLayout::of(inside, body.saturating_sub(above)) }
    }

    /// Rows of one line of bits: ruler, bars, the bits between them, marks.
    fn rows_of(bars: usize) -> usize {
        3 + 2 * bars
    }

    /// Rows of one line of bits.
    pub fn line_rows(&self) -> usize {
        Self::rows_of(self.bars)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analysis::inspection::MOST_FEATURES,
        explain::BitExplanation,
        id::DocId,
        index::{Cut as BlockCut, Layout},
        number::counted,
        simhash::{Fingerprinter, Recipe},
    };

    fn open(text: &str, recipe: &str) -> Arc<Inspection> {
        let recipe: Recipe = recipe.parse().unwrap();
        let fingerprinter = Fingerprinter::new(&recipe).unwrap();
        let feature_votes = fingerprinter.feature_votes(text);
        Arc::new(Inspection::new(DocId(0), recipe, Some(text), Some(feature_votes), MOST_FEATURES))
    }

    #[test]
    fn the_line_of_the_bit_looked_at_always_shows() {
        for (width, height) in [(40, 12), (60, 16), (80, 24), (140, 40), (200, 60)] {
            let size = Size { width, height };
            for bits in [8, 17, 64, 128] {
                let tables = Layout::for_distance(bits, 4, 3, BlockCut::default()).unwrap();
                let blocks = tables.block_list();
                for bit in 0..bits {
                    let layout = BitsLayout::new(size, blocks, bit);
                    let shown = layout.lines.iter().flat_map(|range| &blocks[range.clone()]);
                    let n_shown = shown.filter(|block| block.mask() >> bit & 1 == 1).count();
                    assert_eq!(n_shown, 1, "bit {bit} of {bits} at {width}x{height}");
                    let rows = 1 + layout.lines.len() * layout.line_rows() + layout.cut.height;
                    assert!(rows <= size.body() && layout.cut.height > 1, "{layout:?}");
                }
            }
        }
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
                state.to_weak(margins);
                state.bit(64)
            })
            .collect();
        assert_eq!(looked_at[..weak.len()], weak);
        assert_eq!(looked_at[weak.len()], weak[0]);
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
        state.lay_out(&open, &open.findings(None), 70, false);
        let text: String = state.pane.rows.iter().map(|row| row.text.clone() + "\n").collect();
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
