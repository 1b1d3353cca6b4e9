"""What a battle is opened with for its disputes."""

from typing import Any

from msgspec import Struct

from domain.engine.dispute_lines import PLAYER
from domain.engine.dockets import DISPUTES_DAYS, TAKEBACKS
from domain.engine.errors import Refusal
from domain.engine.events import Fact, UmpireNamed


class Terms(Struct, frozen=True):
    """What a battle is opened with for its disputes: the umpire (id and name, "" for none), whether a side may ask to
    take an order back (`agreed`, `never`), and for how many days the battle may be disputed when it is over."""

    umpire: str = ""
    name: str = ""
    takebacks: str = TAKEBACKS[0]
    days: int = DISPUTES_DAYS

    def written(self) -> dict[str, Any]:
        """The members of `BattleOpened` that say so: none for what is usual."""
        said = {"takebacks": self.takebacks, "disputes_days": self.days}
        return {name: value for name, value in said.items() if value not in (TAKEBACKS[0], DISPUTES_DAYS)}

    def facts(self) -> tuple[Fact, ...]:
        """What follows from the opening."""
        if not self.umpire:
            return ()
        return (Fact("server", "CORE-DSP-10", UmpireNamed(self.umpire, self.name or self.umpire, "opening")),)


USUAL_TERMS = Terms()
MOST_DAYS = 365


def require_terms(terms: Terms) -> None:
    """Refuse what a battle cannot be opened with.

    Raises: Refusal core.docket-terms, core.docket-days, core.docket-unknown-player
    """
    if terms.takebacks not in TAKEBACKS:
        raise Refusal("core.docket-terms", "CORE-DSP-08", given=terms.takebacks[:40], known=list(TAKEBACKS))
    if not 0 <= terms.days <= MOST_DAYS:
        raise Refusal("core.docket-days", "CORE-DSP-09", given=terms.days, most=MOST_DAYS)
    if terms.umpire and not PLAYER.fullmatch(terms.umpire):
        raise Refusal("core.docket-unknown-player", "CORE-DSP-10", player=terms.umpire[:64])
