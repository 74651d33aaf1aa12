//! `compare`: rows of what one recipe finds alone, beside what `pairs` writes for each.

use std::collections::BTreeSet;

use super::shell::Shell;

const TEXTS: &str = r#"{"id":"tide","text":"the tide came in over the wall"}
{"id":"copy","text":"The tide  came in over the wall"}
{"id":"turned","text":"over the wall came in the tide"}
{"id":"ebb","text":"the tide came in over the walls"}
{"id":"bread","text":"flour water salt and a warm place"}
{"id":"none","text":"..."}
"#;

fn shell() -> Shell {
    Shell::with(&[("texts.jsonl", TEXTS)])
}

/// The pairs in some rows, with what stands behind them.
fn pairs(rows: &str) -> BTreeSet<(String, String)> {
    let pair = |row: &str| {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        (row["a"].as_str().unwrap().to_owned(), row["b"].as_str().unwrap().to_owned())
    };
    rows.lines().map(pair).collect()
}

#[test]
fn rows_are_what_one_of_two_runs_of_pairs_writes_alone() {
    let shell = shell();
    let ours = pairs(&shell.run("pairs texts.jsonl --features words -k 20 -f jsonl").rows());
    let theirs = pairs(&shell.run("pairs texts.jsonl -k 9 -f jsonl").rows());
    let line = "compare texts.jsonl --features words -k 20 --against words:3 --against-k 9";
    let done = shell.run(line);
    let said = format!(
        "{} pairs gained, {} lost, {} found by both: words:1 log-tf within 20, against words:3 log-tf within 9",
        ours.difference(&theirs).count(),
        theirs.difference(&ours).count(),
        ours.intersection(&theirs).count(),
    );
    assert!(done.err.contains(&said), "{said}\n{}", done.err);
    let rows = done.rows();
    let of = |change: &str| -> String {
        let rows = rows.lines().filter(|row| row.contains(&format!("\"{change}\"")));
        rows.flat_map(|row| [row, "\n"]).collect()
    };
    assert_eq!(pairs(&of("gained")), ours.difference(&theirs).cloned().collect());
    assert_eq!(pairs(&of("lost")), theirs.difference(&ours).cloned().collect());
    // The same words in another order: equal by words, far apart by threes.
    assert!(
        rows.starts_with("{\"a\":\"tide\",\"b\":\"turned\",\"distance\":0,\"other\":"),
        "{rows}"
    );
    // The other way round gained is lost.
    let other = "compare texts.jsonl -k 9 --against words:1 --against-k 20 -f csv";
    let other = shell.run(other).rows();
    assert!(other.starts_with("a,b,distance,other,change\n"), "{other}");
    assert_eq!(other.matches(",lost").count(), of("gained").lines().count());
}

#[test]
fn nothing_changes_against_itself_and_what_is_asked_wrongly_is_refused() {
    let shell = shell();
    let done = shell.run("compare texts.jsonl --against words:3");
    assert!(done.err.contains("0 pairs gained, 0 lost, 1 found by both"), "{}", done.err);
    assert_eq!(done.rows(), "");
    let table = [
        ("compare texts.jsonl", "--against"),
        ("compare texts.jsonl --against words:0", "words:0"),
        (
            "compare texts.jsonl --against bits=8 --against-k 9",
            "distance 9 is more than the 8 bits",
        ),
        (
            "compare texts.jsonl --against words:2 --features words,chars:3",
            "compare them with sweep",
        ),
    ];
    for (line, message) in table {
        let err = shell.run(line).refused(2);
        assert!(err.contains(message), "{line}: {err}");
    }
}

#[test]
fn rows_that_carry_fingerprints_have_nothing_to_compare() {
    let rows = "{\"id\":\"a\",\"fingerprint\":\"00000000000000ff\"}\n{\"id\":\"b\",\"fingerprint\":\"00000000000000fe\"}\n";
    let shell = Shell::with(&[("rows.jsonl", rows)]);
    for line in ["compare --against bits=32 rows.jsonl", "compare --against words:2 rows.jsonl"] {
        let err = shell.run(line).refused(2);
        assert!(err.contains("compare needs the texts"), "{err}");
    }
}
