//! `sweep`: its rows in every format, what it refuses, and its numbers beside those of other commands.

use super::shell::Shell;

const FRUIT: &str = r#"{"id":"a","text":"apples pears plums cherries grapes melons"}
{"id":"b","text":"apples pears plums cherries grapes melons"}
{"id":"c","text":"apples pears plums cherries grapes lemons"}
{"id":"d","text":"an altogether different text about the sea"}
"#;

const TRUTH: &str = "id1,id2,label\na,c,1\na,d,0\nb,c,yes\n";

fn shell() -> Shell {
    Shell::with(&[("fruit.jsonl", FRUIT), ("truth.csv", TRUTH)])
}

fn rows(line: &str) -> Vec<serde_json::Value> {
    let out = shell().run(line).rows();
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_row_for_each_shingling_weighting_and_width_in_every_format() {
    let line = "sweep fruit.jsonl --features words,chars:4 --weights tf,tf-idf --bits 32,90 \
                --tau 0.5 --truth-features words";
    let rows = rows(line);
    let recipes: Vec<&str> = rows.iter().map(|row| row["recipe"].as_str().unwrap()).collect();
    let expected = [
        "words:1 tf bits=32",
        "words:1 tf bits=90",
        "words:1 tf-idf bits=32",
        "words:1 tf-idf bits=90",
        "chars:4 tf bits=32",
        "chars:4 tf bits=90",
        "chars:4 tf-idf bits=32",
        "chars:4 tf-idf bits=90",
    ];
    assert_eq!(recipes, expected);
    let shell = shell();
    for row in &rows {
        // One pair of texts is true; b is a copy of a.
        assert_eq!(row["tp"].as_u64().unwrap() + row["fn"].as_u64().unwrap(), 1, "{row}");
        assert_eq!((&row["recall_method"], &row["settled"]), (&"exact".into(), &true.into()));
        assert_eq!(row["recall"], row["recall_low"]);
        // The rows of `pairs` under this recipe and k.
        let (recipe, k) = (row["recipe"].as_str().unwrap(), row["k"].to_string());
        let args = ["pairs", "fruit.jsonl", "--recipe", recipe, "-k", &k];
        let pairs = shell.run_args(&args).rows().lines().count() as u64;
        assert_eq!(row["pairs"].as_u64(), Some(pairs), "{row}");
    }
    for (format, between) in [("csv", ","), ("tsv", "\t"), ("table", "  ")] {
        let out = shell.run(&format!("{line} -f {format}")).rows();
        let header = ["recipe", "k", "pairs", "precision"];
        let mut lines = out.lines();
        let found: Vec<&str> = lines
            .next()
            .unwrap()
            .split(between)
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .collect();
        assert_eq!((&found[..4], lines.count()), (&header[..], 8));
    }
}

#[test]
fn copies_count_once() {
    let line = "sweep fruit.jsonl --features words --weights tf --bits 64 --tau 0.5";
    let row = &rows(line)[0];
    assert_eq!(row["tp"].as_u64().unwrap() + row["fn"].as_u64().unwrap(), 1);
}

#[test]
fn judged_pairs_take_the_place_of_cosines() {
    let line = "sweep fruit.jsonl --features words --weights tf --bits 64 --truth truth.csv";
    let done = shell().run(line);
    assert!(done.err.contains("true pairs: 3 pairs judged, 2 of them true"), "{}", done.err);
    assert!(done.err.contains("pairs without a judgement are not counted"), "{}", done.err);
    let row: serde_json::Value = serde_json::from_str(&done.rows()).unwrap();
    assert_eq!((&row["recall_method"], &row["tp"]), (&"judged".into(), &2.into()), "{row}");
    assert!(row["recall_low"].as_f64() < row["recall"].as_f64(), "{row}");
    let row = &rows(&format!("{line} --complete-truth"))[0];
    assert_eq!(row["recall_method"], "exact");
    // The copies a and b were not judged, so they are none.
    assert_eq!((&row["tp"], &row["fp"]), (&2.into(), &1.into()), "{row}");
}

#[test]
fn what_is_asked_for_twice_is_tried_once() {
    let line = "sweep fruit.jsonl --features words,words:1 --weights tf,tf --bits 64,32,64";
    assert_eq!(rows(line).len(), 2);
}

#[test]
fn judgements_that_do_not_count_are_counted() {
    let truth = "id1,id2,label\na,c,no\nc,a,yes\nb,nobody,yes\n";
    let shell = Shell::with(&[("fruit.jsonl", FRUIT), ("truth.csv", truth)]);
    let line = "sweep fruit.jsonl --features words --weights tf --bits 64 --truth truth.csv";
    let err = shell.run(line).err;
    assert!(err.contains("1 judgement about documents that are not in the corpus"), "{err}");
    assert!(err.contains("1 judgement different from an earlier one"), "{err}");
}

#[test]
fn what_it_cannot_use_is_refused() {
    let shell = shell();
    // (line, message)
    let table = [
        ("sweep fruit.jsonl -k 3", "leave -k out"),
        ("sweep fruit.jsonl --bands 2x16", "leave --blocks and --bands out"),
        ("sweep fruit.jsonl --bits 0,64", "1..=128"),
        ("sweep fruit.jsonl --tau 0.5 --truth truth.csv", "leave --alike, --tau and"),
        ("sweep fruit.jsonl --truth fruit.jsonl", "no column \"id1\""),
        (
            "sweep fruit.jsonl --features chars:3 --stop-words english",
            "stop words need word features",
        ),
        (
            "pairs fruit.jsonl --features words,chars:4",
            "--features names 2 values; give one, or compare them with sweep",
        ),
        ("tune --layouts --measure fruit.jsonl --bits 32,64", "--bits names 2 values"),
    ];
    for (line, message) in table {
        let err = shell.run(line).refused(2);
        assert!(err.contains(message), "{line}: {err}");
    }
    let bits = Shell::with(&[("bits.jsonl", super::shell::BITS)]);
    let err = bits.run("sweep bits.jsonl --bits 8").refused(2);
    assert!(err.contains("holds no text"), "{err}");
}
