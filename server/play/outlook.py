"""The result of trying orders: what they would probably do (`server.play.preview`)."""

from typing import Any

from msgspec import Struct

from domain.basics.message import Message
from domain.mechanics.trial import How


class FirstDraw(Struct, frozen=True):
    """The first draw of the first line: one of `pile` cards, or with `dice` a die of `pile` sides. Of these `good` pass
    what is `needed`; `how` says which do.

    `needed` 0 and `good` null: the draw decides more than one number. `factors` are rule, reason and effect.
    """

    deck: str
    pile: int
    needed: int
    good: int | None
    factors: tuple[Any, ...]
    how: How = "at-least"
    dice: bool = False


class Reason(Struct, frozen=True):
    """A refusal: its code, its rule, and the parameters of its sentence."""

    code: str
    rule: str
    params: dict[str, Any]


class PreviewLine(Struct, frozen=True, omit_defaults=True):
    """A line in the playouts: how often it was accepted, refused (and why; `commonest`: the most frequent reason, as in
    its first playout), not reached, skipped by the script, or left waiting for an answer.

    `events` counts the playouts in which an event of a kind happened in this line, `orders` the orders that it gave in
    all of them (left out where that is one each time it was accepted). `failed` of the playouts in which it was
    accepted are those in which its card or die did not suffice; `if_fails` is what followed each time, and never else.
    """

    line: int
    order: str
    accepted: int
    refused: int
    unreached: int
    asked: int
    events: dict[str, int]
    refusals: dict[str, int] = {}
    skipped: int = 0
    orders: int = 0
    commonest: Reason | None = None
    failed: int = 0
    if_fails: tuple[Message, ...] = ()


class Preview(Struct, frozen=True):
    """What orders would do, as far as their side can know. Nothing was drawn and nothing stored."""

    battle: str
    n: int
    side: str
    method: str
    playouts: int
    first_draw: FirstDraw | None
    lines: tuple[PreviewLine, ...]
