"""Rules of requests and scripts that a planted fault has changed, and that no test near them noticed."""

from types import SimpleNamespace
from typing import Any

import pytest

from domain.basics.errors import Refusal
from domain.scripts.likeness import vocabulary
from domain.scripts.program import ScriptFault, ScriptLine
from domain.scripts.report import PARKED, LineOutcome
from server.play import script_view, suggesting
from server.play.request import RequestAnswer
from tests.toys.tug import TUG

REFUSAL = Refusal("core.parse", "CORE-PARSE", line="pul", word="pul", expected=["pull"])
LINE = ScriptLine(1, "pul")


@pytest.mark.parametrize(
    ("first", "is_refused"),
    [
        (LineOutcome(LINE, "accepted", 3, 4, spans=((3, 4),)), False),
        (LineOutcome(LINE, PARKED), False),
        (LineOutcome(LINE, "skipped"), True),
    ],
)
def test_a_request_is_refused_where_nothing_of_it_was_played_or_waits(first: LineOutcome, is_refused: bool) -> None:
    answer = RequestAnswer("k", (first, LineOutcome(LINE, "refused", refusal=REFUSAL)))
    assert answer.refused == (REFUSAL if is_refused else None)


def test_an_order_that_was_probably_meant_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggesting, "meant", lambda text, legal: "pull")
    found = suggesting._suggested(ScriptFault(LINE, REFUSAL), ["pull"], vocabulary(TUG))
    assert (found.refusal.params["meant"], found.refusal.params["expected"]) == ("pull", [])


def test_a_script_looks_no_further_than_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other side is still asked after the last event."""

    def view(live: Any, side: str, n: int) -> Any:
        return SimpleNamespace(n=n, waits_for_other=True)

    monkeypatch.setattr(script_view, "BattleScriptView", view)
    monkeypatch.setattr(script_view, "_end_of_input", lambda live, first: first)
    live: Any = SimpleNamespace(n=3)
    assert script_view.settled(live, "south", 1).n == 3
