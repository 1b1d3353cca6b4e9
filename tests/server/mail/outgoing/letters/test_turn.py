"""The letter that asks for orders."""

import html
import re
from email.policy import SMTP
from email.utils import parseaddr
from pathlib import Path

import pytest
from inscriptis import get_text
from msgspec.structs import replace

from domain.basics.data import scenario_text
from domain.contract.ruleset import NOBODY
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from domain.run.bots import BOTS
from replay.drawing.text.signs import WIDTH
from replay.proof import notes
from replay.proof.heads import notes_in
from replay.telling.words import order_in, worded
from server.mail.cut import CUT
from server.mail.incoming.reading import read_mail
from server.mail.orders import numbered, orders_of
from server.mail.outgoing.letters.menu_text import BAR
from server.mail.outgoing.letters.text import LONGEST, text_of
from server.people.players import Player
from server.play.scripts import read_script
from server.play.seating import seat_bot, take_side
from server.store.tables import accounts, mail_tokens, outbox
from tests.support import messages
from tests.support.french import english_in
from tests.support.lanes import thinned
from tests.support.letter_writing import HOST, PHRASE, SNAPSHOTS, URL, opened, require_same

COMMITTED = re.compile(r"^(?:hand:\w+|north|south|rules) .*$", re.MULTILINE)
"""Lines that are the same in every language: names and values of the protocol (fairness.md 2)."""

ORDERS = "R1 ahead\nR2 ahead\nend turn"
SCRUBBED = re.compile(r"— \S+ \S+|[A-Za-z0-9+/]{43}=")


def order_lines(text):
    return [line.removeprefix(BAR) for line in text.splitlines() if line.startswith(BAR)]


async def a_turn_each(office):
    for row in office.rows():  # the first letters of the battle have left
        await office.store.write(outbox.sent(row.id, office.clock.now()))
    await office.order("south", ORDERS)
    office.clock.wait(hours=5)
    await office.order("north", "N1 ahead\nN3 ahead\nend turn")
    office.clock.wait(minutes=7)


@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_a_turn_letter_word_for_word(office, lang):
    await office.wish("south", lang=lang, zone="Europe/Paris")
    await a_turn_each(office)
    arrived = await office.newest("south")
    require_same(f"turn_{lang}.txt", SCRUBBED.sub("SIGNED", arrived.text))


async def test_the_first_line_says_what_is_wanted_and_by_when(office):
    await office.wish("south", zone="America/New_York")
    arrived = await office.newest("south")
    by = "by Monday 30 November 2026, 05:00 (New York time; 10:00 UTC)"
    assert arrived.lead == f"It is your turn: orders for South are wanted {by}."
    assert arrived.text.splitlines()[3].startswith(CUT)


async def test_without_a_pace_there_is_no_deadline(office, tmp_path):
    await office.begin(pace="none")
    arrived = await office.newest("south")
    assert arrived.lead == "It is your turn: orders for South are wanted."
    assert arrived.part("text/calendar") is None


async def test_a_french_letter_is_french(office):
    await office.wish("south", lang="fr")
    await a_turn_each(office)
    arrived = await office.newest("south")
    assert english_in(COMMITTED.sub("", arrived.text), ("Rome", URL)) == []
    assert arrived["Subject"] == "Escarmouche aux deux bois contre Bob : votre tour 2"
    assert "La vallée" in arrived.text and "The valley" not in arrived.text
    assert arrived["Content-Language"] == "fr"
    assert '<html lang="fr">' in arrived.html


async def test_a_bot_has_a_name_in_the_readers_language(tmp_path):
    async with opened(tmp_path / "bot") as office:
        office.live = await office.open()
        await take_side(
            office.live,
            "south",
            await office.enrol("south", "Anna", lang="fr"),
            phrase=messages.phrase(office.live.recording, PHRASE),
        )
        await seat_bot(office.live, "north", "sensible", office.battles.entropy, Player("p1", "Anna"))
        text = (await office.letter(await office.posted("south", "turn"))).text
        cut = f"{CUT} {office.live.id}, év. {office.live.n}\N{NO-BREAK SPACE}: écrivez AU-DESSUS d’ici {CUT}"
        assert cut in text
        assert "Le Nord, Robot raisonnable" in " ".join(text.split())
        assert "ensible bot" not in text
        await office.wish("south", lang="en")
        assert "North, Sensible bot" in (await office.letter(await office.posted("south", "turn"))).text


@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_lines_are_as_wide_as_a_terminal(office, lang):
    await office.wish("south", lang=lang)
    await a_turn_each(office)
    arrived = await office.newest("south")
    long = [line for line in arrived.text.partition("\n-- \n")[0].splitlines() if len(line) > WIDTH]
    assert [line for line in long if not line.startswith(BAR) and URL not in line] == []


@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_each_order_of_the_whole_list_can_be_sent_as_it_stands(office, lang):
    live = office.live
    scene = worded(live.ruleset.shown.view(live.known("south"), "south"), lang)
    lines = order_lines(text_of([orders_of(live, "south", scene, lang)], (), "", lang))
    options = live.options("south")
    script = read_script("\n".join(lines), live.ruleset.orders.parse)
    assert sorted(line.text for line in script.orders) == sorted(order_in(live.ruleset, o.order, lang) for o in options)
    numbers = [int(number) for line in lines for number in re.findall(r"# (\d+)", line)]
    assert numbers == list(range(1, len(options) + 1))
    ahead = next(line for line in lines if line.startswith("R1 a"))
    assert "2+" in ahead and "72" in ahead and ("90\N{NO-BREAK SPACE}%" if lang == "fr" else "90%") in ahead


@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_a_long_letter_has_all_orders_and_the_whole_board(office, lang):
    await office.wish("south", lang=lang)
    short = (await office.newest("south")).text
    await office.wish("south", lang=lang, is_long=True)
    long = (await office.newest("south")).text
    live = office.live
    scene = worded(live.ruleset.shown.view(live.known("south"), "south"), lang)
    orders = text_of([orders_of(live, "south", scene, lang)], (), "", lang).strip()
    units = [token.title for token in scene.tokens if token.form == "base"]
    assert orders in long and orders not in short
    assert all(title.split(",")[0] in " ".join(long.split()) for title in units)
    assert len(short.splitlines()) < len(long.splitlines()) - len(live.options("south")) / 2


@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_the_short_list_has_the_numbers_of_the_whole_one(office, lang):
    await office.wish("south", lang=lang)
    live = office.live
    numbers = numbered(live, "south")
    text = (await office.newest("south")).text
    listed = re.findall(
        r"(?:^\| (?:.*: )?|; |, |^\|   )(?:[\w ,]*?\bR\d+ )?(\d+) ([^,;\n]*?)(?= \d+\W?%|[,;]|$)", text, re.M
    )
    by_number = {number: order_in(live.ruleset, order, lang) for order, number in numbers.items()}
    assert len(listed) >= 12
    assert all(by_number[int(number)].endswith(words) for number, words in listed)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("scenario", thinned(["skirmish", "gaugamela", "issus"], 3))
async def test_a_letter_has_at_most_forty_five_lines(tmp_path, scenario, lang):
    async with opened(tmp_path / "data") as office:
        await office.begin(text=scenario_text("tts", scenario))
        await office.wish("south", lang=lang)
        for row in office.rows():
            await office.store.write(outbox.sent(row.id, office.clock.now()))
        await office.order("south", "end turn")
        await office.order("north", "end turn")
        assert len((await office.newest("south")).text.splitlines()) <= LONGEST


@pytest.mark.parametrize(("scenario", "lang"), [("issus", "en"), ("adrianople", "fr"), ("raphia", "fr")])
@pytest.mark.slow
async def test_so_it_has_in_the_midst_of_the_largest_battles(tmp_path, scenario, lang):
    """Turns and decisions, on crowded boards with much to tell; the letters that bind the host are left out."""
    chance, asked = StreamChance(Stream(b"x" * 32)), set()
    async with opened(tmp_path / "data") as office:
        await office.begin(text=scenario_text("tts", scenario))
        for side in ("south", "north"):
            await office.wish(side, lang=lang)
        live = office.live
        for _ in range(60):
            (side,) = live.to_act()
            for row in office.rows():
                await office.store.write(outbox.sent(row.id, office.clock.now()))
            options = live.options(side)
            think = options[-1].order if live.game.waiting is None and chance.die("", 6, 1) == 6 else ""
            bot = BOTS["sensible"](live.ruleset, live.known(side), side, options, chance)
            await office.order(side, think or bot)
            asked.add(live.game.waiting is not None)
            row = await office.posted(live.to_act()[0], "turn")
            lines = (await office.letter(row)).text.splitlines()
            assert len(lines) <= LONGEST or any(line.startswith("hash_0 ") for line in lines)
    assert asked == {False, True}


async def test_no_line_of_a_letter_is_an_order(office):
    await a_turn_each(office)
    arrived = await office.newest("south")
    parse = office.live.ruleset.orders.parse
    for text in (arrived.text, get_text(arrived.html)):
        lines = [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]
        assert lines
        for line in lines:
            with pytest.raises(Exception, match=r"core\.|tts\."):
                parse(line)


async def test_a_reply_that_quotes_the_whole_letter_is_its_own_text(office):
    arrived = await office.newest("south")
    quoted = "\n".join(f"> {line}" for line in arrived.text.splitlines())
    for below in (quoted, arrived.text):
        raw = (
            f"From: Anna <anna@anna.test>\nTo: {parseaddr(arrived['Reply-To'])[1]}\nSubject: Re: {arrived['Subject']}\n"
            f"Message-ID: <r1@anna.test>\nContent-Type: text/plain; charset=utf-8\n\n"
            f"R1 ahead\nend turn\n\nOn Friday Phalera wrote:\n{below}\n"
        ).encode()
        reading = read_mail(raw, office.addresses)
        if below is quoted:
            assert reading.text.split("\n") == ["R1 ahead", "end turn"]
        assert not [line for line in reading.text.splitlines() if line.startswith(("R2", BAR))]
        assert reading.tokens[0] == parseaddr(arrived["Reply-To"])[1][5:29]


async def test_the_signed_head_at_the_foot_is_that_of_the_battle(office):
    arrived = await office.newest("south")
    note = arrived.text.partition("\n-- \n")[2]
    head = notes.open_head(notes.Verifier(office.battles.keys.current.key), note)
    assert (head.n, head.hash) == (office.live.n, office.live.recording.head)
    assert note in list(notes_in(arrived.raw))


async def test_the_parts_of_the_message(office):
    await office.wish("south", picture=True)
    arrived = await office.newest("south")
    kinds = [part.get_content_type() for part in arrived.message.walk()]
    assert kinds == [
        *("multipart/mixed", "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"),
        "text/calendar",
    ]
    assert arrived.part("text/plain").get_param("format") == "fixed"
    picture = arrived.part("image/png")
    assert len(picture.get_content()) <= 40_000
    cid = picture["Content-ID"].strip("<>")
    assert f'src="cid:{cid}"' in arrived.html
    (alt,) = re.findall(r'alt="([^"]*)"', arrived.html)
    assert alt == "The board: South with 6 units, North with 6 units. “board” by mail tells it in words."
    assert arrived.message.defects == []
    assert max(map(len, arrived.raw.splitlines())) <= 998


@pytest.mark.slow
async def test_the_same_row_is_written_alike_twice(office):
    await office.wish("south", picture=True)
    (row,) = office.rows("south")
    assert (await office.letter(row)).raw == (await office.letter(row)).raw


@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_the_first_lines_can_be_read_aloud(office, lang):
    await office.wish("south", lang=lang)
    arrived = await office.newest("south")
    first = arrived.text.split("\n\n")[0]
    assert first[0].isalpha() and "--" not in first and office.live.id not in first
    body = arrived.html.partition("<body>")[2]
    spoken = " ".join(html.unescape(body).split())
    assert spoken.index(" ".join(arrived.lead.split())) < spoken.index("<h1>") < spoken.index(CUT)
    assert body.count(html.escape(CUT)) == body.count(f'aria-hidden="true">{html.escape(CUT)}') == 2


async def test_units_lead_to_where_they_are_ordered_on_the_page(office):
    body = (await office.newest("south")).html
    linked = re.findall(rf'<a href="{URL}/battles/{office.live.id}#pick-(\w+)">(\w+)', body)
    assert len(linked) == 6 and all(unit == label for unit, label in linked)


async def test_the_picture_is_left_out_for_who_wants_none(office):
    arrived = await office.newest("south")
    assert arrived.part("image/png") is None
    assert "<img" not in arrived.html
    assert "<pre>   A      B" in arrived.html


async def test_headers(office):
    arrived = await office.newest("south")
    battle = office.live.id
    assert arrived["Subject"] == "Skirmish at the two woods vs Bob: your turn 1"
    assert arrived["From"] == f"Phalera <play@{HOST}>"
    assert arrived["To"] == "anna@anna.test"
    token = parseaddr(arrived["Reply-To"])[1].removeprefix("play+").partition("@")[0]
    assert office.addresses.tokens_in(arrived["Message-ID"]) == [token]
    assert office.live.recording.head.hex()[:16] in arrived["Message-ID"]
    assert arrived["References"] == arrived["In-Reply-To"] == f"<{battle}@{HOST}>"
    assert arrived["List-Id"] == f"<letters.{HOST}>"  # one filter for all battles
    assert arrived["Auto-Submitted"] == "auto-generated"
    assert arrived["X-Auto-Response-Suppress"] == "OOF, AutoReply"
    page, mail = re.findall(r"<([^>]*)>", arrived["List-Unsubscribe"])
    assert page.startswith(f"{URL}/unsubscribe/")
    assert mail.startswith("mailto:play+")
    assert mail.endswith("?subject=unsubscribe")
    assert arrived["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert arrived["Date"] == "Fri, 20 Nov 2026 10:00:00 +0000"
    found = mail_tokens.good(office.store, token, "question", office.clock.now())
    assert found is not None
    assert (found.player, found.battle, found.side) == (office.players["south"], battle, "south")
    leave = mail_tokens.good(office.store, page.rpartition("/")[2], "unsubscribe", office.clock.now())
    assert leave is not None
    assert leave.player == office.players["south"]
    back = arrived.composed.sender.removeprefix("play+").partition("@")[0]
    bounce = mail_tokens.good(office.store, back, "bounce", office.clock.now())
    assert bounce is not None
    assert (bounce.player, bounce.question) == (office.players["south"], str(office.rows("south")[0].id))


async def test_one_click_needs_https(office, tmp_path):
    office.battles.settings = replace(office.battles.settings, url="http://127.0.0.1:8080")
    arrived = await office.newest("south")
    assert arrived["List-Unsubscribe"].startswith("<http://127.0.0.1:8080/unsubscribe/")
    assert arrived["List-Unsubscribe-Post"] == ""


async def test_all_letters_of_a_battle_refer_to_it_and_each_subject_says_how_it_stands(office):
    first = await office.newest("south")
    await a_turn_each(office)
    second = await office.newest("south")
    assert second["Subject"] == "Skirmish at the two woods vs Bob: your turn 2"
    assert first["References"] == second["References"]
    assert first["Message-ID"] != second["Message-ID"]


async def test_nothing_is_fetched_and_nothing_follows_the_reader(office):
    await office.wish("south", picture=True)
    arrived = await office.newest("south")
    sources = re.findall(r'(?:src|background)="([^"]*)"|url\(([^)]*)\)', arrived.html)
    assert all(source.startswith("cid:") for source, _ in sources)
    links = re.findall(r'href="([^"]*)"', arrived.html)
    assert [link for link in links if not re.fullmatch(rf"{URL}/(battles/\w+(#pick-\w+)?|unsubscribe/\w+)", link)] == []
    assert "<script" not in arrived.html


async def test_the_other_players_address_is_nowhere(office):
    await a_turn_each(office)
    assert b"bob@" not in (await office.newest("south")).raw
    await office.order("south", "end turn")
    assert b"anna@" not in (await office.newest("north")).raw


async def test_the_calendar_file_has_the_deadline(office):
    arrived = await office.newest("south")
    part = arrived.part("text/calendar")
    assert part.get_filename() == "deadline.ics"
    assert part.get_param("method") == "PUBLISH"
    lines = part.get_content().splitlines()
    assert "METHOD:PUBLISH" in lines
    assert "DTSTART:20261130T100000Z" in lines
    assert f"UID:{office.live.id}.south@{HOST}" in lines
    assert any(line.startswith("SUMMARY:Orders for Skirmish at the two woods") for line in lines)


async def test_what_happened_is_told_from_the_last_own_order_on(office):
    await a_turn_each(office)
    text = (await office.newest("south")).text
    assert "\nNorth moved N1 and N3.\n" in text
    assert "South moved" not in text


async def test_what_is_wanted_comes_first_then_what_happened_the_board_and_the_orders(office):
    await a_turn_each(office)
    text = (await office.newest("south")).text
    parts = ["It is your turn", "write ABOVE", "one to a line", "North moved", "^R1", "6 medals left", "end turn"]
    assert parts == sorted(parts, key=text.index)


async def test_a_letter_is_made_of_what_its_side_knows(office):
    unit = next(unit.id for unit in office.live.game.units.values() if unit.side == "north")
    await office.order("north", f"standing evade {unit} never")
    arrived = await office.newest("south")
    assert "never" not in arrived.text + arrived.html
    assert office.live.known(NOBODY) is not None


# --- what somebody else wrote


NASTY = "Zama\nBcc: victim@example.test\r\nX-Evil: yes\u2028<script>alert(1)</script>\"'&amp; é"


async def test_a_title_injects_no_header_and_no_markup(office):
    await office.begin(title=NASTY)
    arrived = await office.newest("south")
    assert arrived["Bcc"] == ""
    assert "X-Evil" not in arrived.message
    assert arrived["Subject"].startswith("Zama Bcc: victim@example.test X-Evil: yes")
    assert "<script>" not in arrived.html
    assert arrived.message.defects == []


async def test_an_address_that_is_two_gets_no_letter(office):
    for email in ("anna@anna.test, mallory@evil.test", "anna@anna.test\nBcc: x@y.test", "<anna@anna.test>", ""):
        await office.store.write(accounts.move(office.players["south"], email))
        assert await office.writer.compose(office.rows("south")[0]) is None


async def test_long_ids_stay_whole_on_the_wire(office):
    arrived = await office.newest("south")
    for raw in (arrived.raw, arrived.composed.message.as_bytes(policy=SMTP)):
        head = raw.partition(b"\r\n\r\n")[0]
        assert b"=?" not in head
        assert arrived["Message-ID"].encode() in head


def test_the_letter_of_the_documentation_is_a_real_one():
    page = (Path(__file__).parents[5] / "docs" / "letters.md").read_text(encoding="utf-8")
    shown = page.partition("```text\n")[2].partition("\n```")[0]
    real = (SNAPSHOTS / "turn_en.txt").read_text(encoding="utf-8")
    assert shown.strip() == real.strip()
