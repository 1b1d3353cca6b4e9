"""A battle of points once more, with another army in place of a side's own."""

from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict, replace

from domain.basics.errors import Refusal
from domain.engine.state import OTHER, SIDES
from domain.games.to_the_strongest.armies.army import ArmyFile
from domain.games.to_the_strongest.armies.points_battle import names_in, points_battle, renamed, title_of_battle
from domain.games.to_the_strongest.state import scenario
from domain.games.to_the_strongest.state.cost import points_of
from domain.games.to_the_strongest.state.setup import BattleOpened, SideSetUp, on_battle_opened
from domain.games.to_the_strongest.state.state import Options, State

TENS = 10
"""Armies are of so many points, or a multiple; what they cost is at most nine less."""


def brought(opened: BattleOpened, side: str, army: ArmyFile) -> BattleOpened:
    """The same battle, with `army` for `side`. Ids that the other army has are changed, as in any battle of points.

    Rule:    TTS-CAT-04, TTS-SCN-01
    Shape:   `opened` with its private part
    Raises:  Refusal core.armies-fixed if anything is placed or cards are listed; tts.army-not-legal
    """
    if not is_of_points(opened):
        raise Refusal("core.armies-fixed", "CORE-INVITE")
    other = OTHER[side]
    ready = renamed(army, _names(opened.sides[other]))
    # the scenario needs two armies: the second is forgotten
    armies = {side: ready, other: renamed(ready, names_in(ready))}
    table = points_battle(armies["south"], armies["north"], _options(opened.options))
    sides = {**opened.sides, side: scenario.load(table).sides[side]}
    cost = points_of(on_battle_opened(State(), opened), other)
    sizes = {side: army.size, other: -(-cost // TENS) * TENS}
    south, north = SIDES
    title = title_of_battle((sides[south].name, sides[north].name), (sizes[south], sizes[north]))
    return replace(opened, sides=sides, title=title)


def is_of_points(opened: BattleOpened) -> bool:
    """Whether a battle begins with the terrain and nothing placed, as those of points do."""
    corps = [one for side in opened.sides.values() for one in side.corps]
    placed = [unit.box for one in corps for unit in one.units]
    placed += [one.camp.box for one in corps if one.camp] + [one.general.box for one in corps if one.general]
    is_whole = opened.branch is UNSET and opened.stratagems is UNSET
    return is_whole and not opened.terrain_given and not any(placed)


def _names(given: SideSetUp) -> set[str]:
    units = {unit.id for corps in given.corps for unit in corps.units}
    return units | {name for one in given.corps for name in (one.id, *((one.general.id,) if one.general else ()))}


def _options(options: Options) -> dict[str, Any]:
    """The options as a scenario gives them: what is usual is left out."""
    usual = asdict(Options())
    return {name: value for name, value in asdict(options).items() if value != usual[name]}
