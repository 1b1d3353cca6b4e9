"""Show how a draw follows from what the log discloses, so that a reader can do it again by hand.

It has the arithmetic of the verifier (`domain.log.fairness`, `domain.engine.draws`) for one event, and keeps the steps.
It checks nothing: that the key is the host's and the contributions the players' is the verdict's to say.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import UNSET, Struct

from domain.basics.seats import SOUTH_AND_NORTH
from domain.engine.draws import draws_of
from domain.events.battle import (
    CardDrawn,
    ContributionGiven,
    DieRolled,
    KeyDisclosed,
    MasterRevealed,
    Rewound,
    TurnBegan,
)
from domain.log import fairness
from domain.log.fairness import LENGTH, PUBLIC, Stream, seats_in
from domain.log.keys import HostKeys
from domain.log.record import Recorded


class Recomputed(Struct, frozen=True):
    """A draw, step by step: period and scope; the host's key and the event that disclosed it ("" and 0: not yet); the
    events of the contributions that entered the seed, in the order of the seats; the seed; which draw of its stream it
    is; the number that came, from 0, below `size`. `number` is -1 while the key is not out."""

    index: int
    scope: str
    key: str
    disclosed: int
    contributions: tuple[int, ...]
    seed: str
    place: int
    size: int
    number: int


def recomputed(battle: str, log: Sequence[Recorded], n: int) -> Recomputed | None:
    """The draw of event `n` of a log; None for any other event, for a card that was looked at before it came, and in a
    file of version 1, whose draws follow from other arithmetic."""
    draws = _made_by(log[n - 1])
    keys: Any = getattr(log[0].event, "keys", UNSET)
    if len(draws) != 1 or keys is UNSET:
        return None
    scope, size = draws[0]
    index, before, given = stream_before(log[: n - 1], scope)
    events = [log[at - 1].event for at in given]
    values = [bytes.fromhex(event.value) for event in events if isinstance(event, ContributionGiven)]
    disclosed, key = _key(battle, log, scope, index)
    if not key or len(values) < len(seats_in(keys.anchors)):
        return Recomputed(index, scope, "", 0, given, "", len(before) + 1, size, -1)
    seed = fairness.seed(key, battle, index, scope, values)
    stream = Stream(seed)
    for earlier in before:
        stream.below(earlier)
    return Recomputed(index, scope, key.hex(), disclosed, given, seed.hex(), len(before) + 1, size, stream.below(size))


def _made_by(entry: Recorded) -> list[tuple[str, int]]:
    """Scope and size of the draws of an event, as far as they can be seen."""
    if not isinstance(entry.event, (CardDrawn, DieRolled)):
        return []
    return [(draw.scope, draw.size) for draw in draws_of(entry.event, entry.by, 0)]


def stream_before(log: Sequence[Recorded], scope: str) -> tuple[int, list[int], tuple[int, ...]]:
    """How a scope stands at the end of a log: the index of the present period, the sizes of the draws that it has made
    in it, and the events of the contributions in its seed, in the order of the seats: the newest at its first draw."""
    index, sizes, newest = 0, list[int](), dict[str, int]()
    fixed: dict[str, int] | None = None
    for entry in log:
        event = entry.event
        if isinstance(event, (TurnBegan, Rewound)):
            index, sizes, fixed = index + 1, [], None
        elif isinstance(event, ContributionGiven) and event.kind != "reanchor":
            newest[event.side] = entry.n
        else:
            made = [size for name, size in _made_by(entry) if name == scope]
            fixed = fixed or (dict(newest) if made else None)
            sizes += made
    seeding = fixed or newest
    return index, sizes, tuple(seeding[seat] for seat in sorted(seeding))


def _key(battle: str, log: Iterable[Recorded], scope: str, index: int) -> tuple[int, bytes]:
    """The host's key of a period and the event that discloses it; (0, b"") if none does."""
    length, seats = LENGTH, SOUTH_AND_NORTH.seeding
    for entry in log:
        event: Any = entry.event
        if entry.n == 1 and getattr(event, "keys", UNSET) is not UNSET:
            length, seats = event.keys.length, seats_in(event.keys.anchors)
        if isinstance(event, KeyDisclosed) and event.index == index and fairness.chain_of(scope) == PUBLIC:
            return entry.n, bytes.fromhex(event.key)
        if isinstance(event, MasterRevealed):
            keys = HostKeys(bytes.fromhex(event.master), battle, seats, length)
            return entry.n, keys.key(scope, index)
    return 0, b""
