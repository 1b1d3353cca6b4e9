"""The pages of the letters: settings, saying yes, stopping."""

import re

import pytest
from playwright.async_api import Browser, expect

from server.limits import Limits
from server.mail.verdict import Verdict
from server.settings import MailSettings
from server.store.tables import accounts, correspondents, mail_tokens, outbox, raw_mail
from server.store.tables.correspondents import Correspondent
from tests.server.web.pages.test_browser import DOUBLE_IDS, NAMELESS, PHONE_WIDTH, log_in, new_page
from tests.server.web.pages.visiting import OWN, Page, Visitor, visitor_of
from tests.support.lanes import thinned
from tests.support.looping import some
from tests.support.serving import BATTLES, PHRASE, Caller, RunningServer, serving

ONE_CLICK = {"List-Unsubscribe": "One-Click"}
WISHES = {"language": "fr", "zone": "Europe/Paris", "letters": "digest", "quiet": "22-8", "do": "save"}


def wishes(server: RunningServer, caller: Caller) -> Correspondent:
    return correspondents.find(server.running.store, caller.player)


async def held(server: RunningServer, caller: Caller, token: str, content: bytes, **more: str) -> None:
    """Something that waits for a yes."""
    now = server.running.clock.now()
    await server.running.store.write(mail_tokens.issue(token, "confirm", caller.player, now, content=content, **more))


async def unsubscribing(server: RunningServer, caller: Caller, token: str = "stopping") -> None:
    now = server.running.clock.now()
    await server.running.store.write(mail_tokens.issue(token, "unsubscribe", caller.player, now))


# --- settings


async def test_a_stranger_is_told_how_he_gets_letters(server: RunningServer) -> None:
    page = await Visitor(server).get("/settings")
    assert page.status == 401
    assert "Log in, or play a battle as a guest" in page.words
    assert (await Visitor(server).send("/settings", **WISHES)).status == 401


async def test_wishes_are_shown_and_kept(server: RunningServer) -> None:
    anna = await server.player("Anna")
    visitor = await visitor_of(server, anna)
    page = await visitor.get("/settings")
    assert "They go to Anna@example.org." in page.words
    saved = await visitor.send("/settings", picture="on", **WISHES)
    assert "Enregistré." in saved.words
    assert wishes(server, anna) == Correspondent(anna.player, "fr", "Europe/Paris", "digest", "22-8", True)
    assert "Se déconnecter" in saved.words and ">Réglages</a>" in saved.text and "Log out" not in saved.words
    await visitor.send("/settings", long="on", **WISHES)
    assert not wishes(server, anna).picture and wishes(server, anna).is_long
    assert 'name="long" value="on" checked' in (await visitor.get("/settings")).text
    assert "Se déconnecter" in (await visitor.get("/")).words
    page = await visitor.get("/settings")
    assert 'value="digest" checked' in page.text and 'value="22-8"' in page.text
    assert 'name="picture" value="on">' in page.text


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("zone", "Mars/<b>", "Mars/<b>"),
        ("quiet", "30-4", "30-4"),
        ("letters", "often", "often"),
        ("language", "xx", "xx"),
    ],
)
async def test_a_wish_that_is_none_is_refused_beside_what_was_written(
    server: RunningServer, field: str, value: str, said: str
) -> None:
    anna = await server.player("Anna")
    page = await (await visitor_of(server, anna)).send("/settings", **{**WISHES, field: value})
    assert page.status == 422
    assert f"“{said}”" in page.words
    assert "<b>" not in page.text.replace("<b></b>", "") or said not in page.text
    assert 'value="22-8"' in page.text or field == "quiet"
    assert wishes(server, anna) == Correspondent(anna.player)


async def test_a_banner_says_that_letters_came_back_and_a_button_sends_them_again(server: RunningServer) -> None:
    anna = await server.player("Anna")
    await server.running.store.write(correspondents.save(Correspondent(anna.player, bounces=3, stopped="bounced")))
    visitor = await visitor_of(server, anna)
    page = await visitor.get("/settings")
    assert "Letters to Anna@example.org have come back 3 times" in page.words
    assert "have come back" not in (await visitor.send("/settings", do="start")).words
    assert wishes(server, anna) == Correspondent(anna.player)
    stopped = await visitor.send("/settings", do="stop")
    assert "You have stopped your letters" in stopped.words
    assert wishes(server, anna).stopped == "unsubscribed"


async def test_another_address_is_asked_for_by_a_letter(tmp_path) -> None:
    async with serving(tmp_path / "data", mail=True) as server:
        anna = await server.player("Anna")
        visitor = await visitor_of(server, anna)
        assert (await visitor.send("/settings", do="address", address="nowhere")).status == 422
        page = await visitor.send("/settings", do="address", address="anna@new.example")
        assert "A letter has gone to anna@new.example" in page.words
        (letter,) = [row for row in outbox.unsent(server.running.store) if row.kind.startswith("confirm:")]
        assert accounts.by_player(server.running.store, letter.recipient).email == "Anna@example.org"  # type: ignore[union-attr]


async def claimed(server: RunningServer, name: str = "Cato", address: str = "cato@new.example") -> tuple[str, str]:
    """A guest calls an address theirs; their id, and where they are told to write."""
    guest = Visitor(server)
    await guest.send("/battles", scenario="tts/skirmish", name=name, opponent="person")
    page = await guest.get("/settings")
    assert "You have given no address" in page.words and "Your address" in page.words
    assert (await guest.send("/settings", do="address", address="nowhere")).status == 422
    page = await guest.send("/settings", do="address", address=address)
    reply = re.search(r"play\+[a-z2-7]{24}@localhost", page.words)
    assert reply, page.words
    account = accounts.by_name(server.running.store, name)
    assert account is not None and account.email == ""
    return account.player, reply[0]


def mailed(sender: str, to: str, stamp: str = "") -> bytes:
    """Any mail; `stamp` is what the mail system in front has found out."""
    said = f"Authentication-Results: mx.test; dmarc={stamp} header.from=new.example\n" if stamp else ""
    head = f"From: {sender}\nTo: {to}\nMessage-ID: <{len(said)}{sender}>\nSubject: hello\n"
    return f"{said}{head}\nIt is me.\n".encode()


@pytest.mark.parametrize("stamp", ["pass", ""])
async def test_a_guest_proves_an_address_by_writing_from_it(tmp_path, stamp: str) -> None:
    async with serving(tmp_path / "data", mail=True, post=MailSettings(trusted=("mx.test",))) as server:
        player, reply = await claimed(server)
        store, mail = server.running.store, server.mail
        assert outbox.unsent(store) == []
        await mail.intake.accept(mailed("cato@new.example", reply, stamp))
        account = accounts.by_player(store, player)
        assert account is not None and account.email == ("cato@new.example" if stamp else "")
        (row,) = outbox.unsent(store)
        letter = await mail.writer.compose(row)
        assert letter is not None and letter.recipient == "cato@new.example"
        assert row.kind.startswith("answer:" if stamp else "confirm:")


@pytest.mark.slow
async def test_a_guest_who_gets_an_address_keeps_name_and_seat(tmp_path) -> None:
    async with serving(tmp_path / "data", mail=True, post=MailSettings(trusted=("mx.test",))) as server:
        player, reply = await claimed(server)
        store = server.running.store
        await server.mail.intake.accept(mailed("cato@new.example", reply, "pass"))
        visitor = Visitor(server)
        await visitor.send("/login", address="cato@new.example")
        (row,) = [row for row in outbox.unsent(store) if row.kind.startswith("login:")]
        letter = await server.mail.writer.compose(row)
        body = letter.message.get_body(("plain",)) if letter else None
        link = re.search(r"/login/\S+", body.get_content() if body else "")
        assert link
        await visitor.send(link[0])
        battle = re.search(r'href="(/battles/[a-z2-7]+)"', (await visitor.get("/")).text)
        assert battle
        assert "Rome (south): Cato (you)" in (await visitor.get(battle[1])).words
        seat = (await server.running.battles.get(battle[1].removeprefix("/battles/"))).recording.battle.seats["south"]
        assert (seat.player, seat.name) == (player, "Cato")


async def test_a_player_takes_another_name_and_the_seat_keeps_the_old_one(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    visitor = await visitor_of(server, anna)
    assert await anna.get(f"{BATTLES}?mine")
    page = await visitor.send("/settings", do="rename", name="  Anna   of Zama ")
    assert page.path == "/settings?saved" and 'value="Anna of Zama"' in page.text
    assert "Rome (south): Anna (you)" in (await visitor.get(f"/battles/{battle}")).words
    assert (await anna.order(battle, "R1 ahead")).status == 200
    account = accounts.by_player(server.running.store, anna.player)
    assert account is not None and account.name == "Anna of Zama"
    opened = await anna.open()
    await anna.sit(opened, "south", phrase=PHRASE)
    assert (await anna.view(opened))["seats"]["south"]["name"] == "Anna of Zama"
    assert "core.name-taken" not in (await visitor.send("/settings", do="rename", name="ANNA of zama")).text


@pytest.mark.parametrize("name", ["bOB", "", "a\u202eb", "x" * 41])
async def test_a_name_that_is_taken_or_none_is_refused_and_changes_nothing(server: RunningServer, name: str) -> None:
    anna, _ = await server.player("Anna"), await server.player("Bob")
    visitor = await visitor_of(server, anna)
    page = await visitor.send("/settings", do="rename", name=name)
    assert page.status == 422 and "CORE-ACCESS" in page.words and f'value="{name}"' in page.text
    assert accounts.by_player(server.running.store, anna.player).name == "Anna"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("sender", "stamp"),
    thinned([("victim@new.example", "pass"), ("victim@new.example", ""), ("cato@new.example", "fail"), ("", "")], 2),
)
async def test_a_mail_from_elsewhere_proves_no_address(tmp_path, sender: str, stamp: str) -> None:
    async with serving(tmp_path / "data", mail=True, post=MailSettings(trusted=("mx.test",))) as server:
        player, reply = await claimed(server)
        store = server.running.store
        await server.mail.intake.accept(mailed(sender, reply, stamp))
        assert accounts.by_player(store, player).email == ""  # type: ignore[union-attr]
        assert outbox.unsent(store) == []
        assert (await Visitor(server).get(f"/confirm/{reply.partition('+')[2].partition('@')[0]}")).status == 410


@pytest.mark.parametrize("to", ["list@else.example", "play@localhost", "play@localhost\nTo: TOKEN"])
async def test_a_copy_of_another_mail_proves_no_address(tmp_path, to: str) -> None:
    """Its signature is good, but who delivers it to the token is not who wrote it: to somebody else, to this server, or
    with a second field that no signature covers."""
    async with serving(tmp_path / "data", mail=True, post=MailSettings(trusted=("mx.test",))) as server:
        player, reply = await claimed(server)
        copy = f"Delivered-To: {reply}\n".encode() + mailed("cato@new.example", to.replace("TOKEN", reply), "pass")
        await server.mail.intake.accept(copy)
        assert accounts.by_player(server.running.store, player).email == ""  # type: ignore[union-attr]


@pytest.mark.slow
async def test_guests_cannot_have_the_server_write_to_strangers(tmp_path) -> None:
    """Each guest is free; whoever they name is sent nothing."""
    async with serving(tmp_path / "data", mail=True, limits=Limits()) as server:
        statuses = []
        for number in range(8):
            guest = Visitor(server)
            await guest.send("/battles", scenario="tts/skirmish", name=f"Cato {number}", opponent="person")
            statuses.append((await guest.send("/settings", do="address", address=f"a{number}@new.example")).status)
        assert statuses == [200] * 6 + [429] * 2
        assert outbox.unsent(server.running.store) == []


async def test_a_server_without_mail_asks_for_no_address(server: RunningServer) -> None:
    visitor = await visitor_of(server, await server.player("Anna"))
    assert 'name="address"' not in (await visitor.get("/settings")).text
    assert (await visitor.send("/settings", do="address", address="a@new.example")).status == 422
    assert outbox.unsent(server.running.store) == []


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {}])
async def test_forms_of_other_sites_do_nothing(server: RunningServer, headers: dict[str, str]) -> None:
    anna = await server.player("Anna")
    await held(server, anna, "waiting", b'{"address": "anna@new.example"}')
    visitor = await visitor_of(server, anna)
    assert (await visitor.send("/settings", headers, **WISHES)).status == 403
    assert (await visitor.send("/confirm/waiting", headers)).status == 403
    assert wishes(server, anna) == Correspondent(anna.player)
    assert mail_tokens.find(server.running.store, "waiting").used is None  # type: ignore[union-attr]


# --- saying yes


async def test_a_new_address_is_confirmed_by_a_button_once(server: RunningServer) -> None:
    anna = await server.player("Anna")
    await held(server, anna, "waiting", b'{"address": "anna@new.example"}')
    anybody = Visitor(server)
    for _ in range(3):  # mail scanners open links
        page = await anybody.get("/confirm/waiting")
        assert "Your letters are to go to anna@new.example." in page.words
        assert page.headers["Cache-Control"] == "no-store" and page.headers["X-Robots-Tag"] == "noindex"
    done = await anybody.send("/confirm/waiting")
    assert done.status == 200 and "from now on" in done.words
    assert accounts.by_player(server.running.store, anna.player).email == "anna@new.example"  # type: ignore[union-attr]
    for page in (await anybody.send("/confirm/waiting"), await anybody.get("/confirm/waiting")):
        assert page.status == 410 and "There is nothing to confirm here" in page.words


@pytest.mark.parametrize("token", ["aaaaaaaaaaaaaaaaaaaaaaaa", "x", "late", "stopping"])
async def test_what_is_no_good_token_confirms_nothing(server: RunningServer, token: str) -> None:
    anna = await server.player("Anna")
    await held(server, anna, "late", b'{"address": "anna@new.example"}', expires="2020-01-01T00:00:00.000Z")
    await unsubscribing(server, anna)
    assert (await Visitor(server).get(f"/confirm/{token}")).status == 410
    assert (await Visitor(server).send(f"/confirm/{token}")).status == 410
    assert accounts.by_player(server.running.store, anna.player).email == "Anna@example.org"  # type: ignore[union-attr]


async def test_a_held_mail_is_shown_and_done_by_the_mail_service(tmp_path, monkeypatch) -> None:
    done: list[bytes] = []

    async def confirmed(id_: bytes) -> Verdict:
        done.append(id_)
        return Verdict(what="played" if len(done) > 1 else "left", battle="abcdefgh")

    async with serving(tmp_path / "data") as server:
        anna, store = await server.player("Anna"), server.running.store
        monkeypatch.setattr(server.mail.intake, "_judge_held", confirmed)
        raw = b"From: x@y.test\n\nresign\n<b>now</b>\n"
        await store.write(raw_mail.keep(b"\x01\x02", server.running.clock.now(), raw))
        await held(server, anna, "waiting", b'{"raw": "0102"}', battle="abcdefgh")
        page = await Visitor(server).get("/confirm/waiting")
        assert "battle abcdefgh" in page.words and "resign" in page.text and "<b>now" not in page.text
        assert done == []
        assert "try again in a while" in (await Visitor(server).send("/confirm/waiting")).words
        assert "Your orders were played" in (await Visitor(server).send("/confirm/waiting")).words
        assert done == [b"\x01\x02"] * 2
        assert (await Visitor(server).send("/confirm/waiting")).status == 410
        assert len(done) == 2


# --- no more letters


async def test_a_mail_program_unsubscribes_with_one_click(server: RunningServer) -> None:
    anna = await server.player("Anna")
    await unsubscribing(server, anna)
    kept = Correspondent(anna.player, "fr", "Europe/Paris", quiet="22-8")
    await server.running.store.write(correspondents.save(kept))
    assert (await Visitor(server).get("/unsubscribe/stopping")).status == 200
    assert wishes(server, anna) == kept
    for _ in range(2):
        reply = await server.stranger.ask("POST", "/unsubscribe/stopping", {}, data=ONE_CLICK)
        assert reply.status == 200 and "Set-Cookie" not in reply.headers
    assert wishes(server, anna) == kept._replace(stopped="unsubscribed")


async def test_the_button_unsubscribes_too(server: RunningServer) -> None:
    anna = await server.player("Anna")
    await unsubscribing(server, anna)
    page = await Visitor(server).get("/unsubscribe/stopping")
    assert "Stop the letters" in page.words and "Anna@" not in page.words
    assert "The letters are stopped" in (await Visitor(server).send("/unsubscribe/stopping")).words
    assert wishes(server, anna).stopped == "unsubscribed"


async def test_an_unknown_token_stops_nobodys_letters(server: RunningServer) -> None:
    anna = await server.player("Anna")
    await held(server, anna, "waiting", b'{"address": "anna@new.example"}')
    for token in ("waiting", "nonesuch"):
        assert (await Visitor(server).get(f"/unsubscribe/{token}")).status == 410
        assert (await server.stranger.ask("POST", f"/unsubscribe/{token}", {}, data=ONE_CLICK)).status == 410
    assert wishes(server, anna) == Correspondent(anna.player)


# --- how they look


async def every_page(server: RunningServer, visitor: Visitor, caller: Caller) -> dict[str, Page]:
    await held(server, caller, "waiting", b'{"address": "anna@new.example"}')
    await unsubscribing(server, caller)
    paths = ("/settings", "/confirm/waiting", "/confirm/nonesuch", "/unsubscribe/stopping")
    return {path: await visitor.get(path) for path in paths}


async def test_the_pages_run_nothing_and_speak_both_languages(server: RunningServer) -> None:
    anna = await server.player("Anna")
    visitor = await visitor_of(server, anna)
    for path, page in (await every_page(server, visitor, anna)).items():
        assert "unsafe" not in page.headers["Content-Security-Policy"]
        assert not re.search(r"<script(?![^>]* src=)|\sstyle=|\son\w+=|javascript:", page.text), path
        assert page.text.count("<h1") == 1
        french = await visitor.get(f"{path}?lang=fr")
        assert '<html lang="fr">' in french.text and french.words != page.words, path
    assert "desk." not in re.sub(r"desk\.page", "", (await visitor.get("/settings")).words)
    assert OWN["Accept"] == "text/html"


async def test_in_a_browser_settings_are_kept_on_a_phone_without_script(
    server: RunningServer, browser: Browser
) -> None:
    anna = await server.player("Anna")
    await unsubscribing(server, anna)
    context = await browser.new_context(viewport={"width": PHONE_WIDTH, "height": 800}, java_script_enabled=False)
    await log_in(context, server, anna)
    page = await context.new_page()
    await page.goto(str(server.client.make_url("/settings")))
    await page.get_by_label("Time zone").fill("Paris")
    await page.get_by_role("button", name="Save").first.click()
    await page.get_by_label("Once a day, in one letter").check()
    await page.get_by_label("Hours without letters").fill("22-8")
    await page.get_by_role("button", name="Save").last.click()
    await expect(page.get_by_role("status")).to_have_text("Saved.")
    await expect(page.get_by_label("Time zone")).to_have_value("Europe/Paris")
    await page.goto(str(server.client.make_url("/unsubscribe/stopping")))
    await page.get_by_role("button", name="Stop the letters").click()
    await expect(page.locator("main")).to_contain_text("The letters are stopped")
    await page.goto(str(server.client.make_url("/settings")))
    await page.get_by_role("button", name="Send letters again").click()
    assert wishes(server, anna) == Correspondent(anna.player, "en", "Europe/Paris", "digest", "22-8")
    await context.close()


async def test_every_control_has_a_name_and_nothing_is_wider_than_a_phone(
    server: RunningServer, browser: Browser
) -> None:
    anna = await server.player("Anna")
    context = await browser.new_context(viewport={"width": PHONE_WIDTH, "height": 800})
    await log_in(context, server, anna)
    await server.running.store.write(correspondents.save(Correspondent(anna.player, bounces=3, stopped="bounced")))
    for path in some(await every_page(server, Visitor(server), anna)):
        page = await new_page(context, server, path)
        assert await page.evaluate(NAMELESS) == [], path
        assert await page.evaluate(DOUBLE_IDS) == [], path
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE_WIDTH, path
    await context.close()


# --- words between players


async def test_players_speak_on_a_page_that_nobody_else_sees(server: RunningServer) -> None:
    anna, bob, eve = await server.player("Anna"), await server.player("Bob"), await server.player("Eve")
    battle = await server.battle(anna, bob)
    path = f"/battles/{battle}/words"
    hers, his = await visitor_of(server, anna), await visitor_of(server, bob)
    assert path in (await hers.get(f"/battles/{battle}")).text
    assert "Nothing has been said yet" in (await hers.get(path)).words
    pages = [await hers.send(path, words="<b>Well</b>\nplayed", key="one") for _ in range(2)]
    assert pages[-1].text.count("&lt;b&gt;Well&lt;/b&gt;\nplayed") == 1
    assert "Anna" in (await his.get(path)).words and "&lt;b&gt;Well" in (await his.get(path)).text
    letters = [row for row in outbox.unsent(server.running.store) if row.kind.startswith("say:")]
    assert [row.recipient for row in letters] == [bob.player]
    for stranger in (Visitor(server), await visitor_of(server, eve)):
        assert (await stranger.get(path)).status == 404
        assert (await stranger.send(path, words="psst", key="two")).status == 404
        assert path not in (await stranger.get(f"/battles/{battle}")).text
    assert (await hers.send(path, words=" ", key="three")).status == 422
    assert "without a key" in (await hers.send(path, words="without a key")).text  # that of a program, say
    assert (await hers.send(path, {"Sec-Fetch-Site": "cross-site"}, words="x", key="four")).status == 403
