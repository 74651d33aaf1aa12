//! The Playground view: two texts, and their features, votes and bits.

use std::rc::Rc;

use super::super::contract::View;
use super::super::pair::{by_the_bits, by_their_texts, distance, hung};
use crate::app::App;
use crate::app::cursor::Cursor;
use crate::app::keymap::Action;
use crate::app::layout::Size;
use crate::app::page::{
    ANY, Bits, Block, Cell, Column, List, Page, Part, Place, Tinted, Tone, VoteBars, cell_of,
};
use crate::app::screen::learn::Playground;
use crate::evaluate::{angle, interval};
use crate::explain::Overlap;
use crate::explain::overlap::{AlignedFeature, align, differing_bits};
use crate::explain::triage::{Flag, TriageFacts, findings};
use crate::facts::ExplainedNumber;
use crate::number::counted;
use crate::simhash::Fingerprint;
use crate::text::visible;
use crate::{index, sign};

/// The Playground view.
pub(in crate::app) struct PlaygroundView;

impl View for PlaygroundView {
    fn act(&self, app: &mut App, action: Action) -> bool {
        super::act(app, action)
    }

    /// Selects the other text.
    fn step(&self, app: &mut App, rows: isize) {
        if rows.abs() == 1 {
            app.learn.playground.focus = usize::from(rows > 0);
        }
    }

    /// The texts, their bits, what these tell, the features, and the votes of the text with the cursor. A lesson hides
    /// what it asks for.
    fn page<'a>(&self, app: &'a App, size: Size) -> Page<'a> {
        let (play, lessons) = (&app.learn.playground, &app.learn.lessons);
        let overlap = play.overlap();
        let hides_distance = lessons.hides("distance");
        let bits = bits(play, hides_distance, size);
        let remark = match cosines(play, &overlap) {
            _ if hides_distance => "two: hidden until you have answered".to_owned(),
            cosines => cosines.unwrap_or_default(),
        };
        let mut parts = vec![texts(play), bits.remarked(remark)];
        let notes = [0, 1].into_iter().flat_map(|side| notes(play, side));
        let warnings = outside(play, &overlap).into_iter().chain(notes);
        let warnings: Vec<Tinted> = warnings.map(|it| (it, Tone::Warn).into()).collect();
        if !warnings.is_empty() && !lessons.hides_anything() {
            parts.push(Part::text("", warnings, 1, Place::Across, size));
        }
        if !lessons.hides("only.b") {
            parts.push(features(app, overlap));
        }
        if !lessons.hides("ties.a") {
            parts.push(votes(app));
        }
        Page { parts }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let play = &app.learn.playground;
        let (bits, overlap) = (play.recipe.bits, play.overlap());
        let mut numbers = Vec::new();
        if let (Some(a), Some(b)) = (play.fingerprint(0), play.fingerprint(1)) {
            numbers.extend([distance(a, b), by_the_bits(a.distance(b), bits)]);
        }
        for (side, name) in NAMES.into_iter().enumerate() {
            if play.fingerprint(side).is_some() {
                let votes = &play.feature_votes[side].votes;
                let by_margin = |&a: &u32, &b: &u32| votes.margin(a).total_cmp(&votes.margin(b));
                let bit = (0..votes.width()).min_by(by_margin).unwrap_or(0);
                let weakest = format!("{:.2} at bit {bit}", votes.margin(bit));
                numbers.push(ExplainedNumber::new(format!("|V| of {name}"), &weakest).explained(
                    format!("the smallest |V| / ||w||; ! marks all below 0.1. Weakest: {weakest}"),
                    "How firmly a bit was decided: a small edit can flip a weak bit.",
                ));
            }
        }
        if let Some((cosine, jaccard)) = overlap.cosine.zip(overlap.jaccard()) {
            numbers.extend(by_their_texts([cosine, jaccard], bits));
        }
        numbers
    }
}

// The page.

/// The names of the two texts.
const NAMES: [&str; 2] = ["one", "two"];
/// Features that show before the votes have room.
const LEAST_FEATURES: usize = 6;

fn texts(play: &Playground) -> Part<'_> {
    let text = |side: usize| match &play.texts[side] {
        text if play.editing && side == play.focus => Cell::Typed(text.clone()),
        text => visible(text.value()).into_owned().into(),
    };
    let n = |side: usize| counted(play.feature_votes[side].features.len() as u64, "feature");
    let columns = vec![
        Column::words("", 4, |side: usize| NAMES[side]),
        Column::words(&play.recipe.short(), None, text),
        Column::number("", 16, 0, n),
    ];
    let cursor = Cursor { selected: play.focus, ..Cursor::default() };
    Part::new("", 3..=3, List::new(columns, 2, cursor))
}

/// Blocks of eight bits, most significant first, which are easy to count.
fn bytes(width: u32) -> Vec<index::Block> {
    let block = |number: u32| {
        let high = width - 8 * number;
        let low = high.saturating_sub(8);
        index::Block { low, width: high - low }
    };
    (0..width.div_ceil(8)).map(block).collect()
}

/// Bytes are named by their first bit, because letters name the blocks of tables.
fn names(bytes: &[index::Block]) -> Vec<String> {
    bytes.iter().map(|it| (it.low + it.width - 1).to_string()).collect()
}

/// The fingerprints, and the features that decided the bits in which they differ.
fn bits(play: &Playground, hides_distance: bool, size: Size) -> Part<'static> {
    let width = play.recipe.bits;
    let known = |side: usize| Some((NAMES[side].to_owned(), play.fingerprint(side)?));
    let prints: Vec<_> = (0..if hides_distance { 1 } else { 2 }).filter_map(known).collect();
    let [one, two] = &play.feature_votes;
    let words = match prints.len() {
        2 => differing_bits([one, two], &align(one, two), play.recipe.tie, 1),
        _ => Vec::new(),
    };
    let title = match play.distance() {
        _ if hides_distance => format!("distance ? of {width}"),
        Some(distance) => format!("distance {distance} of {width}"),
        None => "no distance without features".to_owned(),
    };
    let bytes = bytes(width);
    let block = Bits {
        prints,
        names: names(&bytes),
        blocks: bytes,
        hung: words.iter().map(|bit| (bit.sides[0].bit, hung(bit).into())).collect(),
        ..Bits::default()
    };
    let rows = block.rows(Place::Across.cells(size));
    let rows = *rows.start()..=*rows.end().min(&(rows.start() + LEAST_FEATURES));
    Part::new(title, rows, Block::Bits(block))
}

/// The exact cosine and that of the bits.
fn cosines(play: &Playground, overlap: &Overlap) -> Option<String> {
    let distance = play.distance()?;
    let (low, high) = interval::cosine(distance, play.recipe.bits);
    let estimate = angle::estimate(distance, play.recipe.bits);
    let exact = overlap.cosine.map_or_else(String::new, |it| format!("cosine {it:.3}, "));
    Some(format!("{exact}by the bits {estimate:.2} ({low:.2} to {high:.2})"))
}

/// The remark that the exact cosine is outside the interval of the estimate, if it is.
fn outside(play: &Playground, overlap: &Overlap) -> Option<String> {
    let (cosine, distance) = (overlap.cosine?, play.distance()?);
    let (low, high) = interval::cosine(distance, play.recipe.bits);
    (!(low..=high).contains(&cosine)).then(|| {
        format!("cosine {cosine:.3} is outside: the interval needs many features of similar weight")
    })
}

/// The reasons why the distance of one text may mislead, but for its few features: texts of one's own are short.
fn notes(play: &Playground, side: usize) -> impl Iterator<Item = String> {
    let facts = TriageFacts::of(&play.feature_votes[side], &play.recipe, None);
    let found = findings(&facts).into_iter();
    let found = found.filter(|it| it.flag != Flag::Short);
    found.map(move |it| format!("{}: {}", NAMES[side], it.sentence))
}

/// The features of both texts: shared ones first, and in each kind the heaviest first.
fn features(app: &App, overlap: Overlap) -> Part<'static> {
    let bits = app.learn.playground.recipe.bits;
    let shared = overlap.shared.into_iter().map(|shared| shared.feature);
    let only = overlap.only.into_iter().flatten().map(|only| only.feature);
    let rows: Rc<[AlignedFeature]> = shared.chain(only).collect();
    let len = rows.len();
    let column = |of: fn(&AlignedFeature) -> String| {
        // Equal words are pale, as in the texts of a pair.
        cell_of(&rows, move |it: &AlignedFeature| {
            let is_shared = it.weights.iter().all(Option::is_some);
            Tinted::from((of(it), if is_shared { Tone::Muted } else { Tone::Text }))
        })
    };
    let hash = move |it: &AlignedFeature| format!("  {}", Fingerprint::new(it.hash, bits));
    let bytes = bytes(bits);
    let cells = bits as usize + bytes.len() + 1;
    let votes = move |it: &AlignedFeature| {
        let votes = bytes.iter().map(|byte| votes_of(it.hash, *byte));
        votes.collect::<Vec<_>>().join(&sign::BLOCK.to_string())
    };
    let each = Column::words("each bit: 1 votes for 1, 0 for 0", cells, cell_of(&rows, votes));
    let columns = vec![
        Column::words("feature", None, column(|it| visible(&it.shingle).into_owned())),
        Column::number("in one", 8, 0, column(|it| weight(it, 0))),
        Column::number("in two", 8, 0, column(|it| weight(it, 1))),
        Column::words("  hash", 4 + bits.div_ceil(4) as usize, cell_of(&rows, hash)),
        Column { rank: 1, ..each },
    ];
    let list = List::new(columns, len, Cursor::default());
    Part::new("features", len.min(LEAST_FEATURES) + 1..=len + 1, list).at(Place::Across, 2)
}

fn weight(it: &AlignedFeature, side: usize) -> String {
    it.weights[side].map_or_else(String::new, |weight| format!("{:.2}", weight.to_f64()))
}

/// The votes of a feature on the bits of a block.
fn votes_of(hash: u128, block: index::Block) -> String {
    let bits = (block.low..block.low + block.width).rev();
    bits.map(|bit| if hash >> bit & 1 == 1 { sign::ONE } else { sign::ZERO }).collect()
}

/// The sums of the votes of the text with the cursor.
fn votes(app: &App) -> Part<'_> {
    let play = &app.learn.playground;
    let bytes = bytes(play.recipe.bits);
    let bars = VoteBars {
        print: play.fingerprint(play.focus),
        votes: Some(&play.feature_votes[play.focus].votes),
        names: names(&bytes),
        blocks: bytes,
        bit: None,
    };
    let title = format!("votes of {}: ! is close to a tie", NAMES[play.focus]);
    Part::new(title, 5..=ANY, Block::Votes(bars)).at(Place::Across, 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_cover_the_width_once() {
        for width in [1, 7, 8, 9, 64, 90, 128] {
            let blocks = bytes(width);
            assert_eq!(blocks.iter().map(|block| block.width).sum::<u32>(), width);
            assert_eq!(blocks.last().unwrap().low, 0);
            assert!(blocks.iter().all(|block| block.width <= 8));
        }
    }
}
