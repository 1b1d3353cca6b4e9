"""Draw for a campaign: from the host's key of the round and the newest contribution of each entrant (CAM-LOG-03).

The verifier does the same from the log alone and shares nothing with this module but `domain.log.fairness`.
"""

from collections.abc import Sequence

from domain.log import fairness
from domain.log.fairness import Stream
from domain.log.keys import HostKeys

Key = tuple[int, str]
"""Round and scope of a stream."""


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


class CampaignChance:
    """Draws for one append, on copies of the campaign's streams."""

    def __init__(self, dealer: CampaignDealer, contributions: Sequence[bytes]) -> None:
        self._dealer = dealer
        self._contributions = tuple(contributions)
        self.drawn_from: dict[Key, Stream] = {}

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        return pile[self._stream(t, scope).below(len(pile))]

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        return self._stream(t, scope).below(sides) + 1

    def _stream(self, t: int, scope: str) -> Stream:
        stream = self.drawn_from.get((t, scope))
        if stream is None:
            known = self._dealer.streams.get((t, scope))
            stream = known.copy() if known else self._new_stream(t, scope)
            self.drawn_from[t, scope] = stream
        return stream

    def _new_stream(self, t: int, scope: str) -> Stream:
        keys = self._dealer.keys
        return Stream(fairness.seed(keys.key(fairness.PUBLIC, t), keys.battle, t, scope, self._contributions))
