//! Reading as a shell sees it: copies byte for byte, names that differ, and messages that do not fill a screen.

use super::shell::{Done, Shell};

/// A run over these bytes as a file, on standard input and packed; `-` in the line stands for the input.
fn three_ways(line: &str, name: &str, bytes: &[u8]) -> [(Shell, Done); 3] {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, bytes).unwrap();
    let (packed, packed_name) = (packed.finish().unwrap(), format!("{name}.gz"));
    let files = [(name, bytes), ("-", b""), (&packed_name, &packed)];
    files.map(|(input, file)| {
        let shell = Shell::with(&[]);
        std::fs::write(shell.path(input), file).unwrap();
        let mut command = shell.command();
        command.args(line.split_whitespace().map(|word| if word == "-" { input } else { word }));
        let done = Shell::finish(command, if input == "-" { bytes } else { b"" });
        (shell, done)
    })
}

#[test]
fn a_copy_keeps_mark_header_and_line_ends() {
    let rows = "\u{feff}\"id\", \"text\"\r\n1,the harbour wall\r\n2,the harbour wall\r\n3,\"a \"\"moor\"\"\r\nat dusk\"";
    let kept = rows.replace("2,the harbour wall\r\n", "") + "\r\n";
    let line = "dedup -q --input-format csv --text-field 2 --no-header --kept kept.csv -";
    for (shell, done) in three_ways(line, "a.csv", rows.as_bytes()) {
        assert_eq!(done.code, 0, "{}", done.err);
        assert_eq!(shell.read("kept.csv"), kept);
    }
    let rows = rows.replace(", \"text\"", ",\"text\"");
    let kept = kept.replace(", \"text\"", ",\"text\"");
    for (shell, done) in
        three_ways("dedup -q --input-format csv --kept kept.csv -", "a.csv", rows.as_bytes())
    {
        assert_eq!(done.code, 0, "{}", done.err);
        assert_eq!(shell.read("kept.csv"), kept);
    }
    for (name, rows) in [
        (
            "a.jsonl",
            "{\"id\":1.0,\"text\":\"a\"}\r\n{\"id\":2,\"text\":\"a\"}\r\n{\"id\":3,\"x\":NaN,\"text\":\"b\"}",
        ),
        ("a.txt", "the moor\r\nthe moor\r\nthe bay"),
    ] {
        let format = if name == "a.txt" { "--input-format lines" } else { "--input-format jsonl" };
        for (shell, done) in
            three_ways(&format!("dedup -q {format} --kept kept -"), name, rows.as_bytes())
        {
            assert_eq!(done.code, 0, "{}", done.err);
            let lines: Vec<&str> = rows.split("\r\n").collect();
            assert_eq!(shell.read("kept"), format!("{}\r\n{}\r\n", lines[0], lines[2]));
        }
    }
}

#[test]
fn quotes_may_be_escaped_by_a_backslash() {
    let rows = "id,text\n1,\"so \\\"it\\\" goes, here\"\n2,\"so \\\"it\\\" goes, here\"\n3,\"on\n\\\"moors\\\"\"\n";
    let line = "dedup -q --input-format csv --csv-escape \\ -f csv --kept kept.csv -";
    for (shell, done) in three_ways(line, "a.csv", rows.as_bytes()) {
        assert_eq!((done.code, done.out.lines().count()), (0, 2), "{}", done.err);
        assert_eq!(shell.read("kept.csv"), rows.replace("2,\"so \\\"it\\\" goes, here\"\n", ""));
    }
    let [(shell, _), ..] = three_ways(line, "a.csv", rows.as_bytes());
    let found = shell.run_args(&[
        "query",
        "-q",
        "--input-format",
        "csv",
        "--csv-escape",
        "\\",
        "--text",
        "on \"moors\"",
        "-f",
        "csv",
        "a.csv",
    ]);
    assert!(found.rows().contains("\n3,0"));
}

#[test]
fn of_two_columns_of_one_name_the_first_is_read_and_told() {
    let shell = Shell::with(&[("a.csv", "id,text,text\n1,a,b\n2,a,c\n")]);
    let done = shell.run("pairs -q -k 0 -f csv a.csv");
    assert!(
        done.err.contains("a.csv:1: 2 columns are named \"text\", and the first is read"),
        "{}",
        done.err
    );
    assert_eq!(done.rows(), "a,b,distance\n1,2,0\n");
}

#[test]
fn files_of_two_folders_have_paths_that_differ() {
    let shell =
        Shell::with(&[("same.txt", "the harbour wall"), ("rows.jsonl", "{\"text\":\"a moor\"}\n")]);
    for name in ["x/d", "y/d"] {
        std::fs::create_dir_all(shell.path(name)).unwrap();
        std::fs::write(shell.path(name).join("same.txt"), "the harbour wall").unwrap();
        std::fs::write(shell.path(name).join("rows.jsonl"), "{\"text\":\"a moor\"}\n").unwrap();
    }
    let ids = |line: &str| {
        let done = shell.run(&format!("fingerprint -q -f csv {line}"));
        assert!(!done.err.contains("occurs again"), "{}", done.err);
        let rows = done.rows();
        rows.lines()
            .skip(1)
            .map(|row| row.split(',').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids("x/d"), ["rows.jsonl:1", "same.txt"]);
    assert_eq!(
        ids("x/d/ y/d"),
        ["x/d/rows.jsonl:1", "x/d/same.txt", "y/d/rows.jsonl:1", "y/d/same.txt"]
    );
    assert_eq!(
        ids("x/d/same.txt y/d/same.txt rows.jsonl"),
        ["x/d/same.txt", "y/d/same.txt", "rows.jsonl:1"]
    );
    assert_eq!(ids("x/d same.txt").len(), 3);
    // The two sides of a comparison have names of their own.
    let across = shell.run("pairs -q -k 0 -f csv --reference y/d x/d").rows();
    assert!(across.contains("\nsame.txt,same.txt,0"), "{across}");
}

#[test]
fn what_is_given_twice_is_read_once_and_told() {
    let shell = Shell::with(&[("a.jsonl", "{\"id\":1,\"text\":\"a moor\"}\n")]);
    std::fs::create_dir(shell.path("d")).unwrap();
    std::fs::write(shell.path("d/b.txt"), "the bay").unwrap();
    for (paths, said) in [
        ("a.jsonl a.jsonl", "warning: a.jsonl: given twice; each of its files is read once"),
        ("a.jsonl ./a.jsonl", "warning: ./a.jsonl: given twice, also as a.jsonl;"),
        ("d d/b.txt", "warning: d/b.txt: given twice, also in d;"),
    ] {
        let done = shell.run(&format!("fingerprint -q -f csv {paths}"));
        assert!(done.err.contains(said) && !done.err.contains("occurs again"), "{}", done.err);
        assert_eq!(done.err.matches("given twice").count(), 1, "{}", done.err);
        assert_eq!(done.rows().lines().count(), 2);
    }
    let refused = shell.run("pairs -q -k 0 --reference a.jsonl a.jsonl").refused(2);
    assert!(!refused.contains("given twice"), "{refused}");
}

/// A line for each of the first three of a kind, and a count.
#[test]
fn equal_problems_are_counted() {
    let mut rows = "{\"body\":\"x\",\"n\":1}\n".repeat(300) + "{\"text\":\"a moor\"}\nnot JSON\n";
    rows += &"{\"other\":2}\n".repeat(2);
    let shell = Shell::with(&[("a.jsonl", &rows)]);
    let done = shell.run("pairs -q -f csv a.jsonl");
    assert_eq!(done.code, 1);
    let said: Vec<&str> = done.err.lines().collect();
    assert_eq!(said.len(), 5, "{}", done.err);
    assert_eq!(
        said[0],
        "a.jsonl:1: no field \"text\" among \"body\", \"n\"; name it with --text-field"
    );
    assert_eq!(said[3], "and 299 problems like these three, up to a.jsonl:304");
    assert!(said[4].starts_with("a.jsonl:302: broken JSON"), "{}", said[4]);
}

#[test]
fn what_is_passed_over_is_named_on_request() {
    let shell = Shell::with(&[]);
    std::fs::create_dir(shell.path("d")).unwrap();
    for (name, bytes) in
        [("a.txt", &b"the moor"[..]), ("p.png", b"\x89PNG\0\0"), (".h", b"x"), ("b.log", b"x")]
    {
        std::fs::write(shell.path("d").join(name), bytes).unwrap();
    }
    let done = shell.run("fingerprint -f csv --glob *.[tp]* d");
    let counts = "note: skipped 1 hidden, 1 binary and 1 unmatched file; --list-skipped names them";
    assert!(
        done.code == 0 && done.err.contains(counts) && !done.err.contains("p.png"),
        "{}",
        done.err
    );
    let done = shell.run("fingerprint -f csv --list-skipped --glob *.[tp]* d");
    for said in ["d/p.png: binary, not text", "d/.h: hidden", "d/b.log: not matched by --glob"] {
        assert!(done.err.contains(said), "{}", done.err);
    }
    assert_eq!(done.code, 0);
}

/// 8-digit fingerprints under 64 bits are numbers without zeros in front, or are they?
#[test]
fn fingerprints_that_use_half_of_their_width_are_told() {
    let rows = (0..9).map(|n| format!("deadbee{n}\n")).collect::<Vec<_>>().concat();
    let shell = Shell::with(&[("a.txt", &rows)]);
    let line = "fingerprint -f csv --input-format fingerprints a.txt";
    let said = "no fingerprint needs more than 32 of 64 bits; name their width with --bits";
    assert!(shell.run(line).err.contains(said));
    for stated in ["--bits 32", "--bits 64"] {
        assert!(!shell.run(&format!("{line} {stated}")).err.contains(said));
    }
}
