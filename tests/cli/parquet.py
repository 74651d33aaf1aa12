"""Writes Parquet with pyarrow, has simscope drop duplicates, and compares all columns with those that pyarrow keeps."""
import datetime
import decimal
import json
import os
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq


def row(n):
    return {
        "id": f"d{n}",
        "text": f"the tide came in at noon {n // 2} by the old wall and went out again on day {n // 2}",
        "image": bytes([n % 256]) * 50,
        "embedding": [n / 3, None, 1.5],
        "price": decimal.Decimal(n) / 100,
        "when": datetime.datetime(2026, 1, 1, n % 24),
        "tags": ["a", None, str(n)] if n % 5 else None,
        "record": {"x": n, "y": [{"z": n % 256}]},
        "map": [("k", n)],
        "flag": n % 2 == 0,
        "none": None,
    }


record = pa.struct([("x", pa.int16()), ("y", pa.list_(pa.struct([("z", pa.uint8())])))])
schema = pa.schema(
    [
        ("id", pa.string()),
        pa.field("text", pa.large_string(), nullable=False),
        ("image", pa.binary()),
        ("embedding", pa.list_(pa.float32())),
        ("price", pa.decimal128(10, 2)),
        ("when", pa.timestamp("us", "UTC")),
        ("tags", pa.list_(pa.string())),
        ("record", record),
        ("map", pa.map_(pa.string(), pa.int64())),
        ("flag", pa.bool_()),
        ("none", pa.null()),
    ],
    metadata={b"k": b"v"},
)
table = pa.Table.from_pylist([row(n) for n in range(250)], schema=schema)


def dedup(*names):
    command = [sys.argv[1], "dedup", "-q", "-k", "0", "-f", "jsonl", *names]
    done = subprocess.run(command, capture_output=True, text=True)
    return done, {json.loads(line)["id"] for line in done.stdout.splitlines()}


for codec in ["snappy", "zstd", "gzip", "none", "lz4"]:
    pq.write_table(table, "a.parquet", row_group_size=70, compression=codec)
    done, gone = dedup("a.parquet", "--kept", "kept.parquet")
    assert done.returncode == 0 and len(gone) == 125, done.stderr
    read, kept = pq.read_table("a.parquet"), pq.read_table("kept.parquet")
    assert kept.schema.equals(read.schema, check_metadata=True), kept.schema
    assert kept.equals(read.filter(pa.array([it not in gone for it in read["id"].to_pylist()]))), codec
    packing = pq.ParquetFile("kept.parquet").metadata.row_group(0).column(0).compression
    assert packing == ("UNCOMPRESSED" if codec == "none" else codec.upper()), packing

# Shards with other columns, one without values, and one that may be null in one of them.
words = ["one two three four", "five six seven eight"]
text = pa.field("text", pa.string(), nullable=False)
one = pa.table([["a", "b"], words, [1, 2], pa.nulls(2)], schema=pa.schema([("id", pa.string()), text, ("only", pa.int64()), ("none", pa.null())]))
other = pa.table({"id": ["c", "d"], "text": words, "none": ["s", None], "list": [[1], None]})
os.mkdir("shards")
pq.write_table(one, "shards/a.parquet")
pq.write_table(other, "shards/b.parquet")
done, gone = dedup("shards", "--kept", "shards.parquet", "--keep", "last")
assert gone == {"a", "b"}, (gone, done.stderr)
assert pq.read_table("shards.parquet").to_pylist() == [
    {"id": "c", "text": words[0], "only": None, "none": "s", "list": [1]},
    {"id": "d", "text": words[1], "only": None, "none": None, "list": None},
]
pq.write_table(pa.table({"id": ["e"], "text": ["x y z"], "only": ["text"]}), "shards/c.parquet")
done, _ = dedup("shards", "--kept", "refused.parquet")
assert done.returncode == 2 and 'column "only" has another type' in done.stderr, done.stderr
assert not os.path.exists("refused.parquet")
