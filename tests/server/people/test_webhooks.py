"""A player has programs told what happens: added with a proof, listed without secrets, gone with the account."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from domain.basics.errors import Refusal
from domain.basics.pace import moment_of
from server.limits import NO_RATES, Limits
from server.people import players
from server.people.notices import AccountEvent
from server.people.webhooks import LONGEST_URL, require_url, secret_of
from server.store.tables import accounts, notices, outbox, webhooks
from server.store.tables.webhooks import MOST_WAITING, HookNews, HookOwner, OwnerKind
from server.webhooks.sender import HookAnswer
from server.webhooks.service import WebhookService, courier_of
from server.webhooks.signature import HEADER, signature
from tests.support.serving import Caller, Reply, RunningServer, serving
from tests.support.waiting import LIMIT_S

HOOKS = "/api/v1/account/webhooks"
URL = "https://hooks.example/in?key=hidden-there"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server that sends letters, with the usual limit."""
    async with serving(tmp_path / "data", mail=True) as running:
        yield running


async def proof_of(server: RunningServer, caller: Caller) -> str:
    """The secret of a login link of a player."""
    running = server.running
    token, issued = players.new_token(running.clock, running.entropy, caller.player, "login")
    await running.store.write(issued)
    return token


async def adding(server: RunningServer, caller: Caller, **more: Any) -> Reply:
    """What comes of adding a webhook."""
    wanted = {"url": URL, "what": ["turn", "ended"], "proof": await proof_of(server, caller), **more}
    return await caller.post(HOOKS, wanted)


async def test_one_is_added_listed_and_removed_and_its_secret_and_url_are_told_once(server: RunningServer) -> None:
    anna = await server.player("Anna")
    reply = await adding(server, anna)
    assert reply.status == 201, reply
    made = reply.json
    assert made["secret"] == secret_of(server.running.keys, made["id"])
    assert (made["host"], made["form"], made["lang"]) == ("hooks.example", "plain", "en")
    assert made["what"] == ["turn", "ended"]
    listed = await anna.get(HOOKS)
    (hook,) = listed.json["webhooks"]
    assert hook["id"] == made["id"] and hook["secret"] == ""
    assert "hidden-there" not in listed.text + reply.text
    (notice,) = notices.of_player(server.running.store, anna.player)
    assert (notice.what, notice.about) == (AccountEvent.WEBHOOK, "hooks.example")
    assert [row.kind for row in outbox.unsent(server.running.store)] == [f"notice:{notice.id}"]
    assert (await anna.ask("DELETE", f"{HOOKS}/{made['id']}")).json == {"webhooks": []}
    assert (await anna.ask("DELETE", f"{HOOKS}/{made['id']}")).code == "core.no-such-webhook"


async def test_the_store_has_no_secret(server: RunningServer) -> None:
    anna = await server.player("Anna")
    secret = (await adding(server, anna)).json["secret"]
    rows = server.running.store.rows("SELECT * FROM webhooks")
    assert secret not in repr(rows) and "hidden-there" in repr(rows)
    kept = (await anna.get("/settings/data")).text
    assert secret not in kept and "hidden-there" not in kept


async def test_without_a_proof_none_is_added_and_what_is_refused_uses_none_up(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    assert (await adding(server, anna, proof="")).code == "core.login-used"
    assert (await adding(server, anna, proof=await proof_of(server, bob))).code == "core.login-used"
    proof = await proof_of(server, anna)
    assert (await adding(server, anna, url="http://x.example/", proof=proof)).code == "core.webhook-url"
    assert (await adding(server, anna, proof=proof)).status == 201
    assert (await adding(server, anna, proof=proof)).code == "core.login-used"
    assert (await server.stranger.get(HOOKS)).status == 401


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"what": []}, "core.webhook-what"),
        ({"what": ["turn", "talk"]}, "core.webhook-what"),
        ({"what": ["test"]}, "core.webhook-what"),
        ({"form": "slack"}, "core.webhook-form"),
        ({"lang": "de"}, "core.webhook-lang"),
        ({"url": "https://127.0.0.1/"}, "core.webhook-url"),
    ],
)
async def test_what_cannot_be_is_refused(server: RunningServer, more: Any, code: str) -> None:
    assert (await adding(server, await server.player("Anna"), **more)).code == code


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://Hooks.Example", "https://hooks.example/"),
        ("https://hooks.example:443/a?b=c", "https://hooks.example/a?b=c"),
        ("https://hooks.example:8443/a%2fb", "https://hooks.example:8443/a%2fb"),
        ("HTTPS://xn--bcher-kva.example/~a/@b", "https://xn--bcher-kva.example/~a/@b"),
    ],
)
def test_an_address_has_one_form(url: str, kept: str) -> None:
    assert require_url(url)[0] == kept


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hooks.example",
        "http://hooks.example/",
        "ftp://hooks.example/",
        "https:///path",
        "https://localhost/",
        "https://printer/",
        "https://127.0.0.1/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://127.1/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://1.2.3.4.:443/",
        "https://hooks.example./",
        "https://-hooks.example/",
        "https://hooks..example/",
        "https://user@hooks.example/",
        "https://user:word@hooks.example/",
        "https://hooks.example#@inside.example/",
        "https://hooks.example\\@inside.example/",
        "https://hooks.example/ path",
        "https://hooks.example/\r\nHost: inside",
        "https://hooks.example:22/",
        "https://hooks.example:0/",
        "https://hooks.example:99999/",
        "https://hooks.example:x/",
        "https://bücher.example/",
        "https://hooks.example/" + "a" * LONGEST_URL,
    ],
)
def test_an_address_that_leads_elsewhere_is_refused(url: str) -> None:
    with pytest.raises(Refusal) as refused:
        require_url(url)
    assert refused.value.code == "core.webhook-url"


async def test_there_are_so_many_of_one_player_and_none_of_guests_and_bots(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    bot = await anna.post("/api/v1/account/bots", {"name": "Engine"})
    engine = Caller(server.client, bot.json["token"], bot.json["player"])
    assert (await adding(server, engine)).code == "core.bot-account"
    await server.running.store.write(accounts.move(bob.player, ""))
    assert (await adding(server, bob)).code == "core.guest-webhooks"


async def test_five_are_the_limit(tmp_path: Path) -> None:
    async with serving(tmp_path, limits=Limits(rates=NO_RATES)) as server:
        anna = await server.player("Anna")
        for _ in range(5):
            assert (await adding(server, anna)).status == 201
        assert (await adding(server, anna)).code == "core.too-many-webhooks"


async def test_a_host_may_leave_them_out(tmp_path: Path) -> None:
    async with serving(tmp_path, webhooks=False) as server:
        assert (await adding(server, await server.player("Anna"))).code == "core.no-webhooks"


async def test_nobody_has_those_of_another(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    hook = (await adding(server, anna)).json["id"]
    for method, rest in (("POST", "/test"), ("POST", "/on"), ("DELETE", "")):
        assert (await bob.ask(method, f"{HOOKS}/{hook}{rest}")).code == "core.no-such-webhook"
    assert (await bob.get(HOOKS)).json == {"webhooks": []}
    assert len((await anna.get(HOOKS)).json["webhooks"]) == 1


async def test_one_is_tried_and_what_came_of_it_is_listed(server: RunningServer) -> None:
    anna = await server.player("Anna")
    made = (await adding(server, anna)).json
    sent: list[tuple[str, bytes, Mapping[str, str]]] = []

    async def send(url: str, body: bytes, headers: Mapping[str, str]) -> HookAnswer:
        sent.append((url, body, headers))
        return HookAnswer(418)

    assert (await anna.post(f"{HOOKS}/{made['id']}/test", None)).status == 202
    await courier_of(server.running, send).deliver()
    ((url, body, headers),) = sent
    assert url == URL and json.loads(body)["what"] == "test"
    assert headers[HEADER] == signature(made["secret"], moment_of(server.running.clock.now()) // 1000, body)
    (hook,) = (await anna.get(HOOKS)).json["webhooks"]
    assert (hook["last_what"], hook["last_code"], hook["failures"]) == ("test", 418, 1)
    assert hook["failing"] and not hook["off"]


async def test_one_that_is_off_or_has_too_much_to_be_told_is_not_tried(server: RunningServer) -> None:
    anna, store = await server.player("Anna"), server.running.store
    hook, owner = (await adding(server, anna)).json["id"], HookOwner(OwnerKind.ACCOUNT, anna.player)
    for n in range(MOST_WAITING):
        await store.write(webhooks.tell(owner, HookNews("turn", "battle", "b", n), server.running.clock.now()))
    assert (await anna.post(f"{HOOKS}/{hook}/test", None)).code == "core.webhook-waits"
    await store.write(*webhooks.switch_off(hook, server.running.clock.now()))
    assert (await anna.post(f"{HOOKS}/{hook}/test", None)).code == "core.webhook-waits"
    assert (await anna.post(f"{HOOKS}/{hook}/on", None)).json["off"] == ""
    assert (await anna.post(f"{HOOKS}/{hook}/test", None)).status == 202


@pytest.mark.parametrize("path", ["/api/v1/access", ""])
async def test_they_go_with_everything_that_acts_for_an_account(server: RunningServer, path: str) -> None:
    anna, store = await server.player("Anna"), server.running.store
    hook = (await adding(server, anna)).json["id"]
    assert (await anna.post(f"{HOOKS}/{hook}/test", None)).status == 202
    if path:
        assert (await anna.ask("DELETE", path)).status == 200
    else:
        gone = {"name": "Anna", "proof": await proof_of(server, anna)}
        assert (await anna.post("/api/v1/account/removal", gone)).status == 200
    assert webhooks.census(store) == (0, 0, 0, 0)


async def test_a_club_has_its_own_which_its_organisers_keep(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    assert (await anna.post("/api/v1/clubs", {"club": "leeds", "name": "Leeds Night Owls"})).status == 201
    path = "/api/v1/clubs/leeds/webhooks"
    wanted = {"url": URL, "what": ["begun", "ended"]}
    assert (await bob.post(path, wanted | {"proof": await proof_of(server, bob)})).code == "club.not-organiser"
    other = wanted | {"what": ["turn"], "proof": await proof_of(server, anna)}
    assert (await anna.post(path, other)).code == "core.webhook-what"
    made = await anna.post(path, wanted | {"proof": await proof_of(server, anna)})
    assert made.status == 201, made
    (notice,) = notices.of_player(server.running.store, anna.player)
    assert notice.about == "hooks.example (leeds)"
    assert (await anna.get(HOOKS)).json == {"webhooks": []}
    assert len((await anna.get(path)).json["webhooks"]) == 1
    hook = made.json["id"]
    assert (await anna.post(f"{HOOKS}/{hook}/test", None)).code == "core.no-such-webhook"
    assert (await anna.post(f"{path}/{hook}/test", None)).status == 202
    assert (await anna.post(f"{path}/{hook}/on", None)).status == 200
    assert (await bob.ask("DELETE", f"{path}/{hook}")).code == "club.not-organiser"
    assert (await anna.ask("DELETE", f"{path}/{hook}")).json == {"webhooks": []}


async def test_a_letter_tells_of_each_and_of_its_end(server: RunningServer) -> None:
    anna = await server.player("Anna")
    await adding(server, anna)
    (row,) = outbox.unsent(server.running.store)
    composed = await server.mail.writer.compose(row)
    assert composed is not None
    content = composed.message.get_body(("plain",))
    assert content is not None and "A webhook to hooks.example" in " ".join(content.get_content().split())


async def test_the_figures_count_them(server: RunningServer) -> None:
    anna = await server.player("Anna")
    await adding(server, anna)
    server.running.webhook_results["failed"] += 2
    figures = (await server.stranger.get("/metrics")).text
    assert "phalera_webhooks 1.0" in figures
    assert 'phalera_webhook_deliveries_total{result="failed"} 2.0' in figures


async def test_a_service_tells_what_happens_while_it_runs(server: RunningServer) -> None:
    sent = asyncio.Event()

    async def send(url: str, body: bytes, headers: Mapping[str, str]) -> HookAnswer:
        sent.set()
        return HookAnswer(204)

    service = WebhookService(server.running, send)
    await service.start()
    try:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        await adding(server, anna)
        await server.battle(anna, bob)
        async with asyncio.timeout(LIMIT_S):
            await sent.wait()
    finally:
        await service.stop()
