"""What the player of a seat with a key signs beside orders, from header version 3 on (PBEM-2.1).

Leaving a seat, claiming a battle, asking for a pause or agreeing to one, a vacation in a battle, and taking a seat are
lines as orders are: each has a text, a serial and the head that it answers. The door and the verifier ask the same
functions: what the text is, which serial may come next, and who may be taken from their seat without their signature.
"""

import re
from collections.abc import Collection, Sequence
from typing import Any

from msgspec import UNSET

from domain.basics.pace import DAY_MS, moment_of
from domain.engine.dockets import UMPIRE
from domain.events.battle import ClockFired, Event, SideJoined, SideLeft
from domain.log.limits import is_time

LEAVE, CLAIM, AGREED = "leave", "claim", "pause accept"
MOST_PAUSE_DAYS, MOST_VACATION_DAYS = 99, 14
MEMBERS = ("seen", "serial", "signature")
"""What a signed input has, and no other."""
SIGNED_CLOCKS = frozenset({"claim", "vacation", "pause-asked", "pause"})
"""The clock events that are a player's line; every other one is the host's clock, or its word."""
WORDED_CLOCKS = frozenset({"vacation", "pause-asked"})
"""Those of them whose line says more than what they are."""
_PAUSE = re.compile(r"pause ([1-9][0-9]?)d", re.ASCII)
FIXED_CLOCKS = {"claim": CLAIM, "pause": AGREED}
"""The clock events whose line is always the same."""


def line_of(event: Event) -> str:
    """The line that a player signs for an input other than an order; "" if nobody signs it."""
    if isinstance(event, SideJoined):
        return f"join {event.name}"
    if isinstance(event, SideLeft):
        return LEAVE
    if isinstance(event, ClockFired):
        return FIXED_CLOCKS.get(event.what, event.text or "")
    return ""


def is_line(what: str, text: object) -> bool:
    """Whether a text is the line of a clock event that says more than `what`; every other event has none."""
    if what == "pause-asked":
        return isinstance(text, str) and _PAUSE.fullmatch(text) is not None
    return what == "vacation" and isinstance(text, str) and vacation_in(text) is not None


def pause_line(days: int) -> str:
    """The line that asks for a pause of some days."""
    return f"pause {days}d"


def pause_days(text: object) -> int:
    """How many days a pause shall last, 0 if its line does not say."""
    match = _PAUSE.fullmatch(text) if isinstance(text, str) else None
    return int(match[1]) if match else 0


def vacation_line(begins: str, ends: str) -> str:
    """The line of a vacation in one battle, between two times of the log."""
    return f"vacation {begins} {ends}"


def vacation_in(text: object) -> tuple[int, int] | None:
    """The moments between which a vacation lasts, fourteen days at most; None if a text is not its line."""
    words = text.split(" ") if isinstance(text, str) else []
    if len(words) != len(("vacation", "from", "to")) or words[0] != "vacation" or not all(map(is_time, words[1:])):
        return None
    begins, ends = moment_of(words[1]), moment_of(words[2])
    return (begins, ends) if begins < ends <= begins + MOST_VACATION_DAYS * DAY_MS else None


def is_bare(event: Any) -> bool:
    """Whether an input has none of the members of a signed one."""
    return all(getattr(event, name, UNSET) is UNSET for name in (*MEMBERS, "text"))


def holder(side: str, signer: str) -> str:
    """A key at a seat, as serials are counted from version 3 on: a substitute begins anew, who comes back goes on.
    Those of umpires go on whoever holds the office."""
    return side if side == UMPIRE else f"{side} {signer}"


def is_next(last: int, serial: int, is_join: bool) -> bool:
    """Whether a serial may follow the newest one of its key: the first of a key is 1, and joins."""
    return serial > last and (last > 0 or (is_join and serial == 1))


def is_released(side: str, named: Collection[str], persons: Sequence[str], signing: Collection[str]) -> bool:
    """Whether a signed seat may be left without its signature, for somebody whom these have named for it: its own
    player's signed line, or those of the umpire and of every other person.

    Shape: `named` and `signing` are seats and `umpire`: who has named the newcomer, and whose lines are signed;
           `persons` the other seats that a person holds
    """
    if side in named:
        return side in signing
    others = {UMPIRE, *persons}
    return others.issubset(named) and others.issubset(signing)
