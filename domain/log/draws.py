"""The draws that an event has made, and the stream of each.

A card, a die, or a look at coming cards (fairness.md 3): the member `shown` of an event lists cards of
the looker's own deck that were drawn at that moment, under `hand:SIDE`; the `CardDrawn` of each, which
follows when it comes up, draws nothing further.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, Struct

from domain.engine.events import CardDrawn, DieRolled
from domain.log.fairness import scope_label
from domain.log.record import sealed_under
from domain.mechanics.cards import TEN_SIDED


class Draw(Struct, frozen=True, gc=False):
    """One word of the stream (t, scope): `code` of the card or face of the die, out of `size`."""

    t: int
    scope: str
    code: str
    size: int


def was_looked_at(event: CardDrawn) -> bool:
    """Whether a card was drawn by an earlier look: one of the deck SIDE with the scope `hand:SIDE`."""
    return event.scope.partition("/")[0] == f"hand:{event.deck}"


def draws_of(event: Any, by: str, order_t: int, rewinds: int, pile: Sequence[str] = ()) -> list[Draw]:
    """The draws that an event has made, in order.

    Shape:   `event` whole; `order_t` the t of the newest order, `rewinds` of the battle; `pile` the
             cards of the looker's deck before the event, called only where the size of a look matters
    """
    if isinstance(event, DieRolled):
        face = event.value if event.face is UNSET else event.face
        return [Draw(event.t, event.scope, str(face), event.sides)]
    if isinstance(event, CardDrawn):
        if was_looked_at(event):
            return []
        card = str(event.card)
        return [Draw(event.t, event.scope, card, len(TEN_SIDED) if card.endswith("x0") else event.remaining + 1)]
    shown = getattr(event, "shown", UNSET)
    if shown is UNSET:
        return []
    t, side = sealed_under(event, by, order_t)
    scope = scope_label(f"hand:{side}", rewinds)
    endless = len(pile) if shown and shown[0].endswith("x0") else 0
    return [Draw(t, scope, card, endless or len(pile) - ahead) for ahead, card in enumerate(shown)]


def look_of(event: Any, by: str) -> str:
    """The side whose deck an event looks into, or ""."""
    return "" if getattr(event, "shown", UNSET) is UNSET else sealed_under(event, by, 0)[1]
