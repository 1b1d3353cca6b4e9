"""What a player may do about time in a battle, and the letters that time causes.

A flag ends nothing: the other side must claim the battle before it is over. A pause is requested by one side and
agreed to by the other; either ends it.
"""

from collections.abc import Iterator, Sequence

from msgspec import UNSET, Struct

from domain.basics.errors import Refusal
from domain.basics.pace import moment_of
from domain.events.battle import ClockFired, Text
from domain.run.own_word import OwnWord
from domain.run.signed_lines import pause_line, vacation_line
from domain.time.clock import AWAY, BACK, CLAIM, DEADLINE, PAUSE, PAUSE_ASKED, PAUSE_OVER, RULE, Clocks, clocks_at
from replay.writing.recording import Batch
from server.play.live_battle import LiveBattle
from server.store import Statement
from server.store.tables import absences, outbox
from server.store.tables.absences import Absence, away_at, slept_through
from server.store.tables.outbox import LetterKind


class ClockLine(Struct, frozen=True):
    """What a player says beside the deed: their `word` where the seat signs all, how many `days` a pause shall last,
    when a vacation `begins` and `ends` (times of the log)."""

    word: OwnWord | None = None
    days: int = 0
    begins: str = ""
    ends: str = ""


NOTHING_SAID = ClockLine()
DONE = frozenset({"core.not-paused", "core.time-left", "core.already-away", "core.not-away", "core.battle-ended"})
HURTING = frozenset({DEADLINE, CLAIM, AWAY, BACK})
"""What costs somebody time, or the battle: not while the clock is doubted."""
AGREED = "one-agreed"
"""A side has agreed to a pause that begins when all others have."""
LETTERS = {
    "deadline": f"{LetterKind.FLAG}",
    "vacation": f"{LetterKind.ABSENCE}:begun",
    "vacation-over": f"{LetterKind.ABSENCE}:over",
    "pause-asked": f"{LetterKind.PAUSE}:asked",
    "pause": f"{LetterKind.PAUSE}:agreed",
    AGREED: f"{LetterKind.PAUSE}:{AGREED}",
    "pause-over": f"{LetterKind.PAUSE}:over",
}
"""The kind of the letter about a clock event; the side follows. It goes to the other side, about a flag to both, and
to the umpire."""


async def claim(live: LiveBattle, player: str, side: str = "", said: ClockLine = NOTHING_SAID) -> str:
    """A player claims a battle whose other side has run out of time. Earlier clock events happen first, if the
    timekeeper has not processed them: flags fall, and vacations begin that prevent one.

    Raises: Refusal core.not-seated, core.no-clock, core.no-flag, core.own-flag, core.paused, core.battle-ended,
            core.clock-doubted …
    """
    async with live.lock:
        await live.freshen()
        mine = _side(live, player, side)
        await put_right(live, live.now(), absences.all_open(live.store))
        return await fire(live, CLAIM, mine, UNSET, said.word)


async def pause(live: LiveBattle, player: str, side: str = "", said: ClockLine = NOTHING_SAID) -> str:
    """A player asks for a pause, or agrees to one; returns `pause-asked`, `one-agreed` or `pause`. A bot agrees at
    once. A seat that signs all says how many days it shall last.

    Raises: Refusal core.not-seated, core.no-clock, core.paused, core.pause-asked …
    """
    async with live.lock:
        await live.freshen()
        mine = _side(live, player, side)
        clocks = live.recording.clocks
        others = live.seats.others(mine)
        if clocks is not None and clocks.asked in others:
            await fire(live, PAUSE, mine, UNSET, said.word)
            return PAUSE if is_paused(live) else AGREED
        asked = await fire(live, PAUSE_ASKED, mine, pause_line(said.days) if said.days else UNSET, said.word)
        for other in others:
            if live.recording.battle.seats[other].kind == "bot":
                await fire(live, PAUSE, other)
        return PAUSE if is_paused(live) else asked


def is_paused(live: LiveBattle) -> bool:
    """Whether the clocks of a battle stand still because all sides want it."""
    clocks = live.recording.clocks
    return clocks is not None and clocks.paused


async def go_away(live: LiveBattle, player: str, side: str = "", said: ClockLine = NOTHING_SAID) -> str:
    """The clock of a seat that signs all stands still for a vacation that its player has planned. For every other seat
    the timekeeper sees to that.

    Raises: Refusal core.not-seated, core.no-clock, core.no-vacation, core.already-away, core.vacation-passed …
    """
    planned = absences.open_of(live.store, player)
    if (said.begins, said.ends) not in [(each.begins, each.ends) for each in planned]:
        raise Refusal("core.no-vacation", RULE)
    async with live.lock:
        await live.freshen()
        return await fire(live, AWAY, _side(live, player, side), vacation_line(said.begins, said.ends), said.word)


async def resume(live: LiveBattle, player: str, side: str = "", said: ClockLine = NOTHING_SAID) -> str:
    """A player ends a pause, withdraws their own request for one, or declines another side's. Nobody signs that.

    Raises: Refusal core.not-seated, core.no-clock, core.not-paused …
    """
    async with live.lock:
        await live.freshen()
        return await fire(live, PAUSE_OVER, _side(live, player, side))


async def fire(live: LiveBattle, what: str, side: str, text: Text = UNSET, word: OwnWord | None = None) -> str:
    """Fire a clock event (`domain.time.clock`), caused by time or by a side, whose player signs it where the seat signs
    all; the caller holds the battle's lock.

    Raises: Refusal core.clock-doubted, those of `domain.time.clock.fired`; as `LiveBattle.append`
    """
    if what in HURTING and live.is_clock_doubted:
        raise Refusal("core.clock-doubted", RULE)
    await live.append(lambda recording, at: recording.fire_clock(what, side, at, text, word))
    return what


async def put_right(live: LiveBattle, now: str, planned: Sequence[Absence]) -> None:
    """Process the vacations and flags that were due by `now`, in chronological order; the caller
    holds the battle's lock. `planned` are the vacations that were not over at the last check.
    """
    battle = live.recording.battle
    is_over = battle.ended or bool(live.closed)
    if live.recording.clocks is None or not battle.begun or is_over or live.is_clock_doubted:
        return
    away, slept = away_at(planned, now), slept_through(planned, now)
    if 0 < clocks_now(live, now).paused_until <= moment_of(now):
        await _try(live, PAUSE_OVER, next(iter(battle.seats)))
    for side, seat in battle.seats.items():
        watch = clocks_now(live, now).watches[side]
        absent, missed = away.get(seat.player), slept.get(seat.player)
        ran_out = watch.since and not watch.left_ms and not watch.flagged
        if absent is None and watch.away:
            await _try(live, BACK, side)
        elif battle.signs_all(side):
            pass  # its player names the vacation themselves
        elif absent is not None and not watch.away:
            if ran_out and watch.out <= moment_of(absent.begins):
                await _try(live, DEADLINE, side)
            await _try(live, AWAY, side)
        elif ran_out and missed is not None and watch.out > moment_of(missed.begins):
            await _try(live, AWAY, side)  # it would have stopped the clock in time
            await _try(live, BACK, side)
        if ran_out:
            await _try(live, DEADLINE, side)


async def _try(live: LiveBattle, what: str, side: str) -> None:
    """Fire a clock event unless it no longer applies: another process was faster, or the side has moved."""
    try:
        await fire(live, what, side)
    except Refusal as refusal:
        if refusal.code not in DONE:
            raise


def clocks_now(live: LiveBattle, now: str) -> Clocks:
    """The clocks of a battle that has a pace, at a moment."""
    recording = live.recording
    assert recording.clocks is not None
    return clocks_at(recording.clocks, recording.ruleset, recording.battle, now)


def _side(live: LiveBattle, player: str, wanted: str) -> str:
    held = live.recording.battle.seat_of(player)
    if not held:
        raise Refusal("core.not-seated", "CORE-ACCESS", battle=live.id)
    if wanted and wanted not in held:
        raise Refusal("core.not-your-side", "CORE-ACCESS", side=wanted[:40])
    return wanted or held[0]


# --- letters


def clock_letters(live: LiveBattle, batch: Batch, at: str) -> Iterator[Statement]:
    """The outbox rows for the clock events of an append."""
    seats = live.recording.battle.seats
    for recorded in batch.recorded:
        event = recorded.event
        if not isinstance(event, ClockFired) or event.what not in LETTERS:
            continue
        kind = f"{LETTERS[_what(live, event)]}:{event.side}"
        others = live.seats.others(event.side)
        told = (event.side, *others) if event.what == DEADLINE else others
        people = (seats[side].player for side in told if side in seats and seats[side].kind == "person")
        umpire = live.recording.battle.disputes.umpire if event.what == DEADLINE else ""
        for player in dict.fromkeys([*people, *([umpire] if umpire else [])]):
            yield outbox.post(live.id, recorded.n, player, kind, at)


def _what(live: LiveBattle, event: ClockFired) -> str:
    """What a clock event of an append comes to: where several are asked for a pause, the last to agree begins it."""
    clocks = live.recording.clocks  # before the append
    if event.what != PAUSE or clocks is None:
        return event.what
    missing = set(live.seats.others(clocks.asked)) - {*clocks.agreed, event.side}
    return AGREED if missing else PAUSE
