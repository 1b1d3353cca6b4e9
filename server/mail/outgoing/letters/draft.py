"""What is decided about a letter before it is rendered."""

from msgspec import Struct

from replay.writing.clock import later
from server.mail.outgoing.letters.pieces import Piece
from server.mail.outgoing.letters.trace import Trace
from server.play.live_battle import LiveBattle
from server.store import Statement

GLANCE_S = 2.0
"""How often a letter looks for what belongs into it."""


class LetterDraft(Struct, kw_only=True):
    """A letter before it is rendered. `reply` is the token of Reply-To, "" for the server's own address; `subject` ""
    for the title; `unsubscribe` how to get no more of it, where that is not the reader's own link; `wait_until` says
    when to ask again instead of sending it; `parts`: the battles of a letter about several, each with its reader's
    side; `waiting`: lines of the mail that is answered, which wait for one word more."""

    title: str
    subject: str = ""
    pieces: list[Piece]
    live: LiveBattle | None = None
    parts: tuple[tuple[LiveBattle, str], ...] = ()
    side: str = ""
    reply: str = ""
    also: tuple[Statement, ...] = ()
    trace: Trace | None = None
    bounces: bool = True
    unsubscribe: tuple[str, ...] = ()
    is_answer: bool = False
    wait_until: str = ""
    waiting: tuple[str, ...] = ()


def waiting(now: str, also: tuple[Statement, ...] = ()) -> LetterDraft:
    """A letter that waits for a moment for what belongs into it; `also` is committed with the note of that."""
    return LetterDraft(title="", pieces=[], wait_until=later(now, GLANCE_S), also=also)
