"""What a webhook is told: of a public battle who plays and who has won, of any other nothing but that it happened."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from server.people.webhooks import DISCORD, PLAIN, TEST, WHAT
from server.play.announcing import BATTLE
from server.store.tables.closings import REMOVED
from server.store.tables.webhooks import OwnerKind, Told, Webhook
from server.webhooks.body import body_of
from tests.support.serving import RunningServer

ABOUT = "Skirmish at the two woods, Anna and Bob"
PAGE = Path(__file__).parents[3] / "docs" / "http.md"


def hook(form: str = PLAIN, lang: str = "en") -> Webhook:
    return Webhook("h1", OwnerKind.ACCOUNT, "p1", "https://hooks.example/", "hooks.example", form, lang, "", "")


async def told(server: RunningServer, battle: str, what: str, of: Webhook | None = None) -> Any:
    row = Told(1, "h1", what, BATTLE if battle else "", battle, 7 if battle else 0, "")
    body = await body_of(server.running.battles, of or hook(), row)
    return None if body is None else json.loads(body)


async def test_of_a_public_battle_it_says_who_plays_and_who_has_won(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    link = f"{server.running.settings.address}/battles/{battle}"
    said = {
        "what": "turn",
        "battle": battle,
        "n": 7,
        "link": link,
        "text": f"{ABOUT}: It is your turn.",
    }
    assert await told(server, battle, "turn") == said
    assert (await told(server, battle, "ended"))["text"] == f"{ABOUT}: The battle is over."
    assert (await anna.order(battle, "resign")).status == 200
    assert (await told(server, battle, "ended"))["text"] == f"{ABOUT}: The battle is over. Bob has won."
    french = (await told(server, battle, "ended", hook(lang="fr")))["text"]
    assert french.endswith("Anna et Bob\u00a0: La bataille est terminée. Victoire de Bob.")


@pytest.mark.parametrize("readers", ["players", "link"])
@pytest.mark.parametrize("form", [PLAIN, DISCORD])
async def test_of_any_other_it_says_that_something_has_happened(server: RunningServer, readers: str, form: str) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, readers=readers)
    assert (await anna.order(battle, "resign")).status == 200
    for what in WHAT:
        whole = json.dumps(await told(server, battle, what, hook(form)))
        assert battle in whole
        assert not [word for word in ("Skirmish", "Anna", "Bob", "won") if word in whole]


async def test_the_page_of_the_api_shows_what_is_told(server: RunningServer) -> None:
    (shown,) = re.findall(r"```\n(\{\"what\".*?\})\n```", PAGE.read_text(encoding="utf-8"), re.S)
    anna, bob = await server.player("Anna"), await server.player("Bob")
    real = await told(server, await server.battle(anna, bob), "turn")
    assert list(json.loads(shown)) == list(real)


async def test_discord_is_sent_text_and_link_and_no_name_calls_anybody(server: RunningServer) -> None:
    anna = await server.player("Anna")
    bob = await server.player("Bob")
    battle = await anna.open()
    assert (await anna.sit(battle, "south", name="Anna (*)", phrase="sixteen bytes of my own")).status == 201
    assert (await bob.sit(battle, "north", phrase="sixteen bytes of my own")).status == 201
    message = await told(server, battle, "begun", hook(DISCORD))
    assert message.keys() == {"content", "allowed_mentions"}
    assert message["allowed_mentions"] == {"parse": []}
    text, link = message["content"].split("\n")
    assert text == r"Skirmish at the two woods, Anna \(\*\) and Bob\: The battle has begun."
    assert link == f"<{server.running.settings.address}/battles/{battle}>"


async def test_a_test_is_about_no_battle(server: RunningServer) -> None:
    message = await told(server, "", TEST)
    assert message == {
        "what": "test",
        "n": 0,
        "link": f"{server.running.settings.address}/settings/webhooks",
        "text": "A test from localhost: this webhook works.",
    }


async def test_nothing_is_told_of_a_battle_that_is_not_there(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    assert await told(server, "b0000000", "turn") is None
    battle = await server.battle(anna, bob)
    live = await server.running.battles.get(battle)
    live.closed = REMOVED
    assert await told(server, battle, "turn") is None


async def test_other_owners_are_told_in_words_of_nobody_and_a_campaign_by_its_link(server: RunningServer) -> None:
    club = hook()._replace(owner_kind=OwnerKind.CLUB)
    row = Told(1, "h1", "begun", "campaign", "c1", 3, "")
    body = await body_of(server.running.battles, club, row)
    assert body is not None
    link = f"{server.running.settings.address}/campaigns/c1"
    assert json.loads(body) == {"what": "begun", "campaign": "c1", "n": 3, "link": link, "text": "It has begun."}
    battle = await server.battle(await server.player("Anna"), await server.player("Bob"))
    assert (await told(server, battle, "turn", club))["text"] == f"{ABOUT}: A turn has begun."
