"""Whole replies of people at real mail programs are played as meant."""

import pytest

from domain.catalogue import RULESETS
from domain.scripts.program import GiveOrder
from server.mail.incoming.reading import read_mail
from server.mail.incoming.sorting import sorted_reply, with_below
from server.mail.numbering import ListedOrders
from server.play.scripts import read_script
from tests.server.mail.incoming.reading.corpus.people import LETTER, NUMBERED, PEOPLE
from tests.server.mail.incoming.reading.corpus.shared import OURS
from tests.support.lanes import thinned

TTS = RULESETS["tts"]


@pytest.mark.parametrize("name", thinned(PEOPLE, 4))
def test_a_reply_is_played_as_meant(name: str) -> None:
    raw, meant = PEOPLE[name]
    reading = read_mail(raw, OURS)
    reading = with_below(reading, sorted_reply(reading.text, TTS, ListedOrders(NUMBERED)))
    reply = sorted_reply(reading.text, TTS, ListedOrders(NUMBERED))
    program = read_script(reply.orders, TTS.orders.parse, senses=TTS.orders.senses).program
    orders = [TTS.orders.write(TTS.orders.parse(step.text), "en") for step in program if isinstance(step, GiveOrder)]
    assert tuple(orders) == meant
    quoted = {line for line in LETTER.splitlines() if line}
    assert not quoted & set(reply.left_out)  # nothing of the letter is taken for their prose
    assert not any("@phalera.example" in line for line in reply.left_out)


def test_there_are_many() -> None:
    assert len(PEOPLE) > 40
