"""Reads what simscope wrote with three libraries, compares it, and writes it again with seven values more."""
import json

import duckdb
import polars
import pyarrow
import pyarrow.ipc
import pyarrow.parquet

rows = [json.loads(line) for line in open("prints.jsonl")]
bits = [None if row["fingerprint"] is None else int(row["fingerprint"], 16) for row in rows]
ids = [row["id"] for row in rows]


def signed(values):
    return [None if it is None else it - 2**64 if it >= 2**63 else it for it in values]


table = pyarrow.parquet.read_table("prints.parquet")
assert table["fingerprint"].to_pylist() == signed(bits)
assert table["id"].to_pylist() == ids
stream = pyarrow.ipc.open_stream("prints.arrows")
for metadata in (pyarrow.parquet.read_metadata("prints.parquet").metadata, stream.schema.metadata):
    assert metadata[b"simscope.recipe"].startswith(b"words:3 log-tf siphash13 "), metadata
    manifest = metadata[b"simscope.manifest"].decode().splitlines()
    assert manifest[0].startswith("simscope ") and manifest[2] == "k: 3", manifest
    assert manifest[1].startswith("command: simscope fingerprint ") and manifest[3].startswith("input: "), manifest
assert stream.read_all()["fingerprint"].to_pylist() == signed(bits)
assert polars.read_parquet("unsigned.parquet")["fingerprint"].to_list() == bits
found = duckdb.sql("SELECT fingerprint FROM 'unsigned.parquet'").fetchall()
assert [row[0] for row in found] == bits
k = 6
query = f"""SELECT count(*) FROM 'pairs.parquet' p JOIN 'prints.parquet' a ON a.id = p.a
            JOIN 'prints.parquet' b ON b.id = p.b
            WHERE bit_count(xor(a.fingerprint, b.fingerprint)) = p.distance AND p.distance <= {k}"""
n_pairs = duckdb.sql("SELECT count(*) FROM 'pairs.parquet'").fetchall()[0][0]
assert n_pairs > 50 and duckdb.sql(query).fetchall()[0][0] == n_pairs

edges = [0, 1, 2**63 - 1, 2**63, 2**64 - 1, 0xABCDEF0123456789, None]
names = ids + [f"edge-{n}" for n in range(len(edges))]
values = bits + edges
both = pyarrow.table({"id": names, "fingerprint": pyarrow.array(values, pyarrow.uint64())})
pyarrow.parquet.write_table(both, "pyarrow.parquet", compression="zstd")
polars.DataFrame({"id": names, "fingerprint": polars.Series(signed(values), dtype=polars.Int64)}).write_parquet(
    "polars.parquet"
)
duckdb.sql("COPY (SELECT id, fingerprint::DECIMAL(20,0) AS fingerprint FROM 'pyarrow.parquet') TO 'duckdb.parquet'")
with pyarrow.OSFile("stream.arrows", "wb") as out, pyarrow.ipc.new_stream(out, both.schema) as writer:
    writer.write_table(both)
