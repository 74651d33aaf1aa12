"""Tries near_pairs.py on this machine: a master and two workers of Spark on loopback, then DuckDB and simscope alone.

    pip install pyspark pyarrow pandas duckdb
    python check.py target/release/simscope [DOCS.jsonl]

It plants near-duplicates, copies and a crowd of short texts' fingerprints among a million random ones, finds their pairs
on the cluster, kills a worker in the middle of a second run, and compares every pair with simscope's own and with the
query of `simscope cluster sql` in DuckDB. With DOCS.jsonl (id, text) it compares every fingerprint and pair of texts too. Needs
Java 17 and some 3 GB of memory; ends with 1 where anything differs.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pyspark

HERE = Path(__file__).resolve().parent
MASTER = "spark://127.0.0.1:7177"
N = 1_000_000
K = 3


def planted(seed):
    """A million fingerprints: random ones, near-duplicates, copies, and a crowd that shares 40 bits."""
    draw = random.Random(seed)
    found = [draw.getrandbits(64) for _ in range(N * 9 // 10)]
    for at in range(N // 25):
        bits = draw.sample(range(64), draw.randint(1, 5))
        found.append(found[at] ^ sum(1 << bit for bit in bits))
    found += [found[7]] * 20_000
    crowd = draw.getrandbits(64)
    while len(found) < N:
        found.append(crowd & ~0xFFFFFF | draw.getrandbits(24))
    return found


class Cluster:
    """A master and two workers, each a process that can be killed."""

    def __init__(self, folder):
        self.home = Path(pyspark.__file__).parent
        self.environment = dict(os.environ, SPARK_HOME=str(self.home), SPARK_LOCAL_IP="127.0.0.1")
        self.environment.update(PYSPARK_PYTHON=sys.executable, SPARK_WORKER_DIR=str(folder / "work"))
        self.log = open(folder / "cluster.log", "w")
        self.master = self.start("master.Master", "--host", "127.0.0.1", "--port", "7177", "--webui-port", "0")
        time.sleep(5)
        self.workers = [self.worker(), self.worker()]

    def start(self, name, *arguments):
        command = [str(self.home / "bin/spark-class"), f"org.apache.spark.deploy.{name}", *arguments]
        return subprocess.Popen(command, env=self.environment, stdout=self.log, stderr=self.log)

    def worker(self):
        return self.start("worker.Worker", "-c", "1", "-m", "1g", "--host", "127.0.0.1", "--webui-port", "0", MASTER)

    def submit(self, simscope, *arguments):
        command = [str(self.home / "bin/spark-submit"), "--master", MASTER, "--files", str(simscope)]
        command += ["--conf", "spark.driver.host=127.0.0.1", "--conf", "spark.driver.bindAddress=127.0.0.1"]
        command += ["--conf", "spark.executor.memory=700m", "--conf", "spark.ui.enabled=false"]
        command += ["--conf", "spark.sql.shuffle.partitions=8", str(HERE / "near_pairs.py"), *map(str, arguments)]
        return subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, stderr=self.log, text=True)

    def stop(self):
        for process in [*self.workers, self.master]:
            process.kill()


def run(command, **more):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **more).stdout


def pairs_of(folder):
    table = pq.read_table(folder / "pairs")
    return sorted(zip(*(table[name].to_pylist() for name in ("fp_a", "fp_b", "distance"))))


def own_pairs(simscope, fingerprints):
    """The pairs of simscope alone, as fingerprints without copies."""
    distinct = pq.read_table(fingerprints, columns=["fingerprint"])["fingerprint"].unique().drop_null().to_pylist()
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "distinct.txt"
        lines.write_text("".join(f"{value}\n" for value in distinct))
        options = ["--input-format", "fingerprints", "--fp-type", "int64", "-k", K, "-q", "-f", "csv"]
        rows = run([simscope, "pairs", *options, lines]).splitlines()[1:]
    unsigned = lambda value: value & (1 << 64) - 1
    found = []
    for row in rows:
        a, b, distance = row.rsplit(",", 2)
        a, b = (distinct[int(name.rsplit(":", 1)[1]) - 1] for name in (a, b))
        a, b = sorted((a, b), key=unsigned)
        found.append((a, b, int(distance)))
    return sorted(found)


def sql_pairs(simscope, fingerprints):
    query = run([simscope, "cluster", "sql", "--dialect", "duckdb", "-k", K])
    database = duckdb.connect()
    database.execute(f"CREATE VIEW docs AS SELECT id, fingerprint AS fp FROM read_parquet('{fingerprints}')")
    return sorted(database.execute(query).fetchall())


def submitted(process, name):
    told = process.communicate()[0]
    if process.returncode != 0:
        sys.exit(f"{told}\n{name}: spark-submit ended with {process.returncode}")
    return told.strip()


def check(name, found, expected):
    if found != expected:
        sys.exit(f"{name}: {len(found)} pairs, {len(expected)} expected; they differ")
    print(f"{name}: {len(found):,} pairs, all equal", flush=True)


def main():
    folder = Path(tempfile.mkdtemp(prefix="simscope-cluster-"))
    # Executors know the program by its file name.
    simscope = Path(shutil.copy(sys.argv[1], folder / "simscope"))
    values = [value - (1 << 64) if value >> 63 else value for value in planted(1)]
    table = pa.table({"id": [str(at) for at in range(N)], "fingerprint": pa.array(values, pa.int64())})
    (folder / "in").mkdir()
    for part in range(4):
        pq.write_table(table.slice(part * N // 4, N // 4), folder / f"in/part-{part}.parquet")
    cluster = Cluster(folder)
    try:
        begun = time.time()
        job = cluster.submit(simscope, "--input", folder / "in", "--output", folder / "out", "--fingerprints", "-k", K)
        print(submitted(job, "a million fingerprints"), f"{time.time() - begun:.0f} s", sep="\n", flush=True)
        found = pairs_of(folder / "out")
        check("cluster and simscope", found, own_pairs(simscope, folder / "in"))
        check("cluster and DuckDB", found, sql_pairs(simscope, f"{folder}/in/*.parquet"))

        job = cluster.submit(
            simscope, "--input", folder / "in", "--output", folder / "again", "--fingerprints", "-k", K
        )
        while job.poll() is None and not list((folder / "again").rglob("part-*")):
            time.sleep(0.05)
        subprocess.run(["pkill", "-KILL", "-P", str(cluster.workers[0].pid)], check=True)
        cluster.workers[0].kill()
        if job.poll() is not None:
            sys.exit("the second run ended before the worker was killed")
        cluster.workers[0] = cluster.worker()
        submitted(job, "with a worker killed")
        check("with a worker killed", pairs_of(folder / "again"), found)

        if len(sys.argv) > 2:
            rows = [json.loads(line) for line in open(sys.argv[2], encoding="utf-8")]
            texts = pa.table({"id": [str(row["id"]) for row in rows], "text": [row["text"] for row in rows]})
            (folder / "texts").mkdir()
            for part in range(4):
                size = -(-len(rows) // 4)
                pq.write_table(texts.slice(part * size, size), folder / f"texts/part-{part}.parquet")
            job = cluster.submit(simscope, "--input", folder / "texts", "--output", folder / "found", "-k", K)
            print(submitted(job, "texts"), flush=True)
            made = pq.read_table(folder / "found/fingerprints")
            made = dict(zip(made["id"].to_pylist(), made["fingerprint"].to_pylist()))
            own = run([simscope, "fingerprint", "-q", "-f", "csv", "--fp-type", "int64", sys.argv[2]]).splitlines()[1:]
            own = (row.rsplit(",", 2) for row in own)
            own = {row[0].strip('"'): int(row[1]) if row[1] else None for row in own}
            if made != own:
                sys.exit("fingerprints of texts differ")
            print(f"fingerprints of {len(own):,} texts, all equal", flush=True)
            check("texts", pairs_of(folder / "found"), own_pairs(simscope, folder / "found/fingerprints"))
        print(f"the results are in {folder}")
    finally:
        cluster.stop()


if __name__ == "__main__":
    main()
