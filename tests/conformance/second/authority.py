"""What the host may not do alone (docs/record-format.md 6)."""

import re
from typing import Any

from .file import Line, signer_of
from .lines import Wrong
from .shapes import TYPES
from .substitutes import Silence, Substitutes

SETTLEMENTS = frozenset(
    [
        "UmpireProposed",
        "UmpireNamed",
        "SubstituteAgreed",
        "RemedyOffered",
        "DisputeSettled",
        "RulingGiven",
        "FlagRuled",
        "Rewound",
    ]
) | {"Corrected"}
DISPUTES = SETTLEMENTS | {"DisputeRaised", "DisputeAnswered"}
SET_ALONE = frozenset(TYPES) - {"DecisionWithdrawn"}
DOCKET = re.compile("d[1-9][0-9]*", re.ASCII)
REMEDY = re.compile("none|draw|rewind [1-9][0-9]*|award [a-z][a-z0-9]*", re.ASCII)
KEY = re.compile("[A-Za-z0-9+/]{43}=")
DISPUTE_KINDS = ("rules", "facts", "conduct", "time")
CLOCKS = frozenset(["deadline", "claim", "vacation", "vacation-over", "pause-asked", "pause", "pause-over"])


def spoken(verb: str, *words: object) -> str:
    """A line, without what is empty."""
    return " ".join(str(word) for word in (verb, *words) if word != "")


class Authority:
    """Offers, umpires, substitutes and rulings of one battle; `holders` are the newest holders of the seats."""

    def __init__(self, version: int, opening: dict[str, Any], seats: list[str]) -> None:
        self.version, self.seats, self.opening = version, seats, opening
        self.holders: dict[str, dict[str, Any]] = {}
        self.umpire, self.umpire_key, self.former = "", "", set[str]()
        self.proposed: dict[str, tuple[str, str, int]] = {}
        self.offers: dict[str, dict[str, tuple[str, int]]] = {}
        self.silence = Silence(seats, "pace" in opening)
        self.substitutes = Substitutes(version, self.silence, self.holders)
        self.decided: set[str] = set()
        self.flags: set[str] = set()
        self.orders: list[tuple[int, str, int]] = []
        self.granted: dict[str, str] = {}
        self.block: list[Line] = []

    def began(self, block: list[Line], facts: list[Line], before: Line | None) -> None:
        """A block begins."""
        self.block, self.facts, self.granted, self.ruled = block, facts, {}, set[str]()
        self.awarded: set[str] = set()
        first = block[0]
        is_order = first.type == "OrderAccepted"
        self.order = first.data["side"] if is_order else ""
        self.text = first.own.get("text", "") if is_order else ""
        self.seen = first.own.get("seen", {}).get("n") if is_order else None
        is_of_disputes = any(line.type in DISPUTES for line in facts)
        if is_order and not is_of_disputes:
            brought = before is not None and before.type == "ContributionGiven" and "channel" not in before.own
            self.orders.append((first.n, self.order, (before.n if brought and before else first.n) - 1))
        if is_of_disputes:
            self._require_no_other(first, is_order)

    def _require_no_other(self, first: Line, is_order: bool) -> None:
        is_behind = False
        for line in self.facts:
            is_named = line.type == "UmpireNamed" and first.n == 1
            ends = line.type == "BattleEnded" and line is self.facts[-1]
            if line.type in DISPUTES and not is_order and not is_named:
                raise Wrong(line.n, "mixed-settlement")
            follows = is_behind and line.type in ("TurnEnded", "TurnBegan")
            if line.type not in DISPUTES and is_order and not ends and not follows:
                raise Wrong(line.n, "mixed-settlement")
            is_behind = is_behind or line.type == "Corrected"

    def check(self, line: Line) -> None:
        """A fact of the block."""
        if line.by == "umpire" and self.order != "umpire":
            raise Wrong(line.n, "no-umpire")
        if line.type in DISPUTES and line.by not in (self.order or "server", "server"):
            raise Wrong(line.n, "other-author")
        docket = line.data.get("docket", "d1") if line.type in DISPUTES else "d1"
        if docket and not DOCKET.fullmatch(docket):
            raise Wrong(line.n, "no-authority")
        check = getattr(self, "_" + line.type, None)
        if check is not None and check(line.n, line.data) is False:
            raise Wrong(line.n, "no-authority")

    def _says(self, verb: str, *words: object) -> bool:
        return self.text == spoken(verb, *words)

    def _others(self, said: dict[str, Any]) -> Any:
        found = [one for side, one in said.items() if side != self.order]
        newest = max(found, key=lambda one: one[-1], default=None)
        return newest if newest is None or self.seen is None or newest[-1] <= self.seen else None

    def _BattleEnded(self, n: int, data: dict[str, Any]) -> bool:
        if not any(line.type in DISPUTES for line in self.facts):
            return True
        found = {re.sub("^(award |draw$)", "", one) for one in self.granted.values() if one[:5] in ("award", "draw")}
        return data["winner"] in found | self.awarded

    def _DisputeRaised(self, n: int, data: dict[str, Any]) -> bool:
        text, remedy, kind = data.get("text", ""), data.get("remedy", ""), data.get("kind", "")
        if self.order != data["side"]:
            return False
        if kind != "takeback":
            is_right = kind in DISPUTE_KINDS and data["about"] > 0 and not remedy
            return is_right and self._says("dispute", data["about"], kind, text)
        last = next((one for one in reversed(self.orders) if one[1] == data["side"]), (0, "", 0))
        return self._says("takeback", text) and (data["about"], remedy) == (last[0], f"rewind {last[2]}")

    def _DisputeAnswered(self, n: int, data: dict[str, Any]) -> bool:
        verb = {None: "answer", True: "halt", False: "go on"}[data.get("halt")]
        says = self._says(verb, data["docket"], data.get("text", ""))
        return says and data.get("by") == self.order

    def _UmpireProposed(self, n: int, data: dict[str, Any]) -> bool:
        wanted = data["player"], data.get("signer", "")
        newest = self._others(self.proposed)
        agrees = self.text == "agree umpire" and newest is not None and newest[:2] == wanted
        is_right = self.order == data["side"] and self.order in self.seats and (self._says("umpire", *wanted) or agrees)
        self.proposed[data["side"]] = (*wanted, n)
        if is_right and KEY.fullmatch(wanted[1]):
            self._signer(n, data)
        return is_right and (not wanted[1] or KEY.fullmatch(wanted[1]) is not None)

    def _UmpireNamed(self, n: int, data: dict[str, Any]) -> bool:
        wanted = data["player"], data.get("signer", "")
        if data["how"] == "agreement":
            is_right = all(self.proposed.get(seat, ("", "", 0))[:2] == wanted for seat in self.seats)
            if self.order not in self.seats or not is_right:
                return False
        elif data["how"] != "opening" or self.block[0].n != 1 or self.umpire:
            return False
        if not wanted[0] or any(holder["player"] == wanted[0] for holder in self.holders.values()):
            raise Wrong(n, "umpire-plays")
        self._signer(n, data)
        persons = [one for seat, one in self.holders.items() if seat in self.taken and one["kind"] == "person"]
        all_sign = (bool(persons) or data["how"] == "opening") and all("signer" in one for one in persons)
        if self.version > 2 and not wanted[1] and all_sign and not self.opening.get("unsigned_umpire"):
            raise Wrong(n, "umpire-unsigned")
        self.umpire, self.umpire_key = wanted
        self.substitutes.umpire_named(bool(wanted[1]))
        self.former.add(wanted[0])
        return True

    def _signer(self, n: int, data: dict[str, Any]) -> None:
        if "signer" in data:
            if self.version == 2:
                raise Wrong(n, "bad-member")
            signer_of(n, data["signer"])

    def _SubstituteAgreed(self, n: int, data: dict[str, Any]) -> bool:
        seat = data.get("seat", "")
        is_right = self.order == data["side"] and self._says("substitute", seat, data["player"])
        if not is_right or (seat and seat not in self.seats):
            return False
        self.substitutes.agreed(next(line for line in self.block if line.n == n))
        return True

    def _RemedyOffered(self, n: int, data: dict[str, Any]) -> bool:
        docket, remedy, text = data["docket"], data["remedy"], data.get("text", "")
        newest = self._others(self.offers.get(docket, {}))
        raised = [line.data for line in self.facts if line.type == "DisputeRaised" and line.n < n]
        takes_back = any(
            (one["docket"], one.get("remedy"), one.get("kind")) == (docket, remedy, "takeback") for one in raised
        )
        is_said = (
            self._says("offer", docket, remedy, text)
            or (self._says("agree", docket) and newest is not None and newest[0] == remedy and not text)
            or (takes_back and not text)
        )
        self.offers.setdefault(docket, {})[data["side"]] = remedy, n
        return self._is_remedy(remedy) and is_said and self.order == data["side"] and self.order in self.seats

    def _is_remedy(self, remedy: str) -> bool:
        side = remedy.removeprefix("award ")
        return REMEDY.fullmatch(remedy) is not None and (side == remedy or side in self.seats)

    def _DisputeSettled(self, n: int, data: dict[str, Any]) -> bool:
        docket, how = data["docket"], data["how"]
        offers = self.offers.pop(docket, {})
        if how == "agreed":
            remedy = offers.get(self.order, ("", 0))[0]
            newest = self._others(offers)
            agrees = self._says("agree", docket) and newest is not None and newest[0] == remedy
            repeats = self.text.startswith(spoken("offer", docket, remedy))
            is_equal = all(offers.get(seat, ("", 0))[0] == remedy for seat in self.seats)
            is_right = self.order in self.seats and is_equal and docket not in self.decided and (agrees or repeats)
            self.decided.add(docket)
            self.granted[docket] = remedy
            return is_right
        verb = {"withdrawn": "withdraw", "declined": "decline"}.get(how, "")
        if verb:
            return self.order in self.seats and self._says(verb, docket)
        is_lapsed = how == "lapsed" and any(line.type == "Rewound" and line.n < n for line in self.facts)
        return is_lapsed or (how == "ruled" and docket in self.ruled)

    def _RulingGiven(self, n: int, data: dict[str, Any]) -> bool:
        docket, effect = data["docket"], data["effect"]
        is_right = self._says("rule", docket, effect, data["ruling"]) and docket not in self.decided
        self.decided.add(docket)
        self.ruled.add(docket)
        self.granted[docket] = effect
        return self.order == "umpire" and is_right and (effect == "correct" or self._is_remedy(effect))

    def _FlagRuled(self, n: int, data: dict[str, Any]) -> bool:
        side, effect = data["side"], data["effect"]
        behind = [line.type for line in self.facts if line.n > n]
        winners = {"draw": [""], "lost": [seat for seat in self.seats if seat != side], "more": []}.get(effect)
        self.awarded = {*(winners or ())}
        says = self._says("flag", side, effect, data.get("ruling", ""))
        is_right = behind == ([] if effect == "more" else ["BattleEnded"])
        return winners is not None and self.order == "umpire" and says and self.facts[0].n == n and is_right

    def flag(self, n: int, side: str) -> None:
        """An umpire rules on a flag."""
        if "pace" not in self.opening:
            raise Wrong(n, "no-clock")
        if side not in self.seats:
            raise Wrong(n, "unknown-side")
        if side not in self.flags:
            raise Wrong(n, "flag-not-fallen")

    def _Rewound(self, n: int, data: dict[str, Any]) -> bool:
        self.orders = [one for one in self.orders if one[0] <= data["to"]]
        return self.granted.pop(data.get("docket", ""), "") == f"rewind {data['to']}"

    def _Corrected(self, n: int, data: dict[str, Any]) -> bool:
        if self.granted.pop(data["docket"], "") != "correct":
            return False
        if any(kind.partition("@")[0] in SET_ALONE for kind, _ in data["facts"]):
            raise Wrong(n, "not-correctable")
        return True

    # --- inputs

    @property
    def taken(self) -> set[str]:
        """The seats that somebody holds."""
        return self.substitutes.taken

    def joined(self, line: Line, has_begun: bool) -> None:
        """Somebody takes a seat."""
        if line.data.get("player") in self.former:
            raise Wrong(line.n, "umpire-plays")
        if has_begun and line.data.get("player"):
            self.substitutes.joined(line)

    def clock(self, n: int, data: dict[str, Any]) -> None:
        """Something of the clocks."""
        what, side = data["what"], data["side"]
        if "pace" not in self.opening:
            raise Wrong(n, "no-clock")
        if side not in self.seats:
            raise Wrong(n, "unknown-side")
        if what not in CLOCKS:
            raise Wrong(n, "bad-member")
        if what == "deadline":
            self.flags.add(side)
        if what == "claim":
            if not self.flags >= {*self.seats} - {side}:
                raise Wrong(n, "no-flag")
            if [line.type for line in self.facts] != ["BattleEnded"]:
                raise Wrong(n, "clock-without-end")
            ended = self.facts[0].data
            if (ended["winner"], ended["how"]) != (side, "time") or "shares" in ended:
                raise Wrong(self.facts[0].n, "mixed-clock")
        elif self.facts:
            raise Wrong(self.facts[0].n, "mixed-clock")
