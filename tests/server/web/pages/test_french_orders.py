"""The page of a battle speaks of orders and players in the language of its reader."""

import re

from server.play.seating import BOT_NAMES
from tests.server.web.pages.visiting import Visitor
from tests.support.serving import PHRASE, RunningServer

FRENCH = {"Accept": "text/html", "Accept-Language": "fr"}
PICKED = re.compile(r'<button name="pick" value="([^"]*)"')
AT_HAND = re.compile(r'<button form="order-form" name="end" value="[^"]*"[^>]*>([^<]*)<')
SAID = re.compile(r'"said":"([^"]*)"')


async def begun(server: RunningServer) -> tuple[Visitor, str]:
    """A visitor in a battle against a bot, and the path of its page."""
    visitor = Visitor(server)
    page = await visitor.send("/battles", scenario="tts/skirmish", opponent="sensible", phrase=PHRASE)
    return visitor, page.path


async def test_orders_to_pick_are_french_for_a_french_reader(server: RunningServer) -> None:
    visitor, path = await begun(server)
    english, page = await visitor.get(path), await visitor.ask("GET", path, FRENCH)
    assert "R1 ahead" in PICKED.findall(english.text) and "R1 avance" in PICKED.findall(page.text)
    assert len(PICKED.findall(english.text)) == len(PICKED.findall(page.text))
    assert "R1 to C3" in SAID.findall(english.text) and "R1 vers C3" in SAID.findall(page.text)
    assert [line for line in PICKED.findall(page.text) if re.search(r"\b(ahead|turn|back|left|then|end)\b", line)] == []
    assert (AT_HAND.findall(english.text), AT_HAND.findall(page.text)) == (["End turn"], ["Fin du tour"])


async def test_a_french_order_that_was_picked_is_played(server: RunningServer) -> None:
    visitor, path = await begun(server)
    order = AT_HAND.findall((await visitor.ask("GET", path, FRENCH)).text)[0]
    await visitor.order(path.rpartition("/")[2], order)
    assert "Le Sud : fin du tour" in (await visitor.ask("GET", path, FRENCH)).words


async def test_a_bot_and_a_guest_have_french_names(server: RunningServer) -> None:
    visitor, path = await begun(server)
    for address in (path, "/"):
        page = await visitor.ask("GET", address, FRENCH)
        assert BOT_NAMES["sensible"] not in page.text and "Robot raisonnable" in page.text, address
    guest = Visitor(server)
    form = {"scenario": "tts/skirmish", "phrase": PHRASE, "lang": "fr"}
    assert "Invité " in (await guest.send("/battles?lang=fr", **form)).text
