//! What frames every screen: tabs above, status and keys below.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::{
    analysis::Stage,
    app::{App, Screen, keymap::bindings, layout::Shape, overlay::Overlay, screen::near::reach},
    number::{counted, grouped},
    text::visible,
    tui::widget::canvas::{Canvas, clip, clip_start},
};

/// The screens' names, the active one in brackets, and what the active one is about.
pub(super) fn tabs(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let about = about(app);
    if app.size.shape() == Shape::Small {
        let title = format!("simscope {}  ", app.screen);
        let state = small_state(app);
        canvas.right(0, Span::raw(state.clone()));
        let room = canvas.width().saturating_sub(title.width() + state.width() + 1);
        let mut canvas = canvas.part(0, 0, title.width() + room, 1);
        canvas.row(
            0,
            Line::from(vec![Span::styled(title, theme.strong()), Span::raw(clip(&about, room))]),
        );
    } else {
        let mut line = vec![Span::styled(" simscope ", theme.strong())];
        for (number, screen) in Screen::ALL.iter().enumerate() {
            let name = format!("{} {screen}", number + 1);
            line.push(if *screen == app.screen {
                Span::styled(format!("{:<10}", format!("[{name}]")), theme.strong())
            } else {
                Span::raw(format!("{:<10}", format!(" {name}")))
            });
        }
        let line = Line::from(line);
        let room = canvas.width().saturating_sub(line.width() + 2);
        canvas.row(0, line);
        // The end of a path tells more than its beginning.
        canvas.right(0, Span::raw(clip_start(&about, room) + " "));
    }
    canvas.rule(1, "", "");
}

/// What a small screen says in place of the status row: how far the work is, else k.
fn small_state(app: &App) -> String {
    let Some(running) = &app.running else { return format!("k={}", app.settings.k) };
    match running.job.progress.get() {
        (_, 0) => running.job.stage().to_string(),
        (done, total) => format!("{} {}%", running.job.stage(), (done * 100 / total).min(100)),
    }
}

fn about(app: &App) -> String {
    let id = |document| visible(app.analysis.corpus.id(document)).into_owned();
    let glyphs = if app.ascii { '~' } else { '↔' };
    match app.screen {
        Screen::Docs => {
            let mut about = visible(&app.title).into_owned();
            if !app.docs.filter_text.is_empty() {
                about += &format!(
                    "   filter: {} ({})",
                    app.docs.filter_text,
                    grouped(app.docs.len() as u64)
                );
            }
            if app.docs.order != crate::app::screen::docs::Order::Corpus || app.docs.reversed {
                about += &format!(
                    "   by {}{}",
                    app.docs.order,
                    if app.docs.reversed { " reversed" } else { "" }
                );
            }
            about
        }
        Screen::Near => match app.near.query {
            Some(query) if app.size.shape() == Shape::Small => id(query),
            Some(_) if app.analysis.shelf.is_none() => String::new(),
            Some(_) => {
                let within = app.near.n_within(app.settings.k);
                let beyond = app.near.neighbours.len() - within + app.near.n_hidden;
                let (within, beyond) = (grouped(within as u64), grouped(beyond as u64));
                let (k, to) = (app.settings.k, app.near.reach);
                let usual = reach(k, app.analysis.settings.recipe.bits);
                if to > usual {
                    return format!("none to d={usual}, the nearest {beyond}");
                }
                format!("{within} within k={k}, {beyond} more to d={to}")
            }
            None => String::new(),
        },
        Screen::Tables => match (&app.tables.explanation, app.tables.pair) {
            (Some(explanation), Some((a, Some(b)))) => {
                format!("{} {glyphs} {}   d={}", id(a), id(b), explanation.distance)
            }
            _ => app.near.query.map(id).unwrap_or_default(),
        },
    }
}

/// What is known of the corpus, and what is being worked on.
pub(super) fn status(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    if let Some(notice) = &app.notice {
        canvas.row(
            0,
            Span::styled(
                format!(" {}", clip(&visible(notice), canvas.width().saturating_sub(2))),
                theme.strong(),
            ),
        );
        return;
    }
    let mut parts = vec![counted(app.analysis.len() as u64, "doc")];
    if !app.analysis.corpus.is_complete() {
        parts[0] += " so far";
    }
    if let Some(shelf) = &app.analysis.shelf {
        parts.push(format!("{} distinct", grouped(shelf.n_distinct() as u64)));
    }
    parts.push(format!("k={}", app.settings.k));
    if let Some(near) = app.analysis.near.as_ref().filter(|near| near.k == app.settings.k) {
        parts.push(counted(near.n_document_pairs(), "pair"));
        parts.push(counted(near.groups.len() as u64, "group"));
    }
    let layout = app.layout();
    if !layout.guarantees(app.settings.k) {
        parts.push("tables may miss pairs".to_owned());
    }
    let n_tables = counted(layout.tables().len() as u64, "table");
    parts.push(if canvas.width() >= 110 {
        format!("{n_tables} ({})", layout.describe())
    } else {
        n_tables
    });
    if canvas.width() >= 140 {
        parts.push(format!("recipe {}", app.analysis.settings.recipe.short()));
    }
    let n_problems = app.analysis.diagnostics().count();
    let mut line = Line::from(Span::raw(format!(" {}", parts.join("  "))));
    if n_problems > 0 {
        line.push_span(Span::styled(
            format!("  {}: !", counted(n_problems as u64, "problem")),
            theme.warn(),
        ));
    }
    canvas.row(0, line);
    if let Some(progress) = progress(app, canvas) {
        canvas.right(0, Span::raw(progress));
    }
}

/// The running job's stage and how far it is: `indexing ████░░░░ 52% `.
fn progress(app: &App, canvas: &Canvas) -> Option<String> {
    let running = app.running.as_ref()?;
    let stage: Stage = running.job.stage();
    let (done, total) = running.job.progress.get();
    if total == 0 {
        let spinner = ['|', '/', '-', '\\'][app.ticks % 4];
        return Some(format!("{stage} {spinner} "));
    }
    let [full, empty] = canvas.theme.glyphs().bar;
    let share = (done as f64 / total as f64).min(1.0);
    let filled = (share * 10.0) as usize;
    let bar: String = (0..10).map(|cell| if cell < filled { full } else { empty }).collect();
    Some(format!("  {stage} {bar} {:3.0}% ", share * 100.0))
}

/// The keys that matter here, `?` always first and `q` always there.
pub(super) fn footer(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    if let Some(notice) = app.notice.as_ref().filter(|_| app.size.shape() == Shape::Small) {
        canvas.row(0, Span::styled(clip(&visible(notice), canvas.width()), theme.strong()));
        return;
    }
    let hints: Vec<(&str, &str)> = match &app.overlay {
        None => bindings(app.screen).filter_map(|binding| binding.footer).collect(),
        Some(Overlay::Help(_)) => {
            vec![("type", "to search"), ("Up/Down", "choose"), ("Enter", "run"), ("Esc", "close")]
        }
        Some(Overlay::Recipe(_)) => {
            vec![
                ("j/k", "row"),
                ("h/l", "change"),
                ("0-9", "type a number"),
                ("Enter", "apply"),
                ("Esc", "leave as it was"),
            ]
        }
        Some(Overlay::Prompt(_)) => vec![("Enter", "done"), ("Esc", "cancel")],
        Some(Overlay::Problems(_)) => vec![("j/k", "scroll"), ("Esc", "close")],
    };
    let last = hints.len().saturating_sub(1);
    let cells = |(key, word): &(&str, &str)| key.width() + word.width() + 3;
    // One blank before the first, none behind the last.
    let mut room = (canvas.width() + 1).saturating_sub(hints.last().map_or(0, cells));
    let mut spans = vec![Span::raw(" ")];
    for (at, hint) in hints.iter().enumerate() {
        let needed = cells(hint);
        if at < last {
            if needed > room {
                continue;
            }
            room -= needed;
        }
        spans.push(Span::styled(hint.0.to_owned(), theme.key()));
        spans.push(Span::raw(format!(" {}  ", hint.1)));
    }
    canvas.row(0, Line::from(spans));
}
