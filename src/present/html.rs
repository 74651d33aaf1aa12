//! A page as one HTML file with its style and pictures, without scripts and network access.
//!
//! All text goes through `escape`, also in attributes, and the page's own policy forbids it to load anything.
//! Names and texts are isolated, so that a text written from right to left does not reverse the text around it.

use super::page::{Histogram, Page, PageBlock, PageLine, PageTable, SpanKind};
use super::svg::{self, escape};
use crate::evaluate::distances::CountMethod;
use crate::explain::Excerpt;
use crate::explain::text_diff::ExcerptPart;
use crate::number::grouped;

const STYLE: &str = include_str!("../../assets/report.css");
/// Nothing is loaded, and only the style above is used.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The page as HTML.
pub fn write(page: &Page) -> String {
    let mut out = String::with_capacity(1 << 16);
    out += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    out += &format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n");
    out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    out += "<meta name=\"color-scheme\" content=\"light dark\">\n";
    out += &format!("<title>{}</title>\n<style>\n{STYLE}</style>\n", plain(&page.title));
    out += "</head>\n<body>\n<header>\n";
    out += &format!("<h1>{}</h1>\n", line(&page.title));
    for paragraph in &page.lead {
        out += &format!("<p class=\"lead\">{}</p>\n", line(paragraph));
    }
    out += "</header>\n<nav aria-label=\"Contents\">\n<ol>\n";
    for section in &page.sections {
        let (anchor, title) = (section.title.anchor(), line(&section.title));
        out += &format!("<li><a href=\"#{anchor}\">{title}</a></li>\n");
    }
    out += "</ol>\n</nav>\n<main>\n";
    for section in &page.sections {
        let (anchor, title) = (section.title.anchor(), line(&section.title));
        out +=
            &format!("<section aria-labelledby=\"{anchor}\">\n<h2 id=\"{anchor}\">{title}</h2>\n");
        section.blocks.iter().for_each(|part| block(part, &mut out));
        out += "</section>\n";
    }
    let made_by = format!("Made by simscope {}.", env!("CARGO_PKG_VERSION"));
    out + &format!("</main>\n<footer><p>{made_by}</p></footer>\n</body>\n</html>\n")
}

fn block(part: &PageBlock, out: &mut String) {
    match part {
        PageBlock::Heading(title) => {
            *out += &format!("<h3 id=\"{}\">{}</h3>\n", title.anchor(), line(title));
        }
        PageBlock::Paragraph(words) => *out += &format!("<p>{}</p>\n", line(words)),
        PageBlock::List(lines) => {
            *out += "<ul>\n";
            for words in lines {
                *out += &format!("<li>{}</li>\n", line(words));
            }
            *out += "</ul>\n";
        }
        PageBlock::Facts(facts) => {
            *out += "<dl>\n";
            for (name, words) in facts {
                *out += &format!("<dt>{}</dt><dd>{}</dd>\n", escape(name), line(words));
            }
            *out += "</dl>\n";
        }
        PageBlock::Table(it) => table(it, out),
        PageBlock::Lines(lines) => preformatted(lines, out),
        PageBlock::Histogram(it) => figure(it, out),
        PageBlock::Texts(names, excerpt) => texts(names, excerpt, out),
    }
}

fn preformatted(lines: &[String], out: &mut String) {
    let lines: Vec<String> = lines.iter().map(|line| escape(line)).collect();
    *out += &format!("<pre><code>{}</code></pre>\n", lines.join("\n"));
}

fn line(line: &PageLine) -> String {
    line.0
        .iter()
        .map(|(kind, words)| match kind {
            SpanKind::Text => escape(words),
            SpanKind::Strong => format!("<strong>{}</strong>", escape(words)),
            SpanKind::Name => format!("<code dir=\"auto\">{}</code>", name(words)),
            SpanKind::Quote => format!("<q dir=\"auto\">{}</q>", escape(words)),
            SpanKind::Link(anchor) => link(words, anchor),
        })
        .collect()
}

fn link(words: &str, anchor: &str) -> String {
    format!("<a href=\"#{}\">{}</a>", escape(anchor), escape(words))
}

/// A name, which may be empty.
fn name(words: &str) -> String {
    if words.trim().is_empty() { "(nothing)".to_owned() } else { escape(words) }
}

/// The words of a line without markup.
fn plain(line: &PageLine) -> String {
    line.0.iter().map(|(_, words)| escape(words)).collect()
}

/// A table that scrolls on its own if it is too wide, also with the keyboard.
fn table(table: &PageTable, out: &mut String) {
    let n_numbers = table.columns.len() - table.n_words;
    let caption = escape(&table.caption);
    *out += &format!(
        "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{caption}\">\n<table>\n<caption>{caption}</caption>\n<thead><tr>"
    );
    let class = |at: usize| if at < n_numbers { "" } else { " class=\"words\"" };
    for (at, title) in table.columns.iter().enumerate() {
        *out += &format!("<th scope=\"col\"{}>{}</th>", class(at), escape(title));
    }
    *out += "</tr></thead>\n<tbody>\n";
    for row in &table.rows {
        *out += if row.is_marked { "<tr class=\"marked\">" } else { "<tr>" };
        for (at, cell) in row.cells.iter().enumerate() {
            let words = match (at, &row.anchor) {
                (0, Some(anchor)) => link(cell, anchor),
                _ => escape(cell),
            };
            *out += &match at {
                0 => format!("<th scope=\"row\">{words}</th>"),
                at => format!("<td{}>{words}</td>", class(at)),
            };
        }
        *out += "</tr>\n";
    }
    *out += "</tbody>\n</table>\n</div>\n";
}

fn figure(it: &Histogram, out: &mut String) {
    *out +=
        "<figure>\n<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Histogram\">\n";
    *out += &svg::histogram(it);
    *out += &format!(
        "</div>\n<figcaption><span class=\"key near\"></span>within k = {} <span class=\"key far\"></span>beyond ",
        it.k
    );
    *out += "<span class=\"key chance\"></span>expected by chance";
    if it.bars.iter().any(|bar| bar.pairs.method == CountMethod::Sampled) {
        *out += " <span class=\"key whisker\"></span>95 % interval";
    }
    *out += "</figcaption>\n</figure>\n";
}

/// Two texts side by side, with a row for each stretch between the parts that are left out.
fn texts(names: &[String; 2], excerpt: &Excerpt, out: &mut String) {
    if excerpt.parts.is_empty() {
        return;
    }
    *out += "<table class=\"texts\">\n<thead><tr>";
    for side in names {
        *out += &format!("<th scope=\"col\"><bdi>{}</bdi></th>", name(side));
    }
    *out += "</tr></thead>\n<tbody>\n";
    let mut sides = [String::new(), String::new()];
    for part in &excerpt.parts {
        match part {
            ExcerptPart::Same(words) => sides.iter_mut().for_each(|side| *side += &escape(words)),
            ExcerptPart::Changed { left, right } => {
                sides[0] += &changed("del", left);
                sides[1] += &changed("ins", right);
            }
            ExcerptPart::Skipped(n) => {
                row(&mut sides, out);
                *out += &format!(
                    "<tr class=\"skipped\"><td colspan=\"2\">{} equal words and marks</td></tr>\n",
                    grouped(*n as u64)
                );
            }
        }
    }
    row(&mut sides, out);
    *out += "</tbody>\n</table>\n";
}

/// Writes the stretches so far as a row; writes nothing if there are none.
fn row(sides: &mut [String; 2], out: &mut String) {
    let [left, right] = std::mem::take(sides);
    if !left.is_empty() || !right.is_empty() {
        *out += &format!("<tr><td dir=\"auto\">{left}</td><td dir=\"auto\">{right}</td></tr>\n");
    }
}

/// Marks words that only one text has; the space before them is not marked.
fn changed(tag: &str, words: &str) -> String {
    let trimmed = words.trim_start();
    if trimmed.is_empty() {
        return String::new();
    }
    let space = if trimmed.len() < words.len() { " " } else { "" };
    format!("{space}<{tag}>{}</{tag}>", escape(trimmed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_document_is_never_markup() {
        let hostile = "</td><script>alert('x')</script>\" onload=\"y & z";
        let escaped = escape(hostile);
        assert!(!escaped.contains(['<', '>', '"', '\'']), "{escaped}");
        let words = PageLine::default().name(hostile).quote(hostile).strong(hostile).text(hostile);
        let page = Page { title: words.clone(), lead: vec![words], ..Page::default() };
        let html = write(&page);
        assert!(!html.contains("<script") && !html.contains("\" onload"), "{html}");
    }

    #[test]
    fn texts_are_in_two_columns() {
        let excerpt = Excerpt::new("back by nine, on Monday", "back by ten, on a Monday");
        let mut out = String::new();
        texts(&["a", "b"].map(String::from), &excerpt, &mut out);
        let rows = "<tr><td dir=\"auto\">back by <del>nine</del>, on Monday</td>\
                    <td dir=\"auto\">back by <ins>ten</ins>, on <ins>a</ins> Monday</td></tr>";
        assert!(out.contains(rows), "{out}");
    }
}
