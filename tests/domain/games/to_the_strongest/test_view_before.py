"""The scene shows the set-up phases, to each side only what it may know."""

import pytest

from replay.drawing.svg import draw_svg
from replay.drawing.text import draw_text
from replay.telling.words import worded
from replay.writing.in_memory import OfflineBattle
from tests.support.before_the_turns import points_battle
from tests.support.tiny import TTS

NOT_MINE = "In hand, hidden: "


def play_on(battle: OfflineBattle, until: str) -> None:
    """The last option of whoever is to act, until a phase begins."""
    for _ in range(300):
        if battle.recording.battle.game.phase == until:
            return
        side = battle.to_act[0]
        battle.order(side, TTS.orders.options(battle.recording.known(side), side)[-1].order)
    raise AssertionError(until)


def scene(battle: OfflineBattle, side: str, lang: str = "en"):
    return worded(TTS.shown.view(battle.recording.known(side), side), lang)


def lines(battle: OfflineBattle, side: str, of: str = "", lang: str = "en") -> str:
    return "\n".join(words for who, words in scene(battle, side, lang).captions if who == of)


@pytest.fixture
def deploying() -> OfflineBattle:
    """South holds an ambush and a hold, north false orders; no terrain is placed."""
    battle = points_battle({"south": ["ambush", "hold"], "north": ["false-orders"]}, terrain_phase=False)
    play_on(battle, "deployment")
    return battle


@pytest.mark.rule("TTS-TER-10")
def test_the_terrain_phase_counts_pieces_and_limits():
    battle = points_battle(stratagems_per_side=0)
    for order in ("place wood D4", "place impassable E4", "place wall F4/F5"):
        battle.order("south", order)
    told = lines(battle, "", "south")
    assert "3 of 12 pieces placed (rough 1 of 6, impassable 1 of 3, linear 1 of 3)." in told
    assert "Terrain still without its card: 3 pieces." in lines(battle, "")
    battle.order("south", "done")
    assert lines(battle, "", "south").count("and done") == 1
    assert "Place your terrain" in lines(battle, "north")
    assert "Place your terrain" not in lines(battle, "south") + lines(battle, "")
    assert "Posez votre terrain" in lines(battle, "north", lang="fr")


@pytest.mark.rule("TTS-DEP-02")
def test_the_zones_of_both_sides_are_marked(deploying):
    zones = {cell.id: cell.zone for cell in scene(deploying, "").cells}
    assert {zones["A1"], zones["L2"]} == {"south"}
    assert {zones["A7"], zones["L8"]} == {"north"}
    assert zones["F4"] == ""
    assert "zone of South" in next(cell.title for cell in scene(deploying, "").cells if cell.id == "A1")
    assert "; : deployment zone" in draw_text(scene(deploying, ""))
    assert draw_svg(scene(deploying, "")).count('stroke-dasharray="14 8"') == 2
    play_on(deploying, "turns")
    assert not any(cell.zone for cell in scene(deploying, "").cells)


@pytest.mark.rule("TTS-DEP-01")
def test_what_waits_for_its_place_is_listed_by_corps(deploying):
    told = lines(deploying, "", "south")
    army = deploying.recording.battle.game.armies["south"]
    for corps in army.corps.values():
        line = next(one for one in told.split("\n") if one.startswith(f"To deploy, corps {corps.id} "))
        assert all(unit in line for unit in corps.units)
        assert ("; the camp" in line) == (corps.camp_sides >= 0)
    aside = {token.id: token.title for token in scene(deploying, "").aside}
    assert all(aside[unit].startswith(f"{unit}, ") for corps in army.corps.values() for unit in corps.units)


@pytest.mark.rule("TTS-STR-01")
def test_a_hand_is_named_to_its_side_and_counted_for_others(deploying):
    assert "In hand: Ambush and Hold." in lines(deploying, "south", "south")
    held = scene(deploying, "south").held
    assert [card.partition(":")[0] for card in held] == ["Ambush", "Hold"]
    assert all(len(card) > 40 for card in held)
    assert "Embuscade" in scene(deploying, "south", "fr").held[0]
    for side in ("north", ""):
        assert f"{NOT_MINE}2 stratagems." in lines(deploying, side, "south")
    assert "Ambush" not in str(scene(deploying, "north")) + str(scene(deploying, ""))
    assert scene(deploying, "").held == ()


@pytest.mark.rule("TTS-STR-04")
def test_who_lies_in_ambush_is_seen_by_his_own_side_alone():
    battle = points_battle({"south": ["ambush", "ground"], "north": []})
    battle.order("south", "place wood C4")
    battle.order("south", "play ground wood C3")
    play_on(battle, "deployment")
    while battle.to_act != ("south",):
        battle.order("north", TTS.orders.options(battle.recording.known("north"), "north")[-1].order)
    battle.order("south", "play ambush VE1 C3")
    own = {token.id: token for token in scene(battle, "south").tokens}
    assert own["VE1"].cell == "C3"
    assert own["VE1"].title.endswith("hidden in ambush")
    assert next(mark.kind for mark in own["VE1"].marks) == "ambush"
    assert "In ambush in C3, unseen: VE1." in lines(battle, "south", "south")
    assert "@ ambush" in draw_text(scene(battle, "south"))
    assert "@ embuscade" in draw_text(scene(battle, "south", "fr"), lang="fr")
    assert 'stroke-dasharray="9 6"' in draw_svg(scene(battle, "south"))
    for side in ("north", ""):
        assert "VE1" not in {token.id for token in scene(battle, side).tokens}
        assert "In ambush" not in str(scene(battle, side))
        assert 'stroke-dasharray="9 6"' not in draw_svg(scene(battle, side))


@pytest.mark.rule("TTS-DEP-07")
def test_a_blind_deployment_is_seen_by_its_side_alone():
    battle = points_battle({"south": [], "north": []}, blind_deployment=True, terrain_phase=False)
    play_on(battle, "deployment")
    first = battle.to_act[0]
    other = {"south": "north", "north": "south"}[first]
    while battle.to_act == (first,):
        battle.order(first, TTS.orders.options(battle.recording.known(first), first)[-1].order)
    placed = {token.id for token in scene(battle, first).tokens if token.side == first}
    assert placed
    for side in (other, ""):
        assert placed.isdisjoint(token.id for token in scene(battle, side).tokens)
        assert all(unit in lines(battle, side, first) for unit in placed if unit in battle.recording.battle.game.units)
    play_on(battle, "turns")
    assert placed <= {token.id for token in scene(battle, other).tokens}


@pytest.mark.rule("TTS-STR-05")
def test_a_corps_on_a_flank_march_is_told():
    battle = points_battle({"south": ["flank-march"], "north": []}, terrain_phase=False)
    play_on(battle, "deployment")
    while battle.to_act != ("south",):
        battle.order("north", TTS.orders.options(battle.recording.known("north"), "north")[-1].order)
    battle.order("south", "play flank-march III E")
    told = lines(battle, "north", "south")
    assert "On a flank march: corps III (Right wing), by the east edge." in told
    assert "To deploy, corps III" not in told
    play_on(battle, "turns")
    assert "Not yet placed" not in lines(battle, "north", "south")
