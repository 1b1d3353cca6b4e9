"""What a battle is opened with for its disputes, its tags, and the board of a campaign that it is fought on."""

import re
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.contract.dispute_lines import PLAYER
from domain.engine.dockets import DISPUTES_DAYS, TAKEBACKS
from domain.events.battle import BoardOfCampaign, Fact, UmpireNamed
from domain.log.record import PBEM_2_1


class Terms(Struct, frozen=True):
    """What a battle is opened with for its disputes: the umpire (id and name, "" for none), whether a side may ask to
    take an order back (`agreed`, `never`), and for how many days the battle may be disputed when it is over; and the
    `tags` by which lists find it. `signer` is the umpire's key, "" for none; `unsigned`: an umpire without one may
    judge players who sign. Both are of PBEM-2.1. `campaign` is the board that it is fought on, None: none."""

    umpire: str = ""
    name: str = ""
    takebacks: str = TAKEBACKS[0]
    days: int = DISPUTES_DAYS
    tags: tuple[str, ...] = ()
    signer: str = ""
    unsigned: bool = False
    campaign: BoardOfCampaign | None = None

    def under(self, version: int) -> "Terms":
        """The terms as a battle of a version of the protocol has them: an umpire without a key is told from the
        opening on, and before PBEM-2.1 none has a key."""
        if version < PBEM_2_1:
            return replace(self, signer="", unsigned=False)
        return replace(self, unsigned=self.unsigned or bool(self.umpire and not self.signer))

    def written(self) -> dict[str, Any]:
        """The members of `BattleOpened` that say so: none for what is usual."""
        said = {"takebacks": self.takebacks, "disputes_days": self.days}
        written = {name: value for name, value in said.items() if value not in (TAKEBACKS[0], DISPUTES_DAYS)}
        written |= {"unsigned_umpire": True} if self.unsigned else {}
        written |= {"tags": self.tags} if self.tags else {}
        return {**written, "campaign": self.campaign} if self.campaign else written

    def facts(self) -> tuple[Fact, ...]:
        """What follows from the opening."""
        if not self.umpire:
            return ()
        named = UmpireNamed(self.umpire, self.name or self.umpire, "opening", self.signer or UNSET)
        return (Fact("server", "CORE-DSP-10", named),)


USUAL_TERMS = Terms()
MOST_DAYS = 365
MOST_TAGS, LONGEST_TAG = 5, 24
_TAG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def require_terms(terms: Terms) -> None:
    """Refuse what a battle cannot be opened with.

    Raises: Refusal core.docket-terms, core.docket-days, core.docket-unknown-player, core.bad-tags
    """
    require_tags(terms.tags)
    if terms.takebacks not in TAKEBACKS:
        raise Refusal("core.docket-terms", "CORE-DSP-08", given=terms.takebacks[:40], known=list(TAKEBACKS))
    if not 0 <= terms.days <= MOST_DAYS:
        raise Refusal("core.docket-days", "CORE-DSP-09", given=terms.days, most=MOST_DAYS)
    if terms.umpire and not PLAYER.fullmatch(terms.umpire):
        raise Refusal("core.docket-unknown-player", "CORE-DSP-10", player=terms.umpire[:64])


def require_tags(tags: tuple[str, ...]) -> None:
    """Refuse tags that are too many, not in order, twice there, or not words of small letters, digits and hyphens.

    Raises: Refusal core.bad-tags
    """
    if not all(tag and is_tag(tag) for tag in tags) or len(tags) > MOST_TAGS or list(tags) != sorted(set(tags)):
        raise Refusal("core.bad-tags", "CORE-OPEN", most=MOST_TAGS, longest=LONGEST_TAG)


def is_tag(text: str) -> bool:
    """Whether a battle may have it as a tag, or it is ""."""
    return not text or (len(text) <= LONGEST_TAG and _TAG.fullmatch(text) is not None)
