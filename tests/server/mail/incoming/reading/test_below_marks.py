"""What is written within a quoted letter about several battles, as mail programs leave it."""

import pytest

from server.mail.cut import CUT
from server.mail.incoming.reading import read_mail
from server.mail.places import named_besides, named_in
from server.mail.verdict import MailReading
from server.people.addresses import Addresses

FIRST, SECOND = "ovk5jz6cylkc4es2", "e33o6lqhrofyqr2h"
ADDRESSES = Addresses("play@phalera.test", b"\0" * 32)
LETTER = f"""\
Orders or an answer of yours are wanted in 2 of 2 battles.

{CUT} write ABOVE this line, or BELOW a battle's {CUT}

   Battle  Against  Wanted       Until
1  Zama    Bob      your turn 1
2  Issus   Carol    your turn 3

{CUT} battle 1, {FIRST}: write BELOW {CUT}
@1
1. Zama vs Bob: your turn 1
| 1 corps I, 2 corps II, 3 end turn
| R1 legionaries C2: 15 group R1 R2 R3 ahead, 4 ahead 90%; 16 left, 17 right
@2
{CUT} battle 2, {SECOND}: write BELOW {CUT}
@3
2. Issus vs Carol: your turn 3
| 1 corps I, 2 corps II, 3 end turn
@4
{CUT} end of the battles {CUT}
--\x20
phalera.test/phalera/{FIRST}
@5
"""


def quoted(mark: str = "> ", **written: str) -> str:
    """The letter with a mark before each line; `at1` … `at5` are the writer's own lines."""
    lines = []
    for line in LETTER.splitlines():
        if line.startswith("@"):
            lines += written.get(f"at{line[1:]}", "").splitlines()
        else:
            lines.append(f"{mark}{line}")
    return "\n".join(lines)


def read(text: str, kind: str = "plain") -> MailReading:
    head = (
        f"From: anna@example.test\nTo: play@phalera.test\nMessage-ID: <1@example.test>\nContent-Type: text/{kind}\n\n"
    )
    return read_mail((head + text).encode(), ADDRESSES)


def below(reading: MailReading) -> dict[str, str]:
    return {found.battle: found.text for found in reading.marked if found.text}


STYLES = {
    "mutt": "On Mon, 24 Nov 2026, Phalera wrote:\n{}",
    "Gmail": "Le lun. 24 nov. 2026 à 18:00, Phalera <play@phalera.test> a écrit :\n\n{}",
    "nothing above": "{}",
}


@pytest.mark.parametrize("style", STYLES)
def test_lines_below_a_mark_are_for_its_battle(style):
    reading = read(STYLES[style].format(quoted(at1="R1 ahead\nend turn\n", at4="3\n")))
    assert below(reading) == {FIRST: "R1 ahead\nend turn", SECOND: "3"}
    assert (reading.text, reading.dropped) == ("", ())


@pytest.mark.parametrize("mark", [">", "> ", ">>", "> > "])
def test_any_depth_of_quoting_will_do(mark):
    assert below(read(quoted(mark, at2="R1 ahead", at3="3"))) == {FIRST: "R1 ahead", SECOND: "3"}


def test_what_stands_outside_the_battles_is_for_none():
    reading = read("battle 2\n3\n\nOn Monday Phalera wrote:\n" + quoted(at1="R1 ahead"))
    assert reading.text == "battle 2\n3"
    assert below(reading) == {FIRST: "R1 ahead"}
    assert read(quoted(at5="battle 2\n3")).text == "battle 2\n3"


def test_in_html_as_well():
    items = [
        f"<div>{line}</div>" for line in LETTER.replace("@1", "").replace("@3", "").splitlines() if line[:1] != "@"
    ]
    at = next(number for number, item in enumerate(items) if FIRST in item)
    first, rest = "".join(items[: at + 1]), "".join(items[at + 1 :])
    html = f"<blockquote>{first}</blockquote><div>R1 ahead</div><blockquote>{rest}</blockquote>"
    assert below(read(f"<div>On Monday Phalera wrote:</div>{html}", "html")) == {FIRST: "R1 ahead"}


@pytest.mark.parametrize("rest", ["> BELOW", "BELOW"])
def test_a_broken_mark_is_still_one(rest):
    text = quoted(at3="R1 ahead").replace(f"{SECOND}: write BELOW", f"{SECOND}: write\n{rest}")
    assert below(read(text)) == {SECOND: "R1 ahead"}


@pytest.mark.parametrize("after", ["> ", ""])
def test_the_end_of_a_broken_quoted_line_is_not_an_order(after):
    text = quoted(at1="3\n").replace("16 left, 17 right\n", f"16 left,\n17 right\n{after}\n")
    reading = read(text)
    assert below(reading) == {FIRST: "3"}
    assert [found.dropped for found in reading.marked] == [("17 right",)]


def test_lines_below_a_mark_that_cannot_be_read_are_for_no_battle():
    text = quoted(at3="R1 ahead").replace(SECOND, "e33o6lqhr")
    assert below(read(text)) == {}
    assert read(text).text == "R1 ahead"


@pytest.mark.parametrize(
    "line", ["| " + CUT + f" battle 2, {SECOND}: write BELOW " + CUT, f"hi {CUT} battle 2, {SECOND}"]
)
def test_what_others_say_is_no_mark(line):
    text = quoted(at1=f"> {line}\n\nR1 ahead") if line.startswith("|") else quoted(at1=f"> {line}\nR1 ahead")
    assert SECOND not in below(read(text))


def test_a_quote_without_marks_is_not_read():
    """Nobody can tell there who wrote a line."""
    head = "From: Phalera <play@phalera.test>\nSent: Monday\nTo: Anna\nSubject: Your battles\n\n"
    reading = read(f"battle 1\n3\n\n-----Original Message-----\n{head}{quoted('', at3='R1 ahead')}")
    assert reading.text == "battle 1\n3"
    assert reading.marked == ()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("battle 2", ("2", "")),
        ("Battle 2:", ("2", "")),
        ("*battle #2*", ("2", "")),
        ("- battle 2 - R1 ahead", ("2", "R1 ahead")),
        ("battle 2 4 16 37 end", ("2", "4 16 37 end")),
        ("bataille n° 2", ("2", "")),
        ("bataille no 2 :", ("2", "")),
        (f"battle {FIRST}", (FIRST, "")),
        (f"battle [{FIRST.upper()}]", (FIRST, "")),
        ("battle n2abcdef", ("n2abcdef", "")),
        ("battle zama", ("zama", "")),
        ("battle on, Bob!", None),
        ("That was a battle", None),
        ("battle", None),
        ("R1 ahead", None),
        ("battle 12345", ("12345", "")),
    ],
)
def test_a_line_names_a_battle(line, named):
    assert named_in(line) == named


def test_an_id_exists_or_looks_like_one():
    known = "abcdefgh"
    for named, meant in ((known, known), ("n2abcdef", "n2abcdef"), ("7", "7"), ("tomorrow", ""), ("zama", "")):
        assert named_besides(f"Hello\nbattle {named}", FIRST, lambda name: name == known) == meant
    assert named_besides(f"battle {FIRST}", FIRST, lambda name: True) == ""


def test_end_alone_ends_the_orders_for_one_battle():
    assert read("battle 1\n3\nend\nnot this\nbattle 2\n4").text == "battle 1\n3\nbattle 2\n4"
    assert read("3\nend\nbattle on, Bob!\n4").text == "3"
