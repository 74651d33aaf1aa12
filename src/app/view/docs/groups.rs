//! The groups of the Docs view: what is asked for, the texts of a group with what goes for each kept one, and moving
//! among them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::analysis::Analysis;
use crate::analysis::dedup::Dropped;
use crate::analysis::grouping::GroupListing;
use crate::app::screen::docs::Listed;
use crate::app::screen::groups::{Chosen, Fate, GroupRow, GroupSummary, Member, PARTS};
use crate::app::view::go::select_document;
use crate::app::{App, Screen, want};
use crate::id::DocId;
use crate::index::{Groups as Grouping, Linkage};

/// Up to this many documents it is decided without being asked what can go, which takes some seconds at most.
const DECIDED: usize = 200_000;
/// The most summaries to keep. Beyond this number they are forgotten, and made again when they are shown.
const MOST: usize = 1 << 12;

impl App {
    /// Whether the Docs view lists groups, not all texts.
    pub fn lists_groups(&self) -> bool {
        self.docs.listed == Listed::Groups && !self.groups.is_empty()
    }
}

/// Asks for missing groups of complete linkage, or without pairs that are marked as no duplicates. It asks from any
/// screen, because the row below the tabs tells of these groups, too.
pub(in crate::app) fn link(app: &mut App) {
    match app.wanted_groups() {
        None => {
            app.groups.linked.forget();
            if let Some(groups) = app.analysis.groups.clone() {
                show(app, groups, Linkage::Single);
            }
        }
        Some(wanted) if app.analysis.is_complete() => _ = want(app, wanted),
        Some(_) => {}
    }
}

/// Whether it is decided what can go: always if there are few documents, else on Tune or after a key that needs it.
pub(in crate::app) fn tells_what_can_go(app: &App) -> bool {
    app.groups.is_asked || app.screen == Screen::Tune || app.analysis.len() <= DECIDED
}

/// Shows groups, unless they are already shown. The selected document stays selected, and groups stay open; what the
/// groups lack of these comes back with groups that have it, unless the user has chosen anew. The pair that is compared
/// stays in any case.
fn show(app: &mut App, groups: Arc<Grouping>, linkage: Linkage) {
    let shown = app.groups.listing.as_ref();
    if shown.is_some_and(|listing| Arc::ptr_eq(&listing.groups, &groups)) {
        return;
    }
    let is_first = shown.is_none();
    let query = app.query().filter(|_| app.screen.is_of_a_pair());
    let present = chosen(app);
    let chosen = match app.groups.chosen.take() {
        Some([chosen, left]) if left == present => chosen,
        _ => present,
    };
    let k = app.analysis.settings.k;
    app.groups.listing = Some(GroupListing { groups, k, linkage });
    app.groups.opened.clear();
    app.groups.summaries.clear();
    app.groups.made_of = None;
    app.docs.listed = chosen.listed.0;
    let group_of = |listing: &GroupListing| {
        chosen.opened.iter().filter_map(|it| listing.groups.group_of(*it)).collect()
    };
    let opened: Vec<u32> = app.groups.listing.as_ref().map_or_else(Vec::new, group_of);
    for group in opened {
        open(app, group);
    }
    if is_first {
        open_few(app);
    }
    let n_rows = app.groups.n_rows();
    app.groups.cursor.select(app.groups.cursor.selected, n_rows);
    select_again(app, chosen.row);
    if let Some(document) = query.filter(|it| app.query() != Some(*it)) {
        select_document(app, document);
    }
    let left = self::chosen(app);
    app.groups.chosen = Some([if is_first { left.clone() } else { chosen }, left]);
}

/// The choices of the user. A text that was selected before there were groups counts, too.
fn chosen(app: &App) -> Chosen {
    let groups = &app.groups;
    let row = match &groups.listing {
        None => app.docs.selected().filter(|_| app.docs.cursor.selected > 0).map(|it| (it, false)),
        Some(_) => selection(app).filter(|_| groups.cursor.selected > 0),
    };
    let opened = groups.opened.keys().filter_map(|it| first_of(app, *it)).collect();
    Chosen { listed: (app.docs.listed, app.docs.selected()), row, opened }
}

fn first_of(app: &App, group: u32) -> Option<DocId> {
    Some(app.groups.listing.as_ref()?.groups.representative(group))
}

/// The selected text of a group, or the first one of a group whose own row is selected: then true.
fn selection(app: &App) -> Option<(DocId, bool)> {
    match app.groups.selected()? {
        GroupRow::Group(group) => Some((first_of(app, group)?, true)),
        GroupRow::Member(_, it) => Some((it.document, false)),
    }
}

/// Selects a row again in rows that were made anew.
fn select_again(app: &mut App, row: Option<(DocId, bool)>) {
    let Some((document, is_group)) = row else { return };
    let listing = app.groups.listing.as_ref().filter(|_| is_group);
    match listing.and_then(|listing| listing.groups.group_of(document)) {
        Some(group) => select_group(app, group),
        None => _ = select(app, document),
    }
}

fn select_group(app: &mut App, group: u32) {
    app.groups.cursor.selected = app.groups.row_of(group);
}

/// Opens the first groups as long as all rows fit on the screen; of many groups those that leave a fifth of it to others.
fn open_few(app: &mut App) {
    for group in 0..app.groups.len() as u32 {
        let Some(listing) = app.groups.listing.as_ref() else { return };
        let n = listing.groups.documents(group).len();
        if n < usize::from(app.size.height) {
            open(app, group);
        }
        // A longer list may have more rows.
        let rows = app.docs_rows();
        let opened = app.groups.n_rows() - app.groups.len() + app.groups.opened.len();
        let fits = app.groups.n_rows() <= rows || 5 * opened <= 4 * rows;
        if !fits || !app.groups.opened.contains_key(&group) {
            app.groups.opened.remove(&group);
            return;
        }
    }
}

/// Adds the groups of the present k to the analysis.
pub(in crate::app) fn take_single(app: &mut App) {
    if let Some(groups) = app.groups.single.take() {
        app.analysis = Arc::new(Analysis { groups, ..(*app.analysis).clone() });
    }
}

/// Shows the groups of complete linkage, or without pairs that are marked as no duplicates.
pub(in crate::app) fn take_linked(app: &mut App) {
    let answered = app.groups.linked.answered();
    if let Some((linkage, Some(groups))) =
        answered.map(|(asked, groups)| (asked.linkage, groups.clone()))
    {
        show(app, groups, linkage);
    }
}

/// Goes back to single linkage if complete linkage takes too much work.
pub(in crate::app) fn leave_complete(app: &mut App, problem: &str) {
    app.say(problem);
    app.groups.linkage = Linkage::Single;
    // This is no choice of the user, so nothing is to be undone.
    app.history.present.linkage = Linkage::Single;
}

/// Makes the texts and summaries again when the groups or the decisions on them are others, and the summaries that
/// the shown rows lack.
pub(super) fn refresh(app: &mut App) {
    let Some(groups) = app.groups.listing.as_ref().map(|it| Arc::clone(&it.groups)) else { return };
    let decided = app.decisions().and_then(|_| app.review.decisions.number());
    let made_of = Some((Arc::as_ptr(&groups) as usize, decided));
    if app.groups.made_of != made_of || app.groups.summaries.len() > MOST {
        let selected = selection(app);
        app.groups.made_of = made_of;
        app.groups.summaries.clear();
        app.groups.along = along(app);
        let opened: Vec<u32> = app.groups.opened.keys().copied().collect();
        app.groups.opened = opened.into_iter().map(|group| (group, members(app, group))).collect();
        select_again(app, selected);
        let (n_rows, height) = (app.groups.n_rows(), app.docs_rows());
        app.groups.cursor.fit(n_rows, height);
    }
    let rows = app.groups.cursor.window(app.groups.n_rows(), app.docs_rows());
    for row in rows {
        if let Some(GroupRow::Group(group)) = app.groups.row(row)
            && !app.groups.summaries.contains_key(&group)
        {
            let summary = summary(app, &groups, group);
            app.groups.summaries.insert(group, summary);
        }
    }
}

/// The number of texts that go in each part of the corpus. Costs the texts that go.
fn along(app: &App) -> Vec<u32> {
    let Some(decisions) = app.decisions() else { return Vec::new() };
    let mut parts = vec![0; PARTS];
    for one in &decisions.dropped {
        parts[one.document.index() * PARTS / app.analysis.len().max(1)] += 1;
    }
    parts
}

/// The texts of a group: each kept one, and below it those that go for it, the doubtful first. Costs O(n log n) for n
/// texts.
pub(in crate::app) fn members(app: &App, group: u32) -> Vec<Member> {
    let Some(listing) = &app.groups.listing else { return Vec::new() };
    let documents = listing.groups.documents(group);
    let first = first_kept(app, documents);
    let distance = |document: DocId, other: DocId| {
        let [one, other] = [document, other].map(|it| app.analysis.fingerprint(it));
        one.zip(other).map_or(0, |(one, other)| one.distance(other))
    };
    let alone = |document: DocId, fate: Fate| Member {
        document,
        fate,
        other: first,
        distance: distance(document, first),
        shared: None,
    };
    let Some(decisions) = app.decisions() else {
        return documents.iter().map(|&it| alone(it, Fate::Unknown)).collect();
    };
    let of = |one: &Dropped, fate: Fate| Member {
        document: one.document,
        fate,
        other: one.kept,
        distance: one.distance,
        shared: one.known_share(),
    };
    let spared: BTreeMap<DocId, Member> =
        app.spared_in(group).map(|one| (one.document, of(one, Fate::Spared))).collect();
    let mut for_it: BTreeMap<DocId, Vec<Member>> = BTreeMap::new();
    for one in documents.iter().filter_map(|&it| decisions.of(it)) {
        for_it.entry(one.kept).or_default().push(of(one, Fate::Goes));
    }
    let mut rows = Vec::with_capacity(documents.len());
    for &document in documents.iter().filter(|&&it| decisions.is_kept(it)) {
        let kept = spared.get(&document).copied();
        rows.push(kept.unwrap_or_else(|| alone(document, Fate::Kept)));
        let mut goes = for_it.remove(&document).unwrap_or_default();
        let share = |it: &Member| it.shared.unwrap_or(0.0);
        goes.sort_by(|a, b| share(a).total_cmp(&share(b)).then(b.distance.cmp(&a.distance)));
        rows.append(&mut goes);
    }
    // What goes for a text of no group, such as equal texts without words.
    rows.extend(for_it.into_values().flatten());
    rows
}

/// The first kept text of a group; before it is decided the first one.
fn first_kept(app: &App, documents: &[DocId]) -> DocId {
    let decisions = app.decisions();
    let kept = |it: &&DocId| decisions.is_some_and(|decisions| decisions.is_kept(**it));
    *documents.iter().find(kept).unwrap_or(&documents[0])
}

/// The content of the row of a group. Costs its texts.
fn summary(app: &App, groups: &Grouping, group: u32) -> GroupSummary {
    let documents = groups.documents(group);
    let (first, decisions) = (first_kept(app, documents), app.decisions());
    let print = app.analysis.fingerprint(first);
    let mut at = Vec::new();
    for &document in documents.iter().filter(|&&it| it != first) {
        let Some((one, other)) = app.analysis.fingerprint(document).zip(print) else { continue };
        let distance = one.distance(other) as usize;
        at.resize(at.len().max(distance + 1), 0);
        at[distance] += 1;
    }
    let goes = decisions
        .map(|decisions| documents.iter().filter(|&&it| !decisions.is_kept(it)).count() as u64);
    GroupSummary { at, goes, first, has_spared: app.spared_in(group).next().is_some() }
}

/// The notice after a key that needs a group.
pub(in crate::app) fn no_group(app: &App) -> String {
    if app.groups.listing.is_some() {
        format!("no group is listed at k={}", app.settings.k)
    } else {
        "the groups are still to come".to_owned()
    }
}

/// Selects a document in its group, which is opened if the document is not its first; false if it is in no group.
pub(in crate::app) fn select(app: &mut App, document: DocId) -> bool {
    if !app.groups.select(document) {
        return false;
    }
    if app.query() != Some(document) && open_selected(app) {
        app.groups.select(document);
    }
    app.query() == Some(document)
}

fn open(app: &mut App, group: u32) {
    let members = members(app, group);
    if !members.is_empty() {
        app.groups.opened.insert(group, members);
    }
}

/// Opens the selected group; false if it is open or a text is selected.
pub(super) fn open_selected(app: &mut App) -> bool {
    app.groups.is_asked = true;
    match app.groups.selected() {
        Some(GroupRow::Group(group)) if !app.groups.opened.contains_key(&group) => {
            open(app, group);
            true
        }
        _ => false,
    }
}

/// Closes the selected group, or that of the selected text, and selects it; false if it is closed.
pub(super) fn close_selected(app: &mut App) -> bool {
    let Some(group) = app.groups.group() else { return false };
    let was_open = app.groups.opened.remove(&group).is_some();
    select_group(app, group);
    was_open
}

/// Opens the next group with a text that is near a kept one and stays, and selects that text.
pub(super) fn next_spared(app: &mut App, step: isize) {
    let Some((decisions, listing)) = app.decisions().zip(app.groups.listing.as_ref()) else {
        return app.say("still deciding what to drop; press the key again in a moment");
    };
    let place = |one: &Dropped| Some((listing.groups.group_of(one.document)?, one.document));
    let mut places: Vec<(u32, DocId)> = decisions.spared.iter().filter_map(place).collect();
    places.sort_unstable();
    let here = app.groups.group().unwrap_or(0);
    let document = app.groups.selected_member().map(|it| it.document);
    let from = |place: &(u32, DocId)| (place.0, Some(place.1)).cmp(&(here, document));
    let next = if step > 0 {
        places.iter().find(|it| from(it).is_gt()).or(places.first())
    } else {
        places.iter().rev().find(|it| from(it).is_lt()).or(places.last())
    };
    let Some(&(group, document)) = next else {
        return app
            .say("no text is spared: each one near a kept one shares at least half its text");
    };
    if !app.groups.opened.contains_key(&group) {
        open(app, group);
    }
    app.groups.select(document);
}
