"""The stratagems that a side may play now, with their targets.

There is a candidate for each card in the hand; the decision that plays it determines whether it may be played
(`options_trial`). If a stratagem can be played on more than a few dozen places or pairs, a selection
is listed, and each option says that it is not exhaustive.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise, permutations

from domain.contract.option import Option, OrderTarget
from domain.games.to_the_strongest.chapters.deployment import in_zone, own_row
from domain.games.to_the_strongest.chapters.geometry import is_rough
from domain.games.to_the_strongest.chapters.phases import standing_box, to_deploy
from domain.games.to_the_strongest.chapters.stratagems import Play, is_its_time
from domain.games.to_the_strongest.orders.aims import placed
from domain.games.to_the_strongest.orders.legality import is_legal
from domain.games.to_the_strongest.state.ground import LINEAR, PIECES
from domain.games.to_the_strongest.state.state import State, army_units, kind
from domain.games.to_the_strongest.state.stratagems import BY_CARD
from domain.mechanics.square import XY, box_by

Arguments = tuple[str, ...]
SAMPLED = frozenset({"ambush", "stakes", "ground"})
"""Stratagems of which not every place or pair is listed."""
EVERY_COLUMNS, EVERY_ROWS = 3, 2
"""The boxes that are listed for hidden ground: one in this many columns and rows."""


def plays(state: State, side: str) -> list[Option]:
    """The stratagems that a side which may order now can play, and the new orders of an oracle."""
    army = state.armies[side]
    keys = {BY_CARD[entry.card].key: BY_CARD[entry.card].when for entry in army.hand if entry.card}
    listed: list[Option] = []
    for key, when in keys.items():
        if not is_its_time(state, side, when):
            continue
        for arguments in _CANDIDATES[key](state, side):
            if is_legal(state, side, Play(key, arguments)):
                words = " ".join(("play", key, *arguments))
                unit, target = _unit_in(state, arguments), _target(state, arguments)
                listed.append(Option(words, "play", unit, exhaustive=key not in SAMPLED, target=target))
    if state.phase == "turns" and army.deck.looked:
        for order in _reorderings(len(army.deck.looked)):
            if is_legal(state, side, Play("oracle", order)):
                listed.append(Option(f"play oracle {' '.join(order)}", "play"))
    return listed


def _unit_in(state: State, arguments: Arguments) -> str:
    """The unit or general that a play is about, under which it is listed."""
    return arguments[0] if arguments and (arguments[0] in state.units or arguments[0] in state.generals) else ""


def _target(state: State, arguments: Arguments) -> OrderTarget | None:
    """The box of a play: the last that it names, or that of the unit that it names."""
    name = arguments[-1] if arguments else ""
    if name in XY:
        return placed(name)
    return OrderTarget("stay", state.units[name].box) if name in state.units else None


def _reorderings(cards: int) -> list[Arguments]:
    """The orders of an oracle's cards, except for the current one."""
    places = tuple(str(place) for place in range(1, cards + 1))
    return [order for order in permutations(places) if order != places]


# --- possible targets of each; the rules sort out the illegal ones


def _alone(state: State, side: str) -> Iterator[Arguments]:
    yield ()


def _corps(state: State, side: str) -> Iterator[Arguments]:
    for corps in state.armies[side].corps.values():
        if any(state.units[name].box for name in corps.units):
            yield (corps.id,)


def _units(state: State, side: str) -> Iterator[Arguments]:
    for unit in army_units(state, side):
        if unit.box:
            yield (unit.id,)


def _own_generals(state: State, side: str) -> Iterator[Arguments]:
    return ((general.id,) for general in state.generals.values() if general.side == side)


def _enemy_generals(state: State, side: str) -> Iterator[Arguments]:
    return ((general.id,) for general in state.generals.values() if general.side != side)


def _ambushes(state: State, side: str) -> Iterator[Arguments]:
    """Each unit alone, and with the next one of its corps, in each rough box of the own half."""
    boxes = [box for box in state.terrain if is_rough(state, box) and 2 * own_row(state, side, box) < state.board[1]]
    for corps in to_deploy(state, side):
        units = [state.units[name] for name in corps.units]
        fit = [unit.id for unit in units if (kind(unit).foot or kind(unit).light) and not standing_box(state, unit)]
        for box in boxes:
            yield from ((name, box) for name in fit)
            yield from ((one, other, box) for one, other in pairwise(fit))


def _flank_marches(state: State, side: str) -> Iterator[Arguments]:
    return ((corps.id, edge) for corps in to_deploy(state, side) for edge in ("E", "W"))


def _stakes(state: State, side: str) -> Iterator[Arguments]:
    """Each box of the zone alone, and three adjacent ones."""
    columns, rows = state.board
    for row in range(rows):
        line = [box_by(state.board, "A1", column, row) for column in range(columns)]
        if in_zone(state, side, line[0]):
            yield from ((box,) for box in line)
            yield from zip(line, line[1:], line[2:], strict=False)


def _ground(state: State, side: str) -> Iterator[Arguments]:
    """Every kind in some boxes of the board."""
    columns, rows = state.board
    for ground in PIECES:
        if ground in LINEAR:
            continue
        for row in range(0, rows, EVERY_ROWS):
            for column in range(1, columns, EVERY_COLUMNS):
                yield ground, box_by(state.board, "A1", column, row)


_CANDIDATES: dict[str, Callable[[State, str], Iterator[Arguments]]] = {
    "night-march": _corps,
    "ambush": _ambushes,
    "flank-march": _flank_marches,
    "stakes": _stakes,
    "false-orders": _alone,
    "water": _units,
    "hold": _units,
    "arrows": _alone,
    "traitor": _enemy_generals,
    "scouts": _alone,
    "inspired": _own_generals,
    "ground": _ground,
    "oracle": _alone,
}
