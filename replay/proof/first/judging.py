"""Go through a log of version 1, beside a fold that knows which cards are in a pile."""

from collections.abc import Callable, Sequence

from domain.contract.ruleset import Ruleset
from domain.events.battle import CardDrawn, OrderAccepted
from domain.log.record import FIRST_VERSION, Recorded
from domain.run.timeline import Timeline, vault_of
from replay.proof.blocks import ProtocolFault
from replay.proof.first import draws


def check(
    battle: str, rules: str, ruleset: Ruleset, events: Sequence[Recorded], progress: Callable[[int], None]
) -> draws.FirstReport:
    """Check set-up, contributions, draws and sealed members by PBEM-1; `rules` is the version the header names.

    Raises:  ProtocolFault at the first event that is wrong
    """
    fold = _Fold(ruleset, rules, events)
    walk = draws.FirstDraws(battle, events, fold.deck_cards, fold.pile)
    for recorded in events:
        fold.feed(recorded)
        walk.feed(recorded)
        event, t = recorded.event, fold.before.game.t
        if isinstance(event, OrderAccepted) and rules == ruleset.version and event.t != t:
            raise ProtocolFault(recorded.n, "other-turn", expected=t, found=event.t)
        progress(recorded.n)
    return walk.finish()


class _Fold:
    """The battle before and after the event that is being checked, for what its decks hold."""

    def __init__(self, ruleset: Ruleset, rules: str, events: Sequence[Recorded]) -> None:
        self.ruleset = ruleset
        self.timeline = Timeline(ruleset, vault_of(list(events)), rules, FIRST_VERSION)
        self.before = self.after = self.timeline.now
        self.is_draw = False
        self.size = 0

    def feed(self, recorded: Recorded) -> None:
        """Fold the next event."""
        self.before = self.after
        self.after = self.timeline.feed(recorded)
        self.is_draw = isinstance(recorded.event, CardDrawn)
        self.size = getattr(recorded.event, "size", 0)

    def deck_cards(self, deck: str) -> tuple[str, ...] | None:
        """A whole deck: asked for once, when it is first shuffled or drawn from."""
        battle = self.before if self.is_draw else self.after
        return self.ruleset.draws.pile(battle.game, deck) or None

    def pile(self, deck: str) -> tuple[str, ...] | None:
        """A pile that has just been shuffled; None if some of its cards may be out and still sealed."""
        cards = self.ruleset.draws.pile(self.after.game, deck)
        hidden = any(n not in self.timeline.vault for n in self.after.sealed)
        return None if hidden and len(cards) > self.size else cards or None
