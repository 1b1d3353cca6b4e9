"""The draws that settled an event, and their odds.

The game says in a `Trial` which draws those were, and what passes. The odds are those of the moment before a draw.
Of a die they are the trial's own. Of a card they are how many of the cards then left in its deck would have done,
counted in the pile of the state before the event, with the cards put back that were drawn for it.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from msgspec import UNSET, Struct

from domain.contract.ruleset import Ruleset
from domain.events.battle import (
    INPUTS,
    CardDrawn,
    DecisionAsked,
    DecisionMade,
    DeckShuffled,
    DieRolled,
    DrawAccepted,
    DrawDeclined,
    DrawLapsed,
    DrawOffered,
    Event,
    Fact,
    StandingOrderSet,
)
from domain.log.record import Recorded
from domain.mechanics.cards import card_value
from domain.mechanics.trial import How, Trial

DRAWS = (CardDrawn, DieRolled)
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
"""What may stand between a draw and the event that it settles: the question whether it stands."""


class Chances(Struct, frozen=True):
    """Of `of` cards, or ways in which dice may fall, `does` pass what is `needed`; `how` says which do."""

    does: int
    of: int
    needed: int
    how: How = "at-least"
    dice: bool = False


class DeckDraw(Struct, frozen=True):
    """A card: the `index`-th of an epoch of its deck, after which `remaining` are left. Or a die of `sides` sides, the
    `index`-th of its scope in its player-turn; `face` is what fell where it counts something else, `card` what counts.

    `stands` is false for a draw that another took the place of; `odds` are those at the moment before it.
    """

    n: int
    deck: str
    epoch: int
    index: int
    card: str
    purpose: str
    remaining: int
    stands: bool
    odds: Chances | None = None
    sides: int = 0
    face: int = 0


def trial_of(ruleset: Ruleset, before: Any, recorded: Recorded) -> Trial | None:
    """The test that an event was; a draw itself is rarely one, `trial_after` finds what it was measured against."""
    return ruleset.draws.trial(before, Fact(recorded.by, recorded.rule, recorded.event))


def draws_of(ruleset: Ruleset, before: Any, log: Sequence[Recorded], trial: Trial | None) -> tuple[DeckDraw, ...]:
    """The draws that settled the last event, the first drawn first, each with its odds.

    Shape: `trial` of the last event; of a draw itself, and of one that took another's place, the trial they belong to
    """
    recorded = log[-1]
    event = recorded.event
    if isinstance(event, DieRolled):
        return (_rolled(recorded.n, event, trial),)
    if isinstance(event, CardDrawn):
        return (
            ()
            if event.card is UNSET
            else (_deck_draw(recorded.n, event, ruleset.draws.pile(before, event.deck), trial),)
        )
    own = trial_of(ruleset, before, recorded)
    if own is None or (own.ahead and not own.draws):
        return ()
    draws: list[DeckDraw] = []
    piles: dict[str, tuple[str, ...]] = {}
    replaced = own.again
    for earlier in islice(reversed(log), 1, None):
        drawn = earlier.event
        if isinstance(drawn, DeckShuffled):
            piles[drawn.deck] = ()
        elif isinstance(drawn, DRAWS):
            purpose = draws[0].purpose if draws else own.purpose
            if own.how == "opposed" and not draws and drawn.unit not in own.units:
                continue  # the draw of the other side, which comes behind
            if drawn.unit not in own.units or purpose not in ("", drawn.purpose):
                break
            stands = not (draws and replaced)
            if isinstance(drawn, DieRolled):
                draws.append(_rolled(earlier.n, drawn, trial, stands))
            elif drawn.card is not UNSET:  # else it went into a hand, and the reader does not know it
                pile = _pile_before(drawn, piles.get(drawn.deck, ruleset.draws.pile(before, drawn.deck)))
                draws.append(_deck_draw(earlier.n, drawn, pile, trial, stands))
                piles[drawn.deck] = pile
        elif not isinstance(drawn, BETWEEN):
            between = trial_of(ruleset, before, earlier)
            if between is None or not between.again:
                break
            replaced = True
    return tuple(reversed(draws))


def _pile_before(drawn: CardDrawn, pile_after: tuple[str, ...]) -> tuple[str, ...]:
    """The pile that a card came from, given the pile after it; () if that cannot be known.

    Independent draws leave the pile as it is. Before a shuffle the pile after the last card is
    empty; a shuffle of anything else hides what was there.
    """
    if drawn.card in pile_after:
        return pile_after
    return (*pile_after, str(drawn.card)) if len(pile_after) == drawn.remaining else ()


def _deck_draw(n: int, drawn: CardDrawn, pile: tuple[str, ...], trial: Trial | None, stands: bool = True) -> DeckDraw:
    odds = _of_pile(pile, trial)
    return DeckDraw(
        n, drawn.deck, drawn.epoch, drawn.index, str(drawn.card), drawn.purpose, drawn.remaining, stands, odds
    )


def _rolled(n: int, rolled: DieRolled, trial: Trial | None, stands: bool = True) -> DeckDraw:
    face = 0 if rolled.face is UNSET else rolled.face
    odds = _of_trial(trial)
    return DeckDraw(
        n, "", 0, rolled.index, str(rolled.value), rolled.purpose, 0, stands, odds, sides=rolled.sides, face=face
    )


def _of_pile(pile: tuple[str, ...], trial: Trial | None) -> Chances | None:
    if trial is None or not trial.needed or not pile:
        return None
    return Chances(trial.does_of(map(card_value, pile)), len(pile), trial.needed, trial.how)


def _of_trial(trial: Trial | None) -> Chances | None:
    if trial is None or trial.passes is None or trial.needed is None:
        return None
    return Chances(*trial.passes, trial.needed, trial.how, dice=True)


def odds_now(ruleset: Ruleset, before: Any, trial: Trial | None) -> Chances | None:
    """The odds of the draw that a question is about: the next one of the side asked."""
    if trial is None or not trial.ahead:
        return None
    return _of_trial(trial) or _of_pile(ruleset.draws.pile(before, trial.side), trial)


def trial_after(ruleset: Ruleset, before: Any, drawn: Recorded, after: Sequence[Recorded]) -> Trial | None:
    """What a draw, or one that took another's place, is measured against: the first trial after it that is for the
    same unit and tells what was needed; None if something else happens first."""
    event: Any = drawn.event
    if isinstance(event, DRAWS):
        units: tuple[str, ...] = (event.unit,)
    elif (own := trial_of(ruleset, before, drawn)) is not None and own.again:
        units = own.units
    else:
        return None
    for later in after:
        if isinstance(later.event, (*DRAWS, *BETWEEN)):
            continue
        trial = trial_of(ruleset, before, later)
        if trial is None or (trial.needed is None and not trial.again):
            break
        if trial.needed is not None and not set(units).isdisjoint(trial.units):
            return trial
    return None
