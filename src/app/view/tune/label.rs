//! Pairs judged by eye: on Tune those that the next bit adds, and on Judging a batch of pairs at all distances, whose
//! distances are hidden.

use std::sync::Arc;

use super::super::contract::View;
use super::super::pair::{text_columns, title_of_texts};
use super::super::review;
use crate::analysis::AnalysisInput;
use crate::analysis::labelling::{Assessment, ENOUGH, NEXT, PairWithTexts};
use crate::app::page::{Block, Column, List, Page, Part, Place, Tone, listed};
use crate::app::screen::tune::label::{Below, JudgingBatch, TARGETS};
use crate::app::{Action, App, Cursor, DerivedInput, Effect, Size, query, want};
use crate::choice::cycled;
use crate::corpus::{self, BY_EYE, LabelEntry, Labels, TextPair};
use crate::evaluate::distances::CountMethod;
use crate::evaluate::recommend::ThresholdVerdict;
use crate::evaluate::sample::Pick;
use crate::facts::ExplainedNumber;
use crate::facts::thresholds::{JudgedRow, judged};
use crate::number::{counted, grouped};
use crate::text::visible;
use crate::verdict::Verdict;

/// The Judging view: a pair of a batch, without its distance. Tune does the same with the pair that it shows.
pub(in crate::app) struct JudgingView;

impl View for JudgingView {
    fn act(&self, app: &mut App, action: Action) -> bool {
        match action {
            Action::Skip => skip(app),
            Action::Scroll(rows) => scroll(app, rows),
            Action::Say(verdict) => judge(app, verdict),
            Action::TakeBack => take_back(app),
            Action::FindNext(by) => turn(app, by),
            Action::Judge => begin(app),
            Action::Target => {
                let precision = cycled(&TARGETS, app.tune.label.aim.precision, 1);
                app.tune.label.aim.precision = precision;
                app.say(format!("required precision: {precision}"));
            }
            _ => return false,
        }
        true
    }

    fn step(&self, app: &mut App, rows: isize) {
        scroll(app, rows);
    }

    fn back(&self, app: &mut App) -> bool {
        stop(app);
        true
    }

    fn refresh(&self, app: &mut App) {
        let state = &mut app.tune.label;
        if !state.asked {
            (state.asked, state.is_reading) = (true, true);
            app.effects.push(Effect::ReadLabels);
        }
        widen(app);
        prepare(app);
        assess(app);
        draw(app);
        show(app);
        lay_out(app);
    }

    fn page<'a>(&self, app: &'a App, size: Size) -> Page<'a> {
        let Some(judging) = &app.tune.label.judging else { return Page::default() };
        let (at, n) = (judging.at + 1, judging.batch.len());
        let question = format!("Are these two near-duplicates?   Pair {at} of {n}.");
        let question = match &app.tune.label.problem {
            Some(problem) => (visible(problem).into_owned(), Tone::Warn),
            None => (question, Tone::Strong),
        };
        let question = Part::text("", [question], 0, Place::Across, size);
        Page { parts: vec![question, texts(app, judging)] }
    }

    /// The numbers of the present k by the judgements.
    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let Some(assessed) = app.tune.label.assessed.answer() else { return Vec::new() };
        let k = app.analysis.settings.k as usize;
        let row = JudgedRow::all(&assessed.advice, &[]).nth(k);
        row.map_or_else(Vec::new, |row| ExplainedNumber::of(&judged(), &row))
    }
}

/// Begins a batch whose distances are hidden.
fn begin(app: &mut App) {
    let state = &mut app.tune.label;
    if state.pairs.is_some() {
        // After the batch its results show.
        (state.is_blind, state.below) = (true, Below::Judged);
        return;
    }
    // Without a file of labels no pair ever is ready.
    let unreadable = state.problem.clone().filter(|_| state.labels.is_none());
    let key = app.keymap.key_of(app.view(), Action::Judge);
    let not_ready = || format!("the pairs to judge are not ready yet; press {key} again");
    app.say(unreadable.unwrap_or_else(not_ready));
}

/// Ends the batch; its verdicts count, and the rest of its pairs may be shown again.
fn stop(app: &mut App) {
    (app.tune.label.judging, app.tune.label.is_blind) = (None, false);
    app.tune.label.round += 1;
}

fn scroll(app: &mut App, rows: isize) {
    if let Some(judging) = &mut app.tune.label.judging {
        judging.texts.scroll_to(judging.texts.top.saturating_add_signed(rows));
    }
}

impl App {
    /// The pair that is judged, if it shows: a pair that is not seen must not be judged.
    pub fn pair_to_judge(&self) -> Option<&Arc<PairWithTexts>> {
        let state = &self.tune.label;
        let (asked, shown) = state.pair.answered().filter(|_| state.shows_pair())?;
        let judging = state.judging.as_ref()?;
        let is_it = (asked.round, asked.at) == (state.round, judging.at)
            && judging.batch.get(judging.at) == Some(&asked.pick);
        is_it.then_some(shown)
    }
}

fn judge(app: &mut App, verdict: Verdict) {
    let Some(shown) = app.pair_to_judge().cloned() else {
        return app.say("no pair is shown; t shows the next ones");
    };
    let state = &mut app.tune.label;
    let (Some(judging), Some(labels)) = (&mut state.judging, &mut state.labels) else { return };
    let pair = TextPair::new(shown.names[0], shown.names[1]);
    let entry = LabelEntry::Added(corpus::Label {
        pair,
        verdict,
        ids: shown.documents.map(|document| app.analysis.corpus.id(document).to_owned()),
        source: BY_EYE.to_owned(),
        is_repeat: judging.batch[judging.at].is_repeat,
    });
    Arc::make_mut(labels).enter(entry.clone());
    if let Some(labelling) = &mut state.pairs {
        let labelling = Arc::make_mut(labelling);
        for (name, document) in shown.names.into_iter().zip(shown.documents) {
            labelling.name(name, document);
        }
    }
    app.effects.push(Effect::KeepLabel(entry));
    if verdict != Verdict::Unsure {
        review::mark_no_duplicates(app, shown.documents, verdict == Verdict::No);
    }
    advance(app, Some(pair));
}

fn skip(app: &mut App) {
    // A pair that cannot be read can be skipped, too.
    let state = &mut app.tune.label;
    if let Some(judging) = &state.judging {
        state.skipped.insert(Pick { is_repeat: false, ..judging.batch[judging.at] });
        advance(app, None);
    }
}

/// Moves to the next pair; after the last pair the batch ends.
fn advance(app: &mut App, answer: Option<TextPair>) {
    let state = &mut app.tune.label;
    let Some(judging) = &mut state.judging else { return };
    judging.done.push((judging.at, answer));
    judging.turn_to(judging.at + 1);
    // Of a batch whose distances are hidden the labels count when it is over.
    state.entered += u64::from(!state.is_blind);
    if judging.at == judging.batch.len() {
        let n = judging.done.iter().filter(|(_, answer)| answer.is_some()).count() as u64;
        state.entered += 1;
        app.say(format!("{} more", counted(n, "label")));
        stop(app);
    }
}

/// Turns to the next pair or to the one before, without a verdict.
fn turn(app: &mut App, by: isize) {
    let state = &mut app.tune.label;
    let shows_pair = state.shows_pair();
    let judging = state.judging.as_mut().filter(|it| shows_pair && !it.batch.is_empty());
    let Some(judging) = judging else { return app.say("no pair is shown") };
    let n = judging.batch.len() as isize;
    judging.turn_to((judging.at as isize + by).rem_euclid(n) as usize);
}

fn take_back(app: &mut App) {
    let state = &mut app.tune.label;
    let Some(judging) = &mut state.judging else { return };
    let Some((at, answer)) = judging.done.pop() else {
        return app.say("nothing to undo in this batch");
    };
    judging.turn_to(at);
    let pick = judging.batch[at];
    state.skipped.remove(&Pick { is_repeat: false, ..pick });
    if let (Some(pair), Some(labels)) = (answer, &mut state.labels) {
        let entry = LabelEntry::Undone(pair);
        Arc::make_mut(labels).enter(entry.clone());
        state.entered += u64::from(!state.is_blind);
        app.effects.push(Effect::KeepLabel(entry));
        if let Some(pair) = state.pairs.as_ref().map(|labelling| labelling.pair(pick)) {
            review::mark_no_duplicates(app, [pair.a, pair.b], false);
        }
    }
}

/// Takes the labels of the file.
pub(in crate::app) fn on_labels(
    app: &mut App,
    result: Result<(Arc<Labels>, Option<String>), String>,
) {
    let state = &mut app.tune.label;
    state.is_reading = false;
    match result {
        Ok((labels, problem)) => (state.labels, state.problem) = (Some(labels), problem),
        Err(problem) => state.problem = Some(problem),
    }
}

/// Removes a label that could not be saved, and reports it as lost.
pub(in crate::app) fn on_lost(app: &mut App, entry: &LabelEntry, problem: String) {
    let state = &mut app.tune.label;
    if let (LabelEntry::Added(label), Some(labels)) = (entry, &mut state.labels) {
        // Unless the user has taken it back since.
        if labels.get(label.pair) == Some(label) {
            Arc::make_mut(labels).enter(LabelEntry::Undone(label.pair));
            state.entered += 1;
        }
        let done = state.judging.iter_mut().flat_map(|judging| &mut judging.done);
        let lost = done.filter(|(_, answer)| *answer == Some(label.pair));
        lost.for_each(|(_, answer)| *answer = None);
    }
    state.problem = Some(problem.clone());
    app.lost_labels.push(problem.clone());
    app.say(problem);
}

/// Takes the prepared pairs.
pub(in crate::app) fn on_prepared(app: &mut App) {
    let state = &mut app.tune.label;
    state.pairs = state.labelling.take();
    state.assessed.clear();
    state.skipped.clear();
    state.judging = None;
    state.round += 1;
}

/// Shows the first pair of a batch.
pub(in crate::app) fn on_batch(app: &mut App) {
    let state = &mut app.tune.label;
    let Some((asked, batch)) = state.batch.answered() else { return };
    let distance = asked.distance;
    if batch.is_empty() && distance.is_none() {
        state.is_blind = false;
        let has_labels = state.labels.as_ref().is_some_and(|labels| labels.count() > 0);
        return app.say(if has_labels {
            "no pair is left to judge: all near pairs of different texts have labels"
        } else {
            "there is no pair to judge"
        });
    }
    state.judging = Some(JudgingBatch { batch: batch.clone(), distance, ..Default::default() });
}

/// Takes the reason why the current pair cannot be read.
pub(in crate::app) fn on_unreadable(app: &mut App, problem: &str) {
    let key = if app.tune.label.is_blind { "s" } else { "n" };
    app.say(format!("{problem}; {key} goes on to the next pair"));
}

/// Searches one bit farther where the pairs of the next bit are not known: once, since the search can be stopped.
fn widen(app: &mut App) {
    let k = app.settings.k;
    let is_idle = app.running.is_none() && app.analysis.settings.k == k;
    if is_idle
        && app.analysis.is_complete()
        && !app.analysis.knows_the_next_bit()
        && app.tune.label.widened != Some(k)
    {
        app.tune.label.widened = Some(k);
        app.start(AnalysisInput::Reindex(Arc::clone(&app.analysis)));
    }
}

/// Asks for the preparation of the pairs, once for the same pairs.
fn prepare(app: &mut App) {
    let state = &app.tune.label;
    let is_possible = app.analysis.near.is_some() && app.analysis.is_complete();
    if let Some(labels) = state.labels.as_ref().filter(|_| is_possible && state.pairs.is_none()) {
        let labels = DerivedInput(Arc::clone(labels));
        let known = DerivedInput(state.texts.clone());
        want(app, query::LabellingQuery { labels, known });
    }
}

/// Asks for the counts of the labels, where there are any or the list of them shows.
fn assess(app: &mut App) {
    let distances = app.tune.distances.measured.answer();
    let chance = app.analysis.chance(distances.map(|distances| &**distances));
    let state = &app.tune.label;
    let (Some(labelling), Some(labels), false) = (&state.pairs, &state.labels, state.is_blind)
    else {
        return;
    };
    if labels.count() == 0 && state.below != Below::Judged {
        return;
    }
    let query = query::AssessmentQuery {
        entered: state.entered,
        chance,
        aim: state.aim,
        labelling: DerivedInput(Arc::clone(labelling)),
        labels: DerivedInput(Arc::clone(labels)),
    };
    want(app, query);
}

/// Asks for the next batch: at all distances, or of the pairs that the next bit adds.
fn draw(app: &mut App) {
    let distance = (!app.tune.label.is_blind).then_some(app.settings.k + 1);
    let state = &mut app.tune.label;
    if state.judging.as_ref().is_some_and(|judging| judging.distance == distance) {
        return;
    }
    state.judging = None;
    let (Some(labelling), Some(labels)) = (&state.pairs, &state.labels) else { return };
    let query = query::PairsToJudge {
        round: state.round,
        distance,
        labelling: DerivedInput(Arc::clone(labelling)),
        labels: DerivedInput(Arc::clone(labels)),
        left_out: DerivedInput(state.skipped.clone()),
    };
    want(app, query);
}

/// Asks for the texts of the current pair.
fn show(app: &mut App) {
    let state = &app.tune.label;
    let (Some(labelling), Some(judging)) = (&state.pairs, &state.judging) else { return };
    let (round, at) = (state.round, judging.at);
    let Some(&pick) = judging.batch.get(at) else { return };
    let labelling = DerivedInput(Arc::clone(labelling));
    want(app, query::PairToJudge { round, at, pick, labelling });
}

/// Lays the two texts out again if they or the screen changed. Costs their length.
fn lay_out(app: &mut App) {
    let (column, side) = text_columns(app);
    let wanted = app.pair_to_judge().and(app.tune.label.pair.number());
    let state = &mut app.tune.label;
    let (Some(judging), Some(number)) = (&mut state.judging, wanted) else { return };
    let comparison = state.pair.answer().map(|shown| &shown.comparison);
    judging.texts.lay_out(comparison, (number, column, side));
    let is_new = judging.texts.rows.is_empty();
    let height = app.text_pane().rows();
    if let Some(judging) = &mut app.tune.label.judging {
        // Where the distance is hidden the texts are read as a whole.
        judging.texts.fit(height, judging.distance.is_some());
        if is_new && judging.distance.is_some() {
            judging.texts.show_first_edit();
        }
    }
}

// The pages.

/// The work that is missing before pairs can be judged; `None` where nothing is.
fn waiting(app: &App) -> Option<String> {
    let state = &app.tune.label;
    let problem = state.labelling.problem();
    Some(match (state.labelling.job(), &state.labels, &state.problem) {
        (_, None, Some(problem)) => problem.clone(),
        (_, None, None) => "reading the file of labels ..".to_owned(),
        (Some(job), ..) if job.progress.is_cancelled() => {
            "stopped; Enter reads the texts again".to_owned()
        }
        (Some(job), ..) => {
            let percent = job.progress.percent().unwrap_or(0);
            format!("reading the texts, to tell copies from near-duplicates: {percent}%")
        }
        _ if problem.is_some() => {
            let problem = problem.unwrap_or_default();
            format!("{problem}; Enter tries again; if a file has changed, start simscope again")
        }
        _ if state.pairs.is_some() => return None,
        _ if app.running.is_some() => "waits until all pairs are found ..".to_owned(),
        _ => "the work was stopped before pairs were found; + or - resumes it".to_owned(),
    })
}

/// The pairs that the next bit adds, one of them with its texts, below a question.
pub(super) fn next_bit(app: &App) -> Vec<Part<'_>> {
    let state = &app.tune.label;
    let next = app.settings.k + 1;
    let tuning = app.tune.distances.tuning.as_ref();
    let at = tuning.and_then(|tuning| tuning.rows.get(next as usize)?.at_k);
    let adds = match at {
        None => format!("What the next bit, {next}, adds is not counted yet."),
        Some(at) if at.method == CountMethod::Sampled => {
            let [n, low, high] = [at.pairs, at.low, at.high].map(grouped);
            format!("The next bit, {next}, adds about {n} pairs ({low} to {high}).")
        }
        Some(at) => format!("The next bit, {next}, adds {}.", counted(at.pairs, "pair")),
    };
    let shown = state.judging.as_ref().filter(|judging| !judging.batch.is_empty());
    let window = state.pairs.as_ref().map_or(0, |labelling| labelling.window());
    let question = match (shown, &state.judging) {
        (Some(_), _) => " Is this one what you want?".to_owned(),
        (None, Some(_)) if next > window => {
            format!(
                " Pairs are listed up to {}; + searches farther.",
                counted(window.into(), "bit")
            )
        }
        (None, Some(_)) if at.is_some_and(|at| at.pairs > 0) => {
            " None of them is left to judge.".to_owned()
        }
        _ => String::new(),
    };
    let below = match (&state.problem, &state.judging) {
        (Some(problem), _) => (visible(problem).into_owned(), Tone::Warn),
        (None, None) => {
            let why = waiting(app).unwrap_or_else(|| "drawing pairs ..".to_owned());
            (visible(&why).into_owned(), Tone::Muted)
        }
        (None, Some(_)) => (answers(app), Tone::Muted),
    };
    let said = [(adds + &question, Tone::Strong), below];
    let said = Part::text("", said, 0, Place::Across, app.size);
    std::iter::once(said).chain(shown.map(|judging| texts(app, judging))).collect()
}

/// The keys of the answers, the number of those about this corpus, and what they are good for.
fn answers(app: &App) -> String {
    let n = counted(app.judged().map_or(0, |it| it.counts.counted as u64), "answer");
    let key = app.keymap.key_of(app.view(), Action::Judge);
    format!(
        "Press y for yes, x for no: {n} so far. With {ENOUGH}, some at each distance, your answers choose k in place \
         of the texts; {key} asks for a batch."
    )
}

/// The conclusion, and the precision of each k by the judgements.
pub(super) fn verdict(app: &App) -> Vec<Part<'_>> {
    let Some(assessed) = app.tune.label.assessed.answer() else {
        let why = waiting(app).unwrap_or_else(|| "counting the judgements ..".to_owned());
        return vec![Part::text("", [&*visible(&why)], 0, Place::Across, app.size)];
    };
    let mut texts: Vec<String> = app.tune.label.problem.iter().cloned().collect();
    let by_texts = app.tune.distances.advised.answer().map(|advice| advice.lead());
    let key = app.keymap.key_of(app.view(), Action::Judge);
    if assessed.counts.judgements == 0 {
        texts.push(format!("No pair is judged yet: y and x judge the pair that shows, {key} begins a batch with the distance hidden."));
    } else {
        texts.extend(assessed.conclusion());
    }
    if let Some(lead) = by_texts.filter(|_| !assessed.has_enough_labels()) {
        texts.insert(1, format!("Until there are enough judgements the texts decide: {lead}"));
    }
    let tone = |at: usize| if at == 0 { Tone::Strong } else { Tone::Text };
    let texts = texts.iter().enumerate();
    let texts = texts.map(|(at, text)| (visible(text).into_owned(), tone(at)));
    let remark = if app.tune.label.assessed.is_running() {
        "counting the judgements ..".to_owned()
    } else {
        format!("required precision: {}", app.tune.label.aim.precision)
    };
    let rows: Vec<JudgedRow> = JudgedRow::all(&assessed.advice, &[]).collect();
    let (len, k) = (rows.len(), app.settings.k as usize);
    let judgements = counted(assessed.counts.judgements as u64, "judgement");
    let mut columns: Vec<_> = listed(judged(), 0, move |at| rows.get(at).copied()).collect();
    columns.push(Column::words("", None, move |at: usize| remark_on(assessed, at as u32)));
    let cursor = Cursor { selected: k, top: k.saturating_sub(4) };
    let list = List { none: "no k is known".to_owned(), ..List::new(columns, len, cursor) };
    vec![
        Part::text("", texts, 0, Place::Across, app.size),
        Part::new(format!("each k by {judgements}"), 4..=len + 1, list).remarked(remark),
    ]
}

/// The remark beside a k.
fn remark_on(assessed: &Assessment, k: u32) -> (String, Tone) {
    let recommendation = &assessed.advice.recommendation;
    let verdict = recommendation.verdicts[k as usize];
    let remark = match (recommendation.precise, recommendation.balanced) {
        // Before the first judgement nothing is known about a k.
        _ if assessed.counts.judgements == 0 => "not judged".to_owned(),
        (Some(precise), _) if precise == k => "precise".to_owned(),
        (_, Some(balanced)) if balanced == k => "balanced".to_owned(),
        _ => verdict.to_string(),
    };
    let tone = match verdict {
        ThresholdVerdict::Passes => Tone::Good,
        ThresholdVerdict::TooLow | ThresholdVerdict::Chance => Tone::Warn,
        ThresholdVerdict::Open | ThresholdVerdict::NoPairs => Tone::Muted,
    };
    (format!("  {remark}"), tone)
}

/// The two texts of the pair that is judged.
fn texts<'a>(app: &'a App, judging: &'a JudgingBatch) -> Part<'a> {
    let shown = app.pair_to_judge();
    let (column, is_side_by_side) = text_columns(app);
    let title = shown
        .map_or_else(String::new, |shown| title_of_texts(app, shown.documents, is_side_by_side));
    let mut remarks = Vec::new();
    if judging.distance.is_some() {
        let n = judging.batch.len() as u64;
        let key = app.keymap.key_of(app.view(), Action::FindNext(1));
        let drawn = if n == u64::from(NEXT) { " drawn at random" } else { "" };
        remarks.push(format!("texts {} of {}{drawn}, {key} next", judging.at + 1, grouped(n)));
    }
    remarks.extend(judging.texts.scrolled());
    if shown.is_some_and(|shown| shown.comparison.clipped) {
        remarks.push("cut to 32 kB".to_owned());
    }
    let rows = shown.map_or(&[][..], |_| judging.texts.below_top());
    let block = Block::Texts(rows, is_side_by_side.then_some(column));
    Part::new(title, 3..=judging.texts.most_rows(), block).remarked(remarks.join(", "))
}
