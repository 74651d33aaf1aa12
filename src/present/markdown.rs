//! A page as Markdown, as code hosts show it.
//!
//! The text of documents appears only as code, in a span or a fence longer than any run of backticks in it, so
//! that no part of it is read as a link, an image, HTML or a table. Characters of our own words that Markdown
//! would read as markup are escaped.

use super::{
    lines::{bars, histogram, marked},
    page::{Page, PageBlock, PageLine, PageTable, Span},
};
use crate::text::visible;

/// Columns of quoted texts.
const WIDTH: usize = 100;

/// The page as Markdown.
pub fn write(page: &Page<'_>) -> String {
    let mut out = format!("# {}\n\n", line(&page.title));
    for paragraph in &page.lead {
        out += &format!("{}\n\n", line(paragraph));
    }
    for section in &page.sections {
        out += &format!("- [{}](#{})\n", line(&section.title), section.title.anchor());
    }
    out.push('\n');
    for section in &page.sections {
        out += &format!("## {}\n\n", line(&section.title));
        section.blocks.iter().for_each(|part| block(part, &mut out));
    }
    out += &format!("---\n\n{}\n", line(&page.foot));
    out
}

fn block(part: &PageBlock<'_>, out: &mut String) {
    match part {
        PageBlock::Heading(level, title) => {
            *out += &format!("{} {}\n\n", "#".repeat(usize::from(*level)), line(title));
        }
        PageBlock::Paragraph(words) => *out += &format!("{}\n\n", line(words)),
        PageBlock::List(lines) => {
            for words in lines {
                *out += &format!("- {}\n", line(words));
            }
            out.push('\n');
        }
        PageBlock::Facts(facts) => {
            for (name, words) in facts {
                *out += &format!("- **{name}**: {}\n", line(words));
            }
            out.push('\n');
        }
        PageBlock::Table(it) => table(it, out),
        PageBlock::Lines(lines) => *out += &fenced(lines),
        PageBlock::Bars(it) => *out += &fenced(&bars(it, usize::MAX)),
        PageBlock::Histogram(it) => *out += &fenced(&histogram(it)),
        PageBlock::Curves(it) => *out += &fenced(&it.rows(WIDTH)),
        PageBlock::Texts(_, excerpt) => *out += &fenced(&wrapped(&marked(excerpt))),
        PageBlock::Folded(title, blocks) => {
            *out += &format!("<details><summary>{}</summary>\n\n", text(title));
            for part in blocks {
                block(part, out);
            }
            *out += "</details>\n\n";
        }
    }
}

fn line(line: &PageLine) -> String {
    line.0
        .iter()
        .map(|span| match span {
            Span::Text(words) => text(words),
            Span::Strong(words) => format!("**{}**", text(words)),
            Span::Name(words) | Span::Quote(words) => code(words),
            Span::Link(words, anchor) => link(words, anchor),
        })
        .collect()
}

fn link(words: &str, anchor: &str) -> String {
    format!("[{}](#{anchor})", text(words))
}

/// Our own words, with every character escaped that Markdown could read as markup.
fn text(words: &str) -> String {
    let mut escaped = String::with_capacity(words.len());
    for c in visible(words).chars() {
        if r"\`*_[]<>|#~&$".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// A code span of these words, which may hold any characters.
fn code(words: &str) -> String {
    if words.trim().is_empty() {
        return "(nothing)".to_owned();
    }
    let words = &*visible(words);
    let fence = "`".repeat(longest_run(words) + 1);
    // A reader removes one space on each side.
    let is_padded = [words.chars().next(), words.chars().last()]
        .into_iter()
        .flatten()
        .any(|end| end == '`' || end == ' ');
    let pad = if is_padded { " " } else { "" };
    format!("{fence}{pad}{words}{pad}{fence}")
}

/// A fenced block of these lines, which may hold any characters.
fn fenced(lines: &[String]) -> String {
    let longest = lines.iter().map(|line| longest_run(line)).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let lines: Vec<_> = lines.iter().map(|line| visible(line)).collect();
    format!("{fence}text\n{}\n{fence}\n\n", lines.join("\n"))
}

/// The longest run of backticks.
fn longest_run(words: &str) -> usize {
    words.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

fn table(table: &PageTable, out: &mut String) {
    let n_numbers = table.columns.len() - table.n_words;
    let mut row = |cells: &mut dyn Iterator<Item = String>| {
        *out += &format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
    };
    row(&mut table.columns.iter().map(|title| text(title)));
    row(&mut (0..table.columns.len()).map(|at| if at < n_numbers { "--:" } else { "---" }.into()));
    for it in &table.rows {
        let cell = |(at, cell): (usize, &String)| {
            let cell = match &it.anchor {
                Some(anchor) if at == 0 => link(cell, anchor),
                _ => text(cell),
            };
            if it.is_marked && !cell.is_empty() { format!("**{cell}**") } else { cell }
        };
        row(&mut it.cells.iter().enumerate().map(cell));
    }
    *out += &format!("\n{}.\n\n", text(&table.caption));
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
    fn names_stay_names_with_any_characters() {
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
    fn long_lines_are_broken() {
        assert!(wrapped(&"word ".repeat(100)).iter().all(|line| line.len() <= WIDTH));
    }
}
