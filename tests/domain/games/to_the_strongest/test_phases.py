"""What a case cannot show of the phases before the turns: what is asked twice, what no file may say, who is where."""

import pytest
from msgspec import UNSET

from domain.basics.errors import Refusal
from domain.events.battle import CardDrawn
from domain.games.to_the_strongest.chapters.generals import GeneralMoved
from domain.games.to_the_strongest.chapters.hands import StratagemDrawn
from domain.games.to_the_strongest.chapters.phases import PhaseBegan, is_placed, next_to_deploy
from domain.games.to_the_strongest.chapters.scouting import scouting_points
from domain.games.to_the_strongest.chapters.terrain import MOST, class_of, shifted_place
from domain.log.chance import DeckTooShort, StackedChance
from domain.mechanics.cards import COURT_DECK, FULL_DECK
from domain.run.decide import beginning, decide, opening, proceeding
from tests.support.playing import TTS, Dice, fold

NOTHING = StackedChance({})


def army(*units, **corps):
    """A side of one corps; a unit is `id type` or `id type box`."""
    rows = [dict(zip(("id", "type", "box"), unit.split(), strict=False)) for unit in units]
    return {"name": "Somebody", "medals": 8, "corps": [{"id": "I", "units": rows, **corps}]}


def battle(south=None, north=None, options=None, **keys):
    sides = {"south": south or army("R1 auxilia"), "north": north or army("N1 warriors")}
    return {"ruleset": "tts", "title": "Phases", "options": options or {}, "sides": sides, **keys}


def begun(scenario):
    """The state of a battle that has begun, before its cards."""
    state = fold(TTS.rules.initial, opening(TTS, scenario))
    return fold(state, beginning(TTS, state))


def proceeded(scenario, **decks):
    """The state and the facts after both sides have contributed."""
    state = begun(scenario)
    facts = proceeding(TTS, state, StackedChance(decks))
    return fold(state, facts), facts


def give(state, side, order, chance=NOTHING):
    """What follows from an order line."""
    return decide(TTS, state, side, TTS.orders.parse(order), chance)


def play(state, *lines, chance=NOTHING):
    for line in lines:
        side, _, order = line.partition(": ")
        state = fold(state, give(state, side, order, chance))
    return state


# --- proceeding


@pytest.mark.rule("TTS-SCT-04")
def test_what_waits_for_a_stratagem_may_be_asked_to_go_on_again_and_nothing_comes_of_it():
    south = {**army("R1 auxilia"), "stratagems": ["scouts"]}
    state, _ = proceeded(battle(south, terrain=[]), stratagem=["Qd"])
    for _ in range(2):
        facts = proceeding(TTS, state, NOTHING)
        assert not facts
        state = fold(state, facts)
    assert TTS.rules.active(state) == ("south",)


@pytest.mark.rule("TTS-STR-01")
def test_a_hand_is_drawn_once_however_often_the_scouting_goes_on():
    state, facts = proceeded(battle(terrain=[], options={"stratagems_per_side": 2}), stratagem=["Kd", "Qd", "Ks", "Qs"])
    assert sum(isinstance(fact.event, CardDrawn) for fact in facts) == 4
    state = play(state, "south: done")
    assert TTS.rules.active(state) == ("north",)
    state = play(state, "north: play ground wood D4", chance=StackedChance({"south": [4], "north": [3]}))
    assert state.phase == "deployment"
    assert [len(state.armies[side].hand) for side in ("south", "north")] == [2, 1]


@pytest.mark.rule("TTS-TRN-01")
@pytest.mark.parametrize(
    ("scenario", "phase"),
    [
        (battle(), "terrain"),
        (battle(army("R1 auxilia D1"), army("N1 warriors D8")), "turns"),
        (battle(army("R1 auxilia D1"), army("N1 warriors D8"), terrain=[]), "turns"),
    ],
)
def test_a_phase_without_cards_at_its_beginning_waits_for_nobody(scenario, phase):
    state = begun(scenario)
    assert state.phase == phase
    assert not proceeding(TTS, state, NOTHING)


def test_no_card_falls_before_both_sides_have_contributed():
    state = begun(battle(terrain=[]))
    assert state.phase == "scouting" and TTS.rules.active(state) == ()
    with pytest.raises(DeckTooShort):
        proceeding(TTS, state, NOTHING)


# --- which phase


@pytest.mark.rule("TTS-TRN-01")
@pytest.mark.parametrize(
    "corps",
    [{"general": {"id": "G1"}}, {"general": {"id": "G1", "traits": ["great"]}}, {"camp": {"fortified": ["N"]}}],
)
def test_a_general_or_a_camp_without_a_place_waits_for_deployment_too(corps):
    state = begun(battle(army("R1 auxilia D1", **corps), army("N1 warriors D8"), terrain=[]))
    assert state.phase == "scouting" and not is_placed(state)
    assert next_to_deploy(state, "north", "south") == "south"


@pytest.mark.rule("TTS-SCN-03")
@pytest.mark.parametrize(
    ("keys", "phase"),
    [({}, "terrain"), ({"terrain": []}, "scouting"), ({"options": {"terrain_phase": False}}, "scouting")],
)
def test_the_first_phase_is_the_one_that_the_scenario_leaves_open(keys, phase):
    state = fold(TTS.rules.initial, opening(TTS, battle(**keys)))
    facts = beginning(TTS, state)
    assert [fact.event.phase for fact in facts if isinstance(fact.event, PhaseBegan)] == [phase]


# --- scenarios that make no sense


@pytest.mark.rule("TTS-SCN-02")
@pytest.mark.parametrize(
    ("scenario", "key"),
    [
        (battle({**army("R1 auxilia"), "stratagems": ["fog"]}), "sides.south.stratagems"),
        (battle(north={**army("N1 warriors"), "stratagems": ["water", "Qd"]}), "sides.north.stratagems"),
        (battle(options={"deploy_rows": 5}), "options.deploy_rows"),
        (battle(options={"deploy_rows": 0}), "options.deploy_rows"),
        (battle(options={"deploy_rows": 2}, board={"columns": 6, "rows": 3}), "options.deploy_rows"),
        (battle(army("R1 auxilia", camp={"fortified": ["N", "Q"]})), "camp of I"),
        (battle(army("R1 auxilia", camp={"box": "M1"})), "camp of I"),
        (battle(army("R1 auxilia", camp={"box": "C1"}), terrain=[{"box": "C1", "kind": "marsh"}]), "camp of I"),
        (battle(army("R1 auxilia D9")), "R1.box"),
        (battle(army("R1 auxilia", general={"id": "G1", "attached": "R2"})), "G1.attached"),
        (battle(army("R1 auxilia", general={"id": "G1", "traits": ["great"], "box": "D1"})), "G1.traits"),
    ],
)
def test_a_scenario_that_cannot_be_deployed_is_refused_by_its_key(scenario, key):
    with pytest.raises(Refusal) as caught:
        opening(TTS, scenario)
    assert caught.value.code == "tts.bad-scenario"
    assert caught.value.params["key"] == key


def test_each_side_may_deploy_in_its_whole_half():
    assert begun(battle(options={"deploy_rows": 4}, terrain=[])).options.deploy_rows == 4


# --- hands


@pytest.mark.rule("TTS-STR-01")
def test_cards_that_a_scenario_gives_are_in_the_deck_all_the_same():
    """A verifier could not check a deck that lacks cards which it does not know."""
    south = {**army("R1 auxilia"), "stratagems": ["water", "oracle"]}
    state = begun(battle(south, terrain=[], options={"stratagems_per_side": 14}))
    state = fold(state, proceeding(TTS, state, Dice("every card")))
    given = {entry.card for entry in state.armies["south"].hand}
    drawn = {entry.card for entry in state.armies["north"].hand}
    assert given == {"Qd", "X1"}
    assert drawn == {*COURT_DECK}


@pytest.mark.rule("TTS-STR-01")
def test_two_sides_draw_from_one_deck():
    state = begun(battle(terrain=[], options={"stratagems_per_side": 7}))
    state = fold(state, proceeding(TTS, state, Dice("half each")))
    hands = [entry.card for side in ("south", "north") for entry in state.armies[side].hand]
    assert sorted(hands) == sorted(COURT_DECK)


@pytest.mark.rule("TTS-SCT-04")
@pytest.mark.parametrize(
    ("listed", "awaited"),
    [(["water"], ""), (["scouts"], "south"), (["ground", "scouts"], "south"), (["hold", "ground"], "south")],
)
def test_the_scouting_says_whom_it_waits_for_and_only_then(listed, awaited):
    facts = opening(TTS, battle({**army("R1 auxilia"), "stratagems": listed}, terrain=[]))
    drawn = [fact.event for fact in facts if isinstance(fact.event, StratagemDrawn)]
    assert [event.count for event in drawn] == [1] * len(listed)
    assert all(event.active is UNSET for event in drawn)
    state = fold(TTS.rules.initial, facts)
    (began,) = beginning(TTS, state)
    assert isinstance(began.event, PhaseBegan)
    assert (began.event.active or "") == awaited


# --- pieces


@pytest.mark.rule("TTS-TER-01")
@pytest.mark.parametrize(
    ("kind", "counts"),
    [(kind, "rough") for kind in ("wood", "marsh", "rocky", "steep_hill", "building")]
    + [(kind, "linear") for kind in ("stream", "ford", "hedge", "wall")]
    + [("impassable", "impassable"), ("gentle_hill", ""), ("open", "")],
)
def test_every_kind_counts_in_its_class(kind, counts):
    assert class_of(kind) == counts
    assert not counts or MOST[counts] < MOST["piece"]


@pytest.mark.rule("TTS-TER-12")
@pytest.mark.parametrize(
    ("place", "to", "boxes", "goal"),
    [
        ("D4", "N", 2, "D6"),
        ("D4", "E", 1, "E4"),
        ("K4", "E", 1, "L4"),
        ("K4", "E", 2, ""),
        ("A1", "S", 1, ""),
        ("D4/E4", "S", 2, "D2/E2"),
        ("A4/B4", "W", 1, ""),
        ("K4/L4", "E", 1, ""),
        ("D7/D8", "N", 1, ""),
        ("D4/D5", "N", 1, "D5/D6"),
        ("C4", "E", 1, "D4"),
        ("E4", "E", 1, ""),
        ("E5/E6", "W", 2, ""),
    ],
)
def test_where_a_piece_lands(place, to, boxes, goal):
    taken = battle(terrain=[{"box": "F4", "kind": "wood"}], edge=[{"between": ["C5", "C6"], "kind": "wall"}])
    assert shifted_place(begun(taken), place, to, boxes) == goal


@pytest.mark.rule("TTS-DCK-05")
def test_the_terrain_cards_are_one_pack_and_come_once():
    state = begun(battle(options={"stratagems_per_side": 0}))
    lines = [
        f"{side}: place gentle_hill {column}{row}"
        for side, row in (("south", 4), ("north", 5))
        for column in "ABCDEFGHIJKL"
    ]
    dice = Dice("twenty-four pieces")
    state = play(state, *lines[:12], "south: done", *lines[12:], "north: done", chance=dice)
    while state.phase == "terrain":
        state = play(state, f"{state.waiting.side}: shift {state.waiting.options[0]}", chance=dice)
    drawn = state.terrain_deck.discards
    assert len(drawn) == len({*drawn}) == 24
    assert sorted((*drawn, *state.terrain_deck.pile)) == sorted(FULL_DECK)


# --- scouting


@pytest.mark.rule("TTS-STR-12")
def test_scouts_are_sixteen_quarter_points():
    south = {**army("R1 light_bow"), "stratagems": ["scouts", "ground"]}
    state, _ = proceeded(battle(south, {**army("N1 warriors"), "stratagems": []}, terrain=[]))
    assert scouting_points(state, "south") == 2
    assert scouting_points(play(state, "south: play scouts"), "south") == 2 + 16


# --- an ambush, its comrades and a general


@pytest.mark.rule("TTS-STR-04")
@pytest.mark.parametrize(
    ("corps", "goes"),
    [
        ({"camp": {}}, False),
        ({"general": {"id": "G1", "traits": ["great"]}}, False),
        ({"general": {"id": "G1"}}, True),
        ({}, True),
    ],
)
def test_the_last_unit_that_a_camp_or_a_great_general_needs_does_not_hide(corps, goes):
    south = {**army("R1 auxilia", **corps), "stratagems": ["ambush"]}
    north = {**army("N1 warriors D8"), "stratagems": []}
    state, _ = proceeded(battle(south, north, terrain=[{"box": "D4", "kind": "wood"}]), south=[2], north=[9])
    if goes:
        assert play(state, "south: play ambush R1 D4").ambushes
        return
    with pytest.raises(Refusal, match="stratagem-target"):
        play(state, "south: play ambush R1 D4")


@pytest.mark.rule("TTS-STR-04")
@pytest.mark.parametrize(("mounted", "start", "goal"), [(True, "D6", "D4"), (False, "D5", "D4")])
def test_a_general_does_not_come_into_the_box_of_an_ambush(mounted, start, goal):
    """The rules text has his order refused; here, so that no refusal tells where they hide, he stops before."""
    south = {**army("R1 auxilia", "R2 auxilia A1"), "stratagems": ["ambush"]}
    general = {"id": "G9", "mounted": mounted, "box": start}
    north = {**army("N1 warriors D8", general=general), "stratagems": []}
    state, _ = proceeded(battle(south, north, terrain=[{"box": "D4", "kind": "wood"}]), south=[2], north=[9])
    state = play(state, f"south: play ambush R1 {goal}", "north: corps I")
    facts = give(state, "north", f"general G9 to {goal}")
    (moved,) = [fact.event for fact in facts if isinstance(fact.event, GeneralMoved)]
    assert moved.to != goal
    assert fold(state, facts).ambushes
