//! Step: the votes so far, bit by bit, and what the last feature changed.

use ratatui::{
    style::{Modifier, Style},
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr;

use super::{
    ballot,
    rows::{LABEL, byte_ruler, bytes, line_of, lines, pointer, with_wide_label},
};
use crate::{
    app::{App, keymap::Action, layout::SizeClass, screen::ViewId},
    explain::{VoteTally, bit_margins::vote},
    index::Block,
    number::counted,
    simhash::WeightedFeature,
    text::visible,
    tui::{
        theme::Theme,
        widget::{
            bits::BlockLine,
            canvas::{Canvas, clip, fit},
        },
    },
};

/// Rows of the totals below their bars: bits, whether they are decided, and the cursor.
const BELOW_BARS: usize = 3;
/// Rows of bars above their line, and as many below it: the least, the usual ones where `LEAST_FEATURES` still fit, and
/// the most.
const LEAST_HALF: usize = 1;
const USUAL_HALF: usize = 2;
const MOST_HALF: usize = 8;
/// Features that are listed even where the bars become low for it.
const LEAST_FEATURES: usize = 2;
/// Rows besides features and totals: the text, the ruler, the rule and two sentences.
const OTHER_ROWS: usize = 5;
/// Rows of the sentence that stands for the bars, and of the rule above it.
const SENTENCE: usize = 4;
/// Cells of a rule beside its title and its remark.
const RULE: usize = 8;
/// Cells of a feature's name before its votes, if a short fingerprint leaves room.
const NAME: std::ops::RangeInclusive<usize> = LABEL..=22;

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let learn = &app.learn;
    let (step, play) = (&learn.step, &learn.playground);
    let (feature_votes, recipe) = step.subject(play);
    let (width, height) = (canvas.width(), canvas.height());
    let theme = canvas.theme;
    canvas.row(0, subject(app, width, theme));
    if feature_votes.features.is_empty() {
        canvas.row(1, "  no features: e types a text, d takes the selected document");
        return;
    }
    let (now, before) = (step.tally(play), step.tally_before(play));
    let features = &feature_votes.features;
    if ballot::fits(recipe.bits, width) && height >= 8 {
        let mut below = canvas.part(0, 2, width, height - 2);
        return as_ballot(app, features, (&now, &before), &mut below);
    }
    let blocks = bytes(recipe.bits);
    let lines = lines(&blocks, width);
    // On a small screen only the line of the selected bit.
    let bit = step.bit(play);
    let shown = if lines.len() == 1 || app.size.shape() >= SizeClass::Standard && lines.len() <= 2 {
        &lines[..]
    } else {
        line_of(&lines, bit)
    };
    let cells: usize = shown[0].iter().map(|(_, block)| block.width as usize + 1).sum();
    let name = (width.saturating_sub(cells + 1)).clamp(*NAME.start(), *NAME.end());
    let hides_sums = app.learn.lessons.hides("sums");
    let n_features = feature_votes.features.len();
    let (mut features, half) = divided(height, n_features, shown.len());
    if hides_sums {
        features = height.saturating_sub(2);
    } else if step.cast == 0 && features < n_features {
        // Before the first vote there is a sentence instead of bars.
        features = height.saturating_sub(SENTENCE + 2).min(n_features);
    }
    let chart = 2 * half + BELOW_BARS;
    votes(
        app,
        &feature_votes.features,
        shown[0],
        name,
        &mut canvas.part(0, 1, width, features + 1),
    );
    if hides_sums {
        return;
    }
    let mut y = features + 2;
    let (title, remark) = titles(app, n_features, width);
    canvas.rule(y, &title, remark);
    y += 1;
    if step.cast == 0 {
        let key = app.keymap.key_of(ViewId::Step, Action::Probe(1));
        // Below another view it has no keys.
        let has_keys = app.view() == ViewId::Step;
        let next = if has_keys { format!("; {key} casts the first") } else { String::new() };
        canvas.paragraph(1, y, &(last(&now, &before, None) + &next), theme.text());
        return;
    }
    for blocks in shown {
        totals(&now, blocks, bit, name, &mut canvas.part(0, y, width, chart));
        y += chart;
    }
    for text in [
        bit_sentence(&now, &feature_votes.features[..step.cast], bit),
        last(&now, &before, feature_votes.features.get(step.cast.wrapping_sub(1))),
    ] {
        if y < height {
            canvas.row(y, format!(" {}", clip(&text, width - 2)));
            y += 1;
        }
    }
}

/// The title and the remark of the totals; the remark is shorter where it would cut the title.
fn titles(app: &App, n_features: usize, width: usize) -> (String, &'static str) {
    let step = &app.learn.step;
    let all = counted(n_features as u64, "feature");
    let title = format!("totals after {} of {all}", step.cast);
    let remarks = if step.playing && app.view() == ViewId::Step {
        ["playing, p stops", "playing", ""]
    } else {
        ["sure: = final, ? may still flip", "? may still flip", ""]
    };
    let fits = |remark: &&str| title.width() + remark.width() + RULE <= width;
    let remark = remarks.into_iter().find(fits).unwrap_or_default();
    (title, remark)
}

/// Rows of the features, and of either side of the bars of each line. Bars get the rows that the features leave, but for
/// a blank one.
fn divided(height: usize, n_features: usize, n_lines: usize) -> (usize, usize) {
    let rows = |half: usize| OTHER_ROWS + n_lines * (2 * half + BELOW_BARS);
    let is_usual = rows(USUAL_HALF) + n_features.min(LEAST_FEATURES) <= height;
    let half = (USUAL_HALF..=MOST_HALF)
        .rev()
        .find(|&half| rows(half) + n_features < height)
        .unwrap_or(if is_usual { USUAL_HALF } else { LEAST_HALF });
    (height.saturating_sub(rows(half)).clamp(1, n_features + 1), half)
}

/// The text whose features vote, and the recipe.
fn subject(app: &App, width: usize, theme: Theme) -> Line<'static> {
    let (step, play) = (&app.learn.step, &app.learn.playground);
    let recipe = step.subject(play).1;
    let text = match &step.document {
        Some(document) => {
            format!("{} ({})", visible(app.analysis.corpus.id(document.document)), recipe.short())
        }
        None if play.editing => String::new(),
        None => format!("\"{}\"   {}", visible(play.texts[0].value()), play.counted_as(0)),
    };
    let mut line = Line::from(Span::styled(" text  ", theme.muted()));
    if play.editing {
        line.extend(crate::tui::view::overlay::edited(&play.texts[0], width - 8, theme));
    } else {
        line.push_span(Span::raw(clip(&text, width.saturating_sub(8))));
    }
    line
}

/// A short fingerprint: the table of votes, the sentence about the selected column, and bars.
fn as_ballot(
    app: &App,
    features: &[WeightedFeature],
    (now, before): (&VoteTally, &VoteTally),
    canvas: &mut Canvas,
) {
    let (width, height) = (canvas.width(), canvas.height());
    // On a low screen all features have precedence over the sentences.
    let least = (features.len() + ballot::BELOW + 1).min(height);
    let y = height.saturating_sub(2).clamp(least, (3 * features.len() + 6).max(least));
    ballot::draw(app, features, now, &mut canvas.part(0, 0, width, y));
    let column = ballot::column_sentence(app, features, now, width.saturating_sub(2));
    canvas.row(y, format!(" {column}"));
    if app.learn.lessons.hides("sums") {
        return;
    }
    let turned = last(now, before, features.get(app.learn.step.cast.wrapping_sub(1)));
    canvas.row(y + 1, format!(" {}", clip(&turned, width.saturating_sub(2))));
    ballot::bars(now, &mut canvas.part(0, y + 3, width, height.saturating_sub(y + 3)));
}

/// The colour of votes for 1, or for 0.
fn side(is_one: bool, theme: Theme) -> Style {
    theme.block(usize::from(!is_one))
}

/// The features that have voted, and the vote of each on the bits of a line.
fn votes(
    app: &App,
    features: &[WeightedFeature],
    blocks: &[(usize, Block)],
    name: usize,
    canvas: &mut Canvas,
) {
    let theme = canvas.theme;
    let step = &app.learn.step;
    let line = BlockLine { blocks, key_blocks: 0, is_tinted: false };
    let width = step.subject(&app.learn.playground).1.bits;
    canvas.row(0, with_wide_label("", name, byte_ruler(&line, width, theme), canvas));
    line.sign_hidden(bytes(width).len(), 0, canvas);
    let rows = canvas.height().saturating_sub(1);
    let top = step.cast.saturating_sub(rows / 2 + 1).min(features.len().saturating_sub(rows));
    for (y, (number, feature)) in features.iter().enumerate().skip(top).take(rows).enumerate() {
        let is_last = number + 1 == step.cast;
        let mark = match number {
            _ if is_last => theme.glyphs().cursor,
            _ if number < step.cast => theme.glyphs().kept,
            _ => theme.glyphs().none,
        };
        let mut spans =
            vec![Span::raw(format!("{mark}{} ", fit(&visible(&feature.shingle), name - 2)))];
        if number < step.cast {
            let sign = |bit: u32| {
                let is_one = vote(feature.hash, bit) * feature.weight.0 > 0;
                let style = side(is_one, theme);
                let style = if is_last { style.add_modifier(Modifier::BOLD) } else { style };
                (if is_one { '+' } else { '-' }, style)
            };
            spans.extend(line.styled_signs(sign, theme));
            line.answer_to_clicks(name, y + 1, canvas);
        } else {
            let weight = format!("weight {:.2}, still to vote", feature.weight.to_f64());
            // A name that is cut before its votes is whole until they come.
            let whole = visible(&feature.shingle);
            let text = if whole.width() > name - 2 { format!("{whole}  {weight}") } else { weight };
            spans.push(Span::styled(text, theme.muted()));
        }
        canvas.row(y + 1, Line::from(spans));
    }
}

/// Bars of the totals, their signs, and the decided bits; seven rows.
fn totals(
    tally: &VoteTally,
    blocks: &[(usize, Block)],
    bit: u32,
    name: usize,
    canvas: &mut Canvas,
) {
    let theme = canvas.theme;
    let line = BlockLine { blocks, key_blocks: 0, is_tinted: false };
    let most =
        (0..tally.votes.width()).map(|bit| tally.votes.fixed(bit).abs()).max().unwrap_or(0).max(1);
    let half = canvas.height().saturating_sub(2) / 2;
    let bars = |row: usize| {
        let drawn = line.bars(|bit| tally.votes.fixed(bit), most, (row, half), theme).into_iter();
        // The lines between blocks keep their style.
        let style = side(row < half, theme);
        drawn
            .map(|span| if span.style == theme.text() { span.style(style) } else { span })
            .collect()
    };
    let scale = most as f64 / (1 << 20) as f64;
    for row in 0..2 * half {
        let label = match row {
            0 => format!("{scale:+.1}"),
            row if row + 1 == 2 * half => format!("{:+.1}", 0.0 - scale),
            _ => String::new(),
        };
        canvas.row(row, with_wide_label(&label, name, bars(row), canvas));
        line.answer_to_clicks(name, row, canvas);
    }
    let y = 2 * half;
    let glyphs = theme.glyphs();
    let sign = |bit: u32| if tally.bit(bit) { glyphs.one } else { glyphs.zero };
    canvas.row(y, with_wide_label("bit", name, line.signs(sign, theme.strong(), theme), canvas));
    line.answer_to_clicks(name, y, canvas);
    let decided = |bit: u32| if tally.is_decided(bit) { '=' } else { '?' };
    let sure = line.signs(decided, theme.muted(), theme);
    canvas.row(y + 1, with_wide_label("sure", name, sure, canvas));
    let (pointed, style) = pointer(theme);
    let cursor = |at: u32| if at == bit { pointed } else { ' ' };
    canvas.row(y + 2, with_wide_label("", name, line.marks(cursor, style, theme), canvas));
}

/// The explanation of the selected bit.
fn bit_sentence(tally: &VoteTally, cast: &[WeightedFeature], bit: u32) -> String {
    let one = |fixed: i64| fixed as f64 / (1 << 20) as f64;
    let votes: Vec<String> = cast
        .iter()
        .rev()
        .take(6)
        .rev()
        .map(|feature| format!("{:+.4}", one(vote(feature.hash, bit) * feature.weight.0)))
        .collect();
    let votes: Vec<&str> =
        votes.iter().map(|vote| vote.trim_end_matches('0').trim_end_matches('.')).collect();
    let before = if cast.len() > 6 { ".. " } else { "" };
    let value = u8::from(tally.bit(bit));
    let fate = if tally.is_decided(bit) {
        "decided".to_owned()
    } else {
        format!("open, {:.2} still to vote", one(tally.left))
    };
    let sum =
        if cast.is_empty() { String::new() } else { format!("{before}{} = ", votes.join(" ")) };
    format!("bit {bit}: {sum}{:+.2}, so {value}; {fate}", one(tally.votes.fixed(bit)))
}

/// The effect of the last feature.
fn last(now: &VoteTally, before: &VoteTally, feature: Option<&WeightedFeature>) -> String {
    let Some(feature) = feature else {
        return "no votes yet: every total is 0, a tie".to_owned();
    };
    let ones = (0..now.votes.width())
        .filter(|&bit| vote(feature.hash, bit) * feature.weight.0 > 0)
        .count();
    let turned = now.flipped_since(before);
    let list: Vec<String> = turned.iter().take(10).map(ToString::to_string).collect();
    let more = if turned.len() > 10 { " .." } else { "" };
    let turned = match turned.len() {
        0 => "it flipped no bit".to_owned(),
        n => format!("it flipped {}: {}{more}", counted(n as u64, "bit"), list.join(" ")),
    };
    let zeros = now.votes.width() as usize - ones;
    format!("\"{}\" votes 1 on {ones}, 0 on {zeros}; {turned}", visible(&feature.shingle))
}
