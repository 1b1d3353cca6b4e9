"""Tell an order that chance has made impossible from one that was wrong from the start.

An order of a script is *wrong from the start* if the rules refuse it in the battle in which the script began, and also
in the battle as it would be had every order before it passed, and if none of these has moved what it names. Any other
refused order was made impossible in the course of the script: it is skipped, and the script goes on
(docs/decisions/0019-one-message-one-turn.md).

Both battles are those that the script's side knows. Nothing here looks at a draw that was really made, so the same
script in the same log is always judged alike.
"""

from collections.abc import Sequence
from typing import Any

from domain.basics.errors import Refusal
from domain.contract.dispute_lines import DisputeOrder
from domain.contract.ruleset import Ruleset
from domain.contract.senses import FAILS
from domain.events.battle import Fact
from domain.log.chance import DrawReached, NoDraw
from domain.run.decide import decide, folded
from domain.scripts.conditions import UNKNOWN, ScriptView

ENDED = "core.battle-ended"
CORE = "core."
"""Begins the codes of refusals that are not a game's."""
MOST_ANSWERS = 8
"""The questions after one order that are answered for the other sides."""
QUARTERS = (1, 2, 3)
"""Where in the range of a draw, in quarters, a moderate result is looked for."""


class _Extreme:
    """Chance that always gives a side the highest result, and its `others` the lowest; or the reverse. `first`: so many
    quarters of the way to the highest result for the first draw of the side; None for the extreme, too."""

    def __init__(self, others: tuple[str, ...], is_high: bool, first: int | None = None) -> None:
        self._others = others
        self._is_high = is_high
        self._first = first

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        return pile[self._place(f"{scope} {deck}", len(pile) - 1)]

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        return 1 + self._place(scope, sides - 1)

    def _place(self, names: str, most: int) -> int:
        """Which result a draw of these names has, 0 to `most`: the other sides' are opposed to ours."""
        is_others = any(other in names for other in self._others)
        if not is_others and self._first is not None:
            first, self._first = self._first, None
            return most * first // 4
        return most if self._is_high != is_others else 0


def refusal_of(ruleset: Ruleset, state: Any, side: str, order: str) -> Refusal | None:
    """Why the rules refuse an order in a state; None if they do not. Nothing is drawn."""
    try:
        decide(ruleset, state, side, ruleset.orders.parse(order), NoDraw())
    except DrawReached:
        return None
    except Refusal as refusal:
        return refusal.with_traceback(None)
    return None


def prepared(ruleset: Ruleset, known: Any, side: str, order: str) -> tuple[str, Any]:
    """The order that a player means to be given first, who gives one that is refused in a state known to its side, and
    the state after it: the game names it (`OrderRules.before`). ("", `known`) if there is none, or if the order would
    be refused after it all the same."""
    refusal = refusal_of(ruleset, known, side, order)
    first = ruleset.orders.before(refusal) if refusal else ""
    if not first:
        return "", known
    try:
        facts = decide(ruleset, known, side, ruleset.orders.parse(first), NoDraw())
    except (DrawReached, Refusal):
        return "", known
    after = folded(ruleset, known, facts)
    return (first, after) if refusal_of(ruleset, after, side, order) is None else ("", known)


class ScriptCourse:
    """The orders of a script from the battle `begin` on, as if every one of them had passed.

    They are imagined when they are asked for, each once: a script without refusals costs nothing. `prepares`: the order
    that another needs before it is given for it.
    """

    def __init__(self, begin: ScriptView, prepares: bool = True) -> None:
        self.ruleset = begin.ruleset
        self.side = begin.side
        self._prepares = prepares
        self._begin = begin
        self._given: list[str] = []  # not looked at before one is refused
        self._tried: list[str] = []
        self._state: Any = None
        self._named: set[str] = set()

    def tried(self, order: str) -> None:
        """Note that the script has given an order, whatever became of it; "" is a contribution alone."""
        if order:
            self._given.append(order)

    def _look_at_given(self) -> None:
        for order in self._given:
            if not self._is_of_dispute(order):
                self._tried.append(order)
                self._named |= self._names(order)
        self._given.clear()

    def _names(self, order: str) -> set[str]:
        """The units and places that an order names: the words in capitals of its canonical notation. A request without
        orders, a contribution alone, names none."""
        if not order:
            return set()
        words = self.ruleset.orders.write(self.ruleset.orders.parse(order), "en").split()
        return {word for word in words if word.isupper()}

    def is_wrong(self, order: str, refusal: Refusal, known: Any) -> bool:
        """Whether an order refused in a battle (`known` to its side) was wrong from the start, given after those tried
        so far. What the rules would allow was refused for something else, such as a bad signature."""
        self._look_at_given()
        if self._is_of_dispute(order):
            return True
        if refusal.code.startswith(CORE) and refusal_of(self.ruleset, known, self.side, order) is None:
            return True
        if refusal.code not in UNKNOWN and (self._names(order) | _names_of(refusal)) & self._named:
            return False  # what became of an earlier order has to do with it
        hoped = self._refused(self._hoped(), order)
        if refusal.code not in UNKNOWN and hoped == ENDED:
            return False  # the hope has won the battle, and says nothing of what else could have come
        reasons = {self._refused(self._begin.known, order), hoped}
        return "" not in reasons and refusal.code in reasons

    def before(self, known: Any, order: str) -> str:
        """The order to be given before a refused one, "" if there is none."""
        prepares = self._prepares and not self._is_of_dispute(order)
        return prepared(self.ruleset, known, self.side, order)[0] if prepares else ""

    def _is_of_dispute(self, order: str) -> bool:
        """Whether an order is one of a dispute: it changes nothing on the board by itself."""
        return bool(order) and isinstance(self.ruleset.read(order), DisputeOrder)

    def _refused(self, state: Any, order: str) -> str:
        """The code with which the rules refuse an order in a state, "" if they do not."""
        refusal = refusal_of(self.ruleset, state, self.side, order)
        return "" if refusal is None or self.before(state, order) else refusal.code

    def _hoped(self) -> Any:
        """The state after all orders so far, had they passed."""
        if self._state is None:
            self._state = self._begin.known
        for order in self._tried:
            self._state = self._settled(self._passed(self._state, order))
        self._tried.clear()
        return self._state

    def _passed(self, state: Any, order: str) -> Any:
        """The state after an order that passes; the same one if it is refused."""
        if self._prepares:
            state = prepared(self.ruleset, state, self.side, order)[1]
        try:
            high = self._tossed(state, order, True)
            for is_high, facts in ((True, high), (False, self._tossed(state, order, False))):
                if FAILS not in self._results(facts):
                    return folded(self.ruleset, state, self._moderate(state, order, is_high, facts))
        except Refusal:
            return state
        return folded(self.ruleset, state, high)

    def _moderate(self, state: Any, order: str, is_high: bool, facts: Sequence[Fact]) -> Sequence[Fact]:
        """What an order that passes comes to with the least extreme first draw that gives the same result: in some
        games the next try must beat it."""
        for quarters in QUARTERS if is_high else reversed(QUARTERS):
            found = self._tossed(state, order, is_high, quarters)
            if self._results(found) == self._results(facts):
                return found
        return facts

    def _tossed(self, state: Any, order: str, is_high: bool, first: int | None = None) -> Sequence[Fact]:
        """What an order comes to with such draws.

        Raises: Refusal
        """
        chance = _Extreme(self.ruleset.seats.others(self.side), is_high, first)
        return decide(self.ruleset, state, self.side, self.ruleset.orders.parse(order), chance)

    def _results(self, facts: Sequence[Fact]) -> frozenset[str]:
        return self.ruleset.orders.senses.outcome(self.side, [fact.event for fact in facts]).results

    def _settled(self, state: Any) -> Any:
        """The state after the other sides have answered what they are asked, so that the battle goes on."""
        ruleset, others = self.ruleset, self.ruleset.seats.others(self.side)
        for _ in range(MOST_ANSWERS):
            if state.waiting is None or state.waiting.side not in others or state.winner is not None:
                break
            side = state.waiting.side
            options = ruleset.orders.options(state, side)
            if not options:
                break
            command = ruleset.orders.parse(options[-1].order)
            try:
                state = folded(ruleset, state, decide(ruleset, state, side, command, _Extreme(others, True)))
            except Refusal:
                break
        return state


def _names_of(refusal: Refusal) -> set[str]:
    """The units and places that a refusal names as its reason; a single letter is the name of neither."""
    values = (value if isinstance(value, (list, tuple)) else (value,) for value in refusal.params.values())
    return {name for found in values for name in found if isinstance(name, str) and name.isupper() and len(name) > 1}
