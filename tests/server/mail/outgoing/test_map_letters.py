"""A power on a map gets one letter a turn, with everything that its orders need, in sixty lines."""

from pathlib import Path
from typing import Any

import pytest

from domain.basics.data import example_text
from domain.catalogue import RULESETS
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import give_lines
from server.acts.campaigns.opening import open_campaign
from server.campaigns.live_campaigns import LiveCampaigns
from server.campaigns.steward import Steward
from server.store.tables.outbox import LetterKind
from tests.support.letter_writing import Arrived, Office, opened

MOST_LINES, COLUMNS = 60, 76
PHRASE = "sixteen bytes of my own"


async def letters(at: Office, **wishes: Any) -> list[Arrived]:
    """The letters of a campaign on Sicily to Anna of Carthage, who plays two bots, behind its first turn."""
    battles = at.battles
    steward = Steward(LiveCampaigns(at.store, at.clock, battles.entropy, battles.keys, sends=True), battles)
    anna = await at.enrol("south", "Anna", **wishes)
    live = await open_campaign(steward, anna, example_text("tts/sicily", RULESETS))
    await enter_campaign(steward, anna, live, CampaignEntry(phrase=PHRASE, channel="mail"))
    for _ in range(2):
        await enter_campaign(steward, anna, live, CampaignEntry(bot="sensible"))
    await give_lines(steward, anna, live, "begin", "first")
    await steward.settle()
    force = next(force for force in live.state.theatre.standing() if force.power == live.state.players[anna.id])
    answers = await give_lines(steward, anna, live, f"hold {force.id}\nready", "second", phrase=PHRASE)
    assert all(answer.refusal is None for answer in answers), answers
    await steward.settle()
    rows = [row for row in at.rows("south") if row.kind.startswith(LetterKind.CAMPAIGN)]
    return [await at.letter(row) for row in rows]


@pytest.mark.rule("CAM-ORD-02", "CAM-MAP-04")
async def test_a_turns_letter_has_all_that_its_orders_need(tmp_path: Path) -> None:
    async with opened(tmp_path) as at:
        first = (await letters(at, picture=True))[0]
    assert first["Subject"] == "Sicily, 264: turn 1"
    lines = first.text.splitlines()
    assert len(lines) <= MOST_LINES, first.text
    assert max(map(len, lines)) <= COLUMNS
    words = " ".join(first.text.split())
    for part in ("Your forces", "in supply", "Treasury: 8 points.", "Orders until", "Where they can go", "/map"):
        assert part in words, first.text
    assert "@Carthago:C" in first.text
    assert "| march " in first.text
    assert first.part("image/png") is not None


async def test_the_letter_of_a_later_turn_tells_what_has_happened_and_speaks_french(tmp_path: Path) -> None:
    async with opened(tmp_path) as at:
        found = await letters(at, lang="fr")
    assert found[0]["Subject"].startswith("Sicily, 264")
    assert "Vos forces" in found[0].text
    assert "Trésor" in found[0].text
