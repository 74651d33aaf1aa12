//! The text of an HTML page without its markup.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Bytes at the beginning of a page in which it can name its character set, as browsers search them.
const DECLARING: usize = 1024;

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
/// `None` if it has no text, or if this build does not read HTML. A character set that is `named` beside the page
/// comes before the one that the page names.
#[cfg(feature = "html")]
pub(super) fn text(page: &[u8], named: Option<&str>) -> Option<String> {
    let page = scraper::Html::parse_document(&decoded(page, named));
    let mut text = PageText::default();
    let mut node = page.tree.root();
    // Down to the children, on to the next sibling, and up: pages can be nested deeper than a stack is.
    loop {
        let mut next = if text.open(node.value()) { node.first_child() } else { None };
        while next.is_none() {
            text.close(node.value());
            next = node.next_sibling();
            if next.is_none() {
                match node.parent() {
                    Some(parent) => node = parent,
                    None => return text.done(),
                }
            }
        }
        node = next?;
    }
}

#[cfg(not(feature = "html"))]
pub(super) fn text(page: &[u8], named: Option<&str>) -> Option<String> {
    let _ = decoded(page, named);
    None
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

/// A text of a page or an answer in UTF-8. Its byte order mark tells the character set, or that it is valid UTF-8 with
/// characters beyond ASCII; else the `named` one, the one that it names itself, or the one that its bytes suggest.
pub(super) fn decoded<'p>(page: &'p [u8], named: Option<&str>) -> Cow<'p, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(page) {
        return encoding.decode_without_bom_handling(&page[mark..]).0;
    }
    let utf8 = std::str::from_utf8(page).ok();
    let declared = named.and_then(|name| Encoding::for_label(name.as_bytes()));
    let declared = declared.or_else(|| declared_inside(page)).filter(|it| *it != UTF_8);
    match (utf8, declared) {
        (Some(text), None) => Cow::Borrowed(text),
        (Some(text), Some(_)) if !text.is_ascii() => Cow::Borrowed(text),
        (_, Some(encoding)) => encoding.decode_without_bom_handling(page).0,
        (None, None) => {
            let mut detector =
                chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
            detector.feed(page, true);
            detector.guess(None, chardetng::Utf8Detection::Allow).decode(page).0
        }
    }
}

/// The character set that a page names in its first bytes: `charset=..` of HTML, or `encoding=".."` of XML. A page
/// whose letters can be read there is not in UTF-16.
fn declared_inside(page: &[u8]) -> Option<&'static Encoding> {
    let head = page[..page.len().min(DECLARING)].to_ascii_lowercase();
    let after = |name: &str| {
        let at = memchr::memmem::find(&head, name.as_bytes())? + name.len();
        let value = head[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
        let value = value.strip_prefix(b"\"").or_else(|| value.strip_prefix(b"'")).unwrap_or(value);
        let is_of_label = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_:.+".contains(byte);
        let end = value.iter().position(|byte| !is_of_label(byte)).unwrap_or(value.len());
        Encoding::for_label(&value[..end])
    };
    let is_xml = head.starts_with(b"<?xml");
    let found = after("charset").or_else(|| if is_xml { after("encoding") } else { None });
    found.map(|it| if [UTF_16LE, UTF_16BE].contains(&it) { UTF_8 } else { it })
}
