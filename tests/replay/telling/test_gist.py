"""A stretch of a battle in a few sentences."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from domain.catalogue import RULESETS
from domain.contract.weight import Weight
from replay import battle_file
from replay.reports import plain
from replay.telling.gist import MOST, gist
from tests.support.lanes import thinned

GOLDEN = Path(__file__).parents[2] / "golden"


@cache
def loaded(name):
    return battle_file.load(GOLDEN / name, "en")


def told(name, first, last, lang="en", most=MOST):
    battle = loaded(name)
    heard = list(plain.plain_events(battle.timeline.events[first - 1 : last]))
    said = {line.n: line.said for line in plain.lines(battle, first, last, lang)}
    return gist(battle.ruleset.shown.gist, heard, said, lang, most)


@pytest.mark.parametrize("game", RULESETS)
def test_every_event_that_a_game_weighs_is_one_of_its_own(game):
    ruleset = RULESETS[game]
    assert set(ruleset.shown.gist) <= set(ruleset.events)
    assert set(ruleset.shown.gist.values()) >= {Weight.ATTACKED, Weight.HURT, Weight.DECIDED}


@pytest.mark.parametrize("path", thinned(sorted(GOLDEN.glob("*.battle")), 4), ids=lambda path: path.stem)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_no_turn_of_any_game_needs_more_sentences_than_asked_for(path, lang):
    battle = loaded(path.name)
    turns = [recorded.n for recorded in battle.timeline.events if recorded.type == "TurnBegan"]
    for first, last in zip(turns, [*turns[1:], battle.last], strict=True):
        sentences = told(path.name, first, last, lang)
        assert len(sentences) <= MOST + 2  # one more for each side
        assert all(sentence.endswith(".") and "{" not in sentence for sentence in sentences)


def test_harm_is_told_with_its_attack_and_the_rest_is_named():
    assert told("medals.battle", 1, 1) == []
    assert told("medals.battle", 40, 176) == [
        "N6 (light cavalry with javelins) shoots at R3 (light javelins) in B3 with javelins, 1 box away: "
        "1 shot at its front.",
        "R3 (light javelins) is shot to pieces in B3.",
        "Besides, South attacked in vain with R4 and R5; failed with R2.",
        "North moved N6, N1, N2 and N3; attacked in vain with N4, N5, N1 and N3; failed with N4 and N3.",
    ]


@dataclass
class Attack:
    unit: str


def test_where_one_order_settles_several_attacks_harm_is_told_with_its_own():
    weights = {"Shot": Weight.ATTACKED, "Hurt": Weight.HURT}
    kinds = ("Shot", "Shot", "Hurt", "Shot")
    heard: list[Any] = [SimpleNamespace(n=n, type=kind, event=Attack(f"U{n}")) for n, kind in enumerate(kinds, start=1)]
    said = {one.n: f"{one.type} {one.n}." for one in heard}
    assert gist(weights, heard, said) == ["Shot 2.", "Hurt 3."]
