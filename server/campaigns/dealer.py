"""Draw for a campaign: from the host's key of the round and the newest contribution of each entrant (CAM-LOG-03).

The verifier does the same from the log alone and shares nothing with this module but `domain.log.fairness`.
"""

from collections.abc import Sequence

from domain.log import fairness
from domain.log.fairness import Stream
from domain.log.keys import HostKeys
from replay.writing.dealer import CopiedStreams, Key


class CampaignDealer:
    """The streams of one campaign. The seed of (round, scope) is fixed at its first draw."""

    def __init__(self, keys: HostKeys) -> None:
        self.keys = keys
        self.streams: dict[Key, Stream] = {}

    def deal(self, contributions: Sequence[bytes]) -> "CampaignChance":
        """The chance of one append; its draws count only after `adopt`.

        Shape: `contributions` of the entrants in the order in which they first joined, empty for an entrant without one
        """
        return CampaignChance(self, contributions)

    def adopt(self, chance: "CampaignChance") -> None:
        """The append is durable: its draws count."""
        self.streams.update(chance.drawn_from)


class CampaignChance(CopiedStreams):
    """The draws of one append of a campaign; a period is a round."""

    def __init__(self, dealer: CampaignDealer, contributions: Sequence[bytes]) -> None:
        super().__init__(dealer.streams)
        self._keys = dealer.keys
        self._contributions = tuple(contributions)

    def _new_stream(self, key: Key) -> Stream:
        t, scope = key
        return Stream(
            fairness.seed(self._keys.key(fairness.PUBLIC, t), self._keys.battle, t, scope, self._contributions)
        )
