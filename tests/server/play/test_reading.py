"""The reading routes show what they say, in the format asked for."""

import asyncio
import json
from pathlib import Path

import pytest

from domain.basics.decoding import decode
from replay.proof import chain
from server.play.archive import import_battle
from server.store.tables import bulletins
from server.web.routes import API
from tests.support.lanes import thinned
from tests.support.serving import BATTLES, PHRASE, Caller, RunningServer, serving

SEEN = {"n": 1, "hash": "00" * 32}
"""A head of no battle."""


async def a_battle(server: RunningServer) -> tuple[Caller, Caller, str]:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    return anna, bob, await server.battle(anna, bob)


@pytest.mark.slow
async def test_the_api_describes_itself(server: RunningServer) -> None:
    from openapi_spec_validator import validate  # half a second

    document = (await server.stranger.get("/openapi.json")).json
    validate(document)
    served = {
        (route.method, route.resource.canonical)
        for route in server.app.router.routes()
        if route.resource and route.resource.canonical.startswith("/api/") and route.method != "HEAD"
    }
    described = {(method.upper(), path) for path, operations in document["paths"].items() for method in operations}
    assert served <= described
    assert described == {(route.method, route.path) for route in API}


async def with_bulletins(server: RunningServer) -> str:
    """A bulletin of a week in which nothing has happened; gives its place."""
    row = bulletins.Bulletin("club.leeds.1", "club", "leeds", 1, "2026-11-16", "2026-11-23", "2999-01-01")
    await server.running.store.write(bulletins.add(row))
    return "1"


async def test_every_answer_is_as_described(server: RunningServer) -> None:

    anna, _, battle = await a_battle(server)
    await anna.order(battle, "R1 ahead")
    await anna.order(battle, "dispute 1 facts It was so.\noffer d1 none")
    await anna.post("/api/v1/clubs", {"club": "leeds", "name": "Leeds"})
    place = await with_bulletins(server)
    cup = (await anna.post("/api/v1/campaigns", {"example": "club-cup"})).json["campaign"]
    await anna.post(f"/api/v1/campaigns/{cup}/entrants", {})
    sicily = (await anna.post("/api/v1/campaigns", {"example": "sicily"})).json["campaign"]
    await anna.post(f"/api/v1/campaigns/{sicily}/entrants", {})
    war = (await anna.post("/api/v1/campaigns", {"example": "hannibal"})).json["campaign"]
    for entrant in ({}, {"bot": "easy"}):
        assert (await anna.post(f"/api/v1/campaigns/{war}/entrants", entrant)).status == 201
    assert (await anna.post(f"/api/v1/campaigns/{war}/orders", {"orders": "begin"})).status == 200
    described = [route for route in API if route.method == "GET" and isinstance(route.answer, type)]
    described = [
        route for route in described if "{name}" not in route.path and not route.path.endswith("/ends")
    ]  # the log of heads is kept by a server that runs; `tts` has no free measure
    assert len(described) > 5
    for route in described:
        id_ = cup if route.path.startswith("/api/v1/campaigns") else battle
        id_ = sicily if route.path.endswith(("campaigns/{id}/map", "campaigns/{id}/options")) else id_
        id_ = war if "/ledger" in route.path else id_
        if "/campaigns/{id}/bulletins/" in route.path:  # told of a club just as well
            continue
        path = route.path.replace("{id}", id_).replace("{key}", "gallic").replace("{d}", "d1")
        path = (
            path.replace("{club}", "leeds")
            .replace("{place}", place)
            .replace("{entrant}", "p1")
            .replace("{about}", "p1")
            .replace("{force}", "F1")
            .replace("{element}", "H1")
        )
        reply = await anna.get(path)
        assert reply.type == "application/json", (path, reply)
        decode(reply.text, route.answer)


async def test_events_are_the_lines_of_the_file(server: RunningServer) -> None:
    _, _, battle = await a_battle(server)
    lines = (await server.stranger.export(battle)).splitlines()[1:-1]
    first = await server.stranger.get(f"{BATTLES}/{battle}/events?limit=4")
    assert first.type == "application/jsonl"
    assert first.text.encode().splitlines() == lines[:4]
    assert 'rel="next"' in first.headers["Link"]
    rest = await server.stranger.get(f"{BATTLES}/{battle}/events?after=4")
    assert rest.text.encode().splitlines() == lines[4:]
    assert "Link" not in rest.headers


async def test_a_list_is_read_page_by_page(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    opened = {await server.battle(anna, bob) for _ in range(3)}
    found: list[str] = []
    path = f"{BATTLES}?mine&limit=2"
    while path:
        reply = await anna.get(path)
        found += [battle["battle"] for battle in reply.json["battles"]]
        link = reply.headers.get("Link", "")
        assert bool(link) == (len(reply.json["battles"]) == 2)
        path = link.partition("<")[2].partition(">")[0]
    assert len(found) == 3
    assert set(found) == opened
    wrong = await anna.get(f"{BATTLES}?before=yesterday")
    assert (wrong.status, wrong.code) == (400, "core.bad-query")


@pytest.mark.parametrize("query", ["after=x", "after=-1", "limit=0", "after=²", "limit=99999999999999999999999"])
async def test_a_query_that_does_not_fit_is_named(server: RunningServer, query: str) -> None:
    _, _, battle = await a_battle(server)
    reply = await server.stranger.get(f"{BATTLES}/{battle}/events?{query}")
    assert (reply.status, reply.code) == (400, "core.bad-query")


async def test_a_board_comes_as_json_svg_or_text(server: RunningServer) -> None:
    anna, _, battle = await a_battle(server)
    await anna.order(battle, "R1 ahead")
    path = f"{BATTLES}/{battle}/board"
    assert (await anna.get(path)).json["grid"] == "square"
    assert (await anna.get(path, {"Accept": "image/svg+xml"})).text.startswith("<svg")
    assert (await anna.get(path, {"Accept": "text/plain;q=0.5, image/gif"})).type == "text/plain"
    assert (await anna.get(path, {"Accept": "image/gif"})).code == "core.not-acceptable"
    assert (await anna.get(f"{path}?n=9999")).code == "core.no-such-event"
    now, before = (await anna.get(path)).json, (await anna.get(f"{path}?n=3")).json
    assert now["tokens"] != before["tokens"] or now["captions"] != before["captions"]


@pytest.mark.slow
async def test_a_preview_tells_odds_and_stores_nothing(server: RunningServer) -> None:
    anna, _, battle = await a_battle(server)
    n = (await anna.view(battle))["n"]
    before = await server.stranger.export(battle)
    body = {"orders": "R1 ahead\nR1 ahead\nR1 ahead\nend turn"}
    told = (await anna.post(f"{BATTLES}/{battle}/preview", body)).json
    assert told["n"] == n
    assert "simulation of 200 playouts" in told["method"]
    option = next(
        o for o in (await anna.get(f"{BATTLES}/{battle}/options")).json["options"] if o["order"] == "R1 ahead"
    )
    assert [told["first_draw"]["good"], told["first_draw"]["pile"]] == option["odds"]
    assert told["first_draw"]["needed"] == option["needed"]
    for line in told["lines"]:
        assert sum(line.get(what, 0) for what in ("accepted", "refused", "skipped", "unreached")) == 200
    assert told["lines"][0]["accepted"] == 200
    assert (await anna.post(f"{BATTLES}/{battle}/preview", body)).json == told
    assert chain.open_file(await server.stranger.export(battle)).lines == chain.open_file(before).lines
    assert (await anna.post(f"{BATTLES}/{battle}/preview", {"orders": "X1 ahead"})).code == "core.unknown-id"
    assert (await anna.post(f"{BATTLES}/{battle}/preview", {"orders": "gibberish"})).code == "core.unreadable"
    assert (await anna.post(f"{BATTLES}/{battle}/preview", {})).code == "core.no-order"


@pytest.mark.slow
async def test_the_scenarios_can_be_opened(server: RunningServer) -> None:
    anna = await server.player("Anna")
    scenarios = (await server.stranger.get("/api/v1/scenarios")).json["scenarios"]
    assert {"skirmish", "zama"} <= {entry["scenario"] for entry in scenarios}
    for entry in scenarios:
        await anna.open(entry["scenario"], ruleset=entry["ruleset"])


# --- what does not fit


@pytest.mark.parametrize(
    ("body", "status", "code"),
    thinned(
        [
            ({}, 422, "core.bad-request"),
            ({"scenario": "nowhere"}, 422, "core.unknown-scenario"),
            ({"scenario": "skirmish", "ruleset": "chess"}, 422, "core.unknown-ruleset"),
            ({"scenario": "skirmish", "ruleset": "/etc"}, 422, "core.unknown-ruleset"),
            ({"scenario": "skirmish", "ruleset": "x" * 5000}, 422, "core.unknown-ruleset"),
            ({"ruleset": "chess", "scenario_toml": ""}, 422, "core.unknown-ruleset"),
            ({"scenario_toml": ""}, 422, "core.bad-request"),
            ({"ruleset": "chess", "scenario_toml": "a = 1"}, 422, "core.unknown-ruleset"),
            ({"scenario_toml": "a = "}, 422, "core.bad-toml"),
            ({"scenario_toml": ".".join("a" * 100_000)}, 422, "core.file-too-large"),
            ({"scenario_toml": ".".join("a" * 10_000)}, 422, "core.file-too-deep"),
            ({"scenario_toml": "a = 1"}, 422, "core.which-game"),
            ({"scenario_toml": "a = 1", "ruleset": "tts"}, 422, "tts.bad-scenario"),
            ({"scenario_toml": 'ruleset = "chess"'}, 422, "core.unknown-ruleset"),
            ({"scenario_toml": "ruleset = 7"}, 422, "core.unknown-ruleset"),
            ({"scenario": "two-lines"}, 422, "core.which-scenario"),
            ({"scenario_toml": 'title = "\u0378"', "ruleset": "tts"}, 422, "core.bad-text"),
            ({"scenario": "skirmish", "readers": "friends"}, 422, "core.bad-request"),
            ({"scenario": "skirmish", "options": {"nonsense": 1}}, 422, "tts.bad-scenario"),
            ({"scenario": "skirmish", "options": {"turn_limit": -1}}, 422, "tts.bad-scenario"),
            ({"scenario": "skirmish", "options": {"radius_attached": 1 << 60}}, 422, "tts.bad-scenario"),
            ({"scenario": "skirmish", "options": {"group_max": 100_000}}, 422, "tts.bad-scenario"),
            ({"scenario": 7}, 422, "core.bad-request"),
            ({"scenario": "skirmish", "more": 1}, 422, "core.bad-request"),
            ([], 422, "core.bad-request"),
        ],
        2,
    ),
)
async def test_a_battle_that_cannot_be_opened(server: RunningServer, body: object, status: int, code: str) -> None:
    anna = await server.player("Anna")
    reply = await anna.ask("POST", BATTLES, json=body)
    assert (reply.status, reply.code) == (status, code)


@pytest.mark.parametrize(
    ("content", "status", "code"),
    thinned(
        [
            (b"{", 400, "core.bad-json"),
            (b"\xff\xfe", 400, "core.bad-json"),
            (b'{"orders": "\\ud800"}', 400, "core.bad-json"),
            (b"[" * 5000, 422, "core.bad-request"),
            (b"null", 422, "core.bad-request"),
            (b'{"orders": 1}', 422, "core.bad-request"),
            (b'{"orders": "end turn", "expect": 1.5}', 422, "core.bad-request"),
            (b'{"orders": "end turn", "seen": {"n": 1}}', 422, "core.bad-request"),
            (json.dumps({"orders": "end turn", "phrase": PHRASE}).encode(), 422, "core.seen-missing"),
            (json.dumps({"orders": "end turn", "phrase": PHRASE, "seen": SEEN}).encode(), 409, "core.other-history"),
            (
                json.dumps({"orders": "end turn", "phrase": PHRASE, "seen": SEEN | {"n": 10**9}}).encode(),
                409,
                "core.other-history",
            ),
            (b'{"orders": "' + b"a" * 300_000 + b'"}', 413, "core.too-large"),
            (
                json.dumps({"orders": "end turn\n" * 201, "seen": SEEN}).encode(),
                422,
                "core.too-many-lines",
            ),
            (
                json.dumps({"orders": "end turn", "phrase": "x" * 401, "seen": SEEN}).encode(),
                422,
                "core.phrase-too-long",
            ),
            (json.dumps({"orders": "end turn", "phrase": "\u0378" * 16, "seen": SEEN}).encode(), 422, "core.bad-text"),
            (json.dumps({"orders": "R" * 5000, "phrase": PHRASE, "seen": SEEN}).encode(), 422, "core.unreadable"),
        ],
        5,
    ),
)
async def test_orders_that_do_not_fit_are_problems(
    server: RunningServer, content: bytes, status: int, code: str
) -> None:
    anna, _, battle = await a_battle(server)
    headers = {"Content-Type": "application/json"}
    reply = await anna.ask("POST", f"{BATTLES}/{battle}/orders", headers, data=content)
    assert (reply.status, reply.code) == (status, code)


async def test_other_troubles_are_problem_documents_too(server: RunningServer) -> None:
    anna, _, battle = await a_battle(server)
    path = f"{BATTLES}/{battle}/orders"
    assert (await anna.ask("POST", path, data=b"orders=x")).code == "core.not-json"
    assert (await anna.ask("DELETE", path)).code == "core.method-not-allowed"
    assert (await anna.ask("DELETE", path)).headers["Allow"] == "POST"
    assert (await anna.get("/api/v1/nowhere")).code == "core.no-such-page"
    assert (await anna.get(f"{BATTLES}/nowhere")).code == "core.unknown-battle"
    assert (await anna.order(battle, "end turn", "k" * 201)).code == "core.bad-key"
    assert (await anna.order(battle, "end turn", "clé")).code == "core.bad-key"


async def test_the_server_says_how_it_is(server: RunningServer) -> None:
    assert (await server.stranger.get("/healthz")).json["status"] == "ok"
    metrics = (await server.stranger.get("/metrics")).text
    assert "# TYPE phalera_events_total counter" in metrics


async def test_a_battle_of_another_host_keeps_its_checkpoint(server: RunningServer, tmp_path: Path) -> None:
    anna, _, battle = await a_battle(server)
    assert (await anna.order(battle, "resign")).status == 200
    content = await server.stranger.export(battle)
    async with serving(tmp_path / "elsewhere", host="elsewhere.example") as other:
        assert await asyncio.to_thread(import_battle, other.running.store, content) == battle
        assert await other.stranger.export(battle) == content
        view = await other.stranger.view(battle)
        assert view["winner"] == "north"
        assert view["receipt"] in json.loads(content.splitlines()[-1])["checkpoint"]
        eve = await other.player("Eve")
        assert (await eve.order(battle, "end turn")).code == "core.not-seated"
