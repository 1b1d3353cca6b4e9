"""What a seat with a key may send, and what of it is signed (fairness.md 2).

What is signed has to be known to the player beforehand: so their lines are plain orders in canonical form, and each
names the head that it answers. A mail program signs nothing: a seat with a key does not order by mail.
"""

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.contract.dispute_lines import DisputeOrder
from domain.contract.ruleset import Ruleset
from domain.run.seats import Battle
from domain.scripts.program import Script, ScriptFault
from domain.scripts.reading import Unreadable
from server.play.request import MAIL_CHANNEL, OrderRequest


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
