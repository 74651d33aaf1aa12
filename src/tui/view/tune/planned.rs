//! The Lab view before a layout is tried: the table to come with the rows that it will have, and below it the chance of
//! each layout to find a pair, by the cosine of the pair. All of it follows from the numbers of the layouts.

use ratatui::text::Span;

use super::lab::TITLE;
use crate::{
    analysis::lab::USUAL_LAYOUTS,
    app::{App, layout::SizeClass, wrap::wrap},
    facts::figures::expectation,
    number::counted,
    present::planned::{COSINES, MEANING, PlannedLayout},
    text::visible,
    tui::widget::{
        canvas::Canvas,
        curve::SharePlot,
        table::{Align, Column, ColumnTable},
    },
};

/// Cells before the curves.
const LABEL: usize = 7;
/// The fewest rows of curves.
const ROWS: usize = 5;
/// The least cosine of the curves: below it hardly any layout finds a pair.
const FROM: f64 = 0.5;

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let is_framed = app.size.shape() == SizeClass::Wide;
    let settings = &app.analysis.settings;
    let index = app.analysis.index.as_ref();
    let n = index.map_or(app.analysis.len(), |index| index.n_distinct());
    let planned = PlannedLayout::all(&USUAL_LAYOUTS, settings, n);
    let unlike = index.map(|index| index.n_unlike_pairs());
    let (width, height) = (canvas.width(), canvas.height());
    let room = width.saturating_sub(if is_framed { 4 } else { 2 });
    let mut rows: Vec<String> =
        texts(app).iter().flat_map(|text| wrap(&visible(text), room)).collect();
    // A blank row before the table where there are many.
    if height > 24 {
        rows.push(String::new());
    }
    let edge = usize::from(is_framed);
    let above = (rows.len() + 1 + planned.len() + 2 * edge).min(height);
    let mut upper = canvas.part(0, 0, width, above);
    let mut upper = if is_framed {
        upper.framed(TITLE, "not tried yet")
    } else {
        upper.part(0, 0, width, above)
    };
    for (y, row) in rows.iter().enumerate() {
        upper.row(y, format!(" {row}"));
    }
    let (inside, below) = (upper.width(), upper.height().saturating_sub(rows.len()));
    list(app, &planned, unlike, &mut upper.part(0, rows.len(), inside, below));
    if height >= above + 3 {
        let mut lower = canvas.part(0, above, width, height - above);
        curves(app, &planned, &mut lower);
    }
}

/// The question, and what the next key does.
fn texts(app: &App) -> Vec<String> {
    let (state, truth) = (&app.tune.lab, app.truth_of_the_lab());
    let is_small = app.size.shape() <= SizeClass::Medium;
    let truth = if is_small {
        format!("True pairs have a {truth}.")
    } else {
        format!(
            "The lab shows how good a layout is. A pair of documents is true if its texts have a {truth} (t changes \
             that). The lab finds every true pair, then counts the candidates of each layout, the true pairs among \
             them, and the true pairs that it misses."
        )
    };
    let mut texts = vec![truth];
    texts.push(match (state.progress(), state.problems.last()) {
        (_, Some(problem)) => problem.clone(),
        (Some(stopped), _) if stopped == "stopped" => format!("{stopped}; Enter starts again"),
        (Some(progress), _) => progress,
        (None, _) if app.running.is_some() && !state.queue.is_empty() => {
            "waits until the documents are read ..".to_owned()
        }
        (None, _) if is_small => "Enter tries six layouts, a one more.".to_owned(),
        (None, _) => format!(
            "Enter tries six default layouts, a tries a layout of your own. It reads the {} again and compares all \
             of them.",
            counted(app.analysis.len() as u64, "document")
        ),
    });
    texts
}

/// The rows to come: what is known without work, and the figures that are not known yet.
fn list(app: &App, planned: &[PlannedLayout], unlike: Option<u64>, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let mut columns = vec![
        Column::new("layout", Align::Start(9), 0, |row: &&PlannedLayout, _| row.name.clone()),
        Column::new(" bits ", Align::Start(6), 0, |row: &&PlannedLayout, _| {
            format!("{:>5}", row.bits)
        }),
    ];
    columns.extend(COSINES.into_iter().zip(1..).map(|((cosine, name), rank)| {
        Column::new(name, Align::Right(9), rank, move |row: &&PlannedLayout, _| {
            format!("{:.3}", row.chance(cosine))
        })
    }));
    columns.push(Column::new("by chance", Align::Right(13), 4, move |row: &&PlannedLayout, _| {
        let expected = unlike.map(|unlike| unlike as f64 * row.chance(0.0));
        expected.map_or_else(|| "..".to_owned(), expectation)
    }));
    columns.push(Column::new("guaranteed d", Align::Right(14), 5, |row: &&PlannedLayout, _| {
        row.guarantee().to_string()
    }));
    for (rank, name, cells) in [(6, "precision", 11), (7, "recall", 9), (8, "candidates", 12)] {
        columns.push(Column::new(name, Align::Right(cells), rank, move |_: &&PlannedLayout, _| {
            Span::styled("..", theme.muted())
        }));
    }
    ColumnTable::fitting(columns, canvas.width(), &[0]).draw(
        canvas,
        app.tune.lab.cursor,
        planned.len(),
        Some(theme.mark()),
        |at| planned.get(at),
    );
}

/// The selected layout in a sentence, and its curve over those of the others.
fn curves(app: &App, planned: &[PlannedLayout], canvas: &mut Canvas) {
    let (theme, tau) = (canvas.theme, app.tune.lab.tau);
    let glyphs = theme.glyphs();
    let selected = app.tune.lab.cursor.selected.min(planned.len() - 1);
    let one = &planned[selected];
    let is_framed = app.size.shape() == SizeClass::Wide;
    let edges = if is_framed { 2 } else { 1 };
    let mut rows = wrap(&format!("{}.", one.in_words()), canvas.width().saturating_sub(2 * edges));
    let meaning = wrap(&format!("{MEANING}."), canvas.width().saturating_sub(2 * edges));
    // The rows of a blank one, the curves and their axis.
    let below = rows.len() + edges + ROWS + 2;
    let is_drawn = canvas.height() >= below;
    if canvas.height() >= meaning.len() + if is_drawn { below } else { rows.len() + edges } {
        rows.extend(meaning);
    }
    let (title, remark) = if is_drawn {
        let (node, dot, dash) = (glyphs.node, glyphs.chance, glyphs.dash);
        let remark = format!("{node} {}   {dot} the others   {dash} true from here", one.name);
        ("share of pairs found, by their cosine", remark)
    } else {
        ("the selected layout", String::new())
    };
    let mut inside = canvas.beneath(is_framed, title, &remark);
    for (y, row) in rows.iter().enumerate() {
        inside.row(y, format!(" {row}"));
    }
    if !is_drawn {
        return;
    }
    let (width, top) = (inside.width(), rows.len() + 1);
    let n_rows = inside.height().saturating_sub(top + 1);
    let mut below = inside.part(0, top, width, n_rows + 1);
    let cells = width.saturating_sub(LABEL + 2);
    let plot = SharePlot { left: LABEL, cells, rows: n_rows, from: FROM };
    for other in planned.iter().filter(|other| other.choice != one.choice) {
        let mark = (glyphs.chance, theme.muted());
        plot.curve(|x| other.chance(plot.value(x)), mark, &mut below);
    }
    plot.curve(|x| one.chance(plot.value(x)), (glyphs.node, theme.good()), &mut below);
    plot.line(plot.column(tau), &mut below);
    plot.axes(None, &mut below);
    below.at(0, n_rows, Span::styled("cosine", theme.muted()));
}
