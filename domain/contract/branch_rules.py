"""What a game says of branches, and how a position becomes the state of one (docs/branches.md)."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Generic

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.basics.seats import Seats
from domain.engine.positions import Flaw, bad_position, thaw
from domain.engine.state import Evolution, GameState, S
from domain.events.battle import BattleOpened, DecisionAsked, PileLeft


def _no_flaws(state: Any) -> tuple[Flaw, ...]:
    return ()


def _without_references(state: S, renumbered: Callable[[int], int]) -> S:
    return state


def _nothing_hidden(state: S, hidden: Sequence[str], below: Callable[[int], int]) -> S:
    return state


def _no_piles(state: Any) -> Mapping[str, PileLeft]:
    return {}


class BranchRules(Struct, Generic[S], frozen=True, kw_only=True):
    """How a battle goes on elsewhere from one of its positions. By default a state names no event of its log, hides
    nothing, has no deck, and can be anything that its types allow."""

    flaws: Callable[[S], Iterable[Flaw]] = _no_flaws
    """What cannot be in a state that may come from anybody: two units on one place, a unit of no type. The first one
    counts, and whatever it trips over is a flaw, too."""
    detached: Callable[[S, Callable[[int], int]], S] = _without_references
    """The state apart from the log it came from: each event that it names by number is renumbered, and looks at coming
    cards are forgotten. The engine's own standing orders are renumbered already."""
    dealt: Callable[[S, Sequence[str], Callable[[int], int]], S] = _nothing_hidden
    """The state with what is hidden of some sides dealt anew, from all that it may be; `below(n)` gives a number from 0
    to n - 1. What its side can choose again before the turns is left to it."""
    decks: Callable[[S], Mapping[str, PileLeft]] = _no_piles
    """The decks that are in use, without looks."""


# --- positions as states


def on_opened(opened: Evolution, thaw: Callable[[Any], Any]) -> Evolution:
    """What the opening of a battle does to the state: that of a branch begins with its position, in no phase yet."""

    def begun(state: Any, event: BattleOpened) -> Any:
        if event.position is UNSET:
            return opened(state, event)
        state = thaw(event.position.state)
        return replace(state, phase="", resumes=state.phase)

    return begun


def thawed(
    rules: BranchRules[S],
    kind: type[S],
    asked: type[DecisionAsked],
    steps: Collection[str],
    seats: Seats,
    data: Any,
) -> S:
    """The state of a position, which may come from anybody; `steps` are those that its agenda may name.

    Raises: Refusal core.bad-position
    """
    state = thaw(kind, asked, data)
    try:
        flaw = next(chain(_flaws_of_any_game(state, steps, seats.names), rules.flaws(state)), None)
    except Exception:  # a state that no game ever made may break any rule, in any way
        flaw = "", "shape"
    if flaw:
        raise bad_position(*flaw)
    return state


def _flaws_of_any_game(state: GameState, steps: Collection[str], sides: tuple[str, ...]) -> Iterator[Flaw]:
    for name in ("active", "mover", "draw_offer"):
        if getattr(state, name) not in ("", *sides):
            yield name, "side"
    if state.winner not in (None, "", *sides) or state.resumes:
        yield "winner", "ended"
    if not {*state.draw_agreed} <= {*sides} - {state.draw_offer}:
        yield "draw_agreed", "side"
    if min(state.n, state.turn, state.t, state.rewinds) < 0:
        yield "turn", "number"
    if any(order.side not in sides for order in state.standing):
        yield "standing", "side"
    waiting = state.waiting
    if waiting and (waiting.side not in sides or any(step not in steps for step, _ in waiting.pending)):
        yield "waiting", "step"
