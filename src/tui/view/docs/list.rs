//! The list: one row for each document, as many columns as fit.

use std::collections::HashSet;

use ratatui::text::{Line, Span};

use crate::{
    analysis::{arrangement::ListOrder, filter::Mark, filter::has},
    app::{App, ClickTarget, layout::SizeClass},
    id::DocId,
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
    let digits = app.analysis.settings.recipe.bits.div_ceil(4) as usize;
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
    let same = same_titles(app);
    let record = |document: &DocId| app.analysis.record(*document);
    let mut columns = vec![
        Column::new(
            sorted(ListOrder::Corpus, "#") + " ",
            Align::Right(n_digits.max(4) + 1),
            place,
            |it: &DocId, _| format!("{} ", it.0 + 1),
        )
        .on_click(ClickTarget::Order(ListOrder::Corpus)),
        Column::new("", Align::Start(1), group, move |it: &DocId, _| group_bar(app, *it, theme))
            .in_file(&[], |_| Vec::new()),
        Column::new(sorted(ListOrder::Id, "document"), Align::Rest, 0, move |it: &DocId, cells| {
            if same.contains(it) {
                name::below(app, *it, cells, theme)
            } else {
                Line::from(name::name(app, *it, "", cells))
            }
        })
        .under(|title, cells| name::header(app, title, cells))
        .on_click(ClickTarget::Order(ListOrder::Id))
        .in_file(name::IN_FILE, |it| name::in_file(app, *it)),
        Column::new("source", Align::Left(7), 2, move |it: &DocId, _| {
            let is_reference = app.analysis.corpus.is_reference(*it);
            (if is_reference { "ref" } else { "" }).to_owned()
        }),
        words_column(app, sorted(ListOrder::Words, tokens), words, none),
        Column::new("features", Align::Right(9), 5, move |it: &DocId, _| match record(it) {
            Some(record) if record.n_features > 0 => record.n_features.to_string(),
            _ => none.to_string(),
        }),
        Column::new(sorted(ListOrder::Near, "near"), Align::Right(6), 0, move |it: &DocId, _| {
            match app.analysis.near_count(*it) {
                None => String::new(),
                Some(0) => none.to_string(),
                Some(near) => near.to_string(),
            }
        })
        .on_click(ClickTarget::Order(ListOrder::Near)),
        group_column(app, sorted(ListOrder::Group, "group"), group, none),
        Column::new("mark", Align::Left(5), 2, move |it: &DocId, _| marks(app, *it, theme)),
        pattern_column(app, digits, theme),
        Column::new("hex", Align::Left(digits + 1), 6, move |it: &DocId, _| {
            let fingerprint = record(it).and_then(|record| record.fingerprint);
            fingerprint.map_or_else(String::new, |fingerprint| fingerprint.to_string())
        })
        .in_file(&["fingerprint"], move |it| {
            let fingerprint = record(it).and_then(|record| record.fingerprint);
            vec![fingerprint.map_or_else(String::new, |fingerprint| fingerprint.to_string())]
        }),
    ];
    columns.splice(4..4, field_columns(app, width, theme, &sorted));
    columns.retain(|column| match &*column.title {
        "source" => app.has_reference(),
        // In ASCII the pattern is the hex itself: one of them is enough.
        "hex" => !theme.0.ascii,
        _ => true,
    });
    ColumnTable::fitting(columns, width, &NAMES)
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

/// The column of the groups.
fn group_column(app: &App, title: String, rank: u8, none: char) -> Column<'_, DocId> {
    Column::new(title, Align::Right(6), rank, move |it: &DocId, _| {
        app.linked_groups().map_or_else(String::new, |groups| {
            let group = groups.group_of(*it);
            group.map_or_else(|| none.to_string(), |group| format!("g{group}"))
        })
    })
    .on_click(ClickTarget::Order(ListOrder::Group))
}

/// The shown documents that have the title of the row above.
fn same_titles(app: &App) -> HashSet<DocId> {
    let rows = app.docs.cursor.window(app.docs.len(), app.docs_layout().rows());
    let shown: Vec<DocId> = rows.filter_map(|row| app.docs.document(row)).collect();
    let title = |document| app.titles.get(document);
    let pairs = shown
        .windows(2)
        .filter(|pair| title(pair[0]).is_some() && title(pair[0]) == title(pair[1]));
    pairs.map(|pair| pair[1]).collect()
}

/// A bar in the hue of the document's group; a blank for a document in no group.
fn group_bar(app: &App, document: DocId, theme: Theme) -> Span<'static> {
    let group = app.linked_groups().and_then(|groups| groups.group_of(document));
    group.map_or_else(
        || Span::raw(" "),
        |group| Span::styled(theme.glyphs().member.to_string(), theme.block(group as usize)),
    )
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
    .in_file(&[], |_| Vec::new())
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
            (true, true) => "reading ..",
            (true, false) => "reading was stopped before the first document; q leaves",
            _ if app.docs.rows.is_running() => "searching ..",
            _ => "no document passes the filter; Esc clears it",
        };
        canvas.paragraph(2, 1, hint, theme.text());
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
