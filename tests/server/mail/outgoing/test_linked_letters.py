"""A linked campaign tells by letter that orders are wanted, whom one meets, and what a battle has cost."""

from pathlib import Path

from domain.basics.toml_text import to_toml
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import give_lines
from server.acts.campaigns.opening import open_campaign
from server.campaigns.live_campaigns import LiveCampaigns
from server.campaigns.steward import Steward
from tests.server.mail.outgoing.test_campaign_letters import told
from tests.support.campaign_files import LINKED
from tests.support.letter_writing import PHRASE, Arrived, opened


def words(letter: Arrived) -> str:
    """A letter without the ends of its lines."""
    return " ".join(letter.text.split())


async def test_each_step_of_a_node_is_a_letter(tmp_path: Path) -> None:
    async with opened(tmp_path) as at:
        battles = at.battles
        campaigns = LiveCampaigns(at.store, at.clock, battles.entropy, battles.keys, sends=True)
        steward = Steward(campaigns, battles)
        anna, bob = await at.enrol("south", "Anna"), await at.enrol("north", "Bob")
        live = await open_campaign(steward, anna, to_toml(LINKED))
        for player in (anna, bob):
            await enter_campaign(steward, player, live, CampaignEntry(phrase=PHRASE, channel="mail"))
        await give_lines(steward, anna, live, "begin", "k")
        (letter,) = await told(at, "north")
        assert letter["Subject"] == "Hannibal in Italy: orders for The Trebia"
        assert "recruit, rest, ransom, then ready" in words(letter)
        assert "rest F2 N1" in words(letter)
        for player in (anna, bob):
            await give_lines(steward, player, live, "ready", "r")
        *_, letter = await told(at, "north")
        assert "you meet Anna" in letter["Subject"] and "The Trebia" in words(letter)
        line = "table 1.1 carthage kept 200 600 lost R1 worn N1"
        for player in (anna, bob):
            (answer,) = await give_lines(steward, player, live, line, "t")
            assert answer.refusal is None
        *_, letter = await told(at, "south")
        assert "Your army: R1" in words(letter) and "You have 15 points to spend." in words(letter)
        assert "Bob has won the node, and chooses the way." in words(letter)
        assert "Orders for Cannae are wanted" in words(letter)
        at.clock.wait(days=10)
        await steward.settle()
        *_, letter = await told(at, "south")
        assert letter["Subject"] == "Hannibal in Italy: orders are late"
