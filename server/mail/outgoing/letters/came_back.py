"""What a letter says of lines that waited for the other side's answer and were refused when they were tried."""

from domain.basics.errors import Refusal
from domain.events.battle import OrderAccepted
from server.mail.blocks import Listing, Paragraph
from server.mail.outgoing.letters.pieces import Piece
from server.mail.outgoing.letters.reader import LetterReader
from server.play.live_battle import LiveBattle
from server.store.contract import TableRows
from server.store.tables import drafts
from server.words import say, sentence_of

MOST_LINES = 5
"""How many of the lines are repeated; all stand in the order box of the page."""


def came_back(store: TableRows, live: LiveBattle, side: str, reader: LetterReader) -> list[Piece]:
    """The line that was refused, why, and the lines behind it; nothing once the side has given another order."""
    draft = drafts.find(store, live.id, side, reader.player)
    if draft.returned is None or _has_ordered(live, side, draft.returned.n):
        return []
    told = draft.returned
    why = sentence_of(Refusal(told.code, told.rule, **told.params), reader.lang)
    lines = draft.orders.splitlines()[:MOST_LINES]
    return [
        Paragraph(say(reader.lang, "letter.came-back", line=told.line, why=why)),
        Listing(tuple(f"| {line}" for line in lines)),
    ]


def _has_ordered(live: LiveBattle, side: str, n: int) -> bool:
    events = live.recording.timeline.events[n:]
    return any(isinstance(entry.event, OrderAccepted) and entry.event.side == side for entry in events)
