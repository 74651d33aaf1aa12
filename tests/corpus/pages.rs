//! HTML pages: their character sets, and pages that would take too much time and memory.

use std::time::{Duration, Instant};

use simscope::corpus::{InputFormat, LoadOptions, TextEncoding};
use simscope::id::DocId;

use super::{Folder, Loaded, failure, load_path, load_with, rows, utf16};

fn with(encoding: TextEncoding) -> LoadOptions {
    LoadOptions { encoding, ..LoadOptions::default() }
}

/// The text of a page, and whether it counts as one with invalid characters.
fn only(found: &Loaded) -> (&str, bool) {
    assert_eq!(found.texts().len(), 1);
    (found.texts()[0], found.corpus.flags(DocId(0)).is_lossy())
}

/// A crawl of one answer.
fn answer(content: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {content}\r\n\r\n");
    let http = [head.as_bytes(), body].concat();
    let record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\nContent-Type: application/http\r\n\
         Content-Length: {}\r\n\r\n",
        http.len()
    );
    [record.as_bytes(), &http, b"\r\n\r\n"].concat()
}

/// One broken byte makes no other character wrong, and the page is counted.
#[test]
fn a_page_that_says_utf8_is_utf8_in_spite_of_a_broken_byte() {
    let folder = Folder::new();
    let body = b"<p>f\xc3\xbcr das Geb\xc3\xa4ude \xc5 und \xe2\x80\x9eso\xe2\x80\x9c";
    let shown = ("für das Gebäude \u{fffd} und „so“", true);
    let page = [b"<meta charset=utf-8>".as_slice(), body].concat();
    assert_eq!(only(&load_path(&folder.write("a.html", &page))), shown);
    let auto = load_with(&folder.write("a.html", &page), &with(TextEncoding::Auto));
    assert_eq!(only(&auto), shown);
    for content in ["text/html; charset=utf-8", "text/plain; charset=UTF-8"] {
        let body = if content.contains("html") { body } else { &body[3..] };
        let found = load_path(&folder.write("a.warc", answer(content, body)));
        assert_eq!((only(&found), found.corpus.summary().lossy), (shown, 1), "{content}");
    }
    // A U+FFFD that the page itself has is a character as any other.
    let page = "<meta charset=utf-8><p>für \u{fffd}";
    assert_eq!(only(&load_path(&folder.write("a.html", page))), ("für \u{fffd}", false));
}

/// A page is decoded once: not again as it says itself.
#[test]
fn a_page_in_a_named_character_set_ignores_its_own() {
    let folder = Folder::new();
    let text = "<meta charset=windows-1252><p>ebb \u{4e2d} ";
    let big5 = [&*encoding_rs::BIG5.encode(text).0, b"\xff!"].concat();
    let shown = ("ebb \u{4e2d} \u{fffd}!", true);
    let found = load_with(&folder.write("a.html", big5), &with(TextEncoding::Label("big5")));
    assert_eq!(only(&found), shown);
    let half = [utf16(text, true), b"\x00\xd8!\0".to_vec()].concat();
    assert_eq!(only(&load_path(&folder.write("b.html", half))), shown);
    let marked = [b"\xef\xbb\xbf", text.as_bytes(), b"\xff!"].concat();
    assert_eq!(only(&load_path(&folder.write("c.html", marked))), shown);
}

/// A page's own word counts more than a guess.
#[test]
fn a_page_names_its_character_set_under_auto() {
    let folder = Folder::new();
    for (name, text) in [
        ("koi8-r", "прилив"),
        ("iso-8859-7", "παλίρροια"),
        ("iso-8859-15", "marée à 5 €"),
        ("windows-1252", "marée"),
    ] {
        let encoding = encoding_rs::Encoding::for_label(name.as_bytes()).unwrap();
        let page = format!("<meta charset={name}><p>{text}");
        let path = folder.write("a.html", encoding.encode(&page).0);
        assert_eq!(only(&load_with(&path, &with(TextEncoding::Auto))), (text, false), "{name}");
    }
    // A page that is read with its markup is a text as any other.
    let options = LoadOptions { format: InputFormat::Text, ..with(TextEncoding::Auto) };
    let found = load_with(&folder.write("a.html", b"<p>caf\xe9 au lait"), &options);
    assert_eq!(only(&found), ("<p>café au lait", false));
}

/// A page names its character set in a tag for it, and a plain text does not.
#[test]
fn a_character_set_is_named_in_meta_alone() {
    let folder = Folder::new();
    let latin2 = |text: &str| encoding_rs::ISO_8859_2.encode(text).0.into_owned();
    let text = "Zażółć gęślą";
    for head in [
        "<link charset=utf-8 href=a><meta charset=iso-8859-2>",
        "<form accept-charset=utf-8><meta charset=iso-8859-2>",
        "<!-- <meta charset=utf-8> --><meta charset=iso-8859-2>",
        "<meta name=charset content=x><meta charset=iso-8859-2>",
        "<meta name=my-charset content=\"text/html; charset = 'iso-8859-2'\">",
        "<meta charset=unknown-set><meta charset=iso-8859-2>",
    ] {
        let page = latin2(&format!("{head}<p>{text}"));
        assert_eq!(only(&load_path(&folder.write("a.html", page))), (text, false), "{head}");
    }
    // Browsers show nothing of a page in this character set.
    let page = "<meta charset=iso-2022-kr><p>the tide";
    assert_eq!(only(&load_path(&folder.write("a.html", page))), ("the tide", false));
    let found =
        load_path(&folder.write("a.warc", answer("text/html; charset=hz-gb-2312", b"<p>ebb")));
    assert_eq!(only(&found), ("ebb", false));
    let plain = "write <meta charset=utf-16be> or <meta charset=iso-2022-jp>: \u{1b}$B";
    let found = load_path(&folder.write("b.warc", answer("text/plain", plain.as_bytes())));
    assert_eq!(only(&found), (plain, false));
}

/// Pages that would take minutes and gigabytes are named, soon.
#[test]
fn a_page_with_too_many_open_elements_is_named() {
    let folder = Folder::new();
    let numbered = |count| rows(count, |n| format!("<b i={n}>"));
    let attributes = rows(20_000, |n| format!(" a{n}"));
    for (name, page) in [
        ("div", "<div>".repeat(80_000)),
        ("closed", format!("{}low{}", "<i><div>".repeat(50_000), "</div></i>".repeat(50_000))),
        ("bold", numbered(2000) + &"<p>x".repeat(2000)),
        ("mixed", format!("<p>{}{}", numbered(400), "<p>x".repeat(2_000_000))),
        ("attributes", format!("<p><b{attributes}>{}", "<p>x".repeat(200_000))),
        ("tables", "<table><td>".repeat(40_000)),
    ] {
        eprintln!("{name}");
        let begin = Instant::now();
        let message = failure(&folder.write("a.html", page));
        let why = match name {
            "mixed" | "attributes" => "that opens its unclosed elements again too often",
            _ => "with too many elements open at a time",
        };
        let said = format!("a.html: a page {why}; give its text");
        assert!(message.ends_with(&said), "{name}: {message}");
        assert!(begin.elapsed() < Duration::from_secs(10), "{name}: {:?}", begin.elapsed());
    }
    let crawl = [answer("text/html", "<div>".repeat(5000).as_bytes()), answer("text/html", b"low")];
    let found = load_path(&folder.write("a.warc", crawl.concat()));
    let said =
        "DIR/a.warc/http://a/: a page with too many elements open at a time, so it is left out";
    assert_eq!((found.texts(), folder.messages(&found.corpus)), (vec!["low"], vec![said.into()]));
}

/// Large pages are read, also those that leave as much open as writers do.
#[test]
fn large_pages_are_read() {
    let folder = Folder::new();
    let cells = "<tr><td class=a id=b>1<td><b>2</b>".repeat(100_000);
    let lines = format!("<font size=2><b><i><center>{}", "<p>x<br>y".repeat(60_000));
    let nested = format!("{}low{}", "<blockquote>".repeat(500), "</blockquote>".repeat(500));
    for page in [format!("<table>{cells}</table>"), lines, nested, "<p>x".repeat(1_000_000)] {
        let found = load_path(&folder.write("a.html", page));
        assert_eq!(found.texts().len(), 1, "{:?}", found.corpus.diagnostics());
    }
}
