"""A campaign tells people by letter whom they meet, what was counted, and that somebody is late, before any default."""

from pathlib import Path

from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import give_lines
from server.acts.campaigns.opening import open_campaign
from server.campaigns.live_campaigns import LiveCampaigns
from server.campaigns.steward import Steward
from server.store.tables.outbox import LetterKind
from tests.support.letter_writing import PHRASE, Arrived, Office, opened

CUP = """
campaign = "cup"
title = "Spring Cup"
ruleset = "tts"
[cup]
system = "knock-out"
[time]
show = "3d"
grace = "1d"
[battle]
scenario = "skirmish"
"""


async def begun(at: Office, **wishes: str) -> Steward:
    """A cup of Anna and Bob that has begun."""
    battles = at.battles
    campaigns = LiveCampaigns(at.store, at.clock, battles.entropy, battles.keys, sends=True)
    steward = Steward(campaigns, battles)
    anna, bob = await at.enrol("south", "Anna"), await at.enrol("north", "Bob", **wishes)
    live = await open_campaign(steward, anna, CUP)
    for player in (anna, bob):
        await enter_campaign(steward, player, live, CampaignEntry(phrase=PHRASE, channel="mail"))
    await give_lines(steward, anna, live, "begin", "k")
    await steward.settle()
    return steward


async def told(at: Office, side: str) -> list[Arrived]:
    """The letters of the campaign to a player, in order."""
    rows = [row for row in at.rows(side) if row.kind.startswith(LetterKind.CAMPAIGN)]
    return [await at.letter(row) for row in rows]


async def test_a_player_is_told_whom_they_meet_and_where(tmp_path: Path) -> None:
    async with opened(tmp_path) as at:
        steward = await begun(at)
        (letter,) = await told(at, "south")
        assert letter["Subject"] == "Spring Cup, round 1: you meet Bob"
        (board,) = (await steward.campaigns.get(letter_campaign(at))).state.boards.values()
        assert "you against Bob" in letter.text
        assert f"/battles/{board.battle}" in letter.text
        assert "/campaigns/" in letter.text


async def test_both_are_told_who_is_late_and_then_of_the_default_and_the_end(tmp_path: Path) -> None:
    async with opened(tmp_path) as at:
        steward = await begun(at, lang="fr")
        at.clock.wait(days=3)
        await steward.settle()
        at.clock.wait(days=1)
        await steward.settle()
        letters = await told(at, "south")
        assert "no first word yet from Bob, Anna" in " ".join(letters[1].text.split())
        assert "lost by both, by default" in " ".join(letters[2].text.split())
        french = await told(at, "north")
        assert "rien encore de Bob, Anna" in " ".join(french[1].text.split())


async def test_who_wants_no_letters_gets_none(tmp_path: Path) -> None:
    async with opened(tmp_path) as at:
        await begun(at, delivery="none")
        (row,) = [row for row in at.rows("north") if row.kind.startswith(LetterKind.CAMPAIGN)]
        assert await at.writer.compose(row) is None
        assert len(await told(at, "south")) == 1


def letter_campaign(at: Office) -> str:
    """The campaign that the letters are about."""
    return at.rows("south")[0].kind.partition(":")[2].split(".")[0]
