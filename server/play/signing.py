"""Check the players' own signatures before anything of their messages is stored (fairness.md 2).

A seat with a key signs each line by itself, and each contribution that comes alone. What is signed has to be known to
the player beforehand: so their lines are plain orders in canonical form, and each names the head that it answers. A
mail program signs nothing: a seat with a key does not order by mail.
"""

from collections.abc import Sequence

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import UNSET, Struct

from domain.engine.block_writer import Entered
from domain.engine.dispute_lines import DisputeOrder
from domain.engine.errors import Refusal
from domain.engine.events import ContributionGiven, OrderAccepted
from domain.engine.seats import Battle, Seat
from domain.log import fairness
from domain.ruleset import Ruleset
from domain.scripts.program import Script, ScriptFault
from domain.scripts.reading import Unreadable
from replay.proof.seats import KEY_BYTES, signature_bytes
from server.play.request import MAIL_CHANNEL, OrderRequest

SIGNATURE_BYTES = 64


def require_signer(signer: str) -> None:
    """Refuse what is not the public key of a player, standard base64 of 32 bytes; "" is none.

    Raises: Refusal core.bad-signer
    """
    if signer and signature_bytes(signer, KEY_BYTES) is None:
        raise Refusal("core.bad-signer", "CORE-FAIR", signer=signer[:64])


def require_signable(seat: Seat, orders: OrderRequest, script: Script, ruleset: Ruleset) -> None:
    """Refuse a request of a seat with a key whose lines cannot have been signed as they will stand in the log.

    Raises: Refusal core.signed-by-mail, core.signed-script, core.signature-missing; Unreadable core.not-canonical
    """
    if not seat.signer:
        return
    if orders.channel == MAIL_CHANNEL:
        raise Refusal("core.signed-by-mail", "CORE-FAIR", side=seat.side)
    if not script.is_plain:
        raise Refusal("core.signed-script", "CORE-FAIR", side=seat.side)
    faults = []
    for line in script.orders:
        if line.text and (text := ruleset.write(ruleset.read(line.text), "en")) != line.text:
            faults.append(ScriptFault(line, Refusal("core.not-canonical", "CORE-FAIR", text=text)))
    if faults:
        raise Unreadable(script, tuple(faults))
    if len(orders.signatures) != len(script.orders):
        counts = {"lines": len(script.orders), "given": len(orders.signatures)}
        raise Refusal("core.signature-missing", "CORE-FAIR", side=seat.side, **counts)


class LinesToSign(Struct, frozen=True):
    """Order lines as the log will have them, and the index of the one that brings a contribution owed, -1 if none."""

    texts: tuple[str, ...]
    bringing: int


def lines_to_sign(script: Script, ruleset: Ruleset, is_stale: bool) -> LinesToSign:
    """What a seat with a key signs of a plain script: the first line of all brings what the seat owes whatever the turn
    (`is_stale`; without a line it comes alone), else the first ordinary one brings that of the turn. Lines of disputes
    bring none."""
    commands = [ruleset.read(line.text) for line in script.orders if line.text]
    ordinary = (at for at, command in enumerate(commands) if not (command.FREE or command.ANSWERS))
    of_the_game = (at for at, command in enumerate(commands) if not isinstance(command, DisputeOrder))
    alone = 0 if is_stale and not commands else -1
    bringing = next(of_the_game if is_stale else ordinary, alone)
    return LinesToSign(tuple(ruleset.write(command, "en") for command in commands), bringing)


def require_right(battle_id: str, before: Battle, entered: Sequence[Entered]) -> None:
    """Refuse what has been entered if a signature in it is not the seat's own, over just that.

    Shape:  one order with the contribution that it brings, or a contribution alone
    Raises: Refusal core.bad-signature, which says what the line is and what it brings
    """
    giving, gives = b"", ""
    for item in entered:
        event = item.whole.event
        if isinstance(event, ContributionGiven):
            giving, gives = _giving(event)
        elif not isinstance(event, OrderAccepted):
            continue
        if event.serial is UNSET or event.seen is UNSET:
            continue
        text = event.text if isinstance(event, OrderAccepted) and event.text is not UNSET else ""
        seen = event.seen.n, bytes.fromhex(event.seen.hash)
        message = fairness.signed_message(battle_id, event.side, event.serial, seen, giving, text)
        if not _is_right(before.seats[event.side].signer, event.signature, message):
            said = {"side": event.side, "serial": event.serial, "text": text, "gives": gives}
            raise Refusal("core.bad-signature", "CORE-FAIR", **said)


def _is_right(signer: str, signature: object, message: bytes) -> bool:
    public, signed = signature_bytes(signer, KEY_BYTES), signature_bytes(signature, SIGNATURE_BYTES)
    if public is None or signed is None:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signed, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _giving(event: ContributionGiven) -> tuple[bytes, str]:
    """What a contribution adds to the signature, and its name."""
    if event.kind == "plain":
        return event.phrase.encode(), "phrase"
    return bytes.fromhex(event.value), event.kind
