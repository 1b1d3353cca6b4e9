"""What cannot be in a state of a battle, however it came to be there.

A position comes from a file that anybody may have written. What the rules lean on is checked here: who there is and of
what type, where everything stands, what is declared and who fights whom. That a position could have come about is not
asked.
"""

from collections.abc import Iterator, Mapping
from itertools import chain

from domain.engine.positions import Flaw
from domain.engine.state import SIDES
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.plane.gaps import overlap
from domain.games.shot_to_pieces.state.profiles import period
from domain.games.shot_to_pieces.state.scenario_checks import (
    FARTHEST,
    LARGEST_BASE,
    LEAST_BASE,
    LEAST_TABLE,
    MOST_CORNERS,
    MOST_CORPS,
    MOST_GROUNDS,
    MOST_UNITS,
)
from domain.games.shot_to_pieces.state.scenario_file import LINES
from domain.games.shot_to_pieces.state.state import (
    Corps,
    General,
    Ground,
    Melee,
    State,
    Unit,
    units_here,
)
from domain.games.shot_to_pieces.state.vocabulary import (
    ADVANCE,
    ALL_STEPS,
    DEPLOYMENT,
    FORMATIONS,
    HOLD,
    PERIODS,
    QUALITIES,
    RETREAT,
    STATUSES,
    TRAITS,
    TURNS,
)
from domain.mechanics.outline import is_convex

PHASES = ("", DEPLOYMENT, TURNS, "ended")
STEPS = ("", DEPLOYMENT, *ALL_STEPS)
CAUSES = ("fire", "melee", "tie", "fat", "evade", "event")
"""Why a unit is SHAKEN."""
ORDERS = (ADVANCE, HOLD, RETREAT)
MOST_POINTS, MOST_MARKERS, MOST_ROUNDS = 30, 2, 1000
LAST_EVENT = 20
MAX_TURN = 10_000
"""More than any battle without a limit has lasted."""
SLIGHT = 10
"""How deep bases may overlap by the rounding of their places."""


def flaws(state: State) -> Iterator[Flaw]:
    """The first of them is enough to refuse a state; those behind it may trip over it."""
    yield from _table(state)
    yield from _names(state)
    for name, unit in state.units.items():
        yield from _unit(state, name, unit)
    for name, corps in state.corps.items():
        yield from _corps(state, name, corps)
    for name, general in state.generals.items():
        yield from _general(state, name, general)
    for melee in state.melees:
        yield from _melee(state, melee)
    yield from _declared(state)
    yield from _places(state)


def _table(state: State) -> Iterator[Flaw]:
    board, options = state.board, state.options
    if state.period not in PERIODS:
        yield "period", "unknown"
    if not (min(board.width, board.height) >= LEAST_TABLE and max(board.width, board.height) <= FARTHEST):
        yield "board", "number"
    limits = ((options.turn_limit, MAX_TURN), (options.deploy_depth_hcm, FARTHEST), (options.evade_cone_hdeg, 18000))
    if any(not 0 <= number <= most for number, most in limits):
        yield "options", "number"
    if not all(min(size) >= LEAST_BASE and max(size) <= LARGEST_BASE for size in options.base_sizes.values()):
        yield "options.base_sizes", "number"
    if state.phase not in PHASES or state.step not in STEPS or state.start not in STEPS:
        yield "step", "unknown"
    if state.first not in SIDES or state.side not in ("", *SIDES) or not {*state.names, *state.strafes} <= {*SIDES}:
        yield "side", "unknown"
    if not (0 <= state.k <= 2 * MAX_TURN and 0 <= state.turn <= MAX_TURN and not state.rerolled - {*SIDES}):
        yield "k", "number"
    if len(state.terrain) > MOST_GROUNDS:
        yield "terrain", "number"
    for at, ground in enumerate(state.terrain):
        yield from _ground(f"terrain[{at}]", ground)


def _ground(where: str, ground: Ground) -> Iterator[Flaw]:
    points = (*ground.outline, *ground.line)
    if not all(map(_is_near, points)) or not 0 <= ground.level <= 20:
        yield where, "number"
    if (ground.kind in LINES) != (len(ground.line) == 2) or (ground.kind in LINES) == bool(ground.outline):
        yield where, "shape"
    if ground.outline and (len(ground.outline) > MOST_CORNERS or not is_convex(ground.outline)):
        yield where, "shape"


def _names(state: State) -> Iterator[Flaw]:
    named: tuple[Mapping[str, Unit | Corps | General], ...] = (state.units, state.corps, state.generals)
    names = [one.id for one in chain.from_iterable(held.values() for held in named)]
    if len(set(names)) < len(names):
        yield "units", "twice"
    for side in SIDES:
        if sum(1 for unit in state.units.values() if unit.side == side) > MOST_UNITS:
            yield "units", "number"
        if not 1 <= len(state.corps_of(side)) <= MOST_CORPS:
            yield "corps", "number"


def _unit(state: State, name: str, unit: Unit) -> Iterator[Flaw]:
    where, held = f"units.{name}", period(state.period)
    corps = {one.id for one in state.corps.values() if one.side == unit.side}
    if unit.id != name or unit.side not in SIDES or not {unit.corps, unit.home} <= corps:
        yield where, "side"
    if not {unit.type, unit.key} <= held.types.keys() or unit.weapon not in ("", *held.weapons):
        yield where, "unknown"
    if unit.status not in STATUSES or unit.formation not in FORMATIONS or unit.traits - TRAITS:
        yield where, "unknown"
    base = unit.base
    if not _is_near(base.at) or not 0 <= base.facing < 36000:
        yield where, "number"
    if not (min(base.width, base.depth) >= LEAST_BASE and max(base.width, base.depth) <= 2 * LARGEST_BASE):
        yield where, "number"
    if not (0 <= unit.brittle <= MOST_MARKERS and len(unit.shaken) <= MOST_MARKERS + 1 and 0 <= unit.worth <= 3):
        yield where, "number"
    if any(marker.cause not in CAUSES for marker in unit.shaken):
        yield where, "unknown"
    if not (0 <= unit.charges <= 3 and 0 <= unit.shots <= 9 and 0 <= unit.moved_hcm <= FARTHEST):
        yield where, "number"
    if unit.melee and all(melee.id != unit.melee for melee in state.melees):
        yield where, "melee"
    if unit.engages and unit.engages not in state.units:
        yield where, "unknown"


def _corps(state: State, name: str, corps: Corps) -> Iterator[Flaw]:
    where = f"corps.{name}"
    if corps.id != name or corps.side not in SIDES:
        yield where, "side"
    if corps.general and corps.general not in state.generals:
        yield where, "unknown"
    if corps.order not in ORDERS or (corps.goal is not None and not _is_near(corps.goal)):
        yield where, "unknown"
    points = (corps.ap, corps.rolled, corps.spent_near, corps.spent_else)
    if not (min(points) >= 0 and max(points) <= MOST_POINTS and 0 <= corps.loss_halves <= 12 * MOST_UNITS):
        yield where, "number"
    if not (0 <= corps.size <= 2 * MOST_UNITS and -5 <= corps.shift <= 5 and 0 <= corps.tries <= MOST_ROUNDS):
        yield where, "number"


def _general(state: State, name: str, general: General) -> Iterator[Flaw]:
    where = f"generals.{name}"
    if general.id != name or general.side not in SIDES or general.corps not in state.corps:
        yield where, "side"
    if general.quality not in QUALITIES or not _is_near(general.at):
        yield where, "number"
    if general.unit and state.units[general.unit].side != general.side:
        yield where, "side"


def _melee(state: State, melee: Melee) -> Iterator[Flaw]:
    where = f"melees.{melee.id}"
    units = [state.units[name] for name in melee.units]
    if {units[0].side, units[1].side} != {*SIDES} or any(unit.melee != melee.id for unit in units if unit.here):
        yield where, "side"
    if not 0 <= melee.rounds <= MOST_ROUNDS or not melee.modes.keys() <= state.units.keys():
        yield where, "number"


def _declared(state: State) -> Iterator[Flaw]:
    for charge in state.charges:
        if state.units[charge.unit].side == state.units[charge.target].side:
            yield "charges", "side"
    for salvo in state.salvoes:
        if salvo.side not in SIDES or not salvo.units or not {*salvo.units, salvo.target} <= state.units.keys():
            yield "salvoes", "side"
    for event in state.events:
        if not 1 <= event.number <= LAST_EVENT or event.side not in SIDES or not {*event.units} <= state.units.keys():
            yield "events", "number"


def _places(state: State) -> Iterator[Flaw]:
    """Units do not overlap, but for what rounding may do to those in contact (STP-GEO-02)."""
    placed: list[Base] = []
    for unit in units_here(state):
        base = unit.base
        lean = Base(base.at, base.facing, base.width - SLIGHT, base.depth - SLIGHT)
        if any(overlap(lean, other) for other in placed):
            yield f"units.{unit.id}", "overlap"
        placed.append(lean)


def _is_near(point: tuple[int, int]) -> bool:
    return max(abs(point[0]), abs(point[1])) <= FARTHEST
