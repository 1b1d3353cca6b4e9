"""What each option may win or lose, and the option that is worth most.

`sensible` looks at all units together that could shoot at the same target, and begins with the one that they may hurt
most. It charges where the enemy loses more fire than it does itself; once it is ahead, wherever that silences anybody.
`easy` takes any option half of the time.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from domain.contract.option import Option
from domain.engine.state import OTHER
from domain.games.warmaster_shooting.bot.prospects import POINT, chance_of_save, chance_of_wound, worth_of, wounds_of
from domain.games.warmaster_shooting.chapters.charges import ChargeAlong
from domain.games.warmaster_shooting.chapters.cover import cover
from domain.games.warmaster_shooting.chapters.targets import (
    ShootWithStands,
    can_shoot,
    eligible,
    main_targets,
    targets_of,
)
from domain.games.warmaster_shooting.chapters.turns import points
from domain.games.warmaster_shooting.orders.notation import parse
from domain.games.warmaster_shooting.state.measure import distance_of, distance_to
from domain.games.warmaster_shooting.state.profiles import NO_COUNTER_FIRE
from domain.games.warmaster_shooting.state.state import COVERS, Cover, State, Unit
from domain.log.chance import Chance

HASTE = 2
"""One order in so many of the easy bot is any option."""
HALF = Fraction(1, 2)
YIELD = Fraction(1, 3)
"""What a wound is worth of its share of a stand, as far as it is known beforehand: many are dropped."""
FORESEEN = 3
"""Own turns that a bot looks ahead at most."""


def sensible(state: State, side: str, options: Sequence[Option], chance: Chance) -> str:
    """The option worth most; of several the first. A draw is taken by whoever is behind."""
    offered = [option.order for option in options if option.kind == "draw"]
    if offered:
        return offered[not _is_behind(state, side)]
    kind = options[0].kind
    worths = _JUDGES[kind](state, side, options) if kind in _JUDGES else [Fraction(0)] * len(options)
    return max(zip(worths, options, strict=True), key=lambda pair: pair[0])[1].order


def easy(state: State, side: str, options: Sequence[Option], chance: Chance) -> str:
    """Half of the time any option, else the best."""
    scope = f"bot:{side}"
    if chance.die(scope, HASTE) == 1:
        return options[chance.die(scope, len(options)) - 1].order
    return sensible(state, side, options, chance)


def _is_behind(state: State, side: str) -> bool:
    return points(state, side) < points(state, OTHER[side])


# --- shooting


def _of_shooting(state: State, side: str, options: Sequence[Option]) -> list[Fraction]:
    """Shots by what all that may follow at the same target bring; to end is worth nothing, to hold a little less."""
    volleys = _volleys(state, side)
    found = []
    for option in options:
        if option.kind == "shoot":
            command = parse(option.order)
            assert isinstance(command, ShootWithStands)
            target = command.target or main_targets(state, state.units[command.unit])[0]
            found.append(_of_target(state, side, state.units[target], volleys))
        else:
            found.append(Fraction(-1 if option.kind == "hold" else 0))
    return found


def _volleys(state: State, side: str) -> dict[str, list[tuple[Unit, Fraction]]]:
    """Each enemy that may be shot now, with the dice for it: their units and chances to wound."""
    found: dict[str, list[tuple[Unit, Fraction]]] = {}
    for unit in state.of(side):
        if can_shoot(state, unit):
            main = main_targets(state, unit)[0]
            for stand in unit.standing:
                for name in targets_of(state, unit, stand, main)[:1]:
                    wound = chance_of_wound(state, unit, stand, state.units[name])
                    found.setdefault(name, []).extend([(unit, wound)] * unit.kind.shots)
    return found


def _of_target(state: State, side: str, target: Unit, volleys: Mapping[str, list[tuple[Unit, Fraction]]]) -> Fraction:
    """What all volleys at a target may win; never nothing, for waiting brings no better shot."""
    shelter = _shelter(state, target)
    dice = volleys.get(target.id, [])
    spread = wounds_of(chance for _, chance in dice)
    return 1 + worth_of(state, target, spread, shelter) - worth_of(state, target, (Fraction(1),), shelter)


def _shelter(state: State, target: Unit) -> Cover:
    """The cover of a unit as its nearest enemy sees it."""
    stands = [stand for enemy in state.enemies(target) for stand in enemy.standing]
    nearest = min(stands, key=lambda stand: distance_to(stand, target))
    return max((cover(state, target, stand, nearest) for stand in target.standing), key=COVERS.index)


# --- charges


def _of_command(state: State, side: str, options: Sequence[Option]) -> list[Fraction]:
    """Charges by whom they silence; to end the phase is worth nothing."""
    return [_of_charge(state, side, option) if option.kind == "charge" else Fraction(0) for option in options]


def _of_charge(state: State, side: str, option: Option) -> Fraction:
    """What the target would have shot, less what charger and target would have been shot for, and what it costs to come
    into contact. A charge locks both, so that who is ahead stays so: then what the enemy loses by it counts twice, and
    what we lose not at all."""
    command = parse(option.order)
    assert isinstance(command, ChargeAlong)
    unit, target = state.units[command.unit], state.units[command.target]
    if target.engaged:
        return Fraction(-1)
    ahead = _is_behind(state, OTHER[side])
    silenced = _volley_at_nearest(target, state.of(side))
    enemies = [enemy for enemy in state.enemies(unit) if not enemy.engaged]
    spared = sum((_volley(own, target) for own in state.of(side) if _nearest(own, enemies) == target), Fraction(0))
    lost = Fraction(0) if ahead else spared + _volley_at_nearest(unit, enemies)
    return _turns_left(state) * (silenced * (1 + ahead) - lost) - _counter_fire(state, unit, target) - 1


def _volley_at_nearest(shooter: Unit, targets: Sequence[Unit]) -> Fraction:
    nearest = _nearest(shooter, targets)
    return _volley(shooter, nearest) if nearest else Fraction(0)


def _nearest(shooter: Unit, targets: Sequence[Unit]) -> Unit | None:
    """The nearest of some units, if a unit that is free to shoot has it in range."""
    if shooter.engaged or not targets:
        return None
    nearest = min(targets, key=lambda unit: distance_of(shooter, unit))
    return nearest if distance_of(shooter, nearest) <= shooter.kind.range else None


def _volley(shooter: Unit, target: Unit) -> Fraction:
    """What a volley of one unit at another is worth, roughly."""
    kind = target.kind
    wounds = HALF * shooter.kind.shots * len(shooter.standing)
    return YIELD * wounds * POINT * kind.points / (len(target.stands) * kind.hits)


def _turns_left(state: State) -> Fraction:
    return min(Fraction(state.options.turns - state.t, 2), Fraction(FORESEEN))


def _counter_fire(state: State, unit: Unit, target: Unit) -> Fraction:
    """What a charger is expected to lose on its way."""
    if NO_COUNTER_FIRE in target.kind.flags or not target.kind.shots or target.engaged:
        return Fraction(0)
    wound = HALF * (1 - chance_of_save(state, target, unit))
    spread = wounds_of([wound] * (target.kind.shots * len(target.standing)))
    share = Fraction(POINT * unit.kind.points, len(unit.stands))
    left, hits = len(unit.standing), unit.kind.hits
    return sum((part * share * min(left, many // hits) for many, part in enumerate(spread)), Fraction(0))


# --- answers


def _of_answers(state: State, side: str, options: Sequence[Option]) -> list[Fraction]:
    assert state.waiting, "only a question has answers"
    worth = _ANSWERS[state.waiting.kind]
    return [worth(state, side, option.order.split()[-1]) for option in options]


def _target(state: State, side: str, name: str) -> Fraction:
    return _of_target(state, side, state.units[name], _volleys(state, side))


def _drive(state: State, side: str, name: str) -> Fraction:
    """The unit farthest from the enemy first: it clears the way for the others."""
    return Fraction(min((distance_of(state.units[name], enemy) for enemy in state.of(OTHER[side])), default=0))


def _remove(state: State, side: str, name: str) -> Fraction:
    """A stand that has nobody to shoot at rather than one that has."""
    assert state.waiting, "only a question has answers"
    return Fraction(-len(eligible(state, state.units[state.waiting.unit])[name]))


def _yes(state: State, side: str, answer: str) -> Fraction:
    return Fraction(answer == "yes")


_ANSWERS: Mapping[str, Callable[[State, str, str], Fraction]] = {
    "target": _target,
    "drive": _drive,
    "remove": _remove,
    "make-way": _yes,
    "fire": _yes,
}
_JUDGES: Mapping[str, Callable[[State, str, Sequence[Option]], list[Fraction]]] = {
    "shoot": _of_shooting,
    "charge": _of_command,
    "answer": _of_answers,
}
