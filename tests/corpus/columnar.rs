//! Parquet and Arrow: the same documents as their rows in JSONL, again by number, and clear errors.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, MapBuilder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type};
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray,
    FixedSizeBinaryArray, Float32Array, Float64Array, Int8Array, Int32Array, Int64Array, ListArray,
    RecordBatch, StringArray, StructArray, Time64MicrosecondArray, TimestampMicrosecondArray,
    TimestampMillisecondArray, TimestampNanosecondArray, UInt32Array, UInt64Array,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::Field;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{BrotliLevel, Compression};
use parquet::file::metadata::{ParquetMetaDataReader, ParquetMetaDataWriter};
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use simscope::DocId;
use simscope::corpus::{Content, InputFormat, LoadOptions};

use super::{Folder, Loaded, failure, gzip, load_path, load_with};

const COUNT: usize = 700;

/// Ids, texts with every kind of character, and lists.
fn batch(range: std::ops::Range<usize>) -> RecordBatch {
    let text = |n: usize| match n % 50 {
        7 => None,
        8 => Some(String::new()),
        9 => Some(format!("\"quoted\"\n\tand \\ {n} \u{1f600} é")),
        _ => Some(format!("the tide came in {n} times {}", "and out again ".repeat(n % 20))),
    };
    let ids = range.clone().map(|n| format!("doc-{n}"));
    let tags = range.clone().map(|n| Some(vec![Some(n as i32)]));
    RecordBatch::try_from_iter_with_nullable([
        ("id", Arc::new(StringArray::from_iter_values(ids)) as ArrayRef, true),
        ("text", Arc::new(range.map(text).collect::<StringArray>()) as ArrayRef, true),
        (
            "tags",
            Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(tags)) as ArrayRef,
            true,
        ),
    ])
    .unwrap()
}

fn parquet(batches: &[RecordBatch], rows_in_group: usize) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(rows_in_group))
        .set_compression(Compression::SNAPPY)
        .build();
    let mut bytes = Vec::new();
    let mut writer =
        ArrowWriter::try_new(&mut bytes, batches[0].schema(), Some(properties)).unwrap();
    for batch in batches {
        writer.write(batch).unwrap();
    }
    writer.close().unwrap();
    bytes
}

fn arrow_file(batches: &[RecordBatch]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = FileWriter::try_new(&mut bytes, &batches[0].schema()).unwrap();
    for batch in batches {
        writer.write(batch).unwrap();
    }
    writer.finish().unwrap();
    drop(writer);
    bytes
}

fn arrow_stream(batches: &[RecordBatch]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::try_new(&mut bytes, &batches[0].schema()).unwrap();
    for batch in batches {
        writer.write(batch).unwrap();
    }
    writer.finish().unwrap();
    drop(writer);
    bytes
}

fn column(name: &str, values: impl Into<ArrayRef>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable([(name, values.into(), true)]).unwrap()
}

/// The same documents as JSONL.
fn jsonl() -> String {
    let batch = batch(0..COUNT);
    let of = |at: usize| batch.column(at).as_any().downcast_ref::<StringArray>().unwrap().clone();
    let (ids, texts) = (of(0), of(1));
    let row = |(id, text): (Option<&str>, Option<&str>)| {
        serde_json::json!({"id": id, "text": text}).to_string() + "\n"
    };
    ids.iter().zip(texts.iter()).map(row).collect()
}

fn all_of(loaded: &Loaded) -> (Vec<&str>, &[Content]) {
    (loaded.ids(), &loaded.contents)
}

#[test]
fn every_form_gives_the_documents_of_its_rows() {
    let folder = Folder::new();
    let expected = load_path(&folder.write("rows.jsonl", jsonl()));
    let parts = [batch(0..1), batch(1..300), batch(300..300), batch(300..COUNT)];
    // `load_path` reads every document again, and some of them alone.
    for (name, bytes) in [
        ("a.parquet", parquet(&parts, 90)),
        ("b.parquet", parquet(&parts, COUNT)),
        ("by-content", parquet(&parts, 1)),
        ("c.arrow", arrow_file(&parts)),
        ("d.arrows", arrow_stream(&parts)),
        ("packed.gz", gzip(&arrow_stream(&parts))),
        ("packed.arrow", gzip(&arrow_file(&parts))),
        ("packed.parquet", gzip(&parquet(&parts, 90))),
    ] {
        let found = load_path(&folder.write(name, bytes));
        assert_eq!(all_of(&found), all_of(&expected), "{name}");
        let messages = folder.messages(&found.corpus);
        assert_eq!(messages.len(), COUNT / 50, "{messages:?}");
        assert!(messages[0].starts_with(&format!("DIR/{name}:8: field \"text\"")), "{messages:?}");
    }
    // A folder of shards.
    folder.write("shards/0.parquet", parquet(&[batch(0..200)], 90));
    folder.write("shards/1.parquet", parquet(&[batch(200..COUNT)], 90));
    assert_eq!(all_of(&load_path(&folder.path().join("shards"))), all_of(&expected));
}

/// The same seven fingerprints in every type that other programs write them in.
#[test]
fn fingerprints_of_every_type_are_read() {
    let bits: [Option<u64>; 7] =
        [Some(0), Some(1), Some(i64::MAX as u64), Some(1 << 63), Some(u64::MAX), Some(0xabc), None];
    let signed = bits.map(|bits| bits.map(|bits| bits as i64));
    let hex = bits.map(|bits| bits.map(|bits| format!("{bits:016x}")));
    let words: Vec<Option<&str>> = hex.iter().map(Option::as_deref).collect();
    let decimals = Decimal128Array::from_iter(bits.map(|bits| bits.map(i128::from)));
    let bytes = bits.map(|bits| bits.map(u64::to_be_bytes));
    let dictionary: DictionaryArray<Int32Type> = words.iter().copied().collect();
    let columns: [(&str, ArrayRef); 6] = [
        ("uint64", Arc::new(UInt64Array::from_iter(bits))),
        ("int64", Arc::new(Int64Array::from_iter(signed))),
        ("decimal", Arc::new(decimals.with_precision_and_scale(20, 0).unwrap())),
        (
            "bytes",
            Arc::new(
                FixedSizeBinaryArray::try_from_sparse_iter_with_size(bytes.into_iter(), 8).unwrap(),
            ),
        ),
        ("hex", Arc::new(StringArray::from(words))),
        ("dictionary", Arc::new(dictionary)),
    ];
    let folder = Folder::new();
    for (name, values) in columns {
        let path = folder.write(name, parquet(&[column("fingerprint", values)], 4));
        let found = load_path(&path);
        let read = found.contents.iter().map(|content| match content {
            Content::Fingerprint(hex) => hex
                .as_deref()
                .map(|hex| u64::from_str_radix(hex.trim_start_matches("0x"), 16).unwrap()),
            other => panic!("{other:?}"),
        });
        assert_eq!(read.collect::<Vec<_>>(), bits, "{name}");
    }
}

fn refusal(folder: &Folder, name: &str, bytes: impl AsRef<[u8]>) -> String {
    folder.hide(&failure(&folder.write(name, bytes)))
}

#[test]
fn files_that_give_no_document_say_why() {
    let folder = Folder::new();
    let whole = parquet(&[batch(0..20)], 90);
    let cut = refusal(&folder, "cut.parquet", &whole[..whole.len() - 5]);
    assert!(
        cut.starts_with("DIR/cut.parquet: damaged: ") && cut.contains("give the file whole"),
        "{cut}"
    );
    let fake = refusal(&folder, "fake.parquet", "PAR1 and nothing more");
    assert!(fake.starts_with("DIR/fake.parquet: damaged: "), "{fake}");
    let fake = refusal(&folder, "fake.arrow", "ARROW1\0\0 and nothing more of it");
    assert!(fake.starts_with("DIR/fake.arrow: damaged: "), "{fake}");
    let other = column("body", Arc::new(StringArray::from(vec!["a"])) as ArrayRef);
    let missing = refusal(&folder, "other.parquet", parquet(&[other], 90));
    assert_eq!(
        missing,
        "DIR/other.parquet: no column \"text\" among \"body\"; name it with `text-field`, or one of fingerprints with \
         `fingerprint-field`"
    );
    let inner: ArrayRef = Arc::new(StringArray::from(vec!["the tide"]));
    let field = Arc::new(Field::new("body", inner.data_type().clone(), true));
    let records: ArrayRef = Arc::new(StructArray::from(vec![(field, inner)]));
    let path = folder.write("nested.parquet", parquet(&[column("text", records)], 90));
    let nested = folder.hide(&failure(&path));
    assert_eq!(
        nested,
        "DIR/nested.parquet:1: field \"text\" is not a string; name another with `text-field`"
    );
    folder.write("whole.parquet", &whole);
    let lines = LoadOptions { input_format: InputFormat::JSONL, ..LoadOptions::default() };
    assert_eq!(load_with(&folder.path().join("whole.parquet"), &lines).contents.len(), 19);
}

/// A batch is unpacked whole, so the sizes that it names count before: the rows before it are read, and no memory is
/// asked for that the input does not fill, be it more than there is anywhere.
#[test]
fn arrow_is_read_up_to_a_batch_that_says_it_is_large() {
    let folder = Folder::new();
    let (first, second) = (batch(0..5), batch(10..40));
    let mut stream = Vec::new();
    let mut writer =
        StreamWriter::try_new_with_options(&mut stream, &first.schema(), packed()).unwrap();
    writer.write(&first).unwrap();
    writer.write(&second).unwrap();
    writer.finish().unwrap();
    drop(writer);
    let mut file = Vec::new();
    let mut writer =
        FileWriter::try_new_with_options(&mut file, &first.schema(), packed()).unwrap();
    writer.write(&first).unwrap();
    writer.write(&second).unwrap();
    writer.finish().unwrap();
    drop(writer);
    for (name, bytes) in [("a.arrows", stream), ("a.arrow", file)] {
        let sound = load_path(&folder.write(name, &bytes));
        assert_eq!((sound.contents.len(), folder.messages(&sound.corpus)), (35, vec![]), "{name}");
        for size in [3 << 30, 1 << 45, i64::MAX] {
            let large = load_path(&folder.write(name, claiming(&bytes, &second, size)));
            assert_eq!(large.contents.len(), 5);
            let said = format!(
                "DIR/{name}: unpacks to more than 200 times its size, so the rest is not read; if that is right, allow more \
                 with `max-expansion`"
            );
            assert_eq!(folder.messages(&large.corpus), [said]);
        }
    }
}

fn packed() -> IpcWriteOptions {
    let options = IpcWriteOptions::default();
    options.try_with_compression(Some(CompressionType::ZSTD)).unwrap()
}

/// The bytes, with the packed texts of this batch saying that they unpack to `size` bytes.
fn claiming(bytes: &[u8], batch: &RecordBatch, size: i64) -> Vec<u8> {
    let texts = batch.column(1).as_string::<i32>().value_data().len() as i64;
    let at = bytes.windows(8).rposition(|eight| eight == texts.to_le_bytes()).unwrap();
    let mut bytes = bytes.to_vec();
    bytes[at..at + 8].copy_from_slice(&size.to_le_bytes());
    bytes
}

/// A field inside records is named by its path, here and in JSON.
#[test]
fn a_field_inside_records_is_named_by_its_path() {
    let folder = Folder::new();
    let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("the tide"), None]));
    let bytes: ArrayRef = Arc::new(BinaryArray::from_vec(vec![b"Tide", b"Ebb"]));
    let prints: ArrayRef = Arc::new(UInt64Array::from(vec![u64::MAX, 1]));
    let field =
        |name: &str, array: &ArrayRef| Arc::new(Field::new(name, array.data_type().clone(), true));
    let inner = StructArray::from(vec![
        (field("text", &texts), texts),
        (field("title", &bytes), bytes),
        (field("fp", &prints), prints),
    ]);
    let inner: ArrayRef = Arc::new(inner);
    let doc: ArrayRef = Arc::new(StructArray::from(vec![(field("it", &inner), inner)]));
    let ids: ArrayRef = Arc::new(StringArray::from(vec!["a", "b"]));
    let batch = RecordBatch::try_from_iter([("id", ids), ("doc", doc)]).unwrap();
    let rows = "{\"id\":\"a\",\"doc\":{\"it\":{\"text\":\"the tide\",\"title\":\"Tide\",\"fp\":18446744073709551615}}}\n\
                {\"doc\":{\"it\":{\"text\":null,\"title\":\"Ebb\",\"fp\":1}},\"id\":\"b\"}\n";
    let texts = LoadOptions {
        text_field: Some("doc.it.text".to_owned()),
        title_field: Some("doc.it.title".to_owned()),
        ..LoadOptions::default()
    };
    let prints =
        LoadOptions { fingerprint_field: Some("doc.it.fp".to_owned()), ..LoadOptions::default() };
    let batches = std::slice::from_ref(&batch);
    for (name, bytes) in [
        ("a.parquet", parquet(batches, 9)),
        ("a.arrow", arrow_file(batches)),
        ("a.arrows", arrow_stream(batches)),
        ("a.jsonl", rows.as_bytes().to_vec()),
    ] {
        let path = folder.write(name, bytes);
        let found = load_with(&path, &texts);
        assert_eq!((found.ids(), found.texts()), (vec!["a"], vec!["the tide"]), "{name}");
        assert_eq!(found.corpus.titles(&[DocId(0)]), [Some("Tide".to_owned())], "{name}");
        let messages = folder.messages(&found.corpus);
        assert!(messages[0].contains("field \"doc.it.text\" is null"), "{name}: {messages:?}");
        let again = found.corpus.read(DocId(0)).unwrap();
        assert_eq!(again.text(), Some("the tide"), "{name}");
        let hex = ["0xffffffffffffffff", "0x1"].map(|hex| Content::Fingerprint(Some(hex.into())));
        assert_eq!(load_with(&path, &prints).contents, hex, "{name}");
    }
    // A name that has the full stop itself takes precedence; the id may lie inside, too.
    let row = "{\"doc\":{\"text\":\"inside\",\"id\":7},\"doc.text\":\"itself\"}\n{\"doc\":{\"text\":\"in\\u0073ide\"}}\n";
    let named = LoadOptions {
        text_field: Some("doc.text".to_owned()),
        id_field: Some("doc.id".to_owned()),
        ..LoadOptions::default()
    };
    let found = load_with(&folder.write("b.jsonl", row), &named);
    assert_eq!(found.texts(), ["itself", "inside"]);
    assert_eq!(found.ids()[0], "7");
    let missing =
        LoadOptions { text_field: Some("doc.it.body".to_owned()), ..LoadOptions::default() };
    let path = folder.path().join("a.parquet");
    let refused = super::try_load(&[simscope::corpus::Input::Path(path)], &missing);
    let refused = refused.map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("no field \"doc.it.body\" among \"id\", \"doc\""), "{refused}");
}

/// The file with a footer that names another codec.
fn with_codec(path: &Path, codec: Compression) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    let read = ParquetMetaDataReader::new().parse_and_finish(&fs::File::open(path).unwrap());
    let mut metadata = read.unwrap().into_builder();
    let groups = metadata.take_row_groups().into_iter().map(|group| {
        let columns = group.columns().iter().cloned();
        let columns =
            columns.map(|it| it.into_builder().set_compression(codec).build().unwrap()).collect();
        group.into_builder().set_column_metadata(columns).build().unwrap()
    });
    let metadata = metadata.set_row_groups(groups.collect()).build();
    let length = u32::from_le_bytes(bytes[bytes.len() - 8..][..4].try_into().unwrap()) as usize;
    let mut out = bytes[..bytes.len() - 8 - length].to_vec();
    ParquetMetaDataWriter::new(&mut out, &metadata).finish().unwrap();
    out
}

#[test]
fn a_codec_that_is_not_read_is_named() {
    let folder = Folder::new();
    let path = folder.write("a.parquet", parquet(&[batch(0..COUNT)], 100));
    let same = load_path(&folder.write("same.parquet", with_codec(&path, Compression::SNAPPY)));
    assert_eq!(same.texts(), load_path(&path).texts());
    let packed = with_codec(&path, Compression::BROTLI(BrotliLevel::default()));
    let refused = refusal(&folder, "b.parquet", packed);
    let said = "b.parquet: packed with brotli, which simscope does not read; pack it with zstd, snappy, gzip or lz4";
    assert!(refused.contains(said), "{refused}");
    assert!(!refused.contains("damaged") && !refused.contains("cut off"), "{refused}");
}

/// Rows are in the temporary file, so that they are read again whatever becomes of theirs; a copy needs it.
#[test]
fn a_shard_that_changes_is_not_copied() {
    let folder = Folder::new();
    let path = folder.write("a.parquet", parquet(&[batch(0..5)], 90));
    let found = load_path(&path);
    fs::write(&path, parquet(&[batch(10..40)], 90)).unwrap();
    assert_eq!(found.corpus.read(DocId(0)).unwrap(), found.contents[0]);
    let (limits, progress) = Default::default();
    let copied = found.corpus.copy(&|_| true, limits, &mut std::io::sink(), &progress);
    let refused = copied.unwrap_err().to_string();
    assert!(refused.contains("changed"), "{refused}");
}

/// Rows before the damage load and are read again, also where a batch of rows would reach into the damage, and the
/// message tells their number.
#[test]
fn the_rows_of_parquet_before_a_damaged_page_are_read() {
    let folder = Folder::new();
    let (n, in_group) = (1000, 270);
    let bytes = parquet(&[batch(0..n)], in_group);
    let path = folder.write("whole.parquet", &bytes);
    let whole = load_path(&path);
    let read = ParquetMetaDataReader::new().parse_and_finish(&fs::File::open(path).unwrap());
    let metadata = read.unwrap();
    for (group, column, part) in
        [(0, 1, "header"), (1, 0, "header"), (1, 1, "header"), (2, 1, "body"), (3, 0, "body")]
    {
        let (start, length) = metadata.row_group(group).column(column).byte_range();
        let (start, length) = (start as usize, length as usize);
        let damaged = match part {
            "header" => start..start + 3,
            _ => start + 60..start + length,
        };
        let mut bytes = bytes.clone();
        bytes[damaged].fill(0xff);
        let path = folder.write("damaged.parquet", bytes);
        let rows = group * in_group;
        let said = format!("DIR/damaged.parquet: damaged after row {rows}: ");
        if rows == 0 {
            let refused = folder.hide(&failure(&path));
            assert!(refused.starts_with("DIR/damaged.parquet: damaged: "), "{refused}");
            continue;
        }
        let loaded = load_path(&path);
        let messages = folder.messages(&loaded.corpus);
        assert!(messages.iter().any(|message| message.starts_with(&said)), "{messages:?}");
        let expected = whole.texts().into_iter().take(loaded.contents.len());
        assert_eq!(loaded.texts(), expected.collect::<Vec<_>>());
        // Each 50 rows, one text is null.
        assert_eq!(loaded.contents.len(), rows - rows.div_ceil(50) + usize::from(rows % 50 < 8));
        for document in 0..loaded.contents.len() {
            let again = loaded.corpus.read(DocId::from(document)).unwrap();
            assert_eq!(again, loaded.contents[document], "{part} {group} {document}");
        }
        let many = loaded.corpus.read_many(0..loaded.contents.len());
        assert!(many.iter().all(Result::is_ok));
    }
}

/// A damaged copy of a file, read to its end.
fn read_damaged(path: &Path, bytes: &mut Vec<u8>, cuts: &[(prop::sample::Index, u8)], end: usize) {
    for (at, byte) in cuts {
        // Most faults in the last bytes, where the lengths and offsets are.
        let tail = bytes.len().saturating_sub(1500);
        let at =
            if byte % 3 == 0 { at.index(bytes.len()) } else { tail + at.index(bytes.len() - tail) };
        bytes[at] = *byte;
    }
    bytes.truncate(bytes.len() - end % 40 * end % bytes.len());
    fs::write(path, bytes).unwrap();
    let options = LoadOptions::default();
    let _ = super::load(
        &[simscope::corpus::Input::Path(PathBuf::from(path))],
        &options,
        &simscope::progress::Progress::new(),
        &mut |batch| {
            let first = batch.first.index();
            drop(batch.corpus.read_many(first..first + 3));
        },
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn damage_of_any_kind_is_survived(
        form in 0..3_usize,
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        end in prop_oneof![3 => Just(0_usize), 1 => 1..2000_usize],
    ) {
        let folder = Folder::new();
        let parts = [batch(0..30), batch(30..64)];
        let mut bytes = match form {
            0 => parquet(&parts, 25),
            1 => arrow_file(&parts),
            _ => arrow_stream(&parts),
        };
        read_damaged(&folder.path().join("damaged"), &mut bytes, &cuts, end);
    }
}

/// Hashes in a list, with their weights in records, and as JSON in a string: whatever the column holds.
#[test]
fn hashed_features_are_lists_or_records() {
    let folder = Folder::new();
    let weights: ArrayRef = Arc::new(StringArray::from(vec![Some("[[1,0.5],[-1,2]]"), None]));
    let lists = [Some(vec![Some(1), Some(-1)]), None];
    let lists: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists));
    for (name, column, weights) in [("a", weights, [0.5, 2.0]), ("b", lists, [1.0, 1.0])] {
        let batch = RecordBatch::try_from_iter_with_nullable([("h", column, true)]).unwrap();
        let path = folder.write(name, parquet(&[batch], 4));
        let options = LoadOptions { hashes_field: Some("h".into()), ..Default::default() };
        let loaded = load_with(&path, &options);
        let hashes = vec![(1, weights[0]), (u64::MAX, weights[1])];
        assert_eq!(loaded.contents, [Content::Hashes(hashes), Content::Hashes(vec![])], "{name}");
        assert_eq!(loaded.corpus.read(DocId(0)).unwrap(), loaded.contents[0], "{name}");
    }
}

/// Times with a zone, whatever list of zones there is, and maps of numbers: beside the text, and in the fields.
#[test]
fn times_with_a_zone_are_read_in_utc() {
    let folder = Folder::new();
    let noon = 1_714_564_800_000_000;
    for zone in ["UTC", "Europe/Berlin", "+02:00", "no zone"] {
        let times = TimestampMicrosecondArray::from(vec![Some(noon), None]).with_timezone(zone);
        let mut map = MapBuilder::new(None, UInt64Builder::new(), Float64Builder::new());
        map.keys().append_value(u64::MAX);
        map.values().append_value(2.5);
        map.append(true).unwrap();
        map.append(true).unwrap();
        let batch = RecordBatch::try_from_iter_with_nullable([
            ("text", Arc::new(StringArray::from(vec!["the tide", "the ebb"])) as ArrayRef, true),
            ("when", Arc::new(times) as ArrayRef, true),
            ("map", Arc::new(map.finish()) as ArrayRef, true),
        ])
        .unwrap();
        for (name, bytes) in [
            ("a.parquet", parquet(std::slice::from_ref(&batch), 9)),
            ("a.arrow", arrow_file(std::slice::from_ref(&batch))),
            ("a.arrows", arrow_stream(std::slice::from_ref(&batch))),
        ] {
            let found = load_path(&folder.write(name, bytes));
            assert_eq!(found.texts(), ["the tide", "the ebb"], "{name} {zone}");
            let fields = found.corpus.fields(0..1).remove(0).unwrap();
            let when = fields.iter().find(|(name, _)| name == "when").unwrap();
            assert_eq!(when.1, "2024-05-01T12:00:00Z", "{name} {zone}");
        }
        let options = LoadOptions { hashes_field: Some("map".into()), ..Default::default() };
        let hashed = load_with(&folder.path().join("a.parquet"), &options);
        assert_eq!(hashed.contents[0], Content::Hashes(vec![(u64::MAX, 2.5)]), "{zone}");
    }
}

/// Parquet is read row by row, Arrow by columns, and the values are the same.
#[test]
fn values_of_every_type_are_read_alike() {
    let folder = Folder::new();
    let time = [Some(1_714_564_800_123_456_789), Some(-1), None];
    let at = |unit: i64| time.map(|it| it.map(|it: i64| it.div_euclid(unit)));
    let clock = |unit: i64| [Some(86_399_999_000_000 / unit), Some(0), None];
    let small: [Option<i32>; 3] = [Some(-128), Some(127), None];
    let decimal = Decimal128Array::from(vec![Some(-12345), Some(7), None]);
    let nested = Float64Array::from(vec![Some(0.1 + 0.2), Some(1e300), None]);
    let nested: ArrayRef = Arc::new(nested);
    let inner = Arc::new(Field::new("x", nested.data_type().clone(), true));
    let lists = [Some(vec![Some(1), Some(2)]), Some(vec![]), None];
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("text", Arc::new(StringArray::from(vec!["low", "\u{7}\"\\é", "high"]))),
        ("i8", Arc::new(small.map(|it| it.map(|it| it as i8)).into_iter().collect::<Int8Array>())),
        ("u32", Arc::new(UInt32Array::from(vec![Some(u32::MAX), Some(0), None]))),
        ("i64", Arc::new(Int64Array::from(vec![Some(i64::MIN), Some(i64::MAX), None]))),
        ("f32", Arc::new(Float32Array::from(vec![Some(0.1), Some(f32::MAX), None]))),
        ("f64", Arc::clone(&nested)),
        ("yes", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None]))),
        ("day", Arc::new(Date32Array::from(vec![Some(19_844), Some(-1), None]))),
        ("decimal", Arc::new(decimal.with_precision_and_scale(9, 3).unwrap())),
        ("ms", Arc::new(TimestampMillisecondArray::from(at(1_000_000).to_vec()))),
        ("us", Arc::new(TimestampMicrosecondArray::from(at(1_000).to_vec()).with_timezone("UTC"))),
        ("ns", Arc::new(TimestampNanosecondArray::from(at(1).to_vec()).with_timezone("UTC"))),
        ("clock", Arc::new(Time64MicrosecondArray::from(clock(1_000).to_vec()))),
        (
            "eight",
            Arc::new(
                FixedSizeBinaryArray::try_from_sparse_iter_with_size(
                    [Some([7_u8; 8]), None, None].into_iter(),
                    8,
                )
                .unwrap(),
            ),
        ),
        ("of", Arc::new(StructArray::from(vec![(inner, nested)]))),
        ("list", Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists))),
    ];
    let all: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let columns = columns.iter().map(|(name, array)| (*name, Arc::clone(array), true));
    let rows = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let load = |name: &str, bytes: Vec<u8>| load_path(&folder.write(name, bytes)).corpus;
    let read = [
        load("a.parquet", parquet(std::slice::from_ref(&rows), 2)),
        load("a.arrow", arrow_file(std::slice::from_ref(&rows))),
    ];
    let documents: Vec<DocId> = (0..3).map(DocId).collect();
    for name in all.iter().copied().chain(["of.x", "list[0]", "list[1]"]) {
        let [one, other] = [&read[0], &read[1]].map(|corpus| {
            let mut found = Vec::new();
            corpus.visit_records(&documents, &mut |row| {
                found.push(row.field(name)?);
                Ok(())
            });
            found
        });
        let number = |it: &Option<String>| it.as_ref().and_then(|it| it.parse::<f64>().ok());
        let is_float = name.starts_with('f') || name == "of.x";
        let same = if is_float {
            one.iter().map(number).eq(other.iter().map(number))
        } else {
            one == other
        };
        assert!(same && one.len() == 3, "{name}: {one:?} {other:?}");
        assert!(one[0].is_some() || ["of", "list"].contains(&name), "{name}: {one:?}");
    }
}

/// Some programs do not mark strings as such: bytes that are UTF-8 are the text, and others are none.
#[test]
fn texts_may_be_stored_as_bytes() {
    let folder = Folder::new();
    let bytes: Vec<&[u8]> = vec!["the tide \"é\"".as_bytes(), b"\xff\xfe no text", b"the ebb"];
    let column = |name, values: &[&[u8]]| {
        (name, Arc::new(BinaryArray::from(values.to_vec())) as ArrayRef, true)
    };
    let batch = RecordBatch::try_from_iter_with_nullable([
        column("id", &[b"a", b"\xff", b"c"]),
        column("text", &bytes),
    ])
    .unwrap();
    for (name, file) in [
        ("a.parquet", parquet(std::slice::from_ref(&batch), 9)),
        ("a.arrow", arrow_file(std::slice::from_ref(&batch))),
    ] {
        let found = load_path(&folder.write(name, file));
        assert_eq!(found.texts(), ["the tide \"é\"", "the ebb"], "{name}");
        assert_eq!(found.ids(), ["a", "c"], "{name}");
        let said =
            format!("DIR/{name}:2: field \"text\" is not a string; name another with `text-field`");
        assert_eq!(folder.messages(&found.corpus), [said]);
    }
}

#[test]
fn a_float_is_no_fingerprint() {
    let folder = Folder::new();
    let floats = column("fingerprint", Arc::new(Float64Array::from(vec![9e18, 5.0])) as ArrayRef);
    let refused = refusal(&folder, "a.parquet", parquet(&[floats], 9));
    // As the writer of JSON has it.
    assert!(refused.starts_with("DIR/a.parquet:1: field \"fingerprint\" is 9"), "{refused}");
    assert!(refused.contains(", a float"), "{refused}");
    assert!(
        refused.contains("a float cannot hold 64 bits; write fingerprints as whole"),
        "{refused}"
    );
    for number in ["9223372036854775808.0", "1e18", "18446744073709551616", "5.0"] {
        let row = format!("{{\"fingerprint\":{number}}}\n");
        let refused = refusal(&folder, "a.jsonl", row);
        assert!(refused.contains("a float cannot hold 64 bits"), "{number}: {refused}");
    }
}

/// One value that all rows share is not copied for each, and a file that grows beyond measure is left.
#[test]
fn a_small_file_of_large_rows_is_read_up_to_its_limit() {
    let folder = Folder::new();
    let text = "the tide came in ".repeat(60_000);
    let keys = Int32Array::from(vec![0; 300]);
    let shared = DictionaryArray::new(keys, Arc::new(StringArray::from(vec![&*text])));
    let shared = column("text", Arc::new(shared) as ArrayRef);
    for (name, bytes) in [
        ("a.parquet", parquet(std::slice::from_ref(&shared), 300)),
        ("a.arrow", arrow_file(std::slice::from_ref(&shared))),
    ] {
        let path = folder.write(name, bytes);
        let mut n = 0;
        let corpus = super::load(
            &[simscope::corpus::Input::Path(path)],
            &LoadOptions::default(),
            &simscope::progress::Progress::new(),
            &mut |batch| n += batch.contents.len(),
        );
        let messages = folder.messages(&corpus.unwrap());
        assert!((100..300).contains(&n), "{name}: {n}");
        assert!(messages[0].contains("unpacks to more than 200 times its size"), "{messages:?}");
    }
    // Where the metadata says it, nothing is unpacked.
    let rows: Vec<String> = (0..140).map(|n| format!("{n} {text}")).collect();
    let large = column("text", Arc::new(StringArray::from(rows)) as ArrayRef);
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_compression(parquet::basic::Compression::ZSTD(parquet::basic::ZstdLevel::default()))
        .build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, large.schema(), Some(properties)).unwrap();
    writer.write(&large).unwrap();
    writer.close().unwrap();
    let refused = refusal(&folder, "b.parquet", bytes);
    let said = "DIR/b.parquet: unpacks to more than 200 times its size; if that is right, allow more with `max-expansion`";
    assert_eq!(refused, said);
}

#[test]
fn a_name_that_is_not_kept_and_a_stream_that_is_cut_are_told() {
    let folder = Folder::new();
    let empty = refusal(&folder, "zero.parquet", "");
    assert_eq!(
        empty,
        "DIR/zero.parquet: empty, and not a Parquet file, as its name says; write it again, or rename it"
    );
    let fake = refusal(&folder, "fake.arrow", "the tide came in");
    assert_eq!(
        fake,
        "DIR/fake.arrow: not an Arrow file, as its name says; write it again, or rename it"
    );
    let lines = LoadOptions { input_format: InputFormat::LINES, ..LoadOptions::default() };
    assert_eq!(load_with(&folder.path().join("fake.arrow"), &lines).texts(), ["the tide came in"]);
    let stream = arrow_stream(&[batch(0..5), batch(10..20)]);
    let whole = load_path(&folder.write("whole.arrows", &stream));
    assert_eq!((whole.contents.len(), folder.messages(&whole.corpus)), (15, vec![]));
    let cut = load_path(&folder.write("cut.arrows", &stream[..stream.len() - 8]));
    assert_eq!(cut.contents.len(), 15);
    assert_eq!(
        folder.messages(&cut.corpus),
        [
            "DIR/cut.arrows: damaged after row 15: it ends without its end mark, so it may have been cut off"
        ]
    );
}

#[test]
fn bytes_behind_the_end_of_a_stream_are_told() {
    let folder = Folder::new();
    let (one, two) = (arrow_stream(&[batch(0..5)]), arrow_stream(&[batch(10..20)]));
    for (name, bytes) in [
        ("two.arrows", [&*one, &*two].concat()),
        ("two.gz", [gzip(&one), gzip(&two)].concat()),
        ("rest.arrows", [&*one, b"x"].concat()),
    ] {
        let found = load_path(&folder.write(name, bytes));
        assert_eq!(found.contents.len(), 5, "{name}");
        let said = format!(
            "DIR/{name}: damaged after row 5: bytes follow its end mark and are left out; give each stream alone"
        );
        assert_eq!(folder.messages(&found.corpus), [said]);
    }
}

/// Images and embeddings are many times as large as the texts beside them.
#[test]
fn columns_of_bytes_and_floats_are_read_where_they_are_named() {
    let folder = Folder::new();
    let n = 40;
    let images: Vec<Vec<u8>> = (0..n).map(|n| vec![128 + n as u8; 1 << 10]).collect();
    let images: ArrayRef = Arc::new(BinaryArray::from_iter_values(images.iter()));
    let floats = (0..n).map(|n| Some(vec![Some(n as f32), Some(0.5)]));
    let floats: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(floats));
    let text = StringArray::from_iter_values((0..n).map(|n| format!("tide {n}")));
    let texts: ArrayRef = Arc::new(text);
    let rows =
        RecordBatch::try_from_iter([("image", images), ("text", texts), ("embedding", floats)]);
    let path = folder.write("a.parquet", parquet(&[rows.unwrap()], 16));
    let found = load_path(&path);
    assert_eq!(found.texts().len(), n);
    let fields = found.corpus.fields(3..4).remove(0).unwrap();
    assert_eq!(fields, [("text".to_owned(), "tide 3".to_owned())]);
    let remark = found.corpus.remarks()[0].to_string();
    let said =
        "columns of bytes, lists of floats or intervals are not read: \"image\", \"embedding\"";
    assert!(remark.contains(said), "{remark}");
    let named = LoadOptions { title_field: Some("image".to_owned()), ..LoadOptions::default() };
    let named = load_with(&path, &named);
    assert!(named.corpus.titles(&[DocId(3)])[0].as_ref().unwrap().starts_with("83838383"));
    // A copy of a packed file is of JSON, so they are read there.
    let packed = load_path(&folder.write("b.parquet.gz", gzip(&fs::read(&path).unwrap())));
    assert_eq!(packed.corpus.remarks().len(), 0);
    let mut out = Vec::new();
    let (limits, progress) = Default::default();
    packed.corpus.copy(&|it| it.0 == 3, limits, &mut out, &progress).unwrap();
    let row: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert!(row["image"].as_str().unwrap().starts_with("83838383"), "{row}");
    assert_eq!(row["embedding"], serde_json::json!([3.0, 0.5]));
    // The copy has all columns.
    let mut out = Vec::new();
    let (limits, progress) = Default::default();
    found.corpus.copy(&|it| it.0 % 2 == 1, limits, &mut out, &progress).unwrap();
    let copy = folder.write("copy.parquet", &out);
    let read = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(copy).unwrap()).unwrap();
    let batch = read.build().unwrap().next().unwrap().unwrap();
    assert_eq!((batch.num_rows(), batch.num_columns()), (n / 2, 3));
    assert_eq!(batch.column_by_name("image").unwrap().as_binary::<i32>().value(1), [131; 1 << 10]);
}
