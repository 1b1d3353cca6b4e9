"""Bots of the shooting phase: they weigh each option by what it may win, and take the best.

`sensible` shoots whatever it can, at the dearest unit that it hits well, drives the farthest unit first, and lets
friends pass; `easy` does so half of the time.
"""

from collections.abc import Callable, Mapping, Sequence

from domain.engine.state import OTHER
from domain.games.warmaster_shooting.chapters.charges import Charge
from domain.games.warmaster_shooting.chapters.targets import Shoot, main_targets
from domain.games.warmaster_shooting.orders.notation import parse
from domain.games.warmaster_shooting.state.measure import distance_of
from domain.games.warmaster_shooting.state.state import State, Unit
from domain.log.chance import Chance
from domain.ruleset import Option, Think

HASTE = 2
"""One order in so many of the easy bot is any option."""


def sensible(state: State, side: str, options: Sequence[Option], chance: Chance) -> str:
    """The option worth most; of several the first."""
    return max(options, key=lambda option: worth(state, side, option)).order


def easy(state: State, side: str, options: Sequence[Option], chance: Chance) -> str:
    """Half of the time any option, else the best."""
    scope = f"bot:{side}"
    if chance.die(scope, HASTE) == 1:
        return options[chance.die(scope, len(options)) - 1].order
    return sensible(state, side, options, chance)


def worth(state: State, side: str, option: Option) -> int:
    """What an option may win, in hundredths of a point; ending a phase is worth nothing."""
    command = parse(option.order)
    if isinstance(command, Shoot):
        return _of_shot(state, option, command)
    if isinstance(command, Charge):
        return _of_charge(state, command)
    if option.kind == "answer" and state.waiting:
        return _ANSWERS[state.waiting.kind](state, side, option.order.split()[-1])
    return -1 if option.kind == "hold" else 0


def _of_shot(state: State, option: Option, command: Shoot) -> int:
    unit = state.units[command.unit]
    target = state.units[command.target or main_targets(state, unit)[0]]
    passes, of = option.odds or (0, 1)
    return 1 + _value(target) * passes * unit.kind.shots // of


def _of_charge(state: State, command: Charge) -> int:
    """A charge keeps shooters from shooting, at the price of their fire: worth it with a cheap unit at a dear one."""
    unit, target = state.units[command.unit], state.units[command.target]
    if unit.kind.shots or not target.kind.shots or target.kind.points <= unit.kind.points:
        return -1
    return _value(target) // 2


def _value(unit: Unit) -> int:
    """What is lost with one stand, more for a unit that is hurt already."""
    return 100 * unit.kind.points // len(unit.stands) * (1 + unit.open) // unit.kind.hits


def _target(state: State, side: str, name: str) -> int:
    return _value(state.units[name])


def _drive(state: State, side: str, name: str) -> int:
    """The unit farthest from the enemy first: it clears the way for the others."""
    return min((distance_of(state.units[name], enemy) for enemy in state.of(OTHER[side])), default=0)


def _remove(state: State, side: str, name: str) -> int:
    return 0


def _yes(state: State, side: str, answer: str) -> int:
    return int(answer == "yes")


_ANSWERS: Mapping[str, Callable[[State, str, str], int]] = {
    "target": _target,
    "drive": _drive,
    "remove": _remove,
    "make-way": _yes,
    "fire": _yes,
}

BOTS: Mapping[str, Think] = {"easy": easy, "sensible": sensible}
