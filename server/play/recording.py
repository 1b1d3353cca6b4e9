"""One battle in memory while it is written: fold, chain, streams, secrets.

A `Recording` turns facts into lines and hashes (`prepare`) and adopts them once they are
durable (`adopt`). It knows no store and no network: `demo` plays on it alone, the server's live battles
add a store.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.engine import inputs as driver
from domain.engine.events import INPUTS, Event
from domain.engine.inputs import Entered, Entry, Secret, Secrets
from domain.engine.seats import Battle, Seat
from domain.engine.timeline import Timeline, catalogue_of
from domain.log import record
from domain.log.draws import draws_of, look_of
from domain.log.record import Header, Recorded
from domain.ruleset import Ruleset
from domain.time import clock
from domain.time.clock import ClockFace, Clocks
from server.play.dealer import Dealer, SeededChance

Row = tuple[str, bytes, bytes]
"""One event: type, canonical line without hash, hash_n."""


class Batch(Struct, frozen=True):
    """One append, prepared: the rows for the store, and the new state to adopt after the commit."""

    entered: tuple[Entered, ...]
    recorded: tuple[Recorded, ...]
    rows: tuple[Row, ...]
    secrets: Mapping[int, Secret]
    chance: Any = None


class _Dealing:
    """Deals the chance of one append, and remembers it until after the commit."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self.chance: SeededChance | None = None

    def __call__(self, battle: Battle) -> SeededChance:
        self.chance = self._dealer.deal(battle)
        return self.chance


class Recording:
    """One battle. `head` is hash_n of the last event; `vault` has the sealed parts by n."""

    def __init__(self, header: Header, master: bytes, ruleset: Ruleset, salt: Callable[[], bytes]) -> None:
        self.header = header
        self.header_line = record.encode_header(header)
        self.ruleset = ruleset
        self.timeline = Timeline(ruleset, rules=header.rules)
        self.dealer = Dealer(header.battle, master)
        self.secrets = Secrets(master, salt)
        self.vault: dict[int, Secret] = {}
        self.clocks: Clocks | None = None  # as of the last input; none in a battle without a pace
        self.head = record.first_hash(self.header_line)

    @property
    def gid(self) -> str:
        """The id of the battle."""
        return self.header.battle

    @property
    def battle(self) -> Battle:
        """The current battle, in full."""
        return self.timeline.now

    def known(self, side: str) -> Any:
        """The game as a side knows it ("" for a stranger)."""
        return self.ruleset.secrets.known(self.battle.game, side)

    def is_secret_of(self, side: str, n: int) -> bool:
        """Whether event `n` has a part that this side alone may see."""
        secret = self.vault.get(n)
        return secret is not None and secret.seat == side

    def seen(self, side: str, recorded: Recorded) -> Event:
        """An event as a side may see it: with its private part, if it is the side's own."""
        return self.timeline.whole(recorded) if self.is_secret_of(side, recorded.n) else recorded.event

    def clock(self, at: str) -> Mapping[str, ClockFace]:
        """What the clocks show at a moment, by side; empty in a battle without a pace."""
        return clock.faces(self.clocks, self.ruleset, self.battle, at) if self.clocks else {}

    # --- inputs, prepared

    def open(self, scenario: Mapping[str, Any], readers: str, at: str, pace: str = "") -> Batch:
        """The battle's first append."""
        entered = driver.open_battle(self.ruleset, self.gid, scenario, self.secrets, readers, pace)
        return self.prepare(entered, at)

    def join(self, seat: Seat, phrases: Mapping[str, str], at: str) -> Batch:
        """A player takes a side."""
        dealing = _Dealing(self.dealer)
        entered = driver.join(self.ruleset, self.battle, seat, self.gid, dealing, self.secrets, phrases)
        return self.prepare(entered, at, dealing.chance)

    def contribute(self, side: str, phrase: str, at: str, seal: str = "") -> Batch:
        """A first contribution alone; an empty batch if it was given before."""
        dealing = _Dealing(self.dealer)
        entered = driver.contribute(self.ruleset, self.battle, self.gid, side, dealing, self.secrets, phrase, seal)
        return self.prepare(entered, at, dealing.chance)

    def order(self, entry: Entry, at: str) -> Batch:
        """One order; a `Refusal` if it may not be given."""
        dealing = _Dealing(self.dealer)
        entered = driver.enter_order(self.ruleset, self.battle, self.gid, entry, dealing, self.secrets, self.vault)
        return self.prepare(entered, at, dealing.chance)

    def fire_clock(self, what: str, side: str, at: str) -> Batch:
        """A clock event, or a side's request about time; a `Refusal` if it is not allowed."""
        facts = clock.fired(self.clocks, self.ruleset, self.battle, what, side, at)
        return self.prepare(
            driver.enter_facts(self.ruleset, self.battle, self.gid, facts, self.secrets, self.vault), at
        )

    def prepare(self, entered: Sequence[Entered], at: str, chance: SeededChance | None = None) -> Batch:
        """Lines and hashes for facts; nothing is adopted yet."""
        rows: list[Row] = []
        recorded: list[Recorded] = []
        secrets: dict[int, Secret] = {}
        head, n = self.head, self.battle.n
        for item in entered:
            n += 1
            fact = item.fact
            line = record.encode(n, at, fact)
            head = record.next_hash(head, line)
            kind = record.type_name(type(fact.event))
            rows.append((kind, line, head))
            recorded.append(Recorded(n, at, fact.by, fact.rule, kind, fact.event))
            if item.secret:
                secrets[n] = item.secret
        return Batch(tuple(entered), tuple(recorded), tuple(rows), secrets, chance)

    def adopt(self, batch: Batch) -> None:
        """Adopt a durable batch: the battle continues from it."""
        for n, secret in batch.secrets.items():
            self.vault[n] = secret
            self.timeline.vault[n] = msgspec.json.decode(secret.content)
        for recorded in batch.recorded:
            self._feed(recorded)
        if batch.rows:
            self.head = batch.rows[-1][2]
        if batch.chance is not None:
            self.dealer.adopt(batch.chance)

    def _feed(self, recorded: Recorded) -> None:
        if recorded.n == 1:
            self.clocks = clock.opened_clocks(recorded.event, recorded.at)
        elif self.clocks and type(recorded.event) in INPUTS:
            self.clocks = clock.evolve_clocks(self.clocks, self.ruleset, self.battle, recorded)
        self.timeline.feed(recorded)

    def _recall_draws(self, recorded: Recorded) -> None:
        battle, event = self.battle, self.timeline.whole(recorded)
        looker = look_of(event, recorded.by)
        pile = self.ruleset.draws.pile(battle.game, looker) if looker else ()
        self.dealer.recall(battle, draws_of(event, recorded.by, battle.order_t, battle.game.rewinds, pile))

    def recall(self, lines: Sequence[tuple[bytes, bytes]], vault: Mapping[int, Secret]) -> None:
        """Fold a log read back from the store: (line, hash_n) from event 1 on."""
        catalogue = catalogue_of(self.ruleset)
        self.vault.update(vault)
        self.timeline.vault.update({n: msgspec.json.decode(secret.content) for n, secret in vault.items()})
        for line, head in lines:
            recorded = record.decode(line, catalogue)
            self._recall_draws(recorded)
            self._feed(recorded)
            self.head = head
