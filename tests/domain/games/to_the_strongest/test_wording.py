"""What a message tells beside its event: what stood there before."""

import pytest

from domain.basics.data import parse_toml
from domain.contract.narration import message_id, message_of
from domain.events import battle as events
from domain.events.battle import DecisionAsked as PlainQuestion
from domain.events.battle import Fact
from domain.games.to_the_strongest import RULESET
from domain.games.to_the_strongest.chapters.activation import ActivationPassed
from domain.games.to_the_strongest.chapters.decisions import DecisionAsked
from domain.games.to_the_strongest.chapters.evade import EvadeSucceeded
from domain.games.to_the_strongest.chapters.generals import GeneralMoved, GeneralSaved
from domain.games.to_the_strongest.chapters.losses import HitMissed, SaveMade, UnitDestroyed
from domain.games.to_the_strongest.chapters.medals import MedalsTransferred
from domain.games.to_the_strongest.chapters.melee import AttackBegan
from domain.games.to_the_strongest.chapters.morale import MoraleFailed
from domain.games.to_the_strongest.chapters.movement import UnitMoved
from domain.games.to_the_strongest.chapters.rally import UnitRallied
from domain.games.to_the_strongest.chapters.turns import CorpsBegan
from domain.games.to_the_strongest.shown.wording import narrate
from domain.mechanics.modifiers import Factor
from domain.run.decide import opening
from replay.telling.words import sentence

SCENARIO = """
ruleset = "tts"
title = "Two lines"
[sides.south]
name = "Rome"
[[sides.south.corps]]
id = "I"
name = "Left wing"
general = { id = "G1", box = "D2" }
units = [{ id = "R1", type = "legionaries", box = "D3" }, { id = "R2", type = "bowmen", box = "E3" }]
[sides.north]
name = "North"
[[sides.north.corps]]
id = "II"
general = { id = "G2", attached = "N1" }
units = [{ id = "N1", type = "warriors", quality = "veteran", box = "D6" }]
"""


@pytest.fixture(scope="module")
def state():
    opened = opening(RULESET, parse_toml(SCENARIO, "test"))
    folded = RULESET.rules.initial
    for fact in opened:
        folded = RULESET.evolutions[type(fact.event)](folded, fact.event)
    return folded


def told(state, event, by="south", rule=""):
    return narrate(state, Fact(by, rule or event.RULE, event))


# --- ids


@pytest.mark.parametrize(
    ("event", "msgid"),
    [
        (events.TurnBegan("south", 1), "core.TurnBegan"),
        (events.PhaseBegan("turns"), "core.PhaseBegan.turns"),
        (events.BattleEnded("", "draw"), "core.BattleEnded.draw"),
        (DecisionAsked("south", "join", "G1", ("R1",)), "core.DecisionAsked.join"),
        (UnitMoved("R1", "D3", "D4", ("D4",), "N", "follow-up"), "tts.UnitMoved.follow-up"),
        (CorpsBegan("south", "I"), "tts.CorpsBegan"),
        (events.StandingOrderSet("south", "evade", sealed="ab"), "core.StandingOrderSet.sealed"),
        (events.OrderAccepted("south", 1, 1, "p", "api", "k", sealed="ab"), "core.OrderAccepted.sealed"),
    ],
)
def test_an_event_is_told_under_its_name_and_what_chooses_its_sentence(event, msgid):
    assert message_id(event, "tts") == msgid


def test_a_message_tells_the_event_its_author_and_its_rule_but_not_the_agenda():
    question = PlainQuestion("south", "evade", "R1", ("yes", "no"), pending=(("evade", {}),))
    assert message_of(Fact("server", "TTS-TRN-10", question), "tts").params == {
        "side": "south",
        "kind": "evade",
        "unit": "R1",
        "options": ("yes", "no"),
        "by": "server",
        "rule": "TTS-TRN-10",
    }


# --- what stood there before


def test_units_and_generals_are_told_with_type_and_box(state):
    params = told(state, UnitMoved("R1", "D3", "D4", ("D4",), "N", "order")).params
    assert (params["kinds"], params["places"]) == ({"R1": "legionaries"}, {"R1": "D3"})
    params = told(state, GeneralSaved("G2", 2, 5), "north").params
    assert params["places"] == {"G2": "D6"}


def test_a_unit_that_is_not_known_is_left_out(state):
    params = told(state, ActivationPassed("X9", "move", 2, 5, (), ())).params
    assert "kinds" not in params and "base" not in params


def test_an_army_is_told_by_its_name_unless_that_is_its_side(state):
    assert told(state, events.TurnBegan("south", 1)).params["army"] == "Rome"
    assert "army" not in told(state, events.TurnBegan("north", 1), "north").params
    assert sentence(told(state, events.TurnBegan("south", 1))) == "Turn 1: South (Rome) is to move."


def test_a_corps_is_told_with_its_name_if_it_has_one(state):
    assert sentence(told(state, CorpsBegan("south", "I"))) == "South opens corps I (Left wing)."
    assert sentence(told(state, CorpsBegan("north", "II"))) == "North opens corps II."


def test_the_cards_left_are_those_of_the_author(state):
    assert told(state, CorpsBegan("south", "I")).params["cards_left"] == 80


def test_a_card_is_told_with_its_value(state):
    event = events.CardDrawn(
        deck="south",
        epoch=1,
        index=1,
        card="10h2",
        purpose="activation",
        unit="R1",
        scope="draw:south",
        t=1,
        remaining=79,
    )
    assert sentence(told(state, event)) == "South draws 10 (10h2) for R1 (legionaries) to act; 79 cards left."


def test_a_move_tells_the_boxes_passed_and_a_new_facing(state):
    event = UnitMoved("R1", "D3", "D5", ("D4", "D5"), "E", "order")
    assert sentence(told(state, event)) == "R1 (legionaries) goes from D3 to D5 through D4, now facing east."


def test_a_general_rides_with_a_unit(state):
    general = state.generals["G2"]
    assert general.attached == "N1"
    event = GeneralMoved("G2", "D6", "D5", "rides")
    assert sentence(told(state, event, "north")) == "General G2 rides with N1 (warriors) from D6 to D5."


def test_a_destroyed_unit_is_told_with_its_owner(state):
    assert told(state, UnitDestroyed("R1", "D3", "melee")).params["owner"] == "south"


def test_medals_are_told_of_the_side_that_pays(state):
    event = MedalsTransferred("south", "north", 2, "unit", "R1", 6)
    assert sentence(told(state, event)) == "South pays 2 medals for R1 (legionaries); 6 left."


# --- the number before its modifiers


@pytest.mark.parametrize(
    ("event", "base", "sign"),
    [
        (ActivationPassed("R1", "move", 3, 5, (Factor("TTS-ACT-11", "diagonal", 1),), ()), 2, 1),
        (HitMissed("R1", "N1", 8, 5, (Factor("TTS-MEL-05", "disordered", 2),), "charge"), 6, 1),
        (HitMissed("R2", "N1", 8, 5, (), "shot"), 8, 1),
        (SaveMade("N1", 5, 5, (Factor("TTS-SAV-23", "shieldwall", 1),), "charge"), 7, -1),
        (SaveMade("R1", 2, 5, (Factor("TTS-SAV-12", "fortified", 2),) * 3, "charge"), 6, -1),
        (UnitRallied("R1", 0, 5, 7, (Factor("TTS-RLY-03", "general", 1),)), 6, -1),
        (MoraleFailed("N1", 4, (1, 2), (Factor("TTS-MOR-05", "general", -1),), "N2"), 6, 1),
        (AttackBegan("R1", "N1", "charge", "flank", 2, (Factor("TTS-MEL-06a", "flank", 1),)), 1, 1),
        (EvadeSucceeded("N1", 5, 7, "D6", "D7", ("D7",), "N"), 5, 1),
        (GeneralSaved("G2", 2, 5), 2, 1),
        (DecisionAsked("north", "evade", "N1", ("yes", "no"), needed=5, charger="R1"), 5, 1),
    ],
)
def test_a_reckoning_tells_where_it_began(state, event, base, sign):
    params = told(state, event).params
    assert (params["base"], params["sign"]) == (base, sign)


@pytest.mark.rule("TTS-CAT-02")
@pytest.mark.parametrize(
    ("event", "plus"),
    [(SaveMade("N1", 6, 6, (), "charge"), 1), (MoraleFailed("N1", 5, (1, 2), (), "N2"), -1)],
)
def test_the_quality_of_a_unit_is_a_line_of_its_reckoning(state, event, plus):
    params = told(state, event).params
    assert params["factors"] == [{"rule": "TTS-CAT-02", "why": "veteran", "plus": plus}]
    assert params["base"] + params["sign"] * plus == event.needed


def test_water_rallies_without_a_reckoning(state):
    message = told(state, UnitRallied("R1", 1, 0, 0, ()), rule="TTS-STR-08")
    assert "base" not in message.params
    assert sentence(message) == "R1 (legionaries) is rallied by water; 1 step still lost."


def test_a_question_without_a_card_has_no_reckoning(state):
    assert "base" not in told(state, DecisionAsked("south", "join", "G1", ("R1", "R2"))).params
