"""The page of a map: plate and turns, orders as plain forms, a force and an area chosen by clicks."""

import re

import pytest
from playwright.async_api import Browser

from replay.drawing.atlas.colours import dusk
from replay.drawing.atlas.svg import SWITCH
from server.web.pages.static_files import content_of
from tests.server.web.pages.test_browser import log_in, new_page
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.ladders import key_in
from tests.support.serving import PHRASE, Caller, RunningServer


async def a_war(server: RunningServer, caller: Caller) -> tuple[str, Visitor]:
    """The address of a campaign on Sicily that has begun, and the visitor who holds Carthage; bots hold the others."""
    opened = await caller.post("/api/v1/campaigns", {"example": "tts/sicily"})
    assert opened.status == 201, opened
    path, anna = f"/campaigns/{opened.json['campaign']}", await visitor_of(server, caller)
    entered = await anna.send(path, do="enter", phrase=PHRASE)
    assert entered.status == 200, entered.words
    for _ in range(2):
        await anna.send(path, do="bot", bot="sensible")
    begun = await anna.send(path, orders="begin", key=key_in((await anna.get(path)).text))
    assert begun.status == 200, begun.words
    return path, anna


@pytest.mark.rule("CAM-MAP-02", "CAM-ORD-02")
async def test_a_turn_is_ordered_by_plain_forms(server: RunningServer) -> None:
    path, anna = await a_war(server, await server.player("Anna"))
    page = await anna.get(f"{path}/map")
    assert '<svg xmlns="http://www.w3.org/2000/svg"' in page.text
    assert "Nobody is ready yet." in page.words or "Ready:" in page.words
    assert f'src="{path}/map.svg"' in (await anna.get(path)).text
    force, line = re.findall(r'name="force-(\w+)".*?<option value="(march [^"]+)"', page.text, re.S)[0]
    given = await anna.send(f"{path}/map", key=key_in(page.text), **{f"force-{force}": line})
    assert given.path == f"{path}/map", given.text
    assert f"({line})" in given.text
    refused = await anna.send(f"{path}/map", key=key_in(given.text), orders=f"march {force} nowhere")
    assert refused.status == 422
    assert 'role="alert"' in refused.text
    done = await anna.send(f"{path}/map", key=key_in(refused.text), ready="ready")
    assert done.status == 200
    await server.running.steward.settle()
    after = await anna.get(f"{path}/map?turn=1")
    assert 'class="march"' in after.text
    assert 'class="march"' not in (await anna.get(f"{path}/map?turn=1&before=1")).text


async def test_a_map_is_drawn_for_programs_in_each_form(server: RunningServer) -> None:
    path, anna = await a_war(server, await server.player("Anna"))
    for media, first in (("image/svg+xml", "<svg"), ("text/plain", "Sicily, 264")):
        found = await anna.ask("GET", f"/api/v1{path}/map", {"Accept": media})
        assert found.status == 200
        assert found.text.startswith(first)
    assert (await anna.get(f"{path}/map.svg?turn=9")).status in (404, 422)


def test_the_style_sheet_has_the_colours_of_dusk() -> None:
    sheet = content_of("map.css")[0].decode()
    assert SWITCH in sheet
    assert dusk(".map") in sheet


async def test_a_force_is_sent_by_two_clicks(server: RunningServer, browser: Browser) -> None:
    caller = await server.player("Anna")
    path, _ = await a_war(server, caller)
    context = await browser.new_context(viewport={"width": 1280, "height": 900})
    await log_in(context, server, caller)
    page = await new_page(context, server, f"{path}/map")
    select = page.locator("select[data-force]").first
    force = await select.get_attribute("data-force")
    option = select.locator("option[data-area]:not([data-area=''])").nth(1)
    area = await option.get_attribute("data-area")
    await page.locator(f".wide .force[data-force='{force}']").click()
    assert await page.locator(f".area[data-area='{area}'].within").count() == 1
    await page.locator(f".area[data-area='{area}']").dispatch_event("click")
    assert (await select.input_value()).startswith(("march", "avoid"))
