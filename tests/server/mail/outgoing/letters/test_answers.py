"""What a player reads about their own mail."""

import re
from email.utils import parseaddr

import pytest

from domain.basics.errors import Refusal
from domain.basics.message import Message
from server.mail.blocks import BoardBlock, HeadingLine, Link, Listing, OrdersBlock, Paragraph
from server.mail.outgoing.letters import writer
from server.mail.verdict import LineVerdict, MailRequest, Verdict
from server.people.players import Player
from server.play.seating import seat_bot, take_side
from tests.server.mail.outgoing.letters.test_turn import SCRUBBED
from tests.support import messages
from tests.support.letter_writing import HOST, PHRASE, URL, opened, require_same

RAW = b"From: Anna <anna@anna.test>\r\nMessage-ID: <mine.1@anna.test>\r\nSubject: Re: [x] y\r\n\r\nend turn\r\n"

REFUSED = Message("tts.not-current-corps", {"unit": "R5", "corps": "II", "open": "I"})


def verdict(office, what, side="south", **more):
    return Verdict(what=what, battle=office.live.id, side=side, player=office.players[side], **more)


async def of_a_turn(office):
    """Two orders played, one refused, one not reached."""
    first = (await office.order("south", "R1 ahead")).outcomes[0]
    second = (await office.order("south", "R2 ahead")).outcomes[0]
    return verdict(
        office,
        "played",
        lines=(
            LineVerdict("R1 ahead", "ok", first=first.first, last=first.last),
            LineVerdict("R2 ahead", "ok", first=second.first, last=second.last),
            LineVerdict("R5 ahead 2", "refused", REFUSED, "TTS-TRN-04"),
            LineVerdict("end turn", "not-played"),
        ),
        dropped=("Best wishes", "Anna"),
    )


@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_each_line_is_echoed_with_what_became_of_it(office, lang):
    await office.wish("south", lang=lang, picture=False)
    arrived = await office.letter(await office.answered(await of_a_turn(office), RAW))
    require_same(f"answer_{lang}.txt", SCRUBBED.sub("SIGNED", arrived.text.partition("\n\n\n- ")[0][:3000]))
    assert arrived["Auto-Submitted"] == "auto-replied"
    assert "[TTS-TRN-04]" in arrived.text
    assert "<td><code>| R5 ahead 2</code></td>" in arrived.html


async def test_an_answer_shows_what_the_mail_caused_and_where_the_battle_stands(office):
    await office.wish("south", picture=True)
    arrived = await office.letter(await office.answered(await of_a_turn(office), RAW))
    assert "\nSouth moved R1 and R2.\n" in arrived.text
    assert "^R1 " in arrived.text.partition("South moved")[2]
    assert re.search(r"^\| .*\d+ end turn", arrived.text, re.M)
    assert arrived.part("image/png") is not None
    token = parseaddr(arrived["Reply-To"])[1]
    assert token != office.addresses.mailbox
    assert arrived.composed.sender.startswith("play+")


async def test_an_answer_stands_in_the_thread_of_the_mail_and_of_the_battle(office):
    raw = b"Message-ID: <mine@anna.test>\nReferences: <letter@x> <b@y> not-an-id <bad id@z>\n\nx\n"
    arrived = await office.letter(await office.answered(verdict(office, "empty"), raw))
    assert arrived["In-Reply-To"] == "<mine@anna.test>"
    assert arrived["References"].split() == [f"<{office.live.id}@{HOST}>", "<letter@x>", "<b@y>", "<mine@anna.test>"]


@pytest.mark.parametrize(
    "raw",
    [
        b"Message-ID: <a@b>\n\tBcc: x@y.test\nSubject: a\n\nx",
        b"Message-ID: =?utf-8?q?=3Ca=40b=3E=0ABcc=3A_x=40y?=\nSubject: =?utf-8?q?hi=0D=0ABcc=3A_x=40y.test?=\n\nx",
        b"Message-ID: <"
        + b"a" * 5000
        + b"@b>\nReferences: "
        + b"<a@b> " * 3000
        + b"\nSubject: "
        + b"s" * 9000
        + b"\n\nx",
        b"Subject: \xff\xfe\x00 =?nonsense?x?y?=\nMessage-ID: \x00<>\n\nx",
        b"\x00\n\n",
        b"",
        b"From: " + b"(" * 20000 + b"\n\nx",
    ],
    ids=range(7),
)
async def test_nothing_of_a_mail_gets_into_the_headers_unseen(office, raw):
    said = Verdict(what="no-question", player=office.players["south"])
    arrived = await office.letter(await office.answered(said, raw))
    assert arrived["Bcc"] == ""
    assert arrived.message.defects == []
    head = arrived.raw.partition(b"\r\n\r\n")[0]
    assert max(map(len, head.split(b"\r\n"))) <= 998
    assert all(line[:1] in b" \t" or b":" in line for line in head.split(b"\r\n"))
    assert len(head) < 8000


@pytest.mark.parametrize(
    ("what", "why", "first"),
    [
        ("refused", "", "Nothing was played: the rules refuse your first order."),
        ("unreadable", "", "Nothing was played: not every line can be read."),
        ("closed", "", "Nothing was played: the question that your mail answers is no longer open."),
        ("closed", "seat", "Nothing was played: you no longer hold this side."),
        ("empty", "", "There was nothing to read in your mail: no line above the cut"),
        ("no-question", "", "Nothing was played: your mail answers no letter of ours"),
        ("something-new", "", "Nothing was done with your mail."),
    ],
)
async def test_what_was_not_played_is_said_first_and_bounces_nowhere(office, what, why, first):
    with pytest.raises(Refusal) as unread:
        office.live.ruleset.orders.parse("see you")
    refused = unread.value
    said = LineVerdict("see you", "unreadable", Message(refused.code, refused.params), refused.rule)
    lines = (said,) if what == "unreadable" else ()
    arrived = await office.letter(await office.answered(verdict(office, what, why=why, lines=lines), RAW))
    assert arrived.lead.startswith(first)
    assert arrived.composed.sender == ""
    assert arrived["Auto-Submitted"] == "auto-replied"


async def test_parked_lines_are_said_to_wait(office):
    lines = (LineVerdict("R1 charge E4", "ok", first=11, last=12), LineVerdict("end turn", "parked"))
    arrived = await office.letter(await office.answered(verdict(office, "played", lines=lines), RAW))
    assert arrived.lead.startswith("Played: 1 of 2 lines; the rest goes on when the other side has answered.")
    assert "| end turn\n    waits for the other side’s answer" in arrived.text


@pytest.mark.parametrize("why", ["confirm", "sender", "forged", "unsigned", "no-token"])
async def test_what_is_held_is_confirmed_by_a_link_or_a_reply(office, why):
    arrived = await office.letter(await office.answered(verdict(office, "held", why=why, held="17.sure"), RAW))
    token = office.addresses.token("confirm", "17.sure")
    assert f"{URL}/confirm/{token}" in arrived.text
    assert f'href="{URL}/confirm/{token}"' in arrived.html
    assert parseaddr(arrived["Reply-To"])[1] == office.addresses.to(token)
    assert "confirm" in arrived.lead
    assert arrived.composed.sender == ""


async def test_what_is_held_is_shown_and_nothing_that_could_be_answered_with_orders(office):
    lines = (LineVerdict("R1 ahead", "held"), LineVerdict("resign", "held"))
    arrived = await office.letter(
        await office.answered(verdict(office, "held", why="confirm", held="17.sure", lines=lines), RAW)
    )
    assert "What you wrote" in arrived.text
    assert "| resign\n    waits for your confirmation" in arrived.text
    assert "end turn" not in arrived.text
    assert "facing" not in arrived.text  # no board


async def test_a_repeat_tells_how_often_it_was_played_and_how_it_ended(office):
    why = Message("core.repeat-until", {"condition": "needs more than 3"})
    line = LineVerdict("repeat R1 ahead until needs more than 3", "ok", why, "CORE-SCRIPT", 11, 21, 2)
    arrived = await office.letter(await office.answered(verdict(office, "played", lines=(line,)), RAW))
    said = " ".join(arrived.text.split())
    assert "ok, 2 times (events 11 to 21). Repeated until: needs more than 3." in said


async def test_lines_that_were_played_as_written_are_not_repeated(office):
    played = (await office.order("south", "R1 ahead")).outcomes[0]
    lines = (LineVerdict("R1 ahead", "ok", first=played.first, last=played.last),)
    arrived = await office.letter(await office.answered(verdict(office, "played", lines=lines), RAW))
    assert arrived.lead.startswith("Your orders were played. It is your turn: orders for South are wanted by Monday")
    assert "ok (event" not in arrived.text
    assert "South moved R1." in arrived.text


async def test_what_a_mail_has_ended_is_told_by_its_answer(office):
    played = (await office.order("south", "resign")).outcomes[0]
    lines = (LineVerdict("resign", "ok", first=played.first, last=played.last), LineVerdict("end turn", "not-played"))
    end, row = office.rows("south")[-1], await office.answered(verdict(office, "played", lines=lines), RAW)
    assert end.kind == "end"
    composed = await office.writer.compose(end)
    assert composed is not None
    assert composed.wait_until  # the answer comes first
    arrived = await office.letter(row)
    assert "You have lost. North wins: the other side has resigned." in arrived.lead
    assert "thank you for playing" in arrived.text
    assert "phalera verify" in arrived.text
    assert arrived["Subject"] == "Skirmish at the two woods vs Bob: lost"
    assert await office.writer.compose(end) is None  # and says it all


async def test_an_answer_asks_what_the_next_letter_would_have_asked(office):
    await office.order("south", "end turn")
    played = (await office.order("north", "end turn")).outcomes[0]
    turn = office.rows("south")[-1]
    lines = (LineVerdict("end turn", "ok", first=played.first, last=played.last),)
    row = await office.answered(verdict(office, "played", lines=lines), RAW)
    arrived = await office.letter(row)
    assert arrived.lead.startswith("Your orders were played. It is your turn")
    assert arrived["Subject"] == "Skirmish at the two woods vs Bob: your turn 2"
    assert await office.writer.compose(turn) is None


@pytest.mark.slow
async def test_who_plays_both_sides_is_asked_for_the_other_one_by_a_letter_of_its_own(tmp_path):
    async with opened(tmp_path / "both") as office:
        office.live = await office.open()
        anna = await office.enrol("south", "Anna")
        for side in ("south", "north"):
            await take_side(office.live, side, anna, phrase=messages.phrase(office.live.recording, f"{PHRASE} {side}"))
        played = (await office.order("south", "end turn")).outcomes[0]
        turn = office.rows("south")[-1]
        lines = (LineVerdict("end turn", "ok", first=played.first, last=played.last),)
        row = await office.answered(verdict(office, "played", lines=lines), RAW)
        assert (await office.send(row)).lead == "Your orders were played."
        assert (await office.letter(turn)).lead.startswith("It is your turn: orders for North are wanted")


async def test_an_answer_waits_for_the_moves_of_a_bot_but_not_for_long(tmp_path):
    async with opened(tmp_path / "bot") as office:
        office.live = await office.open()
        anna = await office.enrol("south", "Anna")
        await take_side(office.live, "south", anna, phrase=messages.phrase(office.live.recording, PHRASE))
        await seat_bot(office.live, "north", "sensible", office.battles.entropy, Player("p1", "Anna"))
        played = (await office.order("south", "end turn")).outcomes[0]
        assert office.live.to_act() == ("north",)  # nobody here moves for the bot
        lines = (LineVerdict("end turn", "ok", first=played.first, last=played.last),)
        row = await office.answered(verdict(office, "played", lines=lines), RAW)
        composed = await office.writer.compose(row)
        assert composed is not None
        assert composed.wait_until > office.clock.now()
        office.clock.wait(minutes=1)
        assert (await office.letter(row)).lead == "Your orders were played."


async def test_a_vacation_note_is_answered_with_an_offer(office):
    said = verdict(office, "vacation", held="9.sure", params={"back": "2026-12-01"})
    arrived = await office.letter(await office.answered(said, RAW))
    assert "you are away until 2026-12-01" in arrived.lead
    assert "/confirm/" in arrived.text


async def test_an_answer_waits_for_no_quiet_hours_and_no_digest(office):
    await office.wish("south", delivery="none", quiet="0-23", stopped="unsubscribed")
    arrived = await office.letter(await office.answered(verdict(office, "empty"), RAW))
    assert arrived["To"] == "anna@anna.test"


async def test_who_does_not_hold_the_side_sees_no_board(office):
    said = Verdict(what="closed", battle=office.live.id, side="north", player=office.players["south"])
    arrived = await office.letter(await office.answered(said, RAW))
    assert "facing" not in arrived.text
    assert arrived["Subject"] == "Re: [x] y"


async def test_long_and_odd_lines_are_repeated_readably(office):
    lines = (LineVerdict("x" * 5000 + "\x00\x1b[31m\n-- \nR1 ahead", "unreadable"),)
    arrived = await office.letter(await office.answered(verdict(office, "unreadable", lines=lines), RAW))
    (echoed,) = [line for line in arrived.text.splitlines() if line.startswith("| xxx")]
    assert len(echoed) < 320
    assert "\x1b" not in arrived.text


# --- commands


class Shown:
    """Shows one block of each kind."""

    def __init__(self, live, monkeypatch):
        self.live = live
        self.asked = []
        monkeypatch.setattr(writer, "show_command", self.show)

    async def show(self, desk, request, caller):
        self.asked.append((request.name, caller.player.id, caller.battle, caller.side))
        return [
            HeadingLine("A heading"),
            Paragraph(f"Of {request.name}"),
            Paragraph("Some <b>words</b> & more. " * 8),
            Listing(("one   two", "three four")),
            OrdersBlock((("R1", ("R1 ahead  # needs 2+", "R1 back")),)),
            BoardBlock(self.live.id, 10, "south"),
            Link("Press me", "https://example.org/?a=1&b=2"),
        ]


@pytest.mark.slow
async def test_the_answer_to_a_command_shows_what_the_desk_shows(office, monkeypatch):
    await office.wish("south", picture=True)
    desk = Shown(office.live, monkeypatch)
    failed = MailRequest("why", ("999",), Message("core.no-such-page", {}))
    said = verdict(office, "command", requests=(MailRequest("help"), failed))
    arrived = await office.letter(await office.answered(said, RAW))
    assert desk.asked[0] == ("help", office.players["south"], office.live.id, "south")
    assert "A heading\n=========" in arrived.text
    assert "one   two\nthree four" in arrived.text
    assert "| R1 ahead  # 1: needs 2+\n| R1 back   # 2\n" in arrived.text
    assert "Press me:\nhttps://example.org/?a=1&b=2" in arrived.text
    assert "There is no page here." in arrived.text or "page" in arrived.text
    assert "Some &lt;b&gt;words&lt;/b&gt; &amp; more." in arrived.html
    assert 'href="https://example.org/?a=1&amp;b=2"' in arrived.html
    pictures = [part["Content-ID"] for part in arrived.message.walk() if part.get_content_type() == "image/png"]
    assert len(set(pictures)) == 2
    assert arrived.composed.sender


class Settings(Shown):
    """Shows the same whatever is asked."""

    async def show(self, desk, request, caller):
        return [] if request.name == "say" else [HeadingLine("Your letters")]


@pytest.mark.parametrize(
    ("lang", "headings"),
    [
        ("en", ["zone Europe/Paris", "say", "offer draw", "standing evade R7 always", "quiet 22-8"]),
        ("fr", ["fuseau Europe/Paris", "dire", "propose nulle", "standing evade R7 always", "calme 22-8"]),
    ],
)
async def test_each_of_several_commands_stands_above_its_answer_and_nothing_is_shown_twice(
    office, monkeypatch, lang, headings
):
    await office.wish("south", lang=lang)
    Settings(office.live, monkeypatch)
    done = {"zone": "Europe/Paris", "lang": "en", "quiet": "22-8", "delivery": "instant", "picture": "on"}
    requests = [
        MailRequest("zone", ("Europe/Paris",), Message("desk.did.zone", done)),
        MailRequest("say", ("", "It is\nlate"), Message("desk.did.say", {"name": "Bob"})),
        MailRequest("order", ("", "offer draw"), Message("desk.did.order", {"order": "offer draw"})),
        MailRequest(
            "order", ("", "standing evade R7 always"), Message("desk.did.order", {"order": "standing evade R7"})
        ),
        MailRequest("settings"),
        MailRequest("quiet", ("22-8",), Message("desk.did.quiet", done)),
    ]
    arrived = await office.letter(await office.answered(verdict(office, "command", requests=tuple(requests)), RAW))
    underlined = re.findall(r"^(.+)\n=+$", arrived.text, re.M)
    assert underlined == [*headings, "Your letters"]
    alone = await office.letter(await office.answered(verdict(office, "command", requests=(requests[0],)), RAW))
    assert re.findall(r"^(.+)\n=+$", alone.text, re.M) == ["Your letters"]


async def test_what_could_stand_in_the_place_of_a_bad_line_is_said_once(office):
    unreadable = [
        LineVerdict(
            text, "unreadable", Message("core.parse", {"line": text, "word": text, "expected": ["a corps", "a unit"]})
        )
        for text in ("foo", "bar")
    ]
    arrived = await office.letter(await office.answered(verdict(office, "unreadable", lines=tuple(unreadable)), RAW))
    told = " ".join(arrived.text.split())
    assert "“foo” cannot be read: at “foo” it should say a corps or a unit." in told
    assert "“bar” cannot be read: it goes wrong at “bar”." in told and told.count("a corps or a unit") == 1


async def test_a_stranger_gets_the_help_and_none_of_his_own_words(office, monkeypatch):
    Shown(office.live, monkeypatch)
    raw = b"From: Zoe <ZOE@zoe.test>\nMessage-ID: <z@zoe.test>\nSubject: Buy this now\n\nhelp\nspam\n"
    said = Verdict(what="stranger", requests=(MailRequest("help"),), dropped=("spam",))
    arrived = await office.letter(await office.answered(said, raw))
    assert arrived["To"] == "zoe@zoe.test"
    assert arrived["In-Reply-To"] == "<z@zoe.test>"
    assert b"Buy" not in arrived.raw
    assert b"spam" not in arrived.raw
    assert arrived["List-Unsubscribe"] == ""
    assert arrived.composed.sender == ""
    assert arrived.composed.also == ()


@pytest.mark.parametrize("sender", [b"a@b.test, c@d.test", b"nobody", b"", b"x@y.test\nFrom: z@y.test"])
async def test_a_stranger_without_one_address_gets_nothing(office, sender):
    said = Verdict(what="stranger", requests=(MailRequest("help"),))
    row = await office.answered(said, b"From: " + sender + b"\n\nhelp\n")
    composed = await office.writer.compose(row)
    assert composed is None or composed.recipient == "x@y.test"
