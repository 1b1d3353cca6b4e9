"""The clocks of a battle: time left, deadlines, claims, pauses.

Correspondence time as a pure fold over the log: the moments (`at`) of its inputs, and who had to act between them. A
side's clock runs while the battle waits for it (`on_move`): for its orders, its answer to a question, or its
contribution. It starts with bank + increment; when the side has moved, it gets the increment, but never more
than that start (Fischer's clock with a cap). A clock that has run out is flagged by a `ClockFired`. A flag ends
nothing by itself: the other side may claim the battle.

Units:  milliseconds as integers; moments are milliseconds since 1970-01-01T00:00Z, or text as the log writes it
"""

from collections.abc import Callable, Mapping

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.engine.decide import to_act
from domain.engine.dispute_lines import MORE
from domain.engine.errors import Refusal
from domain.engine.events import BattleEnded, ClockFired, Event, Fact, FlagRuled, Rewound
from domain.engine.seats import Battle, require_not_halted
from domain.engine.state import OTHER, SIDES, require_lasting
from domain.log.record import Recorded
from domain.ruleset import Ruleset
from domain.time.pace import DAY_MS, PRESETS, Pace, moment_of, pace_of, text_of

DEADLINE, CLAIM = "deadline", "claim"
AWAY, BACK = "vacation", "vacation-over"
PAUSE_ASKED, PAUSE, PAUSE_OVER = "pause-asked", "pause", "pause-over"
RULE = ClockFired.RULE
ON_TIME = "time"
"""How a claimed battle ends."""
MOST_GRACE_MS = DAY_MS
TIMED_FACTS = frozenset({FlagRuled, Rewound})
"""The consequences that change clocks."""


class ClockFace(Struct, frozen=True, gc=False):
    """A side's clock at a moment. `running`: the battle waits for the side, and its time counts; `left_s` whole seconds
    left; `deadline` when they run out (or did), "" unless it runs; `flagged`: they have, and it is logged; `away`
    and `paused`: it stands still. `since` is the event since which the battle waits for the side, 0 if it does not."""

    side: str
    running: bool
    left_s: int
    deadline: str
    flagged: bool
    away: bool
    paused: bool
    since: int = 0


class SideClock(Struct, frozen=True, gc=False):
    """A side's clock in the fold. `since` as in `ClockFace`, `granted_ms` its time at that event; `out` the moment at
    which it ran out."""

    left_ms: int
    since: int = 0
    granted_ms: int = 0
    out: int = 0
    flagged: bool = False
    away: bool = False


class Clocks(Struct, frozen=True, gc=False):
    """Both clocks at the moment `at`. While `paused`, and until the moment `still_until`, both stand still; `asked` is
    the side that has asked for a pause."""

    pace: Pace
    at: int
    watches: Mapping[str, SideClock]
    paused: bool = False
    still_until: int = 0
    asked: str = ""


def on_move(ruleset: Ruleset, battle: Battle) -> tuple[str, ...]:
    """The sides whose clocks run. A missing contribution holds everything up, so it comes first."""
    if not battle.begun or battle.ended:
        return ()
    return battle.owing or to_act(ruleset, battle.game)


# --- folding


def opened_clocks(opened: Event, at: str) -> Clocks | None:
    """The clocks of a newly opened battle; None if it is played without clocks.

    Raises: Refusal core.bad-pace
    """
    written = getattr(opened, "pace", UNSET)
    if written is UNSET:
        return None
    pace = pace_of(written)
    if pace is None or pace.text() != written:
        raise Refusal("core.bad-pace", RULE, pace=written[:40], known=sorted(PRESETS))
    return Clocks(pace, moment_of(at), {side: SideClock(pace.most_ms) for side in SIDES})


def evolve_clocks(clocks: Clocks, ruleset: Ruleset, before: Battle, recorded: Recorded) -> Clocks:
    """The clocks after an input, or one of `TIMED_FACTS`; `before` is the battle before it.

    Other consequences change nothing: the side on move is determined only after all of them, so a question that a
    standing order answers at once costs and grants no time.
    """
    now = settled(clocks, on_move(ruleset, before), before.n, moment_of(recorded.at), before.is_halted)
    if isinstance(recorded.event, ClockFired):
        return _fired(now, recorded.event.what, recorded.event.side, recorded.n)
    if isinstance(recorded.event, FlagRuled):
        late = recorded.event.side
        if recorded.event.effect != MORE or late not in now.watches:
            return now
        return replace(now, watches={**now.watches, late: _anew(now.pace, now.watches[late], recorded.n)})
    if isinstance(recorded.event, Rewound):
        watches = {side: replace(_granted(now.pace, watch), since=0) for side, watch in now.watches.items()}
        return replace(now, watches=watches)
    return now


def settled(clocks: Clocks, moving: tuple[str, ...], n: int, now: int, is_halted: bool = False) -> Clocks:
    """The clocks at a moment, if `moving` are on move since event `n`, the last. A clock never runs backwards. A
    request for a pause lapses when it is its asker's move again; otherwise it could save a much later flag. While a
    docket halts play no time counts (CORE-DSP-03).
    """
    now = max(now, clocks.at)
    start = min(max(clocks.at, clocks.still_until), now)
    counted = 0 if clocks.paused or is_halted else clocks.pace.counted(start, now)
    watches = {}
    for side, before in clocks.watches.items():
        watch = _moved(clocks.pace, before, side in moving, n)
        runs = counted and watch.since and not watch.away
        watches[side] = _run(clocks.pace, watch, start, counted) if runs else watch
    asker = clocks.watches.get(clocks.asked)
    has_lapsed = asker is not None and not asker.since and clocks.asked in moving
    return replace(clocks, at=now, watches=watches, asked="" if has_lapsed else clocks.asked)


def _moved(pace: Pace, watch: SideClock, moving: bool, n: int) -> SideClock:
    """Pass the move to a side, or from it."""
    if watch.since and not moving:
        return replace(_granted(pace, watch), since=0)
    if moving and not watch.since:
        return replace(watch, since=n, granted_ms=watch.left_ms)
    return watch


def _granted(pace: Pace, watch: SideClock) -> SideClock:
    """Add the increment and lift a flag."""
    left = min(watch.left_ms + pace.increment_ms, pace.most_ms)
    return replace(watch, left_ms=left, granted_ms=left, flagged=False, out=0)


def _anew(pace: Pace, watch: SideClock, n: int) -> SideClock:
    """Give time again to a side whose time was up; its reminders restart as for a question of event `n`."""
    return replace(_granted(pace, watch), since=n if watch.since else 0)


def _run(pace: Pace, watch: SideClock, start: int, counted: int) -> SideClock:
    if counted < watch.left_ms:
        return replace(watch, left_ms=watch.left_ms - counted)
    return replace(watch, left_ms=0, out=watch.out or pace.after(start, watch.left_ms))


def _fired(clocks: Clocks, what: str, side: str, n: int) -> Clocks:
    """Apply a `ClockFired`, event `n`. A pause lifts the flags, even those not yet logged; otherwise it
    would not help the side that needs it most."""
    if what in (DEADLINE, AWAY, BACK) and side in clocks.watches:
        watch = clocks.watches[side]
        if what == AWAY and not watch.left_ms and not watch.flagged:  # planned in time, but fired too late
            watch = _anew(clocks.pace, watch, n)
        watch = replace(watch, flagged=True) if what == DEADLINE else replace(watch, away=what == AWAY)
        return replace(clocks, watches={**clocks.watches, side: watch})
    if what == PAUSE_ASKED:
        return replace(clocks, asked=side)
    if what == PAUSE:
        lifted = {
            of: watch if watch.left_ms and not watch.flagged else _anew(clocks.pace, watch, n)
            for of, watch in clocks.watches.items()
        }
        return replace(clocks, watches=lifted, paused=True, asked="")
    if what == PAUSE_OVER:
        until = clocks.at + grace_ms(clocks.pace) if clocks.paused else clocks.still_until
        return replace(clocks, paused=False, asked="", still_until=until)
    return clocks


def grace_ms(pace: Pace) -> int:
    """How long the clocks still stand after one side has ended a pause: an increment, a day at most."""
    return min(pace.increment_ms, MOST_GRACE_MS)


# --- looking


def clocks_at(clocks: Clocks, ruleset: Ruleset, battle: Battle, at: str) -> Clocks:
    """The clocks of the battle in its current state, at a later moment."""
    return settled(clocks, on_move(ruleset, battle), battle.n, moment_of(at), battle.is_halted)


def faces(clocks: Clocks, ruleset: Ruleset, battle: Battle, at: str) -> dict[str, ClockFace]:
    """What each clock shows at a moment; empty once the battle is over."""
    if battle.ended:
        return {}
    now, is_halted = clocks_at(clocks, ruleset, battle, at), battle.is_halted
    return {side: _face(now, side, watch, is_halted) for side, watch in now.watches.items()}


def _face(clocks: Clocks, side: str, watch: SideClock, is_halted: bool) -> ClockFace:
    runs = bool(watch.since) and not watch.away and not clocks.paused and not is_halted
    deadline = text_of(deadline_of(clocks, watch)) if runs else ""
    left_s = watch.left_ms // 1000
    return ClockFace(side, runs, left_s, deadline, watch.flagged, watch.away, clocks.paused, watch.since)


def deadline_of(clocks: Clocks, watch: SideClock, left_ms: int = 0) -> int:
    """The moment at which a running clock has only `left_ms` left, or at which it ran out."""
    if not watch.left_ms:
        return watch.out or clocks.at
    start = max(clocks.at, clocks.still_until)
    return clocks.pace.after(start, max(0, watch.left_ms - left_ms))


def flagged(clocks: Clocks | None, ruleset: Ruleset, battle: Battle, at: str) -> frozenset[str]:
    """The sides whose flag has fallen, and stands at a moment: the move has not passed from them."""
    if clocks is None:
        return frozenset()
    return frozenset(side for side, watch in clocks_at(clocks, ruleset, battle, at).watches.items() if watch.flagged)


# --- deciding


def fired(clocks: Clocks | None, ruleset: Ruleset, battle: Battle, what: str, side: str, at: str) -> tuple[Fact, ...]:
    """The input `ClockFired(what, side)` at a moment, and its consequences; `side` is whose clock or request it is.

    Raises: Refusal core.no-clock, core.not-begun, core.battle-ended, core.bad-clock, core.time-left, core.no-flag,
            core.own-flag, core.paused, core.already-away, core.not-away, core.pause-asked, core.no-pause-asked,
            core.not-paused, core.docket-halted
    """
    if clocks is None:
        raise Refusal("core.no-clock", RULE)
    require_lasting(battle.game)
    if not battle.begun:
        raise Refusal("core.not-begun", "CORE-BEGIN")
    require = _REQUIRED.get(what)
    if require is None or side not in SIDES:
        raise Refusal("core.bad-clock", RULE, what=what, side=side)
    if what in (DEADLINE, CLAIM):
        require_not_halted(battle)
    require(clocks_at(clocks, ruleset, battle, at), side)
    event = ClockFired(what, side)
    facts = [Fact("server" if what == DEADLINE else side, event.RULE, event)]
    if what == CLAIM:
        facts.append(Fact("server", event.RULE, BattleEnded(side, ON_TIME)))
    return tuple(facts)


def _require_run_out(clocks: Clocks, side: str) -> None:
    watch = clocks.watches[side]
    if not watch.since or watch.flagged or watch.left_ms or watch.away or clocks.paused:
        raise Refusal("core.time-left", RULE, side=side, left=-(-watch.left_ms // 1000))


def _require_flag(clocks: Clocks, side: str) -> None:
    if clocks.paused:
        raise Refusal("core.paused", RULE)
    if not clocks.watches[OTHER[side]].flagged:
        raise Refusal("core.no-flag", RULE, side=OTHER[side])
    if clocks.watches[side].flagged:
        raise Refusal("core.own-flag", RULE, side=side)


def _require_here(clocks: Clocks, side: str) -> None:
    if clocks.watches[side].away:
        raise Refusal("core.already-away", RULE, side=side)


def _require_away(clocks: Clocks, side: str) -> None:
    if not clocks.watches[side].away:
        raise Refusal("core.not-away", RULE, side=side)


def _require_unasked(clocks: Clocks, side: str) -> None:
    if clocks.paused:
        raise Refusal("core.paused", RULE)
    if clocks.asked:
        raise Refusal("core.pause-asked", RULE, side=clocks.asked)


def _require_asked(clocks: Clocks, side: str) -> None:
    if clocks.asked != OTHER[side]:
        raise Refusal("core.no-pause-asked", RULE, side=OTHER[side])


def _require_paused(clocks: Clocks, side: str) -> None:
    if not clocks.paused and not clocks.asked:
        raise Refusal("core.not-paused", RULE)


_REQUIRED: Mapping[str, Callable[[Clocks, str], None]] = {
    DEADLINE: _require_run_out,
    CLAIM: _require_flag,
    AWAY: _require_here,
    BACK: _require_away,
    PAUSE_ASKED: _require_unasked,
    PAUSE: _require_asked,
    PAUSE_OVER: _require_paused,
}
