"""What the host may not do alone (docs/record-format.md 6)."""

import re
from typing import Any

from .file import Line, Wrong

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
        self.agreed: list[tuple[str, str, str]] = []  # who agrees, to whom, for which seat
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
            return not remedy and self._says("dispute", data["about"], kind, text)
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
        return is_right

    def _UmpireNamed(self, n: int, data: dict[str, Any]) -> bool:
        wanted = data["player"], data.get("signer", "")
        if data["how"] == "agreement":
            is_right = all(self.proposed.get(seat, ("", "", 0))[:2] == wanted for seat in self.seats)
            if self.order not in self.seats or not is_right:
                return False
        elif data["how"] != "opening" or self.block[0].n != 1 or self.umpire:
            return False
        if any(holder["player"] == wanted[0] for holder in self.holders.values()):
            raise Wrong(n, "umpire-plays")
        persons = [one for one in self.holders.values() if one["kind"] == "person"]
        all_sign = all("signer" in one for one in persons)
        if self.version > 2 and not wanted[1] and all_sign and not self.opening.get("unsigned_umpire"):
            raise Wrong(n, "umpire-unsigned")
        self.umpire, self.umpire_key = wanted
        self.former.add(wanted[0])
        return True

    def _SubstituteAgreed(self, n: int, data: dict[str, Any]) -> bool:
        seat = data.get("seat", "")
        self.agreed.append((data["side"], data["player"], seat))
        return self.order == data["side"] and self._says("substitute", seat, data["player"])

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
        return is_said and self.order == data["side"] and self.order in self.seats

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
        return self.order == "umpire" and is_right

    def _FlagRuled(self, n: int, data: dict[str, Any]) -> bool:
        side, effect = data["side"], data["effect"]
        if "pace" not in self.opening or side not in self.flags:
            raise Wrong(n, "no-flag")
        self.awarded = {""} if effect == "draw" else {seat for seat in self.seats if seat != side}
        return (
            self.order == "umpire" and self._says("flag", side, effect, data.get("ruling", "")) and self.facts[0].n == n
        )

    def _Rewound(self, n: int, data: dict[str, Any]) -> bool:
        self.orders = [one for one in self.orders if one[0] <= data["to"]]
        return self.granted.pop(data.get("docket", ""), "") == f"rewind {data['to']}"

    def _Corrected(self, n: int, data: dict[str, Any]) -> bool:
        return self.granted.pop(data["docket"], "") == "correct"

    # --- inputs

    def joined(self, n: int, data: dict[str, Any], has_begun: bool) -> None:
        """Somebody takes a seat."""
        side, player = data["side"], data["player"]
        if player in self.former:
            raise Wrong(n, "umpire-plays")
        if has_begun and data["kind"] == "person":
            newest = {who: (whom, seat) for who, whom, seat in self.agreed}
            persons = [seat for seat, one in self.holders.items() if seat != side and one["kind"] == "person"]
            named = {who for who, (whom, seat) in newest.items() if whom == player and seat in ("", side)}
            if persons and "umpire" not in named and not named.issuperset(persons):
                raise Wrong(n, "substitute-not-agreed")
            self.agreed = [one for one in self.agreed if one[1] != player and one[2] != side]
        self.holders[side] = data

    def left(self, side: str) -> None:
        """Somebody gives a seat back: what they agreed to lapses."""
        self.agreed = [one for one in self.agreed if one[0] != side or one[2] == side]

    def clock(self, n: int, data: dict[str, Any]) -> None:
        """Something of the clocks."""
        what, side = data["what"], data["side"]
        if "pace" not in self.opening:
            raise Wrong(n, "no-clock")
        if what not in CLOCKS:
            raise Wrong(n, "bad-member")
        if what == "deadline":
            self.flags.add(side)
        if what == "claim":
            if not self.flags - {side}:
                raise Wrong(n, "no-flag")
            if [line.type for line in self.facts] != ["BattleEnded"]:
                raise Wrong(n, "clock-without-end")
            if (self.facts[0].data["winner"], self.facts[0].data["how"]) != (side, "time"):
                raise Wrong(self.facts[0].n, "mixed-clock")
        elif self.facts:
            raise Wrong(self.facts[0].n, "mixed-clock")
