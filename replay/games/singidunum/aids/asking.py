"""Ask the engine about shots, zones and retreats, in a made-up battle on an empty board."""

from collections.abc import Iterator

from msgspec.structs import replace

from domain.games.singidunum.chapters.combat import SideFactor
from domain.games.singidunum.chapters.combat import factors_of as combat_factors
from domain.games.singidunum.chapters.fight import SIMPLE, Fight
from domain.games.singidunum.chapters.retreats import retreat_hexes
from domain.games.singidunum.chapters.shooting import factors_of as shot_factors
from domain.games.singidunum.chapters.shooting import hexes_in_reach, line
from domain.games.singidunum.state.board import RAMPART, STAKES, Ground
from domain.games.singidunum.state.state import Marker, State, Unit, neighbours

BOARD = (9, 11)
CENTRE, BETWEEN, TARGET, BEYOND = "E5", "D5", "C5", "B5"
"""A shooter, the hex before it, a target two hexes away, and the hex behind that, in one line."""


def field(*units: Unit) -> State:
    """An open board with some units."""
    return State(board=BOARD, units={one.id: one for one in units}, places={one.hex: one.id for one in units})


def unit(name: str, side: str, hex_: str, type_: str = "AR") -> Unit:
    """An available unit."""
    return Unit(name, side, type_, 5, hex_)


def in_reach() -> tuple[str, ...]:
    """The hexes at which archers in the middle of an open board may shoot (PRG-SHT-02)."""
    archers = unit("A", "south", CENTRE)
    return hexes_in_reach(field(archers), archers)


def controlled() -> tuple[str, ...]:
    """The zone of control of a unit in the middle (PRG-BRD-07)."""
    return neighbours(field(), CENTRE)


def ways_out(attacker: str) -> list[str]:
    """The hexes to which a unit in the middle may retreat from an attacker (PRG-RET-02)."""
    loser, winner = unit("L", "south", CENTRE), unit("W", "north", attacker)
    return retreat_hexes(field(loser, winner), loser, (attacker,))


def what_makes_shots_harder() -> Iterator[SideFactor]:
    """The factors of a shot at a target in contact with a friend, over a friend, and on a rampart (PRG-SHT-06)."""
    archers, target = unit("A", "south", CENTRE), unit("T", "north", TARGET)
    over, behind = unit("O", "south", BETWEEN, "HI"), unit("B", "south", BEYOND, "HI")
    touched = field(archers, target, behind)
    yield from shot_factors(touched, archers, target, line(touched, archers, target))
    far = replace(target, hex=BEYOND)
    crossed = field(archers, far, over)
    yield from shot_factors(crossed, archers, far, line(crossed, archers, far))
    walled = replace(field(archers, target), terrain={TARGET: Ground(RAMPART, "north")})
    yield from shot_factors(walled, archers, target, line(walled, archers, target))


def what_changes_combats() -> Iterator[SideFactor]:
    """The factors of a combat from an ambush, and against a target on stakes (PRG-EXT-TER-02, -03)."""
    attacker, target = unit("A", "south", CENTRE), unit("T", "north", BETWEEN)
    fight = Fight(
        side="south",
        kind=SIMPLE,
        attackers=("A",),
        hexes=(CENTRE,),
        target="T",
        hex=BETWEEN,
        through=("",),
        ambushers=("A",),
    )
    state = replace(field(attacker, target), markers={BETWEEN: Marker(STAKES, side="north")})
    yield from combat_factors(state, fight)
