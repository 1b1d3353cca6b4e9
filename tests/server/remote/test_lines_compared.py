"""Which lines of a request a player's own program compares with the log: those that stand there as they are sent."""

import pytest

from domain.events.battle import Seen
from server.remote.connection import BattleNow
from server.remote.play import _texts


def battle(ruleset: str) -> BattleNow:
    """What a server tells of a battle that goes on."""
    return BattleNow(
        battle="b",
        ruleset=ruleset,
        title="",
        n=9,
        begun=True,
        phase="turns",
        turn=1,
        t=1,
        to_act=("south",),
        waiting=None,
        draw_offer="",
        winner=None,
        how="",
        seats={},
        side="south",
        clocks={},
        parked=(),
        head=Seen(hash="", n=9),
        receipt="",
    )


@pytest.mark.parametrize(
    ("ruleset", "orders", "compared"),
    [
        ("tts", "R1 ahead\nR2 vers D3", {1: "R1 ahead", 2: "R2 to D3"}),
        ("stp", "A1 move 5\nA3 level with A1\nA2 avance 4,5", {1: "A1 move 5", 3: "A2 move 4.5"}),
        ("stp", "group A1 ahead + A2 ahead\nend turn", {2: "end turn"}),
    ],
)
def test_a_line_whose_figures_the_server_finds_is_not_compared(ruleset, orders, compared):
    assert _texts(battle(ruleset), orders, is_signed=False) == (compared, "")


def test_a_signed_line_is_compared_as_it_was_signed():
    assert _texts(battle("stp"), "A3 level with A1", is_signed=True) == ({1: "A3 level with A1"}, "")
