"""Chapter CMP: which camps a scenario may have. A case cannot hold a scenario that is refused."""

from typing import Any

import pytest

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.games.to_the_strongest.state.setup import BattleOpened
from domain.run.decide import evolve, opening

TTS = RULESETS["tts"]


def scenario(camps):
    corps = [
        {
            "id": f"C{n}",
            "units": [{"id": f"R{n}", "type": "auxilia", "box": f"{column}2"}],
            **({"camp": {"box": f"{column}1"}} if n <= camps else {}),
        }
        for n, column in enumerate("ACEGI", start=1)
    ]
    enemy = [{"id": "I", "units": [{"id": "N1", "type": "warriors", "box": "D8"}]}]
    sides = {"south": {"name": "South", "corps": corps}, "north": {"name": "North", "corps": enemy}}
    return {"ruleset": "tts", "title": "Camps", "sides": sides}


@pytest.mark.rule("TTS-CMP-01")
@pytest.mark.parametrize("camps", [0, 1, 3])
def test_a_side_has_up_to_three_camps_or_none(camps):
    opened = opening(TTS, scenario(camps))[0].event
    assert isinstance(opened, BattleOpened)
    assert sum(corps.camp is not None for corps in opened.sides["south"].corps) == camps


@pytest.mark.rule("TTS-CMP-01")
def test_a_fourth_camp_is_refused():
    with pytest.raises(Refusal) as refused:
        opening(TTS, scenario(4))
    assert refused.value.params["key"] == "sides.south.corps"


def joined(camp, other=None):
    table = scenario(0)
    table["sides"]["south"]["corps"][0]["camp"] = camp
    if other:
        table["sides"]["south"]["corps"][1]["camp"] = other
    return table


@pytest.mark.rule("TTS-CMP-04")
def test_joined_camps_are_fortified_along_their_outline():
    opened = opening(TTS, joined({"boxes": ["d1", "E1", "E2"], "fortified": ["N", "W"]}))[0].event
    camps = {box: camp.fortified for box, camp in evolve(TTS, TTS.rules.initial, opened, 1).camps.items()}
    assert camps == {"D1": ("N", "W"), "E1": (), "E2": ("N", "W")}


@pytest.mark.rule("TTS-CMP-04")
@pytest.mark.rule("TTS-MED-01")
@pytest.mark.parametrize(
    "camp", [{"boxes": 3}, {"boxes": ["D1", "E1", "F1"]}, {"boxes": 3, "fortified": ["N"]}], ids=str
)
def test_each_box_of_joined_camps_counts(camp):
    opened: list[Any] = [opening(TTS, joined(given))[0].event for given in ({"box": "D1"}, camp)]
    medals = [event.sides["south"].medals for event in opened]
    assert medals[1] - medals[0] == 2


@pytest.mark.rule("TTS-CMP-04")
@pytest.mark.rule("TTS-SCN-02")
@pytest.mark.parametrize(
    ("camp", "other", "fault"),
    [
        ({"boxes": 0}, None, "camp-boxes"),
        ({"boxes": []}, None, "camp-boxes"),
        ({"box": "D1", "boxes": 2}, None, "camp-boxes"),
        ({"boxes": ["D1", "F1"]}, None, "camp-apart"),
        ({"boxes": ["D1", "D1"]}, None, "camp-apart"),
        ({"boxes": ["D1", "E2"]}, None, "camp-apart"),
        ({"boxes": ["L1", "M1"]}, None, "off-board"),
        ({"boxes": ["D1", "none"]}, None, "off-board"),
        ({"boxes": 2}, {"boxes": 2}, "too-many-camps"),
        ({"boxes": ["D1", "E1"]}, {"box": "E1"}, "camp-taken"),
        ({"boxes": 2, "fortified": ["X"]}, None, "not-among"),
    ],
)
def test_joined_camps_that_cannot_be_are_refused(camp, other, fault):
    with pytest.raises(Refusal) as refused:
        opening(TTS, joined(camp, other))
    assert refused.value.params["fault"] == fault
