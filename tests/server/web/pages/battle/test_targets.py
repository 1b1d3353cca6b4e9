"""Where the orders of a page lead stands in it once, as the API tells it."""

import json
import re

import pytest
from playwright.async_api import Browser

from domain.basics.data import scenario_names
from domain.basics.decoding import decode
from domain.catalogue import RULESETS
from domain.contract.option import OrderTarget
from server.shown.outcome import percent
from server.shown.targets import TargetShown
from server.web.api.messages import Options
from server.web.pages.islands import island
from tests.server.web.pages.test_browser import play_now
from tests.server.web.pages.visiting import Page, Visitor
from tests.support.looping import some
from tests.support.serving import PHRASE, RunningServer
from tests.support.waiting import eventually

ISLAND = re.compile(r'<script type="application/json" data-island="targets">(.*?)</script>', re.S)
MOST_ORDERS = 10
BROKEN = """globalThis.broken = [];
document.addEventListener("securitypolicyviolation", (event) => broken.push(event.blockedURI));"""


def targets_in(page: Page) -> list[TargetShown]:
    (found,) = ISLAND.findall(page.text)
    return decode(found.encode(), list[TargetShown])


async def compared(visitor: Visitor, path: str) -> None:
    """Hold the island of a page against the options of the API."""
    shown = targets_in(await visitor.get(path))
    answer = await visitor.ask("GET", f"/api/v1{path}/options", {"Accept": "application/json"})
    told = {option.order: option for option in decode(answer.text.encode(), Options).options if option.target}
    assert {one.order for one in shown} == set(told)
    for one in some(shown):
        option = told[one.order]
        assert one.target == option.target
        assert one.under == option.unit or not option.unit
        assert one.chance in ("", percent(*option.odds) if option.odds else "")


@pytest.mark.parametrize("code", sorted(RULESETS))
async def test_the_page_tells_targets_as_the_api_does(server: RunningServer, code: str) -> None:
    visitor = Visitor(server)
    start = f"{code}/{scenario_names(code)[0]}"
    page = await visitor.send("/battles", scenario=start, opponent="random", side="south", phrase=PHRASE)
    assert page.status == 200, page.words
    battle = page.path.rpartition("/")[2]
    live = await server.running.battles.get(battle)
    for _ in range(MOST_ORDERS):  # a battle may begin with steps that are about no place
        await eventually("south's turn", lambda: "south" in live.to_act())
        if any(option.target for option in live.options("south")):
            break
        await visitor.order(battle, live.options("south")[-1].order)
    await compared(visitor, page.path)


async def test_the_chance_of_an_order_stands_with_its_target(server: RunningServer) -> None:
    visitor = Visitor(server)
    page = await visitor.send("/battles", scenario="tts/skirmish", opponent="sensible", phrase=PHRASE)
    shown = {one.order: one for one in targets_in(page)}
    ahead = OrderTarget("move", "C3", path=("C3",), said="R1 to C3")
    assert shown["R1 ahead"] == TargetShown("R1 ahead", ahead, "R1", "90%")


async def test_units_together_have_an_island_of_the_same_kind(server: RunningServer) -> None:
    visitor = Visitor(server)
    page = await visitor.send("/battles", scenario="tts/skirmish", opponent="sensible", phrase=PHRASE)
    part = await visitor.get(f"{page.path}/together?side=south&units=R1+R2")
    assert all(one.under == "" and one.order in part.text for one in targets_in(part))
    assert "data-act" not in page.text + part.text


async def test_an_island_ends_where_its_script_does() -> None:
    cut = island("targets", [TargetShown("</script><b>&<!--", OrderTarget("move", "A1"))])
    assert cut.count("<") == 2 and cut.count("</script>") == 1
    (data,) = ISLAND.findall(cut)
    assert json.loads(data)[0]["order"] == "</script><b>&<!--"


async def test_the_policy_of_the_page_lets_its_island_be_read(server: RunningServer, browser: Browser) -> None:
    """A script of JSON is data: the policy, which forbids scripts in a page, does not concern it."""
    page = await play_now(browser, server)
    await page.add_init_script(BROKEN)
    await page.reload()
    read = await page.evaluate("JSON.parse(document.querySelector('#picks [data-island]').textContent).length")
    assert (read > 0, await page.evaluate("broken")) == (True, [])
    await page.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'hostile()'}))")
    assert await page.evaluate("broken") == ["inline"]
