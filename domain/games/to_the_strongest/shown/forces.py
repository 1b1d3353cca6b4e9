"""The armies of a battle, corps by corps: what everybody may know before it begins, also where nothing is placed yet.

Armies are open (TTS-SCN-01); a blind deployment hides where units stand, not which there are (TTS-DEP-07).
"""

from collections import Counter
from collections.abc import Iterator

from domain.contract.dossier import Force, ForcePart, Troops
from domain.engine.state import SIDES
from domain.games.to_the_strongest.shown.captions import army_name
from domain.games.to_the_strongest.state.cost import camp_boxes_of, points_of
from domain.games.to_the_strongest.state.state import Corps, General, State, Unit, kind

GENERAL, CAMP = "general", "camp"
"""Words for what is not a unit."""


def forces(state: State) -> tuple[Force, ...]:
    """Both armies as they were brought; units that are gone count, too."""
    return tuple(_force(state, side) for side in SIDES if side in state.armies)


def _force(state: State, side: str) -> Force:
    corps = state.armies[side].corps.values()
    parts = tuple(ForcePart(one.id, one.name, tuple(_troops(state, side, one))) for one in corps)
    return Force(side, army_name(state, side), points_of(state, side), parts)


def _troops(state: State, side: str, corps: Corps) -> Iterator[Troops]:
    if corps.general:
        yield Troops(GENERAL, rank=_traits(state.generals[corps.general]))
    units = (state.units[name] for name in corps.units)
    for (type_, rank), count in Counter((unit.type, _rank(unit)) for unit in units).items():
        yield Troops(type_, count, rank)
    if boxes := camp_boxes_of(state, side, corps):
        yield Troops(CAMP, boxes)


def _rank(unit: Unit) -> tuple[str, ...]:
    quality = () if unit.quality == kind(unit).quality else (unit.quality,)
    return (*quality, *unit.extras, *(("hero",) if unit.hero else ()))


def _traits(general: General) -> tuple[str, ...]:
    return (*(("mounted",) if general.mounted else ()), *sorted(general.traits))
