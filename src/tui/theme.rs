//! The colours, modifiers and glyphs of the program.
//!
//! A hue stands for a block: A is sky blue, B orange, C green, D pink, and further blocks have the same hues in another
//! tone. Yellow stands for a difference. A selected row has a tinted background. Glyph and position carry the meaning;
//! colour only helps. Without colour every role that matters is a modifier; without Unicode every glyph is ASCII. Text
//! keeps the terminal's own foreground, and nothing with a meaning is drawn reversed, because a reversed full block is
//! an empty cell.

mod palette;

use ratatui::style::{Color, Modifier, Style};

use self::palette::Palette;
use crate::look::{Depth, Look};

/// The glyphs of a screen.
#[derive(Clone, Copy, Debug)]
pub struct Glyphs {
    /// A bit that is 1.
    pub one: char,
    /// A bit that is 0.
    pub zero: char,
    /// A bit that differs from its counterpart: a 0, a 1.
    pub other: [char; 2],
    /// The line between blocks.
    pub block: char,
    /// The line between the key and the rest.
    pub key: char,
    /// A ruler's line.
    pub ruler: char,
    /// A horizontal rule.
    pub rule: char,
    /// The mark under a differing bit.
    pub differs: char,
    /// The mark of the selected row.
    pub cursor: char,
    /// A candidate that was kept.
    pub kept: char,
    /// A candidate that was rejected.
    pub rejected: char,
    /// A document of a group in a list.
    pub member: char,
    /// A document in a tree.
    pub node: char,
    /// Equal texts.
    pub equal_text: char,
    /// Equal fingerprints of texts that differ, or are not known to be equal.
    pub equal_print: char,
    /// The mark of the row of the pair's other document.
    pub partner: char,
    /// The mark of an empty cell.
    pub none: char,
    /// The sign between two differing texts.
    pub unlike: char,
    /// The sign between two equal texts.
    pub like: char,
    /// The mark of further text.
    pub more: &'static str,
    /// A column that orders the list: smallest first, largest first.
    pub orders: [char; 2],
    /// A list dot.
    pub dot: char,
    /// A full and an empty cell of a progress bar.
    pub bar: [char; 2],
    /// One to eight eighths.
    pub eighths: [char; 8],
    /// The lower half of a cell, all of it, and its upper half: bars that rise and hang.
    pub halves: [char; 3],
    /// Left and right edge of a pattern.
    pub guards: [char; 2],
    /// Corners and sides of a box: top left, top right, bottom left, bottom right, vertical.
    pub corners: [char; 5],
    /// A whole and a damaged block in a table.
    pub blocks: [&'static str; 3],
    /// The sign between two places on the way back.
    pub crumb: char,
    /// The sign between the two documents of a pair.
    pub pair: char,
    /// A point of the curve of distances by chance.
    pub chance: char,
    /// None, few, some, many, most: for maps.
    pub shades: [char; 5],
    /// A dashed upright line.
    pub dash: char,
    /// A tick on an axis.
    pub tick: char,
    /// A group's trunk, branch and last branch.
    pub tree: [&'static str; 3],
    /// Before a node of a deeper tree: a branch, the last one, one passed by, and none.
    pub guides: [&'static str; 4],
    /// An edge, and one that a smaller k cuts.
    pub edges: [char; 2],
}

const UNICODE: Glyphs = Glyphs {
    one: '█',
    zero: '·',
    other: ['○', '●'],
    block: '│',
    key: '┃',
    ruler: '┄',
    rule: '─',
    differs: '▲',
    cursor: '▶',
    kept: '✓',
    rejected: '×',
    member: '▌',
    node: '●',
    equal_text: '=',
    equal_print: '≡',
    partner: '◆',
    none: '·',
    unlike: '≠',
    like: '│',
    more: "▼",
    orders: ['▲', '▼'],
    dot: '·',
    bar: ['█', '░'],
    eighths: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
    halves: ['▄', '█', '▀'],
    guards: ['▏', '▕'],
    corners: ['╭', '╮', '╰', '╯', '│'],
    blocks: ["████", "██x█", "····"],
    crumb: '›',
    pair: '↔',
    chance: '•',
    shades: ['·', '░', '▒', '▓', '█'],
    dash: '╎',
    tick: '┬',
    tree: ["●", "├──", "└──"],
    guides: ["├─", "└─", "│ ", "  "],
    edges: ['─', '┄'],
};

const ASCII: Glyphs = Glyphs {
    one: '#',
    zero: '.',
    other: ['o', '@'],
    block: '|',
    key: ']',
    ruler: '-',
    rule: '-',
    differs: '^',
    cursor: '>',
    kept: '*',
    rejected: 'x',
    member: '|',
    node: '*',
    equal_text: '=',
    equal_print: 'c',
    partner: '%',
    none: '.',
    unlike: '/',
    like: '|',
    more: "v",
    orders: ['<', '>'],
    dot: '.',
    bar: ['#', '.'],
    eighths: ['1', '2', '3', '4', '5', '6', '7', '8'],
    halves: [':', '#', ':'],
    guards: ['[', ']'],
    corners: ['+', '+', '+', '+', '|'],
    blocks: ["####", "##x#", "...."],
    crumb: '>',
    pair: '&',
    chance: 'o',
    shades: ['.', ':', '+', '*', '#'],
    dash: ':',
    tick: '+',
    tree: ["*", "+--", "`--"],
    guides: ["|-", "`-", "| ", "  "],
    edges: ['-', '.'],
};

/// The look of the terminal, with the glyphs and the style of each role.
#[derive(Clone, Copy, Debug)]
pub struct Theme(pub Look);

impl Theme {
    /// The glyphs to draw with.
    pub fn glyphs(self) -> &'static Glyphs {
        if self.0.ascii { &ASCII } else { &UNICODE }
    }

    /// The glyph before the selected row, and the style of the row.
    pub fn mark(self) -> (char, Style) {
        (self.glyphs().cursor, self.selected())
    }

    /// Whether texts and rows can have a background of their own, which needs more than sixteen colours.
    pub fn has_surfaces(self) -> bool {
        self.0.depth > Depth::Sixteen
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

    /// A word only the left text has.
    pub fn left_only(self) -> Style {
        self.word(|it| it.left)
    }

    /// A word only the right text has.
    pub fn right_only(self) -> Style {
        self.word(|it| it.right)
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
    fn ink(self, role: fn(&Palette) -> [Color; 2]) -> Style {
        let Some([text, ground]) = self.palette().map(|it| role(&it)) else {
            return Style::reset();
        };
        Style::reset().fg(self.shade(text)).bg(self.shade(ground))
    }

    /// The style of a word, which is bold if it has no background of its own.
    fn word(self, role: fn(&Palette) -> [Color; 2]) -> Style {
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
