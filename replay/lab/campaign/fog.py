"""A turn under fog as a case has it: told in one event of each kind for each alliance (CAM-FOG-01)."""

from domain.campaign.theatre.evolve import evolve_theatre
from domain.campaign.theatre.fog import MOVEMENTS, VEILED, moves_of, sight, treasury_of
from domain.campaign.theatre.fog_events import AreasSeen
from domain.campaign.theatre.judge import TheatreJudge
from domain.campaign.theatre.orders import TurnOrders
from domain.events.event import Event

TURN = 1
"""The turn of a case."""


class FoggyTurn(TheatreJudge):
    """Judges a turn of which single forces are not told."""

    _seen: tuple[AreasSeen, ...] = ()
    _veiled: tuple[Event, ...] = ()

    def emit(self, event: Event) -> None:
        """Add an event, or keep it until all of its kind are told; apply it."""
        if not isinstance(event, VEILED):
            super().emit(event)
            return
        self._veiled = (*self._veiled, event)
        self.theatre = evolve_theatre(self.theatre, event)

    def after_marches(self) -> None:
        """What is seen now is told when all contact is settled."""
        alliances = self.theatre.alliances
        self._seen = tuple(AreasSeen(alliance=one, turn=TURN, areas=sight(self.theatre, one)) for one in alliances)

    def tell_marches(self, *, has_battles: bool) -> None:
        """What each alliance has seen; where battles keep the turn waiting, how it has moved so far."""
        self.events += self._seen
        if has_battles:
            self._tell_moves()

    def tell_turn(self, orders: TurnOrders) -> None:
        """How each alliance has moved since, and what it has got and spent."""
        self._tell_moves()
        for alliance in self.theatre.alliances:
            self.events.append(treasury_of(self.theatre, TURN, alliance, self._veiled, orders.dismissed))

    def _tell_moves(self) -> None:
        moves = tuple(event for event in self._veiled if isinstance(event, MOVEMENTS))
        self.events += [moves_of(self.theatre, TURN, alliance, moves) for alliance in self.theatre.alliances]
        self._veiled = tuple(event for event in self._veiled if event not in moves)
