"""Handle a letter that comes back.

Every letter has an envelope sender of its own (`LOCAL+TOKEN@HOST`, a token of kind `bounce`), so a report says by the
address it was sent to whose letter it was. Three letters in a row that can never arrive stop the rest: the address has
ceased to exist. Any mail of the player that is taken lets them go on (`correspondents.learn`).
"""

from server.mail.verdict import Bounce
from server.store import Statement
from server.store.contract import Rows
from server.store.tables import correspondents, mail_tokens
from server.store.tables.mail_tokens import MailToken

KIND = "bounce"
MOST = 3
STOPPED = "bounced"


def token_of(store: Rows, bounce: Bounce) -> tuple[str, MailToken] | None:
    """The first token of the report that is one of a letter of ours, as written and as kept."""
    for written in bounce.tokens:
        known = mail_tokens.find(store, written)
        if known is not None and known.kind == KIND:
            return written, known
    return None


def taken(store: Rows, bounce: Bounce, now: str) -> tuple[str, list[Statement]]:
    """Whose letter came back ("" if it was none of ours), and what is to be stored.

    A letter is counted once, however many reports come of it; that it is only late (4.x.x) is not counted at all.
    """
    found = token_of(store, bounce)
    if found is None:
        return "", []
    written, known = found
    if not bounce.is_hard or known.used is not None:
        return known.player, []
    spent = mail_tokens.use(written, KIND, now)._replace(changes=None)  # two reports at once: the later one is void
    return known.player, [spent, refused(known.player)]


def refused(player: str) -> Statement:
    """One more letter to a player can never arrive: reported, or refused by the mail system at once."""
    return correspondents.strike(player, MOST, STOPPED)


def is_stopped(store: Rows, player: str) -> bool:
    """Do letters to a player wait because they came back?"""
    return correspondents.find(store, player).stopped == STOPPED
