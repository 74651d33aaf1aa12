//! An index file: the same rows as from the corpus, whatever has happened to the files since.

use std::{fs, path::Path};

use super::shell::Shell;
use crate::corpus::{archives::tar, gzip};

const TEXTS: &str = "{\"id\":\"a\",\"text\":\"the tide log of the harbour, kept by the night\"}\n\
                     {\"id\":\"b\",\"text\":\"the tide log of the harbour, kept by the day\"}\n\
                     {\"id\":7}\n\
                     {\"text\":\"\"}\n";

/// A folder with a file of most kinds, and what to give to a command to read it.
fn corpus() -> (Shell, String) {
    let shell = Shell::with(&[]);
    let folder = shell.path("corpus");
    fs::create_dir(&folder).unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    write("rows.jsonl", TEXTS.as_bytes());
    write("packed.jsonl.gz", &gzip(TEXTS.replace("night", "nights").as_bytes()));
    write(
        "cells.csv",
        b"id;text;x\r\nr;\"the tide; log of the harbour, kept by the night\";1\r\ns;b\r\n",
    );
    write("whole.txt", b"the tide log of the harbour, kept by the night\xff");
    write("binary.bin", b"\0\0\0");
    write(".hidden", b"no");
    write(
        "members.tar",
        &tar(&[
            ("in.txt", b"a member that lies in an archive".to_vec()),
            // Skipped members are counted with the skipped files, from the index, too.
            (".hidden/in.txt", b"no".to_vec()),
            ("b.csv", b"text\nx y z\n".to_vec()),
        ]),
    );
    let path = folder.to_str().unwrap().to_owned();
    (shell, path)
}

/// The rows and messages of a command on the folder and on its index are the same.
#[track_caller]
fn agree(shell: &Shell, line: &str, folder: &str) {
    let run = |corpus: &str| {
        let done = shell.run(&line.replace("CORPUS", corpus));
        (done.code, done.out, done.err)
    };
    assert_eq!(run("it.idx"), run(folder), "{line}");
}

#[test]
fn an_index_gives_the_rows_of_its_corpus() {
    let (shell, folder) = corpus();
    let made = shell.run(&format!("index {folder} -o it.idx"));
    assert_eq!(made.code, 1, "{}", made.err);
    assert!(
        made.err.contains("note: it.idx: 10 documents; 6 files read, 0 unchanged"),
        "{}",
        made.err
    );
    for line in [
        "fingerprint CORPUS -f csv",
        "pairs CORPUS -f jsonl -k 9 --cosine",
        "groups CORPUS -k 20",
        "dedup CORPUS -k 20 -f csv",
        "query CORPUS --id a -k 64",
        "explain CORPUS a b",
        "check CORPUS -f csv",
        "fingerprint --document-frequencies CORPUS -q",
        "pairs CORPUS -q --features chars:5 -k 20",
        "CORPUS --print --keys 3 --fresh",
    ] {
        agree(&shell, line, &folder);
    }
    let told = shell.run("pairs it.idx --features chars:5").err;
    assert!(told.contains("it.idx is an index of another recipe, so all files are read"), "{told}");
    assert!(!shell.path("it.idx.recipe").exists());
}

/// Files come, change and go; the index that is brought up to date is, byte for byte, the one made anew.
#[test]
fn an_index_brought_up_to_date_is_one_made_anew() {
    let (shell, folder) = corpus();
    let at = |name: &str| Path::new(&folder).join(name);
    let line = format!("index -q {folder} -o it.idx");
    shell.run(&line);
    let first = fs::read(shell.path("it.idx")).unwrap();
    let steps: [(&str, &dyn Fn()); 6] = [
        ("1 file read, 6 unchanged", &|| fs::write(at("new.txt"), "new words").unwrap()),
        ("1 file read, 7 unchanged", &|| {
            fs::write(at("aaa.jsonl.gz"), gzip(TEXTS.as_bytes())).unwrap()
        }),
        ("0 files read, 7 unchanged, 1 gone", &|| fs::remove_file(at("packed.jsonl.gz")).unwrap()),
        ("1 file read, 6 unchanged", &|| {
            fs::write(at("rows.jsonl"), "{\"text\":\"one\"}\n").unwrap()
        }),
        ("1 file read, 6 unchanged, 1 gone", &|| fs::rename(at("cells.csv"), at("z.csv")).unwrap()),
        ("0 files read, 7 unchanged", &|| {}),
    ];
    for (says, step) in steps {
        step();
        let rows = |corpus: &str| shell.run(&format!("fingerprint -q {corpus} -f csv")).out;
        assert_eq!(rows("it.idx"), rows(&folder), "{says}");
        let done = shell.run(&line.replace(" -q", ""));
        assert!(done.err.contains(says), "{says}: {}", done.err);
        shell.run(&format!("index -q {folder} -o anew.idx"));
        assert!(
            fs::read(shell.path("it.idx")).unwrap() == fs::read(shell.path("anew.idx")).unwrap(),
            "{says}"
        );
        fs::remove_file(shell.path("anew.idx")).unwrap();
    }
    assert!(first != fs::read(shell.path("it.idx")).unwrap());
}

#[test]
fn an_index_says_that_it_is_older_than_its_corpus() {
    let (shell, folder) = corpus();
    shell.run(&format!("index -q {folder} -o it.idx"));
    fs::write(Path::new(&folder).join("rows.jsonl"), "{\"id\":\"new\",\"text\":\"one two\"}\n")
        .unwrap();
    fs::remove_file(Path::new(&folder).join("whole.txt")).unwrap();
    let done = shell.run("fingerprint it.idx -f csv");
    assert!(done.out.contains("\nnew,") && !done.out.contains("whole.txt"), "{}", done.out);
    let old = "it.idx: older than its corpus: 1 file read anew, 1 no longer there; \
               `simscope index FILE` brings it up to date";
    assert!(done.err.contains(old), "{}", done.err);
    let done = shell.run("index it.idx");
    assert!(done.err.contains("1 file read, 4 unchanged, 1 gone"), "{}", done.err);
    assert!(!done.err.contains("older"), "{}", done.err);
    assert!(!shell.run("fingerprint it.idx").err.contains("older"));
}

#[test]
fn a_large_index_can_be_the_reference() {
    let (shell, folder) = corpus();
    shell.run(&format!("index -q {folder} -o it.idx"));
    fs::write(shell.path("new.jsonl"), TEXTS.replace("log", "book")).unwrap();
    let run = |reference: &str| {
        shell.run(&format!("pairs new.jsonl --reference {reference} -k 30 -f csv")).out
    };
    assert!(run("it.idx").lines().count() > 1);
    assert_eq!(run("it.idx"), run(&folder));
}

#[test]
fn what_is_no_whole_index_is_refused() {
    let (shell, folder) = corpus();
    shell.run(&format!("index -q {folder} -o it.idx"));
    let whole = fs::read(shell.path("it.idx")).unwrap();
    let mut refused = 0;
    for at in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x15;
        fs::write(shell.path("bad.idx"), bytes).unwrap();
        // Texts are not checked.
        let done = shell.run("fingerprint bad.idx -q -f csv");
        let is_refused =
            done.code == 2 && done.err.contains("bad.idx") && done.err.contains("make it again");
        refused += usize::from(is_refused);
        assert!(is_refused || at >= 16 && done.code < 2, "{at}: {}", done.err);
    }
    assert!(refused > whole.len() / 7 * 3 / 4, "{refused} of {}", whole.len() / 7);
    for length in [0, 9, 14, 15, 16, 30, 200, whole.len() - 1] {
        fs::write(shell.path("bad.idx"), &whole[..length]).unwrap();
        let done = shell.run("pairs bad.idx -q");
        assert!(done.code == 2 || length < 9, "{length}: {}", done.err);
    }
    let mut other = whole.clone();
    other[..3].fill(0);
    fs::write(shell.path("bad.idx"), &other).unwrap();
    let told = shell.run("pairs bad.idx").refused(2);
    let said = "bad.idx: the index is damaged (its first bytes are wrong); make it again";
    assert!(told.contains(said), "{told}");
    let mut other = whole;
    other[15] = b'9';
    fs::write(shell.path("bad.idx"), &other).unwrap();
    let told = shell.run("pairs bad.idx").refused(2);
    assert!(
        told.contains("bad.idx: an index of another version of simscope; make it again"),
        "{told}"
    );
}

#[test]
fn what_cannot_be_kept_is_refused_with_the_way_out() {
    let (shell, folder) = corpus();
    shell.run(&format!("index -q {folder} -o it.idx"));
    fs::write(shell.path("rows.txt"), "mine").unwrap();
    for (line, told) in [
        ("index CORPUS", "an index is written to a file; give -o FILE.idx"),
        ("index - -o a.idx", "an index needs files that can be read again"),
        ("index -o a.idx", "an index needs files that can be read again"),
        ("index CORPUS -o CORPUS/a.idx", "is in an input folder, so the next run would read it"),
        ("index CORPUS -o rows.txt", "rows.txt: exists and is not an index"),
        ("index CORPUS --weights tf-idf -o a.idx", "freeze the frequencies first"),
        ("index CORPUS -f csv -o a.idx", "an index has one format"),
        ("index CORPUS -o a.idx --watch", "run simscope index again"),
        ("pairs it.idx --text-field body", "an index keeps the options of reading"),
        ("pairs it.idx it.idx", "give one index at a time"),
        ("pairs it.idx -o it.idx", "is an input of this run"),
    ] {
        let told_now = shell.run(&line.replace("CORPUS", &folder)).refused(2);
        assert!(told_now.contains(told), "{line}: {told_now}");
    }
    assert_eq!(shell.read("rows.txt"), "mine");
}

/// A text may begin with the name of the format.
#[test]
fn a_text_that_begins_like_an_index_is_read_and_not_replaced() {
    let (shell, folder) = corpus();
    let text = "simscope-index: notes on how I use it\n";
    fs::write(shell.path("notes.txt"), text).unwrap();
    let told = shell.run(&format!("index -q {folder} -o notes.txt")).refused(2);
    assert!(told.contains("notes.txt: exists and is not an index"), "{told}");
    assert_eq!(shell.read("notes.txt"), text);
    let done = shell.run("fingerprint notes.txt -f csv");
    assert!(done.out.contains("\nnotes.txt,"), "{} {}", done.out, done.err);
}

/// An index that names files which were never read has no documents to show for it.
#[test]
fn an_index_whose_files_are_gone_says_so() {
    let (shell, folder) = corpus();
    shell.run(&format!("index -q {folder} -o it.idx"));
    fs::remove_dir_all(&folder).unwrap();
    let told = shell.run("pairs it.idx").refused(2);
    assert!(told.contains("corpus: not found"), "{told}");
}

#[cfg(feature = "columnar")]
#[test]
fn shards_of_parquet_are_kept_by_row() {
    let (shell, folder) = corpus();
    let shard = |name: &str, from: &str| {
        let line = format!("fingerprint -q {from} -o {folder}/{name}.parquet");
        assert_eq!(shell.run(&line).code, 1);
    };
    shard("one", &format!("{folder}/rows.jsonl"));
    shell.run(&format!("index -q {folder} -o it.idx"));
    agree(&shell, "fingerprint CORPUS -f csv", &folder);
    fs::remove_file(Path::new(&folder).join("one.parquet.recipe")).unwrap();
    shard("two", &format!("{folder}/packed.jsonl.gz"));
    fs::remove_file(Path::new(&folder).join("two.parquet.recipe")).unwrap();
    let done = shell.run("index it.idx");
    assert!(done.err.contains("1 file read, 7 unchanged\n"), "{}", done.err);
    agree(&shell, "pairs CORPUS -k 20 -f csv", &folder);
    agree(&shell, "dedup CORPUS -k 20 -f csv", &folder);
}
