"""Where the orders of a list lead, for what draws them on a board."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.contract.option import OrderTarget
from server.shown.picks import Pick, Picks


class TargetShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """An order that leads somewhere: `order` in the notation of its reader, `target` as the API has it, but that `said`
    is in that notation, too. `under` is the id of the group of the list under which the order stands, "" for none,
    `chance` the share of cards or faces that do, in words."""

    order: str
    target: OrderTarget
    under: str = ""
    chance: str = ""


def targets_of(groups: Sequence[Picks]) -> tuple[TargetShown, ...]:
    """The targets of all groups of a list, in their order; of each, those of its menu first."""
    return tuple(target for group in groups for target in _of_group(group))


def targets_alone(picks: Sequence[Pick]) -> tuple[TargetShown, ...]:
    """The targets of orders that stand under no group."""
    return tuple(TargetShown(pick.order, pick.target, "", pick.chance) for pick in picks if pick.target)


def _of_group(group: Picks) -> Iterator[TargetShown]:
    for (order, _), target in zip(group.menu, group.targets, strict=True):
        if target:
            yield TargetShown(order, target, group.id)
    for pick in group.picks:
        if pick.target:
            yield TargetShown(pick.order, pick.target, group.id, pick.chance)
