"""What scripts may ask of Singidunum: how a fight went, and how units stand.

An order fails if its combat was refused or lost, or its shot missed.
"""

import re
from collections.abc import Sequence

from domain.contract.senses import FAILS, MISSES, PASSES, Outcome, Senses
from domain.engine.judge import off_board, unknown_id
from domain.events.battle import Event
from domain.games.singidunum.chapters.combat import CombatResolved
from domain.games.singidunum.chapters.reaction import CombatRefused
from domain.games.singidunum.chapters.shooting import MISS, ShotResolved
from domain.games.singidunum.state.state import State
from domain.mechanics import hex as hexes

HITS = "hits"
_ID = re.compile(r"[A-Z][A-Z0-9-]*")
STANDINGS = ("activated", "available", "eliminated", "fled")


def outcome(side: str, events: Sequence[Event]) -> Outcome:
    """How an order of a side has gone so far."""
    results, card = {PASSES}, 0
    for event in events:
        if isinstance(event, CombatRefused):
            results = {FAILS}
        elif isinstance(event, CombatResolved):
            results, card = {PASSES if event.winner == side else FAILS}, event.attack_die
        elif isinstance(event, ShotResolved):
            missed = event.outcome == MISS
            results, card = {FAILS, MISSES} if missed else {PASSES, HITS}, event.attack_die
    return Outcome(frozenset(results), card)


def read_test(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Parse a test of the game's own: `SHI7 is activated`, `SHI7 at E4`, `E4 is empty`."""
    if not words or not _ID.fullmatch(words[0].upper()):
        return None
    name, rest = words[0].upper(), tuple(word for word in words[1:] if word != "is")
    if rest[:1] == ("at",) and " ".join(rest[1:]).upper() in hexes.XY:
        return "at", name, rest[1].upper()
    if rest == ("empty",) and name in hexes.XY:
        return "empty", name
    return (rest[0], name) if len(rest) == 1 and rest[0] in STANDINGS else None


def holds(known: State, side: str, test: tuple[str, ...]) -> bool:
    """Whether a test is true, as far as the side knows.

    Raises: Refusal core.unknown-id, core.off-board
    """
    what, of, *more = test
    if what == "empty":
        return _hex(known, of) not in known.places
    unit = known.units.get(of)
    if unit is None:
        raise unknown_id(of)
    if what == "at":
        return unit.hex == _hex(known, more[0])
    if what == "eliminated":
        return not unit.alive
    if what == "fled":
        return unit.fled
    return unit.in_play and unit.activated == (what == "activated")


def _hex(known: State, hex_: str) -> str:
    if not hexes.on_board(known.board, hex_):
        raise off_board(hex_)
    return hex_


WORDS = {
    "missed": MISSES,
    # French
    "touche": HITS,
    "manque": MISSES,
    "activee": "activated",
    "disponible": "available",
    "eliminee": "eliminated",
    "fuite": "fled",
}
"""Other words for results and standings."""

SENSES = Senses(
    outcome,
    frozenset({HITS, MISSES}),
    None,
    read_test,
    holds,
    examples=("it hits", "SHI7 is activated", "SHI7 at E4", "E4 is empty"),
    orders=("SAR5 shoot NHI6", "SHI7 to E6"),
    policy={"en": "on allow: yes", "fr": "pour autorise: oui"},
    words=WORDS,
)
