"""Why an event happened: the rule, the number, the cards, the odds, the order, and the ruling."""

import re
from pathlib import Path

import pytest

from domain.basics.data import parse_toml, read_toml
from domain.basics.errors import Refusal
from domain.events.battle import BattleBegan, ContributionGiven, Fact, OrderAccepted
from domain.games.to_the_strongest import RULESET
from domain.log.chance import StackedChance
from domain.log.record import Recorded
from domain.run.decide import beginning, decide, evolve, opening, proceeding
from replay.lab.lab import CASE_KEYS
from replay.telling import rulebook
from replay.telling.odds import Chances
from replay.telling.why import explain, to_text
from replay.telling.words import refusal_sentence
from replay.telling.words.template import fields
from tests.support.cases import case_files
from tests.support.french import names_in, speaks_french
from tests.support.lanes import sampled, thinned
from tests.support.looping import some

ROOT = Path(__file__).parents[3]
GAP = re.compile(r"[{}|]|None|UNSET")
"""What shows that a sentence was not filled well."""
GAPS = re.compile(r"\{(\w+)")

SCENARIO = """
ruleset = "tts"
title = "A wood between"
[options]
deep_difficulty = "always_plus_one"
out_of_command = 0
[[terrain]]
box = "E4"
kind = "wood"
[sides.south]
name = "Rome"
medals = 8
[[sides.south.corps]]
id = "I"
general = { id = "G1", attached = "R1", traits = ["heroic"] }
units = [
  { id = "R1", type = "pikemen", box = "D3" },
  { id = "R2", type = "cavalry_lance", box = "H3" },
  { id = "R3", type = "bowmen", box = "K3" },
  { id = "R4", type = "warriors", box = "A3" },
]
[sides.north]
name = "Gaul"
medals = 8
[[sides.north.corps]]
id = "II"
units = [
  { id = "N1", type = "hoplites", quality = "veteran", box = "H5" },
  { id = "N2", type = "cavalry_javelin", box = "K5" },
  { id = "N3", type = "legionaries_small", box = "A4" },
  { id = "N4", type = "warriors", box = "A5" },
]
"""


class Played:
    """A battle as the log has it: orders with stacked decks, and the state before each event."""

    def __init__(self, scenario, decks, orders):
        chance = StackedChance(decks)
        self.log, self.before, self.refused = [], [], []
        self._state = RULESET.rules.initial
        self._take(opening(RULESET, scenario))
        self._take((Fact("server", "CORE-BEGIN", BattleBegan()),))
        self._take(beginning(RULESET, self._state))
        self._take(proceeding(RULESET, self._state, chance))
        for order in orders:
            side, _, text = order.partition(": ")
            try:
                command = RULESET.orders.parse(text)
                facts = decide(RULESET, self._state, side, command, chance)
            except Refusal as refusal:
                self.refused.append(refusal)
                continue
            accepted = OrderAccepted(side, 1, 1, "p1", "api", "k", text=RULESET.orders.write(command, "en"))
            self._take((Fact(side, "CORE-FAIR", ContributionGiven(side, 1, "plain", "00")),))
            self._take((Fact(side, "CORE-ORDER", accepted), *facts))

    def _take(self, facts):
        for fact in facts:
            n = len(self.log) + 1
            self.before.append(self._state)
            kind = type(fact.event).__name__
            self.log.append(Recorded(n, "2026-11-21T10:11:12.013Z", fact.by, fact.rule, kind, fact.event))
            if type(fact.event) in RULESET.evolutions:
                self._state = evolve(RULESET, self._state, fact.event, n)

    def explain(self, type_name, nth=0):
        """The explanation of the nth event of a type."""
        return self.at([recorded.n for recorded in self.log if recorded.type == type_name][nth])

    def at_type(self, type_name, lang):
        """The explanation of the first event of a type, in a language."""
        return self.at(next(recorded.n for recorded in self.log if recorded.type == type_name), lang)

    def at(self, n, lang="en"):
        """The explanation of event n."""
        return explain(RULESET, self.before[n - 1], self.log[:n], self.log[n:], lang)


def play(*orders, south=(), north=(), options=""):
    """The scenario above, played; every order must be accepted."""
    scenario = parse_toml(SCENARIO.replace("[options]", f"[options]\n{options}"), "test")
    played = Played(scenario, {"south": list(south), "north": list(north)}, orders)
    assert played.refused == []
    return played


def test_an_activation_is_explained_with_each_difficulty_and_its_rule():
    told = play("south: R1 ahead-right", south=[8]).explain("ActivationPassed")
    assert told.said.startswith("R1 (pikemen) draws 8 to move: 5 was needed")
    assert (told.rule.id, told.rule.title, told.rule.source) == ("TTS-ACT-01", "Activation", ("seed",))
    assert (told.reckoning.base, told.reckoning.needed, told.reckoning.sign) == (2, 5, 1)
    lines = [(line["rule"], line["why"], line["plus"]) for line in told.reckoning.factors]
    assert lines == [("TTS-ACT-11", "diagonal", 1), ("TTS-ACT-15", "rough", 1), ("TTS-ACT-16", "deep", 1)]
    assert [rule.id for rule in told.see][:3] == ["TTS-ACT-11", "TTS-ACT-15", "TTS-ACT-16"]
    assert "Needed: 2, +1 diagonal [TTS-ACT-11], +1 rough [TTS-ACT-15], +1 deep [TTS-ACT-16] = 5" in to_text(told)


def test_the_odds_are_those_of_the_cards_left_before_the_draw():
    played = play("south: R1 ahead", "south: R1 ahead", south=[4, 9])
    first, second = (played.explain("ActivationPassed", nth) for nth in (0, 1))
    assert first.draws[0].odds == Chances(does=64, of=80, needed=3)
    assert second.draws[0].odds == Chances(does=40, of=79, needed=6)
    draw = second.draws[0]
    assert (draw.deck, draw.epoch, draw.index, draw.remaining, draw.purpose) == ("south", 1, 2, 78, "activation")
    assert "Odds then: 40 in 79 (a card of 6 or more)." in to_text(second)


def test_a_card_is_explained_by_what_it_was_measured_against():
    told = play("south: R1 ahead-right", south=[8]).explain("CardDrawn")
    assert told.draws[0].odds == Chances(does=48, of=80, needed=5)
    assert told.reckoning is None


def test_a_card_whose_use_is_not_known_yet_has_no_odds():
    played = play("south: R1 ahead-right", south=[8])
    n = next(recorded.n for recorded in played.log if recorded.type == "CardDrawn")
    assert explain(RULESET, played.before[n - 1], played.log[:n]).draws[0].odds is None


def test_a_save_is_explained_from_the_printed_save_and_the_quality():
    played = play("south: R2 charge H5", south=[2, 7, 3], north=[4, 3])
    told = played.explain("SaveMade")
    assert (told.reckoning.base, told.reckoning.needed, told.reckoning.sign) == (6, 3, -1)
    less = "less 1: veteran [TTS-CAT-02], less 1: long spear [TTS-SAV-18], less 1: steady [TTS-SAV-19]"
    assert f"Needed: 6, {less} = 3\n" in to_text(told)
    assert told.draws[0].deck == "north"
    assert told.draws[0].odds == Chances(does=64, of=80, needed=3)


def test_an_attack_is_explained_by_its_cards():
    told = play("south: R2 charge H5", south=[2, 7, 3], north=[4, 3]).explain("AttackBegan")
    assert "Cards: 1, +1 lance [TTS-MEL-07] = 2" in to_text(told)
    assert told.draws == ()
    assert {ruling.number: ruling.text for ruling in told.rulings}[9] == (
        "Cards: 1 + lance. What exceeds the cap of 2 is not spent."
    )


def test_an_order_names_the_rules_by_which_it_was_carried_out():
    told = play("south: R1 ahead-right", south=[8]).explain("OrderAccepted")
    assert told.rule.id == "CORE-ORDER"
    assert [rule.id for rule in told.see] == ["TTS-TRN-04", "TTS-ACT-01", "TTS-MOV-01"]
    assert "See also TTS-MOV-01, " in to_text(told)
    assert told.rulings == ()


def test_an_order_whose_events_are_not_known_yet_names_no_other_rule():
    played = play("south: R1 ahead-right", south=[8])
    n = next(recorded.n for recorded in played.log if recorded.type == "OrderAccepted")
    assert explain(RULESET, played.before[n - 1], played.log[:n]).see == ()


def test_only_the_rout_test_for_a_light_names_the_rule_of_lights():
    """TTS-MOR-03"""
    warriors = play("south: R4 charge A4", south=[5, 7], north=[1, 2, 3]).explain("MoraleFailed")
    assert [rule.id for rule in warriors.see] == ["TTS-MOR-04"]
    lights = '{ id = "N2", type = "light_bow", box = "K4" }, { id = "N5", type = "light_bow", box = "K5" }'
    scenario = SCENARIO.replace('{ id = "N2", type = "cavalry_javelin", box = "K5" }', lights)
    cards = {"south": [5, 9], "north": [2, 3, 2]}
    told = Played(parse_toml(scenario, "test"), cards, ["south: R3 shoot K4"]).explain("MoraleFailed")
    assert [rule.id for rule in told.see] == ["TTS-MOR-03", "TTS-MOR-04"]


def test_a_rout_test_shows_both_cards():
    played = play("south: R4 charge A4", south=[5, 7], north=[1, 2, 3])
    told = played.explain("MoraleFailed")
    assert told.said == "N4 (warriors) loses its nerve at the loss of N3 (small legionaries) on 2 and 3: 6 needed."
    assert [draw.card[:-2] for draw in told.draws] == ["2", "3"]
    assert [draw.stands for draw in told.draws] == [True, True]
    assert [draw.odds for draw in told.draws] == [Chances(40, 79, 6), Chances(40, 78, 6)]


# --- replays and decisions


def test_a_replayed_card_is_shown_as_replaced_and_both_orders_as_causes():
    played = play("south: R1 turn left", "south: replay yes", south=[1, 8])
    told = played.explain("ActivationPassed")
    assert [(draw.card[:-2], draw.stands) for draw in told.draws] == [("1", False), ("8", True)]
    assert [draw.odds for draw in told.draws] == [Chances(56, 80, 4), Chances(56, 79, 4)]
    assert [cause.said for cause in told.causes] == ["South: replay yes", "South: R1 turn left"]
    assert "it was replaced" in to_text(told)
    replay = played.explain("CardReplayed")
    assert [draw.odds for draw in replay.draws] == [draw.odds for draw in told.draws]
    assert [ruling.number for ruling in replay.rulings] == [1]


def test_a_card_that_may_stand_is_found_across_the_question():
    told = play("south: R1 turn left", "south: replay no", south=[3]).explain("ActivationFailed")
    assert [(draw.card[:-2], draw.stands) for draw in told.draws] == [("3", True)]


def test_orders_given_while_a_question_was_open_are_no_causes():
    played = play("south: R1 turn left", "north: standing evade N2 never", "south: replay no", south=[3])
    told = played.explain("ActivationFailed")
    assert [cause.said for cause in told.causes] == ["South: replay no", "South: R1 turn left"]


def test_a_draw_offer_that_lapses_does_not_hide_the_answer():
    played = play("south: R1 turn left", "south: offer draw", "south: replay no", south=[3])
    assert played.explain("DrawLapsed").causes[0].said == "South: replay no"
    assert [cause.said for cause in played.explain("CorpsEnded").causes] == ["South: replay no", "South: R1 turn left"]


def test_a_question_tells_the_odds_of_the_card_to_come():
    told = play("south: R1 turn left", south=[1]).explain("DecisionAsked")
    assert told.odds == Chances(does=56, of=79, needed=4)
    assert "Odds now: 56 in 79 (a card of 4 or more)." in to_text(told)


def test_an_input_has_no_cause_and_what_follows_the_start_has_it():
    played = play("south: R1 turn left", south=[8])
    assert played.explain("OrderAccepted").causes == ()
    assert [cause.type for cause in played.explain("TurnBegan").causes] == ["BattleBegan"]
    assert [cause.type for cause in played.explain("DeckShuffled").causes] == ["BattleOpened"]


# --- decks


def test_dice_like_decks_keep_their_odds():
    played = play("south: R1 ahead", "south: R1 ahead", south=[4, 9], options='deck_mode = "d10"')
    assert played.explain("ActivationPassed", 1).draws[0].odds == Chances(does=5, of=10, needed=6)


def test_odds_that_cannot_be_known_are_not_told():
    played = play("south: R2 ahead", south=[2])
    n = next(recorded.n for recorded in played.log if recorded.type == "ActivationPassed")
    empty = RULESET.rules.initial
    assert explain(RULESET, empty, played.log[:n]).draws[0].odds is None


# --- rulings


def test_a_ruling_quotes_the_options_of_the_battle():
    told = play("south: R1 ahead-right", south=[8]).explain("ActivationPassed")
    texts = {ruling.number: ruling.text for ruling in told.rulings}
    assert texts[3].startswith("Last card 5: simple needs 6")
    assert texts[4].endswith("Your battle uses deep_difficulty = always_plus_one.")


def test_a_charge_tells_which_side_is_struck_and_why():
    told = play("south: R2 charge H5", south=[2, 7, 3], north=[4, 3]).explain("ChargeDeclared")
    (ruling,) = told.rulings
    assert ruling.text == (
        "You struck from H4, which is one of the target's front boxes. "
        "Having begun in its front you cannot claim its flank."
    )


def test_an_explanation_in_french_quotes_the_order_in_french():
    text = to_text(play("south: R1 ahead-right", south=[8]).at_type("ActivationPassed", "fr"), "fr")
    assert "\nRequis\xa0: 2, +1 diagonale [TTS-ACT-11]" in text
    assert "Le Sud\xa0: R1 avance-droite" in text
    assert "Votre bataille emploie deep_difficulty = always_plus_one." in text


# --- the table of rules


def rule_ids(*folders):
    """Every rule ID that the sources of some folders name."""
    files = [path for folder in folders for kind in ("*.py", "*.toml") for path in sorted((ROOT / folder).rglob(kind))]
    named = re.compile(r"(?:TTS|CORE)-[A-Z]+-\d+[a-c]?|CORE-[A-Z]+")
    return {found for path in files for found in named.findall(path.read_text(encoding="utf-8"))}


@pytest.mark.slow
def test_every_rule_that_the_sources_cite_is_in_the_table():
    cited = rule_ids("domain", "projections", "replay", "server")
    assert {"TTS-ACT-11", "TTS-SAV-38", "TTS-MEL-06c", "CORE-ORDER"} <= cited
    assert (
        sorted(cited - set(read_toml("tts", "rules.toml")["rules"]) - set(read_toml("core", "rules.toml")["rules"]))
        == []
    )


@pytest.mark.parametrize("code", ["tts", "singidunum", "core"])
def test_every_rule_is_one_sentence_with_a_source(code):
    rules = read_toml(code, "rules.toml")["rules"]
    for rule_id, row in some(rules.items()):
        assert set(row) <= {"title", "text", "title_fr", "text_fr", "source", "see", "when"}, rule_id
        assert row["title"] and row["text"].endswith("."), rule_id
        assert row["title_fr"] and row["text_fr"].endswith("."), rule_id
        assert row["text_fr"] != row["text"], rule_id
        assert row["source"] and set(row["source"]) <= {"seed", "public", "house"}, rule_id
        assert set(row.get("see", ())) <= set(rules) - {rule_id}, rule_id


def test_every_disputed_question_is_answered_by_rules_that_exist():
    table = read_toml("tts", "rules.toml")
    assert sorted({row["number"] for row in table["disputes"]}) == list(range(1, 16))
    for row in table["disputes"]:
        assert set(row["rules"]) <= set(table["rules"])
        assert set(GAPS.findall(row["text_fr"])) == set(GAPS.findall(row["text"]))
        assert row["question"].endswith("?") and row["question_fr"].endswith("\xa0?")
        assert fields(row["text_fr"]) == fields(row["text"])
        assert fields(row["text"]) <= ({"from", "aspect"} if row.get("only") == ["ChargeDeclared"] else set())


def test_a_rule_of_the_engine_is_found_from_any_game_and_an_unknown_one_has_no_text():
    assert rulebook.rule("tts", "CORE-ORDER").title == "Orders"
    assert rulebook.rule("tts", "TTS-XXX-01") == rulebook.Rule("TTS-XXX-01")
    assert rulebook.rule("no-such-game", "TOY-1") == rulebook.Rule("TOY-1")
    assert rulebook.disputes("no-such-game", ["TOY-1"], "Walked") == ()


# --- the acceptance cases


@pytest.mark.parametrize("path", thinned(sampled(case_files(), 3), 90), ids=lambda path: path.stem)
def test_every_event_and_refusal_of_a_case_can_be_told(path):
    case = parse_toml(path.read_text(encoding="utf-8"), path.name)
    scenario = {key: value for key, value in case.items() if key not in CASE_KEYS}
    played = Played(scenario, RULESET.draws.stacked(case), case["orders"])
    names = names_in(case)
    for recorded in some(played.log):
        told = played.at(recorded.n)
        assert told.rule.text, told.rule.id
        assert not GAP.search(to_text(told))
        assert speaks_french(to_text(played.at(recorded.n, "fr"), "fr"), names)
    for refusal in played.refused:
        assert speaks_french(refusal_sentence(refusal, "fr"), names)
        assert refusal_sentence(refusal).endswith(f". [{refusal.rule}]")
        assert not GAP.search(refusal_sentence(refusal).rpartition(" [")[0])
