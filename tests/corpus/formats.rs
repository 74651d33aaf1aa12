//! Files of every format, plain and packed, in every encoding.

use std::io::Write as _;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType};
use parquet::file::writer::SerializedFileWriter;
use simscope::corpus::{Content, Input, InputFormat, LoadOptions, TextEncoding};
use simscope::id::DocId;

use super::{Folder, gzip, load_path, load_with, try_load, utf16, zstd};

const JSONL: &str =
    "{\"id\":\"a\",\"text\":\"eins\"}\n\n{\"text\":\"zwei \\u00e4\"}\r\n{\"id\":3,\"text\":\"\"}";
const CSV: &str = "id,text\r\na,eins\r\n,\"zwei\r\nZeilen, \"\"so\"\"\"\r\nc,\r\n";
const TSV: &str = "text\tid\neins\ta\n\"zwei\tTabs\"\tb\n";

fn options(format: InputFormat) -> LoadOptions {
    LoadOptions { input_format: format, ..LoadOptions::default() }
}

/// Every way to store the same bytes.
fn stored(bytes: &str) -> Vec<(&'static str, Vec<u8>)> {
    let (first, second) = bytes.as_bytes().split_at(bytes.len() / 2);
    vec![
        ("plain", bytes.as_bytes().to_vec()),
        ("marked", [b"\xef\xbb\xbf", bytes.as_bytes()].concat()),
        ("gzip", gzip(bytes.as_bytes())),
        ("gzip, two members", [gzip(first), gzip(second)].concat()),
        ("gzip in gzip", gzip(&gzip(bytes.as_bytes()))),
        ("zstd", zstd(bytes.as_bytes())),
        ("zstd, two frames", [zstd(first), zstd(second)].concat()),
        ("UTF-16LE", utf16(bytes, true)),
        ("UTF-16BE", utf16(bytes, false)),
        ("UTF-16LE in gzip", gzip(&utf16(bytes, true))),
    ]
}

#[test]
fn json_lines_load_however_they_are_stored() {
    for (how, bytes) in stored(JSONL) {
        let folder = Folder::new();
        let loaded = load_path(&folder.write("rows.jsonl", bytes));
        assert_eq!(loaded.texts(), ["eins", "zwei ä", ""], "{how}");
        assert_eq!(loaded.ids(), ["a", "rows.jsonl:3", "3"], "{how}");
        assert!(loaded.corpus.flags(DocId(2)).is_empty(), "{how}");
        let summary = loaded.corpus.summary();
        assert_eq!((summary.empty, summary.lossy, summary.files), (1, 0, 1), "{how}");
    }
}

#[test]
fn csv_loads_however_it_is_stored() {
    for (how, bytes) in stored(CSV) {
        let folder = Folder::new();
        let path = folder.write("rows.csv", bytes);
        let loaded = load_path(&path);
        assert_eq!(loaded.texts(), ["eins", "zwei\r\nZeilen, \"so\"", ""], "{how}");
        assert_eq!(loaded.ids(), ["a", "rows.csv:3", "c"], "{how}");
        let place = folder.hide(&loaded.corpus.place(DocId(2)));
        assert_eq!(place, "DIR/rows.csv:5", "{how}");
    }
}

#[test]
fn tsv_is_quoted_as_csv() {
    let folder = Folder::new();
    for name in ["rows.tsv", "rows.tab", "rows.TSV.gz"] {
        let loaded = load_path(&folder.write(name, TSV));
        assert_eq!(loaded.texts(), ["eins", "zwei\tTabs"]);
        assert_eq!(loaded.ids(), ["a", "b"]);
    }
}

#[test]
fn lines_are_documents_and_empty_ones_too() {
    for (how, bytes) in stored("eins\r\n\nzwei\n") {
        let folder = Folder::new();
        let loaded = load_with(&folder.write("file.txt", bytes), &options(InputFormat::LINES));
        assert_eq!(loaded.texts(), ["eins", "", "zwei"], "{how}");
        assert_eq!(loaded.ids(), ["file.txt:1", "file.txt:2", "file.txt:3"], "{how}");
        assert!(loaded.corpus.flags(DocId(1)).is_empty(), "{how}");
    }
}

#[test]
fn a_delimiter_is_found_in_the_first_row_or_named() {
    let rows = |c: char| format!("id{c}text\na{c}\"eins{c} zwei\"\nb{c}drei\n");
    for (name, delimiter, asked) in [
        ("rows.csv", ';', None),
        ("rows.csv", '|', None),
        ("rows.csv", '\t', None),
        ("rows.csv", '%', Some(b'%')),
        ("rows.tsv", ',', Some(b',')),
    ] {
        let folder = Folder::new();
        let options = LoadOptions { delimiter: asked, ..LoadOptions::default() };
        let loaded = load_with(&folder.write(name, rows(delimiter)), &options);
        assert_eq!(loaded.ids(), ["a", "b"], "{delimiter:?}");
        assert_eq!(loaded.texts(), [&format!("eins{delimiter} zwei"), "drei"], "{delimiter:?}");
    }
}

#[test]
fn without_a_header_columns_are_numbered() {
    let folder = Folder::new();
    let path = folder.write("rows.csv", "a;eins\nb;zwei\nc;drei;vier\n");
    let text_field = Some("2".to_owned());
    let options = LoadOptions { no_header: true, text_field, ..LoadOptions::default() };
    let loaded = load_with(&path, &options);
    assert_eq!(loaded.texts(), ["eins", "zwei"]);
    assert_eq!(
        folder.messages(&loaded.corpus),
        ["DIR/rows.csv:3: 3 fields where the first row has 2; quote fields that hold the \
          delimiter or a line end"]
    );
    let options = LoadOptions { no_header: true, ..LoadOptions::default() };
    assert_eq!(
        folder.hide(&try_load(&[Input::Path(path)], &options).err().unwrap().to_string()),
        "DIR/rows.csv:1: no column \"text\" among \"1\", \"2\"; name it with `text-field`"
    );
}

#[test]
fn a_text_file_is_a_document() {
    for (how, bytes) in stored("Größe\n{\"text\":\"no\"}\n") {
        let folder = Folder::new();
        let loaded = load_path(&folder.write("some/file.md", bytes));
        assert_eq!(loaded.texts(), ["Größe\n{\"text\":\"no\"}\n"], "{how}");
        assert_eq!(loaded.ids(), ["file.md"], "{how}");
        let place = folder.hide(&loaded.corpus.place(DocId(0)));
        assert_eq!(place, "DIR/some/file.md", "{how}");
    }
}

#[test]
fn content_decides_where_the_extension_does_not() {
    let folder = Folder::new();
    let loaded = load_path(&folder.write("rows", gzip(JSONL.as_bytes())));
    assert_eq!(loaded.ids(), ["a", "rows:3", "3"]);
    // Packed by name only.
    let loaded = load_path(&folder.write("rows.jsonl.gz", JSONL));
    assert_eq!(loaded.texts().len(), 3);
    let loaded = load_path(&folder.write("nothing.gz", ""));
    assert_eq!(loaded.texts(), [""]);
}

#[test]
fn rows_with_a_fingerprint_load_without_text() {
    let folder = Folder::new();
    let hex = |hex: &str| Content::Fingerprint(Some(hex.to_owned()));
    let rows = "{\"id\":\"a\",\"fingerprint\":\"00ff\",\"features\":3}\n{\"fingerprint\":null}\n";
    let path = folder.write("rows.jsonl", rows);
    let csv = folder.write("rows.csv", "id,fingerprint,features\na,00ff,3\n,,0\n");
    let asked = LoadOptions { fingerprint_field: Some("fingerprint".into()), ..Default::default() };
    for path in [path, csv] {
        for options in [&LoadOptions::default(), &asked] {
            let loaded = load_with(&path, options);
            assert_eq!(loaded.contents, [hex("00ff"), Content::Fingerprint(None)]);
            assert!(loaded.corpus.flags(DocId(0)).is_fingerprint_only());
            assert!(loaded.corpus.flags(DocId(1)).is_empty());
            assert_eq!(loaded.corpus.summary().fingerprints, 2);
        }
    }
    // The named field goes before the text.
    let path = folder.write("both.jsonl", "{\"text\":\"a\",\"fingerprint\":\"0f\"}");
    assert_eq!(load_path(&path).texts(), ["a"]);
    assert_eq!(load_with(&path, &asked).contents, [hex("0f")]);
}

#[test]
fn a_text_of_several_fields_is_their_values_with_blank_lines_between() {
    let folder = Folder::new();
    let rows = [
        r#"{"q":"a","in":"","a":"b\n"}"#,
        r#"{"q":"a","turns":[{"t":"x"},{"t":7},{"t":null},{}],"tags":["s","u"]}"#,
        r#"{"q,a":"own","q":"no"}"#,
        r#"{"other":1}"#,
        r#"{"q":{"x":1}}"#,
        r#"{"in":""}"#,
    ];
    let options = LoadOptions { text_field: Some("q,a".to_owned()), ..LoadOptions::default() };
    let with =
        |fields: &str| LoadOptions { text_field: Some(fields.to_owned()), ..options.clone() };
    let path = folder.write("rows.jsonl", rows.join("\n"));
    let loaded = load_with(&path, &with("q, in, a, turns[].t,tags"));
    assert_eq!(loaded.texts(), ["a\n\nb\n", "a\n\nx\n\n7\n\ns\n\nu", "no", ""]);
    let messages = folder.messages(&loaded.corpus).join("\n");
    assert!(
        messages.contains("rows.jsonl:4: no field \"q, in, a, turns[].t,tags\" among \"other\""),
        "{messages}"
    );
    assert!(
        messages.contains("rows.jsonl:5: field \"q, in, a, turns[].t,tags\" is not a string"),
        "{messages}"
    );
    // A field of the whole name goes before the parts.
    assert_eq!(load_with(&path, &options).texts(), ["a\n\nb\n", "a", "own"]);
    let again = load_with(&path, &with("turns[1].t"));
    assert_eq!(again.texts(), ["7"]);
    assert_eq!(again.corpus.read(DocId(0)), Ok(Content::Text("7".into())));
    let table = folder.write("t.csv", "q,id,a\none,1,two\n,2,three\n");
    assert_eq!(load_with(&table, &options).texts(), ["one\n\ntwo", "three"]);
    let failed = try_load(&[Input::Path(table)], &with("q,b"));
    assert!(
        failed.err().unwrap().to_string().contains("no column \"q,b\" among \"q\", \"id\", \"a\"")
    );
}

const MBOX: &str = "From a@b.org Thu Jan  1 00:00:00 2026\nMessage-ID: <1@b.org>\nSubject: =?utf-8?q?Ebbe_und_Flut=C3=A4?=\n\
From: A <a@b.org>\nDate: Thu, 1 Jan 2026 00:00:00 +0000\nContent-Type: text/plain; charset=utf-8\n\
Content-Transfer-Encoding: base64\n\nZGFzIE1lZXIg4oCm\n\n\
From c@d.org Thu Jan  1 09:30:00 2026\nMessage-ID: <2@d.org>\nFrom: c@d.org\nMIME-Version: 1.0\n\
Content-Type: multipart/mixed; boundary=X\n\n--X\nContent-Type: text/plain\n\n> quoted\nown words=\n\n\
--X\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n>From here =C3=A9\n\n\
--X\nContent-Type: application/pdf\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64\n\nAAAA\n\n--X--\n\n\
From e@f.org Thu Jan  1 10:00:00 2026\nSubject: page\n\nan open end\n";

#[test]
fn mail_loads_however_it_is_stored() {
    for (how, bytes) in stored(MBOX).into_iter().filter(|(how, _)| !how.starts_with("UTF-16")) {
        let folder = Folder::new();
        let path = folder.write("mail", &bytes);
        let loaded = load_path(&path);
        let texts = ["das Meer …", "> quoted\nown words=\n\nFrom here é", "an open end"];
        assert_eq!(loaded.texts(), texts, "{how}");
        assert_eq!(loaded.ids(), ["1@b.org", "2@d.org", "mail:3"], "{how}");
        let documents = [0, 1, 2].map(DocId);
        assert_eq!(
            loaded.corpus.titles(&documents),
            [Some("Ebbe und Flutä"), Some("> quoted own words= From here é"), Some("page")]
                .map(|it| it.map(str::to_owned)),
            "{how}"
        );
        for (document, text) in documents.into_iter().zip(texts) {
            assert_eq!(loaded.corpus.read(document), Ok(Content::Text(text.into())), "{how}");
        }
        let fields = loaded.corpus.fields(0..1).remove(0).unwrap();
        assert!(
            fields.contains(&("date".to_owned(), "2026-01-01T00:00:00Z".to_owned())),
            "{fields:?}"
        );
        let without = LoadOptions { no_quotes: true, ..LoadOptions::default() };
        assert_eq!(load_with(&path, &without).texts()[1], "own words=\n\nFrom here é", "{how}");
        if how == "plain" {
            assert_eq!(loaded.corpus.file_place(DocId(1)).unwrap().line, 11);
        }
    }
}

/// A folder of mail, and an mbox back as it was.
#[test]
fn mail_is_copied_byte_for_byte() {
    use simscope::corpus::InputLimits;
    use simscope::progress::Progress;
    let folder = Folder::new();
    let loaded = load_path(&folder.write("a.mbox", MBOX));
    let copied = |dropped: u32| {
        let mut out = Vec::new();
        let is_kept = |document: DocId| document.0 != dropped;
        let limits = InputLimits::default();
        loaded.corpus.copy(&is_kept, limits, &mut out, &Progress::new()).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(copied(9), format!("{MBOX}\n"));
    let at = |n: usize| {
        MBOX.match_indices("From ")
            .map(|it| it.0)
            .filter(|&at| at == 0 || MBOX[..at].ends_with("\n\n"))
            .nth(n)
            .unwrap()
    };
    assert_eq!(copied(2), MBOX[..at(2)]);
    assert_eq!(copied(0), format!("{}\n", &MBOX[at(1)..]));
    let folder = Folder::new();
    let message = "Return-Path: <a@b>\nFrom: a@b\nMessage-ID: <7@b>\n\nthe tide\n\nFrom here 10:30\nthe sand\n";
    folder.write("cur/17.M1.host:2,S", message);
    folder.write("new/b.eml", message);
    let loaded = load_path(folder.path());
    assert_eq!(loaded.ids(), ["7@b", "7@b"]);
    assert_eq!(loaded.texts(), ["the tide\n\nFrom here 10:30\nthe sand"; 2]);
    assert_eq!(loaded.corpus.copy_format(), simscope::corpus::CopyFormat::List);
}

#[test]
fn an_item_of_a_list_has_its_line() {
    let folder = Folder::new();
    let loaded = load_path(&folder.write("a.json", "[\n{\"text\":\n\"a\"},\n\n{\"text\":\"b\"}]"));
    let line = |at| loaded.corpus.file_place(DocId(at)).unwrap().line;
    assert_eq!([line(0), line(1)], [2, 5]);
}

#[test]
fn hashed_features_load_instead_of_text() {
    let folder = Folder::new();
    let rows = "{\"id\":\"a\",\"text\":\"no\",\"h\":[[1,0.5],[\"0xff\",2]]}\n{\"h\":[]}\n{\"text\":\"no\"}\n{\"h\":[true]}\n";
    let csv = "id,h\na,\"[[1,0.5],[255,2]]\"\n,\n,[tide]\n";
    let options = LoadOptions { hashes_field: Some("h".into()), ..Default::default() };
    for (name, rows, problems) in [
        (
            "rows.jsonl",
            rows,
            vec![
                "rows.jsonl:3: no field \"h\" among \"text\"; name it with `hashes-field`",
                "rows.jsonl:4: field \"h\": element 1: true is no hash of 64 bits; write [hash, ..], [[hash, weight], ..] \
                 or {hash: weight, ..}, a hash of 64 bits as a number or in quotes",
            ],
        ),
        (
            "rows.csv",
            csv,
            vec![
                "rows.csv:4: column \"h\": broken JSON: expected ident at line 1 column 3; write [hash, ..], [[hash, weight], ..] or {hash: weight, ..}, \
                 a hash of 64 bits as a number or in quotes",
            ],
        ),
    ] {
        let loaded = load_with(&folder.write(name, rows), &options);
        let hashes = [Content::Hashes(vec![(1, 0.5), (255, 2.0)]), Content::Hashes(vec![])];
        assert_eq!(loaded.contents, hashes, "{name}");
        assert!(loaded.corpus.flags(DocId(0)).is_hashes_only());
        assert!(loaded.corpus.flags(DocId(1)).is_empty());
        assert_eq!(loaded.corpus.summary().hashed, 2);
        let messages = folder.messages(&loaded.corpus);
        let messages: Vec<_> = messages.iter().map(|it| it.replace("DIR/", "")).collect();
        assert_eq!(messages, problems);
        assert_eq!(loaded.corpus.read(DocId(0)).unwrap(), hashes[0], "{name}");
    }
}

#[test]
fn fields_go_by_their_given_names() {
    let folder = Folder::new();
    let options = LoadOptions {
        text_field: Some("body".into()),
        id_field: Some("key".into()),
        ..LoadOptions::default()
    };
    let path =
        folder.write("a.jsonl", "{\"id\":\"x\",\"text\":\"no\",\"body\":\"yes\",\"key\":\"k\"}");
    let csv = folder.write("a.csv", "id,text,body,key\nx,no,yes,k\n");
    for path in [path, csv] {
        let loaded = load_with(&path, &options);
        assert_eq!((loaded.ids(), loaded.texts()), (vec!["k"], vec!["yes"]));
    }
    // One field may serve twice.
    let options = LoadOptions { id_field: Some("text".into()), ..LoadOptions::default() };
    let loaded = load_with(&folder.write("b.jsonl", "{\"text\":\"both\"}"), &options);
    assert_eq!((loaded.ids(), loaded.texts()), (vec!["both"], vec!["both"]));
}

#[test]
fn invalid_utf8_is_read_lossily_and_counted() {
    let folder = Folder::new();
    folder.write("a.txt", b"caf\xe9");
    folder.write("b.jsonl", b"{\"id\":\"\xff\",\"text\":\"caf\xe9\"}\n{\"text\":\"good\"}\n");
    folder.write("c.csv", b"id,text\n1,caf\xe9\n2,good\n");
    folder.write("d.txt", b"\xff\xfea\0\x00\xd8b\0");
    let loaded = load_path(folder.path());
    let cafe = "caf\u{fffd}";
    assert_eq!(loaded.texts(), [cafe, cafe, "good", cafe, "good", "a\u{fffd}b"]);
    assert_eq!(loaded.corpus.summary().lossy, 4);
    assert_eq!(loaded.ids()[1], "\u{fffd}");
    assert!(loaded.corpus.flags(DocId(3)).is_lossy());
    assert!(!loaded.corpus.flags(DocId(4)).is_lossy());
}

#[test]
fn a_line_of_50_mb_is_a_document() {
    let folder = Folder::new();
    let text = "harbour ".repeat(50_000_000 / 8);
    let path =
        folder.write("big.jsonl", format!("{{\"text\":\"{text}\"}}\n{{\"text\":\"small\"}}\n"));
    let loaded = load_path(&path);
    assert_eq!(loaded.contents[0].text().map(str::len), Some(text.len()));
    assert_eq!(loaded.texts()[1], "small");
    let loaded = load_with(&folder.write("big.txt", &text), &options(InputFormat::LINES));
    assert_eq!(loaded.corpus.document(DocId(0)).length as usize, text.len());
}

#[test]
fn bundled_bytes_load_like_files() {
    let bundled = |name, bytes| Input::Bundled { name, bytes };
    let inputs = [
        bundled("rows.jsonl", b"{\"text\":\"a\"}\n{\"id\":\"x\",\"text\":\"b\"}\n"),
        bundled("rows.csv", b"id,text\n7,c\n"),
        bundled("file.txt", b"d\n"),
    ];
    let loaded = try_load(&inputs, &LoadOptions::default()).unwrap();
    assert_eq!(loaded.texts(), ["a", "b", "c", "d\n"]);
    assert_eq!(loaded.ids(), ["rows.jsonl:1", "x", "7", "file.txt"]);
    assert_eq!(loaded.corpus.place(DocId(1)), "rows.jsonl:2");
}

/// Standard input belongs to the process, so this test runs itself again with some.
#[test]
fn standard_input_is_lines_unless_it_looks_like_rows() {
    const CHILD: &str = "SIMSCOPE_STDIN_CHILD";
    if let Ok(ids) = std::env::var(CHILD) {
        let loaded = try_load(&[Input::Stdin], &LoadOptions::default()).unwrap();
        assert_eq!(loaded.ids().join(" "), ids);
        assert_eq!(loaded.texts(), ["eins", "zwei"]);
        assert_eq!(loaded.corpus.place(DocId(1)), "standard input:2");
        return;
    }
    let rows = "{\"id\":\"a\",\"text\":\"eins\"}\n{\"text\":\"zwei\"}\n";
    for (bytes, ids) in [
        (b"eins\nzwei\n".to_vec(), "-:1 -:2"),
        (zstd(b"eins\r\nzwei"), "-:1 -:2"),
        (gzip(rows.as_bytes()), "a -:2"),
    ] {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "corpus::formats::standard_input_is_lines_unless_it_looks_like_rows"])
            .env(CHILD, ids)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&bytes).unwrap();
        assert!(child.wait().unwrap().success(), "{ids}");
    }
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_read_as_a_stream_of_lines() {
    let folder = Folder::new();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no mkfifo on this machine");
        return;
    }
    let writer = pipe.clone();
    let writer = std::thread::spawn(move || std::fs::write(writer, "eins\nzwei\n").unwrap());
    let loaded = load_path(&pipe);
    writer.join().unwrap();
    assert_eq!(loaded.texts(), ["eins", "zwei"]);
    assert_eq!(loaded.ids(), ["pipe:1", "pipe:2"]);
    let writer = pipe.clone();
    let writer = std::thread::spawn(move || std::fs::write(writer, "eins\nzwei\n").unwrap());
    let loaded = load_with(&pipe, &options(InputFormat::TEXT));
    writer.join().unwrap();
    assert_eq!(loaded.texts(), ["eins\nzwei\n"]);
    assert_eq!(loaded.ids(), ["pipe"]);
}

#[test]
fn lists_of_words_and_single_texts_are_read() {
    use simscope::corpus::{read_text_file, read_word_list};
    let folder = Folder::new();
    let words = "\u{feff}# stop words\r\nthe\r\n\r\n  of \n#and\n";
    let path = folder.write("words.txt", gzip(words.as_bytes()));
    assert_eq!(read_word_list(&path).unwrap(), ["the", "of"]);
    let path = folder.write("text.txt", utf16("Größe\n", true));
    assert_eq!(read_text_file(&path).unwrap(), "Größe\n");
    let message = |name: &str| {
        folder.hide(&read_text_file(folder.path().join(name)).unwrap_err().to_string())
    };
    assert_eq!(message("none"), "DIR/none: not found; check the path");
    folder.write("binary", b"a\0");
    assert_eq!(message("binary"), "DIR/binary: binary, not text; give a text file");
}

#[test]
fn texts_in_other_character_sets_are_read_as_asked() {
    let folder = Folder::new();
    // "caf\u{e9}" in windows-1252, and a sentence in Shift JIS.
    let latin = folder.write("a/latin.txt", b"caf\xe9 au lait\n");
    let japanese =
        encoding_rs::SHIFT_JIS.encode("\u{6f6e}\u{304c}\u{6e80}\u{3061}\u{308b}\u{3002}").0;
    let rows = [b"id,text\nx,".as_slice(), &japanese, b"\n"].concat();
    let japanese = folder.write("b/rows.csv", rows);
    folder.write("c/utf8.txt", "caf\u{e9}");
    let with = |encoding| LoadOptions { encoding, ..LoadOptions::default() };
    let named = |label| with(TextEncoding::Label(label));
    assert_eq!(load_with(&latin, &named("windows-1252")).texts(), ["caf\u{e9} au lait\n"]);
    assert_eq!(
        load_with(&japanese, &named("Shift_JIS")).texts(),
        ["\u{6f6e}\u{304c}\u{6e80}\u{3061}\u{308b}\u{3002}"]
    );
    let found = load_with(folder.path(), &with(TextEncoding::Auto));
    assert_eq!(found.texts()[0], "caf\u{e9} au lait\n");
    assert_eq!(found.texts()[2], "caf\u{e9}");
    let remarks: Vec<_> =
        found.corpus.remarks().iter().map(|remark| folder.hide(&remark.to_string())).collect();
    assert_eq!(remarks.len(), 2, "{remarks:?}");
    assert!(remarks[0].contains("a/latin.txt: it is not all UTF-8, so it is read as windows-125"));
    // Untold, they are read as UTF-8, and their bytes are counted.
    assert_eq!(load_path(&latin).corpus.summary().lossy, 1);
}

/// The first byte that is no ASCII can come late.
#[cfg(feature = "formats")]
#[test]
fn the_character_set_of_a_late_letter_is_detected() {
    let folder = Folder::new();
    let ascii = "{\"text\":\"the tide came in\"}\n".repeat(9000);
    let late = b"{\"text\":\"f\xfcr das Geb\xe4ude und \xfcber die Stra\xdfe\"}\n".repeat(20);
    let path = folder.write("a.jsonl", [ascii.as_bytes(), &late].concat());
    let options = LoadOptions { encoding: TextEncoding::Auto, ..LoadOptions::default() };
    let found = load_with(&path, &options);
    assert_eq!(found.texts()[9000], "für das Gebäude und über die Straße");
    assert_eq!(found.corpus.summary().lossy, 0);
}

/// UTF-16 is known by its zeros also where it has no mark.
#[cfg(feature = "formats")]
#[test]
fn utf16_without_a_mark_is_read() {
    let folder = Folder::new();
    let rows = "{\"text\":\"the tide\"}\n{\"text\":\"die Gezeit für alle\"}\n";
    for (name, of) in
        [("a.jsonl", u16::to_le_bytes as fn(u16) -> [u8; 2]), ("b.jsonl", u16::to_be_bytes)]
    {
        let bytes: Vec<u8> = rows.encode_utf16().flat_map(of).collect();
        let found = load_path(&folder.write(name, bytes));
        assert_eq!(found.texts(), ["the tide", "die Gezeit für alle"]);
        let told = found.corpus.remarks()[0].to_string();
        let said = "half its bytes are zero, so it is read as UTF-16";
        assert!(told.contains(said), "{told}");
    }
    assert_eq!("utf-16-le".parse(), Ok(TextEncoding::Label("UTF-16LE")));
}

/// A quote that opens by mistake makes rows one row: that is told.
#[test]
fn text_behind_a_closing_quote_is_told() {
    let folder = Folder::new();
    let rows = "id,text\na,\"opens and does not close\nb,plain\nc,more \"inner\" quotes\nd,last\n";
    let found = load_path(&folder.write("a.csv", rows));
    let said = "DIR/a.csv:2: text follows a closing quote, so 3 lines are read as one row; double the quotes of a \
                text, and close its cell with one";
    assert_eq!(folder.messages(&found.corpus), [said]);
    assert_eq!(found.texts().len(), 2);
    // Rows of several lines that are well quoted, and quotes inside of unquoted cells, are not.
    let rows = "id,text\na,\"one\ntwo \"\"quoted\"\"\"\nb,a \"word\" here\n\"c\",\"x\r\ny\"\r\n";
    assert_eq!(folder.messages(&load_path(&folder.write("b.csv", rows)).corpus), [""; 0]);
}

/// Bytes outside the character set that was named are counted, as they are under UTF-8.
#[cfg(feature = "formats")]
#[test]
fn bytes_outside_a_named_character_set_are_counted() {
    let folder = Folder::new();
    let rows = b"{\"text\":\"caf\xe9\"}\n{\"text\":\"caf\xe8\"}\n{\"text\":\"tea\"}\n{\"text\":\"\xa4\xa4\xa4\"}";
    let options = LoadOptions { encoding: TextEncoding::Label("big5"), ..LoadOptions::default() };
    let found = load_with(&folder.write("a.jsonl", rows), &options);
    assert_eq!(found.texts(), ["caf\u{fffd}", "caf\u{fffd}", "tea", "\u{4e2d}\u{fffd}"]);
    assert_eq!(found.corpus.summary().lossy, 3);
    let whole = load_with(&folder.write("a.txt", b"caf\xe9"), &options);
    assert_eq!((whole.texts(), whole.corpus.summary().lossy), (vec!["caf\u{fffd}"], 1));
}

/// One row that is damaged does not change the character set of the others.
#[cfg(feature = "formats")]
#[test]
fn a_broken_byte_among_utf8_is_no_other_character_set() {
    let folder = Folder::new();
    let row = "{\"text\":\"für das Gebäude\"}\n";
    let options = LoadOptions { encoding: TextEncoding::Auto, ..LoadOptions::default() };
    // In the first bytes, and behind them.
    for n in [20, 2000] {
        let rows = row.repeat(n);
        let rows = [rows.as_bytes(), b"{\"text\":\"cut \xc5\"}\n", rows.as_bytes()].concat();
        let found = load_with(&folder.write("a.jsonl", rows), &options);
        assert_eq!(found.texts()[n], "cut \u{fffd}");
        assert!((0..=2 * n).all(|at| at == n || found.texts()[at] == "für das Gebäude"));
        assert_eq!(found.corpus.summary().lossy, 1);
    }
    // Some characters of another set are also characters of UTF-8: 一 in GBK.
    let text = "一个人在海边看潮水来了又去";
    let found = load_with(&folder.write("a.txt", encoding_rs::GBK.encode(text).0), &options);
    assert_eq!(found.texts(), [text]);
}

/// A file of Parquet with ids, texts and a column that the crate has no values for, some rows in a group.
fn parquet(rows: &[(&str, Option<&str>)], in_group: usize) -> Vec<u8> {
    let schema = "message rows { required binary id (STRING); optional binary text (STRING);
                  required fixed_len_byte_array(12) span (INTERVAL); }";
    let schema = Arc::new(parquet::schema::parser::parse_message_type(schema).unwrap());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
    for rows in rows.chunks(in_group) {
        let mut group = writer.next_row_group().unwrap();
        let ids: Vec<ByteArray> = rows.iter().map(|row| row.0.into()).collect();
        let texts: Vec<ByteArray> = rows.iter().filter_map(|row| Some(row.1?.into())).collect();
        let there: Vec<i16> = rows.iter().map(|row| i16::from(row.1.is_some())).collect();
        for (values, levels) in [(ids, None), (texts, Some(&*there))] {
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<ByteArrayType>().write_batch(&values, levels, None).unwrap();
            column.close().unwrap();
        }
        let spans = vec![FixedLenByteArray::from(vec![7; 12]); rows.len()];
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<FixedLenByteArrayType>().write_batch(&spans, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

#[test]
fn rows_of_parquet_are_read_from_files_and_packed() {
    let rows = [("a", Some("eins \"zwei\"")), ("b", None), ("c", Some("drei\n")), ("d", Some(""))];
    let folder = Folder::new();
    for (name, bytes) in [
        ("a.parquet", parquet(&rows, 2)),
        ("by-content", parquet(&rows, 9)),
        ("b.parquet.gz", gzip(&parquet(&rows, 1))),
        ("c.zst", zstd(&parquet(&rows, 3))),
    ] {
        let loaded = load_path(&folder.write(name, bytes));
        assert_eq!(
            (loaded.ids(), loaded.texts()),
            (vec!["a", "c", "d"], vec!["eins \"zwei\"", "drei\n", ""])
        );
        let said = format!("DIR/{name}:2: field \"text\" is null; name another with `text-field`");
        assert_eq!(folder.messages(&loaded.corpus), [said]);
    }
}
