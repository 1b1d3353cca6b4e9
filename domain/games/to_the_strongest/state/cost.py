"""What an army of a battle costs, as it stands in the state."""

from domain.games.to_the_strongest.state.roster import camp_cost, general_cost, unit_cost
from domain.games.to_the_strongest.state.state import Corps, State, camps_of, kind


def points_of(state: State, side: str) -> int:
    """Points of a side: units with their extras, generals, camps; what is gone counts, too.

    Rule:    TTS-CAT-03
    """
    return sum(_points(state, side, corps) for corps in state.armies[side].corps.values())


def camp_boxes_of(state: State, side: str, corps: Corps) -> int:
    """The boxes of the camp of a corps, also while deployment has yet to place it; 0 without one."""
    return corps.camp_boxes if corps.camp_sides >= 0 else len(camps_of(state, side, corps.id))


def _points(state: State, side: str, corps: Corps) -> int:
    units = (state.units[name] for name in corps.units)
    total = sum(unit_cost(kind(unit), unit.quality, unit.extras, hero=unit.hero) for unit in units)
    if corps.general:
        general = state.generals[corps.general]
        total += general_cost(general.traits, detached=not general.attached, mounted=general.mounted)
    if boxes := camp_boxes_of(state, side, corps):
        standing = sum(len(camp.fortified) for camp in camps_of(state, side, corps.id))
        total += camp_cost(max(corps.camp_sides, standing)) + (boxes - 1) * camp_cost()
    return total
