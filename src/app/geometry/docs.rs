//! The Docs screen: list, fingerprint, group and text.

use super::{Edge, Pane, PaneFocus, body, whole};
use crate::app::layout::{Size, SizeClass, boxes};

/// The parts of the Docs screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DocsLayout {
    /// The list, with its header.
    pub list: Pane,
    /// The fingerprint: three rows for each line of bits; in a box one or two rows for each block.
    pub bits: Pane,
    /// The group of the document.
    pub group: Pane,
    /// The text.
    pub text: Pane,
}

impl DocsLayout {
    /// Rows of the list without its header.
    pub fn rows(&self) -> usize {
        self.list.rows().saturating_sub(1)
    }
}

/// Cells for the bits of a document below the list; the label takes five more.
pub fn document_cells(size: Size) -> usize {
    usize::from(size.width).saturating_sub(5)
}

/// The Docs screen for fingerprints of `blocks` blocks, which take `lines` lines of bits below the list, and a group of
/// `group_rows` rows; the text has the rows that these leave.
pub fn docs(
    size: Size,
    lines: usize,
    blocks: usize,
    group_rows: usize,
    alone: Option<PaneFocus>,
) -> DocsLayout {
    let [width, body] = body(size);
    match alone {
        Some(PaneFocus::Text) => {
            return DocsLayout { text: whole(size, Edge::Rule), ..DocsLayout::default() };
        }
        Some(_) => return DocsLayout { list: whole(size, Edge::None), ..DocsLayout::default() },
        None => {}
    }
    let stacked = |list: usize, bits: usize| {
        let below = (list + 1).min(body);
        let text = body.saturating_sub(below + 1 + bits);
        DocsLayout {
            list: Pane::new(Edge::None, [0, 0], [width, below]),
            bits: Pane::new(Edge::Rule, [0, below], [width, 1 + bits]),
            group: Pane::default(),
            text: Pane::new(Edge::None, [0, below + 1 + bits], [width, text]),
        }
    };
    match size.shape() {
        SizeClass::TooSmall => DocsLayout::default(),
        SizeClass::Small => DocsLayout { list: whole(size, Edge::None), ..DocsLayout::default() },
        SizeClass::Medium => stacked(body.saturating_sub(3), 0),
        SizeClass::Standard => {
            let text = 4 + (size.height as usize - 24) / 3;
            stacked(body.saturating_sub(2 + 3 * lines + text).max(3), 3 * lines)
        }
        SizeClass::Wide => {
            let left = width.saturating_sub(boxes(size).details);
            let right = width.saturating_sub(left);
            // The frame and two rows about weak bits; marks below blocks where half of the screen is enough.
            let with_marks = 2 * blocks + 4;
            let bits = if with_marks <= body / 2 { with_marks } else { (blocks + 4).min(body / 2) };
            let group = group_rows.saturating_add(2).min((body - bits) * 3 / 5);
            let boxed = |at, size| Pane::new(Edge::Box, at, size);
            DocsLayout {
                list: boxed([0, 0], [left, body]),
                bits: boxed([left, 0], [right, bits]),
                group: boxed([left, bits], [right, group]),
                text: boxed([left, bits + group], [right, body.saturating_sub(bits + group)]),
            }
        }
    }
}
