"""Whole battles of Singidunum by mail: a letter for each action, a reply to each letter."""

import pytest

from benchmarks.correspondence import club_in, fight
from domain.events.battle import OrderAccepted
from domain.run.bots import BOTS


def one_order(club, live, side):
    """What a bot orders next, below new words for the chance of the turn."""
    known = live.known(side)
    line = BOTS["sensible"](live.ruleset, known, side, live.options(side), club.chance)
    return [line] if known.waiting else [f"phrase {club.whims.getrandbits(64):016x}", line]


@pytest.mark.slow
@pytest.mark.mail
@pytest.mark.parametrize("scenario", ["ambush", "quick"])
async def test_a_whole_battle_is_fought_by_mail(tmp_path, scenario):
    """From the mail that opens it to its end; `accept` answers an attack, though it is a word of the desk, too."""
    async with club_in(tmp_path, 7) as club:
        count = await fight(club, scenario, 1, one_order)
        battle = club.battles.store.battles()[-1].battle
        live = await club.battles.get(battle)
        events = [recorded.event for recorded in live.recording.timeline.events]
        texts = [event.text for event in events if isinstance(event, OrderAccepted)]
    assert count.ended == 1
    assert set(count.verdicts) == {"played"}
    assert "accept" in texts
