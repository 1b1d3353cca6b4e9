"""The dockets of a campaign: what an umpire has ruled, and all that its log has of a board, for somebody else to judge.

Rule:    CAM-RUL-01
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from domain.campaign.events import INPUTS, BattleSet, ResultCounted
from domain.campaign.state import CampaignState
from domain.events.battle import RulingGiven
from domain.events.disclosures import DISCLOSURES
from domain.log.record import Recorded
from server.words import say


class DocketEvent(Struct, frozen=True):
    """An event as the log has it; `serial` that of a signature, 0 for none, over the head of event `seen`."""

    n: int
    at: str
    by: str
    type: str
    rule: str
    data: Mapping[str, Any]
    serial: int = 0
    seen: int = 0


class CampaignDocket(Struct, frozen=True):
    """A matter: a ruling `D1`, or a board `2.3`. `events` are all that concern it, in the order of the log."""

    id: str
    events: tuple[DocketEvent, ...]


def ruled(events: Sequence[Recorded]) -> tuple[CampaignDocket, ...]:
    """The rulings: each with the line of the umpire before it, and what followed."""
    return tuple(
        CampaignDocket(entry.event.docket, tuple(map(_shown, _block(events, at))))
        for at, entry in enumerate(events)
        if isinstance(entry.event, RulingGiven)
    )


def of_board(events: Sequence[Recorded], board: str) -> CampaignDocket:
    """All that a log has of a board: who was to meet, what they said, what was counted, what was ruled."""
    return CampaignDocket(board, tuple(_shown(entry) for entry in events if _is_about(entry.event, board)))


def docket_lines(docket: CampaignDocket, state: CampaignState, lang: str) -> Iterator[str]:
    """A docket as lines to read."""
    board = state.boards.get(docket.id)
    if board is not None:
        names = {side: state.entrants[getattr(board.place, side)].name for side in ("south", "north")}
        yield say(lang, "campaigns.docket.board", board=docket.id, **names)
    else:
        yield say(lang, "campaigns.docket.ruling", docket=docket.id)
    for event in docket.events:
        yield f"{event.n}  {event.at}  {event.by}  {event.type}  {_compact(event.data)}  [{event.rule}]"
        if event.by not in ("server",) and _is_input(event):
            signed = say(lang, "campaigns.docket.signed", serial=event.serial, n=event.seen)
            yield "  " + (signed if event.serial else say(lang, "campaigns.docket.unsigned"))
    for event in docket.events:
        if event.type == ResultCounted.__name__:
            yield say(lang, "campaigns.docket.battle", **{key: event.data[key] for key in ("battle", "n", "hash")})


_INPUT_NAMES = frozenset(kind.__name__ for kind in INPUTS)
_SIGNED = ("seen", "serial", "signature")


def _is_input(event: DocketEvent) -> bool:
    return event.type in _INPUT_NAMES


def _block(events: Sequence[Recorded], at: int) -> Sequence[Recorded]:
    """The block of an event: the input before it, and what follows up to the next one."""
    first = at
    while first and type(events[first].event) not in INPUTS:
        first -= 1
    end = at + 1
    while end < len(events) and type(events[end].event) not in INPUTS:
        end += 1
    return [entry for entry in events[first:end] if type(entry.event) not in DISCLOSURES]


def _is_about(event: Any, board: str) -> bool:
    """Whether an event names a board, as one of its members or in an order."""
    if getattr(event, "board", UNSET) == board:
        return True
    command = getattr(event, "command", UNSET)
    is_order = isinstance(command, dict) and command.get("board") == board
    effect = event.effect if isinstance(event, RulingGiven) else ""
    return is_order or board in effect.split() or (isinstance(event, BattleSet) and event.board == board)


def _shown(entry: Recorded) -> DocketEvent:
    event: Any = entry.event
    data = msgspec.to_builtins(event)
    serial, seen = getattr(event, "serial", UNSET), getattr(event, "seen", UNSET)
    return DocketEvent(
        entry.n,
        entry.at,
        entry.by,
        entry.type,
        entry.rule,
        {name: value for name, value in data.items() if name not in _SIGNED},
        serial if isinstance(serial, int) else 0,
        seen.n if seen is not UNSET else 0,
    )


def _compact(data: Mapping[str, Any]) -> str:
    """The members of an event on a line; of an order its text alone."""
    if data.get("text"):
        return str(data["text"])
    return " ".join(f"{name}={value}" for name, value in data.items() if value not in ("", {}, []))
