"""Compare what a player has signed beside orders with the log: joining, leaving, claims, pauses, vacations.

Each act is kept before it is sent. One that the server has taken must be there: the same line, head, key and signature.
Of one that it has not answered nothing is said: it may come, or not.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.events.battle import Seen
from domain.run.signed_lines import FIXED_CLOCKS, LEAVE
from replay.proof.blocks import ProtocolFault
from replay.proof.chain import Log
from server.remote.state import BattleFiles, read_kept, write_kept

MOST_KEPT = 8
"""Acts of which something may still come."""
_TYPES = tuple(b'"type":"%b"}' % name for name in (b"SideJoined", b"SideLeft", b"ClockFired"))


class SentAct(Struct, frozen=True):
    """A signed line as it was sent, `signer` being the key of one that joins; the server has `taken` it, or has not
    answered."""

    side: str
    seen: Seen
    line: str
    serial: int
    signature: str
    signer: str = ""
    taken: bool = False


class _SentActs(Struct, frozen=True):
    acts: tuple[SentAct, ...] = ()


def keep_act(place: BattleFiles, act: SentAct) -> None:
    """Keep what is about to be sent."""
    place.server.keep_folder()
    _write(place, [*(one for one in _kept(place) if one != act), act])


def act_answered(place: BattleFiles, act: SentAct, taken: bool) -> None:
    """Keep that a server has taken an act; forget one that it has refused."""
    others = [one for one in _kept(place) if one != act]
    _write(place, [*others, replace(act, taken=True)] if taken else others)


def require_acts(place: BattleFiles, log: Log) -> None:
    """Compare the player's acts with a log, and forget those that are right.

    Raises:  ProtocolFault `own-text-differs`, `own-head-differs`, `own-signature-differs` at the event,
             `own-words-missing` at the last one
    """
    kept = _kept(place)
    waiting = [act for act in kept if not _is_there(act, log)]
    if len(waiting) != len(kept):
        _write(place, waiting)


def _is_there(act: SentAct, log: Log) -> bool:
    for n, kind, data in _acts(act, log):
        fault = _difference(act, n, kind, data)
        if fault is None:
            return True
        if act.taken:
            raise fault
    if act.taken:
        raise ProtocolFault(len(log.lines), "own-words-missing", side=act.side)
    return False


def _acts(act: SentAct, log: Log) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    """The acts of the side behind the head that this one answers, with its serial."""
    for n, line in enumerate(log.lines[act.seen.n :], act.seen.n + 1):
        if line.endswith(_TYPES):
            event = msgspec.json.decode(line)
            data = event["data"]
            if (data.get("side"), data.get("serial")) == (act.side, act.serial):
                yield n, event["type"], data


def _difference(act: SentAct, n: int, kind: str, data: Mapping[str, Any]) -> ProtocolFault | None:
    line = _line_of(kind, data)
    if line != act.line:
        return ProtocolFault(n, "own-text-differs", expected=act.line, found=line)
    seen = data.get("seen") or {}
    if seen != {"hash": act.seen.hash, "n": act.seen.n}:
        return ProtocolFault(n, "own-head-differs", expected=act.seen.n, found=seen.get("n", 0))
    if data.get("signature") != act.signature or data.get("signer", "") != act.signer:
        return ProtocolFault(n, "own-signature-differs", expected=act.serial, found=data["serial"])
    return None


def _line_of(kind: str, data: Mapping[str, Any]) -> str:
    """The line of an act, as `domain.run.signed_lines.line_of` of its event."""
    if kind == "SideJoined":
        return f"join {data.get('name', '')}"
    return LEAVE if kind == "SideLeft" else str(FIXED_CLOCKS.get(data.get("what", ""), data.get("text", "")))


def _kept(place: BattleFiles) -> tuple[SentAct, ...]:
    kept = read_kept(place.acts, _SentActs)
    return () if kept is None else kept.acts


def _write(place: BattleFiles, acts: list[SentAct]) -> None:
    write_kept(place.acts, _SentActs(tuple(acts[-MOST_KEPT:])))
