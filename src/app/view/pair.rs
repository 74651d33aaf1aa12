//! The Pair screen: the neighbours of a document, nearest first, and the selected one compared with it: texts, bits,
//! tables, words, and the outcome.

use super::contract::{ListOfView, View};
use super::go::select_document;
use super::{listed, review};
use crate::analysis::TwinKind;
use crate::analysis::explained_pair::ExplainedPair;
use crate::app::page::{self, Bits, Block, Cell, Column, List, Page, Part, Place, Tinted, Tone};
use crate::app::side_by_side::{ShownTexts, places_with_edits};
use crate::app::{Action, App, Screen, Size, query, rows, want};
use crate::evaluate::{angle, interval};
use crate::explain::PairExplanation;
use crate::explain::figures::{signed, similarity};
use crate::explain::overlap::DifferingBit;
use crate::facts::ExplainedNumber;
use crate::facts::figures::{digits, share_of};
use crate::id::DocId;
use crate::index::load::expected_tables_hit;
use crate::index::{Neighbour, letter};
use crate::number::{counted, grouped};
use crate::present::pair::{blocks, keys, verdict};
use crate::sign;
use crate::simhash::Fingerprint;
use crate::text::visible;

/// The Pair view.
pub(in crate::app) struct PairView;

impl View for PairView {
    fn act(&self, app: &mut App, action: Action) -> bool {
        match action {
            Action::Enter if app.query().is_none() => app.say("no document is selected"),
            Action::Enter => app.screen = Screen::Tables,
            Action::Mark => review::toggle(app),
            Action::NoDuplicates => review::not_duplicates(app),
            Action::Follow => {
                if let Some(neighbour) = app.near.selected() {
                    select_document(app, neighbour.document);
                }
            }
            Action::Scroll(rows) => {
                let to = app.near.shown.top.saturating_add_signed(rows);
                app.near.shown.scroll_to(to);
            }
            Action::FindNext(step) => next_difference(app, step),
            _ => return false,
        }
        true
    }

    fn list<'a>(&self, app: &'a mut App) -> Option<ListOfView<'a>> {
        Some(list(app))
    }

    fn documents(&self, app: &App) -> Vec<DocId> {
        let neighbour = app.near.selected().map(|neighbour| neighbour.document);
        neighbour.or(app.near.query).into_iter().collect()
    }

    fn listed(&self, app: &App) -> Vec<DocId> {
        app.near.query.into_iter().chain(shown(app)).collect()
    }

    fn refresh(&self, app: &mut App) {
        let pair = pair(app);
        if app.near.texts.asked().map(|before| before.pair) != pair {
            app.near.shown.top = 0;
            app.near.texts.clear();
        }
        if app.near.why.asked().map(|before| before.0) != pair {
            app.near.why.clear();
        }
        if let Some(pair) = pair {
            want(app, query::Texts { pair, within: app.compare_within });
            want(app, query::Why(pair));
        }
        if let Some(query) = app.near.query {
            listed::weigh(app, query, &shown(app));
        }
        lay_out(app);
    }

    fn page<'a>(&self, app: &'a App, _: Size) -> Page<'a> {
        let mut parts = vec![neighbours(app)];
        if let Some(pair) = pair(app) {
            parts.push(texts(app, pair));
            let prints = pair.map(|it| app.analysis.fingerprint(it));
            if let [Some(a), Some(b)] = prints {
                let explanation = PairExplanation::new(a, b, &app.layout());
                parts.push(bits(app, pair, [a, b], &explanation));
                parts.push(facts(app, pair, &explanation));
            }
        }
        Page { parts }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let Some(pair) = pair(app) else { return Vec::new() };
        let [Some(a), Some(b)] = pair.map(|it| app.analysis.fingerprint(it)) else {
            return Vec::new();
        };
        let (d, layout) = (a.distance(b), app.layout());
        let (n_tables, hits) =
            (layout.tables().len(), PairExplanation::new(a, b, &layout).hits().count());
        let expected = digits(expected_tables_hit(&layout, d));
        let mut numbers = vec![
            distance(a, b),
            ExplainedNumber::new("tables that hit", format!("{hits}/{n_tables}")).explained(
                format!(
                    "tables in whose key no differing bit lies: {hits}; expected for {d} differing bits at random: {expected}"
                ),
                "One table is enough to make the pair a candidate; a candidate is found if d is at most k.",
            ),
        ];
        if let Some(known) = app.similar.to(pair[0], pair[1]).flatten() {
            numbers.extend(by_their_texts([known.cosine, known.jaccard], a.width()));
        }
        if app.near.is_on_held() {
            numbers.push(by_the_bits(d, a.width()));
        }
        numbers
    }
}

/// The query and the selected neighbour.
fn pair(app: &App) -> Option<[DocId; 2]> {
    app.near.pair().map(|(query, neighbour)| [query, neighbour.document])
}

/// The list of neighbours.
pub(in crate::app) fn list(app: &mut App) -> ListOfView<'_> {
    let height = app.page_rows();
    ListOfView { len: app.near.neighbours.len(), height, cursor: &mut app.near.cursor }
}

/// The neighbours on the screen.
fn shown(app: &App) -> Vec<DocId> {
    let near = &app.near;
    // If the line below k is not on the screen, there is room for one more neighbour.
    let rows = app.rows_to_know(near.cursor, near.neighbours.len(), app.page_rows() + 1);
    near.neighbours[rows].iter().map(|it| it.document).collect()
}

/// Shows the found neighbours.
pub(super) fn show_neighbours(app: &mut App) {
    if let Some(found) = app.near.listing.take() {
        app.near.show(found);
        app.near.pending_selection = None;
    }
}

/// Holds the selected document, so that it is listed whatever the query; or releases the held one.
pub(in crate::app) fn hold(app: &mut App) {
    let Some(document) = app.marked_row() else { return };
    let id = app.shown_id(document);
    if app.near.held == Some(document) {
        app.near.held = None;
        app.say(format!("{id} is no longer held"));
    } else {
        (app.near.held, app.near.opened) = (Some(document), None);
        app.say(format!("{id} is held: Pair lists it beside any document, near or not"));
    }
}

// The texts.

/// Cells of a column of text, and whether two texts stand side by side: where there is room.
pub(super) fn text_columns(app: &App) -> (usize, bool) {
    let inside = Place::Across.cells(app.size).saturating_sub(6);
    let is_side_by_side = app.size.width >= 80;
    (if is_side_by_side { inside / 2 } else { inside }, is_side_by_side)
}

/// The ids of two documents above their texts, marked as the texts are.
pub(super) fn title_of_texts(app: &App, pair: [DocId; 2], is_side_by_side: bool) -> String {
    let [one, other] = pair.map(|it| app.shown_id(it));
    if is_side_by_side { format!("{one} | {other}") } else { format!("[-{one}-] {{+{other}+}}") }
}

/// Lays the two texts out again if they or the screen changed. Costs their length.
fn lay_out(app: &mut App) {
    let (column, side) = text_columns(app);
    match app.near.texts.number() {
        Some(number) => {
            let input = (number, column, side);
            app.near.shown.lay_out(app.near.texts.answer().map(|it| &**it), input);
        }
        None => app.near.shown = ShownTexts::default(),
    }
    // The texts take no more room than their rows.
    let height = app.text_pane().rows();
    app.near.shown.fit(height, true);
}

/// Scrolls the texts to a place with edits.
fn show_difference(app: &mut App, at: usize) {
    lay_out(app);
    app.near.difference = at;
    let row = places_with_edits(&app.near.shown.rows).nth(at);
    if let Some(row) = row {
        app.near.shown.scroll_to(row.saturating_sub(1));
    }
}

/// Scrolls the texts to their first difference, unless their beginning shows it.
pub(in crate::app) fn show_first_difference(app: &mut App) {
    lay_out(app);
    app.near.difference = 0;
    app.near.shown.show_first_edit();
}

fn next_difference(app: &mut App, step: isize) {
    let Some(found) = app.near.texts.answer() else { return };
    if found.little_in_common().is_some() {
        return app.say("the texts have little in common: no difference is marked");
    }
    let of = if found.clipped { " in their first 256 kB" } else { "" };
    let n = places_with_edits(&app.near.shown.rows).count();
    if n == 0 {
        return app.say(format!("the texts have the same words{of}"));
    }
    // After the last difference comes the first.
    let next = (app.near.difference as isize + step).rem_euclid(n as isize) as usize;
    show_difference(app, next);
    app.say(format!("place {} of {n} with edits", next + 1));
}

// The page.

/// Columns of the screen from which on the list has a picture of the bits, and from which on its half has cosines.
const PICTURES_FROM: u16 = 190;
const COSINES_FROM: u16 = 150;
/// Rows for differing bits below the picture, however many there are: the texts stand still from pair to pair.
const LEAST_HUNG: usize = 2;
/// The most neighbours whose bits stand below.
const MOST_OTHERS: usize = 40;
/// The most blocks that a row of the list tells of.
const MOST_BLOCKS: usize = 24;
/// The most tables that are named.
const MOST_TABLES: usize = 6;
/// The most letters of a feature in a row.
const FEATURE: usize = 24;

/// The neighbours, with a line above the first that the tables do not guarantee to find.
fn neighbours(app: &App) -> Part<'_> {
    let near = &app.near;
    let len = near.neighbours.len();
    let sure = app.sure_distance();
    let rule = Some(near.n_within(sure)).filter(|rule| *rule < len).map(|rule| {
        let edge = if app.layout().guarantees(app.settings.k) { "k" } else { "d" };
        let above = match rule {
            0 => format!("nothing within {edge} = {sure}"),
            _ => format!("{edge} = {sure}: the tables find all above"),
        };
        (rule, format!("{above}; below: a full scan"))
    });
    let none = why_no_neighbours(app);
    let list = List { none, rule, ..List::new(columns(app), len, near.cursor) };
    let corpus = &app.analysis.corpus;
    let whose = match (app.has_reference(), near.query) {
        (true, Some(query)) if corpus.is_reference(query) => " in the first corpus",
        (true, _) => " in the reference",
        (false, _) => "",
    };
    let of = near.query.map_or_else(String::new, |query| format!(" of {}", app.shown_id(query)));
    let remark = match len {
        0 => String::new(),
        _ if near.n_hidden > 0 => {
            let all = grouped((len + near.n_hidden) as u64);
            format!(
                "{} of {all}, of which {} are listed",
                near.cursor.selected + 1,
                grouped(len as u64)
            )
        }
        _ => format!("{} of {}", near.cursor.selected + 1, grouped(len as u64)),
    };
    // The header and the line take a row each.
    let most = 2 + len.clamp(1, 6 + app.size.body().saturating_sub(31) / 2);
    Part::new(format!("neighbours{whose}{of}"), most.min(8)..=most, list)
        .remarked(remark)
        .at(Place::Left, 0)
}

fn columns(app: &App) -> Vec<Column<'_>> {
    let near = &app.near;
    let of = move |at: usize| near.neighbours[at];
    let query = near.query;
    let print = query.and_then(|query| app.analysis.fingerprint(query));
    let name = move |at: usize| {
        let document = of(at).document;
        let is_held = [near.held, near.guest].contains(&Some(document));
        let held = if is_held { format!("{} ", sign::PARTNER) } else { String::new() };
        Cell::Name(held, document)
    };
    let layout = app.layout();
    let n_blocks = layout.block_list().len();
    let is_apart = n_blocks <= 8;
    let gap = if is_apart { " " } else { "" };
    let letters: String = (0..n_blocks).flat_map(|at| [gap.to_owned(), letter(at)]).collect();
    let off = move |at: usize| {
        let other = app.analysis.fingerprint(of(at).document);
        let xor = print.zip(other).map_or(0, |(one, other)| one.bits() ^ other.bits());
        let cell = |n: u32| match n {
            0 => (format!("{gap}{}", sign::NONE), Tone::Muted),
            1..=9 => (format!("{gap}{n}"), Tone::Warn),
            _ => (format!("{gap}+"), Tone::Warn),
        };
        let blank = (" ".to_owned(), Tone::Text);
        let cells = layout.differing_bits_per_block(xor).into_iter().map(cell);
        Tinted(std::iter::once(blank).chain(cells).collect())
    };
    let has_cosines = !(110..COSINES_FROM).contains(&app.size.width);
    let facts = page::listed(rows::neighbours(), 0, move |at| Some((app, of(at))));
    let mut facts: Vec<_> = facts.filter(|it| has_cosines || it.title != "cosine").collect();
    facts.sort_by_key(|column| column.rank);
    facts.insert(1, Column::words("", 2, move |at| twin(app, of(at).document)));
    let mut columns = vec![Column::words("document", None, name)];
    columns.extend(facts);
    if n_blocks <= MOST_BLOCKS {
        let cells = 2 + letters.len();
        columns.push(Column::words(&format!(" {letters}"), cells, off).ranked(2));
    }
    if app.size.width >= PICTURES_FROM {
        let picture = move |at: usize| match app.analysis.fingerprint(of(at).document) {
            Some(it) => Cell::Bits(it, print),
            None => "".into(),
        };
        let cells = 2 + app.layout().width().div_ceil(4) as usize;
        columns.push(Column::words("bits", cells, picture).ranked(4));
    }
    columns
}

/// The relation of a neighbour's text to the query's, as a mark.
fn twin(app: &App, neighbour: DocId) -> String {
    let Some(query) = app.near.query else { return String::new() };
    let mark = match app.analysis.twins(query, neighbour) {
        _ if app.review.rule.marks.are_not_duplicates(query, neighbour) => sign::UNLIKE,
        Some(TwinKind::Text) => sign::EQUAL_TEXT,
        Some(TwinKind::OtherText | TwinKind::Unknown) => sign::EQUAL_PRINT,
        None => return String::new(),
    };
    format!(" {mark}")
}

/// The reason why a document has no neighbours to list.
fn why_no_neighbours(app: &App) -> String {
    let missing = app.why_no_fingerprints("neighbours are");
    missing.or_else(|| app.why_no_fingerprint(app.near.query)).unwrap_or_else(|| {
        let looking = app.near.listing.is_running();
        if looking { "searching .." } else { "no other document has a fingerprint" }.to_owned()
    })
}

/// Both texts, or why they do not show.
fn texts(app: &App, pair: [DocId; 2]) -> Part<'_> {
    let near = &app.near;
    let (column, side) = text_columns(app);
    let title = title_of_texts(app, pair, side);
    let found = near.texts.answer();
    let mut remark = found.map_or_else(String::new, |it| it.in_numbers(&near.shown.rows));
    remark += &near.shown.scrolled().map_or_else(String::new, |rows| format!(", {rows}"));
    let block = match (near.texts.problem(), found) {
        (Some(problem), _) => Block::Text(vec![(visible(problem), Tone::Warn).into()]),
        (_, Some(it)) if it.diff.is_none() => Block::Text(vec![
            "a fingerprint without its text cannot be compared word by word".into(),
        ]),
        _ => Block::Texts(near.shown.below_top(), side.then_some(column)),
    };
    Part::new(title, 3..=near.shown.most_rows(), block).remarked(remark).at(Place::Across, 1)
}

/// Both fingerprints; below the bits that differ, the features that pushed them apart.
fn bits(
    app: &App,
    pair: [DocId; 2],
    prints: [Fingerprint; 2],
    explanation: &PairExplanation,
) -> Part<'static> {
    let (d, k) = (explanation.distance, app.settings.k);
    let differing = explained(app, pair, prints).and_then(|it| it.texts.as_ref());
    let differing = differing.map_or(&[][..], |texts| &texts.bits);
    let names = pair.map(|it| app.shown_id(it));
    let named =
        |it: &Neighbour| Some((app.shown_id(it.document), app.analysis.fingerprint(it.document)?));
    let block = Bits {
        prints: names.into_iter().zip(prints).collect(),
        blocks: app.layout().block_list().to_vec(),
        hung: differing.iter().map(|bit| (bit.sides[0].bit, hung(bit).into())).collect(),
        others: app.near.neighbours.iter().take(MOST_OTHERS).filter_map(named).collect(),
        n_others: app.near.neighbours.len() + app.near.n_hidden,
        ..Bits::default()
    };
    let rows = block.rows(Place::Across.cells(app.size));
    let within = if d <= k { "within" } else { "beyond" };
    let mut remark = format!("{within} k = {k}");
    if d > 0 {
        let numbers: Vec<String> =
            explanation.differing_bits().iter().map(u32::to_string).collect();
        remark = format!("{remark}, {} {}", if d == 1 { "bit" } else { "bits" }, numbers.join(" "));
    }
    let title = format!("{} of {} apart", d, counted(prints[0].width().into(), "bit"));
    let rows = rows.start() + LEAST_HUNG..=rows.end() + LEAST_HUNG;
    Part::new(title, rows, Block::Bits(block)).remarked(remark).at(Place::Across, 3)
}

/// The explanation of the pair with these fingerprints, once it is known.
fn explained(app: &App, pair: [DocId; 2], prints: [Fingerprint; 2]) -> Option<&ExplainedPair> {
    let found = app.near.why.answer()?;
    (found.documents == pair && found.fingerprints == prints).then_some(&**found)
}

/// The features that decided a differing bit.
pub(super) fn hung(bit: &DifferingBit) -> String {
    let side = |side: usize| {
        let (margin, name) = (&bit.sides[side], ["one", "two"][side]);
        match bit.contributors[side].first() {
            Some((feature, _)) => {
                let said: String = visible(&feature.shingle).chars().take(FEATURE).collect();
                format!("\"{said}\" says {}", u8::from(margin.value))
            }
            None => format!("the votes of {name} are {}", signed(margin.votes)),
        }
    };
    format!("bit {}: {}, {}", bit.sides[0].bit, side(0), side(1))
}

/// What becomes of the two, how they were found, and how alike they are by words.
fn facts(app: &App, pair: [DocId; 2], explanation: &PairExplanation) -> Part<'static> {
    let layout = app.layout();
    let (d, k) = (explanation.distance, app.settings.k);
    let mut said: Vec<Tinted> =
        vec![(format!("Outcome: {}", outcome(app, pair)), Tone::Strong).into()];
    said.push(verdict(explanation, &layout, app.settings.k).into());
    // The estimate from the bits is biased for a pair that was chosen by its bits.
    if app.near.is_on_held() {
        let bits = layout.width();
        let ((low, high), estimate) = (interval::cosine(d, bits), angle::estimate(d, bits));
        said.push(format!(
            "Guess by the bits alone: cosine {estimate:.2}, 95 %: {low:.2} to {high:.2}, if many features vote evenly."
        ).into());
    }
    said.push(format!("Alike by words: {}", alike(app, pair)).into());
    said.push(format!("Blocks: {}.", blocks(explanation)).into());
    let n_tables = layout.tables().len();
    said.push(match keys(explanation, &layout, true, MOST_TABLES) {
        Some(names) => {
            let n = explanation.hits().count();
            format!("Tables: {n} of {n_tables} have equal keys: {names}").into()
        }
        None => format!(
            "Tables: none of {n_tables}: every key contains a differing bit, so only a scan finds the pair."
        )
        .into(),
    });
    let edits = app.near.why.answer().filter(|it| it.documents == pair && it.k == k);
    let edits = edits.and_then(|it| it.texts.as_ref()?.counterfactual.as_ref());
    if let Some(it) = edits.filter(|it| d > k && !it.edits.is_empty()) {
        let features = counted(it.edits.len() as u64, "feature");
        let side = ["one", "two"][it.side];
        said.push(
            format!("To get within k = {k}, change at most {features} of text {side}.").into(),
        );
    }
    let mut part = Part::text("outcome", said, 2, Place::Right, app.size);
    // A tall screen has room for more than the outcome.
    let least = (*part.rows.start()).max(app.size.body() / 12);
    part.rows = least..=least.max(8.min(*part.rows.end()));
    part
}

/// The cosine, the Jaccard index and, where fingerprints are equal, what else is.
fn alike(app: &App, [one, other]: [DocId; 2]) -> String {
    let known = match app.similar.to(one, other) {
        None => return "..".to_owned(),
        Some(None) => {
            return "the corpus does not hold both texts, so the cosine is not known.".to_owned();
        }
        Some(Some(known)) => known,
    };
    let same = match app.analysis.twins(one, other) {
        None => "",
        Some(TwinKind::Text) => "; the texts are equal after normalisation, ignoring white space",
        Some(_) if known.has_equal_features => "; the features are equal, the texts differ",
        Some(TwinKind::OtherText) => "; only the fingerprints are equal: texts and features differ",
        Some(TwinKind::Unknown) => "; the fingerprints are equal; the texts were not compared",
    };
    let (cosine, jaccard) = (similarity(known.cosine), similarity(known.jaccard));
    format!("cosine {cosine}, Jaccard {jaccard}{same}.")
}

/// Which of the two goes, and for which.
fn outcome(app: &App, [one, other]: [DocId; 2]) -> String {
    if app.review.rule.marks.are_not_duplicates(one, other) {
        return "they are marked as no duplicates: neither goes for the other.".to_owned();
    }
    let Some(decisions) = app.decisions() else { return "not decided yet.".to_owned() };
    let goes =
        [other, one].map(|it| (app.shown_id(it), decisions.of(it).map(|it| app.shown_id(it.kept))));
    let share = [other, one].into_iter().find_map(|it| decisions.of(it)?.known_share());
    let share =
        share.map_or_else(String::new, |it| format!(" and has {} of its text", share_of(it)));
    match goes {
        [(_, None), (_, None)] => "both stay.".to_owned(),
        [(a, Some(kept)), (b, None)] | [(b, None), (a, Some(kept))] if kept == b => {
            format!("{a} goes; {b} stays for it{share}.")
        }
        [(a, Some(kept)), (b, None)] | [(b, None), (a, Some(kept))] => {
            format!("{a} goes, for which {kept} stays; {b} stays, too.")
        }
        [(_, Some(kept)), (_, Some(other))] if kept == other => {
            format!("both go; {kept} stays for them.")
        }
        [(a, Some(kept)), (b, Some(other))] => {
            format!("both go; {kept} stays for {a}, {other} for {b}.")
        }
    }
}

// The numbers.

/// The distance of two fingerprints, explained.
pub(super) fn distance(a: Fingerprint, b: Fingerprint) -> ExplainedNumber {
    let d = a.distance(b);
    ExplainedNumber::new("d", d.to_string()).explained(
        format!("popcount({a} XOR {b}) = {d}"),
        "The Hamming distance: bits in which the two fingerprints differ.",
    )
}

/// The numbers of a pair by its texts.
pub(super) fn by_their_texts([cosine, jaccard]: [f64; 2], bits: u32) -> [ExplainedNumber; 3] {
    let expected = digits(angle::expected_distance(cosine, bits));
    let [cosine, jaccard] = [cosine, jaccard].map(similarity);
    [
        ExplainedNumber::new("exact cosine", &cosine).explained(
            format!("sum of w_a w_b over shared features / (||w_a|| ||w_b||) = {cosine}"),
            "The similarity of the two texts by their weighted features; a distance only estimates it.",
        ),
        ExplainedNumber::new("d to expect", &expected).explained(
            format!("b x acos(cosine) / pi = {bits} x acos({cosine}) / pi = {expected}"),
            "The mean distance over hash functions at this cosine, if many features vote evenly.",
        ),
        ExplainedNumber::new("Jaccard", &jaccard).explained(
            format!("features shared / features of either, without weights = {jaccard}"),
            "How much the two sets of features overlap.",
        ),
    ]
}

/// The cosine that follows from the distance alone, for a pair that was not chosen by its distance.
pub(super) fn by_the_bits(d: u32, bits: u32) -> ExplainedNumber {
    let (estimate, (low, high)) = (angle::estimate(d, bits), interval::cosine(d, bits));
    ExplainedNumber::new("estimated cosine", format!("{estimate:.2}")).explained(
        format!(
            "cos(pi d / b) = cos(pi x {d} / {bits}) = {estimate:.3}; 95 %: {low:.3} to {high:.3}, by Jeffreys' interval"
        ),
        "The cosine that the distance alone suggests, if many features vote evenly.",
    )
}
