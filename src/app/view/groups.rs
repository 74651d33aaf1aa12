//! The Groups view: coming and going, moving, folding, and what it asks for.

use std::sync::Arc;

use super::{
    contract::View,
    docs::UNASKED,
    go::{prompt, select_document},
    listed, preview, review,
};
use crate::{
    analysis::{Analysis, dedup::Reason, grouping::GroupListing},
    app::{
        App, Effect, Screen,
        ask::{ask, want},
        cursor::Cursor,
        keymap::Action,
        overlay::Purpose,
        query::{self, DerivedInput},
        screen::{groups::GroupsPane, tree::GroupTree},
    },
    choice::cycled,
    facts::ExplainedNumber,
    id::DocId,
    index::{Groups as Grouping, Linkage},
    number::{counted, grouped},
};

/// The most shapes in one request beside that of the selected group, which comes first.
const AT_ONCE: usize = 16;

/// The Groups view.
pub(in crate::app) struct GroupsView;

impl View for GroupsView {
    fn act(&self, app: &mut App, action: Action, effects: &mut Vec<Effect>) -> bool {
        match action {
            Action::Enter | Action::Sideways(_) | Action::FindNext(_) if app.groups.is_empty() => {
                app.say(no_group(app))
            }
            Action::Enter => enter(app),
            Action::Sideways(step) => sideways(app, step),
            Action::FindNext(step) => find_chain(app, step, effects),
            Action::TypePolicy => prompt(app, Purpose::Policy, String::new()),
            Action::Write => prompt(app, Purpose::Export, String::new()),
            Action::Mark => review::toggle(app),
            Action::NoDuplicates => review::not_duplicates(app),
            Action::Policy => review::next_policy(app),
            Action::Linkage if app.has_reference() => {
                let why = "complete linkage compares every two documents of a group, and with a reference only documents of different sides \
                    are compared";
                app.say(why);
            }
            Action::Linkage => app.groups.linkage = cycled(Linkage::ALL, app.groups.linkage, 1),
            Action::Scroll(rows) => {
                let height = app.groups_layout().text.rows();
                preview::scroll(app, rows, height);
            }
            _ => return false,
        }
        true
    }

    fn step(&self, app: &mut App, rows: isize, _: &mut Vec<Effect>) {
        step(app, rows);
    }

    fn leap(&self, app: &mut App) -> usize {
        let layout = app.groups_layout();
        match app.groups.pane {
            GroupsPane::List => layout.rows(),
            GroupsPane::Tree => layout.tree_rows(),
        }
    }

    fn back(&self, app: &mut App) -> bool {
        std::mem::replace(&mut app.groups.pane, GroupsPane::List) == GroupsPane::Tree
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        app.query().into_iter().collect()
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        let groups = app.groups.listing.as_ref().map(|listing| &listing.groups);
        let (n, height) = (app.groups.len(), app.groups_layout().rows());
        let rows = app.rows_to_know(app.groups.cursor, n, height);
        let first = |group: usize| Some(groups?.representative(group as u32));
        rows.filter_map(first).chain(members(app)).collect()
    }

    fn refresh(&self, app: &mut App, effects: &mut Vec<Effect>) {
        if app.groups.is_open {
            ask_shapes(app, effects);
            weigh(app, effects);
        }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let Some(shape) = app.groups.shape() else { return Vec::new() };
        let (k, n, farthest) = (shape.k, shape.documents, shape.farthest);
        let (covered, by_medoid) = (shape.covered, shape.covered_by_medoid);
        let least = if farthest.is_exact { "" } else { "at least " };
        let diameter = format!("{least}{}", farthest.distance);
        let mut numbers = vec![
            ExplainedNumber::new("diameter", &diameter).explained(
                format!("the largest distance of any two of its fingerprints: {diameter}"),
                "If it is above k the group is a chain: two of its documents are not near each other.",
            ),
            ExplainedNumber::new("covered", covered.to_string()).explained(
                format!("members within k = {k} of the representative: {covered} of {n}"),
                "If only the representative is kept, these members have a near-duplicate left and the others do not.",
            ),
            ExplainedNumber::new("covered by medoid", by_medoid.to_string()).explained(
                format!("members within k = {k} of the one nearest to all: {by_medoid} of {n}"),
                "If this number is larger, keep the medoid instead of the representative; another member may be better still.",
            ),
        ];
        if let Some(weakest) = shape.weakest {
            let parts: Vec<String> = shape.cut.iter().take(5).map(u32::to_string).collect();
            let (parts, more) = (parts.join(" + "), if shape.cut.len() > 5 { " + .." } else { "" });
            let (smaller, n) = (weakest.saturating_sub(1), counted(n.into(), "document"));
            numbers.push(ExplainedNumber::new("weakest", weakest.to_string()).explained(
                format!(
                    "the longest link of the tree: {weakest}; k = {smaller} splits the {n} into {parts}{more}"
                ),
                "The tree connects the group by the shortest possible links; a k smaller than this one cuts it.",
            ));
        }
        numbers.extend(drops(app));
        numbers
    }
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
    Some(ExplainedNumber::new("drops", &n).explained(
        format!(
            "{text} with the text of the one kept for them + {print} with its fingerprint + {near} near it = {n}{spared}"
        ),
        "Each of them has a kept document within k. w writes the list and the corpus without them.",
    ))
}

/// The shown members of the group.
fn members(app: &App) -> Vec<DocId> {
    let Some(tree) = &app.groups.tree else { return Vec::new() };
    let rows = tree.cursor.window(tree.len(), app.groups_layout().tree_rows());
    rows.filter_map(|row| Some(tree.document_of(tree.row(row)?))).collect()
}

/// Asks for the similarity of the shown members to the first.
fn weigh(app: &mut App, effects: &mut Vec<Effect>) {
    let Some(first) = app.groups.tree.as_ref().map(GroupTree::first) else { return };
    let others: Vec<DocId> = members(app).into_iter().filter(|&it| it != first).collect();
    listed::weigh(app, first, &others, effects);
}

/// Brings the selected document to this screen, and the document under the cursor back to the next screen.
pub(in crate::app) fn open_or_leave(app: &mut App) {
    let shows = app.screen == Screen::Groups;
    if !matches!(app.screen, Screen::Groups | Screen::Near | Screen::Tables) {
        app.groups.is_awaited = false;
    }
    if shows && !app.groups.is_open {
        app.groups.is_open = true;
        app.groups.pane = GroupsPane::List;
        app.groups.document = chosen(app);
        app.groups.cursor = Cursor::default();
        let layout = app.groups_layout();
        app.groups.find(layout.rows());
        app.groups.tree = None;
        app.groups.grow(layout.tree_rows());
        if std::mem::take(&mut app.groups.is_awaited) && app.groups.is_on_document() {
            app.groups.pane = GroupsPane::Tree;
        }
    } else if !shows && app.groups.is_open {
        app.groups.is_open = false;
        // The screens of a pair are about the row under the cursor, even if no key has moved the cursor.
        let is_of_a_pair = matches!(app.screen, Screen::Near | Screen::Tables);
        let under_cursor = app.groups.under_cursor().filter(|_| is_of_a_pair);
        let document = under_cursor.or(app.groups.document);
        if let Some(document) = document.filter(|_| app.docs.selected() != document) {
            select_document(app, document);
        }
    }
    if !shows {
        app.groups.entered_from = app.screen;
    }
}

/// The document from which this screen is entered. It is not the first row of an untouched list: then the largest
/// group comes first.
fn chosen(app: &App) -> Option<DocId> {
    let is_about_one = matches!(app.groups.entered_from, Screen::Near | Screen::Tables);
    let is_untouched = app.docs.cursor.selected == 0 && app.docs.arrangement().is_plain();
    let selected = app.docs.selected();
    selected.filter(|_| is_about_one || !is_untouched || app.groups.document == selected)
}

/// Asks for missing groups of complete linkage, or without pairs that are marked as no duplicates. It asks from any
/// screen, because Docs and the status row show these groups, too. Groups of single linkage of all pairs are asked for
/// with the column of the Docs screen.
pub(in crate::app) fn link(app: &mut App, effects: &mut Vec<Effect>) {
    let is_open = tells_what_can_go(app);
    match app.wanted_groups() {
        None => {
            app.groups.linked.forget();
            if let Some(groups) = app.analysis.groups.as_ref().filter(|_| is_open) {
                show(app, Arc::clone(groups), Linkage::Single);
            }
        }
        Some(wanted) if app.analysis.is_complete() => _ = want(app, wanted, effects),
        Some(_) => {}
    }
}

/// Whether the row below the tabs tells what can go: always if there are few documents, else on Groups and on Tune.
pub(in crate::app) fn tells_what_can_go(app: &App) -> bool {
    app.groups.is_open || app.screen == Screen::Tune || app.analysis.len() <= UNASKED
}

/// Shows groups, unless they are already shown.
fn show(app: &mut App, groups: Arc<Grouping>, linkage: Linkage) {
    let shown = app.groups.listing.as_ref();
    if shown.is_some_and(|listing| Arc::ptr_eq(&listing.groups, &groups)) {
        return;
    }
    let Some(index) = app.analysis.index.clone() else { return };
    let layout = app.groups_layout();
    app.groups.asked_shapes.forget();
    app.groups.chain.forget();
    let listing = GroupListing { groups, index, k: app.analysis.settings.k, linkage };
    app.groups.show(listing, layout.rows(), layout.tree_rows());
}

/// Adds the groups of the present k to the analysis.
pub(super) fn take_single(app: &mut App) {
    if let Some(groups) = app.groups.single.take() {
        app.analysis = Arc::new(Analysis { groups, ..(*app.analysis).clone() });
    }
}

/// Shows the groups of complete linkage, or without pairs that are marked as no duplicates.
pub(super) fn take_linked(app: &mut App) {
    let answered = app.groups.linked.answered();
    let Some((linkage, groups)) = answered.map(|(asked, groups)| (asked.linkage, groups.clone()))
    else {
        return;
    };
    if let Some(groups) = groups {
        show(app, groups, linkage);
    }
}

/// Goes back to single linkage if complete linkage takes too much work.
pub(super) fn leave_complete(app: &mut App, problem: &str) {
    app.say(problem);
    app.groups.linkage = Linkage::Single;
    // This is no choice of the user, so nothing is to be undone.
    app.history.present.linkage = Linkage::Single;
}

/// Takes the shapes of groups.
pub(super) fn take_shapes(app: &mut App) {
    let tree = app.groups_layout().tree_rows();
    if let Some(shapes) = app.groups.asked_shapes.take() {
        // All shapes are needed while they are written to a file.
        if app.exporting.is_none() {
            app.groups.forget_many_shapes();
        }
        app.groups.learn(shapes, tree);
    }
}

/// Asks for the shape of the selected group, then for the shapes of the shown groups.
fn ask_shapes(app: &mut App, effects: &mut Vec<Effect>) {
    let (Some(listing), Some(selected)) = (app.groups.listing.clone(), app.groups.selected())
    else {
        return;
    };
    let missing = |group: &u32| !app.groups.shapes.contains_key(group);
    let wanted: Vec<u32> = if missing(&selected) {
        vec![selected]
    } else {
        let (n, height) = (app.groups.len(), app.groups_layout().rows());
        let rows = app.rows_to_know(app.groups.cursor, n, height);
        rows.map(|group| group as u32).filter(missing).take(AT_ONCE).collect()
    };
    if !wanted.is_empty() && !app.groups.asked_shapes.runs(|asked| asked.wanted == wanted) {
        ask(app, query::Shapes { listing: DerivedInput(listing), wanted }, effects);
    }
}

/// Goes into the selected group; from a member, to its near-duplicates.
fn enter(app: &mut App) {
    match app.groups.pane {
        GroupsPane::List => into_tree(app),
        GroupsPane::Tree => {
            app.screen = Screen::Near;
            app.groups.is_awaited = true;
        }
    }
}

/// Goes to the members, and selects the chosen document or the first.
fn into_tree(app: &mut App) {
    app.groups.pane = GroupsPane::Tree;
    let held = |document| app.groups.tree.as_ref().is_some_and(|tree| tree.holds(document));
    if !app.groups.document.is_some_and(held) {
        let layout = app.groups_layout();
        app.groups.step(0, layout.rows(), layout.tree_rows());
    }
    fit(app);
}

/// Folds and unfolds, and changes between list and tree.
fn sideways(app: &mut App, step: isize) {
    let height = app.groups_layout().tree_rows();
    match (app.groups.pane, &mut app.groups.tree) {
        (GroupsPane::List, _) if step > 0 => into_tree(app),
        (GroupsPane::Tree, Some(tree)) if step > 0 => {
            if !tree.unfold(height) {
                app.say("nothing is folded here");
            }
        }
        (GroupsPane::Tree, Some(tree)) => {
            if tree.fold(height) {
                app.groups.step_member(0, height);
            } else {
                app.groups.pane = GroupsPane::List;
            }
        }
        (GroupsPane::List, _) => app.say(FARTHEST_LEFT),
        (GroupsPane::Tree, None) => app.groups.pane = GroupsPane::List,
    }
}

/// The notice after `h` in the list, which has nothing to its left.
const FARTHEST_LEFT: &str = "the list is the part farthest left; l goes to the members";

/// The notice after a key that needs a group.
pub(super) fn no_group(app: &App) -> String {
    if app.groups.listing.is_some() {
        format!("no group is listed at k={}", app.settings.k)
    } else {
        "the groups are still to come".to_owned()
    }
}

/// Looks for the next group that is a chain.
fn find_chain(app: &mut App, step: isize, effects: &mut Vec<Effect>) {
    if let Some(listing) = app.groups.listing.clone() {
        let from = app.groups.cursor.selected;
        ask(app, query::Chain { listing: DerivedInput(listing), from, step }, effects);
    }
}

/// Selects the found chain.
pub(super) fn go_to_chain(app: &mut App) {
    let Some(group) = app.groups.chain.take().flatten() else {
        let k = app.analysis.settings.k;
        return app.say(format!("no chain: every two documents of a group are within k={k}"));
    };
    let layout = app.groups_layout();
    let rows = group as isize - app.groups.cursor.selected as isize;
    app.groups.step(rows, layout.rows(), layout.tree_rows());
}

/// Moves the selection of the list or of the tree.
fn step(app: &mut App, rows: isize) {
    if app.groups.is_empty() {
        return app.say(no_group(app));
    }
    let layout = app.groups_layout();
    match app.groups.pane {
        GroupsPane::List => app.groups.step(rows, layout.rows(), layout.tree_rows()),
        GroupsPane::Tree => app.groups.step_member(rows, layout.tree_rows()),
    }
}

/// Fits both cursors to the size of the screen.
pub(in crate::app) fn fit(app: &mut App) {
    let layout = app.groups_layout();
    app.groups.cursor.fit(app.groups.len(), layout.rows());
    if let Some(tree) = &mut app.groups.tree {
        tree.cursor.fit(tree.len(), layout.tree_rows());
    }
}
