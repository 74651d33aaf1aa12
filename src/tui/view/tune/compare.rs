//! The Compare view: the two recipes, and the pairs that only one of them finds.

use ratatui::{style::Style, text::Span};

use crate::{
    analysis::{
        ChangedPair, Settings,
        changes::{Changes, PreviousFingerprints},
    },
    app::{
        App, cursor::Cursor, layout::SizeClass, screen::tune::compare::compare_rows, wrap::wrap,
    },
    evaluate::distances::CountMethod,
    number::grouped,
    present::page::height,
    tui::{
        theme::Theme,
        view::name,
        widget::{
            canvas::{Canvas, clip},
            table::{Align, Column, ColumnTable},
        },
    },
};

/// The title of the list.
const TITLE: &str = "pairs that only one of the two recipes finds";

pub(crate) fn draw(app: &App, canvas: &mut Canvas) {
    let state = &app.tune.compare;
    let Some(before) = &state.before else {
        return begin(app, canvas);
    };
    let is_changing = app.running.is_some();
    let Some(found) = state.found.answer().filter(|_| !is_changing) else {
        let why = match state.found.problem() {
            _ if is_changing => "gained and lost pairs are listed when the work is done ..",
            Some(problem) => problem,
            None if state.found.is_cancelled() => "stopped; + or - searches again",
            None => "searching for pairs that only one of the two recipes finds ..",
        };
        return paragraph(why, canvas);
    };
    let late = if app.tune.compare.found.is_running() { " .." } else { "" };
    let (width, height) = (canvas.width(), canvas.height());
    let rows = compare_rows(app.size);
    match app.size.shape() {
        SizeClass::Wide => {
            summary(before, found, late, &mut canvas.part(0, 0, width, 2));
            let mut lower = canvas.part(0, 2, width, height.saturating_sub(2));
            list(app, found, rows, &mut lower.framed(TITLE, ""));
        }
        SizeClass::Small => {
            let (gained, lost) = (found.gained.count(), found.lost.count());
            let text = format!(" {gained} gained, {lost} lost{late}");
            canvas.row(0, Span::styled(clip(&text, width), canvas.theme.strong()));
            list(app, found, rows, &mut canvas.part(0, 1, width, rows + 1));
        }
        _ => {
            summary(before, found, late, &mut canvas.part(0, 0, width, 2));
            canvas.rule(2, TITLE, "");
            list(app, found, rows, &mut canvas.part(0, 3, width, rows + 1));
        }
    }
}

/// How the list is filled, and below it what another k would change.
fn begin(app: &App, canvas: &mut Canvas) {
    let is_framed = app.size.shape() == SizeClass::Wide;
    let (width, height) = (canvas.width(), canvas.height());
    let settings = &app.analysis.settings;
    let text = if app.size.shape() == SizeClass::Small {
        "r changes the recipe; gained and lost pairs are listed here".to_owned()
    } else {
        format!(
            "Now: {}, k = {}. Change the recipe or its k with r, or use a recipe of Sweep: the pairs gained and lost \
             against the recipe before are listed here, and Enter opens one. `simscope compare` writes them as rows.",
            settings.recipe.short(),
            settings.k
        )
    };
    let edge = usize::from(is_framed);
    let rows = wrap(&text, width.saturating_sub(2 + 2 * edge));
    let above = (rows.len() + 2 * edge).min(height);
    let mut upper = canvas.part(0, 0, width, above);
    let mut upper = if is_framed {
        upper.framed(TITLE, "r fills the list")
    } else {
        upper.part(0, 0, width, above)
    };
    for (y, row) in rows.into_iter().enumerate() {
        upper.row(y, format!(" {row}"));
    }
    let mut lower = canvas.part(0, above, width, height - above);
    let title = match app.size.shape() {
        SizeClass::TooSmall | SizeClass::Small | SizeClass::Medium => "at another k".to_owned(),
        SizeClass::Standard => format!("at another k, against k = {}", settings.k),
        SizeClass::Wide => format!("the same recipe at another k, against k = {}", settings.k),
    };
    other_k(app, &mut lower.beneath(is_framed, &title, "bars are logarithmic; +/- changes k"));
}

/// The pairs of documents that the present recipe would gain or lose at another k.
fn other_k(app: &App, canvas: &mut Canvas) {
    let (theme, k) = (canvas.theme, app.analysis.settings.k);
    let tuning = app.tune.distances.tuning.as_ref();
    let known: Vec<(u32, u64)> = tuning
        .iter()
        .flat_map(|tuning| &tuning.rows)
        .map_while(|row| {
            Some((row.k, row.pairs.filter(|it| it.method == CountMethod::Exact)?.pairs))
        })
        .collect();
    let Some(&(_, now)) = known.get(k as usize) else { return };
    let rows = canvas.height().saturating_sub(1);
    let top = (k as usize).saturating_sub(rows / 2).min(known.len().saturating_sub(rows));
    let shown = &known[top..(top + rows).min(known.len())];
    let most = shown.iter().map(|(_, pairs)| pairs.abs_diff(now)).max().unwrap_or(0) as f64;
    let columns = vec![
        Column::new("k", Align::Right(4), 0, |(k, _): &(u32, u64), _| k.to_string()),
        Column::new("pairs", Align::Right(14), 0, |(_, pairs): &(u32, u64), _| grouped(*pairs)),
        Column::new("change", Align::Right(15), 0, move |&(_, pairs): &(u32, u64), _| {
            let sign = if pairs < now { '-' } else { '+' };
            let (text, style) = match pairs.abs_diff(now) {
                0 => (theme.glyphs().none.to_string(), theme.muted()),
                n => (format!("{sign}{}", grouped(n)), change_style(pairs, now, theme)),
            };
            Span::styled(text, style)
        }),
        Column::new("", Align::Rest, 0, move |&(_, pairs): &(u32, u64), cells| {
            let share = height(pairs.abs_diff(now) as f64, most);
            let bar = (share * cells.saturating_sub(3).min(120) as f64).round() as usize;
            let fill = theme.glyphs().one.to_string().repeat(bar);
            Span::styled(format!("  {fill}"), change_style(pairs, now, theme))
        }),
    ];
    let cursor = Cursor { selected: k as usize, top };
    ColumnTable::fitting(columns, canvas.width(), &[0]).saying_more().draw(
        canvas,
        cursor,
        known.len(),
        Some(theme.mark()),
        |at| known.get(at).copied(),
    );
}

/// The style of a number of pairs that are gained or lost.
fn change_style(pairs: u64, now: u64, theme: Theme) -> Style {
    if pairs < now { theme.warn() } else { theme.good() }
}

fn paragraph(text: &str, canvas: &mut Canvas) {
    canvas.paragraph(2, 0, text, Style::new());
}

/// The two compared recipes, and the number of changes.
fn summary(before: &PreviousFingerprints, found: &Changes, late: &str, canvas: &mut Canvas) {
    let name = |settings: &Settings| format!("{}, k = {}", settings.recipe.short(), settings.k);
    let room = canvas.width().saturating_sub(1);
    let (gained, lost) = (&found.gained, &found.lost);
    let pairs = if gained.n_pairs == 1 { "pair" } else { "pairs" };
    let both = found
        .n_both()
        .map_or_else(String::new, |both| format!(", {} found by both", grouped(both)));
    let counts = format!(" {} {pairs} gained, {} lost{both}{late}", gained.count(), lost.count());
    let which = format!(" {}, against {} before", name(&found.after), name(&before.settings));
    canvas.row(0, Span::styled(clip(&which, room), canvas.theme.strong()));
    canvas.row(1, clip(&counts, room));
}

/// A pair that one of the two recipes finds, and whether it is the newer one.
type Row<'a> = (&'a ChangedPair, bool);

fn list(app: &App, found: &Changes, height: usize, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let is_small = app.size.shape() == SizeClass::Small;
    let distance = move |distance: Option<u32>| {
        distance.map_or_else(|| theme.glyphs().none.to_string(), |it| it.to_string())
    };
    let (title, cells) = if is_small { ("", 2) } else { ("  change", 9) };
    let mut columns = vec![
        Column::new(title, Align::Start(cells), 0, move |&(_, is_gain): &Row<'_>, _| {
            let (word, style) =
                if is_gain { ("+ gained", theme.good()) } else { ("- lost", theme.warn()) };
            let word = if is_small { &word[..1] } else { word };
            Span::styled(word.to_owned(), style)
        }),
        Column::new("now", Align::Right(5), 0, move |(it, _): &Row<'_>, _| distance(it.after)),
    ];
    let (title, cells) = if is_small { ("was", 4) } else { ("before", 8) };
    columns.push(Column::new(title, Align::Right(cells), 0, move |(it, _): &Row<'_>, _| {
        distance(it.before)
    }));
    if !is_small {
        columns.push(Column::new("pairs", Align::Right(7), 0, |(it, _): &Row<'_>, _| {
            grouped(found.n_pairs(it))
        }));
    }
    columns.push(Column::new(" documents", Align::Rest, 0, move |(it, _): &Row<'_>, cells| {
        let (a, b) = found.first(it);
        let room = cells.saturating_sub(2);
        format!(" {}", name::pair(app, [a, b], theme.glyphs().pair, room))
    }));
    let table = ColumnTable::fitting(columns, canvas.width(), &[0]).saying_more();
    if found.is_empty() {
        table.draw_header(canvas);
        canvas.row(1, "  none: both recipes find the same pairs");
        return;
    }
    let mark = Some(theme.mark());
    let mut canvas = canvas.part(0, 0, canvas.width(), height + 1);
    table.draw(&mut canvas, app.tune.compare.cursor, found.len(), mark, |at| found.row(at));
}
