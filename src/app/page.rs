//! A view as a page: blocks with their room, arranged for a size of the screen. Arithmetic without a terminal.
//!
//! ```text
//! View::page(app) -> Page { parts: [Part { title, remark, rows, rank, place, block }] }
//!   |-- arrange(size)     a rectangle for each part that has room: `update` scrolls by it
//!   `-- tui::view::page   draws each block into its rectangle
//! ```
//!
//! A part has the rows that it needs, the most that it can use, and a rank: where there is no room the part of the
//! highest rank goes, and a part of rank 0 never goes. From 110 columns on parts stand side by side; below that all
//! stand one below the other.

use std::ops::{Range, RangeInclusive};
use std::rc::Rc;

use tui_input::Input;
use unicode_width::UnicodeWidthStr as _;

use super::layout::{Edge, Pane, bit_lines};
use super::side_by_side::DiffRow;
pub use super::tone::{Tinted, Tone};
use super::{ClickTarget, Cursor, Size, wrap};
use crate::analysis::inspection::TableWindow;
use crate::explain::Hyperplanes;
use crate::facts::{Fact, Room};
use crate::id::DocId;
use crate::index;
use crate::simhash::{Fingerprint, Votes};

/// Columns from which on parts stand side by side.
pub(crate) const BESIDE_FROM: u16 = 110;
/// Rows from which on parts that have room for two columns stand in boxes.
const BOXES_FROM: u16 = 30;

/// The share of the columns that a wide left column has, in percent.
const WIDE: usize = 66;
/// The columns of a right column beside a part that takes the most.
const SIDE: usize = 39;

/// The content of a cell of a list.
pub enum Cell {
    /// Words.
    Words(Tinted),
    /// Words that are being typed.
    Typed(Input),
    /// The names of two documents.
    Pair([DocId; 2]),
    /// The name of a document behind some words.
    Name(String, DocId),
    /// The blocks of a table, each in so many cells: whether its key has it, and whether the pair differs in it.
    Blocks(Vec<(bool, bool)>, usize),
    /// A small picture of a fingerprint, pale where it equals the second one.
    Bits(Fingerprint, Option<Fingerprint>),
}

impl<T: Into<Tinted>> From<T> for Cell {
    fn from(words: T) -> Self {
        Self::Words(words.into())
    }
}

/// A view on the screen.
#[derive(Default)]
pub struct Page<'a> {
    /// Its parts, from the top down; the first one has the keys.
    pub parts: Vec<Part<'a>>,
}

/// A block with a title and its room.
pub struct Part<'a> {
    /// The title, in its frame.
    pub title: String,
    /// The remark at the right of the title; it may be empty.
    pub remark: String,
    /// The rows that it needs, and the most that it can use, without its frame.
    pub rows: RangeInclusive<usize>,
    /// The part of the highest rank goes first where there is no room; a part of rank 0 never goes.
    pub rank: u8,
    /// Where it stands on a screen with room for two columns.
    pub place: Place,
    /// Its content.
    pub block: Block<'a>,
}

/// The most rows of a part that can use any number of them.
pub(crate) const ANY: usize = u16::MAX as usize;

impl<'a> Part<'a> {
    /// A block below its title. It stands across the screen and never goes.
    pub fn new(
        title: impl Into<String>,
        rows: RangeInclusive<usize>,
        block: impl Into<Block<'a>>,
    ) -> Self {
        let (title, remark, block) = (title.into(), String::new(), block.into());
        Self { title, remark, rows, rank: 0, place: Place::Across, block }
    }

    /// The same with a remark at the right of its title.
    #[must_use]
    pub fn remarked(self, remark: impl Into<String>) -> Self {
        Self { remark: remark.into(), ..self }
    }

    /// The same at another place, and with a rank.
    #[must_use]
    pub fn at(self, place: Place, rank: u8) -> Self {
        Self { rank, place, ..self }
    }

    /// Paragraphs, the most important first; the first one always has room.
    pub fn text<T: Into<Tinted>>(
        title: &str,
        paragraphs: impl IntoIterator<Item = T>,
        rank: u8,
        place: Place,
        size: Size,
    ) -> Self {
        let paragraphs: Vec<Tinted> = paragraphs.into_iter().map(Into::into).collect();
        let width = place.cells(size).saturating_sub(2);
        let rows = |it: &Tinted| {
            let words: String = it.0.iter().map(|(words, _)| &**words).collect();
            wrap(&words, width).len()
        };
        let least = paragraphs.first().map_or(0, rows);
        let all = paragraphs.iter().map(rows).sum();
        Self::new(title, least..=all, Block::Text(paragraphs)).at(place, rank)
    }
}

/// The place of a part on a screen with room for two columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Across.
    Across,
    /// In the left column.
    Left,
    /// In the left column, which is the wider one.
    Wide,
    /// In the left column, which has all that a narrow right one leaves.
    Most,
    /// In the right column.
    Right,
}

impl Place {
    /// Cells of a part there, without its frame.
    pub fn cells(self, size: Size) -> usize {
        let width = usize::from(size.width);
        let share = match self {
            _ if !is_beside(size) => width,
            Self::Across => width,
            Self::Left => width / 2,
            Self::Wide => width * WIDE / 100,
            Self::Most => width - SIDE,
            // Beside a wide one it has less.
            Self::Right => width - width * WIDE / 100,
        };
        share.saturating_sub(if has_boxes(size) { 2 } else { 0 })
    }
}

/// A block.
pub enum Block<'a> {
    /// Rows with columns and a cursor.
    List(List<'a>),
    /// Paragraphs, the most important first: as many as have room as a whole.
    Text(Vec<Tinted>),
    /// Shares over a value.
    Plot(Plot<'a>),
    /// A map: cells of a table as shades.
    Shades(Shades<'a>),
    /// Bars over distances.
    Histogram(Histogram),
    /// Numbers along the corpus in one row.
    Strip(Strip<'a>),
    /// The sections of the view, which scroll.
    Sections,
    /// The text of the selected document.
    Preview,
    /// Rows of two texts, and the cells of the left one if the other stands beside it.
    Texts(&'a [DiffRow], Option<usize>),
    /// Fingerprints bit by bit.
    Bits(Bits),
    /// Rows of a table, bit by bit.
    TableRows(TableRows<'a>),
    /// Two vectors with random lines.
    Angle(Hyperplanes),
    /// The votes on every bit of a text, as bars above and below its bits.
    Votes(VoteBars<'a>),
}

impl<'a> From<List<'a>> for Block<'a> {
    fn from(list: List<'a>) -> Self {
        Self::List(list)
    }
}

/// The column of a list.
pub struct Column<'a> {
    /// Its name in the header.
    pub title: String,
    /// Its cells: numbers stand at the right, words at the left; `None` takes the cells that the others leave.
    pub cells: Option<usize>,
    /// Whether it holds numbers.
    pub is_number: bool,
    /// Columns of a higher rank go first where there is no room; rank 0 always stays.
    pub rank: u8,
    /// The effect of a click on its name.
    pub target: Option<ClickTarget>,
    /// The cell of a row.
    pub cell: CellOf<'a>,
}

/// The cell of a row.
type CellOf<'a> = Box<dyn Fn(usize) -> Cell + 'a>;

impl<'a> Column<'a> {
    /// The same with an effect of a click on its name.
    #[must_use]
    pub fn on_click(self, target: ClickTarget) -> Self {
        Self { target: Some(target), ..self }
    }

    /// The same, left out before those of a lower rank.
    #[must_use]
    pub fn ranked(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    /// Words in a number of cells.
    pub fn words<T: Into<Cell>>(
        title: &str,
        cells: impl Into<Option<usize>>,
        cell: impl Fn(usize) -> T + 'a,
    ) -> Self {
        let (title, cells) = (title.to_owned(), cells.into());
        let cell: CellOf<'a> = Box::new(move |row| cell(row).into());
        Self { title, cells, is_number: false, rank: 0, target: None, cell }
    }

    /// A number in a number of cells.
    pub fn number<T: Into<Cell>>(
        title: &str,
        cells: usize,
        rank: u8,
        cell: impl Fn(usize) -> T + 'a,
    ) -> Self {
        Self { is_number: true, rank, ..Self::words(title, cells, cell) }
    }
}

/// The cell of a row that columns share.
pub(crate) fn cell_of<T, C, F: Fn(&T) -> C>(
    rows: &Rc<[T]>,
    cell: F,
) -> impl Fn(usize) -> C + use<T, C, F> {
    let rows = Rc::clone(rows);
    move |at| cell(&rows[at])
}

/// The columns of the facts that are listed, about the row that `row` makes; a row without one has blank cells. Ranks
/// begin at `rank`.
pub(crate) fn listed<'a, R: 'a>(
    facts: Vec<Fact<R>>,
    rank: u8,
    row: impl Fn(usize) -> Option<R> + 'a,
) -> impl Iterator<Item = Column<'a>> {
    let row = Rc::new(row);
    facts.into_iter().filter_map(move |fact| {
        let (row, at, title, cells) = (Rc::clone(&row), fact.rank?, fact.title, fact.cells);
        let value =
            move |number| row(number).map_or_else(String::new, |it| fact.value(&it, Room::Cells));
        Some(Column::number(title, cells, rank + at, value))
    })
}

/// Rows with columns and a cursor.
pub struct List<'a> {
    /// The columns, from the left.
    pub columns: Vec<Column<'a>>,
    /// The number of rows.
    pub len: usize,
    /// The selected row.
    pub cursor: Cursor,
    /// The words instead of the rows where there are none.
    pub none: String,
    /// A row with a line above it, and the words in the line.
    pub rule: Option<(usize, String)>,
}

impl<'a> List<'a> {
    /// Rows without a line among them.
    pub fn new(columns: Vec<Column<'a>>, len: usize, cursor: Cursor) -> Self {
        Self { columns, len, cursor, none: String::new(), rule: None }
    }
}

/// Bars over distances.
pub struct Histogram {
    /// For each distance from 0 on the number of pairs, of those of like texts, and of those by chance.
    pub bars: Vec<[f64; 3]>,
    /// The largest distance that counts as near.
    pub k: usize,
    /// The meaning of like pairs within k, beyond it, of other pairs, and of the dots; an empty one is left out.
    pub legend: [&'static str; 4],
}

/// Numbers along the corpus.
pub struct Strip<'a> {
    /// The words before it.
    pub title: &'static str,
    /// The number of each part of the corpus, in order.
    pub values: &'a [u32],
    /// The place of the selected document, 0 to 1.
    pub at: Option<f64>,
}

/// The share of a value.
type Share<'a> = Box<dyn Fn(f64) -> f64 + 'a>;

/// Shares over a value: curves and points.
#[derive(Default)]
pub struct Plot<'a> {
    /// The name of the value.
    pub over: &'static str,
    /// The first value and the last one.
    pub range: (f64, f64),
    /// Curves: the share of a value.
    pub curves: Vec<(Share<'a>, Tone)>,
    /// Points: a value, its share, and a mark.
    pub points: Vec<(f64, f64, char)>,
    /// A value at which a dashed line stands.
    pub limit: Option<f64>,
}

/// Makes the words of a column and a row.
type Words<'a> = Box<dyn Fn(usize, usize) -> Tinted + 'a>;

/// A map: cells of a table as shades.
pub struct Shades<'a> {
    /// The columns and the rows.
    pub size: (usize, usize),
    /// The name of each column and row; none are drawn where there are none.
    pub names: [Vec<String>; 2],
    /// The shade of a column and a row, 0 to 4.
    pub shade: Box<dyn Fn(usize, usize) -> usize + 'a>,
    /// The words of a cell, beside its shade.
    pub text: Option<Words<'a>>,
    /// The selected column and row.
    pub selected: Option<(usize, usize)>,
    /// The meaning of the shades, and what else there is to say.
    pub legend: Vec<String>,
}

/// Whether parts stand side by side.
pub fn is_beside(size: Size) -> bool {
    size.width >= BESIDE_FROM
}

/// Whether parts stand in boxes.
pub fn has_boxes(size: Size) -> bool {
    is_beside(size) && size.height >= BOXES_FROM
}

impl Page<'_> {
    /// A sentence in place of everything else.
    pub(crate) fn saying(title: &str, words: impl Into<Tinted>, size: Size) -> Self {
        Self { parts: vec![Part::text(title, [words], 0, Place::Across, size)] }
    }

    /// The place of each part, by its number; a part without room has none. The parts tile the screen.
    pub fn arrange(&self, size: Size) -> Vec<(usize, Pane)> {
        let is_beside = is_beside(size);
        let [width, height] = [usize::from(size.width), size.body()];
        let mut shown: Vec<usize> = (0..self.parts.len()).collect();
        loop {
            let bands = self.bands(&shown, is_beside);
            let least: usize = bands.iter().map(|band| self.rows(band, size).0).sum();
            let last = shown.iter().copied().max_by_key(|&at| self.parts[at].rank);
            if least > height
                && let Some(last) = last.filter(|&at| self.parts[at].rank > 0)
            {
                shown.retain(|&at| at != last);
                continue;
            }
            let rows: Vec<_> = bands.iter().map(|band| self.rows(band, size)).collect();
            let mut panes = Vec::new();
            let mut y = 0;
            for (band, height) in bands.iter().zip(share(&rows, height)) {
                let (n, mut x) = (band.len(), 0);
                for (at, column) in band.iter().enumerate() {
                    let end = match self.parts[column[0]].place {
                        Place::Wide if n > 1 => width * WIDE / 100,
                        Place::Most if n > 1 => width - SIDE,
                        _ => width * (at + 1) / n,
                    };
                    self.stack(column, size, [x, y], [end - x, height], &mut panes);
                    x = end;
                }
                y += height;
            }
            return panes;
        }
    }

    /// The parts from the top down: of each band its columns, of each column its parts.
    fn bands(&self, shown: &[usize], is_beside: bool) -> Vec<Vec<Vec<usize>>> {
        let mut bands: Vec<Vec<Vec<usize>>> = Vec::new();
        let of = |place| {
            let parts = shown.iter().copied();
            parts.filter(|&at| self.parts[at].place == place).collect::<Vec<usize>>()
        };
        let left = [of(Place::Left), of(Place::Wide), of(Place::Most)].concat();
        let columns = [left, of(Place::Right)];
        let columns: Vec<_> = columns.into_iter().filter(|column| !column.is_empty()).collect();
        for &at in shown {
            if !is_beside || self.parts[at].place == Place::Across {
                bands.push(vec![vec![at]]);
            } else if !bands.contains(&columns) {
                bands.push(columns.clone());
            }
        }
        bands
    }

    /// The rows that a band needs and the most that it can use, with the frames.
    fn rows(&self, band: &[Vec<usize>], size: Size) -> (usize, usize) {
        let column = |parts: &Vec<usize>| {
            let rows = parts.iter().map(|&at| self.of_part(at, size));
            rows.fold((0, 0), |sum, rows| (sum.0 + rows.0, sum.1 + rows.1))
        };
        let columns = band.iter().map(column);
        columns.fold((0, 0), |most, rows| (most.0.max(rows.0), most.1.max(rows.1)))
    }

    /// The rows that a part needs and the most that it can use, with its frame.
    fn of_part(&self, at: usize, size: Size) -> (usize, usize) {
        let frame = match self.edge(at, size) {
            Edge::Box => 2,
            Edge::Rule => 1,
            Edge::None => 0,
        };
        let rows = &self.parts[at].rows;
        (rows.start() + frame, rows.end() + frame)
    }

    /// The frame of a part: on a small screen the first part has none.
    fn edge(&self, at: usize, size: Size) -> Edge {
        match at {
            _ if matches!(self.parts[at].block, Block::Strip(_)) => Edge::None,
            _ if has_boxes(size) => Edge::Box,
            0 if size.is_below(80, 24) || self.parts[0].title.is_empty() => Edge::None,
            _ => Edge::Rule,
        }
    }

    /// Places parts one below the other.
    fn stack(
        &self,
        parts: &[usize],
        size: Size,
        [x, mut y]: [usize; 2],
        [width, height]: [usize; 2],
        panes: &mut Vec<(usize, Pane)>,
    ) {
        let rows: Vec<_> = parts.iter().map(|&at| self.of_part(at, size)).collect();
        for (&at, height) in parts.iter().zip(share(&rows, height)) {
            panes.push((at, Pane { x, y, width, height, edge: self.edge(at, size) }));
            y += height;
        }
    }

    /// The first part that shows whose block is such a one, with its place; its frame is counted.
    fn find(&self, size: Size, is_it: fn(&Block<'_>) -> bool) -> Option<(&Block<'_>, Pane)> {
        let panes = self.arrange(size).into_iter();
        let mut shown = panes.map(|(at, pane)| (&self.parts[at].block, pane));
        shown.find(|(block, _)| is_it(block))
    }

    /// The room of the sections; without any cells if they do not show.
    pub fn text_cut(&self, size: Size) -> Pane {
        let found = self.find(size, |block| matches!(block, Block::Sections));
        let pane = found.map_or(Pane::default(), |(_, pane)| pane.inside());
        Pane { width: pane.width.saturating_sub(2), ..pane }
    }

    /// Rows of the list below its header; 0 if no list shows.
    pub fn list_rows(&self, size: Size) -> usize {
        let found = self.find(size, |block| matches!(block, Block::List(_)));
        let Some((Block::List(list), pane)) = found else { return 0 };
        pane.rows().saturating_sub(1 + usize::from(list.rule.is_some()))
    }

    /// Rows of a table that have room.
    pub fn table_rows(&self, size: Size) -> usize {
        let found = self.find(size, |block| matches!(block, Block::TableRows(_)));
        let Some((Block::TableRows(rows), pane)) = found else { return 0 };
        let each = rows.lines(pane.inside().width).len().max(1);
        (pane.rows() / each).saturating_sub(1)
    }

    /// The place of the texts or the sections, with its frame; without any cells if they do not show.
    pub fn text_pane(&self, size: Size) -> Pane {
        let is_text = |block: &Block<'_>| {
            matches!(block, Block::Texts(..) | Block::Preview | Block::Sections)
        };
        self.find(size, is_text).map_or(Pane::default(), |(_, pane)| pane)
    }
}

/// Shares rows among parts that need some and can use more: first all get what they need, then the first ones what they
/// can use, and the last one the rest.
fn share(rows: &[(usize, usize)], height: usize) -> Vec<usize> {
    let mut left = height;
    let mut given: Vec<usize> = rows.iter().map(|(least, _)| take(&mut left, *least)).collect();
    for (given, (_, most)) in given.iter_mut().zip(rows) {
        *given += take(&mut left, most.saturating_sub(*given));
    }
    if let Some(last) = given.last_mut() {
        *last += left;
    }
    given
}

fn take(left: &mut usize, wanted: usize) -> usize {
    let taken = wanted.min(*left);
    *left -= taken;
    taken
}

/// One or two fingerprints of the same width in blocks, with words hung to some of the bits.
#[derive(Default)]
pub struct Bits {
    /// The fingerprints, each with its name.
    pub prints: Vec<(String, Fingerprint)>,
    /// The blocks, from the left.
    pub blocks: Vec<index::Block>,
    /// Names above the blocks instead of letters; none for letters.
    pub names: Vec<String>,
    /// Words about a bit, the most important first.
    pub hung: Vec<(u32, Tinted)>,
    /// Others to compare with the first one, where rows are left.
    pub others: Vec<(String, Fingerprint)>,
    /// The number of all others.
    pub n_others: usize,
    /// The bit that keys act on.
    pub cursor: Option<u32>,
}

/// The votes on every bit of a text.
pub struct VoteBars<'a> {
    /// The fingerprint, if it is known.
    pub print: Option<Fingerprint>,
    /// The votes, if they are known.
    pub votes: Option<&'a Votes>,
    /// The blocks, from the left.
    pub blocks: Vec<index::Block>,
    /// Names above the blocks instead of letters; none for letters.
    pub names: Vec<String>,
    /// The bit that keys act on.
    pub bit: Option<u32>,
}

/// The sorted rows of a table around a fingerprint.
pub struct TableRows<'a> {
    /// The rows.
    pub window: Option<&'a TableWindow>,
    /// The words instead of the rows while there are none.
    pub none: String,
    /// The blocks in the table's order, each with its number in the layout.
    pub blocks: Vec<(usize, index::Block)>,
    /// The number of blocks in the key.
    pub n_key: usize,
    /// Digits of a row's number.
    pub digits: usize,
    /// The fingerprint that is looked up, and that of the pair's other document.
    pub pair: [Option<Fingerprint>; 2],
}

impl TableRows<'_> {
    /// Cells before the bits.
    pub(crate) fn indent(&self) -> usize {
        self.digits + 3
    }

    /// The blocks of each line of a row; none where the bits would take more than two lines.
    pub(crate) fn lines(&self, width: usize) -> Vec<Range<usize>> {
        let bare: Vec<index::Block> = self.blocks.iter().map(|(_, block)| *block).collect();
        let lines = bit_lines(&bare, width.saturating_sub(self.indent() + DISTANCE));
        if lines.len() > 2 { Vec::new() } else { lines }
    }
}

/// Cells of the distance behind the bits of a row.
pub(crate) const DISTANCE: usize = 4;
/// The most lines in the picture of an angle, since more would fill it.
pub(crate) const SHOWN_LINES: u32 = 24;
/// Cells before a line of votes.
pub(crate) const VOTES_LABEL: usize = 7;
/// Cells between a name and the bits behind it.
pub(crate) const NAME_GAP: usize = 2;
/// Cells that a name has at least.
const LEAST_NAME: usize = 3;

/// Fingerprints cut for a width.
pub(crate) struct BitsCut {
    /// The blocks of each line.
    pub lines: Vec<Range<usize>>,
    /// Cells of a name.
    pub name: usize,
    /// Whether the digits have room behind the bits.
    pub has_hex: bool,
}

impl Bits {
    /// As few lines as the bits need beside the shortest names; then the names take what is free.
    pub(crate) fn cut(&self, width: usize) -> BitsCut {
        let room = width.saturating_sub(1 + NAME_GAP);
        let lines = bit_lines(&self.blocks, room.saturating_sub(LEAST_NAME));
        let cells = |line: &Range<usize>| -> usize {
            self.blocks[line.clone()].iter().map(|it| it.width as usize + 1).sum::<usize>() - 1
        };
        let bits = lines.iter().map(cells).max().unwrap_or(0);
        let names = self.prints.iter().chain(&self.others).map(|(name, _)| name.width());
        let name = names.max().unwrap_or(0);
        let name = name.min(room.saturating_sub(bits));
        let digits = self.prints.first().map_or(0, |(_, print)| print.to_string().len());
        let has_hex = lines.len() == 1 && name + bits + NAME_GAP + digits <= room;
        BitsCut { lines, name, has_hex }
    }

    /// The rows that they need in a width, and the most that they can use.
    pub fn rows(&self, width: usize) -> RangeInclusive<usize> {
        let each = 1 + self.prints.len() + usize::from(self.cursor.is_some());
        let least = self.cut(width).lines.len() * each;
        least..=least + self.hung.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page<'static> {
        let part = |rows, rank, place| Part::new("", rows, Block::Text(Vec::new())).at(place, rank);
        let parts = vec![
            part(4..=9, 0, Place::Across),
            part(2..=3, 1, Place::Left),
            part(5..=99, 3, Place::Right),
            part(6..=6, 2, Place::Right),
        ];
        Page { parts }
    }

    #[test]
    fn parts_tile_the_screen_at_every_size() {
        for (width, height) in [(40, 10), (60, 16), (80, 24), (109, 40), (120, 35), (200, 60)] {
            let size = Size { width, height };
            let panes = page().arrange(size);
            let area: usize = panes.iter().map(|(_, pane)| pane.width * pane.height).sum();
            assert_eq!(area, usize::from(width) * size.body(), "{size:?} {panes:?}");
            assert_eq!(panes[0].0, 0, "the first part never goes");
        }
    }

    #[test]
    fn the_part_of_the_highest_rank_goes_first() {
        let shown = |width, height| -> Vec<usize> {
            page().arrange(Size { width, height }).into_iter().map(|(at, _)| at).collect()
        };
        assert_eq!(shown(80, 30), [0, 1, 2, 3]);
        assert_eq!(shown(80, 20), [0, 1, 3]);
        assert_eq!(shown(80, 12), [0, 1]);
        assert_eq!(shown(40, 10), [0, 1]);
        // Side by side they need fewer rows.
        assert_eq!(shown(120, 30), [0, 1, 2, 3]);
    }
}
