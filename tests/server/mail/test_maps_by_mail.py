"""Map, ledger and reasons of a campaign by mail, as the pages and the command line tell them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from replay.drawing.atlas.text import COLUMNS
from server.campaigns.live_campaign import LiveCampaign
from server.mail.verdict import Verdict
from server.people.players import Player
from tests.server.mail.office import OWN_SERVER, Office, opened, text_of
from tests.support.served_maps import NAMES, TITLE, ServedMap


class MapByMail:
    """A small map, of which Anna's power is red; she writes mails."""

    def __init__(self, office: Office, served: ServedMap) -> None:
        self.office, self.served = office, served

    @property
    def live(self) -> LiveCampaign:
        return self.served.live

    async def writes(self, text: str, name: str = "Anna") -> tuple[Verdict, str]:
        """A mail to the server's own address, and what is written back."""
        results = {"Authentication_Results": f"{OWN_SERVER}; dkim=pass header.d=example.test"}
        raw = self.office.written("play@phalera.test", text, f"{name.lower()}@example.test", None, **results)
        verdict = await self.office.accept(raw)
        return verdict, text_of((await self.office.letters(name))[-1])

    async def answers(self, text: str) -> tuple[Verdict, str]:
        """An answer to a letter of the campaign to Anna."""
        letters = await self.office.letters("Anna")
        letter = next(one for one in letters if str(one["Subject"]).startswith(TITLE))
        verdict = await self.office.accept(self.office.reply(letter, text))
        return verdict, text_of((await self.office.letters("Anna"))[0])


@pytest.fixture
async def small_map(tmp_path: Path) -> AsyncIterator[MapByMail]:
    async with opened(tmp_path / "data") as office:
        accounts = [await office.enrol(name) for name in NAMES]
        office.players.update(south=accounts[0], north=accounts[1])
        people = [Player(account.player, name) for account, name in zip(accounts, NAMES, strict=True)]
        yield MapByMail(office, await ServedMap.begun(office.parts.desk.steward, people))


def refused(verdict: Verdict) -> str:
    message = verdict.requests[0].message
    return message.id if message else ""


@pytest.mark.rule("CAM-MAP-02")
async def test_the_map_is_told_as_it_lies_and_after_a_turn(small_map: MapByMail) -> None:
    await small_map.served.say("red", "march F1 ford\nready")
    await small_map.served.ready("rose", "blue")
    verdict, told = await small_map.answers("map")
    assert verdict.requests[0].args == (small_map.live.id,)
    assert "The Ford:Re F1" in told and "F1 marches from West to The Ford" in told and "| march F1 east" in told
    assert max(map(len, told.splitlines())) <= COLUMNS + 8
    _, told = await small_map.writes(f"map {small_map.live.id} 1")
    assert "The Ford:Re F1" in told
    verdict, _ = await small_map.writes(f"map {TITLE.lower()} 7")
    assert refused(verdict) == "campaign.no-such-turn"


@pytest.mark.rule("CAM-CAR-06")
async def test_the_ledger_is_told_whole_by_force_and_by_element(small_map: MapByMail) -> None:
    verdict, told = await small_map.answers("registre f1 Z9\nledger")
    assert refused(verdict) == "core.unknown-id"
    assert "F1" in told and "F2" in told
    _, told = await small_map.writes(f"ledger {TITLE} f2 k1")
    assert "Legionaries K1" in told and "/ledger/F2/K1" in told
    verdict, _ = await small_map.writes("ledger F9")
    assert refused(verdict) == "campaign.no-such-force"


async def test_reasons_of_a_campaign_are_told_with_their_rules(small_map: MapByMail) -> None:
    verdict, told = await small_map.answers("why red\nwhy 9.9")
    assert "[CAM-RND-02]" in told
    message = verdict.requests[1].message
    assert message is not None and message.id == "campaign.no-such-board"
    verdict, told = await small_map.writes(f"why {small_map.live.id} red")
    assert verdict.requests[0].args == (small_map.live.id, "red")
    assert "[CAM-RND-02]" in told
    verdict, _ = await small_map.writes("why 9.9")
    assert refused(verdict) == "campaign.no-such-board"


async def test_what_is_not_there_is_said(small_map: MapByMail) -> None:
    verdict, _ = await small_map.writes("map Another Title")
    assert refused(verdict) == "desk.campaign-title"
    verdict, _ = await small_map.writes(f"why {small_map.live.id}")
    assert refused(verdict) == "desk.why-campaign"
    await small_map.office.begin()  # a battle of Anna's
    await small_map.office.letters()
    verdict, told = await small_map.writes(f"map {small_map.office.live.id}")
    assert verdict.requests[0].name == "board" and "R1" in told
