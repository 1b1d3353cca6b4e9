"""What people of a campaign sign: who says an input, as which line, and with which key (CAM-LOG-01, PBEM-2.1).

A line is signed over the frame of `domain.log.fairness.signed_message`; its seat is the entrant, `organiser` or
`umpire`. Who has brought no key signs nothing, and no bot does. The opening and a reserve's waiting are the host's
word: a campaign has no id before the one, and a reserve no seat before they take a place.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import UNSET

from domain.campaign.events import (
    AbsenceNoted,
    CampaignBegan,
    EntrantJoined,
    EntrantLeft,
    RoleGiven,
    TableClaimed,
)
from domain.campaign.judge import ORGANISER, UMPIRE
from domain.campaign.notation import write_order
from domain.campaign.orders import DRAW, FATES, CampaignOrder
from domain.campaign.scenario import hash_of
from domain.campaign.state import WITHDRAWN, CampaignState
from domain.events.battle import ContributionGiven, Fact, OrderAccepted
from domain.run.signed_lines import holder

OFFICES = frozenset({ORGANISER, UMPIRE})
BY_RESERVE = "CAM-PPL-02"
"""The rule by which a reserve takes a vacant place."""
SAID = (
    AbsenceNoted,
    CampaignBegan,
    ContributionGiven,
    EntrantJoined,
    EntrantLeft,
    OrderAccepted,
    RoleGiven,
    TableClaimed,
)
"""The inputs that are a person's word, if a person is their author."""


def seat_of(state: CampaignState, fact: Fact) -> str:
    """The seat whose word an input is; "" for the word of the host.

    Shape: `state` is that before the input
    """
    if not isinstance(fact.event, SAID):
        return ""
    is_seat = fact.by in OFFICES or fact.by in state.entrants or isinstance(fact.event, EntrantJoined)
    return fact.by if is_seat else ""


def signer_of(state: CampaignState, seat: str) -> str:
    """The key with which a seat signs, "" for none. Until an umpire is named the organiser is the umpire."""
    if seat == UMPIRE:
        return (state.umpire or state.organiser).signer
    if seat == ORGANISER:
        return state.organiser.signer
    return state.entrants[seat].signer if seat in state.entrants else ""


def signer_for(state: CampaignState, fact: Fact) -> str:
    """The key with which an input is to be signed, "" for none: who enters signs with the key that they bring."""
    if isinstance(fact.event, EntrantJoined) and fact.by == fact.event.entrant:
        return fact.event.signer or ""
    return signer_of(state, seat_of(state, fact))


def line_of(state: CampaignState, fact: Fact) -> str:
    """The line that is signed for an input; that of a contribution that comes alone is empty, as is that of a sealed
    order."""
    event: Any = fact.event
    if isinstance(event, OrderAccepted):
        return event.text or ""
    if isinstance(event, EntrantJoined):
        return _joining(fact, event)
    if isinstance(event, TableClaimed):
        return write_order(order_of_claim(state, event))
    if isinstance(event, EntrantLeft):
        return "withdraw" if event.reason == WITHDRAWN else f"leave {event.reason}"
    if isinstance(event, AbsenceNoted):
        return f"absent {event.round}"
    if isinstance(event, RoleGiven):
        return role_line(event.role, event.name)
    return "begin" if isinstance(event, CampaignBegan) else ""


def role_line(role: str, name: str) -> str:
    """The line with which a role is given to somebody."""
    return f"role {role} {name}"


def join_line(name: str, army: Mapping[str, Any] | None = None) -> str:
    """The line with which somebody enters; of an army it names the SHA-256."""
    return f"join {name} with {hash_of(dict(army))}" if army is not None else f"join {name}"


def _joining(fact: Fact, event: EntrantJoined) -> str:
    if fact.by == ORGANISER:
        return f"bot {event.entrant} {event.name}"
    if fact.rule == BY_RESERVE:
        return f"take {event.entrant}"
    return join_line(event.name, event.army if isinstance(event.army, dict) else None)


def order_of_claim(state: CampaignState, claim: TableClaimed) -> CampaignOrder:
    """The line that a claim is, in its one spelling: fates in the order of `FATES`, elements by name."""
    board = state.boards.get(claim.board)
    winner = getattr(board.place, claim.winner, DRAW) if board is not None and claim.winner else DRAW
    kept = tuple(claim.kept.get(side, 0) for side in ("south", "north"))
    return CampaignOrder("table", board=claim.board, winner=winner, kept=kept, fates=tuple(_fates(claim)))


def _fates(claim: TableClaimed) -> Iterator[tuple[str, tuple[str, ...]]]:
    met = claim.fates if isinstance(claim.fates, dict) else {}
    for fate in FATES:
        found = [
            f"{force}:{name}" if force else name for force in met for name in met[force] if met[force][name] == fate
        ]
        if found:
            yield fate, tuple(sorted(found))


class Serials:
    """The newest serial of each key at each seat of a campaign."""

    def __init__(self) -> None:
        self._newest: dict[str, int] = {}

    def newest(self, seat: str, signer: str) -> int:
        """The newest serial of a key at a seat, 0 before its first."""
        return self._newest.get(holder(seat, signer), 0)

    def may_follow(self, seat: str, signer: str, serial: int) -> bool:
        """Whether a serial goes on: the first of an entrant's key is 1, that of an officer any."""
        last = self.newest(seat, signer)
        return serial > last and (last > 0 or serial == 1 or seat in OFFICES)

    def follow(self, state: CampaignState, fact: Fact) -> None:
        """Go on behind an input. Shape: `state` is that before it"""
        event: Any = fact.event
        serial = getattr(event, "serial", UNSET)
        if serial is not UNSET:
            self._newest[holder(seat_of(state, fact), signer_for(state, fact))] = serial
