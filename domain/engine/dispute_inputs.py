"""Turn an order of a dispute into facts for the log, for any game (`domain.engine.inputs` has the other inputs)."""

from typing import Protocol

from msgspec.structs import replace

from domain.engine.block_writer import BlockWriter, Entered, Secrets
from domain.engine.corrections import canonical
from domain.engine.dispute_case import Spoken
from domain.engine.dispute_lines import CORRECT, DisputeOrder
from domain.engine.disputes import decide_dispute, require_named_seat
from domain.engine.dockets import UMPIRE
from domain.engine.errors import Refusal
from domain.engine.inputs import Entry, accepted, require_signed
from domain.engine.rewind_points import Past
from domain.engine.seats import Battle
from domain.ruleset import Ruleset


class Log(Past, Protocol):
    """The log that a dispute is about, and the battle after each of its events."""

    def at(self, n: int) -> Battle:
        """The battle after event `n`."""


def enter_dispute(
    ruleset: Ruleset,
    battle: Battle,
    entry: Entry,
    order: DisputeOrder,
    secrets: Secrets,
    log: Log,
    at: str,
    flags: frozenset[str] = frozenset(),
    silent: frozenset[str] = frozenset(),
) -> tuple[Entered, ...]:
    """An order of a dispute with its consequences, in a turn or out of it. It brings no contribution (fairness.md 2).
    `flags` are the sides whose flag has fallen, `silent` those that have been silent.

    Raises: Refusal core.docket-…, core.substitute-seat
    """
    require_named_seat(order, entry.named)
    if order.remedy == CORRECT:
        order = replace(order, text=canonical(ruleset, order.text))
    text = ruleset.write(order, "en")
    spoken = Spoken(entry.side, entry.player, order, at, entry.seen, entry.named, flags, silent)
    facts = decide_dispute(ruleset, battle, log, spoken)
    if entry.side != UMPIRE:
        require_signed(battle, entry.side, entry.signed, entry.seen)
    elif entry.signed is not None:
        raise Refusal("core.not-signed-here", "CORE-FAIR", side=entry.side)
    writer = BlockWriter(ruleset, battle, secrets, log.at)
    writer.block(accepted(battle, entry, text, order), facts)
    return tuple(writer.entered)
