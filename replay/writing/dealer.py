"""Draw from the host's keys and the newest contribution of each seat (fairness.md 2).

The verifier (replay.proof) does the same from the log alone and shares nothing with this module but
the primitives of domain.log.fairness, and the rules for a draw's place (domain.log.draw_rules).
"""

from collections.abc import Mapping, Sequence

from domain.engine.draws import Draw
from domain.log import fairness
from domain.log.fairness import Stream
from domain.log.keys import HostKeys
from domain.run.draw_door import require_in_time
from domain.run.seats import Battle

Key = tuple[int, str]
"""Period and scope of a stream."""


class Dealer:
    """The streams of one battle. The seed of (period, scope) is fixed at its first draw; the contributions enter it in
    the order of `seats`."""

    def __init__(self, keys: HostKeys, seats: tuple[str, ...]) -> None:
        self.keys = keys
        self._seats = seats
        self.streams: dict[Key, Stream] = {}

    def deal(self, battle: Battle) -> "SeededChance":
        """The chance for one order; its draws count only after `adopt`."""
        return SeededChance(self, battle)

    def adopt(self, chance: "SeededChance") -> None:
        """The order is committed: its draws count."""
        self.streams.update(chance.drawn_from)

    def recall(self, battle: Battle, draws: Sequence[Draw]) -> None:
        """Take over draws read back from the log, made in the state `battle`: their streams continue after them."""
        for draw in draws:
            key = battle.period, draw.scope
            stream = self.streams.get(key)
            if stream is None:
                stream = self.streams[key] = self.new_stream(battle, key)
            stream.below(draw.size)

    def streams_since(self, period: int) -> tuple[tuple[int, str, bytes, int], ...]:
        """The streams of a period and later ones, as (period, scope, key, position): no other is drawn from again."""
        return tuple(
            (of, scope, stream.key, stream.position)
            for (of, scope), stream in sorted(self.streams.items())
            if of >= period
        )

    def resume(self, streams: Sequence[tuple[int, str, bytes, int]]) -> None:
        """Continue streams where they stood."""
        self.streams |= {(period, scope): Stream(key, place) for period, scope, key, place in streams}

    def new_stream(self, battle: Battle, key: Key) -> Stream:
        """The stream of (period, scope); every seat must have contributed, and the mover to this turn, unless the scope
        is `open:…`.

        Raises: WaitingForContribution; BrokenInvariant for a draw that no verifier would accept
        """
        period, scope = key
        require_in_time(battle, self._seats, period, scope)
        values = [bytes.fromhex(battle.seats[side].contribution) for side in self._seats]
        host_key = self.keys.key(scope, period)
        return Stream(fairness.seed(host_key, self.keys.battle, period, scope, values))


class CopiedStreams:
    """Draws for one append, on copies of the streams of a log: what is refused consumes none."""

    def __init__(self, streams: Mapping[Key, Stream]) -> None:
        self._streams = streams
        self.drawn_from: dict[Key, Stream] = {}

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        return pile[self._stream(t, scope).below(len(pile))]

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        return self._stream(t, scope).below(sides) + 1

    def _stream(self, t: int, scope: str) -> Stream:
        key = self._period(t), scope
        stream = self.drawn_from.get(key)
        if stream is None:
            known = self._streams.get(key)
            stream = self.drawn_from[key] = known.copy() if known else self._new_stream(key)
        return stream

    def _period(self, t: int) -> int:
        return t

    def _new_stream(self, key: Key) -> Stream:
        """The stream of a key that was not drawn from before: battles and campaigns each have seeds of their own."""
        raise NotImplementedError


class SeededChance(CopiedStreams):
    """The draws of one order."""

    def __init__(self, dealer: Dealer, battle: Battle) -> None:
        super().__init__(dealer.streams)
        self._dealer = dealer
        self._battle = battle

    def _period(self, t: int) -> int:
        """Each player-turn that the order itself has begun is one more period."""
        begun: int = t - self._battle.game.t
        return self._battle.period + begun

    def _new_stream(self, key: Key) -> Stream:
        return self._dealer.new_stream(self._battle, key)
