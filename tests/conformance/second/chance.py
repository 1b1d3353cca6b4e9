"""Periods, keys, contributions and draws (docs/record-format.md 4)."""

import hmac
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from .file import BattleFile, Line, Wrong, h, m

SUITS, TEN = "cdhs", range(1, 11)
OWN = [f"{value}{suit}{pack}" for value in TEN for suit in SUITS for pack in "12"]
INDEPENDENT = [f"{value}x0" for value in TEN]
TERRAIN = [f"{value}{suit}" for value in ["A", *range(2, 11), "J", "Q", "K"] for suit in SUITS]
STRATAGEM = [*(value + suit for value in "JQK" for suit in SUITS), "X1", "X2"]


class Now:
    """The moment before an event: `index` of the period, `t`, `mover`, `by_turn` if a turn has begun the period."""

    def __init__(self, index: int = 0, t: int = 0, mover: str = "", by_turn: bool = False, rewinds: int = 0) -> None:
        self.index, self.t, self.mover, self.by_turn, self.rewinds = index, t, mover, by_turn, rewinds


def moments(blocks: list[list[Line]]) -> dict[int, Now]:
    """Of each event the moment before it; of the number behind the last one the end."""
    now, found = Now(), {}
    stack: list[tuple[int, int, str]] = []
    for block in blocks:
        for line in block:
            found[line.n] = now
            if line.type == "TurnBegan":
                now = Now(now.index + 1, now.t + 1, line.data["side"], True, now.rewinds)
            if line.type == "Rewound":
                while stack and stack[-1][0] > line.data["to"]:
                    stack.pop()
                if not stack or stack[-1][0] != line.data["to"]:
                    raise Wrong(line.n, "rewound-to-nowhere")
                now = Now(now.index + 1, stack[-1][1], stack[-1][2], False, now.rewinds + 1)
        stack.append((block[-1].n, now.t, now.mover))
        found[block[-1].n + 1] = now
    return found


class Keys:
    """The keys of the host that a file discloses, with the faults of the events that do so wrongly."""

    def __init__(self, file: BattleFile, seats: list[str]) -> None:
        self.gid, self.faults = file.gid, dict[int, str]()
        opening = file.events[0].data["keys"]
        self.length: int = opening["length"]
        self.anchors: list[Mapping[str, str]] = [opening["anchors"]]
        self.public: dict[int, bytes] = {}
        self.master = b""
        if sorted(self.anchors[0]) != [*(f"hand:{seat}" for seat in seats), "public"]:
            self.faults[1] = "chains-differ"
        parts = [part for name in sorted(self.anchors[0]) for part in (name, bytes.fromhex(self.anchors[0][name]))]
        if h("commitment", self.gid, self.length, *parts).hex() != file.events[0].data["commitment"]:
            self.faults[1] = "anchors-differ"
        for line in file.events:
            self._read(line)

    def _read(self, line: Line) -> None:
        if line.type == "KeysContinued":
            if line.data["generation"] != len(self.anchors):
                self.faults[line.n] = "generation-differs"
            else:
                self.anchors.append(line.data["anchors"])
        elif line.type == "KeyDisclosed":
            key, index = bytes.fromhex(line.data["key"]), line.data["index"]
            generation, place = divmod(index, self.length)
            if generation >= len(self.anchors):
                self.faults[line.n] = "keys-not-bound"
                return
            before = self.public.get(index - 1) if place else bytes.fromhex(self.anchors[generation]["public"])
            if h("key", self.gid, "public", generation, key) != before:
                self.faults[line.n] = "key-differs"
            else:
                self.public.setdefault(index, key)
        elif line.type == "MasterRevealed":
            self._reveal(line.n, bytes.fromhex(line.data["master"]))

    def _reveal(self, n: int, master: bytes) -> None:
        for generation, anchors in enumerate(self.anchors):
            for chain, anchor in anchors.items():
                if self._element(master, chain, generation, -1).hex() != anchor:
                    self.faults[n] = "master-differs"
                    return
        self.master = master

    def _element(self, master: bytes, chain: str, generation: int, place: int) -> bytes:
        """Element `place` of a chain, its anchor with -1."""
        key = m(master, "top", self.gid, chain, generation)
        for _ in range(self.length - 1 - place):
            key = h("key", self.gid, chain, generation, key)
        return key

    def of(self, scope: str, index: int) -> bytes | None:
        """The key of a period for a scope, None if it is not disclosed."""
        chain = scope if scope.startswith("hand:") else "public"
        if self.master:
            return self._element(self.master, chain, *divmod(index, self.length))
        return self.public.get(index) if chain == "public" else None


class Stream:
    """The words of a seed."""

    def __init__(self, seed: bytes) -> None:
        self.seed, self.words, self.block = seed, list[int](), 0

    def below(self, n: int) -> int:
        """The next number below n."""
        while True:
            if not self.words:
                tag = b"pbem/2 stream" + self.block.to_bytes(8, "big")
                octets = hmac.digest(self.seed, tag, "sha256")
                self.words = [int.from_bytes(octets[at : at + 8], "big") for at in range(0, 32, 8)]
                self.block += 1
            word = self.words.pop(0)
            if word < (1 << 64) - (1 << 64) % n:
                return word % n


class Given:
    """What the seats have contributed."""

    def __init__(self, gid: str, seats: list[str]) -> None:
        self.gid, self.seats = gid, seats
        self.newest: dict[str, bytes] = {}
        self.stale = set(seats)
        self.book: dict[str, bytes] = {}
        self.waits: dict[str, set[str]] = {seat: set() for seat in seats}
        self.entered: dict[str, int] = {}
        self.ordered: dict[str, int] = {}
        self.drawn = -1

    def new_book(self, n: int, side: str, anchor: bytes) -> None:
        """A seat begins another book."""
        if any(side in waits for waits in self.waits.values()):
            raise Wrong(n, "book-too-early")
        others = set(self.seats) - {side}
        self.stale |= others
        self.waits[side] = others
        self.book[side] = anchor

    def contributed(
        self, line: Line, mode: str, now: Now, order: Line | None, is_ordinary: bool, has_facts: bool
    ) -> None:
        """A contribution; `order` is that of its side which begins the next block."""
        n, side, kind, t = line.n, line.data["side"], line.data["kind"], line.data["t"]
        alone = "channel" in line.data
        if kind not in (("seal", "reanchor") if mode == "sealed" else ("plain",)):
            raise Wrong(n, "contribution-of-other-kind")
        if not alone and order is None:
            raise Wrong(n, "contribution-without-order")
        value = bytes.fromhex(line.data["value"])
        if kind == "reanchor":
            if t != now.t:
                raise Wrong(n, "other-turn")
            if h("seal", self.gid, side, value)[:16] == self.book[side]:
                raise Wrong(n, "seal-as-book")
            self.new_book(n, side, value)
            return
        is_entry = side in self.stale
        if is_entry:
            if t != (0 if alone and side not in self.newest else now.t):
                raise Wrong(n, "other-turn")
        else:
            self._in_turn(n, side, t, now, not alone and is_ordinary and not has_facts)
        if kind == "seal":
            if self.waits[side]:
                raise Wrong(n, "seal-too-early")
            if h("seal", self.gid, side, value)[:16] != self.book[side]:
                raise Wrong(n, "seal-not-of-chain")
            self.book[side] = value
        else:
            text = order.own.get("text", "") if order else ""
            phrase = line.data.get("phrase", "")
            texts = {text, ""} if is_entry else {text}
            if not any(h("plain", self.gid, t, side, phrase, one) == value for one in texts):
                raise Wrong(n, "contribution-differs")
        self.newest[side] = value
        self.stale.discard(side)
        if t == now.t:
            self.entered[side] = now.index
        for waits in self.waits.values():
            waits.discard(side)

    def _in_turn(self, n: int, side: str, t: int, now: Now, is_right_order: bool) -> None:
        if not now.by_turn or side != now.mover:
            raise Wrong(n, "contribution-out-of-turn")
        if t != now.t:
            raise Wrong(n, "other-turn")
        if now.index in (self.entered.get(side), self.ordered.get(side)):
            raise Wrong(n, "contribution-twice")
        if not is_right_order:
            raise Wrong(n, "contribution-without-order")
        if self.drawn == now.index:
            raise Wrong(n, "contribution-after-draw")

    def ordinary(self, n: int, side: str, now: Now) -> None:
        """An ordinary order."""
        if now.by_turn and side == now.mover:
            if now.index not in (self.entered.get(side), self.ordered.get(side)):
                raise Wrong(n, "contribution-missing")
            self.ordered[side] = now.index

    def seeds(self, n: int, scope: str, now: Now) -> list[bytes]:
        """What enters a seed that is first drawn from now."""
        owes = now.by_turn and self.entered.get(now.mover) != now.index and not scope.startswith("open:")
        if self.stale or owes:
            raise Wrong(n, "draw-before-contribution")
        if not scope.startswith("open:"):
            self.drawn = now.index
        return [self.newest[seat] for seat in self.seats]


class Draws:
    """The piles and streams of a battle."""

    def __init__(self, file: BattleFile, keys: Keys, given: Given, seats: list[str]) -> None:
        self.gid, self.keys, self.given, self.seats = file.gid, keys, given, seats
        self.version, self.game = file.version, file.header["ruleset"]
        self.is_d10 = file.events[0].data.get("options", {}).get("deck_mode") == "d10"
        self.streams: dict[tuple[int, str], Stream | None] = {}
        self.dice: dict[tuple[int, str], int] = {}
        self.piles: dict[str, dict[str, Any]] = {}
        self.stack: list[tuple[int, dict[str, dict[str, Any]]]] = []

    def _whole(self, n: int, deck: str) -> list[str]:
        own = INDEPENDENT if self.is_d10 else OWN
        decks = {**dict.fromkeys(self.seats, own), "terrain": TERRAIN, "stratagem": STRATAGEM}
        if self.game != "tts" or deck not in decks:
            raise Wrong(n, "unknown-deck")
        return decks[deck]

    def _pile(self, n: int, deck: str) -> dict[str, Any]:
        fresh = {
            "epoch": 1,
            "cards": list(self._whole(n, deck)),
            "drawn": 0,
            "kept": [],
            "shown": [],
            "hidden": 0,
            "looked": False,
        }
        return self.piles.setdefault(deck, fresh)

    def _scope(self, line: Line, now: Now) -> str:
        label = line.data["scope"]
        scope, _, rewound = label.partition("/")
        if rewound != (f"r{now.rewinds}" if now.rewinds else ""):
            raise Wrong(line.n, "other-scope")
        kind, _, side = scope.partition(":")
        places = {
            "CardDrawn": ("draw", "hand", "open"),
            "DieRolled": ("dice", "open") if self.version > 2 else ("dice",),
        }
        is_common = scope == ("dice:common" if line.type == "DieRolled" else "common")
        if not is_common and (kind not in places[line.type] or side not in self.seats):
            raise Wrong(line.n, "other-scope")
        return scope

    def _below(self, line: Line, label: str, now: Now, n: int) -> int | None:
        """The next number of a stream, None where its key is not disclosed."""
        at = now.index, label
        if at not in self.streams:
            values = self.given.seeds(line.n, label, now)
            key = self.keys.of(label.partition("/")[0], now.index)
            seed = None if key is None else m(key, "seed", self.gid, now.index, label, *values)
            self.streams[at] = None if seed is None else Stream(seed)
        stream = self.streams[at]
        return None if stream is None else stream.below(n)

    def die(self, line: Line, now: Now) -> None:
        """A die."""
        self._scope(line, now)
        label, sides = line.data["scope"], line.data["sides"]
        at = now.index, label
        self.dice[at] = self.dice.get(at, 0) + 1
        if line.data["t"] != now.t:
            raise Wrong(line.n, "other-turn")
        if line.data["index"] != self.dice[at]:
            raise Wrong(line.n, "index-differs")
        number = self._below(line, label, now, sides)
        if number is not None and number + 1 != line.data.get("face", line.data["value"]):
            raise Wrong(line.n, "draw-differs")

    def card(self, line: Line, now: Now) -> None:
        """A card."""
        data, n = line.data, line.n
        pile = self._pile(n, data["deck"])
        card, label = data.get("card"), data["scope"]
        if data.get("discard", 1) not in (0, 1):
            raise Wrong(n, "bad-member")
        looked = next((one for one in pile["shown"] if one == (card, label, data["t"])), None)
        if pile["shown"] and looked is None:
            raise Wrong(n, "looked-cards-first")
        scope = self._scope(line, now) if looked is None else label
        if looked is not None:
            pile["shown"].remove(looked)
        else:
            if data["t"] != now.t:
                raise Wrong(n, "other-turn")
            if data["deck"] in self.seats and scope.startswith("hand:") and not pile["looked"]:
                raise Wrong(n, "looked-cards-first")
            self._take(line, now, pile, card)
        pile["drawn"] += 1
        left = len(pile["cards"]) + len(pile["shown"]) - pile["hidden"]
        if (data["epoch"], data["index"]) != (pile["epoch"], pile["drawn"]):
            raise Wrong(n, "index-differs")
        if data["remaining"] != left:
            raise Wrong(n, "remaining-differs")
        if data.get("discard", 1) == 0 and card is not None and not self._is_endless(data["deck"]):
            pile["kept"].append(card)

    def _is_endless(self, deck: str) -> bool:
        return self.is_d10 and deck in self.seats

    def _take(self, line: Line, now: Now, pile: dict[str, Any], card: str | None) -> None:
        number = self._below(line, line.data["scope"], now, max(1, len(pile["cards"]) - pile["hidden"]))
        if card is None:
            pile["hidden"] += 1
            return
        if card not in pile["cards"]:
            raise Wrong(line.n, "card-not-in-pile")
        if number is not None and not pile["hidden"] and pile["cards"][number] != card:
            raise Wrong(line.n, "draw-differs")
        if not self._is_endless(line.data["deck"]):
            pile["cards"].remove(card)

    def look(self, line: Line, now: Now) -> None:
        """An oracle, open or still sealed."""
        side, cards = line.data["side"], line.data.get("shown")
        if cards is None:
            if line.is_sealed and line.data.get("stratagem") == "oracle":
                self._pile(line.n, side)["looked"] = True
            return
        label = f"hand:{side}" + (f"/r{now.rewinds}" if now.rewinds else "")
        pile = self._pile(line.n, side)
        if pile["shown"]:
            raise Wrong(line.n, "looked-cards-first")
        for card in cards:
            number = self._below(line, label, now, len(pile["cards"]))
            if card not in pile["cards"] or (number is not None and pile["cards"][number] != card):
                raise Wrong(line.n, "draw-differs")
            pile["cards"].remove(card)
        pile["shown"] = [(card, label, now.t) for card in cards]

    def shuffle(self, line: Line) -> None:
        """The next epoch of a deck."""
        deck, whole = line.data["deck"], self._whole(line.n, line.data["deck"])
        before = self.piles.get(deck)
        kept = before["kept"] if before else []
        cards = [card for card in whole if card not in kept]
        epoch = before["epoch"] + 1 if before else 1
        if line.data["epoch"] != epoch:
            raise Wrong(line.n, "epoch-differs")
        if line.data["size"] != len(cards):
            raise Wrong(line.n, "size-differs")
        fresh = {"epoch": epoch, "cards": cards, "drawn": 0, "kept": kept, "shown": [], "hidden": 0, "looked": False}
        self.piles[deck] = fresh

    def turn_ended(self, side: str) -> None:
        """What the side kept is kept no longer."""
        if side in self.piles:
            self.piles[side]["kept"] = []

    def rewound(self, to: int) -> None:
        """All piles as they were."""
        while self.stack[-1][0] > to:
            self.stack.pop()
        self.piles = deepcopy(self.stack[-1][1])

    def block_ended(self, n: int) -> None:
        """A block counts from now on."""
        self.stack.append((n, deepcopy(self.piles)))
