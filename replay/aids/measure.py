"""Measure printed words, and break lines.

Measured with the metrics of the standard PDF fonts (metrics.toml), so that the same sheet breaks the
same lines everywhere, whatever fonts a machine has.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Literal

Face = Literal["regular", "bold", "title", "symbol"]

NO_BREAK = "\N{NO-BREAK SPACE}"
_FRENCH_BEFORE = re.compile(r" (?=[;:!?»%])")
_FRENCH_AFTER = re.compile(r"(?<=«) ")


class Unprintable(Exception):
    """A character that the fonts of the sheets lack."""


def width(words: str, size: float, face: Face = "regular") -> float:
    """The width of words in points.

    Raises:  Unprintable
    """
    return sum(_thousandths(face, letter) for letter in words) * size / 1000


def runs(words: str, face: Face) -> Iterator[tuple[Face, str]]:
    """Split the words where the face changes: suits and signs have a face of their own."""
    for is_symbol, letters in groupby(words, lambda letter: letter in _metrics()["symbol"]):
        yield "symbol" if is_symbol else face, "".join(letters)


def wrapped(words: str, room: float, size: float, face: Face = "regular") -> list[str]:
    """Break words into lines no wider than `room` points; a single word that is wider gets its own line."""
    lines: list[str] = []
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size, face) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def wrapped_after(lead: str, words: str, room: float, size: float) -> list[tuple[str, str]]:
    """Break bold words and those that follow them into lines; each is its bold part and the other."""
    lines: list[tuple[str, str]] = []
    for face, word in (*(("bold", one) for one in lead.split(" ")), *(("regular", one) for one in words.split(" "))):
        bold, plain = lines[-1] if lines else ("", "")
        longer = (f"{bold} {word}".strip(), plain) if face == "bold" else (bold, f"{plain} {word}".strip())
        if lines and width_after(*longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append((word, "") if face == "bold" else ("", word))
    return lines


def width_after(lead: str, words: str, size: float) -> float:
    """The width of bold words and those that follow them on a line."""
    return width(lead, size, "bold") + width(" " if lead and words else "", size) + width(words, size)


def widest_word(words: str, size: float, face: Face = "regular") -> float:
    """The width of the widest word, which no wrapping makes narrower."""
    return max(width(word, size, face) for word in words.split(" "))


def typeset(words: str, lang: str) -> str:
    """Make the spaces that must not end a line unbreakable."""
    words = words.replace(" / ", f" /{NO_BREAK}")
    if lang != "fr":
        return words
    return _FRENCH_AFTER.sub(NO_BREAK, _FRENCH_BEFORE.sub(NO_BREAK, words))


@cache
def _thousandths(face: Face, letter: str) -> int:
    metrics = _metrics()
    found = metrics[face].get(letter, metrics["symbol"].get(letter))
    if found is None:
        raise Unprintable(f"U+{ord(letter):04X} {letter}")
    return found


@cache
def _metrics() -> dict[str, dict[str, int]]:
    table = tomllib.loads(files("replay").joinpath("aids", "metrics.toml").read_text(encoding="utf-8"))
    return {
        face: {letter: int(units) for units, letters in widths.items() for letter in letters}
        for face, widths in table.items()
    }
