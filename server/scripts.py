"""What does a request of several order lines say, before anything of it is played?

One order to a line; `#` starts a comment, empty lines do not matter. `phrase TEXT` and `seal CODE` are the player's
part of the seeds of this turn (fairness.md 5); they are no orders. Either all lines can be read, or nothing is played.
"""

import unicodedata
from collections.abc import Callable
from hashlib import sha256

from msgspec import Struct

from domain.commands import Command
from domain.errors import Refusal

MOST_LINES = 200
LONGEST_PHRASE = 400
LONGEST_KEY = 200
PHRASE, SEAL = ("phrase",), ("seal", "sceau")


class Line(Struct, frozen=True):
    """One order: its number among the lines of the request, its text, and the how-manieth order it is; all from 1."""

    number: int
    text: str
    place: int = 1


class Fault(Struct, frozen=True):
    """A line that cannot be read, and why."""

    line: Line
    refusal: Refusal


class Script(Struct, frozen=True):
    """What was asked: orders in their order, and the contribution that came with them."""

    orders: tuple[Line, ...]
    phrase: str = ""
    seal: str = ""


class Unreadable(Exception):
    """Some lines cannot be read, so nothing is played."""

    def __init__(self, script: Script, faults: tuple[Fault, ...]) -> None:
        super().__init__(faults)
        self.script = script
        self.faults = faults


def read_script(text: str, parse: Callable[[str], Command], phrase: str = "", seal: str = "") -> Script:
    """The script in a text. A `phrase` or `seal` line counts before one given beside the text.

    Raises: Unreadable with each bad line; Refusal core.too-many-lines
    """
    orders: list[Line] = []
    faults: list[Fault] = []
    for number, written in enumerate(_lines(text), 1):
        word, _, rest = written.strip().partition(" ")
        if word.casefold() in PHRASE:
            phrase = rest.strip()
        elif word.casefold() in SEAL:
            seal = rest.partition("#")[0].strip()
        elif order := written.partition("#")[0].strip():
            line = Line(number, order, len(orders) + 1)
            orders.append(line)
            try:
                parse(order)
            except Refusal as refusal:
                faults.append(Fault(line, refusal))
    if len(orders) > MOST_LINES:
        raise Refusal("core.too-many-lines", "CORE-PARSE", most=MOST_LINES, count=len(orders))
    script = Script(tuple(orders), readable_phrase(phrase), seal)
    if faults:
        raise Unreadable(script, tuple(faults))
    return script


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def readable_phrase(phrase: str) -> str:
    """A phrase as the log can hold it: NFC, not longer than a line of a mail or two.

    Raises: Refusal core.phrase-too-long
    """
    composed = unicodedata.normalize("NFC", phrase.strip())
    if len(composed) > LONGEST_PHRASE:
        raise Refusal("core.phrase-too-long", "CORE-FAIR", longest=LONGEST_PHRASE, given=len(composed))
    return composed


# --- repeats


def require_key(key: str) -> str:
    """A key that a client may give to its request.

    Raises: Refusal core.bad-key
    """
    if not 0 < len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise Refusal("core.bad-key", "CORE-REPEAT", longest=LONGEST_KEY)
    return key


def command_id(account: str, key: str, place: int) -> bytes:
    """The id under which the order at `place` (from 1) of a request is played once: 32 bytes."""
    return sha256(f"{account}\n{key}\n{place}".encode()).digest()


def public_key(account: str, key: str) -> str:
    """What the log shows of a request's key: 16 hex digits."""
    return sha256(f"{account}\n{key}".encode()).hexdigest()[:16]
