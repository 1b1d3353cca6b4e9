"""Chapters RLY and SHT-12, -13: recover from disorder, replenish missiles and lances."""

from typing import Any

from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.activation import ActivationPlan, difficulties
from domain.games.to_the_strongest.chapters.cards import draw
from domain.games.to_the_strongest.chapters.medals import pay
from domain.games.to_the_strongest.chapters.saves import bare_save, kept_within
from domain.games.to_the_strongest.chapters.zones import require_free
from domain.games.to_the_strongest.sequence import phases_of
from domain.games.to_the_strongest.state.state import State, Unit, generals_in, kind, with_army, with_unit
from domain.mechanics.modifiers import Factor, Factors, total

NOT_DISORDERED = "tts.not-disordered"

RALLY = "TTS-RLY-01"
HELPERS = frozenset({"senior", "brilliant", "great"})


# --- commands


class Rally(Command, frozen=True, gc=False, tag="rally"):
    """Take one disorder off a unit."""

    PHASES = phases_of("rally")

    unit: str


class Replenish(Command, frozen=True, gc=False, tag="replenish"):
    """Take a marker of a kind (ammo, lance, pilum) from the reserve."""

    PHASES = phases_of("replenish")

    unit: str
    marker: str


# --- rules


def rally_reckoning(state: State, unit: Unit) -> tuple[int, Factors]:
    """The number a rally card needs: the bare save, a general of the corps or a senior in the box helping.

    Rule: TTS-RLY-01, -03
    """
    helped = any(
        general.corps == unit.corps or not HELPERS.isdisjoint(general.traits)
        for general in generals_in(state, unit.box, unit.side)
    )
    factors = (Factor("TTS-RLY-03", "general", 1),) if helped else ()
    return kept_within(bare_save(unit) - total(factors)), factors


def require_free_or_behind(state: State, unit: Unit) -> None:
    """A held unit may not rally, unless it stands behind a friend in its box (TTS-ZOC-04)."""
    if state.boxes[unit.box][0] == unit.id:
        require_free(state, unit)


# --- plans


def plan_rally(state: State, unit: Unit, command: Rally) -> ActivationPlan:
    require_free_or_behind(state, unit)
    if not unit.losses:
        raise Refusal(NOT_DISORDERED, "TTS-RLY-02", unit=unit.id)
    if state.options.rally_costs_medal and state.armies[unit.side].medals <= 1:
        raise Refusal("tts.last-medal", "TTS-RLY-04", unit=unit.id, medals=state.armies[unit.side].medals)
    return ActivationPlan(unit, "rally", difficulties(state, unit), (("rally", {"unit": unit.id}),))


def plan_replenish(state: State, unit: Unit, command: Replenish) -> ActivationPlan:
    require_free(state, unit)
    rule = _rule_of(command.marker)
    full, left = getattr(unit, f"{command.marker}_full"), getattr(unit, command.marker)
    if command.marker == "lance" and "lance" not in kind(unit).flags:  # dismounted (TTS-MOV-10)
        full = left = 0
    if left >= full:
        raise Refusal("tts.nothing-to-replenish", rule, unit=unit.id, marker=command.marker, left=left, full=full)
    if getattr(state.armies[unit.side], command.marker) <= 0:
        raise Refusal("tts.reserve-empty", rule, unit=unit.id, marker=command.marker)
    return ActivationPlan(
        unit, "replenish", difficulties(state, unit), (("replenish", {"unit": unit.id, "marker": command.marker}),)
    )


def _rule_of(marker: str) -> str:
    return "TTS-SHT-12" if marker == "ammo" else "TTS-SHT-13"


# --- events


class UnitRallied(Event, frozen=True, gc=False):
    """One disorder less; `losses` are left."""

    RULE = RALLY

    unit: str
    losses: int
    needed: int
    card: int
    factors: Factors


class RallyFailed(Event, frozen=True, gc=False):
    """The rally card does not suffice; nothing changes and the corps goes on."""

    RULE = RALLY

    unit: str
    needed: int
    card: int
    factors: Factors


class MarkerReplenished(Event, frozen=True, gc=False):
    """A marker more on the unit (`left`), one less in the reserve."""

    RULE = "TTS-SHT-12"
    TOLD_BY = "marker"

    unit: str
    marker: str
    left: int
    reserve: int


# --- steps


def step_rally(judge: Judge[State], *, unit: str) -> None:
    """Draw the rally card; a success may cost a medal (TTS-RLY-04)."""
    rallying = judge.state.units[unit]
    needed, factors = rally_reckoning(judge.state, rallying)
    card = draw(judge, rallying.side, "rally", unit)
    if card < needed:
        judge.emit(RallyFailed(unit, needed, card, factors), rallying.side)
        return
    judge.emit(UnitRallied(unit, rallying.losses - 1, needed, card, factors), rallying.side)
    if judge.state.options.rally_costs_medal:
        pay(judge, rallying.side, 1, "rally", unit)


def step_replenish(judge: Judge[State], *, unit: str, marker: str) -> None:
    """Move a marker from the reserve to the unit."""
    taking = judge.state.units[unit]
    left = getattr(taking, marker) + 1
    reserve = getattr(judge.state.armies[taking.side], marker) - 1
    judge.emit(MarkerReplenished(unit, marker, left, reserve), taking.side, _rule_of(marker))


# --- evolutions


def on_unit_rallied(state: State, event: UnitRallied) -> State:
    return with_unit(state, replace(state.units[event.unit], losses=event.losses))


def on_marker_replenished(state: State, event: MarkerReplenished) -> State:
    unit = state.units[event.unit]
    state = with_unit(state, replace(unit, **{event.marker: event.left}))
    return with_army(state, replace(state.armies[unit.side], **{event.marker: event.reserve}))


EVOLUTIONS: dict[Any, Any] = {
    UnitRallied: on_unit_rallied,
    RallyFailed: unchanged,
    MarkerReplenished: on_marker_replenished,
}
STEPS: dict[str, Any] = {"rally": step_rally, "replenish": step_replenish}
PLANS: dict[Any, Any] = {Rally: plan_rally, Replenish: plan_replenish}
