"""The clocks of a battle: time left, deadlines, claims, pauses.

Correspondence time as a pure fold over the log: the moments (`at`) of its inputs, and who had to act between them. A
side's clock runs while the battle waits for it (`on_move`): for its orders, its answer to a question, or its
contribution. It starts with bank + increment; when the side has moved, it gets the increment, but never more
than that start (Fischer's clock with a cap). A clock that has run out is flagged by a `ClockFired`. A flag ends
nothing by itself: a side may claim the battle when the flags of all others have fallen. Clocks pause when all agree.

Units:  milliseconds as integers; moments are milliseconds since 1970-01-01T00:00Z, or text as the log writes it
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.basics.pace import DAY_MS, PRESETS, Pace, moment_of, pace_of, text_of
from domain.basics.seats import Seats
from domain.contract.dispute_lines import MORE
from domain.contract.ruleset import Ruleset
from domain.engine.state import require_lasting
from domain.events.battle import BattleEnded, ClockFired, Event, Fact, FlagRuled, Rewound, Text
from domain.log.record import Recorded
from domain.run.decide import to_act
from domain.run.own_word import OwnWord, word_of
from domain.run.seats import Battle, require_not_halted
from domain.run.signed_lines import SIGNED_CLOCKS, WORDED_CLOCKS, is_line, pause_days, vacation_in

DEADLINE, CLAIM = "deadline", "claim"
AWAY, BACK = "vacation", "vacation-over"
PAUSE_ASKED, PAUSE, PAUSE_OVER = "pause-asked", "pause", "pause-over"
RULE = ClockFired.RULE
ON_TIME = "time"
"""How a claimed battle ends."""
MOST_GRACE_MS = DAY_MS
TIMED_FACTS = frozenset({FlagRuled, Rewound})
"""The consequences that change clocks."""


NEVER = (0, 0)
"""No vacation is named."""


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
    which it ran out. `gone` are the moments between which its player is on a vacation that their own line has named;
    of any other it is known only that it lasts (`away`)."""

    left_ms: int
    since: int = 0
    granted_ms: int = 0
    out: int = 0
    flagged: bool = False
    away: bool = False
    gone: tuple[int, int] = NEVER


class Clocks(Struct, frozen=True, gc=False):
    """All clocks at the moment `at`. While `paused`, and until the moment `still_until`, all stand still; `asked` is
    the side that has asked for a pause of `asked_ms` (0: of any length), `agreed` are those that have agreed to it. A
    pause of a length is over at `paused_until`."""

    pace: Pace
    at: int
    watches: Mapping[str, SideClock]
    paused: bool = False
    still_until: int = 0
    asked: str = ""
    agreed: tuple[str, ...] = ()
    asked_ms: int = 0
    paused_until: int = 0


def on_move(ruleset: Ruleset, battle: Battle) -> tuple[str, ...]:
    """The sides whose clocks run. A missing contribution holds everything up, so it comes first."""
    if not battle.begun or battle.ended:
        return ()
    return battle.owing or to_act(ruleset, battle.game)


# --- folding


def opened_clocks(opened: Event, at: str, seats: Seats) -> Clocks | None:
    """The clocks of a newly opened battle of these seats; None if it is played without clocks.

    Raises: Refusal core.bad-pace
    """
    written = getattr(opened, "pace", UNSET)
    if written is UNSET:
        return None
    pace = pace_of(written)
    if pace is None or pace.text() != written:
        raise Refusal("core.bad-pace", RULE, pace=written[:40], known=sorted(PRESETS))
    return Clocks(pace, moment_of(at), {side: SideClock(pace.most_ms) for side in seats.names})


def evolve_clocks(clocks: Clocks, ruleset: Ruleset, before: Battle, recorded: Recorded) -> Clocks:
    """The clocks after an input, or one of `TIMED_FACTS`; `before` is the battle before it.

    Other consequences change nothing: the side on move is determined only after all of them, so a question that a
    standing order answers at once costs and grants no time.
    """
    now = settled(clocks, on_move(ruleset, before), before.n, moment_of(recorded.at), before.is_halted)
    if isinstance(recorded.event, ClockFired):
        return _fired(now, recorded.event, recorded.n)
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
    stands = clocks.paused or is_halted
    watches = {}
    for side, before in clocks.watches.items():
        watch = _moved(clocks.pace, before, side in moving, n)
        runs = not stands and watch.since and (watch.gone != NEVER or not watch.away)
        watch = _run(clocks.pace, watch, start, now) if runs else watch
        watches[side] = _at_its_vacation(watch, now)
    asker = clocks.watches.get(clocks.asked)
    has_lapsed = asker is not None and not asker.since and clocks.asked in moving
    clocks = replace(clocks, at=now, watches=watches)
    return replace(clocks, asked="", agreed=()) if has_lapsed else clocks


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


def _run(pace: Pace, watch: SideClock, start: int, now: int) -> SideClock:
    begins, ends = watch.gone
    counted = pace.counted(start, now)
    if start < ends and begins < now:
        counted -= pace.counted(max(start, begins), min(now, ends))
    if counted < watch.left_ms:
        return replace(watch, left_ms=watch.left_ms - counted)
    return replace(watch, left_ms=0, out=watch.out or _run_out(pace, watch, start, watch.left_ms))


def _run_out(pace: Pace, watch: SideClock, start: int, left_ms: int) -> int:
    """The moment at which a clock that runs from `start` on has counted `left_ms`."""
    begins, ends = watch.gone
    before = pace.counted(start, max(start, begins)) if start < ends else left_ms
    return pace.after(start, left_ms) if left_ms <= before else pace.after(max(start, ends), left_ms - before)


def _at_its_vacation(watch: SideClock, now: int) -> SideClock:
    """A watch that knows at a moment whether the vacation that its player has named lasts."""
    begins, ends = watch.gone
    is_away = begins <= now < ends
    return watch if watch.gone == NEVER or watch.away is is_away else replace(watch, away=is_away)


def _fired(clocks: Clocks, event: ClockFired, n: int) -> Clocks:
    """Apply a `ClockFired`, event `n`. A pause lifts the flags, even those not yet logged; otherwise it
    would not help the side that needs it most."""
    what, side = event.what, event.side
    if what in (DEADLINE, AWAY, BACK) and side in clocks.watches:
        watch = _of_one(clocks, clocks.watches[side], event, n)
        return replace(clocks, watches={**clocks.watches, side: watch})
    if what == PAUSE_ASKED:
        return replace(clocks, asked=side, agreed=(), asked_ms=pause_days(event.text) * DAY_MS)
    if what == PAUSE and clocks.asked and {*clocks.watches} - {clocks.asked, side, *clocks.agreed}:
        return replace(clocks, agreed=(*clocks.agreed, side))
    if what == PAUSE:
        lifted = {
            of: watch if watch.left_ms and not watch.flagged else _anew(clocks.pace, watch, n)
            for of, watch in clocks.watches.items()
        }
        until = clocks.at + clocks.asked_ms if clocks.asked_ms else 0
        return replace(clocks, watches=lifted, paused=True, asked="", agreed=(), asked_ms=0, paused_until=until)
    if what == PAUSE_OVER:
        until = clocks.at + grace_ms(clocks.pace) if clocks.paused else clocks.still_until
        over = replace(clocks, paused=False, asked="", agreed=(), asked_ms=0, paused_until=0)
        return replace(over, still_until=until)
    return clocks


def _of_one(clocks: Clocks, watch: SideClock, event: ClockFired, n: int) -> SideClock:
    """A side's clock after a flag, or at the beginning or the end of a vacation."""
    if event.what == DEADLINE:
        return replace(watch, flagged=True)
    if event.what == BACK:
        return replace(watch, away=False, gone=NEVER)
    named = vacation_in(event.text)
    if named is not None:
        return _at_its_vacation(replace(watch, gone=named), clocks.at)
    if not watch.left_ms and not watch.flagged:  # planned in time, but fired too late
        watch = _anew(clocks.pace, watch, n)
    return replace(watch, away=True)


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
    return _run_out(clocks.pace, watch, start, max(0, watch.left_ms - left_ms))


def flagged(clocks: Clocks | None, ruleset: Ruleset, battle: Battle, at: str) -> frozenset[str]:
    """The sides whose flag has fallen, and stands at a moment: the move has not passed from them."""
    if clocks is None:
        return frozenset()
    return frozenset(side for side, watch in clocks_at(clocks, ruleset, battle, at).watches.items() if watch.flagged)


# --- deciding


def fired(
    clocks: Clocks | None,
    ruleset: Ruleset,
    battle: Battle,
    what: str,
    side: str,
    at: str,
    text: Text = UNSET,
    word: OwnWord | None = None,
) -> tuple[Fact, ...]:
    """The input `ClockFired(what, side)` at a moment, and its consequences; `side` is whose clock or request it is.
    What the player of a seat with a key does has their `word` (from header version 3), and a `text` where that says
    more than `what`.

    Raises: Refusal core.no-clock, core.not-begun, core.battle-ended, core.bad-clock, core.time-left, core.no-flag,
            core.own-flag, core.paused, core.already-away, core.not-away, core.pause-asked, core.no-pause-asked,
            core.not-paused, core.docket-halted, core.bad-clock-line, core.vacation-passed; as
            `domain.run.own_word.require_word`
    """
    if clocks is None:
        raise Refusal("core.no-clock", RULE)
    require_lasting(battle.game)
    if not battle.begun:
        raise Refusal("core.not-begun", "CORE-BEGIN")
    require = _REQUIRED.get(what)
    if require is None or side not in clocks.watches:
        raise Refusal("core.bad-clock", RULE, what=what, side=side)
    if what in (DEADLINE, CLAIM):
        require_not_halted(battle)
    require(clocks_at(clocks, ruleset, battle, at), side)
    event = ClockFired(what, side, text, **_own_word(battle, what, side, at, text, word))
    facts = [Fact("server" if what == DEADLINE else side, event.RULE, event)]
    if what == CLAIM:
        facts.append(Fact("server", event.RULE, BattleEnded(side, ON_TIME)))
    return tuple(facts)


def _own_word(battle: Battle, what: str, side: str, at: str, text: Text, word: OwnWord | None) -> dict[str, Any]:
    """The members of a player's word for a clock event, if they sign it.

    Raises: Refusal core.bad-clock-line, core.vacation-passed; as `domain.run.own_word.require_word`
    """
    signs = battle.signs_all(side) and what in SIGNED_CLOCKS
    if (text is not UNSET) is not (signs and what in WORDED_CLOCKS) or (text is not UNSET and not is_line(what, text)):
        raise Refusal("core.bad-clock-line", RULE, side=side, text=(text or "")[:80])
    named = vacation_in(text)
    if named is not None and named[1] <= moment_of(at):
        raise Refusal("core.vacation-passed", RULE, side=side)
    return word_of(battle, side, word) if what in SIGNED_CLOCKS and side in battle.seats else {}


def _require_run_out(clocks: Clocks, side: str) -> None:
    watch = clocks.watches[side]
    if not watch.since or watch.flagged or watch.left_ms or watch.away or clocks.paused:
        raise Refusal("core.time-left", RULE, side=side, left=-(-watch.left_ms // 1000))


def _require_flag(clocks: Clocks, side: str) -> None:
    if clocks.paused:
        raise Refusal("core.paused", RULE)
    standing = [of for of, watch in clocks.watches.items() if of != side and not watch.flagged]
    if standing:
        raise Refusal("core.no-flag", RULE, side=standing[0])
    if clocks.watches[side].flagged:
        raise Refusal("core.own-flag", RULE, side=side)


def _require_here(clocks: Clocks, side: str) -> None:
    if clocks.watches[side].away or clocks.watches[side].gone[1] > clocks.at:
        raise Refusal("core.already-away", RULE, side=side)


def _require_away(clocks: Clocks, side: str) -> None:
    if not clocks.watches[side].away and clocks.watches[side].gone[1] <= clocks.at:
        raise Refusal("core.not-away", RULE, side=side)


def _require_unasked(clocks: Clocks, side: str) -> None:
    if clocks.paused:
        raise Refusal("core.paused", RULE)
    if clocks.asked:
        raise Refusal("core.pause-asked", RULE, side=clocks.asked)


def _require_asked(clocks: Clocks, side: str) -> None:
    if clocks.asked in ("", side) or side in clocks.agreed:
        raise Refusal("core.no-pause-asked", RULE, side=next(of for of in clocks.watches if of != side))


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
