"""Check what people of a campaign have signed: one function for the door and the verifier (CAM-LOG-01, PBEM-2.1).

Where a seat has a key, each of its lines names a head of this log, has the next serial of the key and a signature over
just what it says. Where it has none, nothing is signed: the host wrote the line down, and the verdict says so.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET, Struct

from domain.campaign.events import CampaignOpened, EntrantJoined
from domain.campaign.own_lines import OFFICES, Serials, line_of, seat_of, signer_for
from domain.campaign.sealing import is_sealed
from domain.campaign.state import CampaignState
from domain.events.battle import ContributionGiven, Fact, OrderAccepted
from domain.log.points import KEY_BYTES, key_id
from domain.log.record import Recorded
from domain.run.bots import BOT
from replay.proof.blocks import ProtocolFault
from replay.proof.own_words import is_right, public_key, signature_bytes
from replay.proof.seats import public_key as require_public_key

NUMBER_LIMIT = 1 << 32


class SignedSeat(Struct, frozen=True):
    """What a key has signed at a seat of a campaign: `lines` of them, the newest head that they name is that of event
    `n`. `kid` is the fingerprint of the key."""

    seat: str
    name: str
    kid: str
    lines: int = 0
    n: int = 0


class CampaignWords:
    """Follows the lines of one campaign; `hash_of` gives the hash of event n, of the header for 0, None for others.

    Shape: `signed` by seat and key, `unsigned` counts the lines of entrants without a key, `host_wrote` are the events
           in which an officer without a key has said something
    """

    def __init__(self, campaign: str, hash_of: Callable[[int], bytes | None]) -> None:
        self.serials = Serials()
        self.signed: dict[tuple[str, str], SignedSeat] = {}
        self.unsigned = 0
        self.host_wrote: list[int] = []
        self._campaign = campaign
        self._hash_of = hash_of

    def require(self, n: int, state: CampaignState, fact: Fact, brought: ContributionGiven | None) -> None:
        """Check input `n`. Shape: `state` is that before it, `brought` the contribution that its line brings

        Raises: ProtocolFault
        """
        event: Any = fact.event
        seat = seat_of(state, fact)
        _require_keys(n, fact)
        if not seat:
            _require_bare(n, event)
            return
        self._require_head(n, event)
        signer = signer_for(state, fact)
        if signer:
            self._require_signed(n, state, fact, seat, signer, brought)
            return
        if event.serial is not UNSET or event.signature is not UNSET:
            raise ProtocolFault(n, "signature-without-key", side=seat)

    def follow(self, n: int, state: CampaignState, fact: Fact, is_brought: bool = False) -> None:
        """Go on behind input `n`, which holds. Shape: `is_brought`: it is a contribution that a line brings"""
        self.serials.follow(state, fact)
        seat = seat_of(state, fact)
        if not seat or is_brought:
            return
        event: Any = fact.event
        signer = signer_for(state, fact)
        if not signer:
            self._count_unsigned(n, state, fact, seat)
            return
        known = self.signed.get((seat, signer)) or _signed_seat(state, fact, seat, signer)
        self.signed[seat, signer] = SignedSeat(seat, known.name, known.kid, known.lines + 1, max(known.n, event.seen.n))

    def _count_unsigned(self, n: int, state: CampaignState, fact: Fact, seat: str) -> None:
        if seat in OFFICES:
            self.host_wrote.append(n)
        elif not _player(state, fact, seat).startswith(BOT):
            self.unsigned += 1

    def _require_head(self, n: int, event: Any) -> None:
        if event.seen is UNSET:
            return
        known = self._hash_of(event.seen.n) if 0 <= event.seen.n < n else None
        if known is None or known.hex() != event.seen.hash:
            raise ProtocolFault(n, "head-of-another-log", found=event.seen.n)

    def _require_signed(
        self, n: int, state: CampaignState, fact: Fact, seat: str, signer: str, brought: ContributionGiven | None
    ) -> None:
        event: Any = fact.event
        is_hidden = is_sealed(event)
        if event.serial is UNSET or (event.signature is UNSET and not is_hidden):
            raise ProtocolFault(n, "signature-missing", side=seat)
        if event.seen is UNSET:
            raise ProtocolFault(n, "head-missing")
        if not (event.serial < NUMBER_LIMIT and self.serials.may_follow(seat, signer, event.serial)):
            last = self.serials.newest(seat, signer)
            raise ProtocolFault(n, "serial-differs", side=seat, found=event.serial, next=last + 1)
        if is_hidden:  # its signature is sealed with it
            return
        given = event if isinstance(event, ContributionGiven) else brought
        giving = given.phrase.encode() if given is not None else b""
        text = line_of(state, fact)
        if not is_right(public_key(signer), self._campaign, seat, event, giving, text, event.signature):
            told = {"side": seat, "serial": event.serial, "text": text, "gives": "phrase" if giving else ""}
            raise ProtocolFault(n, "player-signature-differs", **told)


def brought_at(events: Sequence[Recorded], at: int) -> ContributionGiven | None:
    """The contribution that the line at an index brings: right behind it for who enters, else right before it."""
    event: Any = events[at].event
    if isinstance(event, EntrantJoined):
        return _lone(events, at + 1, event.entrant)
    if not isinstance(event, OrderAccepted) or _is_of_join(events, at - 1, event.side):
        return None
    return _lone(events, at - 1, event.side)


def is_brought(events: Sequence[Recorded], at: int) -> bool:
    """Whether the contribution at an index comes with a line of its entrant, which has the signature."""
    event: Any = events[at].event
    if not isinstance(event, ContributionGiven) or event.serial is not UNSET:
        return False
    if _is_of_join(events, at, event.side):
        return True
    following: Any = events[at + 1].event if at + 1 < len(events) else None
    return isinstance(following, OrderAccepted) and following.side == event.side


def _lone(events: Sequence[Recorded], at: int, side: str) -> ContributionGiven | None:
    """The contribution of an entrant at an index, if it has no signature of its own."""
    event = events[at].event if 0 <= at < len(events) else None
    has = isinstance(event, ContributionGiven) and event.side == side and event.serial is UNSET
    return event if has and isinstance(event, ContributionGiven) else None


def _is_of_join(events: Sequence[Recorded], at: int, side: str) -> bool:
    """Whether the contribution at an index stands right behind the event with which its entrant has entered."""
    before = events[at - 1].event if at > 0 else None
    return isinstance(before, EntrantJoined) and before.entrant == side


def _require_bare(n: int, event: Any) -> None:
    """Nobody signs what is the host's word."""
    for name in ("serial", "signature"):
        if getattr(event, name, UNSET) is not UNSET:
            raise ProtocolFault(n, "bad-member", member=name)


def _require_keys(n: int, fact: Fact) -> None:
    """Raises: ProtocolFault where a key that somebody brings is none, or where a bot or another brings one"""
    event: Any = fact.event
    brought = (
        event.organiser.get("signer", UNSET) if isinstance(event, CampaignOpened) else getattr(event, "signer", UNSET)
    )
    if brought is UNSET:
        return
    if isinstance(event, EntrantJoined) and (event.kind == "bot" or fact.by != event.entrant):
        raise ProtocolFault(n, "bad-member", member="signer")
    require_public_key(n, brought)


def _signed_seat(state: CampaignState, fact: Fact, seat: str, signer: str) -> SignedSeat:
    public = signature_bytes(signer, KEY_BYTES) or b""
    if isinstance(fact.event, EntrantJoined) and fact.by == seat:
        name = fact.event.name
    elif seat in OFFICES:
        name = (state.umpire or state.organiser if seat == "umpire" else state.organiser).name
    else:
        name = state.entrants[seat].name
    return SignedSeat(seat, name, key_id(public))


def _player(state: CampaignState, fact: Fact, seat: str) -> str:
    if isinstance(fact.event, EntrantJoined):
        return fact.event.player
    return state.entrants[seat].player if seat in state.entrants else ""
