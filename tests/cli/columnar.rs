//! Parquet and Arrow, out and in again: by this program and, where Python has them, by pyarrow, polars and `DuckDB`.

use std::process::Command;

use super::shell::{Shell, python_with};

#[test]
fn what_is_written_is_read_again() {
    let shell = Shell::with(&[]);
    let direct = shell.run("pairs -k 6 -f tsv").rows();
    for name in ["prints.parquet", "prints.arrows"] {
        shell.run(&format!("fingerprint -o {name}")).rows();
        assert_eq!(shell.run(&format!("pairs -k 6 -f tsv {name}")).rows(), direct, "{name}");
        let refused = shell.run(&format!("pairs --features words:1 {name}")).refused(2);
        assert!(refused.contains("of another recipe"), "{refused}");
        // Also where the sidecar was lost: the file says it.
        std::fs::remove_file(shell.path(&format!("{name}.recipe"))).unwrap();
        let without = shell.run(&format!("pairs --features words:1 {name}")).refused(2);
        assert!(without.contains("as its metadata says"), "{without}");
    }
    // 128 bits have no integer that every program knows, so they are hex.
    shell.run("fingerprint --bits 128 -o wide.parquet").rows();
    let wide = shell.run("pairs --bits 128 -k 9 -f tsv wide.parquet").rows();
    assert_eq!(wide, shell.run("pairs --bits 128 -k 9 -f tsv").rows());
}

/// A corpus of shards without its duplicates keeps columns that are no text, and their types.
#[test]
fn kept_rows_keep_their_columns() {
    let shell = Shell::with(&[]);
    shell.run("pairs -k 6 --cosine -o a.parquet").rows();
    let line =
        "dedup --quiet --text-field a -k 0 a.parquet -o dropped.tsv -f tsv --kept kept.parquet";
    let done = shell.run(line);
    assert_eq!(done.code, 0, "{}", done.err);
    let n_dropped = shell.read("dropped.tsv").lines().count() - 1;
    assert!(n_dropped > 20, "{n_dropped}");
    let ids = |file: &str| {
        let rows = shell
            .run(&format!("fingerprint --quiet -f tsv --text-field b --id-field distance {file}"));
        rows.rows().lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let (all, kept) = (ids("a.parquet"), ids("kept.parquet"));
    assert_eq!(kept.len(), all.len() - n_dropped);
    assert!(kept.iter().all(|row| all.contains(row)), "{kept:?}");
}

#[test]
fn every_command_of_rows_writes_columns() {
    let shell = Shell::with(&[]);
    for line in [
        "pairs --cosine",
        "groups",
        "tune",
        "check",
        "tune --layouts --measure --bands 3x12,3x18",
        "query --id tide-log",
        "sweep --features words:1,words:2",
    ] {
        let done = shell.run(&format!("{line} -o rows.parquet"));
        assert_eq!(done.code, 0, "{line}: {}", done.err);
        let bytes = std::fs::read(shell.path("rows.parquet")).unwrap();
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"), "{line}");
        std::fs::remove_file(shell.path("rows.parquet")).unwrap();
    }
}

/// `pip install pyarrow polars duckdb` into the Python that `SIMSCOPE_PYTHON` names, else `python3`.
#[test]
fn pyarrow_polars_and_duckdb_read_and_write_the_same() {
    let Some(python) = python_with("pyarrow, polars, duckdb") else { return };
    let shell = Shell::with(&[("check.py", include_str!("columnar.py"))]);
    shell.run("fingerprint -o prints.parquet").rows();
    shell.run("fingerprint --fp-type uint64 -o unsigned.parquet").rows();
    shell.run("fingerprint -f jsonl -o prints.jsonl").rows();
    shell.run("fingerprint -o prints.arrows").rows();
    shell.run("pairs -k 6 -o pairs.parquet").rows();
    let done = Command::new(&python).arg("check.py").current_dir(shell.path("")).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    // Every file that they wrote holds the corpus's fingerprints, and seven of all magnitudes.
    let expected = shell.run("fingerprint --quiet -f tsv prints.jsonl").rows();
    for name in ["pyarrow.parquet", "polars.parquet", "duckdb.parquet", "stream.arrows"] {
        let found = shell.run(&format!("fingerprint --quiet -f tsv {name}")).rows();
        let (ours, theirs) = found.split_at(expected.len());
        assert_eq!(ours, expected, "{name}");
        let hex: Vec<&str> = theirs.lines().map(|row| row.split('\t').nth(1).unwrap()).collect();
        let wanted =
            ["0000000000000000", "0000000000000001", "7fffffffffffffff", "8000000000000000"];
        assert_eq!(
            hex,
            [&wanted[..], &["ffffffffffffffff", "abcdef0123456789", ""]].concat(),
            "{name}"
        );
    }
}
