"""Refusals say what is true: the sentence names the very reason, not a neighbouring one."""

import tomllib

import pytest

from domain.basics.errors import Refusal
from replay.lab.lab import run_case
from replay.telling.words import refusal_sentence
from tests.support.cases import case_path


def refused(case: int, order: int) -> str:
    """The sentence with which an order of a case is refused."""
    rejections = run_case(tomllib.loads(case_path(case).read_text())).rejections
    return next(rejection.message for rejection in rejections if rejection.order == order)


@pytest.mark.parametrize(
    ("case", "order", "said"),
    [
        (97, 4, "General G9 is dead. [TTS-GEN-07]"),
        (202, 3, "General G1 is not on the field. [TTS-GEN-04]"),
        (575, 2, "General G1 is not on the field. [TTS-GEN-04]"),
        (221, 5, "R1 carries no lance: there is nothing to replenish. [TTS-SHT-13]"),
        (864, 1, "Stakes cannot be placed in F8: the deployment zone is the 2 back rows. [TTS-STR-06]"),
        (864, 2, "Stakes cannot be played on F2 and F2: none may be named twice. [TTS-STR-06]"),
        (
            864,
            3,
            "Stakes cannot be played on B2: something lies already on the edge of that box towards the enemy. "
            "[TTS-STR-06]",
        ),
        (
            863,
            2,
            "General G1 is too far from the corps in D6: one of its units must be within the general's radius. "
            "[TTS-DEP-04]",
        ),
    ],
)
def test_the_sentence_names_the_true_reason(case, order, said):
    assert refused(case, order) == said


@pytest.mark.parametrize(
    ("code", "params", "said"),
    [
        ("tts.general-gone", {"general": "G1", "off": True}, "Le général G1 n’est pas sur le champ de bataille."),
        ("tts.general-gone", {"general": "G1", "off": False}, "Le général G1 est mort."),
        (
            "tts.nothing-to-replenish",
            {"unit": "R1", "marker": "lance", "left": 0, "full": 0},
            "R1 n’a pas de lances : il n’y a rien à ravitailler.",
        ),
        (
            "tts.general-out-of-radius",
            {"general": "G1", "box": "F2"},
            "Le général G1 est trop loin de son corps en F2 : il doit se tenir dans son rayon d’une des unités de ce "
            "corps.",
        ),
        (
            "tts.stratagem-target",
            {"stratagem": "stakes", "given": ["F8", "F8"], "wanted": ["box"], "fault": "twice"},
            "« Pieux » ne peut pas se jouer sur F8 et F8 : rien ne s’y nomme deux fois.",
        ),
        (
            "tts.stratagem-target",
            {"stratagem": "ambush", "given": ["S1"], "wanted": ["unit"], "fault": "last"},
            "« Embuscade » ne peut pas se jouer sur S1 : une unité de son corps doit rester en vue, pour le camp ou "
            "pour le général.",
        ),
    ],
)
def test_so_does_the_french_one(code, params, said):
    sentence = refusal_sentence(Refusal(code, "TTS-X", **params), "fr").replace("\u00a0", " ")
    assert sentence == f"{said} [TTS-X]"
