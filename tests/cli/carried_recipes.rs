//! Fingerprints of another recipe, wherever they lie: a folder, a reference, an index, a pipe, a job's output.

use std::fs;

use super::shell::Shell;

/// The fingerprints of the sample under a recipe, with that recipe beside them.
fn prints(shell: &Shell, features: &str, name: &str) {
    shell.run(&format!("fingerprint --features {features} --quiet -o {name}")).rows();
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
        "open --fingerprints job/prints --recipe words:3",
        "--print one",
    ] {
        let done = shell.run(line);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{line}: {}", done.err);
        let says = if line.contains("job") { "_simscope.json says" } else { "a.jsonl.recipe says" };
        assert!(done.err.contains(says), "{line}: {}", done.err);
        assert!(done.err.contains("give --recipe 'chars:5 tf "), "{line}: {}", done.err);
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
        let said = if line.contains("words:3") { "of another recipe" } else { "than those of" };
        assert!(refused.contains(said), "{line}: {refused}");
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
}
