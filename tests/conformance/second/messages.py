"""Heads, serials and signatures of what players say (docs/record-format.md 4, and the last section)."""

from typing import Any

from .file import BattleFile, Line, frame, from_base64, from_hex, is_signed
from .lines import Wrong

CHANNELS = ("api", "page", "mail", "cli", "bot")


class Messages:
    """What the players of a battle say, in order."""

    def __init__(self, file: BattleFile, seats: list[str]) -> None:
        self.file, self.gid, self.version, self.seats = file, file.gid, file.version, seats
        self.serials: dict[str, int] = {}
        self.requests: dict[tuple[str, str], object] = {}
        self.rules_changed = 0

    @staticmethod
    def require_bare(line: Line, kind: str) -> None:
        """Nothing of a signed line stands where nobody signs."""
        if {"seen", "serial", "signature", "text"} & line.data.keys():
            raise Wrong(line.n, kind)

    def signed(
        self, line: Line, seat: str, signer: str, giving: bytes, text: str, is_join: bool = False, verifies: bool = True
    ) -> None:
        """Serial and signature of a message of a seat with a key, whose head is right."""
        data, serial = line.data, line.data["serial"]
        counted = seat if self.version == 2 or seat == "umpire" else f"{seat} {signer}"
        last = self.serials.get(counted, 0)
        is_next = self.version == 2 or seat == "umpire" or last > 0 or (is_join and serial == 1)
        if not is_next or not last < serial < 1 << 32:
            raise Wrong(line.n, "serial-differs")
        self.serials[counted] = serial
        if not verifies:
            return
        seen = data["seen"]
        message = frame("signed", self.gid, seat, serial, seen["n"], bytes.fromhex(seen["hash"]), giving, text)
        if not is_signed(from_base64(signer) or b"", data["signature"], message):
            raise Wrong(line.n, "player-signature-differs")

    def head(self, line: Line) -> None:
        """The head that a message names."""
        seen = line.data.get("seen")
        if seen is None:
            raise Wrong(line.n, "head-missing")
        named = from_hex(line.n, seen["hash"], 32)
        if not 0 <= seen["n"] < line.n or self.file.hashes[seen["n"]] != named:
            raise Wrong(line.n, "head-of-another-log")

    def message(self, line: Line, holder: dict[str, Any], giving: bytes, text: str) -> None:
        """An order, or a contribution that came alone; `holder` is who holds the seat, or the umpire."""
        data, n = line.data, line.n
        is_bot, signs, is_order = holder.get("kind") == "bot", "signer" in holder, line.type == "OrderAccepted"
        if data["channel"] not in CHANNELS or (data["channel"] == "bot") is not is_bot:
            raise Wrong(n, "other-channel")
        if is_bot and "seen" in data:
            raise Wrong(n, "head-of-a-bot")
        if "seen" in data or not (is_bot or (data["channel"] == "mail" and not (signs and data["side"] in self.seats))):
            self.head(line)
        if is_order and data["key"] and not is_bot and (not signs or line.is_open):
            seen = self.requests.setdefault((data["side"], data["key"]), data.get("seen"))
            if seen != data.get("seen"):
                raise Wrong(n, "request-differs")
        if is_order and self.rules_changed and not is_bot and data.get("seen", {}).get("n", 0) < self.rules_changed:
            raise Wrong(n, "rules-not-accepted")
        if not signs:
            if "serial" in data or "signature" in data:
                raise Wrong(n, "signature-without-key")
            return
        if data["channel"] == "mail" or "serial" not in data or (line.is_open and "signature" not in data):
            raise Wrong(n, "signature-missing")
        if line.is_sealed and "signature" in line.own:
            raise Wrong(n, "bad-member")
        self.signed(line, data["side"], holder["signer"], giving, text, verifies=line.is_open)
