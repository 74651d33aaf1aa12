//! The Docs screen: list, fingerprint, group and text.

use super::{Division, Edge, Pane, PaneFocus, body, whole};
use crate::app::{
    Screen,
    layout::{Size, SizeClass, boxes},
};

/// The parts of the Docs screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DocsLayout {
    /// The list, with its header.
    pub list: Pane,
    /// The fingerprint: three rows for each line of bits.
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

/// Cells of the list of documents beside the details.
fn docs_left(size: Size, division: Division) -> usize {
    division.left(usize::from(size.width).saturating_sub(boxes(size).details), size)
}

/// Cells for the bits of a document on Docs; the label takes five more.
pub fn document_cells(size: Size, division: Division) -> usize {
    if size.has_columns(Screen::Docs) {
        docs_left(size, division).saturating_sub(7)
    } else {
        usize::from(size.width).saturating_sub(5)
    }
}

/// The Docs screen for fingerprints that take `lines` lines of bits.
pub fn docs(size: Size, lines: usize, division: Division) -> DocsLayout {
    let [width, body] = body(size);
    match division.alone {
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
    let left = docs_left(size, division);
    let right = width.saturating_sub(left);
    let boxed = |at, size| Pane::new(Edge::Box, at, size);
    match size.shape() {
        SizeClass::TooSmall => DocsLayout::default(),
        SizeClass::Small => DocsLayout { list: whole(size, Edge::None), ..DocsLayout::default() },
        SizeClass::Medium => stacked(body.saturating_sub(3), 0),
        _ if !size.has_columns(Screen::Docs) => {
            let text = 4 + (size.height as usize - 24) / 3;
            stacked(body.saturating_sub(2 + 3 * lines + text).max(3), 3 * lines)
        }
        SizeClass::Standard | SizeClass::Wide => {
            let lower = (4 * lines + 8).max(12);
            let upper = body.saturating_sub(lower);
            DocsLayout {
                list: boxed([0, 0], [left, upper]),
                bits: boxed([0, upper], [left, lower]),
                group: boxed([left, upper], [right, lower]),
                text: boxed([left, 0], [right, upper]),
            }
        }
    }
}
