"""The legal orders of a side, with the card each needs and its odds.

Legality is not decided here: candidates are made cheaply and go through the same plans as an
order that is given (`adjudication.PLANS`, the `require_…` functions). Equivalent orders are listed
once: moves by direction rather than by goal, charges and shots by box.
Not listed are standing orders, resigning and offering a draw, and riding orders that change nothing.
What there is to order before the turns is in `options_before`, stratagems are in `options_stratagems`.
The last option always lets the battle go on: `end turn`, `done`, a no.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.contract.option import Option, OrderTarget
from domain.engine.state import OTHER
from domain.games.to_the_strongest.adjudication import PLANS, plan_group_order
from domain.games.to_the_strongest.chapters.activation import HIGHEST_CARD, ActivationPlan, require_possible
from domain.games.to_the_strongest.chapters.ambushes import with_shown
from domain.games.to_the_strongest.chapters.cards import next_cards
from domain.games.to_the_strongest.chapters.charges import ChargeBox
from domain.games.to_the_strongest.chapters.command import in_command
from domain.games.to_the_strongest.chapters.decisions import DecisionAsked
from domain.games.to_the_strongest.chapters.evade import evade_path, evade_reach, may_evade
from domain.games.to_the_strongest.chapters.generals import may_command, reachable_boxes
from domain.games.to_the_strongest.chapters.groups import SMALLEST_GROUP, MoveGroup, is_contiguous
from domain.games.to_the_strongest.chapters.turns import has_units
from domain.games.to_the_strongest.chapters.zones import is_held
from domain.games.to_the_strongest.orders.aims import aim_of, gone, joined, placed, stands
from domain.games.to_the_strongest.orders.candidates import candidates
from domain.games.to_the_strongest.orders.setup_options import before_turns
from domain.games.to_the_strongest.orders.stratagem_options import plays
from domain.games.to_the_strongest.state.state import (
    CLOSED_FORMATIONS,
    Corps,
    General,
    State,
    Unit,
    general_box,
    kind,
    units_in,
)
from domain.mechanics.cards import cards_at_least
from domain.mechanics.square import XY


class Odds:
    """The number of cards of a side's deck that suffice, for each number needed.

    Rule: TTS-DCK-03: where the pile is empty, the discards are what the next draw is made from;
          TTS-STR-15: a side that has looked at its next card knows its value
    """

    def __init__(self, state: State, side: str) -> None:
        cards = next_cards(state, side)
        self.left = len(cards)
        self.good = [cards_at_least(cards, needed) for needed in range(HIGHEST_CARD + 1)]

    def of(self, needed: int) -> tuple[int, int]:
        """[cards that suffice, cards left] (design.md 4)."""
        return self.good[needed], self.left


def options(state: State, side: str) -> list[Option]:
    """Every legal order of a side, for a state as `known` to it."""
    if state.winner is not None or not state.phase:
        return []
    listed = [Option(f"{word} draw", "draw") for word in ("accept", "decline") if state.draw_offer == OTHER[side]]
    if state.waiting:
        return listed + _answers(state, side)
    if state.phase != "turns":
        onward = before_turns(state, side)
        return listed + (plays(state, side) if onward else []) + onward
    if state.active != side:
        return listed
    army, odds = state.armies[side], Odds(state, side)
    for corps in army.corps.values():
        if corps.id in army.ended or army.opened not in ("", corps.id):
            continue
        for name in corps.units:
            listed += _of_unit(state, state.units[name], odds)
        listed += _of_groups(state, side, corps, odds)
    for general in state.generals.values():
        if general.side == side:
            listed += _of_general(state, general)
    listed += (
        Option(f"corps {corps.id}", "corps")
        for corps in army.corps.values()
        if corps.id not in (*army.ended, army.opened) and has_units(state, corps)
    )
    listed += plays(state, side)
    if army.opened:
        listed.append(Option("done", "done"))
    listed.append(Option("end turn", "end-turn"))
    return listed


def unit_options(state: State, unit: Unit) -> list[Option]:
    """Every legal order to one unit; those to a group with it are not among them."""
    army = state.armies[unit.side]
    if state.winner is not None or state.phase != "turns" or state.waiting or state.active != unit.side:
        return []
    if unit.corps in army.ended or army.opened not in ("", unit.corps):
        return []
    return _of_unit(state, unit, Odds(state, unit.side))


# --- answers


def _answers(state: State, side: str) -> list[Option]:
    """The answers to the decision that waits, if it waits for this side (TTS-TRN-10)."""
    waiting = state.waiting
    if not isinstance(waiting, DecisionAsked) or waiting.side != side:
        return []
    if waiting.kind == "shift":
        return [Option(f"shift {to}", "answer", target=placed(to) if to in XY else None) for to in waiting.options]
    if waiting.kind == "join":
        return [
            Option(f"join {unit}", "answer", waiting.unit, target=joined(state, unit))
            for unit in waiting.candidates or ()
        ]
    needed = waiting.needed or 0
    odds = Odds(state, side).of(needed)
    if waiting.kind == "evade":
        yes = ["evade yes", f"evade yes facing {state.units[waiting.unit].facing}"]
    else:
        yes = [f"replay yes with {source.upper()}" for source in waiting.sources or ()]
    return [
        *(Option(order, "answer", waiting.unit, needed, odds=odds) for order in yes),
        Option(f"{waiting.kind} no", "answer", waiting.unit),
    ]


# --- orders to units


def _of_unit(state: State, unit: Unit, odds: Odds) -> list[Option]:
    """Try every candidate; those that are not refused are listed. A unit in ambush shows itself first (TTS-STR-04)."""
    if not unit.alive:
        return []
    state = with_shown(state, (unit.id,))
    unit = state.units[unit.id]
    listed = []
    for order, command in candidates(state, unit):
        try:
            plan = require_possible(PLANS[type(command)](state, unit, command))
        except Refusal:
            continue
        listed.append(_option(order, plan, odds, aim_of(state, plan, command)))
        if isinstance(command, ChargeBox) and _may_slip_away(state, plan):
            listed.append(replace(listed[-1], order=f"{order} halt"))
    return listed


def _option(order: str, plan: ActivationPlan, odds: Odds, target: OrderTarget) -> Option:
    needed = plan.needed
    return Option(order, plan.action, plan.unit.id, needed, plan.factors, odds.of(needed), target=target)


def _may_slip_away(state: State, plan: ActivationPlan) -> bool:
    """Whether the target of a charge may evade, so that `halt` makes a difference (TTS-EVD-08)."""
    declared = plan.then[0][1]
    target = state.units[declared["target"]]
    if not may_evade(target, declared["aspect"]):
        return False
    return evade_path(state, target, declared["origin"], evade_reach(target)) is not None


# --- orders to groups


def _of_groups(state: State, side: str, corps: Corps, odds: Odds) -> list[Option]:
    """One group of each contiguous set that may advance together, and its march (TTS-GRP-01, -10)."""
    fit = [unit for name in corps.units if (unit := _group_fit(state, state.units[name]))]
    listed: dict[str, Option] = {}
    waiting = fit
    while waiting:
        linked = _linked(waiting, state.options.group_max)
        waiting = [unit for unit in waiting if unit not in linked]
        for boxes, march in ((0, True), *((boxes, False) for boxes in range(_slowest(linked), 0, -1))):
            option = _of_group(state, side, linked, fit, boxes, march, odds)
            if option:
                listed[option.order] = option
    return list(listed.values())


def _group_fit(state: State, unit: Unit) -> Unit | None:
    """The unit, shown if it lies in ambush, if it meets the conditions of TTS-GRP-02 that concern one unit; the
    plan checks them again."""
    state = with_shown(state, (unit.id,))
    unit = state.units[unit.id]
    barred = unit.losses or unit.last or kind(unit).artillery or unit.formation in CLOSED_FORMATIONS
    if not unit.box or barred or not in_command(state, unit) or is_held(state, unit):
        return None
    return unit


def _linked(units: Sequence[Unit], most: int) -> list[Unit]:
    """The first unit and those that are linked to it and face the same way, `most` at most."""
    linked, others = [units[0]], [unit for unit in units[1:] if unit.facing == units[0].facing]
    for member in linked:
        near = [unit for unit in others if is_contiguous((member, unit))][: most - len(linked)]
        linked += near
        others = [unit for unit in others if unit not in near]
    return linked


def _of_group(
    state: State, side: str, members: Sequence[Unit], fit: Sequence[Unit], boxes: int, march: bool, odds: Odds
) -> Option | None:
    """Leave out units named by refusals until the rest may go; then add units that can join."""
    plan = None
    while plan is None and len(members) >= SMALLEST_GROUP:
        plan, named = _group_plan(state, side, members, boxes, march)
        if plan is None:
            rest = [unit for unit in members if unit.id != named]
            members = _linked(rest, len(rest)) if 0 < len(rest) < len(members) else ()
    if plan is None:
        return None
    for unit in fit:
        quick = kind(unit).speed >= (_slowest(members) if march else boxes)
        if quick and unit.id not in plan.group and len(plan.group) < state.options.group_max:
            wider = [*members, unit]
            larger, _ = _group_plan(state, side, wider, boxes, march)
            plan, members = (larger, wider) if larger else (plan, members)
    return _group_option(state, plan, "march" if march else _ahead(members, boxes), odds)


def _group_option(state: State, plan: ActivationPlan, way: str, odds: Odds) -> Option:
    return _option(f"group {' '.join(plan.group)} {way}", plan, odds, aim_of(state, plan))


def _ahead(members: Sequence[Unit], boxes: int) -> str:
    return "ahead" if boxes == _slowest(members) else f"ahead {boxes}"


def group_options(state: State, side: str, names: Sequence[str]) -> list[Option]:
    """Every legal order to exactly these units as a group (TTS-GRP-01, -10), on the move of their side."""
    if state.winner is not None or state.phase != "turns" or state.waiting or state.active != side:
        return []
    units = [unit for unit in state.units.values() if unit.id in names and unit.side == side]
    fit = [shown for unit in units if (shown := _group_fit(state, unit))]
    if not SMALLEST_GROUP <= len(names) == len(fit):
        return []
    members, odds, listed = _linked(fit, len(fit)), Odds(state, side), list[Option]()
    if len(members) < len(fit):
        return []
    for boxes, march in ((0, True), *((boxes, False) for boxes in range(_slowest(members), 0, -1))):
        plan, _ = _group_plan(state, side, members, boxes, march)
        if plan:
            listed.append(_group_option(state, plan, "march" if march else _ahead(members, boxes), odds))
    return listed


def _slowest(members: Sequence[Unit]) -> int:
    return min(kind(unit).speed for unit in members)


def _group_plan(
    state: State, side: str, members: Sequence[Unit], boxes: int, march: bool
) -> tuple[ActivationPlan | None, str]:
    """The plan of a group, or None and the unit that a refusal names."""
    command = MoveGroup(tuple(unit.id for unit in members), min(boxes, _slowest(members)), march)
    try:
        return plan_group_order(state, side, command), ""
    except Refusal as refusal:
        return None, str(refusal.params.get("unit", ""))


# --- orders to generals


def _of_general(state: State, general: General) -> list[Option]:
    """Command moves, with company or without, and riding (TTS-GEN-02, -03)."""
    box = general_box(state, general)
    if not box or not general.detached:
        return []
    start, listed = f"general {general.id}", []
    if not general.moved and may_command(state, general):
        for goal in sorted(reachable_boxes(state, general, box), key=XY.__getitem__):
            listed.append(Option(f"{start} to {goal}", "general", general.id, target=gone(goal)))
            listed += (
                Option(f"{start} to {goal} with {unit.id}", "general", general.id, target=joined(state, unit.id))
                for unit in units_in(state, goal)
            )
    listed += (
        Option(f"{start} with {unit.id}", "ride", general.id, target=joined(state, unit.id))
        for unit in units_in(state, box)
        if unit.id != general.riding and unit.side == general.side
    )
    if general.riding:
        listed.append(Option(f"{start} alone", "ride", general.id, target=stands(state, general)))
    return listed
