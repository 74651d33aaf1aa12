//! Judged pairs: what they say of each k, labels printed and imported.

use super::shell::Shell;

/// Two versions of a text, a copy of one, and a stranger that shares the narrow fingerprint of another.
const TEXTS: &str = r#"{"id":"tide","text":"the tide came in over the wall"}
{"id":"copy","text":"The tide  came in over the wall"}
{"id":"ebb","text":"the tide came in over the walls"}
{"id":"bread","text":"flour water salt and a warm place"}
{"id":"loaf","text":"flour water salt and some warm place"}
"#;

const TRUTH: &str = "id1,id2,label\ntide,ebb,match\ncopy,ebb,1\nbread,loaf,0\nbread,cake,1\n";

fn shell() -> Shell {
    Shell::with(&[("texts.jsonl", TEXTS), ("truth.csv", TRUTH)])
}

/// The rows without those that have no pairs at k.
fn rows(out: &str) -> Vec<String> {
    let rows = out.lines().map(str::to_owned);
    rows.filter(|row| !row.contains("\"at_k\":0,")).collect()
}

#[test]
fn truth_by_id_makes_a_row_for_each_k_of_the_window() {
    let run = shell().run("tune texts.jsonl --features words:1 --bits 24 --truth truth.csv");
    assert_eq!(run.code, 0, "{}", run.err);
    let out = run.out;
    assert_eq!(out.lines().count(), 9);
    for row in rows(&out) {
        let row: serde_json::Value = serde_json::from_str(&row).unwrap();
        let number = |name: &str| row[name].as_u64().unwrap();
        let judged = number("yes") + number("no") + number("unsure");
        assert!(judged + number("one_text") <= number("at_k"), "{row}");
        assert!(row["bound"].as_f64() <= row["within"].as_f64().or(Some(1.0)), "{row}");
    }
    let first: serde_json::Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!((&first["at_k"], &first["one_text"]), (&1.into(), &1.into()), "{first}");
    assert_eq!(first["precision_low"], serde_json::Value::Null, "one text twice is no evidence");
}

#[test]
fn the_same_judgements_as_labels_say_the_same() {
    let shell = shell();
    let import = shell.run("labels texts.jsonl --labels kept.jsonl --import truth.csv");
    assert_eq!(import.code, 0, "{}", import.err);
    // Two rows of the truth are one pair of texts, and one names a document that is not there.
    assert!(
        import.err.contains("2 labels added to kept.jsonl, 1 were there already, 1 name documents"),
        "{}",
        import.err
    );
    assert_eq!(
        shell.run("labels --labels kept.jsonl -f csv").rows(),
        "id1,id2,label,source\ntide,ebb,yes,truth.csv\nloaf,bread,no,truth.csv\n"
    );
    let again = shell.run("labels texts.jsonl --labels kept.jsonl --import truth.csv");
    assert!(again.err.contains("0 labels added"), "{}", again.err);
    let common = "tune texts.jsonl --features words:1 --bits 24 --target 0.5";
    let by_id = shell.run(&format!("{common} --truth truth.csv")).rows();
    let by_text = shell.run(&format!("{common} --labels kept.jsonl")).rows();
    // A label of two texts settles the pairs of their copies; a truth file names each pair.
    let judged = |out: &str| -> Vec<(bool, bool)> {
        let rows = out.lines().map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap());
        rows.map(|row| (row["yes"] != 0, row["no"] != 0)).collect()
    };
    assert_eq!(judged(&by_id), judged(&by_text));
}

#[test]
fn labels_survive_another_recipe_and_another_order() {
    let shell = shell();
    shell.run("labels texts.jsonl --labels kept.jsonl --import truth.csv");
    let reversed: Vec<&str> = TEXTS.lines().rev().collect();
    let renamed = reversed.join("\n").replace("\"id\":\"", "\"id\":\"new-");
    std::fs::write(shell.path("renamed.jsonl"), renamed).unwrap();
    for recipe in ["-k 20 --features chars:3", "-k 12 --bits 12", "-k 24 --seed 5 --bits 128"] {
        let run = |file: &str| shell.run(&format!("tune {file} {recipe} --labels kept.jsonl"));
        let (run, renamed) = (run("texts.jsonl"), run("renamed.jsonl"));
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(run.out, renamed.out, "{recipe}");
    }
}

#[test]
fn what_cannot_be_used_is_told_and_refused() {
    let shell = shell();
    std::fs::write(shell.path("bad.csv"), "id1,id2,label\ntide,ebb,perhaps\ntide,copy,1\n")
        .unwrap();
    let run = shell.run("tune texts.jsonl --truth bad.csv");
    assert_eq!(run.code, 1);
    assert!(
        run.err.contains("bad.csv:2: label \"perhaps\" is unknown; write 1 or yes"),
        "{}",
        run.err
    );
    for (line, problem) in [
        ("tune texts.jsonl --labels texts.jsonl", "texts.jsonl: has lines, but no label"),
        ("tune texts.jsonl --truth none.csv", "none.csv: not found"),
        ("tune texts.jsonl --truth truth.csv --target 95", "between 0 and 1"),
        ("tune texts.jsonl --truth truth.csv --looks once", "that you choose before you begin"),
        ("tune texts.jsonl --complete-truth", "--truth"),
        ("tune texts.jsonl --truth truth.csv -o truth.csv", "is an input of this run"),
    ] {
        let run = shell.run(line);
        assert_eq!(run.code, 2, "{line}: {}", run.err);
        assert!(run.err.contains(problem), "{line}: {}", run.err);
    }
    assert_eq!(shell.read("texts.jsonl"), TEXTS, "nothing was added to it");
}

/// The statements of benchmarks, judged to the last pair.
#[test]
fn truth_of_real_corpora() {
    let Ok(shared) = std::env::var("SIMSCOPE_SHARED") else {
        eprintln!("skipped: SIMSCOPE_SHARED names no folder of corpora");
        return;
    };
    let run = |name: &str, rest: &str| {
        let folder = format!("{shared}/corpora/{name}");
        let line = format!("tune {folder}/docs.jsonl --truth {folder}/pairs.csv {rest}");
        let run = shell().run(&line);
        assert_eq!(run.code, 0, "{}", run.err);
        let rows = run.out.lines().map(|row| serde_json::from_str(row).unwrap());
        (rows.collect::<Vec<serde_json::Value>>(), run.err)
    };
    let (rows, err) = run("arxiv-feeds-dev", "--complete-truth --target 0.99");
    assert!(err.contains("precise k = 8: "), "{err}");
    let different = rows.iter().filter(|row| !row["within"].is_null());
    assert!(different.clone().count() > 6, "{rows:?}");
    assert!(different.clone().all(|row| row["within"].as_f64() > Some(0.99)), "{rows:?}");
    let (_, err) = run("er-dblp-acm", "");
    assert!(err.contains("no k is"), "three-word shingles of short records: {err}");
    assert!(!err.contains("every judgement says yes"), "{err}");
    let (rows, err) = run("terms-versions-pga", "--complete-truth --target 0.94");
    assert!(err.contains("precise k = 4: "), "{err}");
    assert_eq!(rows[4]["standing"], "passes");
    assert_eq!(rows[5]["standing"], "too low");
}
