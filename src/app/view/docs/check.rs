//! Check: what misleads in this corpus, a row for each kind; a kind opens into its pairs or its documents.
//!
//! The evidence comes from the texts: two texts that share nothing though their bits are near, or are alike though their
//! bits are far apart. Documents whose distances can mislead have flags; what was not read has problems.

use std::rc::Rc;

use super::super::contract::{ListOfView, View};
use super::super::go::open_pair;
use super::documents;
use crate::analysis::Job;
use crate::analysis::disagreement::{Disagreement, DisagreementKind};
use crate::app::page::{Cell, Column, List, Page, Part, Place, Tinted, Tone, cell_of};
use crate::app::screen::docs::problems::{ProblemRow, problem_rows};
use crate::app::screen::docs::{CheckState, OpenKind};
use crate::app::{Action, App, Cursor, Size, ViewId, query, want};
use crate::explain::triage::Flag;
use crate::facts::ExplainedNumber;
use crate::facts::figures::digits;
use crate::id::DocId;
use crate::number::{counted, grouped, rounded};
use crate::present::settings::with_flags;

/// The subject of a kind of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    /// Pairs whose bits and texts disagree.
    Pairs(DisagreementKind),
    /// Documents with a flag.
    Flagged(Flag),
    /// Places that were not read.
    Unread,
}

/// A kind of what misleads.
struct Kind {
    of: Of,
    name: &'static str,
    remedy: &'static str,
}

/// The kinds in the order of the list.
static KINDS: [Kind; 8] = [
    Kind {
        of: Of::Pairs(DisagreementKind::Near),
        name: "bits too near",
        remedy: "A smaller k (-) leaves such pairs out; `dedup` drops no text whose share in the kept one is under a half.",
    },
    Kind {
        of: Of::Pairs(DisagreementKind::Far),
        name: "bits too far",
        remedy: "A larger k (+) finds some of them; Tune shows what else it finds. Longer fingerprints (r, bits) tell more.",
    },
    Kind {
        of: Of::Flagged(Flag::Short),
        name: "too short",
        remedy: "One changed word moves many of their bits. Shorter shingles (r) give them more features.",
    },
    Kind {
        of: Of::Flagged(Flag::Dominated),
        name: "one word decides",
        remedy: "Weights that grow slower (r, log-tf or binary) give one word less power.",
    },
    Kind {
        of: Of::Flagged(Flag::Boilerplate),
        name: "text that many have",
        remedy: "The weights tf-idf (r) count what many documents share for less.",
    },
    Kind {
        of: Of::Flagged(Flag::Tied),
        name: "tied bits",
        remedy: "Weights that differ (r, log-tf or tf-idf) break ties.",
    },
    Kind {
        of: Of::Flagged(Flag::Empty),
        name: "without words",
        remedy: "They are in no group. Where they have letters, shorter shingles (r, such as chars:4) give them features; equal ones \
                 count as duplicates as they are.",
    },
    Kind {
        of: Of::Unread,
        name: "not read",
        remedy: "Each place stands with its problem and its remedy under Enter.",
    },
];

/// The meaning of a kind.
fn meaning(of: Of) -> &'static str {
    match of {
        Of::Pairs(DisagreementKind::Near) => "their bits are nearer than their texts explain",
        Of::Pairs(DisagreementKind::Far) => "their bits are farther apart than their texts explain",
        Of::Flagged(flag) => flag.meaning(),
        Of::Unread => "places with a problem: a file, a row or a record",
    }
}

/// The selected kind.
fn selected(app: &App) -> &'static Kind {
    &KINDS[app.docs.check.cursor.selected.min(KINDS.len() - 1)]
}

/// The Check view.
pub(in crate::app) struct CheckView;

impl View for CheckView {
    fn act(&self, app: &mut App, action: Action) -> bool {
        match action {
            Action::Enter => enter(app),
            _ => return false,
        }
        true
    }

    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        let height = app.page_rows();
        let len = match app.docs.check.open {
            None => KINDS.len(),
            Some(OpenKind::Pairs(_)) => app.docs.check.listed().len(),
            Some(OpenKind::Unread(open)) => problems(app, open).len(),
        };
        let state = &mut app.docs.check;
        let cursor =
            if state.open.is_some() { &mut state.opened_cursor } else { &mut state.cursor };
        Some(ListOfView { cursor, len, height })
    }

    fn back(&self, app: &mut App) -> bool {
        app.docs.check.open.take().is_some() || documents::back(app)
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        let pair = app.docs.check.selected().map(|it| vec![it.pair.a, it.pair.b]);
        pair.unwrap_or_default()
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        let listed = app.docs.check.listed();
        let rows = app.rows_to_know(app.docs.check.opened_cursor, listed.len(), app.page_rows());
        listed[rows].iter().flat_map(|it| [it.pair.a, it.pair.b]).collect()
    }

    fn refresh(&self, app: &mut App) {
        look(app);
    }

    fn page<'a>(&self, app: &'a App, size: Size) -> Page<'a> {
        let state = &app.docs.check;
        let (list, title) = match state.open {
            None => (kinds(app), "what misleads here"),
            Some(OpenKind::Pairs(_)) => (pairs(state), selected(app).name),
            Some(OpenKind::Unread(open)) => (unread(app, open), selected(app).name),
        };
        let listed_k = state.disagreements.answered().map(|(query, _)| query.k);
        let remark = match (state.open, listed_k) {
            (None, _) => String::new(),
            (Some(OpenKind::Pairs(_)), Some(k)) if k != app.settings.k => format!("at {k} bits .."),
            _ => "Esc goes back".to_owned(),
        };
        let most = list.len + 1;
        let least = most.min(if state.open.is_some() { 6 } else { KINDS.len() + 1 });
        let list = Part::new(title, least..=most, list).remarked(remark);
        Page { parts: vec![list, Part::text("about it", about(app), 1, Place::Across, size)] }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let selected = app.docs.check.selected();
        selected.map_or_else(Vec::new, |it| of_the_pair(app, it))
    }
}

/// Lists the problems, whatever view is shown; or says that there are none.
pub(in crate::app) fn show_problems(app: &mut App) {
    if about_unread(app, None).is_empty() {
        let is_all = app.analysis.corpus.is_complete() && app.running.is_none();
        app.notice =
            Some(if is_all { "every document was read" } else { "no problem so far" }.to_owned());
        return;
    }
    app.show(ViewId::Check);
    app.docs.check.cursor.selected = KINDS.len() - 1;
    open(app, OpenKind::Unread(None));
}

fn open(app: &mut App, kind: OpenKind) {
    (app.docs.check.open, app.docs.check.opened_cursor) = (Some(kind), Cursor::default());
}

/// The problems of what was not read: each kind, and the places of an open one.
fn problems(app: &App, open: Option<usize>) -> Vec<ProblemRow<'_>> {
    problem_rows(app.analysis.listed_problems(), open)
}

/// Lists the places of the selected kind of problems, or no longer.
fn turn_places(app: &mut App, open: Option<usize>) {
    let rows = problems(app, open);
    let row = rows.get(app.docs.check.opened_cursor.selected);
    let Some(kind) = row.filter(|row| row.n > 1 || row.is_place).map(|row| row.kind) else {
        app.notice = row.map(|_| "it has this one place, which stands below".to_owned());
        return;
    };
    let open = (open != Some(kind)).then_some(kind);
    // Selects the row of the kind, since opening or closing kinds above moves it.
    let place = problems(app, open).iter().position(|it| it.kind == kind);
    app.docs.check.opened_cursor.selected = place.unwrap_or(0);
    app.docs.check.open = Some(OpenKind::Unread(open));
}

/// Lists the pairs of a kind, the documents with a flag, or the problems; then opens the selected pair in Pair.
fn enter(app: &mut App) {
    let pair = CheckView.documents(app);
    if open_pair(app, &pair) {
        return;
    }
    if let Some(OpenKind::Unread(open)) = app.docs.check.open {
        return turn_places(app, open);
    }
    let kind = selected(app).of;
    if count(app, kind).is_none() {
        // Stopped or failed work may be asked for again.
        app.docs.flags.retry();
        app.docs.check.disagreements.retry();
        return;
    }
    match kind {
        _ if is_not_looked_for(app, kind) => {
            app.say("not looked for: there are too many texts to compare each with all others")
        }
        _ if count(app, kind) == Some(0) => {
            app.notice = Some("there is none of this kind".to_owned())
        }
        Of::Pairs(kind) => open(app, OpenKind::Pairs(kind)),
        Of::Flagged(flag) => {
            if !lists_kind(app) {
                app.docs.check.before = Some(app.docs.listed);
            }
            let filtered = documents::filter(app, filter_of(flag));
            debug_assert!(filtered.is_ok(), "each flag has a filter");
            app.show(ViewId::Docs);
        }
        Of::Unread => show_problems(app),
    }
}

/// The filter of Docs by which a flag is listed.
fn filter_of(flag: Flag) -> String {
    format!("is:{flag}")
}

/// Whether Docs lists a kind for Check.
fn lists_kind(app: &App) -> bool {
    let is_of = |flag: &Flag| app.docs.filter_text == filter_of(*flag);
    app.docs.check.before.is_some() && Flag::ALL.iter().any(is_of)
}

/// Goes back to Check from a kind that it listed on Docs; false if none is listed there.
pub(super) fn leave_list(app: &mut App) -> bool {
    let is_listed = lists_kind(app);
    let before = app.docs.check.before.take().filter(|_| is_listed);
    if let Some(before) = before {
        app.docs.lift_filter();
        app.docs.listed = before;
        app.show(ViewId::Check);
    }
    before.is_some()
}

/// Asks for the pairs that disagree at the present k; the pairs of another k stay until the answer comes.
fn look(app: &mut App) {
    if app.analysis.index.is_none() || !app.analysis.is_complete() || app.running.is_some() {
        return;
    }
    let (k, layout) = (app.analysis.settings.k, app.analysis.settings.layout);
    let query = query::DisagreementsQuery { k, layout };
    if app.docs.check.disagreements.answered().is_some_and(|(known, _)| *known == query) {
        app.docs.check.disagreements.forget();
    } else {
        want(app, query);
    }
}

/// The number of a kind; `None` where it is not known yet.
fn count(app: &App, of: Of) -> Option<u64> {
    match of {
        Of::Pairs(kind) => {
            let (query, found) = app.docs.check.disagreements.answered()?;
            (query.k == app.settings.k).then(|| found.n_found[kind as usize] as u64)
        }
        Of::Flagged(flag) => Some(app.analysis.flags.as_ref()?.count(flag)),
        Of::Unread => Some(app.analysis.listed_problems().count() as u64),
    }
}

/// Whether pairs of a kind are not looked for, since the join of all texts would cost too much.
fn is_not_looked_for(app: &App, of: Of) -> bool {
    let found = app.docs.check.disagreements.answer();
    matches!(of, Of::Pairs(DisagreementKind::Far)) && found.is_some_and(|it| it.n_far.is_none())
}

// The page.

fn kinds(app: &App) -> List<'_> {
    let number = move |at: usize| -> Tinted {
        match count(app, KINDS[at].of) {
            None => ("..", Tone::Muted).into(),
            Some(_) if is_not_looked_for(app, KINDS[at].of) => ("-", Tone::Muted).into(),
            Some(0) => ("0", Tone::Muted).into(),
            Some(n) => (grouped(n), Tone::Strong).into(),
        }
    };
    let columns = vec![
        Column::words("kind", 26, |at: usize| KINDS[at].name),
        Column::number("number", 10, 0, number),
        Column::words("  what it is", None, |at: usize| format!("  {}", meaning(KINDS[at].of)))
            .ranked(1),
    ];
    List::new(columns, KINDS.len(), app.docs.check.cursor)
}

fn pairs(state: &CheckState) -> List<'_> {
    let listed: Rc<[&Disagreement]> = state.listed().into();
    let number = |title, cells, rank, of: fn(&&Disagreement) -> String| {
        Column::number(title, cells, rank, cell_of(&listed, of))
    };
    let documents = |it: &&Disagreement| Cell::Pair([it.pair.a, it.pair.b]);
    let columns = vec![
        number("d", 4, 0, |it| it.pair.distance.to_string()),
        number("expected", 10, 1, |it| format!("{:.1}", it.expected)),
        number("cosine", 9, 0, |it| format!("{:.3}", it.cosine)),
        number("chance", 11, 2, |it| rounded(it.chance)),
        Column::words("  documents", None, cell_of(&listed, documents)),
    ];
    let none = "no pair of this kind".to_owned();
    List { none, ..List::new(columns, listed.len(), state.opened_cursor) }
}

fn unread(app: &App, open: Option<usize>) -> List<'_> {
    let rows: Rc<[ProblemRow<'_>]> = problems(app, open).into();
    let places = |it: &ProblemRow<'_>| {
        if it.is_place { String::new() } else { grouped(it.n as u64) }
    };
    let problem = |it: &ProblemRow<'_>| {
        let [before, text] =
            if it.is_place { ["      ", &*it.first.place] } else { ["  ", &*it.first.problem] };
        format!("{before}{text}")
    };
    let columns = vec![
        Column::number("places", 8, 0, cell_of(&rows, places)),
        Column::words("  problem", None, cell_of(&rows, problem)),
    ];
    let none = "no document failed".to_owned();
    List { none, ..List::new(columns, rows.len(), app.docs.check.opened_cursor) }
}

/// The selected problem in full, and what was not read for no problem.
fn about_unread(app: &App, open: Option<usize>) -> Vec<String> {
    let rows = problems(app, open);
    let row = rows.get(app.docs.check.opened_cursor.selected);
    let mut texts: Vec<String> =
        row.map(|it| with_flags(&it.first.to_string())).into_iter().collect();
    if !app.analysis.corpus.is_complete() && app.running.is_none() {
        let n = counted(app.analysis.len() as u64, "document");
        texts.push(format!("reading was stopped after {n}"));
    }
    texts.extend(app.analysis.corpus.summary().note());
    texts
}

/// Sentences about the selected kind.
fn about(app: &App) -> Vec<String> {
    let state = &app.docs.check;
    if let Some(OpenKind::Unread(open)) = state.open {
        return about_unread(app, open);
    }
    let kind = selected(app);
    let mut texts: Vec<String> = looking(app).into_iter().collect();
    if let Of::Pairs(pairs) = kind.of
        && let Some((query, found)) = state.disagreements.answered()
    {
        let [near, far, luck] = found.notes(query.k);
        texts.push(if pairs == DisagreementKind::Near { near } else { far });
        if found.n_found[pairs as usize] > 0 {
            texts.push(kind.remedy.to_owned());
        }
        texts.extend(state.open.is_some().then_some(luck));
    } else {
        texts.push(kind.remedy.to_owned());
    }
    let absent = app.analysis.corpus.summary().fingerprints;
    if absent > 0 && matches!(kind.of, Of::Flagged(_)) {
        let absent = counted(absent, "document");
        texts.push(format!("{absent} without text: only a missing fingerprint is found there."));
    }
    texts
}

/// The progress of the search for pairs.
fn looking(app: &App) -> Option<String> {
    let found = &app.docs.check.disagreements;
    if let Some(problem) = found.problem() {
        return Some(format!("{problem}; Enter searches again"));
    }
    if found.is_cancelled() {
        return Some("stopped; Enter searches again".to_owned());
    }
    found.job().map(Job::told)
}

// The numbers.

fn of_the_pair(app: &App, it: &Disagreement) -> Vec<ExplainedNumber> {
    let (d, bits) = (it.pair.distance, app.analysis.settings.recipe.bits);
    let (cosine, (low, high)) = (format!("{:.3}", it.cosine), it.interval);
    let (chance, expected) = (digits(it.chance), it.expected);
    let interval = format!("{low:.2} to {high:.2}");
    let (tail, meaning) = match it.kind {
        DisagreementKind::Near => (
            "at most",
            "The chance of a distance this small at this cosine. Pairs are listed because they are near, so small \
            chances are more frequent here than their value says.",
        ),
        DisagreementKind::Far => (
            "at least",
            "The chance of a distance this large at this cosine. Pairs are listed because they are far apart, so small \
            chances are more frequent here than their value says.",
        ),
    };
    vec![
        ExplainedNumber::new("cosine", &cosine).explained(
            format!(
                "sum of products of the two texts' feature weights / (length x length) = {cosine}"
            ),
            "The similarity of the two texts by their features: computed from the texts, not from the bits.",
        ),
        ExplainedNumber::new("d says", &interval).explained(
            format!(
                "cos(pi x p), p in the 95 % Jeffreys interval of {d} of {bits} bits: {interval}"
            ),
            "The cosines that fit this distance. The pair is listed because its cosine lies outside.",
        ),
        ExplainedNumber::new("chance", &chance).explained(
            format!(
                "P({tail} {d} of {bits} bits differ) = {chance}, each with arccos({cosine}) / pi; {expected:.1} bits are expected"
            ),
            meaning,
        ),
    ]
}
