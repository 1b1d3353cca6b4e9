"""The values of units, the hexes at which they shoot or which they command, and what is left to be won."""

from collections.abc import Iterator

from domain.basics.message import Message
from domain.contract.dossier import NO_DOSSIER, Dossier, Field
from domain.engine.state import OTHER
from domain.games.singidunum.chapters.generals import commanded_hexes
from domain.games.singidunum.chapters.shooting import RANGES, hexes_in_reach
from domain.games.singidunum.shown.captions import side_named
from domain.games.singidunum.state.roster import cost
from domain.games.singidunum.state.state import State, Unit, goal


def dossier(state: State, name: str) -> Dossier:
    """What there is to know of a unit, from the state as a side knows it."""
    unit = state.units.get(name)
    if unit is None or not unit.in_play:
        return NO_DOSSIER
    return Dossier(tuple(_values(unit)), tuple(_fields(state, unit)))


def _values(unit: Unit) -> Iterator[Message]:
    profile = unit.profile
    yield Message("singidunum.value.strength", {"ready": unit.strength, "activated": unit.strength - 1})
    yield Message("singidunum.value.move", {"hexes": profile.moves})
    if profile.shoots:
        yield Message("singidunum.value.shoot", {"near": min(RANGES), "far": max(RANGES)})
    price = cost(unit.type, unit.strength, unit.abilities, paid_asterisk="asterisk" in unit.abilities)
    yield Message("singidunum.value.worth", {"points": price, "quarters": 2 * profile.half_points})


def _fields(state: State, unit: Unit) -> Iterator[Field]:
    if unit.hex and unit.profile.shoots:
        yield Field("shoot", hexes_in_reach(state, unit))
    if unit.hex and unit.type == "GE":
        yield Field("command", commanded_hexes(state, unit))


# --- what wins


def names(state: State) -> dict[str, str]:
    """The armies by their sides."""
    return dict(state.names)


def to_win(state: State, side: str) -> Message | None:
    """The goal in victory points, and how far both sides are (PRG-VP-10)."""
    if side not in OTHER or state.winner is not None:
        return None
    enemy = OTHER[side]
    scored = {"quarters": 2 * state.half_vp.get(side, 0), "theirs": 2 * state.half_vp.get(enemy, 0)}
    return Message("singidunum.to-win", {"goal": goal(state.options), **scored, **side_named(state, enemy)})
