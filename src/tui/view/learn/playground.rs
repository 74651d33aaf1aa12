//! The Playground: two texts, their bits one above the other, and their features.

use ratatui::text::{Line, Span};

use super::{bit_row, bytes, lines, with_label};
use crate::{
    app::{App, layout::Shape, screen::learn::Playground},
    evaluate::{angle, interval},
    number::counted,
    text::visible,
    tui::widget::{
        bits::BlockLine,
        canvas::{Canvas, clip, fit},
    },
};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let play = &app.learn.playground;
    let (width, height) = (canvas.width(), canvas.height());
    let small = app.size.shape() < Shape::Standard;
    for side in 0..2 {
        texts(play, side, canvas);
    }
    canvas.rule(2, &play.recipe.short(), &sizes(play));
    let mut y = 3;
    let prints = [play.fingerprint(0), play.fingerprint(1)];
    let blocks = bytes(play.recipe.bits);
    for blocks in lines(&blocks, width) {
        let line = BlockLine { blocks, key_blocks: 0 };
        let theme = canvas.theme;
        if !small {
            canvas.row(y, with_label("", vec![line.ruler(theme)], canvas));
            y += 1;
        }
        for (side, name) in ["one", "two"].into_iter().enumerate() {
            canvas.row(y, bit_row(name, &line, prints[side], prints[1 - side], canvas));
            y += 1;
            if !small && prints[side].is_some() {
                let margins = line.margins(&play.ballots[side].votes, theme);
                canvas.row(y, with_label("|V|", margins, canvas));
                y += 1;
            }
        }
        if let [Some(one), Some(two)] = prints {
            let xor = line.xor(one.bits() ^ two.bits(), theme);
            canvas.row(y, with_label("xor", xor, canvas));
            y += 1;
        }
    }
    let (title, remark) = verdict(play);
    canvas.rule(y, &title, &remark);
    y += 1;
    for note in [0, 1].into_iter().flat_map(|side| notes(play, side)) {
        if y + 1 < height {
            let warn = canvas.theme.warn();
            canvas.row(y, Span::styled(format!(" {}", clip(&note, width - 2)), warn));
            y += 1;
        }
    }
    features(play, &mut canvas.part(0, y, width, height.saturating_sub(y)));
}

/// A text in its row, with the cursor where it is typed into.
fn texts(play: &Playground, side: usize, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let focused = play.focus == side;
    let mark = if focused { theme.glyphs().cursor } else { ' ' };
    let name = ["one", "two"][side];
    let room = canvas.width().saturating_sub(8);
    let mut line = Line::from(Span::styled(format!("{mark}{name}  "), theme.muted()));
    let text = &play.texts[side];
    if play.editing && focused {
        line.extend(crate::tui::view::overlay::edited(text, room, theme));
    } else {
        line.push_span(Span::raw(clip(&visible(text.value()), room)));
    }
    canvas.row(side, line);
}

fn sizes(play: &Playground) -> String {
    let features = |side: usize| play.ballots[side].voters.len();
    let (one, two) = (counted(features(0) as u64, "feature"), features(1));
    format!("{one} and {two}")
}

/// The distance, and what it says of the cosine beside what that is.
fn verdict(play: &Playground) -> (String, String) {
    let width = play.recipe.bits;
    let Some(distance) = play.distance() else {
        return ("no distance without features".to_owned(), String::new());
    };
    let (low, high) = interval::cosine(distance, width);
    let estimate = angle::estimate(distance, width);
    let title = format!("distance {distance} of {width}");
    let cosine = play.cosine().map_or_else(String::new, |cosine| format!("cosine {cosine:.3}, "));
    (title, format!("{cosine}from the bits {estimate:.2} ({low:.2} to {high:.2})"))
}

/// What misleads.
fn notes(play: &Playground, side: usize) -> Vec<String> {
    let name = ["one", "two"][side];
    let mut notes = Vec::new();
    if let Some(heaviest) = play.dominating(side) {
        notes.push(format!(
            "{name}: \"{}\" outweighs all others: the fingerprint is its hash",
            visible(heaviest)
        ));
    }
    let ties = play.ballots[side].votes.ties();
    if ties > 0 && !play.ballots[side].voters.is_empty() {
        let bits = counted(u64::from(ties), "bit");
        notes.push(format!("{name}: {bits} tied: votes cancel, the rule says {}", play.recipe.tie));
    }
    notes
}

/// The features of both, those they share first.
fn features(play: &Playground, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let [one, two] = &play.ballots;
    let in_two = |shingle: &str| two.voters.iter().find(|voter| voter.shingle == shingle);
    let in_one = |shingle: &str| one.voters.iter().any(|voter| voter.shingle == shingle);
    let mut rows: Vec<(String, Option<f64>, Option<f64>, u128)> = Vec::new();
    for voter in &one.voters {
        let other = in_two(&voter.shingle).map(|other| other.weight.to_f64());
        rows.push((voter.shingle.clone(), Some(voter.weight.to_f64()), other, voter.hash));
    }
    let only_two = two.voters.iter().filter(|voter| !in_one(&voter.shingle));
    rows.extend(only_two.map(|v| (v.shingle.clone(), None, Some(v.weight.to_f64()), v.hash)));
    rows.sort_by_key(|(_, one, two, _)| one.is_none() || two.is_none());
    if canvas.height() == 0 {
        return;
    }
    let name = canvas.width().saturating_sub(36).min(40);
    let header = format!(" {}  in one  in two  hash", fit("feature", name));
    canvas.row(0, Span::styled(header, theme.muted()));
    let room = canvas.height() - 1;
    let n = rows.len();
    let digits = (play.recipe.bits as usize).div_ceil(4);
    for (y, (shingle, one, two, hash)) in rows.into_iter().take(room).enumerate() {
        let weight = |weight: Option<f64>| {
            weight.map_or_else(|| format!("{:>6}", theme.glyphs().none), |w| format!("{w:>6.2}"))
        };
        let shown = fit(&visible(&shingle), name);
        let row = format!(" {shown}  {}  {}  {hash:0digits$x}", weight(one), weight(two));
        let style = match (one, two) {
            (Some(_), Some(_)) => theme.text(),
            (Some(_), None) => theme.left_only(),
            _ => theme.right_only(),
        };
        canvas.row(y + 1, Span::styled(row, style));
    }
    if n > room && room > 0 {
        canvas.right(0, Span::styled(format!(" {} more below ", n - room), theme.muted()));
    }
}
