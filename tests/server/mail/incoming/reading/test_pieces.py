"""Single questions of the reading: letters, days, hosts, quotes, charsets."""

import pytest

from server.mail.incoming.reading import read_mail
from server.mail.incoming.reading.folding import fold, lines_of
from server.mail.incoming.reading.html import lines_of_html
from server.mail.incoming.reading.parts import decoded, unflowed
from server.mail.incoming.reading.quotes import begins_unmarked_quote, introduction, is_added
from server.mail.incoming.reading.reply import reply_of
from server.mail.incoming.reading.trust import is_aligned
from tests.server.mail.incoming.reading.corpus import OURS
from tests.server.mail.incoming.reading.corpus.machines import away
from tests.server.mail.incoming.reading.corpus.shared import HEAD, LETTER_ID, ORDERS, TOKEN, US, mail, told_lines


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("R1\u00a0charge\u202fE4", "R1 charge E4"),
        ("\u2018a\u2019 \u201cb\u201d \u00abc\u00bb", '\'a\' "b" "c"'),
        ("a \u2013 b \u2014 c", "a - b - c"),
        ("wait\u2026", "wait..."),
        ("R\u200b1\ufeff", "R1"),
        ("\uff32\uff11", "R1"),
        ("été œuvre Straße ½ ﬁ Ångström", "été œuvre Straße ½ ﬁ Ångström"),
        ("e\u0301", "\u00e9"),
        ("a\tb\x07", "a b"),
        ("👨\u200d👩\u200d👧 क्\u200dष", "👨\u200d👩\u200d👧 क्\u200dष"),
    ],
)
def test_only_what_keyboards_do_is_undone(typed: str, meant: str) -> None:
    assert fold(typed) == meant


def test_every_kind_of_line_end_ends_a_line() -> None:
    assert lines_of("a\r\nb\nc\rd\u2028e\x85f\x0bg") == list("abcdefg")


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("I am away until 2027-01-12.", "2027-01-12"),
        ("away until 12 January 2027", "2027-01-12"),
        ("away until January 12th, 2027", "2027-01-12"),
        ("absent jusqu’au 1er février 2027", "2027-02-01"),
        ("absent du 20 décembre 2026 au 4 janvier 2027", "2027-01-04"),
        ("from 20 December to 4 January; back on 5 January", "2027-01-05"),
        ("de retour le 2 août 2027", "2027-08-02"),
        ("away until 12/12/2026", "2026-12-12"),
        ("away until 25.12.2026", "2026-12-25"),
        ("away until 12/25/2026", "2026-12-25"),
        ("away until 3/4/2027", ""),
        ("away until 12/12", ""),
        ("away until 31 February 2027", ""),
        ("away until 6 December", ""),  # a day before the mail: nearly a year away
        ("away 20 December 2026 and 4 January 2027", ""),
        ("away until further notice", ""),
    ],
)
def test_the_day_of_a_vacation_note(text: str, back: str) -> None:
    reading = read_mail(away(text), OURS)
    assert (reading.what, reading.back) == ("vacation", back)


def test_a_day_without_a_year_needs_the_date_of_the_mail() -> None:
    raw = away("away until 12 January").replace(b"Date: Mon, 07 Dec 2026 10:30:00 +0100", b"Date: yesterday")
    assert read_mail(raw, OURS).back == ""


@pytest.mark.parametrize(
    ("signed", "domain", "aligned"),
    [
        ("example.org", "example.org", True),
        ("EXAMPLE.org.", "example.org", True),
        ("example.org", "mail.example.org", True),
        ("mail.example.org", "example.org", False),
        ("org", "example.org", False),
        ("ample.org", "example.org", False),
        ("", "example.org", False),
    ],
)
def test_which_domain_may_speak_for_which(signed: str, domain: str, aligned: bool) -> None:
    assert is_aligned(signed, domain) is aligned


@pytest.mark.parametrize(
    ("lines", "length"),
    [
        (["On Mon, 7 Dec 2026 at 10:12, A <a@example.org> wrote:"], 1),
        (["On Mon, 7 Dec 2026 at 10:12, A", "<a@example.org>", "wrote:"], 3),
        (["Le lun. 7 déc. 2026 à 10:12, A", "a écrit :"], 2),
        (["Am 07.12.26 um 10:12 schrieb A:"], 1),
        (["El lun, 7 dic 2026 a las 10:12, A (<a@example.org>) escribió:"], 1),
        (["2026-12-07 10:12 GMT+01:00 A <a@example.org>:"], 1),
        (["Quoting A <a@example.org>:"], 1),
        (["Anna wrote:", "", "> x"], 1),
        (["Anna wrote:", "R1 charge E4"], 0),  # she may have meant it
        (["On we go, they wrote:"], 0),
        (["On we go, they wrote:", "> x"], 1),
        (["On 7 Dec 2026", "", "wrote:"], 0),
        (["R1 charge E4:"], 0),
        (["1. R1 charge E4", "On Mon, 7 Dec 2026, A wrote:"], 0),
        (["3", "Phalera <a@example.org> wrote:"], 0),
        (["Le 3 avance", "Le lun. 7 déc. 2026 à 10:12, A", "a écrit :"], 0),
    ],
)
def test_what_introduces_a_quote(lines: list[str], length: int) -> None:
    assert introduction(lines, 0) == length


def test_a_block_of_header_fields_needs_three_of_them() -> None:
    assert begins_unmarked_quote(["De : A", "Envoyé : lundi", "À : B"], 0)
    assert begins_unmarked_quote(["*From:* A", "*Sent:* x", "*To:* B"], 0)
    assert not begins_unmarked_quote(["From: E4", "To: E5", "R1 charge E4"], 0)


@pytest.mark.parametrize("line", ["Sent from my iPhone", "Envoyé de mon téléphone", "Get Outlook for iOS", "[cid:a@b]"])
def test_what_mail_programs_add_is_left_out(line: str) -> None:
    assert is_added(line)


@pytest.mark.parametrize("line", ["Sent R1 to E4", "envoyé R1", "R1 charge E4", "[R1]", "get R1"])
def test_what_a_person_writes_is_not_taken_for_an_addition(line: str) -> None:
    assert not is_added(line)


def test_a_line_written_between_signature_and_quote_is_told() -> None:
    reply = reply_of(["R1 charge E4", "-- ", "Anna", "> old", "R2 move E5"])
    assert (reply.text, reply.dropped) == ("R1 charge E4", ("R2 move E5",))


def test_a_cut_line_that_a_program_has_joined_with_an_order() -> None:
    assert reply_of(["R1 charge E4 -----8<----- G42", "resign"]).text == "R1 charge E4"
    assert reply_of(["> R1 charge E4 -----8<----- G42"]).text == ""


@pytest.mark.parametrize("cut", ["-----8<-----", "\u2014--8<---\u2014", "> > -----8<----- G42", "- -----8<-----"])
def test_a_cut_line_is_known_in_other_clothes(cut: str) -> None:
    assert reply_of(["R1 charge E4", cut, "R9 flee A1"]).text == "R1 charge E4"


def test_html_keeps_the_lines_that_its_reader_sees() -> None:
    assert told_lines(lines_of_html("<p>a<br>b</p><div>c <b>d</b></div><pre>e\nf</pre>")) == ["a", "b", "c d", "e", "f"]
    assert told_lines(lines_of_html("<!-- only a comment -->")) == []
    assert told_lines(lines_of_html("<?xml version='1.0' encoding='utf-16'?><p>é")) == ["é"]


def test_flowed_text_keeps_its_quotes_apart() -> None:
    assert unflowed(["> a ", "> b", "c ", "d", "-- ", "e"], False) == ["> a b", "c d", "-- ", "e"]


def test_charsets_that_are_not_let_in_are_not_used() -> None:
    assert decoded(b"+AGE-", "utf-7") == "+AGE-"
    assert decoded("é".encode(), "rot13") == "é"
    assert decoded(b"\xe9", "utf_16") == "é"
    assert decoded("é".encode("koi8-r", "replace") + "ж".encode("koi8-r"), "KOI8-R").endswith("ж")
    assert decoded(b"a\xffb", "utf-8") == "a\ufffdb"


def test_tokens_stand_in_the_order_of_the_fields() -> None:
    other = OURS.token("question", "13.south")
    raw = mail(ORDERS, f"X-Original-To: {OURS.to(other)}", to="play@phalera.example")
    assert read_mail(raw, OURS).tokens == (other, TOKEN)
    raw = mail(ORDERS, to=US, top=f"Delivered-To: {OURS.to(other)}")
    assert read_mail(raw, OURS).tokens == (other, TOKEN)


def test_heads_of_other_hosts_are_not_ours() -> None:
    assert read_mail(mail(ORDERS), OURS).heads == (HEAD.hex()[:16],)
    raw = mail(ORDERS).replace(LETTER_ID.encode(), LETTER_ID.replace("phalera", "falera").encode())
    assert read_mail(raw, OURS).heads == ()


@pytest.mark.parametrize("size", [1024 * 1024, 1024 * 1024 + 1])
def test_one_mebibyte_is_the_limit(size: int) -> None:
    head = mail("", type_="application/octet-stream")
    assert read_mail(head + b"x" * (size - len(head)), OURS).what == ("mail" if size == 1024 * 1024 else "too-large")
