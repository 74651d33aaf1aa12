//! The Distances view: the recommended k, the histogram, and the effect of each k: pairs, precision, recall, documents
//! in groups.

use ratatui::{style::Style, text::Span};

use super::{
    histogram::{has_room_beside, histogram, is_told_by_colour},
    ready::ready,
};
use crate::{
    analysis::{Basis, KRow, Tuning},
    app::{
        App,
        cursor::Cursor,
        layout::SizeClass,
        screen::{
            ViewId,
            tune::distances::{DistancesLayout, distances_layout},
        },
        wrap::wrap,
    },
    evaluate::distances::CountMethod,
    facts::thresholds::{TunedRow, tuned},
    index::Linkage,
    number::counted,
    tui::{
        theme::Theme,
        widget::{
            canvas::{Canvas, clip, cut},
            table::{Align, Column, ColumnTable, listed},
        },
    },
};

pub(crate) fn draw(app: &App, canvas: &mut Canvas) {
    let Some(tuning) = ready(app, canvas) else { return };
    let (width, height) = (canvas.width(), canvas.height());
    let layout = layout(app);
    let picture = layout.sentences + layout.picture();
    if app.size.shape() == SizeClass::Wide {
        let how = how_known(app, tuning);
        let mut upper = canvas.part(0, 0, width, picture + 2);
        above(app, tuning, layout, &mut upper.framed("how far apart all pairs are", &how));
        let mut lower = canvas.part(0, picture + 2, width, height - picture - 2);
        let is_said = has_room_beside(layout, width - 2);
        let (legend, below) = (legend(tuning, is_said, &lower), lower.height());
        list(app, tuning, &mut lower.part(0, 0, width, below).framed(LIST, &legend));
        return;
    }
    above(app, tuning, layout, &mut canvas.part(0, 0, width, picture));
    let mut y = picture;
    if app.size.shape() > SizeClass::Small {
        canvas.rule(y, LIST, &legend(tuning, false, canvas));
        y += 1;
    }
    list(app, tuning, &mut canvas.part(0, y, width, height.saturating_sub(y)));
}

/// Rows and columns on this screen.
pub(super) fn layout(app: &App) -> DistancesLayout {
    distances_layout(app.size, app.layout().width(), app.tune.distances.is_zoomed)
}

/// The title of the list. Its pairs are pairs of documents, where the sentences count different texts.
const LIST: &str = "each k, in documents";

/// The meaning of the bars, if it is not said beside them, and the basis of the precision.
fn legend(tuning: &Tuning, is_said: bool, canvas: &Canvas) -> String {
    let glyphs = canvas.theme.glyphs();
    let [within, beyond] = glyphs.bar;
    let basis = tuning.advice.as_ref().map(|advice| advice.evidence.basis);
    let basis = match basis {
        Some(Basis::Judged { n_labels }) => format!("{n_labels} judged   "),
        Some(Basis::Sampled { n_compared }) => format!("{n_compared} cosines   "),
        Some(Basis::Exact { .. }) => "exact cosines   ".to_owned(),
        Some(Basis::Nothing) | None => String::new(),
    };
    if is_said {
        return format!("{basis}precision, recall: of texts");
    }
    if is_told_by_colour(canvas.theme) {
        return format!("{basis}{} k ends here  {} by chance", glyphs.dash, glyphs.chance);
    }
    format!("{basis}{within} within k  {beyond} beyond  {} by chance", glyphs.chance)
}

/// The method by which the number of pairs at each distance is known.
fn how_known(app: &App, tuning: &Tuning) -> String {
    if let Some(job) = app.tune.distances.advised.job() {
        if job.progress.is_cancelled() {
            return stopped(app, "Enter compares the texts");
        }
        return format!("{} {}%", job.stage(), job.progress.percent().unwrap_or(0));
    }
    match (tuning.method, app.tune.distances.measured.job()) {
        (Some(CountMethod::Exact), _) => format!("all {} counted", counted(tuning.n_pairs, "pair")),
        (Some(CountMethod::Sampled), _) => {
            let reach = tuning.reach.map_or_else(String::new, |reach| format!(" beyond {reach}"));
            format!("{}, sampled{reach}", counted(tuning.n_pairs, "pair"))
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

/// Says that the work stopped, and in Distances which key goes on with it: other views do not have that key.
fn stopped(app: &App, key: &str) -> String {
    if app.view() == ViewId::Distances { format!("stopped; {key}") } else { "stopped".to_owned() }
}

/// The conclusion and the histogram.
fn above(app: &App, tuning: &Tuning, layout: DistancesLayout, canvas: &mut Canvas) {
    let width = canvas.width();
    let strong = canvas.theme.strong();
    for (y, row) in
        sentences(app, tuning, width.saturating_sub(2), layout.sentences).iter().enumerate()
    {
        canvas.row(y, Span::styled(format!(" {row}"), strong));
    }
    if layout.bars == 0 {
        return;
    }
    let mut below = canvas.part(0, layout.sentences, width, layout.picture());
    histogram(app, tuning, layout, &mut below);
    // There is room beyond the bulk, where the bars are low again.
    if app.size.shape() == SizeClass::Medium || app.size.shape() == SizeClass::Standard {
        below.right(0, Span::styled(format!(" {} ", how_known(app, tuning)), below.theme.muted()));
    }
}

/// As many whole sentences of the conclusion as fit, each on rows of its own.
fn sentences(app: &App, tuning: &Tuning, width: usize, height: usize) -> Vec<String> {
    let k = app.settings.k;
    if height == 1 {
        return vec![tuning.brief(k)];
    }
    let mut rows = Vec::new();
    for sentence in tuning.conclusion(k) {
        let wrapped = wrap(&sentence, width);
        if rows.len() + wrapped.len() <= height {
            rows.extend(wrapped);
        } else {
            // If not even the first sentence fits, its beginning is shown.
            if rows.is_empty() {
                rows = cut(wrapped, height, width);
            }
            break;
        }
    }
    rows
}

/// The list of k around the present one.
fn list(app: &App, tuning: &Tuning, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let k = app.settings.k as usize;
    let remarks = if canvas.width() < 60 { 0 } else { 19.min(canvas.width() / 4) };
    // The groups of every k are known for single linkage only.
    let linkage = match app.groups.linkage {
        Linkage::Complete if remarks > 0 => "  by single linkage",
        _ => "",
    };
    let mut columns: Vec<_> = listed(tuned()).collect();
    columns.push(Column::new(linkage, Align::Rest, 0, move |it: &TunedRow<'_>, _| {
        let (remark, style) = remark(&it.row, tuning, theme);
        Span::styled(format!("  {}", clip(&remark, remarks)), style)
    }));
    let rows = canvas.height().saturating_sub(1);
    let middle = app.tune.distances.middle(app.settings.k);
    let top = middle.saturating_sub(rows / 2).min(tuning.rows.len().saturating_sub(rows));
    let cursor = Cursor { selected: k, top };
    // At the present k the decisions of Groups are the number.
    let mark = Some(theme.mark());
    ColumnTable::fitting(columns, canvas.width(), &[remarks]).loose().saying_more().draw(
        canvas,
        cursor,
        tuning.rows.len(),
        mark,
        |at| Some(TunedRow { tuning, row: app.row_of(tuning, at as u32) }),
    );
}

/// The remark beside a k, and its style.
fn remark(row: &KRow, tuning: &Tuning, theme: Theme) -> (String, Style) {
    let k = Some(row.k);
    let named = match (k == tuning.precise(), k == tuning.balanced()) {
        (true, true) => "precise, balanced",
        (true, false) => "precise",
        (false, true) => "balanced",
        // Below a k that is recommended the false pairs are known to be few.
        (false, false) if k > tuning.ceiling.max(tuning.precise()).max(tuning.balanced()) => {
            return ("chance pairs".to_owned(), theme.warn());
        }
        (false, false) if row.guaranteed => "guaranteed",
        (false, false) if row.groups.is_none() && tuning.reach.is_some() => {
            return ("not grouped".to_owned(), theme.muted());
        }
        (false, false) => "",
    };
    (named.to_owned(), theme.good())
}
