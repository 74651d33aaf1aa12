//! Panels over a screen: the recipe, a line being typed.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::page::list::with_more;
use super::{menu, status};
use crate::analysis::filter::Mark;
use crate::app::overlay::Prompt;
use crate::app::recipe_form::{Field, RecipeForm};
use crate::app::{App, Overlay, Purpose, wrap};
use crate::number::counted;
use crate::text::visible;
use crate::tui::widget::canvas::{Canvas, edited, fit};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    match &app.overlay {
        None => {}
        Some(Overlay::Recipe(form)) => recipe(app, form, canvas),
        Some(Overlay::Prompt(state)) => prompt(app, state, canvas),
        Some(Overlay::Menu(state)) => menu::draw(app, state, canvas),
    }
}

/// Columns and rows beside a box that are too few to be read: the box takes them.
const FEW: [usize; 2] = [4, 1];

/// A cleared box in the middle of the screen.
pub(super) fn boxed<'a>(canvas: &'a mut Canvas, width: usize, height: usize) -> Canvas<'a> {
    let stretched = |wanted: usize, all: usize, few| if wanted + few < all { wanted } else { all };
    let width = stretched(width, canvas.width(), FEW[0]);
    let height = stretched(height, canvas.height().saturating_sub(1), FEW[1]);
    let (x, y) = ((canvas.width() - width) / 2, (canvas.height() - 1 - height) / 2);
    let mut part = canvas.part(x, y, width, height);
    part.clear();
    part
}

/// Cells of a recipe from which its fields are explained beside their values.
const MEANING_FROM: usize = 60;
/// Rows of the advice on the recipe.
const ADVICE_ROWS: usize = 3;

fn recipe(app: &App, form: &RecipeForm, canvas: &mut Canvas) {
    let shingling = form.settings.recipe.features;
    let advice = app.docs.text_kind.answer().and_then(|kind| kind.advice(shingling));
    let height = Field::ALL.len() + 7 + if advice.is_some() { ADVICE_ROWS } else { 0 };
    let mut outer = boxed(canvas, 76, height);
    let theme = outer.theme;
    let mut inside = outer.framed("recipe: decides the fingerprints", "", true);
    // On a low screen the rows scroll, and there is no room for advice.
    let advice = advice.filter(|_| inside.height() >= Field::ALL.len() + 5 + ADVICE_ROWS);
    let n_below = 4 + if advice.is_some() { ADVICE_ROWS } else { 0 };
    let rows = inside.height().saturating_sub(n_below).max(1);
    let top = (form.row + 1).saturating_sub(rows);
    let shown = top..(top + rows).min(Field::ALL.len());
    let has_meanings = inside.width() >= MEANING_FROM;
    for (y, at) in shown.clone().enumerate() {
        let field = Field::ALL[at];
        let (value, is_selected) = (form.value(field), at == form.row);
        let value = if is_selected { format!("< {value} >") } else { format!("  {value}") };
        let meaning = if has_meanings { meaning(field, form) } else { String::new() };
        let row = format!(" {}  {}{meaning}", fit(field.name(), 14), fit(&value, 18));
        inside.choice(y, is_selected, row);
    }
    let bottom = inside.height().saturating_sub(4);
    let room = inside.width().saturating_sub(2);
    let below = Field::ALL.len() - shown.end;
    if below > 0 {
        inside.row(rows, Span::styled(format!("  {}", with_more("", below)), theme.muted()));
    }
    if let Some(advice) = advice {
        let rows = wrap(&advice, room).into_iter().take(ADVICE_ROWS);
        inside.rows(bottom - ADVICE_ROWS, rows, Style::new());
    }
    let checked = form.settings.check().err().map(|error| error.to_string());
    if let Some(problem) = form.problem.clone().or(checked) {
        return inside.rows(bottom + 1, wrap(&problem, room).into_iter().take(2), theme.warn());
    }
    let recipe = wrap(&form.settings.recipe.to_string(), room);
    inside.rows(bottom + 1, recipe.into_iter().take(2), theme.muted());
    let carried = app.analysis.corpus.summary().fingerprints;
    let n = counted(app.analysis.len() as u64 - carried, "document");
    let kept = if carried > 0 {
        format!("; {} without text do not change", counted(carried, "row"))
    } else {
        String::new()
    };
    inside.row(bottom + 3, Span::raw(format!(" Enter applies it to {n}{kept}")));
}

/// The meaning of a field, in a few words.
fn meaning(field: Field, form: &RecipeForm) -> String {
    let text = match field {
        Field::Tokens => "the parts into which texts are cut",
        Field::Size => "one edit breaks this many shingles",
        Field::Weights => "weight of repeated or rare shingles",
        Field::Stop => "words left out before shingling",
        Field::Case => "whether Tide and tide are one word",
        Field::Form => "one spelling for every accent",
        Field::Hash => "turns a shingle into bits",
        Field::Seed => "another seed, other fingerprints",
        Field::Bits => "more bits, finer distances",
        Field::Tie => "the bit when votes balance exactly",
        Field::K => "the largest distance that is near",
        Field::Preset => "that of another program, bit for bit",
        Field::Blocks => {
            let Ok(layout) = form.settings.layout(0) else { return String::new() };
            if form.value(Field::Blocks) == "auto" {
                return "the cheapest tables that guarantee d".to_owned();
            }
            let tables = counted(layout.tables().len() as u64, "table");
            return if layout.guarantees(form.settings.k) {
                format!("{tables} that guarantee d")
            } else {
                format!("{tables}, guaranteed to d = {}", layout.guarantee())
            };
        }
    };
    text.to_owned()
}

fn prompt(app: &App, state: &Prompt, canvas: &mut Canvas) {
    let (width, theme) = (canvas.width(), canvas.theme);
    let (label, hint) = match state.purpose {
        Purpose::Find => {
            let found = status::searched(app).filter(|_| !state.line.value().trim().is_empty());
            let usual = || "words in id, title or text; n and N: next and previous".to_owned();
            ("find", found.map_or_else(usual, |(found, _)| found))
        }
        Purpose::Layout => {
            ("layout", "4x18 bands, 6 blocks, 4/4 blocks; Enter measures it".to_owned())
        }
        Purpose::Answer => ("answer", "a number, such as 0.5, 50 % or 1/2, or bits, such as 0110".to_owned()),
        Purpose::Policy => (
            "keep",
            "first, last, longest, shortest, central, largest:FIELD, smallest:FIELD, source:NAME; commas"
                .to_owned(),
        ),
        Purpose::Export => (
            "write to folder",
            format!(
                "{}. Enter alone: dedup, in the folder where simscope began; it gets dropped.jsonl, what is kept, the command",
                app.review_in_words().unwrap_or_default(),
            ),
        ),
        Purpose::ViewFile => (
            "write to file",
            "the ending decides: .txt the screen, .svg a picture of it, .tsv or .json all rows of the list"
                .to_owned(),
        ),
        Purpose::Filter => ("filter", filter_hint()),
        Purpose::Fields => (
            "fields as columns",
            format!("separated by commas; the fields are: {}", visible(&app.docs.fields.there())),
        ),
    };
    // The row below shows the problem, or the accepted input, in full.
    let (text, style) = match &state.problem {
        Some(problem) => (problem, theme.warn()),
        None => (&hint, theme.muted()),
    };
    let rows = wrap(text, width.saturating_sub(2));
    // The keys stay in the last row.
    let mut part = canvas.over(rows.len() + 1);
    let mut line = Line::from(Span::styled(format!(" {label}: "), theme.strong()));
    let mut typed = edited(&state.line, width.saturating_sub(line.width() + 1), theme);
    if state.is_offered {
        for span in &mut typed {
            span.style = theme.selected().patch(span.style);
        }
    }
    line.extend(typed);
    part.row(0, line);
    part.rows(1, rows, style);
}

/// The hint of a filter: every possible term.
fn filter_hint() -> String {
    let marks: Vec<&str> = Mark::ALL.iter().map(|mark| mark.name()).collect();
    format!(
        "words \"two words\" -not field:part field>1 id: title: source: words>50 features near group d<=6 is: and one of {}",
        marks.join(" "),
    )
}
