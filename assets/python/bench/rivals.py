"""What each program drops of one corpus, how long it takes, what memory it needs, and whether it is right.

    pip install scipy datasketch==2.0.0 gaoya==0.2.2 rensa==0.5.0
    python bench/rivals.py docs.jsonl [--repeat 3] [--only NAME ..] [--text-dedup PYTHON]

Each run is a process of its own that has the texts in memory before the clock starts; runs of all programs take turns, and
figures are medians. Truth is computed by comparing all texts: two texts are alike if their sets of 3-word shingles (lower
case, words of letters and digits) have a cosine of 0.8 or more. An alike pair is missed if both of its texts stay. A drop is
wrong if no text that stays is alike.

text-dedup needs other versions of some packages: give a Python that has text-dedup==0.4.0. It is a program that reads and
writes files, so its time has these in it.
"""

import argparse
import importlib.metadata
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ALIKE = 0.8
WORDS = re.compile(r"\w+")


def shingles(text):
    words = WORDS.findall(text.lower())
    return {" ".join(words[at : at + 3]) for at in range(max(1, len(words) - 2))} if words else set()


def simscope_k3(texts):
    import simscope

    return simscope.dedup(texts).dropped.tolist()


def simscope_similarity(texts):
    import simscope

    return simscope.dedup(texts, similarity=ALIKE).dropped.tolist()


# The Jaccard index of two sets of one size with a cosine of 0.8 is 0.8 / (2 - 0.8).
JACCARD = ALIKE / (2 - ALIKE)


def datasketch_lsh(texts):
    from datasketch import MinHash, MinHashLSH

    index, dropped = MinHashLSH(threshold=JACCARD, num_perm=128), []
    for position, text in enumerate(texts):
        signature = MinHash(num_perm=128)
        signature.update_batch([it.encode() for it in shingles(text)])
        if index.query(signature):
            dropped.append(position)
        else:
            index.insert(position, signature)
    return dropped


def rensa_lsh(texts):
    from rensa import RMinHash, RMinHashLSH

    index, dropped, kept = RMinHashLSH(threshold=JACCARD, num_perm=128, num_bands=16), [], {}
    for position, text in enumerate(texts):
        signature = RMinHash(num_perm=128, seed=42)
        signature.update(list(shingles(text)))
        if any(signature.jaccard(kept[other]) >= JACCARD for other in index.query(signature)):
            dropped.append(position)
        else:
            index.insert(position, signature)
            kept[position] = signature
    return dropped


def gaoya_minhash(texts):
    from gaoya.minhash import MinHashStringIndex

    index = MinHashStringIndex(32, JACCARD, 16, 8, None, "word", True, (3, 3))
    index.par_bulk_insert_docs(list(range(len(texts))), texts)
    near = index.par_bulk_query(texts)
    return earlier(near)


def gaoya_simhash(texts):
    from gaoya.simhash import SimHashStringIndex

    index = SimHashStringIndex(64, 6, 3, "word", True, (3, 3))
    for position, text in enumerate(texts):
        index.insert_document(position, text)
    return earlier(index.par_bulk_query(texts))


def earlier(near):
    """A text goes if an earlier one that stays is near it."""
    dropped = set()
    for position, others in enumerate(near):
        if any(other < position and other not in dropped for other in others):
            dropped.add(position)
    return sorted(dropped)


METHODS = {
    "simscope dedup, k = 3": simscope_k3,
    "simscope dedup, similarity 0.8": simscope_similarity,
    "datasketch MinHashLSH, 128": datasketch_lsh,
    "rensa RMinHashLSH, 128, 16 bands": rensa_lsh,
    "gaoya MinHash, 16 x 8": gaoya_minhash,
    "gaoya SimHash, 6 blocks, k = 3": gaoya_simhash,
}


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line)["text"] for line in file]


def measured(command):
    """The output of a command, and the largest memory of it and its children together, in MB, looked at 50 times a second."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, start_new_session=True, **streams) as run:
        memory, ended = 0, threading.Event()

        def watch():
            nonlocal memory
            while not ended.wait(0.02):
                memory = max(memory, resident(run.pid))

        watcher = threading.Thread(target=watch)
        watcher.start()
        out = run.stdout.read()
        ended.set()
        watcher.join()
    if run.returncode:
        raise SystemExit(f"{command}: exit {run.returncode}")
    return out, memory / 1e6


def resident(session):
    """The resident bytes of all processes of a session (Linux)."""
    total = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = process.joinpath("stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                total += int(fields[21]) * resource.getpagesize()
        except OSError:
            pass
    return total


def one(path, name):
    """Runs one method here; writes its figures."""
    texts = read(path)
    start = time.perf_counter()
    dropped = METHODS[name](texts)
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "dropped": dropped}))


def text_dedup(python, path, texts):
    """text-dedup on the file; which texts stay is told by their numbers."""
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder, "rows.jsonl")
        with rows.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps({"n": at, "text": text}) + "\n" for at, text in enumerate(texts))
        arguments = ["--path", "json", "--data_files", str(rows), "--split", "train", "--column", "text", "--ngram", "3"]
        arguments += ["--output", f"{folder}/out", "--cache_dir", f"{folder}/cache", "--num_proc", "2"]
        arguments += ["--threshold", str(JACCARD), "--min_length", "1", "--num_perm", "128"]
        start = time.perf_counter()
        _, memory = measured([python, "-m", "text_dedup.minhash", *arguments])
        seconds = time.perf_counter() - start
        code = f"import datasets, json; print(json.dumps(datasets.load_from_disk('{folder}/out')['n'][:]))"
        kept = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout
    stays = set(json.loads(kept))
    return {"seconds": seconds, "memory": memory, "dropped": [at for at in range(len(texts)) if at not in stays]}


def alike_pairs(texts):
    """All pairs of alike texts, from the product of the matrix of shingles with itself, some rows at a time."""
    import numpy as np
    from scipy import sparse

    numbers, rows, columns = {}, [], []
    sets = [shingles(text) for text in texts]
    for row, found in enumerate(sets):
        columns += [numbers.setdefault(it, len(numbers)) for it in found]
        rows += [row] * len(found)
    sizes = np.sqrt(np.array([max(1, len(it)) for it in sets], dtype=np.float64))
    values = 1 / sizes[rows]
    matrix = sparse.csr_matrix((values, (rows, columns)), shape=(len(texts), len(numbers)))
    pairs = []
    for start in range(0, len(texts), 2000):
        product = (matrix[start : start + 2000] @ matrix.T).tocoo()
        is_alike = product.data >= ALIKE - 1e-9
        pairs += zip((product.row[is_alike] + start).tolist(), product.col[is_alike].tolist())
    return [(a, b) for a, b in pairs if a < b]


def judged(pairs, n, dropped):
    """Alike pairs with a text that goes, alike pairs that both stay, and drops for which nothing alike stays."""
    goes = set(dropped)
    found = sum(a in goes or b in goes for a, b in pairs)
    near = {}
    for a, b in pairs:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    wrong = sum(all(other in goes for other in near.get(one, [])) for one in goes)
    return found, len(pairs) - found, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("path")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--text-dedup")
    parser.add_argument("--run", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.run:
        return one(asked.path, asked.run)
    texts = read(asked.path)
    pairs = alike_pairs(texts)
    names = [name for name in METHODS if not asked.only or any(word in name for word in asked.only)]
    runs = {name: [] for name in names}
    if asked.text_dedup:
        runs["text-dedup MinHash, 128"] = []
    for _ in range(asked.repeat):
        for name, done in runs.items():
            if name in METHODS:
                command = [sys.executable, __file__, asked.path, "--run", name]
                out, memory = measured(command)
                done.append({"memory": memory, **json.loads(out.splitlines()[-1])})
            else:
                done.append(text_dedup(asked.text_dedup, asked.path, texts))
    packages = ("simscope", "datasketch", "rensa", "gaoya")
    print(f"{len(texts):,} texts, {len(pairs):,} alike pairs;", *(f"{it} {importlib.metadata.version(it)}" for it in packages))
    print("| program | seconds | MB | dropped | alike pairs found | missed | wrong drops |\n|---|--:|--:|--:|--:|--:|--:|")
    for name, done in runs.items():
        seconds, memory = (statistics.median(run[it] for run in done) for it in ("seconds", "memory"))
        found, missed, wrong = judged(pairs, len(texts), done[0]["dropped"])
        cells = f"{seconds:.1f} | {memory:.0f} | {len(done[0]['dropped']):,} | {found:,} | {missed:,} | {wrong:,}"
        print(f"| {name} | {cells} |")


if __name__ == "__main__":
    main()
