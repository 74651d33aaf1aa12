"""The native half: texts and bytes in, bytes out."""

from collections.abc import Sequence

def run(arguments: Sequence[str]) -> int: ...
def fingerprints(texts: Sequence[str], recipe: str) -> tuple[int, bytes, bytes]: ...
def pairs(words: bytes, missing: bytes, width: int, k: int) -> bytes: ...
def groups(words: bytes, missing: bytes, width: int, k: int) -> bytes: ...
def explain(
    a: str, b: str, recipe: str
) -> tuple[
    str | None,
    str | None,
    int | None,
    float | None,
    list[tuple[str, float, float]],
    list[tuple[str, float]],
    list[tuple[str, float]],
]: ...
