//! Output can be read back: recipes and fingerprints.

use super::shell::Shell;

#[test]
fn the_printed_recipe_gives_the_same_fingerprints() {
    let shell = Shell::with(&[("my words.txt", "the\nharbour\n")]);
    let args = [
        "fingerprint",
        "--features",
        "words:2",
        "--weights",
        "tf-idf",
        "--stop-words",
        "my words.txt",
        "--hash",
        "siphash24",
        "--seed",
        "7",
        "--bits",
        "90",
        "--tie",
        "zero",
        "--norm",
        "nfkc",
        "--case",
        "keep",
    ];
    let first = shell.run_args(&args);
    let line = first.err.lines().find_map(|line| line.strip_prefix("recipe: ")).unwrap();
    // The words are named by what they are, too.
    let expected =
        "words:2 tf-idf siphash24 seed=7 bits=90 tie=zero norm=nfkc case=keep stop=my%20words.txt#";
    let digest = line.strip_prefix(expected).unwrap_or_else(|| panic!("{line}")).to_owned();
    assert_eq!(digest.len(), 16);
    let second = shell.run_args(&["--recipe", line, "fingerprint"]);
    assert_eq!(first.out.lines().count(), 100);
    assert_eq!((second.code, &second.out), (0, &first.out));
    assert_ne!(shell.run("fingerprint").out, first.out);
    // Another list of the same name is not that list.
    std::fs::write(shell.path("my words.txt"), "harbour\nThe\n\n# a comment\n").unwrap();
    assert_eq!(shell.run_args(&["--recipe", line, "fingerprint"]).out, first.out);
    std::fs::write(shell.path("my words.txt"), "the\n").unwrap();
    let err = shell.run_args(&["--recipe", line, "fingerprint"]).refused(2);
    let said = "my words.txt: its words are not those that the recipe names (";
    assert!(err.contains(said) && err.contains(&format!("not {digest})")), "{err}");
    let line = line.strip_suffix(&format!("#{digest}")).unwrap();
    assert_eq!(shell.run_args(&["--recipe", line, "fingerprint"]).code, 0);
}

#[test]
fn exported_fingerprints_give_the_same_pairs() {
    for (format, bits) in [("jsonl", "64"), ("csv", "64"), ("tsv", "90")] {
        let shell = Shell::with(&[]);
        let file = format!("fingerprints.{format}");
        shell.run(&format!("fingerprint -f {format} -o {file} --bits {bits}")).rows();
        for command in ["pairs", "groups", "query --id tide-log", "explain tide-log tide-log-geese"]
        {
            let line = format!("{command} -k 8 --bits {bits}");
            let expected = shell.run(&line).rows();
            // Of texts an explanation says more, and behind what fingerprints tell.
            let expected = match expected.split_once(",\"exact_cosine\"") {
                Some((before, _)) => format!("{before}}}\n"),
                None => expected,
            };
            assert_eq!(shell.run(&format!("{line} {file}")).rows(), expected, "{line} {format}");
        }
    }
}

#[test]
fn threads_and_batches_change_no_byte() {
    let shell = Shell::with(&[]);
    for command in ["fingerprint", "pairs -k 8", "groups -k 8"] {
        let expected = shell.run(command).rows();
        for n_threads in [1, 3] {
            assert_eq!(shell.run(&format!("{command} --threads {n_threads}")).rows(), expected);
        }
    }
}
