"""The report of a battle that is over, as a page and over the API."""

import re
from base64 import b64encode
from hashlib import sha256
from typing import Any

import pytest

from server.web.keys import PICTURES
from server.workers import Inline
from tests.support.serving import BATTLES, Caller, RunningServer


@pytest.fixture
async def battle(server: RunningServer) -> tuple[Caller, Caller, str]:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    return anna, bob, await server.battle(anna, bob)


async def test_a_battle_that_goes_on_has_no_report(server: RunningServer, battle: tuple[Caller, Caller, str]) -> None:
    anna, _, id_ = battle
    for path in (f"{BATTLES}/{id_}/report", f"/battles/{id_}/report"):
        refused = await anna.get(path)
        assert (refused.status, refused.json["code"]) == (409, "core.report-later")
    assert "The story of this battle" not in (await anna.get(f"/battles/{id_}")).text


async def test_everybody_reads_the_report_of_one_that_is_over(
    server: RunningServer, battle: tuple[Caller, Caller, str]
) -> None:
    _, bob, id_ = battle
    assert (await bob.order(id_, "resign")).status == 200
    assert f"/battles/{id_}/report" in (await server.stranger.get(f"/battles/{id_}")).text
    for path in (f"{BATTLES}/{id_}/report", f"/battles/{id_}/report"):
        found = await server.stranger.get(path, {"Accept-Language": "fr"})
        assert found.status == 200
        assert found.headers["Content-Type"] == "text/html; charset=utf-8"
        assert '<html lang="fr">' in found.text
        assert "Anna" in found.text
        assert "Content-Disposition" not in found.headers


async def test_the_page_leads_back_to_the_battle_and_the_file_does_not(
    server: RunningServer, battle: tuple[Caller, Caller, str]
) -> None:
    anna, _, id_ = battle
    await anna.order(id_, "resign")
    back = f'<a href="../{id_}">Back to the battle</a>'
    paths = (f"/battles/{id_}/report", f"/battles/{id_}/report?download", f"{BATTLES}/{id_}/report")
    assert [back in (await anna.get(path)).text for path in paths] == [True, False, False]


async def test_its_style_is_the_only_one_that_the_browser_takes(
    server: RunningServer, battle: tuple[Caller, Caller, str]
) -> None:
    anna, _, id_ = battle
    await anna.order(id_, "resign")
    found = await anna.get(f"{BATTLES}/{id_}/report")
    (style,) = re.findall(r"<style>(.*?)</style>", found.text, re.DOTALL)
    allowed = b64encode(sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{allowed}'" in found.headers["Content-Security-Policy"]
    assert 'style="' not in found.text


async def test_the_forms_and_their_names(server: RunningServer, battle: tuple[Caller, Caller, str]) -> None:
    anna, _, id_ = battle
    await anna.order(id_, "resign")
    for form, start in (("md", "# "), ("html", "<!DOCTYPE html>")):
        found = await anna.get(f"{BATTLES}/{id_}/report?format={form}&download")
        assert found.text.startswith(start)
        assert found.headers["Content-Disposition"] == f'attachment; filename="{id_}.{form}"'
        again = await anna.get(f"{BATTLES}/{id_}/report?format={form}", {"If-None-Match": found.headers["ETag"]})
        assert again.status == 304
    wrong = await anna.get(f"{BATTLES}/{id_}/report?format=docx")
    assert (wrong.status, wrong.json["code"]) == (400, "core.bad-query")


async def test_without_the_extra_there_is_no_pdf(
    server: RunningServer, battle: tuple[Caller, Caller, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _, id_ = battle
    await anna.order(id_, "resign")
    monkeypatch.setattr("replay.drawing.pdf.can_write", lambda: False)
    refused = await anna.get(f"{BATTLES}/{id_}/report?format=pdf")
    assert (refused.status, refused.json["params"]["offered"]) == (406, ["html", "md"])


async def test_it_is_written_once(server: RunningServer, battle: tuple[Caller, Caller, str]) -> None:
    class Counted(Inline):
        jobs = 0

        async def run(self, job: Any, *given: Any) -> Any:
            Counted.jobs += 1
            return await super().run(job, *given)

    anna, bob, id_ = battle
    await anna.order(id_, "resign")
    server.app[PICTURES]._runner = Counted()
    for caller in (anna, bob, server.stranger):
        assert (await caller.get(f"{BATTLES}/{id_}/report")).status == 200
    assert Counted.jobs == 1
