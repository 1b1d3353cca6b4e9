"""One order being adjudicated: its agenda, the facts it causes, and the draws it makes.

What holds:
- All rules live in decisions and steps, which emit events; evolutions copy what events say into a new state. `emit`
  applies each event at once, so a step always sees the state that its own events have made.
- The *agenda* is a stack of steps with plain arguments. Where a side must choose, what is left of it goes into
  `DecisionAsked`, top first, and the answer continues it: a battle may wait for weeks in the middle of a charge, over
  restarts and new releases. Steps keep their names for that reason.
- Nothing outlives the order but its facts. A refusal raised anywhere drops them all, with the draws: chance commits
  only what the log has taken.
- The judge names scope and index of every draw. Games say for whom and what for; two dice thrown at once get two
  indexes, and after a rewind every scope has its new label.

Rejected: a state machine per rule (one charge crosses most chapters); generators or coroutines as agenda (they cannot
be written into a log); events that run rules when they are folded (an audit could not tell a changed rule from a
changed log); letting games number their own draws (the first toy with two dice got it wrong).
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Generic

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.basics.errors import BrokenInvariant, Refusal
from domain.basics.seats import SOUTH_AND_NORTH, Seats
from domain.engine.state import Evolution, S
from domain.events.battle import BattleEnded, CardDrawn, DecisionAsked, DecisionMade, DieRolled, Event, Fact
from domain.log.chance import Chance, Die, Pile
from domain.log.fairness import scope_label

Step = tuple[str, dict[str, Any]]
"""A step of the agenda: its name and its arguments, plain values only."""


# --- refusals that rulesets share


def unknown_id(name: str) -> Refusal:
    """Nothing of either side has this id."""
    return Refusal("core.unknown-id", "CORE-ID", id=name)


def not_yours(name: str, side: str) -> Refusal:
    """It belongs to another side."""
    return Refusal("core.not-yours", "CORE-ID", id=name, side=side)


def off_board(place: str) -> Refusal:
    """This board has no such place: no such box, hex or point."""
    return Refusal("core.off-board", "CORE-ID", place=place)


# --- the agenda of one order


class _Over(Exception):
    """The battle has ended: what is left on the agenda is dropped."""


class Judge(Generic[S]):
    """One order being adjudicated: the state so far, the facts so far, and what is left to do.

    Decisions and steps take the judge as their first argument; they read `state`, `emit` facts, `roll` dice,
    `draw` cards and `push` further steps. Nothing of it outlives the order.
    """

    def __init__(
        self,
        state: S,
        chance: Chance,
        evolutions: Mapping[type[Event], Evolution],
        steps: Mapping[str, Callable[..., None]],
        rules: Mapping[str, str],
        seats: Seats = SOUTH_AND_NORTH,
    ) -> None:
        self.state = state
        self.seats = seats
        self.chance = chance
        self.facts: list[Fact] = []
        self.agenda: list[Step] = []
        self._evolutions = evolutions
        self._steps = steps
        self._rules = rules

    def emit(self, event: Event, by: str = "server", rule: str = "") -> None:
        """Add a fact and apply it to the state. After `BattleEnded` nothing follows."""
        kind = type(event)
        self.facts.append(Fact(by, rule or self.rule_of(kind.__name__) or event.RULE, event))
        evolved = self._evolutions[kind](self.state, event)
        self.state = replace(evolved, n=self.state.n + 1)
        if kind is BattleEnded:
            self.agenda.clear()
            raise _Over

    def rule_of(self, event: str) -> str:
        """The game's own rule ID for a generic event, or ""."""
        return self._rules.get(event, "")

    def roll(
        self,
        side: str,
        die: Die,
        purpose: str,
        unit: str = "",
        rule: str = "",
        *,
        scope: str = "dice",
        told: Callable[[int], tuple[str, str]] | None = None,
    ) -> int:
        """Roll a die for a side ("": for both) and tell it; returns what it counts.

        Shape: `scope` `dice`, or `open` for what falls between `TurnBegan` and the mover's first order: the host can
               foresee it since the other side's last order (fairness.md 11), so only what must fall then;
               `purpose` and `unit` say what it is for (`DieRolled`); where that depends on what it counts, as with a
               die that is thrown again, `told` gives purpose and rule
        """
        state = self.state
        scope = scope_label(f"{scope}:{side or 'common'}", state.rewinds)
        face = self.chance.die(scope, die.sides, state.t, die.values)
        value = die.values[face - 1] if die.values else face
        if told:
            purpose, rule = told(value)
        rolled = DieRolled(
            scope=scope,
            t=state.t,
            index=state.rolled.get(scope, 0) + 1,
            sides=die.sides,
            value=value,
            purpose=purpose,
            unit=unit,
            face=face if die.values else UNSET,
        )
        self.emit(rolled, side or "server", rule)
        return rolled.value

    def draw(
        self,
        pile: Pile,
        stream: str,
        purpose: str,
        unit: str = "",
        *,
        keeps: Callable[[str], bool] | None = None,
        by: str = "server",
        rule: str = "",
    ) -> str:
        """Draw a card and tell it; returns its code. A card that was looked at comes from the stream of the look.

        Shape: `stream` `draw:SIDE`, `hand:SIDE`, `common` … (fairness.md 2); `keeps` says whether a card stays on
               its unit, all others are discarded
        """
        if pile.looked:
            card, (t, scope) = pile.looked[0], pile.look
        else:
            t, scope = self.state.t, scope_label(stream, self.state.rewinds)
            card = self.chance.card(scope, pile.cards, t, pile.deck)
        drawn = CardDrawn(
            deck=pile.deck,
            epoch=pile.epoch,
            index=pile.index + 1,
            card=card,
            purpose=purpose,
            unit=unit,
            scope=scope,
            t=t,
            remaining=len(pile.cards) if pile.endless else len(pile.cards) + len(pile.looked) - 1,
            discard=0 if keeps and keeps(card) else 1,
        )
        self.emit(drawn, by, rule)
        return card

    def look(self, pile: Pile, side: str, count: int) -> tuple[str, ...]:
        """The next cards of a side's own pile, `count` at most, which it alone may know: they are drawn now, and
        come up later. The event that tells it has them as its member `shown` (`domain.engine.draws`)."""
        scope = scope_label(f"hand:{side}", self.state.rewinds)
        left, shown = list(pile.cards), list[str]()
        while left and len(shown) < count:
            card = self.chance.card(scope, left, self.state.t, pile.deck)
            shown.append(card)
            if not pile.endless and card in left:
                left.remove(card)
        return tuple(shown)

    def push(self, step: str, **arguments: Any) -> None:
        """Put a step on top of the agenda: it runs next."""
        self.agenda.append((step, arguments))

    def ask(self, question: DecisionAsked, step: str, **arguments: Any) -> None:
        """Stop for a decision; `step` gets the answer, as its argument `answer`.

        The agenda is recorded top first, as a reader of the log will find it.
        """
        self.push(step, **arguments)
        plain = msgspec.json.decode(msgspec.json.encode(self.agenda[::-1]))
        self.emit(replace(question, pending=tuple((name, kept) for name, kept in plain)))
        self.agenda.clear()

    def resume(self, made: DecisionMade, by: str, **answer: Any) -> None:
        """Continue the agenda that an answered decision left; its first step gets the answer."""
        waiting = self.state.waiting
        if waiting is None:
            raise BrokenInvariant("nothing is waiting")
        self.agenda = [(name, deepcopy(arguments)) for name, arguments in reversed(waiting.pending)]
        self.emit(made, by)
        self.agenda[-1][1].update(answer)

    def run(self) -> tuple[Fact, ...]:
        """Work through the agenda until it is empty or waits for a side."""
        while self.agenda:
            name, arguments = self.agenda.pop()
            self._steps[name](self, **arguments)
        return tuple(self.facts)

    def complete(self, start: Callable[["Judge[S]"], None]) -> tuple[Fact, ...]:
        """Run a decision and its agenda; the facts are complete when this returns."""
        try:
            start(self)
            self.run()
        except _Over:
            pass
        return tuple(self.facts)
