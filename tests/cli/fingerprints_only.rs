//! Corpora of fingerprints alone, as other programs write them.

use super::shell::Shell;

/// 0, 1, 2^63 and 2^64 - 1.
const HEX: [&str; 4] =
    ["0000000000000000", "0000000000000001", "8000000000000000", "ffffffffffffffff"];

fn fingerprints(shell: &Shell, line: &str) -> Vec<String> {
    let rows = shell.run(&format!("fingerprint -f tsv --quiet {line}")).rows();
    rows.lines().skip(1).map(|row| row.split('\t').nth(1).unwrap().to_owned()).collect()
}

#[test]
fn hex_decimal_and_signed_numbers_are_the_same_fingerprints() {
    let shell = Shell::with(&[
        ("hex.txt", "0000000000000000\n0x1\n8000000000000000\n0xFFFFFFFFFFFFFFFF\n"),
        ("unsigned.txt", "0\n1\n9223372036854775808\n18446744073709551615\n"),
        ("signed.txt", "0\n1\n-9223372036854775808\n-1\n"),
        ("cells.csv", "id,fingerprint\na,0\nb,1\nc,9223372036854775808\nd,18446744073709551615\n"),
        (
            "numbers.jsonl",
            "{\"fingerprint\":0}\n{\"fingerprint\":1}\n{\"fingerprint\":-9223372036854775808}\n\
             {\"fingerprint\":18446744073709551615}\n",
        ),
    ]);
    for line in [
        "--input-format fingerprints hex.txt",
        "--input-format fingerprints --fp-type uint64 unsigned.txt",
        "--input-format fingerprints --fp-type int64 signed.txt",
        "--fp-type uint64 cells.csv",
        "numbers.jsonl",
    ] {
        // Numbers are read in their type, and rows are written in it.
        let rows = fingerprints(&shell, line);
        let hex: Vec<String> = match line {
            _ if line.contains("--fp-type") => rows
                .iter()
                .map(|row| {
                    row.parse::<i128>()
                        .map_or_else(|_| row.clone(), |n| format!("{:016x}", n as u64))
                })
                .collect(),
            _ => rows,
        };
        assert_eq!(hex, HEX, "{line}");
    }
    let pairs = shell.run("pairs -k 1 -f tsv --input-format fingerprints hex.txt").rows();
    assert_eq!(pairs, "a\tb\tdistance\nhex.txt:1\thex.txt:2\t1\nhex.txt:1\thex.txt:3\t1\n");
}

#[test]
fn wide_fingerprints_and_wrong_ones() {
    let wide = format!("0x000000000000000000000000000000ff\n{}\n", "f".repeat(32));
    let shell =
        Shell::with(&[("wide.txt", &*wide), ("bad.txt", "12\n0x1ffffffffffffffff\nnone\n")]);
    let line = "pairs --bits 128 -k 120 -f tsv --input-format fingerprints wide.txt";
    assert_eq!(shell.run(line).rows(), "a\tb\tdistance\nwide.txt:1\twide.txt:2\t120\n");
    let done = shell.run("fingerprint --input-format fingerprints bad.txt");
    assert_eq!(done.code, 1);
    assert!(done.out.contains("\"0000000000000012\""), "{}", done.out);
    assert!(done.err.contains("it has 17 characters, but 64 bits have at most 16"), "{}", done.err);
    let line = "fingerprint --bits 128 --fp-type int64";
    let refused = shell.run(line).refused(2);
    assert!(refused.contains("--fp-type int64 has 64 bits, and the fingerprints"), "{refused}");
}

/// What is written otherwise is named as it stands in the file, in lines, cells and strings.
#[test]
fn what_is_no_decimal_number_is_refused_by_name() {
    let others =
        ["1e3", "deadbeef", "0b11", "10.0", "18446744073709551616", "-9223372036854775809"];
    for other in others {
        let shell = Shell::with(&[
            ("a.txt", &*format!("7\n{other}\n0xf\n")),
            ("a.csv", &*format!("id,fingerprint\na,7\nb,{other}\nc,0xf\n")),
            (
                "a.jsonl",
                &*format!(
                    "{{\"fingerprint\":7}}\n{{\"fingerprint\":\"{other}\"}}\n{{\"fingerprint\":\"0xf\"}}\n"
                ),
            ),
        ]);
        for fp_type in ["uint64", "int64"] {
            for (line, place) in [
                ("--input-format fingerprints a.txt", "a.txt:2"),
                ("a.csv", "a.csv:3"),
                ("a.jsonl", "a.jsonl:2"),
            ] {
                let done = shell.run(&format!("fingerprint -q -f tsv --fp-type {fp_type} {line}"));
                let said =
                    format!("{place}: fingerprint \"{other}\" is no whole number of 64 bits");
                assert!(done.code == 1 && done.err.contains(&said), "{}", done.err);
                assert_eq!(done.out.lines().count(), 3, "{}", done.out);
            }
        }
    }
}

#[test]
fn a_file_beside_fingerprints_that_is_no_recipe_is_an_error() {
    let shell = Shell::with(&[("prints.jsonl.recipe", "salt, water"), ("tide.txt.recipe", "salt")]);
    std::fs::write(shell.path("tide.txt"), "the tide comes in").unwrap();
    std::fs::write(shell.path("prints.jsonl"), "{\"fingerprint\":\"00000000000000ff\"}\n").unwrap();
    let refused = shell.run("pairs prints.jsonl").refused(2);
    assert!(refused.contains("error: prints.jsonl.recipe: recipe: \"salt,\" is"), "{refused}");
    // A text has its own recipes.
    assert_eq!(shell.run("pairs tide.txt").code, 0);
}

#[test]
fn a_recipe_beside_fingerprints_is_held_to() {
    let shell = Shell::with(&[]);
    shell.run("fingerprint --features words:1 -o prints.jsonl").rows();
    let refused = shell.run("pairs prints.jsonl").refused(2);
    let said = "prints.jsonl: its fingerprints are of another recipe, as prints.jsonl.recipe says; give --recipe";
    assert!(refused.contains(said), "{refused}");
    let recipe = shell.read("prints.jsonl.recipe");
    let args = ["pairs", "prints.jsonl", "--recipe", recipe.trim_end(), "-f", "tsv"];
    let again = shell.run_args(&args).rows();
    assert_eq!(again, shell.run("pairs --features words:1 -f tsv").rows());
    // Texts may be read under any recipe, whatever lies beside them.
    let texts = "{\"text\":\"the tide came in\"}\n{\"text\":\"the tide went out\"}\n";
    let shell = Shell::with(&[("texts.jsonl", texts), ("texts.jsonl.recipe", &recipe)]);
    assert_eq!(shell.run("pairs texts.jsonl").code, 0);
}

/// The fingerprints that simhash-py's `compute` makes of hashes: [1, 2] is 0, [1, 3] is 1; a hash counts as often as it is there.
#[test]
fn hashes_make_the_fingerprints_of_simhash_py() {
    let hello = "\"0x5d41402abc4b2a76\"";
    let rows = [
        "[1,2]".to_owned(),
        "[1,3]".to_owned(),
        "[]".to_owned(),
        format!("[{hello}]"),
        "[[1,1],[3,1],[1,0.5],[6,0.5]]".to_owned(),
        "{\"1\":1.5,\"3\":1,\"6\":0.5}".to_owned(),
    ];
    let jsonl: String = rows.iter().map(|row| "{\"h\":".to_owned() + row + "}\n").collect();
    let csv: String =
        rows.iter().map(|row| "\"".to_owned() + &row.replace('"', "\"\"") + "\"\n").collect();
    let shell = Shell::with(&[("rows.jsonl", &jsonl), ("rows.csv", &format!("h\n{csv}"))]);
    for file in ["rows.jsonl", "rows.csv", "-"] {
        let line = format!("fingerprint --hashes-field h --preset simhash-py -f tsv {file}");
        let words: Vec<&str> = line.split_whitespace().collect();
        let rows = shell.run_with(&words, &jsonl).rows();
        let rows: Vec<_> =
            rows.lines().skip(1).map(|row| row.split_once('\t').unwrap().1).collect();
        let expected = [
            "0000000000000000\t2",
            "0000000000000001\t2",
            "\t0",
            "5d41402abc4b2a76\t1",
            "0000000000000001\t3",
            "0000000000000001\t3",
        ];
        assert_eq!(rows, expected, "{file}");
    }
    let done = shell.run("pairs -k 0 --hashes-field h --tie zero -f tsv rows.jsonl");
    assert!(
        done.err.contains("6 rows with hashes and no text: only bits and tie of the recipe"),
        "{}",
        done.err
    );
    assert_eq!((done.code, done.out.lines().count()), (0, 4), "three of one fingerprint");
    // Of a recipe only bits and tie count.
    let narrow =
        shell.run("fingerprint --hashes-field h --bits 4 --tie one -f tsv rows.jsonl").rows();
    assert!(narrow.contains("rows.jsonl:1\t3\t2"), "{narrow}");
    let refused = shell.run("pairs --hashes-field h --bits 90 rows.jsonl").refused(2);
    assert!(
        refused.contains("hashes have 64 bits, and the fingerprints of this recipe have 90"),
        "{refused}"
    );
    let lacks = shell.run("explain --hashes-field h rows.jsonl:1 rows.jsonl:2 rows.jsonl");
    assert_eq!(lacks.code, 0, "{}", lacks.err);
    let lacks = shell.run("tune --layouts --measure --hashes-field h rows.jsonl").refused(2);
    assert!(lacks.contains("the corpus holds no text to compare"), "{lacks}");
    // An index keeps them, and the option with them.
    shell.run("index rows.jsonl --hashes-field h --tie zero -o rows.idx").rows();
    let again = shell.run("pairs -k 0 -f tsv rows.idx").rows();
    assert_eq!(again, done.out);
}

/// Where texts are absent, nothing is claimed of them.
#[test]
fn absent_texts_are_not_called_sound() {
    let shell = Shell::with(&[("bits.jsonl", super::shell::BITS)]);
    let done = shell.run("check --bits 8 bits.jsonl");
    assert!(
        done.err.contains("7 documents without text, checked for a missing fingerprint only"),
        "{}",
        done.err
    );
    let refused = shell.run("fingerprint --document-frequencies --bits 8 bits.jsonl").refused(2);
    assert!(refused.contains("no document has a text, so there are no features"), "{refused}");
    for (keys, said) in [
        ("5jj", "7 documents without text: only a missing fingerprint is found there"),
        ("5", "no pair was compared, because none of the"),
    ] {
        let line = format!("--bits 8 --size 120x35 --keys {keys} --print bits.jsonl");
        let screen = shell.run(&line).rows();
        assert!(screen.contains(said), "{keys}: {screen}");
        assert!(!screen.contains("none is") && !screen.contains("pairs agree"), "{screen}");
    }
}
