"""The words of script lines, in English and French.

Script words are case-insensitive, their accents optional. Words that belong to the game (orders, ids) keep their
original letters, because the game reads them itself.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from domain.basics.spelling import plain_word

_TOKEN = re.compile(r"<=|>=|[<>=≤≥]|[^\s<>=≤≥]+")


class Word(NamedTuple):
    """A word of a script: `key` in plain English, `raw` as written. Several words with one meaning (`plus de`) become
    one `Word`."""

    key: str
    raw: str


PHRASES = {
    "or more": "or-more",
    "or higher": "or-more",
    "or less": "or-less",
    "or fewer": "or-less",
    "or lower": "or-less",
    "at most": "at-most",
    "at least": "at-least",
    "more than": "more-than",
    "less than": "less-than",
    "fewer than": "less-than",
    "it fails": "it-fails",
    "end if": "end-if",
    "endif": "end-if",
    "else if": "else-if",
    "elif": "else-if",
    **dict.fromkeys(("last draw", "last card", "last die", "last roll"), "last-draw"),
    **dict.fromkeys(("the last draw", "the last card", "the last die", "the last roll"), "last-draw"),
    "failed": "fails",
    "passed": "passes",
    "was": "is",
    "are": "is",
    # French
    "ou plus": "or-more",
    "ou moins": "or-less",
    "au plus": "at-most",
    "d'au plus": "at-most",
    "au moins": "at-least",
    "d'au moins": "at-least",
    "plus de": "more-than",
    "de plus de": "more-than",
    "plus que": "more-than",
    "moins de": "less-than",
    "de moins de": "less-than",
    "moins que": "less-than",
    "au-dessus de": "above",
    "en dessous de": "below",
    "au-dessous de": "below",
    "échec": "it-fails",
    "il échoue": "it-fails",
    "elle échoue": "it-fails",
    "ça échoue": "it-fails",
    "qu'il échoue": "it-fails",
    "qu'elle échoue": "it-fails",
    "échoue": "fails",
    "réussit": "passes",
    "refusé": "refused",
    "refusée": "refused",
    **dict.fromkeys(("dernier tirage", "dernière carte", "dernier dé", "dernier jet"), "last-draw"),
    **dict.fromkeys(("le dernier tirage", "la dernière carte", "le dernier dé", "le dernier jet"), "last-draw"),
    "besoin": "needs",
    "a besoin": "needs",
    "il": "it",
    "elle": "it",
    "ça": "it",
    "s'il": "if it",
    "s'il échoue": "if it-fails",
    "et": "and",
    "ou": "or",
    "sauf": "unless",
    "non": "not",
    "pas": "not",
    "est": "is",
    "n'est": "is",
    "en": "at",
    "vide": "empty",
    "si": "if",
    "sinon": "else",
    "sinon si": "else-if",
    "fin si": "end-if",
    "jusqu'à": "until",
    "jusqu'à ce que": "until",
    "jusqu'à ce": "until",
    "essaie": "try",
    "essaye": "try",
    "répète": "repeat",
    "arrête": "stop",
    "après": "after",
    "pour": "on",
    "fois": "times",
    "un": "a",
    "une": "a",
    "an": "a",
    "aperçu": "preview",
    "sud": "south",
    "nord": "north",
}
"""Phrases and the words they stand for; the longest match wins."""


Phrase = tuple[tuple[str, ...], tuple[str, ...]]
"""The words of a phrase, and the keys that it stands for."""


@cache
def _phrases() -> dict[str, tuple[Phrase, ...]]:
    """The phrases by their first word, the longest first."""
    phrases = [(tuple(map(plain_word, phrase.split())), tuple(keys.split())) for phrase, keys in PHRASES.items()]
    found: dict[str, tuple[Phrase, ...]] = {}
    for phrase in sorted(phrases, key=lambda phrase: -len(phrase[0])):
        found[phrase[0][0]] = (*found.get(phrase[0][0], ()), phrase)
    return found


def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text."""
    raws = _TOKEN.findall(text.replace("’", "'"))
    plain = [plain_word(raw) for raw in raws]
    found: list[Word] = []
    at = 0
    while at < len(raws):
        if plain[at] not in _phrases():  # most words
            found.append(Word(plain[at], raws[at]))
            at += 1
            continue
        length, keys = _longest(plain, at)
        found += (Word(key, "" if place else " ".join(raws[at : at + length])) for place, key in enumerate(keys))
        at += length
    return tuple(found)


def _longest(plain: Sequence[str], at: int) -> tuple[int, tuple[str, ...]]:
    for phrase, keys in _phrases()[plain[at]]:
        if tuple(plain[at : at + len(phrase)]) == phrase:
            return len(phrase), keys
    return 1, (plain[at],)


def raw_text(words: Sequence[Word]) -> str:
    """The original text, with single spaces."""
    return " ".join(word.raw for word in words if word.raw)
