"""Check a battle file by docs/record-format.md, but for the moves: python -m tests.conformance.second FILE"""

from datetime import datetime, timedelta
from typing import Any

from .authority import DISPUTES, Authority
from .chance import Given, Keys, moments
from .draws import Draws
from .duties import DISCLOSURES, Duties
from .file import BattleFile, Line, OtherVersion, from_hex, m, signer_of
from .lines import Wrong, canonical, is_player, is_time
from .messages import Messages
from .opening import require_opening
from .shapes import Sealing, require_shapes

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
INPUTS = frozenset(RULES) - frozenset(DISCLOSURES)
OF_A_SIDE = ("SideJoined", "SideLeft", "ContributionGiven", "OrderAccepted", "ClockFired")
NOT_ORDINARY = DISPUTES | frozenset(["StandingOrderSet", "DrawOffered", "DrawAccepted", "DrawDeclined", "SideResigned"])
SIGNED_CLOCKS = {"claim": "claim", "pause": "pause accept", "vacation": "", "pause-asked": ""}


def verdict(content: bytes) -> tuple[int, str]:
    """The event and the kind of the first fault; (0, "") without one, or if the file is of another version."""
    try:
        _Check(BattleFile(content)).run()
    except Wrong as wrong:
        return wrong.n, wrong.kind
    except OtherVersion:
        pass
    return 0, ""


class _Check:
    def __init__(self, file: BattleFile) -> None:
        self.file, self.events, self.gid, self.version = file, file.events, file.gid, file.version
        require_shapes(self.events, file.header["ruleset"], file.header["rules"])
        opening = self.events[0].own
        chains = opening.get("keys", {}).get("anchors", {})
        hands = sorted(chain[5:] for chain in chains if chain.startswith("hand:"))
        is_ours = file.header["ruleset"] in OF_GAMES or not 2 <= len(hands) <= 8
        self.seats = ["north", "south"] if is_ours else hands
        self.authority = Authority(self.version, opening, self.seats)
        self.taken, self.held = self.authority.taken, self.authority.holders
        self.messages = Messages(file, self.seats)
        self.faults: dict[int, str] = {}
        self.has_begun = False
        self.duties = Duties()
        self.rules = file.header["rules"]

    def _prepare(self) -> None:
        """What must be known before the first event is judged."""
        require_opening(self.file, self.seats)
        starts = [at for at, line in enumerate(self.events) if line.type in INPUTS]
        self.blocks = [self.events[a:b] for a, b in zip(starts, [*starts[1:], len(self.events)], strict=True)]
        self.now, self.lost = moments(self.blocks, self.seats)
        self.keys = Keys(self.file, self.seats, max(now.index for now in self.now.values()))
        self.sealing = Sealing(self.file.header["ruleset"], self.events[0].own)
        self._open_sealed()
        self.given = Given(self.file, self.seats)
        self.draws = Draws(self.file, self.keys, self.given, self.seats)

    def _open_sealed(self) -> None:
        sealed: dict[int, bytes] = {}
        opened: set[int] = set()
        for line in self.events:
            try:
                if line.n in self.now and line.is_sealed:
                    commitment = from_hex(line.n, line.own["sealed"], 32)
                    if not self.sealing.allows(line, self.now[line.n].t):
                        raise Wrong(line.n, "may-not-be-sealed")
                    sealed[line.n] = commitment
                elif line.n in self.now and line.type == "Unsealed":
                    self._unseal(line, sealed, opened)
            except Wrong as wrong:
                self.faults[wrong.n] = wrong.kind

    def _unseal(self, line: Line, sealed: dict[int, bytes], opened: set[int]) -> None:
        n, content = line.own["n"], line.own["content"]
        if n not in sealed or n in opened:
            raise Wrong(line.n, "opened-twice" if n in opened else "not-sealed")
        event, t = self.events[n - 1], self.now[n].t
        side, scope = event.own.get("side"), event.own.get("scope", "")
        of_scope = scope.partition(":")[2].partition("/")[0] if isinstance(scope, str) else ""
        seat = side if isinstance(side, str) and side else of_scope or event.by
        found = m(from_hex(line.n, line.own["salt"], 32), "sealed", self.gid, t, seat, canonical(content))
        if found != sealed[n]:
            raise Wrong(line.n, "commitment-differs")
        if not self.sealing.allows(event, t, content):
            raise Wrong(line.n, "content-differs")
        opened.add(n)
        event.data.update(content)
        event.is_open = True

    def run(self) -> None:
        """Raise the first fault."""
        found = [wrong for wrong in (self._claimed(), self._walked()) if wrong is not None]
        if found:
            raise min(found, key=lambda wrong: wrong.n)

    def _claimed(self) -> Wrong | None:
        own = OF_GAMES.get(self.file.header["ruleset"], {})
        if self.events[0].data.get("ruleset") != self.file.header["ruleset"]:
            return Wrong(1, "other-game")
        for line in self.events:
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
            self._prepare()
            for at, block in enumerate(self.blocks):
                self._block(at, block)
            if self.duties.ended and not self.file.is_signed:
                raise Wrong(len(self.events), "unsigned")
        except Wrong as wrong:
            return wrong
        return None

    def _block(self, at: int, block: list[Line]) -> None:
        facts = [line for line in block[1:] if line.type not in DISCLOSURES]
        before = self.blocks[at - 1][0] if at else None
        self.authority.began(block, facts, before)
        self.draws.block = block[0].n
        for line in block:
            for faults in (self.keys.faults, self.faults):
                if line.n in faults:
                    raise Wrong(line.n, faults[line.n])
            if self.lost is not None and self.lost.n == line.n:
                raise self.lost
            if not self.duties.ended:
                self._line(at, line, facts)
            self.authority.check(line)
        if self.duties.ended and block[0].type in ("OrderAccepted", "KeyChanged"):
            self._line(at, block[0], facts)
        begun = range(self.now[block[0].n].index + 1, self.now[block[-1].n + 1].index + 1)
        self.duties.check(block, facts, begun, self.keys.length)
        self.draws.block_ended(block[-1].n)
        self.authority.silence.passed(block[0], facts)

    def _line(self, at: int, line: Line, facts: list[Line]) -> None:
        kind = line.type
        if kind == "BattleOpened":
            if line.data.get("unsigned_umpire", True) is not True or (
                "unsigned_umpire" in line.data and self.version == 2
            ):
                raise Wrong(line.n, "bad-member")
        elif kind == "SideJoined":
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
        elif kind == "FlagRuled":
            self.authority.flag(line.n, line.data["side"])
        elif kind == "RulesChanged":
            if line.data["from"] != self.rules:
                raise Wrong(line.n, "rules-not-in-force")
            self.rules, self.messages.rules_changed = line.data["to"], line.n
        elif kind == "BattleStopped":
            self._stopped(line, facts)
        else:
            self._played(at, line)

    def _played(self, at: int, line: Line) -> None:
        """A draw, or what matters to the piles."""
        now, kind = self.now[line.n], line.type
        if kind == "CardDrawn":
            self.draws.card(line, now)
        elif kind == "DieRolled":
            self.draws.die(line, now)
        elif kind == "DeckShuffled":
            self.draws.shuffle(line)
        elif kind == "StratagemPlayed" and self.file.header["ruleset"] == "tts":
            hides = line.is_sealed and not line.is_open and self.sealing.hides(line, now.t, "shown")
            self.draws.look(line, now, hides)
        elif kind == "TurnEnded":
            self.draws.turn_ended(line.data["side"])
        elif kind == "Rewound":
            if self.version > 2:
                self._require_entry_behind(at, line.n)
            self.draws.rewound(line.data["to"])
            self.given.stale = set(self.seats)

    def _require_entry_behind(self, at: int, n: int) -> None:
        """The side whose line takes play back brings its entry at once."""
        order = self.blocks[at][0]
        if order.type != "OrderAccepted" or order.data["side"] not in self.seats:
            return
        entry = self.blocks[at + 1][0] if at + 1 < len(self.blocks) else order
        is_entry = entry.type == "ContributionGiven" and "channel" in entry.data
        if not is_entry or entry.data["side"] != order.data["side"]:
            raise Wrong(n, "entry-missing")

    def _stopped(self, line: Line, facts: list[Line]) -> None:
        hows = ("stopped",) if self.has_begun else ("stopped", "cancelled")
        if line.data["how"] not in hows:
            raise Wrong(line.n, "bad-member")
        if facts:
            raise Wrong(facts[0].n, "after-the-stop")
        self.duties.is_stopped = True

    # --- seats and messages

    def _begins(self, n: int) -> None:
        if self.has_begun:
            raise Wrong(n, "began-twice")
        if len(self.taken) < len(self.seats):
            raise Wrong(n, "began-before-joined")
        self.has_begun = self.given.has_begun = True

    def _joined(self, line: Line) -> None:
        n, data = line.n, line.data
        self.authority.joined(line, self.has_begun)
        side, is_bot, is_sealed = data["side"], data.get("kind") == "bot", data.get("mode") == "sealed"
        for kind, is_wrong in (
            ("unknown-side", side not in self.seats),
            ("seat-taken", side in self.taken),
            ("other-seat", data.get("kind") not in ("person", "bot") or data.get("mode") not in ("plain", "sealed")),
            ("bad-player", not is_player(data.get("player"))),
            ("bad-member", data.get("operator", True) is not True),
            ("bad-member", data.get("program", True) is not True or ("program" in data and is_bot)),
            ("anchor-of-other-seat", is_sealed is not ("anchor" in data)),
            ("bad-member", is_bot and "signer" in data),
        ):
            if is_wrong:
                raise Wrong(n, kind)
        anchor = from_hex(n, data["anchor"], 16) if is_sealed else b""
        if "signer" in data:
            signer_of(n, data["signer"])
        self.held[side] = data
        self.taken.add(side)
        self._own_word(line, f"join {data['name']}", is_join=True)
        self.given.joined(n, side, anchor)

    def _left(self, line: Line) -> None:
        side, _ = line.data["side"], self._holder(line)
        is_bare = not {"seen", "serial", "signature", "text"} & line.data.keys()
        if not (self.has_begun and line.data["reason"] == "substitute" and self.version > 2 and is_bare):
            self._own_word(line, "leave")
        self.taken.discard(side)
        if self.has_begun:
            self.authority.substitutes.left(line)

    def _clock(self, line: Line) -> None:
        self.authority.clock(line.n, line.data)
        what = line.data["what"]
        if what not in SIGNED_CLOCKS or self.version == 2:
            self.messages.require_bare(line, "wrong-data" if self.version == 2 else "bad-member")
            return
        holder, worded = self._holder(line), SIGNED_CLOCKS[what] == ""
        text = SIGNED_CLOCKS[what] or line.data.get("text", "")
        self._own_word(line, text)
        is_right = _is_line(what, text) if worded else "text" not in line.data
        if "signer" in holder and not is_right:
            raise Wrong(line.n, "bad-member")

    def _own_word(self, line: Line, text: str, is_join: bool = False) -> None:
        seat = self._holder(line)
        if self.version == 2:
            self.messages.require_bare(line, "wrong-data")
        elif "signer" not in seat:
            self.messages.require_bare(line, "signature-without-key")
        else:
            if "serial" not in line.data or "signature" not in line.data:
                raise Wrong(line.n, "signature-missing")
            self.messages.head(line)
            self.messages.signed(line, line.data["side"], seat["signer"], b"", text, is_join)

    def _contributed(self, at: int, line: Line, facts: list[Line]) -> None:
        side, holder = line.data["side"], self._holder(line)
        if not self.has_begun:
            raise Wrong(line.n, "contribution-before-start")
        behind = self.blocks[at + 1] if at + 1 < len(self.blocks) else []
        order = behind[0] if behind and behind[0].type == "OrderAccepted" and behind[0].data["side"] == side else None
        now, mode = self.now[line.n], holder["mode"]
        self.given.contributed(line, mode, now, order, order is not None and _is_ordinary(behind), bool(facts))
        if "channel" in line.data:
            self.messages.message(line, holder, _giving(line), "")
        elif {"seen", "serial", "signature"} & line.data.keys():
            raise Wrong(line.n, "bad-member")

    def _holder(self, line: Line) -> dict[str, Any]:
        if line.data["side"] not in self.seats:
            raise Wrong(line.n, "unknown-side")
        if line.data["side"] not in self.taken:
            raise Wrong(line.n, "seat-empty")
        return self.held[line.data["side"]]

    def _ordered(self, at: int, line: Line, facts: list[Line]) -> None:
        data, now = line.data, self.now[line.n]
        brought = self.blocks[at - 1][0]
        is_brought = brought.type == "ContributionGiven" and "channel" not in brought.data
        giving = _giving(brought) if is_brought and brought.data["side"] == data["side"] else b""
        if not self.has_begun:
            raise Wrong(line.n, "order-before-start")
        if not 1 <= data["line"] < 1 << 32:
            raise Wrong(line.n, "bad-member")
        whole = isinstance(data.get("text"), str) and isinstance(data.get("command"), dict)
        if line.is_open and not whole:
            raise Wrong(line.n, "bad-member")
        if data["side"] == "umpire":
            if not self.authority.umpire or data["player"] != self.authority.umpire:
                raise Wrong(line.n, "no-umpire")
            key = {"signer": self.authority.umpire_key} if self.authority.umpire_key else {}
            self.messages.message(line, key, b"", data.get("text", ""))
        else:
            if data["player"] != self._holder(line)["player"]:
                raise Wrong(line.n, "other-player")
            self.messages.message(line, self._holder(line), giving, data.get("text", ""))
        if data["t"] != now.t:
            raise Wrong(line.n, "other-turn")
        self.given.signed(line)
        if _is_ordinary(self.blocks[at]) and not self.duties.ended:
            self.given.ordinary(line.n, data["side"], now)


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


def _is_line(what: str, text: str) -> bool:
    """Whether a text is `pause Nd`, or a vacation of fourteen days at most."""
    verb, *words = text.split(" ")
    if what == "pause-asked":
        days = words[0][:-1] if len(words) == 1 else ""
        return verb == "pause" and words[0][-1:] == "d" and days.isdecimal() and days[0] != "0" and len(days) < 3
    if verb != "vacation" or len(words) != 2 or not all(is_time(one) for one in words):
        return False
    begins, ends = (datetime.fromisoformat(one[:-1]) for one in words)
    return begins < ends <= begins + timedelta(days=14)
