//! The Near screen: list, fingerprints and texts.

use super::{Edge, Pane, PaneFocus, body, whole};
use crate::app::layout::{Size, SizeClass, boxes};

/// The parts of the Near screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NearLayout {
    /// The list, with its header and the line below k.
    pub list: Pane,
    /// The two fingerprints and their XOR: four rows for each line of bits.
    pub bits: Pane,
    /// The texts, or the explanation.
    pub text: Pane,
}

impl NearLayout {
    /// Rows of the list without its header and the line below k.
    pub fn rows(&self) -> usize {
        self.list.rows().saturating_sub(2)
    }
}

/// Cells for the bits of a pair; the label takes five more.
pub fn pair_cells(size: Size) -> usize {
    let width = usize::from(size.width);
    if size.shape() == SizeClass::Wide {
        width.saturating_sub(boxes(size).neighbours + 7)
    } else {
        width.saturating_sub(5)
    }
}

/// Rows of the box of the list beside its neighbours: its frame, the header, the line below k, and the bars.
const BESIDE_LIST: usize = 4 + 7;

/// The Near screen for fingerprints that take `lines` lines of bits, and for so many neighbours: a short list leaves its
/// rows to the texts. If all parts are stacked, an explanation takes the place of the bits.
pub fn near(
    size: Size,
    lines: usize,
    neighbours: usize,
    is_explained: bool,
    alone: Option<PaneFocus>,
) -> NearLayout {
    let [width, body] = body(size);
    match alone {
        Some(PaneFocus::Text) => {
            return NearLayout { text: whole(size, Edge::Rule), ..NearLayout::default() };
        }
        Some(_) => return NearLayout { list: whole(size, Edge::None), ..NearLayout::default() },
        None => {}
    }
    let stacked = |list: usize, bits: usize| {
        let list = list.min(neighbours.max(1));
        let below = list + 2;
        let bits_height = if bits > 0 { 1 + bits } else { 0 };
        let above = below + bits_height;
        NearLayout {
            list: Pane::new(Edge::None, [0, 0], [width, below]),
            bits: Pane::new(Edge::Rule, [0, below], [width, bits_height]),
            text: Pane::new(Edge::Rule, [0, above], [width, body.saturating_sub(above)]),
        }
    };
    match size.shape() {
        SizeClass::TooSmall => NearLayout::default(),
        SizeClass::Small | SizeClass::Medium if is_explained => stacked(2, 0),
        SizeClass::Small => stacked((body / 2 - 1).max(2), 0),
        SizeClass::Medium => stacked((body / 2 - 1).max(3), 0),
        SizeClass::Standard if is_explained => stacked(3 + (size.height as usize - 24) / 4, 0),
        SizeClass::Standard => {
            let list = 5 + (size.height as usize - 24) / 3;
            stacked(list.min(body.saturating_sub(4 * lines + 6)).max(2), 4 * lines)
        }
        SizeClass::Wide => {
            // An explanation says itself most of that which stands below the bits.
            let [beside, share] = if is_explained {
                [4 * lines + 6, body / 3]
            } else {
                [4 * lines + 10, body * 2 / 5]
            };
            let upper = beside.max(share.min(neighbours + BESIDE_LIST)).min(body.saturating_sub(8));
            let left = boxes(size).neighbours;
            let boxed = |at, size| Pane::new(Edge::Box, at, size);
            NearLayout {
                list: boxed([0, 0], [left, upper]),
                bits: boxed([left, 0], [width - left, upper]),
                text: boxed([0, upper], [width, body.saturating_sub(upper)]),
            }
        }
    }
}
