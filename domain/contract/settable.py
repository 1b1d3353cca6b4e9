"""What an umpire may set, and the lines that say so (docs/corrections.md): `set …`, in French `fixe …`.

A line is read into a `Setting` without any battle, and written back in canonical words. What every game has stands
here; a game reads and writes its own lines behind the word `set`, and says what they do (`CorrectionRules`).
"""

from collections.abc import Callable, Mapping
from typing import Any, Generic

import msgspec
from msgspec import Struct

from domain.basics.decoding import convert
from domain.basics.errors import BrokenInvariant, Refusal
from domain.basics.spelling import plain_word
from domain.engine.state import Evolution, GameState, S
from domain.events.battle import Corrected, DecisionWithdrawn, Event
from domain.mechanics.notation import Reader

RULE = "CORE-CORRECT"
SET = "set"
FACINGS = {"north": "N", "east": "E", "south": "S", "west": "W"}
"""Facings as they are written in full behind `facing`."""
FRENCH: Mapping[str, str] = {
    SET: "fixe",
    "turn": "tour",
    "ended": "fini",
    "decision": "décision",
    "withdrawn": "retirée",
    "removed": "retiré",
    "facing": "face",
    "north": "nord",
    "east": "est",
    "south": "sud",
    "west": "ouest",
}
"""English words of these lines, and the French ones."""


class Setting(Struct, frozen=True, gc=False):
    """What one line sets, not yet checked against a battle."""


class EndTurn(Setting, frozen=True, gc=False):
    """`set turn ended`: the turn that runs is over, the next begins."""


class WithdrawDecision(Setting, frozen=True, gc=False):
    """`set decision withdrawn`: the question that waits is not put any more, nor what was left to do behind it."""


SHARED: tuple[tuple[tuple[str, str], Setting], ...] = (
    (("turn", "ended"), EndTurn()),
    (("decision", "withdrawn"), WithdrawDecision()),
)
"""The words of what every game has."""


def begins_setting(line: str) -> bool:
    """Whether a line begins with `set`, in English or French."""
    first = plain_word(line.split(maxsplit=1)[0]) if line.strip() else ""
    return first in (SET, plain_word(FRENCH[SET]))


def read_setting(line: str, french: Mapping[str, str], read: Callable[[Reader], Setting]) -> Setting:
    """A line as what it sets; `french` are the game's own words, `read` reads its lines behind `set`.

    Raises: Refusal core.parse
    """
    words = {**FRENCH, **french}
    reader = Reader(line, {plain_word(word): english for english, word in words.items()})
    reader.need((SET,))
    setting = _shared(reader) or read(reader)
    reader.end()
    return setting


def _shared(reader: Reader) -> Setting | None:
    for (subject, what), setting in SHARED:
        if reader.take(subject):
            reader.need((what,))
            return setting
    return None


def write_setting(
    setting: Setting, french: Mapping[str, str], write: Callable[[Setting], list[str]], lang: str = "en"
) -> str:
    """The canonical line of a setting, in a language. Ids and boxes are in capitals, so that no word is one of them."""
    shared = next((list(words) for words, known in SHARED if known == setting), None)
    words = [SET, *(shared or write(setting))]
    if lang != "fr":
        return " ".join(words)
    told = {**FRENCH, **french}
    return " ".join(told.get(word, word) for word in words)


def read_count(reader: Reader) -> int:
    """A whole number, from 0 up."""
    number = reader.number()
    if number is None:
        raise reader.unreadable("a number")
    return number


def require_count(number: int, least: int, most: int) -> None:
    """Refuse a number that cannot be.

    Raises: Refusal core.correct-number
    """
    if not least <= number <= most:
        raise Refusal("core.correct-number", RULE, number=number, least=least, most=most)


def read_facing(reader: Reader) -> str:
    """A facing of a square grid, N E S W, as a letter or in full."""
    word = reader.need([*FACINGS, *(letter.lower() for letter in FACINGS.values())])
    return FACINGS.get(word, word.upper())


def facing_word(facing: str) -> str:
    """How `read_facing` is written."""
    return next(word for word, letter in FACINGS.items() if letter == facing)


# --- what a game says of them


def _nothing_to_set(*_: Any) -> Any:
    raise Refusal("core.not-correctable", RULE)


def _any_state(state: GameState) -> None:
    pass


class CorrectionRules(Struct, Generic[S], frozen=True, kw_only=True):
    """What an umpire may set (docs/corrections.md). By default nothing."""

    facts: frozenset[type[Event]] = frozenset()
    """The game's own events that may stand under a `Corrected`. They evolve like any others."""
    phases: frozenset[str] = frozenset()
    """The phases of the battle in which something may be set; play can go on from them whatever was set."""
    read: Callable[[Reader], Setting] = _nothing_to_set
    """What a line sets, read behind the word `set`. Raises: Refusal core.parse"""
    write: Callable[[Any], list[str]] = _nothing_to_set
    """The canonical English words of a setting behind `set`."""
    french: Mapping[str, str] = {}
    """The French words of these lines by the English ones, beside those that every game has."""
    decide: Callable[[S, Any], tuple[Event, ...]] = _nothing_to_set
    """The facts of a setting, from the state as everybody knows it. Raises: Refusal"""
    end_turn: Callable[[S], tuple[Event, ...]] = _nothing_to_set
    """What ends the turn that runs: correctable facts, if it takes any, then `TurnEnded` and `TurnBegan`.
    Raises: Refusal where the end of the turn would draw, or end the battle"""
    require: Callable[[S], None] = _any_state
    """The invariants that hold in every state between two orders, checked of what has been set.
    Raises: Refusal naming what does not hold"""


# --- what is set


def fact_of(rules: CorrectionRules[Any], name: str, members: Mapping[str, Any]) -> Event:
    """A fact as it stands under a `Corrected`.

    Raises: BrokenInvariant if it is not one that may be set, or not in its one shape
    """
    kinds: frozenset[type[Event]] = rules.facts | {DecisionWithdrawn}
    kind = next((kind for kind in kinds if kind.__name__ == name), None)
    if kind is None:
        raise BrokenInvariant(f"not correctable: {name[:80]!r}")
    try:
        fact: Event = convert(members, kind)
    except msgspec.ValidationError as reason:
        raise BrokenInvariant(f"{name}: {reason}") from None
    if _spelled(fact) != _spelled(members):
        raise BrokenInvariant(f"{name}: {sorted(members)}")
    return fact


def _spelled(plain: Any) -> bytes:
    return msgspec.json.encode(plain, order="sorted")


def with_corrections(evolutions: Mapping[type[Event], Evolution], rules: CorrectionRules[Any]) -> dict[Any, Evolution]:
    """Evolutions of single events, and with them that of a `Corrected`, whose facts evolve like any others."""

    def on_corrected(state: Any, event: Corrected) -> Any:
        for name, members in event.facts:
            fact = fact_of(rules, name, members)
            state = evolutions[type(fact)](state, fact)
        return state

    return {**evolutions, Corrected: on_corrected}
