"""A passkey lets in whoever holds it, once for each challenge, on the pages of this server alone."""

import json
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from domain.basics.decoding import convert
from domain.basics.errors import Refusal
from replay.telling.words.catalogue import find
from replay.writing.entropy import SeededEntropy
from server.cli.main import main
from server.limits import Limits
from server.people import players
from server.people.challenges import LASTS_S, Challenges
from server.people.passkeys import MOST_OF_PLAYER, MadeResponse, NewPasskey, Party, made
from server.people.players import Player
from server.store.tables import accounts, passkeys, tokens
from server.web.auth import COOKIE
from server.web.pages.passkeys import LONGEST_BODY
from tests.support.authenticator import Authenticator, text_of
from tests.support.clock import ManualClock
from tests.support.serving import Caller, Reply, RunningServer, serving

URL = "https://games.example/phalera"
ORIGIN = "https://games.example"
OWN = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server at a public address, below a path."""
    async with serving(tmp_path / "data", url=URL) as running:
        yield running


class Browser:
    """A browser with a device; `session` is its cookie."""

    def __init__(self, server: RunningServer, device: Authenticator | None = None, session: str = "") -> None:
        self.server = server
        self.device = device or Authenticator(ORIGIN)
        self.session = session

    async def say(self, path: str, message: Any = None, headers: Any = OWN) -> Reply:
        """What the script of a page sends; a session that comes back is kept."""
        client = self.server.client
        client.session.cookie_jar.clear()
        cookie = {"Cookie": f"{COOKIE}={self.session}"} if self.session else {}
        body = message if isinstance(message, bytes) else json.dumps(message or {}).encode()
        sent = {**headers, **cookie, "Content-Type": "application/json"}
        async with client.post(path, data=body, headers=sent, allow_redirects=False) as response:
            if COOKIE in response.cookies:
                self.session = response.cookies[COOKIE].value
            return Reply(response.status, response.content_type, await response.text(), response.headers)

    async def add(self, name: str = "Laptop") -> Reply:
        """Make a passkey with the device, and bring it to the account."""
        return await self.say("/passkeys", self.device.make(await self.wanted(), name))

    async def wanted(self) -> Any:
        """What the device is asked for when a passkey is wanted."""
        options = await self.say("/passkeys/new", {"name": "Laptop"})
        assert options.status == 200, options
        return options.json

    async def signed(self) -> dict[str, Any]:
        """The answer of the device to a new challenge."""
        options = await self.say("/passkeys/challenge")
        assert options.status == 200, options
        return self.device.sign(options.json)

    async def log_in(self) -> Reply:
        """Log in with the passkey of the device."""
        return await self.say("/passkeys/login", await self.signed())


async def browser_of(server: RunningServer, caller: Caller, device: Authenticator | None = None) -> Browser:
    """A browser in which a player is logged in."""
    running = server.running
    session, issued = players.new_token(running.clock, running.entropy, caller.player, "session")
    await running.store.write(issued)
    return Browser(server, device, session)


async def anna_with_passkey(server: RunningServer) -> tuple[Caller, Browser]:
    """A player with a passkey, and a browser of hers that is logged out and has the device."""
    anna = await server.player("Anna")
    here = await browser_of(server, anna)
    assert (await here.add()).status == 200
    return anna, Browser(server, here.device)


def let_pass(server: RunningServer, seconds: float) -> None:
    clock = server.running.machine
    assert isinstance(clock, ManualClock)
    clock.wait(seconds=seconds)


def refused(reply: Reply, code: str) -> bool:
    """Whether a reply refuses with a code, and lets nobody in."""
    return reply.code == code and "Set-Cookie" not in reply.headers


# --- what works


async def test_a_passkey_logs_in_without_a_name_and_gives_a_session_like_others(server: RunningServer) -> None:
    anna, elsewhere = await anna_with_passkey(server)
    let_pass(server, 3600)
    reply = await elsewhere.log_in()
    assert (reply.status, reply.json) == (200, {"to": "/phalera/"})
    cookie = reply.headers["Set-Cookie"]
    assert all(part in cookie for part in ("HttpOnly", "Secure", "SameSite=Lax", "Path=/phalera"))
    assert reply.headers["Cache-Control"] == "no-store"
    store = server.running.store
    (kept,) = passkeys.of_player(store, anna.player)
    assert (kept.name, kept.uses, kept.used) == ("Laptop", 1, server.running.clock.now())
    page = await anna.ask("GET", "/settings", {"Cookie": f"{COOKIE}={elsewhere.session}", "Accept": "text/html"})
    assert "Laptop: made on 2026-11-23, last used on 2026-11-23" in page.text
    listed = (await anna.get("/api/v1/tokens")).json["tokens"]
    assert tokens.digest(elsewhere.session).hex()[: tokens.ID_DIGITS] in {one["id"] for one in listed}


async def test_the_device_is_asked_for_what_needs_no_name(server: RunningServer) -> None:
    anna = await server.player("Anna")
    here = await browser_of(server, anna)
    asked = await here.wanted()
    assert asked["rp"] == {"name": "Phalera", "id": "games.example"}
    assert asked["authenticatorSelection"] == {
        "residentKey": "required",
        "requireResidentKey": True,
        "userVerification": "preferred",
    }
    assert (asked["user"]["id"], asked["attestation"]) == (text_of(anna.player.encode()), "none")
    await here.add()
    again = await here.wanted()
    assert [one["id"] for one in again["excludeCredentials"]] == [text_of(here.device.credential)]
    login = (await Browser(server).say("/passkeys/challenge")).json
    assert (login["rpId"], login["userVerification"]) == ("games.example", "preferred")
    assert not login.get("allowCredentials")
    assert len({asked["challenge"], again["challenge"], login["challenge"]}) == 3


async def test_a_guest_comes_back_with_a_passkey_and_is_not_told_that_they_are_lost(server: RunningServer) -> None:
    guest = Browser(server)
    form = {"scenario": "tts/skirmish", "name": "Cato", "phrase": "sixteen bytes of my own"}
    async with server.client.post("/battles", data=form, headers=OWN, allow_redirects=False) as opened:
        guest.session = opened.cookies[COOKIE].value
    headers = {"Cookie": f"{COOKIE}={guest.session}", "Accept": "text/html"}
    assert "only this browser knows you" in (await server.stranger.get("/logout", headers)).text
    assert (await guest.add()).status == 200
    assert "this browser and your passkeys know you" in (await server.stranger.get("/logout", headers)).text
    again = Browser(server, guest.device)
    assert (await again.log_in()).status == 200
    headers = {"Cookie": f"{COOKIE}={again.session}", "Accept": "text/html"}
    assert "Cato" in (await server.stranger.get("/settings", headers)).text


async def test_a_passkey_stays_through_another_name_and_address(server: RunningServer) -> None:
    anna, elsewhere = await anna_with_passkey(server)
    store = server.running.store
    await store.write(accounts.rename(anna.player, "Anne"), accounts.move(anna.player, "anne@b.example"))
    assert (await elsewhere.log_in()).status == 200


# --- what lets nobody in


@pytest.mark.parametrize("origin", ["https://games.example.evil.example", "http://games.example", f"{ORIGIN}:8443"])
async def test_what_another_site_was_told_opens_nothing(server: RunningServer, origin: str) -> None:
    _, elsewhere = await anna_with_passkey(server)
    elsewhere.device.origin = origin
    assert refused(await elsewhere.log_in(), "core.passkey-refused")
    bob = await browser_of(server, await server.player("Bob"), Authenticator(origin, "Bob"))
    assert refused(await bob.add(), "core.passkey-refused")


async def test_a_challenge_is_good_once(server: RunningServer) -> None:
    _, elsewhere = await anna_with_passkey(server)
    signed = await elsewhere.signed()
    assert (await elsewhere.say("/passkeys/login", signed)).status == 200
    assert refused(await elsewhere.say("/passkeys/login", signed), "core.passkey-late")


async def test_a_challenge_is_spent_by_an_answer_that_is_wrong(server: RunningServer) -> None:
    _, elsewhere = await anna_with_passkey(server)
    signed = await elsewhere.signed()
    forged = {**signed, "response": {**signed["response"], "signature": text_of(bytes(64))}}
    assert refused(await elsewhere.say("/passkeys/login", forged), "core.passkey-refused")
    assert refused(await elsewhere.say("/passkeys/login", signed), "core.passkey-late")


async def test_a_challenge_that_we_never_made_opens_nothing(server: RunningServer) -> None:
    _, elsewhere = await anna_with_passkey(server)
    options = {"rpId": "games.example", "challenge": text_of(bytes(32))}
    assert refused(await elsewhere.say("/passkeys/login", elsewhere.device.sign(options)), "core.passkey-late")


async def test_a_challenge_ends_after_five_minutes(server: RunningServer) -> None:
    _, elsewhere = await anna_with_passkey(server)
    for wait, status in ((LASTS_S - 1, 200), (LASTS_S, 410)):
        signed = await elsewhere.signed()
        let_pass(server, wait)
        assert (await elsewhere.say("/passkeys/login", signed)).status == status


async def test_a_challenge_serves_the_player_and_the_deed_that_it_was_made_for(server: RunningServer) -> None:
    _, elsewhere = await anna_with_passkey(server)
    bob = await browser_of(server, await server.player("Bob"), Authenticator(ORIGIN, "Bob"))
    for_bob = await bob.wanted()
    as_login = {"rpId": "games.example", "challenge": for_bob["challenge"]}
    assert refused(await elsewhere.say("/passkeys/login", elsewhere.device.sign(as_login)), "core.passkey-late")
    carla = await browser_of(server, await server.player("Carla"), Authenticator(ORIGIN, "Carla"))
    for_bob = await bob.wanted()
    assert refused(await carla.say("/passkeys", carla.device.make(for_bob)), "core.passkey-late")


async def test_a_passkey_answers_for_its_own_player_alone(server: RunningServer) -> None:
    anna, elsewhere = await anna_with_passkey(server)
    bob = await server.player("Bob")
    his = await browser_of(server, bob, Authenticator(ORIGIN, "Bob"))
    assert (await his.add()).status == 200
    elsewhere.device.user = bob.player.encode()  # her key, his name
    assert refused(await elsewhere.log_in(), "core.passkey-refused")
    elsewhere.device.credential = his.device.credential  # her key, his credential
    assert refused(await elsewhere.log_in(), "core.passkey-refused")
    elsewhere.device.user = anna.player.encode()
    assert refused(await elsewhere.log_in(), "core.passkey-refused")


async def test_a_credential_that_is_known_is_not_added_to_another_account(server: RunningServer) -> None:
    anna, elsewhere = await anna_with_passkey(server)
    bob = await browser_of(server, await server.player("Bob"), Authenticator(ORIGIN))
    assert refused(await bob.add(), "core.passkey-known")
    assert (await elsewhere.log_in()).status == 200
    assert len(passkeys.of_player(server.running.store, anna.player)) == 1


async def test_a_count_that_does_not_grow_is_refused(server: RunningServer) -> None:
    _, elsewhere = await anna_with_passkey(server)
    elsewhere.device.count = 7
    assert (await elsewhere.log_in()).status == 200
    for back in (7, 3):
        elsewhere.device.count = back - 1
        assert refused(await elsewhere.log_in(), "core.passkey-refused")
    elsewhere.device.count = 8
    assert (await elsewhere.log_in()).status == 200


async def test_a_device_that_counts_nothing_logs_in_again_and_again(server: RunningServer) -> None:
    _, elsewhere = await anna_with_passkey(server)
    for _ in range(3):
        elsewhere.device.count = -1
        assert (await elsewhere.log_in()).status == 200


async def test_a_removed_passkey_opens_nothing_and_nobody_removes_that_of_another(server: RunningServer) -> None:
    anna, elsewhere = await anna_with_passkey(server)
    here, bob = [await browser_of(server, one) for one in (anna, await server.player("Bob"))]
    (kept,) = passkeys.of_player(server.running.store, anna.player)
    form = {"data": {"passkey": kept.id}, "allow_redirects": False}
    for browser, headers, status in ((bob, OWN, 404), (here, {"Sec-Fetch-Site": "cross-site"}, 403), (here, OWN, 303)):
        cookie = {"Cookie": f"{COOKIE}={browser.session}"}
        reply = await server.stranger.ask("POST", "/passkeys/remove", {**headers, **cookie}, **form)
        assert reply.status == status
        assert status != 404 or str(find("core.no-passkey", "en")) in unescape(reply.text)
    assert refused(await elsewhere.log_in(), "core.passkey-refused")


@pytest.mark.parametrize("end", [players.erased, players.locked_out])
async def test_whoever_is_taken_off_or_locked_out_has_no_passkey(server: RunningServer, end: Any) -> None:
    anna, elsewhere = await anna_with_passkey(server)
    await server.running.store.write(*end(anna.player))
    assert passkeys.of_player(server.running.store, anna.player) == []
    assert refused(await elsewhere.log_in(), "core.passkey-refused")


async def test_another_site_asks_for_nothing_and_a_stranger_adds_nothing(server: RunningServer) -> None:
    anna = await browser_of(server, await server.player("Anna"))
    for path in ("/passkeys", "/passkeys/new", "/passkeys/challenge", "/passkeys/login"):
        assert (await anna.say(path, {}, {"Sec-Fetch-Site": "cross-site"})).code == "core.cross-site"
        assert (await anna.say(path, {}, {"Origin": "https://evil.example"})).code == "core.cross-site"
    for path in ("/passkeys", "/passkeys/new"):
        assert (await Browser(server).say(path)).code == "core.not-signed-in"


# --- bounds


async def test_a_player_has_so_many_passkeys_and_no_more(server: RunningServer) -> None:
    here = await browser_of(server, await server.player("Anna"))
    asked = await here.wanted()
    for number in range(MOST_OF_PLAYER):
        here.device = Authenticator(ORIGIN, f"device {number}")
        assert (await here.add(f"Device {number}")).status == 200
    assert (await here.say("/passkeys/new", {"name": "One more"})).code == "core.too-many-passkeys"
    late = Authenticator(ORIGIN, "one more")
    assert (await here.say("/passkeys", late.make(asked))).code == "core.too-many-passkeys"


async def test_a_passkey_has_a_name_of_one_line(server: RunningServer) -> None:
    here = await browser_of(server, await server.player("Anna"))
    for name in ("", "x" * 41, "\u202e"):
        assert (await here.say("/passkeys/new", {"name": name})).code == "core.bad-name"
        assert (await here.add(name)).code == "core.bad-name"


@pytest.mark.parametrize(
    "body",
    [
        b"x" * (LONGEST_BODY + 1),
        b"{",
        b"[]",
        b'{"id": 5}',
        json.dumps({"id": "x" * 2000, "response": {}}).encode(),
    ],
)
async def test_what_is_too_long_or_no_message_is_refused_before_it_is_looked_at(
    server: RunningServer, body: bytes
) -> None:
    here = await browser_of(server, await server.player("Anna"))
    for path in ("/passkeys", "/passkeys/new", "/passkeys/login"):
        assert (await here.say(path, body)).status in (400, 413, 422)


async def test_logins_are_counted_as_others_are(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", url=URL, limits=Limits()) as server:
        stranger = Browser(server)
        replies = [await stranger.say("/passkeys/challenge") for _ in range(61)]
        assert [reply.status for reply in replies] == [200] * 60 + [429]
        assert (await stranger.say("/passkeys/login")).code == "core.too-many"


def test_open_challenges_are_bounded_and_the_oldest_goes_first() -> None:
    now = [0.0]
    challenges = Challenges(lambda: now[0], SeededEntropy("challenges"), most=3)
    first, *others = [challenges.new() for _ in range(4)]
    assert len(challenges) == 3
    assert [challenges.take(one) for one in (first, *others, others[0])] == [False, True, True, True, False]
    challenges.new()
    now[0] = LASTS_S
    challenges.new("p1")
    assert len(challenges) == 1


PARTY = Party("games.example", ORIGIN)
ANNA = Player("p1", "Anna")


@pytest.mark.slow
@given(st.binary(max_size=200), st.integers(0, 400))
def test_whatever_a_device_says_is_a_passkey_or_a_refusal(noise: bytes, at: int) -> None:
    challenges = Challenges(lambda: 0.0, SeededEntropy("noise"))
    options = {"rp": {"id": PARTY.id}, "user": {"id": "cDE"}, "challenge": text_of(challenges.new(ANNA.id))}
    said = Authenticator(ORIGIN).make(options)
    content = bytearray(said["response"]["attestationObject"].encode())
    content[at : at + len(noise)] = text_of(noise).encode()
    response = {**said["response"], "attestationObject": content.decode()}
    answer = NewPasskey(said["id"], convert(response, MadeResponse), "Laptop")
    try:
        assert made(challenges, PARTY, ANNA, answer, "id", "now").player == ANNA.id
    except Refusal as refusal:
        assert refusal.code == "core.passkey-refused"


# --- where it works


@pytest.mark.parametrize(
    ("url", "host", "party"),
    [
        ("https://games.example/phalera", "10.0.0.7", "games.example"),
        ("https://Games.Example:443", "", "games.example"),
        ("https://bücher.example", "", "xn--bcher-kva.example"),
        ("http://localhost:8080", "", "localhost"),
        ("", "localhost:8080", "localhost"),
        ("", "phalera.localhost", "phalera.localhost"),
        ("", "127.0.0.1:8080", ""),
        ("", "[::1]:8080", ""),
        ("", "games.example", ""),
        ("", "exa mple:999999", ""),
        ("http://games.example", "", ""),
        ("https://192.0.2.1", "", ""),
    ],
)
async def test_passkeys_are_bound_to_the_name_of_a_safe_address(
    tmp_path: Path, url: str, host: str, party: str
) -> None:
    async with serving(tmp_path / "data", url=url) as server:
        reply = await Browser(server).say("/passkeys/challenge", None, {**OWN, "Host": host} if host else OWN)
        assert (reply.json["rpId"] if party else reply.code) == (party or "core.no-passkeys-here")
        if host and not party:
            page = await server.stranger.get("/login", {"Accept": "text/html", "Host": host})
            assert "passkey" not in page.text


async def test_the_settings_say_where_no_passkey_can_be_used(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        here = await browser_of(server, await server.player("Anna"))
        headers = {"Cookie": f"{COOKIE}={here.session}", "Accept": "text/html"}
        page = (await server.stranger.get("/settings", headers)).text
        assert "None can be used at this address" in page and "passkeys.js" not in page


# --- what nobody learns


async def test_nothing_of_a_credential_is_told_anywhere(
    server: RunningServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    anna, elsewhere = await anna_with_passkey(server)
    await elsewhere.log_in()
    battle = await anna.open()
    headers = {"Cookie": f"{COOKIE}={elsewhere.session}", "Accept": "*/*"}
    told = [caplog.text, (await anna.export(battle)).decode()]
    for path in (
        "/settings",
        "/settings/data",
        "/api/v1/tokens",
        "/metrics",
        f"/players/{anna.player}",
        "/openapi.json",
    ):
        reply = await server.stranger.get(path, headers)
        assert reply.status == 200, path
        told.append(reply.text)
    (kept,) = passkeys.of_player(server.running.store, anna.player)
    for secret in (kept.credential, kept.key):
        for written in (secret.hex(), text_of(secret), repr(secret)):
            assert not any(written in text for text in told)


# --- by hand


async def test_an_operator_lists_and_revokes_passkeys(server: RunningServer, tmp_path: Path) -> None:
    anna, _ = await anna_with_passkey(server)
    store = server.running.store

    def says(*arguments: str) -> str:
        return CliRunner().invoke(main, ["player", *arguments, "--data", str(tmp_path / "data")]).stdout

    (kept,) = passkeys.of_player(store, anna.player)
    assert f"{kept.id}  passkey" in says("tokens", "Anna")
    assert f"{kept.id} is revoked." in says("revoke", "Anna", kept.id)
    assert passkeys.of_player(store, anna.player) == []
    assert (await (await browser_of(server, anna)).add()).status == 200
    assert "passkeys of Anna are revoked" in says("revoke", "Anna")
    assert passkeys.of_player(store, anna.player) == []
