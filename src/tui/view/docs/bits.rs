//! The Bits view: the votes on every bit of the selected document as signed bars, and sentences about the
//! selected bit.

use ratatui::text::Span;

use crate::{
    app::{
        App, ClickTarget,
        layout::SizeClass,
        screen::docs::bits::{BitsLayout, LABEL},
    },
    explain::figures::signed,
    index::{Block, letter},
    number::counted,
    simhash::Votes,
    text::visible,
    tui::{
        view::sections::{pane, remark},
        widget::{
            bits::{BitRow, BlockLine, WEAK, labelled},
            canvas::{Canvas, clip},
        },
    },
};

/// The id of the selected document, and remarks on its fingerprint, the least important first.
fn titles(app: &App) -> (String, Vec<String>) {
    let Some(document) = app.query() else { return (String::new(), Vec::new()) };
    let title = visible(app.analysis.corpus.id(document)).into_owned();
    let Some(record) = app.analysis.record(document) else { return (title, Vec::new()) };
    let Some(fingerprint) = record.fingerprint else {
        let why =
            if record.unreadable { "could not be read" } else { "no features, so no fingerprint" };
        return (title, vec![why.to_owned()]);
    };
    let set = fingerprint.bits().count_ones();
    let mut remarks = vec![format!("{set} of {} bits set", fingerprint.width())];
    if record.n_features > 0 {
        remarks.push(counted(u64::from(record.n_features), "feature"));
    }
    if record.n_ties > 0 {
        remarks.push(counted(u64::from(record.n_ties), "tie"));
    }
    if record.dominated {
        let one = match record.n_features {
            1 => "it decides every bit",
            _ => "one outweighs the rest",
        };
        remarks.push(one.to_owned());
    }
    (title, remarks)
}

pub(crate) fn draw(app: &App, canvas: &mut Canvas) {
    let layout = app.bits_layout();
    let (width, height) = (canvas.width(), canvas.height());
    let (title, remarks) = titles(app);
    let about = remarks.join(", ");
    let rows = layout.lines.len() * layout.line_rows();
    let (pane, cut) = (&app.docs.votes.pane, layout.cut);
    let below = remark(pane, cut, app.ascii);
    if app.size.shape() == SizeClass::Wide {
        let mut upper = canvas.part(0, 0, width, rows + 2);
        let mut inside = upper.framed(&title, &about);
        picture(app, &layout, &mut inside);
        weakest(app, &layout, &mut inside);
        let mut lower = canvas.part(0, rows + 2, width, height.saturating_sub(rows + 2));
        explained(app, &layout, &mut lower.framed("why", &below));
        return;
    }
    // A small screen has one rule: it shows the scroll position below.
    let small = app.size.shape() == SizeClass::Small;
    canvas.rule(0, &title, if small { &below } else { &about });
    picture(app, &layout, &mut canvas.part(0, 1, width, rows));
    let mut y = 1 + rows;
    if !small {
        canvas.rule(y, "", &below);
        y += 1;
    }
    explained(app, &layout, &mut canvas.part(0, y, width, height.saturating_sub(y)));
}

/// The explanation by the votes, or the reason why there are none.
fn explained(app: &App, layout: &BitsLayout, canvas: &mut Canvas) {
    if app.open_bits().is_some() && !app.docs.votes.pane.rows.is_empty() {
        return pane(&app.docs.votes.pane, layout.cut, canvas);
    }
    let why = match (app.document.problem(), app.open_bits()) {
        (Some(problem), _) => problem.to_owned(),
        (None, Some(open)) if open.lines.is_none() => {
            "this row has no text, so there are no votes to explain".to_owned()
        }
        (None, Some(_)) => "votes are shown when every document is counted ..".to_owned(),
        (None, None) if app.query().is_none() => "no document is selected".to_owned(),
        (None, None) => "..".to_owned(),
    };
    canvas.row(0, format!(" {}", clip(&why, canvas.width().saturating_sub(2))));
}

/// The lines of bits, each with bars for 1 above it and for 0 below.
fn picture(app: &App, layout: &BitsLayout, canvas: &mut Canvas) {
    let tables = app.layout();
    let blocks: Vec<(usize, Block)> = tables.block_list().iter().copied().enumerate().collect();
    for (at, range) in layout.lines.iter().enumerate() {
        let line = BlockLine { blocks: &blocks[range.clone()], key_blocks: 0, is_tinted: true };
        let (width, rows) = (canvas.width(), layout.line_rows());
        bit_line(app, layout, line, &mut canvas.part(0, at * rows, width, rows));
        if layout.lines.len() == 1 {
            line.sign_hidden(blocks.len(), 0, canvas);
        }
    }
}

/// Cells of the list of the weakest bits, and before it.
const WEAKEST: usize = 40;
const GAP: usize = 3;

/// Beside the picture, where there is room: the weakest bits, the selected one marked.
fn weakest(app: &App, layout: &BitsLayout, canvas: &mut Canvas) {
    let tables = app.layout();
    let blocks = tables.block_list();
    let longest = layout.lines.iter().map(|line| {
        let bits: u32 = blocks[line.clone()].iter().map(|block| block.width).sum();
        bits as usize + line.len() - 1
    });
    let left = LABEL + longest.max().unwrap_or(0) + GAP;
    let Some(margins) = app.open_bits().and_then(|open| open.margins.as_ref()) else { return };
    let (theme, width, height) = (canvas.theme, canvas.width(), canvas.height());
    if width < left + WEAKEST {
        return;
    }
    let cosine = app.docs.votes.cosine();
    let selected = app.docs.votes.bit(tables.width());
    let [votes, margin, flips] =
        ["V".to_owned(), "margin".to_owned(), format!("flips at {cosine}")];
    let header = format!(" {:<9}{votes:>9} {margin:>6} {flips:>13}", "weakest");
    let mut list = canvas.part(left, 0, WEAKEST, height);
    list.row(0, Span::styled(header, theme.muted()));
    let bits = margins.weakest_first();
    for (y, bit) in (1..height).zip(&bits) {
        let is_selected = bit.bit == selected;
        let mark = if is_selected { theme.glyphs().cursor } else { ' ' };
        let block = blocks
            .iter()
            .position(|block| block.contains(bit.bit))
            .map_or_else(String::new, letter);
        let flips = match bit.flips(cosine) {
            ..0.005 => "<0.01".to_owned(),
            flips => format!("{flips:.2}"),
        };
        let row = format!(
            "{mark}{:>3} in {block:<2}{:>9} {:>6.2} {flips:>13}",
            bit.bit,
            signed(bit.votes),
            bit.margin,
        );
        let style = if bit.margin < WEAK { theme.warn() } else { theme.text() };
        list.row(y, Span::styled(row, style));
        if is_selected {
            list.style_row(y, theme.selected());
        }
        list.target(0, y, WEAKEST, ClickTarget::Bit(bit.bit));
    }
}

fn bit_line(app: &App, layout: &BitsLayout, line: BlockLine, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let label = |text: &str| format!(" {text:<width$}", width = LABEL - 1);
    let row = |label: String, spans| labelled(&label, theme.muted(), spans);
    canvas.row(0, row(label(""), line.ruler(theme)));
    let (bars, middle) = (layout.bars, 1 + layout.bars);
    let selected = app.docs.votes.bit(app.layout().width());
    if let Some(fingerprint) = app.query().and_then(|query| app.analysis.fingerprint(query)) {
        let bits =
            BitRow { mode: app.docs.bits, votes: app.open_votes(), ..BitRow::new(fingerprint) };
        let spans = line.bits(&bits, theme);
        canvas.row(middle, row(label("bit"), spans));
        line.answer_to_clicks(LABEL, middle, canvas);
    }
    let Some(votes) = app.open_votes() else { return };
    let most = (0..votes.width()).map(|bit| votes.fixed(bit).abs()).max().unwrap_or(0).max(1);
    for bar in 0..2 * bars {
        let y = if bar < bars { 1 + bar } else { 2 + bar };
        let text = match bar {
            0 => scale(most, '+'),
            _ if bar + 1 == 2 * bars => scale(most, '-'),
            _ => String::new(),
        };
        let spans = line.bars(|bit| votes.fixed(bit), most, (bar, bars), theme);
        canvas.row(y, row(label(&text), spans));
    }
    let mark = |bit: u32| mark(votes, bit, selected, theme.glyphs().differs);
    canvas.row(middle + bars + 1, row(label(""), line.marks(mark, theme.warn(), theme)));
}

/// The mark under a bit: the cursor, or the sign of a weak bit.
fn mark(votes: &Votes, bit: u32, selected: u32, cursor: char) -> char {
    match bit {
        _ if bit == selected => cursor,
        _ if votes.margin(bit) < WEAK => '!',
        _ => ' ',
    }
}

/// The votes that fill a bar, in at most five cells.
fn scale(most: i64, sign: char) -> String {
    let most = most as f64 / (1 << 20) as f64;
    match most {
        ..99.95 => format!("{sign}{most:.1}"),
        ..9_999.5 => format!("{sign}{most:.0}"),
        ..999_500.0 => format!("{sign}{:.0}k", most / 1e3),
        _ => format!("{sign}{:.0}M", most / 1e6),
    }
}
