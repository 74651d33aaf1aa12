//! The search on many machines: its price, its query, and one part of it as a filter of Arrow streams.

use std::fs::File;
use std::process::Command;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, Int64Array, RecordBatch};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{IpcWriteOptions, StreamWriter};
use parquet::arrow::ArrowWriter;

use super::shell::Shell;

/// The distinct fingerprints of the sample as int64.
fn fingerprints(shell: &Shell) -> Vec<i64> {
    let rows = shell.run("fingerprint --quiet -f csv --fp-type int64").rows();
    let mut found: Vec<i64> =
        rows.lines().skip(1).filter_map(|row| row.split(',').nth(1)?.parse().ok()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn batch(columns: &[(&str, ArrayRef)]) -> RecordBatch {
    RecordBatch::try_from_iter(columns.iter().map(|(name, array)| (*name, Arc::clone(array))))
        .unwrap()
}

/// Rows of two numbers, such as `pairs -f csv` writes below its header, as sorted pairs with their distance.
fn rows(text: &str) -> Vec<(i64, i64, u32)> {
    let mut rows: Vec<_> = text
        .lines()
        .skip(1)
        .map(|row| {
            let cells: Vec<i64> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
            (cells[0], cells[1], cells[2] as u32)
        })
        .collect();
    rows.sort_unstable();
    rows
}

/// All pairs of distinct fingerprints within k, by comparing every two.
fn every_pair(values: &[i64], k: u32) -> Vec<(i64, i64, u32)> {
    let mut found = Vec::new();
    for (at, &a) in values.iter().enumerate() {
        for &b in &values[at + 1..] {
            let distance = (a ^ b).count_ones();
            if distance <= k {
                // The smaller one first, as numbers without a sign.
                let (a, b) = if (a as u64) < b as u64 { (a, b) } else { (b, a) };
                found.push((a, b, distance));
            }
        }
    }
    found.sort_unstable();
    found
}

fn masks(shell: &Shell, blocks: u32, k: u32) -> Vec<i64> {
    let plan = shell
        .run(&format!("cluster plan --documents 1e6 --blocks {blocks} -k {k} -q -f jsonl"))
        .rows();
    let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
    let masks = plan["masks"].as_array().unwrap();
    masks.iter().map(|mask| mask.as_str().unwrap().parse().unwrap()).collect()
}

#[test]
fn the_parts_of_a_search_together_find_every_pair_once() {
    let shell = Shell::with(&[]);
    let values = fingerprints(&shell);
    for (blocks, k) in [(4, 3), (6, 3), (8, 6)] {
        let masks = masks(&shell, blocks, k);
        let mut found = Vec::new();
        for part in 0..3 {
            let (mut prints, mut tables) = (Vec::new(), Vec::new());
            for (table, mask) in masks.iter().enumerate() {
                for &value in values
                    .iter()
                    .filter(|&&value| ((value & mask) as u64 ^ table as u64) % 3 == part)
                {
                    prints.push(value);
                    tables.push(table as i32);
                }
            }
            let batch = batch(&[
                ("fp", Arc::new(Int64Array::from(prints))),
                ("t", Arc::new(Int32Array::from(tables))),
            ]);
            let file = File::create(shell.path("part.arrows")).unwrap();
            let mut writer = StreamWriter::try_new(file, &batch.schema()).unwrap();
            writer.write(&batch).unwrap();
            writer.finish().unwrap();
            let line = format!(
                "pairs part.arrows --fingerprint-field fp --table-field t -k {k} --blocks {blocks} -q -f csv"
            );
            found.extend(rows(&shell.run(&line).rows()));
        }
        found.sort_unstable();
        assert_eq!(found, every_pair(&values, k), "{blocks} blocks, k = {k}");
    }
}

#[test]
fn a_part_that_does_not_fit_is_refused_with_the_way_out() {
    let shell = Shell::with(&[("text.arrows", "no stream")]);
    let batch = batch(&[
        ("fingerprint", Arc::new(Int64Array::from(vec![1, 2]))),
        ("t", Arc::new(Int32Array::from(vec![0, 9]))),
    ]);
    let mut writer =
        StreamWriter::try_new(File::create(shell.path("part.arrows")).unwrap(), &batch.schema())
            .unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    for (line, expected) in [
        ("pairs part.arrows --table-field t", "needs --blocks M"),
        (
            "pairs part.arrows --table-field t --blocks 4",
            "column \"t\" has 9, and 4 blocks at k = 3 have tables 0 to 3",
        ),
        (
            "pairs part.arrows --table-field u --blocks 4",
            "no column \"u\" among \"fingerprint\", \"t\"",
        ),
        ("pairs text.arrows --table-field t --blocks 4", "text.arrows: damaged"),
        ("pairs none.arrows --table-field t --blocks 4", "none.arrows: not found"),
        ("pairs part.arrows --table-field t --blocks 4 --bits 128", "at most 64 bits"),
        ("cluster plan --documents 0", "such as 2e9"),
        ("cluster plan --documents 9 --bands 3x12", "give --blocks M"),
        ("cluster sql --bits 128", "64 bits"),
    ] {
        let refused = shell.run(line).refused(2);
        assert!(refused.contains(expected), "{line}: {refused}");
    }
}

/// A packed part says that it unpacks to a gigabyte: it is left before it is unpacked, and the message names the way out.
#[test]
fn a_part_that_says_it_is_large_is_not_unpacked() {
    let shell = Shell::with(&[]);
    let part = batch(&[
        ("fingerprint", Arc::new(Int64Array::from(vec![7; 1000]))),
        ("t", Arc::new(Int32Array::from(vec![0; 1000]))),
    ]);
    let zstd = IpcWriteOptions::default().try_with_compression(Some(CompressionType::ZSTD));
    let mut bytes = Vec::new();
    let mut writer =
        StreamWriter::try_new_with_options(&mut bytes, &part.schema(), zstd.unwrap()).unwrap();
    writer.write(&part).unwrap();
    writer.finish().unwrap();
    drop(writer);
    // The size of a buffer stands before what is packed.
    let mark = [&8000_i64.to_le_bytes()[..], &[0x28, 0xb5, 0x2f, 0xfd]].concat();
    let at = bytes.windows(mark.len()).position(|part| part == mark).unwrap();
    bytes[at..at + 8].copy_from_slice(&(1_i64 << 30).to_le_bytes());
    std::fs::write(shell.path("part.arrows"), bytes).unwrap();
    let line = "pairs part.arrows --table-field t --blocks 4";
    let refused = shell.run(line).refused(2);
    let said = "error: part.arrows: unpacks to more than 200 times its size";
    assert!(refused.contains(said) && refused.ends_with("with --max-expansion\n"), "{refused}");
    // With the limit out of the way, its size is found to be wrong.
    let refused = shell.run(&format!("{line} --max-expansion 9999999")).refused(2);
    assert!(refused.contains("error: part.arrows: damaged: "), "{refused}");
}

/// An empty part is a stream without rows, of the same columns.
#[test]
fn an_empty_part_has_columns_of_whole_numbers() {
    let shell = Shell::with(&[]);
    let empty = batch(&[
        ("fingerprint", Arc::new(Int64Array::from(Vec::<i64>::new()))),
        ("t", Arc::new(Int32Array::from(Vec::<i32>::new()))),
    ]);
    let file = File::create(shell.path("part.arrows")).unwrap();
    let mut writer = StreamWriter::try_new(file, &empty.schema()).unwrap();
    writer.finish().unwrap();
    shell.run("pairs part.arrows --table-field t --blocks 4 -q -o out.arrows").rows();
    let out = File::open(shell.path("out.arrows")).unwrap();
    let schema = arrow_ipc::reader::StreamReader::try_new(out, None).unwrap().schema();
    for field in schema.fields() {
        assert_eq!(field.data_type(), &arrow_schema::DataType::Int64, "{field}");
    }
}

#[test]
fn a_job_opens_in_the_explorer_if_its_pairs_are_those_of_its_fingerprints() {
    let shell = Shell::with(&[]);
    let values = fingerprints(&shell);
    let write = |folder: &str, batch: &RecordBatch| {
        std::fs::create_dir_all(shell.path(folder)).unwrap();
        let file = File::create(shell.path(&format!("{folder}/part-0.parquet"))).unwrap();
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
        writer.write(batch).unwrap();
        writer.close().unwrap();
        std::fs::write(shell.path(&format!("{folder}/_SUCCESS")), "").unwrap();
    };
    let pairs = every_pair(&values, 4);
    let columns = |pairs: &[(i64, i64, u32)]| {
        let of = |one: fn(&(i64, i64, u32)) -> i64| -> ArrayRef {
            Arc::new(Int64Array::from(pairs.iter().map(one).collect::<Vec<_>>()))
        };
        batch(&[("fp_a", of(|it| it.0)), ("fp_b", of(|it| it.1))])
    };
    write(
        "out/fingerprints",
        &batch(&[("fingerprint", Arc::new(Int64Array::from(values.clone())))]),
    );
    write("out/pairs", &columns(&pairs));
    let note = r#"{"recipe": "words:3", "k": 4}"#;
    std::fs::write(shell.path("out/_simscope.json"), note).unwrap();
    let line =
        "--print --size 80x24 cluster open --fingerprints out/fingerprints --pairs out/pairs";
    let screen = shell.run(line).rows();
    assert!(screen.contains("k=4"), "{screen}");
    // The job was given fingerprints without a recipe.
    std::fs::write(shell.path("out/_simscope.json"), r#"{"k": 4}"#).unwrap();
    for recipe in ["", "--recipe chars:5"] {
        assert!(shell.run(&format!("{line} {recipe}")).rows().contains("k=4"), "{recipe}");
    }
    std::fs::write(shell.path("out/_simscope.json"), note).unwrap();
    // As many pairs, but others; one less; folders in the wrong order; a folder without files.
    let mut others = pairs.clone();
    others[0].1 ^= 1 << 40;
    for (pairs, has) in [(&others[..], "others"), (&pairs[1..], &format!("{} pairs", pairs.len()))]
    {
        write("out/pairs", &columns(pairs));
        let refused = shell.run(line).refused(2);
        let said = format!(
            "out/pairs: {} pairs, but the fingerprints have {has} within 4; name pairs and fingerprints of one run",
            pairs.len()
        );
        assert!(refused.contains(&said), "{refused}");
    }
    let swapped = shell
        .run("--print cluster open --fingerprints out/pairs --pairs out/fingerprints")
        .refused(2);
    let said = "out/pairs/part-0.parquet: no column \"fingerprint\" among \"fp_a\", \"fp_b\"; name the folder of the \
                fingerprints and, with --pairs, that of the pairs";
    assert!(swapped.contains(said), "{swapped}");
    let swapped = shell
        .run("--print cluster open --fingerprints out/fingerprints --pairs out/fingerprints")
        .refused(2);
    let said = "out/fingerprints/part-0.parquet: no column \"fp_a\" among \"fingerprint\"; name the folder of the \
                fingerprints and, with --pairs, that of the pairs";
    assert!(swapped.contains(said), "{swapped}");
    std::fs::create_dir(shell.path("out/none")).unwrap();
    let none = shell
        .run("--print cluster open --fingerprints out/fingerprints --pairs out/none")
        .refused(2);
    assert!(none.contains("out/none: no files in it; name a folder of Parquet files"), "{none}");
}

/// `pip install duckdb` into the Python that `SIMSCOPE_PYTHON` names, else `python3`.
#[test]
fn the_query_finds_the_same_in_duckdb() {
    let python = std::env::var("SIMSCOPE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has = Command::new(&python).args(["-c", "import duckdb"]).output();
    if !has.is_ok_and(|has| has.status.success()) {
        eprintln!("skipped: {python} has no duckdb");
        return;
    }
    let shell = Shell::with(&[]);
    shell.run("fingerprint -q -o prints.parquet").rows();
    let query = shell.run("cluster sql --dialect duckdb -k 5 --blocks 8").rows();
    std::fs::write(shell.path("query.sql"), query).unwrap();
    let script = "import duckdb\n\
                  db = duckdb.connect()\n\
                  db.execute(\"CREATE VIEW docs AS SELECT id, fingerprint AS fp FROM 'prints.parquet'\")\n\
                  print('fp_a,fp_b,distance')\n\
                  for row in db.execute(open('query.sql').read()).fetchall(): print(*row, sep=',')\n";
    let done =
        Command::new(&python).args(["-c", script]).current_dir(shell.path("")).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let found = rows(&String::from_utf8(done.stdout).unwrap());
    assert_eq!(found, every_pair(&fingerprints(&shell), 5));
}

/// A part that is not whole must fail, because nobody reads the messages of one that succeeds.
#[test]
fn a_part_that_was_cut_off_or_goes_on_fails() {
    let shell = Shell::with(&[]);
    let batch = batch(&[
        ("fingerprint", Arc::new(Int64Array::from(vec![1, 3]))),
        ("t", Arc::new(Int32Array::from(vec![0, 0]))),
    ]);
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::try_new(&mut bytes, &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    drop(writer);
    let run = |bytes: &[u8]| {
        let mut command = shell.command();
        command.args(["pairs", "-", "--table-field", "t", "--blocks", "4", "-q", "-f", "csv"]);
        Shell::finish(command, bytes)
    };
    assert_eq!(run(&bytes).rows(), "fp_a,fp_b,distance\n1,3,1\n");
    let cut = run(&bytes[..bytes.len() - 8]).refused(2);
    assert!(
        cut.contains(
            "standard input: damaged: it ends without its end mark, so it may have been cut off; give it whole"
        ),
        "{cut}"
    );
    let joined = run(&[&*bytes, &*bytes].concat()).refused(2);
    assert!(joined.contains("standard input: damaged: bytes follow its end mark"), "{joined}");
}
