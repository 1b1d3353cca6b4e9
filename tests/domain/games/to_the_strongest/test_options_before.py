"""Options before the turns, for stratagems, and for units that are not on the board yet."""

import tomllib

import pytest
from msgspec.structs import replace

from benchmarks.random_battles.to_the_strongest import points
from benchmarks.random_play import examine
from domain.basics.errors import Refusal
from domain.engine.state import SIDES
from domain.games.to_the_strongest.chapters.phases import camp_of
from domain.games.to_the_strongest.orders.options import Odds
from domain.games.to_the_strongest.state.state import Flank, Held, with_army
from domain.run.decide import decide, proceeding, to_act
from tests.domain.games.to_the_strongest.test_random_phases import seeded
from tests.support.playing import TTS, Dice, fold, give, opened

SET_UP = """
ruleset = "tts"
title = "Before the battle"
[options]
stratagems_per_side = 0
[board]
columns = 8
rows = 6
[[terrain]]
box = "C3"
kind = "wood"
[[terrain]]
box = "A1"
kind = "impassable"
[[terrain]]
box = "B1"
kind = "marsh"
[sides.south]
name = "South"
stratagems = []
[[sides.south.corps]]
id = "I"
general = { id = "G1", traits = ["great"] }
camp = { fortified = ["N", "E"] }
units = [ { id = "S1", type = "pikemen" }, { id = "S2", type = "light_bow" } ]
[[sides.south.corps]]
id = "II"
general = { id = "G2", mounted = true }
units = [ { id = "S3", type = "cavalry_lance" }, { id = "S4", type = "light_cavalry_javelin" } ]
[sides.north]
name = "North"
stratagems = []
[[sides.north.corps]]
id = "III"
units = [ { id = "N1", type = "legionaries" } ]
"""


def set_up(held="", table=SET_UP):
    """South deploys first, with a stratagem in its hand."""
    state, _ = opened(tomllib.loads(table))
    seed = next(seed for seed in range(50) if scouted(state, seed).active == "south")
    state = scouted(state, seed)
    return with_army(state, replace(state.armies["south"], hand=(Held(held, 1),) if held else ()))


def scouted(state, seed):
    return fold(state, proceeding(TTS, state, Dice(f"scouting {seed}")))


def after(state, *orders):
    for order in orders:
        side = to_act(TTS, state)[0]
        state = fold(state, give(state, side, order, Dice(order)))
    return state


def orders(state, side="south"):
    return [option.order for option in TTS.orders.options(TTS.secrets.known(state, side), side)]


# --- deployment


def test_every_unit_of_every_corps_is_offered_until_one_corps_is_open():
    state = set_up()
    assert {order.split()[1] for order in orders(state)} == {"S1", "S2", "S3", "S4"}
    assert orders(state, "north") == []
    state = after(state, "deploy S2 D2")
    assert {order.split()[1] for order in orders(state)} == {"S1", "S2", "G1", "camp"}


def test_boxes_are_those_of_the_zone_that_are_not_impassable():
    listed = [order.split()[2] for order in orders(set_up()) if order.startswith("deploy S1")]
    assert len(listed) == 15
    assert "A1" not in listed
    assert all(box[1] in "12" for box in listed)


def test_a_camp_is_offered_on_open_ground_with_all_the_sides_that_are_granted():
    camps = [order for order in orders(after(set_up(), "deploy S1 D2")) if "camp" in order]
    assert camps == [f"deploy camp {column}1 fortified N E" for column in "CDEFGH"]


def test_a_great_general_is_offered_only_with_units_of_his_corps_that_stand():
    listed = orders(after(set_up(), "deploy S1 D2"))
    assert [order for order in listed if order.startswith("deploy G1")] == ["deploy G1 with S1"]


def test_placed_units_are_offered_near_by_until_nothing_is_missing_and_then_everywhere():
    state = after(set_up(), "deploy S1 D2")
    assert sum(order.startswith("deploy S1") for order in orders(state)) == 5
    state = after(state, "deploy S2 D2", "deploy G1 with S1", "deploy camp D1 fortified N E")
    assert sum(order.startswith("deploy S1") for order in orders(state)) == 14
    assert orders(state)[-1] == "done"


@pytest.mark.parametrize("seed", range(4))
def test_the_last_option_alone_leads_to_the_first_turn(seed):
    _, scenario = points(seeded("last", seed), {"stratagems_per_side": 2})
    state, _ = opened(scenario)
    state = fold(state, proceeding(TTS, state, Dice("last")))
    given = 0
    while state.phase != "turns":
        side = to_act(TTS, state)[0]
        state = after(state, orders(state, side)[-1])
        given += 1
    assert given < 120
    assert all(
        camp_of(state, side, c.id) for side in SIDES for c in state.armies[side].corps.values() if c.camp_sides >= 0
    )


def test_the_last_option_brings_unit_and_camp_together():
    state = after(set_up(), "deploy S1 H2", "deploy S2 H1", "deploy G1 with S1", "deploy camp C1 fortified N E")
    assert "done" not in orders(state)
    state = after(state, orders(state)[-1])
    assert orders(state)[-1] == "done"


# --- no dead end (TTS-DEP-05)


def test_a_camp_for_which_there_is_no_ground_stays_away():
    wooded = SET_UP.replace('box = "C3"', 'box = "C1"') + "".join(
        f'[[terrain]]\nbox = "{column}1"\nkind = "wood"\n' for column in "DEFGH"
    )
    state = after(set_up(table=wooded), "deploy S1 D2", "deploy S2 D2")
    assert "done" not in orders(state)
    state = after(state, "deploy G1 with S1")
    assert orders(state)[-1] == "done"
    assert camp_of(after(state, "done"), "south", "I") is None


@pytest.mark.rule("TTS-CMP-04")
def test_joined_camps_are_offered_with_all_their_boxes():
    big = SET_UP.replace('camp = { fortified = ["N", "E"] }', 'camp = { fortified = ["N"], boxes = 3 }')
    state = after(set_up(table=big), "deploy S1 D2")
    camps = [order for order in orders(state) if "camp" in order]
    assert camps == [f"deploy camp {boxes} fortified N" for boxes in ("C1 D1 E1", "D1 E1 F1", "E1 F1 G1", "F1 G1 H1")]
    placed = after(state, "deploy S2 C2", "deploy G1 with S1", "deploy camp F1 G1 H1 fortified N")
    assert orders(placed)[-1].startswith("deploy camp ")  # nobody touches it yet
    assert "deploy camp F1 G1 H1 fortified N" not in orders(placed)
    assert orders(after(placed, "deploy camp D1 E1 F1 fortified N"))[-1] == "done"


def test_a_unit_for_which_there_is_no_room_stays_off_the_field():
    narrow = SET_UP.replace("columns = 8", "columns = 3").replace('box = "C3"', 'box = "C1"')
    state = set_up(table=narrow.replace('type = "light_bow"', 'type = "pikemen"'))
    full = after(state, "deploy S3 B2", "deploy G2 B2", "deploy S4 A2", "done", "deploy N1 B5", "done")
    assert full.active == "south"
    placed = after(full, "deploy S1 C2", "deploy G1 with S1")
    assert "done" not in orders(placed)
    blocked = after(placed, "deploy S2 B1")
    assert not [order for order in orders(blocked) if "camp" in order]
    assert orders(blocked)[-1] == "done"


# --- stratagems


def test_an_ambush_hides_no_unit_that_the_camp_or_a_great_general_needs():
    state = set_up("Jc")
    plays = [order for order in orders(state) if order.startswith("play")]
    assert sorted(plays) == [f"play ambush {unit} {box}" for unit in ("S1", "S2", "S4") for box in ("B1", "C3")]
    with pytest.raises(Refusal) as refused:
        give(state, "south", "play ambush S1 S2 C3", Dice(""))
    assert refused.value.code == "tts.stratagem-target"


def test_the_middle_row_is_in_nobodys_half():
    middle = SET_UP.replace("rows = 6", "rows = 7").replace('box = "C3"', 'box = "C4"')
    state = set_up("Jc", middle)
    assert not any(order.endswith("C4") for order in orders(state))
    with pytest.raises(Refusal) as refused:
        give(state, "south", "play ambush S2 C4", Dice(""))
    assert refused.value.code == "tts.outside-deployment-zone"


def test_stakes_that_the_enemy_has_hidden_on_the_same_edge_refuse_nothing():
    low = SET_UP.replace("rows = 6", "rows = 4").replace("stratagems_per_side = 0", "blind_deployment = true")
    state = replace(set_up("Js", low), active="north")
    state = with_army(state, replace(state.armies["north"], hand=(Held("Js", 2),)))
    state = replace(after(state, "play stakes E3"), active="south")
    assert "play stakes E2" in orders(state)
    assert after(state, "play stakes E2").edges == {("E2", "E3"): "stakes"}


def test_a_unit_in_ambush_has_its_orders_as_if_it_had_shown_itself():
    state = after(set_up("Jc"), "play ambush S2 C3", "deploy S1 D2", "deploy G1 with S1", "deploy camp D1", "done")
    state = after(state, "deploy N1 H6", "done", "deploy S3 G2", "deploy S4 F2", "deploy G2 G2", "done")
    while to_act(TTS, state) != ("south",):
        state = after(state, "end turn")
    assert {"S2 ahead", "S2 left", "S2 turn about"} <= set(orders(state))
    assert not any(order.startswith("S2 return") for order in orders(state))
    listed = TTS.orders.options(TTS.secrets.known(state, "south"), "south")
    assert examine(TTS, state, "south", listed, seeded("ambush")) > 10
    assert after(state, "S2 left").units["S2"].box


def test_a_flank_march_is_offered_for_corps_without_camp_and_enters_over_the_whole_edge():
    state = set_up("Jd")
    assert [order for order in orders(state) if order.startswith("play")] == [
        "play flank-march II E",
        "play flank-march II W",
    ]
    state = after(state, "play flank-march II W", "deploy S1 D2", "deploy S2 D2", "deploy G1 with S1", "deploy camp D1")
    state = after(state, "done", "deploy N1 H6", "done")
    while to_act(TTS, state) != ("south",):
        state = after(state, "end turn")
    assert not any("return" in order for order in orders(state))
    arrived = with_army(state, replace(state.armies["south"], flanks=(Flank("II", "W", True),)))
    entries = [order for order in orders(arrived) if order.startswith("S3 return")]
    assert entries == [f"S3 return A{row}" for row in range(2, 7)]


@pytest.mark.parametrize(
    ("card", "when"),
    [
        ("Js", {"stakes C2", "stakes C2 D2 E2"}),
        ("Ks", {"ground marsh E1"}),
        ("Kd", {"scouts"}),
        ("Qc", {"false-orders"}),
    ],
)
def test_a_stratagem_is_offered_in_its_time_only(card, when):
    state = set_up(card)
    listed = {order.removeprefix("play ") for order in orders(state) if order.startswith("play")}
    assert (when <= listed) == (card == "Js")
    waits = replace(state, phase="scouting", active="south", done=())
    listed = {order.removeprefix("play ") for order in orders(waits) if order.startswith("play")}
    assert (when <= listed) == (card in ("Ks", "Kd"))
    assert orders(waits)[-1] == "done"


def test_who_has_looked_at_his_next_card_knows_what_it_does():
    state = set_up()
    deck = state.armies["south"].deck
    seen = with_army(state, replace(state.armies["south"], deck=replace(deck, looked=("7h1", "2c1"))))
    assert [Odds(seen, "south").of(needed) for needed in (2, 7, 8)] == [(1, 1), (1, 1), (0, 1)]
    assert Odds(TTS.secrets.known(seen, "north"), "south").of(2)[1] > 1


def test_an_oracle_is_ordered_anew_in_every_way_but_the_one_it_has():
    state, _ = opened(tomllib.loads(SET_UP))
    state = replace(set_up(), phase="turns", active="south")
    deck = replace(state.armies["south"].deck, looked=("7h1", "2c1", "9d2"), shown=3)
    state = with_army(state, replace(state.armies["south"], deck=deck))
    listed = [order for order in orders(state) if order.startswith("play")]
    assert listed == [f"play oracle {order}" for order in ("1 3 2", "2 1 3", "2 3 1", "3 1 2", "3 2 1")]
    assert decide(TTS, state, "south", TTS.orders.parse("play oracle 3 1 2"), Dice(""))
