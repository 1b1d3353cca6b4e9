"""What an umpire may set: places, losses, markers and formations of units, generals, medals, the end of a turn.

Checked is what holds between any two orders, not how anything could have come there (docs/corrections.md).
"""

from typing import Any

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.contract.settable import RULE, Setting, require_count
from domain.engine.judge import off_board, unknown_id
from domain.events.battle import Event, TurnBegan, TurnEnded
from domain.games.to_the_strongest.chapters import turning
from domain.games.to_the_strongest.chapters.ambushes import hidden_units
from domain.games.to_the_strongest.chapters.geometry import is_impassable
from domain.games.to_the_strongest.chapters.losses import on_unit_destroyed
from domain.games.to_the_strongest.chapters.set_lines import (
    Remove,
    SetBox,
    SetFormation,
    SetGeneral,
    SetMedals,
    SetNumber,
    SetWound,
)
from domain.games.to_the_strongest.chapters.stacking import require_room, require_same_facing
from domain.games.to_the_strongest.chapters.turning import FormationChanged
from domain.games.to_the_strongest.chapters.turns import STRAYS_AFTER, marching, on_turn_began
from domain.games.to_the_strongest.chapters.wounds import on_general_killed
from domain.games.to_the_strongest.state.state import (
    General,
    State,
    Unit,
    enemies_in,
    enemy,
    general_box,
    is_on_board,
    kind,
    with_army,
    with_general,
    with_unit,
    with_unit_in,
)

# --- facts


class UnitPlaced(Event, frozen=True, gc=False):
    """A unit stands in `box`, `place` (front or rear) in it, with so many losses."""

    RULE = RULE

    unit: str
    box: str
    facing: str
    place: str
    losses: int


class UnitRemoved(Event, frozen=True, gc=False):
    """A unit is gone; `box` is where it stood, "" if it was off the field."""

    RULE = RULE

    unit: str
    box: str


class LossesSet(Event, frozen=True, gc=False):
    """A unit has lost `losses` of `steps`."""

    RULE = RULE

    unit: str
    losses: int
    steps: int


class MarkerSet(Event, frozen=True, gc=False):
    """A unit has so many of a marker left: ammo, lance or pilum."""

    RULE = RULE

    unit: str
    marker: str
    left: int


class GeneralPlaced(Event, frozen=True, gc=False):
    """A general is attached to a unit, or rides with one, or stands alone in `box`; the others are "". `wound` is "",
    light or serious."""

    RULE = RULE

    general: str
    attached: str
    riding: str
    box: str
    wound: str


class GeneralRemoved(Event, frozen=True, gc=False):
    """A general is gone."""

    RULE = RULE

    general: str


class MedalsSet(Event, frozen=True, gc=False):
    """A side has `left` medals of its own, not `before`."""

    RULE = RULE

    side: str
    before: int
    left: int


FACTS: frozenset[type[Event]] = frozenset(
    {UnitPlaced, UnitRemoved, LossesSet, MarkerSet, FormationChanged, GeneralPlaced, GeneralRemoved, MedalsSet}
)


def decide(state: State, setting: Any) -> tuple[Event, ...]:
    """The facts of a line, from the state as everybody knows it.

    Raises: Refusal core.unknown-id, core.off-board, tts.unit-gone, tts.general-gone, tts.no-such-formation,
            core.correct-number
    """
    return (_DECIDED[type(setting)](state, setting),)


def _place(state: State, setting: SetBox) -> Event:
    unit = _unit(state, setting.unit)
    _require_box(state, setting.box)
    if unit.alive:
        _require_seen(unit)
    there = state.boxes.get(setting.box, ())
    keeps = unit.id in there and there[0] == unit.id
    place = setting.place or ("front" if keeps or set(there) <= {unit.id} else "rear")
    return UnitPlaced(
        unit.id, setting.box, setting.facing or unit.facing, place, min(unit.losses, max(0, unit.steps - 1))
    )


def _set_number(state: State, setting: SetNumber) -> Event:
    unit = _living(state, setting.unit)
    if setting.what == "losses":
        require_count(setting.number, 0, unit.steps - 1)
        return LossesSet(unit.id, setting.number, unit.steps)
    require_count(setting.number, 0, getattr(unit, f"{setting.what}_full"))
    return MarkerSet(unit.id, setting.what, setting.number)


def _set_formation(state: State, setting: SetFormation) -> Event:
    unit = _living(state, setting.unit)
    as_mounted = replace(unit, formation="normal")
    flag = turning.FORMATIONS.get(setting.formation)
    if flag and flag not in kind(as_mounted).flags:
        params = {"unit": unit.id, "formation": setting.formation, "present": unit.formation}
        raise Refusal("tts.no-such-formation", "TTS-MOV-10", **params)
    return FormationChanged(unit.id, unit.formation, setting.formation)


def _remove(state: State, setting: Remove) -> Event:
    if setting.is_general:
        return GeneralRemoved(_living_general(state, setting.id).id)
    unit = _living(state, setting.id)
    _require_seen(unit)
    return UnitRemoved(unit.id, unit.box)


def _set_general(state: State, setting: SetGeneral) -> Event:
    general = _general(state, setting.general)
    if general.alive:
        _living_general(state, general.id)
    if setting.where == "box":
        _require_box(state, setting.to)
        return GeneralPlaced(general.id, "", "", setting.to, general.wound)
    unit = _living(state, setting.to)
    _require_seen(unit)
    if unit.side != general.side:
        raise Refusal("core.not-yours", "CORE-ID", id=unit.id, side=general.side)
    attached, riding = (unit.id, "") if setting.where == "attached" else ("", unit.id)
    return GeneralPlaced(general.id, attached, riding, "" if attached else unit.box, general.wound)


def _set_wound(state: State, setting: SetWound) -> Event:
    general = _living_general(state, setting.general)
    wound = "" if setting.wound == "none" else setting.wound
    return GeneralPlaced(general.id, general.attached, general.riding, general.box, wound)


def _set_medals(state: State, setting: SetMedals) -> Event:
    army = state.armies[setting.side]
    require_count(setting.number, 1, army.medals_full)
    return MedalsSet(army.side, army.medals, setting.number)


_DECIDED: dict[type[Setting], Any] = {
    SetBox: _place,
    SetNumber: _set_number,
    SetFormation: _set_formation,
    Remove: _remove,
    SetGeneral: _set_general,
    SetWound: _set_wound,
    SetMedals: _set_medals,
}


def _unit(state: State, name: str) -> Unit:
    if name not in state.units:
        raise unknown_id(name)
    return state.units[name]


def _living(state: State, name: str) -> Unit:
    unit = _unit(state, name)
    if not unit.alive:
        raise Refusal("tts.unit-gone", "TTS-DIS-03", unit=unit.id, off=False)
    return unit


def _require_seen(unit: Unit) -> None:
    """Refuse a unit that has not come onto the field: it lies in ambush, or is on its flank march."""
    if not unit.box and not unit.off_turns:
        raise Refusal("tts.unit-gone", "TTS-DIS-03", unit=unit.id, off=True)


def _general(state: State, name: str) -> General:
    if name not in state.generals:
        raise unknown_id(name)
    return state.generals[name]


def _living_general(state: State, name: str) -> General:
    general = _general(state, name)
    if not general.alive or (not general_box(state, general) and not _is_bereft(state, general)):
        raise Refusal("tts.general-gone", "TTS-GEN-07", general=name, off=general.alive)
    return general


def _is_bereft(state: State, general: General) -> bool:
    """Whether the unit of a general was lost, so that the general must go somewhere."""
    unit = general.attached or general.riding
    return bool(unit) and not state.units[unit].alive


def _require_box(state: State, box: str) -> None:
    if not is_on_board(state, box):
        raise off_board(box)


# --- the end of a turn


def end_turn(state: State) -> tuple[Event, ...]:
    """The turn is over and the other side's begins; nothing is drawn, and nobody is lost.

    Raises: Refusal core.correct-turn where its end would shuffle, lose a stray, end the battle, or draw for a march
    """
    side, other = state.active, enemy(state.active)
    turn = state.armies[other].turns + 1
    limit = state.options.turn_limit
    begun = on_turn_began(state, TurnBegan(other, turn))
    if state.options.deck_mode == "each_turn":
        fault = "shuffle"
    elif limit and all(army.turns >= limit for army in state.armies.values()):
        fault = "limit"
    elif any(unit.side == side and unit.alive and unit.off_turns == STRAYS_AFTER for unit in state.units.values()):
        fault = "stray"
    elif marching(begun, other):
        fault = "march"
    else:
        return TurnEnded(side, state.turn), TurnBegan(other, turn)
    raise Refusal("core.correct-turn", RULE, fault=fault)


# --- what holds between two orders


def require(state: State) -> None:
    """Boxes hold what they may, nobody is where nobody can be, and generals have living company.

    Raises: Refusal tts.impassable, tts.box-has-enemy, tts.stack-full, tts.facing-mismatch, tts.correct-camp,
            tts.correct-general
    """
    for box, names in state.boxes.items():
        for name in names:
            unit = state.units[name]
            _require_ground(state, unit, box)
            if len(names) > 1 or state.ambushes:
                _require_company_in(state, unit, box)
    for general in state.generals.values():
        if general.alive:
            _require_company(state, general)


def _require_ground(state: State, unit: Unit, box: str) -> None:
    if is_impassable(state, box):
        raise Refusal("tts.impassable", "TTS-MOV-03", unit=unit.id, box=box)
    camp = state.camps.get(box)
    if camp and camp.side != unit.side:
        raise Refusal("tts.correct-camp", "TTS-CMP-06", unit=unit.id, box=box)


def _require_company_in(state: State, unit: Unit, box: str) -> None:
    """Whoever is in a box with a unit, hidden or not, is of its side, and there is room for both."""
    enemies = [name for name in state.boxes[box] if state.units[name].side != unit.side]
    enemies += [hidden.id for hidden in hidden_units(state, box, enemy(unit.side))]
    if enemies:
        raise Refusal("tts.box-has-enemy", "TTS-MOV-03", unit=unit.id, box=box, enemies=enemies)
    require_room(state, unit, box)
    require_same_facing(state, unit, box, unit.facing)


def _require_company(state: State, general: General) -> None:
    """A general goes with a living unit, and does not stand where an enemy does."""
    box = general_box(state, general)
    if _is_bereft(state, general) or (general.detached and box and enemies_in(state, box, general.side)):
        raise Refusal("tts.correct-general", "TTS-GEN-08", general=general.id, box=box)


# --- evolutions


def on_unit_placed(state: State, event: UnitPlaced) -> State:
    unit = replace(
        state.units[event.unit],
        facing=event.facing,
        losses=event.losses,
        alive=True,
        off_turns=0,
        left_box="",
        left_edge="",
    )
    return with_unit_in(state, unit, event.box, event.place)


def on_losses_set(state: State, event: LossesSet) -> State:
    return with_unit(state, replace(state.units[event.unit], losses=event.losses))


def on_marker_set(state: State, event: MarkerSet) -> State:
    return with_unit(state, replace(state.units[event.unit], **{event.marker: event.left}))


def on_general_placed(state: State, event: GeneralPlaced) -> State:
    general = replace(
        state.generals[event.general],
        attached=event.attached,
        riding=event.riding,
        box=event.box,
        wound=event.wound,
        alive=True,
    )
    return with_general(state, general)


def on_medals_set(state: State, event: MedalsSet) -> State:
    return with_army(state, replace(state.armies[event.side], medals=event.left))


EVOLUTIONS: dict[Any, Any] = {
    UnitPlaced: on_unit_placed,
    UnitRemoved: on_unit_destroyed,
    LossesSet: on_losses_set,
    MarkerSet: on_marker_set,
    GeneralPlaced: on_general_placed,
    GeneralRemoved: on_general_killed,
    MedalsSet: on_medals_set,
}
