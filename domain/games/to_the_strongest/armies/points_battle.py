"""The scenario between two armies of points (to-the-strongest.md 5).

Nothing is placed: the battle begins with the terrain, then scouting and deployment. Ids are kept where
they can be; where both armies use the same one, the north gets the next free number.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.games.to_the_strongest.armies.army import (
    ArmyCorps,
    ArmyFile,
    ArmyGeneral,
    ArmyUnit,
    list_of,
    quality_of,
    troop_of,
    units_of,
)
from domain.games.to_the_strongest.armies.checks import findings
from domain.games.to_the_strongest.armies.lists import army_list
from domain.games.to_the_strongest.armies.making import NUMERALS
from domain.games.to_the_strongest.state.identifiers import ANY_BOARD, is_box
from domain.games.to_the_strongest.state.roster import PROFILES
from domain.mechanics.naming import free_name

COLUMNS, ROWS = 12, 8
"""The usual board."""
ENEMY_FIRST = {"south": ("N", "E", "W", "S"), "north": ("S", "W", "E", "N")}
"""The order in which the sides of a camp are fortified until deployment says otherwise (TTS-DEP-03)."""


def points_battle(
    south: ArmyFile, north: ArmyFile, options: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Any]:
    """The scenario between two legal armies, as parsed TOML; `options` are those of to-the-strongest.md 1.

    Rule:    TTS-CAT-04, TTS-ORD-01, TTS-SCN-01
    Reading: options are checked when the battle is opened, as in every scenario
    Raises:  Refusal tts.army-not-legal, with the side and the number of faults of its army
    """
    for side, army in (("south", south), ("north", north)):
        against = findings(army)
        if against:
            raise Refusal("tts.army-not-legal", "TTS-CAT-04", side=side, count=len(against))
    south = renamed(south, ())
    north = renamed(north, names_in(south))
    title = title_of_battle((_title(south), _title(north)), (south.size, north.size))
    return battle_of(((south,), (north,)), title, options)


def battle_of(
    armies: tuple[Sequence[ArmyFile], Sequence[ArmyFile]], title: str, options: Mapping[str, Any]
) -> dict[str, Any]:
    """The scenario between those of south and those of north, whatever is in them; each side has the name of its first.

    Shape:   no two share an id (`renamed`)
    """
    south, north = armies
    entries = [army_list(key) for key in dict.fromkeys(army.list for army in (*south, *north)) if key]
    return {
        "ruleset": "tts",
        "title": title,
        "history": "\n".join(f"{entry.name}: {entry.about}" for entry in entries),
        "sources": list(dict.fromkeys(source for entry in entries for source in entry.sources)),
        "options": dict(options),
        "board": {"columns": COLUMNS, "rows": ROWS},
        "sides": {"south": _side("south", south), "north": _side("north", north)},
    }


def title_of_battle(names: tuple[str, str], sizes: tuple[int, int]) -> str:
    """The title of a battle of points; names and sizes of the south, then of the north."""
    size = f"{sizes[0]} points" if sizes[0] == sizes[1] else f"{sizes[0]} against {sizes[1]} points"
    return f"{names[0]} against {names[1]}, {size}"


def names_in(army: ArmyFile) -> set[str]:
    """The ids of an army: units, generals, corps."""
    return {*_names(army), *(corps.id for corps in army.corps)}


def _title(army: ArmyFile) -> str:
    entry = list_of(army)
    return army.name or (entry.name if entry else "An army")


# --- ids


def _names(army: ArmyFile) -> Iterable[str]:
    yield from (unit.id for unit in units_of(army))
    yield from (corps.general.id for corps in army.corps if corps.general)


def renamed(army: ArmyFile, taken: Container[str]) -> ArmyFile:
    """The army with other ids where they are taken, or where a unit's is a box of some board."""
    units = {unit.id for unit in units_of(army)}
    mine = names_in(army)
    new: dict[str, str] = {}
    for name in _names(army):
        boxlike = name in units and is_box(name, ANY_BOARD)
        used = mine | set(new.values())
        new[name] = free_name(name + "X" if boxlike else name, taken, used) if boxlike or name in taken else name
    corps_ids = {corps.id: corps.id for corps in army.corps}
    for name in corps_ids:
        if name in taken:
            used = {*mine, *corps_ids.values()}
            corps_ids[name] = next(free for free in _corps_names() if free not in taken and free not in used)
    return replace(army, corps=tuple(_corps_renamed(corps, corps_ids[corps.id], new) for corps in army.corps))


def _corps_names() -> Iterator[str]:
    return chain(NUMERALS, (f"K{n}" for n in count(1)))


def _corps_renamed(corps: ArmyCorps, name: str, new: Mapping[str, str]) -> ArmyCorps:
    general = corps.general
    if general:
        general = replace(general, id=new[general.id], attached=new.get(general.attached, ""))
    units = tuple(replace(unit, id=new[unit.id]) for unit in corps.units)
    return replace(corps, id=name, general=general, units=units)


# --- the scenario file (to-the-strongest.md 5)


def _side(side: str, armies: Sequence[ArmyFile]) -> dict[str, Any]:
    corps = [_corps(side, army, one) for army in armies for one in army.corps]
    return {"name": _title(armies[0]), "corps": corps}


def _corps(side: str, army: ArmyFile, corps: ArmyCorps) -> dict[str, Any]:
    told: dict[str, Any] = {"id": corps.id, "name": corps.name or corps.id}
    if corps.general:
        told["general"] = _general(corps.general)
    if corps.camp:
        joined = {"boxes": corps.camp.boxes} if corps.camp.boxes > 1 else {}
        told["camp"] = {"fortified": list(ENEMY_FIRST[side][: corps.camp.fortified]), **joined}
    told["units"] = [_unit(army, unit) for unit in corps.units]
    return told


def _general(general: ArmyGeneral) -> dict[str, Any]:
    told: dict[str, Any] = {"id": general.id}
    if general.mounted:
        told["mounted"] = True
    if general.attached:
        told["attached"] = general.attached
    if general.traits:
        told["traits"] = list(general.traits)
    return told


def _unit(army: ArmyFile, unit: ArmyUnit) -> dict[str, Any]:
    troop = troop_of(list_of(army), unit.troop)
    assert troop is not None  # the army is legal
    told: dict[str, Any] = {"id": unit.id, "type": troop.type}
    quality = quality_of(unit, troop)
    if quality != PROFILES[troop.type].quality:
        told["quality"] = quality
    if unit.hero:
        told["hero"] = True
    if unit.extras:
        told["extras"] = list(unit.extras)
    return told
