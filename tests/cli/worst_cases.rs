//! Corpora that make a search degenerate: they cost what their answer costs, and the answer is right.
//!
//! The usual sizes are a tenth; the full ones run by `cargo test --release -- --ignored worst`.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use simscope::id::DocId;
use simscope::index::{Distinct, Plan, document_pairs, groups, near_pairs};
use simscope::progress::Progress;
use simscope::simhash::Fingerprint;

use super::shell::Shell;

/// Numbers that look random, the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn text(&mut self, n_words: usize) -> Vec<String> {
        (0..n_words).map(|_| format!("word{}", self.roll() % 5000)).collect()
    }
}

fn fingerprints(words: impl Iterator<Item = u64>) -> String {
    words.enumerate().fold(String::new(), |mut rows, (id, word)| {
        let _ = writeln!(rows, "{{\"id\":\"d{id}\",\"fingerprint\":\"{word:016x}\"}}");
        rows
    })
}

fn texts(texts: impl Iterator<Item = String>) -> String {
    texts.enumerate().fold(String::new(), |mut rows, (id, text)| {
        let _ = writeln!(rows, "{{\"id\":\"d{id}\",\"text\":\"{text}\"}}");
        rows
    })
}

fn equal(n: usize) -> String {
    texts((0..n).map(|_| "the same few words again and again".to_owned()))
}

/// One text of 400 words; each document has another word at another place.
fn one_word_apart(n: usize) -> String {
    let text = Dice(1).text(400);
    texts((0..n).map(|id| {
        let mut text = text.clone();
        text[id % 400] = format!("other{id}");
        text.join(" ")
    }))
}

/// Each one bit from the next.
fn chain(n: usize) -> String {
    let mut dice = Dice(2);
    fingerprints((0..n).scan(0, |word, _| {
        *word ^= 1_u64 << (dice.roll() % 64);
        Some(*word)
    }))
}

/// Distinct, their first 16 bits the same.
fn one_bucket(n: usize) -> String {
    let mut dice = Dice(3);
    fingerprints((0..n).map(|_| 0xabcd << 48 | dice.roll() >> 16))
}

/// A long text common to all, and a sentence of each one's own.
fn boilerplate(n: usize) -> String {
    let mut dice = Dice(4);
    let common = dice.text(600).join(" ");
    texts((0..n).map(|_| format!("{common} {}", dice.text(12).join(" "))))
}

/// Pairs and groups of the command against those of the scan over the fingerprints it prints.
#[track_caller]
fn agrees_with_the_scan(corpus: &str, k: u32) {
    let shell = Shell::with(&[("corpus.jsonl", corpus)]);
    let rows = shell.run("fingerprint corpus.jsonl -f csv").rows();
    let hex = rows.lines().skip(1).map(|row| row.split(',').nth(1).unwrap());
    let words: Vec<Option<u64>> =
        hex.map(|hex| Fingerprint::parse(hex, 64).ok().map(|word| word.bits() as u64)).collect();
    let progress = Progress::new();
    let distinct = Distinct::collapse(&words, &progress).unwrap();
    let scan = Plan::scan(distinct.len(), 64, k);
    let pairs = near_pairs(distinct.values(), &scan, &progress).unwrap();

    let found = shell.run(&format!("pairs -k {k} corpus.jsonl -f csv")).rows();
    let mut found = found.lines().skip(1);
    for pair in document_pairs(&distinct, &pairs) {
        let row = format!("d{},d{},{}", pair.a.0, pair.b.0, pair.distance);
        assert_eq!(found.next(), Some(row.as_str()));
    }
    assert_eq!(found.next(), None);

    let found = shell.run(&format!("groups -k {k} corpus.jsonl -f csv")).rows();
    let mut found = found.lines().skip(1);
    let word = |document: DocId| words[document.index()].unwrap();
    for (number, group) in groups(&distinct, &pairs).iter().enumerate() {
        for &document in group {
            let distance = (word(document) ^ word(group[0])).count_ones();
            let row = format!("{number},d{},{},{distance}", document.0, document == group[0]);
            assert_eq!(found.next(), Some(row.as_str()));
        }
    }
    assert_eq!(found.next(), None);
}

/// Copies have far more pairs than anyone can wait for: the groups are all there is to check, and that
/// who reads a few rows gets them at once.
fn copies_are_not_waited_for(n: usize) {
    let shell = Shell::with(&[("corpus.jsonl", &equal(n))]);
    let groups = shell.run("groups corpus.jsonl -f csv").rows();
    assert_eq!(groups.lines().count(), n + 1);
    assert!(groups.ends_with(&format!("0,d{},false,0\n", n - 1)));

    let mut command = shell.command();
    command.args(["pairs", "corpus.jsonl", "-f", "csv"]).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let rows = BufReader::new(child.stdout.take().unwrap()).lines().take(3);
    let rows: Vec<String> = rows.map(Result::unwrap).collect();
    assert_eq!(rows, ["a,b,distance", "d0,d1,0", "d0,d2,0"]);
    // The pipe is closed: success, and the other pairs are never made.
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn worst_cases_have_the_answers_of_the_scan() {
    copies_are_not_waited_for(20_000);
    agrees_with_the_scan(&equal(300), 3);
    agrees_with_the_scan(&one_word_apart(400), 3);
    agrees_with_the_scan(&chain(2_000), 3);
    agrees_with_the_scan(&one_bucket(10_000), 6);
    agrees_with_the_scan(&boilerplate(400), 8);
}

#[test]
#[ignore = "takes a minute unoptimised"]
fn worst_cases_of_full_size_have_the_answers_of_the_scan() {
    copies_are_not_waited_for(200_000);
    agrees_with_the_scan(&one_word_apart(5_000), 3);
    agrees_with_the_scan(&one_bucket(100_000), 6);
    agrees_with_the_scan(&boilerplate(2_000), 8);
}

#[test]
fn pairs_by_chance_are_warned_of_even_quietly() {
    // All values of 14 bits, and all of them near each other: 134 million pairs, in one group.
    let rows = (0..1 << 14).fold(String::new(), |mut rows, word| {
        let _ = writeln!(rows, "{{\"id\":\"d{word}\",\"fingerprint\":\"{word:04x}\"}}");
        rows
    });
    let shell = Shell::with(&[("corpus.jsonl", &rows)]);
    let done = shell.run("groups corpus.jsonl --bits 14 -k 12 --quiet -f csv");
    let warning = "warning: at distance 12 about 134,";
    assert!(done.err.starts_with(warning), "{}", done.err);
    assert!(
        done.err.ends_with("by chance alone; use a smaller -k or more --bits\n"),
        "{}",
        done.err
    );
    assert_eq!(done.rows().lines().count(), (1 << 14) + 1);
    // Where they are kept they are refused, whatever the layout.
    for layout in ["", "--bands 13x1"] {
        let refused = shell.run(&format!("tune corpus.jsonl --bits 14 -k 12 {layout}")).refused(2);
        assert!(refused.contains("would bring about 134,"), "{refused}");
    }
}

/// The first text of all is hashed before any token was kept.
#[test]
fn an_empty_text_alone_has_the_fingerprint_of_an_empty_feature() {
    let shell = Shell::with(&[("empty.jsonl", "{\"id\":\"none\",\"text\":\"\"}\n")]);
    let rows = shell.run("fingerprint --short-texts empty empty.jsonl -f csv").rows();
    let two = Shell::with(&[(
        "two.jsonl",
        "{\"id\":\"a\",\"text\":\"low tide\"}\n{\"id\":\"none\",\"text\":\"\"}\n",
    )]);
    let both = two.run("fingerprint --short-texts empty two.jsonl -f csv").rows();
    assert_eq!(rows.lines().nth(1), both.lines().nth(2), "{rows}{both}");
}
