//! The colours and modifiers of the program.
//!
//! A hue stands for a block: A is sky blue, B orange, C green, D pink, and further blocks have the same hues in another
//! tone. Yellow stands for a difference. A selected row has a tinted background. Glyph and position carry the meaning;
//! colour only helps. Without colour every role that matters is a modifier; without Unicode every sign is ASCII. Text
//! keeps the terminal's own foreground, and nothing with a meaning is drawn reversed, because a reversed full block is
//! an empty cell.

mod palette;

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use self::palette::Palette;
use crate::app::page::{Tinted, Tone};
use crate::look::{Depth, Look};

/// The look of the terminal, with the style of each role.
#[derive(Clone, Copy, Debug)]
pub struct Theme(pub Look);

impl Theme {
    /// Whether texts and rows can have a background of their own, which needs more than sixteen colours.
    pub fn has_surfaces(self) -> bool {
        self.0.depth > Depth::Sixteen
    }

    /// The style of a tone.
    pub fn tone(self, tone: Tone) -> Style {
        match tone {
            Tone::Text => self.text(),
            Tone::Muted => self.muted(),
            Tone::Strong => self.strong(),
            Tone::Good => self.good(),
            Tone::Warn => self.warn(),
        }
    }

    /// Words in their tones.
    pub fn line(self, words: Tinted) -> Line<'static> {
        words.0.into_iter().map(|(words, tone)| Span::styled(words, self.tone(tone))).collect()
    }

    /// Ordinary text.
    pub fn text(self) -> Style {
        Style::reset()
    }

    /// The style of less important text.
    pub fn muted(self) -> Style {
        match self.palette().map(|it| it.muted) {
            Some(grey @ Color::Rgb(..)) => self.coloured(grey),
            _ if self.0.is_strong => Style::reset(),
            _ => Style::reset().add_modifier(Modifier::DIM),
        }
    }

    /// The style of bits of less interest.
    pub fn quiet(self) -> Style {
        self.grey(|it| it.quiet)
    }

    /// The frames and rules that only divide.
    pub fn frame(self) -> Style {
        self.grey(|it| it.frame)
    }

    /// The frame of the part that the keys act on.
    pub fn accent(self) -> Style {
        self.ink(|it| [it.accent, Color::Reset])
    }

    /// A key, and the shown view.
    pub fn key(self) -> Style {
        self.accent().add_modifier(Modifier::BOLD)
    }

    /// The shown screen: on a ground of its own, or else bold.
    pub fn chosen(self) -> Style {
        match self.palette().filter(|_| self.has_surfaces()) {
            Some(it) => self.strong().fg(self.shade(it.on_accent())).bg(self.shade(it.accent)),
            None => self.strong(),
        }
    }

    /// Titles, and parts of a text that stand out.
    pub fn strong(self) -> Style {
        Style::reset().add_modifier(Modifier::BOLD)
    }

    /// The style that a selected row adds to its cells: a background, or else bold.
    pub fn selected(self) -> Style {
        match self.palette().map(|it| it.selected).filter(|_| self.has_surfaces()) {
            Some(ground) => Style::new().bg(self.shade(ground)),
            None => Style::new().add_modifier(Modifier::BOLD),
        }
    }

    /// The style of the cell for the next typed character.
    pub fn caret(self) -> Style {
        Style::reset().add_modifier(Modifier::REVERSED)
    }

    /// The bits and the letter of a block, by its number.
    pub fn block(self, number: usize) -> Style {
        self.palette().map_or(Style::reset(), |it| self.coloured(it.blocks[number % 8]))
    }

    /// The weak bits of a block.
    pub fn pale_block(self, number: usize) -> Style {
        match self.palette() {
            Some(it) if self.has_surfaces() => self.coloured(it.pale[number % 4]),
            _ => self.block(number).add_modifier(Modifier::DIM),
        }
    }

    /// A bit, block or word that differs.
    pub fn differs(self) -> Style {
        self.ink(|it| it.differs).add_modifier(Modifier::BOLD)
    }

    /// A word that only the left text, 0, or the right one, 1, has.
    pub fn only_in(self, side: usize) -> Style {
        self.word(|it| it.only[side])
    }

    /// The style of a hit.
    pub fn good(self) -> Style {
        self.ink(|it| [it.good, Color::Reset]).add_modifier(Modifier::BOLD)
    }

    /// The style of a warning: a weak bit, a problem.
    pub fn warn(self) -> Style {
        self.word(|it| [it.warn, Color::Reset])
    }

    fn palette(self) -> Option<Palette> {
        Palette::of(self.0)
    }

    /// A grey of the palette; muted where it has none.
    fn grey(self, role: fn(&Palette) -> Color) -> Style {
        match self.palette().map(|it| role(&it)) {
            Some(grey @ Color::Rgb(..)) => self.coloured(grey),
            _ => self.muted(),
        }
    }

    /// Text and background of a role.
    fn ink(self, role: impl Fn(&Palette) -> [Color; 2]) -> Style {
        let Some([text, ground]) = self.palette().map(|it| role(&it)) else {
            return Style::reset();
        };
        Style::reset().fg(self.shade(text)).bg(self.shade(ground))
    }

    /// The style of a word, which is bold if it has no background of its own.
    fn word(self, role: impl Fn(&Palette) -> [Color; 2]) -> Style {
        let style = self.ink(role);
        if self.has_surfaces() { style } else { style.add_modifier(Modifier::BOLD) }
    }

    fn coloured(self, color: Color) -> Style {
        Style::reset().fg(self.shade(color))
    }

    /// The colour of the terminal for a colour of the palette.
    fn shade(self, color: Color) -> Color {
        match self.0.depth {
            Depth::Indexed => palette::nearest(color),
            Depth::True => palette::short(color),
            _ => color,
        }
    }
}
