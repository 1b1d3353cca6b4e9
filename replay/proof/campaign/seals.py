"""Check what a campaign seals and opens: orders of forces alone, whole, and opened as sealed (CAM-LOG-04).

It is the check of battles (`replay.proof.sealed`), with the entrants as seats and rounds as time.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from domain.basics.errors import Refusal
from domain.campaign.config import CampaignConfig, config_of
from domain.campaign.events import CampaignEnded, CampaignOpened, RoundBegan
from domain.campaign.sealing import FARED_PRIVATE, FORCE_PRIVATE, is_sealed, private_members, whole
from domain.campaign.theatre.fog_events import FOG_MEMBERS
from domain.contract.sealed_rows import SealedRow
from domain.log.record import Recorded
from replay.proof.blocks import ProtocolFault
from replay.proof.sealed import Sealed, members_of

ROWS: Mapping[str, tuple[SealedRow, ...]] = {
    "ForceOrdered": (SealedRow(FORCE_PRIVATE, needed=("force", "do")),),
}
"""What campaigns seal beside orders."""
ROWS_OF_FOG: Mapping[str, tuple[SealedRow, ...]] = {
    **ROWS,
    "ElementFared": (SealedRow(FARED_PRIVATE, needed=("force", "element", "fate", "now")),),
    **{kind.__name__: (SealedRow(members, needed=members),) for kind, members in FOG_MEMBERS.items()},
}
"""What they seal under fog (CAM-FOG-01)."""


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
        self._alliances = _alliances(events)
        is_foggy = self.is_foggy = bool(self._alliances)
        self._sealed = Sealed(
            campaign,
            events,
            _Rounds(events),
            lambda n: members_of(lines[n - 1]),
            ROWS_OF_FOG if is_foggy else ROWS,
            owner=self._owner if is_foggy else None,
        )
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

    def _owner(self, n: int, seat: str, content: Mapping[str, Any]) -> str:
        """Under fog secrets are those of an alliance."""
        alliance: str = getattr(self._raw[n - 1].event, "alliance", "")
        return alliance or self._alliances.get(str(content.get("force", "")), self._alliances.get(seat, seat))

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
        if bool(private_members(event, is_foggy=self.is_foggy)) is not is_sealed(raw.event):
            kind = "sealed-without-need" if is_sealed(raw.event) else "private-open"
            raise ProtocolFault(n, kind, type=raw.type)
        signature: Any = getattr(raw.event, "signature", UNSET)
        if is_sealed(raw.event) and signature is not UNSET:
            raise ProtocolFault(n, "private-open", type=raw.type)


def is_still_veiled(config: CampaignConfig, events: Sequence[Recorded]) -> bool:
    """Whether a log is one under fog that goes on: most of its map is sealed (CAM-FOG-01)."""
    is_foggy = config.map is not None and config.map.fog
    return is_foggy and not any(isinstance(entry.event, CampaignEnded) for entry in events)


def _alliances(events: Sequence[Recorded]) -> Mapping[str, str]:
    """The alliance of each power and of each force, where there is fog; none elsewhere."""
    opened: Any = events[0].event if events else None
    try:
        config = config_of(opened.config) if isinstance(opened, CampaignOpened) else None
    except Refusal:
        return {}
    if config is None or config.map is None or not config.map.fog:
        return {}
    rows = config.powers or ()
    return {row.id: row.alliance for row in rows} | {force.id: row.alliance for row in rows for force in row.forces}
