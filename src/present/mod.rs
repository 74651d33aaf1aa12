//! Explanations in words and figures: composed once, then rendered for a screen, a terminal or a file.
//!
//! ```text
//! facts -> pair, document      -> page (sections of blocks) -> lines     a pane, a command's text
//!          a report's sections -^                            -> html      + svg
//! ```
//!
//! Each fact has one wording, wherever it is shown. Nothing here reads a file or knows a terminal. Rows for
//! programs are made from the same facts, but not here.

pub mod document;
pub mod html;
pub mod lines;
pub mod page;
pub mod pair;
pub mod planned;
pub mod settings;
mod svg;
pub mod wrap;

#[cfg(test)]
mod tests {
    use super::html;
    use super::lines::{rows, text};
    use super::page::{Page, PageBlock, PageLine, Section};

    /// One explanation has the same content in all three renderings, and no rendering treats text of a document
    /// as markup.
    #[test]
    fn one_explanation_has_three_renderings() {
        let hostile = "\u{1b}[2J<script>`|";
        let mut section = Section::new("leaving out one sentence");
        section.say(PageLine::from("the name is ").name(hostile));
        section.fact("d = 3", PageLine::from("without ").quote(hostile).text(" it is near"));
        section.blocks.push(PageBlock::Lines(vec!["xor ..▲.".to_owned()]));
        section.more(1012, 12);
        let page = Page { sections: vec![section.clone()], ..Page::default() };
        let pane: String =
            rows(&[section.clone()], 60).into_iter().map(|row| row.text + "\n").collect();
        let printed = text(&[section]);
        let html = html::write(&page);
        for rendered in [&pane, &printed, &html] {
            for expected in ["leaving out one sentence", "d = 3", "it is near", "1,000 more"] {
                assert!(rendered.contains(expected), "{expected} is not in\n{rendered}");
            }
        }
        assert!(pane.contains("xor ..▲.") && !pane.contains('\u{1b}'), "{pane}");
        assert!(printed.contains("xor ..▲.") && !printed.contains('\u{1b}'), "{printed}");
        assert!(!html.contains("<script"), "{html}");
    }
}
