//! Sections as rows of plain text: wrapped for a pane, unwrapped for the text of a command.

use unicode_width::UnicodeWidthStr;

use super::{
    page::{Bar, Histogram, PageBlock, PageTable, Section, height},
    wrap::wrap,
};
use crate::{
    explain::{Excerpt, text_diff::ExcerptPart},
    number::grouped,
    text::visible,
};

/// Cells of the longest bar in [`PageBlock::Bars`].
const LONGEST_BAR: usize = 40;
/// Cells of curves in unwrapped text.
const UNBROKEN: usize = 78;
/// Columns of a histogram's longest bar.
const HISTOGRAM: usize = 50;

/// A row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DisplayRow {
    /// The text, no wider than requested unless it is a drawing.
    pub text: String,
    /// Whether it belongs to a title.
    pub is_title: bool,
}

/// Sections as text for a terminal, unwrapped, with a blank line between them.
pub fn text(sections: &[Section<'_>], ascii: bool) -> String {
    rows(sections, usize::MAX, ascii).into_iter().map(|row| row.text + "\n").collect()
}

/// Sections in rows of `width` cells, with a blank row between them. The labels of a section form one column,
/// with the text beside it. Costs the length of the text.
pub fn rows(sections: &[Section<'_>], width: usize, ascii: bool) -> Vec<DisplayRow> {
    let mut rows = Vec::new();
    for section in sections {
        if !rows.is_empty() {
            rows.push(DisplayRow::default());
        }
        let mut entries = vec![DisplayEntry::Title(section.title.plain())];
        section.blocks.iter().for_each(|part| block(part, width, ascii, &mut entries));
        let labels = entries.iter().map(|entry| match entry {
            DisplayEntry::Fact(label, _) => label.width(),
            _ => 0,
        });
        let widest = labels.max().unwrap_or(0);
        for entry in entries {
            entry.rows(width, widest, &mut rows);
        }
    }
    rows
}

/// A title, a fact with or without a label, or a drawing, which is not wrapped.
enum DisplayEntry {
    Title(String),
    Fact(String, String),
    Drawn(String),
}

impl DisplayEntry {
    /// Adds the rows of the entry; the longest label of its section has `widest` cells.
    fn rows(self, width: usize, widest: usize, rows: &mut Vec<DisplayRow>) {
        match self {
            Self::Title(title) if title.is_empty() => {}
            Self::Title(title) => {
                let titles = wrap(&title, width.saturating_sub(1)).into_iter();
                rows.extend(titles.map(|text| DisplayRow { text, is_title: true }));
            }
            Self::Drawn(row) => {
                let text = format!(" {row}").trim_end().to_owned();
                rows.push(DisplayRow { text, is_title: false });
            }
            Self::Fact(label, text) => {
                let indent = if widest == 0 { 1 } else { widest + 3 };
                let broken = wrap(&text, width.saturating_sub(indent)).into_iter().enumerate();
                rows.extend(broken.map(|(at, row)| {
                    let text = match at {
                        0 if widest > 0 => format!(" {label:>widest$}  {row}"),
                        _ => format!("{:indent$}{row}", ""),
                    };
                    DisplayRow { text: text.trim_end().to_owned(), is_title: false }
                }));
            }
        }
    }
}

fn block(part: &PageBlock<'_>, width: usize, ascii: bool, entries: &mut Vec<DisplayEntry>) {
    let drawn = |rows: Vec<String>| {
        rows.into_iter()
            .map(move |row| DisplayEntry::Drawn(if ascii { to_ascii(&row) } else { row }))
    };
    let fact = |label: &str, text| DisplayEntry::Fact(label.to_owned(), text);
    match part {
        PageBlock::Heading(_, title) => entries.push(DisplayEntry::Title(title.plain())),
        PageBlock::Paragraph(line) => entries.push(fact("", line.plain())),
        PageBlock::List(lines) => entries.extend(lines.iter().map(|line| fact("-", line.plain()))),
        PageBlock::Facts(facts) => {
            entries.extend(facts.iter().map(|(label, line)| fact(label, line.plain())));
        }
        PageBlock::Table(it) => entries.extend(drawn(table(it))),
        PageBlock::Bars(it) => entries.extend(drawn(bars(it, width))),
        PageBlock::Lines(lines) => entries.extend(drawn(lines.clone())),
        PageBlock::Histogram(it) => entries.extend(drawn(histogram(it))),
        PageBlock::Curves(it) => {
            let width = if width == usize::MAX { UNBROKEN } else { width.saturating_sub(1) };
            entries.extend(drawn(it.rows(width)));
        }
        PageBlock::Texts(_, excerpt) => {
            let marked = marked(excerpt);
            entries.extend(marked.lines().map(|line| fact("", visible(line).into_owned())));
        }
        PageBlock::Folded(title, blocks) => {
            entries.push(DisplayEntry::Title((*title).to_owned()));
            for part in blocks {
                block(part, width, ascii, entries);
            }
        }
    }
}

/// A row of a drawing in ASCII.
fn to_ascii(row: &str) -> String {
    let ascii = |c| match c {
        '█'..='▌' => '#',
        '▍'..='▏' => '-',
        '│' => '|',
        '▲' => '^',
        c => c,
    };
    row.chars().map(ascii).collect()
}

/// A bar for each name; the longest bar fits into `width`.
pub(super) fn bars(bars: &[(String, u64)], width: usize) -> Vec<String> {
    let most = bars.iter().map(|(_, n)| *n).max().unwrap_or(0).max(1);
    let digits = grouped(most).len();
    let names = bars.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
    let room = width.saturating_sub(names + digits + 6).clamp(1, LONGEST_BAR) as u64;
    let bar = |(name, n): &(String, u64)| {
        let length = (n * room).div_ceil(most) as usize;
        format!("{name:>names$}  {:>digits$} {}", grouped(*n), "█".repeat(length))
    };
    bars.iter().map(bar).collect()
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

/// A row for each distance from the first to the last one with pairs; `|` marks the number expected by chance.
pub(super) fn histogram(it: &Histogram) -> Vec<String> {
    let most = it.bars.iter().map(|bar| (bar.pairs as f64).max(bar.by_chance)).fold(1.0, f64::max);
    let height_in_cells = |pairs: f64| (height(pairs, most) * HISTOGRAM as f64).round() as usize;
    let last = it.bars.iter().rposition(|bar| bar.pairs > 0).unwrap_or(0).max(it.k as usize);
    let row = |(distance, bar): (usize, &Bar)| {
        let full = height_in_cells(bar.pairs as f64);
        let fill = if distance <= it.k as usize { '#' } else { '=' };
        let mut cells: Vec<char> =
            [vec![fill; full], vec![' '; (HISTOGRAM + 1).saturating_sub(full)]].concat();
        if bar.by_chance > 0.5 {
            cells[height_in_cells(bar.by_chance)] = '|';
        }
        let picture: String = cells.into_iter().collect();
        format!("{distance:>3} {} {}", picture.trim_end(), bar.in_words())
    };
    let mut rows: Vec<String> = it.bars.iter().enumerate().take(last + 1).map(row).collect();
    let is_sampled = it.bars.iter().any(|bar| bar.interval.is_some());
    let ends = if is_sampled { "; (95 % interval) where estimated" } else { "" };
    rows.insert(
        0,
        format!("  d pairs: # within k = {}, = beyond, | by chance; logarithmic{ends}", it.k),
    );
    rows
}

/// An excerpt on one line, with differences as `[-left-]{+right+}`.
pub(super) fn marked(excerpt: &Excerpt) -> String {
    let mut line = String::new();
    for part in &excerpt.parts {
        match part {
            ExcerptPart::Same(words) => line += words,
            ExcerptPart::Skipped(n) => line += &format!("\n… {n} equal words and marks …\n"),
            ExcerptPart::Changed { left, right } => {
                if left.starts_with(' ') || right.starts_with(' ') {
                    line.push(' ');
                }
                let side = |words: &str, open, close| match words.trim_start() {
                    "" => String::new(),
                    words => format!("{open}{words}{close}"),
                };
                line += &side(left, "[-", "-]");
                line += &side(right, "{+", "+}");
            }
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::{super::page::PageRow, *};

    fn sections() -> Vec<Section<'static>> {
        let mut how = Section::new("how alike");
        how.fact("0.98", "cosine of all the features they have");
        how.fact("1", "Jaccard");
        let mut why = Section::new("why");
        why.say("the keys of two tables are whole");
        vec![how, why]
    }

    #[test]
    fn entries_wrap_below_themselves() {
        let rows = rows(&sections(), 24, false);
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
            assert!(!rows(&sections(), width, false).is_empty());
        }
        assert!(text(&sections(), false).contains(" 0.98  cosine of all the features they have\n"));
    }

    #[test]
    fn bars_fit_and_can_be_drawn_in_ascii() {
        let counts: Vec<(String, u64)> = (0..12).map(|n| (n.to_string(), n * n * 37)).collect();
        for width in [20, 44, 100] {
            assert!(bars(&counts, width).iter().all(|row| row.width() < width), "{width}");
        }
        let mut section = Section::new("");
        section.blocks.push(PageBlock::Bars(counts));
        assert!(text(&[section.clone()], false).contains(" 11  4,477 ████"));
        assert!(text(&[section], true).is_ascii());
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

    #[test]
    fn an_estimate_is_drawn_with_its_interval() {
        let bar = |pairs, interval| Bar { pairs, interval, by_chance: 0.0 };
        let bars = vec![bar(7, None), bar(1500, Some((1200, 1800)))];
        let picture = |bars| histogram(&Histogram { bars, k: 0, in_words: String::new() });
        let rows = picture(bars);
        assert!(rows[0].ends_with("(95 % interval) where estimated"), "{rows:?}");
        assert!(
            rows[1].ends_with(" 7") && rows[2].ends_with(" 1,500 (1,200 to 1,800)"),
            "{rows:?}"
        );
        assert!(picture(vec![bar(7, None)])[0].ends_with("logarithmic"));
    }

    #[test]
    fn differences_are_marked_in_place() {
        let excerpt = Excerpt::new("back by nine, on Monday", "back by ten, on a Monday");
        assert_eq!(marked(&excerpt), "back by [-nine-]{+ten+}, on {+a+} Monday");
    }
}
