"""A running battle of version 3 is never judged whole, and no entry can be dropped from it (fairness.md 11)."""

import pytest

from domain.events.battle import DrawOffered
from domain.log.record import PBEM_2, PBEM_2_1
from replay.proof import verdict
from replay.proof.verify import NOT_ALL_JUDGED, OK, verify
from tests.replay.faulty import assert_right, fault_of
from tests.replay.made_battle import MadeBattle
from tests.replay.proof.test_messages import signed_battle
from tests.toys.played import recorded
from tests.toys.tug import TUG

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")
GAMES = {"tug": TUG}


@pytest.mark.parametrize(("version", "exit_"), [(PBEM_2, OK), (PBEM_2_1, NOT_ALL_JUDGED)])
def test_between_turns_a_battle_waits_for_its_keys_from_version_3_on(version: int, exit_: int) -> None:
    report = verify(recorded(TUG, ["south: pull"], version=version)[1], rulesets=GAMES)
    assert (report.exit, report.fault, report.draws, report.checked) == (exit_, None, 1, 1)
    assert any("turn by turn" in line for line in verdict.lines(report)) is (version == PBEM_2_1)


def test_an_ended_one_holds_whole() -> None:
    report = verify(recorded(TUG, ["south: resign"], version=PBEM_2_1)[1], rulesets=GAMES)
    assert (report.exit, report.ended) == (OK, True)
    assert not any("turn by turn" in line for line in verdict.lines(report))


def with_an_order_before_its_entry(version: int) -> tuple[MadeBattle, int]:
    """The north gives an order of the set-up, and its entry was dropped."""
    made = MadeBattle(version=version).start()
    return made, made.plain_order("north")


def test_an_ordinary_order_of_a_seat_that_owes_its_entry_is_a_fault() -> None:
    made, n = with_an_order_before_its_entry(PBEM_2_1)
    assert fault_of(made) == ("entry-missing", n)
    assert_right(with_an_order_before_its_entry(PBEM_2)[0])


@pytest.mark.parametrize(("version", "what"), [(PBEM_2_1, "entry-missing"), (PBEM_2, "")])
def test_a_signed_line_names_a_head_that_has_the_entry(version: int, what: str) -> None:
    made = signed_battle(version=version, orders=0)
    entry = made.find("ContributionGiven", 1)
    assert made.log[entry - 1].by == "south"
    made.hide_heads_from(entry)
    n = made.plain_order("south", DrawOffered("south"), text="offer draw", ordinary=False)
    assert fault_of(made) == ((what, n) if what else ("", 0))
