//! The text of an HTML page without its markup.

use std::borrow::Cow;

/// Columns of the text, so wide that a paragraph stays on one line.
#[cfg(feature = "html")]
const WIDTH: usize = 10_000;

/// Whether these bytes begin an HTML page.
pub(super) fn is_page(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    let begins = |with: &str| {
        head.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with.as_bytes()))
    };
    begins("<!doctype html") || begins("<html")
}

/// The text of a page as a browser would show it, without scripts and styles; `None` if it has no text, or if
/// this build does not read HTML.
#[cfg(feature = "html")]
pub(super) fn text(page: &[u8]) -> Option<String> {
    let page = decoded(page);
    let text =
        html2text::config::plain_no_decorate().string_from_read(page.as_bytes(), WIDTH).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

#[cfg(not(feature = "html"))]
pub(super) fn text(page: &[u8]) -> Option<String> {
    let _ = decoded(page);
    None
}

/// A page in UTF-8. If its bytes are not UTF-8, the character set is detected.
fn decoded(page: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(page) {
        return Cow::Borrowed(text);
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(page, true);
    detector.guess(None, chardetng::Utf8Detection::Allow).decode(page).0
}
