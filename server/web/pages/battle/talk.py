"""What is said beside the board: by the players, by those who watch."""

from msgspec import Struct

from server.people.players import Player
from server.play.live_battle import LiveBattle
from server.web.pages.beside import BesideBoard, beside_of
from server.web.pages.spectators import is_offered, spectators_talk
from server.web.pages.talk import Talk


class TalkPart(Struct, frozen=True):
    """`beside` is what a player has for themselves, `watching` what the spectators say; `offered`: the reader could
    join them if they logged in, or gave an address."""

    beside: BesideBoard | None = None
    watching: Talk | None = None
    offered: bool = False

    @property
    def first(self) -> Talk | None:
        """The talk whose news are told above the board."""
        return self.beside.talk if self.beside else self.watching

    @property
    def second(self) -> Talk | None:
        """The spectators' talk, where the players' comes first."""
        return self.watching if self.beside else None


NO_TALK = TalkPart()
"""Beside a board of before."""


def talk_part(live: LiveBattle, player: Player | None, side: str) -> TalkPart:
    """What is said beside the newest board of a battle."""
    beside = beside_of(live, player, side) if player and side else None
    return TalkPart(beside, spectators_talk(live, player), is_offered(live, player))
