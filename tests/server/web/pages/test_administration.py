"""The pages of the administration: for administrators alone, by forms that ask once more, with no look at what is
hidden."""

import logging
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from domain.catalogue import RULESETS
from server.people import moderation
from server.store import Statement, StoreError
from server.store.tables import accounts, bans, closings, complaints, deeds, notes, posts, tokens
from server.upkeep.removing import finish_removals
from server.web import auth
from server.web.pages.routes import PAGES
from tests.server.web.pages.test_site import FRENCH
from tests.server.web.pages.visiting import OWN, Page, Visitor, visitor_of
from tests.support.french import english_in
from tests.support.looping import some
from tests.support.serving import BATTLES, PHRASE, Caller, RunningServer, serving

ADMIN = [(method, path) for method, path, _ in PAGES if path.startswith("/admin")]
ALIEN = {"Sec-Fetch-Site": "cross-site", "Accept": "text/html"}


async def people(server: RunningServer) -> tuple[Visitor, Caller, Caller]:
    """The browser of Anna, who administers, then Anna and Bob."""
    anna, bob = await server.administrator("Anna"), await server.player("Bob")
    return await visitor_of(server, anna), anna, bob


async def done(visitor: Visitor, path: str, do: str) -> Page:
    """What comes of a deed that is asked for, and confirmed on the page that asks once more."""
    asked = await visitor.send(path, do=do)
    assert asked.status == 200 and 'name="sure" value="yes"' in asked.text, asked.words
    return await visitor.send(path, do=do, sure="yes")


def role_of(server: RunningServer, caller: Caller) -> str:
    account = accounts.by_player(server.running.store, caller.player)
    assert account is not None
    return account.role


# --- who may


async def test_for_everybody_else_these_pages_do_not_exist(server: RunningServer) -> None:
    administrator, anna, bob = await people(server)
    battle = await server.battle(anna, bob)
    why = complaints.Complaint("c1", "2026-11-23T00:00:00.000Z", bob.player, "battle", "", battle, "", "", "why")
    await server.running.store.write(complaints.add(why))
    assert len(ADMIN) == 14
    for visitor in (Visitor(server), await visitor_of(server, bob)):
        missing = await visitor.get("/no-such-page")
        for method, path in ADMIN:
            there = path.format(player=bob.player, battle=battle, complaint="c1")
            page = await visitor.ask(method, there, OWN, {"do": "ban", "sure": "yes"} if method == "POST" else None)
            assert page.status == 404
            if method == "GET":
                assert page.words == missing.words
                assert (await administrator.get(there)).status == 200
        assert 'href="/admin"' not in (await visitor.get("/")).text
    assert 'href="/admin"' in (await administrator.get("/")).text


async def test_a_role_that_is_taken_opens_nothing_any_more(server: RunningServer) -> None:
    administrator, anna, bob = await people(server)
    await server.running.store.write(accounts.promote(bob.player), accounts.demote(anna.player))
    assert (await administrator.get("/admin")).status == 404
    assert (await (await visitor_of(server, bob)).get("/admin")).status == 200


async def test_no_other_site_sends_these_forms(server: RunningServer) -> None:
    administrator, anna, bob = await people(server)
    battle = await server.battle(anna, bob)
    for path, do in ((f"/admin/players/{bob.player}", "ban"), (f"/admin/battles/{battle}", "rm")):
        page = await administrator.ask("POST", path, ALIEN, {"do": do, "sure": "yes"})
        assert page.status == 403
    program = await anna.ask("POST", f"/admin/players/{bob.player}", data={"do": "ban", "sure": "yes"})
    assert (program.status, program.code) == (403, "core.cross-site")
    assert (await bob.get(f"{BATTLES}/{battle}")).status == 200


# --- the overview


async def test_the_overview_says_how_the_server_does(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", backup_to=str(tmp_path / "kept")) as server:
        administrator, anna, bob = await people(server)
        await server.battle(anna, bob)
        page = await administrator.get("/admin")
        assert "The server does its work." in page.words and "look at it" not in page.words.casefold()
        assert "Newest backup None yet" in page.words
        assert "Accounts 2" in page.words and "Administrators 1" in page.words and "All 1" in page.words
        (tmp_path / "kept").mkdir()
        (tmp_path / "kept" / "phalera-20261120T101112Z.tar").touch()
        (server.running.settings.data).chmod(0o755)
        page = await administrator.get("/admin")
        assert "20 November, 10:11 UTC" in page.words and "The data folder Look at it" in page.words
        assert str(tmp_path) not in page.text


# --- players


async def test_players_are_searched_and_paged(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.pages.moderating.LISTED", 2)
    administrator, _, _ = await people(server)
    await server.player("Cato")
    first = await administrator.get("/admin/players")
    assert "Anna Administrator" in first.words and "Bob" in first.words and "Cato" not in first.words
    (more,) = re.findall(r'rel="next" href="([^"]+)"', first.text)
    second = await administrator.get(more)
    assert "Cato" in second.words and "Bob" not in second.words
    found = await administrator.get("/admin/players?words=cat")
    assert "Cato" in found.words and "Bob" not in found.words
    assert "No player" in (await administrator.get("/admin/players?words=%25")).words


async def test_no_page_shows_an_address_of_a_player_or_lets_anybody_in(server: RunningServer) -> None:
    administrator, _, bob = await people(server)
    here = f"/admin/players/{bob.player}"
    pages = [await administrator.get("/admin/players"), await administrator.get(here)]
    for do in ("ban", "let-in", "log-out", "promote", "demote"):
        pages.append(await done(administrator, here, do))
    for page in some(pages):
        assert page.status == 200
        assert "example.org" not in page.text.casefold() and "/login/" not in page.text


async def test_a_banned_player_is_out_at_once_and_comes_back_by_their_address(
    server: RunningServer, caplog: pytest.LogCaptureFixture
) -> None:
    administrator, anna, bob = await people(server)
    theirs, here = await visitor_of(server, bob), f"/admin/players/{bob.player}"
    assert (await bob.get(f"{BATTLES}?mine")).status == 200  # the token is known for a moment
    with caplog.at_level(logging.INFO, "server.people.moderation"):
        page = await done(administrator, here, "ban")
    assert "The player is banned." in page.words and "banned since" in page.words.casefold()
    (record,) = [record for record in caplog.records if record.name == "server.people.moderation"]
    assert (record.deed, record.about, record.by) == ("ban", bob.player, anna.player)  # type: ignore[attr-defined]
    assert (await bob.get(f"{BATTLES}?mine")).status == 401
    assert (await theirs.get("/settings")).status == 401
    assert "banned since" in (await administrator.get("/admin/players")).words.casefold()
    assert (await administrator.send(here, do="ban", sure="yes")).status == 409
    await done(administrator, here, "let-in")
    assert [one.player for one in accounts.by_email(server.running.store, "bob@example.org")] == [bob.player]


async def test_sessions_end_and_programs_go_on(server: RunningServer) -> None:
    administrator, anna, bob = await people(server)
    theirs = await visitor_of(server, bob)
    await done(administrator, f"/admin/players/{bob.player}", "log-out")
    assert (await theirs.get("/settings")).status == 401
    assert (await bob.get(f"{BATTLES}?mine")).status == 200
    assert (await administrator.send(f"/admin/players/{anna.player}", do="log-out", sure="yes")).status == 409
    assert (await administrator.get("/admin")).status == 200


async def test_the_last_administrator_is_not_locked_out(server: RunningServer) -> None:
    administrator, anna, bob = await people(server)
    hers, his = f"/admin/players/{anna.player}", f"/admin/players/{bob.player}"
    for do in ("demote", "ban", "remove"):
        assert (await administrator.send(hers, do=do, sure="yes")).status == 409
    await done(administrator, his, "promote")
    assert (await administrator.send(his, do="ban", sure="yes")).status == 409
    await done(administrator, hers, "demote")
    assert (role_of(server, anna), role_of(server, bob)) == ("player", "administrator")
    assert (await administrator.get("/admin")).status == 404


async def test_a_guest_is_removed_and_an_account_is_not(server: RunningServer) -> None:
    administrator, _, bob = await people(server)
    guest = Visitor(server)
    await guest.send("/battles", scenario="tts/skirmish", opponent="person", phrase=PHRASE, name="Gaius")
    known = accounts.by_name(server.running.store, "Gaius")
    assert known is not None and not known.administers
    page = await done(administrator, f"/admin/players/{known.player}", "remove")
    assert "The guest is removed." in page.words and "Gaius" not in page.words
    assert (await administrator.get(f"/admin/players/{known.player}")).status == 404
    assert tokens.of_player(server.running.store, known.player) == []
    assert (await administrator.send(f"/admin/players/{bob.player}", do="remove", sure="yes")).status == 409
    assert (await administrator.send(f"/admin/players/{bob.player}", do="nonsense", sure="yes")).status == 422


def test_every_deed_has_its_words() -> None:
    from replay.telling.words.catalogue import find
    from server.web.pages import stopping

    for deed in (*moderation.DEEDS, *stopping.DEEDS):
        for part in ("do", "what", "done"):
            assert find(f"pages.admin.{part}.{deed}", "fr"), deed


# --- battles


async def test_battles_are_found_by_id_and_by_player(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    administrator, anna, bob = await people(server)
    cato = await server.player("Cato")
    first, second = await server.battle(anna, bob), await server.battle(anna, cato, readers="players")
    for words, shown in (
        ("", {first, second}),
        (first, {first}),
        (f"https://games.example/battles/{second}?n=4", {second}),
        ("cato", {second}),
        (bob.player, {first}),
        ("nobody", set()),
    ):
        page = await administrator.get(f"/admin/battles?words={words.replace('?', '%3F')}")
        assert {one for one in (first, second) if f"/admin/battles/{one}" in page.text} == shown, words
    monkeypatch.setattr("server.web.pages.stopping.LISTED", 1)
    (more,) = re.findall(r'rel="next" href="([^"]+)"', (await administrator.get("/admin/battles")).text)
    assert f"/admin/battles/{first}" in (await administrator.get(more)).text


async def test_a_battle_is_ended_without_a_winner(server: RunningServer) -> None:
    administrator, anna, bob = await people(server)
    battle = await server.battle(anna, bob)
    nobody_moves = '<p class="headline"></p>'
    assert nobody_moves not in (await administrator.get(f"/battles/{battle}")).text
    page = await done(administrator, f"/admin/battles/{battle}", "end")
    assert "The battle is ended." in page.words and 'value="end"' not in page.text
    assert nobody_moves in (await administrator.get(f"/battles/{battle}")).text
    assert (await anna.order(battle, "end turn")).code == "core.battle-closed"
    assert (await administrator.send(f"/admin/battles/{battle}", do="end", sure="yes")).status == 409
    over = await server.battle(anna, bob)
    assert (await anna.order(over, "resign")).status == 200
    assert (await administrator.send(f"/admin/battles/{over}", do="end", sure="yes")).status == 409
    assert (await administrator.get("/admin/battles/nothing")).status == 404


async def test_a_removed_battle_is_gone_at_once_and_wiped_at_the_next_start(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with serving(folder) as server:
        administrator, anna, bob = await people(server)
        battle, other = await server.battle(anna, bob), await server.battle(anna, bob)
        his = await visitor_of(server, bob)
        await his.send(f"/battles/{battle}/words", words="A vile word", key="bob-1-1234567890")
        await his.send(f"/battles/{battle}/note", note="A note")
        page = await done(administrator, f"/admin/battles/{battle}", "rm")
        assert "The battle is removed." in page.words and battle not in page.text
        store, settings = server.running.store, server.running.settings
        assert (await his.get(f"/battles/{battle}")).status == 404
        assert (await bob.get(f"{BATTLES}/{battle}")).code == "core.unknown-battle"
        assert (await administrator.get(f"/admin/battles/{battle}")).status == 404
        assert (await administrator.send(f"/admin/battles/{battle}", do="rm", sure="yes")).status == 404
        assert [one["battle"] for one in (await bob.get(f"{BATTLES}?mine")).json["battles"]] == [other]
        assert posts.of_player(store, bob.player) == [] and notes.of_player(store, bob.player) == []
        assert closings.find(store, battle) is not None
    assert finish_removals(settings) == [battle]
    assert finish_removals(settings) == []
    content = b"".join(path.read_bytes() for path in [*folder.glob("log.db*"), *folder.glob("read/*")])
    assert other.encode() in content
    assert content.count(battle.encode()) == content.count(b"rm" + battle.encode())  # in the log of moderation alone
    async with serving(folder) as server:
        assert (await server.stranger.get(f"{BATTLES}/{other}")).status == 200
        assert (await server.stranger.get(f"{BATTLES}/{battle}")).status == 404


def test_a_start_wipes_nothing_where_there_is_nothing(tmp_path: Path) -> None:
    from server.settings import Settings

    settings = Settings.at(tmp_path, {})
    assert finish_removals(settings) == []
    with closing(sqlite3.connect(settings.log)) as db:
        db.execute("CREATE TABLE songs (name TEXT)")
    assert finish_removals(settings) == []


# --- in words


@pytest.mark.parametrize("part", ["", "/players", "/players/{player}", "/battles", "/battles/{battle}"])
async def test_these_pages_are_french_for_a_french_reader(server: RunningServer, part: str) -> None:
    administrator, anna, bob = await people(server)
    battle = await server.battle(anna, bob)
    path = "/admin" + part.replace("{player}", bob.player).replace("{battle}", battle)
    page = await administrator.ask("GET", path, FRENCH)
    named = (*(ruleset.title for ruleset in RULESETS.values()), "phalera doctor", "English", battle)
    assert english_in(page.words, named) == []


async def test_a_bearer_of_a_token_reads_these_pages_too(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auth, "TRUST_S", 60.0)
    _, anna, bob = await people(server)
    assert (await anna.get("/admin")).status == 200
    await server.running.store.write(accounts.promote(bob.player), accounts.demote(anna.player))
    assert (await anna.get("/admin")).status == 404  # the token is trusted for a moment, the role is not


# --- banned networks, and the log of moderation


async def test_a_network_is_banned_and_answered_again(tmp_path: Path) -> None:
    async with serving(tmp_path, trusted_proxies=("127.0.0.1",)) as server:
        administrator, anna, _ = await people(server)
        theirs = {"X-Forwarded-For": "203.0.113.9"}
        asked = await administrator.send("/admin/bans", do="ban-network", network="203.0.113.9/24", days="7")
        assert 'value="203.0.113.9/24"' in asked.text and 'name="sure" value="yes"' in asked.text
        assert (await anna.get(BATTLES, theirs)).status == 200
        form = {"do": "ban-network", "network": "203.0.113.9/24", "days": "7", "reason": "<b>", "sure": "yes"}
        banned = await administrator.send("/admin/bans", **form)
        assert "203.0.113.0/24" in banned.words and "&lt;b&gt;" in banned.text, banned.words
        assert (await anna.get(BATTLES, theirs)).status == 403
        await administrator.send("/admin/bans", do="lift-network", network="203.0.113.0/24", sure="yes")
        assert (await anna.get(BATTLES, theirs)).status == 200
        done = [(deed.deed, deed.actor, deed.why) for deed in deeds.latest(server.running.store, 9)]
        assert done == [("lift-network", anna.player, "<b>"), ("ban-network", anna.player, "<b>")]
        page = await administrator.get("/admin/deeds")
        assert "Network banned" in page.words and "203.0.113" not in page.text


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"network": "203.0.113.7"}, 422),
        ({"network": "203.0.113.7", "days": "8"}, 422),
        ({"network": "", "days": "7"}, 422),
        ({"network": "127.0.0.1", "days": "7"}, 409),
        ({"network": "203.0.113.7", "days": "7", "do": "ban"}, 422),
        ({"network": "203.0.113.7", "do": "lift-network"}, 404),
    ],
)
async def test_a_ban_that_cannot_be_changes_nothing(server: RunningServer, form: dict[str, str], status: int) -> None:
    administrator, _, _ = await people(server)
    refused = await administrator.send("/admin/bans", **{"do": "ban-network", "sure": "yes", **form})
    assert refused.status == status
    assert bans.all_of(server.running.store) == [] == deeds.latest(server.running.store, 9)


async def test_each_deed_of_the_pages_is_in_the_log_of_moderation_in_both_languages(server: RunningServer) -> None:
    administrator, anna, bob = await people(server)
    battle = await server.battle(anna, bob)
    for do in ("ban", "let-in", "log-out", "promote", "demote"):
        await done(administrator, f"/admin/players/{bob.player}", do)
    for do in ("end", "rm"):
        await done(administrator, f"/admin/battles/{battle}", do)
    kept = deeds.latest(server.running.store, 99)
    assert [deed.deed for deed in kept] == ["rm", "end", "demote", "promote", "log-out", "let-in", "ban"]
    assert {deed.actor for deed in kept} == {anna.player}
    about = await administrator.get(f"/admin/deeds?words={bob.player}")
    assert about.words.count(bob.player) == 5 and battle not in about.words
    french = await administrator.ask("GET", "/admin/deeds", FRENCH)
    assert "Joueur banni" in french.words and not english_in(french.words, {"Anna"})


async def test_the_log_of_moderation_is_leafed_through_and_cannot_be_changed(server: RunningServer) -> None:
    administrator, _, _ = await people(server)
    store = server.running.store
    await store.write(*[deeds.record("2026-11-23T00:00:00.000Z", "", "rules", f"b{n:03}") for n in range(60)])
    first = await administrator.get("/admin/deeds")
    assert "b059" in first.words and "b009" not in first.words
    second = await administrator.get("/admin/deeds?before=11")
    assert "b009" in second.words and "b010" not in second.words
    for statement in ("DELETE FROM deeds", "UPDATE deeds SET actor=''"):
        with pytest.raises(StoreError):
            await store.write(Statement(statement, ()))
