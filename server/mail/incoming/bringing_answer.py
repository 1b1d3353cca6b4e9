"""Read the answer to an invitation that brings another army: a list with a seed, or the text of an army."""

import re
from typing import NamedTuple

_WORD = r"(?:bring|amener|am[eè]ne|apporte[r]?)"
_LIST = re.compile(rf"^{_WORD}\s+([a-z][a-z0-9_ -]{{0,60}}?)(?:\s+([0-9]{{1,12}}))?[.!]?$", re.I)
_TEXT = re.compile(rf"^{_WORD}\s*:?$", re.I)
_OF_A_TEXT = re.compile(r"^(?:[\[\]{}]|[\w-]+\s*=)")
"""Begins a line of an army's file; a greeting below it does not."""
MOST_LINES = 30
"""Lines in which the word is looked for."""


class Bringing(NamedTuple):
    """An army that an answer brings: the key of a list and a seed (-1 if none is given), or a text."""

    list: str = ""
    seed: int = -1
    text: str = ""


def army_in_answer(text: str) -> Bringing | None:
    """The army that a reply brings; None if it brings none."""
    lines = [line.strip() for line in text.strip().split("\n")]
    for at, line in enumerate(lines[:MOST_LINES]):
        if _TEXT.match(line):
            end = next((to for to in range(len(lines), at + 1, -1) if _OF_A_TEXT.match(lines[to - 1])), 0)
            return Bringing(text="\n".join(lines[at + 1 : end])) if end else None
        if found := _LIST.match(line):
            return Bringing(re.sub(r"[ -]+", "_", found[1].lower()), int(found[2]) if found[2] else -1)
    return None
