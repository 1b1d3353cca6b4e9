"""What scripts may ask: whether a volley hit, what its dice need, and how units stand (docs/scripts.md)."""

import re
from collections.abc import Sequence
from typing import Any

from domain.basics.commands import Command
from domain.contract.senses import FAILS, MISSES, PASSES, Outcome, Senses
from domain.engine.judge import unknown_id
from domain.events.battle import DieRolled, Event
from domain.games.warmaster_shooting.chapters.cover import needed_to_hit
from domain.games.warmaster_shooting.chapters.targets import ShootWithStands, eligible, plan_of, require_known
from domain.games.warmaster_shooting.chapters.volleys import HitDiceRolled, aim
from domain.games.warmaster_shooting.state.state import State, Unit, stand_in

HITS = "hits"
_ID = re.compile(r"[A-Z][A-Z0-9-]*")


def outcome(side: str, events: Sequence[Event]) -> Outcome:
    """How an order of a side has gone: a volley without a hit fails; its number is that of the last die it threw."""
    volleys = [event for event in events if isinstance(event, HitDiceRolled)]
    last = next((event.value for event in reversed(events) if isinstance(event, DieRolled)), 0)
    if not volleys:
        return Outcome(frozenset({PASSES}), last)
    hit = any(event.hits for event in volleys)
    return Outcome(frozenset({PASSES, HITS} if hit else {FAILS, MISSES}), last)


def needed(known: State, side: str, command: Command) -> int:
    """What the dice of an order must reach; 0 if none are thrown.

    Raises: Refusal, if the order may not be given
    """
    if not isinstance(command, ShootWithStands):
        return 0
    require_known(known, command)
    unit = plan_of(known, side, command)
    stand, enemies = next((name, enemies) for name, enemies in eligible(known, unit).items() if enemies)
    aimed_at = aim(known, unit, stand_in(unit, stand), known.units[command.target or enemies[0]])
    return needed_to_hit(unit.kind, aimed_at)[0]


def read_test(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Parse a test of the game's own: `B is confused`, `B is destroyed`, `B is engaged`."""
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


def _weakened(unit: Unit) -> bool:
    return unit.alive and len(unit.standing) < len(unit.stands)


_STANDINGS: dict[str, Any] = {
    "confused": lambda unit: unit.alive and unit.confused,
    "engaged": lambda unit: unit.alive and unit.engaged,
    "weakened": _weakened,
    "destroyed": lambda unit: not unit.alive,
    "alive": lambda unit: unit.alive,
}

WORDS = {
    "missed": MISSES,
    "touche": HITS,
    "manque": MISSES,
    "confus": "confused",
    "confuse": "confused",
    "engage": "engaged",
    "engagee": "engaged",
    "affaibli": "weakened",
    "affaiblie": "weakened",
    "detruit": "destroyed",
    "detruite": "destroyed",
    "vivant": "alive",
}
"""Other words for results and standings."""

SENSES = Senses(
    outcome,
    frozenset({HITS, MISSES}),
    needed,
    read_test,
    holds,
    examples=("it hits", "B is confused", "B is weakened", "B is destroyed"),
    orders=("A shoot", "B shoot"),
    policy={
        "en": "on fire: yes if needs at most 5, else no",
        "fr": "pour riposte: oui si besoin au plus 5, sinon non",
    },
    words=WORDS,
)
