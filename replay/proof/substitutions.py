"""Check who takes the seat of somebody else after the start, and who loses theirs (CORE-DSP-12; PBEM-2.1).

A substitute needs the word of every other person, or of the umpire. The player who sits there has asked for them,
or has been silent since before they were named. From header version 3 on a player who signs all is not taken from
their seat by that alone: they have signed it, or the umpire and every other person have, each with a key of their
own.
"""

from typing import Any

from msgspec import UNSET, Struct

from domain.contract.dispute_lines import SUBSTITUTE
from domain.engine.dockets import UMPIRE
from domain.run.signed_lines import is_released
from replay.proof.blocks import ProtocolFault
from replay.proof.office import Office
from replay.proof.seats import ProvenSeats
from replay.proof.silence import Silence

AGREED = "agreed"


class _Named(Struct, frozen=True):
    """A player named for a seat, in event `n`; `is_silent`: while the one who sits there was silent."""

    player: str
    n: int
    is_silent: bool


class SubstitutionsSoFar(Struct, frozen=True):
    """What the index of a check keeps: who is named, by seat and who says so, and who has just left their seat."""

    named: tuple[tuple[str, str, _Named], ...]
    left_by: tuple[str, int]
    is_taken_away: bool


def _is_backed(words: set[str], persons: list[str]) -> bool:
    """Whether those who have named a substitute are enough: the umpire, or every other person."""
    return UMPIRE in words or words.issuperset(persons)


class Substitutions:
    """Follows who is named for which seat in one battle, and who takes it."""

    def __init__(self, seats: ProvenSeats, silence: Silence, office: Office) -> None:
        self._office = office
        self._seats = seats
        self._silence = silence
        self._signs_all = office.has_keys
        self._named: dict[tuple[str, str], _Named] = {}  # by seat ("": none was named) and who says so
        self._left_by = "", 0  # who has just left their seat to a substitute, and since when they had been silent
        self._is_taken_away = False  # a seat that signs all, by the block before

    def so_far(self) -> SubstitutionsSoFar:
        """What an index keeps."""
        named = tuple((*key, one) for key, one in self._named.items())
        return SubstitutionsSoFar(named, self._left_by, self._is_taken_away)

    def resume(self, kept: SubstitutionsSoFar) -> None:
        """Go on from there."""
        self._named = {(seat, by): one for seat, by, one in kept.named}
        self._left_by, self._is_taken_away = kept.left_by, kept.is_taken_away

    def agreed(self, n: int, event: Any, at: str) -> None:
        """Somebody names a substitute; where they say that who sits there is silent, so it was by the log."""
        seat, is_silent = event.seat or "", event.silent is True
        if not seat and self._signs_all:
            raise ProtocolFault(n, "bad-member", member="seat")
        if is_silent and (seat == event.side or not self._silence.since(seat, at)):
            raise ProtocolFault(n, "seat-not-silent", side=seat)
        self._named[seat, event.side] = _Named(event.player, n, is_silent)

    def umpire_named(self) -> None:
        """An umpire with a key has not signed what another one has said."""
        if self._office.key is not None:
            self._named = {key: one for key, one in self._named.items() if key[1] != UMPIRE}

    def joined(self, n: int, event: Any) -> tuple[str, str]:
        """A substitute takes a seat; says what that is, and by what authority. Those words are spent with it."""
        (left, since), self._left_by = self._left_by, ("", 0)
        is_taken_away, self._is_taken_away = self._is_taken_away, False
        if not self._seats.began:
            return "", ""
        persons = self._persons(event.side)
        named = {by: one for (seat, by), one in self._named.items() if seat == event.side}
        named = {by: one for by, one in named.items() if one.player == event.player}
        counted, what = {*named}, "substitute"
        if event.side in named:
            what = "substitute-asked"
        elif left == event.side:
            what = "substitute-silent" if named else what
            counted = {by for by, one in named.items() if since and one.is_silent and one.n > since}
        of_old = {by for (seat, by), one in self._named.items() if not seat and one.player == event.player}
        is_free = not is_taken_away or is_released(event.side, counted, persons, self._signing())
        if not (is_free and _is_backed(counted | of_old, persons)):
            fault = "seat-present" if _is_backed({*named}, persons) else "substitute-not-agreed"
            raise ProtocolFault(n, fault, side=event.side, player=event.player)
        for key, one in [*self._named.items()]:
            if key[0] == event.side or one.player == event.player:
                del self._named[key]
        how = UMPIRE if UMPIRE in counted | of_old else AGREED if persons or event.side in named else "host"
        return what if counted else "substitute", how

    def left(self, n: int, event: Any, at: str) -> bool:
        """A seat is given back; says whether its player has signed that. What they had agreed to is not the word of the
        next one; what they said of their own seat is."""
        side = event.side
        for seat, by in [*self._named]:
            if by == side != seat:
                del self._named[seat, by]
        is_own = event.serial is not UNSET
        if not self._seats.began:
            return is_own
        self._is_taken_away = self._signs_all and self._seats[side].signer is not None and not is_own
        if self._is_taken_away and not self._may_be_taken(side):
            raise ProtocolFault(n, "signature-missing", side=side)
        is_given = event.reason == SUBSTITUTE and not self._seats[side].is_bot
        self._left_by = (side, self._silence.since(side, at)) if is_given else ("", 0)
        return is_own

    def _may_be_taken(self, side: str) -> bool:
        """Whether somebody is named for the seat of a player who signs all by those who can take it from them."""
        named: dict[str, set[str]] = {}
        for (seat, by), one in self._named.items():
            if seat == side:
                named.setdefault(one.player, set()).add(by)
        persons, signing = self._persons(side), self._signing()
        return any(is_released(side, by, persons, signing) for by in named.values())

    def _persons(self, side: str) -> list[str]:
        return [seat.side for seat in self._seats.others(side) if seat.is_taken and not seat.is_bot]

    def _signing(self) -> set[str]:
        """Whose lines are all signed: seats, and `umpire` if the one in office signs."""
        seats = {seat.side for seat in self._seats.all() if self._signs_all and seat.signer is not None}
        return seats | (set() if self._office.key is None else {UMPIRE})
