"""The events of To the Strongest! that tell of a test, or of a card looked up in a table.

An event with the value of a card is one; what was needed, and why, stands beside it. Cards that pay for something
(stratagems) are none, and a stratagem that a card lets fire does not name that card.
"""

from typing import Any

from msgspec import UNSET

from domain.events.battle import CardDrawn, Event, Fact
from domain.games.to_the_strongest.chapters.armed import StratagemTriggered
from domain.games.to_the_strongest.chapters.decisions import DecisionAsked
from domain.games.to_the_strongest.chapters.replays import CardReplayed
from domain.games.to_the_strongest.chapters.stratagems import StratagemPlayed
from domain.games.to_the_strongest.state.state import State
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS
from domain.mechanics.modifiers import Factors, total
from domain.mechanics.trial import Trial

SUBJECTS = ("unit", "attacker", "general")
"""The members that name for whom a card is drawn."""
ARRIVAL = STRATAGEMS["flank-march"].numbers["needed"]
"""What the card of a flank march must reach (TTS-STR-05)."""


def trial(state: State, fact: Fact) -> Trial | None:
    """The test that a fact was; factors are those of its event, a plus making it harder except for saves."""
    event: Any = fact.event
    if isinstance(event, StratagemPlayed) or (isinstance(event, CardDrawn) and event.purpose != "arrival"):
        return None
    if isinstance(event, (StratagemTriggered, CardDrawn)):
        arrives = isinstance(event, CardDrawn) or event.stratagem == "flank-march"
        needed = ARRIVAL if arrives else None
        return Trial(side=fact.by, purpose="", units=(event.unit, ""), needed=needed, base=needed)  # a corps is no unit
    ahead = isinstance(event, DecisionAsked) and event.needed is not UNSET
    cards = _cards(event)
    if not cards and not ahead:
        return None
    needed = getattr(event, "needed", None)
    factors: Factors = getattr(event, "factors", ())
    return Trial(
        side=event.side if ahead else fact.by,
        purpose="",
        units=units_of(event),
        draws=tuple(card for card in cards if isinstance(card, int)),
        needed=needed if isinstance(needed, int) else None,
        base=needed - total(factors) if isinstance(needed, int) else None,
        factors=factors,
        again=isinstance(event, CardReplayed),
        ahead=ahead,
    )


def units_of(event: Event) -> tuple[str, ...]:
    """For whom an event may have drawn a card; "" for nobody in particular."""
    named = (getattr(event, member, None) for member in SUBJECTS)
    return tuple(name for name in named if isinstance(name, str)) or ("",)


def _cards(event: Any) -> tuple[int | str, ...]:
    """The values, or the codes, of the cards that an event tells."""
    cards = getattr(event, "cards", None)
    if isinstance(cards, tuple):
        return cards
    card = getattr(event, "card", 0)
    return (card,) if card else ()
