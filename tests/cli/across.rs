//! A corpus against its reference: pairs, groups, queries, what is dropped, and what is refused.

use super::shell::{BITS, Shell, words};

/// Fingerprints of 8 bits: a copy of `a`, `b` and `c`'s neighbour, one near `e` alone, and two of its own kind.
const REFERENCE: &str = r#"{"id":"a","fingerprint":"00"}
{"id":"r2","fingerprint":"03"}
{"id":"r3","fingerprint":"fc"}
{"id":"r4","fingerprint":"c3"}
{"id":"r5","fingerprint":"c3"}
"#;

fn shell() -> Shell {
    Shell::with(&[("test.jsonl", BITS), ("train.jsonl", REFERENCE)])
}

#[test]
fn only_pairs_across_are_listed_nearest_first() {
    let done = shell().run("pairs test.jsonl --reference train.jsonl --bits 8 -k 1 -f csv");
    assert_eq!(done.out, "a,b,distance\na,a,0\nb,a,0\nc,a,1\nc,r2,1\ne,r3,1\n", "{}", done.err);
    assert_eq!(done.code, 0, "an id may be in both: {}", done.err);
    assert!(
        done.err.contains(
            "note: 4 of 7 documents (57.1 %) have a near-duplicate within 1 in the reference\n\
             note: 5 pairs within 1 among 11 of 12 documents, 2 groups"
        ),
        "{}",
        done.err
    );
}

#[test]
fn groups_hold_documents_of_both() {
    let out = shell().run("groups test.jsonl --reference train.jsonl --bits 8 -k 1 -f csv").rows();
    assert_eq!(
        out,
        "group,id,representative,distance\n0,a,true,0\n0,b,false,0\n0,c,false,1\n0,a,false,0\n\
         0,r2,false,2\n1,e,true,0\n1,r3,false,1\n"
    );
    let summary = "groups test.jsonl --reference train.jsonl --bits 8 -k 1 --summary -f csv";
    assert_eq!(shell().run(summary).rows().lines().nth(1), Some("0,5,3,2,1,4,c,a"));
    let refused = shell().run("groups test.jsonl --reference train.jsonl --linkage complete");
    assert!(
        refused
            .refused(2)
            .contains("--reference only those of different sides; leave one of the two out")
    );
}

#[test]
fn a_query_looks_in_the_reference() {
    let line = "query test.jsonl --reference train.jsonl --bits 8 -k 1 -f csv";
    let done = shell().run(&format!("{line} --id a"));
    assert_eq!(done.out, "id,distance\na,0\n", "{}", done.err);
    assert!(done.err.contains("note: 1 within 1 of 00 among 5 documents of the reference"));
    let asked = shell().run(&format!("{line} --fingerprint c3")).rows();
    assert_eq!(asked, "id,distance\nr4,0\nr5,0\n");
    let stranger = shell().run(&format!("{line} --id r4")).refused(2);
    assert!(stranger.contains("no document \"r4\""), "{stranger}");
}

#[test]
fn dedup_drops_what_the_reference_has_and_copies_no_reference() {
    let shell = shell();
    let line = "dedup test.jsonl --reference train.jsonl --bits 8 -k 1 -f csv --kept kept.jsonl";
    let done = shell.run(line);
    assert_eq!(
        done.out,
        "id,file,line,kept,kept_file,kept_line,distance,cosine,reason,shared\n\
         a,test.jsonl,1,a,train.jsonl,1,0,,equal fingerprint,\n\
         b,test.jsonl,2,a,train.jsonl,1,0,,equal fingerprint,\n\
         c,test.jsonl,3,a,train.jsonl,1,1,,near,\n\
         e,test.jsonl,5,r3,train.jsonl,3,1,,near,\n",
        "{}",
        done.err
    );
    assert!(
        done.err.contains("note: 4 of 7 documents dropped (57.1 %)")
            && done.err.contains("are near it; 3 kept")
            && done.err.contains("near-duplicates inside the corpus stay"),
        "{}",
        done.err
    );
    let kept: String =
        [3, 5, 6].iter().map(|&at| BITS.lines().nth(at).unwrap().to_owned() + "\n").collect();
    assert_eq!(shell.read("kept.jsonl"), kept, "the records as they were");
    for option in ["--keep last", "--linkage single"] {
        let refused = shell.run(&format!("{line} {option}")).refused(2);
        assert!(
            refused.contains("--reference keeps all of its documents; give --also-within, or leave one of the two out"),
            "{refused}"
        );
    }
}

/// One run drops what two runs drop: one against the reference, and one over what that one keeps.
#[test]
fn dedup_also_drops_what_repeats_within_the_corpus() {
    let text = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let [tide, gulls] = [
        "the tide comes in at seven over the flat sand",
        "gulls rest on the roof of a barn at noon",
    ];
    let boats = "boats wait for water in the small harbour until the evening comes";
    let new = [
        ("a", gulls),
        ("b", tide),
        ("c", boats),
        ("d", gulls),
        ("e", boats),
        ("f", "a lone text of its own kind here"),
        ("g", gulls),
        ("h", ""),
        ("i", ""),
    ];
    let new: String = new.iter().map(|(id, it)| text(id, it)).collect();
    let shell = Shell::with(&[("new.jsonl", &new), ("old.jsonl", &text("y", tide))]);
    for policy in ["first", "last"] {
        let options = format!("--keep {policy} -f csv");
        let line = format!(
            "dedup new.jsonl --reference old.jsonl --also-within {options} --kept one.jsonl"
        );
        let one = shell.run(&line);
        assert_eq!(one.code, 0, "{}", one.err);
        assert!(one.err.contains("1 for the nearest document of the reference"), "{}", one.err);
        let first =
            shell.run("dedup new.jsonl --reference old.jsonl -f csv --kept half.jsonl").rows();
        let second = shell.run(&format!("dedup half.jsonl {options} --kept two.jsonl")).rows();
        assert_eq!(shell.read("one.jsonl"), shell.read("two.jsonl"), "{policy}");
        let ids = |rows: &str| -> Vec<String> {
            rows.lines().skip(1).map(|row| row.split(',').next().unwrap().to_owned()).collect()
        };
        assert_eq!(ids(&one.out), [ids(&first), ids(&second)].concat(), "{policy}");
    }
    let marked = "{\"id\":\"d\",\"file\":\"new.jsonl\",\"line\":4,\"mark\":\"keep\"}\n";
    std::fs::write(shell.path("marks.jsonl"), marked).unwrap();
    let kept =
        "dedup new.jsonl --reference old.jsonl --also-within --marks marks.jsonl --kept k.jsonl";
    shell.run(kept).rows();
    assert!(shell.read("k.jsonl").contains("\"id\":\"d\""), "{}", shell.read("k.jsonl"));
    let refused = shell.run("dedup new.jsonl --also-within").refused(2);
    assert!(refused.contains("--reference"), "{refused}");
}

#[test]
fn groups_of_all_have_each_document_once() {
    let out = shell().run("groups test.jsonl --bits 8 -k 1 -f csv --all").rows();
    let n = BITS.lines().count();
    assert_eq!(out.lines().count(), n + 1, "{out}");
    let grouped = shell().run("groups test.jsonl --bits 8 -k 1 -f csv").rows();
    assert!(out.starts_with(&grouped) && out.len() > grouped.len(), "{out}");
    let rest = &out[grouped.len()..];
    assert!(rest.lines().all(|row| row.contains(",true,")), "{rest}");
}

#[test]
fn dedup_names_the_reference_document_with_the_same_text() {
    // The same words in another order of sentences have equal fingerprints under words:1.
    let test = "{\"id\":\"t\",\"text\":\"gulls rest. tides turn.\"}\n";
    let train = "{\"id\":\"u\",\"text\":\"tides turn. gulls rest.\"}\n\
                 {\"id\":\"v\",\"text\":\"gulls rest. tides turn.\"}\n";
    let shell = Shell::with(&[("test.jsonl", test), ("train.csv.jsonl", train)]);
    let line = "dedup test.jsonl --reference train.csv.jsonl --features words:1 -f csv";
    let out = shell.run(line).rows();
    assert!(
        out.ends_with("t,test.jsonl,1,v,train.csv.jsonl,2,0,1.0000,equal text,1.0000\n"),
        "{out}"
    );
}

#[test]
fn a_reference_may_be_fingerprints_of_the_same_recipe() {
    let text = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let tide = "the tide comes in at seven over the flat sand";
    let test = text("t1", tide) + &text("t2", "quite another text about gulls on a roof");
    let train = text("x", "boats wait for water in the small harbour") + &text("y", tide);
    let shell = Shell::with(&[("test.jsonl", &test), ("train.jsonl", &train)]);
    shell.run("fingerprint train.jsonl -o prints.jsonl").rows();
    let out = shell.run("pairs test.jsonl --reference prints.jsonl -f csv").rows();
    assert_eq!(out, "a,b,distance\nt1,y,0\n");
    let line = "pairs test.jsonl --reference prints.jsonl --features words:2";
    let refused = shell.run(line).refused(2);
    assert!(
        refused.contains(
            "prints.jsonl: its fingerprints are of another recipe, as prints.jsonl.recipe says"
        ) && refused.contains("give --recipe 'words:3 log-tf"),
        "{refused}"
    );
    std::fs::remove_file(shell.path("prints.jsonl.recipe")).unwrap();
    let done = shell.run("pairs test.jsonl --reference prints.jsonl --bits 32");
    assert!(
        (done.code, done.out.as_str()) == (2, "")
            && done.err.contains("no document of the reference has a fingerprint of 32 bits")
            && done.err.contains("which --bits asks for"),
        "{}",
        done.err
    );
    let line = "fingerprint train.jsonl --weights tf-idf -o idf.jsonl";
    shell.run(line).rows();
    let refused = shell.run("pairs test.jsonl --reference idf.jsonl --weights tf-idf").refused(2);
    assert!(refused.contains("depend on the corpus they were made with"), "{refused}");
}

/// Texts of sixty words; of every second one the reference has a copy with some words changed.
fn texts() -> Shell {
    let text = |n: usize, edits: usize| {
        let word = |at: usize| match at * 7 % 60 {
            place if place < edits => format!("edit{n}x{at} "),
            _ => format!("w{} ", (n * 37 + at * 11) % 997),
        };
        (0..60).map(word).collect::<String>()
    };
    let row = |id: String, text: String| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let new: String = (0..60).map(|n| row(format!("n{n}"), text(n, 0))).collect();
    let old =
        (0..60).map(|n| row(format!("o{n}"), text(if n % 2 == 0 { n } else { 500 + n }, n % 7)));
    Shell::with(&[("new.jsonl", &new), ("old.jsonl", &old.collect::<String>())])
}

/// The rows of k count what `pairs` lists and `dedup` drops, and judge it by the same cosines.
#[test]
fn tune_looks_at_the_pairs_across() {
    let shell = texts();
    let common = "-q --weights binary new.jsonl --reference old.jsonl -f csv";
    let tuned = shell.run(&format!("tune {common}")).rows();
    let mut rows = csv::Reader::from_reader(tuned.as_bytes());
    let names = rows.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    let cell = |k: usize, name: &str| {
        let at = names.iter().position(|it| it == name).unwrap();
        rows[k][at].to_owned()
    };
    for k in [0, 3, 6, 8] {
        let pairs = shell.run(&format!("pairs {common} -k {k} --cosine")).rows();
        let cosines: Vec<f64> = pairs
            .lines()
            .skip(1)
            .map(|row| row.rsplit(',').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(cell(k, "pairs"), cosines.len().to_string(), "k = {k}");
        let dropped = shell.run(&format!("dedup {common} -k {k}")).rows().lines().count() - 1;
        assert!(cell(k, "dropped_most").parse::<usize>().unwrap() >= dropped, "k = {k}");
        // Texts with other words, of which each distance has few enough that all are compared.
        let different: Vec<f64> = cosines.into_iter().filter(|it| *it < 1.0).collect();
        let alike = different.iter().filter(|it| **it >= 0.8).count();
        if !different.is_empty() {
            let share = alike as f64 / different.len() as f64;
            let told: f64 = cell(k, "precision").parse().unwrap();
            assert!((told - share).abs() < 5e-4, "k = {k}: {told} and {share}");
        }
    }
    let all: u64 = rows.iter().filter_map(|row| row[1].parse::<u64>().ok()).sum();
    assert!((3500..3700).contains(&all), "{all} of 60 times 60 pairs");
    let advice = shell.run("tune new.jsonl --reference old.jsonl --advice -f csv").rows();
    let k: u32 = advice.lines().nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    let dropped = shell.run(&format!("dedup -q new.jsonl --reference old.jsonl -k {k} -f csv"));
    let n = dropped.rows().lines().count() - 1;
    assert!(advice.contains(&format!("drops {n},")), "{n} at {k}: {advice}");
}

#[test]
fn a_reference_that_makes_no_sense_is_refused() {
    let shell = shell();
    let refused = |line: &str| shell.run(line).refused(2);
    for line in ["pairs test.jsonl --reference test.jsonl", "pairs . --reference ./train.jsonl"] {
        let err = refused(line);
        assert!(err.contains("is also an input, so each document would find itself"), "{err}");
    }
    let err = refused("pairs --reference train.jsonl");
    assert!(err.contains("--reference is compared with a corpus; name its PATH"), "{err}");
    let err = refused("pairs test.jsonl --reference gone.jsonl");
    assert!(err.contains("no document in the reference (gone.jsonl: "), "{err}");
    for command in [
        "tune --truth truth.csv",
        "fingerprint",
        "labels",
        "check",
        "tune --layouts --measure",
        "sweep",
        "compare --against words:2",
        "explain a b",
    ] {
        let err = refused(&format!("{command} test.jsonl --reference train.jsonl"));
        assert!(err.contains("--reference is for pairs, query, groups, dedup"), "{command}: {err}");
    }
    let err = refused("pairs test.jsonl --reference train.jsonl -o train.jsonl");
    assert!(err.contains("is an input of this run"), "{err}");
}

#[test]
fn the_explorer_leads_with_the_share_and_marks_the_reference() {
    let shell = shell();
    let sized = |size: &str, keys: &str| {
        let common = "test.jsonl --reference train.jsonl --bits 8 -k 1 --print --size";
        let args: Vec<&str> = common.split(' ').chain([size, "--keys", keys]).collect();
        shell.run_args(&args).rows()
    };
    let screen = |keys: &str| sized("120x30", keys);
    let docs = screen("<tab>");
    let status = docs.lines().find(|line| line.contains("12 texts")).unwrap();
    assert!(status.starts_with(" 57.1 % (4) are in the reference  12 texts"), "{docs}");
    let row = |screen: &str, id: &str, source: &str| {
        let words = |line: &str| {
            let words = line.split([' ', '│', '▶', '▌']).filter(|word| !word.is_empty());
            words.take(4).map(str::to_owned).collect()
        };
        let rows: Vec<Vec<String>> = screen.lines().map(words).collect();
        rows.iter().any(|row| row.iter().any(|it| it == id) && row.iter().any(|it| it == source))
    };
    assert!(row(&docs, "r2", "ref") && !row(&docs, "c", "ref"), "{docs}");
    let found = screen("fis:across -is:reference<enter>");
    assert!(row(&found, "e", "e") && !row(&found, "d", "d") && !row(&found, "r3", "r3"), "{found}");
    let near = screen("<tab>g<enter>");
    assert!(near.contains("neighbours in the reference of a"), "{near}");
    assert!(row(&near, "r2", "2") && !row(&near, "b", "0"), "{near}");
    let tune = screen("4v");
    assert!(
        tune.contains("how near is near?") && tune.contains("30 pairs, sampled beyond 8"),
        "{tune}"
    );
    assert!(tune.contains("this view is about one corpus; start without --reference"), "{tune}");
    let groups = sized("200x60", "");
    assert!(groups.contains("groups, largest first"), "{groups}");
}

#[test]
fn a_report_says_the_share_and_shows_examples() {
    let shell = shell();
    let page = shell.run("report test.jsonl --reference train.jsonl --bits 8 -k 1 -f html").rows();
    let page = words(&page);
    for said in [
        "4 of 7 documents (57.1 %) have a near-duplicate within 1 in the reference",
        "0 have an equal text there, 2 an equal fingerprint of another text, 2 a near one",
        "--reference train.jsonl",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    let refused =
        shell.run("report test.jsonl --reference train.jsonl -f html --tau 0.8").refused(2);
    assert!(refused.contains("are for one corpus"), "{refused}");
}

/// A mark holds for all documents with the two texts.
#[test]
fn no_copy_goes_for_one_that_is_no_duplicate() {
    let row = |id: &str, text: &str| format!("{{\"id\": \"{id}\", \"text\": \"{text}\"}}\n");
    let text = "the tide is out and the boats lie on the mud until the evening";
    let test = row("a", text) + &row("b", text) + &row("c", &format!("{text} bell"));
    let mark = r#"{"id":"a","file":"test.jsonl","line":1,"mark":"not a duplicate","of":{"id":"r","file":"train.jsonl","line":1}}"#;
    let reference = row("r", text);
    let shell =
        Shell::with(&[("test.jsonl", &test), ("train.jsonl", &reference), ("marks.jsonl", mark)]);
    let dropped = |rest: &str| {
        let line = format!("dedup -q -f csv -k 64 test.jsonl --reference train.jsonl {rest}");
        let rows = shell.run(&line).rows();
        rows.lines().skip(1).map(|row| row[..1].to_owned()).collect::<String>()
    };
    assert_eq!(dropped(""), "abc");
    assert_eq!(dropped("--marks marks.jsonl"), "c");
}

/// Under tf-idf a pipe gives its first bytes as any other, and texts stay texts whatever lies beside them.
#[test]
fn a_reference_of_texts_is_one_under_every_weighting() {
    let tide = "{\"id\":\"x\",\"text\":\"the tide comes in at seven over the flat sand\"}\n";
    let more = "{\"id\":\"y\",\"text\":\"boats wait for water in the small harbour\"}\n";
    let shell =
        Shell::with(&[("test.jsonl", &(tide.replace("\"x\"", "\"t\"") + more)), ("r.jsonl", tide)]);
    std::fs::create_dir_all(shell.path("job/texts")).unwrap();
    std::fs::copy(shell.path("r.jsonl"), shell.path("job/texts/r.jsonl")).unwrap();
    std::fs::write(shell.path("job/_simscope.json"), r#"{"recipe":"words:3","k":3}"#).unwrap();
    std::fs::write(shell.path("r.jsonl.recipe"), "words:3\n").unwrap();
    let common = "pairs test.jsonl -f csv --weights tf-idf";
    let expected = "a,b,distance\nt,x,0\n";
    for reference in ["r.jsonl", "job/texts/r.jsonl", "job/texts"] {
        let out = shell.run(&format!("{common} --reference {reference}")).rows();
        assert_eq!(out, expected, "{reference}");
    }
    let pipe = shell.path("pipe");
    if !std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|it| it.success()) {
        eprintln!("skipped: no mkfifo on this machine");
        return;
    }
    let writer = std::thread::spawn(move || std::fs::write(pipe, tide));
    assert_eq!(shell.run(&format!("{common} --reference pipe")).rows(), expected);
    writer.join().unwrap().unwrap();
}

#[test]
fn a_folder_of_fingerprints_is_no_reference_under_tf_idf() {
    let tide = "{\"id\":\"x\",\"text\":\"the tide comes in at seven over the flat sand\"}\n";
    let shell = Shell::with(&[("test.jsonl", tide)]);
    std::fs::create_dir(shell.path("prints")).unwrap();
    shell.run("fingerprint test.jsonl --weights tf-idf -o prints/idf.jsonl").rows();
    let line = "pairs test.jsonl --reference prints --weights tf-idf";
    let refused = shell.run(line).refused(2);
    assert!(
        refused.contains("idf.jsonl:1: fingerprints of the reference under tf-idf depend on the corpus they were made"),
        "{refused}"
    );
}
