"""What scripts may ask: how a shot, a charge or an order went, and how units stand (docs/scripts.md)."""

import re
from collections.abc import Sequence
from typing import Any

from domain.contract.senses import FAILS, MISSES, PASSES, Outcome, Senses
from domain.engine.judge import unknown_id
from domain.events.battle import DieRolled, Event
from domain.games.shot_to_pieces.chapters.command import GeneralOrderFailed
from domain.games.shot_to_pieces.chapters.contacts import ChargeFailed
from domain.games.shot_to_pieces.chapters.exchanges import FireResolved
from domain.games.shot_to_pieces.chapters.melee import MeleeResolved
from domain.games.shot_to_pieces.state.state import State, Unit

HITS = "hits"
_ID = re.compile(r"[A-Z][A-Z0-9-]*")


def outcome(side: str, events: Sequence[Event]) -> Outcome:
    """How an order of a side has gone: a shot or a melee that brought its opponent nothing fails, and so does a charge
    that fell short and a general order that did not arrive; the number is that of the last die."""
    last = next((event.value for event in reversed(events) if isinstance(event, DieRolled)), 0)
    results = {PASSES}
    for event in events:
        if isinstance(event, (FireResolved, MeleeResolved)):
            results = {PASSES, HITS} if event.diff > 0 else {FAILS, MISSES}
        elif isinstance(event, (ChargeFailed, GeneralOrderFailed)):
            results = {FAILS}
    return Outcome(frozenset(results), last)


def read_test(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Parse a test of the game's own: `C1 is shaken`, `U1 is brittle`, `C1 is destroyed`."""
    if not words:
        return None
    name, *rest = words
    rest = [word for word in rest if word != "is"]
    if len(rest) == 1 and rest[0] in _STANDINGS and _ID.fullmatch(name.upper()):
        return name.upper(), rest[0]
    return None


def holds(known: State, side: str, test: tuple[str, ...]) -> bool:
    """Whether a test is true.

    Raises: Refusal core.unknown-id
    """
    unit = known.units.get(test[0])
    if unit is None:
        raise unknown_id(test[0])
    return bool(_STANDINGS[test[1]](unit))


def _gone(unit: Unit) -> bool:
    return unit.alive and unit.off


_STANDINGS: dict[str, Any] = {
    "shaken": lambda unit: unit.here and bool(unit.shaken),
    "brittle": lambda unit: unit.here and unit.brittle > 0,
    "engaged": lambda unit: unit.here and unit.engaged,
    "destroyed": lambda unit: not unit.alive,
    "alive": lambda unit: unit.alive,
    "gone": _gone,
}

WORDS = {
    "manque": MISSES,
    "touche": HITS,
    "ebranle": "shaken",
    "ebranlee": "shaken",
    "fragile": "brittle",
    "engage": "engaged",
    "engagee": "engaged",
    "detruit": "destroyed",
    "detruite": "destroyed",
    "vivant": "alive",
    "vivante": "alive",
    "parti": "gone",
    "partie": "gone",
}
"""Other words for results and standings."""

SENSES = Senses(
    outcome,
    frozenset({HITS, MISSES}),
    None,
    read_test,
    holds,
    examples=("it hits", "C1 is shaken", "C1 is destroyed"),
    orders=("U1 fire C1", "U2 fire C1"),
    policy={
        "en": "on evade: yes",
        "fr": "pour esquive: oui",
    },
    words=WORDS,
)
