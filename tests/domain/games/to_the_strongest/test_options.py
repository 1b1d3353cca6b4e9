"""`options` lists exactly what the rules allow: properties of seeded random battles."""

import json
from collections import Counter
from copy import deepcopy

import msgspec
import pytest
from msgspec.structs import replace

from domain.basics.commands import Standing
from domain.basics.errors import Refusal
from domain.engine.state import OTHER, SIDES, StandingOrder
from domain.events.battle import CardDrawn, DeckShuffled
from domain.games.to_the_strongest.adjudication import PLANS, plan_group_order, plan_unit_order
from domain.games.to_the_strongest.chapters.activation import ActivationFailed, ActivationPassed
from domain.games.to_the_strongest.chapters.decisions import DecisionAsked, DecisionMade
from domain.games.to_the_strongest.chapters.evade import evade_path, evade_reach, may_evade
from domain.games.to_the_strongest.chapters.generals import Ride
from domain.games.to_the_strongest.chapters.groups import MoveGroup
from domain.games.to_the_strongest.chapters.medals import MedalsTransferred
from domain.games.to_the_strongest.orders.options import unit_options
from domain.games.to_the_strongest.state.state import general_box, kind
from domain.log.record import decode
from domain.mechanics.cards import PLAYING_DECK
from domain.run.decide import decide
from tests.support.lanes import sampled, thinned
from tests.support.looping import some
from tests.support.playing import TTS, Dice, battle, fold, give, opened, recorded, scenario

SCENARIOS = {"skirmish": 14, "cannae": 4, "zama": 4, "motley": 6, "rare": 4}
"""Scenario to the number of battles played of it."""

BATTLES = [(name, seed) for name, count in SCENARIOS.items() for seed in range(count)]
EVERY_BATTLE = pytest.mark.parametrize(("name", "seed"), thinned(sampled(BATTLES, 3), len(BATTLES)))

NOBODY_ASKED = {("skirmish", 6)}
"""Battles in which nobody has to decide anything."""

RESULTS = (ActivationPassed, ActivationFailed)

ACTIONS = (
    "ahead", "ahead 2", "ahead 3", "ahead-left", "ahead-right", "ahead-left then ahead", "ahead-right then ahead",
    "left", "right", "left 2", "back", "back 2", "back facing {f}", "back 2 facing {f}", "ahead facing {f}",
    "to {b}", "to {b} facing {f}", "to {b} via {b}", "charge {e}", "charge {b} halt", "charge {x}", "shoot {e}",
    "shoot {e} x2", "shoot {e} then back", "shoot {e} x2 then back", "shoot {x}", "ahead then shoot {e}",
    "turn left", "turn right", "turn about", "turn {f}", "turn {f} then ahead", "turn left then ahead", "swap",
    "swap then ahead", "rally", "replenish ammo", "replenish lance", "replenish pilum", "form normal",
    "form shieldwall", "form tortoise", "form dismounted", "march", "march {b}", "pass ahead", "pass back", "leave",
    "return {b}",
)  # fmt: skip
"""Orders to a unit, with {f} a facing, {b} a box near it, {e} the box of an enemy, {x} any unit."""


def moments(name, seed, one_in, salt):
    """Some moments of a battle, the first and others chosen by chance, and the dice that chose them."""
    dice, (first, *later) = Dice(f"{salt} {name} {seed}"), battle(name, seed).moments
    return [(moment, dice) for moment in (first, *(moment for moment in later if dice.one_in(one_in)))]


def listed(state, side):
    return TTS.orders.options(TTS.secrets.known(state, side), side)


# --- what is listed is legal


@pytest.mark.slow
@EVERY_BATTLE
def test_every_option_is_accepted_and_needs_what_it_says(name, seed):
    for moment, dice in some(moments(name, seed, 160, "accepted")):
        for side in SIDES:
            for option in listed(moment.state, side):
                command = TTS.orders.parse(option.order)
                assert TTS.orders.write(command, "en") == option.order
                facts = decide(TTS, moment.state, side, command, Dice(str(dice.stream.position)))
                events = [fact.event for fact in facts]
                drawn = next((event for event in events if isinstance(event, CardDrawn)), None)
                if option.needed and option.kind != "answer":
                    tested = next(event for event in events if isinstance(event, (*RESULTS, DecisionAsked)))
                    assert drawn is not None and drawn.purpose == "activation"
                    assert tested.needed == option.needed
                    assert isinstance(tested, DecisionAsked) or tested.action == option.kind
                    assert isinstance(tested, DecisionAsked) or tested.factors == option.factors
                if option.odds and drawn and not any(isinstance(event, DeckShuffled) for event in events):
                    deck = TTS.draws.pile(moment.state, drawn.deck)
                    assert option.odds == (sum(1 for card in deck if int(card[:-2]) >= option.needed), len(deck))


@pytest.mark.slow
@EVERY_BATTLE
def test_an_option_is_listed_once_and_the_orders_of_a_unit_are_those_of_its_side(name, seed):
    for moment, _ in some(moments(name, seed, 10, "once")):
        side = moment.state.waiting.side if moment.state.waiting else moment.state.active
        orders = [option.order for option in listed(moment.state, side)]
        assert len(orders) == len(set(orders))
        assert orders
        for unit in moment.state.units.values():
            own = unit_options(moment.state, unit)
            assert {option.order for option in own} <= set(orders) or unit.side != side
            assert all(option.unit == unit.id for option in own)


@EVERY_BATTLE
def test_nobody_but_the_side_to_act_has_more_than_a_draw_to_answer(name, seed):
    for moment, _ in some(moments(name, seed, 10, "idle")):
        acting = moment.state.waiting.side if moment.state.waiting else moment.state.active
        idle = listed(moment.state, OTHER[acting])
        assert {option.kind for option in idle} <= {"draw"}
        assert bool(idle) == (moment.state.draw_offer == acting)


# --- what is legal is listed


@EVERY_BATTLE
def test_a_unit_order_is_accepted_exactly_if_it_is_listed(name, seed):
    for moment, dice in some(moments(name, seed, 20, "complete")):
        state = moment.state
        side = state.active if dice.one_in(2) else moment.side
        orders = {option.order: TTS.orders.parse(option.order) for option in listed(state, side)}
        plans = {
            meaning(state, plan_unit_order(state, side, command))
            for command in orders.values()
            if type(command) in PLANS
        }
        for _ in range(40):
            order = any_unit_order(state, side, dice)
            command = TTS.orders.parse(order)
            try:
                decide(TTS, state, side, command, Dice(order))
            except Refusal as refusal:
                assert order not in orders, (order, refusal.code)
            else:
                assert meaning(state, plan_unit_order(state, side, command)) in plans, order


def any_unit_order(state, side, dice):
    """A well-formed order to a unit of the battle, mostly of the side."""
    units = list(state.units.values())
    own = [unit for unit in units if unit.side == side and (unit.box or dice.one_in(5))]
    unit = dice.pick(units) if dice.one_in(15) or not own else dice.pick(own)
    enemies = [other.box for other in units if other.box and other.side != unit.side] or ["A1"]
    column, row = (unit.box or unit.left_box or "E4")[0], int((unit.box or unit.left_box or "E4")[1:])
    near = f"{chr(max(65, ord(column) + dice.die('', 7) - 4))}{max(1, row + dice.die('', 7) - 4)}"
    enemy = min((dice.pick(enemies) for _ in range(4)), key=lambda box: _far(box, unit.box or "E4"))
    words = {"f": dice.pick("NESW"), "b": near, "e": enemy, "x": dice.pick(units).id}
    return f"{unit.id} {dice.pick(ACTIONS).format(**words)}"


def _far(box, other):
    return max(abs(ord(box[0]) - ord(other[0])), abs(int(box[1:]) - int(other[1:])))


def meaning(state, plan):
    """What an order comes to, however it is worded. A charge at one who cannot evade halts for nothing."""
    then = msgspec.to_builtins(plan.then)
    if plan.action == "charge":
        declared = then[0][1]
        target = state.units[declared["target"]]
        path = evade_path(state, target, declared["origin"], evade_reach(target))
        declared["halt"] = declared["halt"] and may_evade(target, declared["aspect"]) and path is not None
    return json.dumps([plan.unit.id, plan.action, plan.needed, then], sort_keys=True)


@EVERY_BATTLE
def test_a_general_or_corps_order_is_accepted_exactly_if_it_is_listed(name, seed):
    for moment, dice in some(moments(name, seed, 15, "generals")):
        state = moment.state
        side = state.active if dice.one_in(2) else moment.side
        orders = {option.order for option in listed(state, side)}
        for _ in range(30):
            order = any_other_order(state, dice)
            command = TTS.orders.parse(order)
            if isinstance(command, Ride) and state.generals[command.general].riding == command.unit:
                continue  # it changes nothing and is not listed
            try:
                decide(TTS, state, side, command, Dice(order))
            except Refusal as refusal:
                assert order not in orders, (order, refusal.code)
            else:
                assert order in orders


def any_other_order(state, dice):
    general = dice.pick(list(state.generals.values()))
    box = general_box(state, general) or "E4"
    near = f"{chr(max(65, ord(box[0]) + dice.die('', 7) - 4))}{max(1, int(box[1:]) + dice.die('', 7) - 4)}"
    unit = dice.pick([unit for unit in state.units.values() if unit.side == general.side])
    near = unit.box if unit.box and dice.one_in(2) else near
    corps = dice.pick([corps for army in state.armies.values() for corps in army.corps])
    return dice.pick(
        (
            f"general {general.id} to {near}",
            f"general {general.id} to {near} with {unit.id}",
            f"general {general.id} with {unit.id}",
            f"general {general.id} alone",
            f"corps {corps}",
            "done",
            "end turn",
            "accept draw",
            "decline draw",
        )
    )


@EVERY_BATTLE
def test_an_answer_is_accepted_exactly_if_one_like_it_is_listed(name, seed):
    states = [moment.state for moment in battle(name, seed).moments]
    questions = [(state, state.waiting) for state in states if state.waiting]
    assert bool(questions) == ((name, seed) not in NOBODY_ASKED)
    for state, waiting in questions:
        side, asked = waiting.side, deepcopy(waiting)
        outcomes = [outcome(state, side, option.order) for option in listed(state, side) if option.kind == "answer"]
        assert len(outcomes) == len(listed(state, side)) - 2 * (state.draw_offer == OTHER[side])
        answers = ["evade yes", "evade no", "replay yes", "replay no"]
        answers += [f"evade {word} facing {facing}" for word in ("yes", "no") for facing in "NESW"]
        answers += [f"replay yes with {source}" for source in ("HERO", *state.generals)]
        answers += [f"join {unit}" for unit in state.units]
        for answer in answers:
            try:
                found = outcome(state, side, answer)
            except Refusal:
                continue
            assert found in outcomes, answer
        assert state.waiting == asked  # trying answers leaves the question as it is


def outcome(state, side, answer):
    """What follows from an answer, but for the answer itself and how the agenda words it."""
    facts = decide(TTS, state, side, TTS.orders.parse(answer), Dice("answer"))
    events = [fact.event for fact in facts if not isinstance(fact.event, DecisionMade)]
    return [replace(event, pending=()) if isinstance(event, DecisionAsked) else event for event in events]


@EVERY_BATTLE
def test_listed_groups_are_as_large_as_they_can_be(name, seed):
    """No other fit unit of the corps can be added to a group that advances as far."""
    tried = 0
    for moment, _ in moments(name, seed, 12, "groups"):
        state, side = moment.state, moment.side
        for option in listed(state, side):
            command = TTS.orders.parse(option.order)
            if not isinstance(command, MoveGroup) or len(command.units) >= state.options.group_max:
                continue
            corps = state.units[command.units[0]].corps
            others = [u for u in state.armies[side].corps[corps].units if u not in command.units]
            for other in others:
                if kind(state.units[other]).speed < min(kind(state.units[u]).speed for u in command.units):
                    continue
                wider = replace(command, units=(*command.units, other))
                tried += 1
                try:
                    plan_group_order(state, side, wider)
                except Refusal:
                    continue
                grouped = [o.order.split() for o in listed(state, side) if o.order.startswith("group")]
                assert any(other in words for words in grouped), (option.order, other)
    assert tried or name == "skirmish"


# --- what a side cannot see changes nothing


@EVERY_BATTLE
def test_the_standing_orders_of_the_other_side_change_neither_options_nor_refusals(name, seed):
    for moment, dice in some(moments(name, seed, 25, "secrets")):
        state, side = moment.state, moment.side
        own = tuple(order for order in state.standing if order.side == side)
        unit = dice.pick([unit.id for unit in state.units.values() if unit.side != side])
        secret = (
            StandingOrder(OTHER[side], "evade", unit, "always", 1),
            StandingOrder(OTHER[side], "replay", "", "never", 2),
        )
        one, other = replace(state, standing=own), replace(state, standing=(*own, *secret))
        assert TTS.secrets.known(one, side) == TTS.secrets.known(other, side)
        assert listed(one, side) == listed(other, side)
        assert TTS.orders.options(one, side) == TTS.orders.options(other, side)
        for _ in range(20):
            order = any_unit_order(state, side, dice)
            assert refusal_of(one, side, order) == refusal_of(other, side, order)


def refusal_of(state, side, order):
    try:
        give(state, side, order, Dice(order))
    except Refusal as refusal:
        return refusal.code, refusal.rule, refusal.params
    return None


# --- what holds after every event


@EVERY_BATTLE
def test_after_every_event_the_state_makes_sense(name, seed):
    trace = battle(name, seed)
    state, start = opened(scenario(name))
    assert start == trace.start
    paid: Counter[str] = Counter()
    for moment in trace.moments:
        for fact in moment.facts:
            state = fold(state, (fact,))
            if isinstance(fact.event, MedalsTransferred):
                paid[fact.event.to if fact.event.reason == "return" else fact.event.from_] += (
                    -fact.event.count if fact.event.reason == "return" else fact.event.count
                )
            for army in state.armies.values():
                assert army.medals + paid[army.side] == army.medals_full
                assert army.medals >= 0
            require_sound_boxes(state)
        require_sound_decks(state)
        if not state.waiting and state.winner is None:
            require_sound_generals(state)
            require_agreeing_facings(state)
    assert state == trace.end
    assert state.winner is not None


def require_sound_boxes(state):
    standing = [unit for box in state.boxes.values() for unit in box]
    assert len(standing) == len(set(standing))
    for box, names in state.boxes.items():
        units = [state.units[name] for name in names]
        assert 1 <= len(units) <= 2
        assert {unit.box for unit in units} == {box}
        assert len({unit.side for unit in units}) == 1
        assert sum(kind(unit).stack for unit in units) <= state.options.stack_capacity
        assert state.terrain.get(box) != "impassable"
        assert all(unit.alive and 0 <= unit.losses < unit.steps for unit in units)
    assert {unit.id for unit in state.units.values() if unit.box} == set(standing)


def require_sound_decks(state):
    for army in state.armies.values():
        deck = army.deck
        assert Counter(deck.pile + deck.discards + deck.laid) == Counter(PLAYING_DECK)
        assert list(deck.pile) == sorted(deck.pile, key=PLAYING_DECK.index)


def require_sound_generals(state):
    for general in state.generals.values():
        if not general.alive:
            assert not (general.attached or general.riding or general_box(state, general))
            continue
        with_unit = general.attached or general.riding
        if with_unit:
            assert state.units[with_unit].alive
            assert state.units[with_unit].side == general.side
        box = general_box(state, general)
        assert box or (with_unit and not state.units[with_unit].box)


def require_agreeing_facings(state):
    """Two formed units of a box face the same way (TTS-STK-04)."""
    for names in state.boxes.values():
        formed = [state.units[name].facing for name in names if not kind(state.units[name]).light]
        assert len(set(formed)) <= 1


# --- the log


@EVERY_BATTLE
def test_a_battle_folds_from_its_log_to_the_same_state_at_every_order(name, seed):
    """Also in the middle of a decision, and whatever has been decided since."""
    trace = battle(name, seed)
    state = fold(TTS.rules.initial, read(recorded(0, trace.start)))
    for moment in trace.moments:
        assert state == moment.state
        state = fold(state, read(moment.lines))
    assert state == trace.end


def read(lines):
    return [decode(line, TTS.events) for line in lines]


@EVERY_BATTLE
def test_the_same_orders_and_cards_give_the_same_facts(name, seed):
    trace = battle(name, seed)
    dice = Dice(f"{name} {seed}")
    for moment in some(trace.moments):
        assert give(moment.state, moment.side, moment.order, dice) == moment.facts


def test_standing_orders_are_not_listed_though_they_are_legal():
    state, _ = opened(scenario("skirmish"))
    orders = [TTS.orders.parse(option.order) for option in listed(state, "south")]
    assert not any(isinstance(order, Standing) for order in orders)
    give(state, "south", "standing replay always", Dice(""))


def test_an_ended_battle_offers_nothing():
    state, _ = opened(scenario("skirmish"))
    state = fold(state, give(state, "south", "resign", Dice("")))
    assert [listed(state, side) for side in SIDES] == [[], []]
