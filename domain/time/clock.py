"""The clocks of a battle: time left, deadlines, claims, pauses.

Correspondence time as a pure fold over the log: the moments (`at`) of its inputs, and who had to act between them. A
side's clock runs while the battle waits for it (`on_move`): for its orders, its answer to a question, or its
contribution. It starts with bank + increment; when the move has passed from it, it gets the increment, never more
than that start (Fischer's clock with a cap). A clock that has run out is a flag, once a `ClockFired` says so; it ends
nothing by itself: the other side may claim the battle.

Units:  milliseconds as integers; moments are milliseconds since 1970-01-01T00:00Z, or text as the log writes it
"""

from collections.abc import Callable, Mapping

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.engine.decide import to_act
from domain.engine.errors import Refusal
from domain.engine.events import BattleEnded, ClockFired, Event, Fact
from domain.engine.seats import Battle
from domain.engine.state import OTHER, SIDES
from domain.log.record import Recorded
from domain.ruleset import Ruleset
from domain.time.pace import DAY_MS, PRESETS, Pace, moment_of, pace_of, text_of

DEADLINE, CLAIM = "deadline", "claim"
AWAY, BACK = "vacation", "vacation-over"
PAUSE_ASKED, PAUSE, PAUSE_OVER = "pause-asked", "pause", "pause-over"
RULE = ClockFired.RULE
ON_TIME = "time"
"""How a battle ends that is claimed."""
MOST_GRACE_MS = DAY_MS


class ClockFace(Struct, frozen=True, gc=False):
    """A side's clock at a moment. `running`: the battle waits for the side, and its time counts; `left_s` whole seconds
    left; `deadline` when they are up (or were), "" unless it runs; `flagged`: they are, and it is in the log; `away`
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
    """A side's clock in the fold. `since` as in `ClockFace`, `granted_ms` what it had then; `out` the moment at which
    nothing was left."""

    left_ms: int
    since: int = 0
    granted_ms: int = 0
    out: int = 0
    flagged: bool = False
    away: bool = False


class Clocks(Struct, frozen=True, gc=False):
    """Both clocks at the moment `at`. While `paused`, and until the moment `still_until`, both stand still; `asked` is
    the side that would like a pause."""

    pace: Pace
    at: int
    watches: Mapping[str, SideClock]
    paused: bool = False
    still_until: int = 0
    asked: str = ""


def on_move(ruleset: Ruleset, battle: Battle) -> tuple[str, ...]:
    """Whose clock runs: a contribution that is missing holds everything up, and comes first."""
    if not battle.begun or battle.ended:
        return ()
    return battle.owing or to_act(ruleset, battle.game)


# --- folding


def opened_clocks(opened: Event, at: str) -> Clocks | None:
    """The clocks of a battle that has just been opened; None if it is played without.

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
    """The clocks after an input; `before` is the battle before it.

    Consequences change nothing: who is on the move is looked at when all of them are there, so a question that a
    standing order answers at once costs and gives nothing.
    """
    now = settled(clocks, on_move(ruleset, before), before.n, moment_of(recorded.at))
    if isinstance(recorded.event, ClockFired):
        return _fired(now, recorded.event.what, recorded.event.side, recorded.n)
    if recorded.type == "Rewound":
        watches = {side: replace(_granted(now.pace, watch), since=0) for side, watch in now.watches.items()}
        return replace(now, watches=watches)
    return now


def settled(clocks: Clocks, moving: tuple[str, ...], n: int, now: int) -> Clocks:
    """The clocks at a moment, if `moving` are on the move since event `n`, the last. A clock never runs backwards. A
    pause asked for lapses when the move has come to its asker once more: or a flag of much later could be saved by it.
    """
    now = max(now, clocks.at)
    start = min(max(clocks.at, clocks.still_until), now)
    counted = 0 if clocks.paused else clocks.pace.counted(start, now)
    watches = {}
    for side, before in clocks.watches.items():
        watch = _moved(clocks.pace, before, side in moving, n)
        runs = counted and watch.since and not watch.away
        watches[side] = _run(clocks.pace, watch, start, counted) if runs else watch
    asker = clocks.watches.get(clocks.asked)
    has_lapsed = asker is not None and not asker.since and clocks.asked in moving
    return replace(clocks, at=now, watches=watches, asked="" if has_lapsed else clocks.asked)


def _moved(pace: Pace, watch: SideClock, moving: bool, n: int) -> SideClock:
    """The move has come to a side, or passed from it."""
    if watch.since and not moving:
        return replace(_granted(pace, watch), since=0)
    if moving and not watch.since:
        return replace(watch, since=n, granted_ms=watch.left_ms)
    return watch


def _granted(pace: Pace, watch: SideClock) -> SideClock:
    """The increment is added; a flag is lifted."""
    left = min(watch.left_ms + pace.increment_ms, pace.most_ms)
    return replace(watch, left_ms=left, granted_ms=left, flagged=False, out=0)


def _anew(pace: Pace, watch: SideClock, n: int) -> SideClock:
    """A side whose time was up is given time once more: it is reminded of it as of a question of event `n`."""
    return replace(_granted(pace, watch), since=n if watch.since else 0)


def _run(pace: Pace, watch: SideClock, start: int, counted: int) -> SideClock:
    if counted < watch.left_ms:
        return replace(watch, left_ms=watch.left_ms - counted)
    return replace(watch, left_ms=0, out=watch.out or pace.after(start, watch.left_ms))


def _fired(clocks: Clocks, what: str, side: str, n: int) -> Clocks:
    """What a `ClockFired`, event `n`, does; a pause lifts the flags, those too that nobody has seen fall, or it
    would be of no use to who needs it most."""
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
    """How long the clocks stand still yet when one side has ended a pause: an increment, a day at most."""
    return min(pace.increment_ms, MOST_GRACE_MS)


# --- looking


def clocks_at(clocks: Clocks, ruleset: Ruleset, battle: Battle, at: str) -> Clocks:
    """The clocks of a battle as it is now, at a later moment."""
    return settled(clocks, on_move(ruleset, battle), battle.n, moment_of(at))


def faces(clocks: Clocks, ruleset: Ruleset, battle: Battle, at: str) -> dict[str, ClockFace]:
    """What each clock shows at a moment; nothing when the battle is over."""
    if battle.ended:
        return {}
    now = clocks_at(clocks, ruleset, battle, at)
    return {side: _face(now, side, watch) for side, watch in now.watches.items()}


def _face(clocks: Clocks, side: str, watch: SideClock) -> ClockFace:
    runs = bool(watch.since) and not watch.away and not clocks.paused
    deadline = text_of(deadline_of(clocks, watch)) if runs else ""
    left_s = watch.left_ms // 1000
    return ClockFace(side, runs, left_s, deadline, watch.flagged, watch.away, clocks.paused, watch.since)


def deadline_of(clocks: Clocks, watch: SideClock, left_ms: int = 0) -> int:
    """The moment at which a running clock has only `left_ms` left, or when it ran out."""
    if not watch.left_ms:
        return watch.out or clocks.at
    start = max(clocks.at, clocks.still_until)
    return clocks.pace.after(start, max(0, watch.left_ms - left_ms))


# --- deciding


def fired(clocks: Clocks | None, ruleset: Ruleset, battle: Battle, what: str, side: str, at: str) -> tuple[Fact, ...]:
    """The input `ClockFired(what, side)` at a moment, with what follows from it; `side` is whose clock or wish it is.

    Raises: Refusal core.no-clock, core.not-begun, core.battle-ended, core.bad-clock, core.time-left, core.no-flag,
            core.own-flag, core.paused, core.already-away, core.not-away, core.pause-asked, core.no-pause-asked,
            core.not-paused
    """
    if clocks is None:
        raise Refusal("core.no-clock", RULE)
    if battle.ended:
        raise Refusal("core.battle-ended", "CORE-END", winner=battle.game.winner, how=battle.game.how)
    if not battle.begun:
        raise Refusal("core.not-begun", "CORE-BEGIN")
    require = _REQUIRED.get(what)
    if require is None or side not in SIDES:
        raise Refusal("core.bad-clock", RULE, what=what, side=side)
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
