//! Wraps lines into rows: at white space, or beside wide characters.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Lines wrapped at white space, or beside wide characters, to `cells` cells; longer words are cut.
pub fn wrap(line: &str, cells: usize) -> Vec<String> {
    let cells = cells.max(1);
    let mut rows = Vec::new();
    let (mut row, mut used) = (String::new(), 0);
    for unit in units(line) {
        let width = unit.trim_end().width();
        if used + width > cells && used > 0 {
            rows.push(std::mem::take(&mut row).trim_end().to_owned());
            used = 0;
        }
        for grapheme in unit.graphemes(true) {
            let width = grapheme.width();
            if used + width > cells {
                if grapheme.trim().is_empty() {
                    break;
                }
                rows.push(std::mem::take(&mut row));
                used = 0;
            }
            row.push_str(grapheme);
            used += width;
        }
    }
    rows.push(row.trim_end().to_owned());
    rows
}

/// The units that must not be split: a word with its marks and the white space after it, or a wide character.
fn units(line: &str) -> Vec<&str> {
    let mut units = Vec::new();
    let mut start = 0;
    let mut after_space = false;
    for (at, segment) in line.split_word_bound_indices() {
        let blank = segment.trim().is_empty();
        let wide =
            segment.chars().next().is_some_and(|c| c.is_alphanumeric() && c.width() == Some(2));
        if at > start && !blank && (after_space || wide) {
            units.push(&line[start..at]);
            start = at;
        }
        after_space = blank;
    }
    units.push(&line[start..]);
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_wrap_at_words() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("one, (two) three.", 6), ["one,", "(two)", "three."]);
        assert_eq!(wrap("漢字。混在", 5), ["漢", "字。", "混在"]);
        assert_eq!(wrap("", 8), [""]);
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
    }
}
