"""The tables of Unicode that names hang on, read once: what letters look like, and the letters of each script."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files


@cache
def looks() -> Mapping[str, str]:
    """What each letter looks like, if not itself (UTS 39, the skeleton of a letter)."""
    return {
        chr(point): "".join(chr(int(one, 16)) for one in look.split())
        for look, like in _lines("confusables.txt")
        for point in _points(like)
    }


@cache
def scripts() -> Mapping[str, str]:
    """The script of each letter, mark and digit in common use (UTS 39, recommended)."""
    return {chr(point): script for script, letters in _lines("scripts.txt") for point in _points(letters)}


def _lines(name: str) -> Iterator[tuple[str, str]]:
    """The lines of a table, in two parts."""
    for line in (files(__package__) / name).read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            before, _, after = line.partition(": ")
            yield before, after


def _points(text: str) -> Iterator[int]:
    """The code points of hex runs: `61-7a aa`."""
    for run in text.split():
        first, _, last = run.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)
