"""The values of units, the arcs in which they shoot, and what is left to be won."""

from collections.abc import Iterator

from domain.basics.message import Message
from domain.contract.dossier import NO_DOSSIER, Dossier, Field
from domain.engine.state import OTHER
from domain.games.warmaster_shooting.chapters.turns import points
from domain.games.warmaster_shooting.shown.aims import arcs_of
from domain.games.warmaster_shooting.shown.wording import centimetres
from domain.games.warmaster_shooting.state.profiles import TroopKind
from domain.games.warmaster_shooting.state.state import State


def dossier(state: State, name: str) -> Dossier:
    """What there is to know of a unit; nothing of it is hidden in this game."""
    unit = state.units.get(name)
    if unit is None or not unit.alive:
        return NO_DOSSIER
    fields = (Field("shoot", arcs=tuple(arcs_of(state, unit))),) if unit.kind.shots else ()
    return Dossier(tuple(_values(unit.kind)), fields)


def _values(profile: TroopKind) -> Iterator[Message]:
    if profile.shots:
        told = {"dice": profile.shots, "range_cm": centimetres(profile.range), "arc": profile.arc}
        yield Message("wms.value.shoot", told)
    yield Message("wms.value.hits", {"hits": profile.hits})
    yield Message("wms.value.save", {"save": profile.save or ""})
    yield Message("wms.value.pace", {"pace_cm": centimetres(profile.pace)})
    yield Message("wms.value.worth", {"points": profile.points})


# --- what wins


def names(state: State) -> dict[str, str]:
    """The armies by their sides."""
    return dict(state.names)


def to_win(state: State, side: str) -> Message | None:
    """The points of both sides, and the last turn."""
    enemy = OTHER.get(side, "")
    if enemy not in state.names or state.winner is not None:
        return None
    scored = {"mine": points(state, side), "theirs": points(state, enemy)}
    return Message("wms.to-win", {"name": state.names[enemy], "turns": state.options.turns, **scored})
