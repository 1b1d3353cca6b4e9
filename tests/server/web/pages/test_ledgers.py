"""Forces and service records on the page and over the API: of a war that two fight on a table."""

import re

from tests.server.web.pages.visiting import visitor_of
from tests.support.linked import served_file
from tests.support.serving import PHRASE, Caller, RunningServer

CAMPAIGNS = "/api/v1/campaigns"
FRENCH = {"Accept": "text/html", "Accept-Language": "fr"}


async def war(server: RunningServer, readers: str = "public") -> tuple[str, Caller, Caller]:
    """The id of a linked campaign, whose first battle was fought on a table and has left something."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    opened = await anna.post(CAMPAIGNS, {"toml": served_file(readers=readers)})
    assert opened.status == 201, opened.json
    name = str(opened.json["campaign"])
    path = f"{CAMPAIGNS}/{name}"
    await server.running.steward.campaigns.get(name)
    for caller, entrant in ((anna, "rome"), (bob, "carthage")):
        assert (await caller.post(f"{path}/entrants", {"entrant": entrant, "phrase": PHRASE})).status == 201
    await _say(anna, path, "begin\nready")
    await _say(bob, path, "ready")
    await server.running.steward.settle()
    for caller in (anna, bob):
        await _say(caller, path, "table 1.1 rome kept 640 210 lost F2:N2 worn F1:R4 dead F2:G3")
    await server.running.steward.settle()
    return name, anna, bob


async def _say(caller: Caller, path: str, lines: str) -> None:
    told = (await caller.post(f"{path}/orders", {"orders": lines})).json["lines"]
    assert all(one["status"] == "accepted" for one in told), told


async def test_a_service_record_is_read_over_the_api(server: RunningServer) -> None:
    """CAM-CAR-03"""
    name, anna, _ = await war(server)
    path = f"{CAMPAIGNS}/{name}/ledger"
    forces = (await anna.get(path)).json["forces"]
    assert [(one["force"], one["power"]) for one in forces] == [("F1", "rome"), ("F2", "carthage")]
    record = (await anna.get(f"{path}/F2/N2")).json
    (entry,) = record["entries"]
    assert (entry["what"], entry["fate"], entry["fared"], entry["needed"]) == ("battle", "lost", "lost", 5)
    assert entry["now"] == record["now"] == ("fit" if entry["die"] >= 5 else "gone")
    assert (await anna.get(f"{path}/F2")).json["force"] == "F2"
    missing = await anna.get(f"{path}/F9")
    assert (missing.status, missing.code) == (422, "campaign.no-such-force")
    assert (await anna.get(f"{path}/F1/X9")).code == "core.unknown-id"


async def test_force_and_record_have_pages_to_show_around(server: RunningServer) -> None:
    name, anna, _ = await war(server)
    visitor = await visitor_of(server, anna)
    path = f"/campaigns/{name}"
    assert f'href="{path}/ledger"' in (await visitor.get(path)).text
    assert f'href="{path}/ledger/F1"' in (await visitor.get(f"{path}/ledger")).text
    force = await visitor.get(f"{path}/ledger/F1")
    assert "A consul's army" in force.words.replace("’", "'")
    assert f'href="{path}/ledger/F1/R4"' in force.text
    record = await visitor.get(f"{path}/ledger/F1/R4")
    assert "was worn, and recovered" in record.words
    assert re.search(r'property="og:image" content="http[^"]+/ledger/F1/R4/card.png', record.text)
    french = (await visitor.ask("GET", f"{path}/ledger/F1/R4", FRENCH)).words
    assert "fut éprouvée, et se remit" in french
    async with server.client.get(f"{path}/ledger/F1/R4/card.png") as card:
        assert (card.status, card.content_type) == (200, "image/png")
        assert (await card.read()).startswith(b"\x89PNG")
    assert (await visitor.get(f"{path}/ledger/F9")).status == 422


async def test_an_order_that_is_sealed_is_in_no_record(server: RunningServer) -> None:
    """CAM-LOG-04: a recruit that is ordered in secret shows when the orders are opened."""
    name, anna, bob = await war(server)
    path = f"{CAMPAIGNS}/{name}"
    await _say(anna, path, "recruit F1 I legionaries raw as R7")
    for caller in (anna, bob):
        ledger = await caller.get(f"{path}/ledger")
        assert "R7" not in str(ledger.json)
        assert (await caller.get(f"{path}/ledger/F1/R7")).code == "core.unknown-id"
    await _say(anna, path, "ready")
    await _say(bob, path, "ready")
    entries = (await bob.get(f"{path}/ledger/F1/R7")).json["entries"]
    assert entries[0]["what"] == "raised"


async def test_the_story_of_a_campaign_is_told_to_its_readers(server: RunningServer) -> None:
    name, anna, _ = await war(server)
    visitor = await visitor_of(server, anna)
    page = await visitor.get(f"/campaigns/{name}/report")
    assert f'<a href="../{name}">' in page.text and "Hannibal" in page.words
    assert "<script" not in page.text
    told = await anna.ask("GET", f"{CAMPAIGNS}/{name}/report?format=md")
    assert (told.status, told.type) == (200, "text/markdown")
    assert (await anna.ask("GET", f"{CAMPAIGNS}/{name}/report?format=docx")).code == "core.bad-query"
