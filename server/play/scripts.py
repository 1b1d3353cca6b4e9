"""Read the order lines of a request, and number them so that each is played once.

One format for every channel: orders one to a line, `#` comments, `phrase TEXT` and `seal CODE`, and the lines of the
script language (docs/scripts.md, `domain.scripts`). Either all lines can be read, or nothing is played.
"""

import unicodedata
from collections.abc import Callable, Sequence
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.contract.senses import NO_QUERIES, Senses
from domain.log.limits import unfit_text
from domain.scripts.program import Script, ScriptFault, ScriptLine
from domain.scripts.reading import MOST_LINES, Unreadable, contributes, is_preview, lines_of, read
from domain.scripts.report import LineOutcome

__all__ = [
    "MOST_LINES",
    "LineEcho",
    "Script",
    "ScriptFault",
    "ScriptLine",
    "Unreadable",
    "asks_preview",
    "echo",
    "read_script",
]

LONGEST_PHRASE = 400
LONGEST_KEY = 200


def read_script(
    text: str,
    parse: Callable[[str], Command],
    phrase: str = "",
    seal: str = "",
    senses: Senses = NO_QUERIES,
    preview: bool = False,
) -> Script:
    """The script in a text. A `phrase` or `seal` line takes precedence over one given separately.

    Shape:  `parse` and `senses` are the ruleset's; `preview`: it will only be tried, so its first line may say so
    Raises: Unreadable with each bad line; Refusal core.too-many-lines, core.preview-only, core.phrase-too-long
    """
    script = read(text, parse, senses)
    if script.is_preview and not preview:
        raise Refusal("core.preview-only", "CORE-SCRIPT")
    return replace(script, phrase=readable_phrase(script.phrase or phrase), seal=script.seal or seal)


def asks_preview(text: str) -> bool:
    """Whether the first line of a text, comments aside, is `preview`: nothing of it is to be played."""
    said = (line.partition("#")[0].strip() for line in lines_of(text))
    return is_preview(next((line for line in said if line and not contributes(line)), ""))


class LineEcho(Struct, frozen=True):
    """A line as written, and its result; None for one without a result (a comment, `end if`)."""

    number: int
    text: str
    outcome: LineOutcome | None = None
    fault: Refusal | None = None


def echo(text: str, outcomes: Sequence[LineOutcome] = (), faults: Sequence[ScriptFault] = ()) -> tuple[LineEcho, ...]:
    """Every written line of a request, in order, as an answer by mail quotes them. Empty lines are left out."""
    by_line = {outcome.line.number: outcome for outcome in outcomes}
    bad = {fault.line.number: fault.refusal for fault in faults}
    return tuple(
        LineEcho(number, written.rstrip(), by_line.get(number), bad.get(number))
        for number, written in enumerate(lines_of(text), 1)
        if written.strip()
    )


def readable_phrase(phrase: str) -> str:
    """A phrase in a form fit for the log: NFC, no longer than a line of a mail or two.

    Raises: Refusal core.phrase-too-long, core.bad-text
    """
    composed = unicodedata.normalize("NFC", phrase.strip())
    if len(composed) > LONGEST_PHRASE:
        raise Refusal("core.phrase-too-long", "CORE-FAIR", longest=LONGEST_PHRASE, given=len(composed))
    if reason := unfit_text(composed):
        raise Refusal("core.bad-text", "CORE-FAIR", text=composed, reason=reason)
    return composed


# --- repeats


def require_key(key: str) -> str:
    """A valid client key for a request.

    Raises: Refusal core.bad-key
    """
    if not 0 < len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise Refusal("core.bad-key", "CORE-REPEAT", longest=LONGEST_KEY)
    return key


def command_id(account: str, key: str, place: int) -> bytes:
    """The id under which the order at `place` (from 1) of a request is played once: 32 bytes."""
    return sha256(f"{account}\n{key}\n{place}".encode()).digest()


def public_key(account: str, key: str) -> str:
    """The form of a request's key in the log: 16 hex digits."""
    return sha256(f"{account}\n{key}".encode()).hexdigest()[:16]
