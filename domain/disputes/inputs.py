"""Turn an order of a dispute into facts for the log, for any game (`domain.run.inputs` has the other inputs)."""

from typing import Protocol

from msgspec.structs import replace

from domain.contract.dispute_lines import CORRECT, DisputeOrder
from domain.contract.ruleset import Ruleset
from domain.disputes.case import Spoken
from domain.disputes.corrections import canonical
from domain.disputes.disputes import decide_dispute, require_named_seat
from domain.engine.dockets import UMPIRE
from domain.events.battle import Rewound
from domain.log.record import PBEM_2_1
from domain.run.block_writer import BlockWriter, Deal, Entered, Secrets
from domain.run.inputs import Entry, accepted, entry_alone
from domain.run.own_word import require_signed
from domain.run.rewind_points import Past
from domain.run.seats import Battle


class DisputedLog(Past, Protocol):
    """The log that a dispute is about, and the battle after each of its events."""

    def at(self, n: int) -> Battle:
        """The battle after event `n`."""


def enter_dispute(
    ruleset: Ruleset,
    battle: Battle,
    entry: Entry,
    order: DisputeOrder,
    secrets: Secrets,
    log: DisputedLog,
    at: str,
    flags: frozenset[str] = frozenset(),
    silent: frozenset[str] = frozenset(),
    deal: Deal | None = None,
) -> tuple[Entered, ...]:
    """An order of a dispute with its consequences, in a turn or out of it. It brings no contribution (fairness.md 2);
    but behind an agreement that takes play back stands the entry of the side that agrees, alone (version 3). `flags`
    are the sides whose flag has fallen, `silent` those that have been silent.

    Raises: Refusal core.docket-…, core.substitute-seat
    """
    require_named_seat(order, entry.named)
    if order.remedy == CORRECT:
        order = replace(order, text=canonical(ruleset, order.text))
    text = ruleset.write(order, "en")
    spoken = Spoken(entry.side, entry.player, order, at, entry.seen, entry.named, flags, silent)
    facts = decide_dispute(ruleset, battle, log, spoken)
    require_signed(battle, entry.side, entry.signed, entry.seen)
    writer = BlockWriter(ruleset, battle, secrets, log.at)
    writer.block(accepted(battle, entry, text, order), facts)
    takes_back = any(isinstance(fact.event, Rewound) for fact in facts)
    if takes_back and deal is not None and entry.side != UMPIRE and battle.version >= PBEM_2_1:
        writer.contribute(entry_alone(writer.battle, entry, secrets), deal)
    return tuple(writer.entered)
