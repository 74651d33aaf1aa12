//! Frozen document frequencies: one fingerprint a text, whatever the corpus at hand.

use super::shell::Shell;

const TEXTS: &str = "{\"id\":\"a\",\"text\":\"the tide log of the harbour\"}\n\
                     {\"id\":\"b\",\"text\":\"the lens of the lighthouse\"}\n\
                     {\"id\":\"c\",\"text\":\"the tide pool and the crab\"}\n";

#[test]
fn frozen_frequencies_make_the_fingerprints_of_the_corpus_they_were_counted_in() {
    let one = TEXTS.lines().next().unwrap();
    let shell = Shell::with(&[("texts.jsonl", TEXTS), ("one.jsonl", &format!("{one}\n"))]);
    let counted =
        shell.run("fingerprint --document-frequencies texts.jsonl --features words:1 -o df.tsv");
    assert!(counted.err.contains("note: 10 features of 3 documents"), "{}", counted.err);
    let last = shell.read("df.tsv").lines().last().unwrap().to_owned();
    assert_eq!(last, "all\t3");
    let whole =
        shell.run("fingerprint -q --features words:1 --weights tf-idf texts.jsonl -f csv").rows();
    let frozen = "--features words:1 --weights tf-idf --frequencies df.tsv";
    let again = shell.run(&format!("fingerprint -q {frozen} texts.jsonl -f csv")).rows();
    assert_eq!(again, whole);
    let alone = shell.run(&format!("fingerprint -q {frozen} one.jsonl -f csv -o one.csv"));
    assert_eq!(alone.code, 0, "{}", alone.err);
    assert_eq!(shell.read("one.csv").lines().nth(1), whole.lines().nth(1));
    let own =
        shell.run("fingerprint -q --features words:1 --weights tf-idf one.jsonl -f csv").rows();
    assert_ne!(own.lines().nth(1), whole.lines().nth(1));
    // The line of the recipe reads them again, and names what they hold.
    let line = shell.read("one.csv.recipe");
    assert!(line.contains(" df=df.tsv#"), "{line}");
    let quoted = ["fingerprint", "-q", "--recipe", line.trim(), "one.jsonl", "-f", "csv"];
    assert_eq!(shell.run_args(&quoted).rows(), shell.read("one.csv"));
    shell.run("fingerprint --document-frequencies one.jsonl --features words:1 -o df.tsv").rows();
    let refused = shell.run_args(&quoted).refused(2);
    assert!(refused.contains("its frequencies are not those that the recipe names"), "{refused}");
}

#[test]
fn rare_and_common_features_can_be_left_out() {
    let shell = Shell::with(&[("texts.jsonl", TEXTS)]);
    let run = |options: &str| {
        let line = format!(
            "fingerprint -q --features words:1 --weights tf-idf {options} texts.jsonl -f csv"
        );
        let rows = shell.run(&line).rows();
        rows.lines()
            .skip(1)
            .map(|row| row.split(',').nth(1).unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    // "the" is in all, "of" and "tide" in two, the others in one.
    let cut = run("--min-df 2 --max-df 0.7");
    let (of, tide) = (1, 2);
    assert_eq!(cut[of], shell_hash(&shell, "of"), "b has only `of` left");
    assert_eq!(cut[tide], shell_hash(&shell, "tide"), "c has only `tide` left");
    assert_eq!(run("--min-df 3 --max-df 0.9"), ["", "", ""]);
    let line = "--features words:1 --weights tf-idf --min-df 2 --max-df 0.7 texts.jsonl -f csv";
    let rows = shell.run(&format!("fingerprint -q {line}")).rows();
    let features: Vec<&str> =
        rows.lines().skip(1).map(|row| row.rsplit(',').next().unwrap()).collect();
    assert_eq!(features[1..], ["1", "1"], "only what weighs something counts: {rows}");
    let pairs = shell.run(
        "pairs -q --features words:1 --weights tf-idf --min-df 2 --max-df 0.7 -k 64 --cosine \
                           texts.jsonl -f csv",
    );
    assert!(pairs.rows().contains("b,c,"), "the cut counts in cosines, too");
    let refused = shell.run("pairs texts.jsonl --min-df 2").refused(2);
    assert!(refused.contains("min-df needs tf-idf weights"), "{refused}");
}

fn shell_hash(shell: &Shell, word: &str) -> String {
    std::fs::write(shell.path("word.txt"), word).unwrap();
    let rows = shell.run("fingerprint -q --features words:1 word.txt -f csv").rows();
    rows.lines().nth(1).unwrap().split(',').nth(1).unwrap().to_owned()
}

#[test]
fn files_that_are_no_frequencies_are_refused_with_the_place() {
    let files = [
        (
            "other.tsv",
            "id\tfingerprint\na\tb\n",
            "other.tsv:1: not a table of document frequencies",
        ),
        ("cut.tsv", "feature\tdocuments\n00000000000000ff\t2\n", "cut.tsv:1: cut off"),
        (
            "wrong.tsv",
            "feature\tdocuments\nxyz\t2\nall\t3\n",
            "wrong.tsv:2: neither 16 hexadecimal digits",
        ),
        (
            "twice.tsv",
            "feature\tdocuments\n00000000000000ff\t2\n00000000000000ff\t1\nall\t3\n",
            "a feature occurs twice",
        ),
        (
            "more.tsv",
            "feature\tdocuments\n00000000000000ff\t4\nall\t3\n",
            "more documents than the corpus",
        ),
        (
            "line.tsv",
            &format!("feature\tdocuments\n00000000000000ff\t{}1\nall\t3\n", "0".repeat(99)),
            "line.tsv:2: neither 16 hexadecimal digits",
        ),
    ];
    let named: Vec<(&str, &str)> = files.iter().map(|(name, text, _)| (*name, *text)).collect();
    let shell = Shell::with(&named);
    for (name, _, expected) in files {
        let refused = shell.run(&format!("pairs --weights tf-idf --frequencies {name}")).refused(2);
        assert!(refused.contains(expected), "{refused}");
    }
    let refused = shell.run("pairs --weights tf-idf --frequencies none.tsv").refused(2);
    assert!(refused.contains("none.tsv"), "{refused}");
    shell.run("fingerprint --document-frequencies --features words:1 -o df.tsv").rows();
    let refused = shell.run("pairs --weights tf-idf --frequencies df.tsv").refused(2);
    assert!(
        refused.contains("of another recipe, words:1; count them again under words:3"),
        "{refused}"
    );
    let refused = shell.run("fingerprint --document-frequencies -o df.jsonl").refused(2);
    assert!(refused.contains("give -o FILE.tsv"), "{refused}");
}
