//! A page of the open lesson that has a picture of its own: blocks beside the text, in place of the list.

use std::f64::consts::PI;
use std::rc::Rc;

use crate::analysis::LayoutChoice;
use crate::app::App;
use crate::app::cursor::Cursor;
use crate::app::keymap::Action;
use crate::app::layout::Size;
use crate::app::page::{Bits, Block, Column, List, Page, Part, Place, Plot, Tinted, Tone, cell_of};
use crate::app::screen::learn::facts::{N_ORDERS, names, orders, share_read};
use crate::app::screen::learn::lesson::Picture;
use crate::evaluate::angle;
use crate::explain::TableOutcome;
use crate::explain::bit_margins::vote;
use crate::explain::figures::{signed, weight};
use crate::explain::hyperplane::{brittle, min_hash, signatures};
use crate::feature::FixedWeight;
use crate::index::{TableLayout, binomial, letter};
use crate::number::grouped;
use crate::present::planned::chance;
use crate::text::visible;

/// The least cosine of a curve: below it hardly any layout finds a pair.
const LEAST_COSINE: f64 = 0.5;

/// Flips bits of the picture that has bits.
pub(super) fn act(app: &mut App, picture: Picture, action: Action) -> bool {
    let has_bits = picture == Picture::Tables;
    let game = &mut app.learn.game;
    match action {
        Action::Probe(_) if has_bits => game.toggle(),
        Action::Sideways(by) if has_bits => game.sideways(by),
        _ => return super::act(app, action),
    }
    true
}

/// A picture that is no view.
pub(super) fn page(app: &App, picture: Picture, size: Size) -> Page<'_> {
    match picture {
        Picture::Curve => curve(app, size),
        Picture::Tables => tables(app, size),
        Picture::Price => price(app, size),
        Picture::Votes => votes(app, size),
        Picture::Hashes => hashes(app, size),
        Picture::MinHash => orders_of(app, size),
        Picture::Playground | Picture::Angle => Page::default(),
    }
}

/// A sentence, and below it a table without a cursor.
fn table<'a>(
    about: String,
    title: &str,
    columns: Vec<Column<'a>>,
    len: usize,
    size: Size,
) -> Page<'a> {
    let none = "nothing is here".to_owned();
    let list = List { none, ..List::new(columns, len, Cursor::default()) };
    let mut page = Page::saying("", (about, Tone::Strong), size);
    page.parts.push(Part::new(title, len.min(4) + 1..=len + 1, list));
    page
}

/// The most bits whose votes have room side by side.
const MOST_BITS: u32 = 16;

/// The votes of the first text: a row for each feature, a column for each bit, and the sums below.
fn votes(app: &App, size: Size) -> Page<'_> {
    let play = &app.learn.playground;
    let (features, votes) = (&play.feature_votes[0].features, &play.feature_votes[0].votes);
    if votes.width() > MOST_BITS {
        return Page::saying(
            "",
            format!("fingerprints of {MOST_BITS} bits or fewer show here"),
            size,
        );
    }
    let (n, hides) = (features.len(), app.learn.lessons.hides("sums"));
    let name = move |at: usize| match features.get(at) {
        Some(it) => format!("{} x{}", visible(&it.shingle), weight(it.weight)),
        None if at == n => "sum".to_owned(),
        None => "bit".to_owned(),
    };
    let cell = move |at: usize, bit: u32| -> Tinted {
        let sum = votes.fixed(bit);
        match features.get(at) {
            Some(it) => signed(FixedWeight(vote(it.hash, bit) * it.weight.0)).into(),
            None if hides => ("?", Tone::Muted).into(),
            None if at == n => (signed(FixedWeight(sum)), Tone::Strong).into(),
            None => (u8::from(play.recipe.tie.decide(sum)).to_string(), Tone::Strong).into(),
        }
    };
    let cells = (usize::from(size.width).saturating_sub(16) / votes.width() as usize).clamp(3, 8);
    let bits = (0..votes.width()).rev();
    let bits = bits.map(|bit| Column::number(&bit.to_string(), cells, 0, move |at| cell(at, bit)));
    let columns = [Column::words("bit", 14, name)].into_iter().chain(bits).collect();
    let about = format!("the first text under {}", play.recipe.short());
    table(about, "votes: a row for each feature, a column for each bit", columns, n + 2, size)
}

/// The words of both texts with their numbers in some orders, and the smallest number of each text.
fn orders_of(app: &App, size: Size) -> Page<'_> {
    type Row = (Tinted, [bool; 2], Vec<Tinted>);
    let words = orders(app);
    let Some(kept) = signatures(&words) else {
        return Page::saying("", "a text has no features", size);
    };
    let words = words.into_iter().map(|(word, sides, numbers)| -> Row {
        let numbers = numbers.iter().map(|number| number.to_string().into()).collect();
        (visible(word).into_owned().into(), sides, numbers)
    });
    let texts = [("one", "minhash.one"), ("two", "minhash.two")].into_iter().zip(kept);
    let texts = texts.map(|((name, fact), numbers)| -> Row {
        let number = |number: usize| -> Tinted {
            if app.learn.lessons.hides(fact) {
                ("?", Tone::Muted).into()
            } else {
                (number.to_string(), Tone::Strong).into()
            }
        };
        ((name, Tone::Strong).into(), [false; 2], numbers.into_iter().map(number).collect())
    });
    let rows: Rc<[Row]> = words.chain(texts).collect();
    let n = rows.len();
    let cross = |side: usize| cell_of(&rows, move |row: &Row| if row.1[side] { "x" } else { "" });
    let mut columns = vec![
        Column::words("word", 10, cell_of(&rows, |row: &Row| row.0.clone())),
        Column::number("one", 5, 0, cross(0)),
        Column::number("two", 5, 0, cross(1)),
    ];
    columns.extend((0..N_ORDERS).map(|order| {
        let number = cell_of(&rows, move |row: &Row| row.2[order].clone());
        Column::number(&format!("order {}", order + 1), 9, 0, number)
    }));
    let about = "the last two rows are what MinHash keeps: the smallest number of each text";
    table(about.to_owned(), "the words of both texts in six orders", columns, n, size)
}

/// Hash functions of a MinHash signature: as many as the bits of a fingerprint by default.
const N_VALUES: u64 = 64;

/// The two texts under a usual hash, MinHash and SimHash. A lesson may hide how far the two are apart.
fn hashes(app: &App, size: Size) -> Page<'_> {
    let (play, lessons) = (&app.learn.playground, &app.learn.lessons);
    let mut page = Page::default();
    let mut part = |title: &str, rows: Vec<Tinted>| {
        page.parts.push(Part::text(title, rows, 0, Place::Across, size));
    };
    let known = |fact: &str, value: String| -> Tinted {
        if lessons.hides(fact) { "? (hidden until you have answered)".into() } else { value.into() }
    };
    let texts = play.texts.each_ref().map(|text| visible(text.value()).into_owned());
    part("two texts", texts.map(Tinted::from).to_vec());
    let usual = play.texts.each_ref().map(|text| brittle(text.value()));
    let [one, two] = usual.map(|hash| format!("{hash:016x}"));
    let result = match (usual[0] ^ usual[1]).count_ones() {
        0 => "no bit differs: the texts are equal".to_owned(),
        n => format!("{n} of 64 bits differ; of any two different texts about half do"),
    };
    let rows = vec![one.into(), known("hash.brittle", two), known("hash.brittle", result)];
    part("an ordinary hash (SipHash-2-4): tells whether texts are equal, nothing else", rows);
    let overlap = play.overlap();
    let prints = [0, 1].map(|side| play.fingerprint(side));
    let ([Some(one), Some(two)], Some(cosine)) = (prints, overlap.cosine) else {
        part("MinHash and SimHash", vec!["a text has no features".into()]);
        return page;
    };
    let [a, b] = [0, 1].map(|side| min_hash(&names(app, side), N_VALUES).unwrap_or_default());
    let first = |of: &[u64]| {
        let values: Vec<_> = of.iter().take(4).map(|it| format!("{:04x}", it >> 48)).collect();
        format!("{} .. ({N_VALUES} values)", values.join(" "))
    };
    let equal = a.iter().zip(&b).filter(|(a, b)| a == b).count();
    let exact = overlap.jaccard().unwrap_or(0.0);
    let result = format!(
        "{equal} of {N_VALUES} values agree: Jaccard similarity {:.2} by them, {exact:.3} exactly",
        equal as f64 / N_VALUES as f64
    );
    let rows = vec![first(&a).into(), first(&b).into(), known("hash.minhash", result)];
    part("MinHash: the smallest hash of any feature, under 64 functions", rows);
    let (d, bits) = (one.distance(two), one.width());
    let result = format!(
        "{d} of {bits} bits differ: cosine {:.2} by them, {cosine:.3} exactly",
        angle::estimate(d, bits)
    );
    let rows =
        vec![one.to_string().into(), known("distance", two.to_string()), known("distance", result)];
    part(&format!("SimHash: one bit for each direction, {}", play.recipe.short()), rows);
    page
}

/// Two fingerprints, the bits in which they differ, and the tables that have both together.
fn tables(app: &App, size: Size) -> Page<'_> {
    let (game, lessons) = (&app.learn.game, &app.learn.lessons);
    let (layout, explanation) = (&game.layout, game.explanation());
    let [one, two] = game.pair();
    let is_key = |block: usize| layout.tables().iter().any(|it| it.key_blocks.contains(&block));
    let name = |block: usize| if is_key(block) { letter(block) } else { String::new() };
    let blocks = layout.block_list();
    let bits = Bits {
        prints: vec![("one".to_owned(), one), ("two".to_owned(), two)],
        names: (0..blocks.len()).map(name).collect(),
        blocks: blocks.to_vec(),
        cursor: Some(game.bit),
        ..Bits::default()
    };
    let mut said: Vec<Tinted> = Vec::new();
    let (d, k) = (explanation.distance, app.learn_k());
    let (together, apart): (Vec<_>, Vec<_>) =
        layout.tables().iter().zip(&explanation.tables).partition(|(_, outcome)| outcome.hit);
    let keys = |tables: &[(&TableLayout, &TableOutcome)]| -> String {
        let keys: Vec<_> = tables.iter().map(|(table, _)| table.letters()).collect();
        if keys.is_empty() { "none".to_owned() } else { keys.join(", ") }
    };
    let hides = lessons.hides("tables.left");
    let hits = if hides { None } else { Some(together.len()) };
    said.push((fate(d, k, hits, layout.tables().len()), Tone::Strong).into());
    let keys = |tables| if hides { "?".to_owned() } else { keys(tables) };
    said.push(
        (format!("tables in which the key is equal: {}", keys(&together)), Tone::Good).into(),
    );
    said.push((format!("tables in which it differs: {}", keys(&apart)), Tone::Muted).into());
    let sure = layout.guarantee();
    let may_miss = if sure < k { format!(", may miss at k={k}") } else { String::new() };
    said.push(format!("{}: guaranteed to d={sure}{may_miss}", layout.describe()).into());
    let rows = 4..=*bits.rows(size.width.into()).start();
    let part = Part::new("two fingerprints", rows, Block::Bits(bits));
    Page { parts: vec![part, Part::text("tables", said, 0, Place::Across, size)] }
}

/// The outcome for the pair: a candidate or not, then found or not, unless that is hidden.
fn fate(d: u32, k: u32, hits: Option<usize>, n_tables: usize) -> String {
    let near = if d <= k { "<=" } else { ">" };
    let Some(hits) = hits else {
        return format!("d = {d} {near} k = {k}: candidate in ? of {n_tables} tables");
    };
    let then = match (d <= k, hits > 0) {
        (true, true) => "found",
        (true, false) => "missed",
        (false, true) => "rejected",
        (false, false) => "correctly not found",
    };
    format!("d = {d} {near} k = {k}: candidate in {hits} of {n_tables} tables, {then}")
}

/// The most blocks of a key whose layouts are priced.
const MOST_KEY_BLOCKS: usize = 6;

/// The layouts that guarantee k: the tables of each, and the rows that a query reads by chance in all of them.
fn price(app: &App, size: Size) -> Page<'_> {
    let (k, width) = (app.learn_k(), app.learn_bits());
    let key = |at: usize| at as u32 + 1;
    let tables = move |key: u32| binomial(key + k, key) as f64;
    let bits = move |key: u32| f64::from(key * width) / f64::from(key + k);
    let mut columns = vec![
        Column::words("key", 14, move |at| format!("{} of {} blocks", key(at), key(at) + k)),
        Column::number("tables", 8, 0, move |at| {
            let is_hidden = app.learn.lessons.hides("price.tables");
            if is_hidden { "?".to_owned() } else { grouped(tables(key(at)) as u64) }
        }),
        Column::number("bits", 6, 0, move |at| format!("{:.1}", bits(key(at)))),
    ];
    columns.extend([4, 6, 8, 10].map(|power| {
        let rows = move |key: u32| 10_f64.powi(power) * share_read(width, k, key);
        Column::number(&format!("n = 10^{power}"), 12, 0, move |at| in_rows(rows(key(at))))
    }));
    let about =
        format!("k = {k}: rows that a query reads by chance among n documents, in all tables");
    let title = format!("layouts that find every pair within {k} of {width} bits");
    table(about, &title, columns, MOST_KEY_BLOCKS, size)
}

/// A number of rows in a few cells.
fn in_rows(rows: f64) -> String {
    match rows {
        ..0.05 => "< 0.1".to_owned(),
        ..10.0 => format!("{rows:.1}"),
        ..1e8 => grouped(rows.round() as u64),
        _ => format!("{rows:.1e}"),
    }
}

/// A scale of a curve: its title and name, the cosine of a value, and the value of a cosine.
type Scale = (&'static str, &'static str, fn(f64) -> f64, fn(f64) -> f64);
const SCALES: [Scale; 2] = [
    ("share of pairs found, by their cosine", "cosine", |cosine| cosine, |cosine| cosine),
    (
        "the same by p, the chance that a bit agrees",
        "p",
        |p| (PI * (1.0 - p)).cos(),
        |cosine| 1.0 - cosine.acos() / PI,
    ),
];

/// The share of pairs that the layout of the page finds, by their cosine.
fn curve(app: &App, size: Size) -> Page<'_> {
    let page = app.learn.lessons.open_page();
    let layout = page.map_or(LayoutChoice::Auto, |page| page.setup.layout);
    let (k, width) = (app.learn_k(), app.learn_bits());
    let (name, limit) = if let LayoutChoice::Bands { bands, bits } = layout {
        // (1 / M)^(1 / K): there one band agrees on average.
        let p = f64::from(bands).recip().powf(f64::from(bits).recip());
        let name = format!(
            "{bands} bands of {bits} bits; the dashed line is where one band agrees on average"
        );
        (name, Some((PI * (1.0 - p)).cos()))
    } else {
        (format!("the share of pairs that a search within k = {k} finds"), None)
    };
    let mut page = Page::saying("", (name, Tone::Strong), size);
    let limit = limit.filter(|limit| *limit > LEAST_COSINE);
    // Each curve has half of the height.
    let most = (size.body().saturating_sub(3) / 2).max(5);
    for (rank, (title, over, cosine_of, value_of)) in (0..).zip(SCALES) {
        let found = move |value| chance(layout, k, cosine_of(value), width);
        let plot = Plot {
            over,
            range: (LEAST_COSINE, 1.0),
            curves: vec![(Box::new(found), Tone::Good)],
            limit: limit.map(value_of),
            ..Plot::default()
        };
        let part = Part::new(title, 5..=most, Block::Plot(plot));
        page.parts.push(part.at(Place::Across, rank));
    }
    page
}
