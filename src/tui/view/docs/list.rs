//! The list: one row for each document, as many columns as fit.

use std::collections::HashSet;

use ratatui::text::Line;

use super::group_columns::{
    DISTANCES, GROUP, NEAR, distance_column, group_bar, group_column, near_column,
};
use crate::{
    analysis::{arrangement::ListOrder, filter::Mark, filter::has},
    app::{App, ClickTarget, layout::SizeClass},
    id::DocId,
    look::Look,
    text::visible,
    tui::{
        theme::Theme,
        view::{name, twins},
        widget::{
            bits,
            canvas::Canvas,
            table::{Align, Column, ColumnTable},
        },
    },
};

/// Cells of the column of a field.
const FIELD: usize = 14;
/// Cells for the columns that are not fields.
const NEEDED: usize = 40;

/// The title of the marks.
const MARK: &str = "mark";
/// Cells of a list from which all columns stay.
const ROOMY: usize = 100;
/// Columns of a screen with the group beside the list from which the list has its number, too.
const GROUP_FROM: u16 = 160;

/// Cells that a name has at least beside columns of each rank: from rank 3 on there is a title.
const NAMES: [usize; 7] = [14, 14, 14, name::ROOMY, 40, 54, 60];

/// The columns, in their order; on a narrow screen those of a higher rank go first.
fn columns(app: &App, width: usize, theme: Theme) -> ColumnTable<'_, DocId> {
    let glyphs = theme.glyphs();
    let arrangement = app.docs.list.arrangement();
    let downward =
        matches!(arrangement.order, ListOrder::Near | ListOrder::Words) != arrangement.reversed;
    let arrow = glyphs.orders[usize::from(downward)];
    let sorted = |order: ListOrder, name: &str| {
        if arrangement.order == order { format!("{name}{arrow}") } else { name.to_owned() }
    };
    let (digits, k) =
        (app.analysis.settings.recipe.bits.div_ceil(4) as usize, app.analysis.settings.k);
    let n_digits = app.analysis.len().max(1).ilog10() as usize + 1;
    let tokens = app.analysis.settings.recipe.features.tokens_short();
    let none = glyphs.none;
    // The frame of a text beside the list has its number of words and its line.
    let is_beside = app.size.shape() == SizeClass::Wide;
    let (place, words, group) = match (is_beside, app.has_reference()) {
        (true, _) if arrangement.order == ListOrder::Words => (4, 0, 3),
        (true, _) => (4, 4, 3),
        (false, true) => (3, 2, 4),
        (false, false) => (2, 2, 4),
    };
    let rows = app.docs.cursor.window(app.docs.len(), app.docs_layout().rows());
    let shown: Vec<DocId> = rows.filter_map(|row| app.docs.document(row)).collect();
    let record = |document: &DocId| app.analysis.record(*document);
    let mut columns = vec![
        Column::new(
            sorted(ListOrder::Corpus, "#") + " ",
            Align::Right(n_digits.max(4) + 1),
            place,
            |it: &DocId, _| format!("{} ", it.0 + 1),
        )
        .on_click(ClickTarget::Order(ListOrder::Corpus)),
        Column::new("", Align::Start(1), group, move |it: &DocId, _| group_bar(app, *it, theme)),
        name_column(app, sorted(ListOrder::Id, "document"), &shown, theme),
        Column::new("source", Align::Left(7), 2, move |it: &DocId, _| {
            let is_reference = app.analysis.corpus.is_reference(*it);
            (if is_reference { "ref" } else { "" }).to_owned()
        }),
        words_column(app, sorted(ListOrder::Words, tokens), words, none),
        Column::new("features", Align::Right(9), 5, move |it: &DocId, _| match record(it) {
            Some(record) if record.n_features > 0 => record.n_features.to_string(),
            _ => none.to_string(),
        }),
        near_column(app, sorted(ListOrder::Near, NEAR), n_digits, none),
        group_column(app, sorted(ListOrder::Group, GROUP), n_digits, group, none),
        distance_column(app, k, theme),
        mark_column(app, theme),
        pattern_column(app, digits, theme),
        Column::new("hex", Align::Left(digits + 1), 6, move |it: &DocId, _| {
            let fingerprint = record(it).and_then(|record| record.fingerprint);
            fingerprint.map_or_else(String::new, |fingerprint| fingerprint.to_string())
        }),
    ];
    // The frame of a group beside the list has its number.
    let has_group = app.docs_layout().group.height > 0;
    let hides = |title: &str| width < ROOMY && is_blank(app, title, &shown);
    columns.retain(|column| match &*column.title {
        "source" => app.has_reference(),
        NEAR | MARK => !hides(&column.title),
        GROUP => !has_group || app.size.width >= GROUP_FROM,
        title if DISTANCES.iter().any(|it| title.starts_with(it)) => is_beside && !hides(title),
        // In ASCII the pattern is the hex itself: one of them is enough.
        "hex" => !theme.0.ascii,
        _ => true,
    });
    let fields = 3 + usize::from(app.has_reference());
    columns.splice(fields..fields, field_columns(app, width, theme, &sorted));
    ColumnTable::fitting(columns, width, &NAMES)
}

/// The column of ids and titles, with the user's marks.
fn name_column<'a>(
    app: &'a App,
    title: String,
    shown: &[DocId],
    theme: Theme,
) -> Column<'a, DocId> {
    let (same, shown) = (same_titles(app, shown), shown.to_vec());
    Column::new(title, Align::Rest, 0, move |it: &DocId, cells| {
        if same.contains(it) {
            name::below(app, *it, cells, theme)
        } else {
            Line::from(name::telling(app, *it, &name::mark(app, *it), &shown, cells))
        }
    })
    .under(|title, cells| name::header(app, title, cells))
    .on_click(ClickTarget::Order(ListOrder::Id))
}

/// The column of the marks that the program gives; in a file, the user's mark beside them.
fn mark_column(app: &App, theme: Theme) -> Column<'_, DocId> {
    let mark = move |it: &DocId, _| marks(app, *it, theme);
    Column::new(MARK, Align::Left(5), 2, mark)
}

/// The column of the numbers of tokens.
fn words_column(app: &App, title: String, rank: u8, none: char) -> Column<'_, DocId> {
    Column::new(title, Align::Right(6), rank, move |it: &DocId, _| {
        let carried = app.analysis.corpus.flags(*it).lacks_text();
        match app.analysis.record(*it) {
            None => "..".to_owned(),
            Some(record) if carried || record.unreadable => none.to_string(),
            Some(record) => record.n_tokens.to_string(),
        }
    })
    .on_click(ClickTarget::Order(ListOrder::Words))
}

/// Whether a column of this title has no value: of near-duplicates and groups in the whole corpus, so that columns stay
/// where they are on the next page, of marks in these rows.
fn is_blank(app: &App, title: &str, rows: &[DocId]) -> bool {
    let is_unmarked = |it: &DocId| marks(app, *it, Theme(Look::PLAIN)).is_empty();
    match title {
        NEAR => app.analysis.totals().is_some_and(|totals| totals.pairs == 0),
        MARK => !rows.is_empty() && rows.iter().all(is_unmarked),
        _ => app.linked_groups().is_some_and(|groups| groups.is_empty()),
    }
}

/// The shown documents that have the title of the row above.
fn same_titles(app: &App, shown: &[DocId]) -> HashSet<DocId> {
    let title = |document| app.titles.get(document);
    let pairs = shown
        .windows(2)
        .filter(|pair| title(pair[0]).is_some() && title(pair[0]) == title(pair[1]));
    pairs.map(|pair| pair[1]).collect()
}

/// The column of the bits at a glance, or of the reason why there are none.
fn pattern_column(app: &App, digits: usize, theme: Theme) -> Column<'_, DocId> {
    let layout = app.layout();
    // A long one leaves room to a title first.
    let rank = if digits > 16 { 3 } else { 1 };
    // In ASCII the pattern is the hex itself.
    let title = if theme.0.ascii { "fingerprint" } else { "pattern: 4 bits" };
    Column::new(title, Align::Left(digits + 3), rank, move |it: &DocId, _| {
        match app.analysis.record(*it) {
            None => Line::default(),
            Some(record) if record.unreadable => Line::from("unreadable, see !"),
            Some(record) => record.fingerprint.map_or_else(
                || Line::from("no features"),
                |fingerprint| bits::pattern(fingerprint, layout.block_list(), theme),
            ),
        }
    })
    // In a file, the column of the fingerprint has these digits.
}

/// The columns of the chosen fields, which are left out after those of rank 1.
fn field_columns<'a>(
    app: &'a App,
    width: usize,
    theme: Theme,
    sorted: &dyn Fn(ListOrder, &str) -> String,
) -> Vec<Column<'a, DocId>> {
    let none = theme.glyphs().none.to_string();
    let fitting = width.saturating_sub(NEEDED) / FIELD;
    let fields = app.docs.fields.names.iter().enumerate().take(fitting).map(|(at, name)| {
        let title = visible(name).into_owned();
        let is_first = at == 0 && !name.is_empty();
        let title = if is_first { sorted(ListOrder::Fields, &title) } else { title };
        let none = none.clone();
        Column::new(title, Align::Left(FIELD), 0, move |it: &DocId, _| {
            match app.docs.fields.value(*it, at) {
                Some(value) => visible(value).into_owned(),
                None if app.docs.fields.is_known(*it) => none.clone(),
                None => "..".to_owned(),
            }
        })
    });
    fields.collect()
}

pub(super) fn list(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    if app.docs.is_empty() {
        let hint = match (app.analysis.is_empty(), app.running.is_some()) {
            (true, true) => "reading ..".to_owned(),
            (true, false) => "reading was stopped before the first document; q leaves".to_owned(),
            _ if app.docs.rows.is_running() => "searching ..".to_owned(),
            _ => app.why_none_passes(),
        };
        canvas.paragraph(2, 1, &hint, theme.text());
    }
    let table = columns(app, canvas.width(), theme);
    let mark = Some(theme.mark());
    table.draw(canvas, app.docs.cursor, app.docs.len(), mark, |row| app.docs.document(row));
}

/// A letter for each mark of a document, after the count of documents with its fingerprint.
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
