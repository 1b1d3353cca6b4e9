"""Running battles with sealed standing orders are judged as far as possible, and no honest one is blamed."""

import re

import pytest

from domain.events.battle import Fact, StandingOrderSet
from domain.games.to_the_strongest import RULESET as TTS
from domain.games.to_the_strongest.chapters import decisions
from replay.battle_file import parse
from replay.lab.lab import CASE_KEYS
from replay.proof.verify import NOT_ALL_JUDGED, verify
from replay.reports.plain import known_at
from replay.telling.why import explain, to_text
from replay.telling.words.telling import tell
from tests.domain.games.to_the_strongest.test_standing_recorded import BATTLES, a_battle
from tests.support.case_battle import CaseBattle, battle_file, case
from tests.support.lanes import thinned
from tests.support.recorded import Recorded


@pytest.mark.rule("TTS-TRN-11")
@pytest.mark.parametrize(("name", "seed"), thinned(BATTLES, len(BATTLES)))
@pytest.mark.parametrize("upto", thinned([40, 75, 110], 3))
def test_a_battle_that_goes_on_is_judged_as_far_as_it_is_open(name, seed, upto):
    report = verify(a_battle(name, seed, upto).file())
    assert report.exit == NOT_ALL_JUDGED, report
    assert report.judged > upto / 2


def test_an_order_that_takes_the_place_of_an_open_one_and_asks_is_no_fault():
    """The one for all is open since it answered; the one that goes before it, and asks, is not."""
    table = {key: value for key, value in case(801).items() if key not in CASE_KEYS}
    battle = Recorded(table, 0)
    for seed in range(20):
        battle = Recorded(table, seed)
        battle.orders(
            "north: standing evade all always",
            "north: standing evade N1 ask",
            "south: R2 charge G5",
        )
        if TTS.rules.active(battle.game) == ("south",) and "DecisionMade" in [name for name, _, _ in battle.rows]:
            battle.order("south", "R1 charge D5")
            break
    assert battle.game.waiting
    report = verify(battle.file())
    assert report.exit == NOT_ALL_JUDGED
    battle.orders("north: resign")
    report = verify(battle.file())
    assert (report.exit, report.is_open) == (0, False)


def test_when_all_is_open_a_question_that_was_answered_in_advance_is_a_fault(
    monkeypatch,
):
    """A host that puts a question though a standing order answers it is found out in the end."""
    table = {key: value for key, value in case(801).items() if key not in CASE_KEYS}
    battle = Recorded(table, 0)
    for seed in range(20):
        battle = Recorded(table, seed)
        battle.order("north", "standing evade N1 always")
        with monkeypatch.context() as forgetful:
            forgetful.setattr(decisions, "standing_answer", lambda state, question: None)
            battle.order("south", "R1 charge D5")
        if battle.game.waiting:
            break
    assert battle.game.waiting
    assert verify(battle.file()).exit == NOT_ALL_JUDGED  # nobody but north knows yet
    battle.orders("north: resign")
    assert verify(battle.file()).exit == 1


# --- why


def test_why_names_the_standing_order_that_answered():
    file = parse(battle_file(case(804)))
    made = next(one for one in file.events if one.type == "DecisionMade")
    told = explain(TTS, known_at(file, made.n - 1), file.events[: made.n], file.events[made.n :])
    assert [cause.type for cause in told.causes] == [
        "StandingOrderSet",
        "OrderAccepted",
    ]
    assert "standing evade all if needs at most 3" in told.causes[0].said
    assert re.search(
        r"Because of event \d+: North gives a standing order: .standing evade all",
        to_text(told),
    )
    french = explain(
        TTS,
        known_at(file, made.n - 1),
        file.events[: made.n],
        file.events[made.n :],
        "fr",
    )
    assert "consigne esquive tous si exige au plus 3" in french.causes[0].said


def test_a_standing_order_is_told_as_it_is_written():
    battle = CaseBattle(case(804))
    before = battle.game
    battle.orders("north: standing evade all if needs at most 3")
    fact = next(one for one in battle.recording.timeline.events if one.type == "StandingOrderSet")
    assert isinstance(fact.event, StandingOrderSet)
    sealed = tell(TTS, before, _fact(fact, fact.event))
    assert sealed == "North gives a standing order on an evade that only it knows."
    event = StandingOrderSet("north", "evade", "", "if needs at most 3")
    assert tell(TTS, before, _fact(fact, event), "fr") == (
        "Le Nord donne une consigne\xa0: «\xa0consigne esquive tous si exige au plus 3\xa0»."
    )


def _fact(recorded, event):
    return Fact(recorded.by, recorded.rule, event)


# --- the list, as a question to any game


def test_a_game_lists_the_standing_orders_of_a_side():
    battle = CaseBattle(case(802))
    battle.orders("north: standing evade N2 always", "north: standing evade all never")
    known = TTS.secrets.known(battle.game, "north")
    assert TTS.orders.standing(known, "north", "en") == (
        "standing evade N2 always",
        "standing evade all never",
    )
    assert TTS.orders.standing(known, "north", "fr") == (
        "consigne esquive N2 toujours",
        "consigne esquive tous jamais",
    )
    assert TTS.orders.standing(TTS.secrets.known(battle.game, "south"), "north", "en") == ()
