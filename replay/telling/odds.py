"""The draws that settled an event, and their odds.

The odds are those of the moment before a card was drawn: how many of the cards then left in its deck
would have done. They are counted in the pile of the state before the event, with the cards put back
that were drawn for it.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from msgspec import UNSET, Struct

from domain.engine.events import (
    INPUTS,
    CardDrawn,
    DecisionAsked,
    DecisionMade,
    DeckShuffled,
    DrawAccepted,
    DrawDeclined,
    DrawLapsed,
    DrawOffered,
    Event,
    StandingOrderSet,
)
from domain.log.record import Recorded
from domain.mechanics.cards import cards_at_least
from domain.ruleset import Ruleset

SUBJECTS = ("unit", "attacker", "general")
"""The members that name for whom a card is drawn."""
BETWEEN: tuple[type[Event], ...] = (
    DeckShuffled,
    DecisionAsked,
    DecisionMade,
    DrawAccepted,
    DrawDeclined,
    DrawLapsed,
    DrawOffered,
    StandingOrderSet,
    *INPUTS,
)
"""What may stand between a card and the event that it settles: the question whether it stands."""
REPLAYED = "CardReplayed"
FIRED, SPENT = "StratagemTriggered", "StratagemPlayed"
"""What a card just drawn lets happen without naming it; and what costs a card that was drawn long before."""


class Odds(Struct, frozen=True):
    """Of `of` cards that could come, `does` are `needed` or more."""

    does: int
    of: int
    needed: int


class Draw(Struct, frozen=True):
    """A card: the `index`-th of an epoch of its deck, after which `remaining` are left.

    `stands` is false for a card that was drawn again; `odds` are those at the moment before it.
    """

    n: int
    deck: str
    epoch: int
    index: int
    card: str
    purpose: str
    remaining: int
    stands: bool
    odds: Odds | None = None


def draws_of(ruleset: Ruleset, before: Any, log: Sequence[Recorded], needed: int | None) -> tuple[Draw, ...]:
    """The cards that settled the last event, the first drawn first, each with its odds."""
    recorded = log[-1]
    event = recorded.event
    if isinstance(event, CardDrawn):
        return (
            () if event.card is UNSET else (_draw(recorded.n, event, ruleset.draws.pile(before, event.deck), needed),)
        )
    if not _is_settled_by_cards(recorded):
        return ()
    draws: list[Draw] = []
    piles: dict[str, tuple[str, ...]] = {}
    replayed = recorded.type == REPLAYED
    subjects = _subjects(event) | ({""} if recorded.type == FIRED else set())  # a corps is no unit of its card
    for earlier in islice(reversed(log), 1, None):
        drawn = earlier.event
        if isinstance(drawn, DeckShuffled):
            piles[drawn.deck] = ()
        elif isinstance(drawn, CardDrawn):
            if drawn.unit not in subjects or (draws and drawn.purpose != draws[0].purpose):
                break
            if drawn.card is UNSET:  # it went into a hand, and the reader does not know it
                continue
            pile = _pile_before(drawn, piles.get(drawn.deck, ruleset.draws.pile(before, drawn.deck)))
            draws.append(_draw(earlier.n, drawn, pile, needed, stands=not (draws and replayed)))
            piles[drawn.deck] = pile
        elif earlier.type == REPLAYED:
            replayed = True
        elif not isinstance(drawn, BETWEEN):
            break
    return tuple(reversed(draws))


def _is_settled_by_cards(recorded: Recorded) -> bool:
    event = recorded.event
    if recorded.type in (FIRED, SPENT):
        return recorded.type == FIRED
    return bool(getattr(event, "card", 0)) or isinstance(getattr(event, "cards", None), tuple)


def _pile_before(drawn: CardDrawn, pile_after: tuple[str, ...]) -> tuple[str, ...]:
    """The pile that a card came from, given the pile after it; () if that cannot be known.

    Independent draws leave the pile as it is. Before a shuffle the pile after the last card is
    empty; a shuffle of anything else hides what was there.
    """
    if drawn.card in pile_after:
        return pile_after
    return (*pile_after, str(drawn.card)) if len(pile_after) == drawn.remaining else ()


def _draw(n: int, drawn: CardDrawn, pile: tuple[str, ...], needed: int | None, stands: bool = True) -> Draw:
    odds = _odds(pile, needed) if needed else None
    index, remaining = drawn.index, drawn.remaining
    return Draw(n, drawn.deck, drawn.epoch, index, str(drawn.card), drawn.purpose, remaining, stands, odds)


def _odds(pile: tuple[str, ...], needed: int) -> Odds | None:
    return Odds(cards_at_least(pile, needed), len(pile), needed) if pile else None


def odds_now(ruleset: Ruleset, before: Any, event: Event) -> Odds | None:
    """The odds of the card that a question is about: the next one of the side asked."""
    needed = getattr(event, "needed", UNSET)
    if not isinstance(event, DecisionAsked) or not isinstance(needed, int):
        return None
    return _odds(ruleset.draws.pile(before, event.side), needed)


def needed_after(card: Event, after: Sequence[Recorded]) -> int | None:
    """What a card just drawn, or drawn again, is measured against: the first event after it that tells."""
    if not isinstance(card, CardDrawn) and type(card).__name__ != REPLAYED:
        return None
    for later in after:
        needed = getattr(later.event, "needed", UNSET)
        if isinstance(needed, int) and _subjects(card) & _subjects(later.event):
            return needed
        if not isinstance(later.event, (CardDrawn, *BETWEEN)) and later.type != REPLAYED:
            break
    return None


def _subjects(event: Event) -> set[str]:
    """For whom an event may have drawn a card."""
    return {getattr(event, member) for member in SUBJECTS if isinstance(getattr(event, member, None), str)} or {""}
