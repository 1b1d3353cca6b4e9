"""What an operator sees of a running server: log, metrics, readiness, and what a broken store answers."""

import asyncio
import io
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.logs import REQUEST_ID, LogHandler, LogLines, RequestRecord, configure, without_secrets
from server.people.players import enrol
from server.people.tags import Tags
from server.release import commit, release
from server.settings import Settings
from server.store import StoreFailed
from server.store.tables import outbox
from server.web.keys import READINESS
from server.web.starting import addresses_of
from tests.support.clock import ManualClock
from tests.support.serving import RunningServer, serving

HOUR_S = 3600


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """The log of this process as JSON lines."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    stream = io.StringIO()
    logging.getLogger("aiohttp.access").disabled = True  # `serve` does not have it
    configure("json", "info", stream)
    yield stream
    logging.getLogger("aiohttp.access").disabled = False
    root.handlers[:] = before
    root.setLevel(level)


def read(lines: io.StringIO) -> list[dict[str, object]]:
    """The lines as values; those of requests are written a moment later."""
    logging.getLogger().handlers[0].flush()
    return read_lines(lines)


def read_lines(stream: io.StringIO) -> list[dict[str, object]]:
    """What is written, as values."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]


# --- the log


async def test_each_request_has_a_line_with_the_pattern_of_its_address(server: RunningServer, lines) -> None:
    anna = await server.player("Anna")
    battle = await anna.open()
    reply = await anna.get(f"/api/v1/battles/{battle}/events?after=1")
    last = read(lines)[-1]
    assert last.pop("time")
    assert last.pop("ms") is not None
    assert all(re.fullmatch("[0-9a-f]{12}", str(last.pop(kind))) for kind in ("client", "account"))
    assert last == {
        "level": "info",
        "logger": "phalera.access",
        "message": "request",
        "method": "GET",
        "route": "/api/v1/battles/{id}/events",
        "status": 200,
        "request": reply.headers["X-Request-Id"],
    }
    assert battle not in json.dumps(last)
    missing = await server.stranger.get("/nowhere/secret")
    assert (read(lines)[-1]["route"], read(lines)[-1]["status"], missing.status) == ("-", 404, 404)
    assert read(lines)[-1]["code"] == "core.no-such-page"
    assert len({line["request"] for line in read(lines)}) == len(read(lines))


async def test_clients_and_accounts_have_tags_in_the_log_and_no_address(tmp_path: Path, lines) -> None:
    async with serving(tmp_path, trusted_proxies=("127.0.0.1",)) as server:
        anna = await server.player("Anna")
        for address in ("203.0.113.7", "203.0.113.7", "2001:db8::1", "2001:db8::2"):
            await anna.get("/api/v1/battles", {"X-Forwarded-For": address})
        await server.stranger.get("/api/v1/battles", {"X-Forwarded-For": "203.0.113.8"})
        written = read(lines)
        tags = Tags(server.running.keys.oldest, server.running.clock)
    clients = [line["client"] for line in written]
    assert clients == [tags.client(of) for of in ("203.0.113.7", "203.0.113.7", *["2001:db8::/64"] * 2, "203.0.113.8")]
    assert [line.get("account") for line in written] == [tags.account(anna.player)] * 4 + [None]
    for secret in ("203.0.113", "2001:db8", anna.player, "127.0.0.1", "Anna"):
        assert secret not in lines.getvalue()


async def test_the_id_of_a_trusted_proxy_is_taken_over(server: RunningServer, tmp_path: Path) -> None:
    given = {"X-Request-Id": "from-proxy.1"}
    assert (await server.stranger.get("/healthz", given)).headers["X-Request-Id"] != "from-proxy.1"
    async with serving(tmp_path / "behind", trusted_proxies=("127.0.0.1",)) as behind:
        assert (await behind.stranger.get("/healthz", given)).headers["X-Request-Id"] == "from-proxy.1"
        odd = await behind.stranger.get("/healthz", {"X-Request-Id": "a b"})
        assert odd.headers["X-Request-Id"] != "a b"


async def test_a_log_that_cannot_be_written_refuses_nobody(server: RunningServer, lines) -> None:
    lines.close()
    logging.getLogger("phalera").warning("lost")
    assert (await server.stranger.get("/")).status == 200
    logging.getLogger().handlers[0].flush()
    assert (await server.stranger.get("/")).status == 200


async def test_probes_are_not_in_the_log_while_all_is_well(server: RunningServer, lines) -> None:
    for path in ("/healthz", "/metrics", "/static/board.js"):
        await server.stranger.get(path)
    assert [line for line in read(lines) if line["status"] == 200] == []


async def test_a_store_that_fails_leaves_no_token_in_the_log(server: RunningServer, lines, monkeypatch) -> None:
    running = server.running
    enrolled = enrol(running.clock, running.entropy, "Anna", "anna@example.org")
    await running.store.write(*enrolled.statements)

    def full(*_: object) -> None:
        raise StoreFailed(f"database or disk is full: /login/{enrolled.login_token} of anna@example.org")

    monkeypatch.setattr(running.store, "write", full)
    answer = await server.stranger.ask("POST", f"/login/{enrolled.login_token}", {"Sec-Fetch-Site": "same-origin"})
    assert (answer.status, answer.code, answer.headers["Retry-After"]) == (507, "core.disk-full", "60")
    written = lines.getvalue()
    assert "database or disk is full" in written
    assert "POST /login/{token}" in written
    assert enrolled.login_token not in written
    assert "anna@example.org" not in written
    monkeypatch.undo()
    later = await server.stranger.ask("POST", f"/login/{enrolled.login_token}", {"Sec-Fetch-Site": "same-origin"})
    assert later.status < 400  # nothing had been changed


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("POST /confirm/abcdef: locked", "POST /confirm/…: locked"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer …"),
        ("letter to Anna <anna+x@mail.example.org> bounced", "letter to Anna <…@…> bounced"),
        ("smtp://host:pass@relay.example:25 is gone", "smtp://host:…@relay.example:25 is gone"),
        ("token 502b4d96aaaabbbbccccddddeeeeffff is unknown", "token … is unknown"),
        ("battle k3v9x2aa at event 12", "battle k3v9x2aa at event 12"),
    ],
)
def test_secrets_are_replaced(text: str, shown: str) -> None:
    assert without_secrets(text) == shown


def test_a_traceback_is_one_line_of_json_without_secrets() -> None:
    formatter = LogLines("json")
    try:
        raise ValueError("no account for anna@example.org")
    except ValueError as fault:
        record = logging.LogRecord(
            "server.x", logging.ERROR, __file__, 1, "failed", (), (type(fault), fault, fault.__traceback__)
        )
    line = formatter.format(record)
    assert "\n" not in line
    assert "ValueError: no account for …@…" in json.loads(line)["exception"]
    assert "failed" in LogLines("console").format(record)


@pytest.mark.parametrize("form", ["json", "console"])
@pytest.mark.parametrize("level", [logging.DEBUG, logging.INFO])
@pytest.mark.parametrize(("code", "limited"), [("", ""), ("core.busy", ""), ("core.too-many", "guest.address")])
def test_the_line_of_a_request_is_formed_as_all_others(form: str, level: int, code: str, limited: str) -> None:
    was = REQUEST_ID.set("4f-1")
    more = (code, limited, code and "5ac3", "77e1")
    record = RequestRecord(level, "POST", "/api/v1/battles/{id}/orders", 200, 1.3, *more)
    fields = {name: value for name, value in record.__dict__.items() if name != "request"}
    ours = without_time(LogLines(form).format(record))
    assert ours == without_time(LogLines(form).format(logging.makeLogRecord(fields)))
    REQUEST_ID.reset(was)
    assert "4f-1" in ours


def without_time(line: str) -> str:
    """A line whose time is not that of this run; it has the form of a time."""
    shown, count = re.subn(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", "TIME", line)
    assert count == 1
    return shown


def test_a_method_that_nobody_knows_is_looked_through_for_secrets() -> None:
    record = RequestRecord(logging.INFO, "A" * 40, "-", 405, 0.1)
    for form in ("json", "console"):
        line = LogLines(form).format(record)
        assert "AAAA" not in line
        assert "…" in line


def test_the_lines_of_requests_are_written_together_and_before_what_comes_after_them() -> None:
    stream = io.StringIO()
    handler = LogHandler(stream, "json")

    async def answered() -> None:
        for number in range(3):
            handler.handle(RequestRecord(logging.INFO, "GET", "/", 200 + number, 0.1))
        assert stream.getvalue() == ""
        handler.handle(logging.makeLogRecord({"name": "server", "levelname": "WARNING", "msg": "disk"}))
        assert [line.get("status", line["message"]) for line in read_lines(stream)] == [200, 201, 202, "disk"]
        handler.handle(RequestRecord(logging.INFO, "GET", "/", 300, 0.1))
        while len(read_lines(stream)) < 5:  # the loop writes it by itself
            await asyncio.sleep(0.01)

    asyncio.run(answered())
    handler.handle(RequestRecord(logging.INFO, "GET", "/", 400, 0.1))  # no loop runs that would write it later
    assert read_lines(stream)[-1]["status"] == 400


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_full_disk_is_told_without_a_traceback(form: str) -> None:
    try:
        raise StoreFailed("database or disk is full")
    except StoreFailed as fault:
        raised = (StoreFailed, fault, fault.__traceback__)
    record = logging.LogRecord("server.x", logging.ERROR, __file__, 1, "letters are left", (), raised)
    line = LogLines(form).format(record)
    assert "\n" not in line and "Traceback" not in line
    assert "letters are left" in line and "database or disk is full" in line


# --- metrics


async def test_the_metrics_tell_of_requests_store_mail_and_machine(server: RunningServer) -> None:
    anna = await server.player("Anna")
    await anna.open()
    await anna.get("/api/v1/battles/nothing")
    running = server.running
    await running.store.write(outbox.post("", 0, anna.player, "welcome", running.clock.now()))
    reply = await server.stranger.get("/metrics")
    figures = dict(line.rsplit(" ", 1) for line in reply.text.splitlines() if not line.startswith("#"))
    route = 'phalera_request_seconds_count{method="POST",route="/api/v1/battles",status="201"}'
    assert figures[route] == "1.0"
    missing = 'phalera_request_seconds_count{method="GET",route="/api/v1/battles/{id}",status="404"}'
    assert figures[missing] == "1.0"
    assert float(figures["phalera_events_total"]) >= 1
    assert float(figures["phalera_disk_free_bytes"]) > 0
    assert float(figures["process_resident_memory_bytes"]) > 0
    assert figures["phalera_outbox_letters"] == "1.0"
    assert figures['phalera_refusals_total{code="core.unknown-battle"}'] == "1.0"
    assert figures[f'phalera_info{{commit="{commit()}",version="{release()}"}}'] == "1.0"
    assert float(figures["phalera_store_bytes"]) >= 4096
    assert "phalera_backup_age_seconds" not in figures
    for name in (
        "connections",
        "store_failures_total",
        "store_waiting",
        "streams",
        "bots_playing",
        "outbox_oldest_seconds",
    ):
        assert f"phalera_{name}" in figures
    assert "# TYPE phalera_loop_lag_seconds histogram" in reply.text


async def test_the_metrics_tell_how_old_the_newest_backup_is(tmp_path: Path) -> None:
    clock = ManualClock("2026-11-20T12:00:00.000Z")
    made = tmp_path / "backups" / "phalera-20261120T110000Z.tar"
    async with serving(tmp_path / "data", clock=clock, backup_to=str(tmp_path / "backups")) as server:
        for age_s in (1_795_176_000.0, 3600.0):
            found = (await server.stranger.get("/metrics")).text
            assert (
                float(dict(line.rsplit(" ", 1) for line in found.splitlines())["phalera_backup_age_seconds"]) == age_s
            )
            made.parent.mkdir(exist_ok=True)
            made.touch()


async def test_a_method_of_ones_own_is_no_figure_of_its_own(server: RunningServer) -> None:
    assert (await server.stranger.ask("PROPFIND", "/")).status == 405
    found = (await server.stranger.get("/metrics")).text
    assert "PROPFIND" not in found and 'method="other"' in found


async def test_metrics_are_for_programs_on_this_machine(server: RunningServer, tmp_path: Path) -> None:
    behind_proxy = await server.stranger.get("/metrics", {"X-Forwarded-For": "192.0.2.1"})
    assert (behind_proxy.status, behind_proxy.code) == (403, "core.host-only")
    async with serving(tmp_path / "open", metrics_public=True) as public:
        assert (await public.stranger.get("/metrics", {"X-Forwarded-For": "192.0.2.1"})).status == 200


# --- readiness


async def test_a_server_is_ready_while_it_can_write(server: RunningServer, monkeypatch) -> None:
    reply = await server.stranger.get("/readyz")
    assert (reply.status, reply.json["status"]) == (200, "ready")
    assert [check["what"] for check in reply.json["checks"]] == [
        "store",
        "disk",
        "read-models",
        "proofs",
        "clock",
        "outbox",
    ]
    assert server.running.store.rows("SELECT * FROM deliveries") == []


async def test_it_is_not_ready_on_a_full_disk_or_with_a_store_that_fails(server: RunningServer, monkeypatch) -> None:
    probe = server.app[READINESS]
    monkeypatch.setattr("server.web.readiness.KEPT_S", 0)
    monkeypatch.setattr(probe, "free_bytes", lambda folder: 1024)

    def full(*_: object) -> None:
        raise StoreFailed("database or disk is full")

    monkeypatch.setattr(server.running.store, "write", full)
    reply = await server.stranger.get("/readyz")
    assert (reply.status, reply.json["status"]) == (503, "not ready")
    assert reply.headers["Retry-After"]
    failed = {check["what"]: check["said"] for check in reply.json["checks"] if not check["ok"]}
    assert set(failed) == {"store", "disk"}
    assert "disk is full" in failed["store"]
    assert (await server.stranger.get("/healthz")).status == 200  # the process lives


async def test_letters_that_do_not_leave_are_told_but_the_server_is_ready(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        running = server.running
        await running.store.write(outbox.post("", 0, "p1", "welcome", "2020-01-01T00:00:00.000Z"))
        reply = await server.stranger.get("/readyz")
    outbox_check = reply.json["checks"][-1]
    assert (reply.status, outbox_check["ok"], outbox_check["required"]) == (200, False, False)
    assert "one since 2020-01-01" in outbox_check["said"]


async def test_a_store_that_fails_is_503_and_says_when_to_come_back(server: RunningServer, monkeypatch) -> None:
    anna = await server.player("Anna")

    def locked(*_: object) -> None:
        raise StoreFailed("database is locked")

    monkeypatch.setattr(server.running.store, "submit", locked)
    reply = await anna.post("/api/v1/battles", {"scenario": "skirmish"})
    assert (reply.status, reply.code, reply.headers["Retry-After"]) == (503, "core.store-failed", "10")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", ["Phalera serves http://127.0.0.1:8080"]),
        ("https://games.example", ["Phalera serves https://games.example", "It listens at http://127.0.0.1:8080"]),
    ],
)
def test_the_start_says_where_players_and_where_a_proxy_reach_the_server(url: str, said: list[str]) -> None:
    settings = Settings(data=Path(), url=url)
    assert list(addresses_of(settings, "127.0.0.1", 8080)) == said
