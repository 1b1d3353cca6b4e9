"""Whether a substitute takes a seat from nobody who is there, as the verifier judges it."""

from types import SimpleNamespace
from typing import Any

import pytest

from domain.events.battle import SideJoined
from replay.proof.settled import SeatLeft


def left(seat: str, follows: bool) -> SeatLeft:
    """A seat that was left where Dora was named for a seat ("": for none, as earlier releases wrote it; "-": not)."""
    battle: Any = SimpleNamespace(
        named_for=lambda side, player: {"south": 4} if (side, player) == (seat, "dora") else {},
        may_follow=lambda side, player, silent: follows and silent == 7,
    )
    return SeatLeft(battle, 7)


@pytest.mark.parametrize(
    ("seat", "follows", "is_given"),
    [("north", True, True), ("north", False, False), ("", False, True), ("-", False, True), ("south", False, True)],
)
def test_only_who_was_named_for_the_very_seat_needs_the_word_of_whoever_sits_there(
    seat: str, follows: bool, is_given: bool
) -> None:
    joined = SideJoined("north", "Dora", "dora", "person", "plain")
    assert left(seat, follows).is_given_to(joined) is is_given


def test_a_player_without_a_name_is_nobody_who_was_named() -> None:
    assert left("north", False).is_given_to(SideJoined("north", "Dora", "", "person", "plain"))
