//! The list of neighbours, and the line below which nothing is guaranteed.

use ratatui::{
    style::Style,
    text::{Line, Span},
};

use super::{distances::distances, selected::query_id};
use crate::{
    app::{App, geometry::Edge},
    id::DocId,
    index::{Layout, Neighbour, letter},
    tui::{
        theme::Theme,
        view::{name, similar, twins},
        widget::{
            canvas::Canvas,
            table::{Align, Column, ColumnTable},
        },
    },
};

/// The most blocks in a row of the list.
const MOST_BLOCKS: usize = 23;

pub(super) fn list(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let layout = app.layout();
    let table = columns(app, &layout, canvas.width(), theme);
    table.draw_header(canvas);
    let Some(query) = app.near.query else {
        canvas.row(1, "  no document is selected");
        return;
    };
    let known = app.analysis.fingerprint(query).filter(|_| app.analysis.index.is_some());
    if known.is_none() {
        canvas.paragraph(2, 1, why_no_neighbours(app, query), Style::new());
        return;
    }
    if app.near.neighbours.is_empty() {
        let looking = app.near.listing.is_running();
        let why = if looking { "searching .." } else { "no other document has a fingerprint" };
        canvas.row(1, format!("  {why}"));
        return;
    }
    let rule = app.near_rule();
    let height = canvas.height();
    let n_listed = app.near.neighbours.len();
    let mut y = 1;
    // If the line below k is not on the screen, there is room for one more neighbour.
    for at in app.near.cursor.window(n_listed, height.saturating_sub(1)) {
        if Some(at) == rule && y < height {
            beyond(app, &layout, canvas, y);
            y += 1;
        }
        if y >= height {
            break;
        }
        let is_selected = at == app.near.cursor.selected;
        let mark = is_selected.then(|| theme.mark());
        table.draw_row(canvas, y, mark, &app.near.neighbours[at]);
        canvas.row_target(y, at as isize - app.near.cursor.selected as isize);
        y += 1;
    }
    let (width, height) = (canvas.width(), height.saturating_sub(y));
    distances(app, &mut canvas.part(0, y, width, height));
}

/// Cells that a name has at least beside columns of each rank: from rank 2 on there is a title.
const NAMES: [usize; 5] = [14, 20, 38, 38, 44];

/// The columns of the list.
fn columns<'a>(
    app: &'a App,
    layout: &'a Layout,
    width: usize,
    theme: Theme,
) -> ColumnTable<'a, Neighbour> {
    // A box names the query in its frame.
    let title = if app.near_layout().list.edge == Edge::Box || width < 60 {
        "document".to_owned()
    } else {
        title(app)
    };
    let shown = app.near.cursor.window(app.near.neighbours.len(), app.near_layout().rows() + 1);
    let shown: Vec<_> = app.near.neighbours[shown].iter().map(|it| it.document).collect();
    let name = Column::new(title, Align::Rest, 0, move |it: &Neighbour, cells| {
        let held = app.near.held == Some(it.document);
        let held = if held { format!("{} ", theme.glyphs().partner) } else { String::new() };
        name::telling(app, it.document, &(held + &name::mark(app, it.document)), &shown, cells)
    });
    let query = app.near.query.and_then(|query| app.analysis.fingerprint(query));
    let xor = move |it: &Neighbour| {
        let other = app.analysis.fingerprint(it.document);
        query.zip(other).map_or(0, |(query, other)| query.bits() ^ other.bits())
    };
    let tokens = app.analysis.settings.recipe.features.tokens_short();
    let d = if layout.width() < 100 { 3 } else { 4 };
    let spelling = match layout.block_list().len() {
        ..=8 if width >= 78 => Spelling::Letters,
        ..=4 if width >= 43 => Spelling::Apart,
        _ => Spelling::Digits,
    };
    let columns = vec![
        name.under(|title, cells| name::header(app, title, cells)),
        Column::new("d", Align::Right(d), 0, |it: &Neighbour, _| it.distance.to_string()),
        Column::new("", Align::Left(2), 0, move |it: &Neighbour, _| twin(app, *it, theme)),
        Column::new("cosine", Align::Right(7), 0, move |it: &Neighbour, _| {
            similar::cosine(app, app.near.query, it.document, theme)
        }),
        Column::new("share", Align::Right(7), 4, move |it: &Neighbour, _| {
            similar::share(app, app.near.query, it.document, theme)
        }),
        Column::new(tokens, Align::Right(6), 2, move |it: &Neighbour, _| {
            more_tokens(app, *it)
                .map_or_else(|| theme.glyphs().none.to_string(), |n| format!("{n:+}"))
        }),
        Column::new("tables", Align::Right(7), 3, move |it: &Neighbour, _| {
            format!("{}/{}", layout.tables_hit(xor(it)).count(), layout.tables().len())
        }),
        bits_off(layout, xor, spelling, theme),
    ];
    ColumnTable::fitting(columns, width, &NAMES)
}

/// The document whose neighbours are listed, and the corpus of the neighbours.
pub(super) fn title(app: &App) -> String {
    let corpus = &app.analysis.corpus;
    let whose = match (app.has_reference(), app.near.query) {
        (true, Some(query)) if corpus.is_reference(query) => " in the first corpus",
        (true, _) => " in the reference",
        (false, _) => "",
    };
    format!("neighbours{whose} of {}", query_id(app))
}

/// The way in which the differing bits of blocks are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    /// `A= B1`.
    Letters,
    /// `· 1`, under the letters.
    Apart,
    /// `·1`, under the letters.
    Digits,
}

/// The column of differing bits in each block.
fn bits_off<'a>(
    layout: &'a Layout,
    xor: impl Fn(&Neighbour) -> u128 + 'a,
    spelling: Spelling,
    theme: Theme,
) -> Column<'a, Neighbour> {
    let n_blocks = layout.block_list().len();
    let shown = n_blocks.min(MOST_BLOCKS + 1);
    let letters = || (0..shown).filter_map(|at| letter(at).chars().next());
    let (title, cells) = match spelling {
        Spelling::Letters if n_blocks >= 6 => (" bits off per block".to_owned(), 3 * n_blocks),
        Spelling::Letters => (" bits off".to_owned(), 3 * n_blocks),
        Spelling::Apart => (letters().flat_map(|it| [' ', it]).collect(), 2 * shown - 1),
        Spelling::Digits => (std::iter::once(' ').chain(letters()).collect(), shown),
    };
    Column::new(title, Align::Left(cells + 2), 1, move |it: &Neighbour, _| {
        let mut line = Line::from(" ");
        line.extend(blocks_off(&layout.differing_bits_per_block(xor(it)), spelling, theme));
        line
    })
}

/// The relation of a neighbour's text to the query's, as a mark.
fn twin(app: &App, neighbour: Neighbour, theme: Theme) -> String {
    let query = app.near.query;
    let twin = query.and_then(|query| app.analysis.twins(query, neighbour.document));
    match twin {
        _ if are_no_duplicates(app, neighbour.document) => theme.glyphs().unlike.to_string(),
        Some(twin) => twins::mark(twin, theme).to_string(),
        None => String::new(),
    }
}

/// The number of tokens that a neighbour has more than the query; `None` if one has no text.
fn more_tokens(app: &App, neighbour: Neighbour) -> Option<i64> {
    let tokens = |document| {
        let carried = app.analysis.corpus.flags(document).lacks_text();
        app.analysis.record(document).filter(|_| !carried).map(|record| i64::from(record.n_tokens))
    };
    Some(tokens(neighbour.document)? - tokens(app.near.query?)?)
}

/// Whether a neighbour is marked as no duplicate of the query.
pub(super) fn are_no_duplicates(app: &App, neighbour: DocId) -> bool {
    let marks = &app.review.rule.marks;
    app.near.query.is_some_and(|query| marks.are_not_duplicates(query, neighbour))
}

/// The reason why a document has no neighbours to list.
fn why_no_neighbours(app: &App, query: DocId) -> &'static str {
    let record = app.analysis.record(query);
    if app.analysis.index.is_none() && app.running.is_none() {
        "the work was stopped before the tables were built; + or - resumes it"
    } else if app.analysis.index.is_none() || record.is_none() {
        "neighbours are shown when all documents are fingerprinted .."
    } else if record.is_some_and(|record| record.unreadable) {
        "this document could not be read, so it has no fingerprint; ! shows why"
    } else {
        "this text has no features, so it has no fingerprint and no neighbours"
    }
}

/// The line below which nothing is guaranteed.
fn beyond(app: &App, layout: &Layout, canvas: &mut Canvas, y: usize) {
    let ruler = canvas.theme.glyphs().ruler.to_string();
    let sure = app.sure_distance();
    let edge = if layout.guarantees(app.settings.k) { "k" } else { "d" };
    let [whole, short] = match app.near.n_within(sure) {
        0 => [
            format!("nothing within {edge} = {sure}; the rows below come from a full scan"),
            format!("nothing within {edge} = {sure}"),
        ],
        _ => [
            format!(
                "{edge} = {sure}: the tables find all rows above; the rows below come from a full scan"
            ),
            format!("{edge} = {sure}; below: by full scan"),
        ],
    };
    let text = if whole.len() + 5 <= canvas.width() { whole } else { short };
    let rest = canvas.width().saturating_sub(text.len() + 6);
    let line = format!(" {} {text} {}", ruler.repeat(3), ruler.repeat(rest));
    canvas.row(y, Span::styled(line, canvas.theme.muted()));
}

/// Differing bits in each block; more than nine are `+`.
fn blocks_off(bits_off: &[u32], spelling: Spelling, theme: Theme) -> Vec<Span<'static>> {
    let none = theme.glyphs().none;
    let cell = |(block, &off): (usize, &u32)| {
        let digit = match off {
            0 if spelling == Spelling::Letters => "=".to_owned(),
            0 => none.to_string(),
            1..=9 => off.to_string(),
            _ => "+".to_owned(),
        };
        let digit = Span::styled(digit, if off == 0 { theme.muted() } else { theme.differs() });
        match spelling {
            Spelling::Letters => {
                vec![Span::styled(letter(block), theme.block(block)), digit, Span::raw(" ")]
            }
            Spelling::Apart => vec![digit, Span::raw(" ")],
            Spelling::Digits => vec![digit],
        }
    };
    let mut cells: Vec<Span<'static>> =
        bits_off.iter().enumerate().take(MOST_BLOCKS).flat_map(cell).collect();
    if bits_off.len() > MOST_BLOCKS {
        cells.push(Span::styled("~", theme.muted()));
    }
    cells
}
