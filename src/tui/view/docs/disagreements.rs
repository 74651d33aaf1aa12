//! The Disagreements view: one row for each pair, and below the number of compared pairs; on a wide screen also the bits
//! and the texts of the selected pair.

use ratatui::{style::Style, text::Span};

use crate::{
    analysis::disagreement::{Disagreement, Disagreements},
    app::{App, layout::SizeClass, screen::docs::disagreements::NOTES},
    id::DocId,
    number::rounded,
    text::visible,
    tui::view::{
        name,
        pair::{LABEL, in_numbers, prints, text_row, without_marks},
    },
    tui::widget::{
        canvas::{Canvas, clip, whole},
        table::{Align, Column, ColumnTable},
    },
};

pub(crate) fn draw(app: &App, canvas: &mut Canvas) {
    let Some((k, found)) = known(app, canvas) else { return };
    if app.size.shape() == SizeClass::Wide {
        return wide(app, found, k, canvas);
    }
    let (width, height) = (canvas.width(), canvas.height());
    let rows = app.disagreements_layout().list;
    let notes = notes(app, found, k, width, rows);
    let above = height.saturating_sub(notes.len());
    if app.size.shape() == SizeClass::Small {
        list(app, found, &mut canvas.part(0, 0, width, rows + 1));
    } else {
        // The notes may take rows that the list leaves.
        let rule = above.saturating_sub(1).min(rows + 1);
        list(app, found, &mut canvas.part(0, 0, width, rule));
        canvas.rule(rule, "", &looking(app).unwrap_or_default());
    }
    draw_notes(&notes, above, canvas);
}

/// The list, below it the bits and the texts of the selected pair, and the notes.
fn wide(app: &App, found: &Disagreements, k: u32, canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    let layout = app.disagreements_layout();
    let notes = whole(&found.notes(k), NOTES, width.saturating_sub(2));
    let above = height.saturating_sub(notes.len());
    draw_notes(&notes, above, canvas);
    // The last part has the rows that the notes leave.
    let spare = NOTES - notes.len();
    let rows = layout.box_of_list + if layout.texts == 0 { spare } else { 0 };
    let remark = looking(app).unwrap_or_default();
    let mut upper = canvas.part(0, 0, width, rows);
    list(app, found, &mut upper.active("fingerprints and texts disagree", &remark));
    let Some(selected) = app.docs.disagreements.selected() else { return };
    let pair = [selected.pair.a, selected.pair.b];
    if let [Some(one), Some(two)] = pair.map(|document| app.analysis.fingerprint(document)) {
        let (distance, bits) = (selected.pair.distance, one.width());
        let (expected, cosine) = (selected.expected, selected.cosine);
        let remark =
            format!("distance {distance} of {bits}, {expected:.1} expected at cosine {cosine:.3}");
        let mut below = canvas.part(0, rows, width, layout.bits).silent();
        let mut inside = below.framed("bits of the selected pair", &remark);
        let cells = inside.width().saturating_sub(LABEL);
        prints(app, [one, two], cells, &mut inside);
    }
    if layout.texts > 0 {
        let mut below = canvas.part(0, rows + layout.bits, width, layout.texts + spare);
        texts(app, pair, layout.column, &mut below);
    }
}

/// Both texts, as far as they are scrolled.
fn texts(app: &App, pair: [DocId; 2], column: usize, canvas: &mut Canvas) {
    let state = &app.docs.disagreements;
    let ids = pair.map(|document| visible(app.analysis.corpus.id(document)).into_owned());
    let title = ids.join(" | ");
    let known = state.texts.answered().filter(|(asked, _)| asked.0.pair == pair);
    let Some((_, comparison)) = known else {
        let theme = canvas.theme;
        let mut inside = canvas.framed(&title, "");
        match state.texts.problem() {
            Some(problem) => drop(inside.paragraph(1, 0, &visible(problem), theme.warn())),
            None => inside.row(0, Span::styled(" ..", theme.muted())),
        }
        return;
    };
    let mut remark = in_numbers(comparison, Some(&state.rows));
    let above = 2 + usize::from(comparison.little_in_common().is_some());
    let (n_rows, height) = (state.rows.len(), canvas.height().saturating_sub(above));
    if n_rows > height {
        let last = (state.top + height).min(n_rows);
        remark += &format!(", rows {}-{last} of {n_rows}, J/K", state.top + 1);
    }
    let mut inside = canvas.framed(&title, &remark);
    let mut inside = without_marks(comparison, &mut inside);
    for (y, row) in state.rows.iter().skip(state.top).take(inside.height()).enumerate() {
        inside.row(y, text_row(row, Some(column), inside.theme));
    }
}

fn draw_notes(notes: &[String], y: usize, canvas: &mut Canvas) {
    for (at, note) in notes.iter().enumerate() {
        canvas.row(y + at, format!(" {note}"));
    }
}

/// The rows about the compared pairs: as many notes, the first ones first, as have room as a whole.
fn notes(app: &App, found: &Disagreements, k: u32, width: usize, rows: usize) -> Vec<String> {
    let (notes, room) = (found.notes(k), width.saturating_sub(2));
    let spare = rows.saturating_sub(found.found.len().max(1));
    if app.size.shape() == SizeClass::Small {
        return vec![clip(&notes[0], room)];
    }
    // The header, and the rule.
    let height = app.size.body().saturating_sub(rows + 2) + spare;
    whole(&notes, height, room)
}

/// The found pairs; if there are none, draws the reason.
fn known<'a>(app: &'a App, canvas: &mut Canvas) -> Option<(u32, &'a Disagreements)> {
    let state = &app.docs.disagreements;
    if let Some((query, found)) = state.found.answered() {
        return Some((query.k, found));
    }
    let why = match looking(app) {
        Some(again) if let Some(problem) = state.found.problem() => format!("{problem}: {again}"),
        Some(looking) => {
            format!("{looking} (every text is read again and compared)")
        }
        None if app.running.is_some() || app.analysis.is_complete() => {
            "pairs that disagree are searched when all pairs within k are known ..".to_owned()
        }
        None => "the work was stopped before pairs were found; + or - resumes it".to_owned(),
    };
    canvas.paragraph(2, 0, &why, Style::new());
    None
}

/// The progress of the search.
fn looking(app: &App) -> Option<String> {
    let found = &app.docs.disagreements.found;
    if found.problem().is_some() || found.is_cancelled() {
        let state = if found.problem().is_some() { "failed" } else { "stopped" };
        return Some(format!("{state}; Enter searches again"));
    }
    let job = found.job()?;
    Some(match job.progress.percent() {
        None => format!("{} ..", job.stage()),
        Some(percent) => format!("{} {percent}%", job.stage()),
    })
}

fn list(app: &App, found: &Disagreements, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let is_narrow = canvas.width() < 70;
    let mut columns = vec![
        Column::new("bits are", Align::Start(9), 0, |it: &&Disagreement, _| {
            format!("too {}", it.kind)
        }),
        Column::new("d", Align::Right(4), 0, |it: &&Disagreement, _| it.pair.distance.to_string()),
    ];
    if is_narrow {
        columns.push(Column::new("cosine", Align::Right(7), 0, |it: &&Disagreement, _| {
            format!("{:.2}", it.cosine)
        }));
    } else {
        // The expected distance at the cosine.
        columns.push(Column::new("expected", Align::Right(10), 0, |it: &&Disagreement, _| {
            format!("{:.1}", it.expected)
        }));
        columns.push(Column::new("cosine", Align::Right(9), 0, |it: &&Disagreement, _| {
            format!("{:.3}", it.cosine)
        }));
        columns.push(Column::new("chance", Align::Right(11), 0, |it: &&Disagreement, _| {
            rounded(it.chance)
        }));
    }
    columns.push(Column::new("  documents", Align::Rest, 0, move |it: &&Disagreement, cells| {
        let (pair, room) = ([it.pair.a, it.pair.b], cells.saturating_sub(3));
        format!("  {}", name::pair(app, pair, theme.glyphs().pair, room))
    }));
    if found.found.is_empty() {
        let is_compared = found.n_near_compared + found.n_far_compared > 0;
        canvas.row(
            1,
            if is_compared {
                "  fingerprints and texts of all compared pairs agree"
            } else if found.n_near > 0 {
                "  no pair was compared: none within k has both texts"
            } else {
                "  no pair was compared: there is none within k"
            },
        );
    }
    let (cursor, n) = (app.docs.disagreements.cursor, found.found.len());
    let mark = Some(theme.mark());
    ColumnTable::fitting(columns, canvas.width(), &[0]).saying_more().draw(
        canvas,
        cursor,
        n,
        mark,
        |at| found.found.get(at),
    );
}
