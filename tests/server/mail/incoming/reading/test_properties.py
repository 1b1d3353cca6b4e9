"""Whatever bytes come in, they are read in so many steps; nothing quoted is ever an order, nothing written is lost."""

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from server.mail.cut import CUT
from server.mail.incoming.reading import read_mail
from server.mail.incoming.reading.caps import MOST_TEXT, MOST_TEXT_LINES
from server.mail.incoming.reading.folding import fold
from server.mail.verdict import MailReading
from tests.server.mail.incoming.reading.corpus import CASES, OURS
from tests.server.mail.incoming.reading.corpus.shared import HTML, ON, mail, quoted
from tests.server.mail.incoming.reading.test_limits import MOST_CALLS
from tests.support.counting import counted

WHATS = {"mail", "automatic", "vacation", "bounce", "loop", "broken", "too-large"}
SMALL = [case.raw for case in CASES if len(case.raw) < 5_000]
BITS = [
    *(b"\n\n", b"\r\n", b"\0", b"--=_b\n", b"--=_b--\n", b"Content-Type: message/rfc822\n\n", b"\n.\n", b">", b"| "),
    *(b"Content-Type: multipart/mixed; boundary==_b\n\n", b"=?utf-8?b?", b"((((", b"<div>", b"&#x0;", b"=\n", b"\xff"),
    *(
        b"charset=utf-16",
        b"format=flowed",
        b"Content-Transfer-Encoding: x-uuencode\n",
        b"begin 644 x\n",
        b"From: a@b\n",
    ),
]


def checked(raw: bytes) -> MailReading:
    """A reading of which all that must hold for any mail holds."""
    reading, calls = counted(lambda: read_mail(raw, OURS, ("mx.phalera.example",), lambda name: None))
    assert calls < MOST_CALLS
    assert reading.what in WHATS
    assert reading.what == "mail" or (not reading.text and reading.why)
    assert len(reading.text) <= MOST_TEXT * 3  # of one wide letter NFC makes three at most
    assert reading.text.count("\n") < MOST_TEXT_LINES
    assert CUT not in reading.text
    assert not re.search(r"(?m)^>", reading.text)
    assert (reading.bounce is not None) == (reading.what == "bounce")
    reading.text.encode()
    return reading


@pytest.mark.slow
@settings(max_examples=300)
@given(st.binary(max_size=3_000))
def test_any_bytes_are_read(raw: bytes) -> None:
    checked(raw)


@settings(max_examples=400)
@given(st.data())
@pytest.mark.slow
def test_a_mail_with_faults_put_in_is_read(data: st.DataObject) -> None:
    raw = data.draw(st.sampled_from(SMALL))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw)))
        more = data.draw(st.sampled_from(BITS) | st.binary(max_size=20)) * data.draw(st.sampled_from([1, 1, 2, 50]))
        raw = raw[:at] + more + raw[at + data.draw(st.integers(0, 40)) :]
    checked(raw)


WORD = st.text("abcRE149 éœ’—", min_size=1, max_size=12).filter(lambda text: any(map(str.isalnum, text)))
NUMBERED = st.integers(1, 20).map(lambda number: f"{number}. R{number}")
TOPS = st.lists(WORD | NUMBERED, max_size=4)
BELOW = st.lists(WORD.map(lambda word: f"SECRET {word}"), min_size=1, max_size=6)


@given(TOPS, BELOW, st.sampled_from(["plain", "tight", "twice", "unmarked", "html", "blockquote", "gmail", "flowed"]))
@pytest.mark.slow
def test_what_is_quoted_below_the_cut_line_is_never_an_order(tops: list[str], below: list[str], how: str) -> None:
    top, letter = "\n".join(tops), "\n".join([f"{CUT} G42", *below])
    html = "".join(f"<p>{line}</p>" for line in letter.split("\n"))
    body, type_ = f"{top}\n{ON}\n", "text/plain; charset=utf-8"
    match how:
        case "plain" | "tight" | "twice":
            body += quoted({"plain": "> ", "tight": ">", "twice": ">> "}[how], letter)
        case "flowed":
            body, type_ = body + quoted("> ", letter), f"{type_}; format=flowed"
        case "unmarked":
            body = f"{top}\n{letter}"
        case _:
            mark = {"html": "<hr>", "blockquote": "<blockquote>", "gmail": "<div class='x gmail_quote'>"}[how]
            body, type_ = f"{''.join(f'<div>{line}</div>' for line in tops)}{mark}{html}", HTML
    reading = checked(mail(body, type_=type_))
    assert reading.what == "mail"
    assert "SECRET" not in reading.text
    for line in filter(None, (" ".join(fold(line).split()) for line in tops)):
        assert line in " ".join(reading.text.split())


LINES = st.lists(
    WORD
    | st.sampled_from(["end", "Fin", "--", "________________", "| 1. R1", "On the left", "Le 3", "R1 charge E4:", ""])
    | st.sampled_from(["De : moi", "wrote:", "From: here", "- R1", "On 3 2026 they", "-----x-----", "Sent", "---"]),
    max_size=12,
)


@given(LINES)
@pytest.mark.slow
def test_no_line_is_lost_in_silence(lines: list[str]) -> None:
    """Without quotes, signature and what mail programs add, each line is read or told."""
    written = [fold(line).strip() for line in lines if line.strip()]
    assume(all(not re.search(r"^On 3 2026", line) for line in written) or "wrote:" not in written)
    reading = checked(mail("\n".join(lines)))
    told = [*reading.text.split("\n"), *reading.dropped]
    marks = {"end", "fin", "--", "________________"}
    lost = [line for line in written if line not in told and line.casefold() not in marks and not set(line) <= {"-"}]
    assert lost == []
