//! Messages about broken input, word for word.

use std::io::Read;

use simscope::corpus::{DIAGNOSTICS_KEPT, Input, InputLimits, LoadOptions, TextEncoding};

use super::{Folder, failure, gzip, load_path, load_with, rows, try_load, zstd};

const GOOD: &str = "{\"text\":\"good\"}\n";

/// Loads one file and returns its messages and the number of its documents.
fn told(name: &str, bytes: impl AsRef<[u8]>, options: &LoadOptions) -> (Vec<String>, usize) {
    let folder = Folder::new();
    let loaded = load_with(&folder.write(name, bytes), options);
    let messages = folder.messages(&loaded.corpus);
    (messages.iter().map(|message| message.replace("DIR/", "")).collect(), loaded.corpus.len())
}

fn told_plainly(name: &str, bytes: impl AsRef<[u8]>) -> (Vec<String>, usize) {
    told(name, bytes, &LoadOptions::default())
}

#[test]
fn broken_json_lines_are_named_and_the_rest_loads() {
    let rows = [
        "{\"id\":\"x\",\"text\":\"unterminated",
        "not json",
        "[1]",
        "{}",
        "{\"text\":null}",
        "{\"text\":\"a\"} {\"text\":\"b\"}",
        "{\"fingerprint\":7.5}",
        "{\"text\":\"lone \\ud800 surrogate\"}",
    ];
    let (messages, documents) = told_plainly("a.jsonl", format!("{}\n{GOOD}", rows.join("\n")));
    let expected = [
        "a.jsonl:1: broken JSON at column 30: EOF while parsing a string; mend it or leave it out",
        "a.jsonl:2: broken JSON at column 2: expected ident; mend it or leave it out",
        "a.jsonl:3: not a JSON object; write an object for each row",
        "a.jsonl:4: no field \"text\"; name it with `text-field`",
        "a.jsonl:5: field \"text\" is null; name another with `text-field`",
        "a.jsonl:6: broken JSON at column 14: trailing characters; mend it or leave it out",
        "a.jsonl:7: field \"fingerprint\" is 7.5, a float or more than 64 bits; a float cannot hold 64 bits; write \
         fingerprints as whole numbers of 64 bits, or in hex, in quotes",
    ];
    // Half of a surrogate pair is read as U+FFFD.
    assert_eq!((messages.as_slice(), documents), (&expected.map(String::from)[..], 2));
}

#[test]
fn a_named_field_that_is_missing_is_told_by_its_name() {
    let options = LoadOptions {
        id_field: Some("key".into()),
        fingerprint_field: Some("print".into()),
        ..LoadOptions::default()
    };
    let rows = "{\"text\":\"a\"}\n{\"print\":\"0f\"}\n{\"print\":\"0f\",\"key\":[]}\n";
    let (messages, documents) = told("a.jsonl", rows, &options);
    let expected = [
        "a.jsonl:1: no field \"print\" among \"text\"; name it with `fingerprint-field`",
        "a.jsonl:2: no field \"key\" among \"print\", so the id is the place; name another with `id-field`",
        "a.jsonl:3: field \"key\" is no string or number, so the id is the place; name another with \
         `id-field`",
    ];
    assert_eq!((messages.as_slice(), documents), (&expected.map(String::from)[..], 2));
    let (messages, documents) = told("a.csv", "text,print\na,0f\n", &options);
    assert_eq!(
        messages,
        ["a.csv:1: no column \"key\", so ids are places; name another with `id-field`"]
    );
    assert_eq!(documents, 1);
}

#[test]
fn ragged_rows_are_named_and_the_rest_loads() {
    let rows = "id,text,label\n1,a,x\n2,b\n\n3,c,y,extra\n4\n5,d,z\n";
    let (messages, documents) = told_plainly("a.csv", rows);
    let remedy = "quote fields that hold the delimiter or a line end";
    let expected = [
        format!("a.csv:3: 2 fields where the header has 3; {remedy}"),
        format!("a.csv:5: 4 fields where the header has 3; {remedy}"),
        format!("a.csv:6: 1 field where the header has 3; {remedy}"),
    ];
    assert_eq!((messages.as_slice(), documents), (&expected[..], 2));
}

#[test]
fn a_quote_never_closed_is_told_where_it_opens() {
    let (messages, documents) = told_plainly("a.csv", "id,text\n1,a\n2,\"open\n3,b\n");
    assert_eq!(
        messages,
        [
            "a.csv:3: a quote is never closed, so the rest of the file is one row; close it or double it"
        ]
    );
    assert_eq!(documents, 2);
}

#[test]
fn a_missing_column_is_told_once_with_the_columns_there_are() {
    let folder = Folder::new();
    let message = |bytes: &str| folder.hide(&failure(&folder.write("a.csv", bytes)));
    assert_eq!(
        message("id;body\n1;a\n2;b\n"),
        "DIR/a.csv:1: no column \"text\" among \"id\", \"body\"; name it with `text-field`; a file without a header \
         needs `no-header`"
    );
    let wide: Vec<_> = (0..20_000).map(|column| format!("c{column}")).collect();
    assert_eq!(
        message(&wide.join(",")),
        "DIR/a.csv:1: no column \"text\" among \"c0\", \"c1\", \"c2\", \"c3\", \"c4\", \"c5\", \
         \"c6\", \"c7\" and 19992 more; name it with `text-field`; a file without a header needs `no-header`"
    );
}

#[test]
fn damage_to_a_json_list_is_named() {
    let folder = Folder::new();
    let messages = |text: &str| {
        let loaded = load_path(&folder.write("a.json", text));
        (loaded.texts().len(), folder.messages(&loaded.corpus).join("\n"))
    };
    for (text, n, told) in [
        (
            "[{\"text\":\"a\"},\n{\"text\":},\n{\"text\":\"c\"}]",
            2,
            "DIR/a.json:2: broken JSON at column 9",
        ),
        ("[{\"text\":\"a\"}, 7, {\"text\":\"c\"}]", 2, "DIR/a.json:2: not a JSON object"),
        (
            "[\n{\"text\":\"a\"},\n{\"text\":\n\n",
            1,
            "DIR/a.json: ends within its last row; write it again",
        ),
        (
            "[\n{\"text\":\"a\"},\n",
            1,
            "DIR/a.json: its list does not end, so rows may be missing; write it again",
        ),
        (
            "[{\"text\":\"a\"}]\n[{\"text\":\"b\"}]",
            1,
            "DIR/a.json: more follows its list, which is not read; make a file of each",
        ),
        (
            "{\n\"text\": \"b\"}\n{\n\"text\": \"a\",\n\"n\": }\n",
            1,
            "DIR/a.json:2: broken JSON at column 6 of its line 3",
        ),
    ] {
        let (found, messages) = messages(text);
        assert_eq!(found, n, "{text}");
        assert!(messages.contains(told), "{messages}");
    }
    let options = LoadOptions { records: Some("rows".to_owned()), ..LoadOptions::default() };
    let failed = super::try_load(
        &[simscope::corpus::Input::Path(folder.write("b.json", "{\"data\":[{\"text\":\"a\"}]}"))],
        &options,
    );
    let error = folder.hide(&failed.err().unwrap().to_string());
    assert!(error.contains("no list \"rows\" in it; name the list with `records`"), "{error}");
}

#[test]
fn nothing_to_read_is_an_error_that_says_so() {
    let folder = Folder::new();
    let fails = |name: &str| folder.hide(&failure(&folder.path().join(name)));
    assert_eq!(fails("none"), "DIR/none: not found; check the path");
    folder.write("bytes.bin", b"\0");
    assert_eq!(
        fails("bytes.bin"),
        "DIR/bytes.bin: binary, not text; `simscope help formats` lists what can be read"
    );
    folder.write("empty.jsonl", "\n\n");
    assert_eq!(
        fails("empty.jsonl"),
        "DIR/empty.jsonl: no documents; name a file or folder that holds text"
    );
    folder.write("sub/.hidden", "");
    assert_eq!(
        fails("sub"),
        "DIR/sub: no documents (skipped 1 hidden file); name a file or folder that holds text"
    );
    folder.write("bad.jsonl", "1\n2\n3\n");
    assert_eq!(
        fails("bad.jsonl"),
        "DIR/bad.jsonl:1: not a JSON object; write an object for each row (and 2 more)"
    );
}

#[test]
fn one_missing_path_does_not_stop_the_others() {
    use simscope::corpus::Input;
    let folder = Folder::new();
    let inputs = [folder.path().join("none"), folder.write("a.txt", "text")].map(Input::Path);
    let loaded = super::try_load(&inputs, &LoadOptions::default()).unwrap();
    assert_eq!(folder.messages(&loaded.corpus), ["DIR/none: not found; check the path"]);
    assert_eq!(loaded.texts(), ["text"]);
}

#[test]
fn packed_data_that_ends_too_early_or_is_damaged_is_told_after_what_loads() {
    let rows_of = |n| rows(n, |row| format!("{{\"text\":\"row {row} of many\"}}\n"));
    let rows = rows_of(40_000);
    for (name, packed) in
        [("a.jsonl.gz", gzip(rows.as_bytes())), ("a.jsonl.zst", zstd(rows.as_bytes()))]
    {
        let (messages, documents) = told_plainly(name, &packed[..packed.len() * 3 / 4]);
        let expected = "compressed data ends too early; copy or compress the file again";
        assert_eq!(messages, [format!("{name}: {expected}")]);
        assert!((100..40_000).contains(&documents), "{name}: {documents}");
    }
    // All that can be unpacked of many blocks of lines, to the last whole line.
    let many = rows_of(400_000);
    let packed = gzip(many.as_bytes());
    let packed = &packed[..packed.len() * 3 / 4];
    let mut unpacked = Vec::new();
    flate2::read::MultiGzDecoder::new(packed).read_to_end(&mut unpacked).unwrap_err();
    assert!(unpacked.len() > 4 << 20, "several blocks");
    let (_, documents) = told_plainly("many.jsonl.gz", packed);
    assert_eq!(documents + 1, unpacked.split(|byte| *byte == b'\n').count());
    let mut damaged = gzip(rows.as_bytes());
    let middle = damaged.len() / 2;
    damaged[middle..][..60].iter_mut().for_each(|byte| *byte ^= 0x55);
    let (messages, _) = told_plainly("a.jsonl.gz", &damaged);
    let damage = "a.jsonl.gz: compressed data is damaged (";
    assert!(messages.iter().any(|message| message.starts_with(damage)), "{messages:?}");
    let (messages, documents) =
        told_plainly("b.jsonl.gz", [gzip(rows.as_bytes()), b"junk".to_vec()].concat());
    assert_eq!((messages.len(), documents), (1, 40_000));
    let folder = Folder::new();
    folder.write("good.txt", "text");
    folder.write("short.txt.gz", &gzip(b"text")[..12]);
    assert_eq!(
        folder.messages(&load_path(folder.path()).corpus),
        ["DIR/short.txt.gz: compressed data ends too early; copy or compress the file again"]
    );
}

#[test]
fn a_document_above_the_limit_is_told_even_if_it_is_small_when_packed() {
    let folder = Folder::new();
    let limits = InputLimits::default();
    folder.write("bomb.txt.gz", gzip(&vec![b'a'; limits.document as usize + 1]));
    folder.write("good.txt", "text");
    assert_eq!(
        folder.messages(&load_path(folder.path()).corpus),
        [
            "DIR/bomb.txt.gz: document is larger than 64 MiB; split it, read it with `input-format` lines, \
             or allow more with `max-document`"
        ]
    );
    let limits = InputLimits { document: 65 << 20, ..limits };
    let loaded = load_with(folder.path(), &LoadOptions { limits, ..LoadOptions::default() });
    assert_eq!((loaded.contents.len(), loaded.corpus.diagnostics().len()), (2, 0));
}

/// Blank lines that unpack to gigabytes fill neither disk nor memory.
#[test]
fn what_unpacks_to_absurdly_much_is_cut_off_and_told() {
    let folder = Folder::new();
    let first = b"{\"id\":\"first\",\"text\":\"one\"}\n";
    let blank = zstd((" ".repeat(1023) + "\n").repeat(1 << 10).as_bytes());
    let bomb = [zstd(first), blank.repeat(140)].concat();
    folder.write("bomb.jsonl.zst", &bomb);
    let loaded = load_path(folder.path());
    assert_eq!(loaded.ids(), ["first"]);
    assert_eq!(
        folder.messages(&loaded.corpus),
        [
            "DIR/bomb.jsonl.zst: unpacks to more than 200 times its size, so the rest is not read; if that \
             is right, allow more with `max-expansion`"
        ]
    );
    let limits = InputLimits { expansion: 100_000, ..InputLimits::default() };
    let loaded = load_with(folder.path(), &LoadOptions { limits, ..LoadOptions::default() });
    assert!(loaded.corpus.diagnostics().is_empty());
}

#[test]
fn a_line_that_is_too_long_is_told_and_the_next_is_read_again_from_the_spool() {
    let folder = Folder::new();
    let rows = format!("{{\"text\":\"{}\"}}\n{{\"text\":\"next\"}}\n", "x".repeat(5000));
    folder.write("rows.jsonl.gz", gzip(rows.as_bytes()));
    let limits = InputLimits { document: 4096, ..InputLimits::default() };
    let options = LoadOptions { limits, ..LoadOptions::default() };
    let loaded = load_with(folder.path(), &options);
    assert_eq!(loaded.texts(), ["next"]);
    let told = folder.messages(&loaded.corpus);
    assert_eq!(
        told,
        [
            "DIR/rows.jsonl.gz:1: document is larger than 4 KiB; split it, leave it out, or allow more with \
             `max-document`"
        ]
    );
}

/// Behind a row that is far too large nothing is read, which is told.
#[test]
fn a_row_of_csv_that_is_too_large_is_told_with_its_line() {
    let limits = InputLimits { document: 4096, ..InputLimits::default() };
    let options = LoadOptions { limits, ..LoadOptions::default() };
    for (length, said, n) in [
        (5000, "; split it, leave it out, or allow more with `max-document`", 2),
        (
            2 << 20,
            ", so the rows behind it are not read; close its quotes, split it, or allow more with \
             `max-document`",
            1,
        ),
    ] {
        let rows = format!("id,text\n1,one\n2,\"two\n{}\"\n3,three\n", "x".repeat(length));
        let (told_of, documents) = told("t.csv", &rows, &options);
        assert_eq!(told_of, [format!("t.csv:3: document is larger than 4 KiB{said}")]);
        assert_eq!(documents, n);
        let folder = Folder::new();
        let path = folder.write("t.csv", rows.replacen("id", &"x".repeat(length), 1));
        let failed = try_load(&[Input::Path(path)], &options).map(|_| ()).unwrap_err().to_string();
        assert!(failed.contains("t.csv:1: document is larger than 4 KiB"), "{failed}");
    }
}

#[test]
fn beyond_a_thousand_messages_the_rest_are_counted() {
    let folder = Folder::new();
    let loaded = load_path(&folder.write("a.jsonl", "1\n".repeat(1500) + GOOD));
    assert_eq!(loaded.corpus.diagnostics().len(), DIAGNOSTICS_KEPT);
    assert_eq!(loaded.corpus.summary().to_string(), "500 more problems not listed");
}

/// A remark about the whole corpus is made, however many there are about files.
#[cfg(feature = "formats")]
#[test]
fn bytes_outside_the_character_set_are_told_beyond_a_thousand_remarks() {
    let folder = Folder::new();
    for n in 0..=DIAGNOSTICS_KEPT {
        folder.write(&format!("{n}.txt"), b"caf\xe9 au lait");
    }
    folder.write("last.jsonl", b"{\"text\":\"caf\xc3\xa9 \xc3\xa9 \xe9\"}\n");
    let options = LoadOptions { encoding: TextEncoding::Auto, ..LoadOptions::default() };
    let loaded = load_with(folder.path(), &options);
    let remarks = loaded.corpus.remarks();
    let said = "corpus: 1 document with bytes or escapes that are no characters, read as U+FFFD; name the set with `encoding`";
    assert_eq!(remarks.last().unwrap().to_string(), said);
    assert_eq!(remarks.len(), DIAGNOSTICS_KEPT + 1);
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_told_and_the_rest_loads() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write("a.txt", "text");
    let locked = folder.write("b.txt", "locked");
    std::fs::set_permissions(&locked, PermissionsExt::from_mode(0o000)).unwrap();
    if std::fs::read(&locked).is_ok() {
        eprintln!("skipped: this user may read everything");
        return;
    }
    let loaded = load_path(folder.path());
    assert_eq!(
        folder.messages(&loaded.corpus),
        ["DIR/b.txt: permission denied; make it readable or leave it out"]
    );
}
