//! Fingerprints of another recipe, wherever they lie: a folder, a reference, an index, an archive, a pipe, a copy, the
//! output of a job.

use std::fs;

use super::shell::{Shell, words};

/// The fingerprints of the sample under a recipe, with that recipe beside them.
fn prints(shell: &Shell, features: &str, name: &str) {
    shell.run(&format!("fingerprint --features {features} --quiet -o {name}")).rows();
}

/// A text and fingerprints that nobody can compare: the recipe of the text is a guess.
#[test]
fn a_text_beside_fingerprints_without_a_recipe_is_noted() {
    let rows = "{\"id\":\"a\",\"fingerprint\":\"00ff00ff00ff00ff\"}\n";
    let shell = Shell::with(&[("rows.jsonl", rows), ("text.jsonl", "{\"text\":\"low tide\"}\n")]);
    let noted = |line: &str| shell.run(line).err.contains("the corpus names no recipe");
    assert!(noted("query --text tide rows.jsonl"));
    assert!(noted("query --text tide text.jsonl rows.jsonl"));
    assert!(!noted("query --fingerprint 00ff00ff00ff00ff rows.jsonl"));
    assert!(!noted("query --text tide text.jsonl"));
}

#[test]
fn every_place_of_fingerprints_is_held_to_its_recipe() {
    let shell = Shell::with(&[("text.jsonl", "{\"text\":\"the tide came in\"}\n")]);
    for folder in ["one", "two", "job", "job/prints"] {
        fs::create_dir(shell.path(folder)).unwrap();
    }
    prints(&shell, "chars:5", "one/a.jsonl");
    prints(&shell, "chars:5", "two/a.jsonl");
    prints(&shell, "words:3", "two/b.jsonl");
    fs::copy(shell.path("one/a.jsonl"), shell.path("job/prints/part-0.jsonl")).unwrap();
    fs::write(shell.path("job/_simscope.json"), r#"{"recipe":"chars:5","k":3}"#).unwrap();
    for line in [
        "pairs one",
        "pairs one/a.jsonl",
        "pairs text.jsonl --reference one",
        "index one -o one.idx",
        "dedup one --dropped d.jsonl",
        "pairs job/prints",
        "cluster open --fingerprints job/prints --recipe words:3",
        "--print one",
    ] {
        let done = shell.run(line);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{line}: {}", done.err);
        let says = if line.contains("job") { "_simscope.json says" } else { "a.jsonl.recipe says" };
        assert!(done.err.contains(says), "{line}: {}", done.err);
        assert!(done.err.contains("give --recipe 'chars:5 log-tf "), "{line}: {}", done.err);
        if !line.contains("open") && !line.contains("--print") {
            assert_eq!(shell.run(&format!("{line} --recipe chars:5")).code, 0, "{line}");
        }
    }
    // Files that contradict each other cannot be compared under any recipe.
    for line in [
        "pairs two --recipe chars:5",
        "pairs two --recipe words:3",
        "pairs one two/b.jsonl --recipe chars:5",
    ] {
        let refused = shell.run(line).refused(2);
        let said = "b.jsonl hold fingerprints of different recipes, chars:5 log-tf ";
        assert!(refused.contains(said) && refused.contains(" and words:3 log-tf "), "{refused}");
    }
}

#[test]
fn fingerprints_of_an_unknown_recipe_get_none() {
    let shell =
        Shell::with(&[("bits.jsonl", "{\"id\":\"a\",\"fingerprint\":\"00000000000000ff\"}\n")]);
    shell.run("fingerprint bits.jsonl -o again.jsonl").rows();
    assert!(shell.read("again.jsonl.recipe").starts_with("# of an unknown recipe\n# simscope "));
    // So no run under another recipe is refused, and the file can be written again.
    shell.run("pairs --features chars:5 again.jsonl").rows();
    shell.run("fingerprint bits.jsonl -o again.jsonl").rows();
}

/// The file of a recipe lies beside a file of rows, and is none of them.
#[test]
fn a_recipe_is_no_document_of_its_folder() {
    let shell = Shell::with(&[]);
    fs::create_dir(shell.path("one")).unwrap();
    prints(&shell, "chars:5", "one/a.jsonl");
    let n = shell.read("one/a.jsonl").lines().count();
    fs::write(shell.path("one/cake.recipe"), "salt, water and a tide\n").unwrap();
    let done = shell.run("fingerprint one --recipe chars:5 -f jsonl");
    assert_eq!(done.code, 0, "{}", done.err);
    let ids: Vec<_> = done.out.lines().filter(|row| row.contains(".recipe")).collect();
    assert_eq!((done.out.lines().count(), ids.len()), (n + 1, 1), "{ids:?}");
    assert!(ids[0].contains("cake.recipe"), "{ids:?}");
}

#[test]
fn an_archive_a_pipe_and_a_copy_are_held_to_their_recipe() {
    let shell = Shell::with(&[]);
    prints(&shell, "chars:5", "a.jsonl");
    let line = "dedup a.jsonl --recipe chars:5 --dropped d.jsonl --kept kept.jsonl";
    assert_eq!(shell.run(line).code, 0);
    let file = fs::File::create(shell.path("a.tar")).unwrap();
    let mut tar = tar::Builder::new(file);
    tar.append_path_with_name(shell.path("a.jsonl"), "a.jsonl").unwrap();
    tar.finish().unwrap();
    fs::copy(shell.path("a.jsonl.recipe"), shell.path("a.tar.recipe")).unwrap();
    for name in ["a.tar", "kept.jsonl"] {
        let refused = shell.run(&format!("pairs {name}")).refused(2);
        assert!(
            refused.contains(&format!("of another recipe, as {name}.recipe says")),
            "{refused}"
        );
        assert_eq!(shell.run(&format!("pairs {name} --recipe chars:5")).code, 0, "{name}");
    }
    // A recipe of the user's is not written over.
    fs::write(shell.path("cake.jsonl.recipe"), "salt and water").unwrap();
    let line = "dedup a.jsonl --recipe chars:5 --dropped d.jsonl --kept cake.jsonl";
    let refused = shell.run(line).refused(2);
    assert!(refused.contains("cake.jsonl.recipe: exists and is not a recipe"), "{refused}");
    let pipe = shell.path("pipe");
    if !std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|it| it.success()) {
        eprintln!("skipped: no mkfifo on this machine");
        return;
    }
    fs::copy(shell.path("a.jsonl.recipe"), shell.path("pipe.recipe")).unwrap();
    let rows = shell.read("a.jsonl");
    let writer = std::thread::spawn(move || fs::write(pipe, rows));
    let refused = shell.run("pairs pipe").refused(2);
    assert!(refused.contains("as pipe.recipe says"), "{refused}");
    writer.join().unwrap().unwrap();
}

/// A recipe that cannot be read is neither the default nor an unknown one.
#[test]
fn a_place_that_names_no_recipe_is_named() {
    let shell = Shell::with(&[]);
    prints(&shell, "words:3", "a.jsonl");
    for bytes in [&b""[..], b"\n", b"# of my own\n", b"\x00\xff\x00", b"salt"] {
        fs::write(shell.path("a.jsonl.recipe"), bytes).unwrap();
        let refused = shell.run("pairs a.jsonl").refused(2);
        let is_read = bytes.len() > 3;
        let said = if is_read {
            "error: a.jsonl.recipe: recipe: "
        } else {
            "a.jsonl.recipe: no recipe can be read there"
        };
        assert!(refused.contains(said), "{bytes:?}: {refused}");
    }
    fs::remove_file(shell.path("a.jsonl.recipe")).unwrap();
    for note in ["{bad", "{}", "[7]"] {
        fs::write(shell.path("_simscope.json"), note).unwrap();
        let refused = shell.run("pairs a.jsonl").refused(2);
        assert!(refused.contains("_simscope.json: no recipe can be read there"), "{refused}");
    }
}

/// The notes below a recipe differ from shard to shard, the recipe does not.
#[test]
fn shards_of_one_recipe_have_it_once() {
    let shell = Shell::with(&[]);
    fs::create_dir(shell.path("one")).unwrap();
    prints(&shell, "words:3", "one/a.jsonl");
    prints(&shell, "words:3", "one/b.jsonl");
    let [a, b] = ["one/a.jsonl.recipe", "one/b.jsonl.recipe"].map(|name| shell.read(name));
    assert_ne!(a, b);
    let input = simscope::corpus::Input::Path(shell.path("one"));
    let (options, progress) =
        (simscope::corpus::LoadOptions::default(), simscope::progress::Progress::new());
    let corpus = simscope::corpus::load(&[input], &options, &progress, &mut |_| {}).unwrap();
    let carried = corpus.carried_recipes();
    assert_eq!(carried.len(), 1);
    assert_eq!(Some(carried[0].line.as_str()), a.lines().next());
}

/// A corpus that was read is held to its recipes when it is fingerprinted again.
#[test]
fn another_recipe_is_refused_after_the_corpus_was_read() {
    let text = "{\"id\":\"p\",\"text\":\"the tide came in at seven over the flat sand\"}\n";
    let shell = Shell::with(&[("p.jsonl", text)]);
    shell.run("fingerprint p.jsonl --features words:2 -o pf.jsonl").rows();
    let line = "compare p.jsonl pf.jsonl --features words:2 --against words:3";
    let refused = shell.run(line).refused(2);
    assert!(refused.contains("pf.jsonl: its fingerprints are of another recipe"), "{refused}");
    let line = "sweep p.jsonl pf.jsonl --features words:2,words:3";
    assert!(shell.run(line).refused(2).contains("of another recipe"));
    // The explorer says so, and goes on under the recipe that it had.
    prints(&shell, "words:2", "prints.jsonl");
    let run = |keys: &str| {
        let args =
            ["prints.jsonl", "--features", "words:2", "--size", "120x30", "--print", "--keys"];
        shell.run_args(&[&args[..], &[keys]].concat()).rows()
    };
    let said = "prints.jsonl: its fingerprints are of another recipe, as prints.jsonl.recipe";
    let screen = run("rj+<enter>");
    assert!(screen.contains(said), "{screen}");
    run("rj+<enter>1w<c-u>out<enter>");
    assert!(shell.read("out/dropped.jsonl.recipe").starts_with("words:2 log-tf "));
    assert!(shell.read("out/kept.jsonl.recipe").starts_with("words:2 log-tf "));
    let command = shell.read("out/command.txt").replace("out/", "again-");
    let words: Vec<_> = command
        .split('\'')
        .flat_map(|part| {
            let is_recipe = part.contains("words:2");
            if is_recipe { vec![part] } else { part.split_whitespace().collect() }
        })
        .skip(1)
        .collect();
    assert_eq!(shell.run_args(&words).code, 0);
    assert_eq!(shell.read("again-kept.jsonl"), shell.read("out/kept.jsonl"));
}

#[test]
fn an_index_of_fingerprints_is_held_to_their_recipe() {
    let shell = Shell::with(&[]);
    prints(&shell, "chars:5", "a.jsonl");
    assert_eq!(shell.run("index a.jsonl --recipe chars:5 -o a.idx").code, 0);
    assert_eq!(shell.run("pairs a.idx").code, 0);
    let refused = shell.run("pairs a.idx --recipe words:3").refused(2);
    assert!(refused.contains("a.jsonl.recipe says"), "{refused}");
}

/// Fingerprints whose recipe nothing tells.
const BITS: &str = "{\"id\":\"a\",\"fingerprint\":\"00000000000000ff\"}\n{\"id\":\"b\",\"fingerprint\":\"00000000000000fe\"}\n";

#[test]
fn what_is_computed_over_an_unknown_recipe_names_none() {
    let shell = Shell::with(&[("bits.jsonl", BITS)]);
    shell.run("index bits.jsonl -o bits.idx -q");
    for corpus in ["bits.jsonl", "bits.idx"] {
        for command in [
            "fingerprint CORPUS -o out.jsonl",
            "pairs CORPUS -o out.jsonl",
            "pairs CORPUS --where id:a -o out.jsonl",
            "groups CORPUS -o out.jsonl",
            "dedup CORPUS --dropped out.jsonl",
            "query CORPUS --id a -o out.jsonl",
            "tune CORPUS -o out.jsonl",
        ] {
            let _ = fs::remove_file(shell.path("out.jsonl.recipe"));
            let done = shell.run(&command.replace("CORPUS", corpus));
            assert!(done.code < 2, "{corpus}, {command}: {}", done.err);
            let beside = shell.read("out.jsonl.recipe");
            assert!(
                beside.starts_with("# of an unknown recipe\n"),
                "{corpus}, {command}: {beside}"
            );
        }
        shell.run(&format!("report {corpus} -o out.html -q"));
        let page = words(&shell.read("out.html"));
        assert!(page.contains("unknown, because the fingerprints came without it"), "{page}");
    }
    // Hashes of features say as little.
    fs::write(shell.path("hashes.jsonl"), "{\"id\":\"a\",\"h\":[1,2]}\n").unwrap();
    shell.run("fingerprint --hashes-field h hashes.jsonl -o out.jsonl").rows();
    assert!(shell.read("out.jsonl.recipe").starts_with("# of an unknown recipe\n"));
    // Of a known recipe it is the known one.
    prints(&shell, "chars:5", "known.jsonl");
    shell.run("index known.jsonl --recipe chars:5 -q -o known.idx");
    shell.run("pairs known.idx -o out.jsonl");
    assert!(shell.read("out.jsonl.recipe").starts_with("chars:5 log-tf "));
}

#[test]
fn an_index_over_an_unknown_recipe_is_of_none() {
    let shell = Shell::with(&[("bits.jsonl", BITS)]);
    shell.run("index bits.jsonl -q -o bits.idx");
    let bytes = fs::read(shell.path("bits.idx")).unwrap();
    assert!(!bytes.windows(7).any(|part| part == b"words:3"));
    // They are what they are under any recipe of their width, and another one is no change.
    let done = shell.run("pairs bits.idx --features chars:5");
    assert_eq!((done.code, done.out.lines().count()), (0, 1), "{}", done.err);
    assert!(!done.err.contains("another recipe"), "{}", done.err);
    let weighed = shell.run("pairs bits.idx --weights tf-idf");
    assert_eq!((weighed.code, weighed.out.as_str()), (0, done.out.as_str()), "{}", weighed.err);
    // A recipe that comes later counts, although the file is unchanged.
    fs::write(shell.path("bits.jsonl.recipe"), "chars:5\n").unwrap();
    let refused = shell.run("pairs bits.idx").refused(2);
    assert!(refused.contains("bits.jsonl.recipe says"), "{refused}");
    assert!(!shell.run("index bits.idx --recipe chars:5").err.contains("nothing has changed"));
    let line = "pairs bits.idx --features chars:3";
    assert!(shell.run(line).refused(2).contains("bits.jsonl.recipe says"));
    shell.run("pairs bits.idx -o out.jsonl");
    assert!(shell.read("out.jsonl.recipe").starts_with("chars:5 log-tf "));
    // Texts beside them have a recipe, and it is that of the texts.
    fs::remove_file(shell.path("bits.jsonl.recipe")).unwrap();
    fs::write(shell.path("text.jsonl"), "{\"text\":\"the tide came in\"}\n").unwrap();
    shell.run("index bits.jsonl text.jsonl -q -o both.idx");
    let told = shell.run("pairs both.idx --features chars:5 -o out.jsonl").err;
    assert!(told.contains("both.idx is an index of another recipe"), "{told}");
    assert!(shell.read("out.jsonl.recipe").starts_with("# of an unknown recipe\n"));
    shell.run("report both.idx -o out.html -q");
    assert!(words(&shell.read("out.html")).contains("that of given fingerprints is unknown"));
}

#[cfg(feature = "columnar")]
#[test]
fn the_metadata_of_a_stream_and_of_shards_counts() {
    let shell =
        Shell::with(&[("bits.jsonl", "{\"id\":\"a\",\"fingerprint\":\"00000000000000ff\"}\n")]);
    fs::create_dir(shell.path("shards")).unwrap();
    for name in ["prints.arrows", "shards/0.parquet"] {
        prints(&shell, "chars:5", name);
        fs::remove_file(shell.path(&format!("{name}.recipe"))).unwrap();
    }
    let mut piped = shell.command();
    piped.args(["pairs", "-"]);
    let done = Shell::finish(piped, fs::read(shell.path("prints.arrows")).unwrap());
    let refused = done.refused(2);
    let said = "standard input: its fingerprints are of another recipe, as its metadata says; give --recipe 'chars:5";
    assert!(refused.contains(said), "{refused}");
    let refused = shell.run("pairs shards").refused(2);
    assert!(refused.contains("as its metadata says"), "{refused}");
    shell.run("fingerprint bits.jsonl --weights tf-idf -o stamp.parquet").rows();
    let bytes = fs::read(shell.path("stamp.parquet")).unwrap();
    let has = |key: &[u8]| bytes.windows(key.len()).any(|part| part == key);
    assert!(has(b"simscope.manifest") && !has(b"simscope.recipe"));
    for line in ["pairs bits.jsonl -o", "dedup bits.jsonl --dropped"] {
        shell.run(&format!("{line} stamp.parquet"));
        let bytes = fs::read(shell.path("stamp.parquet")).unwrap();
        let has = |key: &[u8]| bytes.windows(key.len()).any(|part| part == key);
        assert!(has(b"simscope.manifest") && !has(b"simscope.recipe"), "{line}");
    }
}
