"""Blocks that are entered: what a game waits for follows the last contribution that it waited for."""

from tests.toys.gusts import GUSTS
from tests.toys.played import events_of, recorded


def test_what_the_game_waits_for_follows_the_last_of_the_first_contributions() -> None:
    _, content = recorded(GUSTS, ["south: pull"])
    kinds = [entry.type for entry in events_of(GUSTS, content)]
    contributions = [at for at, kind in enumerate(kinds) if kind == "ContributionGiven"]
    assert kinds[contributions[1] + 1 : contributions[1] + 3] == ["DieRolled", "GustBlew"]
    assert "DieRolled" not in kinds[: contributions[1]]
