//! The list: one row a document, as many columns as fit.

use ratatui::text::{Line, Span};

use crate::{
    analysis::{arrangement::Order, filter::Mark, filter::has},
    app::{App, layout::GROUPS_FROM},
    id::DocId,
    text::visible,
    tui::{
        theme::Theme,
        view::twins,
        widget::{
            bits::{self},
            canvas::{Canvas, fit, fit_id},
        },
    },
};

/// Which columns fit, and how wide each is; 0 hides it.
struct Columns {
    number: usize,
    id: usize,
    words: usize,
    near: usize,
    group: usize,
    marks: usize,
    print: usize,
    hex: usize,
}

impl Columns {
    fn of(app: &App, width: usize, ascii: bool) -> Self {
        let digits = app.analysis.settings.recipe.bits.div_ceil(4) as usize;
        let n_digits = app.analysis.len().max(1).ilog10() as usize + 1;
        let (roomy, wide) = (width >= 60, width >= GROUPS_FROM);
        let shown = |shown: bool, cells: usize| if shown { cells } else { 0 };
        let mut columns = Self {
            number: shown(roomy, n_digits.max(4) + 1),
            id: 0,
            words: shown(roomy, 6),
            near: 6,
            group: shown(wide, 7),
            marks: shown(roomy, 5),
            print: digits + 3,
            hex: digits + 1,
        };
        let least = if roomy { 16 } else { 14 };
        // In ASCII the print is the hex itself: one of them is enough.
        if ascii || width < columns.fixed() + least {
            columns.hex = 0;
        }
        if width < columns.fixed() + least {
            columns.print = 0;
        }
        columns.id = width.saturating_sub(columns.fixed()).max(4);
        columns
    }

    /// Cells of everything but the id; one is the cursor's.
    fn fixed(&self) -> usize {
        let Self { number, words, near, group, marks, print, hex, .. } = self;
        1 + number + words + near + group + marks + print + hex
    }
}

/// The columns' names, an arrow behind the one that orders the list.
fn header(app: &App, columns: &Columns, arrow: char) -> String {
    let shown = app.docs.list.arrangement().order;
    let sorted = |order: Order, name: &str| {
        if shown == order { format!("{name}{arrow}") } else { name.to_owned() }
    };
    let tokens = app.analysis.settings.recipe.features.tokens_short();
    let right = |text: String, cells: usize| {
        if cells == 0 { String::new() } else { format!("{text:>cells$}") }
    };
    let left = |text: &str, cells: usize| {
        if cells == 0 { String::new() } else { format!(" {}", fit(text, cells - 1)) }
    };
    [
        " ".to_owned(),
        right(sorted(Order::Corpus, "#") + " ", columns.number),
        fit(&sorted(Order::Id, "document"), columns.id),
        right(sorted(Order::Words, tokens), columns.words),
        right(sorted(Order::Near, "near"), columns.near),
        right("group".to_owned(), columns.group),
        left("mark", columns.marks),
        left("print: cell=4 bits", columns.print),
        left("hex", columns.hex),
    ]
    .concat()
}

pub(super) fn list(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let columns = Columns::of(app, canvas.width(), theme.ascii);
    let shown = app.docs.list.arrangement();
    let downward = matches!(shown.order, Order::Near | Order::Words) != shown.reversed;
    let arrow = theme.glyphs().orders[usize::from(downward)];
    canvas.row(0, Span::styled(header(app, &columns, arrow), theme.muted()));

    let height = canvas.height().saturating_sub(1);
    if app.docs.is_empty() {
        let hint = match (app.analysis.is_empty(), app.running.is_some()) {
            (true, true) => "reading ..",
            (true, false) => "reading was stopped before the first document; q leaves",
            _ if app.docs.rows.is_running() => "looking ..",
            _ => "no document passes the filter; Esc clears it",
        };
        canvas.at(2, 1, hint);
    }
    for (y, row) in app.docs.cursor.window(app.docs.len(), height).enumerate() {
        let Some(document) = app.docs.document(row) else { continue };
        let selected = row == app.docs.cursor.selected;
        canvas.row(y + 1, document_row(app, document, selected, &columns, canvas));
        if selected {
            canvas.style_row(y + 1, theme.selected());
        }
    }
}

fn document_row(
    app: &App,
    document: DocId,
    selected: bool,
    columns: &Columns,
    canvas: &Canvas,
) -> Line<'static> {
    let theme = canvas.theme;
    let glyphs = theme.glyphs();
    let sketch = app.analysis.sketch(document);
    let mut row = if selected { glyphs.cursor.to_string() } else { " ".to_owned() };
    if columns.number > 0 {
        row += &format!("{:>width$} ", document.0 + 1, width = columns.number - 1);
    }
    row += &fit_id(&visible(app.analysis.corpus.id(document)), columns.id);
    let right = |text: String, cells: usize| {
        if cells == 0 { String::new() } else { format!("{text:>cells$}") }
    };
    let carried = app.analysis.corpus.flags(document).is_fingerprint_only();
    let words = match sketch {
        None => "..".to_owned(),
        Some(sketch) if carried || sketch.unreadable => glyphs.none.to_string(),
        Some(sketch) => sketch.n_tokens.to_string(),
    };
    row += &right(words, columns.words);
    row += &right(
        match app.analysis.near_count(document) {
            None => String::new(),
            Some(0) => glyphs.none.to_string(),
            Some(near) => near.to_string(),
        },
        columns.near,
    );
    let group = app.linked_groups().map_or_else(String::new, |groups| {
        let group = groups.group_of(document);
        group.map_or_else(|| glyphs.none.to_string(), |group| format!("g{group}"))
    });
    row += &right(group, columns.group);
    if columns.marks > 0 {
        row += &format!(" {}", fit(&marks(app, document, theme), columns.marks - 1));
    }
    let Some(sketch) = sketch else { return Line::from(row) };
    match sketch.fingerprint {
        Some(fingerprint) => {
            if columns.print > 0 {
                row += &format!(" {}", bits::print(fingerprint, theme));
            }
            if columns.hex > 0 {
                row += &format!(" {fingerprint}");
            }
        }
        None if sketch.unreadable => row += " unreadable, see !",
        None => row += " no features",
    }
    Line::from(row)
}

/// A letter for each thing a reader should know of a document, behind what its fingerprint is shared with.
fn marks(app: &App, document: DocId, theme: Theme) -> String {
    let marks = [
        (Mark::Short, 's'),
        (Mark::Tied, 't'),
        (Mark::Dominated, 'd'),
        (Mark::Boilerplate, 'b'),
        (Mark::Lossy, '?'),
    ];
    let letters = marks.iter().filter(|(mark, _)| has(&app.analysis, document, *mark));
    let twin = app.analysis.twin(document).map(|twin| twins::mark(twin, theme));
    twin.into_iter().chain(letters.map(|(_, letter)| *letter)).collect()
}
