"""The question put to a side: of the move, or of a contribution; it changes with the side's own orders alone."""

from types import SimpleNamespace
from typing import Any

import pytest

from domain.events.battle import OrderAccepted, TurnBegan
from domain.log.record import Recorded
from server.play import questions


def live(acts: str = "south", owing: tuple[str, ...] = (), orders: tuple[str, ...] = (), waiting: Any = None) -> Any:
    """A battle in which a side must act and others owe; `orders` are the sides that have ordered, event by event."""
    given = [OrderAccepted(side, 3, 1, "p", "page", "00" * 8, text="go") for side in orders]
    events: list[Recorded] = [Recorded(n, "", order.side, "", "", order) for n, order in enumerate(given, 2)]
    events.insert(0, Recorded(1, "", "server", "", "", TurnBegan("south", 1)))
    reads = SimpleNamespace(FREE=False)
    return SimpleNamespace(
        to_act=lambda: (acts,),
        game=SimpleNamespace(t=3, phase="moves", waiting=waiting),
        recording=SimpleNamespace(
            battle=SimpleNamespace(owing=owing),
            timeline=SimpleNamespace(events=events, whole=lambda recorded: recorded.event),
        ),
        ruleset=SimpleNamespace(rules=SimpleNamespace(active=lambda game: (acts,)), read=lambda text: reads),
    )


def test_who_need_not_act_is_asked_nothing() -> None:
    assert questions.question_of(live("south"), "north") == questions.NO_QUESTION


@pytest.mark.parametrize(
    ("side", "kind"),
    [("south", "moves"), ("north", questions.CONTRIBUTION)],
)
def test_who_owes_is_asked_for_a_contribution_unless_they_are_to_move(side: str, kind: str) -> None:
    assert questions.question_of(live("south", owing=("south", "north")), side) == f"3 {kind} 0"


def test_a_decision_is_named_by_its_kind_and_unit() -> None:
    waiting = SimpleNamespace(kind="evade", unit="R1")
    assert questions.question_of(live(waiting=waiting), "south") == "3 evade R1 0"


def test_an_order_of_the_other_side_does_not_change_it() -> None:
    assert questions.question_of(live(orders=("south", "north")), "south") == "3 moves 2"
    assert questions.question_of(live(orders=("south", "north", "south")), "south") == "3 moves 4"


def test_an_order_that_may_be_given_at_any_time_does_not_change_it() -> None:
    battle = live(orders=("south", "south"))
    battle.ruleset.read = lambda text: SimpleNamespace(FREE=True)
    assert questions.question_of(battle, "south") == "3 moves 0"
