"""A name belongs to one player: neither an account nor a seat takes another's, nor one that looks like it."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from server.store import EventStore
from server.store.migrations import migrate
from server.store.reader import StoreReader
from server.store.tables import accounts
from server.upkeep.contents import contents
from tests.server.store.test_migrations import NOW, made
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.french import english_in
from tests.support.serving import PHRASE, RunningServer

LIKE_ALICE = ("alice", "AIice", "A lice", "Alice.", "\u0410\u217c\u0456\u0441\u0435")


@pytest.mark.parametrize("name", LIKE_ALICE, ids=ascii)
async def test_no_account_is_renamed_to_look_like_another(server: RunningServer, name: str) -> None:
    await server.player("Alice")
    visitor = await visitor_of(server, await server.player("Bob"))
    page = await visitor.send("/settings", do="rename", name=name)
    assert page.status == 422
    guest = await Visitor(server).send("/battles", scenario="tts/skirmish", name=name, opponent="person")
    assert guest.status == 422 and guest.words.count("core.") == 1
    assert [one.name for one in accounts.listed(server.running.store)] == ["Alice", "Bob"]


async def test_a_player_may_change_how_their_own_name_is_written(server: RunningServer) -> None:
    visitor = await visitor_of(server, await server.player("Alice"))
    assert "ALICE" in (await visitor.send("/settings", do="rename", name="ALICE")).text


async def test_a_rename_says_what_is_wrong_in_the_language_of_the_reader(server: RunningServer) -> None:
    visitor = await visitor_of(server, await server.player("Bob"))
    for name in ("Ann\u200da", "♞", "\u0410nna", "1 \u0be8", "a\u0301\u0302\u0303\u0304\u0306", "...", "Umpire", ""):
        english = await visitor.send("/settings", do="rename", name=name)
        french = await visitor.send("/settings?lang=fr", do="rename", name=name)
        assert english.status == french.status == 422
        (told,), (dit,) = (re.findall(r'role="status">(.*?)</p>', page.text) for page in (english, french))
        assert told and told != dit and english_in(dit) == []


@pytest.mark.parametrize("name", LIKE_ALICE, ids=ascii)
async def test_nobody_sits_under_the_name_of_another_player(server: RunningServer, name: str) -> None:
    alice, bob = await server.player("Alice"), await server.player("Bob")
    battle = await bob.open()
    refused = await bob.sit(battle, "south", name=name, phrase=PHRASE)
    assert refused.status == 422 and refused.code in ("core.name-of-another", "core.bad-name")
    assert (await bob.sit(battle, "south", name="Umpire", phrase=PHRASE)).code == "core.name-reserved"
    assert (await bob.view(battle))["seats"] == {}
    assert (await alice.sit(battle, "north", name=name.strip() if name == "alice" else "Alice")).status == 201


async def test_the_account_is_named_beside_a_chosen_name(server: RunningServer) -> None:
    alice, bob = await server.player("Alice"), await server.player("Bob")
    battle = await bob.open()
    assert (await bob.sit(battle, "south", name="Hannibal", phrase=PHRASE)).status == 201
    assert (await alice.sit(battle, "north", phrase=PHRASE)).status == 201
    seats = (await alice.view(battle))["seats"]
    assert [(seats[side]["name"], seats[side]["account"]) for side in ("south", "north")] == [
        ("Hannibal", "Bob"),
        ("Alice", ""),
    ]
    page = await (await visitor_of(server, alice)).get(f"/battles/{battle}")
    assert "Hannibal" in page.words and "The account of Bob." in page.words and "account of Alice" not in page.words
    await (await visitor_of(server, bob)).send("/settings", do="rename", name="Robert")
    assert (await alice.view(battle))["seats"]["south"]["account"] == "Robert"
    assert "The account of Robert." in (await (await visitor_of(server, alice)).get(f"/battles/{battle}")).words


async def test_what_a_name_is_for_is_said_before_it_is_taken(server: RunningServer) -> None:
    visitor = await visitor_of(server, await server.player("Bob"))
    battle = await (await server.player("Anna")).open()
    assert "for good" in (await visitor.get("/settings")).words
    for path in ("/new", f"/battles/{battle}", "/set-up"):
        assert "for good" in (await Visitor(server).get(path)).words
    described = (await server.stranger.get("/openapi.json")).json["components"]["schemas"]["TakeSide"]["properties"]
    assert "for good" in described["name"]["description"]


def test_names_that_an_earlier_release_let_in_stay_and_are_listed(tmp_path: Path) -> None:
    path = made(tmp_path / "log.db", 11)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for at, name in enumerate(("Alice", "AIice", "Bob", "gone p3", "...", "!!!")):
            row = (f"p{at}", name, accounts.name_key(name), "", "", NOW)
            db.execute(
                "INSERT INTO accounts (player, name, name_key, email, email_key, created) VALUES (?,?,?,?,?,?)", row
            )
    migrate(path)
    with EventStore.open(path) as store:
        assert [one.name for one in accounts.listed(store)] == ["!!!", "...", "AIice", "Alice", "Bob", "gone p3"]
        found = accounts.by_look(store, "ALICE")
        assert found is not None and found.player == "p0"
        store.write_now(accounts.rename("p1", "Iris"))
        store.write_now(accounts.rename("p1", "Lucius"))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE accounts SET name='AIice', name_key='aiice', look='allce/p1' WHERE player='p1'")
    with StoreReader(path) as reader:
        told = {finding.what: finding for finding in contents(reader, None, NOW)}
    assert told["names"].ok and "AIice" in told["names"].said
