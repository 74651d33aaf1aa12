//! What lies over a screen: help, the recipe, a line being typed, problems.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::{
    app::{
        App,
        cursor::Cursor,
        key::Key,
        keymap::Binding,
        overlay::{Help, Overlay, Prompt, Purpose},
        recipe_form::{Field, RecipeForm},
    },
    number::{counted, grouped},
    tui::widget::canvas::{Canvas, clip, fit, wrap},
};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    match &app.overlay {
        None => {}
        Some(Overlay::Help(state)) => help(app, state, canvas),
        Some(Overlay::Recipe(form)) => recipe(app, form, canvas),
        Some(Overlay::Prompt(state)) => prompt(state, canvas),
        Some(Overlay::Problems(cursor)) => problems(app, *cursor, canvas),
    }
}

/// A cleared box in the middle of the screen.
fn boxed<'a>(canvas: &'a mut Canvas, width: usize, height: usize) -> Canvas<'a> {
    let width = width.min(canvas.width());
    let height = height.min(canvas.height().saturating_sub(1));
    let (x, y) = ((canvas.width() - width) / 2, (canvas.height() - 1 - height) / 2);
    let mut part = canvas.part(x, y, width, height);
    part.clear();
    part
}

fn help(app: &App, state: &Help, canvas: &mut Canvas) {
    let found = state.bindings(app.screen);
    let (width, height) = (canvas.width().min(78), canvas.height().saturating_sub(1));
    let mut outer = boxed(canvas, width, height);
    let theme = outer.theme;
    let mut inside =
        outer.framed(&format!("keys on {}", app.screen), &format!("{} of them", found.len()));
    inside.row(
        0,
        Line::from(vec![
            Span::styled(" search: ", theme.muted()),
            Span::raw(state.line.value().to_owned()),
            Span::raw("_"),
        ]),
    );
    let rows = inside.height().saturating_sub(1);
    let mut cursor = state.cursor;
    cursor.fit(found.len(), rows);
    for (y, at) in cursor.window(found.len(), rows).enumerate() {
        let binding = found[at];
        let mark = if at == cursor.selected { theme.glyphs().cursor } else { ' ' };
        let keys = fit(&keys(binding), 14);
        inside.row(
            y + 1,
            Line::from(vec![
                Span::raw(mark.to_string()),
                Span::styled(keys, theme.key()),
                Span::raw(format!(" {}", binding.help)),
            ]),
        );
        if at == cursor.selected {
            inside.style_row(y + 1, theme.selected());
        }
    }
}

fn keys(binding: &Binding) -> String {
    binding.keys.iter().map(Key::to_string).collect::<Vec<_>>().join(" ")
}

fn recipe(app: &App, form: &RecipeForm, canvas: &mut Canvas) {
    let height = Field::ALL.len() + 6;
    let mut outer = boxed(canvas, 76, height);
    let theme = outer.theme;
    let mut inside = outer.framed("recipe: what decides a fingerprint", "");
    // On a low screen the rows scroll.
    let rows = inside.height().saturating_sub(3).max(1);
    let mut cursor = Cursor { selected: form.row, top: 0 };
    cursor.fit(Field::ALL.len(), rows);
    for (y, at) in cursor.window(Field::ALL.len(), rows).enumerate() {
        let field = Field::ALL[at];
        let selected = at == form.row;
        let mark = if selected { theme.glyphs().cursor } else { ' ' };
        let value = form.value(field);
        let value = if selected { format!("< {value} >") } else { format!("  {value}") };
        inside.row(
            y,
            format!(
                "{mark} {}  {}{}",
                fit(field.label(), 14),
                fit(&value, 18),
                meaning(field, form)
            ),
        );
        if selected {
            inside.style_row(y, theme.selected());
        }
    }
    let bottom = inside.height().saturating_sub(3);
    let room = inside.width().saturating_sub(2);
    if let Err(error) = form.check() {
        for (y, row) in wrap(&error.to_string(), room).into_iter().enumerate().take(2) {
            inside.row(bottom + 1 + y, Span::styled(format!(" {row}"), theme.warn()));
        }
        return;
    }
    let line = clip(&form.settings.recipe.to_string(), room);
    inside.row(bottom + 1, Span::styled(format!(" {line}"), theme.muted()));
    let n = counted(app.analysis.len() as u64, "document");
    inside.row(bottom + 2, Span::raw(format!(" Enter applies it to {n}")));
}

/// What a field means, in a few words.
fn meaning(field: Field, form: &RecipeForm) -> String {
    let text = match field {
        Field::Tokens => "what texts are cut into",
        Field::Size => "one edit breaks this many shingles",
        Field::Weights => "what repeated or rare shingles count",
        Field::Stop => "words left out before shingling",
        Field::Case => "whether Tide and tide are one word",
        Field::Form => "one spelling for every accent",
        Field::Hash => "what turns a shingle into bits",
        Field::Seed => "another seed, other hyperplanes",
        Field::Bits => "more bits, finer distances",
        Field::Tie => "the bit when votes balance exactly",
        Field::K => "the largest distance that is near",
        Field::Blocks => {
            let Ok(layout) = form.settings.layout(0) else { return String::new() };
            if form.value(Field::Blocks) == "auto" {
                return "the cheapest tables that guarantee d".to_owned();
            }
            return format!("{} that guarantee k", counted(layout.tables().len() as u64, "table"));
        }
    };
    text.to_owned()
}

fn prompt(state: &Prompt, canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    let theme = canvas.theme;
    let (label, hint) = match state.purpose {
        Purpose::Find => ("find", "a part of an id"),
        Purpose::Filter => (
            "filter",
            "words of the id, is:near is:copy is:empty is:tied is:dominated is:lossy, - for not",
        ),
    };
    let mut part = canvas.part(0, height.saturating_sub(2), width, 1);
    part.clear();
    let text = state.line.value();
    let mut line = Line::from(vec![
        Span::styled(format!(" {label}: "), theme.strong()),
        Span::raw(text.to_owned()),
        Span::styled("_", theme.selected()),
    ]);
    let room = width.saturating_sub(line.width() + 4);
    match &state.problem {
        Some(problem) => {
            line.push_span(Span::styled(format!("   {}", clip(problem, room)), theme.warn()))
        }
        None if text.is_empty() && room > hint.width().min(20) => {
            line.push_span(Span::styled(format!("   {}", clip(hint, room)), theme.muted()));
        }
        None => {}
    }
    part.row(0, line);
}

fn problems(app: &App, cursor: Cursor, canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height().saturating_sub(2));
    let all: Vec<String> = app.analysis.diagnostics().map(ToString::to_string).collect();
    let mut outer = boxed(canvas, width, height);
    let theme = outer.theme;
    let mut inside = outer.framed("what could not be read", &grouped(all.len() as u64));
    let room = inside.width().saturating_sub(2);
    let note = app.analysis.corpus.summary().note();
    if let Some(note) = note {
        inside.row(0, Span::styled(format!(" {}", clip(&note, room)), theme.muted()));
    }
    if all.is_empty() {
        inside.row(1, " nothing: every document was read");
    }
    let rows = inside.height().saturating_sub(1);
    let mut y = 1;
    let mut cursor = cursor;
    cursor.fit(all.len(), rows);
    for at in cursor.window(all.len(), rows) {
        for (part, row) in wrap(&all[at], room.saturating_sub(2)).into_iter().enumerate() {
            let mark = if part == 0 && at == cursor.selected { theme.glyphs().cursor } else { ' ' };
            inside.row(y, format!("{mark} {row}"));
            y += 1;
        }
    }
}
