"""Nothing of a real letter of ours, quoted in whatever way, is read as an order of the one who answers it."""

from html import escape
from pathlib import Path

import pytest

from server.mail.incoming.reading import read_mail
from tests.server.mail.incoming.reading.corpus import OURS
from tests.server.mail.incoming.reading.corpus.shared import (
    BLOCK_FR,
    HTML,
    HTML_ORDERS,
    ON,
    ORDERS,
    PLAIN,
    mail,
    quoted,
)
from tests.support.letter_writing import SNAPSHOTS

LETTERS = sorted(SNAPSHOTS.glob("*.txt"))


def answers(letter: str) -> dict[str, tuple[str, str]]:
    """Answers to a letter: body and type."""
    html = f"<p>{escape(letter).replace(chr(10), '<br>')}</p>"
    said = "Le 7 déc. 2026 à 10:12, Phalera a écrit :"
    return {
        "above": (f"{ORDERS}\n\n{ON}\n{quoted('> ', letter)}", PLAIN),
        "below": (f"{ON}\n{quoted('> ', letter)}\n\n{ORDERS}", PLAIN),
        "flowed": (f"{ORDERS}\n\n{ON}\n{quoted('> ', letter)}", f"{PLAIN}; format=flowed"),
        "unmarked": (f"{ORDERS}\n\n{BLOCK_FR}\n{letter}", PLAIN),
        "html": (f"{HTML_ORDERS}<div class='gmail_quote'><div>{ON}</div><blockquote>{html}</blockquote></div>", HTML),
        "html-below": (f"<p>{said}</p><blockquote>{html}</blockquote>{HTML_ORDERS}", HTML),
        "html-unmarked": (f"{HTML_ORDERS}<p>{said}</p>{html}", HTML),
        "html-outlook": (f"{HTML_ORDERS}<div id='divRplyFwdMsg'>De : Phalera</div>{html}", HTML),
    }


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_a_letter_quoted_is_no_order(path: Path) -> None:
    letter = path.read_text()
    for how, (body, type_) in answers(letter).items():
        reading = read_mail(mail(body, type_=type_), OURS)
        assert (reading.what, reading.text, reading.dropped) == ("mail", ORDERS, ()), how
    assert read_mail(mail(f"{ON}\n{quoted('> ', letter)}"), OURS).text == ""
    assert read_mail(mail(f"{BLOCK_FR}\n{letter}"), OURS).text == ""


def test_there_are_letters() -> None:
    assert LETTERS
