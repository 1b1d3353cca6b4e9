"""The log that an honest server would have made.

`MadeBattle` writes a small log event by event, drawing as the protocol says, and turns it into a
signed file. Tests then tell one lie in it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import UNSET, Struct, structs

from domain.engine import events
from domain.engine.events import (
    BattleBegan,
    BattleOpened,
    CardDrawn,
    ContributionGiven,
    DeckShuffled,
    DieRolled,
    Event,
    Fact,
    MasterRevealed,
    NonceDisclosed,
    OrderAccepted,
    Rewound,
    SideJoined,
    Unsealed,
)
from domain.log import fairness, record
from domain.log.fairness import Stream
from domain.log.record import Header, Recorded
from replay.proof import chain, notes
from replay.proof.notes import Head, Signer

BATTLE, HOST, AT = "G42", "h.example", "2026-11-21T10:11:12.013Z"
MASTER = bytes(range(32))
SIGNER = Signer(HOST, b"\x07" * 32)
SECRETS = {"north": b"\x11" * 32, "south": b"\x22" * 32}
SEALS = {side: fairness.seal_chain(BATTLE, side, secret, 200) for side, secret in SECRETS.items()}

OWN_DECK = tuple(f"{value}{suit}{pack}" for value in range(1, 11) for suit in "cdhs" for pack in "12")
TEN_CARDS = tuple(f"{value}x0" for value in range(1, 11))
STRATAGEMS = (*(value + suit for value in "JQK" for suit in "cdhs"), "X1", "X2")


class SecretCardDrawn(Event, frozen=True, gc=False, kw_only=True):
    """A card that only its owner sees, as a ruleset would define it."""

    TYPE = "CardDrawn"
    deck: str
    epoch: int
    index: int
    card: events.Text = UNSET
    scope: str
    t: int
    remaining: int
    sealed: events.Text = UNSET


class CardsShown(Event, frozen=True, gc=False, kw_only=True):
    """A side looks at coming cards of its own deck."""

    side: str
    shown: tuple[str, ...] | Any = UNSET
    sealed: events.Text = UNSET


class FaceRolled(Event, frozen=True, gc=False):
    """A die whose faces a table turns into values, as a ruleset would define it."""

    TYPE = "DieRolled"
    scope: str
    t: int
    index: int
    sides: int
    face: int
    value: int


CATALOGUE: Mapping[str, type[Event]] = {
    **{name: value for name, value in vars(events).items() if isinstance(value, type) and issubclass(value, Event)},
    "CardsShown": CardsShown,
}


def deck_cards(deck: str) -> tuple[str, ...] | None:
    return {"north": OWN_DECK, "south": OWN_DECK, "stratagem": STRATAGEMS, "ten": TEN_CARDS}.get(deck)


class _Pile(Struct):
    epoch: int
    cards: list[str]
    drawn: int = 0


class MadeBattle:
    """A log in the making; sealed seats unless `modes` says otherwise."""

    def __init__(self, north: str = "sealed", south: str = "sealed") -> None:
        self.log: list[Recorded] = []
        self.modes = {"north": north, "south": south}
        self.seals = dict(SEALS)
        self.given = {"north": 0, "south": 0}
        self.newest: dict[str, bytes] = {}
        self.streams: dict[tuple[int, str], Stream] = {}
        self.rolls: dict[tuple[int, str], int] = {}
        self.piles: dict[str, _Pile] = {}
        self.rewinds = 0

    def add(self, event: Event, by: str = "server") -> int:
        n = len(self.log) + 1
        self.log.append(Recorded(n, AT, by, event.RULE, record.type_name(type(event)), event))
        return n

    def start(self) -> "MadeBattle":
        self.add(BattleOpened(ruleset="tts", commitment=fairness.commitment(BATTLE, MASTER).hex()))
        for side, mode in self.modes.items():
            anchor = self.seals[side][0].hex() if mode == "sealed" else UNSET
            self.add(SideJoined(side, side.title(), player=side[0], kind="person", mode=mode, anchor=anchor), side)
        self.add(BattleBegan())
        return self

    def contribute(self, side: str, t: int, phrase: str = "", order: str = "") -> int:
        if self.modes[side] == "sealed":
            self.given[side] += 1
            value, kind = self.seals[side][self.given[side]], "seal"
        else:
            value, kind = fairness.plain_contribution(BATTLE, t, side, phrase, order), "plain"
        self.newest[side] = value
        return self.add(ContributionGiven(side, t, kind, value.hex(), phrase), side)

    def order(self, side: str, t: int, text: str, phrase: str = "a phrase of mine", first: bool = True) -> int:
        if first:
            self.contribute(side, t, phrase, text)
        return self.add(OrderAccepted(side, t, 1, side[0], "api", "0" * 16, text=text, command={}), side)

    def below(self, t: int, scope: str, n: int) -> int:
        if (t, scope) not in self.streams:
            nonce = fairness.nonce(MASTER, BATTLE, t, scope)
            seed = fairness.seed(nonce, BATTLE, t, scope, self.newest["north"], self.newest["south"])
            self.streams[t, scope] = Stream(seed)
        return self.streams[t, scope].below(n)

    def shuffle(self, deck: str, cards: Iterable[str] | None = None) -> int:
        before = self.piles.get(deck)
        pile = list(deck_cards(deck) or () if cards is None else cards)
        self.piles[deck] = _Pile(before.epoch + 1 if before else 1, pile)
        return self.add(DeckShuffled(deck, self.piles[deck].epoch, len(pile)))

    def card(self, deck: str, t: int, scope: str) -> str:
        pile = self.piles[deck]
        number = self.below(t, self.label(scope), len(pile.cards))
        endless = tuple(pile.cards) == TEN_CARDS
        card = pile.cards[number] if endless else pile.cards.pop(number)
        self.came_up(deck, t, self.label(scope), card, len(pile.cards))
        return card

    def came_up(self, deck: str, t: int, label: str, card: str, remaining: int) -> int:
        pile = self.piles[deck]
        pile.drawn += 1
        return self.add(
            CardDrawn(
                deck=deck,
                epoch=pile.epoch,
                index=pile.drawn,
                card=card,
                purpose="hit",
                unit="",
                scope=label,
                t=t,
                remaining=remaining,
            )
        )

    def die(self, t: int, scope: str, sides: int = 6) -> int:
        key = (t, self.label(scope))
        self.rolls[key] = self.rolls.get(key, 0) + 1
        value = self.below(*key, sides) + 1
        return self.add(DieRolled(key[1], t, self.rolls[key], sides, value, "hit", ""))

    def label(self, scope: str) -> str:
        return fairness.scope_label(scope, self.rewinds)

    def rewind(self, to: int) -> int:
        self.rewinds += 1
        return self.add(Rewound(to))

    def disclose(self, t: int, scope: str) -> int:
        return self.add(NonceDisclosed(t, scope, fairness.nonce(MASTER, BATTLE, t, scope).hex()))

    def seal(self, event: Event, private: Iterable[str], t: int, seat: str, by: str = "server") -> tuple[int, Unsealed]:
        """Add an event without its private members; the second value opens it."""
        content, salt = record.content_of(event, private), bytes([len(self.log) % 256]) * 32
        commitment = fairness.sealed_commitment(salt, BATTLE, t, seat, content)
        n = self.add(record.sealed(event, private, commitment), by)
        return n, Unsealed(n, salt.hex(), record.read_canonical(content, 0))

    def reveal(self) -> int:
        return self.add(MasterRevealed(MASTER.hex()))

    def change(self, n: int, **members: Any) -> None:
        """A lie: event `n` with other members."""
        recorded = self.log[n - 1]
        self.log[n - 1] = structs.replace(recorded, event=structs.replace(recorded.event, **members))

    # --- as a file

    def file(self, finished: bool = True, signer: Signer = SIGNER, key: str = SIGNER.key) -> bytes:
        header = record.encode_header(Header(BATTLE, AT, record.FORMAT, HOST, key, "1.0", "tts", 1))
        lines = self.lines()
        note = None
        if finished:
            head = record.first_hash(header)
            for line in lines:
                head = record.next_hash(head, line)
            note = notes.sign_head(signer, Head(notes.origin(HOST, BATTLE), len(lines), head))
        return chain.file_bytes(header, lines, note)

    def lines(self) -> list[bytes]:
        return [record.encode(one.n, one.at, Fact(one.by, one.rule, one.event)) for one in self.log]


def small_battle(north: str = "sealed", south: str = "sealed") -> MadeBattle:
    """Two turns with cards and dice, disclosed and revealed."""
    made = MadeBattle(north, south).start()
    made.contribute("north", 0, "north's first phrase")
    made.contribute("south", 0, "south's first phrase")
    made.shuffle("north")
    made.shuffle("south")
    for t, side in ((1, "south"), (2, "north")):
        made.order(side, t, f"U{t} ahead")
        for _ in range(3):
            made.card(side, t, f"draw:{side}")
        made.order(side, t, f"U{t} shoot U9", first=False)
        made.die(t, f"dice:{side}")
        made.die(t, f"dice:{side}", 20)
        made.disclose(t, f"draw:{side}")
        made.disclose(t, f"dice:{side}")
    made.reveal()
    return made
