"""A player sets up as last time: what they gave an earlier battle with the same force, as far as it fits here."""

import pytest
from playwright.async_api import Browser, expect

from server.play.last_time import fitted
from server.play.live_battle import LiveBattle
from server.play.planning import Situation
from tests.server.web.pages.test_before_the_turns import ARMIES, box_of, set_up, two_players
from tests.server.web.pages.test_browser import address, new_page
from tests.server.web.pages.test_by_hand import DESKTOP
from tests.server.web.pages.visiting import Visitor
from tests.support.serving import PHRASE, RunningServer


async def another(ann: Visitor, ben: Visitor, **fields: str) -> str:
    """One more battle between the same two."""
    opened = await ann.send("/battles", **(ARMIES | fields), opponent="person", phrase=PHRASE, stratagems_per_side="0")
    battle = opened.path.rpartition("/")[2]
    await ben.send(f"/battles/{battle}/sides/north", phrase=PHRASE, seen=await ben.seen(battle))
    return battle


async def deployed_twice(server: RunningServer) -> tuple[Visitor, str, LiveBattle]:
    """Who deploys, and a second battle in which they begin to deploy the same force."""
    ann, ben, first = await two_players(server, stratagems_per_side="0")
    await set_up(ann, ben, server, first, "deployment")
    live = await server.running.battles.get(first)
    (side,) = live.to_act()
    assert 'value="repeat"' not in (await (ann if side == "south" else ben).get(f"/battles/{first}")).text
    await set_up(ann, ben, server, first, "turns")
    second = await another(ann, ben)
    await set_up(ann, ben, server, second, "deployment")
    live = await server.running.battles.get(second)
    (side,) = live.to_act()
    return (ann if side == "south" else ben), second, live


@pytest.mark.slow
async def test_the_deployment_of_last_time_is_proposed_and_can_be_sent(server: RunningServer) -> None:
    visitor, battle, live = await deployed_twice(server)
    page, n = await visitor.get(f"/battles/{battle}"), live.n
    assert 'value="repeat"' in page.text
    fields = {name: page.field(name) for name in ("key", "expect", "side", "seen")}
    page = await visitor.send(f"/battles/{battle}/orders", **fields, orders="", do="repeat")
    assert "Your last set-up of these units gives" in page.words and live.n == n
    lines = box_of(page)
    assert lines and all(line.startswith("deploy") for line in (lines[0], lines[-1]))
    page = await visitor.send(f"/battles/{battle}/orders", **fields, orders="\n".join(lines), do="repeat")
    assert box_of(page) == lines
    page = await visitor.order(battle, "\n".join(lines))
    assert 'class="refused"' not in page.text and live.n > n


@pytest.mark.slow
async def test_the_tray_takes_it(server: RunningServer, browser: Browser) -> None:
    visitor, battle, live = await deployed_twice(server)
    context, n = await browser.new_context(viewport=DESKTOP), live.n
    for name, value in visitor.cookies.items():
        await context.add_cookies([{"name": name, "value": value, "url": address(server)}])
    page = await new_page(context, server, f"/battles/{battle}")
    await page.get_by_role("button", name="As last time").click()  # from an empty tray, too
    await expect(page.locator("#answer")).to_contain_text("Nothing is sent")
    assert await page.locator("#chips li").count() > 1 and live.n == n
    assert await page.locator("#ghosts .ghost").count() > 0


@pytest.mark.slow
async def test_what_does_not_fit_any_more_is_left_out(server: RunningServer) -> None:
    _, _, live = await deployed_twice(server)
    (side,) = live.to_act()
    good = [option.order for option in live.options(side) if option.unit][:1]
    unit = good[0].split()[1]
    situation = Situation(live.ruleset, live.id, live.n, side, live.known(side))
    found = fitted(situation, ["done", f"deploy {unit} Z9", *good, f"deploy {unit} Z9", "resign"])
    assert found.lines == tuple(good)
    assert found.left_out == (f"deploy {unit} Z9",)


@pytest.mark.slow
async def test_another_force_is_not_set_up_as_last_time(server: RunningServer) -> None:
    ann, ben, first = await two_players(server, stratagems_per_side="0")
    for phase in ("deployment", "turns"):
        await set_up(ann, ben, server, first, phase)
    second = await another(ann, ben, south=ARMIES["north"], north=ARMIES["south"])
    await set_up(ann, ben, server, second, "deployment")
    live = await server.running.battles.get(second)
    (side,) = live.to_act()
    page = await (ann if side == "south" else ben).get(f"/battles/{second}")
    assert 'value="plan"' in page.text and 'value="repeat"' not in page.text
