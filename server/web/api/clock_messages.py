"""Messages about the clocks of a battle, and about vacations."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.run.own_word import Signed
from server.web.api.messages import SeenHead


class DoClock(Struct, frozen=True, forbid_unknown_fields=True):
    """`claim` a battle whose other side has run out of time, ask for a `pause` or agree to one, or `resume`: end it,
    decline it, withdraw it. `side` matters only to a player who holds both. A seat with a key signs all but `resume`
    (header version 3), and says for how many `days` it asks; its clock stands for a `vacation` that its player has
    planned, from `begins` to `ends`."""

    do: Literal["claim", "pause", "resume", "vacation"]
    side: str = ""
    seen: SeenHead = None
    signature: Signed | None = None
    days: Annotated[int, Meta(ge=0, le=99)] = 0
    begins: str = ""
    ends: str = ""


class PlanVacation(Struct, frozen=True, forbid_unknown_fields=True):
    """Plan a vacation: dates, of which the last one counts in full, or times of the log; `begins` "" is now."""

    ends: str
    begins: str = ""


class VacationView(Struct, frozen=True):
    """A vacation of yours: planned, begun or over."""

    id: int
    begins: str
    ends: str
    state: str


class Vacations(Struct, frozen=True):
    """Your vacations that are not over, earliest first."""

    vacations: tuple[VacationView, ...]
