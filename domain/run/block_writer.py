"""Write blocks: an input, its consequences, and the disclosures that are due behind them (fairness.md 4).

A `BlockWriter` enters facts one after another and knows the battle after each. Private parts are sealed as they are
entered; at the end of a block it opens what its events have revealed, discloses the key of each period that is over,
and binds the next chains in time. Nothing is stored or signed here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.basics.errors import Refusal
from domain.contract.ruleset import Ruleset
from domain.events.battle import (
    BattleEnded,
    BattleStopped,
    Event,
    Fact,
    KeyDisclosed,
    KeysContinued,
    MasterRevealed,
    Rewound,
    Unsealed,
)
from domain.log import fairness
from domain.log.chance import Chance
from domain.log.keys import HostKeys
from domain.log.record import content_of, sealed, seat_of
from domain.run.decide import proceeding
from domain.run.draw_door import require_provable
from domain.run.seats import Battle, evolve_battle, rewound


class Secret(Struct, frozen=True, gc=False):
    """The private part of a fact: salt and canonical content, for the vault of its seat."""

    seat: str
    salt: bytes
    content: bytes


class Entered(Struct, frozen=True, gc=False):
    """A fact as it goes into the log, `whole` as the rules see it, and what the vault keeps. `after` is the battle
    after it, where it was folded to find out what follows."""

    fact: Fact
    whole: Fact
    secret: Secret | None = None
    after: Battle | None = None


class Secrets(Struct, frozen=True):
    """What the server alone knows of a battle: its keys, a source of 32-byte salts, and by n what is sealed so far."""

    keys: HostKeys
    salt: Callable[[], bytes]
    vault: Mapping[int, Secret]


Deal = Callable[[Battle], Chance]
"""Returns the chance of a battle, once its contributions are known (`replay.writing.dealer`)."""


def opened_by(event: Event) -> tuple[int, ...]:
    """The sealed events that an event opens, and with them the orders that caused them: in its field `set_by` a
    standing order that answered or acted, in `opens` whatever else a game reveals."""
    set_by: int | UnsetType = getattr(event, "set_by", UNSET)
    opens: tuple[int, ...] | UnsetType = getattr(event, "opens", UNSET)
    return (*(() if set_by is UNSET else (set_by,)), *(() if opens is UNSET else opens))


class BlockWriter:
    """Blocks being entered one after another, with the battle after each fact.

    All draws of one append come from one chance, so that what the store commits and what the dealer takes over are
    the same.
    """

    def __init__(
        self, ruleset: Ruleset, battle: Battle, secrets: Secrets, past: Callable[[int], Battle] | None = None
    ) -> None:
        """`past` gives the battle after an earlier event, which a rewind goes back to."""
        self.ruleset = ruleset
        self.battle = battle
        self._past = past
        self.entered: list[Entered] = []
        self._secrets = secrets
        self._vault = dict(secrets.vault)
        self._chance: Chance | None = None

    def dealt(self, deal: Deal) -> Chance:
        """The chance of this append, dealt when it is first asked for."""
        if self._chance is None:
            self._chance = deal(self.battle)
        return self._chance

    def contribute(self, given: Fact, deal: Deal) -> None:
        """Enter a contribution, and what the game was waiting for if it was the last one."""
        self.block(given, (), ())
        if self.battle.may_draw(self.ruleset.seats):
            self._follow(proceeding(self.ruleset, self.battle.game, self.dealt(deal)))

    def block(self, input_: Fact, facts: Sequence[Fact] = (), private: tuple[str, ...] = ()) -> None:
        """Enter an input with its consequences and the disclosures that follow; `private` are members of the input
        that its side alone may know.

        Raises: Refusal core.battle-closed in a battle that is stopped
        """
        if self.battle.stopped is not None:
            raise Refusal("core.battle-closed", "CORE-STOP", how=self.battle.stopped.how)
        self._take(input_, private)
        self._follow(facts, isinstance(input_.event, BattleStopped))

    def _follow(self, facts: Sequence[Fact], is_stopped: bool = False) -> None:
        begun = self.battle.period
        for fact in facts:
            self._take(fact)
        if is_stopped or any(isinstance(fact.event, BattleEnded) for fact in facts):
            self._open(self.battle.sealed)
            master = self._secrets.keys.master.hex()
            self._add(Fact("server", MasterRevealed.RULE, MasterRevealed(master)))
            return
        self._open(part for fact in facts for n in opened_by(fact.event) for part in (self.battle.sealed.get(n, 0), n))
        for index in range(begun, self.battle.period):
            key = self._secrets.keys.key(fairness.PUBLIC, index).hex()
            self._add(Fact("server", KeyDisclosed.RULE, KeyDisclosed(index, key)))
        self._continue_keys(begun)

    def _open(self, events: Iterable[int]) -> None:
        """Disclose what is sealed of these events, in the order of the log."""
        if not self.battle.sealed:
            return
        for n in sorted({*events} & self.battle.sealed.keys()):
            secret = self._vault[n]
            event = Unsealed(n, secret.salt.hex(), msgspec.json.decode(secret.content))
            self._add(Fact("server", Unsealed.RULE, event))

    def _continue_keys(self, begun: int) -> None:
        """Publish the next chains where the last key of the present ones has come into use."""
        keys = self._secrets.keys
        for index in range(begun + 1, self.battle.period + 1):
            generation, place = divmod(index, keys.length)
            if place == keys.length - 1:
                anchors = {chain: anchor.hex() for chain, anchor in keys.anchors(generation + 1).items()}
                self._add(Fact("server", KeysContinued.RULE, KeysContinued(generation + 1, anchors)))

    def _take(self, fact: Fact, private: tuple[str, ...] = ()) -> None:
        """Enter a fact whose private members, if it has any, are sealed (design.md 4)."""
        private = private or self.ruleset.secrets.fields(self.battle.game, fact.event)
        if not private:
            self._add(fact)
            return
        content = content_of(fact.event, private)
        t, seat = self.battle.game.t, seat_of(fact.event, fact.by)
        salt = self._secrets.salt()
        commitment = fairness.sealed_commitment(salt, self._secrets.keys.battle, t, seat, content)
        public = Fact(fact.by, fact.rule, sealed(fact.event, private, commitment))
        secret = Secret(seat, salt, content)
        self._vault[self.battle.n + 1] = secret
        self._enter(public, fact, secret)

    def _add(self, fact: Fact) -> None:
        """Enter a public fact."""
        self._enter(fact, fact)

    def _enter(self, public: Fact, whole: Fact, secret: Secret | None = None) -> None:
        event, n = whole.event, self.battle.n + 1
        require_provable(self.ruleset, self.battle, event)
        if isinstance(event, Rewound) and self._past is not None:
            self.battle = rewound(self._past(event.to), self.battle, n, self.battle.game.rewinds + 1)
        else:
            self.battle = evolve_battle(self.ruleset, self.battle, event, n, secret is not None)
        self.entered.append(Entered(public, whole, secret, self.battle))
