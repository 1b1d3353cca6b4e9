"""Handle a letter that comes back.

Every letter has an envelope sender of its own (`LOCAL+TOKEN@HOST`, a token of kind `bounce`), so the address of a
report identifies the letter. Three letters in a row that can never arrive stop the rest: the address no longer
exists. Any accepted mail of the player resumes them (`correspondents.learn`).
"""

from server.mail.verdict import PROBE, Bounce, MailReading
from server.store import Statement
from server.store.contract import TableRows
from server.store.tables import correspondents, mail_tokens
from server.store.tables.mail_tokens import MailToken

KIND = "bounce"
MOST = 3
STOPPED = "bounced"
MOST_TOKENS = 8
"""Tokens of a mail among which that of a probe is looked for: those of its delivery come first."""


def token_of(store: TableRows, bounce: Bounce) -> tuple[str, MailToken] | None:
    """The first token of the report that belongs to a letter of ours, as written and as stored."""
    for written in bounce.tokens:
        known = mail_tokens.find(store, written)
        if known is not None and known.kind == KIND:
            return written, known
    return None


def taken(store: TableRows, bounce: Bounce, now: str) -> tuple[str, list[Statement]]:
    """The player whose letter came back ("" if it was not ours), and the statements to store.

    A letter is counted once, however many reports it causes; a mere delay (4.x.x) is not counted.
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


def is_stopped(store: TableRows, player: str) -> bool:
    """Whether letters to a player are stopped because they came back."""
    return correspondents.find(store, player).stopped == STOPPED


def is_probe(store: TableRows, reading: MailReading, now: str) -> bool:
    """Whether a mail, or the report that it did not arrive, has a token of `phalera mail check`, which reads it."""
    known = (mail_tokens.good(store, token, KIND, now) for token in reading.tokens[:MOST_TOKENS])
    return any(token is not None and token.question == PROBE for token in known)
