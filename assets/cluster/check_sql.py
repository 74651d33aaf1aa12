"""Runs the query of `simscope cluster sql` in DuckDB, ClickHouse and Spark on this machine, and compares all pairs.

    pip install duckdb chdb pyspark pyarrow pandas
    python check_sql.py target/release/simscope

The fingerprints are those of check.py, some hundred thousand: random ones, near-duplicates and copies.
Every pair is compared with those of simscope alone. Needs Java 17; ends with 1 where anything differs.
"""

import sys
import tempfile
import time
from pathlib import Path

import chdb
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

import check

N = 100_000
K = check.K
SIGN = 1 << 63


def signed(value):
    return value - 2 * SIGN if value >= SIGN else value


def clickhouse(query, folder):
    """ClickHouse has numbers without a sign: in its table, and in the pairs."""
    table = f"SELECT id, reinterpretAsUInt64(fingerprint) AS fp FROM file('{folder}/*.parquet', Parquet)"
    query = query.replace("WITH u AS", f"WITH docs AS ({table}), u AS")
    found = chdb.query(query, "CSV").data()
    rows = (map(int, row.split(",")) for row in found.splitlines())
    return sorted((signed(a), signed(b), distance) for a, b, distance in rows)


def spark(query, folder):
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    session.read.parquet(str(folder)).selectExpr("id", "fingerprint AS fp").createOrReplaceTempView("docs")
    found = sorted(tuple(row) for row in session.sql(query.rstrip().rstrip(";")).collect())
    session.stop()
    return found


def main():
    program = sys.argv[1]
    folder = Path(tempfile.mkdtemp(prefix="simscope-sql-"))
    check.N = N
    values = pa.array([signed(value) for value in check.planted(1)], pa.int64())
    ids = [str(at) for at in range(len(values))]
    pq.write_table(pa.table({"id": ids, "fingerprint": values}), folder / "part.parquet")
    expected = check.own_pairs(program, folder)
    print(f"simscope: {len(expected):,} pairs", flush=True)
    query = lambda dialect: check.run([program, "cluster", "sql", "--dialect", dialect, "-k", K])
    for name, found in [
        ("DuckDB", lambda: check.sql_pairs(program, f"{folder}/*.parquet")),
        ("ClickHouse", lambda: clickhouse(query("clickhouse"), folder)),
        ("Spark", lambda: spark(query("spark"), folder)),
    ]:
        begun = time.time()
        check.check(name, found(), expected)
        print(f"{name}: {time.time() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main()
