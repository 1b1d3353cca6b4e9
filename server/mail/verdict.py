"""What a mail says, and what became of it.

`MailReading` is what can be seen in its bytes alone, before its sender is checked (`incoming.reading`). `Verdict`
is what the server did about it: kept with the raw mail, and the basis of the answer.
"""

from typing import Any

from msgspec import Struct

from domain.basics.message import Message

WAITS = "waits"
"""The status of a line that is played when its writer says so."""
PROBE = "probe"
"""The verdict of a probe of `phalera mail check`, and the question of its token."""


class Bounce(Struct, frozen=True, omit_defaults=True):
    """A report that a letter of ours did not arrive (RFC 3464). `tokens`: of the letter, from the address the report
    was sent to or from the headers it returns; `is_hard`: it never will (5.x.x)."""

    tokens: tuple[str, ...] = ()
    recipient: str = ""
    status: str = ""
    is_hard: bool = False


class BelowMark(Struct, frozen=True, omit_defaults=True):
    """What the writer wrote within a quoted letter about several battles, below the mark of one of them: its number and
    id as the mark has them."""

    number: int
    battle: str
    text: str = ""
    dropped: tuple[str, ...] = ()


class MailReading(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A mail as read.

    `what`: `mail` (somebody wrote it), or what must never be answered: `automatic`, `vacation`, `bounce`, `loop`; or
    what cannot be read: `too-large`, `broken`. `why` names the mark that showed it.
    `tokens`: of our addresses, those of the delivery (Delivered-To …) before those of To, Cc and References.
    `sender`: the one address of From, lower-case, "" if there is none or more than one.
    `text`: what its writer wrote above the cut line, without quotes and signature, one order to a line; `dropped`:
    lines left out that might have been meant. `below`: those of them that were written within or below the quote;
    `marked`: lines within a quoted letter about several battles.
    `trust`: `pass` or `fail` of a signature aligned with the sender (`signed` is its domain), `none` if unknown.
    `is_ours`: To or Cc names an address of ours; `named`: the tokens that they name.
    `heads`: the 16 hex digits of heads of ours that it echoes in References.
    """

    what: str
    why: str = ""
    message_id: str = ""
    sender: str = ""
    subject: str = ""
    tokens: tuple[str, ...] = ()
    text: str = ""
    dropped: tuple[str, ...] = ()
    below: str = ""
    marked: tuple[BelowMark, ...] = ()
    trust: str = "none"
    signed: str = ""
    heads: tuple[str, ...] = ()
    bounce: Bounce | None = None
    back: str = ""  # of a vacation note: the day it names, YYYY-MM-DD, if it names one
    attachments: int = 0
    is_ours: bool = False
    named: tuple[str, ...] = ()

    @property
    def written(self) -> tuple[str, ...]:
        """The lines as their writer is shown them before they confirm them: all, for nobody says yes to what is not
        shown; the subject, if there is nothing else."""
        texts = (self.text, *(f"{found.battle}:\n{found.text}" for found in self.marked if found.text))
        return tuple(line for text in texts for line in text.split("\n") if line.strip()) or (self.subject,)


class LineVerdict(Struct, frozen=True, omit_defaults=True):
    """A line of the mail and its result: `ok`, `refused`, `parked`, `not-played`, `unreadable`, `skipped` (a
    condition did not hold), `held`, `waits` (for its writer's word). `message` says why, or how a repeat
    ended, `rule` by which rule; `first` … `last` are its events, `times` how many orders it gave."""

    text: str
    status: str
    message: Message | None = None
    rule: str = ""
    first: int = 0
    last: int = 0
    times: int = 0


class MailRequest(Struct, frozen=True, omit_defaults=True):
    """A command of a mail (`server.mail.desk`): its English name, its arguments, and its result: a
    message in place of, or above, what the letter shows; `lines`: what came of each line below it, where it has any."""

    name: str
    args: tuple[str, ...] = ()
    message: Message | None = None
    lines: tuple[LineVerdict, ...] = ()


class Verdict(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of a mail; the words of `what` are those of docs/mail.md.

    `lines`: the results of a mail with orders. `requests`: those of a mail with commands. `player` is the recipient of
    the answer, "" for nobody. `held`: the name under which its confirm token was made. `mended`: mistyped lines, each
    with the order as which it was read. `sections`: of a mail about several battles, the verdict on each; `digest`: the
    digest of the token it answers, in hex.
    """

    what: str
    why: str = ""
    battle: str = ""
    side: str = ""
    player: str = ""
    lines: tuple[LineVerdict, ...] = ()
    requests: tuple[MailRequest, ...] = ()
    dropped: tuple[str, ...] = ()
    held: str = ""
    mended: tuple[tuple[str, str], ...] = ()
    params: dict[str, Any] = {}
    digest: str = ""
    sections: tuple["Verdict", ...] = ()

    @property
    def waiting(self) -> tuple[str, ...]:
        """The lines that are played when their writer says so."""
        return tuple(line.text for line in self.lines if line.status == WAITS)
