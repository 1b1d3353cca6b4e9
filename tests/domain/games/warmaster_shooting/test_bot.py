"""What the bot expects of dice and wounds, and what it makes of it."""

from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from domain.games.warmaster_shooting import RULESET
from domain.games.warmaster_shooting.bot.prospects import beyond, chance_of_rout, worth_after, wounds_of
from domain.games.warmaster_shooting.state.state import Options, Stand, StandBase, State, Unit

HALF = Fraction(1, 2)
NOTHING: Any = None
"""The sensible bot throws no dice."""


def line(name, side, profile, x, y, count=3, **more):
    facing = 0 if side == "south" else 1800
    stands = tuple(Stand(f"{name}{at + 1}", StandBase((x + 40 * at, y), facing, 40, 20)) for at in range(count))
    return Unit(name, side, profile, stands, **more)


def battle(*units, **more):
    state = State(units={unit.id: unit for unit in units}, names={"south": "Red", "north": "Blue"}, active="south")
    return replace(state, phase="shooting", turn=1, t=1, options=Options(turns=8), **more)


def chosen(state, side="south"):
    return RULESET.bots["sensible"](state, side, RULESET.orders.options(state, side), NOTHING)


def test_wounds_come_with_their_chances():
    assert wounds_of([]) == (Fraction(1),)
    assert wounds_of([HALF, HALF]) == (Fraction(1, 4), HALF, Fraction(1, 4))


def test_dice_go_beyond_a_number_as_often_as_counted():
    assert beyond(2, 10, False) == Fraction(3, 36)  # 5 and 6, 6 and 5, 6 and 6
    assert beyond(2, 9, False) == Fraction(6, 36)
    assert beyond(2, 9, True) == Fraction(5, 36)  # without 5 and 5
    assert beyond(0, 10, False) == 0


def test_who_is_not_driven_back_is_not_routed():
    state = battle()
    spears = line("B", "north", "spears", 0, 200)
    assert chance_of_rout(state, spears, 5, "open") == beyond(5, 20, False)
    assert chance_of_rout(state, spears, 5, "fortified") == beyond(3, 20, False)
    assert chance_of_rout(state, replace(spears, engaged=True), 5, "open") == 0
    assert chance_of_rout(state, line("F", "north", "fanatics", 0, 200), 9, "open") == 0


def test_stands_lost_are_worth_their_share():
    bows = line("B", "north", "bows", 0, 200)
    assert worth_after(battle(), bows, 2, "open") == 0
    assert worth_after(battle(), bows, 3, "open") == Fraction(5500, 3)
    assert worth_after(battle(), replace(bows, open=2), 1, "open") == Fraction(5500, 3)
    assert worth_after(battle(), bows, 20, "open") == 5500


def test_it_begins_where_many_can_shoot_at_one():
    """A alone has L before it; B and C both have M."""
    south = (line("A", "south", "bows", -400, 0), line("B", "south", "bows", 0, 0), line("C", "south", "bows", 130, 0))
    state = battle(*south, line("L", "north", "bows", -400, 200), line("M", "north", "bows", 60, 200))
    assert chosen(state) == "B shoot"


def test_it_charges_who_shoots_and_is_not_shot_at():
    knights = Unit("K", "south", "knights", (Stand("K1", StandBase((300, 0), 0, 20, 40)),))
    archers = line("L", "north", "bows", 280, 200)
    spears = line("S", "south", "spears", 250, -100)
    state = replace(battle(knights, spears, archers), phase="command")
    assert chosen(state).startswith("K charge L")


def test_a_charge_ends_before_the_enemy_though_the_pace_leads_past_it():
    knights = Unit("K", "south", "knights", (Stand("K1", StandBase((300, 0), 0, 20, 40)),))
    state = replace(battle(knights, line("L", "north", "bows", 280, 200)), phase="command")
    assert [option.order for option in RULESET.orders.options(state, "south")] == [
        "K charge L to 30,19.9",
        "end command",
    ]


def test_it_does_not_charge_whom_its_archers_have_before_them():
    archers = line("A", "south", "bows", 0, 0)
    knights = Unit("K", "south", "knights", (Stand("K1", StandBase((200, 0), 0, 20, 40)),))
    state = replace(battle(archers, knights, line("L", "north", "bows", 0, 200)), phase="command")
    assert chosen(state) == "end command"


def test_it_fires_at_chargers_and_lets_friends_pass():
    state = battle(line("A", "south", "bows", 0, 0), line("L", "north", "bows", 0, 200))
    for kind in ("fire", "make-way"):
        waiting = type("Waiting", (), {"side": "south", "kind": kind, "unit": "A", "options": ("yes", "no")})()
        assert chosen(replace(state, waiting=waiting)).endswith("yes")


def test_it_takes_a_draw_only_when_it_is_behind():
    lost = replace(
        line("L", "north", "bows", 0, 200), stands=(Stand("L1", StandBase((0, 200), 1800, 40, 20), alive=False),)
    )
    even = battle(line("A", "south", "bows", 0, 0), line("M", "north", "bows", 100, 200), draw_offer="north")
    assert chosen(even) == "decline draw"
    ahead = replace(even, units={**even.units, "L": lost}, draw_offer="south")
    assert chosen(ahead, "north") == "accept draw"
