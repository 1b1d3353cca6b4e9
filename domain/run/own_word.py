"""A player's own word: the signature of an order, a contribution or another act (fairness.md 2, PBEM-2.1).

Here stand the duties: which message is signed, that it names a head, and which serial it may have. Whether a signature
is right is not the engine's to say (`replay.proof.own_words`).
"""

from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.basics.errors import Refusal
from domain.events.battle import Seen
from domain.log.record import PBEM_2_1
from domain.run.seats import Battle
from domain.run.signed_lines import is_next


class Signed(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's signature (base64) of one line, or of a contribution that comes alone, under its serial number."""

    serial: Annotated[int, Meta(ge=1, lt=1 << 32)]
    signature: Annotated[str, Meta(max_length=88)]


class OwnWord(Struct, frozen=True):
    """A player's own word for what they do beside orders: the head that they have seen, and their signature of the line
    that `domain.run.signed_lines.line_of` makes of it."""

    seen: Seen | None = None
    signed: Signed | None = None


def word_of(battle: Battle, side: str, word: OwnWord | None) -> dict[str, Any]:
    """The members of what the player of a side does, as they are logged; nothing for a seat that does not sign it.

    Raises: Refusal as `require_word`
    """
    seat = battle.seats[side]
    return require_word(battle, side, seat.signer if battle.signs_all(side) else "", word)


def require_word(battle: Battle, side: str, signer: str, word: OwnWord | None, is_join: bool = False) -> dict[str, Any]:
    """The members of a signed input of the player with this key, "" for one who signs none; whether the signature is
    right is not the engine's to say.

    Raises: Refusal core.not-signed-here, core.signature-missing, core.seen-missing, core.stale-serial
    """
    word = word or OwnWord()
    if not signer:
        if word.signed is not None:
            raise Refusal("core.not-signed-here", "CORE-FAIR", side=side)
        return {}
    if word.signed is None:
        raise Refusal("core.signature-missing", "CORE-FAIR", side=side)
    if word.seen is None:
        raise Refusal("core.seen-missing", "CORE-FAIR")
    last = battle.serial_of(side, signer)
    if not is_next(last, word.signed.serial, is_join):
        raise Refusal("core.stale-serial", "CORE-FAIR", side=side, serial=word.signed.serial, next=last + 1)
    return {"seen": word.seen, **signature_members(word.signed)}


def signature_members(signed: Signed | None) -> dict[str, Any]:
    """The members of a signature, as they are logged; none if there is none."""
    return {} if signed is None else {"serial": signed.serial, "signature": signed.signature}


def require_signed(battle: Battle, side: str, signed: Signed | None, seen: Seen | None) -> None:
    """Refuse a message of a seat or an umpire with a key that is not signed, names no head, or has a serial that is
    used up.

    Whether a signature is right is not the engine's to say (`replay.writing.signatures`).

    Raises: Refusal core.signature-missing, core.seen-missing, core.not-signed-here, core.serial-used,
            core.stale-serial, core.entry-unseen
    """
    signer = battle.signer_of(side)
    if not signer:
        if signed is not None:
            raise Refusal("core.not-signed-here", "CORE-FAIR", side=side)
        return
    if signed is None:
        raise Refusal("core.signature-missing", "CORE-FAIR", side=side)
    if seen is None:
        raise Refusal("core.seen-missing", "CORE-FAIR")
    last = battle.serial_of(side, signer)
    if signed.serial <= last and battle.version >= PBEM_2_1:
        raise Refusal("core.stale-serial", "CORE-FAIR", side=side, serial=signed.serial, next=last + 1)
    if signed.serial <= last:
        raise Refusal("core.serial-used", "CORE-FAIR", side=side, last=last, serial=signed.serial)
    entry_n = battle.seats[side].entry_n if side in battle.seats else 0
    if battle.version >= PBEM_2_1 and seen.n < entry_n:
        raise Refusal("core.entry-unseen", "CORE-FAIR", side=side, n=entry_n, seen=seen.n)
