"""Where an order leads on the board: its target, as pages light it up (`domain.contract.option.OrderTarget`).

It is read from the plan of the order, so that what lights up is what will happen when every card is good enough.
"""

from functools import lru_cache
from typing import Any

from domain.basics.commands import Command
from domain.contract.option import OrderTarget
from domain.games.to_the_strongest.chapters.activation import ActivationPlan
from domain.games.to_the_strongest.chapters.ambushes import with_shown
from domain.games.to_the_strongest.chapters.groups import straight_path
from domain.games.to_the_strongest.chapters.movement import Move
from domain.games.to_the_strongest.state.state import General, State, Unit, general_box
from domain.mechanics.square import TENTHS


def aim_of(state: State, plan: ActivationPlan, command: Command | None = None) -> OrderTarget:
    """The target of an order to a unit or a group.

    Shape: `state` and `command` those that the plan was made for
    """
    unit = plan.unit
    found: dict[str, Any] = {"act": "stay", "box": unit.box}
    for step, given in plan.then:
        found |= _AIMS[step](state, unit, given) if step in _AIMS else {}
        if step == "go" and found["act"] != "shoot":
            found |= {"act": "move", "box": given["path"][-1]}
    if found["act"] == "move" and isinstance(command, Move):
        found["said"] = _order_to(unit, command, found["box"])
    return OrderTarget(**found)


def _gone(state: State, unit: Unit, given: dict[str, Any]) -> dict[str, Any]:
    turns = {} if given["facing"] == unit.facing else {"facing": TENTHS[given["facing"]]}
    return {"path": tuple(given["path"]), **turns}


def _turned(state: State, unit: Unit, given: dict[str, Any]) -> dict[str, Any]:
    return {"facing": TENTHS[given["facing"]]}


def _charged(state: State, unit: Unit, given: dict[str, Any]) -> dict[str, Any]:
    path = () if given["origin"] == unit.box else (given["origin"],)
    return {"act": "charge", "box": given["box"], "unit": given["target"], "path": path}


def _shot(state: State, unit: Unit, given: dict[str, Any]) -> dict[str, Any]:
    return {"act": "shoot", "box": given["box"], "unit": given["target"]}


def _returned(state: State, unit: Unit, given: dict[str, Any]) -> dict[str, Any]:
    return {"act": "place", "box": given["box"], "facing": TENTHS[given["facing"]]}


def _gone_together(state: State, unit: Unit, given: dict[str, Any]) -> dict[str, Any]:
    shown = with_shown(state, given["units"])  # who lies in ambush shows themselves first (TTS-STR-04)
    paths = {name: straight_path(shown, shown.units[name], given["boxes"]) for name in given["units"]}
    group = tuple((name, path[-1]) for name, path in paths.items())
    return {"act": "move", "box": paths[unit.id][-1], "path": paths[unit.id], "group": group}


_AIMS = {
    "go": _gone,
    "turn": _turned,
    "charge": _charged,
    "shoot": _shot,
    "return": _returned,
    "go-group": _gone_together,
}
"""What the steps of a plan say of its target."""


def _order_to(unit: Unit, command: Move, box: str) -> str:
    """The move by its goal; "" where the table of moves has another row that leads to the same box."""
    if command.way == "back" and command.facing == unit.facing:
        return ""
    words = f" facing {command.facing}" if command.facing else ""
    return f"{unit.id} to {box}{words}"


@lru_cache(maxsize=1 << 12)
def placed(box: str, facing: str = "") -> OrderTarget:
    """A piece put into a box."""
    return OrderTarget("place", box, facing=TENTHS[facing] if facing else None)


@lru_cache(maxsize=1 << 10)
def gone(box: str) -> OrderTarget:
    """A general who goes to a box."""
    return OrderTarget("move", box)


def joined(state: State, unit: str) -> OrderTarget:
    """Somebody who goes with a unit."""
    return OrderTarget("join", state.units[unit].box, unit=unit)


def stands(state: State, general: General) -> OrderTarget:
    """Something that a general does where they are."""
    return OrderTarget("stay", general_box(state, general))
