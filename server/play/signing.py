"""Check the players' own signatures before anything of their messages is stored (fairness.md 2).

A seat with a key signs each line by itself, and each contribution that comes alone. What is signed has to be known to
the player beforehand: so their lines are plain orders in canonical form, and each names the head that it answers. A
mail program signs nothing: a seat with a key does not order by mail.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, Struct

from domain.basics.errors import Refusal
from domain.contract.dispute_lines import DisputeOrder
from domain.contract.ruleset import Ruleset
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
from domain.scripts.program import Script, ScriptFault
from domain.scripts.reading import Unreadable
from replay.proof.own_words import is_right, public_key, signature_bytes
from server.play.request import MAIL_CHANNEL, OrderRequest


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


def require_signable(signer: str, orders: OrderRequest, script: Script, ruleset: Ruleset) -> None:
    """Refuse a request of a seat or an umpire with the key `signer` whose lines cannot have been signed as they will
    stand in the log.

    Raises: Refusal core.signed-by-mail, core.signed-script, core.signature-missing; Unreadable core.not-canonical
    """
    if not signer:
        return
    if orders.channel == MAIL_CHANNEL:
        raise Refusal("core.signed-by-mail", "CORE-FAIR", side=orders.side)
    if not script.is_plain:
        raise Refusal("core.signed-script", "CORE-FAIR", side=orders.side)
    faults = []
    for line in script.orders:
        if line.text and (text := ruleset.write(ruleset.read(line.text), "en")) != line.text:
            faults.append(ScriptFault(line, Refusal("core.not-canonical", "CORE-FAIR", text=text)))
    if faults:
        raise Unreadable(script, tuple(faults))
    if not 0 <= len(orders.signatures) - len(script.orders) <= 1:  # one more signs an entry behind the lines
        counts = {"lines": len(script.orders), "given": len(orders.signatures)}
        raise Refusal("core.signature-missing", "CORE-FAIR", side=orders.side, **counts)


def require_unsigned(battle: Battle, side: str) -> None:
    """Refuse that the player of a seat who signs all they do leaves, claims or pauses by mail (PBEM-2.1).

    Raises: Refusal core.signed-act-by-mail
    """
    if battle.signs_all(side):
        raise Refusal("core.signed-act-by-mail", "CORE-FAIR", side=side)


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
