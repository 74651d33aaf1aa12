//! `explain` and `check` on texts: what they say of the sample, and that it holds when recomputed.

use serde_json::Value;
use simscope::simhash::{Fingerprint, Fingerprinter, Recipe};

use super::shell::Shell;

/// Eight words of weight 1, one of which repeats; two that one word dominates; a short one; nothing.
const TEXTS: &str = r#"{"id":"one","text":"The tide came in at nine. We counted eleven boats. They sang."}
{"id":"two","text":"The tide came in at ten. We counted eleven boats. They left early and sang."}
{"id":"spam","text":"win win win win win now or later tide"}
{"id":"ham","text":"win win win win win some lose more boats"}
{"id":"none","text":"..."}
{"id":"\u001b[2Jevil\u202e","text":"\u001b[31mred\u001b[0m alert\u0007 \u202etext\u202c is not plain text. It \u0000 ends."}
"#;

fn shell() -> Shell {
    Shell::with(&[("texts.jsonl", TEXTS)])
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&shell().run_args(args).rows()).unwrap()
}

#[test]
fn a_pair_and_a_document_of_the_sample_are_explained() {
    let shell = shell();
    let of = |line: &str| shell.run(&format!("{line} -f table --glyphs unicode")).rows();
    insta::assert_snapshot!("explain_near", of("explain tide-log tide-log-thirteen --top 4"));
    insta::assert_snapshot!("explain_far", of("explain tide-log lens-label --top 3"));
    insta::assert_snapshot!("explain_one", of("explain tide-log"));
    insta::assert_snapshot!("explain_bit", of("explain lens-label --bit 12 --top 6"));
    insta::assert_snapshot!("check", of("check"));
}

#[test]
fn the_edits_named_bring_the_pair_within_k() {
    let found = json(&[
        "explain",
        "one",
        "two",
        "texts.jsonl",
        "--features",
        "words",
        "-k",
        "2",
        "--top",
        "99",
    ]);
    let recipe: Recipe = "words:1".parse().unwrap();
    let fingerprinter = Fingerprinter::new(&recipe).unwrap();
    let texts: Vec<String> = TEXTS
        .lines()
        .take(2)
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["text"].as_str().unwrap().to_owned()
        })
        .collect();
    let fingerprints = [0, 1].map(|side| fingerprinter.fingerprint(&texts[side]).unwrap());
    assert_eq!(found["distance"], fingerprints[0].distance(fingerprints[1]));
    assert_eq!(found["needed_k"], found["distance"]);
    // With words as features an edit of the text is an edit of the features.
    let edits = &found["counterfactual"];
    let side = usize::from(edits["edited"] == "b");
    let lower = texts[side].to_lowercase().replace('.', "");
    let mut words: Vec<&str> = lower.split(' ').collect();
    for edit in edits["edits"].as_array().unwrap() {
        let (feature, count) = (edit["feature"].as_str().unwrap(), edit["to"].as_f64().unwrap());
        words.retain(|word| *word != feature);
        words.extend(std::iter::repeat_n(feature, count as usize));
    }
    let edited = fingerprinter.fingerprint(&words.join(" ")).unwrap();
    let distance = edited.distance(fingerprints[1 - side]);
    assert_eq!(edits["distance"], distance);
    assert!(distance <= 2, "{found}");
    for (name, side) in [("sentences_a", 0), ("sentences_b", 1)] {
        for without in found[name]["without"].as_array().unwrap() {
            let rest = texts[side].replace(without["sentence"].as_str().unwrap(), "");
            let distance =
                fingerprinter.fingerprint(&rest).unwrap().distance(fingerprints[1 - side]);
            assert_eq!(without["distance"], distance);
        }
    }
}

#[test]
fn the_set_named_flips_the_bit_of_the_text_without_it() {
    let shell = shell();
    let fingerprint = |text: &str| {
        let out =
            shell.run_with(&["fingerprint", "--features", "words", "-f", "csv", "-"], text).rows();
        let hex = out.lines().nth(1).unwrap().split(',').nth(1).unwrap().to_owned();
        Fingerprint::parse(&hex, 64).unwrap()
    };
    let text = "the tide came in at nine we counted eleven boats the boats came in";
    std::fs::write(shell.path("text.txt"), text).unwrap();
    let whole = fingerprint(text);
    for bit in 0..64 {
        let number = bit.to_string();
        let line = ["explain", "text.txt", "text.txt", "--features", "words", "--bit", &number];
        let out = shell.run_args(&line).rows();
        let found: Value = serde_json::from_str(&out).unwrap();
        let explained = &found["explained"];
        assert_eq!(explained["value"], u8::from(whole.bit(bit)));
        let Some(removal) = explained["removal"].as_array() else { continue };
        let removal: Vec<&str> = removal.iter().map(|it| it.as_str().unwrap()).collect();
        let rest = |left: &[&str]| -> Vec<String> {
            text.split(' ').filter(|word| !left.contains(word)).map(str::to_owned).collect()
        };
        assert_ne!(fingerprint(&rest(&removal).join(" ")).bit(bit), whole.bit(bit), "bit {bit}");
        let less = &removal[..removal.len() - 1];
        assert_eq!(fingerprint(&rest(less).join(" ")).bit(bit), whole.bit(bit), "bit {bit}");
    }
}

#[test]
fn one_id_and_a_path_explain_one_document() {
    let shell = shell();
    let found: Value = serde_json::from_str(
        &shell.run("explain spam texts.jsonl --features words --weights tf --bits 16").rows(),
    )
    .unwrap();
    assert_eq!((found["id"].as_str(), found["dominated"].as_bool()), (Some("spam"), Some(true)));
    assert_eq!(found["bits"].as_array().unwrap().len(), 16);
    assert_eq!(found["heaviest"], "win");
    // 5 of weight 5 among four of weight 1.
    assert_eq!(found["dominance"], 0.8621);
    let flags: Vec<&str> =
        found["flags"].as_array().unwrap().iter().map(|it| it["flag"].as_str().unwrap()).collect();
    assert_eq!(flags, ["short", "dominated"]);
    let rows =
        shell.run("explain spam texts.jsonl --features words --weights tf --bits 16 -f csv").rows();
    assert!(rows.starts_with("bit,value,votes,margin,flips\n15,"), "{rows}");
    assert_eq!(rows.lines().count(), 17);
    let rows = shell.run("explain spam texts.jsonl --features words --bit 3 -f csv").rows();
    assert!(rows.starts_with("feature,count,push,sum\nwin,5,"), "{rows}");
    let none: Value = serde_json::from_str(&shell.run("explain none texts.jsonl").rows()).unwrap();
    assert_eq!(none["flags"][0]["flag"], "empty");
    assert!(none["fingerprint"].is_null());
    let done = shell.run("explain spam texts.jsonl --bits 16 --bit 16");
    assert_eq!(done.code, 2);
    assert!(done.err.contains("--bit 16: a fingerprint of 16 bits has 0 to 15"), "{}", done.err);
}

#[test]
fn hostile_text_does_not_reach_the_terminal() {
    let shell = shell();
    let evil = "\u{1b}[2Jevil\u{202e}";
    for args in [
        &["explain", evil, "texts.jsonl"][..],
        &["explain", evil, "one", "texts.jsonl", "--features", "words"],
        &["explain", evil, "one", "texts.jsonl", "--features", "chars:3"],
        &["explain", evil, "texts.jsonl", "--features", "chars:3", "--bit", "5"],
        &["check", "texts.jsonl"],
        &["check", "texts.jsonl", "--disagreements", "-k", "40"],
    ] {
        for format in ["table", "jsonl"] {
            let done = shell.run_args(&[args, &["-f", format]].concat());
            assert_eq!(done.code, 0, "{args:?} {}", done.err);
            let is_harmful = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
            let harmful = done.out.contains(is_harmful);
            // JSON escapes controls, and keeps what a text says.
            assert!(
                !harmful || format == "jsonl" && !done.out.contains('\u{1b}'),
                "{args:?} {:?}",
                done.out
            );
        }
    }
}

#[test]
fn check_names_what_misleads() {
    let out = shell().run("check texts.jsonl --features words --weights tf -f csv");
    let expected = "id,flag,value,sentence
one,short,12,only 12 features: one changed word moves about 7 of 64 bits
one,tied,23,\"23 of 64 bits are ties: the tie rule decided them, not the text\"
two,short,15,only 15 features: one changed word moves about 7 of 64 bits
spam,short,5,only 5 features: one changed word moves about 12 of 64 bits
spam,dominated,0.8621,\"one feature outweighs all others together: the fingerprint is its hash, whatever else the text says\"
ham,short,5,only 5 features: one changed word moves about 12 of 64 bits
ham,dominated,0.8621,\"one feature outweighs all others together: the fingerprint is its hash, whatever else the text says\"
none,empty,0,\"no features: no fingerprint, so only an equal text is found for it\"
\u{1b}[2Jevil\u{202e},short,10,only 10 features: one changed word moves about 8 of 64 bits
\u{1b}[2Jevil\u{202e},tied,21,\"21 of 64 bits are ties: the tie rule decided them, not the text\"
";
    assert_eq!(out.out, expected);
    assert!(
        out.err
            .ends_with("note: 6 of 6 documents flagged: 1 empty, 5 short, 2 tied, 2 dominated\n"),
        "{}",
        out.err
    );
}

#[test]
fn what_is_retired_is_answered() {
    for (line, answer) in [
        ("check --health", "count those of `fingerprint -f csv`"),
        ("dedup --min-cosine 0.9", "checked by the share of its text (--min-shared)"),
    ] {
        let err = shell().run(line).refused(2);
        assert!(err.contains(answer), "{line}: {err}");
    }
}

#[test]
fn what_many_documents_say_is_boilerplate() {
    let mut rows = String::new();
    for n in 0..40 {
        let own: Vec<String> = (0..30).map(|word| format!("w{n}x{word}")).collect();
        let common = if n < 12 {
            "all rights reserved by the owner of this page ".repeat(5)
        } else {
            String::new()
        };
        rows += &format!("{{\"id\":\"d{n}\",\"text\":\"{common}{}\"}}\n", own.join(" "));
    }
    let shell = Shell::with(&[("pages.jsonl", &rows)]);
    let of = |line: &str| shell.run(line).rows();
    for weights in ["tf", "tf-idf"] {
        let out = of(&format!("check pages.jsonl --weights {weights} -f csv"));
        let flagged: Vec<&str> = out
            .lines()
            .filter(|row| row.contains(",boilerplate,0."))
            .map(|row| row.split(',').next().unwrap())
            .collect();
        let expected: Vec<String> = (0..12).map(|n| format!("d{n}")).collect();
        assert_eq!(flagged, expected, "{weights}: {out}");
    }
}

#[test]
fn the_dominated_disagree_with_their_texts() {
    let done =
        shell().run("check --disagreements texts.jsonl --features words --weights tf -f csv");
    // (1 - theta / pi)^64 at 25 / 29.
    assert_eq!(
        done.out,
        "kind,a,b,distance,cosine,low,high,expected,chance\n\
         near,spam,ham,0,0.8621,0.9928,1,10.83,7.06e-6\n"
    );
    assert!(
        done.err.contains("too near: 1 of 1 pair compared disagree; within k = 3: 1"),
        "{}",
        done.err
    );
    let far =
        "too far: 0 of 1 pair beyond k = 3 with a cosine by the recipe of 0.8 or more disagree";
    assert!(done.err.contains(far), "{}", done.err);
}
