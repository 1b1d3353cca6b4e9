"""What a charge is worth: the melee that it leads to, with those who charge the same enemy, and where it ends."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from domain.contract.option import Option
from domain.games.shot_to_pieces.bot.duels import Prospect
from domain.games.shot_to_pieces.bot.field import BotView, gap
from domain.games.shot_to_pieces.chapters.charges import foreseen, plan_unpaid
from domain.games.shot_to_pieces.chapters.contacts import place_on
from domain.games.shot_to_pieces.chapters.melee_factors import (
    MOST_SUPPORT,
    Stance,
    melee_factors,
    melee_value,
    rear_support,
)
from domain.games.shot_to_pieces.chapters.supports import Support, support_of
from domain.games.shot_to_pieces.orders.notation import parse
from domain.games.shot_to_pieces.plane.base import faced
from domain.games.shot_to_pieces.state.commands import Charge
from domain.games.shot_to_pieces.state.figures import figures, has
from domain.games.shot_to_pieces.state.profiles import SKIRMISHERS
from domain.games.shot_to_pieces.state.state import DeclaredCharge, Melee, State, Unit, melee_of, with_unit
from domain.mechanics.modifiers import total

FRAGILE = ("all-out", "rash")
RASH = 40
"""Percentage of what a rash charge would bring: it may fall short."""
BESIDE = 60
"""Percentage of what a charge brings if others come along, as long as they have not declared."""
ALONE = 7
"""What it costs to be the first who leaves the line, in hundredths of a unit."""
RISK = 6
"""What each enemy near the place costs who is not in melee, the first of them left out."""
EXPOSED = 1500
RUNS = 50
"""Percentage of a charge that skirmishers let come home."""


def charge_worths(field: BotView, options: Sequence[Option]) -> dict[str, int]:
    """What each charge among some options is worth, by its order, in hundredths of a unit of the line."""
    commands: Mapping[str, Charge] = {
        option.order: command
        for option in options
        if option.kind == "charge" and isinstance(command := parse(option.order), Charge)
    }
    others: dict[str, set[str]] = {}
    for command in commands.values():
        if command.mode == "normal":
            others.setdefault(command.target, set()).add(command.unit)
    return {
        order: _worth(field, command, len(others.get(command.target, set()) - {command.unit}))
        for order, command in commands.items()
    }


def _worth(field: BotView, command: Charge, others: int) -> int:
    state = field.state
    declared = plan_unpaid(state, field.side, command).declared
    unit, target = state.units[command.unit], state.units[command.target]
    charge = DeclaredCharge(
        unit.id,
        target.id,
        declared.facing_hdeg,
        declared.bearing_hdeg,
        declared.distance_hcm,
        declared.aspect,
        declared.mode,
    )
    before = [one for one in state.charges if one.target == target.id]
    alone = _brings(field, (*before, charge), 0)
    ap = max(0, state.corps[unit.corps].ap - 1)
    helped = _brings(field, (*before, charge), min(others, ap, 2)) if others and ap else alone
    found = max(alone, (alone * (100 - BESIDE) + helped * BESIDE) // 100)
    if before:
        found -= _brings(field, tuple(before), 0)
    else:
        found = (found // 2 if target.melee else found) - ALONE
    if command.mode == "rash":
        found = found * RASH // 100 - RISK
    near = sum(
        1 for foe in field.foes if foe.id != target.id and not foe.engaged and gap(target.base, foe.base) < EXPOSED
    )
    return found - RISK * max(0, near - 1)


def _brings(field: BotView, charges: Sequence[DeclaredCharge], more: int) -> int:
    """What the melee of some charges at one target brings, and `more` friends beside them who charge too."""
    state, target = field.state, field.state.units[charges[0].target]
    then = foreseen(replace(state, charges=tuple(charges)))
    first, *rest = charges
    unit = then.units[first.unit]
    place = place_on(state, unit, faced(state.units[unit.id].base, first.facing), target)
    if place is None:
        return 0
    unit = replace(unit, base=place)
    then = with_unit(then, unit)
    fought = melee_of(state, target)
    others = tuple(one.unit for one in rest) + ((*fought.units,) if fought else ())
    others = tuple(name for name in others if name not in (unit.id, target.id))
    melee = Melee("", unit.id, target.id, state.k, first.aspect, others=others, modes={unit.id: first.mode})
    hit = fight(field, then, melee, more)
    worth = (hit.done * field.value(target) - hit.suffered * field.value(unit)) // 100
    return worth * RUNS // 100 if figures(state, target).arm in SKIRMISHERS and worth > 0 else worth


def fight(field: BotView, state: State, melee: Melee, more: int = 0) -> Prospect:
    """What a melee does to the target (`done`) and to the charger, as all stand."""
    unit, target = state.units[melee.charger], state.units[melee.target]
    own, theirs = support_of(state, melee, unit, target), support_of(state, melee, target, unit)
    is_first = melee.rounds == 0
    margins = []
    for first in (True, False):
        score = _score(state, melee, unit, target, own, first and is_first, more)
        margins.append(score - _score(state, melee, target, unit, theirs, first and is_first, 0))
    mode = melee.modes.get(unit.id, "normal")
    dice = 2 if mode == "all-out" and is_first else 1
    return field.melee(unit, target, margins[0], margins[1], dice=dice, fragile=mode in FRAGILE)


def _score(state: State, melee: Melee, unit: Unit, foe: Unit, support: Support, is_first: bool, more: int) -> int:
    """The score of a unit without its die and without what its markers take."""
    taken = melee.aspect if unit.id == melee.target else melee.charger_aspect
    plain = replace(unit, shaken=(), brittle=0)
    stance = Stance(
        plain,
        foe,
        is_first,
        taken=taken,
        has_impetus=unit.id in melee.modes and has(state, unit, "impetus"),
    )
    rear = rear_support(state, unit, foe, is_wave=support.is_wave) if support.is_behind else 0
    helped = min(MOST_SUPPORT, len(support.laterals) + more + rear)
    return melee_value(state, stance) + total(melee_factors(state, stance)) + helped
