"""Chapter STK: which of the two rules leaves no room. A case sees only that there is none."""

import pytest

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.games.to_the_strongest.chapters.stacking import require_room
from domain.run.decide import evolve, opening

TTS = RULESETS["tts"]
SIDES = {
    "south": [("R1", "light_bow", "D4"), ("R2", "light_bow", "D4"), ("R3", "light_bow", "D3"), ("R4", "pikemen", "E4")],
    "north": [("N1", "warriors", "D8")],
}


def opened():
    units = {side: [dict(zip(("id", "type", "box"), unit, strict=True)) for unit in of] for side, of in SIDES.items()}
    sides = {side: {"name": side, "corps": [{"id": "I", "units": of}]} for side, of in units.items()}
    state = TTS.rules.initial
    for n, fact in enumerate(opening(TTS, {"ruleset": "tts", "title": "A full box", "sides": sides}), start=1):
        state = evolve(TTS, state, fact.event, n)
    return state


@pytest.mark.rule("TTS-STK-01")
@pytest.mark.rule("TTS-STK-02")
@pytest.mark.parametrize(
    ("unit", "box", "rule", "taken"),
    [("R3", "D4", "TTS-STK-01", 2), ("N1", "E4", "TTS-STK-02", 3)],
)
def test_a_third_unit_and_one_too_large_are_refused_by_different_rules(unit, box, rule, taken):
    state = opened()
    with pytest.raises(Refusal) as refused:
        require_room(state, state.units[unit], box)
    assert (refused.value.code, refused.value.rule, refused.value.params["taken"]) == ("tts.stack-full", rule, taken)
