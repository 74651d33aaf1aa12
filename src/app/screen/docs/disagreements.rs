//! The Disagreements view: pairs whose fingerprints and texts disagree.

use crate::{
    analysis::disagreement::Disagreement,
    app::{
        cursor::Cursor,
        layout::{Size, SizeClass},
        query,
        resource::{JobNumber, Resource},
        side_by_side::DiffRow,
    },
    id::DocId,
};

/// The state of the Disagreements view.
#[derive(Debug, Default)]
pub struct DisagreementsState {
    /// The pairs found, perhaps at another k.
    pub found: Resource<query::DisagreementsQuery>,
    /// Selection in the list.
    pub cursor: Cursor,
    /// The comparison of the selected pair, on a screen with room for the texts.
    pub texts: Resource<query::PreviewTexts>,
    /// Its rows, and the answer and the cells of a column that they are of.
    pub rows: Vec<DiffRow>,
    pub(in crate::app) laid_out: Option<(JobNumber, usize)>,
    /// The first of these rows that shows.
    pub top: usize,
}

impl DisagreementsState {
    /// The selected pair.
    pub fn selected(&self) -> Option<&Disagreement> {
        self.found.answer()?.found.get(self.cursor.selected)
    }

    /// The documents of the selected pair.
    pub fn pair(&self) -> Option<[DocId; 2]> {
        self.selected().map(|it| [it.pair.a, it.pair.b])
    }
}

/// Columns from which each note has one row.
const ONE_ROW_FROM: u16 = 110;
/// Rows of a frame and of the header of the list in it.
const FRAME: usize = 3;
/// The most rows of notes on a wide screen.
pub const NOTES: usize = 4;
/// The least rows of a box of texts, with its frame.
const LEAST_TEXTS: usize = 5;
/// Cells that the frame of the texts and the marks before both of them take.
const BESIDE_TEXTS: usize = 8;

/// Rows of the parts of the view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DisagreementsLayout {
    /// Rows of the list, without its header.
    pub list: usize,
    /// Rows of the list with its header and its frame, on a wide screen.
    pub box_of_list: usize,
    /// Rows of the box of both fingerprints; 0 if it is not shown.
    pub bits: usize,
    /// Rows of the box of both texts; 0 if it is not shown.
    pub texts: usize,
    /// Cells of one of the texts.
    pub column: usize,
}

/// The parts on a screen of this size, for so many pairs and lines of bits. Only a wide screen has boxes: at most half
/// of the rows are for the list, so that the texts of a pair can be read.
pub fn disagreements_layout(size: Size, n_pairs: usize, n_lines: usize) -> DisagreementsLayout {
    let body = size.body();
    let others = match size.shape() {
        SizeClass::TooSmall => return DisagreementsLayout::default(),
        SizeClass::Small => 2,
        SizeClass::Medium => 6,
        SizeClass::Standard if size.width < ONE_ROW_FROM => 7,
        SizeClass::Standard => 5,
        SizeClass::Wide => {
            let bits = if n_pairs == 0 { 0 } else { 4 * n_lines + 2 };
            let room = body.saturating_sub(NOTES + bits + FRAME);
            let least = (body / 2).saturating_sub(FRAME).min(n_pairs.max(1));
            let texts = room.saturating_sub(least);
            let has_texts = n_pairs > 0 && texts >= LEAST_TEXTS;
            let list = if has_texts { least } else { room };
            return DisagreementsLayout {
                list,
                box_of_list: list + FRAME,
                bits,
                texts: if has_texts { texts } else { 0 },
                column: usize::from(size.width).saturating_sub(BESIDE_TEXTS) / 2,
            };
        }
    };
    DisagreementsLayout { list: body.saturating_sub(others), ..DisagreementsLayout::default() }
}
