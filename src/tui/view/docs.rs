//! The Docs screen: documents with bits at a glance, one of them laid open.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::{
    app::wrap::wrap,
    app::{
        App,
        filter::{Mark, has},
        layout::{self, PREVIEW, Shape, bit_lines},
        screen::docs::Order,
    },
    id::DocId,
    index::Block,
    number::{counted, grouped},
    text::visible,
    tui::widget::{
        bits::{self, BlockLine, labelled},
        canvas::{Canvas, clip, fit, fit_id},
    },
};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let rows = app.docs_layout();
    let (width, height) = (canvas.width(), canvas.height());
    match app.size.shape() {
        Shape::Wide => {
            let upper = rows.list + 3;
            let range = app.docs.cursor.window(app.docs.len(), rows.list);
            let shown = format!(
                "{}-{} of {}",
                grouped(range.start as u64 + u64::from(!range.is_empty())),
                grouped(range.end as u64),
                grouped(app.docs.len() as u64)
            );
            list(app, &mut canvas.part(0, 0, width - PREVIEW, upper).framed("documents", &shown));
            let words = app
                .query()
                .and_then(|document| app.analysis.sketch(document))
                .map_or(0, |s| s.n_tokens);
            let title = words_title(app, words);
            preview(
                app,
                &mut canvas.part(width - PREVIEW, 0, PREVIEW, upper).framed("text", &title),
            );
            let mut below = canvas.part(0, upper, width, height - upper);
            let (left, lower) = (width - PREVIEW, below.height());
            fingerprint_box(app, &mut below.part(0, 0, left, lower));
            group_box(app, &mut below.part(left, 0, PREVIEW, lower));
        }
        shape => {
            list(app, &mut canvas.part(0, 0, width, rows.list + 1));
            if shape >= Shape::Medium {
                let (title, remark) = titles(app);
                canvas.rule(rows.list + 1, &title, &remark);
                fingerprint(app, &mut canvas.part(0, rows.list + 2, width, rows.bits), false);
                preview(app, &mut canvas.part(0, rows.list + 2 + rows.bits, width, rows.preview));
            }
        }
    }
}

fn words_title(app: &App, words: u32) -> String {
    let tokens = app.analysis.settings.recipe.features.tokens_name();
    format!("{} {tokens}", grouped(u64::from(words)))
}

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
        let (roomy, wide) = (width >= 60, width >= 90);
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
    let sorted = |order: Order, name: &str| {
        if app.docs.order == order { format!("{name}{arrow}") } else { name.to_owned() }
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

fn list(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let columns = Columns::of(app, canvas.width(), theme.ascii);
    let downward = matches!(app.docs.order, Order::Near | Order::Words) != app.docs.reversed;
    let arrow = theme.glyphs().orders[usize::from(downward)];
    canvas.row(0, Span::styled(header(app, &columns, arrow), theme.muted()));

    let height = canvas.height().saturating_sub(1);
    if app.docs.is_empty() {
        let hint = match (app.analysis.is_empty(), app.running.is_some()) {
            (true, true) => "reading ..",
            (true, false) => "reading was stopped before the first document; q leaves",
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
        Some(_) if carried => glyphs.none.to_string(),
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
    let group = app.analysis.group_of(document).map(|group| format!("g{group}"));
    row += &right(group.unwrap_or_else(|| glyphs.none.to_string()), columns.group);
    if columns.marks > 0 {
        row += &format!(" {}", fit(&marks(app, document), columns.marks - 1));
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

/// A letter for each thing a reader should know of a document.
fn marks(app: &App, document: DocId) -> String {
    let marks = [(Mark::Copy, 'c'), (Mark::Tied, 't'), (Mark::Dominated, 'd'), (Mark::Lossy, '?')];
    marks
        .iter()
        .filter(|(mark, _)| has(&app.analysis, document, *mark))
        .map(|(_, letter)| *letter)
        .collect()
}

fn titles(app: &App) -> (String, String) {
    let Some(document) = app.query() else { return (String::new(), String::new()) };
    let title = visible(app.analysis.corpus.id(document)).into_owned();
    let remark = match app.analysis.sketch(document) {
        None => String::new(),
        Some(sketch) => match sketch.fingerprint {
            None if sketch.unreadable => "could not be read".to_owned(),
            None => "no features, so no fingerprint".to_owned(),
            Some(fingerprint) => {
                let mut remark = format!(
                    "{} of {} bits set",
                    fingerprint.bits().count_ones(),
                    fingerprint.width()
                );
                if sketch.n_features > 0 {
                    remark += &format!(", {}", counted(u64::from(sketch.n_features), "feature"));
                }
                if sketch.n_ties > 0 {
                    remark += &format!(", {}", counted(u64::from(sketch.n_ties), "tie"));
                }
                if sketch.dominated {
                    remark += ", one outweighs the rest";
                }
                remark
            }
        },
    };
    (title, remark)
}

/// The selected document's bits in blocks, each line with its margins.
fn fingerprint(app: &App, canvas: &mut Canvas, wide: bool) -> usize {
    let theme = canvas.theme;
    let Some(document) = app.query() else { return 0 };
    let layout = app.layout();
    let blocks: Vec<(usize, Block)> = layout.block_list().iter().copied().enumerate().collect();
    let votes = app.open_votes();
    let mut y = 0;
    for range in bit_lines(layout.block_list(), layout::bits_cells(app.size)) {
        let line = BlockLine { blocks: &blocks[range], key_blocks: 0 };
        canvas.row(y, labelled("     ", theme.muted(), vec![line.ruler(theme)]));
        if let Some(fingerprint) = app.analysis.fingerprint(document) {
            canvas.row(
                y + 1,
                labelled(
                    " fp  ",
                    theme.muted(),
                    line.bits(fingerprint, None, app.docs.bits, theme),
                ),
            );
            if wide {
                let digits =
                    line.bits(fingerprint, None, crate::app::screen::docs::BitsView::Digits, theme);
                canvas.row(y + 2, labelled(" 0/1 ", theme.muted(), digits));
            }
        }
        y += if wide { 3 } else { 2 };
        if let Some(votes) = votes {
            canvas.row(y, labelled(" |V| ", theme.muted(), line.margins(votes, theme)));
        }
        y += 1;
    }
    y
}

fn fingerprint_box(app: &App, canvas: &mut Canvas) {
    let (title, remark) = titles(app);
    let theme = canvas.theme;
    let mut inside = canvas.framed(&format!("fingerprint of {title}"), &remark);
    let below = fingerprint(app, &mut inside, true);
    let Some(document) = app.query() else { return };
    let Some(fingerprint) = app.analysis.fingerprint(document) else { return };
    let hex = format!(" hex  {fingerprint}   print {}", bits::print(fingerprint, theme));
    inside.row(below, hex);
    if let Some(votes) = app.open_votes() {
        let weak: Vec<String> = (0..votes.width())
            .rev()
            .filter(|&bit| votes.margin(bit) < bits::WEAK)
            .map(|bit| bit.to_string())
            .collect();
        let text = if weak.is_empty() {
            " no weak bits: every vote was won by more than a tenth of ||w||".to_owned()
        } else {
            let list = weak.join(" ");
            format!(
                " ! weak bits {list}: won by less than a tenth of ||w||; near-duplicates part here first"
            )
        };
        let room = inside.width().saturating_sub(1);
        for (y, row) in wrap(&text, room).into_iter().enumerate() {
            inside.row(below + 2 + y, Line::from(if y == 0 { row } else { format!("   {row}") }));
        }
    }
}

fn group_box(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let glyphs = theme.glyphs();
    let Some(document) = app.query() else {
        canvas.framed("group", "");
        return;
    };
    let group = app.analysis.group_of(document).zip(app.analysis.near.as_ref());
    let Some((number, near)) = group else {
        let mut inside = canvas.framed("group", "");
        let text = if app.analysis.near.is_some() {
            "no near-duplicates, so no group"
        } else {
            "groups come with the pairs"
        };
        inside.row(0, Span::styled(format!(" {text}"), theme.muted()));
        return;
    };
    let members = near.groups.documents(number);
    let mut inside =
        canvas.framed(&format!("group g{number}"), &counted(members.len() as u64, "document"));
    let room = inside.height().saturating_sub(1);
    let query = app.analysis.fingerprint(document);
    for (y, member) in members.iter().take(room).enumerate() {
        let distance =
            query.zip(app.analysis.fingerprint(*member)).map_or(0, |(a, b)| a.distance(b));
        let mark = if *member == document { glyphs.cursor } else { ' ' };
        let id = visible(app.analysis.corpus.id(*member)).into_owned();
        let id = fit_id(&id, inside.width().saturating_sub(8));
        inside.row(y, format!("{mark} {id} d={distance:<3}"));
    }
    if members.len() > room {
        inside
            .row(room, Span::styled(format!("  and {} more", members.len() - room), theme.muted()));
    }
}

/// The selected document's text, wrapped, from the line scrolled to.
fn preview(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let (width, height) = (canvas.width().saturating_sub(2), canvas.height());
    if height == 0 {
        return;
    }
    let Some(open) = app.open_document() else {
        if let Some(problem) = &app.unreadable {
            for (y, row) in wrap(problem, width).into_iter().enumerate() {
                canvas.row(y, Span::styled(format!(" {row}"), theme.warn()));
            }
        }
        return;
    };
    let Some(lines) = &open.lines else {
        canvas.row(0, Span::styled(" this row carries a fingerprint and no text", theme.muted()));
        return;
    };
    if lines.iter().all(|line| line.trim().is_empty()) {
        canvas.row(0, Span::styled(" the text is empty", theme.muted()));
        return;
    }
    let (rows, top) = (&app.docs.preview, app.docs.preview_top);
    let n_below = rows.len().saturating_sub(top + height);
    let hint = match (n_below, open.hidden_bytes) {
        (0, 0) if top > 0 => format!(" {} above, K ", counted(top as u64, "row")),
        (0, 0) => String::new(),
        (0, bytes) => format!(" and {} bytes not shown ", grouped(bytes as u64)),
        (rows, _) => format!(" {} {rows} more, J ", theme.glyphs().more),
    };
    for (y, row) in rows.iter().skip(top).take(height).enumerate() {
        // The hint never lies over words.
        let room = if y + 1 == height { width.saturating_sub(hint.width()) } else { width };
        canvas.row(y, format!(" {}", clip(row, room)));
    }
    canvas.right(height - 1, Span::styled(hint, theme.muted()));
}
