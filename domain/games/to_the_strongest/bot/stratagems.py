"""When the bot plays a stratagem.

Opinions for the bot of this game, never rules: each stratagem has one function that computes the value,
in medals, of playing an option now; 0 means to wait for a better moment.
"""

from collections.abc import Callable, Sequence

from domain.contract.option import Option
from domain.games.to_the_strongest.bot.places import Places
from domain.games.to_the_strongest.bot.strength import Strength
from domain.games.to_the_strongest.bot.worth import DISORDER, Outlook
from domain.games.to_the_strongest.chapters.deployment import own_row
from domain.games.to_the_strongest.chapters.geometry import is_impassable
from domain.games.to_the_strongest.chapters.medals import general_medals, unit_medals
from domain.games.to_the_strongest.state.roster import WEAPONS
from domain.games.to_the_strongest.state.state import State, Unit, army_units, general_box, kind, units_in
from domain.mechanics.cards import card_value
from domain.mechanics.square import VECTOR, XY, box_at, box_by

EMPTY_QUIVERS = 3
"""The missing markers at which more arrows are called for."""
STAKED = 2
"""The boxes of foot or shooters that are worth stakes."""


def stratagem(state: State, side: str, options: Sequence[Option], strength: Strength) -> str:
    """The play that is worth most now, or ""; ties by the text."""
    playable = [option for option in options if option.kind == "play"]
    if not playable:
        return ""
    places = Places(Outlook(state, side, strength))
    weighed = [(_worth(places, option, options), option.order) for option in playable]
    worth, order = min((-worth, order) for worth, order in weighed)
    return order if worth < 0 else ""


def _worth(places: Places, option: Option, options: Sequence[Option]) -> float:
    words = option.order.split()
    return WORTHS[words[1]](places, words[2:], options)


# --- one stratagem each; `words` are the arguments


def _scouts(places: Places, words: list[str], options: Sequence[Option]) -> float:
    return 1.0


def _ground(places: Places, words: list[str], options: Sequence[Option]) -> float:
    """A gentle hill under the own line, near the middle."""
    state = places.state
    middle = (state.board[0] - 1) / 2
    own = own_row(state, places.side, words[1])
    if words[0] != "gentle_hill" or not 0 < own <= state.options.deploy_rows:
        return 0.0
    return 1.0 - 0.1 * abs(XY[words[1]][0] - middle)


def _ambush(places: Places, words: list[str], options: Sequence[Option]) -> float:
    """Two lights, or other cheap foot, far forward; units that the line can spare."""
    state, (*names, box) = places.state, words
    units = [state.units[name] for name in names]
    corps = state.armies[places.side].corps[units[0].corps]
    if len(corps.units) < 2 * len(units) or any("close" in kind(unit).flags for unit in units):
        return 0.0
    light = sum(1 for unit in units if kind(unit).light)
    return 0.1 * own_row(state, places.side, box) + 0.1 * light - 0.05 * sum(unit_medals(unit) for unit in units)


def _flank_march(places: Places, words: list[str], options: Sequence[Option]) -> float:
    """A small mounted corps of an army with enough others."""
    state = places.state
    army = state.armies[places.side]
    units = [state.units[name] for name in army.corps[words[0]].units]
    share = sum(map(unit_medals, units)) / max(1, sum(unit_medals(unit) for unit in army_units(state, places.side)))
    if not all(kind(unit).mounted for unit in units) or share > 0.25:
        return 0.0
    return 0.3 - share


def _stakes(places: Places, words: list[str], options: Sequence[Option]) -> float:
    """In front of foot that mounted enemies will attack."""
    state = places.state
    helped = [box for box in words if any(_fears_horse(unit) for unit in units_in(state, box))]
    return 0.1 * len(helped) if len(helped) >= min(STAKED, len(words)) and len(words) > 1 else 0.0


def _fears_horse(unit: Unit) -> bool:
    """Foot without spears that waits for the enemy, except those whose first charge is their strength."""
    return kind(unit).foot and kind(unit).flags.isdisjoint({"long_spear", "pike", "first_charge"})


def _night_march(places: Places, words: list[str], options: Sequence[Option]) -> float:
    """The corps of which most units can go ahead."""
    state = places.state
    units = [state.units[name] for name in state.armies[places.side].corps[words[0]].units]
    ahead = [box_at(state.board, unit.box, unit.facing, 1, 0) for unit in units if unit.box and not kind(unit).shooter]
    return 0.1 * sum(1 for box in ahead if box and box not in state.boxes and not is_impassable(state, box))


def _false_orders(places: Places, words: list[str], options: Sequence[Option]) -> float:
    return 0.3


def _oracle(places: Places, words: list[str], options: Sequence[Option]) -> float:
    """At the start of a turn; then the high cards first."""
    state = places.state
    army = state.armies[places.side]
    if not words:
        return 0.0 if army.opened or army.ended else 0.2
    values = [card_value(army.deck.looked[int(place) - 1]) for place in words]
    now = [card_value(card) for card in army.deck.looked]
    best = sorted(now, reverse=True)
    return 0.2 if values == best != now else 0.0


def _water(places: Places, words: list[str], options: Sequence[Option]) -> float:
    """For a unit that matters, and may be struck."""
    unit = places.state.units[words[0]]
    matters = unit_medals(unit) > 2 or (unit_medals(unit) > 1 and places.is_in_danger(unit))
    return DISORDER * unit_medals(unit) if matters else 0.0


def _hold(places: Places, words: list[str], options: Sequence[Option]) -> float:
    """For a unit beside one that is about to be lost."""
    state, unit = places.state, places.state.units[words[0]]
    near = [box_by(state.board, unit.box, *vector) for vector in VECTOR.values()]
    shaky = [
        other
        for box in near
        for other in units_in(state, box)
        if other.side == unit.side and other.losses and not kind(other).light and places.is_in_danger(other)
    ]
    if not shaky or kind(unit).light or unit_medals(unit) < 2:
        return 0.0
    return 0.05 * unit_medals(unit) * (2 if unit.losses else 1) * len(shaky)


def _arrows(places: Places, words: list[str], options: Sequence[Option]) -> float:
    """When the reserve is empty and quivers are, too."""
    state = places.state
    if state.armies[places.side].ammo:
        return 0.0
    shooters = [unit for unit in army_units(state, places.side) if unit.box and kind(unit).weapon in WEAPONS]
    return 0.1 if sum(unit.ammo_full - unit.ammo for unit in shooters) >= EMPTY_QUIVERS else 0.0


def _traitor(places: Places, words: list[str], options: Sequence[Option]) -> float:
    return 0.1 * general_medals(places.state.generals[words[0]])


def _inspired(places: Places, words: list[str], options: Sequence[Option]) -> float:
    """For a general with a unit in their box that can charge."""
    state = places.state
    box = general_box(state, state.generals[words[0]])
    here = {unit.id for unit in units_in(state, box)}
    return 0.2 * any(option.kind == "charge" and option.unit in here for option in options)


WORTHS: dict[str, Callable[[Places, list[str], Sequence[Option]], float]] = {
    "scouts": _scouts,
    "ground": _ground,
    "ambush": _ambush,
    "flank-march": _flank_march,
    "stakes": _stakes,
    "night-march": _night_march,
    "false-orders": _false_orders,
    "oracle": _oracle,
    "water": _water,
    "hold": _hold,
    "arrows": _arrows,
    "traitor": _traitor,
    "inspired": _inspired,
}
"""Maps a stratagem to the value of playing it."""
