//! An index file: the same rows as from the corpus, whatever has happened to the files since.

use std::fs;
use std::path::Path;

use super::shell::Shell;
use crate::corpus::archives::tar;
use crate::corpus::gzip;

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
        (done.code, done.out, done.err.replace("index: it.idx\n", ""))
    };
    assert_eq!(run("it.idx"), run(folder), "{line}");
}

#[test]
fn an_index_gives_the_rows_of_its_corpus() {
    let (shell, folder) = corpus();
    let made = shell.run(&format!("index {folder} -o it.idx"));
    assert_eq!(made.code, 1, "{}", made.err);
    assert!(made.err.contains("note: it.idx: 10 documents\n"), "{}", made.err);
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

/// Files come, change and go: the index is not used until it is made again, and says so.
#[test]
fn an_index_whose_files_have_changed_is_not_used() {
    let (shell, folder) = corpus();
    let at = |name: &str| Path::new(&folder).join(name);
    shell.run(&format!("index -q {folder} -o it.idx"));
    let steps: [&dyn Fn(); 5] = [
        &|| fs::write(at("new.txt"), "new words").unwrap(),
        &|| fs::write(at("rows.jsonl"), "{\"text\":\"one\"}\n").unwrap(),
        &|| fs::remove_file(at("packed.jsonl.gz")).unwrap(),
        &|| fs::rename(at("cells.csv"), at("z.csv")).unwrap(),
        // Nothing is read from it, but it is counted.
        &|| fs::write(at(".more"), "no").unwrap(),
    ];
    let old =
        "it.idx: older than its corpus, so all files are read; `simscope index` makes it again";
    for (number, step) in steps.into_iter().enumerate() {
        step();
        let [from_index, from_files] =
            ["it.idx", &folder].map(|corpus| shell.run(&format!("fingerprint {corpus} -f csv")));
        assert_eq!(from_index.out, from_files.out, "{number}");
        assert!(from_index.err.contains(old), "{number}: {}", from_index.err);
        let done = shell.run("index it.idx");
        assert!(!done.err.contains("nothing") && !done.err.contains("older"), "{}", done.err);
        agree(&shell, "fingerprint CORPUS -f csv", &folder);
        shell.run(&format!("index -q {folder} -o anew.idx"));
        let [it, anew] = ["it.idx", "anew.idx"].map(|name| fs::read(shell.path(name)).unwrap());
        assert!(it == anew, "{number}");
        fs::remove_file(shell.path("anew.idx")).unwrap();
    }
    let when = || fs::metadata(shell.path("it.idx")).unwrap().modified().unwrap();
    let before = when();
    let done = shell.run("index it.idx");
    assert!(done.err.contains(" documents; nothing has changed\n"), "{}", done.err);
    assert_eq!(when(), before);
}

/// A cache is found by itself, and changes no word of any answer but the line that names it.
#[test]
fn the_index_beside_a_corpus_is_used() {
    let (shell, folder) = corpus();
    fs::create_dir(Path::new(&folder).join("below")).unwrap();
    fs::write(Path::new(&folder).join("below/more.txt.gz"), gzip(b"the tide log")).unwrap();
    fs::write(shell.path("new.jsonl"), TEXTS.replace("log", "book")).unwrap();
    let lines = [
        "fingerprint CORPUS -f csv",
        "dedup ./corpus// -k 20 -f csv",
        "pairs corpus/rows.jsonl -k 20 -f csv",
        "pairs new.jsonl --reference corpus -k 30 -f csv",
        "check CORPUS",
        "corpus --print --keys 3 --fresh",
    ];
    let run = |line: &str| shell.run(&line.replace("CORPUS", "corpus"));
    let before = lines.map(run);
    assert!(run("index corpus").err.contains("note: corpus.idx: 11 documents\n"));
    assert!(run("index corpus/rows.jsonl").err.contains("note: corpus/rows.jsonl.idx: "));
    fs::rename(shell.path("corpus/rows.jsonl.idx"), shell.path("aside")).unwrap();
    for (line, before) in lines.iter().zip(before) {
        let is_of_rows = line.contains("rows.jsonl");
        if is_of_rows {
            fs::rename(shell.path("aside"), shell.path("corpus/rows.jsonl.idx")).unwrap();
        }
        let after = run(line);
        assert_eq!((after.code, after.out), (before.code, before.out), "{line}");
        let named: Vec<_> = after.err.lines().filter(|it| it.starts_with("index: ")).collect();
        assert_eq!(named.len(), usize::from(!line.contains("--print")), "{line}: {}", after.err);
        let rest: String = after.err.lines().filter(|it| !it.starts_with("index: ")).collect();
        assert_eq!(rest, before.err.lines().collect::<String>(), "{line}");
        // A file that comes would make the index of the folder an old one.
        let _ = fs::remove_file(shell.path("corpus/rows.jsonl.idx"));
    }
    let again = run("index corpus -o corpus.idx");
    assert!(again.err.contains("corpus.idx: 11 documents; nothing has changed"), "{}", again.err);
    let beside = run("fingerprint corpus.idx new.jsonl");
    assert!(beside.err.contains("corpus.idx is not used beside other paths"), "{}", beside.err);
    assert!(!beside.err.contains("index: ") && !beside.err.contains("older"), "{}", beside.err);
    // Under another recipe or other options the files are read.
    let other = run("pairs corpus --features chars:5");
    assert!(other.err.contains("corpus.idx is an index of another recipe"), "{}", other.err);
    assert!(!run("pairs corpus --text-field x").err.contains(".idx"));
    fs::write(shell.path("corpus.idx"), "simscope-index/7 and no more").unwrap();
    let damaged = run("pairs corpus");
    let told = "corpus.idx: the index is damaged; make it again from its corpus; it is not used";
    assert!(damaged.err.contains(told), "{}", damaged.err);
    assert_ne!(damaged.code, 2);
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
    assert!(told.contains("bad.idx: the index is damaged; make it again"), "{told}");
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
        ("index CORPUS CORPUS/rows.jsonl", "an index is written to a file; give -o FILE.idx"),
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

#[cfg(unix)]
#[test]
fn a_file_that_an_index_cannot_name_is_named() {
    use std::os::unix::ffi::OsStrExt as _;
    let shell = Shell::with(&[]);
    fs::create_dir(shell.path("odd")).unwrap();
    let name = std::ffi::OsStr::from_bytes(b"a\xff.txt");
    // Not every system has such names.
    if fs::write(shell.path("odd").join(name), "the tide log").is_err() {
        return;
    }
    let told = shell.run("index odd").refused(2);
    assert!(
        told.contains("a\u{fffd}.txt: the name is not UTF-8")
            || told.contains("a\\xff.txt: the name is not UTF-8"),
        "{told}"
    );
    assert!(!shell.path("odd.idx").exists());
    assert!(shell.run("fingerprint odd").rows().contains("fingerprint"));
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
fn shards_of_parquet_are_kept() {
    let (shell, folder) = corpus();
    let shard = |name: &str, from: &str| {
        let line = format!("fingerprint -q {from} -o {folder}/{name}.parquet");
        assert_eq!(shell.run(&line).code, 1);
    };
    shard("one", &format!("{folder}/rows.jsonl"));
    shard("two", &format!("{folder}/packed.jsonl.gz"));
    shell.run(&format!("index -q {folder} -o it.idx"));
    agree(&shell, "fingerprint CORPUS -f csv", &folder);
    // The recipe beside a file is looked for anew.
    for name in ["one", "two"] {
        fs::remove_file(Path::new(&folder).join(format!("{name}.parquet.recipe"))).unwrap();
    }
    agree(&shell, "pairs CORPUS -k 20 -f csv", &folder);
    agree(&shell, "dedup CORPUS -k 20 -f csv", &folder);
}
