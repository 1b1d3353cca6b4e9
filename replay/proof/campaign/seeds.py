"""Compare the numbers by which a cup is seeded with the ladder that they come from (CAM-RND-02, CAM-RAT-04).

Ratings are floats and stand in no log; the number that ranks an entrant is written down when they enter. Here it is
computed again from the battles that the ladder had counted by then.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.basics.pace import MINUTE_MS, moment_of, text_of
from domain.campaign.config import RATING, CampaignConfig
from domain.campaign.events import EntrantJoined
from domain.campaign.rated import period
from domain.log.record import Recorded
from projections.ratings.book import LadderBook
from projections.ratings.glicko import Rating
from projections.ratings.ladder import standing_number
from replay.proof.blocks import ProtocolFault

NEWCOMER = standing_number(Rating())
"""The number of an entrant without a rating."""


class SeedingLadder(Struct, frozen=True):
    """A ladder: its events, None where its file is not there; files that are `missing` to judge it; its `fault`."""

    name: str
    events: tuple[Recorded, ...] | None = None
    missing: tuple[str, ...] = ()
    fault: str = ""


def seeded_by(config: CampaignConfig) -> str:
    """The ladder by which a cup is seeded; "" for none."""
    seed = config.cup.seed if config.cup is not None else ""
    return seed.removeprefix(RATING) if seed.startswith(RATING) else ""


def require_seeds(events: Sequence[Recorded], ladder: SeedingLadder | None) -> None:
    """Check the number of each who has entered a cup. Shape: `ladder` None where none seeds it

    Raises: ProtocolFault rating-differs, ladder-file
    """
    numbers = _Numbers(ladder.events) if ladder is not None and ladder.events is not None else None
    for entry in events:
        event = entry.event
        if not isinstance(event, EntrantJoined) or entry.rule != EntrantJoined.RULE or event.kind == "bot":
            continue
        if ladder is None or not isinstance(event.rating, int):
            if (ladder is None) is isinstance(event.rating, int):
                raise ProtocolFault(entry.n, "rating-differs", entrant=event.entrant, found=_told(event.rating))
        elif ladder.fault:
            raise ProtocolFault(entry.n, "ladder-file", ladder=ladder.name, kind=ladder.fault)
        elif numbers is not None and event.rating not in numbers.of(event.player, entry.at):
            raise ProtocolFault(entry.n, "rating-differs", entrant=event.entrant, found=event.rating)


class _Numbers:
    """The standing numbers of a ladder at any time, reckoned once for each state of it."""

    def __init__(self, events: Sequence[Recorded]) -> None:
        self._events = events
        self._times = [entry.at for entry in events]
        self._known: dict[tuple[int, int], dict[str, int]] = {}
        self._book = LadderBook()
        for entry in events:
            self._book.feed(entry.n, entry.at, entry.event)

    def of(self, player: str, at: str) -> set[int]:
        """The numbers of a player that may have stood at a time: what happened in the same moment, and the beginning of
        a period, may have come before it or behind it."""
        found = set[int]()
        first, last = bisect_left(self._times, at), bisect_right(self._times, at)
        for count in range(first, last + 1):
            for when in (text_of(moment_of(at) - MINUTE_MS), at):
                rows = self._rows(count, when)
                found.update(rows.get(entrant, NEWCOMER) for entrant in self._ids(player, count))
        return found

    def _ids(self, player: str, count: int) -> Iterator[str]:
        """The entrants that a player has been by then; nobody, "", for one who never was in it."""
        ids = {
            entry.event.entrant
            for entry in self._events[:count]
            if isinstance(entry.event, EntrantJoined) and entry.event.player == player
        }
        yield from ids or {""}

    def _rows(self, count: int, at: str) -> dict[str, int]:
        counted = sum(result.n <= count for result in self._book.results)
        key = counted, period(at, self._book.unit)
        if key not in self._known:
            self._known[key] = {row.player: row.number for row in self._book.rows(at, count)}
        return self._known[key]


def _told(rating: object) -> object:
    return rating if isinstance(rating, int) else ""
