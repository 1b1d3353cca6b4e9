"""Compare who sat in a battle, and who came to it, with what its campaign says (CAM-LOG-05, CAM-TIM-04)."""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

import msgspec
from msgspec import UNSET

from domain.campaign.deadlines import NO_SHOW, SHOW
from domain.campaign.events import BattleSet, DefaultGiven, EntrantJoined, LateNoted
from domain.events.battle import Event, OrderAccepted
from domain.log.record import Recorded
from domain.run.bots import BOT
from replay.called_off import SIDES
from replay.proof.chain import Log

JOINED, CONTRIBUTED = b'"type":"SideJoined"}', b'"type":"ContributionGiven"}'

Commanders = Mapping[str, Mapping[str, Set[str]]]
"""By battle and side the players whom a campaign has ever named for it."""


def commanders(events: Sequence[Recorded]) -> Commanders:
    """Who commands in each battle that a campaign has set: whom it was set for, who has taken the place of an entrant,
    and who was sent there (CAM-PPL-03, CAM-PPL-05)."""
    found: dict[str, dict[str, set[str]]] = {}
    boards: dict[str, BattleSet] = {}
    for entry in events:
        event = entry.event
        if isinstance(event, BattleSet):
            boards[event.board] = event
            found[event.battle] = {side: {event.players[side]} for side in SIDES}
        elif isinstance(event, EntrantJoined):
            for given in boards.values():
                for side in _sides_of(given, event.entrant):
                    found[given.battle][side].add(event.player)
        elif isinstance(event, OrderAccepted) and event.command is not UNSET and event.command.get("verb") == "send":
            sent = boards.get(str(event.command.get("board")))
            if sent is not None:
                for side in _sides_of(sent, event.side):
                    found[sent.battle][side].add(str(event.command.get("player", "")))
    return found


def _sides_of(given: BattleSet, entrant: str) -> Iterator[str]:
    """The sides that an entrant has in a battle."""
    return (side for side, name in zip(SIDES, (given.south, given.north), strict=True) if name == entrant)


def is_seated_right(log: Log, named: Mapping[str, Set[str]]) -> bool:
    """Whether the first player of each side of a battle is one whom its campaign has named for it."""
    first: dict[str, Mapping[str, Any]] = {}
    for data in _data_of(log, JOINED):
        first.setdefault(data["side"], data)
    return all(_is_named(data, named.get(side, frozenset())) for side, data in first.items())


def _is_named(data: Mapping[str, Any], named: Set[str]) -> bool:
    """A bot has another id in its battle: there it plays once."""
    if data.get("kind") == "bot":
        return any(player.startswith(BOT) for player in named)
    return data.get("player") in named


def absent_in(event: Event) -> tuple[str, tuple[str, ...], str]:
    """The board of an event, the entrants of whom it says that they have not come to their battle, and in which member;
    nobody for other events."""
    if isinstance(event, DefaultGiven) and event.reason == NO_SHOW:
        return event.board, event.losers, "losers"
    if isinstance(event, LateNoted) and event.what == SHOW and isinstance(event.board, str):
        return event.board, event.who, "who"
    return "", (), ""


def has_come(log: Log, side: str, before: str) -> bool:
    """Whether whoever holds a side has contributed before a moment, by the log of the battle."""
    has = False
    for line in log.lines:
        if not line.endswith((JOINED, CONTRIBUTED)):
            continue
        event = msgspec.json.decode(line)
        if event["at"] >= before:
            break
        if event["data"].get("side") == side:
            has = line.endswith(CONTRIBUTED)
    return has


def _data_of(log: Log, kind: bytes) -> Iterator[Mapping[str, Any]]:
    return (msgspec.json.decode(line)["data"] for line in log.lines if line.endswith(kind))
