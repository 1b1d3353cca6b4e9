"""The steps of a replay: where the links lead, what happened of late, and how the tally went."""

import asyncio
from bisect import bisect_left, bisect_right
from weakref import WeakKeyDictionary

from msgspec import Struct

from domain.contract.scene import Scene
from domain.run.timeline import Timeline
from replay.drawing.moves import with_moves
from replay.reports.plain import is_turn, plain_events
from server.play.live_battle import LiveBattle
from server.shown.happened import span_of, with_happened
from server.shown.kept import PerBattle

AT_ONCE = 128
"""As many events are folded for a curve before others are served."""


class Steps(Struct, frozen=True):
    """The targets of the replay links: events, 0 if there are no more in that direction."""

    first: int
    turn_back: int
    back: int
    on: int
    turn_on: int
    last: int


def marked(live: LiveBattle, side: str, n: int, scene: Scene) -> Scene:
    """The board after event `n` with what moved and what happened in the turn of the newest order up to it."""
    span = span_of(live.recording.timeline.events, n)
    moved = with_moves(_scene_before(live, side, span.turn), scene)
    return with_happened(live.recording, side, span, moved)


def _scene_before(live: LiveBattle, side: str, start: int) -> Scene:
    """The board when event `start` had happened."""
    ruleset = live.ruleset
    kept = _BEFORE.of(live.recording.timeline)
    if side not in kept or kept[side][0] != start:
        known = ruleset.secrets.known(live.recording.timeline.at(start).game, side)
        kept[side] = start, ruleset.shown.view(known, side)
    return kept[side][1]


_BEFORE: PerBattle[str, tuple[int, Scene]] = PerBattle(1_024)
"""The newest board at the start of a turn, with its event, by side: some ten kilobytes each."""


def steps_of(timeline: Timeline, n: int) -> Steps:
    """The steps from event n: one back and on, a turn back and on."""
    last, turns = len(timeline.events), _turns(timeline)
    at = bisect_left(turns, n)
    return Steps(
        first=1 if n > 1 else 0,
        turn_back=turns[at - 1] if at else 0,
        back=n - 1 if n > 1 else 0,
        on=n + 1 if n < last else 0,
        turn_on=next(iter(turns[bisect_right(turns, n) :]), 0),
        last=last if n < last else 0,
    )


_BEGUN: WeakKeyDictionary[Timeline, tuple[int, list[int]]] = WeakKeyDictionary()
"""How many events were looked at for turns, and the turns among them, for each battle in memory."""


def _turns(timeline: Timeline) -> list[int]:
    """The events with which turns began. Each event is looked at once."""
    looked, turns = _BEGUN.get(timeline, (0, []))
    turns += [recorded.n for recorded in timeline.events[looked:] if is_turn(recorded)]
    _BEGUN[timeline] = len(timeline.events), turns
    return turns


# --- the curve


class Curve(Struct, frozen=True):
    """What decides a battle, event by event. `tally` has (event, amount) by side, wherever an amount changed; `turns`
    are the events with which turns began, `told` those that tell something, up to event `last`."""

    last: int
    tally: dict[str, list[tuple[int, int]]]
    turns: list[int]
    told: list[int]


_CURVES: WeakKeyDictionary[Timeline, Curve] = WeakKeyDictionary()
"""The newest curve of each battle in memory."""


async def curve_of(live: LiveBattle) -> Curve:
    """The curve of a battle up to its newest event. Each event is folded once, a few at a time."""
    timeline, last, tallied = live.recording.timeline, live.n, live.ruleset.shown.tally
    known = _CURVES.get(timeline)
    if known is not None and known.last == last:
        return known
    before = known or Curve(0, {}, [], [])
    tally = {side: list(points) for side, points in before.tally.items()}
    for first in range(before.last + 1, last + 1, AT_ONCE):
        upto = min(last, first + AT_ONCE - 1)
        states = [battle.game for battle, _ in timeline.along(first, upto)][1:]
        for n, game in enumerate((*states, timeline.at(upto).game), first):
            for side, amount in tallied(game).items():
                points = tally.setdefault(side, [])
                if not points or points[-1][1] != amount:
                    points.append((n, amount))
        await asyncio.sleep(0)
    told = [recorded.n for recorded in plain_events(timeline.events[before.last : last])]
    turns = [n for n in _turns(timeline) if n <= last]
    curve = _CURVES[timeline] = Curve(last, tally, turns, [*before.told, *told])
    return curve
