"""Chapter ZOC, charges that are due: none may be left undeclared that is possible (STP-ZOC-05, STP-ACT-11)."""

from collections.abc import Iterator

from domain.basics.errors import Refusal
from domain.games.shot_to_pieces.chapters.charges import would_be_accepted
from domain.games.shot_to_pieces.chapters.duties import duty_to
from domain.games.shot_to_pieces.chapters.paces import allowance
from domain.games.shot_to_pieces.plane.gaps import is_surely_apart
from domain.games.shot_to_pieces.state.state import State
from domain.games.shot_to_pieces.state.vocabulary import CHARGES


def charges_due(state: State) -> Iterator[tuple[str, str, str]]:
    """Each charge that the side to move has to declare, if it is not declared otherwise: unit, target, rule."""
    if state.step != CHARGES:
        return
    for unit in state.of(state.side):
        if unit.order_k == state.k or unit.shaken:
            continue
        reach = allowance(state, unit) * 3 // 2
        for enemy in state.enemies(unit):
            if is_surely_apart(unit.base, enemy.base, reach + 1):
                continue
            rule = duty_to(state, unit, enemy)
            if rule and would_be_accepted(state, unit, enemy):
                yield unit.id, enemy.id, rule


def require_no_charge_due(state: State) -> None:
    """Refuse to leave the charges while one is due.

    Raises: Refusal stp.charge-due
    """
    due = next(charges_due(state), None)
    if due:
        unit, target, rule = due
        raise Refusal("stp.charge-due", rule, unit=unit, target=target)
