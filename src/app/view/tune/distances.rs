//! The Tune view: how near is near? The distances of all pairs with what is alike and what chance brings, and the
//! effect of each k.

use std::sync::Arc;

use super::super::contract::View;
use super::super::go::open_pair;
use super::label::{self, JudgingView};
use crate::analysis::{Advice, Basis, KRow, Tuning};
use crate::app::numbers::{by_chance, unlike_pairs};
use crate::app::page::{Block, Column, Histogram, List, Page, Part, Place, Tinted, Tone, listed};
use crate::app::screen::tune::TuningInputs;
use crate::app::screen::tune::label::Below;
use crate::app::{
    Action, App, Cursor, DerivedInput, JobNumber, Size, ViewId, change_k, query, want,
};
use crate::choice::cycled;
use crate::evaluate::distances::CountMethod;
use crate::evaluate::precision::ThresholdRow;
use crate::facts::ExplainedNumber;
use crate::facts::thresholds::{TunedRow, tuned};
use crate::index::Linkage;
use crate::number::{counted, grouped};

/// Columns of the screen below which one short sentence has room.
const NARROW: u16 = 60;
/// Cells of the remark beside a k.
const REMARK: usize = 19;

/// The Tune view. Its rows are the values of k.
pub(in crate::app) struct TuneView;

impl View for TuneView {
    fn act(&self, app: &mut App, action: Action) -> bool {
        match action {
            Action::Enter => enter(app),
            Action::Adopt => adopt(app),
            Action::EachK => {
                let below = &mut app.tune.label.below;
                *below = cycled(&[Below::NextBit, Below::EachK, Below::Judged], *below, 1);
            }
            _ => return JudgingView.act(app, action),
        }
        true
    }

    fn refresh(&self, app: &mut App) {
        JudgingView.refresh(app);
    }

    fn step(&self, app: &mut App, rows: isize) {
        step_k(app, rows);
    }

    fn page<'a>(&self, app: &'a App, size: Size) -> Page<'a> {
        let tuning = match &app.tune.distances.tuning {
            Some(tuning) if tuning.n_pairs > 0 => tuning,
            _ => {
                let too_few = || "Tune needs two documents with features".to_owned();
                let why = app.why_no_fingerprints("the effect of each k is");
                return Page::saying("", why.unwrap_or_else(too_few), size);
            }
        };
        let lead = Part::text("how near is near?", [lead(app, tuning)], 1, Place::Across, size)
            .remarked(like(app, tuning));
        let below = match app.tune.label.below {
            Below::NextBit => label::next_bit(app),
            Below::EachK => each_k(app, tuning),
            Below::Judged => label::verdict(app),
        };
        // The picture takes the rows that the others leave.
        let others = below.iter().chain([&lead]).map(|part| part.rows.end().saturating_add(2));
        let others = others.fold(2, usize::saturating_add);
        let rows = 6..=size.body().saturating_sub(others).max(13);
        let histogram = Block::Histogram(histogram(app, tuning));
        let picture = Part::new("how far apart all pairs are", rows, histogram)
            .remarked(how_known(app, tuning))
            .at(Place::Across, 2);
        Page { parts: [lead, picture].into_iter().chain(below).collect() }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        if app.tune.label.below == Below::Judged {
            return JudgingView.numbers(app);
        }
        let (Some(tuning), Some(index)) = (&app.tune.distances.tuning, &app.analysis.index) else {
            return Vec::new();
        };
        let mut numbers = vec![by_chance(app, index)];
        numbers.extend(tuning.ceiling.map(|ceiling| {
            let unlike = unlike_pairs(index);
            ExplainedNumber::new("ceiling", format!("k = {ceiling}")).explained(
                format!("the largest k with {unlike} x P(chance within k) < 1: {ceiling}"),
                "Above it some pairs are near by chance, whatever the texts are.",
            )
        }));
        let k = app.analysis.settings.k;
        if (k as usize) < tuning.rows.len() {
            let row = app.row_of(tuning, k);
            numbers.extend(ExplainedNumber::of(&tuned(), &TunedRow { tuning, row }));
        }
        numbers
    }
}

/// Goes on with work that was stopped; else opens the pair that shows.
fn enter(app: &mut App) {
    let tune = &mut app.tune;
    let (distances, label) = (&mut tune.distances, &mut tune.label);
    let works = [distances.measured.retry(), distances.advised.retry(), label.labelling.retry()];
    match app.pair_to_judge().map(|shown| shown.documents) {
        _ if works.contains(&true) => {}
        Some(pair) => _ = open_pair(app, &pair),
        None => app.say("no pair is shown"),
    }
}

// The page.

/// Each k with its pairs, and the conclusion.
pub(super) fn each_k<'a>(app: &'a App, tuning: &'a Tuning) -> Vec<Part<'a>> {
    let list = list(app, tuning);
    vec![
        Part::new(LIST, 4..=list.len.min(14) + 1, list).remarked(basis(tuning)),
        Part::text("", tuning.conclusion(app.settings.k), 3, Place::Across, app.size),
    ]
}

/// The title of the list. Its pairs are pairs of documents, where the sentences count different texts.
const LIST: &str = "each k, in documents";

/// The like pairs that the present k finds and the recommended one; before texts are compared, what is known.
fn lead(app: &App, tuning: &Tuning) -> Tinted {
    let k = app.settings.k;
    let words = match found(tuning, k) {
        _ if app.size.width < NARROW => tuning.brief(k),
        None => tuning.conclusion(k).into_iter().next().unwrap_or_default(),
        Some([found, like, others]) => {
            let last = tuning.advice.as_ref().and_then(|advice| advice.evidence.rows.last());
            let last = last.filter(|last| last.k < app.layout().width());
            let within = last.map_or_else(String::new, |last| {
                format!(" within {}", counted(last.k.into(), "bit"))
            });
            let key = app.keymap.key_of(app.view(), Action::Adopt);
            let precise = tuning.precise().filter(|&precise| precise != k);
            let more = precise.and_then(|k| Some((k, self::found(tuning, k)?)));
            let more = more.map_or_else(String::new, |(k, [found, _, others])| {
                format!(
                    " At {} (press {key}) {found} of them, and {others}.",
                    counted(k.into(), "bit")
                )
            });
            // Pairs of equal features are found at any k, and the sentence counts the others.
            let at_0 = tuning.rows[0].at_k.map_or(0, |at| at.pairs);
            let different = tuning.threshold_row(0).map_or(0, |row| row.different);
            let [copies, other] = if at_0 > different { ["copies, ", "other "] } else { [""; 2] };
            let k = counted(k.into(), "bit");
            let at = app.analysis.similarity().map_or("At", |_| "By the bits alone, at");
            format!(
                "{at} {k} you find {copies}{found} of the {like} {other}pairs of like texts{within}, and {others}.{more}"
            )
        }
    };
    (words, Tone::Strong).into()
}

/// The meaning of like texts.
fn like(app: &App, tuning: &Tuning) -> String {
    match tuning.advice.as_ref().map(|advice| advice.evidence.basis) {
        Some(Basis::Judged { .. }) => "like: by your answers".to_owned(),
        Some(Basis::Nothing) | None => String::new(),
        Some(_) => format!("like: {}", app.settings.alike.describe(&app.settings.recipe)),
    }
}

/// The like pairs that a k finds, all of them, and the share of others among its pairs, in words; `None` where no text
/// was compared.
fn found(tuning: &Tuning, k: u32) -> Option<[String; 3]> {
    let advice = tuning.advice.as_ref()?;
    let (row, last) = (tuning.threshold_row(k)?, advice.evidence.rows.last()?);
    let about = match advice.evidence.basis {
        Basis::Exact { .. } => "",
        _ => "about ",
    };
    let like = |row: &ThresholdRow| {
        let n = (row.different as f64 * row.cumulative.value?).round() as u64;
        Some(format!("{about}{}", grouped(n)))
    };
    let others = match row.cumulative.value {
        Some(share) if row.different > 0 && share < 1.0 => {
            format!("{about}{:.0} in 100 found are unlike", ((1.0 - share) * 100.0).ceil())
        }
        _ => "nothing else".to_owned(),
    };
    Some([like(row)?, like(last)?, others])
}

/// The meaning of the dots over the bars.
const CHANCE: &str = "chance: expected by chance";

/// The pairs at each distance: all, those of like texts as far as texts were compared, and those by chance.
fn histogram(app: &App, tuning: &Tuning) -> Histogram {
    // Beyond the last pair there is nothing to see.
    let has_pairs =
        |row: &KRow| row.at_k.is_some_and(|at| at.pairs > 0) || row.at_k_by_chance >= 0.5;
    let last = tuning.rows.iter().rposition(has_pairs).unwrap_or(0).max(app.settings.k as usize);
    let n = tuning.rows.len().min(last + 2);
    let bar = |row: &KRow| {
        let count = row.at_k.map_or(0.0, |at| at.pairs as f64);
        // Precision counts each two texts once, the bar all documents that have them.
        let like = tuning.threshold_row(row.k).map_or(0.0, |it| {
            // Where no pair has different features, all of them are like.
            it.precision.value.unwrap_or(if it.different == 0 { 1.0 } else { 0.0 })
        });
        [count, count * like, row.at_k_by_chance]
    };
    let k = app.settings.k;
    let knows_texts = tuning.advice.as_ref().is_some_and(|it| it.evidence.basis != Basis::Nothing);
    let legend = if knows_texts {
        ["found: like texts within k", "missed: like texts farther apart", "other pairs", CHANCE]
    } else {
        ["", "", "all pairs", CHANCE]
    };
    Histogram { bars: tuning.rows[..n].iter().map(bar).collect(), k: k as usize, legend }
}

/// The method by which the number of pairs at each distance is known.
fn how_known(app: &App, tuning: &Tuning) -> String {
    if let Some(job) = app.tune.distances.advised.job() {
        if job.progress.is_cancelled() {
            return stopped(app, "Enter compares the texts");
        }
        return format!("{} {}%", job.stage(), job.progress.percent().unwrap_or(0));
    }
    let pairs = counted(tuning.n_pairs, "pair");
    match (tuning.method, app.tune.distances.measured.job()) {
        (Some(CountMethod::Exact), _) => format!("all {pairs} counted"),
        (Some(_), _) => {
            let reach = tuning.reach.map_or_else(String::new, |reach| format!(" beyond {reach}"));
            format!("{pairs}, sampled{reach}")
        }
        (None, Some(job)) if job.progress.is_cancelled() => {
            stopped(app, "Enter compares all pairs")
        }
        (None, Some(job)) => {
            let percent = job.progress.percent().unwrap_or(0);
            format!("near pairs so far; comparing all {percent}%")
        }
        (None, None) => "near pairs so far".to_owned(),
    }
}

/// Says that the work stopped, and here which key goes on with it: other views do not have that key.
fn stopped(app: &App, key: &str) -> String {
    if app.view() == ViewId::Tune { format!("stopped; {key}") } else { "stopped".to_owned() }
}

/// The basis of the precision.
fn basis(tuning: &Tuning) -> String {
    match tuning.advice.as_ref().map(|advice| advice.evidence.basis) {
        Some(Basis::Judged { n_labels }) => format!("{n_labels} judged"),
        Some(Basis::Sampled { n_compared }) => format!("{n_compared} texts compared"),
        Some(Basis::Exact { .. }) => "all texts compared".to_owned(),
        Some(Basis::Nothing) | None => String::new(),
    }
}

/// The list of k around the present one.
fn list<'a>(app: &'a App, tuning: &'a Tuning) -> List<'a> {
    // The groups of every k are known for single linkage only.
    let linkage = match app.groups.linkage {
        Linkage::Complete => "  by single linkage",
        Linkage::Single => "",
    };
    let row = move |at: usize| TunedRow { tuning, row: app.row_of(tuning, at as u32) };
    let mut columns: Vec<Column<'_>> = listed(tuned(), 0, move |at| Some(row(at))).collect();
    // On a narrow screen figures come first.
    let rank = if app.size.width < NARROW { 9 } else { 0 };
    let remark = move |at| remark(&row(at).row, tuning);
    columns.push(Column::words(linkage, REMARK, remark).ranked(rank));
    let k = app.settings.k as usize;
    let cursor = Cursor { selected: k, top: k.saturating_sub(4) };
    List::new(columns, tuning.rows.len(), cursor)
}

/// The remark beside a k.
fn remark(row: &KRow, tuning: &Tuning) -> (String, Tone) {
    let k = Some(row.k);
    let named = match (k == tuning.precise(), k == tuning.balanced()) {
        (true, true) => "precise, balanced",
        (true, false) => "precise",
        (false, true) => "balanced",
        // Below a k that is recommended the false pairs are known to be few.
        (false, false) if k > tuning.ceiling.max(tuning.precise()).max(tuning.balanced()) => {
            return ("  chance pairs".to_owned(), Tone::Warn);
        }
        (false, false) if row.guaranteed => "guaranteed",
        (false, false) if row.groups.is_none() && tuning.reach.is_some() => {
            return ("  not grouped".to_owned(), Tone::Muted);
        }
        (false, false) => "",
    };
    (format!("  {named}"), Tone::Good)
}

// The evidence for a k that every view of Tune shows: the distances of all pairs, and the advice.

/// Raises or lowers k by a number. A number above 1 stops at the distance up to which pairs are known.
pub(super) fn step_k(app: &mut App, rows: isize) {
    let k = app.settings.k as isize;
    let known = app.analysis.near.as_ref().map_or(k, |near| near.reach() as isize);
    let to = match rows {
        -1..=1 => k + rows,
        _ => k.saturating_add(rows).clamp(0, known.max(k)),
    };
    change_k(app, (to - k) as i32);
}

/// Makes the recommended k the program's; where it is that already, the balanced k, and then the recommended one again.
pub(super) fn adopt(app: &mut App) {
    // The present advice: by judgements if there are enough, else by cosines.
    let advice = app.tune.distances.tuning.as_ref().and_then(|tuning| tuning.advice.as_ref());
    let Some(recommendation) = advice.map(|advice| &advice.recommendation) else {
        return app.say("no k is recommended before texts are compared");
    };
    let Some(precise) = recommendation.precise else {
        return app.say("no k is precise, so no k is recommended");
    };
    let now = app.settings.k;
    let balanced = recommendation.balanced.filter(|_| now == precise);
    let (k, name) = balanced.map_or((precise, "precise"), |k| (k, "balanced"));
    if k == now {
        return app.say(format!("k is {k} already"));
    }
    change_k(app, k as i32 - now as i32);
    app.notice.get_or_insert_with(|| format!("k is now {k}, the {name} one, on every screen"));
}

/// Asks for the data that every view of Tune shows, and computes the rows from it.
pub(in crate::app) fn refresh(app: &mut App) {
    if app.analysis.index.is_some() {
        want(app, query::DistancesQuery);
    }
    advise(app);
    let Some(index) = &app.analysis.index else {
        app.tune.distances.tuning = None;
        app.tune.distances.tuned = None;
        return;
    };
    let distances = app.tune.distances.measured.answer();
    let near = app.analysis.near.as_ref();
    let (advice, advice_number) = advice(app).unzip();
    let made_from = TuningInputs {
        fingerprints: app.versions.fingerprints,
        pairs: near.map(|_| app.versions.pairs),
        analysis: near.is_none().then_some(app.versions.analysis),
        has_distances: distances.is_some(),
        is_bands: index.layout().is_bands(),
        advice: advice_number.flatten(),
    };
    if app.tune.distances.tuned.as_ref() != Some(&made_from) {
        let distances = distances.map(|distances| &**distances);
        let advice = advice.cloned();
        app.tune.distances.tuning =
            Some(Tuning::new(index, near.map(|near| &**near), distances, advice));
        app.tune.distances.tuned = Some(made_from);
    } else if let Some(tuning) = &mut app.tune.distances.tuning {
        tuning.set_layout(index.layout());
    }
}

/// Asks for the comparison of texts for a choice of k, once for the same fingerprints and the same goal.
fn advise(app: &mut App) {
    let distances = app.tune.distances.measured.answer().cloned();
    if let Some(distances) = distances.filter(|_| app.analysis.is_complete()) {
        let query =
            query::AdviceQuery { aim: app.tune.label.aim, distances: DerivedInput(distances) };
        want(app, query);
    }
}

/// The recommended k, and the number of its answer: by judgements if there are enough, else by cosines.
fn advice(app: &App) -> Option<(&Arc<Advice>, Option<JobNumber>)> {
    let label = &app.tune.label;
    let judged = app.judged().filter(|judged| judged.has_enough_labels());
    let judged = judged.map(|judged| (&judged.advice, label.assessed.number()));
    let by_cosine = &app.tune.distances.advised;
    judged.or_else(|| Some((by_cosine.answer()?, by_cosine.number())))
}
