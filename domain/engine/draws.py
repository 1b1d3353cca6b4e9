"""The draws that an event has made, and the stream of each.

What holds:
- A draw is one word of the stream of its scope in its period, below its `size`: the sides of a die, or the cards
  that the pile could give. Reading the draws of a log in order leaves each stream where the next draw finds it; after
  a restart the dealer goes on from there, and the audit gives the rules what they drew.
- Of a die the face was drawn, not what the face counts. Events of plain dice have no `face`; value and face are one.
- A look at coming cards (fairness.md 3) draws at that moment, under `hand:SIDE`: the member `shown` of an event lists
  the cards. The `CardDrawn` of each, which follows when it comes up, draws nothing further.
- Independent draws (`…x0`) leave their pile as it is, so their size never falls.

Why the log and not a counter in the state: a refused order must consume nothing, and a rewind begins new streams; the
events that stand say exactly how far each stream has come. Rejected: a draw event of its own beside each event; every
log would tell each card twice.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, Struct

from domain.events.battle import CardDrawn, DieRolled
from domain.log.fairness import scope_label
from domain.log.record import seat_of

INDEPENDENT: tuple[str, ...] = tuple(f"{value}x0" for value in range(1, 11))
"""The cards of a pile to which each goes back at once, in canonical order."""


class Draw(Struct, frozen=True, gc=False):
    """One word of the stream of a scope: `code` of the card or face of the die, out of `size`."""

    scope: str
    code: str
    size: int


def was_looked_at(event: CardDrawn) -> bool:
    """Whether a card was drawn by an earlier look: one of the deck SIDE with the scope `hand:SIDE`."""
    return event.scope.partition("/")[0] == f"hand:{event.deck}"


def face_of(event: DieRolled) -> int:
    """What fell: the face, where a table of the game makes another value of it."""
    return event.value if event.face is UNSET else event.face


def draws_of(event: Any, by: str, rewinds: int, pile: Sequence[str] = ()) -> list[Draw]:
    """The draws that an event has made, in order.

    Shape:   `event` whole; `rewinds` of the battle; `pile` the cards of the looker's deck before the event, which only
             the size of a look needs
    """
    if isinstance(event, DieRolled):
        return [Draw(event.scope, str(face_of(event)), event.sides)]
    if isinstance(event, CardDrawn):
        if was_looked_at(event):
            return []
        card = str(event.card)
        return [Draw(event.scope, card, len(INDEPENDENT) if card.endswith("x0") else event.remaining + 1)]
    shown = getattr(event, "shown", UNSET)
    if shown is UNSET:
        return []
    scope = scope_label(f"hand:{seat_of(event, by)}", rewinds)
    endless = len(pile) if shown and shown[0].endswith("x0") else 0
    return [Draw(scope, card, endless or len(pile) - ahead) for ahead, card in enumerate(shown)]


def look_of(event: Any, by: str) -> str:
    """The side whose deck an event looks into, or ""."""
    return "" if getattr(event, "shown", UNSET) is UNSET else seat_of(event, by)
