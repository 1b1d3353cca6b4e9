"""Chapter CCF, the fire: stands that a charge engages may shoot at the charger while it comes (WMS-CCF-02 … -09)."""

from typing import Any

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge, unknown_id
from domain.engine.state import unchanged
from domain.events.battle import DecisionMade, Event
from domain.games.warmaster_shooting.chapters.charges import charger_at
from domain.games.warmaster_shooting.chapters.cover import cover
from domain.games.warmaster_shooting.chapters.paths import poses
from domain.games.warmaster_shooting.chapters.questions import NO, YES, DecisionAsked, put
from domain.games.warmaster_shooting.chapters.sight import reachable
from domain.games.warmaster_shooting.chapters.targets import UnitHeldFire
from domain.games.warmaster_shooting.chapters.volleys import throw
from domain.games.warmaster_shooting.state.measure import touches
from domain.games.warmaster_shooting.state.profiles import NO_COUNTER_FIRE
from domain.games.warmaster_shooting.state.state import State, Unit, stand_in, unit_of, units_on_table, with_unit


class CounterFire(Command, frozen=True, gc=False, tag="fire"):
    """Whether a charged unit fires; `stands` names exactly those able, () for whoever they are."""

    ANSWERS = "fire"

    answer: str
    stands: tuple[str, ...] = ()


class CounterFireDeclared(Event, frozen=True, gc=False):
    """These stands of a unit fire at the charger."""

    RULE = "WMS-CCF-02"

    unit: str
    against: str
    stands: tuple[str, ...]


class ChargeWoundsCarried(Event, frozen=True, gc=False):
    """Wounds of counter-charge fire count as struck in the first round of combat."""

    RULE = "WMS-CCF-06"

    unit: str
    wounds: int


def step_counter_fire(
    judge: Judge[State], *, charger: str, start: list[Any], path: list[Any], waiting: list[str]
) -> None:
    """Ask the next unit that the charge has engaged; none is left to fire at a charger that is gone (WMS-CCF-11,
    WMS-INT-11)."""
    state = judge.state
    if not waiting or not state.units[charger].alive:
        return
    name, *later = waiting
    judge.push("counter-fire", charger=charger, start=start, path=path, waiting=later)
    able = able_stands(state, state.units[name], charger, start, path)
    if able:
        side = state.units[name].side
        asked = DecisionAsked(side, "fire", name, (YES, NO), against=charger, stands=able)
        put(judge, asked, "fire", unit=name, charger=charger, stands=list(able))


def able_stands(state: State, unit: Unit, charger: str, start: list[Any], path: list[Any]) -> tuple[str, ...]:
    """The stands of a unit that may fire at a charger: not in contact before, and able to shoot it at some moment.

    Rule: WMS-CCF-02, -03, -08, WMS-INT-12
    """
    profile = unit.kind
    if not profile.shots or NO_COUNTER_FIRE in profile.flags:
        return ()
    came = charger_at(state.units[charger], start)
    led_by = str(start[0][0])
    moments = [with_unit(state, there) for there in poses(came, led_by, [(x, y, facing) for x, y, facing in path])]
    return tuple(
        stand.id
        for stand in unit.standing
        if not was_in_contact(state, unit, stand.id, charger)
        and any(reachable(moment, unit, stand, moment.units[charger]) for moment in moments)
    )


def was_in_contact(state: State, unit: Unit, stand: str, charger: str) -> bool:
    """Whether a stand touched an enemy before this charge (WMS-CCF-02)."""
    return any(
        touches(stand_in(unit, stand), enemy)
        for enemy in units_on_table(state)
        if enemy.side != unit.side and enemy.id != charger
    )


def decide_fire(judge: Judge[State], side: str, command: CounterFire) -> None:
    """Fire or hold; named stands must be exactly those able.

    Raises: Refusal core.unknown-id, wms.was-in-contact, wms.single-stands
    """
    asked: Any = judge.state.waiting
    unit = judge.state.units[asked.unit]
    for name in command.stands:
        if unit_of(judge.state, name) is None:
            raise unknown_id(name)
        if name in {one.id for one in unit.standing} and was_in_contact(judge.state, unit, name, asked.against):
            raise Refusal("wms.was-in-contact", "WMS-CCF-02", unit=unit.id, stand=name)
    if command.stands and set(command.stands) != set(asked.stands):
        raise Refusal("wms.single-stands", "WMS-CCF-08", unit=unit.id, stands=list(asked.stands))
    judge.resume(DecisionMade(side, "fire", unit.id, command.answer, False), side, answer=command.answer)


def step_fire(judge: Judge[State], *, unit: str, charger: str, stands: list[str], answer: str) -> None:
    """The dice at the charger, who is in the open (WMS-CCF-04, -05)."""
    state = judge.state
    firing, target = state.units[unit], state.units[charger]
    if answer != YES:
        judge.emit(UnitHeldFire(unit), firing.side, "WMS-CCF-08")
        return
    judge.emit(CounterFireDeclared(unit, charger, tuple(stands)), firing.side)
    aimed_at = cover(state, target, target.standing[0], stand_in(firing, stands[0]))
    judge.push("carry", charger=charger, before=target.charge_total)
    throw(judge, firing, stands, target, aimed_at)


def step_carry(judge: Judge[State], *, charger: str, before: int) -> None:
    """The wounds of one unit's fire go into the combat, also those that removed stands (WMS-CCF-06, WMS-CAS-07)."""
    target = judge.state.units[charger]
    wounds = target.charge_total - before
    if wounds:
        judge.emit(ChargeWoundsCarried(charger, wounds), target.side)


# --- evolutions


DECISIONS = {CounterFire: decide_fire}
STEPS = {"counter-fire": step_counter_fire, "fire": step_fire, "carry": step_carry}
EVOLUTIONS = {CounterFireDeclared: unchanged, ChargeWoundsCarried: unchanged}
