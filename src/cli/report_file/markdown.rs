//! A page as Markdown, as code hosts show it.
//!
//! What documents say stands in code alone, a span or a fence longer than any run of backticks in it, so
//! that nothing in it is read as a link, an image, HTML or a table. Our own words have what Markdown would
//! read as markup escaped.

use super::page::{Block, Histogram, Line, Page, Span, Table, height};
use crate::explain::{Excerpt, excerpt::Part};

/// Columns of the longest bar.
const BAR: usize = 50;
/// Columns of texts.
const WIDTH: usize = 100;

/// The page as Markdown.
pub(super) fn write(page: &Page<'_>) -> String {
    let mut out = format!("# {}\n\n", line(&page.title));
    for paragraph in &page.lead {
        out += &format!("{}\n\n", line(paragraph));
    }
    for section in &page.sections {
        out += &format!("- [{}](#{})\n", text(section.title), section.anchor());
    }
    out.push('\n');
    for section in &page.sections {
        out += &format!("## {}\n\n", text(section.title));
        section.blocks.iter().for_each(|part| block(part, &mut out));
    }
    out += &format!("---\n\n{}\n", line(&page.foot));
    out
}

fn block(part: &Block<'_>, out: &mut String) {
    match part {
        Block::Heading(level, title) => {
            *out += &format!("{} {}\n\n", "#".repeat(usize::from(*level)), line(title));
        }
        Block::Paragraph(words) => *out += &format!("{}\n\n", line(words)),
        Block::List(lines) => {
            for words in lines {
                *out += &format!("- {}\n", line(words));
            }
            out.push('\n');
        }
        Block::Facts(facts) => {
            for (name, words) in facts {
                *out += &format!("- **{name}**: {}\n", line(words));
            }
            out.push('\n');
        }
        Block::Table(it) => table(it, out),
        Block::Code(words) => *out += &fenced(std::slice::from_ref(words)),
        Block::Histogram(it) => *out += &fenced(&histogram(it)),
        Block::Texts(_, excerpt) => *out += &fenced(&wrapped(&marked(excerpt))),
        Block::Folded(title, blocks) => {
            *out += &format!("<details><summary>{}</summary>\n\n", text(title));
            for part in blocks {
                block(part, out);
            }
            *out += "</details>\n\n";
        }
    }
}

fn line(line: &Line) -> String {
    line.0
        .iter()
        .map(|span| match span {
            Span::Text(words) => text(words),
            Span::Strong(words) => format!("**{}**", text(words)),
            Span::Name(words) | Span::Quote(words) => code(words),
        })
        .collect()
}

/// Our own words with all escaped that may mean something else.
fn text(words: &str) -> String {
    let mut escaped = String::with_capacity(words.len());
    for c in words.chars() {
        if r"\`*_[]<>|#~&$".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// A code span that holds these words, whatever they are.
fn code(words: &str) -> String {
    if words.trim().is_empty() {
        return "(nothing)".to_owned();
    }
    let fence = "`".repeat(longest_run(words) + 1);
    // One space on each side is taken away again by the reader.
    let is_padded = [words.chars().next(), words.chars().last()]
        .into_iter()
        .flatten()
        .any(|end| end == '`' || end == ' ');
    let pad = if is_padded { " " } else { "" };
    format!("{fence}{pad}{words}{pad}{fence}")
}

/// A block of these lines, whatever they hold.
fn fenced(lines: &[String]) -> String {
    let longest = lines.iter().map(|line| longest_run(line)).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n\n", lines.join("\n"))
}

/// The longest run of backticks.
fn longest_run(words: &str) -> usize {
    words.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

fn table(table: &Table, out: &mut String) {
    let n_numbers = table.columns.len() - table.n_words;
    let mut row = |cells: &mut dyn Iterator<Item = String>| {
        *out += &format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
    };
    row(&mut table.columns.iter().map(|title| text(title)));
    row(&mut (0..table.columns.len()).map(|at| if at < n_numbers { "--:" } else { "---" }.into()));
    for it in &table.rows {
        let cell = |cell: &String| {
            let cell = text(cell);
            if it.is_marked && !cell.is_empty() { format!("**{cell}**") } else { cell }
        };
        row(&mut it.cells.iter().map(cell));
    }
    *out += &format!("\n{}.\n\n", text(&table.caption));
}

/// A row for each distance from the first to the last with pairs, `|` where chance alone would end.
fn histogram(it: &Histogram) -> Vec<String> {
    let most = it.bars.iter().map(|bar| (bar.pairs as f64).max(bar.by_chance)).fold(1.0, f64::max);
    let height_in_cells = |pairs: f64| (height(pairs, most) * BAR as f64).round() as usize;
    let last = it.bars.iter().rposition(|bar| bar.pairs > 0).unwrap_or(0).max(it.k as usize);
    let row = |(distance, bar): (usize, &super::page::Bar)| {
        let full = height_in_cells(bar.pairs as f64);
        let fill = if distance <= it.k as usize { '#' } else { '=' };
        let mut cells: Vec<char> =
            [vec![fill; full], vec![' '; (BAR + 1).saturating_sub(full)]].concat();
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

/// An excerpt on one line: `[-left-]{+right+}` where the texts part.
fn marked(excerpt: &Excerpt) -> String {
    let mut line = String::new();
    for part in &excerpt.parts {
        match part {
            Part::Same(words) => line += words,
            Part::Skipped(n) => line += &format!("\n… {n} the same …\n"),
            Part::Changed { left, right } => {
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

/// Lines of at most [`WIDTH`] characters where words allow it.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let (mut line, mut width) = (String::new(), 0);
        for word in paragraph.split_whitespace() {
            let n = word.chars().count();
            if width > 0 && width + 1 + n > WIDTH {
                lines.push(std::mem::take(&mut line));
                width = 0;
            }
            if width > 0 {
                line.push(' ');
                width += 1;
            }
            line += word;
            width += n;
        }
        if !line.is_empty() {
            lines.push(line);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_names_whatever_they_hold() {
        let table = [
            ("tide-log", "`tide-log`"),
            ("a`b", "``a`b``"),
            ("`a``", "``` `a`` ```"),
            ("]](javascript:alert(1))", "`]](javascript:alert(1))`"),
            ("", "(nothing)"),
        ];
        for (words, expected) in table {
            assert_eq!(code(words), expected);
        }
        assert_eq!(fenced(&["a ```` b".into()]), "`````text\na ```` b\n`````\n\n");
        assert_eq!(text("2 * 3 | <b>"), r"2 \* 3 \| \<b\>");
    }

    #[test]
    fn an_estimate_is_drawn_with_its_interval() {
        let bar = |pairs, interval| super::super::page::Bar { pairs, interval, by_chance: 0.0 };
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
        assert!(wrapped(&"word ".repeat(100)).iter().all(|line| line.len() <= WIDTH));
    }
}
