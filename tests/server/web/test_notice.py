"""What the host tells everybody stands on each page, in answers to programs and in the terminal, while it is to."""

from pathlib import Path
from urllib.parse import unquote

import pytest
from typer.testing import CliRunner

from domain.basics.errors import Refusal
from server.cli.main import main
from server.people.announcements import moment_in, planned, words_now
from server.remote.connection import ServerConnection
from server.store.tables import announcements, deeds
from server.web.keys import NOTICE
from tests.server.web.pages.test_site import FRENCH
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.clock import ManualClock
from tests.support.serving import BATTLES, RunningServer, serving
from tests.support.waiting import eventually

NOW = "2026-11-23T00:00:00.000Z"
BOTH = {"en": "We are back at ten <sharp>.", "fr": "Nous revenons à dix heures."}


async def tell(server: RunningServer, texts: dict[str, str], since: str = "", until: str = "") -> None:
    made = planned(texts, since, until, server.running.clock.now())
    await server.running.store.write(*announcements.replace(made))
    server.app[NOTICE].look()


async def test_every_page_and_answer_tells_it_in_its_language(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    hers = await visitor_of(server, anna)
    before = await hers.get(f"/battles/{battle}")
    await tell(server, BOTH)
    for path in ("/", "/learn", "/admin", "/nowhere", f"/battles/{battle}", f"/battles/{battle}"):
        assert "We are back at ten &lt;sharp&gt;." in (await hers.get(path)).text, path
    assert BOTH["fr"] in (await hers.ask("GET", "/", FRENCH)).text
    assert "We are back" not in before.text
    reply = await bob.get(BATTLES)
    assert unquote(reply.headers["Phalera-Notice"]) == BOTH["en"]
    french = await bob.get(BATTLES, {"Accept-Language": "fr"})
    assert unquote(french.headers["Phalera-Notice"]) == BOTH["fr"]
    assert (await server.stranger.get("/healthz")).json["notice"] == BOTH["en"]
    await server.running.store.write(*announcements.replace([]))
    server.app[NOTICE].look()
    assert "We are back" not in (await hers.get(f"/battles/{battle}")).text
    assert "Phalera-Notice" not in (await bob.get(BATTLES)).headers
    assert (await server.stranger.get("/healthz")).json["notice"] == ""


async def test_it_is_told_from_its_beginning_until_its_end(tmp_path: Path) -> None:
    clock = ManualClock(NOW)
    async with serving(tmp_path, clock=clock) as server:
        await tell(server, {"en": "A break"}, "1h", "2h")
        shown = []
        for _ in range(3):
            shown.append("A break" in (await Visitor(server).get("/")).text)
            clock.wait(hours=1)
        assert shown == [False, True, False]


async def test_a_command_beside_the_server_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.lookout.LOOK_S", 0.01)
    async with serving(tmp_path) as server:
        await server.running.store.write(*announcements.replace(planned(BOTH, "", "", NOW)))
        await eventually("the notice", lambda: server.app[NOTICE].text("fr"))


async def test_a_terminal_is_told_what_cannot_steer_it(server: RunningServer) -> None:
    anna = await server.player("Anna")
    await tell(server, {"en": "Back at ten"})
    token = anna.headers["Authorization"].removeprefix("Bearer ")
    async with ServerConnection(str(server.client.make_url("")).rstrip("/"), token) as connection:
        await connection.ask("GET", "/battles")
        assert connection.notice == "Back at ten"


def test_without_a_language_the_other_is_told() -> None:
    made = planned({"en": "", "fr": "Bonjour"}, "", "", NOW)
    assert (words_now(made, "en", NOW), words_now(made, "fr", NOW)) == ("Bonjour", "Bonjour")


@pytest.mark.parametrize(
    ("written", "at"),
    [
        ("90m", "2026-11-23T01:30:00.000Z"),
        ("7d", "2026-11-30T00:00:00.000Z"),
        ("2026-11-24T22:00", "2026-11-24T22:00:00.000Z"),
        ("2026-11-24 22:00+01:00", "2026-11-24T21:00:00.000Z"),
    ],
)
def test_times_are_read(written: str, at: str) -> None:
    assert moment_in(written, NOW) == at


@pytest.mark.parametrize(
    ("texts", "since", "until", "code"),
    [
        ({"en": ""}, "", "", "core.notice-text"),
        ({"en": "x" * 301}, "", "", "core.notice-text"),
        ({"en": "x", "fr": "\u202e"}, "", "", "core.notice-text"),
        ({"en": "x"}, "soon", "", "core.notice-time"),
        ({"en": "x"}, "", "9999-12-31T23:59-14:00", "core.notice-time"),
        ({"en": "x"}, "", "2026-11-22", "core.notice-time"),
        ({"en": "x"}, "2h", "1h", "core.notice-time"),
    ],
)
def test_what_is_no_notice_is_refused(texts: dict[str, str], since: str, until: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        planned(texts, since, until, NOW)
    assert refused.value.code == code


async def test_the_command_tells_shows_and_clears(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        await server.player("Anna")

    def phalera(*words: str) -> str:
        result = CliRunner().invoke(main, ["notice", *words, "--data", str(tmp_path)])
        return result.stdout + result.stderr

    assert "en, from 2" in phalera("Back at ten", "--fr", "Retour à dix heures", "--until", "2h")
    assert "fr, from 2" in phalera() and "Back at ten" in phalera()
    assert "core" not in phalera("x" * 400) and "Back at ten" in phalera()
    assert phalera("x", "--clear") == "phalera: --clear takes nothing else.\n"
    assert phalera("--clear") == "Nothing is told any more.\n"
    assert phalera() == ""
    async with serving(tmp_path) as server:
        done = [deed.deed for deed in deeds.latest(server.running.store, 9)]
    assert done == ["clear-notice", "notice"]
