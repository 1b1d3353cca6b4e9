"""What cannot be in a state of a battle, however it came to be there.

A position comes from a file that anybody may have written. What the rules lean on is checked here: who there is and of
what type, where everything stands. That a position could have come about is not asked.
"""

from collections import Counter
from collections.abc import Iterator

from domain.engine.positions import Flaw
from domain.engine.state import SIDES
from domain.games.singidunum.state.board import KINDS, MARKERS
from domain.games.singidunum.state.roster import ABILITIES, MODULES, PROFILES
from domain.games.singidunum.state.scenario import CHOICES, LEAST, MOST, MOST_UNITS
from domain.games.singidunum.state.state import State, Unit
from domain.mechanics import hex as hexes

PHASES = ("", "muster", "deployment", "turns", "ended")


def flaws(state: State) -> Iterator[Flaw]:
    """The first of them is enough to refuse a state; those behind it may trip over it."""
    yield from _head(state)
    yield from _ground(state)
    for name, unit in state.units.items():
        yield from _unit(state, name, unit)
    if max(Counter(unit.side for unit in state.units.values()).values(), default=0) > MOST_UNITS:
        yield "units", "number"
    standing = {unit.hex: name for name, unit in state.units.items() if unit.hex}
    if len(standing) < sum(1 for unit in state.units.values() if unit.hex) or standing != dict(state.places):
        yield "places", "not-there"
    yield from _hidden(state)


def _head(state: State) -> Iterator[Flaw]:
    columns, rows = state.board
    if not (1 <= columns <= hexes.MAX_COLUMNS and 1 <= rows <= hexes.MAX_ROWS):
        yield "board", "number"
    if state.phase not in PHASES or state.first not in ("", *SIDES):
        yield "phase", "unknown"
    options = state.options
    if any(getattr(options, key) not in choices for key, choices in CHOICES.items()):
        yield "options", "unknown"
    if any(not least <= getattr(options, key) <= MOST for key, least in LEAST.items()):
        yield "options", "number"
    if not set(options.modules) <= set(MODULES):
        yield "options.modules", "unknown"
    of_sides = (state.half_vp, state.names)
    if any(set(one) != set(SIDES) for one in of_sides) or not {*state.held, *state.done, *state.lists} <= set(SIDES):
        yield "names", "side"
    if min(*state.half_vp.values(), state.action, state.passes) < 0:
        yield "half_vp", "number"


def _ground(state: State) -> Iterator[Flaw]:
    for hex_, here in state.terrain.items():
        if not hexes.on_board(state.board, hex_) or here.kind not in KINDS or here.side not in ("", *SIDES):
            yield f"terrain.{hex_}", "unknown"
    for hex_, marker in state.markers.items():
        if not hexes.on_board(state.board, hex_) or marker.kind not in MARKERS:
            yield f"markers.{hex_}", "unknown"
        if marker.keeper and marker.keeper not in state.units:
            yield f"markers.{hex_}", "unknown"
    if any(not hexes.on_board(state.board, hex_) for hex_ in state.burned):
        yield "burned", "off-board"


def _unit(state: State, name: str, unit: Unit) -> Iterator[Flaw]:
    where = f"units.{name}"
    if unit.id != name or unit.side not in SIDES:
        yield where, "side"
    if unit.type not in PROFILES or not set(unit.abilities) <= set(ABILITIES.get(unit.type, ())):
        yield where, "unknown"
    if not 1 <= unit.strength <= MOST:
        yield where, "number"
    if unit.hex and not hexes.on_board(state.board, unit.hex):
        yield f"{where}.hex", "off-board"
    if unit.hex and not unit.in_play:
        yield f"{where}.hex", "dead"


def _hidden(state: State) -> Iterator[Flaw]:
    lies = [ambush.hex for ambush in state.ambushes]
    if len(set(lies)) < len(lies) or not state.places.keys().isdisjoint(lies):
        yield "ambushes", "twice"
    for ambush in (*state.ambushes, *state.given):
        unit = state.units.get(ambush.unit)
        if not hexes.on_board(state.board, ambush.hex) or ambush.side not in SIDES:
            yield f"ambushes.{ambush.hex}", "off-board"
        if ambush.unit and (unit is None or unit.side != ambush.side):
            yield f"ambushes.{ambush.hex}", "unknown"
    for ambush in state.ambushes:
        if ambush.unit and state.units[ambush.unit].hex:
            yield f"ambushes.{ambush.hex}", "twice"
    if any(laid.unit and laid.unit not in state.units for laid in state.laid):
        yield "laid", "unknown"
