"""Refuse to write a draw that a verifier would refuse: the host's side of `domain.log.draw_rules`.

What a game does wrong here is its own error, and no player's: nothing is written, and who writes the game is told.

The place of a card in its deck is compared with the decks of the state (`BranchRules.decks`, `DrawRules.pile`), for the
log from event 1 on is not in memory. Two things only the verifier can say, and `lab` asks it about each case: whether
a game whose state is wrong in itself puts cards back that were kept, and how many are left behind a card that was
looked at, for the decks of a state are without looks. A game that does not tell its decks has that checked there alone.
That a card is one of its pile is not asked here: a case of the lab may stack others.
"""

from typing import Any

from domain.basics.errors import BrokenInvariant
from domain.contract.ruleset import Ruleset
from domain.engine.draws import INDEPENDENT, was_looked_at
from domain.events.battle import CardDrawn, DeckShuffled, DieRolled, Event
from domain.log.draw_rules import (
    DICE,
    Flaw,
    ScopeRules,
    card_flaw,
    die_flaw,
    index_flaw,
    shuffle_flaw,
    too_early,
    turn_flaw,
)
from domain.run.seats import Battle


class WaitingForContribution(Exception):
    """A draw needs the contribution of a side that has not given one."""

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.side = side


def require_provable(ruleset: Ruleset, battle: Battle, event: Event) -> None:
    """Check an event, if it is a draw or a shuffle; `battle` is the one before it.

    Raises: BrokenInvariant
    """
    kind = type(event)
    if kind is not DieRolled and kind is not CardDrawn and kind is not DeckShuffled:
        return
    flaw = _flaw(ruleset, battle.game, ScopeRules(ruleset.seats.seeding, battle.version), event)
    if flaw is not None:
        raise _unprovable(kind.__name__, flaw)


def _flaw(ruleset: Ruleset, game: Any, rules: ScopeRules, drawn: Any) -> Flaw | None:
    if isinstance(drawn, DieRolled):
        flaw = die_flaw(drawn, ruleset.draws.faces) or turn_flaw(drawn.t, game.t)
        flaw = flaw or rules.flaw(DICE, drawn.scope, game.rewinds)
        return flaw or index_flaw(drawn.index, game.rolled.get(drawn.scope, 0))
    left = ruleset.branches.decks(game).get(drawn.deck)
    if isinstance(drawn, DeckShuffled):
        return None if left is None else shuffle_flaw(drawn, left.epoch, drawn.size)
    if was_looked_at(drawn):
        return None if left is None else card_flaw(drawn, left.epoch, left.drawn, drawn.remaining + 1)
    flaw = turn_flaw(drawn.t, game.t) or rules.flaw(drawn.deck, drawn.scope, game.rewinds)
    if flaw is not None or left is None:
        return flaw
    return card_flaw(drawn, left.epoch, left.drawn, len(left.cards), is_endless=left.cards == INDEPENDENT)


def require_in_time(battle: Battle, names: tuple[str, ...], period: int, scope: str) -> None:
    """Check that a scope may be drawn from for the first time in a period, which may be one that the order itself has
    begun: the mover of that one has contributed nothing to it.

    Raises: WaitingForContribution; BrokenInvariant for rules that can never draw there
    """
    seats = (battle.seats.get(side) for side in names)
    waiting = [side for side, seat in zip(names, seats, strict=True) if not seat or not seat.contribution or seat.stale]
    mover = battle.game.mover
    if period > battle.period:
        mover = "its mover"
    elif not battle.owes(mover):
        mover = ""
    flaw = too_early(scope, battle.begun, waiting, mover)
    if flaw is None:
        return
    if period > battle.period and not waiting:
        raise _unprovable(scope, flaw)
    raise WaitingForContribution(str(flaw[1].get("side", "")))


def _unprovable(drawn: str, flaw: Flaw) -> BrokenInvariant:
    what, details = flaw
    told = ", ".join(f"{name} {value!r}" for name, value in details.items())
    return BrokenInvariant(f"{drawn} would be refused by its reader: {what} ({told})")
