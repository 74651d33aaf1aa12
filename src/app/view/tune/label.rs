//! The Label view: what its keys do, what it asks for, and a label from key to file.

use std::sync::Arc;

use super::super::{contract::View, review};
use crate::{
    analysis::labelling::{AssessedLabels, PairWithTexts},
    app::{
        App, Effect,
        ask::want,
        cursor::Cursor,
        keymap::Action,
        layout::SizeClass,
        page::{Block, Column, List, Page, Part, Place, Tinted, Tone, listed},
        query::{self, DerivedInput},
        screen::tune::label::{self, TARGETS, judging_column, judging_rows},
    },
    corpus::{self, BY_EYE, LabelEntry, Labels, TextPair},
    evaluate::{recommend::ThresholdVerdict, sample::Pick},
    facts::{
        ExplainedNumber,
        thresholds::{JudgedRow, judged},
    },
    number::counted,
    text::visible,
    verdict::Verdict,
};

/// The Label view, between batches of pairs.
pub(in crate::app) struct LabelView;

/// A pair that is being judged.
pub(in crate::app) struct JudgingView;

impl View for LabelView {
    fn act(&self, app: &mut App, action: Action, effects: &mut Vec<Effect>) -> bool {
        match action {
            Action::Enter => begin(app),
            Action::Say(_) => app.say("no pair is shown; Enter shows the next pairs"),
            Action::Target => {
                let aim = &mut app.tune.label.aim;
                let next = TARGETS.iter().find(|&&target| target > aim.precision);
                aim.precision = *next.unwrap_or(&TARGETS[0]);
            }
            Action::Adopt => super::evidence::adopt(app, effects),
            _ => return false,
        }
        true
    }

    fn step(&self, app: &mut App, rows: isize, effects: &mut Vec<Effect>) {
        super::evidence::step_k(app, rows, effects);
    }

    fn refresh(&self, app: &mut App, effects: &mut Vec<Effect>) {
        refresh(app, effects);
    }

    fn page<'a>(&self, app: &'a App) -> Option<Page<'a>> {
        let waits =
            || Page { parts: vec![Part::text("", waiting(app), 0, Place::Across, app.size)] };
        let assessed = app.tune.label.assessed.answer();
        Some(assessed.map_or_else(waits, |assessed| verdict(app, assessed)))
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let Some(assessed) = app.tune.label.assessed.answer() else { return Vec::new() };
        let k = app.analysis.settings.k as usize;
        let row = JudgedRow::all(&assessed.assessment.advice, &[]).nth(k);
        row.map_or_else(Vec::new, |row| ExplainedNumber::of(&judged(), &row))
    }
}

impl View for JudgingView {
    fn act(&self, app: &mut App, action: Action, effects: &mut Vec<Effect>) -> bool {
        match action {
            Action::Scroll(rows) => scroll(app, rows),
            Action::Say(verdict) => judge(app, verdict, effects),
            Action::Skip => skip(app),
            Action::TakeBack => undo(app, effects),
            _ => return false,
        }
        true
    }

    fn step(&self, app: &mut App, rows: isize, _: &mut Vec<Effect>) {
        scroll(app, rows);
    }

    fn back(&self, app: &mut App) -> bool {
        stop(app);
        true
    }

    fn refresh(&self, app: &mut App, effects: &mut Vec<Effect>) {
        refresh(app, effects);
    }

    fn page<'a>(&self, app: &'a App) -> Option<Page<'a>> {
        app.tune.label.judging.as_ref().map(|judging| pair(app, judging))
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        LabelView.numbers(app)
    }
}

fn begin(app: &mut App) {
    let state = &mut app.tune.label;
    // Stopped preparation is resumed.
    state.labelling.retry();
    // While labels are being counted, the pairs to judge next are not known yet.
    let is_known = state.pairs.is_some() && !state.assessed.is_running();
    let Some(assessed) = state.assessed.answer().filter(|_| is_known) else {
        // Without a file of labels no pair ever is.
        let unreadable = state.problem.clone().filter(|_| state.labels.is_none());
        let not_yet = || "the pairs to judge are not ready yet; press Enter again".to_owned();
        return app.say(unreadable.unwrap_or_else(not_yet));
    };
    if assessed.batch.is_empty() {
        let text = match assessed.assessment.counts.judgements {
            0 => "there is no pair to judge",
            _ => "no pair is left to judge: all near pairs of different texts have labels",
        };
        return app.say(text);
    }
    state.judging = Some(label::JudgingBatch {
        batch: assessed.batch.clone(),
        ..label::JudgingBatch::default()
    });
}

/// Ends the batch; its verdicts count, and the rest of its pairs may be shown again.
fn stop(app: &mut App) {
    app.tune.label.judging = None;
    app.tune.label.round += 1;
}

fn scroll(app: &mut App, rows: isize) {
    let height = judging_rows(app.size);
    if let Some(judging) = &mut app.tune.label.judging {
        let last = judging.rows.len().saturating_sub(height);
        judging.top = judging.top.saturating_add_signed(rows).min(last);
    }
}

/// The pair on the screen, if it is the current one: a pair that is not seen must not be judged.
fn up(judging: &label::JudgingBatch) -> Option<Arc<PairWithTexts>> {
    judging.shown.clone().filter(|shown| shown.at == judging.at)
}

fn judge(app: &mut App, verdict: Verdict, effects: &mut Vec<Effect>) {
    let state = &mut app.tune.label;
    let (Some(judging), Some(labels)) = (&mut state.judging, &mut state.labels) else { return };
    let Some(shown) = up(judging) else { return };
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
    effects.push(Effect::KeepLabel(entry));
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

/// Moves to the next pair; after the last pair the labels are counted.
fn advance(app: &mut App, answer: Option<TextPair>) {
    let Some(judging) = &mut app.tune.label.judging else { return };
    judging.done.push(answer);
    turn_to(judging, judging.at + 1);
    if judging.at == judging.batch.len() {
        let n = judging.done.iter().flatten().count() as u64;
        app.say(format!("{} more", counted(n, "label")));
        stop(app);
    }
}

fn turn_to(judging: &mut label::JudgingBatch, at: usize) {
    let batch = std::mem::take(&mut judging.batch);
    let done = std::mem::take(&mut judging.done);
    *judging = label::JudgingBatch { batch, at, done, ..label::JudgingBatch::default() };
}

fn undo(app: &mut App, effects: &mut Vec<Effect>) {
    let state = &mut app.tune.label;
    let Some(judging) = &mut state.judging else { return };
    let Some(answer) = judging.done.pop() else { return app.say("nothing to undo in this batch") };
    turn_to(judging, judging.at - 1);
    state.skipped.remove(&Pick { is_repeat: false, ..judging.batch[judging.at] });
    if let (Some(pair), Some(labels)) = (answer, &mut state.labels) {
        let entry = LabelEntry::Undone(pair);
        Arc::make_mut(labels).enter(entry.clone());
        effects.push(Effect::KeepLabel(entry));
        let pick = judging.batch[judging.at];
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
            state.round += 1;
        }
        let done = state.judging.iter_mut().flat_map(|judging| &mut judging.done);
        done.filter(|answer| **answer == Some(label.pair)).for_each(|answer| *answer = None);
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
    state.round += 1;
}

/// Shows the current pair.
pub(in crate::app) fn on_shown(app: &mut App) {
    let state = &mut app.tune.label;
    if let Some(judging) = &mut state.judging {
        judging.shown = state.pair.take();
    }
}

/// Takes the reason why the current pair cannot be read.
pub(in crate::app) fn on_unreadable(app: &mut App, problem: &str) {
    app.say(format!("{problem}; s goes on to the next pair"));
}

/// Asks for the missing data of the view.
fn refresh(app: &mut App, effects: &mut Vec<Effect>) {
    let state = &mut app.tune.label;
    if !state.asked {
        (state.asked, state.is_reading) = (true, true);
        effects.push(Effect::ReadLabels);
    }
    prepare(app, effects);
    assess(app, effects);
    show(app, effects);
    lay_out(app);
}

/// Asks for the preparation of the pairs, once for the same pairs.
fn prepare(app: &mut App, effects: &mut Vec<Effect>) {
    let state = &app.tune.label;
    let is_possible = app.analysis.near.is_some() && app.analysis.is_complete();
    if let Some(labels) = state.labels.as_ref().filter(|_| is_possible && state.pairs.is_none()) {
        let labels = DerivedInput(Arc::clone(labels));
        want(app, query::LabellingQuery { labels }, effects);
    }
}

/// Asks, between batches, for the counts of the labels and for the next batch.
fn assess(app: &mut App, effects: &mut Vec<Effect>) {
    let distances = app.tune.distances.measured.answer();
    let chance = app.analysis.chance(distances.map(|distances| &**distances));
    let state = &app.tune.label;
    let (Some(labelling), Some(labels), None) = (&state.pairs, &state.labels, &state.judging)
    else {
        return;
    };
    let query = query::AssessmentQuery {
        round: state.round,
        chance,
        aim: state.aim,
        labelling: DerivedInput(Arc::clone(labelling)),
        labels: DerivedInput(Arc::clone(labels)),
        left_out: DerivedInput(state.skipped.clone()),
    };
    want(app, query, effects);
}

/// Asks for the texts of the current pair.
fn show(app: &mut App, effects: &mut Vec<Effect>) {
    let state = &app.tune.label;
    let (Some(labelling), Some(judging)) = (&state.pairs, &state.judging) else { return };
    let (round, at) = (state.round, judging.at);
    let labelling = DerivedInput(Arc::clone(labelling));
    want(app, query::PairToJudge { round, at, pick: judging.batch[at], labelling }, effects);
}

/// Lays the two texts out again if they or the screen changed. Costs their length.
fn lay_out(app: &mut App) {
    let (cells, is_side_by_side) = judging_column(app.size);
    let height = judging_rows(app.size);
    let is_known = app.size.shape() > SizeClass::TooSmall;
    let Some(judging) = app.tune.label.judging.as_mut().filter(|_| is_known) else { return };
    let Some(shown) = up(judging) else { return };
    if judging.laid_out == Some(cells) {
        return;
    }
    judging.laid_out = Some(cells);
    judging.rows = if is_side_by_side {
        shown.comparison.side_by_side(cells.saturating_sub(1))
    } else {
        shown.comparison.unified(cells)
    };
    judging.top = judging.top.min(judging.rows.len().saturating_sub(height));
}

// The pages.

/// The work that is missing before pairs can be judged.
fn waiting(app: &App) -> Vec<Tinted> {
    let state = &app.tune.label;
    let mut texts = vec![
        "You judge pairs, and simscope counts: after about forty labels it can estimate for each k how many of its \
        pairs you call near-duplicates, and how certain that is."
            .to_owned(),
    ];
    texts.push(match (state.labelling.job(), &state.labels, &state.problem) {
        (_, None, Some(problem)) => problem.clone(),
        (Some(job), ..) if job.progress.is_cancelled() => {
            "stopped; Enter reads the texts again".to_owned()
        }
        (Some(job), ..) => {
            let percent = job.progress.percent().unwrap_or(0);
            format!("reading the texts, to tell copies from near-duplicates: {percent}%")
        }
        (None, None, None) => "reading the file of labels ..".to_owned(),
        (None, Some(_), _) if state.labelling.problem().is_some() => {
            let problem = state.labelling.problem().unwrap_or_default();
            format!("{problem}; Enter tries again; if a file has changed, start simscope again")
        }
        (None, Some(_), _) if app.analysis.is_complete() => "counting the judgements ..".to_owned(),
        (None, Some(_), _) if app.running.is_some() => {
            "waits until all pairs are found ..".to_owned()
        }
        (None, Some(_), _) => {
            "the work was stopped before pairs were found; + or - resumes it".to_owned()
        }
    });
    texts.iter().map(|text| visible(text).into_owned().into()).collect()
}

/// The conclusion, and the precision of each k by the judgements.
fn verdict<'a>(app: &'a App, assessed: &'a AssessedLabels) -> Page<'a> {
    let mut texts: Vec<String> = app.tune.label.problem.iter().cloned().collect();
    let by_cosine = app.tune.distances.tuning.as_ref().and_then(|tuning| tuning.advice.as_ref());
    texts.extend(match (assessed.assessment.counts.judgements, by_cosine) {
        (0, advice) => {
            let begin = match assessed.batch.len() as u64 {
                0 => "There is no pair to judge.".to_owned(),
                n => {
                    let n = counted(n, "pair");
                    format!("No pair is judged yet: Enter shows {n} with the distance hidden. Press y for near-duplicates, n for not, u for unsure.")
                }
            };
            let until = if assessed.batch.is_empty() { "So" } else { "Until you have judged," };
            let advice = advice.map(|advice| format!("{until} cosines decide: {}", advice.lead()));
            [Some(begin), advice].into_iter().flatten().collect()
        }
        (_, Some(advice)) if !assessed.assessment.has_enough_labels() => {
            let mut texts = assessed.assessment.conclusion();
            texts.insert(1, format!("until there are enough judgements, cosines decide: {}", advice.lead()));
            texts
        }
        _ => assessed.assessment.conclusion(),
    });
    let tone = |at: usize| if at == 0 { Tone::Strong } else { Tone::Text };
    let texts = texts.iter().enumerate();
    let texts = texts.map(|(at, text)| (visible(text).into_owned(), tone(at)).into()).collect();
    let remark = if app.tune.label.assessed.is_running() {
        "counting the judgements ..".to_owned()
    } else {
        format!("required precision: {}", app.tune.label.aim.precision)
    };
    let rows: Vec<JudgedRow> = JudgedRow::all(&assessed.assessment.advice, &[]).collect();
    let (len, k) = (rows.len(), app.settings.k as usize);
    let most = len.saturating_sub(1);
    let labels = counted(assessed.assessment.counts.judgements as u64, "label");
    let legend = format!(
        "{labels} in all. Pairs and shares are of documents with different texts, with 95 % intervals. sure: the lower \
         bound, which holds for all k at once. recall: the share within k of the kept near-duplicates (within {most} \
         bits); a larger k keeps more."
    );
    let mut columns: Vec<_> = listed(judged(), 0, move |at| rows.get(at).copied()).collect();
    columns.push(Column::words("", None, move |at: usize| remark_on(assessed, at as u32)));
    let cursor = Cursor { selected: k, top: k.saturating_sub(4) };
    let list = List { columns, len, cursor, none: "no k is known".to_owned() };
    Page {
        parts: vec![
            Part::text("", texts, 0, Place::Across, app.size),
            Part {
                title: "each k by the judgements".to_owned(),
                remark,
                rows: 4..=len + 1,
                rank: 0,
                place: Place::Across,
                block: Block::List(list),
            },
            Part::text("", vec![(legend, Tone::Muted).into()], 1, Place::Across, app.size),
        ],
    }
}

/// The remark beside a k.
fn remark_on(assessed: &AssessedLabels, k: u32) -> (String, Tone) {
    let recommendation = &assessed.assessment.advice.recommendation;
    let verdict = recommendation.verdicts[k as usize];
    let remark = match (recommendation.precise, recommendation.balanced) {
        // Before the first judgement nothing is known about a k.
        _ if assessed.assessment.counts.judgements == 0 => "not judged".to_owned(),
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

/// Two texts, without their distance.
fn pair<'a>(app: &'a App, judging: &'a label::JudgingBatch) -> Page<'a> {
    let (at, n) = (judging.at + 1, judging.batch.len());
    let question = match &app.tune.label.problem {
        Some(problem) => (visible(problem).into_owned(), Tone::Warn),
        None => (format!("Are these two near-duplicates?   Pair {at} of {n}."), Tone::Strong),
    };
    let shown = judging.shown.as_ref().filter(|shown| shown.at == judging.at);
    let (column, is_side_by_side) = judging_column(app.size);
    let title = shown.map_or_else(String::new, |shown| {
        let [left, right] =
            shown.documents.map(|document| visible(app.analysis.corpus.id(document)).into_owned());
        if is_side_by_side {
            format!("{left} | {right}")
        } else {
            format!("[-{left}-] {{+{right}+}}")
        }
    });
    let (n_rows, height) = (judging.rows.len(), judging_rows(app.size));
    let mut remarks = Vec::new();
    if n_rows > height {
        let last = (judging.top + height).min(n_rows);
        remarks.push(format!("rows {}-{last} of {n_rows}", judging.top + 1));
    }
    if shown.is_some_and(|shown| shown.comparison.clipped) {
        remarks.push("cut to 32 kB".to_owned());
    }
    let texts = match shown {
        Some(_) => &judging.rows[judging.top.min(n_rows)..],
        None => &[],
    };
    Page {
        parts: vec![
            Part::text("", vec![question.into()], 0, Place::Across, app.size),
            Part {
                title,
                remark: remarks.join(", "),
                rows: 3..=usize::from(u16::MAX),
                rank: 0,
                place: Place::Across,
                block: Block::Texts(texts, is_side_by_side.then_some(column)),
            },
        ],
    }
}
