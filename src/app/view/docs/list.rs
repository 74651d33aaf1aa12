//! The Docs view: groups of near-duplicates with what can go, or all texts; and the selected text.

use super::super::contract::{ListOfView, View};
use super::super::go::{prompt, show_all};
use super::super::{listed, review};
use super::{check, documents, groups};
use crate::analysis::arrangement::ListOrder;
use crate::analysis::dedup::Reason;
use crate::analysis::filter::{Mark, has};
use crate::app::page::{
    self, ANY, Bits, Block, Cell, Column, List, Page, Part, Place, Strip, Tinted, Tone,
};
use crate::app::screen::docs::Listed;
use crate::app::screen::groups::{Fate, GroupRow, Member};
use crate::app::side_by_side::places_with_edits;
use crate::app::{Action, App, ClickTarget, Purpose, Screen, Size, ViewId, query, rows, want};
use crate::choice::cycled;
use crate::facts::ExplainedNumber;
use crate::facts::figures::share_of;
use crate::id::DocId;
use crate::index::Linkage;
use crate::number::{counted, grouped};
use crate::sign;
use crate::text::visible;

/// Cells of the column of a field.
const FIELD: usize = 14;
/// Cells of the column of bits: two digits of hexadecimal for eight bits, with guards.
const BITS: usize = 19;
/// The most distances that have a bar each; the last bar is of all others.
const BARS: usize = 16;

/// The Docs view.
pub(in crate::app) struct DocsView;

impl View for DocsView {
    fn act(&self, app: &mut App, action: Action) -> bool {
        let in_groups = app.lists_groups();
        match action {
            Action::AllTexts => turn(app),
            Action::Votes => app.show(ViewId::Bits),
            Action::Enter => enter(app),
            Action::Sideways(_) if !in_groups => app.say(groups::no_group(app)),
            Action::Sideways(1) => {
                if !groups::open_selected(app) {
                    app.say("nothing is folded here");
                }
            }
            Action::Sideways(_) => {
                if !groups::close_selected(app) {
                    app.say("this group is folded");
                }
            }
            Action::FindNext(step) if in_groups && app.docs.find.is_none() => {
                groups::next_spared(app, step);
            }
            Action::FindNext(step) => documents::find(app, step),
            Action::TypePolicy => prompt(app, Purpose::Policy, String::new()),
            Action::Write => {
                app.groups.is_asked = true;
                prompt(app, Purpose::Export, String::new());
            }
            Action::Mark => review::toggle(app),
            Action::NoDuplicates => review::not_duplicates(app),
            Action::Policy => review::next_policy(app),
            Action::Linkage if app.has_reference() => {
                let why = "complete linkage compares every two documents of a group, and with a reference only documents of different sides \
                    are compared";
                app.say(why);
            }
            Action::Linkage => app.groups.linkage = cycled(Linkage::ALL, app.groups.linkage, 1),
            Action::Scroll(rows) => scroll(app, rows),
            Action::Fields => {
                show_all(app);
                documents::open_fields(app);
            }
            Action::Sort => {
                show_all(app);
                app.docs.order = cycled(ListOrder::ALL, app.docs.order, 1);
                if app.docs.order == ListOrder::Fields && app.docs.fields.names.is_empty() {
                    app.docs.order = cycled(ListOrder::ALL, app.docs.order, 1);
                }
                (app.docs.reversed, app.docs.from_top) = (false, true);
            }
            Action::Reverse => {
                show_all(app);
                app.docs.reversed = !app.docs.reversed;
                app.docs.from_top = true;
            }
            _ => return false,
        }
        true
    }

    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        let height = app.docs_rows();
        Some(if app.lists_groups() {
            ListOfView { len: app.groups.n_rows(), height, cursor: &mut app.groups.cursor }
        } else {
            ListOfView { len: app.docs.len(), height, cursor: &mut app.docs.cursor }
        })
    }

    fn back(&self, app: &mut App) -> bool {
        if check::leave_list(app) || documents::back(app) {
            return true;
        }
        let lists_all = app.docs.listed == Listed::All && !app.groups.is_empty();
        if lists_all {
            turn(app);
        }
        lists_all
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        app.query().into_iter().collect()
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        let height = app.docs_rows();
        if app.lists_groups() {
            let rows = app.rows_to_know(app.groups.cursor, app.groups.n_rows(), height);
            let document = |row| app.groups.document(app.groups.row(row)?);
            return rows.filter_map(document).collect();
        }
        let rows = app.rows_to_know(app.docs.cursor, app.docs.len(), height);
        rows.filter_map(|row| app.docs.document(row)).collect()
    }

    fn refresh(&self, app: &mut App) {
        groups::refresh(app);
        if let Some(pair) = against(app) {
            want(app, query::Texts { pair, within: app.compare_within });
            listed::weigh(app, pair[1], &pair[..1]);
        }
        lay_out(app);
    }

    fn page<'a>(&self, app: &'a App, _: Size) -> Page<'a> {
        let in_groups = app.lists_groups();
        let (list, title) = if in_groups {
            (of_groups(app), title_of_groups(app))
        } else {
            let has_filter = !app.docs.filter.is_empty();
            (
                all(app),
                if has_filter { "texts that pass the filter" } else { "all texts" }.to_owned(),
            )
        };
        let most = list.len.saturating_add(1);
        let least = most.min(LEAST);
        let [at, n] = match app.groups.selected().filter(|_| in_groups) {
            Some(GroupRow::Group(it) | GroupRow::Member(it, _)) => {
                [it as usize + 1, app.groups.len()]
            }
            None => [list.cursor.selected + usize::from(list.len > 0), list.len],
        };
        let place = format!("{} of {}", grouped(at as u64), grouped(n as u64));
        let list = Part::new(title, least..=most.max(least), list).remarked(place);
        let mut parts = vec![list.at(Place::Wide, 0)];
        if app.query().is_some() {
            let (title, remark) = title_of_text(app);
            let block = match comparison(app) {
                Some(_) => {
                    let top = app.docs.preview_top.min(app.docs.against.len());
                    Block::Texts(&app.docs.against[top..], None)
                }
                None => Block::Preview,
            };
            parts.push(Part::new(title, 3..=ANY, block).remarked(remark).at(Place::Right, 1));
        }
        parts.extend(bits_of_selected(app));
        if app.groups.along.iter().any(|n| *n > 0) && in_groups {
            let at = app.query().map(|it| it.index() as f64 / app.analysis.len().max(1) as f64);
            let strip = Strip { title: "where in the corpus", values: &app.groups.along, at };
            parts.push(Part::new("", 1..=1, Block::Strip(strip)).at(Place::Across, 3));
        }
        Page { parts }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        near(app).into_iter().chain(drops(app)).collect()
    }
}

/// Opens a folded group; from a text, and from an opened group, goes on to the Pair screen.
fn enter(app: &mut App) {
    if app.query().is_none() {
        return app.say("no document is selected");
    }
    if app.lists_groups() && groups::open_selected(app) {
        return;
    }
    if app.lists_groups() {
        let members = app.groups.group().and_then(|group| app.groups.opened.get(&group));
        let members = members.map_or(&[][..], |members| members);
        let other = match app.groups.selected_member() {
            Some(it) if it.fate != Fate::Kept => Some(it.other),
            Some(it) => members.iter().find(|one| one.other == it.document).map(|it| it.document),
            None => members.get(1).map(|it| it.document),
        };
        app.near.pending_selection = other.filter(|it| Some(*it) != app.query());
        app.near.listing.forget();
    }
    app.near.opened = None;
    app.screen = Screen::Pair;
}

/// Lists all texts instead of groups, or groups again; the selected document stays selected.
fn turn(app: &mut App) {
    if app.lists_groups() {
        return show_all(app);
    }
    let document = app.query();
    app.docs.listed = Listed::Groups;
    if app.groups.is_empty() {
        app.docs.listed = Listed::All;
        return app.say(groups::no_group(app));
    }
    if let Some(document) = document
        && !groups::select(app, document)
    {
        let id = app.shown_id(document);
        app.say(format!("\"{id}\" is in no group at k={}", app.settings.k));
    }
}

/// The selected text and the one that is kept for it; `None` for a kept text.
fn against(app: &App) -> Option<[DocId; 2]> {
    let member = app.groups.selected_member().filter(|_| app.lists_groups())?;
    matches!(member.fate, Fate::Goes | Fate::Spared).then_some([member.document, member.other])
}

/// The comparison of the selected text with the one kept for it, if it is there.
fn comparison(app: &App) -> Option<&crate::analysis::explained_pair::Comparison> {
    let pair = against(app)?;
    let (asked, found) = app.near.texts.answered()?;
    (asked.pair == pair && found.diff.is_some()).then_some(found)
}

/// Lays out the selected text against the one kept for it, unless it is. Costs their length.
fn lay_out(app: &mut App) {
    let width = app.preview_width();
    let wanted = comparison(app).and(app.near.texts.number()).map(|number| (number, width));
    if app.docs.against_of == wanted {
        return;
    }
    app.docs.against = comparison(app).map_or_else(Vec::new, |it| it.rows(width, false));
    app.docs.against_of = wanted;
    app.docs.preview_top =
        places_with_edits(&app.docs.against).next().map_or(0, |row| row.saturating_sub(1));
}

/// Scrolls the selected document's text, or its differences from the one kept for it.
fn scroll(app: &mut App, rows: isize) {
    let (height, docs) = (app.text_pane().rows(), &mut app.docs);
    let n = if docs.against.is_empty() { docs.preview.len() } else { docs.against.len() };
    docs.preview_top = docs.preview_top.saturating_add_signed(rows).min(n.saturating_sub(height));
}

// The page.

/// The bits of the selected text, below those of the one that is kept for it, and its digits.
fn bits_of_selected(app: &App) -> Option<Part<'_>> {
    let document = app.query()?;
    let print = app.analysis.fingerprint(document)?;
    let kept = against(app).and_then(|[_, kept]| app.analysis.fingerprint(kept));
    let bits = Bits {
        prints: match kept {
            Some(kept) => vec![("kept".to_owned(), kept), ("this".to_owned(), print)],
            None => vec![(String::new(), print)],
        },
        blocks: app.layout().block_list().to_vec(),
        ..Bits::default()
    };
    let part = Part::new("bits", bits.rows(Place::Right.cells(app.size)), Block::Bits(bits));
    Some(part.remarked(print.to_string()).at(Place::Right, 2))
}

/// The k and the linkage where they are not the expected ones, and whether other groups are to come.
fn title_of_groups(app: &App) -> String {
    let Some(listing) = &app.groups.listing else { return String::new() };
    let late = app.groups.single.is_running() || app.groups.linked.is_running();
    let is_late = late || app.groups.linkage != listing.linkage || app.settings.k != listing.k;
    let linkage = match listing.linkage {
        Linkage::Single => "",
        Linkage::Complete => ", complete linkage",
    };
    let late = if is_late { format!(" (at {} bits) ..", listing.k) } else { String::new() };
    format!("groups, largest first{linkage}{late}")
}

/// The rows that the list has at least, with its header.
const LEAST: usize = 11;

/// The selected document, and what stands below: its text, or its differences from the one that is kept for it.
fn title_of_text(app: &App) -> (String, String) {
    let Some(document) = app.query() else { return Default::default() };
    if let Some([_, other]) = against(app) {
        let member = app.groups.selected_member();
        let shared = member.and_then(|it| it.shared);
        let shared = shared.map_or_else(String::new, |it| format!(", {} shared", share_of(it)));
        let bits = member.map_or(0, |it| u64::from(it.distance));
        let apart = format!("{} apart{shared}", counted(bits, "bit"));
        return (format!("against {}", app.shown_id(other)), apart);
    }
    let tokens = app.analysis.settings.recipe.features.tokens_name();
    let n_tokens = app.analysis.record(document).map_or(0, |it| u64::from(it.n_tokens));
    let place = app.analysis.corpus.place(document);
    let place = visible(place.rsplit('/').next().unwrap_or_default()).into_owned();
    (app.shown_id(document), format!("{} {tokens}, {place}", grouped(n_tokens)))
}

fn of_groups(app: &App) -> List<'_> {
    let size = move |group: u32| {
        let listing = app.groups.listing.as_ref();
        listing.map_or(0, |listing| listing.groups.documents(group).len() as u64)
    };
    let mut columns = vec![
        Column::words("  group", None, move |row| name_in_groups(app, row)),
        Column::number("texts", 7, 0, move |row| match app.groups.row(row) {
            Some(GroupRow::Group(group)) => (grouped(size(group)), Tone::Text).into(),
            Some(GroupRow::Member(_, it)) if it.other != it.document => {
                (counted(it.distance.into(), "bit"), Tone::Muted).into()
            }
            _ => Tinted::default(),
        }),
        Column::words(" bits apart, from 0", BITS, move |row| match app.groups.row(row) {
            Some(GroupRow::Group(group)) => bars(app, group),
            Some(GroupRow::Member(_, it)) => bits(app, it),
            None => "".into(),
        })
        .ranked(2),
    ];
    columns.extend(page::listed(rows::members(), 0, move |row| {
        let GroupRow::Member(group, member) = app.groups.row(row)? else { return None };
        (member.fate != Fate::Kept).then_some((app, (group, *member)))
    }));
    columns.push(Column::number("go", 8, 0, move |row| match app.groups.row(row) {
        Some(GroupRow::Group(group)) => goes(app, group),
        Some(GroupRow::Member(_, it)) => fate(app, it),
        None => Tinted::default(),
    }));
    List::new(columns, app.groups.n_rows(), app.groups.cursor)
}

/// The name of a group's kept text behind the sign that it is open, or of one of its texts, those that go farther in.
fn name_in_groups(app: &App, row: usize) -> Cell {
    let Some(at) = app.groups.row(row) else { return "".into() };
    let [closed, open, branch] = sign::TREE;
    let before = match at {
        GroupRow::Group(group) if app.groups.opened.contains_key(&group) => format!("{open} "),
        GroupRow::Group(_) => format!("{closed} "),
        GroupRow::Member(_, it) if it.fate == Fate::Goes => format!("    {branch} "),
        GroupRow::Member(..) => " ".repeat(4),
    };
    let document = app.groups.document(at);
    document.map_or_else(|| "".into(), |document| Cell::Name(before, document))
}

/// A bar for each distance to the kept text, that grows with the logarithm of the number of texts there.
fn bars(app: &App, group: u32) -> Cell {
    let Some(known) = app.groups.summaries.get(&group) else { return (" ..", Tone::Muted).into() };
    let mut at: Vec<u64> = known.at.iter().take(BARS).copied().collect();
    if let Some(last) = at.last_mut() {
        *last += known.at.iter().skip(BARS).sum::<u64>();
    }
    let bar = |n: u64| match n {
        0 => ' ',
        n => sign::EIGHTHS[(2 * n.ilog2() as usize + 2).min(7)],
    };
    let bars: String = at.into_iter().map(bar).collect();
    (format!(" {bars}"), Tone::Muted).into()
}

/// The bits of a text, pale where they are those of the text kept for it.
fn bits(app: &App, member: &Member) -> Cell {
    let Some(print) = app.analysis.fingerprint(member.document) else { return "".into() };
    let other = (member.other != member.document && member.fate != Fate::Kept)
        .then(|| app.analysis.fingerprint(member.other))
        .flatten();
    Cell::Bits(print, other)
}

/// The number of texts of a group that go, and a sign that one is spared.
fn goes(app: &App, group: u32) -> Tinted {
    let Some(known) = app.groups.summaries.get(&group) else {
        return ("..", Tone::Muted).into();
    };
    let spared = if known.has_spared { "! " } else { "" };
    let number = match known.goes {
        None => ("..".to_owned(), Tone::Muted),
        Some(0) => ("0".to_owned(), Tone::Muted),
        Some(n) => (grouped(n), Tone::Strong),
    };
    Tinted(vec![(spared.to_owned(), Tone::Warn), number])
}

/// The decision on a text; `*` for a decision by hand.
fn fate(app: &App, member: &Member) -> Tinted {
    let marks = &app.review.rule.marks;
    let in_pair = || marks.not_duplicates.iter().flatten().any(|it| *it == member.document);
    let by_hand = marks.get(member.document).is_some() || in_pair();
    let (word, tone) = match member.fate {
        Fate::Unknown => ("..", Tone::Muted),
        Fate::Kept => ("keep", Tone::Good),
        Fate::Spared => ("spared", Tone::Warn),
        Fate::Goes => ("goes", Tone::Text),
    };
    (format!("{word}{}", if by_hand { "*" } else { "" }), tone).into()
}

fn all(app: &App) -> List<'_> {
    let arrangement = app.docs.list.arrangement();
    let downward =
        matches!(arrangement.order, ListOrder::Near | ListOrder::Words) != arrangement.reversed;
    let arrow = if downward { sign::MORE } else { sign::DIFFERS };
    let sorted = |order: ListOrder, name: &str| {
        if arrangement.order == order { format!("{name}{arrow}") } else { name.to_owned() }
    };
    let tokens = app.analysis.settings.recipe.features.tokens_short();
    let document = move |row| app.docs.document(row);
    let numbers = page::listed(rows::documents(app), 0, move |row| Some((app, document(row)?)));
    let mut numbers = numbers.map(|mut column| {
        let orders = [
            ("#", ListOrder::Corpus),
            (tokens, ListOrder::Words),
            ("near", ListOrder::Near),
            ("group", ListOrder::Group),
        ];
        let (cell, title) = (column.cell, column.title.clone());
        column.cell = Box::new(move |row| match cell(row) {
            Cell::Words(Tinted(text))
                if title == "#" || title == "near" && text.iter().all(|(text, _)| text == "0") =>
            {
                Cell::Words(Tinted(text.into_iter().map(|(it, _)| (it, Tone::Muted)).collect()))
            }
            other => other,
        });
        if let Some((title, order)) = orders.into_iter().find(|(title, _)| column.title == *title) {
            column.title = sorted(order, title);
            column.target = Some(ClickTarget::Order(order));
        }
        column
    });
    let mut columns: Vec<Column<'_>> = numbers.next().into_iter().collect();
    columns.push(
        Column::words(&sorted(ListOrder::Id, "  text"), None, move |row| {
            document(row).map_or_else(|| "".into(), |it| Cell::Name("  ".to_owned(), it))
        })
        .on_click(ClickTarget::Order(ListOrder::Id)),
    );
    columns.extend(of_fields(app, &sorted));
    if app.has_reference() {
        columns.push(Column::words(" source", 7, move |row| {
            let is_reference = document(row).is_some_and(|it| app.analysis.corpus.is_reference(it));
            if is_reference { " ref" } else { "" }
        }));
    }
    let marked = |it: DocId| marks(app, it);
    columns.extend(numbers);
    columns.extend([
        Column::number("mark", 6, 2, move |row| document(row).map(|it| (marked(it), Tone::Muted))),
        Column::words("  bits", BITS, move |row| bits_of(app, document(row))).ranked(1),
    ]);
    let none = match (app.analysis.is_empty(), app.running.is_some()) {
        (true, true) => "reading ..".to_owned(),
        (true, false) => "reading was stopped before the first document; q leaves".to_owned(),
        _ if app.docs.rows.is_running() => "searching ..".to_owned(),
        _ => app.why_none_passes(),
    };
    List { none, ..List::new(columns, app.docs.len(), app.docs.cursor) }
}

/// The columns of the chosen fields.
fn of_fields<'a>(app: &'a App, sorted: &dyn Fn(ListOrder, &str) -> String) -> Vec<Column<'a>> {
    let fields = &app.docs.fields;
    let column = |(at, name): (usize, &String)| {
        let title = format!(" {}", visible(name));
        let title = if at == 0 { sorted(ListOrder::Fields, &title) } else { title };
        Column::words(&title, FIELD, move |row| {
            let Some(it) = app.docs.document(row) else { return String::new() };
            match fields.value(it, at) {
                Some(value) => format!(" {}", visible(value)),
                None if fields.is_known(it) => format!(" {}", sign::NONE),
                None => " ..".to_owned(),
            }
        })
    };
    fields.names.iter().enumerate().map(column).collect()
}

/// The bits of a document, or why it has none.
fn bits_of(app: &App, document: Option<DocId>) -> Cell {
    let Some(it) = document else { return "".into() };
    match (app.analysis.record(it), app.analysis.fingerprint(it)) {
        (_, Some(print)) => Cell::Bits(print, None),
        (None, _) => "".into(),
        (Some(record), _) if record.unreadable => (" unreadable, see !", Tone::Warn).into(),
        _ => (" no features", Tone::Muted).into(),
    }
}

/// A letter for each mark of a document, after the sign of documents with its fingerprint.
fn marks(app: &App, document: DocId) -> String {
    let marks = [
        (Mark::Short, 's'),
        (Mark::Tied, 't'),
        (Mark::Dominated, 'd'),
        (Mark::Boilerplate, 'b'),
        (Mark::Lossy, '?'),
    ];
    let letters = marks.iter().filter(|(mark, _)| has(&app.analysis, document, *mark));
    let sign = |is_equal| if is_equal { sign::EQUAL_TEXT } else { sign::EQUAL_PRINT };
    let twin = app.analysis.has_equal_text(document).map(sign);
    twin.into_iter().chain(letters.map(|(_, letter)| *letter)).collect()
}

// The numbers.

/// The near-duplicates of the selected document, explained.
fn near(app: &App) -> Option<ExplainedNumber> {
    let (document, k) = (app.query()?, app.analysis.settings.k);
    app.analysis.index.as_ref()?.entry_of(document)?;
    let all = u64::from(app.analysis.near_count(document)?);
    let copies = app.analysis.near_copies(document) as u64;
    let [copies, others, all] = [copies, all - copies, all].map(grouped);
    Some(ExplainedNumber::new("near", &all).explained(
        format!("{copies} with an equal fingerprint + {others} at 1 <= d <= k = {k}: {all}"),
        "Other documents that count as its near-duplicates.",
    ))
}

/// The number of documents that the review drops, explained.
fn drops(app: &App) -> Option<ExplainedNumber> {
    let decisions = app.decisions()?;
    let n = grouped(decisions.dropped.len() as u64);
    let reasons = [Reason::EqualText, Reason::EqualFingerprint, Reason::Near];
    let [text, print, near] = reasons.map(|reason| grouped(decisions.count(reason)));
    let spared = match decisions.spared.len() as u64 {
        0 => String::new(),
        n => format!(
            "; {} more are near, and spared: the kept one has less than half of their text",
            grouped(n)
        ),
    };
    Some(ExplainedNumber::new("can go", &n).explained(
        format!(
            "{text} with the text of the one kept for them + {print} with its fingerprint + {near} near it = {n}{spared}"
        ),
        "Each of them has a kept document within k. w writes the list and the corpus without them.",
    ))
}
