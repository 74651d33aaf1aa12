//! `--where`: commands over some documents, as if there were no others.

use std::fmt::Write as _;

use serde_json::Value;

use super::shell::Shell;

/// Documents by number: every third has the label `earn`, and each is near the one before or the next.
fn row(number: u32) -> String {
    let words = ["tide", "harbour", "gull", "kelp", "sand", "moon", "pool", "crab", "salt", "wave"];
    let base = number / 2;
    let text: Vec<String> = (0..30)
        .map(|at| format!("{}{}", words[((at * at + base) % 10) as usize], (base * 7 + at) % 13))
        .collect();
    let label = if number.is_multiple_of(3) { "earn" } else { "Sea" };
    let extra = if number.is_multiple_of(2) { "" } else { " again" };
    format!(
        "{{\"id\":\"d{number}\",\"text\":\"{}{extra}\",\"label\":\"{label}\",\"n\":{number}}}\n",
        text.join(" ")
    )
}

fn corpora() -> Shell {
    let all: String = (0..60).map(row).collect();
    let some: String = (0..60).filter(|n| n % 3 != 0 && *n > 9).map(row).collect();
    Shell::with(&[("all.jsonl", &all), ("some.jsonl", &some)])
}

#[test]
fn a_command_does_as_if_the_others_were_not_there() {
    let shell = corpora();
    let commands = [
        "fingerprint",
        "pairs -k 12",
        "pairs -k 12 --weights tf-idf",
        "groups -k 12",
        "groups -k 12 --summary",
        "query -k 12 --id d10",
        "check",
        "tune",
    ];
    for command in commands {
        let run = |file: &str, filter: &[&str]| {
            let mut args: Vec<&str> = command.split(' ').collect();
            args.extend([file, "-f", "jsonl"]);
            args.extend(filter);
            shell.run_args(&args)
        };
        let expected = run("some.jsonl", &[]).rows();
        let done = run("all.jsonl", &["--where", "-label:earn n>9"]);
        assert!(done.err.contains("34 of 60 documents pass --where"), "{command}: {}", done.err);
        assert_eq!(done.rows(), expected, "{command}");
        assert!(!expected.is_empty(), "{command}");
    }
}

#[test]
fn a_copy_without_duplicates_holds_what_passes() {
    let shell = corpora();
    let args =
        |file, dropped, kept| ["dedup", file, "-k", "12", "--dropped", dropped, "--kept", kept];
    let filter = ["--where", "n>9 -label:earn"];
    let all = [&args("all.jsonl", "d1.jsonl", "k1.jsonl")[..], &filter].concat();
    assert_eq!(shell.run_args(&all).code, 0);
    assert_eq!(shell.run_args(&args("some.jsonl", "d2.jsonl", "k2.jsonl")).code, 0);
    assert_eq!(shell.read("k1.jsonl"), shell.read("k2.jsonl"));
    let ids = |file: &str| -> Vec<Value> {
        let rows = shell.read(file);
        rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap()["id"].take()).collect()
    };
    assert!(!ids("d1.jsonl").is_empty());
    assert_eq!(ids("d1.jsonl"), ids("d2.jsonl"));
}

#[test]
fn a_filter_that_cannot_be_used_is_refused_with_the_reason() {
    let shell = corpora();
    let refused =
        |filter: &str| shell.run_args(&["pairs", "all.jsonl", "--where", filter]).refused(2);
    let mut told = String::new();
    for filter in ["is:nere", "a \"b", "words>many", "near>0", "is:copy", " ", "d<=2", "lable:earn"]
    {
        let line = refused(filter);
        writeln!(told, "{}", line.lines().take(4).collect::<Vec<_>>().join("\n")).unwrap();
    }
    insta::assert_snapshot!(told);
    let done = shell.run_args(&["--where", "tide"]);
    assert_eq!(done.code, 2, "{}", done.err);
}

#[test]
fn words_look_into_escapes_quotes_and_packed_rows() {
    let cells = "id,text,by\na,\"said \"\"low tide\"\" (.*)\",x\nb,\"two\nlines\",\"Low \"\"Tide\"\"\"\nc,plain,\n";
    let shell = Shell::with(&[("c.csv", cells)]);
    let ids = |filter: &str| {
        let done = shell.run_args(&["fingerprint", "c.csv", "-f", "tsv", "--where", filter]);
        let rows = done.rows();
        rows.lines().skip(1).map(|row| row[..1].to_owned()).collect::<String>()
    };
    assert_eq!(ids("tide"), "a");
    assert_eq!(ids("by:tide"), "b");
    assert_eq!(ids("\"two lines\""), "b");
    assert_eq!(ids("(.*)"), "a");
    assert_eq!(ids("-tide -lines"), "c");
    assert_eq!(ids("-by:x"), "bc");
    assert_eq!(ids("(.*) -x source:c.csv"), "a");
}
