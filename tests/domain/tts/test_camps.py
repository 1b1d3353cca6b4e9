"""Chapter CMP: how many camps a side may have. A case cannot hold a scenario that is refused."""

import pytest

from domain.catalogue import RULESETS
from domain.engine.errors import Refusal
from domain.games.to_the_strongest.state.setup import BattleOpened
from domain.ruleset import opening

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
