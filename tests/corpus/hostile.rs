//! Arbitrary bytes and the generator of hostile files: nothing panics, and all that loads reads again.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use proptest::prelude::*;
use simscope::corpus::{Input, InputFormat, LoadOptions};

use super::{Folder, gzip, try_load, zstd};
use crate::parsers;
use crate::support::cases;

/// Bytes that hit the parsers where they branch.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => proptest::sample::select(vec![
            "{\"text\":", "\"a\"", "}", "{", "[", "]", ":", ",", "\n", "\r", "\r\n", "\"", "\t", "\\", "\\u",
            "d800", "null", "1e999", "id,text\n", "text\tid\n", "{\"text\":\"a\"}\n", "fingerprint",
            "\u{feff}", "é", " ", "{\"id\":7,\"text\":\"b\"}\n", "1,b\n", "\"quo\nted\"",
            "{\"data\":[", "[{\"text\":\"a\"},", "[[", "\n\nFrom a Thu Jan  1 00:00:00 2026\n", "Subject: =?utf-8?q?a?=\n",
            "Message-ID: <1@a>\nFrom: a\n", "Content-Type: multipart/mixed; boundary=X\n\n", "--X\n", "\n>From ",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..6),
        1 => Just(b"\xff\xfe".to_vec()),
        1 => Just(b"\x1f\x8b\x08\0".to_vec()),
        1 => Just(b"\x28\xb5\x2f\xfd".to_vec()),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic_and_read_again_as_they_were(
        bytes in pieces(),
        format in proptest::sample::select(InputFormat::all().collect::<Vec<_>>()),
        packing in 0..3,
        text_field in proptest::sample::select(vec!["text", "text,id", "data[].text"]),
    ) {
        let folder = Folder::new();
        let bytes = match packing {
            0 => bytes,
            1 => gzip(&bytes),
            _ => zstd(&bytes),
        };
        let input = Input::Path(folder.write("file", bytes));
        let text_field = Some(text_field.to_owned());
        let options = LoadOptions { input_format: format, text_field, ..LoadOptions::default() };
        // `try_load` compares what is read again with what was loaded.
        let _ = try_load(&[input], &options);
    }
}

/// The files of a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The seeds of each parser.
fn seeds() -> Vec<(&'static str, parsers::Parser, Vec<PathBuf>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/parsers/seeds");
    let names: Vec<_> = parsers::ALL.iter().map(|(name, _)| folder.join(name)).collect();
    assert_eq!(files(&folder), names, "a folder of seeds for each parser");
    let seeds = |&(name, parser): &(&'static str, _)| (name, parser, files(&folder.join(name)));
    parsers::ALL.iter().map(seeds).collect()
}

#[test]
fn every_seed_of_the_fuzz_targets_goes_through_its_parser() {
    for (name, parser, seeds) in seeds() {
        assert!(!seeds.is_empty(), "{name}");
        for seed in seeds {
            eprintln!("{}", seed.display());
            parser(&std::fs::read(seed).unwrap());
        }
    }
}

/// Bytes are replaced, taken out and put in, some of them from another place; a place is a share of the length.
fn edited(mut bytes: Vec<u8>, edits: &[(f64, f64, usize, u8)]) -> Vec<u8> {
    for &(at, from, kind, byte) in edits {
        let place = |share: f64| (share * bytes.len() as f64) as usize;
        let (at, from) = (place(at), place(from));
        match kind {
            0 if at < bytes.len() => bytes[at] = byte,
            1 => bytes.insert(at, byte),
            2 => drop(bytes.drain(at.min(from)..at.max(from).min(at.min(from) + 16))),
            _ => {
                let copied: Vec<u8> = bytes[from..].iter().take(16).copied().collect();
                bytes.splice(at..at, copied);
            }
        }
    }
    bytes
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn seeds_with_changes_go_through_their_parsers(
        seed in any::<proptest::sample::Index>(),
        edits in proptest::collection::vec((0.0..1.0, 0.0..1.0, 0..4usize, any::<u8>()), 1..12),
    ) {
        for (name, parser, seeds) in seeds() {
            // Its messages go to the terminal.
            if name != "config" {
                parser(&edited(std::fs::read(seed.get(&seeds)).unwrap(), &edits));
            }
        }
    }
}

fn shared() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    std::env::var_os("SIMSCOPE_SHARED").map_or(beside, PathBuf::from)
}

/// The groups of files that the generator makes.
pub(crate) const GROUPS: [&str; 8] =
    ["files", "encodings", "text", "jsonl", "csv", "archives", "dirs", "scale"];

/// A folder of hostile files, a folder for each group; `None` where there is no generator, or nothing to run it.
pub(crate) fn made() -> Option<tempfile::TempDir> {
    let script = shared().join("tools/make_hostile.py");
    if !script.exists() {
        eprintln!("skipped: no hostile-input generator; set SIMSCOPE_SHARED to its folder");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new("python3")
        .arg(&script)
        .arg(folder.path())
        .arg("--no-big")
        .stdout(Stdio::null())
        .status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no python3 to run the hostile-input generator");
        return None;
    }
    Some(folder)
}

#[test]
fn every_hostile_file_is_loaded_or_told() {
    let Some(folder) = made() else { return };
    for group in GROUPS {
        for follow_links in [false, true] {
            let options = LoadOptions { follow_links, ..LoadOptions::default() };
            let input = Input::Path(folder.path().join(group));
            let loaded = try_load(&[input], &options).unwrap();
            for (index, content) in loaded.contents.iter().enumerate() {
                let id = simscope::id::DocId::from(index);
                let is_blank = content.text().is_some_and(|text| text.trim().is_empty());
                assert_eq!(loaded.corpus.flags(id).is_empty(), is_blank);
                assert!(!loaded.corpus.place(id).contains(char::is_control));
            }
            for message in loaded.corpus.diagnostics() {
                assert!(!message.to_string().contains(char::is_control));
            }
        }
        // As each format; not the archives, whose bomb alone takes a second each time.
        if matches!(group, "jsonl" | "csv" | "encodings") {
            for format in InputFormat::all() {
                let options = LoadOptions { input_format: format, ..LoadOptions::default() };
                let _ = try_load(&[Input::Path(folder.path().join(group))], &options);
            }
        }
    }
}
