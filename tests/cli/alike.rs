//! Inputs of people who do this job, each with its right value: `../shared/field`.

use super::advice::row;
use super::arxiv::field;
use super::shell::Shell;

/// Three hundred words of menu in each of 33 articles: all pairs are alike.
#[test]
fn boilerplate_is_named_first_and_no_large_k_is_advised() {
    let Some(path) = field("boil.jsonl") else { return };
    let (shell, path) = (Shell::with(&[]), path.display());
    let advice = row(&shell.run(&format!("tune --advice {path}")));
    let sentence = advice["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("most texts here are boilerplate: 33 of 33 "), "{sentence}");
    for k in ["precise_k", "balanced_k", "k_high"] {
        assert!(advice[k].as_u64().is_none_or(|k| k <= 20), "{advice}");
    }
    let line = format!("tune --advice --weights tf-idf --max-df 0.5 {path}");
    let named = row(&shell.run(&line))["precise_k"].as_u64().unwrap();
    let pairs = shell.run(&format!("pairs --weights tf-idf --max-df 0.5 -k {named} -f csv {path}"));
    let pairs = pairs.rows();
    let mut found: Vec<&str> = pairs.lines().skip(1).collect();
    found.retain(|row| row.starts_with("p0"));
    assert!(found.len() >= 5 && found.len() == pairs.lines().count() - 1, "{pairs}");
}

#[test]
fn a_least_cosine_says_where_it_looked() {
    let Some(path) = field("short.jsonl") else { return };
    let (shell, path) = (Shell::with(&[]), path.display());
    let done = shell.run(&format!("pairs --min-cosine 0.8 {path}"));
    assert!(done.err.contains("0 pairs within 3 of an exact cosine of 0.8"), "{}", done.err);
    let k = done.err.split("-k ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let found = shell.run(&format!("pairs --min-cosine 0.8 -k {k} -f csv {path}")).rows();
    assert!(found.lines().any(|row| row.starts_with("A,B,13,0.9")), "{found}");
}
