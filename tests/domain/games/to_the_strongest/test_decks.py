"""Chapter DCK and TTS-WIN-02: what no case can show, since a case stacks its decks."""

import tomllib
from typing import Any

import pytest
from msgspec.structs import replace

from domain.catalogue import RULESETS
from domain.engine.judge import Judge
from domain.events.battle import BattleEnded, CardDrawn, DeckShuffled
from domain.games.to_the_strongest.adjudication import STEPS
from domain.games.to_the_strongest.chapters.medals import pay
from domain.mechanics.cards import PLAYING_DECK, card_value
from domain.run.decide import beginning, decide, evolve, opening

TTS = RULESETS["tts"]
DUEL = """
ruleset = "tts"
title = "Two light horsemen turn about"
[options]
[sides.south]
name = "South"
[[sides.south.corps]]
id = "I"
units = [
  { id = "R1", type = "light_cavalry_javelin", box = "A1" },
  { id = "R2", type = "light_cavalry_javelin", box = "C1" },
]
[sides.north]
name = "North"
[[sides.north.corps]]
id = "I"
units = [
  { id = "N1", type = "light_cavalry_javelin", box = "L8" },
  { id = "N2", type = "light_cavalry_javelin", box = "J8" },
]
"""


class Lowest:
    """Chance that gives the lowest card it is offered, the twos last, and remembers what it was offered."""

    def __init__(self):
        self.offered = []

    def card(self, scope, pile, *rest):
        self.offered.append(tuple(pile))
        return min(pile, key=lambda code: (card_value(code) == 2, card_value(code)))

    def die(self, scope, sides, *rest):
        raise AssertionError("no die is thrown in this game")


class Table:
    """A battle that is played order by order."""

    state: Any

    def __init__(self, stratagems=(), **options):
        self.chance = Lowest()
        self.state, self.events = TTS.rules.initial, []
        scenario = {**tomllib.loads(DUEL), "options": options}
        scenario["sides"]["south"]["stratagems"] = list(stratagems)
        self.take(opening(TTS, scenario))
        self.take(beginning(TTS, self.state))

    def take(self, facts):
        for fact in facts:
            self.events.append(fact)
            self.state = evolve(TTS, self.state, fact.event, len(self.events))

    def order(self, side, line):
        self.take(decide(TTS, self.state, side, TTS.orders.parse(line), self.chance))

    def turn(self, side):
        """One order, and the turn is over: by a failed card, or by word."""
        turn = self.state.turn
        self.order(side, {"south": "R1", "north": "N1"}[side] + " turn about")
        if self.state.active == side and self.state.turn == turn:
            self.order(side, "end turn")

    def of(self, kind, deck):
        return [fact.event for fact in self.events if isinstance(fact.event, kind) and fact.event.deck == deck]


@pytest.mark.rule("TTS-DCK-01")
def test_a_deck_has_eight_cards_of_each_value():
    values = [card_value(code) for code in PLAYING_DECK]
    assert len(PLAYING_DECK) == len(set(PLAYING_DECK)) == 80
    assert {value: values.count(value) for value in values} == dict.fromkeys(range(1, 11), 8)
    assert "7h1" in PLAYING_DECK
    assert "10s2" in PLAYING_DECK


@pytest.mark.rule("TTS-DCK-03")
@pytest.mark.rule("TTS-DCK-04")
def test_a_deck_is_used_up_before_it_is_shuffled_without_the_cards_on_units():
    table = Table()
    for _ in range(79):
        table.turn("south")
        table.turn("north")
    table.order("south", "R1 turn about")  # the last card, a two, passes and lies on R1
    table.order("south", "R2 turn about")
    drawn = [event.card for event in table.of(CardDrawn, "south")]
    assert sorted(drawn[:80]) == sorted(PLAYING_DECK)
    first, second = table.of(DeckShuffled, "south")
    assert (first.epoch, first.size, second.epoch, second.size) == (1, 80, 2, 79)
    assert drawn[79] not in table.chance.offered[-1], "a card lying on a unit was shuffled in"
    assert [event.index for event in table.of(CardDrawn, "south")][-2:] == [80, 1]
    offered = table.chance.offered[::2][:79]  # south's draws
    assert [len(pile) for pile in offered] == list(range(80, 1, -1)), "any card that is left may come"


@pytest.mark.rule("TTS-STR-15")
@pytest.mark.rule("TTS-DCK-03")
@pytest.mark.parametrize(("drawn", "epochs"), [(79, [1]), (80, [1, 2])])
def test_an_oracle_shuffles_a_deck_that_is_used_up_and_no_other(drawn, epochs):
    table = Table(["oracle"])
    for _ in range(79):
        table.turn("south")
        table.turn("north")
    if drawn == 80:
        table.order("south", "R1 turn about")
    table.order("south", "play oracle")
    assert [event.epoch for event in table.of(DeckShuffled, "south")] == epochs
    assert len(table.state.armies["south"].deck.looked) == (1 if drawn == 79 else 3)


@pytest.mark.rule("TTS-DCK-03")
def test_each_turn_all_cards_come_back_at_its_end():
    table = Table(deck_mode="each_turn")
    for _ in range(3):
        table.turn("south")
        table.turn("north")
    shuffled = table.of(DeckShuffled, "south")
    assert [(event.epoch, event.size) for event in shuffled] == [(1, 80), (2, 80), (3, 80), (4, 80)]
    assert {len(pile) for pile in table.chance.offered} == {80}


@pytest.mark.rule("TTS-DCK-03")
def test_ten_sided_draws_are_independent():
    table = Table(deck_mode="d10")
    for _ in range(90):
        table.turn("south")
        table.turn("north")
    assert set(table.chance.offered) == {tuple(f"{value}x0" for value in range(1, 11))}
    assert len(table.of(DeckShuffled, "south")) == 1


@pytest.mark.rule("TTS-WIN-02")
@pytest.mark.parametrize("active", ["south", "north"])
def test_the_active_side_wins_if_both_pay_their_last_medal(active):
    state = Table().state
    armies = {"south": replace(state.armies["south"], medals=1), "north": replace(state.armies["north"], medals=0)}
    state = replace(state, armies=armies, active=active)
    judge = Judge(state, Lowest(), TTS.evolutions, STEPS, TTS.rules.cited)
    facts = judge.complete(lambda judge: pay(judge, "south", 1, "unit", "R1"))
    assert [fact.event for fact in facts if isinstance(fact.event, BattleEnded)] == [BattleEnded(active, "medals")]
