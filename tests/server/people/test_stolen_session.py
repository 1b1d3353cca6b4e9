"""Somebody has got hold of an open session, or of a token. They can add nothing, are seen, and are put out."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.mail.outgoing.carrier import carrier_of
from server.mail.outgoing.postman import Postman
from server.store.tables import accounts, feeds, mail_tokens, notices, outbox, passkeys, tokens
from server.store.tables.outbox import Letter
from server.web.auth import COOKIE, FRESH_S
from server.web.keys import STREAMS
from tests.server.people.test_passkeys import ORIGIN, URL, Browser
from tests.server.people.test_tokens import Said
from tests.server.web.pages.test_login_form import let_pass
from tests.server.web.pages.visiting import OWN, Visitor, visitor_of
from tests.support.authenticator import Authenticator
from tests.support.serving import BATTLES, Caller, Reply, RunningServer, serving
from tests.support.waiting import eventually

SOON = FRESH_S + 1


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server that sends letters and takes passkeys."""
    async with serving(tmp_path / "data", mail=True, url=URL) as running:
        yield running


def notes(server: RunningServer) -> list[Letter]:
    """The letters about accounts that have not gone."""
    return [row for row in outbox.unsent(server.running.store) if row.kind.startswith("notice:")]


async def told(server: RunningServer, row: Letter) -> tuple[str, str]:
    """To whom a letter goes, and its words."""
    composed = await server.mail.writer.compose(row)
    assert composed is not None
    content = composed.message.get_body(("plain",))
    assert content is not None
    return composed.recipient, " ".join(content.get_content().split())


async def stolen(server: RunningServer, caller: Caller) -> Visitor:
    """The browser of a thief, with a session that its player has opened some time ago."""
    thief = await visitor_of(server, caller)
    let_pass(server, seconds=SOON)
    return thief


def browser_of(server: RunningServer, visitor: Visitor, seed: str = "device") -> Browser:
    return Browser(server, Authenticator(ORIGIN, seed), visitor.cookies[COOKIE])


async def wants(server: RunningServer, visitor: Visitor) -> Reply:
    """What a browser is told that wants a passkey."""
    return await browser_of(server, visitor).say("/passkeys/new", {"name": "Mine"})


async def link_of(server: RunningServer, caller: Caller) -> str:
    """The path of the link in the newest letter by which a player logs in."""
    row = next(row for row in reversed(outbox.unsent(server.running.store)) if row.kind.startswith("login:"))
    assert row.recipient == caller.player
    _, words = await told(server, row)
    found = re.search(r"/login/\w+", words)
    assert found
    return found[0]


# --- nothing is added


async def test_a_thief_adds_nothing(server: RunningServer) -> None:
    anna = await server.player("Anna")
    thief = await stolen(server, anna)
    added = await wants(server, thief)
    assert (added.status, added.code) == (403, "core.proof-needed")
    for path, form in (
        ("/settings", {"do": "address", "address": "eve@example.net"}),
        ("/settings/feeds", {"do": "make"}),
    ):
        page = await thief.ask("POST", path, OWN, form)
        assert (page.status, page.headers["Location"]) == (303, "/phalera/prove")
    store = server.running.store
    assert not passkeys.of_player(store, anna.player) and not feeds.issued(store, anna.player)
    assert [row for row in outbox.unsent(store) if row.kind.startswith("confirm")] == []
    page = await thief.get("/settings")
    assert 'id="passkey-new"' not in page.text and 'name="address"' not in page.text
    assert page.words.count("Confirm that it is you") == 2


async def test_a_token_of_a_program_adds_nothing(server: RunningServer) -> None:
    anna = await server.player("Anna")
    headers = {**anna.headers, "Sec-Fetch-Site": "same-origin"}
    form = {"do": "address", "address": "eve@example.net"}
    reply = await server.stranger.ask("POST", "/settings", headers, data=form, allow_redirects=False)
    assert reply.headers["Location"].endswith("/prove")
    reply = await server.stranger.ask("POST", "/passkeys/new", headers, json={"name": "Mine"})
    assert reply.code == "core.proof-needed"


async def test_the_proof_of_the_owner_is_none_of_the_thief(server: RunningServer) -> None:
    anna = await server.player("Anna")
    thief = await stolen(server, anna)
    assert "A letter is on its way" in (await thief.send("/prove")).words
    owner = Visitor(server)
    await owner.ask("POST", await link_of(server, anna), OWN)
    assert (await wants(server, thief)).code == "core.proof-needed"
    assert (await browser_of(server, owner).add()).status == 200
    let_pass(server, seconds=SOON)
    assert (await wants(server, owner)).code == "core.proof-needed"


async def test_a_login_in_the_same_browser_takes_the_place_of_the_session(server: RunningServer) -> None:
    anna = await server.player("Anna")
    owner = await stolen(server, anna)
    before = owner.cookies[COOKIE]
    await owner.send("/prove")
    page = await owner.ask("POST", await link_of(server, anna), OWN)
    assert page.headers["Location"] == "/phalera/settings"
    assert 'id="passkey-new"' in (await owner.get("/settings")).text
    assert tokens.find(server.running.store, before) is None


async def test_a_passkey_is_the_proof_of_a_guest(server: RunningServer) -> None:
    guest = Visitor(server)
    await guest.send("/battles", scenario="tts/skirmish", name="Gaia", opponent="person")
    device = browser_of(server, guest)
    assert (await device.add()).status == 200
    let_pass(server, seconds=SOON)
    thief = Visitor(server, guest.cookies[COOKIE])
    for path, form in (("/settings", {"do": "key"}), ("/logout/key", {})):
        assert (await thief.ask("POST", path, OWN, form)).headers["Location"] == "/phalera/prove"
    (kept,) = passkeys.of_player(server.running.store, accounts.listed(server.running.store)[0].player)
    assert (await thief.ask("POST", "/passkeys/remove", OWN, {"passkey": kept.id})).status == 403
    await thief.ask("POST", "/logout", OWN, {"everywhere": "yes", "sure": "yes", "passkeys": "yes"})
    assert passkeys.of_player(server.running.store, kept.player)  # the only way back stays
    assert (await device.log_in()).status == 200
    assert (await Visitor(server, device.session).ask("POST", "/settings", OWN, {"do": "key"})).status == 200


async def test_a_guest_with_nothing_but_the_cookie_is_not_asked(server: RunningServer) -> None:
    guest = Visitor(server)
    await guest.send("/battles", scenario="tts/skirmish", name="Gaia", opponent="person")
    let_pass(server, seconds=SOON)
    assert "/login/" in (await guest.send("/settings", do="key")).text


# --- letters


async def test_what_is_added_is_told_by_letter_and_on_the_page(server: RunningServer) -> None:
    anna = await server.player("Anna")
    owner = await visitor_of(server, anna)
    assert (await browser_of(server, owner).add("Laptop")).status == 200
    await owner.send("/settings/feeds", do="make")
    assert Said("token", "Anna", "--data", server.running.settings.data).code == 0
    letters = [await told(server, row) for row in notes(server)]
    assert [to for to, _ in letters] == ["Anna@example.org"] * 3
    for said, (_, words) in zip(("“Laptop”", "programs read what waits", "API token"), letters, strict=True):
        assert said in words and "Revoke all" in words and "/settings" in words
    page = await owner.get("/settings")
    assert "Passkey “Laptop” added." in page.words and "API token and login link made" in page.words


async def test_a_letter_is_in_the_language_of_its_player(server: RunningServer) -> None:
    anna = await server.player("Anna")
    owner = await visitor_of(server, anna)
    await owner.send("/settings", do="save", language="fr", zone="UTC")
    await browser_of(server, owner).add("Portable")
    (row,) = notes(server)
    assert "Une clé d’accès, « Portable »" in (await told(server, row))[1]


async def test_the_old_address_is_told_of_the_new_one(server: RunningServer) -> None:
    anna = await server.player("Anna")
    owner = await visitor_of(server, anna)
    await owner.send("/settings", do="address", address="anna@elsewhere.example")
    row = next(row for row in outbox.unsent(server.running.store) if row.kind.startswith("confirm"))
    to, words = await told(server, row)
    found = re.search(r"/confirm/\w+", words)
    assert to == "anna@elsewhere.example" and found
    await Visitor(server).send(found[0])
    (account,) = accounts.listed(server.running.store)
    assert account.email == "anna@elsewhere.example"
    (row,) = notes(server)
    to, words = await told(server, row)
    assert to == "Anna@example.org" and "another address" in words and "elsewhere" not in words


async def test_where_a_letter_went_is_forgotten_when_it_has_gone(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", mail=True) as server:
        anna = await server.player("Anna")
        await (await visitor_of(server, anna)).send("/settings/feeds", do="make")
        store = server.running.store
        assert [one.email for one in notices.of_player(store, anna.player)] == ["Anna@example.org"]
        running, writer = server.running, server.mail.writer
        assert await Postman(running.battles, carrier_of(running.settings), writer.compose).deliver() == 1
        assert [one.email for one in notices.of_player(store, anna.player)] == [""]


# --- put out


async def test_who_revokes_all_puts_the_thief_out(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, readers="players")
    store, owner = server.running.store, await visitor_of(server, anna)
    thief = await visitor_of(server, anna)  # while the session is new
    assert (await browser_of(server, thief).add("Evil")).status == 200
    feed = re.search(r"/feeds/\w+/waiting\.atom", (await thief.send("/settings/feeds", do="make")).text)
    assert feed
    await store.write(mail_tokens.issue("reply", "question", anna.player, "2026-01-01", battle=battle, side="south"))
    await store.write(mail_tokens.issue("stop", "unsubscribe", anna.player, "2026-01-01"))
    async with server.client.get(f"{BATTLES}/{battle}/stream", headers=anna.headers) as stream:
        page = await owner.send("/settings", do="everywhere")
        assert 'name="passkeys" value="yes" checked' in page.text
        done = await owner.send("/logout", everywhere="yes", sure="yes", passkeys="yes")
        assert "Everything that let somebody in is revoked" in done.words
        await stream.content.read()  # to its end
    for visitor in (owner, thief):
        assert (await visitor.get("/settings")).status == 401
    assert (await browser_of(server, thief).log_in()).code == "core.passkey-refused"
    assert (await anna.get(f"{BATTLES}?mine")).code == "core.bad-token"
    assert (await Visitor(server).get(feed[0])).status == 404
    assert mail_tokens.find(store, "reply") is None and mail_tokens.find(store, "stop") is not None
    assert "were revoked" in (await told(server, notes(server)[-1]))[1]


async def test_who_keeps_their_passkeys_logs_in_with_them(server: RunningServer) -> None:
    anna = await server.player("Anna")
    owner = await visitor_of(server, anna)
    device = browser_of(server, owner)
    await device.add()
    await owner.send("/logout", everywhere="yes", sure="yes")
    assert tokens.of_player(server.running.store, anna.player) == []
    assert (await device.log_in()).status == 200


async def test_a_program_revokes_all_and_itself(server: RunningServer) -> None:
    anna = await server.player("Anna")
    thief, owner = await visitor_of(server, anna), await visitor_of(server, anna)
    await browser_of(server, owner).add()
    reply = await anna.ask("DELETE", "/api/v1/access?passkeys=keep")
    assert (reply.status, reply.json) == (200, {"tokens": []})
    assert (await anna.get("/api/v1/tokens")).code == "core.bad-token"
    assert (await thief.get("/settings")).status == 401
    assert len(passkeys.of_player(server.running.store, anna.player)) == 1


@pytest.mark.parametrize("how", ["page", "command"])
async def test_the_stream_of_a_banned_player_ends(tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.auth.TRUST_S", 0.0)
    async with serving(tmp_path / "data", heartbeat_s=0.05 if how == "command" else 3600) as server:
        host, anna, bob = await server.administrator("Host"), await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(anna, bob, readers="players")
        streams = [await server.client.get(f"{BATTLES}/{battle}/stream", headers=one.headers) for one in (anna, bob)]
        assert len(server.app[STREAMS].bells) == 2
        if how == "page":
            await (await visitor_of(server, host)).send(f"/admin/players/{bob.player}", do="ban", sure="yes")
        else:
            assert Said("ban", "Bob", "--data", tmp_path / "data").code == 0
        await streams[1].content.read()  # to its end
        await eventually("one stream is left", lambda: len(server.app[STREAMS].bells) == 1)
        for stream in streams:
            stream.close()
