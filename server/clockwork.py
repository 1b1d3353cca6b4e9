"""What may a player do about time in a battle, and which letters does time cause?

A flag ends nothing: the other side claims, and only then is the battle over. A pause is asked for by one side and
agreed to by the other; either ends it.
"""

from collections.abc import Iterator

from domain.clock import CLAIM, DEADLINE, PAUSE, PAUSE_ASKED, PAUSE_OVER
from domain.errors import Refusal
from domain.events import ClockFired
from domain.game import OTHER
from server.recording import Batch
from server.store import Statement, outbox
from server.table import Table

NOT_YET = ("core.time-left", "core.no-clock", "core.not-begun", "core.battle-ended")
LETTERS = {
    "deadline": "flag:{side}",
    "vacation": "absence:begun:{side}",
    "vacation-over": "absence:over:{side}",
    "pause-asked": "pause:asked:{side}",
    "pause": "pause:agreed:{side}",
    "pause-over": "pause:over:{side}",
}
"""The kind of the letter that tells what time did, to the side that it does not come from; of a flag, to both."""


async def claim(table: Table, player: str, side: str = "") -> str:
    """A player claims a battle whose other side has let its time run out; the flag falls now if nobody saw it fall.

    Raises: Refusal core.not-seated, core.no-clock, core.no-flag, core.own-flag, core.paused, core.battle-ended …
    """
    async with table.lock:
        await table.freshen()
        mine = _side(table, player, side)
        try:
            await fire(table, DEADLINE, OTHER[mine])
        except Refusal as refusal:
            if refusal.code not in NOT_YET:
                raise
        return await fire(table, CLAIM, mine)


async def pause(table: Table, player: str, side: str = "") -> str:
    """A player asks for a pause, or agrees to one; gives `pause-asked` or `pause`. A bot agrees at once.

    Raises: Refusal core.not-seated, core.no-clock, core.paused, core.pause-asked …
    """
    async with table.lock:
        await table.freshen()
        mine = _side(table, player, side)
        clocks = table.recording.clocks
        if clocks is not None and clocks.asked == OTHER[mine]:
            return await fire(table, PAUSE, mine)
        asked = await fire(table, PAUSE_ASKED, mine)
        other = table.recording.battle.seats[OTHER[mine]]
        return await fire(table, PAUSE, OTHER[mine]) if other.kind == "bot" else asked


async def resume(table: Table, player: str, side: str = "") -> str:
    """A player ends a pause; or takes back that he asked for one, or declines the other side's.

    Raises: Refusal core.not-seated, core.no-clock, core.not-paused …
    """
    async with table.lock:
        await table.freshen()
        return await fire(table, PAUSE_OVER, _side(table, player, side))


async def fire(table: Table, what: str, side: str) -> str:
    """Let time do something (`domain.clock`), or a side do something about it; the caller holds the table's lock.

    Raises: Refusal of `domain.clock.fired`; as `Table.append`
    """
    await table.append(lambda recording, at: recording.fire_clock(what, side, at))
    return what


def _side(table: Table, player: str, wanted: str) -> str:
    held = table.recording.battle.seat_of(player)
    if not held:
        raise Refusal("core.not-seated", "CORE-ACCESS", battle=table.id)
    if wanted and wanted not in held:
        raise Refusal("core.not-your-side", "CORE-ACCESS", side=wanted[:40])
    return wanted or held[0]


# --- letters


def clock_letters(table: Table, batch: Batch, at: str) -> Iterator[Statement]:
    """The outbox rows of what time did in an append."""
    seats = table.recording.battle.seats
    for recorded in batch.recorded:
        event = recorded.event
        if not isinstance(event, ClockFired) or event.what not in LETTERS:
            continue
        kind = LETTERS[event.what].format(side=event.side)
        told = (event.side, OTHER[event.side]) if event.what == DEADLINE else (OTHER[event.side],)
        people = (seats[side].player for side in told if side in seats and seats[side].kind == "person")
        for player in dict.fromkeys(people):
            yield outbox.post(table.id, recorded.n, player, kind, at)
