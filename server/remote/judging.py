"""Stop at a fault of a server's log: it is kept, said with what to do, and nothing is sent until the player decides.

What is checked: the protocol, on everything that came (`replay.proof.growing`), and that the player's own words stand
in the log as they were sent (`server.remote.own_words`). A log that the host has signed and that has a fault proves it,
so it is kept beside the copy.
"""

from msgspec import Struct
from msgspec.structs import replace

from replay.proof import chain, pins
from replay.proof.blocks import ProtocolFault
from replay.proof.chain import Log
from replay.proof.growing import CheckedSoFar, checked_on, in_words
from replay.proof.pins import Pin
from replay.proof.report import Fault
from replay.proof.resuming import WalkSoFar
from server.remote.errors import NotDone
from server.remote.files import write_private
from server.remote.own_words import own_fault
from server.remote.state import BattleFiles, read_kept, write_kept


class KeptFault(Struct, frozen=True):
    """A fault of a battle's log at event `n`, with its code and its sentence. `is_accepted`: the player goes on."""

    n: int
    what: str
    said: str
    is_accepted: bool = False


class FaultFound(NotDone):
    """The log of a battle has a fault; nothing is sent."""

    def __init__(self, place: BattleFiles, fault: KeptFault) -> None:
        super().__init__(
            f"FAULT in battle {place.battle} at event {fault.n}: {fault.what} ({fault.said.rstrip('.')}). Nothing more "
            f"is sent. The log with the fault, signed by its host, is in {place.faulty_log}: keep it, show it to your "
            f"opponent, and have it checked elsewhere: phalera verify {place.faulty_log}. To play on nevertheless: "
            f"phalera remote continue {place.battle}"
        )
        self.fault = fault


def require_no_fault(place: BattleFiles) -> None:
    """Stop where a fault is known about which the player has not decided.

    Raises: FaultFound
    """
    kept = read_kept(place.fault, KeptFault)
    if kept is not None and not kept.is_accepted:
        raise FaultFound(place, kept)


def require_right(place: BattleFiles, log: Log, before: int = 0, walk: WalkSoFar | None = None) -> WalkSoFar | None:
    """Check what a log has behind event `before`, up to which it was checked earlier, going on from `walk`; returns
    what the next check may go on from. Once a player has gone on behind a fault of the protocol, their own words alone
    are compared.

    Raises: FaultFound
    """
    kept = read_kept(place.fault, KeptFault)
    is_new = len(log.lines) > before and kept is None
    found = checked_on(log, walk) if is_new else CheckedSoFar(None, walk)
    fault = found.fault or own_fault(place, log)
    if fault is not None and (kept is None or (kept.n, kept.what) != (fault.n, fault.what)):
        raise _found(place, log, fault)
    return found.walk


def require_known_keys(place: BattleFiles, log: Log) -> tuple[str, ...]:
    """Keep the keys of host and players at first sight, and stop where a known name has another one. Returns a sentence
    for each player who has other keys in other battles.

    Raises: NotDone
    """
    known, new = new_keys(place, log)
    if new:
        place.server.keep_folder()
        write_private(place.server.pins, pins.written((*known, *new)).encode())
    return pins.known_otherwise(log, new, known)


def new_keys(place: BattleFiles, log: Log) -> tuple[tuple[Pin, ...], tuple[Pin, ...]]:
    """The keys that are known, and those of a log that are seen for the first time.

    Raises: NotDone where a known name has another one
    """
    file = place.server.pins
    try:
        known = pins.read_pins(file.read_text(encoding="utf-8")) if file.exists() else ()
    except ValueError as reason:
        raise NotDone(f"{file} is damaged: {reason}.") from None
    try:
        return known, pins.new_pins(log, known)
    except ProtocolFault as change:
        raise NotDone(
            f"ANOTHER KEY in battle {place.battle}: {in_words(change).sentence.rstrip('.')}. Nothing was sent. Ask its "
            f"owner by another way than this server. If it is theirs: phalera remote trust {change.details['line']}"
        ) from None


def accept(place: BattleFiles) -> KeptFault:
    """Go on although there is a fault.

    Raises: NotDone where none is known
    """
    kept = read_kept(place.fault, KeptFault)
    if kept is None or kept.is_accepted:
        raise NotDone(f"No fault of battle {place.battle} waits for you to decide.")
    write_kept(place.fault, replace(kept, is_accepted=True))
    return kept


def _found(place: BattleFiles, log: Log, fault: Fault) -> FaultFound:
    kept = KeptFault(fault.n, fault.what, fault.sentence)
    place.server.keep_folder()
    write_private(place.faulty_log, chain.file_bytes(log.header_line, log.lines, log.checkpoint))
    write_kept(place.fault, kept)
    return FaultFound(place, kept)
