"""Letters to those who have come, wait or had to go, and of what was ruled: as they read in both languages."""

from pathlib import Path

import pytest

from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import ACCEPTED_LINE, give_lines
from server.acts.campaigns.opening import open_campaign
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.live_campaigns import LiveCampaigns
from server.campaigns.steward import Steward
from server.mail.outgoing.letters import LetterWriter
from server.people.players import Player
from server.store.tables import outbox
from server.store.tables.outbox import LetterKind
from tests.server.mail.outgoing.test_campaign_letters import CUP, told
from tests.support.ladders import ServedLadder
from tests.support.letter_writing import PHRASE, Arrived, Office, opened, require_same
from tests.support.serving import serving

SWISS = CUP.replace('system = "knock-out"', 'system = "swiss"\nrounds = 1')


def as_snapshot(letters: list[Arrived], *names: str) -> str:
    """Subjects and texts; what is drawn by chance stands as a dot."""
    text = "\n=====\n".join(f"{one['Subject']}\n\n{one.text}" for one in letters)
    for name in names:
        text = text.replace(name, "…")
    return "\n".join(line if "/unsubscribe/" not in line else "…" for line in text.split("\n"))


async def said(steward: Steward, player: Player, live: LiveCampaign, line: str) -> None:
    """A line that is accepted."""
    (answer,) = await give_lines(steward, player, live, line, line)
    assert answer.status == ACCEPTED_LINE, answer


async def played(at: Office, lang: str) -> tuple[dict[str, Player], str]:
    """A cup of two pairs with a reserve: an umpire takes points, expels one and moves the deadline."""
    steward = Steward(LiveCampaigns(at.store, at.clock, at.battles.entropy, at.battles.keys, sends=True), at.battles)
    names = {"olga": "Olga", "south": "Anna", "north": "Bob", "third": "Cato", "fourth": "Dido", "reserve": "Enna"}
    people = {side: await at.enrol(side, name, lang=lang) for side, name in names.items()}
    live = await open_campaign(steward, people["olga"], SWISS)
    for side in ("south", "north", "third", "fourth"):
        channel = "page" if side == "south" else "mail"
        await enter_campaign(steward, people[side], live, CampaignEntry(phrase=PHRASE, channel=channel))
    await enter_campaign(steward, people["reserve"], live, CampaignEntry(is_reserve=True))
    await said(steward, people["olga"], live, "begin")
    await steward.settle()
    await said(steward, people["olga"], live, "penalty p1 1 because the list was late")
    await said(steward, people["olga"], live, "expel p2 because nobody has heard of them")
    await said(steward, people["reserve"], live, "take p2")
    return people, live.id


@pytest.mark.rule("CAM-PPL-02", "CAM-RUL-01")
@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_who_comes_waits_goes_or_is_ruled_upon_is_told(lang: str, tmp_path: Path) -> None:
    async with opened(tmp_path) as at:
        _, campaign = await played(at, lang)
        entered, _, ruled = await told(at, "south")
        *_, gone = await told(at, "north")
        waits, vacant, taken = await told(at, "reserve")
        assert not await told(at, "olga")
        require_same(f"people_{lang}.txt", as_snapshot([entered, ruled, gone, waits, vacant, taken], campaign))


@pytest.mark.rule("CAM-RAT-03")
async def test_who_has_fought_in_a_ladder_is_told_the_new_rating(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", mail=True) as server:
        ladder = await ServedLadder.opened(server)
        await ladder.rated_battle("Anna", "Bob")
        writer = LetterWriter(server.running.battles, server.running.acts.addresses)
        for name, words in (("Anna", "now (+162)."), ("Bob", "(−162).")):
            player = ladder.people[name].id
            rows = [row for row in outbox.unsent(server.running.store) if row.recipient == player]
            composed = await writer.compose([row for row in rows if row.kind.startswith(LetterKind.CAMPAIGN)][-1])
            assert composed is not None
            assert words in " ".join(Arrived(composed).text.split())
