"""What a check of a log that grows keeps, so that the next one need not begin with the first event.

Each of the checks says what it keeps (`so_far`), as plain values, and goes on from there (`resume`): a file of them is
data and no program. What is kept does not grow with the battle, the names of requests apart.
"""

from collections.abc import Sequence

from msgspec import Struct

from domain.contract.ruleset import Ruleset
from domain.log.record import Recorded
from replay.proof.authority import AuthoritySoFar
from replay.proof.blocks import NotResumable
from replay.proof.contributions import ContributionsSoFar
from replay.proof.draws import DrawsSoFar
from replay.proof.keys import KeysSoFar
from replay.proof.messages import MessagesSoFar
from replay.proof.office import OfficeSoFar
from replay.proof.periods import PeriodsSoFar
from replay.proof.sealed import SealedSoFar
from replay.proof.seats import SeatsSoFar
from replay.proof.silence import SilenceSoFar

_FROM_THE_START = frozenset({"DisputeRaised", "Rewound", "MasterRevealed"})
"""What goes back to before the index of a check: orders that count, piles, the draws of hands."""


class WalkSoFar(Struct, frozen=True):
    """All that a check has to know to go on behind event `n`, the last of the block that begins with event `block`:
    everything before is disclosed but for what is sealed, and for hands. Behind it the log was checked up to event
    `checked`, whose hash is `head`; its openings count already."""

    n: int
    block: int
    checked: int
    head: bytes
    periods: PeriodsSoFar
    keys: KeysSoFar
    sealed: SealedSoFar
    seats: SeatsSoFar
    silence: SilenceSoFar
    office: OfficeSoFar
    authority: AuthoritySoFar
    messages: MessagesSoFar
    contributions: ContributionsSoFar
    flagged: frozenset[str]
    draws: DrawsSoFar
    closed: tuple[tuple[int, int], ...]


def require_resumable(events: Sequence[Recorded], ruleset: Ruleset | None, kept: WalkSoFar) -> None:
    """Refuse to go on where an event reaches back to before what is kept.

    Raises:  NotResumable
    """
    drawn = {"OrderAccepted", "CardDrawn", "" if ruleset is None else ruleset.draws.looks}
    for entry in events[1:]:
        opens = getattr(entry.event, "n", 0) if entry.type == "Unsealed" and entry.n > kept.checked else 0
        sealed = kept.sealed.entries.get(opens)
        if entry.type in _FROM_THE_START or (sealed is not None and sealed.type in drawn):
            raise NotResumable
