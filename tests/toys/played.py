"""Plays a toy as a host does: a recording, and the bytes of its file."""

import hashlib
from collections.abc import Iterable, Sequence

from domain.contract.ruleset import Ruleset
from domain.log.record import OPENED, Header, Recorded, decode
from domain.run.seats import Seat
from domain.run.timeline import catalogue_of
from replay.proof import chain, notes
from replay.writing.recording import Batch, Recording
from tests.support import messages

AT = "2026-01-01T00:00:00.000Z"
SIGNER = notes.Signer("test.example", b"\x01" * 32)
PHRASE = "sixteen bytes or more"


def battle_id(ruleset: Ruleset) -> str:
    """The id of every battle of this toy."""
    return f"{ruleset.code}1"


def recorded(
    ruleset: Ruleset, orders: Iterable[str], master: int = 2, version: int = OPENED
) -> tuple[Recording, bytes]:
    """A battle in which `orders` (`south: walk 200`) are given until it ends, with a file to read it from.

    Shape: `master` makes other draws of the same orders; `version` is that of the protocol
    """
    header = Header(battle_id(ruleset), AT, "phalera-battle", "test.example", SIGNER.key, "1", ruleset.code, version)
    salts = (hashlib.sha256(bytes([at])).digest() for at in range(256))
    recording = Recording(header, bytes([master]) * 32, ruleset, lambda: next(salts))
    rows: list[tuple[str, bytes, bytes]] = []

    def take(batch: Batch) -> None:
        recording.adopt(batch)
        rows.extend(batch.rows)

    take(recording.open({"ruleset": ruleset.code}, "public", AT))
    for side in ruleset.seats.names:
        phrases = {side: messages.phrase(recording, f"phrase of the {side}") for side in ruleset.seats.names}
        take(recording.join(Seat(side, side, side.title()), phrases, AT))
    for line in orders:
        if recording.battle.ended:
            break
        side, _, text = line.partition(": ")
        take(recording.order(messages.entry(recording, side, text, side, phrase=PHRASE), AT))
    head = notes.Head(notes.origin("test.example", battle_id(ruleset)), len(rows), rows[-1][2])
    lines = [line for _, line, _ in rows]
    return recording, chain.file_bytes(recording.header_line, lines, notes.sign_head(SIGNER, head))


def events_of(ruleset: Ruleset, content: bytes) -> Sequence[Recorded]:
    """The events of a file."""
    catalogue = catalogue_of(ruleset)
    return [decode(line, catalogue) for line in chain.open_file(content).lines]
