"""Check the chance of a campaign: what each entrant has given, and what was drawn (CAM-LOG-03).

Keys are checked by `replay.proof.keys`, as those of battles. Here each contribution is made again from its phrase, and
each lot from the key of its round, as soon as the log has disclosed it.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from domain.campaign.events import LotCast, LotsDrawn, RoundBegan
from domain.campaign.rounds import lots
from domain.campaign.state import CampaignState
from domain.events.battle import ContributionGiven, DieRolled, KeyDisclosed, KeysContinued, MasterRevealed
from domain.log import fairness
from domain.log.fairness import PUBLIC, SECRET_BYTES, Stream
from domain.log.record import Recorded
from replay.proof.blocks import ProtocolFault
from replay.proof.keys import DisclosedKeys

PLAIN = "plain"


class CampaignDraws:
    """Follows the draws of one campaign. `drawn` counts them, `bound` those whose keys are not disclosed yet."""

    def __init__(self, campaign: str, events: Sequence[Recorded]) -> None:
        self.drawn = self.bound = 0
        self._campaign = campaign
        self._rounds = sum(isinstance(entry.event, RoundBegan) for entry in events)
        self._keys = DisclosedKeys(campaign, (), events, self._rounds)
        self._streams: dict[tuple[int, str], Stream] = {}

    def require_key(self, entry: Recorded) -> None:
        """Raises: ProtocolFault where an event binds or discloses wrongly"""
        fault = self._keys.faults.get(entry.n)
        if fault is not None:
            raise fault

    def require_contribution(self, entry: Recorded, given: ContributionGiven, state: CampaignState) -> None:
        """Raises: ProtocolFault where a contribution is not the entrant's, not of now, or not what it comes from"""
        entrant = state.entrants.get(given.side)
        if entrant is None or entrant.left:
            raise ProtocolFault(entry.n, "seat-empty", side=given.side)
        if given.t != state.round:
            raise ProtocolFault(entry.n, "other-turn", expected=state.round, found=given.t)
        if given.kind != PLAIN or entrant.mode != PLAIN:
            raise ProtocolFault(entry.n, "contribution-of-other-kind", side=given.side, kind=given.kind)
        value = fairness.plain_contribution(self._campaign, given.t, given.side, given.phrase)
        if given.value != value.hex():
            raise ProtocolFault(entry.n, "contribution-differs", side=given.side, t=given.t, order="")

    def require_draw(self, entry: Recorded, state: CampaignState, begun: CampaignState) -> None:
        """Draw again what an event says, if its key is known. `state` is that before it, `begun` that before its block.

        Raises: ProtocolFault
        """
        event: Any = entry.event
        if not isinstance(event, LotsDrawn | LotCast | DieRolled):
            return
        self.drawn += 1
        stream = self._stream(event.t, event.scope, begun)
        if stream is None:
            self.bound += 1
            return
        if isinstance(event, DieRolled):
            _require_face(entry.n, event, stream)
            return
        if isinstance(event, LotsDrawn):
            expected: object = lots(state, stream.below)
            found: object = event.order
        else:
            board = state.boards.get(event.board)
            expected = board.place.pair[stream.below(2)] if board is not None else ""
            found = event.through
        if expected != found:
            raise ProtocolFault(entry.n, "lots-differ", expected=expected, found=found)

    def _stream(self, t: int, scope: str, begun: CampaignState) -> Stream | None:
        """The stream of a round and scope, seeded at its first draw; None while its key is not disclosed."""
        known = self._streams.get((t, scope))
        if known is not None:
            return known
        key = self._keys.key(PUBLIC, t) if 0 <= t <= self._rounds else None
        if key is None:
            return None
        made = Stream(fairness.seed(key, self._campaign, t, scope, begun.contributions))
        self._streams[t, scope] = made
        return made


def _require_face(n: int, rolled: DieRolled, stream: Stream) -> None:
    """Raises: ProtocolFault where a die fell otherwise"""
    expected = stream.below(rolled.sides) + 1 if rolled.sides > 0 else 0
    if rolled.value != expected:
        raise ProtocolFault(n, "die-differs", expected=expected, found=rolled.value)


class RecordedKeys:
    """What a log discloses, as it says it (`domain.campaign.disclosing.KeysOfRounds`): zeros for what it does not."""

    def __init__(self, events: Sequence[Recorded], length: int) -> None:
        self.length = length
        self.master = bytes(SECRET_BYTES)
        self._keys: dict[int, bytes] = {}
        self._anchors: dict[int, dict[str, bytes]] = {}
        for entry in events:
            event = entry.event
            if isinstance(event, MasterRevealed):
                self.master = _bytes(event.master)
            elif isinstance(event, KeyDisclosed):
                self._keys.setdefault(event.index, _bytes(event.key))
            elif isinstance(event, KeysContinued):
                anchors = {chain: _bytes(anchor) for chain, anchor in event.anchors.items()}
                self._anchors.setdefault(event.generation, anchors)

    def key(self, scope: str, index: int) -> bytes:
        """The key of a round."""
        return self._keys.get(index, bytes(SECRET_BYTES))

    def anchors(self, generation: int) -> dict[str, bytes]:
        """The anchors of a generation."""
        return self._anchors.get(generation, {})


def _bytes(text: str) -> bytes:
    """Bytes in hex; none where it is none, which `DisclosedKeys` says."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


def key_length(events: Sequence[Recorded]) -> int:
    """How many keys a chain has, by the first event."""
    opened: Any = events[0].event
    keys = getattr(opened, "keys", UNSET)
    return fairness.LENGTH if keys is UNSET else keys.length
