//! Sections as rows of plain text: wrapped for a pane, unwrapped for the text of a command.

use unicode_width::UnicodeWidthStr;

use super::page::{PageBlock, PageLine, PageTable, Section};
use super::wrap::wrap;

/// A row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DisplayRow {
    /// The text, no wider than requested unless it is a drawing.
    pub text: String,
    /// Whether it belongs to a title.
    pub is_title: bool,
}

/// Sections as text for a terminal, unwrapped, with a blank line between them.
pub fn text(sections: &[Section]) -> String {
    rows(sections, usize::MAX).into_iter().map(|row| row.text + "\n").collect()
}

/// Sections in rows of `width` cells, with a blank row between them. The labels of a section form one column,
/// with the text beside it. Costs the length of the text.
pub fn rows(sections: &[Section], width: usize) -> Vec<DisplayRow> {
    let mut rows = Vec::new();
    for section in sections {
        if !rows.is_empty() {
            rows.push(DisplayRow::default());
        }
        let title = section.title.plain();
        if !title.is_empty() {
            let titles = wrap(&title, width.saturating_sub(1)).into_iter();
            rows.extend(titles.map(|text| DisplayRow { text, is_title: true }));
        }
        let labels = section.blocks.iter().flat_map(|part| match part {
            PageBlock::Facts(facts) => &facts[..],
            _ => &[],
        });
        let widest = labels.map(|(label, _)| label.width()).max().unwrap_or(0);
        for part in &section.blocks {
            let texts = block(part, width, widest).into_iter();
            let trimmed = texts.map(|text| text.trim_end().to_owned());
            rows.extend(trimmed.map(|text| DisplayRow { text, is_title: false }));
        }
    }
    rows
}

/// The rows of a block; the longest label of its section has `widest` cells. Drawings are not wrapped.
fn block(part: &PageBlock, width: usize, widest: usize) -> Vec<String> {
    let fact = |label: &str, line: &PageLine| -> Vec<String> {
        let indent = if widest == 0 { 1 } else { widest + 3 };
        let broken = wrap(&line.plain(), width.saturating_sub(indent)).into_iter().enumerate();
        let row = |(at, row)| match at {
            0 if widest > 0 => format!(" {label:>widest$}  {row}"),
            _ => format!("{:indent$}{row}", ""),
        };
        broken.map(row).collect()
    };
    let drawn = match part {
        PageBlock::Paragraph(line) => return fact("", line),
        PageBlock::Facts(facts) => {
            return facts.iter().flat_map(|(label, line)| fact(label, line)).collect();
        }
        PageBlock::Table(it) => table(it),
        PageBlock::Lines(lines) => lines.clone(),
        // Reports have the others, and they are HTML.
        _ => Vec::new(),
    };
    drawn.into_iter().map(|text| format!(" {text}")).collect()
}

/// A table in aligned columns: numbers to the right, words to the left.
fn table(it: &PageTable) -> Vec<String> {
    let n_numbers = it.columns.len() - it.n_words;
    let width = |at: usize| {
        let cells = it.rows.iter().map(|row| row.cells[at].width());
        cells.chain([it.columns[at].width()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..it.columns.len()).map(width).collect();
    let row = |cells: Vec<&str>| {
        let cell = |(at, cell): (usize, &str)| {
            let blanks = " ".repeat(widths[at] - cell.width());
            if at < n_numbers { blanks + cell } else { cell.to_owned() + &blanks }
        };
        cells.into_iter().enumerate().map(cell).collect::<Vec<_>>().join("  ")
    };
    let rows = it.rows.iter().map(|it| it.cells.iter().map(String::as_str).collect());
    [it.columns.clone()].into_iter().chain(rows).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::super::page::PageRow;
    use super::*;

    fn sections() -> Vec<Section> {
        let mut how = Section::new("how alike");
        how.fact("0.98", "cosine of all the features they have");
        how.fact("1", "Jaccard");
        let mut why = Section::new("why");
        why.say("the keys of two tables are whole");
        vec![how, why]
    }

    #[test]
    fn entries_wrap_below_themselves() {
        let rows = rows(&sections(), 24);
        let texts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
        let expected = [
            "how alike",
            " 0.98  cosine of all the",
            "       features they",
            "       have",
            "    1  Jaccard",
            "",
            "why",
            " the keys of two tables",
            " are whole",
        ];
        assert_eq!(texts, expected);
        assert!(texts.iter().all(|text| text.width() <= 24));
    }

    #[test]
    fn any_width_will_do() {
        for width in 0..10 {
            assert!(!rows(&sections(), width).is_empty());
        }
        assert!(text(&sections()).contains(" 0.98  cosine of all the features they have\n"));
    }

    #[test]
    fn tables_are_aligned() {
        let row = |cells: [&str; 2]| PageRow {
            cells: cells.map(str::to_owned).into(),
            is_marked: false,
            ..PageRow::default()
        };
        let it = PageTable {
            caption: String::new(),
            columns: vec!["bit", "remark"],
            n_words: 1,
            rows: vec![row(["7", "weak"]), row(["1000", ""])],
        };
        assert_eq!(table(&it), [" bit  remark", "   7  weak  ", "1000        "]);
    }
}
