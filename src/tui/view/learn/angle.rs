//! Angle: two vectors with lines through the origin, and the bits that these make.

use std::f64::consts::PI;

use ratatui::{
    style::Style,
    text::{Line, Span},
};

use crate::{
    app::{
        App,
        keymap::{Action, LearnAction},
        screen::ViewId,
    },
    evaluate::{angle, interval},
    explain::Hyperplanes,
    look::Depth,
    number::counted,
    tui::{theme::Theme, widget::canvas::Canvas},
};

/// The least and the most rows of the picture, and its least cells.
const ROWS: [usize; 2] = [9, 39];
const PICTURE: usize = 40;
/// The least cells of the picture with its explanation beside it.
const BESIDE: usize = 72;
/// The most rows of the picture on a screen that is not wide.
const MOST_NARROW: usize = 17;
/// Rows of the bits of both vectors.
const BITS: usize = 2;
/// The lines that fill the plot of shares; more lines share its cells.
const FULL: usize = 64;
/// The most lines in the picture, since more would fill it.
const SHOWN: u32 = 24;

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    let planes = app.learn.angle.planes();
    let upper = (height * 3 / 5).clamp(ROWS[0], if width >= 120 { ROWS[1] } else { MOST_NARROW });
    // A cell is about twice as high as wide.
    let cells = (2 * upper + 6).max(PICTURE);
    let beside = sentences(app, &planes, width.saturating_sub(cells + 4).max(1), true);
    if width < BESIDE || beside.len() > upper || upper + 1 + BITS > height {
        return stacked(app, &planes, canvas);
    }
    picture(&planes, &mut canvas.part(1, 0, cells, upper));
    for (y, line) in beside.into_iter().enumerate() {
        canvas.at(cells + 3, y, Span::raw(line));
    }
    let title = match planes.n().min(width as u32 - 5) {
        0 => "bits of the lines".to_owned(),
        n => format!("the last {}", counted(u64::from(n), "bit")),
    };
    let is_told = !app.learn.lessons.hides("lines.parting");
    let remark =
        if is_told { "share of lines between A and B so far; dashed: theta/pi" } else { "" };
    canvas.rule(upper, &title, remark);
    if is_told {
        let theme = canvas.theme;
        bits(
            &planes,
            theme,
            &mut canvas.part(0, upper + 1, width, height.saturating_sub(upper + 1)),
        );
    }
}

/// The explanation, below it the picture if there are rows for it, and below that the bits of the lines.
fn stacked(app: &App, planes: &Hyperplanes, canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    let has_bits = planes.n() > 0 && !app.learn.lessons.hides("lines.parting");
    let bits_rows = if has_bits { BITS } else { 0 };
    let rows_of_picture = |n_sentences: usize| {
        let left = height.saturating_sub(n_sentences + bits_rows);
        if left >= ROWS[0] { left.min(MOST_NARROW) } else { 0 }
    };
    let mut lines = sentences(app, planes, width - 2, true);
    let rows = rows_of_picture(lines.len());
    if rows == 0 {
        lines = sentences(app, planes, width - 2, false);
    }
    if lines.len() + bits_rows > height {
        // The sentences with formulae go, since a new line does not change them.
        let formulae = 1..lines.iter().position(String::is_empty).map_or(1, |blank| blank + 1);
        lines.drain(formulae);
    }
    let used = lines.len().min(height);
    for (y, line) in lines.into_iter().enumerate() {
        canvas.row(y, format!(" {line}"));
    }
    if rows > 0 {
        let cells = (2 * rows + 6).min(width - 2);
        picture(planes, &mut canvas.part((width - cells) / 2, used, cells, rows));
    }
    if has_bits && height >= used + rows + BITS {
        let y = (used + rows + 1).min(height - BITS);
        bits(planes, canvas.theme, &mut canvas.part(0, y, width, BITS));
    }
}

/// The explanation of the picture, wrapped.
fn sentences(app: &App, planes: &Hyperplanes, room: usize, has_picture: bool) -> Vec<String> {
    let cosine = app.learn.angle.cosine();
    let share = angle::bit_differs(cosine);
    let (n, parting) = (planes.n(), planes.n_separating());
    let bits = app.learn_bits();
    let expected = angle::expected_distance(cosine, bits);
    let lessons = &app.learn.lessons;
    let hides_expected = lessons.hides("angle.expected");
    let mut text =
        vec![format!("cosine {cosine:.2}, angle {:.1} degrees", planes.theta.to_degrees())];
    if hides_expected {
        text.push(format!("of {bits} bits ? differ on average"));
    } else {
        text.push(format!("a random line separates them with probability theta/pi = {share:.3}"));
        text.push(format!("of {bits} bits {expected:.1} differ on average"));
    }
    let k = app.learn_k();
    let share = angle::within(cosine, k, bits);
    let share = if lessons.hides("angle.found") { "?".to_owned() } else { percent(share) };
    text.extend([format!("k={k} finds {share} of such pairs"), String::new()]);
    let lines = counted(u64::from(n), "line");
    if n == 0 {
        let key = |action| app.keymap.key_of(ViewId::Angle, action);
        let (one, many) = (key(Action::Probe(1)), key(Action::Learn(LearnAction::Play)));
        text.push(format!("no line is drawn yet: {one} draws one, {many} many"));
    } else if lessons.hides("lines.parting") {
        text.push(format!("{lines} drawn"));
    } else {
        text.push(format!("{lines} drawn, {parting} separate them"));
    }
    if n > SHOWN && has_picture {
        text.push(format!("the picture has the last {SHOWN}"));
    }
    if n > 0 && !lessons.hides("lines.parting") {
        let (low, high) = interval::jeffreys(parting, n, interval::LEVEL);
        let found = f64::from(parting) / f64::from(n);
        text.push(format!("that is {found:.3}, 95 %: {low:.3} to {high:.3}"));
        let (low, high) = interval::cosine(parting, n);
        let estimate = angle::estimate(parting, n);
        text.push(format!("so cosine {estimate:.2} ({low:.2} to {high:.2})"));
    }
    text.iter().flat_map(|line| crate::app::wrap::wrap(line, room)).collect()
}

/// The two vectors from the middle, and the lines so far; lines that separate the vectors are drawn over the others.
fn picture(planes: &Hyperplanes, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let (width, height) = (canvas.width(), canvas.height());
    let (x0, y0) = (width as f64 / 2.0, height as f64 / 2.0);
    // A cell is about twice as high as wide.
    let radius = (height as f64 - 1.0).min(width as f64 / 2.0) / 2.0;
    let mut dots = Dots::new(width, height);
    let mut ray = |turn: f64, from: f64, to: f64, layer: u8| {
        let steps = (16.0 * radius) as i32;
        for step in 0..=steps {
            let r = from + (to - from) * f64::from(step) / f64::from(steps);
            let (x, y) = (x0 + 2.0 * r * turn.cos(), y0 - r * turn.sin());
            dots.set(x, y, layer);
        }
    };
    let recent = planes.n().saturating_sub(SHOWN) as usize;
    for (line, sides) in planes.lines().skip(recent) {
        ray(line, -radius, radius, u8::from(sides[0] != sides[1]));
    }
    ray(0.0, 0.0, radius, 2);
    ray(planes.theta, 0.0, radius, 3);
    let glyphs = theme.glyphs();
    // A ground behind dots would fill their cells.
    let parting = Style { bg: None, ..theme.differs() };
    let styles = [theme.quiet(), parting, theme.block(0), theme.block(1)];
    let plain = [glyphs.none, glyphs.differs, glyphs.one, glyphs.one];
    for (x, y, layer, pattern) in dots.cells() {
        let glyph =
            if theme.0.ascii || theme.0.depth == Depth::None { plain[layer] } else { pattern };
        canvas.at(x, y, Span::styled(glyph.to_string(), styles[layer]));
    }
    let mut name = |turn: f64, name: &'static str, style: Style| {
        let (x, y) = (x0 + 2.0 * radius * turn.cos(), y0 - radius * turn.sin());
        if x >= 0.0 && y >= 0.0 {
            canvas.at(x as usize, y as usize, Span::styled(glyphs.node.to_string(), style));
        }
        let r = radius + 0.6;
        let (x, y) = (x0 + 2.0 * r * turn.cos(), y0 - r * turn.sin());
        if x >= 0.0 && y >= 0.0 {
            canvas.at(x as usize, y as usize, Span::styled(name, theme.strong()));
        }
    };
    name(0.0, "A", theme.block(0));
    name(planes.theta, "B", theme.block(1));
}

/// Dots in cells of two by four, as in Braille; the highest layer in a cell decides its colour.
struct Dots {
    width: usize,
    cells: Vec<(u8, u8)>,
}

impl Dots {
    /// The bit of each dot, by row and column.
    const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

    fn new(width: usize, height: usize) -> Self {
        Self { width, cells: vec![(0, 0); width * height] }
    }

    /// Sets the dot at a place in cells, if it is within.
    fn set(&mut self, x: f64, y: f64, layer: u8) {
        if x < 0.0 || y < 0.0 || x >= self.width as f64 {
            return;
        }
        let bit = Self::BITS[(4.0 * y.fract()) as usize][(2.0 * x.fract()) as usize];
        if let Some((dots, top)) = self.cells.get_mut(y as usize * self.width + x as usize) {
            *dots |= bit;
            *top = (*top).max(layer);
        }
    }

    /// The column, row, layer and pattern of every cell that has a dot.
    fn cells(&self) -> impl Iterator<Item = (usize, usize, usize, char)> + '_ {
        let all = self.cells.iter().enumerate().filter(|(_, (dots, _))| *dots > 0);
        all.map(|(at, &(dots, layer))| {
            let pattern = char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ');
            (at % self.width, at / self.width, usize::from(layer), pattern)
        })
    }
}

/// A share in percent; a share above 0 is never shown as 0.
fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.0005 {
        "less than 0.1 %".to_owned()
    } else {
        format!("{:.1} %", 100.0 * share)
    }
}

/// The two fingerprints that the lines make, and the share of lines between the vectors as it settles.
fn bits(planes: &Hyperplanes, theme: Theme, canvas: &mut Canvas) {
    let glyphs = theme.glyphs();
    let room = canvas.width().saturating_sub(5);
    let sides: Vec<[bool; 2]> = planes.lines().map(|(_, sides)| sides).collect();
    let first = sides.len().saturating_sub(room);
    for (row, name) in ["A", "B"].into_iter().enumerate() {
        let mut spans = vec![Span::styled(format!(" {name}  "), theme.strong())];
        spans.extend(sides[first..].iter().map(|bits| {
            let (one, differs) = (bits[row], bits[0] != bits[1]);
            let glyph = match (differs, one) {
                (true, one) => glyphs.other[usize::from(one)],
                (false, true) => glyphs.one,
                (false, false) => glyphs.zero,
            };
            let style = if differs { theme.differs() } else { theme.block(row) };
            Span::styled(glyph.to_string(), style)
        }));
        canvas.row(row, Line::from(spans));
    }
    let height = canvas.height().saturating_sub(3);
    let cells = canvas.width().saturating_sub(8);
    if height < 3 || cells < 10 {
        return;
    }
    let mut plot = canvas.part(0, 3, cells + 7, height);
    let share = planes.theta / PI;
    let top = if share <= 0.5 { 0.5 } else { 1.0 };
    let row = |share: f64| {
        let place = (share / top * (height - 1) as f64).round().min((height - 1) as f64);
        height - 1 - place as usize
    };
    plot.at(0, 0, Span::styled(format!("  {top:.1}"), theme.muted()));
    plot.at(0, height - 1, Span::styled("  0.0", theme.muted()));
    let rule = glyphs.ruler.to_string().repeat(cells);
    plot.at(7, row(share), Span::styled(rule, theme.muted()));
    let mut parting = 0;
    let n = sides.len();
    for (number, bits) in sides.iter().enumerate() {
        parting += usize::from(bits[0] != bits[1]);
        let x = number * cells / n.max(FULL.min(cells));
        let so_far = parting as f64 / (number + 1) as f64;
        let style = Style { bg: None, ..theme.differs() };
        plot.at(7 + x, row(so_far), Span::styled(glyphs.node.to_string(), style));
    }
}
