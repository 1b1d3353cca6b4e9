"""What became of orders is said in words that fit: passed, failed, refused, not played."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

from domain.contract.senses import FAILS, MISSES, PASSES, Outcome, Senses
from domain.events.battle import OrderAccepted
from domain.games.to_the_strongest.chapters.activation import ActivationFailed, ActivationPassed
from replay.telling.words.sentences import fragment
from server.shown.story import result_of
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.serving import RunningServer

SCRIPT = "\n".join(f"repeat 6 {unit} ahead until it fails" for unit in ("R1", "R3"))


async def test_a_failed_order_is_never_called_accepted(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    page = await (await visitor_of(server, anna)).order(battle, SCRIPT)
    events = (await server.running.battles.get(battle)).recording.timeline.events
    failed = sum(isinstance(one.event, ActivationFailed) for one in events)
    lines = re.findall(r'<li class="(\w[\w-]*)"><code>([^<]*)</code> <b>([^<]*)</b>', page.text)
    assert failed and "accepted" not in page.words
    assert sum("failed" in status for _, _, status in lines) == failed
    assert all(kind == "failed" for kind, _, status in lines if "failed" in status)
    assert sum(isinstance(one.event, OrderAccepted) for one in events) > failed


async def test_the_log_shows_the_card_of_a_test_and_whether_it_sufficed(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    visitor: Visitor = await visitor_of(server, anna)
    page = await visitor.order(battle, "R1 ahead")
    events = (await server.running.battles.get(battle)).recording.timeline.events
    n, tested = next(
        (one.n, one.event) for one in events if isinstance(one.event, (ActivationFailed, ActivationPassed))
    )
    told = page.text.partition(f'id="event-{n}"')[2].partition("</p>")[0]
    assert f">{tested.card}</span>" in told
    assert ("failed" if isinstance(tested, ActivationFailed) else "passed") in told


@pytest.mark.parametrize(
    ("results", "said"),
    [({PASSES}, "passed"), ({PASSES, MISSES}, "passed, but missed"), ({FAILS}, "failed"), ({FAILS, MISSES}, "failed")],
)
def test_an_order_that_passed_and_hit_nothing_is_said_to_have_missed(results: set[str], said: str) -> None:
    senses = Senses(outcome=lambda side, events: Outcome(frozenset(results), 5))
    recording: Any = SimpleNamespace(ruleset=SimpleNamespace(orders=SimpleNamespace(senses=senses)))
    result = result_of(recording, "south", "south", ())
    assert fragment(f"pages.status.{result}", {}) == said
