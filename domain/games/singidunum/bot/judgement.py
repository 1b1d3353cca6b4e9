"""The judgement of the bot: which order looks best. It has no memory, and the same state gives the same order.

Only the weakest throws dice, for its slips. Worth is counted in hundredths of half a victory point.
"""

from collections.abc import Sequence

from domain.basics.commands import Command
from domain.basics.errors import BrokenInvariant
from domain.contract.option import Option
from domain.engine.state import OTHER
from domain.games.singidunum.bot.setting_up import set_up
from domain.games.singidunum.bot.worth import HALF, danger, fight_worth, place_worth
from domain.games.singidunum.chapters.actions import Act
from domain.games.singidunum.chapters.decisions import home_answer
from domain.games.singidunum.chapters.doubles import Double
from domain.games.singidunum.chapters.movement import OFF
from domain.games.singidunum.chapters.shooting import ShootUnit
from domain.games.singidunum.orders.notation import parse
from domain.games.singidunum.state.state import State, is_flight_hex, with_shown
from domain.log.chance import Chance

FLIGHT = 4 * HALF
"""What a unit is worth that leaves the board by itself."""
REVEALED = 20
"""The cost of coming out of an ambush."""
SHOT_SHARE = 70
"""Percentage of a fight that a shot is worth: it cannot be lost, but a unit that is hit is rarely destroyed."""


def think(
    state: State, side: str, options: Sequence[Option], chance: Chance, *, slips: int = 0, careful: bool = False
) -> str:
    """The order line that looks best; one order in so many `slips` is any. `careful` minds what can strike back."""
    if not options:
        raise BrokenInvariant(f"nothing to order for {side}")
    if slips and chance.die(f"bot:{side}", slips) == 1:
        return options[chance.die(f"bot:{side}", len(options)) - 1].order
    if options[0].kind == "draw":
        return "accept draw" if state.half_vp[side] < state.half_vp[OTHER[side]] else "decline draw"
    if state.waiting:
        return _answer(state, side, options)
    if state.phase != "turns":
        return set_up(state, side, options)
    worths = [(_worth(state, side, option, careful), option.order) for option in options]
    best, order = max(worths, key=lambda worth: (worth[0], worth[1]))
    return order if best > 0 else "pass"


# --- actions


def _worth(state: State, side: str, option: Option, careful: bool) -> int:
    """What an order gains."""
    command: Command = parse(option.order)
    if isinstance(command, ShootUnit):
        unit, target = state.units[command.unit], state.units[command.target]
        malus = sum(factor.plus for factor in option.factors)
        return max(0, fight_worth(unit.force + malus - target.force, target, None)) * SHOT_SHARE // 100
    if isinstance(command, Double):
        units = [state.units[name] for name in command.units]
        target = state.units[command.target]
        return fight_worth(sum(unit.force for unit in units) - target.force, target, units[0])
    if not isinstance(command, Act):
        return 0
    return _act_worth(state, side, command, careful)


def _act_worth(state: State, side: str, command: Act, careful: bool) -> int:
    shown = with_shown(state, (command.unit,))
    unit = shown.units[command.unit]
    revealed = REVEALED if shown is not state else 0
    to = command.way.to
    if to == OFF or (to and is_flight_hex(state, to)):
        return -FLIGHT
    gain = (place_worth(shown, side, to) - place_worth(shown, side, unit.hex)) if to else 0
    if careful and to:
        gain += danger(shown, unit, unit.hex) - danger(shown, unit, to)
    if command.target in state.units:
        target = state.units[command.target]
        gain += fight_worth(unit.force - target.force, target, unit)
    return gain - revealed


# --- answers


def _answer(state: State, side: str, options: Sequence[Option]) -> str:
    waiting = state.waiting
    if waiting is None:
        raise BrokenInvariant("nothing is asked")
    kind = waiting.kind
    if kind == "reaction":
        return "accept" if _may_fight(state, waiting.unit) else home_answer(state, waiting, "refuse ")
    if kind in ("retreat", "second"):
        verb = "retreat" if kind == "retreat" else "propose"
        return f"{verb} {home_answer(state, waiting, '')}"
    if kind == "cornered" and "stay" not in waiting.options:
        return home_answer(state, waiting, "flee ")
    if kind in ("hold", "pursuit", "challenge"):
        return options[0].order
    return options[-1].order if kind != "allow" else "allow yes"


def _may_fight(state: State, name: str) -> bool:
    """Whether a unit that is attacked stands: it is not much weaker than those that touch it."""
    unit = state.units[name]
    strongest = max((enemy.force for enemy in state.units.values() if enemy.side != unit.side and enemy.hex), default=0)
    return unit.force + 1 >= strongest
