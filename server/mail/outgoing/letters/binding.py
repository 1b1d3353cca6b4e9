"""What binds the host, as a player should have it in their own mailbox (fairness.md 2).

The first letter after a battle has begun repeats what the log has bound by then: whoever changes it later contradicts
that mail. Where cards are drawn under a side's own key, each letter to it has the newest of its keys that is disclosed
to it; the log has none of them before the end.
"""

from typing import Any

from msgspec import UNSET

from domain.events.battle import BattleBegan, SideJoined
from domain.log import record
from domain.log.fairness import chain_of
from server.mail.blocks import HeadingLine, Listing, Paragraph
from server.mail.outgoing.letters.pieces import Piece
from server.play.live_battle import LiveBattle
from server.words import say


def begun_at(live: LiveBattle) -> int:
    """The event with which a battle has begun, 0 before."""
    begun = (entry.n for entry in live.recording.timeline.events if isinstance(entry.event, BattleBegan))
    return next(begun, 0)


def bound(live: LiveBattle, lang: str) -> list[Piece]:
    """Commitment, the ends of the host's chains of keys, how each seat contributes, rules and header."""
    events = live.recording.timeline.events
    opened: Any = events[0].event
    joined = {entry.event.side: entry.event for entry in events if isinstance(entry.event, SideJoined)}
    header = live.recording.header
    lines = [
        f"C {opened.commitment}",
        *(f"{chain} {anchor}" for chain, anchor in sorted(opened.keys.anchors.items())),
        *(_seat(joined[side]) for side in sorted(joined)),
        f"rules {header.ruleset} {header.rules}",
        f"hash_0 {record.first_hash(live.recording.header_line).hex()}",
    ]
    return [HeadingLine(say(lang, "letter.bound")), Paragraph(say(lang, "letter.bound.keep")), Listing(tuple(lines))]


def _seat(event: SideJoined) -> str:
    told = [event.side, event.mode or "plain"]
    told += [] if event.anchor is UNSET else [event.anchor]
    return " ".join([*told, *([] if event.signer is UNSET else [event.signer])])


def hand_key(live: LiveBattle, side: str) -> tuple[int, str]:
    """The newest key of a side's hand that is disclosed to it, and its period; (-1, "") if nothing is drawn under one.

    All earlier keys of the chain follow from it. Once the battle is over the log has everything.
    """
    battle, period = live.recording.battle, live.recording.battle.period - 1
    scope = f"hand:{side}"
    is_used = any(_is_of(entry.event, side) for entry in live.recording.timeline.events)
    if period < 0 or battle.ended or not is_used or live.foreign_note:
        return -1, ""
    return period, live.recording.secrets.keys.key(scope, period).hex()


def _is_of(event: Any, side: str) -> bool:
    """Whether an event has drawn from a side's hand, or may have looked at coming cards."""
    looks = hasattr(event, "shown") and event.side == side
    return looks or chain_of(getattr(event, "scope", "")) == f"hand:{side}"
