"""A player removes their account: it is said what becomes of their battles, proven, confirmed, and done."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from replay.proof import verify
from server.mail.outgoing.carrier import carrier_of
from server.mail.outgoing.postman import Postman
from server.people.kept import SECTIONS
from server.store.tables import accounts, closings, mail_tokens, notices, outbox, raw_mail
from tests.server.people.test_stolen_session import link_of, notes, stolen, told
from tests.server.play.test_signed_seats import sit_signed
from tests.server.web.pages.visiting import OWN, visitor_of
from tests.support.french import english_in
from tests.support.serving import BATTLES, PHRASE, Caller, RunningServer, serving

ACCOUNT = "/api/v1/account"
REMOVE = "/settings/remove"
STAY = {"posts", "outbox", "deliveries", "invitations", "accounts"}
"""Tables with rows of who has gone: what others have been told or sent, and the id."""


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server that sends letters."""
    async with serving(tmp_path / "data", mail=True) as running:
        yield running


async def gone(server: RunningServer, caller: Caller, name: str = "Anna") -> None:
    """The player removes their account on the page."""
    page = await (await visitor_of(server, caller)).send(REMOVE, name=name)
    assert page.path == "/login?removed" and "Your account is removed." in page.words


async def winner(server: RunningServer, battle: str) -> str:
    live = await server.running.battles.get(battle)
    return str(live.recording.battle.winner)


# --- what becomes of the battles


async def test_each_battle_is_named_with_what_becomes_of_it(server: RunningServer) -> None:
    anna, bob, carl = [await server.player(name) for name in ("Anna", "Bob", "Carl")]
    running = await server.battle(anna, bob)
    handed = await server.battle(bob, anna)
    await bob.order(handed, "substitute north Carl")
    alone, shared = await anna.open(), await anna.open()
    await anna.sit(alone, "north", phrase=PHRASE)
    await anna.sit(shared, "north", phrase=PHRASE)
    assert (await sit_signed(server, carl, shared, "Carl", phrase=PHRASE)).status == 201
    open_to = await bob.open()
    await anna.sit(open_to, "south", phrase=PHRASE)
    over = await server.battle(anna, carl)
    await carl.order(over, "resign")
    signed = await carl.open()
    assert (await sit_signed(server, anna, signed, "Anna", phrase=PHRASE)).status == 201
    assert (await carl.sit(signed, "north", phrase=PHRASE)).status == 201
    fates = {
        running: ("south", "resigned", ""),
        handed: ("north", "substitute", "Carl"),
        alone: ("", "cancelled", ""),
        shared: ("north", "resigned", ""),
        open_to: ("south", "free", ""),
        signed: ("south", "stays", ""),
    }
    reply = await anna.get(f"{ACCOUNT}/removal")
    assert {one["battle"]: (one["side"], one["fate"], one["name"]) for one in reply.json["battles"]} == fates
    visitor = await visitor_of(server, anna)
    page = await visitor.get(REMOVE)
    assert all(f"/battles/{battle}" in page.text for battle in fates) and over not in page.text
    for words in ("You resign as south", "passes to Carl", "Cancelled", "is free again", "lines are signed"):
        assert words in page.words
    assert "opaque id" in page.words and anna.player in page.words

    await gone(server, anna)
    assert (await winner(server, running), await winner(server, shared)) == ("north", "south")
    closed = closings.find(server.running.store, alone)
    assert closed is not None and closed.how == closings.CANCELLED
    assert (await bob.view(open_to))["seats"] == {}
    assert (await carl.view(signed))["seats"]["south"]["name"] == "Anna"
    assert (await carl.sit(handed, "north", phrase=PHRASE)).status == 201
    assert (await bob.view(handed))["seats"]["north"]["name"] == "Carl"
    for battle in (running, handed, shared, open_to, over, signed):
        assert verify.verify(await bob.export(battle)).fault is None


async def test_the_log_keeps_the_id_and_the_name(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    await gone(server, anna)
    log = (await bob.export(battle)).decode()
    assert anna.player in log and '"name":"Anna"' in log
    page = await (await visitor_of(server, bob)).get(f"/battles/{battle}")
    assert "Anna" in page.words and anna.player not in page.text
    seat = (await bob.view(battle))["seats"]["south"]
    assert (seat["name"], seat["account"]) == ("Anna", "")


async def test_a_sealed_seat_is_resigned_too(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    assert (await anna.sit(battle, "south", mode="sealed", anchor="ab" * 16)).status == 201
    assert (await bob.sit(battle, "north", phrase=PHRASE)).status == 201
    await gone(server, anna)
    assert await winner(server, battle) == "north"


async def test_against_a_bot_and_against_oneself(server: RunningServer) -> None:
    anna = await server.player("Anna")
    both, bot = await server.battle(anna, anna), await anna.open()
    await anna.sit(bot, "south", phrase=PHRASE)
    await anna.sit(bot, "north", bot="easy")
    await gone(server, anna)
    assert await winner(server, both) in ("south", "north") and await winner(server, bot) == "north"


# --- what becomes of the account


async def test_nothing_of_the_player_is_kept_but_what_others_were_told(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle, store = await server.battle(anna, bob), server.running.store
    visitor, now = await visitor_of(server, anna), server.running.clock.now()
    await visitor.send(f"/battles/{battle}/words", words="Good luck", key="anna-1-1234567890")
    await visitor.send(f"/battles/{battle}/note", note="Bob charges")
    await visitor.send("/settings/feeds", do="make")
    await store.write(
        raw_mail.keep(b"mail", now, b"From: Anna@example.org\r\n\r\nhello"),
        raw_mail.judge(b"mail", f'{{"what":"played","player":"{anna.player}","lines":[]}}'),
        mail_tokens.issue("reply", "question", anna.player, now),
    )
    await gone(server, anna)
    left = {
        one.table
        for one in SECTIONS
        if store.rows(f"SELECT 1 FROM {one.table} WHERE {one.whose}", (anna.player,)) and one.table != "notices"
    }
    assert left <= STAY
    account = accounts.by_player(store, anna.player)
    assert account is not None and account.email == account.kept_email == "" and account.name != "Anna"
    mail = raw_mail.find(store, b"mail")
    assert mail is not None and (mail.raw, mail.verdict) == (b"", '{"what":"played"}')
    assert (await visitor.get("/settings")).status == 401
    assert (await anna.get(f"{BATTLES}?mine")).code == "core.bad-token"
    assert (await server.player("Anna")).player != anna.player  # the name is free


async def test_a_last_letter_goes_and_leaves_nothing(server: RunningServer) -> None:
    anna = await server.player("Anna")
    visitor = await visitor_of(server, anna)
    await visitor.send("/settings", do="save", language="fr", zone="UTC")
    await visitor.send(REMOVE, name="Anna")
    (row,) = notes(server)
    to, words = await told(server, row)
    assert to == "Anna@example.org" and "Votre compte Anna a été supprimé" in words
    running, writer = server.running, server.mail.writer
    assert await Postman(running.battles, carrier_of(running.settings), writer.compose).deliver() == 1
    assert notices.of_player(running.store, anna.player) == [] and outbox.unsent(running.store) == []
    assert "Anna@example.org" not in repr(running.store.rows("SELECT * FROM notices")) + repr(
        running.store.rows("SELECT * FROM accounts")
    )


# --- proven and confirmed


async def test_a_thief_removes_nothing(server: RunningServer) -> None:
    anna = await server.player("Anna")
    thief = await stolen(server, anna)
    assert 'name="name"' not in (await thief.get(REMOVE)).text
    page = await thief.ask("POST", REMOVE, OWN, {"name": "Anna"})
    assert page.headers["Location"] == "/prove"
    assert (await anna.post(f"{ACCOUNT}/removal", {"name": "Anna", "proof": "x" * 32})).code == "core.login-used"
    assert len(accounts.by_email(server.running.store, "Anna@example.org")) == 1


@pytest.mark.parametrize("name", ["", "Bob", "Ann"])
async def test_the_name_is_written_out(server: RunningServer, name: str) -> None:
    anna = await server.player("Anna")
    visitor = await visitor_of(server, anna)
    page = await visitor.send(REMOVE, name=name)
    assert page.status == 422 and "not the name of your account, Anna" in page.words
    french = await visitor.send(f"{REMOVE}?lang=fr", name=name)
    (dit,) = re.findall(r'role="alert">(.*?)</p>', french.text)
    assert english_in(dit) == []


async def test_who_administers_gives_the_role_away_first(server: RunningServer) -> None:
    anna = await server.administrator("Anna")
    page = await (await visitor_of(server, anna)).send(REMOVE, name="Anna")
    assert page.status == 422 and "take the role from them first" in page.words


async def test_a_program_brings_the_secret_of_a_letter(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    assert (await anna.post(f"{ACCOUNT}/proof", None)).status == 202
    assert (await bob.post(f"{ACCOUNT}/proof", None)).status == 202
    proofs = [(await link_of(server, caller)).rpartition("/")[2] for caller in (bob,)]
    foreign = await anna.post(f"{ACCOUNT}/removal", {"name": "Anna", "proof": proofs[0]})
    assert foreign.code == "core.login-used"
    mine = [row for row in outbox.unsent(server.running.store) if row.recipient == anna.player]
    row = next(row for row in mine if row.kind.startswith("login:"))
    found = re.search(r"/login/(\w+)", (await told(server, row))[1])
    assert found
    assert (await anna.post(f"{ACCOUNT}/removal", {"name": "Bob", "proof": found[1]})).code == "core.other-name"
    reply = await anna.post(f"{ACCOUNT}/removal", {"name": "anna", "proof": found[1]})
    assert (reply.status, reply.json) == (200, {"player": anna.player})
    assert (await winner(server, battle), (await anna.get(f"{ACCOUNT}/removal")).code) == ("north", "core.bad-token")


async def test_a_stranger_has_no_account_to_remove(server: RunningServer) -> None:
    assert (await server.stranger.get(f"{ACCOUNT}/removal")).status == 401
    visitor = await visitor_of(server, await server.player("Anna"))
    alien = {"Sec-Fetch-Site": "cross-site", "Accept": "text/html"}
    assert (await visitor.ask("POST", REMOVE, alien, {"name": "Anna"})).status == 403
