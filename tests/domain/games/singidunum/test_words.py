"""Every event, refusal, caption and order of the game has its words, in both languages."""

import tomllib
from pathlib import Path

import pytest

from domain.basics.errors import Refusal
from domain.contract.ruleset import NOBODY
from domain.games.singidunum import RULESET
from domain.log.chance import StackedChance
from domain.run.decide import beginning, decide, evolve, opening, proceeding
from replay.drawing.text import draw_text
from replay.lab.lab import CASE_KEYS
from replay.telling.rulebook import rule
from replay.telling.words import refusal_sentence, tell
from replay.telling.words.scenes import worded
from tests.support.cases import case_files
from tests.support.lanes import thinned

CASES = case_files(Path(__file__).parents[3] / "cases" / "singidunum")
LANGS = ("en", "fr")
pytestmark = pytest.mark.filterwarnings("error::replay.telling.words.MissingSentence")


def told(case, lang):
    """Each sentence of a case, played; the sentences of refusals too."""
    chance = StackedChance(RULESET.draws.stacked(case))
    state = RULESET.rules.initial

    def facts_of(order):
        side, _, text = order.partition(": ")
        try:
            return decide(RULESET, state, side, RULESET.orders.parse(text), chance)
        except Refusal as refused:
            sentences.append(refusal_sentence(refused, lang))
            return ()

    sentences: list[str] = []
    scenario = {key: value for key, value in case.items() if key not in CASE_KEYS}
    steps = [
        lambda: opening(RULESET, scenario),
        lambda: beginning(RULESET, state),
        lambda: proceeding(RULESET, state, chance),
        *(lambda order=order: facts_of(order) for order in case["orders"]),
    ]
    for step in steps:
        for fact in step():
            sentences.append(tell(RULESET, state, fact, lang))
            assert rule(RULESET.code, fact.rule, lang).text, fact.rule
            state = evolve(RULESET, state, fact.event, state.n + 1)
    return sentences, state


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("path", thinned(CASES, 5), ids=lambda path: path.stem)
def test_all_that_a_case_brings_is_said(path, lang):
    sentences, state = told(tomllib.loads(path.read_text()), lang)
    assert sentences
    assert not [text for text in sentences if "singidunum." in text]
    scene = worded(RULESET.shown.view(RULESET.secrets.known(state, NOBODY), NOBODY), lang)
    assert all(cell.title for cell in scene.cells)
    assert draw_text(scene, lang=lang).count("\n") > len({cell.outline[0][1] for cell in scene.cells})


def test_the_help_is_written_in_readable_orders():
    for lang in LANGS:
        for chapter in RULESET.shown.help(lang):
            for form in chapter.forms:
                command = RULESET.orders.parse(form.example)
                assert RULESET.orders.write(command, "en") == form.example
                assert RULESET.orders.parse(RULESET.orders.write(command, "fr")) == command
