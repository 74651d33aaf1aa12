//! The text of an HTML page without its markup.

#[cfg(feature = "html")]
use super::page_charset::marked;
use super::page_charset::page_to_utf8;
use crate::progress::Progress;

/// Whether a file of this name that begins with these bytes is an HTML page.
pub(super) fn is_page(name: &str, head: &[u8]) -> bool {
    if matches!(super::sniff::extension(name).as_str(), "html" | "htm" | "xhtml") {
        return true;
    }
    let head = after_prologue(head);
    ["!doctype html", "html"].iter().any(|tag| {
        let begin = head.strip_prefix(b"<").and_then(|head| head.get(..tag.len()));
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(tag.as_bytes()))
    })
}

/// The bytes behind a byte order mark, a declaration of XML and comments.
fn after_prologue(head: &[u8]) -> &[u8] {
    let mut rest = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = match rest {
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'?', ..] => b"?>",
            _ => return rest,
        };
        let Some(at) = memchr::memmem::find(rest, end) else { return rest };
        rest = &rest[at + end.len()..];
    }
}

/// The text of a page as a browser would show it: a line for each block, without scripts, styles and hidden parts;
/// `None` if it has no text, or if this build does not read HTML. It is UTF-8, with a byte that is none for each
/// invalid character. A character set that is `named` beside the page comes before the one that the page names.
///
/// # Errors
/// The problem of a page that would take too much time and memory.
#[cfg(feature = "html")]
pub(super) fn text(
    page: &[u8],
    named: Option<&str>,
    progress: &Progress,
) -> Result<Option<Vec<u8>>, &'static str> {
    let (page, is_lossy) = page_to_utf8(page, named);
    let Some(page) = super::html_tree::parsed(&page, progress)? else { return Ok(None) };
    let mut text = PageText::default();
    let mut node = page.tree.root();
    // Down to the children, on to the next sibling, and up.
    loop {
        let mut next = if text.open(node.value()) { node.first_child() } else { None };
        while next.is_none() {
            text.close(node.value());
            next = node.next_sibling();
            if next.is_none() {
                match node.parent() {
                    Some(parent) => node = parent,
                    None => return Ok(text.done().map(|text| marked(&text, is_lossy))),
                }
            }
        }
        let Some(next) = next else { return Ok(None) };
        node = next;
    }
}

#[cfg(not(feature = "html"))]
#[expect(clippy::unnecessary_wraps, reason = "a build that reads HTML refuses some pages")]
pub(super) fn text(
    page: &[u8],
    named: Option<&str>,
    _: &Progress,
) -> Result<Option<Vec<u8>>, &'static str> {
    let _ = page_to_utf8(page, named);
    Ok(None)
}

/// The text so far.
#[cfg(feature = "html")]
#[derive(Default)]
struct PageText {
    text: String,
    /// The number of elements around that keep their white space.
    n_preformatted: usize,
}

#[cfg(feature = "html")]
impl PageText {
    /// Takes a node; whether its children belong to the text.
    fn open(&mut self, node: &scraper::Node) -> bool {
        match node {
            scraper::Node::Text(text) if self.n_preformatted > 0 => self.text.push_str(text),
            scraper::Node::Text(text) => self.words(text),
            scraper::Node::Element(element) => {
                let name = element.name();
                if is_unseen(name) || element.attr("hidden").is_some() {
                    return false;
                }
                if name == "br" || is_block(name) {
                    self.end_line();
                }
                self.n_preformatted += usize::from(is_preformatted(name));
            }
            _ => {}
        }
        true
    }

    /// Ends a node, also one that was not opened.
    fn close(&mut self, node: &scraper::Node) {
        if let scraper::Node::Element(element) = node {
            if is_block(element.name()) {
                self.end_line();
            }
            if is_preformatted(element.name()) && element.attr("hidden").is_none() {
                self.n_preformatted -= 1;
            }
        }
    }

    /// Adds text whose white space is one blank.
    fn words(&mut self, text: &str) {
        for char in text.chars() {
            if !char.is_ascii_whitespace() {
                self.text.push(char);
            } else if !self.text.ends_with([' ', '\n']) && !self.text.is_empty() {
                self.text.push(' ');
            }
        }
    }

    fn end_line(&mut self) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
        if !self.text.ends_with('\n') && !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    fn done(self) -> Option<String> {
        Some(self.text.trim().to_owned()).filter(|text| !text.is_empty())
    }
}

/// Whether a browser shows nothing of an element.
#[cfg(feature = "html")]
fn is_unseen(name: &str) -> bool {
    matches!(
        name,
        "audio"
            | "canvas"
            | "datalist"
            | "head"
            | "iframe"
            | "noframes"
            | "noscript"
            | "object"
            | "script"
            | "style"
            | "template"
            | "title"
            | "video"
    )
}

#[cfg(feature = "html")]
fn is_preformatted(name: &str) -> bool {
    matches!(name, "pre" | "listing" | "textarea" | "xmp")
}

/// Whether an element has lines of its own. The cells of a table are among them, so that no text is laid out.
#[cfg(feature = "html")]
fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "body"
            | "caption"
            | "center"
            | "dd"
            | "details"
            | "dialog"
            | "dir"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hgroup"
            | "hr"
            | "legend"
            | "li"
            | "listing"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "option"
            | "p"
            | "pre"
            | "search"
            | "section"
            | "summary"
            | "table"
            | "tbody"
            | "td"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
            | "ul"
            | "xmp"
    )
}
