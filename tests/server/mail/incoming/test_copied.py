"""What a letter prints can be sent back as it stands, and half of what was meant is never played."""

import pytest

from domain.catalogue import RULESETS
from server.mail.incoming.sorting import SortedReply, sorted_reply
from server.mail.numbering import ListedOrders

TTS = RULESETS["tts"]
LETTER = ListedOrders(
    orders=(
        *("R1 ahead", "R1 ahead then shoot G5", "R2 ahead", "R5 ahead", "R5 ahead 2", "R5 charge C5", "R1 ahead-left"),
        *("corps II", "end turn"),
    ),
    names=("R1", "R2", "R5"),
    units=("R1", "R1", "R2", "R5", "R5", "R5", "R1", "", ""),
    ends=("E3", "E3", "F3", "", "", "C5", "D3", "", ""),
    kinds={"R1": "legionaries", "R2": "legionaries", "R5": "bowmen"},
    cells={"R1": "E2", "R2": "F2", "R5": "C4"},
)


def sort(text: str) -> SortedReply:
    return sorted_reply(f"{text}\nend turn", TTS, LETTER)


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("6 charge C5", ("R5 charge C5",)),
        ("6 charge C5 90%", ("R5 charge C5",)),
        ("[6] charge C5", ("R5 charge C5",)),
        ("2 ahead then shoot G5", ("R1 ahead then shoot G5",)),
        ("4 avance 90\N{NO-BREAK SPACE}%", ("R5 ahead",)),
        ("R5 bowmen C4 90%: 6 charge C5; +3", ("R5 charge C5",)),
        ("4 ahead, 6 charge C5", ("R5 ahead", "R5 charge C5")),
        ("R1 legionaries ahead", ("R1 ahead",)),
        ("bowmen ahead", ("R5 ahead",)),
        ("The bowmen go ahead", ("R5 ahead",)),
        ("advance R5", ("R5 ahead",)),
        ("C4-C5", ("R5 charge C5",)),
        ("E2-E3", ("R1 ahead",)),
        ("R1 and R2 ahead", ("R1 ahead", "R2 ahead")),
        ("R1 R2 ahead", ("R1 ahead", "R2 ahead")),
        ("R1, R2 ahead", ("R1 ahead", "R2 ahead")),
        ("R5 ahead2", ("R5 ahead 2",)),
        ("R1 ahead x2", ("R1 ahead", "R1 ahead")),
        ("RI ahead", ("R1 ahead",)),
        ("R1 ahead lft", ("R1 ahead-left",)),
        ("R1 avnace, R2 avance, fin du tour", ("R1 ahead", "R2 ahead", "end turn")),
        ("End of turn", ("end turn",)),
        ("fin de mon tour", ("end turn",)),
    ],
)
def test_a_line_of_the_letter_is_read_as_it_is_meant(line: str, orders: tuple[str, ...]) -> None:
    found = sort(line)
    assert tuple(found.orders.split("\n")) == (*orders, "end turn")
    assert not (found.asked or found.left_out or found.waiting)


@pytest.mark.parametrize(
    ("line", "readings"),
    [
        ("2 ahead", ("R1 ahead then shoot G5", "R1 ahead")),  # the words are those of another
        ("R5 ahead x2", ("R5 ahead", "R5 ahead 2")),
        ("legionaries ahead", ("R1 ahead", "R2 ahead")),
        ("R1 legionaries E2: 1 ahead 90%; 2 ahead then shoot G5; +3", ("R1 ahead", "R1 ahead then shoot G5")),
        ("| 8 corps II, 9 end turn", ("corps II", "end turn")),
        ("- | 8 corps II, 9 end turn", ("corps II", "end turn")),
        ("*| 8 corps II, 9 end turn*", ("corps II", "end turn")),
    ],
)
def test_what_has_two_readings_is_asked(line: str, readings: tuple[str, ...]) -> None:
    assert sort(line).asked == ((line, readings),)


@pytest.mark.parametrize("line", ["16 ahead", "33 charge C5 90%"])
def test_a_number_that_the_letter_does_not_have_with_words_of_orders(line: str) -> None:
    assert sort(line).unknown == (line,)


def test_a_letter_of_an_earlier_release_is_read_by_its_orders_alone() -> None:
    old = ListedOrders(LETTER.orders, names=LETTER.names)
    assert sorted_reply("6 R5 charge C5\n9 end turn", TTS, old).orders == "R5 charge C5\nend turn"
    assert sorted_reply("R1 legionaries ahead\nend turn", TTS, old).orders != "end turn"
