//! The lines of the manual for other programs, run as they stand where these are.

use std::process::Command;

use super::shell::{Shell, python_with};

/// The fenced parts in this language of the section for other programs.
fn examples(language: &str) -> Vec<String> {
    let page = include_str!("../../assets/manual/dedup.md");
    let (_, section) = page.split_once("### With other programs\n").unwrap();
    let parts = section.split("```").skip(1).step_by(2);
    let ours = parts.filter_map(|part| part.strip_prefix(language)?.strip_prefix('\n'));
    ours.map(str::to_owned).collect()
}

fn rows() -> String {
    let text = |n: usize| format!("the tide of day {} came in by the old wall at noon", n / 2);
    let row = |n: usize| format!("{{\"id\":\"d{n}\",\"text\":\"{}\"}}\n", text(n));
    (0..10).map(row).collect()
}

/// Runs lines of a shell, with this program by its name.
fn sh(shell: &Shell, lines: &str) {
    let mut command = Command::new("sh");
    let program =
        format!("simscope() {{ \"{}\" -q \"$@\"; }}; set -e; ", env!("CARGO_BIN_EXE_simscope"));
    command.arg("-c").arg(program + lines).current_dir(shell.path(""));
    let done = command.output().unwrap();
    assert!(done.status.success(), "{lines}: {}", String::from_utf8_lossy(&done.stderr));
}

fn is_here(program: &str) -> bool {
    let is_here = Command::new(program).arg("--version").output().is_ok();
    if !is_here {
        eprintln!("skipped: {program} is not here");
    }
    is_here
}

#[cfg(unix)]
#[test]
fn jq_keeps_the_rows_that_are_not_dropped() {
    if !is_here("jq") {
        return;
    }
    let shell = Shell::with(&[("rows.jsonl", &rows())]);
    sh(&shell, &examples("sh")[0]);
    let ours = shell.run("dedup -k 3 rows.jsonl -o d.jsonl --kept ours.jsonl");
    assert_eq!(ours.code, 0, "{}", ours.err);
    let kept = shell.read("kept.jsonl");
    assert_eq!((kept.lines().count(), kept), (5, shell.read("ours.jsonl")));
}

#[cfg(unix)]
#[test]
fn rsync_copies_the_files_that_are_kept() {
    if !is_here("jq") || !is_here("rsync") {
        return;
    }
    let shell = Shell::with(&[]);
    for (name, text) in [
        ("a [1].txt", "the tide came in"),
        ("b.txt", "the tide came in"),
        ("sub/c.txt", "ebb at noon"),
    ] {
        let path = shell.path("sources").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    sh(&shell, &examples("sh")[1]);
    let there = |name: &str| shell.path("clean/sources").join(name).exists();
    assert!(there("a [1].txt") && !there("b.txt") && there("sub/c.txt"));
}

#[test]
fn pandas_and_datasets_keep_the_rows_that_are_not_dropped() {
    let Some(python) = python_with("pandas, datasets") else { return };
    let shell = Shell::with(&[("rows.jsonl", &rows())]);
    let done = shell.run("dedup -k 3 rows.jsonl -o dropped.jsonl --kept kept.jsonl");
    assert_eq!(done.code, 0, "{}", done.err);
    let example = &examples("python")[0];
    let (pandas, datasets) = example.split_at(example.find("rows = rows.filter").unwrap());
    let code = format!(
        "import pandas, datasets, json\nwant = [json.loads(row) for row in open('kept.jsonl')]\n\
         rows = pandas.read_json('rows.jsonl', lines=True)\n{pandas}\n\
         assert rows.to_dict('records') == want\n\
         rows = datasets.Dataset.from_json('rows.jsonl', cache_dir='cache')\n{datasets}\nassert rows.to_list() == want\n"
    );
    let done =
        Command::new(python).args(["-c", &code]).current_dir(shell.path("")).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Rows of Parquet keep every column with its type and metadata, as pyarrow reads them.
#[test]
fn parquet_is_kept_as_pyarrow_reads_it() {
    let Some(python) = python_with("pyarrow") else { return };
    let shell = Shell::with(&[("parquet.py", include_str!("parquet.py"))]);
    let mut command = Command::new(python);
    command.args(["parquet.py", env!("CARGO_BIN_EXE_simscope")]).current_dir(shell.path(""));
    let done = command.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}
