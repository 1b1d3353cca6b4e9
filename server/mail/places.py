"""The places of a letter about several battles: the marks below which orders for one are written, and the lines by
which a writer names one."""

import re
from collections.abc import Callable

from msgspec import Struct

from server.mail.cut import DASHED

_ID = "[a-z2-7]{16}|[a-z2-7]{8}"
_MARK = re.compile(rf"^(?:\s*>)*[\s*]*{DASHED}[\s*]*(?:[^\W\d_]+\s+)?(\d{{1,3}}),\s*({_ID})\b", re.I)
_REFERENCE = rf"\d{{1,3}}|{_ID}|\S{{1,40}}$"
_NAMES = re.compile(
    rf"^\W{{0,4}}(?:battle|bataille)\s+(?:n(?:[°º]\s*|[o.]{{0,2}}\s+))?[#(\[]?({_REFERENCE})(?![^\W_])[\])]?(.*)$", re.I
)
_KNOWN = re.compile(rf"\d{{1,3}}|(?=\D*\d)(?:{_ID})")
"""A number, or what can be nothing but an id: words have no digits."""

Exists = Callable[[str], bool]
"""Whether a battle with such an id exists."""


class NumberedBattle(Struct, frozen=True):
    """A battle of a letter about several: its number in the letter, and its id."""

    number: int
    battle: str


def place_of(line: str) -> NumberedBattle | None:
    """The battle whose mark a line of a quoted letter is; None if it is none. Another player's words never are: in a
    letter they begin with `| `."""
    found = _MARK.match(line)
    return NumberedBattle(int(found[1]), found[2].lower()) if found else None


def named_in(line: str) -> tuple[str, str] | None:
    """The number or the id of the battle that a line of a reply names (`battle 2`, `bataille knkykgogfsypmo7f`), and
    what stands behind it; None if it names none. A single word that is neither (`battle zama`) is given as written."""
    found = _NAMES.match(line.strip())
    return (found[1].strip("*:.,;!)]").lower(), found[2].strip(" \t:.,;*-]").strip()) if found else None


def is_meant(named: str, exists: Exists) -> bool:
    """Whether what a line names is a number, looks like an id, or is one: “battle tomorrow” names none."""
    return _KNOWN.fullmatch(named) is not None or exists(named)


def named_besides(text: str, battle: str, exists: Exists) -> str:
    """The first number or id with which a line of a reply names another battle than this one, "" if none does."""
    named = (found[0] for line in text.split("\n") if (found := named_in(line)))
    return next((name for name in named if name != battle and is_meant(name, exists)), "")
