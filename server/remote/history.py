"""The player's own copy of a battle's log, and the check that the server's log continues it (fairness.md 2, "Heads").

The copy is a battle file, so that every command that reads one reads it: `phalera verify`, `why`, `replay`. It grows by
what the server adds, and only if the hashes chain and the host has signed the newest head. A server that shows another
history is not believed, and the copy stays as it is: it is the proof.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from domain.engine.dockets import UMPIRE
from domain.events.battle import Seen
from domain.log.record import PBEM_2_1, FileFault, splice_hash
from domain.run.signed_lines import holder
from replay.proof import chain
from replay.proof.chain import Log
from replay.proof.faults import line_sentence
from replay.proof.stored import lines_ending
from server.remote.connection import BattleNow, Refused, ServerConnection, Unanswered
from server.remote.copies import KeptCopy, grown, keep_copy, read_copy, require_log
from server.remote.errors import NotDone
from server.remote.files import write_private
from server.remote.judging import require_known_keys, require_no_fault, require_right
from server.remote.state import BattleFiles

PAGE = 5_000
"""Events asked for at once."""
_SEATED = ("SideJoined", "SideLeft", "UmpireNamed", "ContributionGiven")
_OF_SEATS = tuple(b'"type":"%b"}' % name.encode() for name in _SEATED)
"""How lines end that say something of a seat, those with a serial apart."""


class OtherHistory(NotDone):
    """The server's log does not continue the player's copy."""


class SeatInLog(Struct, frozen=True):
    """A seat as the checked log has it: the newest anchor or seal, the key, and the newest serial; `serials` are those
    of all its keys (`counted_by`)."""

    mode: str = ""
    newest: str = ""
    signer: str = ""
    serial: int = 0
    serials: Mapping[str, int] = {}


async def follow(connection: ServerConnection, place: BattleFiles) -> tuple[BattleNow, Log]:
    """The battle as it stands, and its log, checked and kept.

    Raises: OtherHistory, FaultFound; Refused, Unanswered; NotDone for a key that is not the known one
    """
    require_no_fault(place)
    now = await connection.read(f"/battles/{place.battle}", BattleNow)
    kept = read_copy(place)
    if kept is None:
        content = (await connection.ask("GET", f"/battles/{place.battle}/export")).content
        log = require_log(place, content, f"The log of battle {place.battle} is not right")
        now = await connection.read(f"/battles/{place.battle}", BattleNow) if now.n != len(log.lines) else now
        connection.told += require_known_keys(place, log)
        keep_copy(place, KeptCopy(content, log, require_right(place, log)))
        return (now, log) if now.n == len(log.lines) else await follow(connection, place)
    old, n = kept.log, len(kept.log.lines)
    if now.n < n:
        raise await _other_history(connection, place, f"it ends at event {now.n}, and your copy at event {n}")
    lines = await added_lines(connection, place.battle, n - 1, now.n)
    if not lines or lines[0] != splice_hash(old.lines[-1], old.hashes[-1]):
        raise await _other_history(connection, place, f"event {n} is not what it was")
    try:
        log = chain.closed(chain.extended(old, lines[1:]), now.receipt)
    except FileFault as fault:
        raise await _other_history(connection, place, line_sentence(fault.line, fault.what, fault.details)) from None
    connection.told += require_known_keys(place, log)
    walk = require_right(place, log, n, kept.walk)
    if n < now.n or old.checkpoint is None:
        keep_copy(place, KeptCopy(grown(kept, log, lines[1:]), log, walk))
    return now, log


def head_of(log: Log) -> Seen:
    """The newest head of a log, as an order names it."""
    return Seen(log.hashes[-1].hex(), len(log.lines))


def seat_in(log: Log, side: str) -> SeatInLog:
    """What a log says of a seat, or of its umpire."""
    mode, newest, signer = "", "", ""
    serials: dict[str, int] = {}
    for line in log.lines:
        if b'"serial":' not in line and not line.endswith(_OF_SEATS):
            continue
        event = msgspec.json.decode(line)
        data: Mapping[str, Any] = event["data"]
        if event["type"] == "UmpireNamed" and side == UMPIRE:
            signer = data.get("signer", "")
        if data.get("side") != side:
            continue
        if event["type"] == "SideJoined":
            mode, newest, signer = data.get("mode", ""), data.get("anchor", ""), data.get("signer", "")
        elif event["type"] == "ContributionGiven" and data.get("kind") in ("seal", "reanchor"):
            newest = data["value"]
        if "serial" in data:
            key = counted_by(log, side, signer)
            serials[key] = max(serials.get(key, 0), data["serial"])
        if event["type"] == "SideLeft":
            mode, newest, signer = "", "", ""
    return SeatInLog(mode, newest, signer, serials.get(counted_by(log, side, signer), 0), serials)


def counted_by(log: Log, side: str, signer: str) -> str:
    """By what the serials of a seat are counted: from PBEM-2.1 on by the key, else, and for the umpire, by the seat."""
    return holder(side, signer) if log.header.version >= PBEM_2_1 else side


def has_order(log: Log, public_key: str) -> bool:
    """Whether an order of a request is in the log."""
    return any(b'"key":"%b"' % public_key.encode() in line for line in log.lines)


def player_of(log: Log, side: str) -> str:
    """The id of the player who holds a side, or judges, as the log has it."""
    if side == UMPIRE:
        named = [msgspec.json.decode(line)["data"] for line in lines_ending(log.lines, (b'"type":"UmpireNamed"}',))]
        return str(named[-1]["player"]) if named else ""
    joined = [msgspec.json.decode(line)["data"] for line in lines_ending(log.lines, (b'"type":"SideJoined"}',))]
    return next((str(data["player"]) for data in reversed(joined) if data["side"] == side), "")


async def added_lines(connection: ServerConnection, battle: str, after: int, last: int) -> list[bytes]:
    """The lines of the events after `after` up to `last`, as a file has them.

    Raises: Refused, Unanswered
    """
    lines: list[bytes] = []
    while len(lines) < last - after:
        limit = min(PAGE, last - after - len(lines))
        path = f"/battles/{battle}/events?after={after + len(lines)}&limit={limit}"
        more = (await connection.ask("GET", path)).content.splitlines()
        if not more:
            break
        lines += more[:limit]
    return lines


async def _other_history(connection: ServerConnection, place: BattleFiles, what: str) -> OtherHistory:
    """What to say when a server shows another history; its own file is kept beside the copy, if it gives it."""
    try:
        other = (await connection.ask("GET", f"/battles/{place.battle}/export")).content
        write_private(place.other_log, other)
        proof = f"phalera verify {place.log} --against {place.other_log}"
    except (Refused, Unanswered):
        proof = f"phalera verify ITS-FILE --against {place.log}"
    return OtherHistory(
        f"ANOTHER HISTORY of battle {place.battle}: {what}. Nothing was sent. What the server showed before is in "
        f"{place.log}: keep it, and send no orders before this is explained. {proof}"
    )
