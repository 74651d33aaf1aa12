//! The Health view: figures of all fingerprints of a corpus together, and the number of misleading documents.

use crate::{
    analysis::CorpusFlags,
    app::{
        layout::{Size, SizeClass},
        pane::{GAP, PaneLayout, TextPane},
        query,
        resource::{JobNumber, Resource},
    },
    corpus::Corpus,
    present::health,
};

/// The largest number of bits and pairs of bits that are named.
const MOST: usize = 8;
/// Rows of the histogram of bits set.
const BINS: usize = 12;

/// The state of the Health view.
#[derive(Debug, Default)]
pub struct HealthState {
    /// The figures.
    pub found: Resource<query::HealthQuery>,
    /// The sentences about the figures.
    pub pane: TextPane,
    /// The inputs that the pane was made from: the figures, whether flags were known, the cells of a column.
    made: Option<(JobNumber, bool, usize)>,
}

impl HealthState {
    /// Lays out the known figures, unless that is done.
    pub(in crate::app) fn lay_out(
        &mut self,
        flags: Option<&CorpusFlags>,
        corpus: &Corpus,
        width: usize,
        ascii: bool,
    ) {
        let Some(found) = self.found.answer() else { return };
        let made = self.found.number().map(|number| (number, flags.is_some(), width));
        if self.made == made {
            return;
        }
        self.made = made;
        let mut sections = vec![health::flagged(flags, corpus)];
        sections.extend(health::health(found, corpus, MOST, BINS));
        self.pane.lay_out(&sections, width, ascii);
    }
}

/// The places of the picture and the sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HealthLayout {
    /// Bits in a cell of the map, to each side.
    pub step: usize,
    /// Rows of the map; a cell is two columns wide. 0 if there is no room.
    pub rows: usize,
    /// The sentences at the right of the map.
    pub cut: PaneLayout,
}

impl HealthLayout {
    /// The places for fingerprints of `bits` bits on a screen of this size.
    pub fn new(size: Size, bits: u32) -> Self {
        let (body, width) = (size.body(), size.width as usize);
        // A rule or a frame, and the legend.
        let (above, frame) = match size.shape() {
            SizeClass::TooSmall | SizeClass::Small => {
                return Self {
                    step: 1,
                    rows: 0,
                    cut: PaneLayout { columns: 1, width, height: body },
                };
            }
            SizeClass::Wide => (2, 2),
            _ => (1, 0),
        };
        let height = body.saturating_sub(above);
        // Half of the columns at most; a legend is below.
        let room = height.saturating_sub(2).min(width / 4).max(1);
        let step = (bits as usize).div_ceil(room);
        let rows = (bits as usize).div_ceil(step);
        let map = Self { step, rows, cut: PaneLayout::default() }.map_width();
        let left = width.saturating_sub(map + GAP + 2 * frame);
        Self { step, rows, cut: PaneLayout { columns: 1, width: left, height } }
    }

    /// Cells of the map and its legend; 0 without a map.
    pub fn map_width(&self) -> usize {
        if self.rows == 0 { 0 } else { (2 * self.rows).max(LEGEND) + 1 }
    }
}

/// Cells of the map's legend.
pub const LEGEND: usize = 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_and_the_words_share_the_screen() {
        for (width, height) in [(60, 16), (80, 24), (140, 40), (200, 60)] {
            let size = Size { width, height };
            for bits in [1, 8, 17, 64, 90, 128] {
                let layout = HealthLayout::new(size, bits);
                assert!(layout.step * layout.rows >= bits as usize, "{layout:?}");
                assert!(layout.rows + 3 <= size.body(), "{layout:?} at {size:?}");
                assert!(layout.map_width() + layout.cut.width < width as usize, "{layout:?}");
                assert!(layout.cut.width >= 24, "{layout:?} at {size:?}");
            }
        }
        let small = HealthLayout::new(Size { width: 40, height: 12 }, 64);
        assert_eq!((small.map_width(), small.cut.width), (0, 40));
    }
}
