"""Which order looks best: the charges first, then formations, moves, the general, the fire, each by what it is worth.

A bot sees what its side knows and takes one of the options listed. It has no memory: the same state and the same dice
give the same order, which is why a battle of version 3 can have it played again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from domain.contract.option import Option
from domain.engine.state import OTHER
from domain.games.shot_to_pieces.bot.answers import answer_worth
from domain.games.shot_to_pieces.bot.charges import charge_worths
from domain.games.shot_to_pieces.bot.field import USUAL, BotView, Weights, gap
from domain.games.shot_to_pieces.bot.places import NEAR, place_worth
from domain.games.shot_to_pieces.chapters.closing import lost_halves
from domain.games.shot_to_pieces.chapters.factors import WeighedShot, fire_factors, resilience_factors
from domain.games.shot_to_pieces.chapters.formations import formations_of, formed
from domain.games.shot_to_pieces.chapters.replies import repliers
from domain.games.shot_to_pieces.chapters.targets import range_to
from domain.games.shot_to_pieces.orders.notation import parse
from domain.games.shot_to_pieces.plane.base import moved
from domain.games.shot_to_pieces.plane.contacts import abuts
from domain.games.shot_to_pieces.state.commands import ChangeFormation, Fire, MoveAsGroup, SendGeneral
from domain.games.shot_to_pieces.state.figures import figures, period_of, weapon_of
from domain.games.shot_to_pieces.state.profiles import Band
from domain.games.shot_to_pieces.state.state import State, Unit, place_of
from domain.games.shot_to_pieces.state.vocabulary import ADVANCE, FIRE, GENERALS, HOLD, MOVES, ORDERS
from domain.log.chance import Chance
from domain.mechanics.modifiers import total

HASTE = 3
"""One order in so many of the easy bot is any option."""
LEAST = {"charge": 5, "form": 10, "move": 3, "general": 1, "fire": 1}
"""What an order has to be worth to be given, in hundredths of a unit of the line."""
STAGES = ("charge", "form", "move", "general", "fire")
"""The kinds of orders in the order of the steps to which they belong (STP-SEQ-03)."""
OPENS_FIRE = 3
"""What it is worth to be the one who fires and not the one who replies."""
MARCHES_HCM = 4500
"""Nearer to an enemy a march column forms up."""
HEARD_HCM = 3500
"""How far from a general the units of a corps may be before a general who can be nearer to more of them goes there."""


def sensible(state: State, side: str, options: Sequence[Option], chance: Chance, weights: Weights = USUAL) -> str:
    """The option worth most, of several alike any; a draw is taken by the side that has lost more."""
    offers = [option.order for option in options if option.kind == "draw"]
    if offers:
        return offers[0 if lost_halves(state, side) > lost_halves(state, OTHER[side]) else 1]
    best = _best(BotView(state, side, weights), options)
    return best[0] if len(best) == 1 else best[chance.die(f"bot:{side}", len(best)) - 1]


def easy(state: State, side: str, options: Sequence[Option], chance: Chance) -> str:
    """One order in three any option, else the best."""
    scope = f"bot:{side}"
    if chance.die(scope, HASTE) == 1:
        return options[chance.die(scope, len(options)) - 1].order
    return sensible(state, side, options, chance)


def _best(field: BotView, options: Sequence[Option]) -> list[str]:
    state, side = field.state, field.side
    if state.waiting:
        return _highest((answer_worth(state, side, option.order), option.order) for option in options)
    if not state.turn:
        return [options[0].order]
    if state.step == ORDERS:
        return _general_orders(field, options)
    for kind in STAGES:
        offered = [option for option in options if option.kind == kind]
        if offered:
            worths = _JUDGES[kind](field, offered)
            best = max(worths.values())
            if best >= LEAST[kind]:
                return [order for order, worth in worths.items() if worth == best]
    ends = [option.order for option in options if option.kind == "end"]
    if not ends:  # a charge is due
        return _highest((worth, order) for order, worth in charge_worths(field, options).items())
    return [ends[0] if state.step in (MOVES, GENERALS, FIRE) else ends[-1]]


def _highest(worths: Iterator[tuple[int, str]]) -> list[str]:
    found = list(worths)
    best = max(worth for worth, _ in found)
    return [order for worth, order in found if worth == best]


# --- general orders


def _general_orders(field: BotView, options: Sequence[Option]) -> list[str]:
    """Corps that hold are sent forward when waiting loses the battle (STP-CMD-04, STP-WIN-02)."""
    for option in options:
        if option.kind == "order" and option.order.split()[2] == ADVANCE:
            corps = field.state.corps[option.order.split()[1]]
            if corps.order == HOLD and is_to_close(field):
                return [option.order]
    return [options[-1].order]


def is_to_close(field: BotView) -> bool:
    """Whether a side must come to grips: it has lost more, or as much with half of the turns gone."""
    state, side = field.state, field.side
    own, other = lost_halves(state, side), lost_halves(state, OTHER[side])
    limit = state.options.turn_limit
    return own > other or (own == other and (not limit or 2 * state.turn >= limit))


# --- moves


def is_eager(field: BotView, unit: Unit) -> bool:
    """Whether a unit is to close with the enemy: its corps advances, or waiting would lose."""
    return field.state.corps[unit.corps].order == ADVANCE or is_to_close(field)


def _of_moves(field: BotView, options: Sequence[Option]) -> dict[str, int]:
    """What each move gains over standing still."""
    state = field.state
    here: dict[str, int] = {}
    found = {}
    for option in options:
        names = _movers(option)
        ends = _ends(state, option, names)
        friends = [one for one in field.own if one.id not in ends]
        gained = 0
        for name, end in ends.items():
            unit = state.units[name]
            if name not in here:
                others = [one for one in field.own if one.id != name]
                here[name] = place_worth(field, unit, others, eager=is_eager(field, unit))
            beside = [*friends, *(one for one in ends.values() if one.id != name)]
            eager = is_eager(field, unit)
            is_moved = end.base.at != unit.base.at
            gained += place_worth(field, end, beside, eager=eager, is_moved=is_moved) - here[name]
        found[option.order] = gained
    return found


def _movers(option: Option) -> tuple[str, ...]:
    target = option.target
    return tuple(name for name, _ in target.group) if target and target.group else (option.unit,)


def _ends(state: State, option: Option, names: Sequence[str]) -> dict[str, Unit]:
    """The units of a move as they would stand."""
    if len(names) > 1:
        command = parse(option.order)
        assert isinstance(command, MoveAsGroup), "more than one unit moves as a group"
        units = (state.units[name] for name in names)
        return {unit.id: replace(unit, base=moved(unit.base, unit.facing, command.distance)) for unit in units}
    target, unit = option.target, state.units[option.unit]
    assert target is not None, "a move leads somewhere"
    facing = unit.facing if target.facing is None else 10 * target.facing
    at = target.point or unit.at
    return {unit.id: replace(unit, base=replace(unit.base, at=at, facing=facing))}


# --- formations


def _of_forms(field: BotView, options: Sequence[Option]) -> dict[str, int]:
    """What each formation gains over the one that a unit has, where the enemy is near enough for it to matter."""
    state = field.state
    found = {}
    for option in options:
        command = parse(option.order)
        if not isinstance(command, ChangeFormation):
            found[option.order] = 0
            continue
        unit = state.units[command.unit]
        nearest = min((gap(unit.base, foe.base) for foe in field.foes), default=2 * MARCHES_HCM)
        if command.formation == "march":
            found[option.order] = -1
        elif unit.formation == "march":
            is_usual = command.formation == period_of(state).types[unit.type].usual_formation
            found[option.order] = LEAST["form"] + is_usual if nearest < MARCHES_HCM else -1
        elif nearest > NEAR:
            found[option.order] = -1
        else:
            after = formed(state, unit, command.formation, formations_of(state, unit)[command.formation])
            others = [one for one in field.own if one.id != unit.id]
            eager = is_eager(field, unit)
            gained = place_worth(field, after, others, eager=eager) - place_worth(field, unit, others, eager=eager)
            found[option.order] = gained
    return found


# --- generals


def _of_generals(field: BotView, options: Sequence[Option]) -> dict[str, int]:
    """A general goes where more of the corps can hear them (STP-GEO-10)."""
    state = field.state
    found = {}
    for option in options:
        general = state.generals[option.unit]
        command = parse(option.order)
        if not isinstance(command, SendGeneral) or general.unit:
            found[option.order] = -1
            continue
        units = state.under(general.corps)
        here = place_of(state, general)
        found[option.order] = _within_earshot(units, command.to) - _within_earshot(units, here)
    return found


def _within_earshot(units: Sequence[Unit], at: tuple[int, int]) -> int:
    return sum(1 for unit in units if (unit.at[0] - at[0]) ** 2 + (unit.at[1] - at[1]) ** 2 <= HEARD_HCM * HEARD_HCM)


# --- fire


def _of_fire(field: BotView, options: Sequence[Option]) -> dict[str, int]:
    """What each declaration does, with those beside who may join it, less what the reply does."""
    aiming: dict[str, list[Unit]] = {}
    commands = {option.order: command for option in options if isinstance(command := parse(option.order), Fire)}
    for command in commands.values():
        aiming.setdefault(command.target, []).append(field.state.units[command.units[0]])
    found = {option.order: 0 for option in options}
    for order, command in commands.items():
        found[order] = _of_shot(field, command, aiming[command.target])
    return found


def _of_shot(field: BotView, command: Fire, aiming: Sequence[Unit]) -> int:
    state = field.state
    firer, target = state.units[command.units[0]], state.units[command.target]
    weapon, far = weapon_of(state, firer), range_to(firer, target)
    band = weapon.band(far) if weapon else ""
    if not band:
        return 0
    is_gun = figures(state, firer).arm == "art"
    declared = [salvo for salvo in state.salvoes if salvo.side == field.side and salvo.target == target.id]
    joined = next(
        (one for one in declared if any(abuts(firer.base, state.units[name].base) for name in one.units)), None
    )
    others = len(joined.units) if joined else len(command.units) - 1
    for one in aiming:
        if one.id not in command.units and abuts(firer.base, one.base) and (figures(state, one).arm == "art") == is_gun:
            others += 1
    margin = figures(state, firer).fire + total(fire_factors(state, WeighedShot(firer, target, far, band, others)))
    replying = repliers(state, firer, target, is_indirect=command.indirect)
    back_band: Band | Literal[""] = ""
    if replying:
        back, answer = range_to(target, firer), weapon_of(state, target)
        back_band = answer.band(back) if answer else ""
    if back_band:
        shooting = WeighedShot(target, firer, range_to(target, firer), back_band, len(replying) - 1)
        margin -= figures(state, target).fire + total(fire_factors(state, shooting))
    else:
        margin -= figures(state, target).resilience + total(resilience_factors(state, target, firer))
    margin -= command.indirect
    hit = field.volley(firer, target, band, back_band, margin)
    worth = (hit.done * field.value(target) - hit.suffered * field.value(firer)) // 100
    return worth + OPENS_FIRE if hit.done else 0


_JUDGES: Mapping[str, Callable[[BotView, Sequence[Option]], dict[str, int]]] = {
    "charge": charge_worths,
    "form": _of_forms,
    "move": _of_moves,
    "general": _of_generals,
    "fire": _of_fire,
}
