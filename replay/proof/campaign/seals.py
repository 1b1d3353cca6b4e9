"""Check what a campaign seals and opens: orders of forces alone, whole, and opened as sealed (CAM-LOG-04).

It is the check of battles (`replay.proof.sealed`), with the entrants as seats and rounds as time.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from domain.campaign.events import RoundBegan
from domain.campaign.sealing import FORCE_PRIVATE, is_sealed, private_members, whole
from domain.contract.sealed_rows import SealedRow
from domain.log.record import Recorded
from replay.proof.blocks import ProtocolFault
from replay.proof.sealed import Sealed, members_of

ROWS: Mapping[str, tuple[SealedRow, ...]] = {
    "ForceOrdered": (SealedRow(FORCE_PRIVATE, needed=("force", "do")),),
}
"""What campaigns seal beside orders."""


class _RoundMoment(Struct, frozen=True, gc=False):
    """When an event happens: `t` is its round."""

    t: int


class _Rounds:
    """The rounds of a log, as the check of seals asks for periods."""

    def __init__(self, events: Sequence[Recorded]) -> None:
        self.moments: list[_RoundMoment] = []
        t = 0
        for entry in events:
            self.moments.append(_RoundMoment(t))
            if isinstance(entry.event, RoundBegan):
                t = entry.event.round

    def before(self, n: int) -> _RoundMoment:
        """The moment in which event `n` happens."""
        return self.moments[n - 1]


class CampaignSeals:
    """What one campaign seals and opens; `events` are its events, each with its private part where the log opens it."""

    def __init__(self, campaign: str, events: Sequence[Recorded], lines: Sequence[bytes]) -> None:
        self._raw = events
        self._sealed = Sealed(campaign, events, _Rounds(events), lambda n: members_of(lines[n - 1]), ROWS)
        self._wrong: dict[int, ProtocolFault] = {}
        self.events = tuple(map(self._opened, events))

    def _opened(self, entry: Recorded) -> Recorded:
        content = self._sealed.contents.get(entry.n)
        if content is None:
            return entry
        try:
            event = whole(entry.event, content)
        except msgspec.ValidationError:
            opened_at = self._sealed.opened_at[entry.n]
            found = tuple(sorted(content))[:8]
            self._wrong[opened_at] = ProtocolFault(opened_at, "content-differs", event=entry.n, found=found)
            return entry
        return msgspec.structs.replace(entry, event=event)

    def require(self, n: int) -> None:
        """Event n is sealed if it is private, and only then.

        Raises: ProtocolFault
        """
        fault = self._sealed.faults.get(n) or self._wrong.get(n)
        if fault is not None:
            raise fault
        raw, event = self._raw[n - 1], self.events[n - 1].event
        if is_sealed(event):  # nobody knows yet
            return
        if bool(private_members(event)) is not is_sealed(raw.event):
            kind = "sealed-without-need" if is_sealed(raw.event) else "private-open"
            raise ProtocolFault(n, kind, type=raw.type)
        signature: Any = getattr(raw.event, "signature", UNSET)
        if is_sealed(raw.event) and signature is not UNSET:
            raise ProtocolFault(n, "private-open", type=raw.type)
