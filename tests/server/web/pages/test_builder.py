"""A player makes an army of points on the page, and brings it to a battle."""

import re
from html import unescape

import pytest
from playwright.async_api import Browser, expect

from domain.basics.data import parse_toml
from domain.basics.errors import Refusal
from domain.games.to_the_strongest.armies.army import read_army
from domain.games.to_the_strongest.armies.changing import changed
from domain.games.to_the_strongest.armies.checks import findings
from server.armies import army_toml, new_army
from server.web.pages.armies import drafted
from tests.server.web.pages.test_browser import DOUBLE_IDS, NAMELESS, PHONE_WIDTH, new_page
from tests.server.web.pages.visiting import OWN, Page, Visitor
from tests.support.serving import PHRASE, RunningServer

PATH = "/armies/carthaginian/build"
ARMY = new_army("tts", "carthaginian", 130, 7)
LEGAL = "This army is legal."


def army_on(page: Page) -> str:
    """The text of the army that a page holds."""
    found = re.search(r'name="army" value="([^"]*)"', page.text)
    assert found, page.words
    return unescape(found[1])


async def post(visitor: Visitor, **fields: str) -> Page:
    return await visitor.ask("POST", PATH, OWN, {"army": army_toml(ARMY), **fields})


async def test_it_begins_with_a_legal_army_of_the_list(server: RunningServer) -> None:
    visitor = Visitor(server)
    assert f'href="{PATH}"' in (await visitor.get("/armies/carthaginian")).text
    one, same = await visitor.get(f"{PATH}?seed=7&size=160"), await visitor.get(f"{PATH}?seed=7&size=160")
    assert LEGAL in one.words and army_on(one) == army_on(same)
    army = read_army(parse_toml(army_on(one), "army"))
    assert (army.list, army.size, findings(army)) == ("carthaginian", 160, ())
    for path in ("/armies/nobody/build", f"{PATH}?size=many", f"{PATH}?size=9999"):
        assert (await visitor.get(path)).status in (404, 422)


async def test_a_unit_more_is_checked_with_the_sentence_and_its_rule(server: RunningServer) -> None:
    page = await post(Visitor(server), **{"do": "add I", "line I": "elephants"})
    assert LEGAL not in page.words and "This army cannot fight yet" in page.words
    assert "more than" in page.words and 'href="/rules/TTS-' in page.text
    units = [unit for corps in read_army(parse_toml(army_on(page), "army")).corps for unit in corps.units]
    assert len(units) == sum(len(corps.units) for corps in ARMY.corps) + 1
    assert len({unit.id for unit in units}) == len(units)


async def test_what_the_fields_say_is_applied(server: RunningServer) -> None:
    first = ARMY.corps[0].units[0]
    fields = {f"grade {first.id}": "standard", f"extras {first.id}": "hero", "name": "Mine <own>", "size": "140"}
    page = await post(Visitor(server), **fields)
    army = read_army(parse_toml(army_on(page), "army"))
    unit = army.corps[0].units[0]
    assert (unit.quality, unit.hero, unit.extras, army.name, army.size) == ("standard", True, (), "Mine <own>", 140)
    assert "Mine &lt;own&gt;" in page.text


async def test_the_text_of_an_army_is_read_or_refused(server: RunningServer) -> None:
    visitor = Visitor(server)
    other = army_toml(new_army("tts", "carthaginian", 130, 8))
    assert army_on(await post(visitor, do="read", text=other)) == other
    for wrong in ("no = toml = at all", 'list = "nobody"', "corps = 5", "x" * 300_000):
        page = await post(visitor, do="read", text=wrong)
        assert page.status in (413, 422), wrong[:20]
    page = await post(visitor, do="read", text="corps = 5 # <b>")
    assert army_on(page) == army_toml(ARMY) and "corps = 5 # &lt;b&gt;" in page.text
    for deed in ("add", "add IX", "drop", "drop NOBODY", "resign I"):
        assert (await post(visitor, do=deed)).status in (200, 422), deed
    assert (await visitor.ask("POST", PATH, {"Sec-Fetch-Site": "cross-site"}, {"army": other})).status == 403


async def test_a_battle_is_fought_with_it(server: RunningServer) -> None:
    visitor = Visitor(server)
    mine = army_toml(changed(ARMY, "name", "", "The Sacred Band"))
    page = await visitor.ask("POST", "/new", OWN, {"own": mine})
    assert page.status == 200 and "The Sacred Band" in page.text
    fields = {"armies": "tts", "south": "hittite", "north": "hittite", "own": mine, "side": "north", "phrase": PHRASE}
    battle = await visitor.send("/battles", opponent="person", **fields)
    assert battle.status == 200, battle.words
    assert "North: The Sacred Band" in battle.words or "The Sacred Band" in battle.text
    assert "Hittite" in battle.text
    assert (await visitor.send("/battles", opponent="person", **{**fields, "own": "no toml"})).status == 422


async def test_the_general_and_the_camp_of_a_corps_are_changed_by_fields(server: RunningServer) -> None:
    corps = ARMY.corps[0]
    unit = corps.units[-1].id
    fields = {f"general {corps.id}": unit, f"traits {corps.id}": "senior", f"camp {corps.id}": "1"}
    first = read_army(parse_toml(army_on(await post(Visitor(server), **fields)), "army")).corps[0]
    assert first.general is not None and first.camp is not None
    assert (first.general.attached, first.general.traits, first.general.mounted) == (unit, ("senior",), False)
    assert first.camp.boxes == 1
    page = await post(Visitor(server), **{f"general {corps.id}": "-", f"camp {corps.id}": "0"})
    first = read_army(parse_toml(army_on(page), "army")).corps[0]
    assert (first.general, first.camp) == (None, None) and "This army cannot fight yet" in page.words
    bare = army_toml(changed(ARMY, "general", corps.id, "-"))
    again = read_army(
        parse_toml(army_on(await post(Visitor(server), army=bare, **{f"general {corps.id}": ""})), "army")
    )
    general = again.corps[0].general
    assert general is not None and general.attached == "" and general.id not in {one.id for one in corps.units}
    for wrong in ({f"camp {corps.id}": "9"}, {f"camp {corps.id}": "x"}, {f"fortified {corps.id}": "99"}):
        assert (await post(Visitor(server), **wrong)).status == 422, wrong


def test_what_the_list_allows_of_a_general_is_offered() -> None:
    draft = drafted("tts", ARMY, "en")
    group = draft.groups[0]
    assert [choice.verb for choice in group.choices][:2] == ["general", "camp"]
    assert {value for choice in group.choices for value, _ in choice.options} >= {"-", "", ARMY.corps[0].units[0].id}
    general = ARMY.corps[0].general
    assert general is not None
    ticked = {value for marks in group.marks for value, _, has in marks.options if has}
    assert ticked == {*general.traits, *(["mounted"] if general.mounted else [])}


@pytest.mark.parametrize(
    "verb",
    ["add", "drop", "grade", "extras", "name", "size", "general", "traits", "camp", "fortified", "unknown"],
)
def test_no_change_breaks_an_army(verb: str) -> None:
    """Whatever comes of it is an army that can be read again, or the change is refused."""
    for subject in ("", "I", "NU1", "I" * 500):
        for value in ("", "libyans", "veteran", "hero standard", "130", "x" * 5000, "é" * 200):
            try:
                army = changed(ARMY, verb, subject, value)
                assert read_army(parse_toml(army_toml(army), "army")) == army
            except Refusal as refused:
                assert refused.rule == "TTS-CAT-04"


def test_a_general_without_their_unit_is_detached() -> None:
    general = ARMY.corps[0].general
    assert general is not None and general.attached
    left = changed(ARMY, "drop", general.attached, "").corps[0]
    assert left.general is not None and left.general.attached == ""
    assert len(left.units) == len(ARMY.corps[0].units) - 1


async def test_an_army_is_made_by_clicks(server: RunningServer, browser: Browser) -> None:
    context = await browser.new_context(viewport={"width": PHONE_WIDTH, "height": 800})
    page = await new_page(context, server, f"{PATH}?seed=7")
    await expect(page.locator("#verdict")).to_contain_text(LEGAL)
    units = page.locator(".group").first.locator("li")
    before = await units.count()
    await page.locator(".group").first.locator("select[name='line I']").select_option("libyans")
    await page.locator("button[value='add I']").click()
    await expect(units).to_have_count(before + 1)
    await expect(page.locator("#verdict")).to_contain_text("cannot fight yet")
    await expect(page.locator("select[name='line I']")).to_have_value("libyans")
    await units.last.locator("button").click()
    await expect(units).to_have_count(before)
    await expect(page.locator("#verdict")).to_contain_text(LEGAL)
    await page.locator("#of-I summary").click()
    await page.locator("#general-I").select_option("-")
    await expect(page.locator("#verdict")).to_contain_text("cannot fight yet")
    await expect(page.locator("#general-I")).to_be_visible()  # what was unfolded stays so
    await page.locator("#general-I").select_option("")
    await expect(page.locator("#of-I .extras")).to_be_visible()
    await expect(page.locator("#verdict")).to_contain_text(LEGAL)
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE_WIDTH
    assert await page.evaluate(NAMELESS) == [] and await page.evaluate(DOUBLE_IDS) == []
    await page.get_by_role("button", name="Fight with this army").click()
    await expect(page.locator("#own-text")).to_have_value(re.compile("carthaginian"))
    await context.close()
