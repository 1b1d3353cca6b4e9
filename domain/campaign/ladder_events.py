"""The events of challenges in a ladder."""

from typing import ClassVar

from msgspec import UNSET

from domain.events.event import Event, Text


class ChallengeMade(Event, frozen=True, gc=False):
    """A member of a ladder asks another for a battle; it lapses at `until`. `scenario` is a packaged one that they
    named, and not that of the ladder."""

    RULE: ClassVar[str] = "CAM-RAT-05"

    challenger: str
    challenged: str
    until: str
    scenario: Text = UNSET


class ChallengeEnded(Event, frozen=True, gc=False):
    """A challenge comes to no battle."""

    RULE: ClassVar[str] = "CAM-RAT-05"
    TOLD_BY: ClassVar[str] = "reason"

    challenger: str
    challenged: str
    reason: str  # declined | withdrawn | lapsed | left
