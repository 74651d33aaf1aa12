"""The package answers as the program does, and as comparing everything does."""

import doctest
import json
import multiprocessing
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import simscope

HERE = Path(__file__).parent
SAMPLE = HERE / "../../sample.jsonl"
ROWS = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
TEXTS = [row["text"] for row in ROWS]
POSITIONS = {row["id"]: position for position, row in enumerate(ROWS)}


def program(*arguments, **options):
    """What the program on the path writes, row by row."""
    command = [str(Path(sys.executable).with_name("simscope")), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True, **options)
    return done.stdout


def rows(*arguments):
    return [json.loads(line) for line in program(*arguments, "-q", "-f", "jsonl", str(SAMPLE)).splitlines()]


def distance(a, b):
    return (int(a) ^ int(b)).bit_count()


@pytest.mark.parametrize("recipe", ["", "words:1 tf-idf", "chars:4 bits=32", "bits=128", "bits=65"])
def test_fingerprints_are_those_of_the_program(recipe):
    made = simscope.fingerprints(TEXTS, recipe)
    flags = [f"--recipe={recipe}"] if recipe else []
    for row, words, mask in zip(rows("fingerprint", *flags), made.data, made.mask, strict=True):
        hexes = None if np.any(mask) else "".join(f"{word:016x}" for word in np.atleast_1d(words))
        assert row["fingerprint"] == (hexes and hexes[-len(row["fingerprint"]) :])
    assert made.dtype == np.uint64
    assert made.shape == ((100, 2) if "65" in recipe or "128" in recipe else (100,))


def test_pairs_are_all_pairs_and_those_of_the_program():
    made = simscope.fingerprints(TEXTS)
    found = simscope.pairs(made, k=9)
    assert found.dtype == np.uint32 and (np.diff(found[:, 2].astype(int)) >= 0).all()
    slow = {
        (a, b, distance(made[a], made[b]))
        for a in range(100)
        for b in range(a + 1, 100)
        if not made.mask[a] and not made.mask[b] and distance(made[a], made[b]) <= 9
    }
    assert set(map(tuple, found.tolist())) == slow
    told = {(*sorted([POSITIONS[row["a"]], POSITIONS[row["b"]]]), row["distance"]) for row in rows("pairs", "-k9")}
    assert told == slow


def test_any_unsigned_array_is_searched():
    plain = np.array([0, 3, 255], dtype=np.uint8)
    assert simscope.pairs(plain, k=2).tolist() == [[0, 1, 2]]
    assert simscope.pairs(np.array([[0, 0], [1, 1]], dtype=np.uint64), k=2).tolist() == [[0, 1, 2]]
    assert simscope.pairs(np.empty(0, np.uint64)).shape == (0, 3)
    for wrong in (np.array([1.0]), np.array([1]), np.zeros((2, 3), np.uint64)):
        with pytest.raises(TypeError, match="unsigned integers"):
            simscope.pairs(wrong)


def test_groups_are_those_of_the_program_and_a_table():
    found = simscope.groups(simscope.fingerprints(TEXTS), 3, texts=TEXTS)
    told = {}
    for row in rows("groups", "-k3"):
        told.setdefault(row["group"], set()).add(POSITIONS[row["id"]])
    assert sorted(map(sorted, told.values())) == sorted(map(list, found))
    for number, members in enumerate(found):
        assert (found.numbers[members] == number).all()
    assert (found.numbers >= 0).sum() == sum(map(len, found))
    table = found._repr_html_()
    assert table.count("<tr>") == len(found) + 1 and "first text" in table
    hostile = simscope.groups(np.zeros(2, np.uint64), 0, texts=["<script>", "<script>"])
    assert "<script>" not in hostile._repr_html_()
    assert len(simscope.groups(np.empty(0, np.uint64))) == 0


@pytest.mark.parametrize(
    "options", [{}, {"k": 6}, {"similarity": 0.8}, {"keep": "longest", "min_shared": 0.8}, {"recipe": "chars:5"}]
)
def test_dedup_decides_as_the_program(options):
    flags = [f"--{'distance' if name == 'k' else name.replace('_', '-')}={it}" for name, it in options.items()]
    told = {POSITIONS[row["id"]]: row for row in rows("dedup", *flags)}
    kept, dropped, reasons = simscope.dedup(TEXTS, **options)
    assert dropped.tolist() == sorted(told)
    assert kept.tolist() == sorted(set(range(100)) - set(told))
    for position, reason in zip(dropped.tolist(), reasons, strict=True):
        assert reason["kept"] == POSITIONS[told[position]["kept"]]
        for name in ("distance", "cosine", "reason", "shared"):
            assert reason[name] == told[position][name]


def test_explain_names_what_differs():
    why = simscope.explain("the tide came in at noon", "the tide came in at dawn")
    assert why.cosine == 0.75
    assert [shingle for shingle, _ in why.only_b] == ["in at dawn"]
    assert [shingle for shingle, _, _ in why.shared] == ["the tide came", "tide came in", "came in at"]
    assert why.distance == distance(*(int(it, 16) for it in why.fingerprints))
    assert simscope.explain("", "a").distance is None


def test_errors_name_the_problem():
    with pytest.raises(TypeError, match="text 1 is None"):
        simscope.fingerprints(["a", None])
    with pytest.raises(TypeError, match="not one string"):
        simscope.dedup("a text")
    with pytest.raises(ValueError, match="(?i)wrods"):
        simscope.fingerprints(["a"], "wrods:3")
    with pytest.raises(ValueError, match="keep"):
        simscope.dedup(["a b c", "a b c"], keep="nonsense")
    with pytest.raises(TypeError, match="no option 'output'; it has .*keep"):
        simscope.dedup(["a b c"], output="rows.jsonl")
    with pytest.raises(TypeError, match="min_shared needs a value"):
        simscope.dedup(["a b c"], min_shared=True)
    with pytest.raises(ValueError) as refused:
        simscope.dedup(["a b c"], linkage="nonsense")
    assert "Usage" not in str(refused.value)
    with pytest.raises(ValueError, match="text 1 has half of a character at 2"):
        simscope.fingerprints(["a", "a \ud800"])
    for table in ({"text": TEXTS}, type("Frame", (list,), {"columns": ["text"]})()):
        with pytest.raises(TypeError, match="not a table"):
            simscope.dedup(table)
    for k in (-1, 129, 1 << 40):
        with pytest.raises(ValueError, match="from 0 to 128"):
            simscope.pairs(np.zeros(2, np.uint64), k)
    with pytest.raises(RuntimeError, match="needs a terminal"):
        simscope.open(TEXTS)


def test_frames_and_columns_are_read():
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"text": TEXTS})
    table = pyarrow.table({"text": TEXTS})
    expected = simscope.dedup(TEXTS).kept.tolist()
    assert simscope.dedup(frame["text"]).kept.tolist() == expected
    assert simscope.dedup(table["text"]).kept.tolist() == expected
    column = simscope.fingerprints(["", *TEXTS[:3]])
    assert pyarrow.array(column.data, mask=column.mask).null_count == 1


@pytest.mark.parametrize("kind", ["list", "pandas", "arrow"])
def test_the_explorer_opens_on_them(kind, capfd):
    table = [{"id": f"n{at}", "words": text} for at, text in enumerate(TEXTS)]
    if kind != "list":
        module = pytest.importorskip("pandas" if kind == "pandas" else "pyarrow")
        table = module.DataFrame(table) if kind == "pandas" else module.Table.from_pylist(table)
    assert simscope.open(table, text_field="words", print=True, keys="<tab>", k=5) == 0
    screen = capfd.readouterr().out
    assert "simscope" in screen and "n3" in screen


def of_some(part):
    return simscope.fingerprints(TEXTS[part:]).tolist()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork")
def test_a_forked_process_has_threads_of_its_own():
    simscope.fingerprints(TEXTS * 20)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(of_some, range(4)).get(60) == [of_some(part) for part in range(4)]


def test_other_threads_run_meanwhile():
    texts, seen = [text * 40 for text in TEXTS] * 40, []
    ended = threading.Event()

    def count():
        while not ended.wait(0.001):
            seen.append(None)

    counter = threading.Thread(target=count)
    counter.start()
    simscope.fingerprints(texts)
    ended.set()
    counter.join()
    assert len(seen) > 3


def test_the_page_runs_as_it_stands():
    page = (HERE / "../README.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert "1 groups" in done.stdout and "'kept': 0" in done.stdout and "the great storm" in done.stdout


def test_the_examples_of_the_documentation_run():
    assert doctest.testmod(simscope) == (0, 5)


def test_the_program_is_on_the_path():
    assert program("--version") == f"simscope {simscope.__version__}\n"
    interrupted = subprocess.Popen([sys.executable, "-m", "simscope", "pairs", "-"], stdin=subprocess.PIPE)
    interrupted.stdin.write(b"a text\n")
    interrupted.stdin.flush()
    with pytest.raises(subprocess.TimeoutExpired):
        interrupted.wait(1)
    if os.name == "posix":
        interrupted.send_signal(2)
        assert interrupted.wait(10) != 0
    interrupted.kill()
