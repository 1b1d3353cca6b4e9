"""An umpire sets facts over HTTP: the lines of a ruling, what they may not say, and the battle that goes on."""

from typing import Any

from replay.proof import verify
from tests.server.play.test_disputes import codes, live, three
from tests.support.serving import RunningServer


async def ruled(server: RunningServer) -> tuple[Any, Any, Any, str]:
    """A battle with an umpire and a dispute."""
    anna, bob, judge, battle = await three(server)
    assert codes(await anna.order(battle, "umpire judge\ndispute 1 facts The medals.")) == ["accepted"] * 2
    assert codes(await bob.order(battle, "agree umpire")) == ["accepted"]
    return anna, bob, judge, battle


async def test_a_ruling_and_the_lines_behind_it_are_one_order(server: RunningServer) -> None:
    anna, _, judge, battle = await ruled(server)
    lines = "rule d1 correct the clerk miscounted\nset medals south 2  # as agreed\nfixe médailles nord 3"
    reply = await judge.order(battle, lines)
    assert codes(reply) == ["accepted"]
    recording = (await live(server, battle)).recording
    armies = recording.battle.game.armies
    assert (armies["south"].medals, armies["north"].medals) == (2, 3)
    events: Any = recording.timeline.events
    order = next(one.event for one in reversed(events) if one.type == "OrderAccepted")
    assert order.text == ("rule d1 correct set medals south 2; set medals north 3 because the clerk miscounted")
    assert (await anna.order(battle, "end turn")).status == 200
    report = verify.verify(await server.stranger.export(battle))
    assert (report.fault, report.corrected) == (None, 2)


async def test_what_cannot_be_set_changes_nothing(server: RunningServer) -> None:
    anna, _, judge, battle = await ruled(server)
    n = (await judge.view(battle))["n"]
    for lines, code in (
        ("rule d1 correct\nset medals south 99", "core.correct-number"),
        ("rule d1 correct\nset R1 box Z9", "core.off-board"),
        ("rule d1 correct as I said", "core.correct-nothing"),
        ("rule d1 correct\nset R1 card 10", "core.parse"),
    ):
        assert (await judge.order(battle, lines)).code == code
    assert (await anna.order(battle, "rule d1 correct\nset medals south 2")).code == "core.docket-not-umpire"
    assert (await judge.view(battle))["n"] == n
    assert (await judge.order(battle, "set medals south 2")).code == "core.unreadable"
