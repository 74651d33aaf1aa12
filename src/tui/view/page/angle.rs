//! Two vectors, and random lines through the point where they begin.

use ratatui::style::Style;
use ratatui::text::Span;

use crate::app::page::SHOWN_LINES;
use crate::explain::Hyperplanes;
use crate::look::Depth;
use crate::sign;
use crate::tui::widget::canvas::Canvas;

/// The two vectors from the middle, and the lines so far; lines that separate the vectors are drawn over the others.
pub(super) fn angle(planes: &Hyperplanes, canvas: &mut Canvas) {
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
    let recent = planes.n().saturating_sub(SHOWN_LINES) as usize;
    for (line, sides) in planes.lines().skip(recent) {
        ray(line, -radius, radius, u8::from(sides[0] != sides[1]));
    }
    ray(0.0, 0.0, radius, 2);
    ray(planes.theta, 0.0, radius, 3);
    // A ground behind dots would fill their cells.
    let parting = Style { bg: None, ..theme.differs() };
    let styles = [theme.quiet(), parting, theme.block(0), theme.block(1)];
    let plain = [sign::NONE, sign::DIFFERS, sign::ONE, sign::ONE];
    for (x, y, layer, pattern) in dots.cells() {
        let glyph =
            if theme.0.ascii || theme.0.depth == Depth::None { plain[layer] } else { pattern };
        canvas.at(x, y, Span::styled(glyph.to_string(), styles[layer]));
    }
    let mut name = |turn: f64, name: &'static str, style: Style| {
        let (x, y) = (x0 + 2.0 * radius * turn.cos(), y0 - radius * turn.sin());
        if x >= 0.0 && y >= 0.0 {
            canvas.at(x as usize, y as usize, Span::styled(sign::NODE.to_string(), style));
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
