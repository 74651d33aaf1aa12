//! Documents to drop, and the corpus without them.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;

use serde_json::Value;

use super::arxiv::shared;
use super::shell::{BITS, Shell};

const TEXTS: &str = r#"{"id":"a","text":"the tide comes in at seven over the flat sand","date":"2024-01-02"}
{"id":"b","text":"the tide comes in at seven over the flat sand","date":"2024-03-01"}
{"id":"b","text":"The  tide comes in at seven over the flat sand!","date":"2023-05-05"}
{"text":"the tide comes in at seven over the flat grey sand"}
{"id":"e","text":"quite another text about gulls on the roof of a barn"}
{"id":"f","text":""}
"#;

/// The rows of a run as JSON.
fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_dropped_document_is_named_with_the_one_kept_for_it() {
    let shell = Shell::with(&[("bits.jsonl", BITS)]);
    let out = shell.run("dedup bits.jsonl --bits 8 -k 1 -f csv").rows();
    assert_eq!(
        out,
        "id,file,line,kept,kept_file,kept_line,distance,cosine,reason,shared\n\
         b,bits.jsonl,2,a,bits.jsonl,1,0,,equal fingerprint,\n\
         c,bits.jsonl,3,a,bits.jsonl,1,1,,near,\n\
         e,bits.jsonl,5,d,bits.jsonl,4,1,,near,\n"
    );
    let last = shell.run("dedup bits.jsonl --bits 8 -k 1 -f csv --keep last").rows();
    assert_eq!(last.lines().filter(|row| row.contains(",c,bits.jsonl,3,")).count(), 2, "{last}");
}

/// A folder of sources gives a folder; each file keeps its place, and no input is touched.
#[test]
fn the_kept_files_of_a_folder_are_copied_or_linked() {
    let text = "the tide comes in at seven over the flat sand";
    let shell = Shell::with(&[("t.jsonl", TEXTS)]);
    fs::create_dir_all(shell.path("d/sub")).unwrap();
    let files =
        [("a.txt", text), ("sub/b.txt", text), ("sub/c.txt", "gulls on the roof of a barn")];
    for (name, text) in files {
        fs::write(shell.path("d").join(name), text).unwrap();
    }
    fs::write(shell.path("d/o.json"), "{\n\"id\": \"o\",\n\"text\": \"an object of its own\"\n}\n")
        .unwrap();
    let is_there = |folder: &str, name: &str| shell.path(folder).join(name).exists();
    for (line, folder) in
        [("dedup d -k 0 --kept out/", "out"), ("dedup d -k 0 --link --kept linked/", "linked")]
    {
        let done = shell.run(line);
        assert_eq!((done.code, rows(&done.out).len()), (0, 1), "{}", done.err);
        let found =
            ["a.txt", "sub/b.txt", "sub/c.txt", "o.json"].map(|name| is_there(folder, name));
        assert_eq!(found, [true, false, true, true], "{line}");
        assert_eq!(shell.read(&format!("{folder}/sub/c.txt")), files[2].1);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let inode = |name: &str| fs::metadata(shell.path(name)).unwrap().ino();
        assert_eq!(inode("linked/a.txt"), inode("d/a.txt"));
        assert_ne!(inode("out/a.txt"), inode("d/a.txt"));
    }
    for (line, why) in [
        ("dedup d -k 0 --kept out/", "out/: is there already"),
        ("dedup d -k 0 --kept d/new/", "d/new/: is inside an input"),
        ("dedup t.jsonl -k 0 --kept new/", "t.jsonl:1: its file has other documents"),
        ("dedup d -k 0 --kept k.jsonl --link", "--link: is for a folder"),
    ] {
        let done = shell.run(line);
        assert!(done.code == 2 && done.err.contains(why), "{line}: {}", done.err);
        assert!(!is_there(".", "new") && !is_there(".", "d/new"), "{line}");
    }
    // Nothing is left beside the folder.
    let names = fs::read_dir(shell.path(".")).unwrap().map(|it| it.unwrap().file_name());
    let names: BTreeSet<_> = names.map(|it| it.into_string().unwrap()).collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["d", "linked", "out", "t.jsonl"]);
}

/// A pipe gets them as they are; a table has no characters that a terminal executes.
#[cfg(unix)]
#[test]
fn a_file_is_named_by_its_path_as_it_is() {
    let shell = Shell::with(&[]);
    fs::create_dir(shell.path("d")).unwrap();
    for name in ["a\u{1b}[1m.txt", "a^[[1m.txt"] {
        fs::write(shell.path("d").join(name), "the tide comes in at seven").unwrap();
    }
    let dropped = rows(&shell.run("dedup d -k 0").rows());
    let names = [&dropped[0]["kept_file"], &dropped[0]["file"]];
    assert_eq!(names, ["d/a\u{1b}[1m.txt", "d/a^[[1m.txt"]);
    let table = shell.run("dedup d -k 0 -f table").rows();
    assert!(!table.contains('\u{1b}') && table.matches("d/a^[[1m.txt").count() == 2, "{table}");
    let done = shell.run("dedup d -k 0 --kept k.jsonl --dropped d.csv");
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(!done.err.contains('\u{1b}'), "{}", done.err);
    assert_eq!(rows(&shell.read("k.jsonl"))[0]["file"], "d/a\u{1b}[1m.txt");
    assert!(shell.read("d.csv").contains(",d/a\u{1b}[1m.txt,"));
}

#[test]
fn reasons_and_cosines_are_those_of_the_texts() {
    let shell = Shell::with(&[("t.jsonl", TEXTS)]);
    let done = shell.run(
        "dedup t.jsonl -k 20 --features words:1 --weights tf --dropped d.jsonl --kept k.jsonl",
    );
    assert_eq!((done.code, &*done.out), (0, ""), "{}", done.err);
    let dropped = rows(&shell.read("d.jsonl"));
    let cell = |row: usize, name: &str| dropped[row][name].clone();
    assert_eq!(dropped.len(), 3);
    assert_eq!(
        (cell(0, "line"), cell(0, "reason"), cell(0, "cosine")),
        (2.into(), "equal text".into(), 1.0.into())
    );
    // Two documents are called b; the line tells which. Its words are the same, its text is not.
    assert_eq!((cell(1, "id"), cell(1, "line")), ("b".into(), 3.into()));
    assert_eq!((cell(1, "reason"), cell(1, "cosine")), ("equal fingerprint".into(), 1.0.into()));
    // Ten words with two "the", eleven with one more: 12 / sqrt(12 * 13).
    assert_eq!((cell(2, "id"), cell(2, "reason")), ("t.jsonl:4".into(), "near".into()));
    assert!(
        (cell(2, "cosine").as_f64().unwrap() - 12.0 / 156_f64.sqrt()).abs() < 1e-4,
        "{}",
        cell(2, "cosine")
    );
    let expected: String =
        [0, 4, 5].iter().map(|&at| TEXTS.lines().nth(at).unwrap().to_owned() + "\n").collect();
    assert_eq!(shell.read("k.jsonl"), expected, "the records as they were");
    assert!(done.err.contains("note: 3 of 6 documents dropped (50.0 %): 1 have the text of the one kept for them, 1 its fingerprint, 1 are near it; 3 kept"), "{}", done.err);
    let recipe =
        "words:1 tf siphash13 seed=0 bits=64 tie=one norm=nfc case=lower stop=none\n# simscope ";
    assert!(shell.read("d.jsonl.recipe").starts_with(recipe));
}

#[test]
fn a_policy_chooses_by_field_and_length() {
    let shell = Shell::with(&[("t.jsonl", TEXTS)]);
    let kept = |policy: &str| {
        let line = format!("dedup t.jsonl -k 20 --features words:1 -f csv --keep {policy}");
        let out = shell.run(&line).rows();
        let kept: BTreeSet<String> =
            out.lines().skip(1).map(|row| row.split(',').nth(5).unwrap().to_owned()).collect();
        kept.into_iter().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(kept("newest:date"), "2");
    assert_eq!(kept("oldest:date"), "3");
    assert_eq!(
        (kept("longest"), kept("shortest"), kept("shortest,last")),
        ("4".into(), "1".into(), "2".into())
    );
    for policy in ["largest:nosuch", "source:nosuch"] {
        let done = shell.run(&format!("dedup t.jsonl -k 20 --keep {policy}"));
        let told = format!("{policy} decided nothing: no document in a group has it");
        assert!(done.err.contains(&told), "{}", done.err);
    }
    let err = shell.run("dedup t.jsonl --keep biggest").refused(2);
    assert!(err.contains("\"biggest\" is not a preference; write first, last, longest"), "{err}");
}

#[test]
fn texts_that_share_one_heavy_feature_alone_stay() {
    let heavy = |rest: &str| format!("{{\"text\": \"{}{rest}\"}}\n", "gull ".repeat(40));
    let texts = heavy("kelp bed") + &heavy("moon rise") + &heavy("moon rise");
    let shell = Shell::with(&[("t.jsonl", &texts)]);
    let line = "dedup t.jsonl --features words:1 --weights tf";
    let done = shell.run(&format!("{line} --doubtful d.jsonl -o out.jsonl"));
    let found = rows(&shell.read("out.jsonl"));
    assert!(
        done.err.contains("1 document spared: near a kept one that has less than 0.5"),
        "{}",
        done.err
    );
    assert!(
        found.iter().all(|row| row["reason"] == "equal text" && row["shared"] == 1.0),
        "{found:?}"
    );
    // "gull gull gull" of three shingles.
    let doubtful = rows(&shell.read("d.jsonl"));
    assert_eq!((doubtful.len(), doubtful[0]["shared"].as_f64()), (1, Some(0.3333)));
    assert_eq!(rows(&shell.run(&format!("{line} --min-shared 0")).out).len(), 2);
    let refused = shell.run(&format!("{line} --drop-dominated")).refused(2);
    assert!(refused.contains("--min-shared 0 drops without the check"), "{refused}");
}

#[test]
fn the_corpus_is_written_in_its_own_format() {
    let csv = "n,text\n1,\"one, two three\"\n2,\"one, two three\"\n3,four\n";
    let shell = Shell::with(&[
        ("t.csv", csv),
        ("lines.txt", "one two three\nfour five six\none two three\n"),
        ("a.md", "one two three"),
        ("b.md", "one two three"),
    ]);
    shell.run("dedup t.csv --kept k.csv --dropped d").rows();
    assert_eq!(shell.read("k.csv"), "n,text\n1,\"one, two three\"\n3,four\n");
    shell.run("dedup --input-format lines lines.txt --kept k.txt --dropped d").rows();
    assert_eq!(shell.read("k.txt"), "one two three\nfour five six\n");
    let done = shell.run("dedup a.md b.md --kept k.jsonl --dropped d");
    assert_eq!(shell.read("k.jsonl"), "{\"id\":\"a.md\",\"file\":\"a.md\",\"line\":null}\n");
    assert!(
        done.err.contains("k.jsonl lists the kept documents by id, file and line"),
        "{}",
        done.err
    );
    shell.run("dedup t.csv --kept k.csv.gz --dropped d").rows();
    let mut unpacked = String::new();
    let packed = fs::File::open(shell.path("k.csv.gz")).unwrap();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut unpacked).unwrap();
    assert_eq!(unpacked, shell.read("k.csv"));
    assert_eq!(shell.run("fingerprint k.csv.gz -f csv").rows().lines().count(), 3);
}

#[test]
fn an_export_never_lands_on_an_input_or_on_the_other_file() {
    let shell = Shell::with(&[("t.jsonl", TEXTS)]);
    fs::create_dir(shell.path("folder")).unwrap();
    for (line, told) in [
        (
            "dedup t.jsonl --kept t.jsonl",
            "t.jsonl: is an input of this run; give --kept another file",
        ),
        (
            "dedup t.jsonl --dropped t.jsonl",
            "t.jsonl: is an input of this run; give -o another file",
        ),
        ("dedup t.jsonl --kept folder", "folder: a folder; give --kept the name of a file"),
        (
            "dedup t.jsonl --kept no/k.jsonl",
            "no/k.jsonl: no such folder to write to; make it first",
        ),
        (
            "dedup t.jsonl --kept same --dropped same",
            "same: the rows go there; give --kept another file",
        ),
        ("dedup t.jsonl --kept d.recipe --dropped d", "d.recipe: the rows go there"),
        ("dedup t.jsonl --kept a --dropped ./a", "a: the rows go there"),
        ("dedup t.jsonl --kept ./d.recipe --dropped d", "./d.recipe: the rows go there"),
        ("dedup t.jsonl --kept -", "name a file"),
        ("dedup t.jsonl --kept /dev/stdout", "/dev/stdout: the rows go to standard output"),
        ("dedup t.jsonl --dropped d -o e", "cannot be used with"),
    ] {
        let err = shell.run(line).refused(2);
        assert!(err.contains(told), "{line}: {err}");
    }
    assert_eq!(shell.read("t.jsonl"), TEXTS);
    let names = fs::read_dir(shell.path("")).unwrap();
    assert_eq!(names.count(), 2, "nothing was written");
}

#[test]
fn kept_and_dropped_make_the_corpus() {
    kept_and_dropped_make(1_500);
}

#[test]
#[ignore = "the deeper run: large corpora"]
fn kept_and_dropped_make_a_large_corpus() {
    kept_and_dropped_make(usize::MAX);
}

/// Kept and dropped make the corpus, and each dropped document has a kept one within k; on the first lines of real text.
fn kept_and_dropped_make(n_lines: usize) {
    let shell = Shell::with(&[]);
    for name in ["poems-zh", "laws-de-versions", "arxiv-feeds-dev"] {
        let Some(corpus) = shared(name) else { continue };
        let corpus = fs::read_to_string(corpus).unwrap();
        let lines: String = corpus.split_inclusive('\n').take(n_lines).collect();
        let path = format!("{name}.jsonl");
        fs::write(shell.path(&path), lines).unwrap();
        for linkage in ["single", "complete"] {
            let line = ["dedup", &path, "-k", "8", "--keep", "longest", "--linkage", linkage];
            let line = [&line[..], &["--dropped", "d.jsonl", "--kept", "k.jsonl"]].concat();
            assert_eq!(shell.run_args(&line).code, 0);
            let all = shell.read(&path);
            let dropped = rows(&shell.read("d.jsonl"));
            let gone: BTreeSet<u64> =
                dropped.iter().map(|row| row["line"].as_u64().unwrap()).collect();
            let left = (1..)
                .zip(all.lines())
                .filter(|(line, text)| !gone.contains(line) && !text.trim().is_empty());
            let left: String = left.map(|(_, text)| text.to_owned() + "\n").collect();
            assert!(shell.read("k.jsonl") == left, "{name} {linkage}");
            assert!(dropped.iter().all(|row| {
                row["distance"].as_u64().unwrap() <= 8
                    && !gone.contains(&row["kept_line"].as_u64().unwrap())
            }));
        }
    }
}

/// The folder that the explorer writes holds what the command in it writes, marks by hand included.
#[cfg(unix)]
#[test]
fn the_explorer_writes_what_its_command_writes() {
    let all = ["w<enter>", "cpw<enter>", "jj<space>w<enter>", "jjxw<enter>", "cjjxw<enter>"];
    for keys in all {
        let shell = Shell::with(&[("t.jsonl", include_str!("../../assets/sample.jsonl"))]);
        let done = shell.run_args(&["--keys", keys, "--print", "t.jsonl", "-k", "6"]);
        assert!(done.out.contains(" in kept.jsonl, "), "{keys}:\n{}{}", done.out, done.err);
        let names = ["dropped.jsonl", "kept.jsonl", "dropped.jsonl.recipe"];
        // Below the recipe a command says more than the explorer, which has command.txt for it.
        let read = |name: &str| {
            let text = shell.read(&format!("dedup/{name}"));
            let recipe = name.ends_with(".recipe").then(|| text.lines().next()).flatten();
            recipe.map_or_else(|| text.clone(), |recipe| format!("{recipe}\n"))
        };
        let written = names.map(read);
        let lines = |at: usize| written[at].lines().count();
        assert_eq!(lines(0) + lines(1), 100, "kept and dropped make the corpus");
        let has_marks = keys.contains('j');
        assert_eq!(shell.path("dedup/marks.jsonl").exists(), has_marks);
        for name in names {
            fs::remove_file(shell.path(&format!("dedup/{name}"))).unwrap();
        }
        let command = read("command.txt").replace("simscope", env!("CARGO_BIN_EXE_simscope"));
        let mut again = std::process::Command::new("sh");
        let output = again.arg("-c").arg(&command).current_dir(shell.path("")).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{command}: {err}");
        assert_eq!(names.map(read), written, "{command}");
        if has_marks {
            // Linkage is chosen anew: a review is of marks and a policy.
            let keys =
                if keys.starts_with('c') { "cw" } else { "w" }.to_owned() + "<c-u>again<enter>";
            let args = ["--marks", "dedup/marks.jsonl", "--keys", &keys, "--print"];
            let done = shell.run_args(&[&args[..], &["t.jsonl", "-k", "6"]].concat());
            assert!(done.out.contains(" in kept.jsonl, "), "{}", done.out);
            assert_eq!(shell.read("again/dropped.jsonl"), written[0], "marks are restored");
        }
    }
}

#[test]
fn marks_that_name_no_document_are_refused() {
    let shell = Shell::with(&[("t.jsonl", TEXTS)]);
    for (text, told) in [
        (
            r#"{"id":"x","file":"t.jsonl","line":1,"mark":"keep"}"#,
            "m:1: t.jsonl:1 has no document with the id \"x\"",
        ),
        ("\n{\"id\":\"x\"}", "m:2: missing field `mark`; a mark has id, file, line and mark"),
        (
            r#"{"id":"x","file":"t","line":1,"mark":"no"}"#,
            "\"no\" is not a mark; write keep, drop or not a duplicate",
        ),
    ] {
        fs::write(shell.path("m"), text).unwrap();
        let err = shell.run("dedup t.jsonl --marks m").refused(2);
        assert!(err.contains(told), "{err}");
    }
}

#[test]
fn pairs_tell_their_exact_cosines() {
    let shell = Shell::with(&[("t.jsonl", TEXTS), ("bits.jsonl", BITS)]);
    let run = |rest: &str| {
        shell.run(&format!("pairs -k 20 --features words:1 --weights tf -f csv {rest}"))
    };
    let with = run("--cosine t.jsonl").rows();
    assert!(with.starts_with("a,b,distance,cosine\na,b,0,1.0000\n"), "{with}");
    let done = run("--min-cosine 0.99 t.jsonl");
    let above = with.lines().skip(1).filter(|row| row.ends_with(",1.0000")).count();
    assert_eq!((above, done.out.lines().count()), (3, 4), "{}", done.out);
    assert!(
        done.err.contains("note: 3 pairs within 20 of an exact cosine of 0.99 or more"),
        "{}",
        done.err
    );
    let known = shell.run("pairs --bits 8 -k 1 -f csv --cosine bits.jsonl").rows();
    assert!(known.lines().skip(1).all(|row| row.ends_with(',')), "no text, no cosine: {known}");
    assert_eq!(
        shell.run("pairs --bits 8 -k 1 -f csv --min-cosine 0 bits.jsonl").rows().lines().count(),
        1
    );
}

/// An export goes nowhere that is read, and over nothing.
#[test]
fn the_explorer_writes_over_nothing() {
    let shell = Shell::with(&[("t.jsonl", TEXTS), ("file", "")]);
    fs::create_dir(shell.path("full")).unwrap();
    fs::write(shell.path("full/kept.jsonl"), "mine").unwrap();
    for (folder, told) in [
        ("full", "full has a kept.jsonl already; name another folder"),
        ("t.jsonl", "t.jsonl is an input or is inside one; name another folder"),
        ("file", "file is a file; name a folder"),
        ("~/x", "~ stands for no folder here; write the whole path"),
    ] {
        let keys = format!("w<c-u>{folder}<enter>");
        let done = shell.run_args(&["--keys", &keys, "--size", "120x30", "--print", "t.jsonl"]);
        assert!(done.out.contains(told), "{folder}:\n{}", done.out);
    }
    assert_eq!(shell.read("full/kept.jsonl"), "mine");
    assert_eq!(fs::read_dir(shell.path("full")).unwrap().count(), 1);
    let done =
        shell.run_args(&["--keys", "w<c-u>in/out<enter>", "--size", "120x30", "--print", "."]);
    assert!(done.out.contains("in/out is an input or is inside one"), "{}", done.out);
}

#[test]
fn kept_and_doubtful_are_two_files() {
    let shell = Shell::with(&[("t.jsonl", TEXTS)]);
    let done = shell.run("dedup t.jsonl --kept k.jsonl --doubtful ./k.jsonl");
    assert!(done.code != 0 && done.err.contains("name one file"), "{}", done.err);
    assert!(!shell.path("k.jsonl").exists());
}
