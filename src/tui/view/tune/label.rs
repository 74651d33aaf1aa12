//! The Label view: a pair to judge, with its distance hidden; between batches, the results of the judgements.

use ratatui::{style::Style, text::Span};

use super::distances;
use crate::{
    analysis::labelling::AssessedLabels,
    app::{
        App,
        cursor::Cursor,
        layout::SizeClass,
        screen::tune::label::{JudgingBatch, judging_column, judging_rows},
        wrap::wrap,
    },
    evaluate::recommend::ThresholdVerdict,
    facts::thresholds::{JudgedRow, judged},
    number::counted,
    text::visible,
    tui::{
        theme::Theme,
        view::pair::text_row,
        widget::{
            canvas::{Canvas, clip},
            table::{Align, Column, ColumnTable, listed},
        },
    },
};

pub(crate) fn draw(app: &App, canvas: &mut Canvas) {
    match (&app.tune.label.judging, app.tune.label.assessed.answer()) {
        (Some(judging), _) => pair(app, judging, canvas),
        (None, Some(assessed)) => verdict(app, assessed, canvas),
        (None, None) => waiting(app, canvas),
    }
}

/// Draws the missing steps before pairs can be judged.
fn waiting(app: &App, canvas: &mut Canvas) {
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
    let room = canvas.width().saturating_sub(3);
    let rows =
        texts.iter().flat_map(|text| wrap(&visible(text), room).into_iter().chain([String::new()]));
    for (y, row) in rows.enumerate() {
        canvas.row(y, format!("  {row}"));
    }
}

/// Two texts side by side, without their distance.
fn pair(app: &App, judging: &JudgingBatch, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let (at, n) = (judging.at + 1, judging.batch.len());
    let shape = app.size.shape();
    let question = if shape == SizeClass::Small {
        "near-duplicates?"
    } else {
        "are these two near-duplicates?"
    };
    match &app.tune.label.problem {
        Some(problem) => {
            canvas.row(0, Span::styled(format!(" {}", visible(problem)), theme.warn()))
        }
        None => canvas.row(0, Span::styled(format!(" {question}"), theme.strong())),
    }
    canvas.right(0, Span::styled(format!("pair {at} of {n} "), theme.muted()));
    let shown = judging.shown.as_ref().filter(|shown| shown.at == judging.at);
    let height = judging_rows(app.size);
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
    let n_rows = judging.rows.len();
    let mut remark = String::new();
    if n_rows > height {
        remark =
            format!("rows {}-{} of {n_rows}", judging.top + 1, (judging.top + height).min(n_rows));
    }
    if shown.is_some_and(|shown| shown.comparison.clipped) {
        remark += if remark.is_empty() { "cut to 32 kB" } else { ", cut to 32 kB" };
    }
    let (width, body) = (canvas.width(), canvas.height());
    let mut lower = canvas.part(0, 1, width, body.saturating_sub(1));
    let mut inside = lower.beneath(shape == SizeClass::Wide, &title, &remark);
    let Some(_) = shown else {
        inside.row(0, Span::styled(" ..", theme.muted()));
        return;
    };
    let beside = is_side_by_side.then_some(column);
    for (y, row) in judging.rows.iter().skip(judging.top).take(height).enumerate() {
        inside.row(y, text_row(row, beside, theme));
    }
}

/// The conclusion, and the precision of each k by the judgements.
fn verdict(app: &App, assessed: &AssessedLabels, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let (width, height) = (canvas.width(), canvas.height());
    let small = app.size.shape() <= SizeClass::Medium;
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
    let most = if small { height.saturating_sub(5).min(3) } else { height / 2 };
    let rows: Vec<String> =
        texts.iter().flat_map(|text| wrap(&visible(text), width.saturating_sub(2))).collect();
    let shown = rows.len().min(most);
    for y in 0..shown {
        // A text that is cut off ends with the sign of it.
        let row = if y + 1 == shown { rows[y..].join(" ") } else { rows[y].clone() };
        let row = clip(&row, width.saturating_sub(2));
        let style = if y == 0 { theme.strong() } else { theme.text() };
        canvas.row(y, Span::styled(format!(" {row}"), style));
    }
    let remark = if app.tune.label.assessed.is_running() {
        "counting the judgements ..".to_owned()
    } else {
        format!("required precision: {}", app.tune.label.aim.precision)
    };
    let mut lower = canvas.part(0, shown, width, height.saturating_sub(shown));
    let title = if small { "each k" } else { "each k by the judgements" };
    list(app, assessed, &mut lower.beneath(app.size.shape() == SizeClass::Wide, title, &remark));
}

fn list(app: &App, assessed: &AssessedLabels, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let (k, width) = (app.settings.k as usize, canvas.width());
    let remarks = if width < 60 { 9 } else { 18 };
    let assessment = &assessed.assessment;
    let rows: Vec<JudgedRow> = JudgedRow::all(&assessed.assessment.advice, &[]).collect();
    let height = canvas.height().saturating_sub(1);
    let mut columns: Vec<_> = listed(judged()).collect();
    columns.push(Column::new("", Align::Rest, 0, move |row: &JudgedRow, _| {
        let (remark, style) = remark(assessed, row.texts.k, theme);
        Span::styled(format!("  {}", clip(&remark, remarks)), style)
    }));
    let cursor = Cursor { selected: k, top: k.saturating_sub(height / 2) };
    let mark = (k < rows.len()).then(|| theme.mark());
    ColumnTable::fitting(columns, width, &[remarks + 2]).saying_more().draw(
        canvas,
        cursor,
        rows.len(),
        mark,
        |at| Some(rows[at]),
    );
    let used = rows.len().min(height) + 2;
    if used < canvas.height() {
        let labels = counted(assessment.counts.judgements as u64, "label");
        let forms = [
            format!(
                "{labels} in all. Pairs and shares are of documents with different texts, with 95 % intervals. sure: the \
                 lower bound, which holds for all k at once. recall: the share within k of the kept near-duplicates \
                 (within {} bits); a larger k keeps more.",
                rows.len().saturating_sub(1)
            ),
            format!("{labels} in all. Shares are of different texts, with 95 % intervals."),
        ];
        let room = canvas.height().saturating_sub(used);
        let fits = |text: &&String| wrap(text, width.saturating_sub(2)).len() <= room;
        let Some(text) = forms.iter().find(fits) else { return };
        let below = used + canvas.paragraph(1, used, text, theme.muted()) + 1;
        distances::picture(app, below, canvas);
    }
}

/// The remark beside a k.
fn remark(assessed: &AssessedLabels, k: u32, theme: Theme) -> (String, Style) {
    let recommendation = &assessed.assessment.advice.recommendation;
    let verdict = recommendation.verdicts[k as usize];
    let remark = match (recommendation.precise, recommendation.balanced) {
        // Before the first judgement nothing is known about a k.
        _ if assessed.assessment.counts.judgements == 0 => "not judged".to_owned(),
        (Some(precise), _) if precise == k => "precise".to_owned(),
        (_, Some(balanced)) if balanced == k => "balanced".to_owned(),
        _ => verdict.to_string(),
    };
    let style = match verdict {
        ThresholdVerdict::Passes => theme.good(),
        ThresholdVerdict::TooLow | ThresholdVerdict::Chance => theme.warn(),
        ThresholdVerdict::Open | ThresholdVerdict::NoPairs => theme.muted(),
    };
    (remark, style)
}
