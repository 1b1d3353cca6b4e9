"""What each block of a campaign discloses (CAM-LOG-03).

Each round has a key of the host's, disclosed when the next one begins; the master is revealed at the end. Nothing is
drawn, stored or signed here.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from domain.campaign.events import CampaignEnded, RoundBegan
from domain.events.battle import Event, Fact, KeyDisclosed, KeysContinued, MasterRevealed, Unsealed
from domain.log import fairness


class KeysOfRounds(Protocol):
    """What is disclosed: by the host who has made it, or as a log says it."""

    master: bytes
    length: int

    def key(self, scope: str, index: int) -> bytes:
        """The key of a round in the chain of a scope."""

    def anchors(self, generation: int) -> dict[str, bytes]:
        """The anchors of a generation, by chain."""


def disclosures(
    facts: Sequence[Fact], before: int, keys: KeysOfRounds, opened: Iterable[Unsealed] = ()
) -> tuple[Fact, ...]:
    """What follows a block: what is opened, the keys of the rounds that are over, the anchors of chains to come, at the
    end the master.

    Shape: `before` is how many rounds had begun before it; `opened` what `sealing.to_open` says
    """
    events = [fact.event for fact in facts]
    unsealed = tuple(map(_by_server, opened))
    if any(isinstance(event, CampaignEnded) for event in events):
        return (*unsealed, _by_server(MasterRevealed(keys.master.hex())))
    begun = before + sum(isinstance(event, RoundBegan) for event in events)
    public = fairness.PUBLIC
    disclosed = [_by_server(KeyDisclosed(t, keys.key(public, t).hex())) for t in range(before, begun)]
    return (*unsealed, *disclosed, *map(_by_server, _continued(range(before + 1, begun + 1), keys)))


def _continued(rounds: Iterable[int], keys: KeysOfRounds) -> Iterable[KeysContinued]:
    """The anchors of the next chains where the last key of the present ones has come into use."""
    for t in rounds:
        generation, place = divmod(t, keys.length)
        if place == keys.length - 1:
            anchors = {chain: anchor.hex() for chain, anchor in keys.anchors(generation + 1).items()}
            yield KeysContinued(generation + 1, anchors)


def _by_server(event: Event) -> Fact:
    return Fact("server", event.RULE, event)
