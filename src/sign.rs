//! The signs that screens are drawn with, and their forms on a terminal without Unicode.

/// A bit that is 1.
pub const ONE: char = '█';
/// A bit that is 0.
pub const ZERO: char = '·';
/// A bit that differs from its counterpart: a 0, a 1.
pub const OTHER: [char; 2] = ['○', '●'];
/// The line between blocks.
pub const BLOCK: char = '│';
/// The line between the key and the rest.
pub const KEY: char = '┃';
/// A ruler's line.
pub const RULER: char = '┄';
/// A horizontal rule.
pub const RULE: char = '─';
/// The line of a slider.
pub const SLIDER: char = '━';
/// The mark under a differing bit.
pub const DIFFERS: char = '▲';
/// The mark of the selected row.
pub const CURSOR: char = '▶';
/// A candidate within k, and what is in use.
pub const CHECK: char = '✓';
/// A candidate beyond k.
pub const CROSS: char = '×';
/// The marked point of a picture, such as k on its slider.
pub const NODE: char = '●';
/// Equal texts.
pub const EQUAL_TEXT: char = '=';
/// Equal fingerprints of texts that differ, or are not known to be equal.
pub const EQUAL_PRINT: char = '≡';
/// The mark of the pair's other document.
pub const PARTNER: char = '◆';
/// The mark of an empty cell.
pub const NONE: char = '·';
/// The sign between two differing texts.
pub const UNLIKE: char = '≠';
/// The sign between two equal texts.
pub const LIKE: char = '│';
/// The mark of further text.
pub const MORE: char = '▼';
/// A full and an empty cell of a progress bar.
pub const BAR: [char; 2] = ['█', '░'];
/// One to eight eighths.
pub const EIGHTHS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The lower half of a cell, all of it, and its upper half: bars that rise and hang.
pub const HALVES: [char; 3] = ['▄', '█', '▀'];
/// Left and right edge of a pattern.
pub const GUARDS: [char; 2] = ['▏', '▕'];
/// Corners and sides of a box: top left, top right, bottom left, bottom right, vertical.
pub const CORNERS: [char; 5] = ['╭', '╮', '╰', '╯', '│'];
/// A whole and a damaged block in a table.
pub const BLOCKS: [char; 2] = ['█', '·'];
/// A group that is closed, one that is open, and what goes in it.
pub const TREE: [char; 3] = ['▸', '▾', '└'];
/// The sign between two places on the way back.
pub const CRUMB: char = '›';
/// The sign between the two documents of a pair.
pub const PAIR: char = '↔';
/// A point of the curve of distances by chance.
pub const CHANCE: char = '•';
/// None, few, some, many, most: for maps.
pub const SHADES: [char; 5] = ['·', '░', '▒', '▓', '█'];
/// A dashed upright line.
pub const DASH: char = '╎';
/// A tick on an axis.
pub const TICK: char = '┬';
/// The sign where something is cut.
pub const CUT: char = '…';

/// All of them, and below each its form in ASCII.
const SIGNS: [&str; 2] = [
    "█·○●│┃┄─━▲▶✓×≡◆≠▼░▒▓▁▂▃▄▅▆▇▀▏▕╭╮╰╯▸▾└›↔•╎┬…", //
    "#.o@|]---^>*xc%/v:+*.:-=+*%=[]+++++-->&o:+~",
];

/// The form of a sign on a terminal without Unicode; `None` of other characters.
pub fn in_ascii(c: char) -> Option<char> {
    let [signs, forms] = SIGNS.map(str::chars);
    signs.zip(forms).find(|(sign, _)| *sign == c).map(|(_, form)| form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sign_has_one_form() {
        let [signs, forms] = SIGNS.map(|it| it.chars().collect::<Vec<_>>());
        assert_eq!(signs.len(), forms.len());
        assert!(forms.iter().all(char::is_ascii));
        assert!(signs.iter().enumerate().all(|(at, sign)| !signs[..at].contains(sign)));
        let groups =
            [&OTHER[..], &BAR, &EIGHTHS, &HALVES, &GUARDS, &CORNERS, &BLOCKS, &TREE, &SHADES];
        let single = [
            ONE,
            ZERO,
            BLOCK,
            KEY,
            RULER,
            RULE,
            SLIDER,
            DIFFERS,
            CURSOR,
            CHECK,
            CROSS,
            NODE,
            EQUAL_PRINT,
            PARTNER,
            NONE,
            UNLIKE,
            LIKE,
            MORE,
            CRUMB,
            PAIR,
            CHANCE,
            DASH,
            TICK,
            CUT,
        ];
        assert!(
            [&groups.concat()[..], &single].concat().into_iter().all(|it| in_ascii(it).is_some())
        );
        assert_eq!(['a', CUT, 'é'].map(in_ascii), [None, Some('~'), None]);
    }
}
