"""Only what may be sealed is sealed, only whole, and it is opened as it was sealed."""

from typing import Any

import pytest
from msgspec import UNSET

from domain.events.battle import StandingOrderSet
from domain.games.to_the_strongest.secrets import ROWS
from tests.replay.faulty import assert_right, fault_of
from tests.replay.made_battle import MadeBattle, Played
from tests.replay.proof.test_disclosures import secret_battle

of = pytest.mark.parametrize


@of("members", [{"content": {"unit": "U2", "value": "never"}}, {"salt": "00" * 32}])
def test_other_content_does_not_fit_its_commitment(members):
    made, _, _ = secret_battle()
    n = made.find("Unsealed", 1)
    made.change(n, **members)
    assert fault_of(made) == ("commitment-differs", n)


def test_a_member_of_the_row_may_not_stand_open_beside():
    made, _, standing = secret_battle(opened=False)
    made.change(standing, unit="U9")
    assert fault_of(made) == ("may-not-be-sealed", standing)


def test_a_part_of_a_row_is_not_enough_where_all_of_it_is_needed():
    made = MadeBattle().started().first_turn("south")
    made.plain_order("south")
    with made.order("south", ordinary=False):
        event = StandingOrderSet("south", "evade", UNSET, "never")
        n = made.seal(event, ("value",), "south")
    made.end("south")
    assert fault_of(made) == ("content-differs", made.find("Unsealed"))
    assert n < made.find("Unsealed")


def test_content_holds_nothing_but_the_row():
    """What is opened may not overwrite what stood open."""
    made = MadeBattle().started().first_turn("south")
    made.plain_order("south")
    with made.order("south", ordinary=False):
        event = StandingOrderSet("south", "evade", "U1", "never")
        made.seal(event, ("unit", "value", "topic"), "south")
        made.change(len(made.log), topic="shoot")
    made.end("south")
    assert fault_of(made) == ("content-differs", made.find("Unsealed"))


@of("kind", ["KeyDisclosed", "TurnEnded", "DieRolled", "BattleEnded", "SideJoined"])
def test_the_table_is_closed(kind):
    assert kind not in ROWS


def sealed_play(made: MadeBattle, **members: Any) -> int:
    with made.order("south"):
        return made.seal(Played(side="south", **members), ("stratagem", "args", "card"), "south")


def test_a_play_is_hidden_only_where_it_is_laid_ready():
    for stratagem, what in (("ambush", ""), ("hold", ""), ("oracle", "content-differs")):
        made = MadeBattle().started().first_turn("south")
        sealed_play(made, stratagem=stratagem, args=("E4",), card="Jc")
        assert_right(made)
        made.end("south")
        assert fault_of(made)[0] == what


def test_a_blind_deployment_hides_any_play_before_the_first_turn():
    made = MadeBattle(options={"blind_deployment": True}).started()
    sealed_play(made, stratagem="stakes", args=(), card="Qd")
    made.first_turn("south")
    made.end("south")
    assert_right(made)
    made = MadeBattle(options={"blind_deployment": True}).started().first_turn("south")
    sealed_play(made, stratagem="stakes", args=(), card="Qd")
    made.end("south")
    assert fault_of(made)[0] == "content-differs"


@of("options", [{}, {"blind_deployment": False}, {"blind_deployment": 1}])
def test_deployment_is_hidden_only_if_it_is_blind(options):
    for row in (*ROWS["UnitDeployed"], *ROWS["CampPlaced"]):
        assert not row.allowed({"options": options}, 0, {}, None)
        assert not row.allowed({}, 0, {}, None)
        assert row.allowed({"options": {"blind_deployment": True}}, 0, {}, None)
        assert not row.allowed({"options": {"blind_deployment": True}}, 1, {}, None)


def test_a_card_is_hidden_only_in_the_deck_of_stratagems():
    made = MadeBattle().started().first_turn("south")
    with made.order("south"):
        made.card("stratagem", "hand:south", seal=True)
    report = assert_right(made)
    assert (report.draws, report.secret) == (1, 1)
    made.end("south")
    assert assert_right(made).checked == 1
    made = MadeBattle().started().first_turn("south")
    with made.order("south"):
        made.card("south", seal=True)
    assert fault_of(made) == ("may-not-be-sealed", made.find("CardDrawn"))
