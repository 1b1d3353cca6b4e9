"""What the battles of a ladder must be, beside what any battle of a campaign must: who fought, and whether it is rated.

A battle that members have opened in a ladder is named by the ladder's log at its end alone: that it was opened for this
ladder, and by whom it was fought, is in its own file.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from domain.campaign.events import BattleSet, EntrantJoined, ResultCounted
from domain.campaign.ladder_events import ChallengeMade
from domain.campaign.state import pair_key
from domain.events.battle import BattleBegan
from domain.log.record import Recorded
from domain.run.timeline import Timeline
from projections.ratings.book import LadderBook
from replay.called_off import SIDES
from replay.proof.blocks import ProtocolFault
from replay.proof.campaign.results import BattleOutcome


class DuelsCompared:
    """Follows the log of a ladder; what it says of each battle is compared with the battle."""

    def __init__(self) -> None:
        self._book = LadderBook()
        self._players: dict[str, str] = {}
        self._scenarios: dict[str, str] = {}

    def feed(self, entry: Recorded) -> None:
        """Go on behind the next event of the log."""
        event = entry.event
        self._book.feed(entry.n, entry.at, event)
        if isinstance(event, EntrantJoined):
            self._players[event.entrant] = event.player
        elif isinstance(event, ChallengeMade):
            scenario = "" if event.scenario is UNSET else str(event.scenario)
            self._scenarios[pair_key(event.challenger, event.challenged)] = scenario

    def scenario(self, event: BattleSet) -> str:
        """The packaged scenario that the challenge of a battle has named; "" for that of the campaign."""
        return "" if event.board else self._scenarios.get(pair_key(event.south, event.north), "")

    def expected(
        self, entry: Recorded, result: ResultCounted, timeline: Timeline, found: BattleOutcome
    ) -> BattleOutcome:
        """What must be counted of a battle of a ladder: whether it is rated follows from both logs.

        Raises: ProtocolFault battle-result where others have fought
        """
        fighters: Mapping[str, str] = result.players if isinstance(result.players, dict) else {}
        seats = timeline.at(found.n).seats
        for side in SIDES:
            holder = seats[side].player if side in seats else ""
            if not holder or self._fighter(fighters.get(side, "")) != _person(holder):
                raise ProtocolFault(entry.n, "battle-result", battle=result.battle, member="players")
        began = next((one.at for one in timeline.events if isinstance(one.event, BattleBegan)), entry.at)
        south, north = (fighters[side] for side in SIDES)
        rated = self._book.may_be_rated(entry.at, began, (south, north), found.winner, found.how, found.rated)
        return replace(found, rated=rated)

    def _fighter(self, entrant: str) -> str:
        return _person(self._players.get(entrant, ""))


def _person(player: str) -> str:
    """A player; of the bots of one kind all are one."""
    return player.partition(".")[0] if player.startswith("bot-") else player


def is_opened_for(shown: Mapping[str, Any], ladder: str) -> bool:
    """Whether a first event names a ladder as where its battle counts, or the board of a cup, which may feed it: that
    it does stands in the log of the cup."""
    campaign = shown.get("campaign")
    return isinstance(campaign, Mapping) and (bool(campaign.get("board")) or campaign.get("id") == ladder)
