"""Every draw of a finished battle is recomputed from its log alone, with its steps shown."""

import pytest

from domain.log import fairness
from replay import battle_file
from replay.battle_file import BattleFile
from replay.telling.recompute import Recomputed, recomputed
from replay.telling.why import explain, to_text
from tests.golden.__main__ import kept


def of(battle: BattleFile, n: int) -> Recomputed:
    found = recomputed(battle.log.header.battle, battle.events, n)
    assert found is not None
    return found


@pytest.fixture(scope="module", params=["agreed-draw", "turn-limit-won"])
def battle(request):
    return battle_file.load(str(kept(request.param)))


def test_every_draw_is_the_card_of_its_number(battle):
    drawn = [entry for entry in battle.events if entry.type == "CardDrawn"]
    others = [entry.n for entry in battle.events if entry.type != "CardDrawn"]
    assert {recomputed(battle.log.header.battle, battle.events, n) for n in others} == {None}
    piles = battle.ruleset.draws.decks({})
    left = {deck: list(cards) for deck, cards in piles.items()}
    for entry in drawn:  # short battles: no deck is shuffled anew
        assert left[entry.event.deck].pop(of(battle, entry.n).number) == entry.event.card


def test_the_steps_are_those_of_the_protocol(battle):
    first = next(entry for entry in battle.events if entry.type == "CardDrawn")
    draw = of(battle, first.n)
    values = [bytes.fromhex(battle.events[n - 1].event.value) for n in draw.contributions]
    assert [battle.events[n - 1].event.side for n in draw.contributions] == ["north", "south"]
    seed = fairness.seed(bytes.fromhex(draw.key), battle.log.header.battle, draw.index, draw.scope, values)
    assert seed.hex() == draw.seed
    assert battle.events[draw.disclosed - 1].type in ("KeyDisclosed", "MasterRevealed")


def test_a_draw_whose_key_is_not_out_says_when_it_can_be_recomputed():
    battle = battle_file.load(str(kept("unfinished")))
    newest = [entry.n for entry in battle.events if entry.type == "CardDrawn"][-1]
    draw = of(battle, newest)
    assert (draw.key, draw.disclosed, draw.number) == ("", 0, -1)


@pytest.mark.parametrize(("lang", "said"), [("en", "To recompute it: key of period"), ("fr", "Pour le recalculer")])
def test_why_shows_it(battle, lang, said):
    n = next(entry.n for entry in battle.events if entry.type == "CardDrawn")
    before = battle.timeline.at(n - 1).game
    told = explain(battle.ruleset, before, battle.events[:n], battle.events[n:], lang, battle.log.header.battle)
    assert said in to_text(told, lang)
