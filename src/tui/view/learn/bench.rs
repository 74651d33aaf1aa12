//! Bench: the curve of a search over the cosine, the pairs of the corpus that it finds and misses, and its price.
//!
//! ```text
//! 1.0 |                  :    ****     the share of pairs that is found at each cosine, by formula
//!     |              *** : ***   .     .  the pinned curve        :  pairs are true from here on
//! 0.0 | *************    :.......
//!       0.0        0.5        1.0      ^  the steepest point of bands
//! found            .-..  :  .##        the pairs of the corpus at their exact cosines
//! missed  .-###############-           and those that are not found
//! ```

use std::f64::consts::PI;

use ratatui::{style::Style, text::Span};

use crate::{
    analysis::pair_cosines::{MOST_DOCUMENTS, PairCosines, SearchMethod},
    app::{
        App,
        screen::learn::{
            BenchState,
            bench::{BenchRow, steepest},
        },
        wrap::wrap,
    },
    evaluate::angle,
    explain::figures::rounded,
    number::{counted, grouped},
    tui::widget::{canvas::Canvas, curve::SharePlot},
};

/// Cells before the plot.
const LABEL: usize = 7;
/// The most rows of the curve.
const MOST_PLOT: usize = 40;
/// Rows of each half of the histogram.
const BARS: usize = 2;

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let bench = &app.learn.bench;
    let (width, height) = (canvas.width(), canvas.height());
    let is_hidden = app.learn.lessons.hides("bench.recall");
    let pairs = bench.pairs.answer();
    let room = width.saturating_sub(2);
    let [first, second] = sentences(app, is_hidden).map(|line| wrap(&line, room));
    let n_first = first.len();
    let mut said = [first, second].concat();
    // Where rows are few, the curve needs them.
    if said.len() > (height / 3).max(2) {
        said.truncate(n_first);
    }
    let top = said.len().max(2);
    for (y, line) in said.into_iter().enumerate() {
        let style = if y < n_first { canvas.theme.strong() } else { canvas.theme.text() };
        canvas.row(y, Span::styled(format!(" {line}"), style));
    }
    let below = if height >= 12 { 2 * BARS } else { 0 };
    let mut rest = height.saturating_sub(top + 2 + below);
    let prices: Vec<String> = prices(app).into_iter().flat_map(|line| wrap(&line, room)).collect();
    let n_prices = prices.len().min(rest.saturating_sub(5));
    rest -= n_prices;
    let n_rows = if rest >= 16 && !is_hidden { bench.rows.1.len() + 2 } else { 0 };
    let plot = rest.saturating_sub(n_rows).clamp(1, MOST_PLOT);
    canvas.rule(top, &curve_name(bench), "share of pairs found; p pins the curve, z: axis");
    curves(app, plot, &mut canvas.part(0, top + 1, width, plot + 1));
    let mut y = top + 2 + plot;
    if below > 0 {
        if let (Some(pairs), false) = (pairs, is_hidden) {
            let mut canvas = canvas.part(0, y, width, below);
            histogram(bench, pairs, &mut canvas);
        }
        y += below;
    }
    if n_rows > 0 {
        around(bench, &mut canvas.part(0, y, width, n_rows));
        y += n_rows;
    }
    for (at, line) in prices.into_iter().take(n_prices).enumerate() {
        if at == 0 {
            canvas.rule(y, &line, "n/N: other numbers");
        } else {
            canvas.row(y, format!(" {line}"));
        }
        y += 1;
    }
}

/// The setting by name.
fn curve_name(bench: &BenchState) -> String {
    let name = name(bench.finder());
    bench
        .pinned
        .map_or_else(|| name.clone(), |pinned| format!("{name}, pinned {}", self::name(pinned)))
}

fn name(finder: SearchMethod) -> String {
    match finder {
        SearchMethod::Within(k) => format!("k={k}"),
        SearchMethod::Bands { bands, bits } => format!("{bands}x{bits} bands"),
    }
}

/// The findings, in two rows.
fn sentences(app: &App, is_hidden: bool) -> [String; 2] {
    let bench = &app.learn.bench;
    let tau = bench.tau;
    let Some((pairs, row)) = bench.pairs.answer().zip(bench.row()) else {
        let why = if bench.pairs.is_running() {
            "comparing the texts of all pairs .."
        } else if app.analysis.is_complete() {
            "this corpus has fewer than two texts to compare; the curve is by formula"
        } else {
            "the corpus is still being read"
        };
        return [format!("{}: {why}", name(bench.finder())), String::new()];
    };
    let found = row.found;
    let n_true = found.true_positives + found.false_negatives;
    let documents = counted(pairs.n_documents as u64, "text") + " with different features";
    let first = if app.analysis.len() > MOST_DOCUMENTS { "the first " } else { "" };
    let of = format!(
        "true: cosine >= {tau}; {} of {first}{documents}",
        counted(pairs.n_pairs() as u64, "pair")
    );
    if is_hidden {
        return [format!("{}: {} true pairs; found: ?", name(row.finder), grouped(n_true)), of];
    }
    let share = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |it| format!("{it:.2}"));
    [
        format!(
            "{}: {} of {} true pairs found, {} missed; {} found and not true",
            name(row.finder),
            grouped(found.true_positives),
            grouped(n_true),
            grouped(found.false_negatives),
            grouped(found.false_positives)
        ),
        format!("recall {}  precision {}  {of}", share(found.recall()), share(found.precision())),
    ]
}

/// The column of a cosine among `cells`.
fn column(bench: &BenchState, cosine: f64, cells: usize) -> usize {
    let share = if bench.is_over_bits { 1.0 - angle::bit_differs(cosine) } else { cosine };
    (share.clamp(0.0, 1.0) * cells.saturating_sub(1) as f64).round() as usize
}

/// The cosine of a column.
fn cosine_at(bench: &BenchState, x: usize, cells: usize) -> f64 {
    let share = x as f64 / cells.saturating_sub(1).max(1) as f64;
    if bench.is_over_bits { (PI * (1.0 - share)).cos() } else { share }
}

/// The curves over their axis.
fn curves(app: &App, rows: usize, canvas: &mut Canvas) {
    let (bench, theme) = (&app.learn.bench, canvas.theme);
    let cells = canvas.width().saturating_sub(LABEL + 1);
    let plot = SharePlot { left: LABEL, cells, rows, from: 0.0, to: 1.0 };
    let bits = app.bench_bits();
    let glyphs = theme.glyphs();
    let mut curve = |finder: SearchMethod, mark: (char, Style)| {
        plot.curve(|x| finder.chance(cosine_at(bench, x, cells), bits), mark, canvas);
    };
    if let Some(pinned) = bench.pinned {
        curve(pinned, (glyphs.chance, theme.muted()));
    }
    curve(bench.finder(), (glyphs.node, theme.good()));
    plot.line(column(bench, bench.tau, cells), canvas);
    let mark = match bench.finder() {
        SearchMethod::Bands { bands, bits } => {
            let cosine = (PI * (1.0 - steepest(bands, bits))).cos();
            Some(column(bench, cosine, cells))
        }
        SearchMethod::Within(_) => None,
    };
    // The mark would make another number of a label that it covers.
    plot.axes(mark, canvas);
    let axis = if bench.is_over_bits { "p" } else { "cosine" };
    canvas.at(0, rows, Span::styled(axis, theme.muted()));
    if let Some(x) = mark {
        canvas.at(LABEL + x, rows, Span::styled(glyphs.differs.to_string(), theme.strong()));
    }
}

/// The found pairs and the missed pairs, at their exact cosines; heights are logarithms.
fn histogram(bench: &BenchState, pairs: &PairCosines, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let cells = canvas.width().saturating_sub(LABEL + 1);
    let counts = pairs.histogram(bench.finder(), cells, |cosine| column(bench, cosine, cells));
    let most = counts.iter().flatten().copied().max().unwrap_or(0).max(1);
    let tau = column(bench, bench.tau, cells);
    for (half, label) in ["found", "missed"].into_iter().enumerate() {
        let top = half * BARS;
        canvas.at(0, top + BARS - 1, Span::styled(label, theme.muted()));
        for (x, counts) in counts.iter().enumerate() {
            let count = counts[half];
            let share = (count as f64).ln_1p() / (most as f64).ln_1p();
            let eighths = (share * (8 * BARS) as f64).ceil() as usize;
            let style = match (half, x >= tau) {
                (0, true) => theme.good(),
                (0, false) | (1, true) => theme.warn(),
                _ => theme.muted(),
            };
            for row in 0..BARS {
                let glyph = match eighths.saturating_sub(8 * (BARS - 1 - row)).min(8) {
                    0 if x == tau => theme.glyphs().dash,
                    0 => continue,
                    eighth => theme.glyphs().eighths[eighth - 1],
                };
                let style = if eighths == 0 { theme.muted() } else { style };
                canvas.at(LABEL + x, top + row, Span::styled(glyph.to_string(), style));
            }
        }
    }
}

/// The present setting and the settings around it, in numbers.
fn around(bench: &BenchState, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let varied = if bench.is_banded { "K, the bits of a band" } else { "k" };
    // The bits of each row are other bits, so that its numbers go up and down.
    canvas.rule(0, &format!("with other {varied}"), "by formula: TP on average over many hashes");
    let header = format!(
        " {:>14} {:>9} {:>11} {:>9} {:>9} {:>10} {:>8}",
        "", "TP", "by formula", "FP", "FN", "precision", "recall"
    );
    canvas.row(1, Span::styled(header, theme.muted()));
    for (y, BenchRow { finder, found, expected }) in bench.rows.1.iter().enumerate() {
        let is_now = *finder == bench.finder();
        let mark = if is_now { theme.glyphs().cursor } else { ' ' };
        let share =
            |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |it| format!("{it:.3}"));
        let row = format!(
            "{mark}{:>14} {:>9} {expected:>11.1} {:>9} {:>9} {:>10} {:>8}",
            name(*finder),
            grouped(found.true_positives),
            grouped(found.false_positives),
            grouped(found.false_negatives),
            share(found.precision()),
            share(found.recall()),
        );
        let style = if is_now { theme.strong() } else { theme.text() };
        canvas.row(y + 2, Span::styled(row, style));
    }
}

/// The price of the search in a number of documents: a title, and a line for bands or for each design of tables.
fn prices(app: &App) -> Vec<String> {
    let (bench, width) = (&app.learn.bench, app.bench_bits());
    let n = bench.n;
    let size = if n == 1 << 34 { "2^34".to_owned() } else { grouped(n) };
    let title = format!("price in {size} documents");
    let gigabytes = |tables: u64| {
        let bytes = tables as f64 * n as f64 * f64::from(width.div_ceil(8));
        match bytes {
            ..1e9 => format!("{} MB", rounded((bytes / 1e5).round() / 10.0)),
            _ => format!("{} GB", grouped((bytes / 1e9).round() as u64)),
        }
    };
    let is_asked = app.learn.lessons.hides("bench.read");
    let read = |rows: f64| {
        if is_asked {
            "?".to_owned()
        } else if rows < 10.0 {
            format!("{rows:.2}")
        } else {
            grouped(rows.round() as u64)
        }
    };
    match bench.finder() {
        SearchMethod::Bands { bands: m, bits } => {
            let rows = f64::from(m) * bench.rows_read(bits);
            let strangers = angle::expected_candidates(n, m, bits);
            vec![
                title,
                format!(
                    "{}: {}; a query reads {} rows; {} chance candidates",
                    counted(m.into(), "table"),
                    gigabytes(m.into()),
                    read(rows),
                    read(strangers)
                ),
            ]
        }
        SearchMethod::Within(_) => {
            let designs = bench.designs(width);
            let lines = designs.iter().map(|design| {
                let rows = bench.rows_read(design.key_bits_min);
                format!(
                    "{:>10} {:>8}; keys of {:>2} bits or more, {:>9} rows read in each",
                    counted(design.tables, "table"),
                    gigabytes(design.tables),
                    design.key_bits_min,
                    read(rows),
                )
            });
            [title].into_iter().chain(lines).collect()
        }
    }
}
