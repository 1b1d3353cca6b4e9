"""Chapter GEN, wounds: what happens to a general who is hit, or who loses their unit or corps."""

from typing import Any

from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.cards import draw
from domain.games.to_the_strongest.chapters.decisions import (
    DecisionAsked,
    DecisionMade,
    own_unit,
    put_question,
    take_answer,
)
from domain.games.to_the_strongest.chapters.medals import pay_for_general
from domain.games.to_the_strongest.sequence import phases_of
from domain.games.to_the_strongest.state.state import (
    TRAITS,
    General,
    State,
    Unit,
    army_units,
    general_box,
    with_general,
)

LIGHT_WOUND = 2
OUTLIVE_THEIR_CORPS = TRAITS
"""Generals with one of these may join any unit of the army, and need no corps (TTS-GEN-08, -12)."""


# --- commands


class Join(Command, frozen=True, gc=False, tag="join"):
    """Answer which unit a general without a unit joins."""

    PHASES = phases_of("join")
    ANSWERS = "join"

    unit: str


# --- rules


def homes(state: State, general: General) -> list[str]:
    """The units that a general whose unit is lost may join, in scenario order (TTS-GEN-08)."""
    army = list(army_units(state, general.side))
    own = [unit.id for unit in army if unit.corps == general.corps]
    everywhere = [unit.id for unit in army]
    if not {"commander", "great"}.isdisjoint(general.traits):
        return everywhere
    return own or (everywhere if not OUTLIVE_THEIR_CORPS.isdisjoint(general.traits) else [])


# --- decisions


def decide_join(judge: Judge[State], side: str, command: Join) -> None:
    waiting = judge.state.waiting
    assert isinstance(waiting, DecisionAsked) and waiting.candidates
    own_unit(judge.state, side, command.unit)
    if command.unit not in waiting.candidates:
        raise Refusal("tts.not-a-candidate", "TTS-GEN-08", unit=command.unit, candidates=list(waiting.candidates))
    take_answer(judge, DecisionMade(side, "join", waiting.unit, command.unit, False))


def lose_stray(judge: Judge[State], unit: Unit) -> None:
    """The general of a unit that strayed is lost with it (TTS-MOV-12)."""
    for general in tuple(judge.state.generals.values()):
        if general.alive and unit.id in (general.attached, general.riding):
            lose_general(judge, general.id, "no-unit", "TTS-GEN-08")


def lose_general(judge: Judge[State], general: str, cause: str, rule: str, card: int = 0) -> None:
    """A general is lost, and paid for with medals (TTS-GEN-07)."""
    lost = judge.state.generals[general]
    judge.emit(GeneralKilled(general, cause, card), lost.side, rule)
    pay_for_general(judge, lost)


# --- events


class GeneralWounded(Event, frozen=True, gc=False):
    """A wound; `card` is the wound card that counts."""

    RULE = "TTS-GEN-07"
    TOLD_BY = "severity"

    general: str
    severity: str  # scratch light serious
    card: int


class GeneralKilled(Event, frozen=True, gc=False):
    """A general is lost; `card` is 0 where no wound card was drawn."""

    RULE = "TTS-GEN-07"
    TOLD_BY = "cause"

    general: str
    cause: str  # wound no-unit overrun corps-lost
    card: int


class GeneralJoined(Event, frozen=True, gc=False):
    """A general goes with a unit from now on; `unit` is "" if they stay alone."""

    RULE = "TTS-GEN-08"
    TOLD_BY = "cause"

    general: str
    unit: str
    cause: str  # lost-unit ride


# --- steps


def wound(judge: Judge[State], general: str) -> None:
    """Draw the wound card, two for a great general, and apply the table (TTS-GEN-06, -07)."""
    hit = judge.state.generals[general]
    cards = [draw(judge, hit.side, "wound", general) for _ in range(2 if "great" in hit.traits else 1)]
    card = min(cards)
    if hit.wound == "light":
        card = max(1, card - LIGHT_WOUND)
    killed, serious, light = judge.state.options.wound_table
    if card <= killed:
        lose_general(judge, general, "wound", "TTS-GEN-07", card)
        return
    severity = "serious" if card <= serious else "light" if card <= light else "scratch"
    judge.emit(GeneralWounded(general, severity, card), hit.side)


def step_bereave(judge: Judge[State], *, unit: str) -> None:
    """A unit is lost: its general joins another, and a corps without units loses its general."""
    lost = judge.state.units[unit]
    judge.push("corps-lost", side=lost.side, corps=lost.corps)
    for general in reversed(tuple(judge.state.generals.values())):
        if general.alive and general.attached == unit:
            judge.push("rehome", general=general.id)


def step_rehome(judge: Judge[State], *, general: str) -> None:
    """A general without a unit joins one: the only one, or the one their side chooses (TTS-GEN-08)."""
    homeless = judge.state.generals[general]
    if not homeless.alive:
        return
    candidates = homes(judge.state, homeless)
    if not candidates:
        lose_general(judge, general, "no-unit", "TTS-GEN-08")
    elif len(candidates) == 1:
        judge.emit(GeneralJoined(general, candidates[0], "lost-unit"), homeless.side)
    else:
        options = tuple(candidates)
        question = DecisionAsked(homeless.side, "join", general, options, candidates=options)
        put_question(judge, question, "rehomed", general=general)


def step_rehomed(judge: Judge[State], *, general: str, answer: str) -> None:
    """The side has chosen."""
    judge.emit(GeneralJoined(general, answer, "lost-unit"), judge.state.generals[general].side)


def step_corps_lost(judge: Judge[State], *, side: str, corps: str) -> None:
    """With the last unit of their corps a detached general is lost, unless a trait prevents it (TTS-GEN-12)."""
    lost = judge.state.armies[side].corps[corps]
    general = judge.state.generals.get(lost.general)
    if general is None or not general.alive or not general.detached:
        return
    if OUTLIVE_THEIR_CORPS.isdisjoint(general.traits) and not any(judge.state.units[u].alive for u in lost.units):
        lose_general(judge, general.id, "corps-lost", "TTS-GEN-12")


# --- evolutions


_SEVERITIES = ("", "light", "serious")


def on_general_wounded(state: State, event: GeneralWounded) -> State:
    """The worse of two wounds stands; a scratch does not count."""
    general = state.generals[event.general]
    severity = "" if event.severity == "scratch" else event.severity
    return with_general(state, replace(general, wound=max(severity, general.wound, key=_SEVERITIES.index)))


def on_general_killed(state: State, event: GeneralKilled) -> State:
    general = state.generals[event.general]
    return with_general(state, replace(general, alive=False, attached="", riding="", box=""))


def on_general_joined(state: State, event: GeneralJoined) -> State:
    general = state.generals[event.general]
    if event.cause == "lost-unit":
        return with_general(state, replace(general, attached=event.unit))
    return with_general(state, replace(general, riding=event.unit, box=general_box(state, general)))


EVOLUTIONS: dict[Any, Any] = {
    GeneralWounded: on_general_wounded,
    GeneralKilled: on_general_killed,
    GeneralJoined: on_general_joined,
}
STEPS: dict[str, Any] = {
    "bereave": step_bereave,
    "rehome": step_rehome,
    "rehomed": step_rehomed,
    "corps-lost": step_corps_lost,
}
DECISIONS: dict[Any, Any] = {Join: decide_join}
