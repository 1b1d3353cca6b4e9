"""The sentence of a reason in a campaign, with the rule behind it."""

from typing import Any

from msgspec import Struct

from domain.campaign.state import CampaignState
from server.words import say


class CampaignReason(Struct, frozen=True):
    """A reason: the ID of the rule that it follows, and a sentence."""

    rule: str
    text: str


class ReasonWords(Struct, frozen=True):
    """Makes reasons in a language; `state` says how entrants are called."""

    state: CampaignState
    lang: str

    def reason(self, rule: str, kind: str, **params: Any) -> CampaignReason:
        """A reason of a kind that the catalogue `reasons` has."""
        told = {name: signed(value) for name, value in params.items()}
        return CampaignReason(rule, say(self.lang, f"reason.{kind}", **told))

    def name(self, entrant: str) -> str:
        """How an entrant is called."""
        return self.state.entrants[entrant].name

    def names(self, entrants: tuple[str, ...]) -> str:
        """How several are called."""
        return ", ".join(map(self.name, entrants))


def signed(value: Any) -> Any:
    """A negative number with the sign that pages have for it; anything else as it is."""
    return f"−{-value}" if isinstance(value, int) and value < 0 else value
