"""Plays orders with draws given beforehand, and has the luck of them counted."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.events.battle import CardDrawn, DieRolled, Fact
from domain.log.chance import Chance, StackedChance, StreamChance
from domain.log.fairness import Stream
from domain.log.record import Recorded
from domain.mechanics.stake import Stake
from domain.run.decide import beginning, decide, evolve, opening, proceeding
from domain.run.seats import Battle
from projections.luck import LuckMemory, LuckRow
from projections.model import ModelStep, OpenedBattle
from replay.lab.lab import CASE_KEYS


class Given:
    """The draws given, in order, whatever they are for; after them those of another chance. `came` are the draws so
    far, `could` what could have come at each."""

    def __init__(self, draws: Sequence[str | int], after: Chance) -> None:
        self._given = list(draws)
        self._after = after
        self.came: list[str | int] = []
        self.could: list[list[str | int]] = []

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        return str(self._next(pile, lambda: self._after.card(scope, pile, t, deck)))

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        return int(self._next(range(1, sides + 1), lambda: self._after.die(scope, sides, t, values)))

    def _next(self, could: Iterable[str | int], otherwise: Callable[[], str | int]) -> str | int:
        at = len(self.came)
        self.could.append(list(could))
        self.came.append(self._given[at] if at < len(self._given) else otherwise())
        return self.came[-1]


class Staked:
    """A battle without a log: its state, and the luck so far."""

    def __init__(self, ruleset: Ruleset, state: Any, chance: Given) -> None:
        self.ruleset, self.state, self.chance = ruleset, state, chance
        self.facts: dict[int, Fact] = {}
        self.drawn: list[int] = []  # the events of the draws, in order
        self.starts: list[tuple[Any, int, Sequence[str]]] = []  # before each order: state, draws made, orders left
        self._failed: list[Exception] = []
        self._memory = LuckMemory(OpenedBattle("", self._watched(ruleset), ""), is_open=True)

    def _watched(self, ruleset: Ruleset) -> Ruleset:
        """The ruleset, whose stakes may not fail: the count itself passes over it, as a log may claim anything."""

        def stake(*given: Any) -> Sequence[Stake] | None:
            try:
                return ruleset.draws.stake(*given)
            except Exception as reason:
                self._failed.append(reason)
                raise

        return replace(ruleset, draws=replace(ruleset.draws, stake=stake))

    def order(self, side: str, line: str) -> None:
        """An order in words."""
        self.take(decide(self.ruleset, self.state, side, self.ruleset.orders.parse(line), self.chance))

    def take(self, facts: Sequence[Fact]) -> None:
        """Fold facts, and count their luck."""
        for fact in facts:
            before = self.state
            n = before.n + 1
            self.state = evolve(self.ruleset, before, fact.event, n)
            recorded = Recorded(n, "", fact.by, fact.rule, type(fact.event).__name__, fact.event)
            self._memory.apply(ModelStep(recorded, Battle(before.n, before), Battle(n, self.state), {}, False))
            self.facts[n] = fact
            if isinstance(fact.event, CardDrawn | DieRolled):
                self.drawn.append(n)

    def play(self, orders: Sequence[str]) -> None:
        """Orders with their sides (`south: R1 ahead`)."""
        for at, line in enumerate(orders):
            if self.state.waiting is None:
                self.starts.append((self.state, len(self.chance.came), orders[at:]))
            side, _, text = line.partition(":")
            with suppress(Refusal):
                self.order(side, text.strip())

    def settle(self) -> None:
        """Answer what is asked, as a side is offered it last, until nothing waits."""
        while (asked := self.state.waiting) is not None:
            known = self.ruleset.secrets.known(self.state, asked.side)
            self.order(asked.side, self.ruleset.orders.options(known, asked.side)[-1].order)

    @property
    def rows(self) -> tuple[LuckRow, ...]:
        """The draws with something at stake."""
        assert self._failed == []
        return self._memory.rows()


def played(case: Mapping[str, Any]) -> Staked:
    """A case, as plain data, played to its end, without what it expects; refused orders are left out."""
    ruleset = RULESETS[case["ruleset"]]
    staked = Staked(ruleset, ruleset.rules.initial, Given((), StackedChance(ruleset.draws.stacked(case))))
    staked.take(opening(ruleset, {key: value for key, value in case.items() if key not in CASE_KEYS}))
    staked.take(beginning(ruleset, staked.state))
    staked.take(proceeding(ruleset, staked.state, staked.chance))
    staked.play(case["orders"])
    return staked


def played_otherwise(staked: Staked, draw: int, *came: str | int) -> Staked:
    """The same with other draws from one on, by its place from 0; what comes after them is random, and what is asked is
    answered somehow."""
    state, drawn, orders = next(start for start in reversed(staked.starts) if start[1] <= draw)
    given = Given([*staked.chance.came[drawn:draw], *came], StreamChance(Stream(b"other")))
    other = Staked(staked.ruleset, state, given)
    other.play(orders)
    other.settle()
    return other
