"""Tell a line that looks like an order from prose, and name the order that was probably meant.

What looks like an order and cannot be read is a slip of the pen: its writer must be asked. Prose is left out. Both are
judged by the words of the game's own help, in every language, and by the names of the battle; so no word of a game
stands here.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.basics.spelling import plain_word
from domain.contract.ruleset import Ruleset
from domain.contract.script_words import PHRASES, words_of
from domain.scripts.tidying import FILLERS, stripped

LANGUAGES = ("en", "fr")
LONGEST_ORDER = 7
"""Words beyond which a line that begins with a name must go on like an order to look like one."""
LEAST_FUZZY = 4
"""Letters of a word in which one slip is forgiven."""
NEAR = 0.72
"""How much like a legal order a line must be for it to be suggested."""
NEAR_WORD = 0.75
"""How much like a word of the game an unknown word must be for that to be named."""
HEADS = frozenset({"if", "else", "else-if", "end-if", "try", "repeat", "stop", "on"})
"""The words that begin lines of scripts."""
SCRIPT_WORDS = frozenset(
    word for phrase, meaning in PHRASES.items() for word in (*phrase.split(), *meaning.split("-")) if len(word) > 3
)

_NAME = re.compile(r"[a-z]{1,2}-?\d{1,2}[a-z]?", re.I)
_JOINED = re.compile(r"[a-z]{1,2}\d{1,2}", re.I)
_CAPITALS = re.compile(r"[A-Z][A-Z0-9-]*")
_NUMBER = re.compile(r"\d{1,2}|[IVX]{1,4}")


class Vocabulary(Struct, frozen=True):
    """The words of a game's orders, plain: those that begin one, and all of them. `joined`: whole orders of plain words
    without their spaces."""

    first: frozenset[str]
    all: frozenset[str]
    joined: frozenset[str]


def vocabulary(ruleset: Ruleset) -> Vocabulary:
    """The words in the examples of a game's help."""
    return _of(tuple(_examples(ruleset)))


def _examples(ruleset: Ruleset) -> Iterable[str]:
    for chapter in ruleset.shown.help(LANGUAGES[0]):
        for form in chapter.forms:
            try:
                command = ruleset.orders.parse(form.example)
            except Refusal:
                continue
            yield from (ruleset.orders.write(command, lang) for lang in LANGUAGES)


@lru_cache(32)
def _of(examples: tuple[str, ...]) -> Vocabulary:
    first, every, joined = set[str](), set[str](), set[str]()
    for example in examples:
        words = example.split()
        plain = [plain_word(word) for word in words if not word.isupper() and word[0].isalpha()]
        every.update(plain)
        if not words[0].isupper():
            first.add(plain_word(words[0]))
        if len(plain) == len(words):
            joined.add("".join(plain))
    return Vocabulary(frozenset(first), frozenset(every), frozenset(joined))


def names_in(orders: Iterable[str]) -> frozenset[str]:
    """The names in orders in canonical notation: of units, of leaders, of places."""
    return frozenset(word for order in orders for word in order.split() if _CAPITALS.fullmatch(word))


def looks_like_order(line: str, words_known: Vocabulary, names: Collection[str]) -> bool:
    """Whether a line that is not an order looks as if it was meant as one."""
    words = [word for word in re.split(r"[\s,:]+", stripped(line)) if plain_word(word) not in FILLERS and word]
    if not words:
        return False
    words = words[: 2 * LONGEST_ORDER + 1]
    named = [_is_name(word, names) for word in words]
    known = [_is_near(word, words_known.all) for word in words]
    if named[0]:
        return len(words) <= LONGEST_ORDER or known[1]
    if _heads_script(line, any(named) or ":" in line, words, words_known):
        return True
    if _is_near(words[0], words_known.first):
        rest = list(zip(words, named, known, strict=True))[1:]
        goes_on = any(is_named or is_known or _NUMBER.fullmatch(word) for word, is_named, is_known in rest)
        return goes_on if rest else True
    if len(words) == 2 and known[1] and any(_is_exchanged(plain_word(words[0]), word) for word in words_known.first):
        return True
    if len(words) == 1 and plain_word(words[0]) in words_known.joined:
        return True
    joined = _JOINED.match(words[0])
    if joined and _is_near(words[0][joined.end() :], words_known.all):
        return True
    return named[1:2] == [True] and known[2:3] == [True] and len(words) <= 2 * LONGEST_ORDER


def _heads_script(line: str, has_name: bool, words: Sequence[str], words_known: Vocabulary) -> bool:
    read = words_of(stripped(line).partition(":")[0])
    if not read or read[0].key not in HEADS:
        return False
    is_scripted = any(_is_near(word, SCRIPT_WORDS | words_known.all) for word in words[1:])
    return len(words) == 1 or (has_name and is_scripted) or all(_is_near(word, words_known.all) for word in words[1:])


def _is_name(word: str, names: Collection[str]) -> bool:
    return bool(_NAME.fullmatch(word)) or word.upper() in names


def _is_near(word: str, known: Collection[str]) -> bool:
    """Whether a word is one of those known, or one with two letters exchanged, or one letter more, less or wrong."""
    plain = plain_word(word.strip(".,;:!?"))
    if plain in known:
        return True
    return len(plain) >= LEAST_FUZZY and any(other[:1] == plain[0] and one_slip(plain, other) for other in known)


def one_slip(one: str, other: str) -> bool:
    """Whether a word is another of four letters or more with one slip: two letters exchanged, or one more, less or
    wrong."""
    if abs(len(one) - len(other)) > 1 or len(other) < LEAST_FUZZY:
        return False
    if len(one) == len(other):
        wrong = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        return _is_exchanged(one, other) or (len(wrong) == 1 and len(one) > LEAST_FUZZY)
    short, long = sorted((one, other), key=len)
    return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))


def _is_exchanged(one: str, other: str) -> bool:
    """Whether two letters of a word have changed places."""
    wrong = sum(a != b for a, b in zip(one, other, strict=False))
    return wrong == 2 and Counter(one) == Counter(other)


def meant(line: str, legal: Sequence[str]) -> str:
    """The legal order that a line was probably meant to be, "" if none is near enough, or two are equally near."""
    said = " ".join(stripped(line).casefold().split())
    folded = {order.casefold(): order for order in legal}
    found = get_close_matches(said, folded, n=2, cutoff=NEAR)
    if len(found) > 1 and _likeness(said, found[0]) == _likeness(said, found[1]):
        return ""
    return folded[found[0]] if found else ""


def near_word(said: str, expected: Collection[str], known: Collection[str]) -> str:
    """The word that a word is probably a slip of: one of those that may stand at its place, else one of the game's;
    "" if none is near, or the word is itself one of the game's."""
    plain = plain_word(said)
    if len(plain) < LEAST_FUZZY or plain in known:
        return ""
    for words in (expected, known):
        candidates = sorted(word for word in words if len(word) >= LEAST_FUZZY and " " not in word)
        slips = [word for word in candidates if one_slip(plain, plain_word(word))]
        found = slips or get_close_matches(plain, candidates, n=1, cutoff=NEAR_WORD)
        if found:
            return found[0]
    return ""


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()
