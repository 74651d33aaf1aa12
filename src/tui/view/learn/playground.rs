//! The Playground: two texts, their bits one above the other, and their features.

use ratatui::text::{Line, Span};

use super::rows::{bit_row, byte_ruler, bytes, lines, with_label};
use crate::{
    app::{
        App,
        layout::SizeClass,
        screen::learn::{Playground, playground::MOST_CHARACTERS},
    },
    evaluate::{angle, interval},
    explain::{Overlap, overlap::AlignedFeature},
    number::{counted, grouped},
    simhash::Fingerprint,
    text::visible,
    tui::widget::{
        bits::{BitRow, BlockLine},
        canvas::{Canvas, clip, fit},
    },
};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let play = &app.learn.playground;
    let (width, height) = (canvas.width(), canvas.height());
    let small = app.size.shape() < SizeClass::Standard;
    for side in 0..2 {
        texts(play, side, canvas);
    }
    canvas.rule(2, &play.counted_as(play.focus), &sizes(play));
    let mut y = 3;
    let prints = [play.fingerprint(0), play.fingerprint(1)];
    let lessons = &app.learn.lessons;
    let (hides_distance, hides_ties) = (lessons.hides("distance"), lessons.hides("ties.a"));
    let blocks = bytes(play.recipe.bits);
    for blocks in lines(&blocks, width) {
        let line = BlockLine { blocks, key_blocks: 0, is_tinted: false };
        let theme = canvas.theme;
        if !small {
            let ruler = byte_ruler(&line, play.recipe.bits, theme);
            canvas.row(y, with_label("", ruler, canvas));
            y += 1;
        }
        for (side, name) in ["one", "two"].into_iter().enumerate() {
            if hides_distance && side == 1 {
                let text = "hidden until you have answered";
                canvas.row(y, with_label(name, vec![Span::styled(text, theme.muted())], canvas));
                y += 1;
                continue;
            }
            let other = prints[1 - side].filter(|_| !hides_distance);
            canvas.row(y, bit_row(name, &line, prints[side], other, canvas));
            y += 1;
            if !small && prints[side].is_some() && !hides_ties {
                let margins = line.margins(&play.feature_votes[side].votes, theme);
                canvas.row(y, with_label("|V|", margins, canvas));
                y += 1;
            }
        }
        if let ([Some(one), Some(two)], false) = (prints, hides_distance) {
            let xor = line.xor(one.bits() ^ two.bits(), theme);
            canvas.row(y, with_label("xor", xor, canvas));
            y += 1;
        }
    }
    let overlap = play.overlap();
    let (title, remark) = if hides_distance {
        (format!("distance ? of {}", play.recipe.bits), String::new())
    } else {
        verdict(play, &overlap)
    };
    canvas.rule(y, &title, &remark);
    y += 1;
    let each = [0, 1].into_iter().flat_map(|side| notes(play, side));
    for note in outside(play, &overlap).into_iter().chain(each) {
        if y + 1 < height && !lessons.hides_anything() {
            let warn = canvas.theme.warn();
            canvas.row(y, Span::styled(format!(" {}", clip(&note, width - 2)), warn));
            y += 1;
        }
    }
    if lessons.hides("only.b") {
        return;
    }
    features(play, &overlap, &mut canvas.part(0, y, width, height.saturating_sub(y)));
}

/// A text in its row, with the cursor if it is being typed.
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
    let features = |side: usize| play.feature_votes[side].features.len();
    let (one, two) = (counted(features(0) as u64, "feature"), features(1));
    format!("{one} and {two}")
}

/// The distance, and the cosine it implies beside the exact one.
fn verdict(play: &Playground, overlap: &Overlap) -> (String, String) {
    let width = play.recipe.bits;
    let Some(distance) = play.distance() else {
        return ("no distance without features".to_owned(), String::new());
    };
    let (low, high) = interval::cosine(distance, width);
    let estimate = angle::estimate(distance, width);
    let title = format!("distance {distance} of {width}");
    let cosine = overlap.cosine.map_or_else(String::new, |cosine| format!("cosine {cosine:.3}, "));
    (title, format!("{cosine}from the bits {estimate:.2} ({low:.2} to {high:.2})"))
}

/// The remark that the exact cosine is outside the interval of the estimate, if it is.
fn outside(play: &Playground, overlap: &Overlap) -> Option<String> {
    let (cosine, distance) = (overlap.cosine?, play.distance()?);
    let (low, high) = interval::cosine(distance, play.recipe.bits);
    (!(low..=high).contains(&cosine)).then(|| {
        format!("cosine {cosine:.3} is outside: the interval needs many features of similar weight")
    })
}

/// The warnings about one text.
fn notes(play: &Playground, side: usize) -> Vec<String> {
    let name = ["one", "two"][side];
    let mut notes = Vec::new();
    if play.is_cut[side] {
        let most = grouped(MOST_CHARACTERS as u64);
        notes.push(format!(
            "{name}: only its first {most} characters are here; Pair compares the whole text"
        ));
    }
    if let Some(heaviest) = play.dominating(side) {
        let rules = match play.feature_votes[side].features.len() {
            1 => "is the only feature",
            _ => "outweighs all others",
        };
        let heaviest = visible(heaviest);
        notes.push(format!("{name}: \"{heaviest}\" {rules}: the fingerprint is its hash"));
    }
    let ties = play.feature_votes[side].votes.ties();
    if ties > 0 && !play.feature_votes[side].features.is_empty() {
        let bits = counted(u64::from(ties), "bit");
        notes.push(format!(
            "{name}: {bits} tied: votes cancel, the tie rule makes them {}",
            play.recipe.tie
        ));
    }
    notes
}

/// The features of both texts: shared ones first, and in each kind the heaviest first.
fn features(play: &Playground, overlap: &Overlap, canvas: &mut Canvas) {
    let theme = canvas.theme;
    if canvas.height() == 0 {
        return;
    }
    let shared = overlap.shared.iter().map(|shared| &shared.feature);
    let only = overlap.only.iter().flatten().map(|only| &only.feature);
    let rows: Vec<&AlignedFeature> = shared.chain(only).collect();
    let digits = (play.recipe.bits as usize).div_ceil(4);
    let name = canvas.width().saturating_sub(36).min(40);
    let mut header = format!(" {}  in one  in two  hash", fit("feature", name));
    let blocks = bytes(play.recipe.bits);
    let line = BlockLine { blocks: &blocks, key_blocks: 0, is_tinted: false };
    let bits_at = name + 20 + digits;
    // The bits stand beside the hash where all have room: then the eye adds them up to the votes above.
    let bits_fit = bits_at + play.recipe.bits as usize + blocks.len() < canvas.width();
    if bits_fit {
        header = fit(&header, bits_at) + "its bits: 1 votes for a 1, 0 for a 0";
    }
    let n_columns = header.len();
    canvas.row(0, Span::styled(header, theme.muted()));
    let room = canvas.height() - 1;
    for (y, feature) in rows.iter().take(room).enumerate() {
        let weight = |side: usize| match feature.weights[side] {
            Some(weight) => format!("{:>6.2}", weight.to_f64()),
            None => format!("{:>6}", theme.glyphs().none),
        };
        let shown = fit(&visible(&feature.shingle), name);
        let row = format!(" {shown}  {}  {}  {:0digits$x}", weight(0), weight(1), feature.hash);
        let style = match feature.weights {
            [Some(_), Some(_)] => theme.text(),
            [Some(_), None] => theme.left_only(),
            _ => theme.right_only(),
        };
        canvas.row(y + 1, Span::styled(row, style));
        if bits_fit {
            let hash = Fingerprint::new(feature.hash, play.recipe.bits);
            canvas.at(bits_at, y + 1, Line::from(line.bits(&BitRow::new(hash), theme)));
        }
    }
    if rows.len() > room && room > 0 {
        let n_below = rows.len() - room;
        let more = format!(" {n_below} more below ");
        let has_room = n_columns + more.len() <= canvas.width();
        let short = format!(" {} {n_below} more", theme.glyphs().more);
        let more = if has_room { more } else { short };
        canvas.right(0, Span::styled(more, theme.muted()));
    }
}
