//! `--similarity`: the pairs that it gives are those of a comparison of all texts, within the k that it chose.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::shell::{Done, Shell};

/// Texts of 40 words: families of five, in which each but the first has some words replaced.
fn corpus(families: usize) -> Vec<(String, Vec<String>)> {
    let mut texts = Vec::new();
    for family in 0..families {
        for member in 0..5 {
            let word = |at: usize| {
                let is_new = at % 13 == 6 && at / 13 < member;
                if is_new {
                    format!("new{family}x{member}x{at}")
                } else {
                    format!("word{family}x{at}")
                }
            };
            texts.push((format!("t{family}-{member}"), (0..40).map(word).collect()));
        }
    }
    texts
}

fn rows(texts: &[(String, Vec<String>)]) -> String {
    let mut rows = String::new();
    for (id, words) in texts {
        writeln!(rows, "{{\"id\": \"{id}\", \"text\": \"{}\"}}", words.join(" ")).unwrap();
    }
    rows
}

/// The set cosine of 3-word shingles of all pairs, computed one after another.
fn cosines(texts: &[(String, Vec<String>)]) -> BTreeMap<(&str, &str), f64> {
    let sets: Vec<BTreeSet<&[String]>> =
        texts.iter().map(|(_, words)| words.windows(3).collect()).collect();
    let mut found = BTreeMap::new();
    for (at, a) in sets.iter().enumerate() {
        for (other, b) in sets.iter().enumerate().skip(at + 1) {
            let shared = a.intersection(b).count() as f64;
            let cosine = shared / ((a.len() * b.len()) as f64).sqrt();
            found.insert((&*texts[at].0, &*texts[other].0), cosine);
        }
    }
    found
}

/// The k that a note names.
fn k_of(done: &Done) -> u32 {
    let named = done.err.split(": k = ").nth(1).unwrap_or_else(|| panic!("{}", done.err));
    named.split([',', ' ']).next().unwrap().parse().unwrap()
}

/// The ids and the distance of each row.
fn distances(done: &Done) -> BTreeMap<(String, String), u32> {
    let rows = done.out.lines().skip(1);
    rows.map(|row| {
        let cells: Vec<&str> = row.split(',').collect();
        ((cells[0].to_owned(), cells[1].to_owned()), cells[2].parse().unwrap())
    })
    .collect()
}

#[test]
fn every_pair_within_the_chosen_k_is_judged_by_its_texts() {
    let texts = corpus(60);
    let shell = Shell::with(&[("c.jsonl", &rows(&texts))]);
    let cosines = cosines(&texts);
    let all = distances(&shell.run("pairs -k 64 -f csv c.jsonl"));
    for similarity in [0.8, 0.9] {
        let done = shell.run(&format!("pairs --similarity {similarity} -f csv c.jsonl"));
        assert_eq!(done.code, 0, "{}", done.err);
        let k = k_of(&done);
        let is_wanted = |pair: &(String, String)| {
            cosines[&(&*pair.0, &*pair.1)] >= similarity - 1e-9 && all[pair] <= k
        };
        let expected: BTreeSet<_> = all.keys().filter(|pair| is_wanted(pair)).cloned().collect();
        let found = distances(&done);
        assert_eq!(found.keys().cloned().collect::<BTreeSet<_>>(), expected);
        // k finds about 95 % of the pairs at the similarity, counted here again.
        let at = cosines.iter().filter(|(_, it)| (similarity..similarity + 0.05).contains(*it));
        let at: Vec<_> = at.map(|((a, b), _)| ((*a).to_owned(), (*b).to_owned())).collect();
        let within = at.iter().filter(|pair| all[*pair] <= k).count();
        if at.len() >= 100 {
            let said = format!("within which {within} of {} pairs of texts at", at.len());
            assert!(done.err.contains(&said), "{said}: {}", done.err);
            let share = within as f64 / at.len() as f64;
            assert!((0.95..0.999).contains(&share), "{share}");
        } else {
            assert!(done.err.contains("by theory: this corpus has"), "{}", done.err);
        }
    }
    assert!(cosines.values().filter(|it| (0.8..0.85).contains(*it)).count() >= 100);
}

#[test]
fn groups_and_queries_keep_what_the_texts_confirm() {
    // One heavy word makes fingerprints equal or nearly so; the texts share little else.
    let heavy = "sand ".repeat(60);
    let own = |n: usize| (0..30).map(|at| format!("own{n}x{at}")).collect::<Vec<_>>().join(" ");
    let mut text = String::new();
    for n in 0..2 {
        writeln!(text, "{{\"id\": \"h{n}\", \"text\": \"{heavy}{}\"}}", own(n)).unwrap();
    }
    text += &rows(&corpus(1));
    let shell = Shell::with(&[("c.jsonl", &text)]);
    let plain = shell.run("groups --weights tf --features words:1 -k 20 -f csv c.jsonl");
    assert!(plain.out.contains(",h0,") && plain.out.contains(",h1,"), "{}", plain.out);
    let judged =
        shell.run("groups --weights tf --features words:1 --similarity 0.8 -f csv c.jsonl");
    assert!(!judged.out.contains(",h0,") && judged.out.contains(",t0-1,"), "{}", judged.out);
    assert!(judged.err.contains("similarity 0.8: k = 19, within which 97.2 %"), "{}", judged.err);
    assert!(judged.err.contains("by theory --bands 8x5 would find 95.3 %"), "{}", judged.err);
    let query = |of: &[&str]| {
        let line = ["query", "--weights", "tf", "--features", "words:1", "--similarity", "0.8"];
        shell.run_args(&[&line[..], of, &["-f", "csv", "c.jsonl"]].concat())
    };
    assert_eq!(query(&["--id", "h0"]).out.lines().count(), 1);
    let near = query(&["--id", "t0-0"]).out;
    assert!(near.contains("t0-1,") && !near.contains("h0"), "{near}");
    let text = corpus(1)[1].1.join(" ");
    assert!(query(&["--text", &text]).out.contains("t0-1,0"));
    let dedup = shell.run("dedup --similarity 0.8 -f csv c.jsonl");
    assert!(dedup.out.contains("t0-1,") && !dedup.out.contains("h1,"), "{}", dedup.out);
}

/// In a chain the first text and the last are less similar than neighbours are, so one that is dropped needs a kept one
/// that is similar itself.
#[test]
fn what_is_dropped_is_similar_to_what_is_kept_for_it() {
    let word = |chain: usize, link: usize, at: usize| {
        let is_new = at % 13 == 6 && at / 13 < link;
        format!("{}{chain}x{at}", if is_new { "new" } else { "word" })
    };
    let links = (0..20).flat_map(|chain| (0..5).map(move |link| (chain, link)));
    let text = |(chain, link)| {
        (format!("t{chain}-{link}"), (0..52).map(|at| word(chain, link, at)).collect())
    };
    let texts: Vec<(String, Vec<String>)> = links.map(text).collect();
    let cosines = cosines(&texts);
    let of = |a: &str, b: &str| cosines.get(&(a, b)).or_else(|| cosines.get(&(b, a))).copied();
    assert!(of("t0-0", "t0-1") > Some(0.9) && of("t0-0", "t0-4") < Some(0.8));
    let shell = Shell::with(&[("c.jsonl", &rows(&texts))]);
    let done = shell.run("dedup --similarity 0.8 -f jsonl c.jsonl");
    let decided: Vec<serde_json::Value> =
        done.out.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    assert!(decided.len() >= 40, "{}", decided.len());
    for row in &decided {
        let [id, kept] = ["id", "kept"].map(|name| row[name].as_str().unwrap());
        assert!(of(id, kept) >= Some(0.8), "{id} for {kept}: {:?}", of(id, kept));
    }
    // The explorer decides the same, and of the pairs within k it counts those that are similar.
    let screen = shell.run("--similarity 0.8 --fresh --print --size 160x40 c.jsonl").out;
    assert!(screen.contains(&format!(" {} can go ", decided.len())), "{screen}");
    let pairs = shell.run("pairs --similarity 0.8 -f csv c.jsonl").out.lines().count() - 1;
    assert!(screen.contains(&format!("similarity 0.8  {pairs} pairs")), "{screen}");
    let within = distances(&shell.run("pairs -k 19 -f csv c.jsonl")).len();
    assert!(pairs < within, "{pairs} of {within}");
}

#[test]
fn a_similarity_is_refused_where_nothing_is_compared_by_texts() {
    let bits = "{\"id\":\"a\",\"fingerprint\":\"00000000000000ff\"}\n";
    let (one, two) = (rows(&corpus(1)), rows(&corpus(2)));
    let shell = Shell::with(&[("c.jsonl", &one), ("r.jsonl", &two), ("f.jsonl", bits)]);
    for (line, says) in [
        ("pairs --similarity 0.8 -k 3 c.jsonl", "cannot be used with"),
        ("pairs --similarity 2 c.jsonl", "write a cosine above 0, at most 1"),
        ("tune --similarity 0.8 c.jsonl", "--similarity is for pairs, groups, dedup, query"),
        ("pairs --similarity 0.8 --bands 4x16 c.jsonl", "leave --blocks and --bands out"),
        ("dedup --similarity 0.8 --reference r.jsonl c.jsonl", "with --reference give -k"),
        ("pairs --similarity 0.8 f.jsonl", "this corpus has none; give -k"),
        ("groups --summary --similarity 0.8 c.jsonl", "give -k in place of --similarity"),
        ("query --fingerprint 00 --similarity 0.8 c.jsonl", "a fingerprint has none"),
    ] {
        let done = shell.run(line);
        assert_eq!(done.code, 2, "{line}: {}", done.err);
        assert!(done.err.contains(says), "{line}: {}", done.err);
    }
    let screen = shell.run("--similarity 0.8 --fresh --print c.jsonl");
    assert!(screen.out.contains("k=19"), "{}", screen.out);
}

#[test]
fn the_exit_status_says_whether_a_pair_is_near() {
    let shell = Shell::with(&[("c.jsonl", &rows(&corpus(2)))]);
    let code = |line: &str| shell.run(&format!("explain --exit-code {line} c.jsonl")).code;
    assert_eq!((code("t0-0 t0-1 -k 20"), code("t0-0 t1-0 -k 3"), code("t0-0 none")), (0, 3, 2));
    assert_eq!(shell.run("explain t0-0 t1-0 -k 3 c.jsonl").code, 0);
    assert!(shell.run("explain --exit-code t0-0 c.jsonl").err.contains("is about a pair"));
}
