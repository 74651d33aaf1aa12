//! The look of the program: one place for colours, modifiers and glyphs.
//!
//! Glyph and position carry the meaning; colour only helps. Without colour every role that matters is a
//! modifier; without Unicode every glyph is ASCII. Text keeps the terminal's own foreground.

use ratatui::style::{Color, Modifier, Style};

/// The glyphs of a screen.
#[derive(Clone, Copy, Debug)]
pub struct Glyphs {
    /// A bit that is 1.
    pub one: char,
    /// A bit that is 0.
    pub zero: char,
    /// Between blocks.
    pub block: char,
    /// Between the key and the rest.
    pub key: char,
    /// A ruler's line.
    pub ruler: char,
    /// A horizontal rule.
    pub rule: char,
    /// Under a differing bit.
    pub differs: char,
    /// The selected row.
    pub cursor: char,
    /// A candidate that was kept.
    pub kept: char,
    /// A candidate that was rejected.
    pub rejected: char,
    /// Equal texts.
    pub equal_text: char,
    /// Equal fingerprints of texts that differ, or are not known to be equal.
    pub equal_print: char,
    /// The row of the pair's other document.
    pub partner: char,
    /// Nothing here.
    pub none: char,
    /// Between two differing texts.
    pub unlike: char,
    /// Between two equal texts.
    pub like: char,
    /// More text.
    pub more: &'static str,
    /// A column that orders the list: smallest first, largest first.
    pub orders: [char; 2],
    /// A list dot.
    pub dot: char,
    /// A full and an empty cell of a progress bar.
    pub bar: [char; 2],
    /// Ends of a range on a line, and its middle.
    pub range: [char; 3],
    /// One to eight eighths.
    pub eighths: [char; 8],
    /// The lower half of a cell, all of it, and its upper half: bars that rise and hang.
    pub halves: [char; 3],
    /// Left and right edge of a print.
    pub guards: [char; 2],
    /// Corners and sides of a box: top left, top right, bottom left, bottom right, vertical.
    pub corners: [char; 5],
    /// A whole and a damaged block in a table.
    pub blocks: [&'static str; 3],
    /// Between two documents of a pair.
    pub pair: char,
    /// A point of the curve that chance makes.
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
    block: '│',
    key: '┃',
    ruler: '┄',
    rule: '─',
    differs: '▲',
    cursor: '▶',
    kept: '●',
    rejected: '○',
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
    range: ['├', '─', '┤'],
    eighths: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
    halves: ['▄', '█', '▀'],
    guards: ['▏', '▕'],
    corners: ['╭', '╮', '╰', '╯', '│'],
    blocks: ["████", "██x█", "····"],
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
    block: '|',
    key: '!',
    ruler: '-',
    rule: '-',
    differs: '^',
    cursor: '>',
    kept: '*',
    rejected: 'o',
    equal_text: '=',
    equal_print: 'c',
    partner: '@',
    none: '.',
    unlike: '!',
    like: '|',
    more: "v",
    orders: ['<', '>'],
    dot: '.',
    bar: ['#', '.'],
    range: ['|', '-', '|'],
    eighths: ['1', '2', '3', '4', '5', '6', '7', '8'],
    halves: [':', '#', ':'],
    guards: ['[', ']'],
    corners: ['+', '+', '+', '+', '|'],
    blocks: ["####", "##x#", "...."],
    pair: '~',
    chance: 'o',
    shades: ['.', ':', '+', '*', '#'],
    dash: ':',
    tick: '+',
    tree: ["*", "+--", "`--"],
    guides: ["|-", "`-", "| ", "  "],
    edges: ['-', '.'],
};

/// Colours or none, Unicode or ASCII.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    /// Modifiers only, no colour.
    pub mono: bool,
    /// ASCII only.
    pub ascii: bool,
}

impl Theme {
    /// The glyphs to draw with.
    pub fn glyphs(self) -> &'static Glyphs {
        if self.ascii { &ASCII } else { &UNICODE }
    }

    /// Ordinary text.
    pub fn text(self) -> Style {
        Style::reset()
    }

    /// The style of less important text.
    pub fn muted(self) -> Style {
        Style::reset().add_modifier(Modifier::DIM)
    }

    /// Titles and the active tab.
    pub fn strong(self) -> Style {
        Style::reset().add_modifier(Modifier::BOLD)
    }

    /// The selected row.
    pub fn selected(self) -> Style {
        Style::reset().add_modifier(Modifier::REVERSED)
    }

    /// A bit, block or word that differs.
    pub fn differs(self) -> Style {
        self.coloured(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// A word only the left text has.
    pub fn left_only(self) -> Style {
        self.coloured(Color::Blue).add_modifier(Modifier::BOLD)
    }

    /// A word only the right text has.
    pub fn right_only(self) -> Style {
        self.coloured(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// Something found, a hit.
    pub fn good(self) -> Style {
        self.coloured(Color::Green).add_modifier(Modifier::BOLD)
    }

    /// Something to look at: a weak bit, a problem.
    pub fn warn(self) -> Style {
        self.coloured(Color::Magenta).add_modifier(Modifier::BOLD)
    }

    /// A key to press.
    pub fn key(self) -> Style {
        self.coloured(Color::Cyan).add_modifier(Modifier::BOLD)
    }

    fn coloured(self, color: Color) -> Style {
        if self.mono { Style::reset() } else { Style::reset().fg(color) }
    }
}
