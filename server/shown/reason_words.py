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
        return CampaignReason(rule, say(self.lang, f"reason.{kind}", **params))

    def name(self, entrant: str) -> str:
        """How an entrant is called."""
        return self.state.entrants[entrant].name

    def names(self, entrants: tuple[str, ...]) -> str:
        """How several are called."""
        return ", ".join(map(self.name, entrants))
