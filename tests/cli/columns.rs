//! The columns of Parquet and Arrow files that commands write: types, metadata, and copies of rows.

use std::fs;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray, StructArray, UnionArray};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::shell::Shell;

fn schema(shell: &Shell, name: &str) -> Arc<Schema> {
    let file = fs::File::open(shell.path(name)).unwrap();
    Arc::clone(ParquetRecordBatchReaderBuilder::try_new(file).unwrap().schema())
}

/// The columns of a file with their types.
fn types(shell: &Shell, name: &str) -> Vec<(String, DataType)> {
    let schema = schema(shell, name);
    let fields = schema.fields().iter();
    fields.map(|field| (field.name().clone(), field.data_type().clone())).collect()
}

fn write(shell: &Shell, name: &str, columns: &[(&str, ArrayRef)]) {
    let columns = columns.iter().map(|(name, array)| (*name, Arc::clone(array)));
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let file = fs::File::create(shell.path(name)).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn words(words: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(words.to_vec()))
}

/// Shards of several runs are read as one table, so a column has its type without any value.
#[test]
fn types_do_not_depend_on_the_rows() {
    let rows = "{\"id\":\"tide-log\",\"text\":\"the tide came in\"}\n\
                {\"id\":\"tide-log-copy\",\"text\":\"the tide came in again\"}\n";
    let truth = "id1,id2,label\ntide-log,tide-log-copy,1\n";
    let shell = Shell::with(&[("few.jsonl", rows), ("truth.csv", truth)]);
    for line in [
        "groups --summary -k 6",
        "groups -k 6",
        "dedup -k 6",
        "tune",
        "pairs --cosine -k 6",
        "check --disagreements -k 6",
        "check",
        "compare --against words:1 -k 6",
        "tune --layouts --measure --bands 3x12",
        "sweep --features words:1,words:2",
        "query --fingerprint 0000000000000000 -k 3",
        "tune --layouts --measure --bands 3x12 --pairs missed",
        "tune --advice",
        "tune --truth truth.csv",
        "explain tide-log tide-log-copy",
        "tune --layouts",
    ] {
        for (name, path) in [("all.parquet", ""), ("few.parquet", "few.jsonl")] {
            let done = shell.run(&format!("{line} -o {name} {path}"));
            assert_eq!(done.code, 0, "{line}: {}", done.err);
        }
        assert_eq!(types(&shell, "few.parquet"), types(&shell, "all.parquet"), "{line}");
    }
    // Labels are no rows of a corpus.
    let done = shell.run("labels --labels l.jsonl --import truth.csv few.jsonl -o all.parquet");
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(shell.run("labels --labels l.jsonl -o all.parquet").code, 0);
    assert_eq!(shell.run("labels --labels none.jsonl -o few.parquet").code, 0);
    assert_eq!(types(&shell, "few.parquet"), types(&shell, "all.parquet"));
    let found = shell.run("groups --summary -k 6 -o all.parquet");
    assert_eq!(found.code, 0);
    let of =
        |name: &str| types(&shell, "all.parquet").into_iter().find(|it| it.0 == name).unwrap().1;
    assert_eq!(of("bridge"), DataType::Utf8);
    assert_eq!((of("group"), of("representative")), (DataType::Int64, DataType::Utf8));
}

#[test]
fn every_file_is_of_its_format_and_says_how_it_was_made() {
    let shell = Shell::with(&[]);
    for line in ["explain tide-log tide-log-copy", "explain tide-log", "explain tide-log --bit 3"] {
        shell.run(&format!("{line} -o e.parquet")).rows();
        assert!(schema(&shell, "e.parquet").fields().len() >= 4, "{line}");
    }
    shell.run("dedup -k 3 -o dropped.parquet").rows();
    let metadata = schema(&shell, "dropped.parquet").metadata().clone();
    assert!(metadata["simscope.recipe"].starts_with("words:3 "), "{metadata:?}");
    assert!(metadata["simscope.manifest"].contains("command: simscope dedup"), "{metadata:?}");
    shell.run("cluster sql -o query.sql").rows();
    assert!(shell.read("query.sql").starts_with("-- All pairs of fingerprints within 3 bits"));
    let refused = shell.run("cluster sql -f parquet").refused(2);
    assert!(refused.contains("a query is SQL, so leave it out"), "{refused}");
    for name in ["q.parquet", "q.arrows", "q.csv.gz", "q.jsonl"] {
        let refused = shell.run(&format!("cluster sql -o {name}")).refused(2);
        assert!(refused.contains(&format!("{name}: a query is SQL, not ")), "{refused}");
        assert!(!shell.path(name).exists());
    }
}

#[test]
fn a_copy_has_the_format_of_its_name_and_the_columns_of_all_shards() {
    let shell = Shell::with(&[("t.jsonl", "{\"text\":\"the tide\"}\n")]);
    fs::create_dir(shell.path("shards")).unwrap();
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![7, 8]));
    let texts = words(&["the tide came in", "the tide went out"]);
    write(&shell, "shards/0.parquet", &[("text", texts), ("n", numbers.clone())]);
    let more = words(&["salt in the harbour", "the tide came in"]);
    write(&shell, "shards/1.parquet", &[("title", words(&["a", "b"])), ("text", more)]);
    shell.run("dedup shards -k 0 --dropped d.jsonl --kept kept.parquet").rows();
    let names: Vec<_> = types(&shell, "kept.parquet").into_iter().map(|it| it.0).collect();
    assert_eq!(names, ["text", "n", "title"]);
    let file = fs::File::open(shell.path("kept.parquet")).unwrap();
    let mut rows = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    let rows = rows.next().unwrap().unwrap();
    let nulls = |name: &str| rows.column_by_name(name).unwrap().null_count();
    assert_eq!((rows.num_rows(), nulls("text"), nulls("n"), nulls("title")), (3, 0, 1, 2));
    // A column of two types has no common file.
    write(
        &shell,
        "shards/2.parquet",
        &[("text", words(&["ebb", "flow"])), ("n", words(&["1", "2"]))],
    );
    let refused = shell.run("dedup shards -k 0 --dropped e.jsonl --kept other.parquet").refused(2);
    assert!(
        refused.contains(
            "2.parquet: column \"n\" is Utf8, and Int64 in shards/0.parquet, so the rows have"
        ),
        "{refused}"
    );
    for (line, ours) in [
        ("dedup shards --kept k.jsonl", "parquet"),
        ("dedup shards --kept k.arrow", "parquet"),
        ("dedup shards --kept k.parquet.gz", "parquet"),
        ("dedup t.jsonl --kept k.parquet", "jsonl"),
        ("dedup t.jsonl --kept k.csv.gz", "jsonl"),
    ] {
        let refused = shell.run(&format!("{line} --dropped e.jsonl")).refused(2);
        let said = format!(
            "the kept documents are written as {ours}, the format of the inputs; give --kept a name"
        );
        assert!(refused.contains(&said), "{line}: {refused}");
    }
}

/// A part of a job may have no rows, and the next step of the job reads an empty stream.
#[test]
fn a_filter_without_rows_writes_an_empty_stream() {
    let shell = Shell::with(&[]);
    let nulls: ArrayRef = Arc::new(StringArray::from(vec![None::<&str>, None]));
    let batch = RecordBatch::try_from_iter_with_nullable([("text", nulls, true)]).unwrap();
    // Nothing at all is no stream: the writer before this one ended without a word.
    let mut command = shell.command();
    command.args(["fingerprint", "-", "-f", "arrow"]);
    assert!(Shell::finish(command, "").refused(2).contains("standard input: no documents"));
    for (n, code) in [(0, 0), (2, 1)] {
        let mut input = Vec::new();
        let mut writer = StreamWriter::try_new(&mut input, &batch.schema()).unwrap();
        writer.write(&batch.slice(0, n)).unwrap();
        writer.finish().unwrap();
        drop(writer);
        for (line, column, expected) in [
            ("fingerprint", "fingerprint", DataType::Int64),
            ("fingerprint --fp-type uint64", "fingerprint", DataType::UInt64),
            ("fingerprint --fp-type hex", "fingerprint", DataType::Utf8),
            ("pairs", "a", DataType::Utf8),
            ("pairs --cosine", "cosine", DataType::Float64),
        ] {
            let mut command = shell.command();
            command.args(line.split(' ')).args(["-", "-o", "out.arrows"]);
            let done = Shell::finish(command, input.clone());
            assert_eq!(done.code, code, "{line}: {}", done.err);
            let file = fs::File::open(shell.path("out.arrows")).unwrap();
            let schema = StreamReader::try_new(file, None).unwrap().schema();
            let found = schema.field_with_name(column).unwrap();
            assert_eq!(found.data_type(), &expected, "{line}");
        }
    }
}

/// The kept rows of shards with these columns: the types in the copy, and the number of nulls in a column.
fn kept(shell: &Shell, shards: &[RecordBatch], column: &str) -> (Vec<DataType>, usize) {
    fs::create_dir(shell.path("in")).unwrap();
    for (n, rows) in shards.iter().enumerate() {
        let file = fs::File::create(shell.path(&format!("in/{n}.parquet"))).unwrap();
        let mut writer = ArrowWriter::try_new(file, rows.schema(), None).unwrap();
        writer.write(rows).unwrap();
        writer.close().unwrap();
    }
    let done = shell.run("dedup in -k 0 --dropped d.jsonl --kept kept.parquet");
    assert_eq!(done.code, 0, "{}", done.err);
    let file = fs::File::open(shell.path("kept.parquet")).unwrap();
    let rows = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    let rows: Vec<RecordBatch> = rows.map(Result::unwrap).collect();
    let types = rows[0].schema().fields().iter().map(|it| it.data_type().clone()).collect();
    (types, rows.iter().map(|it| it.column_by_name(column).unwrap().null_count()).sum())
}

fn texts(of: &[&str], column: ArrayRef, metadata: &str) -> RecordBatch {
    let note: std::collections::HashMap<_, _> =
        [("PARQUET:field_id".to_owned(), metadata.to_owned())].into();
    let fields = vec![
        Field::new("text", DataType::Utf8, false).with_metadata(note),
        Field::new("m", column.data_type().clone(), true),
    ];
    RecordBatch::try_new(Arc::new(Schema::new(fields)), vec![words(of), column]).unwrap()
}

/// Shards of other programs: numbers of fields that differ, a column without values, two forms of strings.
#[test]
fn columns_of_the_same_values_have_a_common_file() {
    let one = ["the tide came in", "the tide went out"];
    let two = ["salt in the harbour", "gulls on the roof"];
    let large: ArrayRef = Arc::new(arrow_array::LargeStringArray::from(vec!["c", "d"]));
    for (first, second, nulls) in [
        (words(&["a", "b"]), words(&["c", "d"]), 0),
        (arrow_array::new_null_array(&DataType::Null, 2), words(&["c", "d"]), 2),
        (words(&["a", "b"]), arrow_array::new_null_array(&DataType::Null, 2), 2),
        (words(&["a", "b"]), large, 0),
    ] {
        let shell = Shell::with(&[]);
        let shards = [texts(&one, first, "1"), texts(&two, second, "7")];
        assert_eq!(kept(&shell, &shards, "m"), (vec![DataType::Utf8; 2], nulls));
    }
}

#[test]
fn a_column_of_two_records_is_named_before_anything_is_written() {
    let shell = Shell::with(&[]);
    let number: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let record = |columns: &[(&str, &ArrayRef)]| -> ArrayRef {
        let columns = columns.iter().map(|(name, array)| {
            let field = Field::new(*name, array.data_type().clone(), true);
            (Arc::new(field), Arc::clone(array))
        });
        Arc::new(StructArray::from(columns.collect::<Vec<_>>()))
    };
    let (a, b) = (record(&[("a", &number)]), record(&[("a", &number), ("b", &words(&["x"]))]));
    write(&shell, "a.parquet", &[("text", words(&["the tide"])), ("m", a)]);
    write(&shell, "b.parquet", &[("text", words(&["the ebb"])), ("m", b)]);
    let line = "dedup a.parquet b.parquet --dropped d.jsonl --kept kept.parquet";
    let refused = shell.run(line).refused(2);
    let said = "error: b.parquet: column \"m\" is Struct(\"a\": Int64, \"b\": Utf8), and Struct(\"a\": Int64) in \
                a.parquet, so the rows have no common file; ";
    assert!(refused.contains(said) && !refused.contains("damaged"), "{refused}");
    assert!(!shell.path("kept.parquet").exists());
}

/// Rows that share two megabytes: some are held at a time.
#[cfg(target_os = "linux")]
#[test]
fn a_copy_of_large_rows_takes_little_memory() {
    let (shell, n) = (Shell::with(&[]), 400);
    let texts = (0..n).map(|n| format!("tide number {n} of the year"));
    let texts: ArrayRef = Arc::new(StringArray::from_iter_values(texts));
    let shared: ArrayRef = Arc::new(StringArray::from(vec![&*"salt and water ".repeat(140_000)]));
    let keys = arrow_array::Int32Array::from(vec![0; n]);
    let shared: ArrayRef = Arc::new(arrow_array::DictionaryArray::new(keys, shared));
    write(&shell, "a.parquet", &[("text", texts), ("blob", shared)]);
    let mut command = shell.command();
    command.args(["dedup", "a.parquet", "-q", "--dropped", "d.jsonl", "--kept", "kept.parquet"]);
    let mut running = command.spawn().unwrap();
    let (status, mut most) = (format!("/proc/{}/status", running.id()), 0);
    let code = loop {
        if let Some(status) = running.try_wait().unwrap() {
            break status.code();
        }
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        most = kib.unwrap_or(0).max(most);
        std::thread::sleep(std::time::Duration::from_millis(2));
    };
    assert_eq!(code, Some(0));
    assert!((1 << 10..250 << 10).contains(&most), "{most} KiB");
    let file = fs::File::open(shell.path("kept.parquet")).unwrap();
    let kept = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    assert_eq!(kept.metadata().file_metadata().num_rows(), n as i64);
    assert!(matches!(kept.schema().field(1).data_type(), DataType::Dictionary(..)));
}

#[test]
fn a_copy_says_its_format_and_the_columns_that_it_loses() {
    let shell = Shell::with(&[("a.txt", "the tide"), ("b.txt", "the ebb")]);
    let refused = shell.run("dedup a.txt b.txt --dropped d.jsonl --kept k.txt").refused(2);
    assert!(
        refused.contains(
            "k.txt: the kept documents are listed as jsonl, because a document is a whole file, member or"
        ),
        "{refused}"
    );
    let union = UnionArray::try_new(
        [(0, Arc::new(Field::new("n", DataType::Int64, true)))].into_iter().collect(),
        vec![0, 0].into(),
        None,
        vec![Arc::new(Int64Array::from(vec![1, 2]))],
    );
    let columns: [(&str, ArrayRef); 2] =
        [("text", words(&["the tide", "the ebb"])), ("u", Arc::new(union.unwrap()))];
    let rows = RecordBatch::try_from_iter(columns).unwrap();
    let file = fs::File::create(shell.path("u.arrow")).unwrap();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(file, &rows.schema()).unwrap();
    writer.write(&rows).unwrap();
    writer.finish().unwrap();
    let done = shell.run("dedup u.arrow --dropped d.jsonl --kept k.jsonl");
    let said = "warning: u.arrow: JSON has no form for \"u\", so the copy has null there; give the rows as Parquet";
    assert!(done.code == 0 && done.err.contains(said), "{}", done.err);
    assert!(shell.read("k.jsonl").contains("\"u\":null"));
}

/// A column that is no part of a document is read by the copy alone.
#[test]
fn damage_in_a_column_of_a_copy_is_named() {
    let shell = Shell::with(&[]);
    let text = words(&["the tide came in", "the tide went out"]);
    write(&shell, "a.parquet", &[("text", text), ("note", words(&["saltsalt", "gullgull"]))]);
    let mut bytes = fs::read(shell.path("a.parquet")).unwrap();
    // The length of the first string of the page.
    let at = bytes.windows(8).position(|part| part == b"saltsalt").unwrap();
    bytes[at - 4..at].copy_from_slice(&u32::MAX.to_le_bytes());
    fs::write(shell.path("a.parquet"), bytes).unwrap();
    assert_eq!(shell.run("pairs a.parquet").code, 0);
    let refused = shell.run("dedup a.parquet --dropped d.jsonl --kept kept.parquet").refused(2);
    assert!(refused.contains("error: a.parquet: damaged: "), "{refused}");
    assert!(!shell.path("kept.parquet").exists() && !shell.path("d.jsonl").exists());
}
