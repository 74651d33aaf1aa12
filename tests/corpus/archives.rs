//! Archives, packed or not: their members are read as files in a folder are. Web crawls: a record a document.

use std::io::{Cursor, Write as _};

use proptest::prelude::*;
use simscope::corpus::{LoadOptions, load};
use simscope::progress::Progress;

use super::{Folder, failure, gzip, load_path, load_with, zstd};

const ROWS: &str = "{\"id\":\"a\",\"text\":\"the tide\"}\n{\"id\":\"b\",\"text\":\"the ebb\"}\n";

/// Members in the order of a folder, some of which a folder would pass over.
fn members() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        (".hidden/x.txt", b"not read".to_vec()),
        ("notes/one.txt", b"line one\nline two\n".to_vec()),
        ("notes/packed.txt.gz", gzip(b"unpacked twice")),
        ("notes/picture.png", b"\x89PNG\0\0".to_vec()),
        ("rows.jsonl", ROWS.into()),
        ("table.csv", b"id,text\nc,\"the, ebb\"\n".to_vec()),
    ]
}

pub(crate) fn tar(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, bytes) in members {
        let mut header = tar::Header::new_gnu();
        // The library refuses paths that lead out; files of others have them.
        let name = header.as_gnu_mut().unwrap();
        name.name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append(&header, bytes.as_slice()).unwrap();
    }
    builder.into_inner().unwrap()
}

pub(super) fn zip(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in members {
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(*path, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn members_are_read_as_files_in_a_folder_are() {
    let folder = Folder::new();
    let (tar, zip) = (tar(&members()), zip(&members()));
    for (name, bytes) in [
        ("a.tar", tar.clone()),
        ("a.tar.gz", gzip(&tar)),
        ("a.tar.zst", zstd(&tar)),
        ("a.tar.bz2", bzip2(&tar)),
        ("a.zip", zip),
    ] {
        // Every document is read again by its place in the temporary file.
        let found = load_path(&folder.write(name, bytes));
        let texts = ["line one\nline two\n", "unpacked twice", "the tide", "the ebb", "the, ebb"];
        assert_eq!(found.texts(), texts, "{name}");
        let one = format!("{name}/notes/one.txt");
        let packed = format!("{name}/notes/packed.txt.gz");
        assert_eq!(found.ids(), [&*one, &*packed, "a", "b", "c"], "{name}");
        let summary = found.corpus.summary();
        assert_eq!((summary.hidden, summary.binary), (1, 1), "{name}");
        assert!(found.corpus.diagnostics().is_empty(), "{:?}", found.corpus.diagnostics());
    }
    let glob = LoadOptions { glob: Some("*.jsonl".to_owned()), ..LoadOptions::default() };
    let found = load_with(&folder.path().join("a.zip"), &glob);
    assert_eq!((found.ids(), found.corpus.summary().unmatched), (vec!["a", "b"], 4));
    // A folder of archives, and what is packed without being an archive.
    folder.write("b/rows.jsonl.bz2", bzip2(ROWS.as_bytes()));
    folder.write("b/c.tar", tar);
    assert_eq!(load_path(&folder.path().join("b")).contents.len(), 7);
}

#[test]
fn xz_is_read_as_the_tool_writes_it() {
    // `printf 'the tide\n' | xz -9`, two streams.
    let stream: &[u8] = &[
        0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4, 0xe6, 0xd6, 0xb4, 0x46, 4, 0xc0, 0x0d, 9, 0x21, 1,
        0x1c, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    let folder = Folder::new();
    let cut = failure(&folder.write("cut.txt.xz", stream));
    assert!(cut.contains("cut.txt.xz: "), "{cut}");
    let Ok(packed) = std::process::Command::new("sh")
        .args(["-c", "printf 'the tide\\n' | xz -9; printf 'the ebb\\n' | xz"])
        .output()
    else {
        return;
    };
    if packed.stdout.is_empty() {
        eprintln!("skipped: there is no xz");
        return;
    }
    let found = load_path(&folder.write("two.txt.xz", packed.stdout));
    assert_eq!(found.texts(), ["the tide\nthe ebb\n"]);
}

#[test]
fn hostile_archives_write_nothing_and_say_what_is_wrong() {
    let folder = Folder::new();
    let out = [("../../out.txt", b"the tide".to_vec()), ("/etc/passwd", b"the ebb".to_vec())];
    for (name, bytes) in [("a.tar", tar(&out)), ("a.zip", zip(&out))] {
        let found = load_path(&folder.write(name, bytes));
        assert_eq!(found.ids(), [format!("{name}/out.txt"), format!("{name}/etc/passwd")]);
    }
    assert!(!folder.path().parent().unwrap().join("out.txt").exists());
    // A member whose checksum is wrong does not end the others.
    let mut bytes = zip(&[("a.txt", vec![b'x'; 999]), ("b.txt", b"the ebb".to_vec())]);
    let at = bytes.windows(4).position(|four| four == [b'P', b'K', 1, 2]).unwrap();
    bytes[at + 16] ^= 1;
    let path = folder.write("crc.zip", bytes);
    let found = load_path(&path);
    assert_eq!(found.texts(), ["the ebb"]);
    assert!(folder.messages(&found.corpus)[0].starts_with("DIR/crc.zip/a.txt: "));
    // Archives in archives, cut ones, and ones in pipes.
    let inner = [("inner.zip", zip(&out)), ("a.txt", b"the tide".to_vec())];
    let found = load_path(&folder.write("outer.zip", zip(&inner)));
    let said =
        "DIR/outer.zip/inner.zip: an archive in an archive, which is not read; unpack it first";
    assert_eq!(
        (folder.messages(&found.corpus), found.texts()),
        (vec![said.to_owned()], vec!["the tide"])
    );
    let packed = failure(&folder.write("a.zip.gz", gzip(&zip(&out))));
    assert!(
        packed.contains("a zip archive in a pipe or a packed file; give it as a file"),
        "{packed}"
    );
    // A method that is not read, here bzip2: the number stands before and after the member.
    let mut bytes = zip(&[("a.txt", b"the tide".to_vec()), ("b.txt", b"the ebb".to_vec())]);
    for (head, offset) in [([b'P', b'K', 3, 4], 8), ([b'P', b'K', 1, 2], 10)] {
        let at = bytes.windows(4).position(|four| four == head).unwrap();
        bytes[at + offset] = 12;
    }
    let found = load_path(&folder.write("method.zip", bytes));
    let said = "DIR/method.zip/a.txt: packed with Bzip2, which is not read in a zip archive";
    assert_eq!(found.texts(), ["the ebb"]);
    assert!(
        folder.messages(&found.corpus)[0].starts_with(said),
        "{:?}",
        folder.messages(&found.corpus)
    );
    let cut = failure(&folder.write("cut.zip", &zip(&members())[..200]));
    assert!(cut.contains("damaged: "), "{cut}");
}

#[test]
fn a_bomb_is_stopped_at_the_limit() {
    let folder = Folder::new();
    let zeros = vec![b'a'; 150 << 20];
    let path = folder.write("bomb.zip", zip(&[("one.jsonl", zeros)]));
    let options = LoadOptions::default();
    let input = [simscope::corpus::Input::Path(path)];
    let error = load(&input, &options, &Progress::new(), &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("unpacks to more than 200 times its size"), "{error}");
}

const WET: &str = "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Type: application/warc-fields\r\nContent-Length: 4\r\n\r\na: b\r\n\r\n\
WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://tide.example/\r\nContent-Type: text/plain\r\nContent-Length: 8\r\n\r\nthe tide\r\n\r\n\
WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://ebb.example/\r\nContent-Type: text/plain\r\nContent-Length: 7\r\n\r\nthe ebb\r\n\r\n";

/// Each record is packed for itself, as crawls are.
#[test]
fn the_texts_of_a_crawl_are_documents_by_address() {
    let folder = Folder::new();
    let parts = WET.split_inclusive("\r\n\r\nWARC").collect::<Vec<_>>();
    let packed: Vec<u8> = parts.iter().flat_map(|part| gzip(part.as_bytes())).collect();
    for (name, bytes) in [("a.warc.wet", WET.as_bytes().to_vec()), ("a.warc.wet.gz", packed)] {
        let found = load_path(&folder.write(name, bytes));
        assert_eq!(found.ids(), ["http://tide.example/", "http://ebb.example/"], "{name}");
        assert_eq!(found.texts(), ["the tide", "the ebb"], "{name}");
        let remarks: Vec<_> = found.corpus.remarks().iter().map(ToString::to_string).collect();
        assert!(
            remarks[0].contains("records without text were skipped: 1 warcinfo"),
            "{remarks:?}"
        );
    }
    let cut = load_path(&folder.write("cut.warc", &WET[..WET.len() - 8]));
    assert_eq!(cut.texts()[0], "the tide");
    assert!(folder.messages(&cut.corpus)[0].contains("it ends in the middle of a record"));
}

#[test]
fn answers_of_servers_are_text_or_counted() {
    let answer = |address: &str, content: &str, body: &str| {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: {content}\r\n\r\n{body}");
        format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: <{address}>\r\nContent-Type: application/http; \
             msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    };
    let page = "<!doctype html><title>Tide</title><script>let x = 1</script><p>the <b>tide</b></p>";
    let crawl = answer("http://a/", "text/plain; charset=utf-8", "the ebb")
        + &answer("http://b/", "text/html", page)
        + &answer("http://c/", "image/png", "\u{1}\u{2}");
    let folder = Folder::new();
    let found = load_path(&folder.write("a.warc", crawl));
    let remark = found.corpus.remarks()[0].to_string();
    if cfg!(feature = "html") {
        assert_eq!(found.texts(), ["the ebb", "the tide"]);
        assert!(remark.contains("1 image/png"), "{remark}");
    } else {
        assert_eq!(found.texts(), ["the ebb"]);
        assert!(remark.contains("1 image/png, 1 text/html"), "{remark}");
    }
    let page = load_path(&folder.write("page.html", page));
    if cfg!(feature = "html") {
        assert_eq!(page.texts(), ["the tide"]);
    } else {
        assert!(page.texts()[0].contains("<b>tide</b>"));
        assert!(
            page.corpus.remarks()[0].to_string().contains("an HTML page, read with its markup")
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn damage_of_any_kind_is_survived(
        kind in 0..4_usize,
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        end in prop_oneof![3 => Just(0_usize), 1 => 1..400_usize],
    ) {
        let folder = Folder::new();
        let mut bytes = match kind {
            0 => tar(&members()),
            1 => zip(&members()),
            2 => WET.as_bytes().to_vec(),
            _ => bzip2(&tar(&members())),
        };
        for (at, byte) in &cuts {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        }
        bytes.truncate(bytes.len() - end.min(bytes.len() - 1));
        let path = folder.write("damaged", bytes);
        let input = [simscope::corpus::Input::Path(path)];
        let _ = load(&input, &LoadOptions::default(), &Progress::new(), &mut |_| {});
    }
}

/// Answers as servers send them: in chunks, as gzip, in both; and as crawlers leave them, with these headers alone.
#[test]
fn answers_in_chunks_and_as_gzip_are_read() {
    let folder = Folder::new();
    let chunked = |bytes: &[u8]| {
        let (one, other) = bytes.split_at(bytes.len() / 2);
        let chunk =
            |part: &[u8]| [format!("{:x}\r\n", part.len()).as_bytes(), part, b"\r\n"].concat();
        [chunk(one), chunk(other), b"0\r\n\r\n".to_vec()].concat()
    };
    let (gz, chunks) = ("Content-Encoding: gzip\r\n", "Transfer-Encoding: chunked\r\n");
    let text = "the tide came in and out";
    let answers: [(String, Vec<u8>); 7] = [
        (gz.into(), gzip(text.as_bytes())),
        (chunks.into(), chunked(text.as_bytes())),
        (format!("{gz}{chunks}"), chunked(&gzip(text.as_bytes()))),
        (format!("{gz}{chunks}"), text.into()),
        ("Content-Encoding: br\r\n".into(), b"\x1b\x00".to_vec()),
        (gz.into(), gzip(text.as_bytes())[..20].to_vec()),
        (chunks.into(), chunked(text.as_bytes())[..9].to_vec()),
    ];
    let mut crawl = Vec::new();
    for (n, (headers, body)) in answers.iter().enumerate() {
        let http = [
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n{headers}\r\n").as_bytes(),
            body,
        ]
        .concat();
        crawl.extend_from_slice(
            format!(
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://tide.example/{n}\r\n\
                 Content-Type: application/http\r\nContent-Length: {}\r\n\r\n",
                http.len()
            )
            .as_bytes(),
        );
        crawl.extend_from_slice(&http);
        crawl.extend_from_slice(b"\r\n\r\n");
    }
    let found = load_path(&folder.write("a.warc", crawl));
    assert_eq!(found.texts(), [text; 4]);
    let messages = folder.messages(&found.corpus);
    let damaged = "damaged: an answer of text/plain, so it is left out";
    for (n, problem) in [
        (4, "text/plain packed with br, which is not read, so it is left out"),
        (5, damaged),
        (6, damaged),
    ] {
        let said = format!("DIR/a.warc/http://tide.example/{n}: {problem}");
        assert!(messages.contains(&said), "{said} {messages:?}");
    }
    assert_eq!(messages.len(), 3, "{messages:?}");
}

/// A damaged record is named, and the records behind it are read, also where each is packed for itself.
#[test]
fn records_behind_a_damaged_one_are_read() {
    let folder = Folder::new();
    let texts =
        ["the tide ".repeat(40), "came in ".repeat(40), "at noon".repeat(40), "low".to_owned()];
    let records: Vec<Vec<u8>> = texts.iter().map(|text| crawl(&[("", text.as_bytes())])).collect();
    let mut packed: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
    let middle = packed[1].len() / 2;
    packed[1][middle..middle + 4].fill(0xff);
    let without_length =
        String::from_utf8(records[1].clone()).unwrap().replace("Content-Length", "Length");
    let shorter = String::from_utf8(records[1].clone()).unwrap();
    let length = records[1].windows(16).position(|it| it == b"Content-Length: ").unwrap() + 16;
    let shorter = [&shorter[..length], "90", &shorter[length + 3..]].concat();
    let with = |second: &[u8]| [&records[0], second, &records[2], &records[3]].concat();
    for (name, bytes, n_whole) in [
        ("packed.warc.gz", packed.concat(), 3),
        ("length.warc", with(without_length.as_bytes()), 3),
        ("junk.warc", with(b"junk that is no record\r\n\r\n"), 3),
        // A part of its text is a document, and that is told.
        ("short.warc", with(shorter.as_bytes()), 4),
    ] {
        let found = load_path(&folder.write(name, bytes));
        let messages = folder.messages(&found.corpus);
        assert_eq!(found.texts().len(), n_whole, "{name}: {messages:?}");
        assert_eq!(found.texts()[n_whole - 2..], texts[2..], "{name}");
        assert_eq!(messages.len(), 1, "{name}: {messages:?}");
        assert!(messages[0].contains("damaged"), "{name}: {messages:?}");
    }
    // The half of a record at the end of a file that was cut is no document.
    let whole = with(&records[1]);
    let found = load_path(&folder.write("cut.warc", &whole[..whole.len() - 6]));
    assert_eq!(found.texts(), texts[..3]);
    let messages = folder.messages(&found.corpus);
    assert!(messages[0].contains("it ends in the middle of a record"), "{messages:?}");
}

/// Pages by their names or first bytes, in the character sets that they name, without what a browser does not show.
#[cfg(feature = "html")]
#[test]
fn pages_are_read_as_a_browser_shows_them() {
    let folder = Folder::new();
    let shown = "The tide\ncame in at noon\nn+1 x2 old";
    let body = "<style>p{}</style><h1>The  tide</h1><p>came in <b>at</b>\nnoon<script>let x</script>\
                <table><tr><td>n<sup>+1</sup> x<sup>2</sup> <del>old</del></td></tr></table><p hidden>never";
    for begin in [
        "<!doctype html><title>T</title>",
        "<?xml version=\"1.0\"?>\n<!-- a comment --><html><body>",
        "<head><title>T</title></head>",
        "<body>",
        "<div>",
        "",
    ] {
        let path = folder.write("page.html", format!("{begin}{body}"));
        assert_eq!(load_path(&path).texts(), [shown], "{begin}");
    }
    // Without a name, by the first bytes.
    let page = folder.write("page", format!("<!-- saved --><!DOCTYPE html>{body}"));
    assert_eq!(load_path(&page).texts(), [shown]);
    // As deep as browsers nest.
    let deep = format!("{}low{}", "<blockquote>".repeat(500), "</blockquote>".repeat(500));
    assert_eq!(load_path(&folder.write("deep.html", deep)).texts(), ["low"]);
    let text = "Zażółć gęślą jaźń";
    for (name, head) in [
        ("iso-8859-2", "<meta charset='iso-8859-2'>"),
        (
            "windows-1250",
            "<meta http-equiv=Content-Type content=\"text/html; charset=windows-1250\">",
        ),
        ("iso-8859-2", "<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?><html>"),
        // A page that is UTF-8 is that, whatever it says.
        ("utf-8", "<meta charset=latin1>"),
    ] {
        let encoding = encoding_rs::Encoding::for_label(name.as_bytes()).unwrap();
        let bytes = [head.as_bytes(), b"<p>", &encoding.encode(text).0].concat();
        assert_eq!(load_path(&folder.write("page.html", bytes)).texts(), [text], "{head}");
    }
    let japanese = "潮が満ちる";
    let bytes = encoding_rs::ISO_2022_JP.encode(japanese).0;
    let answer =
        [b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=iso-2022-jp\r\n\r\n<p>", &*bytes]
            .concat();
    let record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n",
        answer.len()
    );
    let record = [record.as_bytes(), &answer, b"\r\n\r\n"].concat();
    assert_eq!(load_path(&folder.write("a.warc", record)).texts(), [japanese]);
}

/// A member that says that it unpacks to too much is left out, and those behind it are read. An office document is no
/// archive of texts.
#[test]
fn a_large_member_leaves_the_others() {
    let folder = Folder::new();
    let large = vec![b' '; 150 << 20];
    let members =
        [("a.txt", b"the tide".to_vec()), ("b.txt", large), ("c.txt", b"the ebb".to_vec())];
    let found = load_path(&folder.write("a.zip", zip(&members)));
    assert_eq!(found.texts(), ["the tide", "the ebb"]);
    let messages = folder.messages(&found.corpus);
    assert_eq!(messages.len(), 1, "{messages:?}");
    let said = "DIR/a.zip/b.txt: unpacks to more than 200 times its size, so it is left out; if that is right";
    assert!(messages[0].starts_with(said), "{messages:?}");
    // The library that reads zip archives passes over the first of two members of a name, so that is told.
    let mut twice = zip(&[("a.txt", b"the tide".to_vec()), ("b.txt", b"the ebb".to_vec())]);
    for at in 0..twice.len() - 5 {
        if &twice[at..at + 5] == b"a.txt" {
            twice[at] = b'b';
        }
    }
    let found = load_path(&folder.write("twice.zip", twice));
    let said = "DIR/twice.zip: 1 member before another of the same name, not read; give each a name of its own";
    let messages = folder.messages(&found.corpus);
    assert_eq!((found.texts(), messages), (vec!["the ebb"], vec![said.to_owned()]));
    let office =
        [("[Content_Types].xml", b"<Types/>".to_vec()), ("word/document.xml", b"<w/>".to_vec())];
    let refused = failure(&folder.write("a.docx", zip(&office)));
    assert!(
        refused.contains("an office document, not an archive of texts; save it as text"),
        "{refused}"
    );
}

/// A crawl of answers with these headers and bodies.
pub(super) fn crawl(answers: &[(&str, &[u8])]) -> Vec<u8> {
    let mut crawl = Vec::new();
    for (n, (headers, body)) in answers.iter().enumerate() {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n{headers}\r\n");
        let record = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://tide.example/{n}\r\n\
             Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{head}",
            head.len() + body.len()
        );
        crawl.extend([record.as_bytes(), body, b"\r\n\r\n"].concat());
    }
    crawl
}

/// Crawlers join the chunks of an answer and leave the header that speaks of them.
#[test]
fn joined_content_that_begins_like_a_chunk_stays() {
    let folder = Folder::new();
    let chunks = "Transfer-Encoding: chunked\r\n";
    let texts = ["0\nzero is the first", "add\nto the soup", "0\r\nzero is the first"];
    let answers = texts.map(|text| (chunks, text.as_bytes()));
    let found = load_path(&folder.write("a.warc", crawl(&answers)));
    assert_eq!(found.texts(), texts);
    // An answer of no chunks is empty.
    let found = load_path(&folder.write("b.warc", crawl(&[(chunks, b"0\r\n\r\n")])));
    assert_eq!(found.texts(), [""]);
}

#[test]
fn a_page_above_the_limit_of_pages_is_named() {
    let folder = Folder::new();
    let long = "the tide came in ".repeat(1_100_000);
    let chunked = [format!("{:x}\r\n{long}\r\n", long.len()).as_bytes(), b"0\r\n\r\n"].concat();
    let answers: [(&str, &[u8]); 4] = [
        ("", long.as_bytes()),
        ("Content-Encoding: gzip\r\n", &gzip(long.as_bytes())),
        ("Transfer-Encoding: chunked\r\n", &chunked),
        ("", b"the ebb"),
    ];
    let found = load_path(&folder.write("a.warc", crawl(&answers)));
    assert_eq!((found.texts(), found.corpus.remarks().len()), (vec!["the ebb"], 0));
    let said = |n: usize| {
        format!(
            "DIR/a.warc/http://tide.example/{n}: an answer above 16 MiB, the limit of a page, so it is left out"
        )
    };
    assert_eq!(folder.messages(&found.corpus), [said(0), said(1), said(2)]);
}
