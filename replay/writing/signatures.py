"""Check the players' own signatures before anything of their messages is stored (fairness.md 2).

A seat with a key signs each line by itself, and each contribution that comes alone.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from domain.basics.errors import Refusal
from domain.events.battle import (
    ClockFired,
    ContributionGiven,
    OrderAccepted,
    SideJoined,
    SideLeft,
    UmpireProposed,
)
from domain.log.points import KEY_BYTES, is_strong_key
from domain.run.block_writer import Entered
from domain.run.seats import Battle
from domain.run.signed_lines import line_of
from replay.proof.own_words import is_right, public_key, signature_bytes


def require_signer(signer: str) -> None:
    """Refuse what is not the public key of a player, standard base64 of 32 bytes; "" is none.

    Raises: Refusal core.bad-signer, core.weak-key
    """
    if not signer:
        return
    public = signature_bytes(signer, KEY_BYTES)
    if public is None:
        raise Refusal("core.bad-signer", "CORE-FAIR", signer=signer[:64])
    if not is_strong_key(public):
        raise Refusal("core.weak-key", "CORE-FAIR", signer=signer)


def require_right(battle_id: str, before: Battle, entered: Sequence[Entered]) -> None:
    """Refuse what has been entered if a signature in it is not the seat's own, over just that.

    Shape:  one order with the contribution that it brings, a contribution alone, or another signed input
    Raises: Refusal core.bad-signature, which says what the line is and what it brings; core.bad-signer for an umpire's
    """
    giving, gives = b"", ""
    for item in entered:
        event: Any = item.whole.event
        if isinstance(event, UmpireProposed) and event.signer is not UNSET:
            require_signer(event.signer)
        if isinstance(event, ContributionGiven):
            giving, gives = _giving(event)
        elif not isinstance(event, (OrderAccepted, SideJoined, SideLeft, ClockFired)):
            continue
        if event.serial is UNSET or event.seen is UNSET:
            continue
        text = (event.text or "") if isinstance(event, OrderAccepted) else line_of(event)
        key = event.signer if isinstance(event, SideJoined) else before.signer_of(event.side)
        if not is_right(public_key(key), battle_id, event.side, event, giving, text, event.signature):
            said = {"side": event.side, "serial": event.serial, "text": text, "gives": gives}
            raise Refusal("core.bad-signature", "CORE-FAIR", **said)


def _giving(event: ContributionGiven) -> tuple[bytes, str]:
    """What a contribution adds to the signature, and its name."""
    if event.kind == "plain":
        return event.phrase.encode(), "phrase"
    return bytes.fromhex(event.value), event.kind
