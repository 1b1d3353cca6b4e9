"""Check a battle file by docs/record-format.md, but for the moves: python -m tests.conformance.second FILE"""

from base64 import b64decode
from typing import Any

from .authority import DISPUTES, Authority
from .chance import Draws, Given, Keys, moments
from .file import BattleFile, Line, Wrong, canonical, frame, is_signed, m

RULES = {
    **dict.fromkeys(("SideJoined", "SideLeft"), "CORE-SIDE"),
    **dict.fromkeys(("ContributionGiven", "KeyDisclosed", "KeysContinued", "MasterRevealed"), "CORE-FAIR"),
    "BattleOpened": "CORE-OPEN",
    "BattleBegan": "CORE-BEGIN",
    "OrderAccepted": "CORE-ORDER",
    "ClockFired": "CORE-CLOCK",
    "RulesChanged": "CORE-RULES",
    "BattleStopped": "CORE-STOP",
    "KeyChanged": "CORE-KEY",
    "Unsealed": "CORE-SEAL",
}
OF_GAMES = {
    "tts": {"BattleOpened": "TTS-TRN-01"},
    "singidunum": {"BattleOpened": "PRG-SEQ-01"},
    "warmaster-shooting": {"BattleOpened": "WMS-SEQ-08", "SideJoined": "WMS-SEQ-08"},
}
DISCLOSURES = ("Unsealed", "KeyDisclosed", "KeysContinued", "MasterRevealed")
INPUTS = frozenset(RULES) - frozenset(DISCLOSURES)
OF_A_SIDE = ("SideJoined", "SideLeft", "ContributionGiven", "OrderAccepted", "ClockFired")
PLAY = "DeckShuffled CardDrawn DieRolled PhaseBegan TurnBegan TurnEnded DecisionAsked DecisionMade DecisionWithdrawn"
REST = "StandingOrderSet SideResigned DrawOffered DrawAccepted DrawDeclined DrawLapsed BattleEnded"
PROTOCOL = frozenset(RULES) | DISPUTES | frozenset(f"{PLAY} {REST}".split())
CHANNELS = ("api", "page", "mail", "cli", "bot")
NOT_ORDINARY = DISPUTES | frozenset(["StandingOrderSet", "DrawOffered", "DrawAccepted", "DrawDeclined", "SideResigned"])
SIGNED_CLOCKS = {"claim": "claim", "pause": "pause accept", "vacation": "", "pause-asked": ""}


def verdict(content: bytes) -> tuple[int, str]:
    """The event and the kind of the first fault; (0, "") without one."""
    try:
        _Check(BattleFile(content)).run()
    except Wrong as wrong:
        return wrong.n, wrong.kind
    return 0, ""


class _Check:
    def __init__(self, file: BattleFile) -> None:
        if not file.events or file.events[0].type != "BattleOpened":
            raise Wrong(1, "opened-late")
        self.file, self.events, self.gid, self.version = file, file.events, file.gid, file.version
        opening = self.events[0].data
        self.seats = sorted(chain[5:] for chain in opening["keys"]["anchors"] if chain.startswith("hand:"))
        starts = [at for at, line in enumerate(self.events) if line.type in INPUTS]
        self.blocks = [self.events[a:b] for a, b in zip(starts, [*starts[1:], len(self.events)], strict=True)]
        self.now = moments(self.blocks)
        self.faults: dict[int, str] = {}
        self._open_sealed()
        self.keys = Keys(file, self.seats)
        self.given = Given(self.gid, self.seats)
        self.draws = Draws(file, self.keys, self.given, self.seats)
        self.authority = Authority(self.version, opening, self.seats)
        self.holders: dict[str, dict[str, Any]] = {}
        self.serials: dict[str, int] = {}
        self.closed: set[int] = set()
        self.order_of: dict[int, int] = {}
        self.has_begun, self.ended, self.rules_changed = False, False, 0

    def _open_sealed(self) -> None:
        for line in self.events:
            if line.type != "Unsealed":
                continue
            n, content = line.own["n"], line.own["content"]
            event = self.events[n - 1]
            scope = event.own.get("scope", "").partition(":")[2].partition("/")[0]
            seat = event.own.get("side") or scope or event.by
            salt = bytes.fromhex(line.own["salt"])
            if m(salt, "sealed", self.gid, self.now[n].t, seat, canonical(content)).hex() != event.own.get("sealed"):
                self.faults[line.n] = "opening-differs"
            else:
                event.data.update(content)

    def run(self) -> None:
        """Raise the first fault."""
        found = [wrong for wrong in (self._claimed(), self._walked()) if wrong is not None]
        if found:
            raise min(found, key=lambda wrong: wrong.n)

    def _claimed(self) -> Wrong | None:
        own = OF_GAMES.get(self.file.header["ruleset"], {})
        if self.events[0].data["ruleset"] != self.file.header["ruleset"]:
            return Wrong(1, "other-game")
        for line in self.events:
            name, _, later = line.type.partition("@")
            if later and name in PROTOCOL:
                return Wrong(line.n, "unknown-type")
            if line.type == "BattleOpened" and line.n > 1:
                return Wrong(line.n, "opened-late")
            if line.by not in (*self.seats, "server", "umpire"):
                return Wrong(line.n, "other-author")
            if line.type in RULES:
                is_host = line.type not in OF_A_SIDE or line.data.get("what") == "deadline"
                if line.by != ("server" if is_host else line.data["side"]):
                    return Wrong(line.n, "other-author")
                if own and line.rule not in (RULES[line.type], own.get(line.type)):
                    return Wrong(line.n, "other-rule")
        return None

    def _walked(self) -> Wrong | None:
        try:
            for at, block in enumerate(self.blocks):
                self._block(at, block)
        except Wrong as wrong:
            return wrong
        return None

    def _block(self, at: int, block: list[Line]) -> None:
        facts = [line for line in block[1:] if line.type not in DISCLOSURES]
        before = self.blocks[at - 1][0] if at else None
        self.authority.began(block, facts, before)
        for line in block:
            for faults in (self.keys.faults, self.faults):
                if line.n in faults:
                    raise Wrong(line.n, faults[line.n])
            if not self.ended:
                self._line(at, line, facts)
            self.authority.check(line)
        if self.ended and block[0].type == "OrderAccepted":
            self._ordered(at, block[0], facts)
        self._duties(block, facts)
        self.draws.block_ended(block[-1].n)

    def _line(self, at: int, line: Line, facts: list[Line]) -> None:
        now, kind = self.now[line.n], line.type
        if kind in OF_A_SIDE and line.data["side"] not in (*self.seats, "umpire"):
            raise Wrong(line.n, "unknown-side")
        if kind == "SideJoined":
            self._joined(line)
        elif kind == "SideLeft":
            self._left(line)
        elif kind == "BattleBegan":
            self._begins(line.n)
        elif kind == "ContributionGiven":
            self._contributed(at, line, facts)
        elif kind == "OrderAccepted":
            self._ordered(at, line, facts)
        elif kind == "ClockFired":
            self._clock(line)
        elif kind == "RulesChanged":
            self.rules_changed = line.n
        elif kind == "CardDrawn":
            self.draws.card(line, now)
        elif kind == "DieRolled":
            self.draws.die(line, now)
        elif kind == "DeckShuffled":
            self.draws.shuffle(line)
        elif kind == "StratagemPlayed":
            self.draws.look(line, now)
        elif kind == "TurnEnded":
            self.draws.turn_ended(line.data["side"])
        elif kind == "Rewound":
            self.draws.rewound(line.data["to"])
            self.given.stale = set(self.seats)

    # --- seats and messages

    def _begins(self, n: int) -> None:
        if self.has_begun:
            raise Wrong(n, "began-twice")
        if len(self.holders) < len(self.seats):
            raise Wrong(n, "began-before-joined")
        self.has_begun = True

    def _joined(self, line: Line) -> None:
        data = line.data
        side, is_sealed = data["side"], data["mode"] == "sealed"
        self.authority.joined(line.n, data, self.has_begun)
        if side in self.holders:
            raise Wrong(line.n, "seat-taken")
        if data["kind"] not in ("person", "bot") or data["mode"] not in ("plain", "sealed"):
            raise Wrong(line.n, "other-seat")
        self.holders[side] = data
        self._own_word(line, f"join {data['name']}")
        if not is_sealed:
            if self.has_begun:
                self.given.stale = set(self.seats)
        elif self.has_begun:
            self.given.waits[side] = set()
            self.given.new_book(line.n, side, bytes.fromhex(data["anchor"]))
        else:
            self.given.book[side] = bytes.fromhex(data["anchor"])

    def _left(self, line: Line) -> None:
        side, _ = line.data["side"], self._holder(line)
        if not (self.has_begun and line.data["reason"] == "substitute" and "serial" not in line.data):
            self._own_word(line, "leave")
        self.authority.left(side)
        del self.holders[side]

    def _clock(self, line: Line) -> None:
        self.authority.clock(line.n, line.data)
        what = line.data["what"]
        if what not in SIGNED_CLOCKS:
            return
        text = SIGNED_CLOCKS[what] or line.data.get("text", "")
        self._own_word(line, text)
        is_bad = what == "vacation" and not _is_vacation(text)
        if self.version > 2 and "signer" in self.holders[line.data["side"]] and is_bad:
            raise Wrong(line.n, "bad-member")

    def _own_word(self, line: Line, text: str) -> None:
        seat = self.holders[line.data["side"]]
        if self.version > 2 and "signer" in seat:
            self._signed(line, line.data["side"], seat["signer"], b"", text)

    def _signed(self, line: Line, seat: str, signer: str, giving: bytes, text: str) -> None:
        """Head, serial and signature of a message of a seat with a key."""
        data = line.data
        if "serial" not in data or "signature" not in data or data.get("channel") == "mail":
            raise Wrong(line.n, "signature-missing")
        self._head(line)
        counted = seat if self.version == 2 or seat == "umpire" else f"{seat} {signer}"
        if data["serial"] <= self.serials.get(counted, 0):
            raise Wrong(line.n, "serial-differs")
        self.serials[counted] = data["serial"]
        seen = data["seen"]
        head = seen["n"], bytes.fromhex(seen["hash"])
        message = frame("signed", self.gid, seat, data["serial"], *head, giving, text)
        if not is_signed(b64decode(signer, validate=True), data["signature"], message):
            raise Wrong(line.n, "player-signature-differs")

    def _head(self, line: Line) -> None:
        seen = line.data.get("seen")
        if seen is None:
            raise Wrong(line.n, "head-missing")
        if not 0 <= seen["n"] < line.n or self.file.hashes[seen["n"]].hex() != seen["hash"]:
            raise Wrong(line.n, "head-of-another-log")

    def _message(self, line: Line, holder: dict[str, Any], giving: bytes, text: str) -> None:
        data = line.data
        is_bot = holder.get("kind") == "bot"
        if data["channel"] not in CHANNELS or (data["channel"] == "bot") is not is_bot:
            raise Wrong(line.n, "other-channel")
        if is_bot and "seen" in data:
            raise Wrong(line.n, "head-of-a-bot")
        if "seen" in data or not (is_bot or (data["channel"] == "mail" and "signer" not in holder)):
            self._head(line)
        is_order = line.type == "OrderAccepted"
        if is_order and self.rules_changed and not is_bot and data.get("seen", {}).get("n", 0) < self.rules_changed:
            raise Wrong(line.n, "rules-not-accepted")
        if "signer" in holder:
            if not line.is_sealed or "text" in data:
                seat = data["side"]
                self._signed(line, seat, holder["signer"], giving, text)
        elif "serial" in data or "signature" in data:
            raise Wrong(line.n, "signature-without-key")

    def _contributed(self, at: int, line: Line, facts: list[Line]) -> None:
        side, holder = line.data["side"], self._holder(line)
        if not self.has_begun:
            raise Wrong(line.n, "contribution-before-start")
        behind = self.blocks[at + 1] if at + 1 < len(self.blocks) else []
        order = behind[0] if behind and behind[0].type == "OrderAccepted" and behind[0].data["side"] == side else None
        now, mode = self.now[line.n], holder["mode"]
        self.given.contributed(line, mode, now, order, order is not None and _is_ordinary(behind), bool(facts))
        if "channel" in line.data:
            self._message(line, holder, _giving(line), "")
        elif {"seen", "serial", "signature"} & line.data.keys():
            raise Wrong(line.n, "bad-member")

    def _holder(self, line: Line) -> dict[str, Any]:
        if line.data["side"] not in self.holders:
            raise Wrong(line.n, "seat-empty")
        return self.holders[line.data["side"]]

    def _ordered(self, at: int, line: Line, facts: list[Line]) -> None:
        data, now = line.data, self.now[line.n]
        brought = self.blocks[at - 1][0]
        is_brought = brought.type == "ContributionGiven" and "channel" not in brought.data
        giving = _giving(brought) if is_brought and brought.data["side"] == data["side"] else b""
        if not self.has_begun:
            raise Wrong(line.n, "order-before-start")
        if not line.is_sealed and not ("text" in data and "command" in data):
            raise Wrong(line.n, "bad-member")
        if data["side"] == "umpire":
            if not self.authority.umpire or data["player"] != self.authority.umpire:
                raise Wrong(line.n, "no-umpire")
            key = {"signer": self.authority.umpire_key} if self.authority.umpire_key else {}
            self._message(line, key, b"", data.get("text", ""))
        else:
            if data["player"] != self._holder(line)["player"]:
                raise Wrong(line.n, "other-player")
            self._message(line, self._holder(line), giving, data.get("text", ""))
        if data["t"] != now.t:
            raise Wrong(line.n, "other-turn")
        if _is_ordinary(self.blocks[at]) and not self.ended:
            self.given.ordinary(line.n, data["side"], now)

    # --- duties

    def _duties(self, block: list[Line], facts: list[Line]) -> None:
        if self.ended:
            self._require_after_the_end(block)
        self.closed |= {line.n for line in block if line.is_sealed}
        self.order_of.update((line.n, block[0].n) for line in block if block[0].type == "OrderAccepted")
        given = [line for line in block if line.type in DISCLOSURES]
        if given and facts and facts[-1].n > given[0].n:
            raise Wrong(given[0].n, "disclosure-early")
        over = next((line for line in facts if line.type == "BattleEnded"), None)
        if over is not None and facts[-1] is not over:
            raise Wrong(over.n + 1, "after-the-end")
        ends = over is not None or block[0].type == "BattleStopped"
        due = self._due(block, facts, ends)
        for place, line in enumerate(given):
            found = line.type, line.data.get({"Unsealed": "n", "KeyDisclosed": "index"}.get(line.type, "generation"), 0)
            if place >= len(due) or found != due[place]:
                if found in due[place:]:
                    raise Wrong(block[-1].n, "disclosure-missing")
                raise Wrong(line.n, "disclosure-not-due")
        if len(given) < len(due):
            raise Wrong(block[-1].n, "disclosure-missing")
        self.closed -= {n for kind, n in due if kind == "Unsealed"}
        self.ended = self.ended or ends

    def _due(self, block: list[Line], facts: list[Line], ends: bool) -> list[tuple[str, int]]:
        if ends:
            return [*(("Unsealed", n) for n in sorted(self.closed)), ("MasterRevealed", 0)]
        named = {n for line in facts for n in (*line.data.get("opens", ()), line.data.get("set_by")) if n is not None}
        named |= {self.order_of.get(n, 0) for n in named}
        begun = range(self.now[block[0].n].index + 1, self.now[block[-1].n + 1].index + 1)
        length = self.keys.length
        return [
            *(("Unsealed", n) for n in sorted(named & self.closed)),
            *(("KeyDisclosed", i - 1) for i in begun),
            *(("KeysContinued", i // length + 1) for i in begun if i % length == length - 1),
        ]

    @staticmethod
    def _require_after_the_end(block: list[Line]) -> None:
        fits = DISPUTES - {"Rewound", "Corrected", "FlagRuled"}
        for line in block:
            is_input = line is block[0] and line.type in ("OrderAccepted", "KeyChanged")
            if not (is_input or (line is not block[0] and line.type in fits)) or line.is_sealed:
                raise Wrong(line.n, "after-the-end")
        if block[0].type == "OrderAccepted" and len(block) == 1:
            raise Wrong(block[0].n, "after-the-end")


def _is_ordinary(block: list[Line]) -> bool:
    if block[0].type != "OrderAccepted":
        return False
    first = next((line for line in block[1:] if line.type != "DrawLapsed"), None)
    if first is None or first.type != "DecisionMade":
        return first is None or first.type not in NOT_ORDINARY
    return first.data["standing"] is True


def _giving(line: Line) -> bytes:
    is_plain = line.data["kind"] == "plain"
    return line.data.get("phrase", "").encode() if is_plain else bytes.fromhex(line.data["value"])


def _is_vacation(text: str) -> bool:
    words = text.split(" ")
    times = words[1:]
    return (
        words[0] == "vacation" and len(times) == 2 and all(one[10:11] == "T" for one in times) and times[0] < times[1]
    )
