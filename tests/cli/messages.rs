//! Exit codes and messages: place, problem, remedy.

use super::shell::{BITS, Shell};

fn shell() -> Shell {
    let good = "{\"id\":\"x\",\"text\":\"one two three four\"}\n";
    Shell::with(&[
        ("bits.jsonl", BITS),
        ("good.jsonl", good),
        ("broken.jsonl", &format!("{good}{{not JSON\n")),
        ("fieldless.jsonl", &format!("{good}{{\"body\":\"x\"}}\n")),
        ("ragged.csv", "id,text\n1,one two\n2,three,four,five\n"),
        ("empty.jsonl", ""),
        ("twice.jsonl", &format!("{good}{good}")),
    ])
}

/// The run must end with 2, write no row and say `message`.
#[track_caller]
fn refuses(line: &str, message: &str) {
    let err = shell().run(line).refused(2);
    assert!(err.contains(message), "{line}\n{err}");
}

#[test]
fn what_cannot_be_read_at_all_is_not_done() {
    refuses("pairs missing.jsonl", "error: missing.jsonl: not found; check the path\n");
    refuses("missing.jsonl", "error: missing.jsonl: not found; check the path\n");
    refuses(
        "pairs empty.jsonl",
        "error: empty.jsonl: no documents; name a file or folder that holds text",
    );
    refuses(
        "pairs gone.jsonl lost.jsonl",
        "lost.jsonl: not found; check the path\nerror: no document could be read",
    );
}

#[test]
fn what_is_skipped_is_named_and_the_rest_is_done() {
    for (line, message) in [
        ("broken.jsonl", "broken.jsonl:2: broken JSON"),
        ("fieldless.jsonl", "fieldless.jsonl:2: no field \"text\""),
        ("ragged.csv", "ragged.csv:3: "),
        ("good.jsonl missing.jsonl", "missing.jsonl: not found; check the path"),
        (
            "bits.jsonl --bits 4",
            "bits.jsonl:1: fingerprint \"00\": it has 2 characters, but 4 bits have at most 1 hex digits",
        ),
    ] {
        // Being quiet silences notes, not what was skipped.
        let done = shell().run(&format!("fingerprint --quiet {line}"));
        assert_eq!(done.code, 1, "{line}\n{}", done.err);
        assert!(!done.out.is_empty(), "{line}");
        assert!(done.err.starts_with(message), "{line}\n{}", done.err);
    }
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let shell = shell();
    std::fs::set_permissions(shell.path("good.jsonl"), std::fs::Permissions::from_mode(0o000))
        .unwrap();
    if std::fs::read(shell.path("good.jsonl")).is_ok() {
        eprintln!("skipped: this user reads everything");
        return;
    }
    let err = shell.run("pairs good.jsonl").refused(2);
    assert!(
        err.contains("good.jsonl: permission denied; make it readable or leave it out"),
        "{err}"
    );
}

#[test]
fn policy_skips_are_a_note_and_no_failure() {
    let shell = shell();
    for (name, bytes) in [("a.txt", "one"), (".hidden", "two"), ("b.bin", "\0\0\0")] {
        std::fs::create_dir_all(shell.path("folder")).unwrap();
        std::fs::write(shell.path("folder").join(name), bytes).unwrap();
    }
    let done = shell.run("fingerprint folder -f csv");
    assert_eq!(done.code, 0);
    assert!(
        done.err.contains("note: skipped 1 hidden and 1 binary file; --list-skipped names them\n"),
        "{}",
        done.err
    );
    assert_eq!(shell.run("fingerprint folder --quiet").err, "");
}

#[test]
fn wrong_values_are_refused_before_anything_is_read() {
    refuses("pairs -k three", "invalid value 'three' for '--distance <N>'");
    refuses("pairs --bits 0", "0 is not in 1..=128");
    refuses("pairs --bits 129", "129 is not in 1..=128");
    refuses("pairs --weights heavy", "[possible values: binary, tf, log-tf, tf-idf]");
    refuses("pairs --features letters", "letters");
    refuses("pairs --threads 0", "0 is not in 1..=1024");
    refuses("pairs --bands 5", "write bands x bits, such as 5x12");
    refuses("pairs --bands 5x13 --bits 64", "5 bands of 13 bits need 65 bits");
    refuses("pairs --bands 5x12 --blocks 4", "two layouts; give one of them");
    refuses("pairs --recipe bits=129", "a fingerprint has 1 to 128");
    refuses("pairs --recipe words:2 --bits 32", "--recipe is a whole recipe; leave --bits out");
    refuses(
        "pairs --stop-words nowhere.txt",
        "--stop-words: nowhere.txt: not found; check the path",
    );
    refuses("pairs --print", "unexpected argument '--print'");
    refuses("--print pairs", "--print is for the explorer");
    refuses("-f csv", "--format is for rows; add a command");
    refuses("pairs -o nowhere/x.csv", "nowhere/x.csv: no such folder to write to; make it first");
}

#[test]
fn blocks_must_be_more_than_the_distance() {
    let err = shell().run("pairs --blocks 3 -k 3 missing.jsonl").refused(2);
    let message =
        "3 blocks cannot guarantee distance 3; use at least 4 blocks (--blocks 4) or a smaller -k";
    assert_eq!(err, format!("error: {message}\n"));
    refuses(
        "pairs --bits 2 -k 3",
        "distance 3 is more than the 2 bits of a fingerprint; use a smaller -k",
    );
    // The usual distance is never more than the bits there are.
    assert_eq!(shell().run("pairs --bits 2 good.jsonl").code, 0);
    // No search, no distance.
    assert_eq!(shell().run("fingerprint --bits 2 good.jsonl").code, 0);
}

#[test]
fn ids_and_queries_that_lead_nowhere_are_told() {
    refuses(
        "query --id tide-lgo",
        "no document \"tide-lgo\" in sample.jsonl; ids like it are \"tide-log\"",
    );
    refuses(
        "query --id zzz bits.jsonl --bits 8",
        "no document \"zzz\" in bits.jsonl; ids are \"a\", \"b\", \"c\" and so on",
    );
    refuses("explain a y bits.jsonl --bits 8", "no document \"y\" in bits.jsonl");
    refuses("query --id g bits.jsonl --bits 8", "document \"g\" has no features");
    refuses("query --text ... good.jsonl", "the text has no features");
    refuses(
        "query --text-file lost.txt good.jsonl",
        "--text-file: lost.txt: not found; check the path",
    );
    refuses(
        "query --fingerprint ff --bits 4 good.jsonl",
        "it has 2 characters, but 4 bits have at most 1 hex digits",
    );
    refuses("query good.jsonl", "required arguments were not provided");
    refuses("query --id a --text b good.jsonl", "cannot be used with");
}

#[test]
fn an_id_of_several_documents_means_the_first_and_says_so() {
    let done = shell().run("query --id x twice.jsonl -f csv --quiet");
    assert_eq!(done.out, "id,distance\nx,0\n");
    let places = "(twice.jsonl:1, twice.jsonl:2)";
    let last =
        format!("warning: 2 documents have the id \"x\" {places}; the first of them is used\n");
    assert!(done.err.ends_with(&last), "{}", done.err);
    assert_eq!(done.err.lines().count(), 2, "{}", done.err);
}

#[test]
fn bands_say_where_their_guarantee_ends() {
    let bands = |k: u32| shell().run(&format!("pairs --bits 8 --bands 2x4 -k {k} bits.jsonl")).err;
    assert!(bands(2).contains(
        "note: 2x4 guarantees distance 1 (bands - 1), less than 2, so pairs may be missed"
    ));
    assert!(!bands(1).contains("guarantees"), "{}", bands(1));
}

#[test]
fn the_explorer_needs_a_terminal() {
    refuses("good.jsonl", "standard output is not a terminal");
}

#[test]
fn a_mistyped_command_or_path_is_answered_with_the_nearest() {
    refuses("pars", "error: pars: not found; did you mean the command pairs?");
    refuses("groops good.jsonl", "groops: not found; did you mean the command groups?");
    for (old, told) in [
        ("evaluate --truth exact good.jsonl", "evaluate is `simscope tune --layouts --measure`; a"),
        ("plan --documents 2e9", "plan is `simscope cluster plan`; a file of that name is ./plan"),
        ("config check c.toml", "error: config check is `simscope config --check`\n"),
        ("help triage", "triage is `simscope check`"),
    ] {
        refuses(old, told);
    }
    refuses("good.jsonl explian", "explian: not found; did you mean the command explain?");
    refuses("god.jsonl", "god.jsonl: not found; did you mean the path good.jsonl?");
    refuses("brok", "brok: not found; did you mean the path broken.jsonl?");
}

#[test]
fn ids_that_occur_twice_are_named_with_both_places() {
    let message = "warning: twice.jsonl:1: the id \"x\" occurs again at twice.jsonl:2; \
                   2 documents in all; rows name documents by id, so a list of ids means all of them";
    let lines = [
        "pairs twice.jsonl",
        "groups twice.jsonl",
        "groups --summary twice.jsonl",
        "fingerprint twice.jsonl",
        "query --text one twice.jsonl",
        "check -q twice.jsonl",
    ];
    for line in lines {
        let done = shell().run(line);
        assert_eq!(done.err.matches(message).count(), 1, "{line}\n{}", done.err);
        assert_eq!(done.code, 0, "{line}: nothing was skipped");
    }
    // Two inputs of one name are told apart by their folders.
    let shell = Shell::with(&[("plain.txt", "one two three\n")]);
    std::fs::create_dir(shell.path("other")).unwrap();
    std::fs::write(shell.path("other").join("plain.txt"), "four five six\n").unwrap();
    let done = shell.run("pairs plain.txt other/plain.txt");
    assert!(!done.err.contains("occurs again"), "{}", done.err);
}

#[test]
fn a_web_archive_is_read_by_its_records() {
    let warc = "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n";
    let shell = Shell::with(&[("crawl.warc", warc), ("notes.txt", "about WARC/1.0 files\n")]);
    let done = shell.run("fingerprint crawl.warc notes.txt -f csv");
    let message = "warning: crawl.warc: records without text were skipped: 1 warcinfo; only plain text is \
                   read\n";
    assert!(done.err.contains(message), "{}", done.err);
    assert_eq!((done.code, done.out.lines().count()), (0, 2), "{}", done.err);
    let done = shell.run_with(&["fingerprint", "-f", "csv", "-"], warc);
    assert!(done.err.contains("standard input: no documents"), "{}", done.err);
    // Whoever names the format means it.
    let done = shell.run("fingerprint --input-format text crawl.warc");
    assert!(!done.err.contains("records"), "{}", done.err);
}

/// Texts of another character set are read, and the run says that their words are wrong.
#[test]
fn bytes_of_another_character_set_are_told_once() {
    let shell = Shell::with(&[]);
    std::fs::create_dir(shell.path("texts")).unwrap();
    std::fs::write(shell.path("texts/a.txt"), b"caf\xe9 in the tide").unwrap();
    std::fs::write(shell.path("texts/b.txt"), b"na\xefve tide").unwrap();
    std::fs::write(shell.path("texts/c.txt"), "the tide").unwrap();
    let done = shell.run("fingerprint --quiet texts");
    let said = "warning: corpus: 2 documents with bytes or escapes that are no characters, read as U+FFFD; name the set with";
    assert_eq!((done.code, done.err.matches(said).count()), (0, 1), "{}", done.err);
    if cfg!(feature = "formats") {
        let done = shell.run("fingerprint --quiet --encoding latin1 texts");
        assert!(!done.err.contains("U+FFFD"), "{}", done.err);
    }
}

/// A program or a picture is no text of any character set.
#[cfg(feature = "formats")]
#[test]
fn binary_files_have_no_character_set() {
    let shell = Shell::with(&[("a.txt", "the tide")]);
    std::fs::create_dir(shell.path("files")).unwrap();
    std::fs::write(shell.path("files/a.txt"), b"caf\xe9 in the tide").unwrap();
    std::fs::write(shell.path("files/i.png"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xe9").unwrap();
    for encoding in ["auto", "windows-1252"] {
        let done = shell.run(&format!("fingerprint --encoding {encoding} files"));
        assert_eq!((done.code, done.out.lines().count()), (0, 1), "{}", done.err);
        assert!(done.err.contains("skipped 1 binary file"), "{}", done.err);
    }
}
