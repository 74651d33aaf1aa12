//! The columns of Parquet and Arrow files that commands write: types, metadata, and copies of rows.

use std::{fs, sync::Arc};

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_ipc::{reader::StreamReader, writer::StreamWriter};
use arrow_schema::{DataType, Schema};
use parquet::arrow::{ArrowWriter, arrow_reader::ParquetRecordBatchReaderBuilder};

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
    let rows = "{\"text\":\"the tide came in\"}\n{\"text\":\"salt in the harbour\"}\n";
    let shell = Shell::with(&[("few.jsonl", rows)]);
    for line in [
        "groups --summary -k 6",
        "groups -k 6",
        "dedup -k 6",
        "tune",
        "pairs --cosine -k 6",
        "triage --disagreements -k 6",
        "triage",
        "compare --against words:1 -k 6",
        "evaluate --bands 3x12",
        "sweep --features words:1,words:2",
        "query --fingerprint 0000000000000000 -k 3",
    ] {
        for (name, path) in [("all.parquet", ""), ("few.parquet", "few.jsonl")] {
            let done = shell.run(&format!("{line} -o {name} {path}"));
            assert_eq!(done.code, 0, "{line}: {}", done.err);
        }
        assert_eq!(types(&shell, "few.parquet"), types(&shell, "all.parquet"), "{line}");
    }
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
    shell.run("sql -o query.sql").rows();
    assert!(shell.read("query.sql").starts_with("-- All pairs of fingerprints within 3 bits"));
    let refused = shell.run("sql -f parquet").refused(2);
    assert!(refused.contains("a query is SQL, so leave it out"), "{refused}");
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
        refused.contains("2.parquet: a column has another type than in the files before"),
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
            "the kept documents are written as {ours}, as the inputs have them; give --kept a name"
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
