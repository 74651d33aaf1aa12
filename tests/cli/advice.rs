//! One verdict on k: the same from `tune`, `tune --advice` and `report`, by cosines and by judgements.

use serde_json::Value;

use super::arxiv::shared;
use super::shell::{BITS, Done, Shell, words};

pub(super) fn row(run: &Done) -> Value {
    assert_eq!(run.code, 0, "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

fn rows(run: &Done) -> Vec<Value> {
    assert_eq!(run.code, 0, "{}", run.err);
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn rows_and_advice_say_the_same() {
    let shell = Shell::with(&[]);
    let advice = row(&shell.run("tune --advice"));
    let tune = shell.run("tune");
    let rows = rows(&tune);
    let share = |k: usize, name: &str| rows[k][name].as_f64().unwrap();
    let precise = advice["precise_k"].as_u64().unwrap() as usize;
    assert!(share(precise, "precision_low") >= 0.9, "{advice}");
    let next = (precise + 1..33).find(|&k| rows[k]["text_pairs"] != rows[precise]["text_pairs"]);
    let is_by_chance = |k: usize| share(k, "pairs_by_chance") > 0.05 * share(k, "text_pairs");
    assert!(next.is_none_or(|k| share(k, "precision") < 0.9 || is_by_chance(k)), "{advice}");
    assert_eq!(advice["drops_at_k"], rows[precise]["dropped"]);
    assert_eq!(advice["largest_at_k"], rows[precise]["largest"]);
    let (low, high) = (advice["k_low"].as_u64(), advice["k_high"].as_u64());
    assert!(low <= Some(precise as u64) && high >= Some(precise as u64), "{advice}");
    let f1 = |k: usize| {
        let (precision, recall) = (rows[k]["precision"].as_f64()?, rows[k]["recall"].as_f64()?);
        Some(2.0 * precision * recall / (precision + recall).max(1e-9))
    };
    let balanced = advice["balanced_k"].as_u64().unwrap() as usize;
    assert!((0..65).filter_map(f1).all(|other| other <= f1(balanced).unwrap() + 1e-4), "{advice}");
    assert_eq!(rows[balanced]["recall_method"], "exact");
    assert_eq!(
        (&advice["tau"], &advice["target"], &advice["basis"]),
        (&0.8.into(), &0.9.into(), &"exact".into())
    );
    for sentence in advice["sentence"].as_str().unwrap().split("; ") {
        assert!(tune.err.contains(sentence), "{sentence} is not in {}", tune.err);
    }
}

#[test]
fn the_report_says_what_tune_says() {
    let shell = Shell::with(&[]);
    let advice = row(&shell.run("tune --advice"));
    let lead = advice["sentence"].as_str().unwrap().split("; ").next().unwrap().to_owned();
    let report = shell.run("report -f html");
    assert_eq!(report.code, 0, "{}", report.err);
    let lead = lead.trim_start_matches("precise ").trim_start_matches("and balanced ");
    assert!(words(&report.out).contains(lead), "{lead}");
}

#[test]
fn fingerprints_alone_get_no_advice() {
    let shell = Shell::with(&[("bits.jsonl", BITS)]);
    let advice = row(&shell.run("tune --advice --bits 8 bits.jsonl"));
    assert_eq!((&advice["precise_k"], &advice["balanced_k"]), (&Value::Null, &Value::Null));
    assert_eq!((&advice["basis"], &advice["tau"]), (&"none".into(), &Value::Null));
    let sentence = advice["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("no text to compare"), "{sentence}");
}

#[test]
fn another_target_and_tau_are_other_questions() {
    let shell = Shell::with(&[]);
    let k = |line: &str| row(&shell.run(line))["precise_k"].as_u64();
    let usual = k("tune --advice");
    assert!(k("tune --advice --target 0.5") >= usual);
    assert!(k("tune --advice --tau 0.99") <= usual);
}

#[test]
fn a_file_of_labels_that_is_not_there_is_an_error() {
    let shell = Shell::with(&[]);
    for line in ["tune --labels none.jsonl", "report -f html --labels none.jsonl"] {
        let run = shell.run(line);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}");
        assert!(run.err.contains("none.jsonl: not found"), "{}", run.err);
    }
}

/// The k with the largest F1 as `sweep` found it when this was written, and the precise k by all cosines.
#[test]
fn named_k_of_real_corpora() {
    for (name, precise, balanced) in [
        ("license-texts", 7, None),
        ("udhr-articles", 7, Some(11)),
        ("minhash-articles-2500", 12, Some(6)),
        ("er-dblp-acm", 6, None),
    ] {
        let Some(corpus) = shared(name) else { return };
        let line = format!("tune --advice {}", corpus.display());
        let advice = row(&Shell::with(&[]).run(&line));
        assert_eq!(advice["precise_k"], precise, "{name}: {advice}");
        assert_eq!(advice["balanced_k"].as_u64(), balanced, "{name}: {advice}");
    }
}

#[test]
#[ignore = "the deeper run: large corpora"]
fn named_k_of_large_real_corpora() {
    for (name, precise, balanced) in [
        ("terms-versions-pga", 14, 13),
        ("poems-zh", 10, 11),
        ("laws-de-versions", 13, 11),
        ("arxiv-feeds-dev", 10, 10),
    ] {
        let Some(corpus) = shared(name) else { return };
        let line = format!("tune --advice {}", corpus.display());
        let advice = row(&Shell::with(&[]).run(&line));
        assert_eq!(advice["precise_k"], precise, "{name}: {advice}");
        assert_eq!(advice["balanced_k"], balanced, "{name}: {advice}");
    }
}
