//! The two fingerprints and their XOR, and the outcomes for blocks and tables.

use unicode_width::UnicodeWidthStr as _;

use super::{list::are_no_duplicates, selected::pair};
use crate::{
    analysis::{Similarity, TwinKind},
    app::{
        App,
        geometry::{Edge, pair_cells},
        screen::ViewId,
        wrap::wrap,
    },
    evaluate::{angle, interval},
    explain::{
        PairExplanation,
        figures::{signed, similarity},
        overlap::DifferingBit,
    },
    present::pair::{blocks, keys},
    simhash::Fingerprint,
    text::visible,
    tui::{
        view::pair::prints,
        widget::canvas::{Canvas, clip, cut},
    },
};

/// The most differing bits that are shown with their votes.
const MOST_BITS: usize = 4;
/// Cells of a feature beside the votes that it pushed, at least.
const FEATURE: usize = 8;
/// The most named tables with equal keys.
const MOST_TABLES: usize = 6;

pub(super) fn bits_titles(app: &App) -> (String, String) {
    let Some((a, _, explanation)) = pair(app) else { return ("bits".to_owned(), String::new()) };
    let within = if explanation.distance <= app.settings.k { "within" } else { "beyond" };
    let mut remark = format!("distance {} of {}", explanation.distance, a.width());
    // In a box it has a row of its own, as the bits have.
    let in_box = app.near_layout().bits.edge == Edge::Box;
    let alike = alike(app).filter(|_| !in_box);
    let alike = alike.map_or_else(String::new, |alike| format!(", {alike}"));
    remark += &match same(app) {
        None => format!(", {within} k={}{alike}", app.settings.k),
        // Equal texts have cosine 1.
        Some(PairEquality::Texts) => ", equal texts".to_owned(),
        Some(PairEquality::Features) => ", equal features of another text".to_owned(),
        Some(PairEquality::Fingerprints) => format!(", another text{alike}"),
        Some(PairEquality::Unknown) => format!(", equal fingerprints{alike}"),
    };
    let is_marked = app.near.selected().is_some_and(|it| are_no_duplicates(app, it.document));
    if is_marked {
        remark += ", no duplicates";
    }
    let bits: Vec<String> = explanation.differing_bits().iter().map(u32::to_string).collect();
    let bits = format!(", bits {}", bits.join(" "));
    let has_room = remark.len() + bits.len() + 20 <= app.size.width.into();
    if explanation.distance > 0 && !in_box && has_room {
        remark += &bits;
    }
    ("bits".to_owned(), remark)
}

/// The relation of two documents with equal fingerprints.
#[derive(Clone, Copy)]
enum PairEquality {
    Texts,
    Features,
    Fingerprints,
    Unknown,
}

impl PairEquality {
    fn sentence(self) -> &'static str {
        match self {
            Self::Texts => "the texts are equal after normalisation, ignoring white space",
            Self::Features => "the features are equal, the texts differ",
            Self::Fingerprints => "only the fingerprints are equal: texts and features differ",
            Self::Unknown => "the fingerprints are equal; the texts were not compared",
        }
    }
}

/// The relation of the pair, if the fingerprints are equal.
fn same(app: &App) -> Option<PairEquality> {
    let (query, other) = app.near.pair()?;
    Some(match app.analysis.twins(query, other.document)? {
        TwinKind::Text => PairEquality::Texts,
        TwinKind::Unknown => PairEquality::Unknown,
        // Before the features are compared, only the fingerprints are known to be equal.
        TwinKind::OtherText => match app.similar.to(query, other.document).flatten() {
            Some(known) if known.has_equal_features => PairEquality::Features,
            Some(_) => PairEquality::Fingerprints,
            None => PairEquality::Unknown,
        },
    })
}

/// The exact cosine and Jaccard of the pair, if they are known; empty if there are no texts.
fn alike(app: &App) -> Option<String> {
    let (query, other) = app.near.pair()?;
    match app.similar.to(query, other.document) {
        None => Some("cosine ..".to_owned()),
        Some(None) => None,
        Some(Some(Similarity { cosine, jaccard, .. })) => {
            Some(format!("cosine {}, Jaccard {}", similarity(cosine), similarity(jaccard)))
        }
    }
}

/// Both fingerprints of the pair and a mark under each difference; returns the rows used.
pub(super) fn bits(app: &App, canvas: &mut Canvas) -> usize {
    let Some((a, b, _)) = pair(app) else { return 0 };
    prints(app, [a, b], pair_cells(app.size), canvas)
}

/// The differing bits: with the sums of votes and the heaviest features once they are known, if there are few.
fn differing_bits(app: &App, explanation: &PairExplanation, cells: usize) -> Vec<(String, String)> {
    let differing: Vec<String> = explanation.differing_bits().iter().map(u32::to_string).collect();
    // The answer may be of the pair, or of the recipe, before.
    let pair = app.near.pair().map(|(query, neighbour)| [query, neighbour.document]);
    let votes = app.near.differing.answered().filter(|(asked, bits)| {
        let numbers = bits.iter().map(|it| it.sides[0].bit);
        Some(asked.0) == pair && numbers.eq(explanation.differing_bits().iter().copied())
    });
    let votes = votes.map(|(_, bits)| bits);
    if let Some(bits) = votes.filter(|_| (1..=MOST_BITS).contains(&differing.len())) {
        let name = |it: &DifferingBit| format!("bit {}", it.sides[0].bit);
        return bits.iter().map(|it| (name(it), votes_of(it, cells))).collect();
    }
    let sentence = match &differing[..] {
        [] => "none differ".to_owned(),
        [one] => format!("{one} differs"),
        all => format!("{} differ", all.join(" ")),
    };
    vec![("bits".to_owned(), sentence)]
}

/// The sums of votes for a bit in which two documents differ, each with the feature that pushed most, in one row of so
/// many cells.
fn votes_of(bit: &DifferingBit, cells: usize) -> String {
    let side = |side: usize, most: usize| {
        let votes = signed(bit.sides[side].votes);
        let feature = bit.contributors[side].first();
        let by =
            feature.map(|(it, _)| format!(", most by \"{}\"", clip(&visible(&it.shingle), most)));
        format!("{} {votes}{}", ["one", "two"][side], by.unwrap_or_default())
    };
    let row = |most| format!("{}; {}", side(0, most), side(1, most));
    let whole = row(usize::MAX);
    if whole.width() <= cells {
        return whole;
    }
    // Both features are cut alike until the row fits.
    let fits = (FEATURE..cells).rev().map(row).find(|it| it.width() <= cells);
    fits.unwrap_or_else(|| row(FEATURE))
}

/// The tables that bring the pair together.
fn caught(app: &App, explanation: &PairExplanation) -> String {
    let layout = app.layout();
    let n_tables = layout.tables().len();
    match keys(explanation, &layout, true, MOST_TABLES) {
        Some(names) => {
            format!("{} of {n_tables} have equal keys: {names}", explanation.hits().count())
        }
        None => format!(
            "none of {n_tables}: every key contains a differing bit, so only a scan finds the pair"
        ),
    }
}

pub(super) fn pair_box(app: &App, canvas: &mut Canvas) {
    let below = bits(app, canvas);
    let Some((a, b, explanation)) = pair(app) else { return };
    let height = canvas.height().saturating_sub(below);
    let cells = canvas.width().saturating_sub(9);
    let rows = |feature_row: usize| -> Vec<String> {
        let lines = lines(app, &explanation, [a, b], feature_row);
        let row = |(label, text): (String, String)| {
            let rows = wrap(&text, cells).into_iter().enumerate();
            rows.map(move |(at, row)| format!(" {:<6} {row}", if at == 0 { &*label } else { "" }))
                .collect::<Vec<_>>()
        };
        lines.into_iter().flat_map(row).collect()
    };
    // Features are cut only where their rows would hide the rest.
    let whole = rows(usize::MAX);
    let rows = if whole.len() > height { rows(cells) } else { whole };
    // A blank row divides them from the bits where there is one to spare.
    let below = below + usize::from(rows.len() < height);
    for (y, row) in cut(rows, height, canvas.width()).into_iter().enumerate() {
        canvas.row(below + y, row);
    }
}

/// The sentences about the pair, each with its label; those about a bit in a row of so many cells.
fn lines(
    app: &App,
    explanation: &PairExplanation,
    [a, b]: [Fingerprint; 2],
    feature_row: usize,
) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    // The Why view says the rest itself.
    let is_explained = app.view() == ViewId::Why;
    if !is_explained {
        lines = differing_bits(app, explanation, feature_row);
        lines.push((
            "exact".to_owned(),
            alike(app).unwrap_or_else(|| {
                "the corpus does not hold both texts, so the cosine is not known".to_owned()
            }),
        ));
        lines.extend(same(app).map(|same| ("equal".to_owned(), same.sentence().to_owned())));
    }
    // The estimate from the bits is biased for a pair that was chosen by its bits.
    if app.near.is_on_held() {
        let (low, high) = interval::cosine(explanation.distance, a.width());
        let estimate = angle::estimate(explanation.distance, a.width());
        let text = format!(
            "cosine {estimate:.2}, 95 %: {low:.2} to {high:.2}, if many features vote evenly"
        );
        lines.push(("guess".to_owned(), text));
    }
    if !is_explained {
        lines.push(("block".to_owned(), blocks(explanation)));
        lines.push(("table".to_owned(), caught(app, explanation)));
    }
    lines.push(("hex".to_owned(), format!("one {a}   two {b}")));
    lines
}
