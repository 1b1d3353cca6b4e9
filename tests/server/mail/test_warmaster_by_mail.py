"""Whole battles of the shooting phase by mail: a letter for each player turn and question, a reply to each letter."""

import pytest

from benchmarks.correspondence import club_in, fight
from benchmarks.correspondents import script
from domain.events.battle import DecisionMade, OrderAccepted
from replay.proof.verify import verify
from server.play.archive import export_battle


def whole_turn(club, live, side):
    """The answer to a question, or the orders of a player turn below new words for its chance."""
    lines = script(club, live, side)
    return lines if live.known(side).waiting else [f"phrase {club.whims.getrandbits(64):016x}", *lines]


@pytest.mark.slow
@pytest.mark.mail
@pytest.mark.parametrize(
    ("scenario", "asked", "verbs"),
    [("charge-at-dawn", {"fire", "remove", "drive"}, {"charge", "shoot"}), ("engines", {"remove", "drive"}, {"shoot"})],
)
async def test_a_whole_battle_is_fought_by_mail(tmp_path, scenario, asked, verbs):
    """From the mail that opens it to its end; the owner of what is hit answers in the turn of the other."""
    async with club_in(tmp_path, 7) as club:
        count = await fight(club, scenario, 1, whole_turn)
        battle = club.battles.store.battles()[-1].battle
        live = await club.battles.get(battle)
        file = export_battle(club.battles.store, club.battles.keys, battle)
    events = [recorded.event for recorded in live.recording.timeline.events]
    assert count.ended == 1
    assert set(count.verdicts) == {"played"}
    assert {event.kind for event in events if isinstance(event, DecisionMade)} == asked
    assert verbs <= {word for event in events if isinstance(event, OrderAccepted) for word in str(event.text).split()}
    assert verify(file).fault is None
