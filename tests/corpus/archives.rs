//! Archives, packed or not: their members are read as files in a folder are. Web crawls: a record a document.

use std::io::{Cursor, Write as _};

use proptest::prelude::*;
use simscope::corpus::{CopyFormat, InputLimits, LoadOptions, load};
use simscope::id::DocId;
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

/// A record of text with this number in its address.
pub(super) fn record(n: usize, text: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://tide.example/{n}\r\n\
         Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n{text}\r\n\r\n",
        text.len()
    )
}

/// Also where only a part that is no name tells them apart. The number leaves the extension as it is.
#[test]
fn members_of_one_name_have_ids_and_files_of_their_own() {
    let folder = Folder::new();
    let names = ["a.txt", "a.txt", "./a.txt", "../a.txt", "/a.txt"];
    let mut members: Vec<_> = names.iter().map(|name| (*name, name.as_bytes().to_vec())).collect();
    members.extend([("t.csv", b"text\nebb\n".to_vec()), ("t.csv", b"text\ntide\n".to_vec())]);
    let own =
        ["a.txt", "a (2).txt", "a (3).txt", "a (4).txt", "a (5).txt", "t.csv:2", "t (2).csv:2"];
    let bytes = tar(&members);
    for (archive, bytes) in [("a.tar", bytes.clone()), ("a.tgz", gzip(&bytes))] {
        let found = load_path(&folder.write(archive, bytes));
        assert_eq!(found.ids(), own.map(|it| format!("{archive}/{it}")));
        assert_eq!(&found.texts()[..5], names);
        let files = (0..7).map(|at| found.corpus.address(DocId(at)).file);
        assert_eq!(files.collect::<std::collections::HashSet<_>>().len(), 7);
    }
}

/// A copy would run the texts together; rows of members stay rows.
#[test]
fn texts_that_are_whole_members_are_copied_as_a_list() {
    let folder = Folder::new();
    let texts = [("a.txt", b"the tide\n".to_vec()), ("b.txt", b"the ebb".to_vec())];
    let rows = [("a.jsonl", ROWS.into()), ("b.jsonl", ROWS.into())];
    for (name, bytes, is_list) in [
        ("a.tar", tar(&texts), true),
        ("a.tgz", gzip(&tar(&texts)), true),
        ("a.zip", zip(&texts), true),
        ("a.warc.wet", WET.into(), true),
        ("latin.txt", b"caf\xe9 au lait \xe0 la mer".to_vec(), true),
        ("rows.tar", tar(&rows), false),
        ("rows.zip", zip(&rows), false),
    ] {
        let found = load_path(&folder.write(name, bytes));
        let format = if is_list { CopyFormat::List } else { CopyFormat::Jsonl };
        assert_eq!(found.corpus.copy_format(), format, "{name}");
    }
    let (found, mut copy) = (load_path(&folder.path().join("a.zip")), Vec::new());
    let (limits, progress) = (InputLimits::default(), Progress::new());
    found.corpus.copy(&|it| it.0 == 1, limits, &mut copy, &progress).unwrap();
    let copy = folder.hide(std::str::from_utf8(&copy).unwrap());
    assert_eq!(copy, "{\"id\":\"a.zip/b.txt\",\"file\":\"DIR/a.zip/b.txt\",\"line\":null}\n");
}

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

/// Of a crawl only plain text is read; a page that lies in a file is a text as it stands. Both name the way to its text.
#[test]
fn responses_are_counted_and_pages_are_told() {
    let folder = Folder::new();
    let responses =
        record(0, "HTTP/1.1 200 OK\r\n\r\n<p>the <b>tide</b>").replace("conversion", "response");
    let image = record(1, "\u{1}\u{2}").replace("text/plain", "image/png");
    let crawl =
        [&*responses, &image, &record(2, "the ebb").replace("conversion", "resource")].concat();
    let found = load_path(&folder.write("a.warc", crawl));
    assert_eq!(found.texts(), ["the ebb"]);
    let way_out = "; give an extractor's output on standard input: `.. | simscope -`";
    let said = format!("records without text were skipped: 1 image/png, 1 response{way_out}");
    let remark = found.corpus.remarks()[0].to_string();
    assert!(remark.ends_with(&said), "{remark}");
    let message = failure(&folder.write("b.warc", responses));
    assert!(
        message.contains(&format!("b.warc: no documents ({}", folder.path().display())),
        "{message}"
    );
    assert!(message.contains(&format!("1 response{way_out})")), "{message}");
    let page = "<!doctype html><title>Tide</title><p>the <b>tide</b></p>";
    for (name, text, is_page) in [
        ("a.html", "<p>the <b>tide</b>", true),
        ("page", page, true),
        ("page.txt", &format!("\n {}", page.to_uppercase()), true),
        ("a.md", "`<html>` begins a page", false),
    ] {
        let found = load_path(&folder.write(name, text));
        assert_eq!(found.texts(), [text], "{name}");
        let remarks: Vec<_> = found.corpus.remarks().iter().map(ToString::to_string).collect();
        assert_eq!(remarks.len(), usize::from(is_page), "{name}: {remarks:?}");
        let said = format!("{name}: an HTML page, read with its markup{way_out}");
        assert!(remarks.iter().all(|it| it.ends_with(&said)), "{remarks:?}");
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

/// A damaged record is named, and the records behind it are read, also where each is packed for itself.
#[test]
fn records_behind_a_damaged_one_are_read() {
    let folder = Folder::new();
    let texts =
        ["the tide ".repeat(40), "came in ".repeat(40), "at noon".repeat(40), "low".to_owned()];
    let records: Vec<String> = texts.iter().map(|text| record(0, text)).collect();
    let mut packed: Vec<Vec<u8>> = records.iter().map(|record| gzip(record.as_bytes())).collect();
    // A kind of block that there is not.
    packed[1][10] = 7;
    let without_length = records[1].replace("Content-Length", "Length");
    let shorter = records[1].replace("Content-Length: 320", "Content-Length: 90");
    let with = |second: &str| [&records[0], second, &records[2], &records[3]].concat().into_bytes();
    for (name, bytes, n_whole) in [
        ("packed.warc.gz", packed.concat(), 3),
        ("length.warc", with(&without_length), 3),
        ("junk.warc", with("junk that is no record\r\n\r\n"), 3),
        // A part of its text is a document, and that is told.
        ("short.warc", with(&shorter), 4),
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
