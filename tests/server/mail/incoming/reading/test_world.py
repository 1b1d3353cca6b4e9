"""Replies of mail programs around the world are played as meant, and nothing quoted is."""

import pytest

from domain.catalogue import RULESETS
from domain.scripts.program import GiveOrder
from server.mail.incoming.reading import read_mail
from server.mail.incoming.sorting import sorted_reply
from server.mail.numbering import ListedOrders
from server.play.scripts import read_script
from tests.server.mail.incoming.reading.corpus.shared import OURS
from tests.server.mail.incoming.reading.corpus.world import LISTED, MARKED, MEANT, REPLIES, UNMARKED
from tests.support.lanes import thinned

TTS = RULESETS["tts"]


@pytest.mark.parametrize("style", thinned([*MARKED, *UNMARKED], 7))
def test_a_reply_in_a_style_is_played_as_meant(style: str) -> None:
    replies = {name: raw for name, raw in REPLIES.items() if name.rpartition("-")[0] == style}
    assert len(replies) >= 3
    for name, raw in replies.items():
        reply = sorted_reply(read_mail(raw, OURS).text, TTS, ListedOrders(LISTED))
        program = read_script(reply.orders, TTS.orders.parse, senses=TTS.orders.senses).program
        orders = [
            TTS.orders.write(TTS.orders.parse(step.text), "en") for step in program if isinstance(step, GiveOrder)
        ]
        assert tuple(orders) == MEANT, name
        assert not any("2026" in line for line in reply.left_out), name  # an introduction is no prose of theirs


def test_there_are_many() -> None:
    assert len(MARKED) + len(UNMARKED) > 70
    assert len(REPLIES) > 200
