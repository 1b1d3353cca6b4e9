"""What of a campaign's log one entrant alone may know until it is opened (CAM-LOG-04).

The log has a commitment in its place. Who folds a campaign opens first what is known: a host what its vault has, a
reader of a file what the log opens farther on.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.campaign.events import CampaignEnded
from domain.campaign.orders import ARMY, MAP
from domain.campaign.theatre.events import ElementFared
from domain.campaign.theatre.fog_events import FOG_MEMBERS
from domain.campaign.theatre.order_events import ForceOrdered, OrdersClosed
from domain.campaign.theatre.state import Theatre
from domain.events.battle import Event, OrderAccepted, Unsealed
from domain.log.record import Recorded, opened, seat_of

ORDER_PRIVATE = ("text", "command")
FORCE_PRIVATE = ("force", "do", "path", "unit")
FARED_PRIVATE = ("force", "element", "fate", "needed", "die", "now", "to")


class SealedPart(Struct, frozen=True, gc=False):
    """The private part of an event: salt and canonical content, for the vault of its seat."""

    seat: str
    salt: bytes
    content: bytes


def private_members(event: Event, *, is_foggy: bool = False) -> tuple[str, ...]:
    """The members of an event that its seat alone may know, () for an event that everybody may.

    Rule:    CAM-LOG-04, CAM-FOG-01
    """
    if type(event) in FOG_MEMBERS:
        return FOG_MEMBERS[type(event)] if not is_sealed(event) else ()
    if isinstance(event, ElementFared) and is_foggy:
        return tuple(name for name in FARED_PRIVATE if getattr(event, name) is not UNSET)
    if isinstance(event, ForceOrdered):
        return tuple(name for name in FORCE_PRIVATE if getattr(event, name) is not UNSET)
    if isinstance(event, OrderAccepted) and is_order_of_forces(event):
        return (*ORDER_PRIVATE, "signature") if event.signature is not UNSET else ORDER_PRIVATE
    return ()


def seat_of_secret(event: Event, by: str, theatre: Theatre, *, is_foggy: bool = False) -> str:
    """Whose secret an event is: the entrant's who gives the order, under fog its alliance's.

    Rule:    CAM-LOG-04, CAM-FOG-01
    """
    if not is_foggy:
        return seat_of(event, by)
    if isinstance(event, ElementFared):
        return theatre.alliance_of_force(theatre.forces[event.force])
    alliance: str = getattr(event, "alliance", "")
    return alliance or theatre.alliance_of(seat_of(event, by))


def is_order_of_forces(event: OrderAccepted) -> bool:
    """Whether an order is about an army or a march, as far as it is known."""
    return event.command is not UNSET and event.command.get("verb") in ARMY | MAP


def is_sealed(event: Event) -> bool:
    """Whether a part of an event is missing."""
    return getattr(event, "sealed", UNSET) is not UNSET


def whole(event: Event, content: Mapping[str, Any] | None) -> Event:
    """An event with its private part, where that is known.

    Raises: msgspec.ValidationError for a content that does not fit it
    """
    return opened(event, content) if content is not None and is_sealed(event) else event


def contents_of(events: Iterable[Event]) -> dict[int, Mapping[str, Any]]:
    """What a log opens itself: the private part of an event, by n."""
    return {event.n: event.content for event in events if isinstance(event, Unsealed)}


def whole_log(events: Sequence[Recorded]) -> tuple[Recorded, ...]:
    """The events of a log, each with its private part where the log opens it.

    Raises: msgspec.ValidationError for a content that does not fit its event
    """
    contents = contents_of(entry.event for entry in events)
    if not contents:
        return tuple(events)
    return tuple(replace(entry, event=whole(entry.event, contents.get(entry.n))) for entry in events)


def to_open(events: Iterable[Event], sealed: Iterable[int]) -> tuple[int, ...]:
    """The sealed events that a block opens, in the order of the log: those that it says, at the end of the campaign all
    that are left.

    Shape:   `sealed` the events that are sealed when the block has been entered
    """
    found = set[int]()
    for event in events:
        if isinstance(event, OrdersClosed):
            found.update(event.opens)
        elif isinstance(event, CampaignEnded):
            return tuple(sorted(sealed))
    return tuple(n for n in sorted(sealed) if n in found)
