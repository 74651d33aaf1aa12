"""Near-duplicate texts by SimHash: fingerprints, pairs, groups, what can go, and why.

    >>> import simscope
    >>> texts = ["the tide came in at noon", "The tide came in, at noon!", "notes on crabs"]
    >>> fingerprints = simscope.fingerprints(texts)
    >>> simscope.pairs(fingerprints, k=3).tolist()
    [[0, 1, 0]]
    >>> simscope.dedup(texts).kept.tolist()
    [0, 2]

The answers are those of the program `simscope`, which this package puts on the path. A text is known by its position,
0 first. A recipe is a line such as ``"words:2 tf-idf bits=128"``: how a text becomes a fingerprint; parts that are left
out have their default (``simscope help recipe``).
"""

from __future__ import annotations

import html
import json
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from . import native

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Dedup", "Explanation", "Groups", "dedup", "explain", "fingerprints", "groups", "open", "pairs"]
__version__ = version("simscope")

# Groups that a notebook shows, positions of each, and characters of its first text.
_MOST_GROUPS, _MOST_POSITIONS, _MOST_CHARACTERS = 50, 12, 100


def fingerprints(texts: Iterable[str], recipe: str = "") -> np.ma.MaskedArray[Any, np.dtype[np.uint64]]:
    """The fingerprint of each text, on all cores.

    Returns a masked array of ``uint64``: shape (n,), or (n, 2) for recipes of more than 64 bits, the high bits in column
    0. A text without features (an empty one) has no fingerprint: its element is masked, and its ``.data`` is 0, so keep
    the mask. ``pyarrow.array(made.data, mask=made.mask)`` is an Arrow column, for more than 64 bits one for each of
    ``made.T``. The lock of the interpreter is free meanwhile. Costs one pass, some 100 MB a second and core; tf-idf two.

    Raises TypeError if an element is not a string, ValueError if it has a lone surrogate, or if the recipe is wrong or
    reads a file.
    """
    import numpy as np

    width, words, missing = native.fingerprints(_strings(texts), recipe or "")
    bits = np.frombuffer(bytearray(words), dtype=np.uint64)
    mask = np.frombuffer(bytearray(missing), dtype=np.bool_)
    if width > 64:
        bits, mask = bits.reshape(-1, 2), np.repeat(mask, 2).reshape(-1, 2)
    return np.ma.MaskedArray(bits, mask=mask)


def pairs(fingerprints: npt.ArrayLike, k: int = 3) -> npt.NDArray[np.uint32]:
    """Every pair of texts whose fingerprints differ in at most k bits, nearest first. Exact for any k.

    Takes what `fingerprints` returns, or any array of unsigned integers of shape (n,), or (n, 2) of ``uint64``, with at
    most 2**32 - 1 elements. Masked elements are in no pair.

    Returns an array of shape (m, 3): the two positions, the smaller first, and the distance in bits. A million
    fingerprints take well below a second at k = 3. m equal fingerprints are m (m - 1) / 2 pairs of 12 bytes; for texts
    with many copies use `groups`.

    Raises TypeError if these are no fingerprints, ValueError if k is not 0 to 128.
    """
    import numpy as np

    found = native.pairs(*_words(fingerprints), _bits(k))
    return np.frombuffer(bytearray(found), dtype=np.uint32).reshape(-1, 3)


class Groups(Sequence["npt.NDArray[np.intp]"]):
    """Groups of near-duplicates: a sequence of arrays of positions, each ascending. A notebook shows the first fifty as a
    table. ``numbers`` has for each text the number of its group, or -1 if it is near no other: shape (n,)."""

    numbers: npt.NDArray[np.int64]

    def __init__(self, numbers: npt.NDArray[np.int64], texts: Sequence[str] | None = None) -> None:
        import numpy as np

        self.numbers = numbers
        self._texts = texts
        order = np.argsort(numbers, kind="stable")
        order = order[np.searchsorted(numbers[order], 0) :]
        starts = np.flatnonzero(np.diff(numbers[order])) + 1
        self._members = np.split(order, starts) if len(order) else []

    def __len__(self) -> int:
        return len(self._members)

    @overload
    def __getitem__(self, index: int) -> npt.NDArray[np.intp]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[npt.NDArray[np.intp]]: ...
    def __getitem__(self, index: int | slice) -> npt.NDArray[np.intp] | Sequence[npt.NDArray[np.intp]]:
        return self._members[index]

    def __repr__(self) -> str:
        return f"<simscope.Groups: {self._said()}>"

    def _said(self) -> str:
        n = sum(len(members) for members in self._members)
        return f"{n:,} of {len(self.numbers):,} texts in {len(self):,} groups"

    def _rows(self) -> Iterator[tuple[str, ...]]:
        for number, members in enumerate(self._members[:_MOST_GROUPS]):
            shown = ", ".join(str(position) for position in members[:_MOST_POSITIONS])
            more = ", .." if len(members) > _MOST_POSITIONS else ""
            row: tuple[str, ...] = (str(number), str(len(members)), shown + more)
            if self._texts is not None:
                row += (" ".join(self._texts[members[0]][: 2 * _MOST_CHARACTERS].split())[:_MOST_CHARACTERS],)
            yield row

    def _repr_html_(self) -> str:
        names = ("group", "texts", "positions") + (("first text",) if self._texts is not None else ())
        head = "".join(f"<th>{name}</th>" for name in names)
        cells = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in self._rows())
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        hidden = len(self) - _MOST_GROUPS
        more = f", {hidden:,} of them not shown" if hidden > 0 else ""
        return f"<table><caption>{self._said()}{more}</caption><tr>{head}</tr>{body}</table>"


def groups(fingerprints: npt.ArrayLike, k: int = 3, texts: Iterable[str] | None = None) -> Groups:
    """Groups of near-duplicates: a chain of pairs within k bits leads from each member to every other.

    Takes fingerprints as `pairs` does. With ``texts`` the table of a notebook shows the first text of each group. The
    groups are in the order of their first members. Memory does not grow with the number of pairs.

    Raises TypeError if these are no fingerprints, ValueError if k is not 0 to 128.
    """
    import numpy as np

    numbers = np.frombuffer(bytearray(native.groups(*_words(fingerprints), _bits(k))), dtype=np.int64)
    listed = None if texts is None else _strings(texts)
    if listed is not None and len(listed) != len(numbers):
        raise ValueError(f"{len(numbers)} fingerprints and {len(listed)} texts; give one text for each")
    return Groups(numbers, listed)


class Dedup(NamedTuple):
    """What stays and what goes: ``kept`` and ``dropped`` are positions, ascending, together all texts.

    ``reasons`` has a dictionary for each dropped text, in the same order: ``kept``, the position of the text that stays
    for it; ``distance`` in bits; ``cosine`` of their features under the recipe; ``reason``: "equal text" (white space and
    case aside, as the recipe normalises them), "equal fingerprint" or "near"; ``shared``, the share of its shingles that
    the kept one has, 0 to 1. Figures have four digits; None stands for what is not known.
    """

    kept: npt.NDArray[np.int64]
    dropped: npt.NDArray[np.int64]
    reasons: list[dict[str, Any]]


# What `dedup` takes of the program's options: those that choose among texts, and those of a recipe.
_DEDUP_OPTIONS = frozenset(
    "keep linkage min_shared alike features weights stop_words hash seed bits tie norm case split stem "
    "short_texts min_df max_df ignore frequencies preset".split()
)


def dedup(
    texts: Iterable[str],
    recipe: str = "",
    k: int | None = None,
    *,
    similarity: float | None = None,
    **options: Any,
) -> Dedup:
    """Decide which near-duplicates can go, as ``simscope dedup`` does: the first text of each group stays, and a text goes
    only for one that has half of its shingles.

    ``k`` is the threshold in bits, 3 by default. ``similarity`` (above 0, at most 1) takes its place: it chooses k, and a
    text goes only for one whose set of 3-word shingles has at least this cosine with its own. Options of the program that
    choose among texts or make a recipe are given by their names, with ``_`` for ``-``: ``keep="longest"``,
    ``min_shared=0.8``, ``linkage="complete"``. The texts are written to a temporary file, which the program reads. Equal
    texts without a letter or digit go, too, but of empty ones all stay.

    Raises TypeError if an element is not a string or there is no such option, ValueError with the program's message if it
    refuses a value. What it warns of (a text above the size limit) is a Python warning.
    """
    import numpy as np

    listed = _strings(texts)
    unknown = sorted(options.keys() - _DEDUP_OPTIONS)
    if unknown:
        known = ", ".join(sorted(_DEDUP_OPTIONS))
        raise TypeError(f"dedup has no option {unknown[0]!r}; it has k, recipe, similarity, {known}")
    if options.get("preset") == "list":
        raise ValueError("preset: `simscope fingerprint --preset list` prints their names")
    if not listed:
        return Dedup(np.empty(0, np.int64), np.empty(0, np.int64), [])
    options = {"recipe": recipe or None, "distance": k, "similarity": similarity, **options}
    with tempfile.TemporaryDirectory(prefix="simscope-") as folder:
        path = Path(folder, "texts.jsonl")
        _write(path, ({"id": str(position), "text": text} for position, text in enumerate(listed)))
        arguments = ["dedup", "--quiet", "--format", "jsonl", *_flags(options), str(path)]
        done = subprocess.run([*_PROGRAM, *arguments], capture_output=True, text=True, encoding="utf-8")
    told = done.stderr.replace(str(path), "texts").strip()
    if done.returncode > 1:
        # The paragraphs behind the first are for a command line.
        raise ValueError(told.removeprefix("error: ").partition("\n\n")[0])
    if told:
        warnings.warn(told, stacklevel=2)
    rows = sorted((json.loads(line) for line in done.stdout.splitlines()), key=lambda row: int(row["id"]))
    dropped = np.array([int(row["id"]) for row in rows], dtype=np.int64)
    names = ("distance", "cosine", "reason", "shared")
    reasons = [{"kept": int(row["kept"]), **{name: row[name] for name in names}} for row in rows]
    is_kept = np.ones(len(listed), dtype=np.bool_)
    is_kept[dropped] = False
    return Dedup(np.flatnonzero(is_kept), dropped, reasons)


class Explanation(NamedTuple):
    """Why two texts are near or far.

    ``fingerprints`` are hex digits, None for a text without features; ``distance`` is the number of bits in which they
    differ; ``cosine`` is the exact cosine of their features, 0 to 1, which the distance estimates. ``shared`` lists the
    shingles of both texts, the most telling first, each as (shingle, weight in the first, weight in the second);
    ``only_a`` and ``only_b`` those of one text, the heaviest first, as (shingle, weight).
    """

    fingerprints: tuple[str | None, str | None]
    distance: int | None
    cosine: float | None
    shared: list[tuple[str, float, float]]
    only_a: list[tuple[str, float]]
    only_b: list[tuple[str, float]]


def explain(a: str, b: str, recipe: str = "") -> Explanation:
    """Explain a pair of texts: their distance, their exact cosine, the shingles they share, and those they do not.

    Under tf-idf the documents that are counted are these two.

    Raises TypeError if one is not a string, ValueError if the recipe is wrong or reads a file.
    """
    hex_a, hex_b, distance, cosine, shared, only_a, only_b = native.explain(a, b, recipe or "")
    return Explanation((hex_a, hex_b), distance, cosine, shared, only_a, only_b)


def open(table: Any, **options: Any) -> int:
    """Open the explorer on texts: a path, a data frame of pandas, polars or Arrow, or an iterable of strings or rows.

    A frame's text stands in its column "text"; ``text_field="abstract"`` names another one. Other options of the program
    are given by their names, with ``_`` for ``-``: ``k=5``, ``recipe="words:2"``. Returns the exit code when the user
    quits: 0, or 2 if the program could not open them, and then it has said why.

    Raises RuntimeError without a terminal, as in a notebook: write the texts to a file there, and run ``simscope FILE``
    in a terminal.
    """
    if not ({"print", "plain"} & options.keys() or sys.stdin.isatty() and sys.stdout.isatty()):
        raise RuntimeError("the explorer needs a terminal: write the texts to a file and run `simscope FILE` in one")
    if "k" in options:
        options["distance"] = options.pop("k")
    if isinstance(table, (str, Path)):
        return subprocess.call([*_PROGRAM, *_flags(options), str(table)])
    with tempfile.TemporaryDirectory(prefix="simscope-") as folder:
        path = Path(folder, "texts.jsonl")
        is_table = hasattr(table, "columns")
        if is_table and hasattr(table, "write_ndjson"):
            table.write_ndjson(path)
        elif is_table and hasattr(table, "to_json"):
            table.to_json(path, orient="records", lines=True)
        elif isinstance(table, Mapping):
            raise TypeError("a list of rows is needed, not one dictionary")
        else:
            rows = table.to_pylist() if hasattr(table, "to_pylist") else table
            _write(path, ({"text": row} if isinstance(row, str) else row for row in rows))
        return subprocess.call([*_PROGRAM, *_flags(options), str(path)])


# The program of this package, whichever is on the path.
_PROGRAM = (sys.executable, "-m", "simscope")


def _strings(texts: Iterable[str]) -> list[str]:
    """The texts as a list; an error names the first that is none."""
    if isinstance(texts, str):
        raise TypeError("a list of texts is needed, not one string")
    if isinstance(texts, Mapping) or hasattr(texts, "columns"):
        raise TypeError("a list or column of texts is needed, not a table: frame['text']")
    listed = texts.to_pylist() if hasattr(texts, "to_pylist") else list(texts)
    for position, text in enumerate(listed):
        if not isinstance(text, str):
            raise TypeError(f"text {position} is {text!r}, not a string; leave it out or put '' in its place")
        if not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError as error:
                raise ValueError(
                    f"text {position} has half of a character at {error.start}, a lone surrogate; take "
                    "text.encode('utf-8', 'replace').decode()"
                ) from None
    return listed


def _bits(k: int) -> int:
    """A threshold in bits."""
    if not 0 <= k <= 128:
        raise ValueError(f"k is a number of bits from 0 to 128, not {k!r}")
    return int(k)


def _words(fingerprints: npt.ArrayLike) -> tuple[bytes, bytes, int]:
    """The words of fingerprints, which of them are missing, and their width in bits."""
    import numpy as np

    array: np.ma.MaskedArray[Any, Any] = np.ma.asarray(fingerprints)
    if array.size == 0:
        return b"", b"", 64
    if array.dtype.kind != "u" or array.ndim not in (1, 2) or array.shape[1:] not in ((), (2,)):
        raise TypeError(
            f"fingerprints are unsigned integers of shape (n,) or (n, 2), not {array.dtype} of shape {array.shape}; "
            "int64 becomes uint64 by .view('uint64')"
        )
    missing = np.ma.getmaskarray(array).reshape(len(array), -1).any(axis=1)
    width = 128 if array.ndim == 2 else 8 * array.dtype.itemsize
    return array.data.astype(np.uint64).tobytes(), missing.tobytes(), width


def _flags(options: dict[str, Any]) -> Iterator[str]:
    """The options of the program: True is a flag alone, None and False leave it out."""
    for name, value in options.items():
        if value is True and name not in ("print", "plain", "follow_links", "no_quotes"):
            raise TypeError(f"{name} needs a value, not True")
        if value is not None and value is not False:
            flag = "--" + name.replace("_", "-")
            yield flag if value is True else f"{flag}={value}"


def _write(path: Path, rows: Iterable[Any]) -> None:
    """Write rows of JSON, one a line."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, default=str) + "\n" for row in rows)
