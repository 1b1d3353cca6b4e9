"""Check what a log says of its game, its authors and its rules.

These members matter neither to the draws nor to the rules: the author of an input or of a disclosure,
its rule, the game of the first event, and the words that say what kind of seat is taken.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET

from domain.engine.events import (
    BattleBegan,
    ContributionGiven,
    MasterRevealed,
    NonceDisclosed,
    OrderAccepted,
    SideJoined,
    Unsealed,
)
from domain.log.record import Recorded
from domain.ruleset import Ruleset

OF_A_SIDE = (SideJoined, ContributionGiven, OrderAccepted)
OF_THE_SERVER = (BattleBegan, NonceDisclosed, MasterRevealed, Unsealed)
KINDS = ("person", "bot", UNSET)
MODES = ("plain", "sealed", UNSET)

Wrong = tuple[int, str, dict[str, Any]]
"""Event, stable code and details of a wrong claim."""


def wrong_claims(game: str, ruleset: Ruleset, events: Sequence[Recorded]) -> Iterator[Wrong]:
    """The wrong claims, in the order of the log; `game` is that of the header."""
    if not events or getattr(events[0].event, "ruleset", None) != game:
        yield 1, "other-game", {"expected": game}
    for recorded in events:
        event, n = recorded.event, recorded.n
        if isinstance(event, SideJoined) and (event.kind not in KINDS or event.mode not in MODES):
            yield n, "other-seat", {"kind": event.kind, "mode": event.mode}
        if not isinstance(event, (*OF_A_SIDE, *OF_THE_SERVER)):
            continue
        by = event.side if isinstance(event, OF_A_SIDE) else "server"
        if recorded.by != by:
            yield n, "other-author", {"expected": by, "found": recorded.by}
        rules = (event.RULE, ruleset.rules.cited.get(recorded.type, event.RULE))
        if recorded.rule not in rules:
            yield n, "other-rule", {"expected": rules[-1], "found": recorded.rule}
