"""The bots set up and use their stratagems as a wargamer would."""

import tomllib
from collections import Counter

import pytest
from msgspec.structs import replace

from benchmarks.random_battles.to_the_strongest import points
from domain.contract.option import Option
from domain.engine.state import SIDES
from domain.games.to_the_strongest.bot import BOTS
from domain.games.to_the_strongest.bot.deployment import sectors, shift
from domain.games.to_the_strongest.bot.stratagems import stratagem
from domain.games.to_the_strongest.bot.strength import SENSIBLE
from domain.games.to_the_strongest.chapters.command import in_command
from domain.games.to_the_strongest.chapters.decisions import DecisionAsked
from domain.games.to_the_strongest.chapters.deployment import touches_camp
from domain.games.to_the_strongest.chapters.phases import camp_of
from domain.games.to_the_strongest.state.state import Held, Piece, kind, with_army, with_unit
from domain.run.bots import random_bot
from domain.run.decide import proceeding, to_act
from tests.domain.games.to_the_strongest.test_random_phases import seeded
from tests.support.looping import some
from tests.support.playing import TTS, Dice, fold, give, opened, scenario

ARMIES = 6


def deployed(seed):
    """A points battle set up by two sensible bots, at its first turn."""
    _, live = points(seeded("sensible", seed), {"stratagems_per_side": 0})
    state, _ = opened({**live, "board": {"columns": 12, "rows": 8}})
    state = fold(state, proceeding(TTS, state, Dice(f"cards {seed}")))
    while state.phase != "turns":
        side = to_act(TTS, state)[0]
        known = TTS.secrets.known(state, side)
        order = BOTS["sensible"](known, side, TTS.orders.options(known, side), Dice(""))
        state = fold(state, give(state, side, order, Dice(order)))
    return state


@pytest.fixture(scope="module")
def battles():
    return [deployed(seed) for seed in range(ARMIES)]


@pytest.mark.slow
def test_it_sets_up_every_unit_every_camp_and_every_general_where_he_serves(battles):
    for state in battles:
        assert all(unit.box for unit in state.units.values())
        for side in SIDES:
            for corps in state.armies[side].corps.values():
                camp = camp_of(state, side, corps.id)
                assert camp is None or touches_camp(state, side, corps, [camp.box])
    formed = [(state, unit) for state in battles for unit in state.units.values() if not kind(unit).light]
    assert sum(in_command(state, unit) for state, unit in formed) >= 0.8 * len(formed)


@pytest.mark.slow
def test_formed_units_have_boxes_of_their_own_mostly_in_the_front_row(battles):
    for state in some(battles):
        formed = [unit for unit in state.units.values() if not kind(unit).light]
        boxes = Counter(unit.box for unit in formed)
        assert sum(1 for count in boxes.values() if count > 1) <= len(formed) / 6
        assert sum(unit.box[1:] in ("2", "7") for unit in formed) >= 0.6 * len(formed)


def test_mounted_corps_stand_outside_the_foot(battles):
    seen = 0
    for state in battles:
        for side in SIDES:
            middle = (state.board[0] - 1) / 2
            off: dict[bool, list[float]] = {True: [], False: []}
            for name, (first, last) in sectors(state, side).items():
                units = [state.units[unit] for unit in state.armies[side].corps[name].units]
                horse = sum(kind(unit).mounted for unit in units) * 2 > len(units) + 1
                off[horse].append(abs((first + last) / 2 - middle))
            if off[True] and len(off[False]) == 1:
                seen += 1
                assert max(off[False]) <= max(off[True])
    assert seen


@pytest.mark.parametrize(("ours", "wanted"), [("pikemen", "place wood"), ("cavalry_lance", "place gentle_hill")])
def test_the_side_with_the_fewer_horse_leans_on_woods(ours, wanted):
    table = tomllib.loads(
        f"""
ruleset = "tts"
title = "Horse and foot"
[sides.south]
name = "South"
[[sides.south.corps]]
id = "I"
units = [{{ id = "S1", type = "{ours}" }}]
[sides.north]
name = "North"
[[sides.north.corps]]
id = "II"
units = [{{ id = "N1", type = "cavalry_javelin" }}, {{ id = "N2", type = "spearmen" }}]
"""
    )
    state, _ = opened(table)
    assert BOTS["sensible"](state, "south", TTS.orders.options(state, "south"), Dice("")).startswith(wanted)


@pytest.mark.parametrize(("piece", "wanted"), [("wood", "shift W"), ("gentle_hill", "shift N")])
def test_it_shifts_woods_to_the_edge_before_its_horse_and_hills_to_its_own_half(piece, wanted):
    state, _ = opened(scenario("skirmish"))
    horse = {
        name: replace(unit, type="cavalry_lance" if unit.side == "north" else "spearmen", extras=())
        for name, unit in state.units.items()
    }
    asked = DecisionAsked("north", "shift", "", ("N", "E", "S", "W"), card="7d", piece=1)
    rows = state.board[1]
    box = "C4" if piece == "wood" else f"C{rows // 2}"
    state = replace(state, units=horse, waiting=asked, pieces=(Piece(1, "south", piece, box),), terrain={box: piece})
    listed = [Option(f"shift {way}", "answer") for way in "NESW"]
    assert shift(state, "north", listed) == wanted


# --- stratagems


def holding(card, **army):
    """The skirmish at its first turn, south with a stratagem in its hand."""
    state, _ = opened(scenario("skirmish"))
    return with_army(state, replace(state.armies["south"], hand=(Held(card, 1),), **army))


def played(state):
    return stratagem(state, "south", TTS.orders.options(state, "south"), SENSIBLE)


def test_water_is_for_a_unit_that_is_disordered_and_matters():
    state = holding("Qd")
    assert played(state) == ""
    weak = with_unit(state, replace(state.units["R3"], type="hoplites_deep", steps=3, losses=1))
    assert played(weak) == "play water R3"


def test_arrows_are_called_for_when_reserve_and_quivers_are_empty():
    state = holding("Qs", ammo=0)
    assert played(state) == ""
    empty = with_unit(state, replace(state.units["R4"], ammo=0))
    assert played(empty) == "play arrows"
    assert played(with_army(empty, replace(empty.armies["south"], ammo=1))) == ""


def test_the_oracle_is_asked_at_the_start_of_a_turn_and_its_high_cards_come_first():
    state = holding("X1")
    assert played(state) == "play oracle"
    assert played(with_army(state, replace(state.armies["south"], opened="I"))) == ""
    deck = replace(state.armies["south"].deck, looked=("2h1", "9c1", "4d2"), shown=3)
    looked = with_army(state, replace(state.armies["south"], deck=deck, hand=()))
    assert played(looked) == "play oracle 2 3 1"
    best = replace(deck, looked=("9c1", "4d2", "2h1"))
    assert played(with_army(looked, replace(looked.armies["south"], deck=best))) == ""


@pytest.mark.parametrize(("card", "order"), [("Kc", "play traitor"), ("Qc", "play false-orders"), ("Jh", "play night")])
def test_what_can_only_gain_is_played_at_once(card, order):
    assert played(holding(card)).startswith(order)


def test_who_holds_nothing_plays_nothing():
    state, _ = opened(scenario("skirmish"))
    assert played(state) == ""


# --- the random bot before the turns


def test_before_the_turns_the_random_bot_goes_on_more_often():
    state, _ = opened(scenario("skirmish"))
    listed = [Option(f"place wood {box}", "place") for box in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"] + [Option("done", "done")]
    ended = {
        turn: sum(
            random_bot(TTS, replace(state, turn=turn), "south", listed, dice) == "done"
            for dice in [Dice("often")]
            for _ in range(400)
        )
        for turn in (0, 1)
    }
    assert 100 < ended[0] < 180
    assert 25 < ended[1] < 75
