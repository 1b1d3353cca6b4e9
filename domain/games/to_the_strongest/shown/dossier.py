"""The values of units and generals, their zones of control, shots and command, and what is left to be won.

Values are those of the profile and the quality; what a situation adds is told with each order. All fields are made by
the functions that judge orders.
"""

from collections.abc import Iterator, Mapping

from domain.basics.message import Message
from domain.contract.dossier import NO_DOSSIER, Coins, Dossier, Field
from domain.engine.state import OTHER
from domain.games.to_the_strongest.chapters.command import radius, served_boxes
from domain.games.to_the_strongest.chapters.shooting import arc_of, boxes_in_reach, weapon_of
from domain.games.to_the_strongest.chapters.zones import zone_of
from domain.games.to_the_strongest.shown.captions import army_named
from domain.games.to_the_strongest.state.roster import rout_number, save_number, unit_cost, unit_victory_points
from domain.games.to_the_strongest.state.state import General, State, Unit, general_unit, kind


def dossier(state: State, name: str) -> Dossier:
    """What there is to know of a unit or a general, from the state as a side knows it."""
    general, unit = state.generals.get(name), state.units.get(name)
    if general and general.alive:
        told = Message("tts.value.radius", {"radius": radius(state, general)})
        return Dossier((told,), tuple(_command(state, general)))
    if unit is None or not unit.alive:
        return NO_DOSSIER
    return Dossier(tuple(_values(unit)), tuple(_fields(state, unit)))


def _values(unit: Unit) -> Iterator[Message]:
    profile = kind(unit)
    yield Message("tts.value.save", {"save": save_number(profile, unit.quality)})
    yield Message("tts.value.hit", {"hit": profile.hit})
    yield Message("tts.value.move", {"boxes": profile.speed})
    if profile.weapon:
        weapon = weapon_of(unit)
        told = {"weapon": weapon.key, "range": weapon.range, "arc": arc_of(unit, weapon)}
        yield Message("tts.value.shoot", told)
    yield Message("tts.value.rout", {"rout": rout_number(unit.quality)})
    points = unit_cost(profile, unit.quality, unit.extras, hero=unit.hero)
    yield Message("tts.value.worth", {"points": points, "medals": unit_victory_points(profile, unit.extras)})


def _fields(state: State, unit: Unit) -> Iterator[Field]:
    if zone := zone_of(state, unit):
        yield Field("control", (zone,))
    if unit.box and kind(unit).weapon:
        yield Field("shoot", boxes_in_reach(state, unit))
    for general in state.generals.values():
        if general.alive and general_unit(general) == unit.id:
            yield from _command(state, general)


def _command(state: State, general: General) -> Iterator[Field]:
    if boxes := served_boxes(state, general):
        yield Field("command", boxes)


# --- what wins


def names(state: State) -> dict[str, str]:
    """The armies by their sides."""
    return {side: army.name for side, army in state.armies.items()}


def to_win(state: State, side: str) -> Message | None:
    """The medals that a side has yet to take (TTS-MED-04)."""
    enemy = state.armies.get(OTHER.get(side, ""))
    if enemy is None or state.winner is not None:
        return None
    return Message("tts.to-win", {"medals": enemy.medals, **army_named(state, enemy.side)})


def coins(state: State) -> Mapping[str, Coins]:
    """The medals of each side."""
    return {side: Coins(army.medals, army.medals_full) for side, army in state.armies.items()}
