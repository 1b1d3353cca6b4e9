"""Two units that attack together, by themselves or on the order of a general (PRG-CBT-02, -03, PRG-EXT-GE-03)."""

from typing import Any, ClassVar

from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.games.singidunum.chapters.actions import ActionPlan, carry_out, hexes_of, require_contact, require_enemy
from domain.games.singidunum.chapters.decisions import known_unit, own_unit, require_on_board
from domain.games.singidunum.chapters.generals import require_general, require_in_range
from domain.games.singidunum.chapters.movement import Path, Way, plan_path
from domain.games.singidunum.chapters.turns import TURNS
from domain.games.singidunum.chapters.units import require_ready
from domain.games.singidunum.state.state import State, Unit, neighbours, touching, with_shown, with_unit

# --- command


class Double(Command, frozen=True, gc=False, tag="double"):
    """Two units attack together, on the order of a general or ("") without."""

    PHASES: ClassVar[frozenset[str]] = frozenset({TURNS})

    units: tuple[str, str]
    ways: tuple[Way, Way]
    target: str
    general: str = ""


# --- plan


def plan_double(state: State, side: str, command: Double) -> ActionPlan:
    """The plan of a double attack; a general who orders it is not one of the two (PRG-EXT-GE-03, PRG-INT-10).

    Raises: Refusal with the first code that applies
    """
    general = own_unit(state, side, command.general) if command.general else None
    units = [own_unit(state, side, name) for name in command.units]
    target = known_unit(state, side, command.target)
    require_on_board(state, *(hex_ for way in command.ways for hex_ in hexes_of(way)))
    if general:
        require_general(general)
    require_ready(*units)
    require_enemy(side, target)
    if len({*command.units, command.general}) < len(units) + 1:
        raise Refusal("singidunum.bad-double", "PRG-CBT-02", units=list(command.units))
    shown = with_shown(state, command.units)
    if general:
        require_in_range(shown, general, command.units)
    paths: list[Path] = []
    moved = shown
    for name, way in zip(command.units, command.ways, strict=True):
        path = plan_path(moved, moved.units[name], way)
        paths.append(path)
        moved = with_unit(moved, replace(moved.units[name], hex=path.end))
    for path in paths:
        require_contact(moved, path, target.hex)
    require_isolated(moved, target, [path.end for path in paths])
    kind = "general" if general else "double"
    return ActionPlan(kind=kind, units=command.units, paths=tuple(paths), target=target.id, general=command.general)


def require_isolated(state: State, target: Unit, from_: list[str]) -> None:
    """The target of a double attack has no friend beside it, or with `no-flank-friend` none that the attackers touch
    as well (PRG-CBT-03)."""
    friends = touching(state, target.hex, target.side)
    if state.options.isolated == "no-flank-friend":
        friends = [friend for friend in friends if any(friend.hex in neighbours(state, hex_) for hex_ in from_)]
    if friends:
        raise Refusal("singidunum.not-isolated", "PRG-CBT-03", unit=target.id, friend=friends[0].id)


# --- decision


def decide_double(judge: Judge[State], side: str, command: Double) -> None:
    """Both move, then attack together (PRG-CBT-02, PRG-EXT-GE-03)."""
    carry_out(judge, side, plan_double(judge.state, side, command))


DECISIONS: dict[Any, Any] = {Double: decide_double}
