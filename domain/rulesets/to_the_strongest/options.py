"""Which orders may a side give now, what do they need, and how often will they succeed?

Nothing here says what is legal: candidates are made cheaply and go through the very plans that an
order given goes through (`adjudication.PLANS`, the `require_…` functions). An order that says the
same as another is listed once: moves by direction rather than by goal, charges and shots by box.
Not listed are standing orders, resigning and offering a draw, and riding orders that change nothing.
The last option is always the one that lets the battle go on: `end turn`, or a no.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from domain.commands import Command
from domain.errors import Refusal
from domain.game import OTHER
from domain.mechanics.cards import cards_at_least
from domain.mechanics.grid import REVERSE, XY, Board, box_at, boxes_within
from domain.ruleset import Option
from domain.rulesets.to_the_strongest.activation import HIGHEST_CARD, Plan, require_possible
from domain.rulesets.to_the_strongest.adjudication import PLANS, plan_group_order
from domain.rulesets.to_the_strongest.cards import pile
from domain.rulesets.to_the_strongest.command import in_command
from domain.rulesets.to_the_strongest.decisions import DecisionAsked
from domain.rulesets.to_the_strongest.evade import evade_facing, evade_path, evade_reach, may_evade
from domain.rulesets.to_the_strongest.field import OWN_EDGE, Leave, Return, edge_of
from domain.rulesets.to_the_strongest.generals import may_command, reachable_boxes
from domain.rulesets.to_the_strongest.geometry import is_held_by_enemy, is_in_arc
from domain.rulesets.to_the_strongest.groups import (
    CLOSED_FORMATIONS,
    SMALLEST_GROUP,
    March,
    MoveGroup,
    is_contiguous,
    straight_path,
)
from domain.rulesets.to_the_strongest.melee import FRONT_ZONE, Charge
from domain.rulesets.to_the_strongest.movement import FORMATIONS, WAYS, Form, Move, Pass, Swap, Turn
from domain.rulesets.to_the_strongest.rally import Rally, Replenish
from domain.rulesets.to_the_strongest.roster import WEAPONS
from domain.rulesets.to_the_strongest.shooting import AheadShoot, Shoot, arc_of
from domain.rulesets.to_the_strongest.state import Corps, General, State, Unit, general_box, kind, units_in
from domain.rulesets.to_the_strongest.turns import has_units
from domain.rulesets.to_the_strongest.zones import is_held

MARKERS = ("ammo", "lance", "pilum")
Candidate = tuple[str, Command]
"""An order line, in canonical notation, and the command that it says."""


class Odds:
    """How many cards of a side's deck do, for each number needed.

    Rule: TTS-DCK-03: where the pile is empty, the discards are what the next draw is made from
    """

    def __init__(self, state: State, side: str) -> None:
        cards = pile(state, side) or state.armies[side].deck.discards
        self.left = len(cards)
        self.good = [cards_at_least(cards, needed) for needed in range(HIGHEST_CARD + 1)]

    def of(self, needed: int) -> tuple[int, int]:
        """[cards that do, cards left] (design.md 4)."""
        return self.good[needed], self.left


def options(state: State, side: str) -> list[Option]:
    """Every legal order of a side, for a state as `known` to it."""
    if state.winner is not None or state.phase != "turns":
        return []
    listed = [Option(f"{word} draw", "draw") for word in ("accept", "decline") if state.draw_offer == OTHER[side]]
    if state.waiting:
        return listed + _answers(state, side)
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
    if waiting.kind == "join":
        return [Option(f"join {unit}", "answer", waiting.unit) for unit in waiting.candidates or ()]
    needed = waiting.needed or 0
    odds = Odds(state, side).of(needed)
    if waiting.kind == "evade":
        yes = [f"evade yes{facing}" for facing in _evade_facings(state, waiting)]
    else:
        yes = [f"replay yes with {source.upper()}" for source in waiting.sources or ()]
    return [
        *(Option(order, "answer", waiting.unit, needed, odds=odds) for order in yes),
        Option(f"{waiting.kind} no", "answer", waiting.unit),
    ]


def _evade_facings(state: State, waiting: DecisionAsked) -> tuple[str, ...]:
    """Reversed; and kept, where that makes a difference (TTS-EVD-05)."""
    unit, charger = state.units[waiting.unit], state.units[str(waiting.charger)]
    path = evade_path(state, unit, charger.box, evade_reach(unit)) or ("",)
    differs = path[-1] and evade_facing(state, unit, path[-1], unit.facing) != evade_facing(state, unit, path[-1], "")
    return ("", f" facing {unit.facing}") if differs else ("",)


# --- orders to units


def _of_unit(state: State, unit: Unit, odds: Odds) -> list[Option]:
    """Try every candidate; those that are not refused are listed."""
    if not unit.alive:
        return []
    listed = []
    for order, command in _candidates(state, unit):
        try:
            plan = require_possible(PLANS[type(command)](state, unit, command))
        except Refusal:
            continue
        needed = plan.needed
        listed.append(Option(order, plan.action, unit.id, needed, plan.factors, odds.of(needed)))
        if isinstance(command, Charge) and _may_slip_away(state, plan):
            listed.append(Option(f"{order} halt", plan.action, unit.id, needed, plan.factors, odds.of(needed)))
    return listed


def _may_slip_away(state: State, plan: Plan) -> bool:
    """Whether the target of a charge may evade, so that `halt` makes a difference (TTS-EVD-08)."""
    declared = plan.then[0][1]
    target = state.units[declared["target"]]
    if not may_evade(target, declared["aspect"]):
        return False
    return evade_path(state, target, declared["origin"], evade_reach(target)) is not None


def _candidates(state: State, unit: Unit) -> Iterator[Candidate]:
    """What may be worth trying: everything legal is among it, with little that is not."""
    if not unit.box:
        yield from _returns(state, unit)
        return
    held = is_held(state, unit)
    yield from _moves(state, unit, ("back",) if held else tuple(WAYS))
    yield from _turns(state, unit, held)
    yield from _charges(state, unit)
    yield from _shots(state, unit, held)
    yield from _passes(state, unit)
    if unit.losses:
        yield f"{unit.id} rally", Rally(unit.id)
    if not held:
        yield from _quiet_orders(state, unit)
        yield from _marches(state, unit)


def _moves(state: State, unit: Unit, ways: Sequence[str]) -> Iterator[Candidate]:
    """The rows of the table of moves but for turn and swap (TTS-MOV-02)."""
    profile, name = kind(unit), unit.id
    straight = "straight_only" in profile.flags
    for way in ways:
        ahead, right = WAYS[way]
        if (right and straight) or not _is_enterable(state, unit, ahead, right):
            continue
        reverse = f" facing {REVERSE[unit.facing]}" if way == "back" else ""
        yield f"{name} {way}", Move(name, way)
        if reverse:
            yield f"{name} {way}{reverse}", Move(name, way, 1, REVERSE[unit.facing])
        if profile.speed < 2:
            continue
        if not right and _is_enterable(state, unit, 2 * ahead, 0):
            yield f"{name} {way} 2", Move(name, way, 2)
            if reverse:
                yield f"{name} {way} 2{reverse}", Move(name, way, 2, REVERSE[unit.facing])
        if right and ahead and _is_enterable(state, unit, 2, right):
            yield f"{name} {way} then ahead", Move(name, way, 1, "", True)


def _is_enterable(state: State, unit: Unit, ahead: int, right: int) -> bool:
    """Whether the board has a box there, without an enemy."""
    box = box_at(state.board, unit.box, unit.facing, ahead, right)
    return bool(box) and not is_held_by_enemy(state, box, unit.side)


def _turns(state: State, unit: Unit, held: bool) -> Iterator[Candidate]:
    name, riders = unit.id, kind(unit).speed > 1
    for turn, ahead, right in (("left", 0, -1), ("right", 0, 1), ("about", -1, 0)):
        yield f"{name} turn {turn}", Turn(name, turn)
        if riders and not held and _is_enterable(state, unit, ahead, right):
            yield f"{name} turn {turn} then ahead", Turn(name, turn, True)
    if not held and len(state.boxes[unit.box]) > 1:
        yield f"{name} swap", Swap(name)
        if riders and _is_enterable(state, unit, 1, 0):
            yield f"{name} swap then ahead", Swap(name, True)


def _charges(state: State, unit: Unit) -> Iterator[Candidate]:
    for ahead, right in FRONT_ZONE[kind(unit).speed]:
        box = box_at(state.board, unit.box, unit.facing, ahead, right)
        if box and is_held_by_enemy(state, box, unit.side):
            yield f"{unit.id} charge {box}", Charge(unit.id, box)


def _shots(state: State, unit: Unit, held: bool) -> Iterator[Candidate]:
    profile, name = kind(unit), unit.id
    if not profile.weapon:
        return
    weapon = WEAPONS[profile.weapon]
    javelins = weapon.key == "javelin"
    arc = arc_of(unit, weapon)
    for box in _boxes_in_arc(state.board, unit.box, unit.facing, arc, weapon.range):
        if not is_held_by_enemy(state, box, unit.side):
            continue
        yield f"{name} shoot {box}", Shoot(name, box)
        if profile.double_shot:
            yield f"{name} shoot {box} x2", Shoot(name, box, True)
        if profile.light and not javelins:
            yield f"{name} shoot {box} then back", Shoot(name, box, False, True)
    if profile.light and javelins and not held and _is_enterable(state, unit, 1, 0):
        ahead = box_at(state.board, unit.box, unit.facing, 1, 0)
        for box in _boxes_in_arc(state.board, ahead, unit.facing, arc, weapon.range):
            if is_held_by_enemy(state, box, unit.side):
                yield f"{name} ahead then shoot {box}", AheadShoot(name, box)


@lru_cache(maxsize=1 << 13)
def _boxes_in_arc(board: Board, box: str, facing: str, arc: str, reach: int) -> tuple[str, ...]:
    """The boxes in an arc within range, the nearest row first (TTS-GEO-10)."""
    places = (
        (sign * row, right)
        for row in range(1, reach + 1)
        for sign in (1, -1)
        for right in range(-row, row + 1)
        if is_in_arc(arc, sign * row, right)
    )
    return tuple(filter(None, (box_at(board, box, facing, ahead, right) for ahead, right in places)))


def _passes(state: State, unit: Unit) -> Iterator[Candidate]:
    if kind(unit).light:
        for way, sign in (("ahead", 1), ("back", -1)):
            if units_in(state, box_at(state.board, unit.box, unit.facing, sign, 0)):
                yield f"{unit.id} pass {way}", Pass(unit.id, way)


def _quiet_orders(state: State, unit: Unit) -> Iterator[Candidate]:
    name, flags = unit.id, kind(unit).flags
    for marker in MARKERS:
        if getattr(unit, marker) < getattr(unit, f"{marker}_full"):
            yield f"{name} replenish {marker}", Replenish(name, marker)
    for formation, flag in (("normal", ""), *FORMATIONS.items()):
        if unit.formation != formation and (not flag or flag in flags):
            yield f"{name} form {formation}", Form(name, formation)
    if edge_of(state, unit.box, OWN_EDGE[unit.side]):
        yield f"{name} leave", Leave(name)


def _marches(state: State, unit: Unit) -> Iterator[Candidate]:
    """Each length, as long as the way is not barred for all that are longer (TTS-GRP-10)."""
    if unit.last or unit.losses or kind(unit).artillery:
        return
    path = straight_path(state, unit, kind(unit).speed + 1)
    for count, box in enumerate(path, start=1):
        if not box or is_held_by_enemy(state, box, unit.side):
            return
        goal = "" if count == len(path) else box
        yield f"{unit.id} march {goal}".rstrip(), March(unit.id, goal)


def _returns(state: State, unit: Unit) -> Iterator[Candidate]:
    """The edge box that it left, and those next to it (TTS-MOV-12)."""
    if unit.left_box:
        for box in (unit.left_box, *boxes_within(state.board, unit.left_box, 1)):
            if edge_of(state, box, unit.left_edge):
                yield f"{unit.id} return {box}", Return(unit.id, box)


# --- orders to groups


def _of_groups(state: State, side: str, corps: Corps, odds: Odds) -> list[Option]:
    """One group of each contiguous set that may advance together, and its march (TTS-GRP-01, -10)."""
    fit = [unit for unit in (state.units[name] for name in corps.units) if _may_join_group(state, unit)]
    listed: dict[str, Option] = {}
    while fit:
        members = _linked(fit, state.options.group_max)
        fit = [unit for unit in fit if unit not in members]
        slowest = min(kind(unit).speed for unit in members)
        for boxes, march in ((0, True), *((slowest - less, False) for less in range(slowest))):
            option = _of_group(state, side, members, boxes, march, odds)
            if option:
                listed[option.order] = option
    return list(listed.values())


def _may_join_group(state: State, unit: Unit) -> bool:
    """The conditions of TTS-GRP-02 that concern one unit; the plan checks them again."""
    return (
        bool(unit.box)
        and not (unit.losses or unit.last or kind(unit).artillery or unit.formation in CLOSED_FORMATIONS)
        and in_command(state, unit)
        and not is_held(state, unit)
    )


def _linked(units: Sequence[Unit], most: int) -> list[Unit]:
    """The first unit and those that are linked to it and face the same way, `most` at most."""
    linked, grown = [units[0]], True
    while grown:
        grown = False
        for unit in units:
            if len(linked) < most and unit not in linked and unit.facing == units[0].facing:
                grown = any(is_contiguous((unit, member)) for member in linked)
                if grown:
                    linked.append(unit)
                    break
    return linked


def _of_group(
    state: State, side: str, members: Sequence[Unit], boxes: int, march: bool, odds: Odds
) -> Option | None:
    """The largest group that may go, found by leaving out whoever a refusal names."""
    while len(members) >= SMALLEST_GROUP:
        slowest = min(kind(unit).speed for unit in members)
        names = tuple(unit.id for unit in members)
        command = MoveGroup(names, 0 if boxes >= slowest else boxes, march)
        try:
            plan = plan_group_order(state, side, command)
        except Refusal as refusal:
            named = refusal.params.get("unit")
            rest = [unit for unit in members if unit.id != named]
            members = _linked(rest, len(rest)) if rest and len(rest) < len(members) else ()
            continue
        way = "march" if march else f"ahead {command.boxes}" if command.boxes else "ahead"
        order = f"group {' '.join(names)} {way}"
        return Option(order, plan.action, names[0], plan.needed, plan.factors, odds.of(plan.needed))
    return None


# --- orders to generals


def _of_general(state: State, general: General) -> list[Option]:
    """Command moves, with company or without, and riding (TTS-GEN-02, -03)."""
    box = general_box(state, general)
    if not box or not general.detached:
        return []
    start, listed = f"general {general.id}", []
    if not general.moved and may_command(state, general):
        for goal in sorted(reachable_boxes(state, general, box), key=XY.__getitem__):
            listed.append(Option(f"{start} to {goal}", "general", general.id))
            listed += (
                Option(f"{start} to {goal} with {unit.id}", "general", general.id) for unit in units_in(state, goal)
            )
    listed += (
        Option(f"{start} with {unit.id}", "ride", general.id)
        for unit in units_in(state, box)
        if unit.id != general.riding and unit.side == general.side
    )
    if general.riding:
        listed.append(Option(f"{start} alone", "ride", general.id))
    return listed
