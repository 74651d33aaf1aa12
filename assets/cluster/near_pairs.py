"""All near-duplicate pairs of a corpus on a cluster, with Apache Spark and the program simscope.

    spark-submit --files simscope near_pairs.py --input DOCS --output OUT -k 3

DOCS is Parquet with the columns id and text, or id and fingerprint (--fingerprints). OUT gets the folders
fingerprints (id, fingerprint, features), pairs (fp_a, fp_b, distance; each pair once, fp_a below fp_b as numbers
without a sign) and the file _simscope.json, which names the recipe if it is known. Every fingerprint and every pair is computed by
the same program as on one machine. Run with --plan to see the price and stop.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading

import pyarrow as pa
from pyspark import SparkFiles
from pyspark.sql import SparkSession, functions

ROWS_A_TASK = 20_000_000  # some 500 MB in the program


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", required=True, help="folder of Parquet files")
    parser.add_argument("--output", required=True, help="folder that does not exist yet")
    parser.add_argument("-k", type=int, default=3, help="the largest distance of a pair (3)")
    parser.add_argument("--blocks", type=int, help="blocks of the tables (the cheapest)")
    parser.add_argument("--recipe", default="", help="the recipe, as simscope prints it (its default)")
    parser.add_argument("--fingerprints", action="store_true", help="the input has fingerprints, int64")
    parser.add_argument("--partitions", type=int, help="parts of the search (one for 20 million rows, at least 8)")
    parser.add_argument("--max-pairs", type=int, help="end the job if a part has more pairs (no limit)")
    parser.add_argument("--plan", action="store_true", help="print the plan and stop")
    return parser.parse_args()


def piped(*arguments):
    """A function for mapInArrow: batches go through the program as an Arrow stream, and come back as one."""

    def run(batches):
        first = next(batches, None)
        if first is None:
            return
        told = tempfile.TemporaryFile()
        command = [SparkFiles.get("simscope"), *arguments, "-q", "-f", "arrow", "-"]
        program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=told)
        failures = []

        # Both ends at once: with one thread, two full pipes would wait for each other.
        def feed():
            try:
                # The program reads to the end of its input, also if a batch fails here.
                with program.stdin, pa.ipc.new_stream(program.stdin, first.schema) as stream:
                    stream.write_batch(first)
                    for batch in batches:
                        stream.write_batch(batch)
            except BaseException as failure:  # told below, in the thread of the task
                failures.append(failure)

        feeder = threading.Thread(target=feed, daemon=True)
        feeder.start()
        try:
            with pa.ipc.open_stream(program.stdout) as stream:
                yield from stream
        except pa.ArrowInvalid as failure:
            failures.append(failure)
        feeder.join()
        # 1 says that some rows were passed over; they are counted at the end.
        if program.wait() > 1 or failures:
            told.seek(0)
            said = told.read().decode(errors="replace").strip()
            raise RuntimeError(f"simscope ended with {program.returncode}: {said or failures}")

    return run


def plan(program, n, asked):
    """The plan of the search, with the masks of its tables, from the program itself."""
    blocks = ["--blocks", str(asked.blocks)] if asked.blocks else []
    command = [program, "cluster", "plan", "--documents", str(max(n, 1)), "-k", str(asked.k), "-q", "-f", "jsonl"]
    command += [*blocks, *asked.recipe_option]
    rows = [json.loads(line) for line in subprocess.check_output(command, text=True).splitlines()]
    return min(rows, key=lambda row: row["core_hours"])


def main():
    asked = options()
    spark = SparkSession.builder.appName("simscope near pairs").getOrCreate()
    # Long documents: fewer of them in a batch.
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "2000")
    program = SparkFiles.get("simscope")
    if not os.path.exists(program):
        sys.exit("the program is not there; give spark-submit the option --files PATH/simscope")
    documents = spark.read.parquet(asked.input)
    asked.recipe_option = recipe = ["--recipe", asked.recipe] if asked.recipe else []
    if asked.fingerprints:
        found = documents.select(functions.col("id").cast("string"), functions.col("fingerprint").cast("bigint"))
    else:
        # Memory and files between stages are Spark's: the program holds one part at a time.
        texts = documents.select(functions.col("id").cast("string"), "text").where("text IS NOT NULL")
        columns = "id string, fingerprint bigint, features bigint"
        texts.mapInArrow(piped("fingerprint", *recipe), columns).write.parquet(f"{asked.output}/fingerprints")
        found = spark.read.parquet(f"{asked.output}/fingerprints")
    distinct = found.select("fingerprint").where("fingerprint IS NOT NULL").distinct().cache()
    n = distinct.count()
    chosen = plan(program, n, asked)
    masks, line = [int(mask) for mask in chosen.pop("masks")], chosen.pop("recipe")
    print(f"simscope: {n:,} distinct fingerprints", *(f"{name} {value:,}" for name, value in chosen.items()), sep=", ")
    if asked.plan:
        return
    listed = "array(" + ",".join(f"CAST('{mask}' AS BIGINT)" for mask in masks) + ")"
    tables = distinct.selectExpr("fingerprint", f"explode(sequence(0, {len(masks) - 1})) AS t")
    key = functions.expr(f"fingerprint & element_at({listed}, t + 1)")
    parts = asked.partitions or max(8, n * len(masks) // ROWS_A_TASK)
    search = ["pairs", "--table-field", "t", "-k", str(asked.k), "--blocks", str(chosen["blocks"]), *recipe]
    search += ["--max-pairs", str(asked.max_pairs)] if asked.max_pairs is not None else []
    pairs = tables.repartition(parts, "t", key).mapInArrow(piped(*search), "fp_a bigint, fp_b bigint, distance bigint")
    pairs.write.parquet(f"{asked.output}/pairs")
    note = {"k": asked.k, "blocks": chosen["blocks"], "distinct_fingerprints": n}
    if asked.recipe or not asked.fingerprints:  # else nobody has said of which recipe they are
        note["recipe"] = line
    path = spark._jvm.org.apache.hadoop.fs.Path(f"{asked.output}/_simscope.json")
    out = path.getFileSystem(spark._jsc.hadoopConfiguration()).create(path)
    out.write(bytearray(json.dumps(note) + "\n", "utf-8"))
    out.close()
    counted = spark.read.parquet(f"{asked.output}/pairs").count()
    lost = 0 if asked.fingerprints else documents.count() - found.count()
    print(f"simscope: {counted:,} pairs within {asked.k}; {lost:,} documents without a text", file=sys.stderr)


if __name__ == "__main__":
    main()
