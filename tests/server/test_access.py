"""Who gets in, who may see what, and that nothing of the other side's vault ever leaves."""

import asyncio
import re

import pytest

from server.people import players
from server.play.live_battle import SEALED
from server.store.tables import tokens, vault
from server.web import auth
from server.web.auth import COOKIE
from server.web.routes import API
from tests.support.serving import BATTLES, PHRASE, Caller, RunningServer

OF_A_BATTLE = "/api/v1/battles/{id}"
READABLE = [
    route
    for route in API
    if route.method == "GET" and route.path.startswith(OF_A_BATTLE) and "stream" not in route.path
]


async def login(server: RunningServer, name: str, headers: dict[str, str] | None = None) -> tuple[str, str]:
    """A login link used; gives the link's token and the session."""
    enrolled = players.enrol(server.running.clock, server.running.entropy, name)
    await server.running.store.write(*enrolled.statements)
    path = f"/login/{enrolled.login_token}"
    async with server.client.post(path, headers=headers or {}, allow_redirects=False) as response:
        assert response.status == 303, await response.text()
        return path, response.cookies[COOKIE].value


# --- tokens and sessions


@pytest.mark.parametrize("header", ["Bearer nonsense", "Basic YTpi", "Bearer", ""])
async def test_a_wrong_token_is_refused_everywhere(server: RunningServer, header: str) -> None:
    for path in ("/api/v1/battles", "/api/v1/battles?mine"):
        reply = await server.stranger.get(path, {"Authorization": header})
        assert (reply.status, reply.code) == (401, "core.bad-token")
        assert reply.headers["WWW-Authenticate"].startswith("Bearer")


async def test_a_revoked_token_is_refused(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auth, "TRUST_S", 0.05)
    anna = await server.player("Anna")
    assert (await anna.get(f"{BATTLES}?mine")).status == 200
    await server.running.store.write(tokens.revoke(anna.headers["Authorization"].removeprefix("Bearer ")))
    await asyncio.sleep(0.06)
    assert (await anna.get(f"{BATTLES}?mine")).code == "core.bad-token"


async def test_a_token_in_the_query_opens_nothing(server: RunningServer) -> None:
    anna = await server.player("Anna")
    token = anna.headers["Authorization"].removeprefix("Bearer ")
    reply = await server.stranger.get(f"{BATTLES}?mine&token={token}&access_token={token}")
    assert (reply.status, reply.code) == (401, "core.not-signed-in")


async def test_a_stranger_may_do_nothing(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    open_to_all = ("/api/v1/armies", "/witness/")  # which are only reckoned; and hosts are known to a witness by keys
    acting = [route for route in API if route.method == "POST" and not route.path.startswith(open_to_all)]
    assert len(acting) > 5
    for route in acting:
        path = route.path.replace("{id}", battle).replace("{side}", "south").replace("{d}", "d1")
        path = path.replace("{player}", bob.player).replace("{kind}/{place}", f"seat/{battle}")
        path = path.replace("{hook}", "h1")
        path = path.replace("{club}", "leeds").replace("{place}", "1")
        reply = await server.stranger.post(path, {})
        assert (reply.status, reply.code) == (401, "core.not-signed-in"), path


async def test_only_the_holder_orders_a_side(server: RunningServer) -> None:
    anna, bob, eve = [await server.player(name) for name in ("Anna", "Bob", "Eve")]
    battle = await server.battle(anna, bob)
    assert (await eve.order(battle, "end turn")).code == "core.not-seated"
    assert (await bob.order(battle, "end turn", side="west")).code == "core.no-such-side"
    assert (await bob.order(battle, "end turn", side="south")).code == "core.not-your-side"
    assert (await eve.get(f"{BATTLES}/{battle}?side=south")).status == 403
    assert (await eve.get(f"{BATTLES}/{battle}/options")).json["options"] == []
    assert (await eve.sit(battle, "south")).code == "core.side-taken"
    assert (await eve.sit(battle, "west")).code == "core.no-such-side"
    assert (await anna.sit(await anna.open(), "south", bot="clever")).code == "core.unknown-bot"


async def test_opening_a_login_link_uses_nothing_up(server: RunningServer) -> None:
    enrolled = players.enrol(server.running.clock, server.running.entropy, "Anna & <Co>")
    await server.running.store.write(*enrolled.statements)
    path = f"/login/{enrolled.login_token}"
    for _ in range(3):
        async with server.client.get(path) as response:
            assert response.status == 200
            assert "<form" in await response.text()
            assert COOKIE not in response.cookies
    async with server.client.post(path, allow_redirects=False) as response:
        cookie = response.cookies[COOKIE]
        assert cookie["httponly"] and cookie["samesite"] == "Lax"
    reply = await server.stranger.ask("POST", path)
    assert (reply.status, reply.code) == (410, "core.login-used")


async def test_a_session_changes_things_only_from_our_own_pages(server: RunningServer) -> None:
    _, session = await login(server, "Anna")
    host = f"{server.client.host}:{server.client.port}"
    mine = {"Cookie": f"{COOKIE}={session}"}
    body = {"scenario": "skirmish"}
    for foreign in (
        {},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site", "Origin": f"http://{host}"},
    ):
        reply = await server.stranger.post(BATTLES, body, {**mine, **foreign})
        assert (reply.status, reply.code) == (403, "core.cross-site"), foreign
    for own in ({"Sec-Fetch-Site": "same-origin"}, {"Origin": f"http://{host}"}):
        assert (await server.stranger.post(BATTLES, body, {**mine, **own})).status == 201
    assert (await server.stranger.get(f"{BATTLES}?mine", mine)).status == 200


async def test_another_site_cannot_log_a_browser_in(server: RunningServer) -> None:
    enrolled = players.enrol(server.running.clock, server.running.entropy, "Eve")
    await server.running.store.write(*enrolled.statements)
    path = f"/login/{enrolled.login_token}"
    for foreign in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}):
        assert (await server.stranger.ask("POST", path, foreign)).code == "core.cross-site"


async def test_a_session_ends_with_the_logout(server: RunningServer) -> None:
    _, session = await login(server, "Anna")
    mine = {"Cookie": f"{COOKIE}={session}", "Sec-Fetch-Site": "same-origin"}
    async with server.client.post("/logout", data={"sure": "yes"}, headers=mine, allow_redirects=False) as response:
        assert response.status == 303
    assert (await server.stranger.get(f"{BATTLES}?mine", mine)).code == "core.not-signed-in"


# --- readers


@pytest.mark.slow
async def test_a_private_battle_does_not_exist_for_strangers(server: RunningServer) -> None:
    anna, bob, eve = [await server.player(name) for name in ("Anna", "Bob", "Eve")]
    battle = await server.battle(anna, bob, readers="players")
    for route in API:
        if "/battles/{id}" not in route.path or "sides" in route.path:
            continue
        path = route.path.replace("{d}", "d1").replace("{id}", battle)
        for caller in (server.stranger, eve):
            if route.method != "GET" and caller is server.stranger:
                continue  # told to sign in before anything is looked up
            reply = await caller.ask(route.method, path, json={} if route.body else None)
            assert (reply.status, reply.code) == (404, "core.unknown-battle"), path
            unknown = await caller.ask(route.method, path.replace(battle, "zzzzzzzz"), json={} if route.body else None)
            assert unknown.json["detail"].replace("zzzzzzzz", battle) == reply.json["detail"]
    assert (await eve.sit(battle, "south", bot="random")).code == "core.unknown-battle"
    assert (await anna.get(f"{BATTLES}/{battle}")).status == 200


async def test_lists_show_public_battles_and_ones_own(server: RunningServer) -> None:
    anna, bob, eve = [await server.player(name) for name in ("Anna", "Bob", "Eve")]
    ids = {readers: await server.battle(anna, bob, readers=readers) for readers in ("public", "link", "players")}

    async def seen(caller: Caller, query: str = "") -> set[str]:
        return {entry["battle"] for entry in (await caller.get(f"{BATTLES}{query}")).json["battles"]}

    assert await seen(server.stranger) == await seen(eve) == {ids["public"]}
    assert await seen(anna, "?mine") == set(ids.values())
    assert await seen(eve, "?mine") == set()
    assert await seen(anna, "?waiting") == set(ids.values())
    assert await seen(bob, "?waiting") == set()
    assert (await anna.order(ids["link"], "resign")).status == 200
    assert await seen(server.stranger, "?ended") == set()
    assert await seen(bob, "?ended") == {ids["link"]}


# --- the vault


@pytest.mark.slow
async def test_no_route_shows_the_other_sides_standing_orders(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    assert (await anna.order(battle, "standing evade R6 never\nend turn", "monday")).status == 200
    assert (await anna.order(battle, "dispute 1 facts Something is hidden.")).status == 200
    server.running.witness.log.follow(server.running.store)
    secrets = [secret for secret in vault.sealed(server.running.store, battle) if secret.kind == SEALED]
    assert len(secrets) == 2  # the order, and the standing order it set
    hidden = [secret.salt.hex() for secret in secrets] + ["R6 never", '"R6","value"', "evade_never"]
    hidden.append((vault.master(server.running.store, battle) or b"").hex())
    n = (await anna.view(battle))["n"]
    for caller in (bob, server.stranger):
        for route in READABLE:
            path = route.path.replace("{id}", battle).replace("{d}", "d1")
            for query in ("", "?side=north") if caller is bob else ("",):
                for accept in ("*/*", "image/svg+xml", "text/plain") if "board" in path else ("*/*",):
                    reply = await caller.get(path + query, {"Accept": accept})
                    usual = 401 if path.endswith(("/words", "/ends")) and caller is server.stranger else 200
                    others = {"report": 409, "ends": 404 if caller is bob else usual}  # no game with free measure
                    assert reply.status == others.get(path.rpartition("/")[2], usual), (path, reply)
                    assert not [word for word in hidden if word in reply.text], path
        for at in range(n + 1):
            reply = await caller.get(f"{BATTLES}/{battle}/board?n={at}")
            assert not [word for word in hidden if word in reply.text]
    reply = await bob.post(f"{BATTLES}/{battle}/preview", {"orders": "V6 charge G2\nend turn"})
    assert not [word for word in hidden if word in reply.text]
    standing = (await anna.view(battle))["standing"]
    assert [(order["unit"], order["value"]) for order in standing] == [("R6", "never")]
    assert (await bob.view(battle))["standing"] == []


async def test_what_one_side_hides_changes_nothing_that_the_other_is_told(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    told = []
    for secret in ("standing evade R6 never", "standing evade R6 always"):
        battle = await server.battle(anna, bob)
        assert (await anna.order(battle, f"{secret}\nend turn")).status == 200
        options = (await bob.get(f"{BATTLES}/{battle}/options")).json["options"]
        refused = await bob.post(f"{BATTLES}/{battle}/preview", {"orders": "R1 ahead"})
        view = await bob.view(battle)
        told.append((options, refused.json, view["board"], view["standing"], view["tally"]))
    assert told[0] == told[1]


async def test_the_proof_shows_ones_own_contributions_and_no_secret(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    assert (await anna.order(battle, "end turn")).status == 200
    mine = (await anna.get(f"{BATTLES}/{battle}/proof")).json
    assert {given["side"] for given in mine["contributions"]} == {"south"}
    assert [given["phrase"] for given in mine["contributions"]] == [PHRASE, PHRASE]
    assert [(key["chain"], key["index"]) for key in mine["keys"]] == [("public", 0), ("public", 1)]
    assert [(key["chain"], key["index"]) for key in mine["hand"]] == [("hand:south", 0), ("hand:south", 1)]
    assert mine["master"] is None
    assert (await server.stranger.get(f"{BATTLES}/{battle}/proof")).json["contributions"] == []
    assert (await anna.order(battle, "resign")).status == 200
    assert re.fullmatch("[0-9a-f]{64}", (await bob.get(f"{BATTLES}/{battle}/proof")).json["master"])
