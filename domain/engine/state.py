"""The state that every game has, and what the events of every game do to it.

`evolve` is dumb: it copies facts. A rule that it would need is decided where the event is emitted, and the
event gets a field for it (design.md 4).
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.basics.seats import SOUTH_AND_NORTH
from domain.events.battle import (
    BattleBegan,
    BattleEnded,
    BattleOpened,
    DecisionAsked,
    DecisionMade,
    DecisionWithdrawn,
    DieRolled,
    DrawAccepted,
    DrawDeclined,
    DrawLapsed,
    DrawOffered,
    Event,
    PhaseBegan,
    SideResigned,
    StandingOrderSet,
    TurnBegan,
    TurnEnded,
)

SIDES = SOUTH_AND_NORTH.names
OTHER = {side: SOUTH_AND_NORTH.opponent(side) for side in SIDES}
"""The seats of a game of two, and who is against whom: what knows no game asks `Ruleset.seats`."""


class StandingOrder(Struct, frozen=True, gc=False):
    """An answer given in advance; `unit` is "" if it is for all of the side, `n` the event that set it."""

    side: str
    topic: str
    unit: str
    value: str
    n: int


class GameState(Struct, frozen=True, gc=False):
    """What the engine needs to know of any game; rulesets extend it.

    `n` is the last event folded, `t` the player-turn and `mover` the side whose own it is ("" in set-up, t = 0);
    `active` may go to and fro between the sides within it. `winner` is None while the battle lasts and ""
    for a draw, `rewinds` the rulings that took play back: draws after one have scopes of their own
    (`domain.log.fairness.scope_label`). `draw_agreed` are the sides that have accepted the `draw_offer`. `rolled`
    counts the dice of this t by scope. `resumes` is the phase that a branch begins in; until it begins, its `phase` is
    empty like that of any battle.
    """

    n: int = 0
    phase: str = ""
    active: str = ""
    mover: str = ""
    turn: int = 0
    t: int = 0
    waiting: DecisionAsked | None = None
    standing: tuple[StandingOrder, ...] = ()
    draw_offer: str = ""
    draw_agreed: tuple[str, ...] = ()
    winner: str | None = None
    how: str = ""
    rewinds: int = 0
    rolled: Mapping[str, int] = {}
    resumes: str = ""


S = TypeVar("S", bound=GameState)


def require_lasting(state: GameState) -> None:
    """Refuse whatever comes after the end of the battle.

    Raises: Refusal core.battle-ended
    """
    if state.winner is not None:
        raise Refusal("core.battle-ended", "CORE-END", winner=state.winner, how=state.how)


# --- evolutions


def in_its_phase(state: S) -> S:
    """The state of a branch that has not begun, in the phase of its position; any other as it is."""
    return replace(state, phase=state.resumes, resumes="") if state.resumes else state


def on_battle_began(state: S, event: BattleBegan) -> S:
    return in_its_phase(state)


def on_phase_began(state: S, event: PhaseBegan) -> S:
    return replace(state, phase=event.phase)


def on_turn_began(state: S, event: TurnBegan) -> S:
    return replace(state, active=event.side, mover=event.side, turn=event.turn, t=state.t + 1, rolled={})


def unchanged(state: S, event: Event) -> S:
    """For an event that changes nothing by itself."""
    return state


def on_die_rolled(state: S, event: DieRolled) -> S:
    return replace(state, rolled={**state.rolled, event.scope: event.index})


def on_decision_asked(state: S, event: DecisionAsked) -> S:
    return replace(state, waiting=event)


def on_decision_closed(state: S, event: DecisionMade | DecisionWithdrawn) -> S:
    return replace(state, waiting=None)


def on_standing_order_set(state: S, event: StandingOrderSet) -> S:
    """A later order on the same matter takes the place of the earlier; a sealed one tells nothing."""
    if event.unit is UNSET or event.value is UNSET:
        return state
    others = (o for o in state.standing if (o.side, o.topic, o.unit) != (event.side, event.topic, event.unit))
    order = StandingOrder(event.side, event.topic, event.unit, event.value, state.n + 1)
    return replace(state, standing=(*others, order))


def on_draw_offered(state: S, event: DrawOffered) -> S:
    return replace(state, draw_offer=event.side)


def on_draw_accepted(state: S, event: DrawAccepted) -> S:
    return replace(state, draw_agreed=(*state.draw_agreed, event.side))


def on_draw_closed(state: S, event: DrawDeclined | DrawLapsed) -> S:
    return replace(state, draw_offer="", draw_agreed=())


def on_battle_ended(state: S, event: BattleEnded) -> S:
    ended = replace(state, phase="ended", winner=event.winner, how=event.how, waiting=None)
    return replace(ended, draw_offer="", draw_agreed=())


Evolution = Callable[[Any, Any], Any]

EVOLUTIONS: dict[type[Event], Evolution] = {
    BattleOpened: unchanged,
    BattleBegan: on_battle_began,
    DieRolled: on_die_rolled,
    PhaseBegan: on_phase_began,
    TurnBegan: on_turn_began,
    TurnEnded: unchanged,
    DecisionAsked: on_decision_asked,
    DecisionMade: on_decision_closed,
    DecisionWithdrawn: on_decision_closed,
    StandingOrderSet: on_standing_order_set,
    DrawOffered: on_draw_offered,
    DrawAccepted: on_draw_accepted,
    DrawDeclined: on_draw_closed,
    DrawLapsed: on_draw_closed,
    SideResigned: unchanged,
    BattleEnded: on_battle_ended,
}


def standing_order(state: GameState, side: str, topic: str, unit: str = "") -> StandingOrder | None:
    """The standing order of a side on a matter, or None; one for the unit goes before one for all (`unit` "")."""
    found = {o.unit: o for o in state.standing if o.side == side and o.topic == topic}
    return found.get(unit) or found.get("")
