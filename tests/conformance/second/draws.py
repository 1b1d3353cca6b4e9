"""Streams, dice, cards and piles (docs/record-format.md 4)."""

import hmac
from copy import deepcopy
from typing import Any

from .chance import Given, Keys, Now
from .file import BattleFile, Line, m
from .lines import Wrong

SUITS, TEN = "cdhs", range(1, 11)
OWN = [f"{value}{suit}{pack}" for value in TEN for suit in SUITS for pack in "12"]
INDEPENDENT = [f"{value}x0" for value in TEN]
TERRAIN = [f"{value}{suit}" for value in ["A", *range(2, 11), "J", "Q", "K"] for suit in SUITS]
STRATAGEM = [*(value + suit for value in "JQK" for suit in SUITS), "X1", "X2"]
DICE_ALONE = ("stp", "singidunum", "warmaster-shooting")
FACED = ("singidunum", "warmaster-shooting")
SPECIAL = (1, 2, 3, 3, 4, 5)


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


class Pile:
    """One epoch of a deck; `cards` is None once an unknown card was taken, `shown` are those that wait."""

    def __init__(self, epoch: int, cards: list[str] | None, left: int, kept: list[str | None]) -> None:
        self.epoch, self.cards, self.left, self.kept = epoch, cards, left, kept
        self.drawn, self.shown, self.look, self.is_looked_at = 0, list[str](), ("", 0), False
        self.is_endless = cards == INDEPENDENT

    def take(self, n: int, number: int | None, card: str | None) -> None:
        """Take a card, that of a number if it is known."""
        if self.cards is None:
            return
        if card is None:
            self.cards = self.cards if self.is_endless else None
            return
        if number is not None and self.cards[number] != card:
            raise Wrong(n, "card-differs")
        if card not in self.cards:
            raise Wrong(n, "card-not-in-deck")
        if not self.is_endless:
            self.cards.remove(card)


def decks_of(game: str, seats: list[str], opening: dict[str, Any]) -> dict[str, list[str]] | None:
    """The whole decks of a game, None if nobody knows them."""
    if game != "tts":
        return {} if game in DICE_ALONE else None
    options = opening.get("options")
    is_d10 = isinstance(options, dict) and options.get("deck_mode") == "d10"
    own = INDEPENDENT if is_d10 else OWN
    return {**dict.fromkeys(seats, own), "terrain": TERRAIN, "stratagem": STRATAGEM}


class Draws:
    """The piles and streams of a battle."""

    def __init__(self, file: BattleFile, keys: Keys, given: Given, seats: list[str]) -> None:
        self.gid, self.keys, self.given, self.seats = file.gid, keys, given, seats
        self.version, self.game = file.version, file.header["ruleset"]
        self.decks = decks_of(self.game, seats, file.events[0].own)
        self.streams: dict[tuple[int, str], Stream | None] = {}
        self.dice: dict[tuple[int, str], int] = {}
        self.piles: dict[str, Pile] = {}
        self.stack: list[tuple[int, dict[str, Pile]]] = []
        self.block = 1
        self._begin_with(file.events[0].own.get("position", {}).get("decks", {}))

    def _begin_with(self, left: dict[str, Any]) -> None:
        """The decks that a branch finds in use."""
        for deck, one in left.items() if self.decks is not None else ():
            cards, kept, whole = one["cards"], one.get("kept", []), self._whole(1, deck)
            is_once = len({*cards, *kept}) == len(cards) + len(kept) and {*cards, *kept} <= {*whole}
            is_endless = whole != INDEPENDENT or (cards == INDEPENDENT and not kept)
            in_order = [card for card in whole if card in cards] == cards
            if not (is_once and is_endless and in_order and one["epoch"] >= 1 and one["drawn"] >= 0):
                raise Wrong(1, "bad-branch")
            self.piles[deck] = Pile(one["epoch"], list(cards), len(cards), list(kept))
            self.piles[deck].drawn = one["drawn"]

    def _whole(self, n: int, deck: str) -> list[str]:
        if self.decks is None or deck not in self.decks:
            raise Wrong(n, "unknown-deck")
        return self.decks[deck]

    def _pile(self, n: int, deck: str) -> Pile:
        if deck not in self.piles:
            cards = self._whole(n, deck)
            self.piles[deck] = Pile(1, list(cards), len(cards), [])
        return self.piles[deck]

    def _below(self, n: int, label: str, now: Now, size: int) -> int | None:
        """The next number of a stream, None where its key is not disclosed."""
        at = now.index, label
        if at not in self.streams:
            base, _, rewound = label.partition("/")
            kind, _, side = base.partition(":")
            is_there = base in ("common", "dice:common") or (
                kind in ("draw", "dice", "hand", "open") and side in self.seats
            )
            if not is_there or rewound != (f"r{now.rewinds}" if now.rewinds else "") or label.endswith("/"):
                raise Wrong(n, "scope-label")
            values = self.given.seeds(n, base, now)
            if self.keys.bound_at(now.index) >= self.block:
                raise Wrong(n, "keys-not-bound")
            key = self.keys.of(base, now.index)
            seed = None if key is None else m(key, "seed", self.gid, now.index, label, *values)
            self.streams[at] = None if seed is None else Stream(seed)
        stream = self.streams[at]
        return None if stream is None or size < 1 else stream.below(size)

    def _require_scope(self, n: int, what: str, label: str) -> None:
        kind, _, side = label.partition("/")[0].partition(":")
        if what == "dice":
            fits = kind == "dice" or (kind == "open" and self.version > 2)
        elif what in self.seats:
            fits = side == what and kind != "dice"
        else:
            fits = kind in ("common", "hand")
        if not fits:
            raise Wrong(n, "other-scope")

    def die(self, line: Line, now: Now) -> None:
        """A die."""
        n, data = line.n, line.data
        label, sides = data["scope"], data["sides"]
        face: int = data["face"] if "face" in data else data["value"]
        if not 1 <= sides < 1 << 53:
            raise Wrong(n, "die-without-sides")
        is_special = self.game == "singidunum" and sides == 6
        allowed = (face, SPECIAL[face - 1]) if is_special and 1 <= face <= 6 else (face,)
        if "face" in data and self.game in FACED and data["value"] not in allowed:
            raise Wrong(n, "value-differs")
        if data["t"] != now.t:
            raise Wrong(n, "other-turn")
        number = self._below(n, label, now, sides)
        self._require_scope(n, "dice", label)
        if not (1 <= face <= sides if number is None else face == number + 1):
            raise Wrong(n, "die-differs")
        at = now.index, label
        self.dice[at] = self.dice.get(at, 0) + 1
        if data["index"] != self.dice[at]:
            raise Wrong(n, "index-differs")

    def card(self, line: Line, now: Now) -> None:
        """A card."""
        n, data, label = line.n, line.data, line.data["scope"]
        if data.get("discard", 1) not in (0, 1):
            raise Wrong(n, "bad-member")
        if self.decks is None:
            if data["t"] == now.t:
                self._below(n, label, now, max(data["remaining"], 0) + 1)
            return
        card = data.get("card")
        pile = self._pile(n, data["deck"])
        if pile.shown:
            if card not in pile.shown or (label, data["t"]) != pile.look:
                raise Wrong(n, "looked-cards-first")
            pile.shown.remove(str(card))
        elif label.partition("/")[0] == f"hand:{data['deck']}":
            rewound = label.partition("/")[2]
            times = int(rewound[1:]) if rewound[:1] == "r" and rewound[1:].isdecimal() else 0
            is_right = rewound == (f"r{times}" if times else "") and times <= now.rewinds and data["t"] >= 0
            if not pile.is_looked_at or not is_right:
                raise Wrong(n, "looked-cards-first")
            pile.take(n, None, card)
        else:
            pile.is_looked_at = False
            if data["t"] != now.t:
                raise Wrong(n, "other-turn")
            number = self._below(n, label, now, pile.left)
            self._require_scope(n, data["deck"], label)
            pile.take(n, number, card)
        self._comes_up(n, pile, data, card)

    @staticmethod
    def _comes_up(n: int, pile: Pile, data: dict[str, Any], card: str | None) -> None:
        if data["epoch"] != pile.epoch:
            raise Wrong(n, "epoch-differs")
        pile.drawn += 1
        if data["index"] != pile.drawn:
            raise Wrong(n, "index-differs")
        if pile.left < 1:
            raise Wrong(n, "deck-exhausted")
        pile.left -= 0 if pile.is_endless else 1
        if data["remaining"] != pile.left:
            raise Wrong(n, "remaining-differs")
        if data.get("discard", 1) == 0 and not pile.is_endless:
            pile.kept.append(card)

    def look(self, line: Line, now: Now, hides: bool) -> None:
        """An oracle, open or still sealed (`hides`)."""
        n, side, cards = line.n, line.data.get("side", ""), line.data.get("shown")
        if cards is None and not hides:
            return
        if cards is not None and not (isinstance(cards, list) and all(isinstance(one, str) for one in cards)):
            raise Wrong(n, "cannot-look")
        if self.decks is None:
            return
        pile = self._pile(n, side)
        if pile.shown or len(cards or ()) > pile.left:
            raise Wrong(n, "cannot-look")
        pile.is_looked_at = cards is None
        if cards is None:
            return
        label = f"hand:{side}" + (f"/r{now.rewinds}" if now.rewinds else "")
        for ahead, card in enumerate(cards):
            number = self._below(n, label, now, pile.left - (0 if pile.is_endless else ahead))
            pile.take(n, number, card)
        pile.shown, pile.look = list(cards), (label, now.t)

    def shuffle(self, line: Line) -> None:
        """The next epoch of a deck."""
        if self.decks is None:
            return
        n, deck = line.n, line.data["deck"]
        whole, before = self._whole(n, deck), self.piles.get(deck)
        kept = before.kept if before else []
        if line.data["epoch"] != (before.epoch + 1 if before else 1):
            raise Wrong(n, "epoch-differs")
        if line.data["size"] != len(whole) - len(kept):
            raise Wrong(n, "size-differs")
        cards = None if None in kept else [card for card in whole if card not in kept]
        self.piles[deck] = Pile(line.data["epoch"], cards, line.data["size"], kept)

    def turn_ended(self, side: str) -> None:
        """What the side kept is kept no longer."""
        if side in self.piles:
            self.piles[side].kept = []

    def rewound(self, to: int) -> None:
        """All piles as they were."""
        while self.stack[-1][0] > to:
            self.stack.pop()
        self.piles = deepcopy(self.stack[-1][1])

    def block_ended(self, n: int) -> None:
        """A block counts from now on."""
        self.stack.append((n, deepcopy(self.piles)))
