"""The webhooks of a player on a page of their settings, without a script."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from server.store.tables import webhooks
from server.store.tables.webhooks import HookOwner, OwnerKind
from server.web.auth import FRESH_S
from tests.server.web.pages.test_login_form import let_pass
from tests.server.web.pages.visiting import OWN, Visitor, visitor_of
from tests.support.serving import PHRASE, RunningServer, serving

PAGE = "/settings/webhooks"
URL = "https://hooks.example/in?key=hidden-there"


@pytest_asyncio.fixture(loop_scope="session")
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    async with serving(tmp_path / "data", mail=True) as running:
        yield running


async def test_one_is_added_and_its_secret_is_shown_once(server: RunningServer) -> None:
    anna = await server.player("Anna")
    visitor = await visitor_of(server, anna)
    assert PAGE in (await visitor.get("/settings")).text
    made = await visitor.send(PAGE, do="make", url=URL, form="discord", what="turn")
    (secret,) = re.findall(r'value="([0-9a-f]{64})"', made.text)
    page = await visitor.get(PAGE)
    assert "hooks.example" in page.words and "It has been told nothing yet." in page.words
    assert secret not in page.text and "hidden-there" not in page.text
    (hook,) = webhooks.of_owner(server.running.store, HookOwner(OwnerKind.ACCOUNT, anna.player))
    assert (hook.form, hook.whats, hook.url) == ("discord", ("turn",), URL)


async def test_what_was_wrong_is_said_and_what_was_written_stays(server: RunningServer) -> None:
    visitor = await visitor_of(server, await server.player("Anna"))
    page = await visitor.send(PAGE, do="make", url="http://hooks.example/in", form="plain", what="ended")
    assert page.status == 422 and "A webhook has an address" in page.words
    assert 'value="http://hooks.example/in"' in page.text
    assert re.findall(r'name="what" value="(\w+)" checked', page.text) == ["ended"]


async def test_without_a_login_of_late_none_is_added(server: RunningServer) -> None:
    anna = await server.player("Anna")
    visitor = await visitor_of(server, anna)
    let_pass(server, seconds=FRESH_S + 1)
    page = await visitor.ask("POST", PAGE, OWN, {"do": "make", "url": URL, "what": "turn", "form": "plain"})
    assert (page.status, page.headers["Location"]) == (303, "/prove")
    assert 'name="url"' not in (await visitor.get(PAGE)).text
    assert webhooks.census(server.running.store).all == 0


async def test_it_says_what_came_of_the_last_and_switches_on_again(server: RunningServer) -> None:
    anna, store = await server.player("Anna"), server.running.store
    visitor, owner = await visitor_of(server, anna), HookOwner(OwnerKind.ACCOUNT, anna.player)
    await visitor.send(PAGE, do="make", url=URL, form="plain", what="turn")
    (hook,) = webhooks.of_owner(store, owner)
    tried = await visitor.ask("POST", PAGE, OWN, {"do": "test", "hook": hook.id})
    assert (tried.status, tried.headers["Location"]) == (303, PAGE)
    told, now = webhooks.first_for(store, hook.id), server.running.clock.now()
    assert told is not None
    await store.write(webhooks.failed(told, now, 503, "", now))
    assert "The answer had the code 503." in (await visitor.get(PAGE)).words
    for error in ("unknown-host", "private-address", "timeout", "tls", "no-answer"):
        await store.write(webhooks.failed(told, now, 0, error, now))
        page = await visitor.get(PAGE)
        assert "pages.webhooks" not in page.text and "Try again now" in page.words
    await store.write(*webhooks.switch_off(hook.id, now))
    page = await visitor.get(PAGE)
    assert "Switch it on again" in page.words and "Send a test" not in page.words
    await visitor.send(PAGE, do="on", hook=hook.id)
    assert "Switch it on again" not in (await visitor.get(PAGE)).words
    await visitor.send(PAGE, do="remove", hook=hook.id)
    assert webhooks.census(store).all == 0


async def test_a_guest_is_told_what_is_missing(server: RunningServer) -> None:
    guest = Visitor(server)
    await guest.send("/battles", scenario="tts/skirmish", name="Cato", phrase=PHRASE)
    page = await guest.get(PAGE)
    assert "set yours in the settings first" in page.words and 'name="url"' not in page.text
    assert (await guest.send(PAGE, do="make", url=URL, form="plain", what="turn")).status == 403


async def test_an_administrator_sees_how_many_there_are_and_nothing_else(server: RunningServer) -> None:
    visitor = await visitor_of(server, await server.player("Anna"))
    await visitor.send(PAGE, do="make", url=URL, form="plain", what="turn")
    host = await server.administrator("Host")
    page = (await host.get("/admin")).text
    assert re.search(r'id="webhooks">Webhooks</h2>\s*<dl>\s*<div><dt>All</dt><dd>1</dd>', page)
    assert "hooks.example" not in page


async def test_those_of_a_club_are_on_a_page_of_its_own_for_its_organisers(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    club = (await anna.post("/api/v1/clubs", {"club": "leeds", "name": "Leeds Night Owls"})).json
    await bob.post("/api/v1/clubs/leeds/members", {"token": club["token"]})
    of_club = "/clubs/leeds/webhooks"
    visitor = await visitor_of(server, anna)
    assert of_club in (await visitor.get("/clubs/leeds")).text
    made = await visitor.send(of_club, do="make", url=URL, form="discord", what="begun")
    assert re.findall(r'value="([0-9a-f]{64})"', made.text) and "Leeds Night Owls" in made.words
    assert 'value="turn"' not in made.text, "a club has no turn"
    (hook,) = webhooks.of_owner(server.running.store, HookOwner(OwnerKind.CLUB, "leeds"))
    assert hook.whats == ("begun",)
    gone = await visitor.ask("POST", of_club, OWN, {"do": "remove", "hook": hook.id})
    assert (gone.status, gone.headers["Location"]) == (303, of_club)
    other = await visitor_of(server, bob)
    assert (await other.get(of_club)).status == 403
    assert of_club not in (await other.get("/clubs/leeds")).text
