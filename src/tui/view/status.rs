//! The row below the tabs: how many texts can go, other facts about the corpus at the present k, and the running work.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::analysis::{ReachLimit, Stage};
use crate::app::page::Tone;
use crate::app::{App, Screen, wrap};
use crate::index::Linkage;
use crate::number::{counted, grouped, percent};
use crate::sign;
use crate::text::visible;
use crate::tui::widget::canvas::{Canvas, clip, cut};

/// Draws a notice over the last rows of the view.
pub(super) fn notice_over(app: &App, canvas: &mut Canvas) {
    let Some(notice) = app.notice.as_ref().filter(|_| app.overlay.is_none()) else { return };
    let (theme, width) = (canvas.theme, canvas.width());
    let room = width.saturating_sub(2);
    let rows = cut(wrap(&visible(notice), room), usize::from(app.size.height) / 3, room);
    canvas.over(rows.len()).rows(0, rows, theme.strong());
}

/// The findings, and the running work. The important facts come first; a fact that does not fit is left out.
pub(super) fn status(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let progress = progress(app);
    let room = canvas.width().saturating_sub(progress.as_ref().map_or(0, |text| text.width()));
    if let Some(progress) = progress {
        canvas.right(0, Span::raw(progress));
    }
    let mut canvas = canvas.part(0, 0, room, 1);
    let mut line = Line::from(" ");
    for (text, tone) in facts(app, canvas.width()) {
        let gap = if line.width() == 1 { "" } else { "  " };
        if line.width() + gap.len() + text.width() > room {
            continue;
        }
        line.push_span(Span::raw(gap));
        line.push_span(Span::styled(text, theme.tone(tone)));
    }
    canvas.row(0, line);
}

/// The facts, in order.
fn facts(app: &App, width: usize) -> Vec<(String, Tone)> {
    let partial = if app.analysis.corpus.is_complete() { "" } else { " so far" };
    let mut facts = can_go(app);
    let n_problems = app.analysis.listed_problems().count() as u64;
    if n_problems > 0 {
        facts.push((format!("{}: !", counted(n_problems, "problem")), Tone::Warn));
    }
    let layout = app.layout();
    if !layout.guarantees(app.analysis.settings.k) {
        facts.push(("tables may miss".to_owned(), Tone::Warn));
    }
    facts.extend(admitted(app));
    facts.extend(searched(app));
    facts.push((counted(app.analysis.len() as u64, "text") + partial, Tone::Muted));
    facts.extend(at_k(app, width));
    if let Some(index) = &app.analysis.index {
        facts.push((format!("{} distinct", grouped(index.n_distinct() as u64)), Tone::Muted));
        let tables = counted(layout.tables().len() as u64, "table");
        let made = if width >= 110 { format!(" ({})", layout.describe()) } else { String::new() };
        facts.push((tables + &made, Tone::Muted));
    }
    if width >= 130 {
        let carried = app.analysis.corpus.summary().fingerprints;
        let recipe = if carried == app.analysis.len() as u64 && carried > 0 {
            "fingerprints from the rows".to_owned()
        } else {
            format!("recipe {}", app.analysis.settings.recipe.short())
        };
        facts.push((recipe, Tone::Muted));
    }
    facts
}

/// How many texts can go, the number that most people come for: those that the review drops, or at most so many as
/// long as the texts are compared.
fn can_go(app: &App) -> Vec<(String, Tone)> {
    let (k, of) = (app.settings.k, app.analysis.len() as u64);
    if app.analysis.settings.k != k {
        return vec![(format!("list shows k={}", app.analysis.settings.k), Tone::Warn)];
    }
    if let Some(shared) = app.analysis.totals().and_then(|totals| totals.shared) {
        let percent = percent(shared, app.analysis.corpus.n_first() as u64);
        let shared = grouped(shared);
        return vec![(format!("{percent} ({shared}) are in the reference"), Tone::Strong)];
    }
    let Some(groups) = app.group_totals() else { return Vec::new() };
    let (n, texts) = (u64::from(groups.groups), u64::from(groups.documents));
    let drops = app.decisions().map(|decisions| decisions.dropped.len() as u64);
    let fingerprinted =
        app.analysis.index.as_ref().map_or(0, |index| index.n_fingerprinted() as u64);
    // Equal texts without words are in no group, and go.
    let most = u64::from(groups.redundant()) + (of - fingerprinted).saturating_sub(1);
    let so_far = if app.analysis.corpus.is_complete() { "" } else { " so far" };
    let similar =
        app.analysis.similarity().map_or_else(String::new, |it| format!(" {it} similar and"));
    let none =
        (format!("no two texts are{similar} within {}", counted(k.into(), "bit")), Tone::Text);
    let go = match drops {
        _ if n == 0 && drops.unwrap_or(most) == 0 => return vec![(none.0, Tone::Strong)],
        Some(drops) => format!("{} can go ({}){so_far}", grouped(drops), percent(drops, of)),
        None => format!("up to {} can go{so_far}", grouped(most)),
    };
    if n == 0 {
        let why = "equal texts without words".to_owned();
        return vec![(go, Tone::Strong), (why, Tone::Text), none];
    }
    let linkage = match app.groups.linkage {
        Linkage::Single => "",
        Linkage::Complete => " by complete linkage",
    };
    let mut facts = vec![
        (go, Tone::Strong),
        (format!("{} are in {}{linkage}", counted(texts, "text"), counted(n, "group")), Tone::Text),
    ];
    facts.extend(app.at_precise_k().map(|words| (words, Tone::Text)));
    facts
}

/// The number of documents that pass the filter, if they are listed.
fn admitted(app: &App) -> Option<(String, Tone)> {
    let docs = &app.docs;
    let is_shown = app.screen == Screen::Docs && !docs.filter.is_empty();
    let so_far = if docs.is_admitting() { " so far" } else { "" };
    let known = is_shown && docs.list.arrangement().filter == docs.filter;
    known.then(|| (format!("{} pass{so_far}", grouped(docs.len() as u64)), Tone::Text))
}

/// The number of documents that hold the words of the search, if they are listed.
pub(super) fn searched(app: &App) -> Option<(String, Tone)> {
    let find = app.docs.find.as_ref().filter(|_| app.screen == Screen::Docs)?;
    let sets = find.found.read();
    let [n_looked_at, n] = [sets.n_looked_at, sets.n_passing].map(|n| grouped(n as u64));
    let is_partial = sets.n_looked_at < app.analysis.len();
    let so_far = if is_partial { " so far" } else { "" };
    let words = clip(&visible(&find.words), 24);
    Some((format!("{n} of {n_looked_at} hold \"{words}\"{so_far}"), Tone::Text))
}

/// The pairs within k, and the largest k that needs no other search.
fn at_k(app: &App, width: usize) -> Vec<(String, Tone)> {
    let mut facts = vec![(format!("k={}", app.settings.k), Tone::Muted)];
    facts.extend(app.analysis.similarity().map(|it| (format!("similarity {it}"), Tone::Text)));
    let Some(totals) = app.analysis.totals() else { return facts };
    facts.push((counted(totals.pairs, "pair"), Tone::Muted));
    if app.groups.linkage == Linkage::Complete && app.group_totals().is_none() {
        facts.push(("groups by complete linkage ..".to_owned(), Tone::Text));
    }
    match app.ignored().len() as u64 {
        0 => {}
        n => facts.push((format!("{} marked as no duplicates", counted(n, "pair")), Tone::Text)),
    }
    let near = app.analysis.near.as_ref();
    if let Some((near, limit)) = near.and_then(|near| Some((near, near.limit?))) {
        let mut known = format!("known to {}", counted(near.reach().into(), "bit"));
        if width >= 110 {
            known += match limit {
                ReachLimit::Chance => ", beyond it too many by chance",
                ReachLimit::Pairs => ", beyond it too many pairs",
                ReachLimit::Time => ", beyond it too long a search",
            };
        }
        facts.push((known, Tone::Warn));
    }
    facts
}

/// The running job's stage and progress: `indexing ████░░░░ 52% `.
fn progress(app: &App) -> Option<String> {
    let looks = [app.docs.searching.job(), app.docs.admission.job()];
    let look = looks.into_iter().flatten().find(|job| !job.progress.is_cancelled());
    let (of, job) = match (&app.running, app.tune.sweep.step.job()) {
        (Some(running), _) => (String::new(), &*running.job),
        (None, Some(job)) if app.tune.sweep.step.is_running() => {
            let (done, all) = app.tune.sweep.steps();
            (format!("sweep {}/{all} ", done + 1), job)
        }
        _ => (String::new(), look?),
    };
    let stage: Stage = job.stage();
    let (done, total) = job.progress.get();
    if total == 0 {
        let spinner = ['|', '/', '-', '\\'][app.ticks % 4];
        return Some(format!("  {of}{stage} {spinner} "));
    }
    let [full, empty] = sign::BAR;
    let share = (done as f64 / total as f64).min(1.0);
    let filled = (share * 10.0) as usize;
    let bar: String = (0..10).map(|cell| if cell < filled { full } else { empty }).collect();
    Some(format!("  {of}{stage} {bar} {:3.0}% ", share * 100.0))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ratatui::buffer::Cell;

    use super::*;
    use crate::analysis::{AnalysisDepth, AnalysisInput, Job, Settings, run_to};
    use crate::app::{Message, Size, StartOptions, update};
    use crate::corpus::{Input, LoadOptions};
    use crate::look::Look;
    use crate::tui::theme::Theme;
    use crate::tui::view::draw;

    /// The status row over three documents, two of them alike, that are known as far as `limit` lets.
    fn row(limit: ReachLimit, width: u16) -> String {
        let rows = r#"{"text":"low tide"}
{"text":"low tide"}
{"text":"high water at noon"}"#;
        let inputs = || vec![Input::Bundled { name: "tide.jsonl", bytes: rows.as_bytes() }];
        let options = StartOptions {
            size: Size { width, height: 24 },
            compare_within: None,
            index: None,
            read: None,
        };
        let (mut app, _) =
            App::new("tide".into(), Settings::default(), inputs(), LoadOptions::default(), options)
                .unwrap();
        let work = AnalysisInput::Load(inputs(), LoadOptions::default(), None);
        let settings = Settings::default();
        let found = run_to(AnalysisDepth::Pairs, work, settings, &Job::new(), &mut |_| {}).unwrap();
        let mut analysis = Arc::into_inner(found).unwrap();
        let near = analysis.near.take().and_then(Arc::into_inner).unwrap();
        analysis.near = Some(Arc::new(near.limited(limit)));
        let number = app.running.as_ref().unwrap().number;
        let analysis = Arc::new(analysis);
        update(&mut app, Message::Analysed { number, analysis, finished: true });
        let buffer = draw(&app, Theme(Look::PLAIN));
        let cells = buffer.content.chunks(usize::from(width)).nth(2).unwrap();
        cells.iter().map(Cell::symbol).collect::<String>().trim_end().to_owned()
    }

    #[test]
    fn a_limit_is_told_with_its_reason_where_there_is_room() {
        let said = row(ReachLimit::Chance, 140);
        let begins =
            " up to 1 can go  2 texts are in 1 group  3 texts  k=3  1 pair  known to 3 bits";
        assert!(said.starts_with(&format!("{begins}, beyond it too many by chance")), "{said}");
        let said = row(ReachLimit::Pairs, 140);
        assert!(said.starts_with(&format!("{begins}, beyond it too many pairs")), "{said}");
        let said = row(ReachLimit::Pairs, 80);
        assert_eq!(row(ReachLimit::Chance, 80), said);
        assert!(said.starts_with(begins) && !said.contains("beyond"), "{said}");
    }
}
