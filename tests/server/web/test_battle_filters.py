"""Lists of battles are narrowed by what a query asks for, page by page."""

import re
from typing import Any

import pytest

from replay.proof.verify import verify
from tests.server.web.pages.visiting import visitor_of
from tests.support.looping import some
from tests.support.serving import BATTLES, PHRASE, Caller, RunningServer

BAD = {
    "status=odd": "core.bad-query",
    "player=%3Cb%3E": "core.bad-query",
    "since=yesterday": "core.bad-query",
    "since=20261123": "core.bad-query",
    "until=9999-12-31": "core.bad-query",
    "until=1999-12-31": "core.bad-query",
    f"words={'x' * 61}": "core.bad-query",
    "tag=two%20words": "core.bad-query",
    f"tag={'x' * 25}": "core.bad-query",
    "before=once": "core.bad-query",
    "limit=201": "core.bad-query",
    "game=chess": "core.unknown-ruleset",
    "scenario=nowhere": "core.unknown-scenario",
}


async def listed(caller: Caller, query: str) -> list[str]:
    """The ids that a query finds."""
    reply = await caller.get(f"{BATTLES}?{query}")
    assert reply.status == 200, reply
    return [row["battle"] for row in reply.json["battles"]]


async def test_each_filter_narrows_the_list(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    skirmish = await server.battle(anna, bob)
    cannae = await bob.open("cannae")
    day = (await anna.view(skirmish))["created"][:10]
    found = {
        "game=tts": {skirmish, cannae},
        "scenario=cannae": {cannae},
        "scenario=skirmish&game=tts": {skirmish},
        f"player={anna.player}": {skirmish},
        "status=waiting": {cannae},
        "status=running": {skirmish},
        "status=ended": set(),
        f"since={day}&until={day}": {skirmish, cannae},
        "until=2001-01-01": set(),
        "since=2999-01-01": set(),
        "words=two+woods": {skirmish},
        "status=waiting&scenario=skirmish": set(),
    }
    for query, wanted in some(found.items()):
        assert set(await listed(server.stranger, query)) == wanted, query


async def test_one_s_own_lists_are_narrowed_too_and_show_nobody_else_s(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    hers = await anna.open(readers="players")
    await anna.sit(hers, "south", phrase="sixteen bytes of my own")
    played = await server.battle(anna, bob)
    assert await listed(anna, "mine&status=waiting") == [hers]
    assert await listed(anna, f"mine&player={bob.player}") == [played]
    assert await listed(anna, "waiting&scenario=cannae") == []
    assert hers not in await listed(bob, f"player={anna.player}")
    assert hers not in await listed(bob, "scenario=skirmish")


async def test_pages_neither_repeat_nor_hide_while_battles_are_opened(server: RunningServer) -> None:
    anna = await server.player("Anna")
    opened = [await anna.open() for _ in range(5)]
    await anna.open("cannae")
    seen: list[str] = []
    address: Any = f"{BATTLES}?scenario=skirmish&limit=2"
    while address:
        reply = await server.stranger.get(address)
        seen += [row["battle"] for row in reply.json["battles"]]
        await anna.open()
        address = reply.headers.get("Link", "").partition(">")[0].removeprefix("<")
    assert set(opened) <= set(seen)
    assert len(seen) == len(set(seen))


@pytest.mark.parametrize("query", BAD)
async def test_a_bad_filter_is_refused(server: RunningServer, query: str) -> None:
    reply = await server.stranger.get(f"{BATTLES}?{query}")
    assert reply.code == BAD[query]
    assert reply.status in (400, 404, 422)


async def test_lists_are_narrowed_by_a_tag_page_by_page(server: RunningServer) -> None:
    anna = await server.player("Anna")
    both = [await anna.open(tags=["Spring-League", "night"]), await anna.open(tags=["spring-league"])]
    other = await anna.open(tags=["spring"])
    assert await listed(anna, "tag=spring-league") == both[::-1]
    assert await listed(anna, "tag=NIGHT") == both[:1] and await listed(anna, "tag=spring") == [other]
    first = await anna.get(f"{BATTLES}?tag=spring-league&limit=1")
    assert [row["tags"] for row in first.json["battles"]] == [["spring-league"]]
    follow = re.search("<([^>]+)>", first.headers["Link"])
    assert follow is not None
    assert [row["battle"] for row in (await anna.get(follow[1])).json["battles"]] == both[:1]


@pytest.mark.parametrize("tags", [["a b"], ["é"], [""], ["x" * 25], ["a-"], list("abcdef")])
async def test_what_is_no_tag_is_refused_and_opens_nothing(server: RunningServer, tags: list[str]) -> None:
    anna = await server.player("Anna")
    assert (await anna.post(BATTLES, {"scenario": "skirmish", "tags": tags})).code == "core.bad-tags"
    assert await listed(anna, "limit=5") == []


async def test_tags_stand_in_the_log_only_where_there_are_some(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    tagged, plain = await server.battle(anna, bob, tags=["b", "a", "A"]), await server.battle(anna, bob)
    assert '"tags":["a","b"]' in (await anna.get(f"{BATTLES}/{tagged}/events")).text
    assert '"tags"' not in (await anna.get(f"{BATTLES}/{plain}/events")).text
    assert verify(await anna.export(tagged)).fault is None


async def test_the_page_takes_tags_and_narrows_by_them(server: RunningServer) -> None:
    his = await visitor_of(server, await server.player("Bob"))
    await his.send("/battles", scenario="tts/skirmish", tags="night, spring-league", opponent="person", phrase=PHRASE)
    found = await his.get("/watch?tag=night")
    (battle,) = set(re.findall(r'href="/battles/(\w+)"', found.text))
    shown = await his.get(f"/battles/{battle}")
    assert 'href="/watch?tag=night"' in shown.text and 'href="/watch?tag=spring-league"' in shown.text
    assert (await server.stranger.view(battle))["tags"] == ["night", "spring-league"]
    assert 'href="/watch?tag=spring-league"' in found.text and 'value="night"' in found.text
    assert 'href="/watch?tag=night"' not in (await his.get("/watch?tag=day")).text
    refused = await his.send("/battles", scenario="tts/skirmish", tags="é", opponent="person", phrase=PHRASE)
    assert refused.status == 422
