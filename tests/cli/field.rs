//! Small inputs of people who do this job, each with its right value: `field/README.md` beside the shared corpora.

use std::path::Path;

use super::arxiv::field;
use super::shell::{Done, Shell};

/// A run over the file, one over it on standard input, and one over it packed; `-` in the line stands for the input.
fn three_ways(line: &str, path: &Path) -> [Done; 3] {
    let shell = Shell::with(&[]);
    let bytes = std::fs::read(path).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, &bytes).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let name = format!("{name}.gz");
    std::fs::write(shell.path(&name), packed.finish().unwrap()).unwrap();
    let run = |input: &str, given: &[u8]| {
        let mut command = shell.command();
        command.args(line.split_whitespace().map(|word| if word == "-" { input } else { word }));
        Shell::finish(command, given)
    };
    [run(path.to_str().unwrap(), b""), run("-", &bytes), run(&name, b"")]
}

#[test]
fn ids_are_the_digits_as_written() {
    let Some(path) = field("id128.jsonl") else { return };
    for done in three_ways("dedup -q -f csv --kept kept.jsonl -", &path) {
        let rows = done.rows();
        assert!(rows.contains("\n340282366920938463463374607431768211454,"), "{rows}");
        assert!(rows.contains(",340282366920938463463374607431768211455,"), "{rows}");
    }
    let line = "query -q -k 0 -f jsonl --id 340282366920938463463374607431768211455 -";
    for done in three_ways(line, &path) {
        let rows = done.rows();
        assert!(rows.contains("\"340282366920938463463374607431768211454\""), "{rows}");
    }
    let Some(path) = field("bigid.jsonl") else { return };
    for done in three_ways("fingerprint -q -f csv -", &path) {
        for id in ["9007199254740993", "18446744073709551616", "1.0", "1", "1e3", "0.10"] {
            assert!(done.out.contains(&format!("\n{id},")), "{}", done.out);
        }
        assert!(!done.err.contains("occurs again"), "{}", done.err);
    }
}

#[test]
fn what_python_writes_is_read() {
    let Some(path) = field("nan.jsonl") else { return };
    for done in three_ways("pairs -q -k 0 -f csv -", &path) {
        assert!(done.err.contains("1 document") && done.err.contains("U+FFFD"), "{}", done.err);
        assert_eq!(done.rows(), "a,b,distance\n1,2,0\n1,3,0\n2,3,0\n");
    }
}

#[test]
fn json_is_read_whatever_holds_its_rows() {
    for name in ["arr.json", "obj.json"] {
        let Some(path) = field(name) else { return };
        for done in three_ways("pairs -q -k 0 -f csv -", &path) {
            assert_eq!(done.rows(), "a,b,distance\na,b,0\n");
        }
    }
    let Some(path) = field("jfp") else { return };
    let folder = path.to_str().unwrap();
    let shell = Shell::with(&[]);
    let done = shell.run_args(&["pairs", "-q", "-k", "0", "-f", "csv", folder]);
    assert_eq!(done.rows(), "a,b,distance\ndoc0,doc1,0\n");
    // A text all the same.
    let done =
        shell.run_args(&["fingerprint", "-q", "-f", "csv", "--input-format", "text", folder]);
    assert_eq!((done.code, done.out.lines().count()), (0, 4), "{}", done.err);
}

#[test]
fn a_text_may_stand_in_several_fields() {
    for (name, fields, equal) in [
        ("msgs.jsonl", "messages[].content", "1,2"),
        ("msgs.jsonl", "messages[0].content,messages[1].content", "1,2"),
        ("list.jsonl", "text", "1,2"),
        ("list.jsonl", "text[]", "1,2"),
        ("two.jsonl", "instruction,output", "1,3"),
        ("two.jsonl", "instruction, input, output", "1,3"),
    ] {
        let Some(path) = field(name) else { return };
        let rows = |line: &str| {
            let mut args: Vec<&str> = line.split(' ').collect();
            args.extend(["--text-field", fields, path.to_str().unwrap()]);
            Shell::with(&[]).run_args(&args).rows()
        };
        let found = rows("pairs -q -k 0 -f csv");
        assert_eq!(found, format!("a,b,distance\n{equal},0\n"), "{name} {fields}");
    }
}

#[test]
fn paragraphs_of_several_fields_have_their_names_above() {
    let row = "{\"ask\": \"Is it high tide\\nat noon?\", \"in\": \"\", \"out\": \"It is.\"}\n";
    let shell = Shell::with(&[("a.jsonl", row), ("two.jsonl", &row.repeat(2))]);
    let screen = |line: &str| {
        let line = format!("{line} --text-field ask,in,out --print --size 80x24");
        shell.run_args(&line.split(' ').collect::<Vec<_>>()).out
    };
    let pair = screen("two.jsonl --keys 2");
    let columns = |row: &str| row.split('│').map(|half| half.trim().to_owned()).collect();
    let rows: Vec<Vec<String>> = pair.lines().map(columns).collect();
    for expected in [["ask", "ask"], ["out", "out"], ["It is.", "It is."]] {
        assert!(rows.iter().any(|row| row == &expected), "{expected:?} in\n{pair}");
    }
    let screen = screen("a.jsonl");
    let rows: Vec<&str> = screen.lines().map(str::trim).collect();
    let at = rows.iter().position(|row| *row == "ask").unwrap_or_else(|| panic!("{screen}"));
    assert_eq!(rows[at..at + 6], ["ask", "Is it high tide", "at noon?", "", "out", "It is."]);
}

#[test]
fn a_text_with_a_stray_nul_is_a_text() {
    let Some(path) = field("nuld") else { return };
    let done = Shell::with(&[]).run_args(&["groups", "-f", "csv", path.to_str().unwrap()]);
    assert!(!done.err.contains("skipped"), "{}", done.err);
    let rows = done.rows();
    assert!(["a.txt", "b.txt", "c.txt"].iter().all(|id| rows.contains(id)), "{rows}");
}

#[test]
fn fingerprints_may_lack_zeros_in_front() {
    let Some(path) = field("sgh.csv") else { return };
    for done in three_ways("fingerprint -q -f csv --input-format csv -", &path) {
        let rows = done.rows();
        for row in ["b,0000000000000001,", "d,00000000000000ff,", "e,00000000000000ff,"] {
            assert!(rows.contains(row), "{rows}");
        }
    }
    let Some(text) = std::fs::read_to_string(path).ok() else { return };
    let short = Shell::with(&[])
        .run_with(&["fingerprint", "-q", "--bits", "8", "--input-format", "csv", "-"], &text);
    assert!(
        short.code == 1 && short.err.contains("8 bits have at most 2 hex digits"),
        "{}",
        short.err
    );
}

#[test]
fn a_stray_quote_is_told() {
    let Some(path) = field("swallow.csv") else { return };
    for done in three_ways("fingerprint -q -f csv --input-format csv -", &path) {
        let said = "3: this row spans 7 lines that look like rows";
        assert!(done.err.contains("warning: ") && done.err.contains(said), "{}", done.err);
        assert_eq!(done.rows().lines().count(), 1 + 4);
    }
}
