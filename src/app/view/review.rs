//! The keys of the review of groups, and its queries.

use std::path::PathBuf;
use std::sync::Arc;

use crate::analysis::arrangement::ListOrder;
use crate::analysis::dedup::{
    Decisions, Dropped, EarlierReview, FIRST_DEFAULT, Mark, Policy, Preference, PreferenceKind,
    ReviewSettings,
};
use crate::analysis::{KRow, Tuning};
use crate::app::ask::ask;
use crate::app::screen::Review;
use crate::app::screen::docs::MOST_COLUMNS;
use crate::app::view::docs::documents;
use crate::app::view::docs::groups::no_group;
use crate::app::view::go::ask_again;
use crate::app::{Action, App, DerivedInput, Purpose, Screen, ViewId, query, want};
use crate::id::DocId;
use crate::index::Linkage;
use crate::number::{counted, grouped, percent};
use crate::simhash::Recipe;
use crate::text::visible;

/// The policies through which a key steps; others are typed.
const POLICIES: [PreferenceKind; 5] = [
    PreferenceKind::First,
    PreferenceKind::Longest,
    PreferenceKind::Central,
    PreferenceKind::Shortest,
    PreferenceKind::Last,
];

impl App {
    /// The dropped documents, when they are decided for the shown groups.
    pub fn decisions(&self) -> Option<&Decisions> {
        let (asked, found) = self.review.decisions.answered()?;
        let listing = self.groups.listing.as_ref()?;
        let is_same = Arc::ptr_eq(&asked.listing.0.groups, &listing.groups);
        // The groups of another k stay listed until those of the present one come.
        let is_of_k = listing.k == self.settings.k;
        (is_same && is_of_k && asked.rule == self.review.rule).then_some(&**found)
    }

    /// The row of a k, at the present one with the drops of the review; rows are by single linkage.
    pub fn row_of(&self, tuning: &Tuning, k: u32) -> KRow {
        let mut row = tuning.rows[k as usize];
        if k == self.settings.k && self.groups.linkage == Linkage::Single {
            let decided = self.decisions().map(|decisions| decisions.dropped.len() as u64);
            row.dropped = decided.or(row.dropped);
        }
        row
    }

    /// The spared documents of a group: near a kept one, but with too little text in common.
    pub fn spared_in(&self, group: u32) -> impl Iterator<Item = &Dropped> {
        let groups = self.groups.listing.as_ref().map(|listing| &listing.groups);
        let is_here = move |one: &&Dropped| {
            groups.is_some_and(|groups| groups.group_of(one.document) == Some(group))
        };
        self.decisions().into_iter().flat_map(|decisions| &decisions.spared).filter(is_here)
    }

    /// Whether documents are compared with a reference only.
    pub fn has_reference(&self) -> bool {
        self.review.sources.load.n_reference > 0
    }

    /// The number of dropped documents and the policy, in words.
    pub fn review_in_words(&self) -> Option<String> {
        let decisions = self.decisions()?;
        let (n, all) = (decisions.dropped.len() as u64, self.analysis.corpus.n_first() as u64);
        let n_marks = self.review.rule.marks.len() as u64;
        let by_hand =
            if n_marks > 0 { format!(", {} by hand", grouped(n_marks)) } else { String::new() };
        let policy = if self.has_reference() {
            "the reference".to_owned()
        } else {
            visible(&self.review.rule.policy.to_string()).into_owned()
        };
        let idle = match &decisions.idle[..] {
            [] => String::new(),
            idle => format!(" ({} decides nothing)", visible(&idle.join(","))),
        };
        let alone = [(&decisions.spared, "spared"), (&decisions.unchecked, "not checked")]
            .into_iter()
            .filter(|(list, _)| !list.is_empty())
            .map(|(list, what)| format!(", {} {what}", grouped(list.len() as u64)))
            .collect::<Vec<_>>()
            .concat();
        Some(format!(
            "drops {} of {} ({}), keeps {policy}{idle}{by_hand}{alone}",
            grouped(n),
            grouped(all),
            percent(n, all),
        ))
    }
}

/// The notice after a key that needs the decisions before they are there.
const UNDECIDED: &str = "still deciding what to drop; press the key again in a moment";

/// Asks for the marks of an earlier review, when all documents are there.
pub(in crate::app) fn restore(app: &mut App) {
    let marks = app.review.restore.clone().filter(|_| app.running.is_none());
    if let Some(marks) = marks.filter(|_| app.review.restored.asked().is_none()) {
        want(app, marks);
    }
}

/// Asks which documents of the shown groups are dropped.
pub(in crate::app) fn decide(app: &mut App) {
    let k = app.analysis.settings.k;
    let Some(listing) = app.groups.listing.clone().filter(|it| it.k == k) else { return };
    // The answer must be of these same groups.
    let is_of_these =
        |asked: &query::DecisionsQuery| Arc::ptr_eq(&asked.listing.0.groups, &listing.groups);
    if app.review.decisions.asked().is_some_and(|asked| !is_of_these(asked)) {
        app.review.decisions.forget();
    }
    let query = query::DecisionsQuery {
        listing: DerivedInput(listing),
        linkage: app.groups.linkage,
        rule: app.review.rule.clone(),
        knows_texts: app.analysis.equal_texts.is_some(),
    };
    want(app, query);
}

/// Makes the next policy the one that decides the documents to keep.
pub(super) fn next_policy(app: &mut App) {
    let present = app.review.rule.policy.0.first();
    let at = present.and_then(|it| POLICIES.iter().position(|other| *other == it.kind));
    let kind = POLICIES[(at.unwrap_or(0) + 1) % POLICIES.len()];
    set_policy(app, Policy(vec![Preference { kind, ..Preference::default() }]));
}

/// Keeps the document under the cursor, on Pair the neighbour, if it would go; else lets it go.
pub(super) fn toggle(app: &mut App) {
    let Some(document) = app.marked_row() else { return };
    app.groups.is_asked = true;
    let Some(decisions) = app.decisions() else { return app.say(UNDECIDED) };
    // A text that has to go may still be kept, since no kept one is near.
    let goes =
        !decisions.is_kept(document) || app.review.rule.marks.get(document) == Some(Mark::Drop);
    let mark = if goes { Mark::Keep } else { Mark::Drop };
    if app.analysis.corpus.is_reference(document) {
        return app.say("documents of the reference are never dropped");
    }
    app.review.rule.marks.documents.insert(document, mark);
    let id = app.shown_id(document);
    let undo = app.undo_key();
    app.say(match mark {
        Mark::Keep => format!("{id} is kept; {undo} takes it back"),
        Mark::Drop => {
            format!("{id} goes if a kept text within k may stay for it; {undo} takes it back")
        }
    });
}

/// Marks two documents as no duplicates, or takes that back: in Pair the query and the selected neighbour, in Groups
/// the document under the cursor and the document that is kept for it.
pub(super) fn not_duplicates(app: &mut App) {
    let pair = if app.screen == Screen::Pair {
        app.near.pair().map(|(query, neighbour)| (query, neighbour.document))
    } else {
        let Some(decisions) = app.decisions() else { return app.say(UNDECIDED) };
        let Some(document) = app.query() else { return };
        let Some(dropped) = decisions.of(document) else {
            let name = app.shown_id(document);
            return app.say(format!(
                "{name} is kept; x marks a dropped document and the one kept for it as no duplicates"
            ));
        };
        Some((document, dropped.kept))
    };
    let Some((one, other)) = pair else { return };
    let are_marked = app.review.rule.marks.toggle_pair(one, other);
    let (one, other) = (app.shown_id(one), app.shown_id(other));
    let undo = app.undo_key();
    app.say(if are_marked {
        format!(
            "{one} and {other} are no duplicates: neither is dropped for the other; {undo} takes it back"
        )
    } else {
        format!("{one} and {other} may be duplicates again")
    });
}

/// Marks two documents as no duplicates after a judgement, or takes that back. Undo does not: Label has a key for it.
pub(in crate::app) fn mark_no_duplicates(app: &mut App, pair: [DocId; 2], is_marked: bool) {
    app.review.rule.marks.set_pair(pair[0], pair[1], is_marked);
    app.history.judge(pair, is_marked);
}

/// Sets the policy.
pub(in crate::app) fn set_policy(app: &mut App, policy: Policy) {
    if app.has_reference() {
        return app.say("a policy is not needed: documents of the reference are never dropped");
    }
    let shown = visible(&policy.to_string()).into_owned();
    app.say(if app.groups.is_empty() {
        format!("policy {shown}; {}", no_group(app))
    } else {
        let write = app.keymap.key_of(ViewId::Docs, Action::Write);
        let undo = app.undo_key();
        format!("policy {shown}; {write} writes the outcome, {undo} takes it back")
    });
    app.review.rule.policy = policy;
}

/// Writes the outcome into a folder.
pub(in crate::app) fn write(app: &mut App, folder: PathBuf) {
    // The files must hold the decisions on the shown groups, not on groups that are being replaced.
    if app.decisions().is_none() {
        return app.say(UNDECIDED);
    }
    let Some(listing) = app.groups.listing.clone() else { return };
    let (rule, sources) = (app.review.rule.clone(), DerivedInput(Arc::clone(&app.review.sources)));
    app.say("writing ..");
    ask(app, query::Export { listing: DerivedInput(listing), rule, folder, sources });
}

/// Takes the marks and the policy of an earlier review; the marks of this session have precedence.
pub(in crate::app) fn take_marks(app: &mut App) {
    let Some(earlier) = app.review.restored.take() else { return };
    let EarlierReview { marks, policy, choices, absent } = earlier;
    let is_own =
        !matches!(app.review.restore.take(), Some(query::MarksQuery::FirstWithSameTexts(_)));
    let mut rule = app.review.rule.clone();
    // The default policy is written with its own name.
    let present = rule.policy.to_string();
    let policy = policy.filter(|it| !app.has_reference() && it.to_string() != present);
    rule.policy = policy.unwrap_or(rule.policy);
    rule.marks = marks;
    app.review.written = rule.clone();
    let (mut texts, undo) = (Vec::new(), app.undo_key());
    match rule.marks.len() as u64 {
        0 if rule.policy == app.review.rule.policy => {}
        0 => texts.push(format!("policy of the earlier review; {undo} takes it back")),
        n => {
            let them = if n == 1 { "it" } else { "them" };
            let n = counted(n, "mark");
            texts.push(format!("{n} of the earlier review; {undo} takes {them} back"));
        }
    }
    let left = take_choices(app, &choices);
    // The file is written again when the user changes a choice, not because it was read.
    app.begin_with_choices();
    if !left.is_empty() {
        texts.insert(0, format!("as you left it: {}", left.join(", ")));
    }
    if let Some(first) = absent.first() {
        let n = counted(absent.len() as u64, "mark");
        texts.push(format!(
            "{n} of documents that this corpus does not have: {}",
            visible(&first.problem)
        ));
    }
    if !texts.is_empty() {
        app.say(texts.join("; "));
    }
    // Lines about other paths are kept, too.
    if app.review.place.is_some() && is_own {
        app.review.kept = rule.clone();
        app.review.absent = Arc::new(absent);
    }
    rule.marks.extend(std::mem::take(&mut app.review.rule.marks));
    if rule != app.review.rule {
        app.review.rule = rule;
    }
}

/// Restores filter, order and columns; recipe and k were restored before the corpus was read. Returns the restored
/// choices in words.
fn take_choices(app: &mut App, choices: &ReviewSettings) -> Vec<String> {
    if app.review.is_fresh {
        return Vec::new();
    }
    let mut texts = Vec::new();
    let recipe = &app.settings.recipe;
    if *recipe != Recipe::default()
        && choices.recipe.as_ref().and_then(|line| line.parse().ok()).as_ref() == Some(recipe)
    {
        let is_first = choices.recipe.as_deref() == Some(FIRST_DEFAULT);
        let offer =
            if is_first { " (the default is log-tf now; r changes the recipe)" } else { "" };
        texts.push(format!("recipe {}{offer}", recipe.short()));
    }
    texts.extend(choices.k.filter(|k| *k == app.settings.k).map(|k| format!("k={k}")));
    if !choices.fields.is_empty() && choices.fields.len() <= MOST_COLUMNS {
        app.docs.fields.show(choices.fields.clone());
        texts.push(format!("columns {}", choices.fields.join(", ")));
    }
    if !choices.filter.is_empty() && documents::filter(app, choices.filter.clone()).is_ok() {
        texts.push(format!("filter {}", choices.filter));
    }
    if let Ok(order) = choices.order.parse() {
        app.docs.order = order;
        // Nobody has chosen the first document, so the cursor stays in the first row.
        app.docs.from_top = app.docs.cursor.selected == 0;
        texts.push(format!("by {order}"));
    }
    app.docs.reversed = choices.reversed;
    texts.iter().map(|text| visible(text).into_owned()).collect()
}

impl App {
    /// The key that takes a choice back.
    pub(in crate::app) fn undo_key(&self) -> String {
        self.keymap.key_of(self.view(), Action::Undo)
    }

    /// The choices that are kept beside the review.
    pub fn choices(&self) -> ReviewSettings {
        let order = self.docs.order;
        let is_usual = order == ListOrder::default();
        let choices = ReviewSettings {
            filter: self.docs.filter_text.clone(),
            order: if is_usual { String::new() } else { order.to_string() },
            reversed: self.docs.reversed,
            fields: self.docs.fields.names.clone(),
            ..ReviewSettings::default()
        };
        choices.with(&self.settings)
    }

    /// Shows these fields as columns from the beginning, so that no key takes them back.
    pub fn begin_with_fields(&mut self, names: Vec<String>) {
        self.history.present.fields.clone_from(&names);
        self.docs.fields.show(names);
    }

    /// Notes the present choices as the initial ones, because the user made none of them in this session.
    pub fn begin_with_choices(&mut self) {
        self.review.choices = self.choices();
    }
}

/// Writes the review to its file, after the file was read.
pub(in crate::app) fn keep(app: &mut App) {
    let review = &app.review;
    let Some(place) = review.place.clone() else { return };
    let choices = app.choices();
    if review.rule == review.kept && choices == review.choices {
        return;
    }
    // If the reading of the file was stopped, writing it would lose its marks.
    if review.restore.is_none() {
        let (rule, absent) = (review.rule.clone(), Arc::clone(&review.absent));
        want(app, query::KeepReview { rule, choices, absent, place });
    }
}

/// Notes that the review is in its file.
pub(in crate::app) fn kept(app: &mut App) {
    if let Some((asked, ())) = app.review.keeping.answered() {
        (app.review.kept, app.review.choices) = (asked.rule.clone(), asked.choices.clone());
    }
}

/// Shows the written files.
pub(in crate::app) fn written(app: &mut App) {
    let answered = app.review.export.answered();
    let Some((rule, texts)) = answered.map(|(asked, texts)| (asked.rule.clone(), texts.clone()))
    else {
        return;
    };
    // Marks that were made during the writing are not in the files.
    (app.review.written, app.notice) = (rule, Some(texts));
}

/// Asks for another folder, and says why nothing was written.
pub(in crate::app) fn not_written(app: &mut App, problem: &str) {
    let folder = app.review.export.asked().map(|asked| asked.folder.display().to_string());
    ask_again(app, (Purpose::Export, folder.unwrap_or_default()), problem, false);
}

/// Shows why no mark is restored. The file is not changed.
pub(in crate::app) fn not_restored(app: &mut App, problem: &str) {
    (app.review.place, app.review.restore) = (None, None);
    app.say(problem);
}

/// The marks that would be lost on leaving, because they are neither written nor kept, in words.
pub(in crate::app) fn at_stake(app: &App) -> Option<String> {
    let Review { rule, written, kept, .. } = &app.review;
    if [written, kept].iter().any(|it| it.marks == rule.marks) {
        return None;
    }
    let documents = rule.marks.documents.len() as u64;
    let pairs = rule.marks.not_duplicates.len() as u64;
    let marks = (documents > 0).then(|| counted(documents, "mark"));
    let pairs = (pairs > 0).then(|| format!("{} marked as no duplicates", counted(pairs, "pair")));
    let lost: Vec<String> = marks.into_iter().chain(pairs).collect();
    (!lost.is_empty()).then(|| format!("{} ({} writes)", lost.join(" and "), keys_of_write(app)))
}

/// The keys that write the outcome, from the present view on.
fn keys_of_write(app: &App) -> String {
    let write = app.keymap.key_of(ViewId::Docs, Action::Write);
    if app.view() == ViewId::Docs {
        return write;
    }
    let docs = app.keymap.key_of(app.view(), Action::Go(Screen::Docs));
    format!("{docs} and then {write}")
}
