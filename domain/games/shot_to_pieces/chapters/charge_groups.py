"""Chapter ACT, charges of a group: each member its own, for one order (STP-ACT-05)."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.games.shot_to_pieces.chapters.charges import Onset, announce, on_charge_declared, plan_unpaid
from domain.games.shot_to_pieces.chapters.points import FREE, pay, price, require_payable
from domain.games.shot_to_pieces.state.commands import Charge
from domain.games.shot_to_pieces.state.state import State

PAID = -1
"""The cost of a charge for which another member of the group pays."""


def plan_charges(state: State, side: str, commands: Sequence[Charge]) -> tuple[Onset, ...]:
    """The charges of a group, planned one after the other as they will be declared; the first pays for all
    (STP-ACT-05).

    Raises: Refusal of a charge of one unit
    """
    onsets: list[Onset] = []
    then = state
    for command in commands:
        onset = plan_unpaid(then, side, command, is_alone=False)
        onsets.append(onset)
        then = on_charge_declared(then, onset.declared)
    units = [state.units[command.unit] for command in commands]
    paying = [at for at, onset in enumerate(onsets) if onset.payment.quota != FREE]
    if not paying:
        return tuple(onsets)
    corps = state.corps[units[0].corps]
    one = 0 if corps.strategic else price(state, units)
    extra = sum(onsets[at].payment.cost - price(state, (units[at],)) for at in paying) if one else 0
    paid = replace(onsets[paying[0]].payment, cost=one + extra)
    require_payable(state, paid)
    return tuple(
        replace(onset, payment=paid if at == paying[0] else replace(onset.payment, cost=PAID))
        for at, onset in enumerate(onsets)
    )


def declare_all(judge: Judge[State], side: str, onsets: Sequence[Onset]) -> None:
    """The group is paid for once; then each charge is declared."""
    for onset in onsets:
        if onset.payment.cost != PAID:
            pay(judge, side, onset.payment)
        announce(judge, side, onset.declared)
