"""What the bot expects of shots and melees, what it makes of it, and how its battles go."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from benchmarks.random_play import Dealt
from domain.basics.data import read_toml
from domain.engine.state import OTHER, SIDES
from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.bot.duels import LEFT, DuelTerms, after, after_tie, harm, melee, shot, spread
from domain.games.shot_to_pieces.bot.field import BotView, aspect_from, gap, is_between, is_in_arc
from domain.games.shot_to_pieces.bot.judgement import easy, sensible
from domain.games.shot_to_pieces.bot.places import place_worth
from domain.games.shot_to_pieces.chapters.decisions import DecisionAsked
from domain.games.shot_to_pieces.chapters.dice import STEADY, die
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.state.vocabulary import PERIODS
from domain.log.chance import NoDraw
from domain.run.bots import BOTS, random_bot
from domain.run.decide import beginning, decide, folded, opening, proceeding, to_act
from tests.domain.games.shot_to_pieces.playing import corps, general, scenario, unit
from tests.domain.games.shot_to_pieces.random_battles import scenario as random_scenario

D4 = die(4)
PLAIN = spread(D4, 1, D4)
FRESH = DuelTerms((0, 0), (0, 0), "normal", "normal")
DICE = NoDraw()
MOST_ORDERS = 400
"""More than any battle of six turns and twelve units a side needs."""


def state_at(step, south, north, **more):
    state = folded(RULESET, RULESET.rules.initial, opening(RULESET, scenario(south, north, step=step, **more)))
    return folded(RULESET, state, beginning(RULESET, state))


def chosen(state, side="south", bot=sensible, chance=None):
    return bot(state, side, RULESET.orders.options(state, side), chance or Dealt(random.Random(1)))


def line(name, *units, **more):
    return corps(name, *units, **{"ap": 6, **more})


FAR = line("X", unit("X1", 20, 110), general=general("GN", 20, 115))


# --- dice and markers


def test_two_dice_differ_as_often_as_counted():
    assert dict(PLAIN) == {-3: 1, -2: 2, -1: 3, 0: 4, 1: 3, 2: 2, 3: 1}
    best = dict(spread(D4, 2, D4))
    assert sum(best.values()) == 64
    assert best[3] == 7  # of 16 throws of two dice seven show a four, against a one
    assert dict(spread(STEADY, 1, STEADY)) == {-1: 4, 0: 8, 1: 4}


@pytest.mark.parametrize(
    ("markers", "diff", "effect", "then"),
    [
        ((0, 0), 2, "normal", (1, 0)),
        ((0, 0), 3, "normal", None),
        ((1, 0), 1, "normal", None),
        ((0, 2), 1, "normal", None),
        ((1, 0), 4, "shaken-only", (2, 0)),
        ((2, 0), 4, "shaken-only", (2, 0)),
        ((0, 1), 4, "brittle-only", (0, 2)),
        ((0, 2), 4, "brittle-only", (0, 2)),
        ((1, 1), 1, "brittle-only", None),
        ((0, 0), 3, "kills-only-shaken", (1, 0)),
        ((1, 0), 3, "kills-only-shaken", None),
        ((0, 0), 2, "second-line", (0, 1)),
        ((0, 0), 3, "second-line", (1, 0)),
    ],
)
@pytest.mark.rule("STP-RES-02")
def test_who_loses_gets_the_markers_of_the_rules(markers, diff, effect, then):
    assert after(markers, diff, effect) == then


@pytest.mark.rule("STP-RES-10")
def test_a_tie_marks_both_and_a_fat_unit_shakes_besides():
    assert after_tie((0, 1), "normal", is_fattened=False) == (0, 2)
    assert after_tie((0, 2), "normal", is_fattened=False) is None
    assert after_tie((0, 0), "normal", is_fattened=True) == (1, 1)
    assert after_tie((0, 1), "normal", is_fattened=True) is None
    assert after_tie((1, 0), "normal", is_fattened=True) is None


def test_the_last_marker_costs_most():
    lost = [harm((0, at), (0, at + 1)) for at in range(2)] + [harm((0, 2), None)]
    assert lost == sorted(lost) and sum(lost) == LEFT[0]
    assert harm((1, 0), (1, 0)) == 0


def test_a_shot_does_more_the_better_it_is_and_nobody_replies_to_some():
    found = [shot(margin, FRESH, PLAIN) for margin in range(-4, 5)]
    assert [one.done for one in found] == sorted(one.done for one in found)
    assert shot(0, FRESH, PLAIN).done == shot(0, FRESH, PLAIN).suffered
    assert shot(4, FRESH, PLAIN) == (shot(4, FRESH, PLAIN).done, 0)
    assert shot(-4, FRESH._replace(reply="none"), PLAIN) == (0, 0)
    assert shot(9, FRESH, PLAIN) == (100, 0)


def test_a_melee_is_even_between_equals_and_a_rash_charger_suffers_more():
    even = melee(0, 0, FRESH, PLAIN)
    assert even.done == even.suffered > shot(0, FRESH, PLAIN).done
    assert melee(0, 0, FRESH, PLAIN, fragile=True).suffered > even.suffered
    hurt = FRESH._replace(foe=(0, 2))
    assert melee(0, 0, hurt, PLAIN).suffered < even.suffered


# --- measuring


def test_where_a_base_stands_is_told_roughly():
    base, ahead, beside = (Base(at, 0, 400, 300) for at in ((0, 0), (100, 900), (900, 100)))
    assert gap(base, ahead) == 605
    assert is_in_arc(base, ahead) and not is_in_arc(base, Base((0, -900), 0, 400, 300))
    assert [aspect_from(base, at) for at in ((0, 500), (500, 0), (0, -500))] == ["front", "flank", "rear"]
    assert is_between(Base((0, 500), 0, 400, 300), (0, 0), (0, 1000))
    assert not is_between(beside, (0, 0), (0, 1000)) and not is_between(Base((0, -500), 0, 400, 300), (0, 0), (0, 1000))


def test_a_unit_whose_loss_breaks_its_corps_is_worth_more():
    state = state_at("moves", [line("I", *(unit(f"U{at}", 10 * at + 10, 30) for at in range(5)))], [FAR])
    value = BotView(state, "south").value(state.units["U1"])
    worse = replace(state, corps={**state.corps, "I": replace(state.corps["I"], loss_halves=4)})
    assert BotView(worse, "south").value(worse.units["U1"]) > value


def test_cover_and_friends_beside_make_a_place_better():
    north = line("X", unit("X1", 90, 48), general=general("GN", 90, 60))
    south = line("I", unit("U1", 90, 30), unit("U2", 94, 30), general=general("GS", 90, 20))
    open_field = state_at("moves", [south], [north])
    wood = {"id": "W", "kind": "wood", "cover": "hard", "outline": [[8700, 2800], [9300, 2800], [9300, 3200]]}
    covered = state_at("moves", [south], [north], terrain=[wood])

    def worth(state, *friends):
        field = BotView(state, "south")
        return place_worth(field, state.units["U1"], [state.units[name] for name in friends], eager=True)

    assert worth(covered, "U2") > worth(open_field, "U2") > worth(open_field)


# --- charges


def facing_north(*enemies, **more):
    return line("X", *enemies, general=general("GN", 90, 110), **more)


@pytest.mark.rule("STP-CHG-01")
def test_it_charges_a_flank_and_no_front_of_a_stronger_unit():
    rider = unit("C1", 90, 30, "cavalry_a")
    south = [line("I", rider, general=general("GS", 90, 10))]
    flank = state_at("charges", south, [facing_north(unit("X1", 90, 48, facing=90))])
    assert chosen(flank).startswith("C1 charge X1")
    front = state_at("charges", south, [facing_north(unit("X1", 90, 48, status="elite", cover="hard"))])
    assert "charge" not in chosen(front)


def test_it_brings_up_a_second_charger_before_it_is_done():
    units = [unit("U1", 88, 30), unit("U2", 93, 30)]
    south = [line("I", *units, general=general("GS", 90, 10))]
    state = state_at("charges", south, [facing_north(unit("X1", 90, 42, status="reserve", brittle=1))])
    orders: list[str] = []
    while len(orders) < 3:
        orders.append(chosen(state))
        facts = decide(RULESET, state, "south", RULESET.orders.parse(orders[-1]), DICE)
        if orders[-1] == "done":
            break
        state = folded(RULESET, state, facts)
        if len(state.charges) == 2:
            break
    assert {charge.unit for charge in state.charges} == {"U1", "U2"}


# --- fire


def test_it_fires_at_who_cannot_answer_and_spares_its_men_an_exchange_that_it_would_lose():
    south = [line("I", unit("U1", 90, 30), general=general("GS", 90, 10))]
    from_behind = state_at("fire", south, [facing_north(unit("X1", 90, 44, facing=0))])
    assert chosen(from_behind) == "U1 fire X1"
    strong = unit("X1", 90, 48, status="elite", cover="hard", traits=["experienced"])
    assert chosen(state_at("fire", south, [facing_north(strong)])) in ("done", "end turn")


def test_it_declares_all_who_fire_together():
    south = [line("I", unit("U1", 88, 30), unit("U2", 92, 30), general=general("GS", 90, 10))]
    state = state_at("fire", south, [facing_north(unit("X1", 90, 42))])
    first = chosen(state)
    state = folded(RULESET, state, decide(RULESET, state, "south", RULESET.orders.parse(first), DICE))
    assert {first, chosen(state)} == {"U1 fire X1", "U2 fire X1"}


# --- moves and formations


@pytest.mark.rule("STP-MOV-06")
def test_it_goes_forward_and_stops_where_it_fires_best():
    south = [line("I", unit("U1", 90, 30), unit("U2", 94, 30), general=general("GS", 90, 10))]
    state = state_at("moves", south, [facing_north(unit("X1", 92, 90))])
    (side,) = to_act(RULESET, state)
    order = chosen(state)
    assert order.startswith("group U1 U2 ")
    after_it = folded(RULESET, state, decide(RULESET, state, side, RULESET.orders.parse(order), DICE))
    assert gap(after_it.units["U1"].base, after_it.units["X1"].base) < gap(
        state.units["U1"].base, state.units["X1"].base
    )


def test_foot_forms_square_before_cavalry_and_leaves_it_to_fire():
    rider = unit("X1", 90, 50, "cavalry_heavy")
    south = [line("I", unit("U1", 90, 30, formation="column", weapon="musket"), general=general("GS", 90, 10))]
    threatened = state_at("formations", south, [facing_north(rider, unit("X2", 80, 50, "cavalry_heavy"))], period="emp")
    assert chosen(threatened) == "U1 form square"
    square = [line("I", unit("U1", 90, 30, formation="square", weapon="musket"), general=general("GS", 90, 10))]
    guns = facing_north(unit("X1", 90, 46), unit("X2", 94, 46), unit("X3", 86, 46))
    assert chosen(state_at("formations", square, [guns], period="emp")) in ("U1 form column", "U1 form line")


def test_a_march_column_forms_up_when_the_enemy_is_near():
    south = [line("I", unit("U1", 90, 30, formation="march"), general=general("GS", 90, 10))]
    near = state_at("formations", south, [facing_north(unit("X1", 90, 70))])
    assert chosen(near) == "U1 form battle"
    far = state_at("formations", south, [facing_north(unit("X1", 90, 110))])
    assert "form" not in chosen(far)


# --- general orders, answers, draws


@pytest.mark.rule("STP-CMD-04")
def test_a_corps_that_holds_is_sent_forward_when_waiting_would_lose():
    south = [line("I", unit("U1", 90, 30), order="hold", general=general("GS", 90, 10, commander=True))]
    state = state_at("orders", south, [FAR])
    assert chosen(state) == "done"
    behind = replace(state, corps={**state.corps, "I": replace(state.corps["I"], loss_halves=2)})
    assert chosen(behind) == "order I advance"
    late = replace(state, turn=8)
    assert chosen(late) == "order I advance"


def asked(state, kind, name, *options, side="south"):
    return replace(state, waiting=DecisionAsked(side, kind, name, options))


def test_it_throws_a_one_again_stays_in_its_line_and_picks_a_good_event():
    state = state_at("moves", [line("I", unit("U1", 90, 30))], [FAR])
    assert chosen(asked(state, "reroll", "U1", "yes", "no")) == "reroll yes"
    assert chosen(asked(state, "advance", "U1", "yes", "no")) == "advance no"
    assert chosen(asked(state, "pursue", "U1", "place", "full")) == "pursue place"
    assert chosen(asked(state, "event", "", *map(str, range(1, 20)))) == "event 10"


@pytest.mark.rule("STP-EVD-01")
def test_skirmishers_run_from_a_charge_that_would_ride_them_down():
    def asked_at(charger, **more):
        enemies = facing_north(unit("X1", 90, 48, charger, **more))
        south = [line("I", unit("S1", 90, 30, "skirmisher"), general=general("GS", 90, 10))]
        state = state_at("charges", south, [enemies], side="north")
        order = RULESET.orders.parse("X1 charge S1")
        state = folded(RULESET, state, decide(RULESET, state, "north", order, DICE))
        state = folded(RULESET, state, decide(RULESET, state, "north", RULESET.orders.parse("done"), DICE))
        assert state.waiting and state.waiting.kind == "evade"
        return chosen(state)

    assert asked_at("cavalry_a", status="elite") == "evade yes"
    assert asked_at("skirmisher", brittle=1) == "evade no"


def test_a_draw_is_taken_by_who_has_lost_more():
    state = state_at("moves", [line("I", unit("U1", 90, 30))], [FAR])
    offered = replace(state, draw_offer="north")
    assert chosen(offered) == "decline draw"
    behind = replace(offered, corps={**state.corps, "I": replace(state.corps["I"], loss_halves=2)})
    assert chosen(behind) == "accept draw"


# --- battles


def fought(table, bots, seed):
    """The end of a battle and how many orders it took; every order is one of those listed."""
    dice = Dealt(random.Random(f"battle {seed}"))
    own = {side: Dealt(random.Random(f"{seed} {side}")) for side in SIDES}
    state = folded(RULESET, RULESET.rules.initial, opening(RULESET, table))
    state = folded(RULESET, state, beginning(RULESET, state))
    state = folded(RULESET, state, proceeding(RULESET, state, dice))
    orders = 0
    while state.winner is None and orders < MOST_ORDERS:
        (side,) = to_act(RULESET, state)
        listed = RULESET.orders.options(state, side)
        order = bots[side](RULESET, state, side, listed, own[side])
        assert order in {option.order for option in listed}
        state = folded(RULESET, state, decide(RULESET, state, side, RULESET.orders.parse(order), dice))
        orders += 1
    return state, orders


@pytest.mark.parametrize("code", PERIODS)
@pytest.mark.slow
def test_battles_of_bots_end_in_every_period(code):
    """Any troops under any options, set up by the bots or not; nobody stalls."""
    table = random_scenario(2000 + PERIODS.index(code), code)
    table = {**table, "options": {**table["options"], "turn_limit": 3}}
    state, orders = fought(table, {"south": BOTS["sensible"], "north": BOTS["easy"]}, code)
    assert state.winner is not None and orders < MOST_ORDERS


@pytest.mark.long
@pytest.mark.slow
def test_the_sensible_bot_beats_chance_nine_times_in_ten():
    """Each seed from both sides."""
    table, won = read_toml("stp", "scenarios", "crossroads.toml"), Counter[str]()
    for number in range(10):
        side = SIDES[number % 2]
        state, _ = fought(table, {side: BOTS["sensible"], OTHER[side]: random_bot}, number // 2)
        won["won" if state.winner == side else "not"] += 1
    assert won["won"] >= 9


def test_the_easy_bot_takes_any_order_now_and_then_and_the_same_for_the_same_dice():
    south = [line("I", unit("U1", 90, 30), unit("U2", 94, 30), general=general("GS", 90, 10))]
    state = state_at("moves", south, [facing_north(unit("X1", 92, 60))])
    orders = []
    for _ in range(2):
        dice = Dealt(random.Random(3))
        orders.append([chosen(state, bot=easy, chance=dice) for _ in range(12)])
    assert orders[0] == orders[1]
    count = Counter(orders[0]).most_common(1)[0][1]
    assert 5 <= count < 12


def test_of_equal_orders_any_is_taken():
    south = [line("I", unit("U1", 70, 30), unit("U2", 110, 30), general=general("GS", 90, 10))]
    north = [facing_north(unit("X1", 70, 42, facing=0), unit("X2", 110, 42, facing=0))]
    state = state_at("fire", south, north)
    found = {chosen(state, chance=Dealt(random.Random(seed))) for seed in range(8)}
    assert found == {"U1 fire X1", "U2 fire X2"}
