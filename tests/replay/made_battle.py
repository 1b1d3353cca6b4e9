"""The log that an honest host would have made by PBEM-2, written by hand.

`MadeBattle` enters blocks, draws as the protocol says and discloses what is due; tests then tell one lie in it. It is a
writer of its own: it shares nothing with the server's but the arithmetic.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec import UNSET, Struct, structs

from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.events import battle as events
from domain.events.battle import (
    BattleBegan,
    BattleEnded,
    CardDrawn,
    ContributionGiven,
    DeckShuffled,
    DieRolled,
    DisputeSettled,
    Event,
    Fact,
    KeyDisclosed,
    Keys,
    KeysContinued,
    MasterRevealed,
    OrderAccepted,
    RemedyOffered,
    Rewound,
    Seen,
    SideJoined,
    TurnBegan,
    TurnEnded,
    Unsealed,
)
from domain.log import fairness, record
from domain.log.fairness import Stream
from domain.log.keys import HostKeys
from domain.log.record import Header, Recorded
from replay.proof import chain, notes
from replay.proof.notes import Head, Signer

BATTLE, HOST, AT = "G42", "h.example", "2026-11-21T10:11:12.013Z"
MASTER = bytes(range(32))
SIGNER = Signer(HOST, b"\x07" * 32)
SECRETS = {"north": b"\x11" * 32, "south": b"\x22" * 32}
SEALS = {side: fairness.seal_chain(BATTLE, side, secret, 200) for side, secret in SECRETS.items()}
RULES = "9.9"  # a version that no release has: moves are not judged, unless a test says so
LENGTH = 16

OWN_DECK = tuple(f"{value}{suit}{pack}" for value in range(1, 11) for suit in "cdhs" for pack in "12")
TEN_CARDS = tuple(f"{value}x0" for value in range(1, 11))
STRATAGEMS = (*(value + suit for value in "JQK" for suit in "cdhs"), "X1", "X2")


class Opening(events.BattleOpened, frozen=True, gc=False, kw_only=True):
    """A first event with options."""

    TYPE = "BattleOpened"
    options: dict[str, Any] = {}


class Played(Event, frozen=True, gc=False, kw_only=True):
    """A stratagem: an oracle, if cards are shown."""

    TYPE = "StratagemPlayed"
    RULE = "TTS-STR-02"
    side: str
    stratagem: events.Text = UNSET
    args: tuple[str, ...] | Any = UNSET
    card: events.Text = UNSET
    shown: tuple[str, ...] | Any = UNSET
    opens: tuple[int, ...] | Any = UNSET
    sealed: events.Text = UNSET


class Marched(Event, frozen=True, gc=False, kw_only=True):
    """Something ordinary; it may open what was sealed."""

    TYPE = "UnitMoved"
    RULE = "TTS-MOV-01"
    unit: str
    opens: tuple[int, ...] | Any = UNSET


class MadeCorrection(Event, frozen=True, gc=False, kw_only=True):
    """Facts that an umpire sets."""

    TYPE = "Corrected"
    RULE = "CORE-DSP"
    docket: str
    facts: tuple[tuple[str, dict[str, Any]], ...]


def made_ruleset() -> Ruleset:
    """The rules that the battles made here name: without the game's own events, so that core shapes are read."""
    tts = RULESETS["tts"]
    evolutions = {kind: lambda state, event: state for kind in (Played, Marched)}
    return structs.replace(tts, version=RULES, rules=structs.replace(tts.rules, evolutions=evolutions))


CATALOGUE: Mapping[str, type[Event]] = {
    **events.CORE_EVENTS,
    "BattleOpened": Opening,
    "StratagemPlayed": Played,
    "UnitMoved": Marched,
    "Corrected": MadeCorrection,
}


class _Pile(Struct):
    epoch: int
    cards: list[str]
    drawn: int = 0
    kept: list[str] = []
    waiting: list[str] = []


class MadeBattle:
    """A log in the making; sealed seats unless `modes` says otherwise."""

    def __init__(
        self,
        north: str = "sealed",
        south: str = "sealed",
        length: int = LENGTH,
        game: str = "tts",
        options: Mapping[str, Any] | None = None,
        pace: str = "",
        version: int = record.PBEM_2,
    ) -> None:
        self.version = version
        self.log: list[Recorded] = []
        self.modes = {"north": north, "south": south}
        self.joining: dict[str, dict[str, Any]] = {"north": {}, "south": {}}
        self.keys = HostKeys(MASTER, BATTLE, ("north", "south"), length)
        self.game = game
        self.options = dict(options or {})
        self.pace = pace or UNSET
        self.seals = dict(SEALS)
        self.given = {"north": 0, "south": 0}
        self.newest: dict[str, bytes] = {}
        self.streams: dict[tuple[int, str], Stream] = {}
        self.rolls: dict[tuple[int, str], int] = {}
        self.piles: dict[str, _Pile] = {}
        self.at = AT  # when the next events stand
        self.index = 0
        self.t = 0
        self.mover = ""
        self.rewinds = 0
        self.requests = 0
        self.contents: dict[int, Unsealed] = {}
        self.shown: tuple[str, ...] = ()  # by the newest look
        self.opening: set[int] = set()
        self.header_rules = RULES
        self.opening_members: dict[str, Any] = {}
        self.built = [record.first_hash(self.header())]  # the hashes as they were when the log was made
        self.entered: set[tuple[int, str]] = set()
        self.players: dict[str, str] = {}
        self.signing: dict[str, Callable[..., tuple[int, str]]] = {}

    # --- blocks

    def add(self, event: Event, by: str = "server") -> int:
        n = len(self.log) + 1
        self.log.append(Recorded(n, self.at, by, event.RULE, record.type_name(type(event)), event))
        return n

    @contextmanager
    def block(self, event: Event, by: str = "server") -> Iterator[int]:
        """A block: its input now, its facts inside, its disclosures at the end."""
        begun = self.index
        self.opening = set()
        first = len(self.log)
        yield self.add(event, by)
        self.disclose(begun, any(one.type in ("BattleEnded", "BattleStopped") for one in self.log[first:]))

    def alone(self, event: Event, by: str = "server") -> int:
        """A block without consequences."""
        with self.block(event, by) as n:
            return n

    def disclose(self, begun: int, ended: bool = False) -> None:
        """The disclosures at the end of a block that began in period `begun`."""
        for n in sorted(self.contents if ended else self.opening & self.contents.keys()):
            self.add(self.contents.pop(n))
        if ended:
            self.add(MasterRevealed(MASTER.hex()))
            return
        for index in range(begun, self.index):
            self.add(KeyDisclosed(index, self.keys.key("public", index).hex()))
        for index in range(begun + 1, self.index + 1):
            generation, place = divmod(index, self.keys.length)
            if place == self.keys.length - 1:
                self.add(KeysContinued(generation + 1, self.anchors(generation + 1)))

    def anchors(self, generation: int) -> dict[str, str]:
        return {chain: anchor.hex() for chain, anchor in self.keys.anchors(generation).items()}

    # --- set-up

    def open(self) -> "MadeBattle":
        keys = Keys(self.anchors(0), self.keys.length)
        commitment = self.keys.commitment().hex()
        members = {"options": self.options, "pace": self.pace, **self.opening_members}
        opening = Opening(ruleset=self.game, commitment=commitment, keys=keys, **members)
        self.alone(opening)
        return self

    def join(self, side: str, player: str = "", **members: Any) -> int:
        mode = self.modes[side]
        self.players[side] = player or side[0]
        given = {"kind": "person", "mode": mode, **self.joining[side], **members}
        if mode == "sealed":
            given.setdefault("anchor", self.seals[side][0].hex())
        joined = SideJoined(side, side.title(), player=self.players[side], **given)
        if self.version < record.PBEM_2_1 or "serial" in given:
            return self.alone(joined, side)
        return self.own(side, joined, f"join {joined.name}")

    def own(self, side: str, event: Any, text: str) -> int:
        """What a player does beside orders, signed where the seat has a key (PBEM-2.1)."""
        if side in self.signing:
            event = self.signed(side, structs.replace(event, seen=self.seen()), b"", text)
        return self.alone(event, side)

    def start(self) -> "MadeBattle":
        self.open()
        for side in self.modes:
            self.join(side)
        self.alone(BattleBegan())
        return self

    def started(self) -> "MadeBattle":
        """Both seats have contributed, and the own decks are shuffled."""
        self.start()
        self.enter("north")
        self.contribute("south", alone=True)
        self.shuffle("north")
        self.shuffle("south")
        self.disclose(self.index)
        return self

    # --- messages

    def seen(self) -> Seen:
        for one in self.log[len(self.built) - 1 :]:
            line = record.encode(one.n, one.at, Fact(one.by, one.rule, one.event))
            self.built.append(record.next_hash(self.built[-1], line))
        return Seen(self.built[-1].hex(), len(self.log))

    def hide_heads_from(self, n: int) -> None:
        """Whoever says something names a head from before event `n`."""
        self.seen()
        old = Seen(self.built[n - 1].hex(), n - 1)
        setattr(self, "seen", lambda: old)  # noqa: B010 - mypy takes no method for a variable

    def enter(self, side: str, **members: Any) -> int:
        """An entry, alone."""
        n = self.contribute(side, alone=True, **members)
        self.disclose(self.index)
        return n

    def contribute(self, side: str, order: str = "", alone: bool = False, phrase: str = "", **members: Any) -> int:
        t = 0 if alone and side not in self.newest else self.t
        phrase = phrase or f"{side}'s phrase"
        if self.modes[side] == "sealed":
            self.given[side] += 1
            value, kind, phrase = self.seals[side][self.given[side]], "seal", ""
        else:
            value, kind = fairness.plain_contribution(BATTLE, t, side, phrase, order), "plain"
        self.newest[side] = value
        self.entered.add((self.index, side))
        given = ContributionGiven(side, t, kind, value.hex(), phrase)
        if alone:
            given = structs.replace(given, channel="api", seen=self.seen())
            given = self.signed(side, given, value if kind == "seal" else phrase.encode(), "")
        return self.add(structs.replace(given, **members) if members else given, side)

    def signed(self, side: str, event: Any, giving: bytes, text: str) -> Any:
        """A message with the player's signature, where the seat has a key."""
        if side not in self.signing:
            return event
        serial, signature = self.signing[side](event.seen, giving, text)
        return structs.replace(event, serial=serial, signature=signature)

    @contextmanager
    def order(self, side: str, text: str = "U1 ahead", ordinary: bool = True, **members: Any) -> Iterator[int]:
        """An order with its consequences; the first ordinary one of a turn brings a contribution."""
        seen = self.seen()
        giving = b""
        if ordinary and (self.index, side) not in self.entered and side == self.mover:
            n = self.contribute(side, order=text)
            given: Any = self.log[n - 1].event
            giving = given.phrase.encode() if given.kind == "plain" else bytes.fromhex(given.value)
        self.requests += 1
        accepted = OrderAccepted(
            side=side,
            t=self.t,
            line=1,
            player=self.players.get(side, ""),
            channel="api",
            key=f"{self.requests:016x}",
            text=text,
            command={},
            seen=seen,
        )
        accepted = self.signed(side, accepted, giving, text)
        with self.block(structs.replace(accepted, **members) if members else accepted, side) as n:
            yield n

    def plain_order(
        self, side: str, *facts: Event, text: str = "U1 ahead", ordinary: bool = True, **members: Any
    ) -> int:
        with self.order(side, text, ordinary, **members) as n:
            for fact in facts:
                self.add(fact, side)
            return n

    # --- turns

    def turn(self, side: str) -> int:
        """A player-turn opens, inside a block."""
        self.index += 1
        self.t += 1
        self.mover = side
        return self.add(TurnBegan(side, (self.t + 1) // 2))

    def end_turn(self, side: str, then: str = "") -> int:
        """An order that ends a turn and begins the next."""
        with self.order(side, "end turn") as n:
            self.ended(side)
            self.turn(then or {"north": "south", "south": "north"}[side])
            return n

    def ended(self, side: str) -> int:
        for pile in (self.piles.get(side),):
            if pile is not None:
                pile.kept = []
        return self.add(TurnEnded(side, 1), side)

    def first_turn(self, side: str = "south") -> "MadeBattle":
        """Set-up is over: an order of the other side ends it."""
        other = {"north": "south", "south": "north"}[side]
        with self.order(other, "done"):
            self.turn(side)
        return self

    def rewind(self, to: int, t: int, mover: str, docket: str = "d1") -> int:
        """Both sides agree to go back to event `to`."""
        remedy = f"rewind {to}"
        offer = RemedyOffered(docket, "north", remedy)
        self.plain_order("north", offer, text=f"offer {docket} {remedy}", ordinary=False)
        with self.order("south", f"agree {docket}", ordinary=False):
            self.add(RemedyOffered(docket, "south", remedy), "south")
            self.add(DisputeSettled(docket, "agreed"))
            self.index += 1
            self.rewinds += 1
            self.t, self.mover = t, mover
            return self.add(Rewound(to, docket))

    def end(self, side: str = "south") -> int:
        with self.order(side, "resign", ordinary=False):
            self.add(events.SideResigned(side), side)
            return self.add(BattleEnded({"north": "south", "south": "north"}[side], "resigned"))

    # --- draws

    def label(self, scope: str) -> str:
        return fairness.scope_label(scope, self.rewinds)

    def below(self, scope: str, n: int) -> int:
        label = self.label(scope)
        if (self.index, label) not in self.streams:
            key = self.keys.key(scope, self.index)
            values = [self.newest["north"], self.newest["south"]]
            self.streams[self.index, label] = Stream(fairness.seed(key, BATTLE, self.index, label, values))
        return self.streams[self.index, label].below(n)

    def cards_of(self, deck: str) -> tuple[str, ...]:
        own = TEN_CARDS if self.options.get("deck_mode") == "d10" else OWN_DECK
        return {"north": own, "south": own, "stratagem": STRATAGEMS}[deck]

    def shuffle(self, deck: str) -> int:
        before = self.piles.get(deck)
        kept = before.kept if before else []
        cards = [card for card in self.cards_of(deck) if card not in kept]
        self.piles[deck] = _Pile(before.epoch + 1 if before else 1, cards, kept=list(kept))
        return self.add(DeckShuffled(deck, self.piles[deck].epoch, len(cards)))

    def card(self, deck: str, scope: str = "", keep: bool = False, seal: bool = False) -> str:
        scope = scope or f"draw:{deck}"
        pile = self.piles.setdefault(deck, _Pile(1, list(self.cards_of(deck))))
        endless = tuple(pile.cards) == TEN_CARDS
        number = self.below(scope, len(pile.cards))
        card = pile.cards[number] if endless else pile.cards.pop(number)
        if keep and not endless:
            pile.kept.append(card)
        self.come_up(deck, self.label(scope), self.t, card, discard=0 if keep else 1, seal=seal)
        return card

    def come_up(self, deck: str, label: str, t: int, card: str, discard: int = 1, seal: bool = False) -> int:
        pile = self.piles[deck]
        pile.drawn += 1
        event = CardDrawn(
            deck=deck,
            epoch=pile.epoch,
            index=pile.drawn,
            card=card,
            purpose="hit",
            unit="",
            scope=label,
            t=t,
            remaining=len(pile.cards) + len(pile.waiting),
            discard=discard,
        )
        return self.seal(event, ("card",)) if seal else self.add(event)

    def look(self, side: str, count: int, seal: bool = True) -> tuple[str, ...]:
        """An oracle: the next cards of a side's own deck."""
        pile = self.piles[side]
        shown = tuple(pile.cards.pop(self.below(f"hand:{side}", len(pile.cards))) for _ in range(count))
        pile.waiting = list(shown)
        self.shown = shown
        event = Played(side=side, stratagem="oracle", args=(), card="Jc", shown=shown)
        if seal:
            self.seal(event, ("shown",), by=side)
        else:
            self.add(event, side)
        return shown

    def looked_up(self, side: str, card: str, label: str, t: int) -> int:
        """A card that was looked at comes up."""
        self.piles[side].waiting.remove(card)
        return self.come_up(side, label, t, card)

    def die(self, scope: str, sides: int = 6, **members: Any) -> int:
        key = (self.index, self.label(scope))
        self.rolls[key] = self.rolls.get(key, 0) + 1
        value = self.below(scope, sides) + 1
        event = DieRolled(key[1], self.t, self.rolls[key], sides, value, "hit", "")
        return self.add(structs.replace(event, **members) if members else event)

    # --- secrets

    def seal(self, event: Event, private: Iterable[str], by: str = "server") -> int:
        """Add an event without its private members; they are opened when their turn comes."""
        n = len(self.log) + 1
        content, salt = record.content_of(event, private), bytes([n % 256]) * 32
        side = getattr(event, "side", "")
        scope = getattr(event, "scope", "")
        seat = side or scope.partition(":")[2].partition("/")[0] or by
        commitment = fairness.sealed_commitment(salt, BATTLE, self.t, seat, content)
        self.contents[n] = Unsealed(n, salt.hex(), record.read_canonical(content, 0))
        return self.add(record.sealed(event, private, commitment), by)

    # --- lies

    def change(self, n: int, /, **members: Any) -> None:
        """A lie: event `n` with other members."""
        recorded = self.log[n - 1]
        del self.built[n:]
        self.log[n - 1] = structs.replace(recorded, event=structs.replace(recorded.event, **members))

    def remove(self, n: int) -> None:
        """A lie: event `n` never was."""
        del self.log[n - 1]
        self.log = [structs.replace(one, n=at) for at, one in enumerate(self.log, 1)]

    def insert(self, n: int, event: Event, by: str = "server") -> None:
        """A lie: an event becomes event `n`."""
        entry = Recorded(n, AT, by, event.RULE, record.type_name(type(event)), event)
        self.log.insert(n - 1, entry)
        self.log = [structs.replace(one, n=at) for at, one in enumerate(self.log, 1)]

    def find(self, kind: str, place: int = 0) -> int:
        """The number of an event of a type."""
        return [one.n for one in self.log if one.type == kind][place]

    # --- as a file

    def header(self, key: str = SIGNER.key) -> bytes:
        return record.encode_header(
            Header(BATTLE, AT, record.FORMAT, HOST, key, self.header_rules, self.game, self.version)
        )

    def lines(self) -> list[bytes]:
        return [record.encode(one.n, one.at, Fact(one.by, one.rule, one.event)) for one in self.log]

    def hashes(self) -> list[bytes]:
        hashes = [record.first_hash(self.header())]
        for line in self.lines():
            hashes.append(record.next_hash(hashes[-1], line))
        return hashes

    def file(self, finished: bool = True, signer: Signer = SIGNER, key: str = SIGNER.key) -> bytes:
        header, lines = self.header(key), self.lines()
        head = record.first_hash(header)
        for line in lines:
            head = record.next_hash(head, line)
        note = notes.sign_head(signer, Head(notes.origin(HOST, BATTLE), len(lines), head)) if finished else None
        return chain.file_bytes(header, lines, note)


def small_battle(north: str = "sealed", south: str = "sealed", over: bool = True) -> MadeBattle:
    """Two turns with cards and dice; ended, unless `over` is false."""
    made = MadeBattle(north, south).started().first_turn("south")
    for side in ("south", "north"):
        with made.order(side, f"{side} ahead"):
            for _ in range(3):
                made.card(side)
        with made.order(side, f"{side} shoot"):
            made.die(f"dice:{side}")
            made.die(f"dice:{side}", 20)
        made.end_turn(side)
    if over:
        made.end("south")
    return made
