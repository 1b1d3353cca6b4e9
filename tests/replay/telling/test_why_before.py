"""Why did it happen: the numbers of scouting, terrain and stratagems, from what happens in the acceptance cases."""

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.events.battle import CardDrawn
from domain.games.to_the_strongest import RULESET
from domain.log.record import Recorded, type_name
from replay.telling.why import Explanation, explain, to_text
from tests.domain.games.to_the_strongest.test_wording_before import played
from tests.support.cases import case_path
from tests.support.looping import some


def logged(case: int) -> tuple[list[Recorded], list[Any]]:
    """The events of a case, and the state before each."""
    path = case_path(case)
    happened = list(played(path.stem, path.read_text(encoding="utf-8"), []))
    log = [
        Recorded(n, "2026-01-01T00:00:00.000Z", fact.by, fact.rule, type_name(type(fact.event)), fact.event)
        for n, (_, _, fact) in enumerate(happened, start=1)
    ]
    return log, [before for _, before, _ in happened]


def whys(case: int, kind: str, lang: str = "en", **wanted: str) -> list[tuple[Explanation, str]]:
    """The explanations of the events of a kind in a case, and their texts."""
    log, states = logged(case)
    told = []
    for at, (recorded, before) in enumerate(zip(log, states, strict=True)):
        if recorded.type == kind and all(getattr(recorded.event, name) == value for name, value in wanted.items()):
            explained = explain(RULESET, before, log[: at + 1], log[at + 1 :], lang)
            told.append((explained, to_text(explained, lang)))
    assert told
    return told


@pytest.mark.rule("TTS-SCT-01")
def test_scouting_tells_points_and_card():
    explained, text = whys(515, "ScoutingDrawn", side="south")[0]
    assert "for the troops, 4 for the stratagem and" in explained.counted
    assert explained.counted in text
    assert [draw.purpose for draw in explained.draws] == ["scouting"]
    assert "Points" in whys(515, "ScoutingDrawn", "fr")[0][0].counted


@pytest.mark.rule("TTS-STR-05")
def test_the_arrival_of_a_flank_march_needs_a_six():
    card, text = whys(547, "CardDrawn", purpose="arrival")[0]
    assert "Needed: 6" in text
    assert card.draws[0].odds is not None and card.draws[0].odds.needed == 6
    arrived, text = whys(547, "StratagemTriggered", stratagem="flank-march")[0]
    assert "Needed: 6" in text
    assert [draw.purpose for draw in arrived.draws] == ["arrival"]


@pytest.mark.rule("TTS-STR-05")
def test_a_unit_of_a_flank_march_enters_and_does_not_come_back():
    told, text = whys(547, "ActivationPassed", action="return")[0]
    assert " to enter the field: " in told.said
    assert "+1 coming onto the field [TTS-ACT-21]" in text


@pytest.mark.rule("TTS-STR-04")
def test_an_ambush_says_why_a_move_has_ended():
    ends = "no enemy enters its box before, a move into it ends one box short."
    assert whys(538, "StratagemTriggered", stratagem="ambush")[0][0].said.endswith(ends)
    own = whys(535, "StratagemTriggered", stratagem="ambush")[0][0].said
    assert own.startswith("An ambush of") and ends not in own


@pytest.mark.rule("TTS-GEN-07")
@pytest.mark.parametrize(
    ("case", "kind", "counted"),
    [
        (250, "GeneralWounded", "Wound table: a card of 3 or less kills, up to 6 it is a serious wound,"),
        (497, "GeneralWounded", "Wound table: no card kills, up to 1 it is a serious wound, up to 9 a light one,"),
        (444, "GeneralWounded", "Of two cards the lower counts."),
        (249, "GeneralKilled", "The earlier light wound took 2 off the card."),
    ],
)
def test_a_wound_gives_the_table_of_the_battle(case, kind, counted):
    explained, text = whys(case, kind)[-1]
    assert counted in explained.counted
    assert explained.counted in text


@pytest.mark.rule("TTS-STR-07")
def test_false_orders_tell_the_card_that_they_take_away():
    fired, text = whys(553, "StratagemTriggered", stratagem="false-orders")[0]
    assert "passes with 6 or less" in text
    assert [draw.purpose for draw in fired.draws] == ["activation"]


@pytest.mark.rule("TTS-STR-11")
def test_a_traitor_leaves_a_general_a_save_of_two():
    _, text = whys(560, "GeneralSaved")[0]
    assert "Needed: 2" in text
    assert "(a card of 2 or more)" in text


@pytest.mark.rule("TTS-TER-11")
def test_a_piece_of_terrain_is_settled_by_its_card():
    explained, _ = whys(503, "TerrainMoved")[0]
    assert [draw.deck for draw in explained.draws] == ["terrain"]


@pytest.mark.rule("TTS-STR-01")
def test_a_stratagem_that_is_played_names_no_card_as_if_it_had_just_been_drawn():
    for explained, _ in some(whys(515, "StratagemPlayed")):
        assert explained.draws == ()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_card_that_is_still_sealed_is_not_named(lang):
    log, states = logged(517)
    at = next(at for at, recorded in enumerate(log) if isinstance(recorded.event, CardDrawn))
    log[at] = replace(log[at], event=replace(log[at].event, card=UNSET, sealed="00" * 32))
    explained = explain(RULESET, states[at], log[: at + 1], log[at + 1 :], lang)
    assert explained.draws == ()
    assert "UNSET" not in to_text(explained, lang)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(
    ("case", "kind"),
    [(503, "DecisionAsked"), (517, "StratagemDrawn"), (529, "UnitDeployed"), (566, "StratagemPlayed")],
)
def test_every_event_before_the_turns_can_be_asked_about(case, kind, lang):
    for explained, text in some(whys(case, kind, lang)):
        assert explained.rule.text
        assert "UNSET" not in text
