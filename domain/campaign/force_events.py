"""The event by which an army enters a campaign."""

from typing import Any, ClassVar

from domain.contract.campaign_book import Element
from domain.events.event import Event


class ForceJoined(Event, frozen=True, gc=False, kw_only=True):
    """A force as it begins: the table of its army, and the elements that the game makes of it; `area` is "" where there
    is no map."""

    RULE: ClassVar[str] = "CAM-RND-01"

    force: str
    power: str
    area: str = ""
    army: dict[str, Any]
    elements: tuple[Element, ...]
