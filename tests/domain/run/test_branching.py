"""The state with which a branch begins has no number of the log that it came from."""

import pytest
from msgspec.structs import replace

from domain.engine.state import StandingOrder
from domain.events.battle import Branch
from domain.games.to_the_strongest import RULESET as TTS
from domain.games.to_the_strongest.state.state import Ambush, State
from domain.run.branching import ALL, STRANGER, branched
from tests.domain.run.test_battle import Played

HEAD = "ab" * 32


@pytest.fixture(scope="module")
def state() -> State:
    """The skirmish after a few events, with what events 3, 7 and 9 have set, and what has none."""
    state = Played().game
    standing = tuple(
        StandingOrder(side, "replay", unit, "never", n)
        for side, unit, n in (("south", "", 0), ("south", "R1", 3), ("north", "", 7), ("north", "T1", 9))
    )
    ambush = Ambush("south", ("R1",), "C3", 7, 9)
    return replace(state, standing=standing, ambushes=(ambush,), n=20, rewinds=2)


def at(n: int, known: str) -> Branch:
    return Branch("source01", "test.example", n, HEAD, known)


@pytest.mark.parametrize(("n", "numbers"), [(9, [0, -7, -3, -1]), (20, [0, -18, -14, -12])])
def test_what_an_event_has_set_has_a_number_before_the_branch(state: State, n: int, numbers: list[int]) -> None:
    begun = branched(TTS, state, at(n, ALL))
    assert [order.n for order in begun.standing] == numbers
    assert [(one.n, one.card_n) for one in begun.ambushes] == [(7 - n - 1, 9 - n - 1)]
    assert (begun.n, begun.rewinds, begun.rolled) == (0, 0, {})


def test_a_stranger_brings_no_standing_orders(state: State) -> None:
    assert branched(TTS, state, at(20, STRANGER)).standing == ()
    assert [order.n for order in branched(TTS, state, at(20, "north")).standing] == [-14, -12]
