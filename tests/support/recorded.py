"""A battle being recorded as the server records it, without a store: what its log and vault hold."""

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from domain.catalogue import RULESETS
from domain.log.record import OPENED, Header, decode
from domain.run.seats import Seat
from domain.run.timeline import Timeline, catalogue_of
from replay.proof import chain, notes
from replay.writing.recording import Batch, Recording
from tests.support import messages

AT = "2026-01-01T00:00:00.000Z"
PHRASE = "a phrase of sixteen bytes"
SIGNER = notes.Signer("test.example", b"\x01" * 32)


class Recorded:
    """A battle of a scenario; `rows` are its public log. `seed` makes master and salts."""

    def __init__(
        self,
        scenario: Mapping[str, Any],
        seed: int = 1,
        phrases: tuple[str, ...] = ("south", "north"),
        protocol: int = OPENED,
    ):
        self.ruleset = RULESETS[scenario["ruleset"]]
        code, version = self.ruleset.code, self.ruleset.version
        header = Header("rec00001", AT, "phalera-battle", "test.example", SIGNER.key, version, code, protocol)
        master = hashlib.sha256(b"%d" % seed).digest()
        salts = (hashlib.sha256(b"%d %d" % (seed, at)).digest() for at in range(1 << 20))
        self.recording = Recording(header, master, self.ruleset, lambda: next(salts))
        self.rows: list[tuple[str, bytes, bytes]] = []
        self.take(self.recording.open(scenario, "public", AT))
        for side in ("south", "north"):
            given = messages.phrases(self.recording, phrases, f"{PHRASE} {seed}")
            self.take(self.recording.join(Seat(side, f"p-{side}", side.title()), given, AT))

    def take(self, batch: Batch) -> None:
        self.recording.adopt(batch)
        self.rows += batch.rows

    def order(self, side: str, text: str) -> None:
        entry = messages.entry(self.recording, side, text, f"p-{side}", phrase=PHRASE, phrase_required=True)
        self.take(self.recording.order(entry, AT))

    def orders(self, *lines: str) -> None:
        """`south: done` and the like."""
        for line in lines:
            side, _, text = line.partition(": ")
            self.order(side, text)

    @property
    def game(self) -> Any:
        return self.recording.battle.game

    def public(self) -> bytes:
        """All lines of the log as everybody may read them."""
        return b"\n".join(line for _, line, _ in self.rows)

    def vault(self, side: str) -> dict[int, Any]:
        """What a side itself has been given of sealed events, by n."""
        kept = self.recording.vault.items()
        return {n: msgspec.json.decode(secret.content) for n, secret in kept if secret.seat == side}

    def folded(self, side: str, upto: int | None = None) -> Timeline:
        """The log as a side can fold it: what is public, and its own secrets."""
        timeline = Timeline(self.ruleset, self.vault(side))
        catalogue = catalogue_of(self.ruleset)
        for _, line, _ in self.rows[:upto]:
            timeline.feed(decode(line, catalogue))
        return timeline

    def file(self) -> bytes:
        """The battle file, finished or not."""
        lines = [line for _, line, _ in self.rows]
        head = notes.Head(notes.origin("test.example", "rec00001"), len(lines), self.rows[-1][2])
        return chain.file_bytes(self.recording.header_line, lines, notes.sign_head(SIGNER, head))

    def again(self) -> Recording:
        """The same battle, folded anew from log and vault as after a restart."""
        old = self.recording
        recording = Recording(old.header, old.secrets.keys.master, self.ruleset, old.secrets.salt)
        recording.recall([(line, hash_) for _, line, hash_ in self.rows], old.vault)
        return recording
