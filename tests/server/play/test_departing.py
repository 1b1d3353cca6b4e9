"""Who follows somebody who leaves: whom the umpire, or every other person, has named for the seat."""

from types import SimpleNamespace
from typing import Any

import pytest

from domain.engine.dockets import Substitute
from server.play.departing import _substitute


def live(named_by: tuple[str, ...], others: dict[str, str]) -> Any:
    """A battle in which some have named Dora for the seat of red; `others` are the kinds of the other seats."""
    named = {by: Substitute("dora", 5) for by in named_by}
    seats = {"red": SimpleNamespace(kind="person")} | {of: SimpleNamespace(kind=kind) for of, kind in others.items()}
    battle = SimpleNamespace(
        seats=seats,
        disputes=SimpleNamespace(substitutes={"red": named}),
        named_for=lambda side, player: {by: one for by, one in named.items() if one.player == player},
    )
    return SimpleNamespace(recording=SimpleNamespace(battle=battle))


TWO, ONE, NONE = {"green": "person", "blue": "person"}, {"green": "person", "blue": "bot"}, {"green": "bot"}


@pytest.mark.parametrize(
    ("named_by", "others", "who"),
    [
        (("umpire",), TWO, "dora"),
        (("green", "blue"), TWO, "dora"),
        (("green",), TWO, ""),
        (("green",), ONE, "dora"),
        (("red",), TWO, ""),
        (("red",), NONE, ""),
        ((), TWO, ""),
    ],
)
def test_the_umpire_or_all_other_persons_name_who_follows(
    named_by: tuple[str, ...], others: dict[str, str], who: str
) -> None:
    assert _substitute(live(named_by, others), "red") == who
