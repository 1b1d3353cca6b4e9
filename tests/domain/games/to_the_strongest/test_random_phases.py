"""Random battles come to their end through every phase, whatever the options.

The properties are those of `benchmarks.random_play`: somebody to act has something to order, all that is listed is
taken, secrets change nothing of it, medals are conserved, a deck deals each card once an epoch.
"""

import random
from typing import Any

import pytest
from msgspec import json
from msgspec.structs import replace

from benchmarks import random_play
from benchmarks.random_battles import to_the_strongest
from benchmarks.random_battles.game import Fault
from benchmarks.random_battles.to_the_strongest import GAME, Ledger, points
from benchmarks.random_play import Dealt, Ended, examine, fold, watch
from domain.contract.option import Option
from domain.engine.state import SIDES
from domain.events.battle import CardDrawn, Fact
from domain.games.to_the_strongest.chapters.medals import MedalsTransferred
from domain.run.bots import BOTS
from domain.run.decide import decide, proceeding, to_act
from tests.support import playing
from tests.support.lanes import thinned
from tests.support.playing import TTS, battle, opened

LIMIT = 3
"""Rounds: the battles are to go through all phases, not to be fought out."""
TABLES: dict[str, dict[str, Any]] = {
    "plain": {},
    "blind": {"blind_deployment": True, "stratagems_per_side": 3},
    "d10": {"deck_mode": "d10", "stratagems_per_side": 3},
    "each turn": {"deck_mode": "each_turn", "stratagems_per_side": 2, "auto_end_turn": False},
    "blind d10": {"deck_mode": "d10", "blind_deployment": True, "stratagems_per_side": 2},
    "no stratagems": {"stratagems_per_side": 0, "blind_deployment": True},
    "deep": {"deploy_rows": 3, "stratagems_per_side": 3, "hero_shooting": True, "rally_costs_medal": True},
}
CROWDED = 24
"""Set-ups on boards that are too small."""


def seeded(*key):
    return random.Random(" ".join(map(str, key)))


@pytest.mark.parametrize("seed", thinned(range(2), 2))
@pytest.mark.parametrize("table", thinned(TABLES, 4))
def test_a_battle_of_chance_goes_through_all_phases_to_its_end(table, seed):
    _, scenario = points(seeded("points", table, seed), {**TABLES[table], "turn_limit": LIMIT})
    ended = watch(GAME, "points", scenario, seeded("play", table, seed), watched=12)
    assert isinstance(ended, Ended)
    assert ended.how in ("turn-limit", "medals", "draw", "resignation")
    assert ended.tried > 0


@pytest.mark.parametrize("seed", thinned(range(CROWDED), 12))
def test_no_deployment_comes_to_a_dead_end_however_crowded_the_board(seed):
    """Home rows full of terrain, boards with less room than the armies need, stratagems at every chance."""
    pick = seeded("crowded", seed)
    _, scenario = points(pick, {"stratagems_per_side": 3, "blind_deployment": bool(seed % 2)})
    most = max(sum(len(corps["units"]) for corps in side["corps"]) for side in scenario["sides"].values())
    board = {"columns": max(3, most // 2 + pick.randint(-4, 1)), "rows": pick.randint(4, 8)}
    state, _ = opened({**scenario, "board": board})
    chance = Dealt(pick)
    state = playing.fold(state, proceeding(TTS, state, chance))
    for _ in range(1500):
        if state.phase == "turns":
            return
        (side,) = to_act(TTS, state)
        order = crowding(state, side, TTS.orders.options(TTS.secrets.known(state, side), side), pick)
        state = playing.fold(state, decide(TTS, state, side, TTS.orders.parse(order), chance))
    pytest.fail(f"still in {state.phase}")


def crowding(state, side, listed, pick):
    """Terrain in the first and last row; a stratagem one time in three; else anything."""
    plays = [option.order for option in listed if option.kind == "play"]
    if plays and pick.randrange(3) == 0:
        return pick.choice(plays)
    if state.phase == "terrain" and not state.waiting:
        ends = {"1", str(state.board[1])}
        near = [o.order for o in listed if "/" not in o.order and o.order.rpartition(" ")[2][1:] in ends]
        return pick.choice(near) if near else listed[-1].order
    return BOTS["random"](TTS, TTS.secrets.known(state, side), side, listed, Dealt(pick))


# --- the watch would notice


def with_options(options):
    return replace(TTS, orders=replace(TTS.orders, options=options))


def test_an_order_that_is_listed_and_refused_is_found():
    moment = battle("skirmish", 0).moments[0]
    listed = [Option("corps IX", "corps")]
    anybody = with_options(lambda state, side: listed)
    with pytest.raises(Fault, match="has orders"):
        examine(anybody, moment.state, moment.side, listed, seeded("refused"))
    own = {moment.side: listed}
    one_side = with_options(lambda state, side: own.get(side, []))
    with pytest.raises(Fault, match="corps IX is listed and refused"):
        examine(one_side, moment.state, moment.side, listed, seeded("refused"))


def test_options_that_look_at_secrets_are_found():
    moment = battle("skirmish", 0).moments[0]
    with pytest.raises(Fault, match="changes its options"):
        examine(TTS, moment.state, moment.side, TTS.orders.options(moment.state, moment.side)[1:], seeded("secret"))


def test_a_side_with_nothing_to_order_is_found():
    _, scenario = points(seeded("nothing"), {"turn_limit": LIMIT})
    silent = replace(GAME, ruleset=with_options(lambda state, side: []))
    with pytest.raises(Fault, match="nothing to order"):
        watch(silent, "points", scenario, seeded("nothing"))


def test_medals_that_vanish_are_found():
    state = battle("skirmish", 0).moments[0].state
    south = state.armies["south"]
    short = replace(state, armies={**state.armies, "south": replace(south, medals=south.medals - 1)})
    paid = MedalsTransferred(from_="north", to="south", count=0, reason="unit", subject="", left=1)
    with pytest.raises(Fault, match="south has"):
        fold(TTS, Ledger(), short, (Fact("server", "TTS-MED-02", paid),))


def test_a_card_dealt_twice_in_an_epoch_is_found():
    moment = next(
        moment
        for moment in battle("skirmish", 0).moments
        if any(isinstance(fact.event, CardDrawn) and fact.event.deck in SIDES for fact in moment.facts)
    )
    ledger = Ledger()
    fold(TTS, ledger, moment.state, moment.facts)
    with pytest.raises(Fault, match="dealt twice"):
        fold(TTS, ledger, moment.state, moment.facts)


# --- by hand


def run_by_hand(monkeypatch, *words):
    monkeypatch.setattr("sys.argv", ["random_play", "tts", "--processes", "1", *words])
    return random_play.main()


def test_by_hand_it_tells_how_the_battles_ended(monkeypatch, capsys):
    monkeypatch.setattr(to_the_strongest, "CHOICES", {**to_the_strongest.CHOICES, "turn_limit": (1,)})
    assert run_by_hand(monkeypatch, "--only", "2") == 0
    told = capsys.readouterr().out
    assert "points" in told
    assert "turn-limit 1" in told


def test_by_hand_it_stops_at_the_first_fault_and_says_how_to_get_there(monkeypatch, capsys):
    monkeypatch.setattr(random_play, "MOST_ORDERS", 3)
    assert run_by_hand(monkeypatch, "--battles", "2") == 1
    told = capsys.readouterr().out.splitlines()
    assert told[-1] == "Battle 1 of seed 1: it does not end"
    assert len(told) == 4


def test_a_run_that_is_taken_up_again_plays_what_is_not_kept(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(to_the_strongest, "CHOICES", {**to_the_strongest.CHOICES, "turn_limit": (1,)})
    file = tmp_path / "kept"
    kept = ("--battles", "3", "--kept", str(file))
    with monkeypatch.context() as patch:
        patch.setattr(random_play, "MOST_ORDERS", 3)
        assert run_by_hand(patch, *kept) == 1  # each is told, none is kept
    told = capsys.readouterr().out
    assert [f"Battle {number} of seed 1: it does not end" in told for number in (1, 2, 3)] == [True] * 3
    assert run_by_hand(monkeypatch, "--only", "2", "--kept", str(file)) == 0
    assert run_by_hand(monkeypatch, *kept) == 0
    assert [json.decode(line)["number"] for line in file.read_bytes().splitlines()] == [2, 1, 3]
    capsys.readouterr()
    monkeypatch.setattr(random_play, "play", None)  # nothing is left to play
    assert run_by_hand(monkeypatch, *kept) == 0
    assert "all" in capsys.readouterr().out
    assert len(file.read_bytes().splitlines()) == 3


def test_by_hand_battles_may_be_made_shorter(monkeypatch, capsys):
    monkeypatch.setattr(to_the_strongest, "CHOICES", {**to_the_strongest.CHOICES, "turn_limit": (40,)})
    assert run_by_hand(monkeypatch, "--only", "2", "--turns", "1") == 0
    assert "turn-limit 1" in capsys.readouterr().out
