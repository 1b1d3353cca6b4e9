"""Chapter TRN, decision points: what a side is asked, and its answer (TTS-TRN-10).

A question is built first, by the chapter that it belongs to; `put_question` then checks whether a standing order
answers it (TTS-TRN-11), and asks if none does. A standing order tests only what its own side may know at that moment.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec import UNSET, UnsetType, field

from domain.basics.commands import Standing
from domain.engine.judge import Judge, not_yours, unknown_id
from domain.engine.state import StandingOrder, standing_order, unchanged
from domain.events import battle as events
from domain.games.to_the_strongest.chapters.cards import next_cards
from domain.games.to_the_strongest.chapters.standing import (
    NO,
    YES,
    Instruction,
    instruction,
    named_chargers,
    never_holds,
    require_meaning,
)
from domain.games.to_the_strongest.state.state import General, State, Unit, kind
from domain.mechanics.cards import cards_at_least
from domain.mechanics.conditions import Test, holds, within
from domain.mechanics.square import REVERSE

ASKED = "TTS-TRN-10"
Named = TypeVar("Named", bound=Unit | General)
HERO = "HERO"
"""A hero among the sources of a standing order."""


class DecisionAsked(events.DecisionAsked, frozen=True, gc=False, kw_only=True):
    """evade: needed, charger; replay: purpose, card, needed, sources; join: candidates;
    shift: card, piece."""

    RULE = ASKED

    purpose: str | UnsetType = UNSET
    card: int | str | UnsetType = UNSET
    needed: int | UnsetType = UNSET
    sources: tuple[str, ...] | UnsetType = UNSET
    charger: str | UnsetType = UNSET
    candidates: tuple[str, ...] | UnsetType = UNSET
    piece: int | UnsetType = UNSET


class DecisionMade(events.DecisionMade, frozen=True, gc=False, kw_only=True):
    """`with_` is the source used, with every yes to a replay; `facing` if one was asked for."""

    RULE = ASKED

    with_: str | UnsetType = field(name="with", default=UNSET)
    facing: str | UnsetType = UNSET


# --- asking


def put_question(judge: Judge[State], question: DecisionAsked, step: str, **arguments: Any) -> None:
    """Let a standing order answer a question, or ask it; `step` takes the answer up."""
    made = standing_answer(judge.state, question)
    if made is None:
        judge.ask(question, step, **arguments)
        return
    judge.push(step, **arguments, **_taken_up(made))
    judge.emit(made, made.side)


def take_answer(judge: Judge[State], made: DecisionMade) -> None:
    """A side answers the question that waits."""
    judge.resume(made, made.side, **_taken_up(made))


def _taken_up(made: DecisionMade) -> dict[str, Any]:
    """The arguments that an answer passes to its step, by kind of decision."""
    if made.kind == "replay":
        return {"source": made.with_ or ""}
    more: dict[str, dict[str, Any]] = {"evade": {"facing": made.facing or ""}, "shift": {"side": made.side}}
    return {"answer": made.answer, **more.get(made.kind, {})}


# --- answering in advance


def standing_answer(state: State, question: DecisionAsked) -> DecisionMade | None:
    """The answer that a standing order gives to a question, or None: then the side is asked.

    Rule:  TTS-TRN-11: a unit's own order goes before one for all; an order that does not fit the question, say
           because nobody it names may serve, gives no answer
    Shape: `state` as the side of the question knows it, or whole: both lead to the same answer
    """
    order = standing_order(state, question.side, question.kind, question.unit)
    if order is None:
        return None
    return _ANSWERS[question.kind](state, question, order, instruction(order.topic, order.value))


def _of_yes_and_no(
    state: State, question: DecisionAsked, order: StandingOrder, said: Instruction
) -> DecisionMade | None:
    """An evade or a replay: yes or no."""
    if not said.answers:
        return None
    is_so = holds(said.condition, lambda test: _TESTS[test[0]](state, question, test))
    given = said.answers[0] if is_so else said.otherwise
    if given == NO:
        return _made(question, order, NO)
    if given != YES:
        return None
    if question.kind == "replay":
        sources = {source.upper(): source for source in question.sources or ()}
        name = next((name for name in said.sources or sources if name in sources), "")
        return _made(question, order, YES, with_=sources[name]) if name else None
    facing = state.units[question.unit].facing
    if said.facing not in ("", facing, REVERSE[facing]):  # it cannot end so (TTS-EVD-05)
        return None
    return _made(question, order, YES, facing=said.facing or UNSET)


def _of_a_list(state: State, question: DecisionAsked, order: StandingOrder, said: Instruction) -> DecisionMade | None:
    """A unit to join, or a shift: the first wished option that is available, if the condition holds."""

    def is_wished(name: str) -> bool:
        return name in question.options and holds(said.condition, lambda test: _of_answer(state, question, name, test))

    found = next(filter(is_wished, said.answers), "")
    return _made(question, order, found) if found else None


def _of_answer(state: State, question: DecisionAsked, name: str, test: Test) -> bool:
    """A test of the unit to join, or of the piece that is shifted."""
    if question.kind == "join":
        return state.units[name].losses > 0
    return any(piece.number == question.piece and piece.kind == test[0] for piece in state.pieces)


def _made(question: DecisionAsked, order: StandingOrder, given: str, **more: Any) -> DecisionMade:
    return DecisionMade(question.side, question.kind, question.unit, given, True, set_by=order.n, **more)


_ANSWERS: Mapping[str, Callable[..., DecisionMade | None]] = {
    "evade": _of_yes_and_no,
    "replay": _of_yes_and_no,
    "join": _of_a_list,
    "shift": _of_a_list,
}


# --- what a condition tests


def is_heavier(unit: Unit, charger: Unit) -> bool:
    """Whether a charger is heavier, for the standing order `heavier` (TTS-EVD-04)."""
    if kind(unit).light:
        return not kind(charger).light
    return kind(charger).deep or "knight" in kind(charger).flags


def _is_charged_by(state: State, question: DecisionAsked, test: Test) -> bool:
    charger, name = state.units[question.charger or ""], test[2]
    if name in _CLASSES:
        return _CLASSES[name](charger)
    return name in (charger.id, charger.type)


_CLASSES: Mapping[str, Callable[[Unit], bool]] = {
    "mounted": lambda unit: kind(unit).mounted,
    "foot": lambda unit: kind(unit).foot,
    "light": lambda unit: kind(unit).light,
    "disordered": lambda unit: unit.losses > 0,
}


def _odds(state: State, question: DecisionAsked) -> int:
    """The percentage of possible next cards that suffice, rounded down (TTS-DCK-03)."""
    cards = next_cards(state, question.side)
    return 100 * cards_at_least(cards, question.needed or 0) // len(cards) if cards else 0


def _replayed(state: State) -> int:
    """The replays used in this turn, including those of heroes: all are of the active side (TTS-GEN-10, -15)."""
    heroes = sum(1 for unit in state.units.values() if unit.hero_spent)
    return heroes + sum(len(general.spent) for general in state.generals.values())


_TESTS: Mapping[str, Callable[[State, DecisionAsked, Test], bool]] = {
    "heavier": lambda state, asked, test: is_heavier(state.units[asked.unit], state.units[asked.charger or ""]),
    "charged": _is_charged_by,
    "needs": lambda state, asked, test: within(test, asked.needed or 0),
    "odds": lambda state, asked, test: within(test, _odds(state, asked)),
    "replayed": lambda state, asked, test: within(test, _replayed(state)),
    "activation": lambda state, asked, test: asked.purpose == "activation",
    "hit": lambda state, asked, test: asked.purpose == "hit",
    "disordered": lambda state, asked, test: state.units[asked.unit].losses > 0,
}
"""Of evades and replays, by first word."""


# --- decisions


def decide_standing(judge: Judge[State], side: str, command: Standing) -> None:
    """Note a standing order; it serves for decisions not yet asked (TTS-TRN-11)."""
    said = instruction(command.topic, command.value)
    state, joins = judge.state, command.topic == "join"
    if command.unit:
        (own_general if joins else own_unit)(state, side, command.unit)
    for name in said.answers if joins else ():
        own_unit(state, side, name)
    for name in said.sources:
        if name != HERO:
            own_general(state, side, name)
    for name in named_chargers(said):
        if name not in state.units:
            raise unknown_id(name)
        if state.units[name].side == side:
            raise never_holds(command.topic, ("charged", "by", name))
    require_meaning(command.topic, said)
    judge.emit(events.StandingOrderSet(side, command.topic, command.unit, command.value), side)


def own_unit(state: State, side: str, name: str) -> Unit:
    """A unit of the side by its id; refuse an unknown one and the other side's."""
    return _own(state.units.get(name), side, name)


def own_general(state: State, side: str, name: str) -> General:
    """A general of the side by id; refuse an unknown one and the other side's."""
    return _own(state.generals.get(name), side, name)


def _own(found: Named | None, side: str, name: str) -> Named:
    if found is None:
        raise unknown_id(name)
    if found.side != side:
        raise not_yours(name, side)
    return found


EVOLUTIONS: dict[Any, Any] = {DecisionAsked: unchanged, DecisionMade: unchanged}
DECISIONS: dict[Any, Any] = {Standing: decide_standing}
