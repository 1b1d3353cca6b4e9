"""Chapter SEQ, decisions: what a side is asked, how it answers, and standing orders that answer in advance.

Every question is put by `put_question`: a standing order may answer it, else the side is asked (PRG-SEQ-12).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import UNSET, UnsetType, field

from domain.basics.commands import Command, Standing
from domain.basics.errors import Refusal
from domain.engine.judge import Judge, not_yours, off_board, unknown_id
from domain.engine.state import OTHER, standing_order, unchanged
from domain.events import battle as events
from domain.games.singidunum.state.board import in_order
from domain.games.singidunum.state.state import State, Unit
from domain.mechanics import hex as hexes

RULE = "PRG-SEQ-12"
ANSWERING = "PRG-RET-02"
YES, NO, ASK, NONE, OFF = "yes", "no", "ask", "none", "off"
ACCEPT, REFUSE, STAY, FLEE = "accept", "refuse", "stay", "flee"


# --- events


class DecisionAsked(events.DecisionAsked, frozen=True, gc=False, kw_only=True):
    """The rules wait for a side. `candidates` are the units, or generals, that the answer may name."""

    RULE: ClassVar[str] = RULE

    candidates: tuple[str, ...] | UnsetType = UNSET


class DecisionMade(events.DecisionMade, frozen=True, gc=False, kw_only=True):
    """A side answered, or its standing order did; `with_` is the unit or general that it named."""

    RULE: ClassVar[str] = RULE

    with_: str | UnsetType = field(name="with", default=UNSET)


# --- commands


class _Answer(Command, frozen=True, gc=False):
    """An answer, as it stands among the options of its question; `with_` names a unit, or general."""

    answer: str
    with_: str = ""


class React(_Answer, frozen=True, gc=False, tag="react"):
    """Accept a combat, or refuse it by a retreat to a hex."""

    ANSWERS: ClassVar[str] = "reaction"


class CancelRetreats(_Answer, frozen=True, gc=False, tag="hold"):
    """Let a general cancel the retreats, or not."""

    ANSWERS: ClassVar[str] = "hold"


class Retreat(_Answer, frozen=True, gc=False, tag="retreat"):
    """Retreat to a hex."""

    ANSWERS: ClassVar[str] = "retreat"


class Cornered(_Answer, frozen=True, gc=False, tag="cornered"):
    """Stay, or flee to a hex."""

    ANSWERS: ClassVar[str] = "cornered"


class Propose(_Answer, frozen=True, gc=False, tag="propose"):
    """Propose the hex of a second retreat."""

    ANSWERS: ClassVar[str] = "second"


class Allow(_Answer, frozen=True, gc=False, tag="allow"):
    """Allow the hex that is proposed, or refuse it."""

    ANSWERS: ClassVar[str] = "allow"


class Pursue(_Answer, frozen=True, gc=False, tag="pursue"):
    """Pursue, or not."""

    ANSWERS: ClassVar[str] = "pursuit"


class Challenge(_Answer, frozen=True, gc=False, tag="challenge"):
    """Attack another enemy after a refusal, or nobody."""

    ANSWERS: ClassVar[str] = "challenge"


ANSWERS: tuple[type[_Answer], ...] = (React, CancelRetreats, Retreat, Cornered, Propose, Allow, Pursue, Challenge)
TOPICS: Mapping[str, tuple[str, ...]] = {
    "reaction": (ACCEPT, REFUSE, ASK),
    "retreat": ("home", ASK),
    "cornered": (STAY, FLEE, ASK),
    "second": ("allow", REFUSE, ASK),
    "pursuit": (YES, NO, ASK),
    "hold": (YES, NO, ASK),
}
"""What each standing order may say."""
ANSWERED_BY = {
    "reaction": "reaction",
    "retreat": "retreat",
    "second": "retreat",
    "cornered": "cornered",
    "allow": "second",
    "pursuit": "pursuit",
    "hold": "hold",
}
"""The topic of the standing orders that answer a kind of decision."""


# --- asking


def question(side: str, kind: str, unit: str, options: Sequence[str], candidates: Sequence[str] = ()) -> DecisionAsked:
    """A question to a side."""
    return DecisionAsked(side, kind, unit, tuple(options), candidates=tuple(candidates) or UNSET)


def put_question(judge: Judge[State], asked: DecisionAsked, step: str, **arguments: Any) -> None:
    """Let a standing order answer a question, or ask it; `step` gets `answer`, and `with_` where units are named."""
    made = standing_answer(judge.state, asked)
    if made is None:
        judge.ask(asked, step, **arguments)
        return
    judge.emit(made, made.side)
    judge.push(step, **arguments, **_taken_up(made))


def decide_answer(judge: Judge[State], side: str, command: _Answer) -> None:
    """A side answers the question that waits; where none does the engine refuses the answer (PRG-INT-11). Who alone
    may pursue may be named, too (PRG-CBT-11).

    Raises: Refusal singidunum.not-a-candidate, singidunum.bad-retreat
    """
    waiting: Any = judge.state.waiting
    candidates = waiting.candidates or ()
    nameable = candidates or ((waiting.unit,) if waiting.kind == Pursue.ANSWERS else ())
    if command.with_ and command.with_ not in nameable:
        raise Refusal("singidunum.not-a-candidate", ANSWERING, unit=command.with_, candidates=list(nameable))
    if command.answer not in waiting.options:
        raise Refusal("singidunum.bad-retreat", ANSWERING, answer=command.answer, options=list(waiting.options))
    named = (command.with_ if candidates else "") or (candidates[0] if candidates and command.answer == YES else "")
    made = DecisionMade(side, waiting.kind, waiting.unit, command.answer, False, with_=named or UNSET)
    judge.resume(made, side, **_taken_up(made))


def _taken_up(made: DecisionMade) -> dict[str, Any]:
    named = {} if made.with_ is UNSET else {"with_": made.with_}
    return {"answer": made.answer, **named}


# --- answering in advance


def standing_answer(state: State, asked: DecisionAsked) -> DecisionMade | None:
    """The answer that a standing order gives to a question, or None: then the side is asked (PRG-SEQ-12)."""
    topic = ANSWERED_BY.get(asked.kind, "")
    order = standing_order(state, asked.side, topic, asked.unit) if topic else None
    if order is None or order.value == ASK:
        return None
    answer = _instructed(state, asked, order.value)
    if answer not in asked.options:
        return None
    named = asked.candidates[0] if asked.candidates and answer == YES else UNSET
    return DecisionMade(asked.side, asked.kind, asked.unit, answer, True, set_by=order.n, with_=named)


def _instructed(state: State, asked: DecisionAsked, value: str) -> str:
    if value in (REFUSE, FLEE) and asked.kind in ("reaction", "cornered"):
        return home_answer(state, asked, f"{value} ")
    if value == "home":
        return home_answer(state, asked, "")
    return {"allow": YES, REFUSE: NO}.get(value, value) if asked.kind == "allow" else value


def home_answer(state: State, asked: events.DecisionAsked, verb: str) -> str:
    """The option with the home hex: the one nearest to any hex of the own base, ties in reading order (PRG-SEQ-12)."""
    named = [option.removeprefix(verb) for option in asked.options if option.startswith(verb)]
    base = [hex_ for hex_, ground in state.terrain.items() if ground.is_base and ground.side == asked.side]
    places = in_order(name for name in named if name in hexes.XY)
    if not places:
        return verb + named[0] if named else ""
    return verb + min(places, key=lambda name: min((hexes.distance(name, to) for to in base), default=0))


def decide_standing(judge: Judge[State], side: str, command: Standing) -> None:
    """Note a standing order; it serves for questions not yet put (PRG-SEQ-12)."""
    if command.unit:
        own_unit(judge.state, side, command.unit)
    judge.emit(events.StandingOrderSet(side, command.topic, command.unit, command.value), side)


# --- names in orders

LETTERS = {"south": "S", "north": "N"}
"""With what the ids of an army begin (PRG-ARM-09)."""
SECRET_PHASES = ("muster", "deployment")


def own_unit(state: State, side: str, name: str) -> Unit:
    """A unit of the side by its id; refuse an unknown one and the other side's.

    Before the turns armies are secret: then the id alone says whose a unit would be (PRG-ARM-08, -09).
    """
    unit = state.units.get(name)
    if unit is not None and unit.side == side:
        return unit
    if state.phase in SECRET_PHASES:
        raise not_yours(name, side) if name.startswith(LETTERS[OTHER[side]]) else unknown_id(name)
    if unit is None or is_unseen(unit):
        raise unknown_id(name)
    raise not_yours(name, side)


def known_unit(state: State, side: str, name: str) -> Unit:
    """A unit of either side by its id; a hidden enemy counts as unknown (PRG-EXT-TER-05)."""
    unit = state.units.get(name)
    if unit is None or (unit.side == OTHER[side] and is_unseen(unit)):
        raise unknown_id(name)
    return unit


def is_unseen(unit: Unit) -> bool:
    """Whether a unit is in play but stands on no hex: it lies in ambush, or waits for deployment."""
    return unit.in_play and not unit.hex


def require_on_board(state: State, *names: str) -> None:
    """Refuse hexes that this board does not have."""
    for name in names:
        if name and not hexes.on_board(state.board, name):
            raise off_board(name)


DECISIONS: dict[Any, Callable[..., None]] = {**dict.fromkeys(ANSWERS, decide_answer), Standing: decide_standing}
EVOLUTIONS: dict[Any, Any] = {DecisionAsked: unchanged, DecisionMade: unchanged}
