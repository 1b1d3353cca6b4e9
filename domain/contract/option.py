"""What a side may order, and where it leads on the table."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from msgspec import Struct

from domain.contract.scene import Point
from domain.mechanics.trial import How

Act = Literal["move", "charge", "shoot", "place", "join", "stay"]


class OrderTarget(Struct, frozen=True, gc=False, omit_defaults=True):
    """What an order does on the table, in words that all games share: what a page lights up for it.

    `act`: the unit goes somewhere (`move`), attacks (`charge`, `shoot`), is put somewhere (`place`), goes with
    somebody (`join`), or does something where it stands (`stay`). `box` is a cell of the scene; on a table of free
    measure `point` is a spot of the scene instead. Of an attack they are where its target stands, of everything else
    where the unit is when all has gone well. `unit` is who is attacked or joined. `facing` is the one that the order
    gives the unit, in tenths of a degree, None where it gives none. `path` are the cells, `way` the spots that the
    unit enters. `edge` is the cell on the other side, for what lies between two. `group` are the units of a group,
    each with its cell at the end. `said` is the same order as it names its box (`R1 to D3`), "" where no such words
    mean it.
    """

    act: Act
    box: str = ""
    point: Point | None = None
    unit: str = ""
    facing: int | None = None
    path: tuple[str, ...] = ()
    way: tuple[Point, ...] = ()
    edge: str = ""
    group: tuple[tuple[str, str], ...] = ()
    said: str = ""


class Option(Struct, frozen=True, gc=False, omit_defaults=True):
    """A legal order, complete and playable as it stands (design.md 4).

    `target` is where it leads, None for an order that is about no place. `needed` is what a card or die is measured
    against (0: none is drawn) and `how` what passes (`domain.mechanics.trial`), `factors` each modifier with its rule,
    `odds` [cards or faces that do, all of them] of the first draw. Where a choice is continuous, `limits` bound it and
    `exhaustive` is false.
    """

    order: str
    kind: str
    unit: str = ""
    needed: int = 0
    factors: tuple[Any, ...] = ()
    odds: tuple[int, int] | None = None
    limits: dict[str, Any] | None = None
    exhaustive: bool = True
    how: How = "at-least"
    target: OrderTarget | None = None


class GroupOrders(Struct, frozen=True):
    """What a game lets several units do as one, as `(state, side, units)`, from the state as the side knows it; by
    default nothing. Each of the units is named once.

    `options` are the orders to exactly these units, no more and no fewer, beside those that the game lists for
    everybody. `tried` are the order lines by which a player may have meant them to act together: where there is no such
    order, the refusal of the first tells why.
    """

    options: Callable[[Any, str, Sequence[str]], Sequence[Option]] = lambda state, side, units: ()
    tried: Callable[[Any, str, Sequence[str]], Sequence[str]] = lambda state, side, units: ()
