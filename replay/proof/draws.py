"""Check that every card and die of a battle is the one that had to fall (fairness.md 2, 3).

All draws of a scope in a period share one stream, cards and dice, in the order of the log. Its seed is made from the
host's key of the period and the newest contribution of each seat, at the first draw. A draw whose key is not disclosed
yet is bound, and counted as such; whether its card can be in the pile at all is checked nevertheless.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Struct

from domain.engine.draws import face_of, was_looked_at
from domain.events.battle import PileLeft
from domain.log import fairness
from domain.log.draw_rules import DICE, Faces, ScopeRules, die_flaw, index_flaw, turn_flaw
from domain.log.fairness import Stream, scope_label
from domain.log.record import Recorded
from replay.proof.blocks import ProtocolFault, require, require_no
from replay.proof.contributions import Contributions
from replay.proof.keys import DisclosedKeys
from replay.proof.periods import PeriodMoment
from replay.proof.piles import Cards, DrawnPile, Piles, PileSoFar
from replay.proof.sealed import Sealed


class Tally(Struct):
    """How many draws a log has: all, those that recompute, those of the turn in progress, those that are one side's
    secret. `unknown` are cards of a game whose decks nobody here knows; they are not among the others."""

    draws: int = 0
    checked: int = 0
    bound: int = 0
    secret: int = 0
    unknown: int = 0


class _Scope:
    """The draws of one scope in one period; `stream` is None while its key is unknown."""

    __slots__ = ("rolls", "stream")

    def __init__(self, stream: Stream | None) -> None:
        self.stream = stream
        self.rolls = 0


class DrawsSoFar(Struct, frozen=True):
    """What the index of a check keeps: the piles, and of the scopes of period `index` the key and position of the
    stream (None where it is not known) and how many dice were rolled."""

    piles: dict[str, PileSoFar]
    index: int
    scopes: dict[str, tuple[tuple[bytes, int] | None, int]]


class Draws:
    """Follows the draws of one battle by the rules of its scopes; `decks` is None if those of its game are unknown
    here, `left` are those that a branch finds in use. Of draws that are `is_stacked` only their place is judged."""

    def __init__(
        self,
        battle: str,
        rules: ScopeRules,
        faces: Faces,
        decks: Mapping[str, Cards] | None,
        keys: DisclosedKeys,
        contributions: Contributions,
        sealed: Sealed,
        left: Mapping[str, PileLeft],
        *,
        is_stacked: bool = False,
    ) -> None:
        self.tally = Tally()
        self.piles = Piles(decks or {}, left)
        self._knows_decks = decks is not None
        self._battle = battle
        self._rules = rules
        self._faces = faces
        self._keys = keys
        self._contributions = contributions
        self._sealed = sealed
        self._is_stacked = is_stacked
        self._scopes: dict[str, _Scope] = {}
        self._index = -1  # the period of `_scopes`

    def so_far(self) -> DrawsSoFar:
        """What an index keeps."""
        scopes = {
            scope: (None if found.stream is None else (found.stream.key, found.stream.position), found.rolls)
            for scope, found in self._scopes.items()
        }
        return DrawsSoFar(self.piles.so_far(), self._index, scopes)

    def resume(self, kept: DrawsSoFar) -> None:
        """Go on from there."""
        self.piles.resume(kept.piles)
        self._index = kept.index
        for scope, (stream, rolls) in kept.scopes.items():
            self._scopes[scope] = found = _Scope(None if stream is None else Stream(*stream))
            found.rolls = rolls

    def shuffled(self, n: int, event: Any) -> None:
        """A deck begins an epoch."""
        if self._knows_decks:
            self.piles.shuffled(n, event)

    def card(self, entry: Recorded, now: PeriodMoment, bound_before: int) -> None:
        """Check a card; keys count that are bound before event `bound_before`, the first of its block."""
        n, event = entry.n, entry.event
        drawn: Any = event
        if drawn.discard not in (0, 1):
            raise ProtocolFault(n, "bad-member", member="discard")
        card = UNSET if self._is_stacked else self._sealed.member(entry, "card")
        if not self._knows_decks:
            self._unknown_card(n, drawn, now, bound_before)
            return
        pile = self.piles.pile(n, drawn.deck)
        if pile.waiting:
            self.piles.take_waiting(n, pile, (drawn.t, drawn.scope), drawn.card if self._is_stacked else card)
        elif was_looked_at(drawn):
            self._sealed_look_comes_up(n, drawn, pile, card, now)
        else:
            self.piles.sealed_look(pile, False)
            require_no(n, turn_flaw(drawn.t, now.t))
            number = self._draw(n, now, drawn.scope, pile.remaining, bound_before)
            require_no(n, self._rules.kind_flaw(drawn.deck, drawn.scope))
            self._count(drawn.scope, number is not None, card is UNSET or pile.cards is None)
            self.piles.take(n, pile, number, card)
        self.piles.come_up(n, pile, drawn, card)

    def die(self, entry: Recorded, now: PeriodMoment, bound_before: int) -> None:
        """Check a die: its face, and what a table of the game makes of it."""
        n, event = entry.n, entry.event
        die: Any = event
        require_no(n, die_flaw(die, self._faces) or turn_flaw(die.t, now.t))
        face = face_of(die)
        number = self._draw(n, now, die.scope, die.sides, bound_before)
        require_no(n, self._rules.kind_flaw(DICE, die.scope))
        if number is not None:
            require(n, "die-differs", number + 1, face)
        elif not 1 <= face <= die.sides:
            raise ProtocolFault(n, "die-differs", expected=die.sides, found=face)
        self._count(die.scope, number is not None, False)
        scope = self._scopes[die.scope]
        require_no(n, index_flaw(die.index, scope.rolls))
        scope.rolls += 1

    def looked(self, entry: Recorded, now: PeriodMoment, bound_before: int) -> None:
        """Check a look at coming cards: they are drawn now, in the order shown, and come up later."""
        n, side = entry.n, str(getattr(entry.event, "side", ""))
        shown = self._sealed.member(entry, "shown")
        if shown is UNSET:
            if self._sealed.hides(n, "shown"):
                self._look_sealed(n, side)
            return
        if not isinstance(shown, (list, tuple)) or not all(isinstance(card, str) for card in shown):
            raise ProtocolFault(n, "cannot-look", shown="")
        if not self._knows_decks:
            return
        pile = self.piles.pile(n, side)
        if pile.waiting or len(shown) > pile.remaining:
            raise ProtocolFault(n, "cannot-look", shown=tuple(shown)[:80])
        self.piles.sealed_look(pile, False)
        scope = scope_label(f"hand:{side}", now.rewinds)
        for ahead, card in enumerate(shown):
            size = pile.remaining if pile.endless else pile.remaining - ahead
            number = self._draw(n, now, scope, size, bound_before)
            self._count(scope, number is not None, pile.cards is None)
            self.piles.take(n, pile, number, UNSET if self._is_stacked else card)
        self.piles.looked(pile, shown, (now.t, scope))

    def _look_sealed(self, n: int, side: str) -> None:
        if self._knows_decks:
            pile = self.piles.pile(n, side)
            if pile.waiting:
                raise ProtocolFault(n, "cannot-look", shown="")
            self.piles.sealed_look(pile, True)

    # --- one draw

    def _draw(self, n: int, now: PeriodMoment, scope: str, size: int, bound_before: int) -> int | None:
        """The next number below `size` of a scope; None if the key of the period is not known."""
        if now.index != self._index:
            self._scopes, self._index = {}, now.index
        found = self._scopes.get(scope)
        if found is None:
            found = self._scopes[scope] = _Scope(self._stream(n, now, scope, bound_before))
        if found.stream is None or size < 1:
            return None
        return found.stream.below(size)

    def _stream(self, n: int, now: PeriodMoment, scope: str, bound_before: int) -> Stream | None:
        require_no(n, self._rules.label_flaw(scope, now.rewinds))
        base = scope.partition("/")[0]
        values = self._contributions.for_draw(n, now, base)
        bound = self._keys.bound_at(now.index)
        if bound is None or bound >= bound_before:
            raise ProtocolFault(n, "keys-not-bound", index=now.index)
        key = None if self._is_stacked else self._keys.key(base, now.index)
        return None if key is None else Stream(fairness.seed(key, self._battle, now.index, scope, values))

    def _count(self, scope: str, is_known: bool, is_hidden: bool) -> None:
        self.tally.draws += 1
        if is_known and not is_hidden:
            self.tally.checked += 1
        elif is_hidden or scope.startswith("hand:"):
            self.tally.secret += 1
        else:
            self.tally.bound += 1

    def _sealed_look_comes_up(self, n: int, event: Any, pile: DrawnPile, card: object, now: PeriodMoment) -> None:
        """A card of a look that is still sealed: it was drawn there, and cannot be checked before that is opened."""
        label = event.scope.partition("/")[2]
        rewinds = int(label[1:]) if label[:1] == "r" and label[1:].isascii() and label[1:].isdecimal() else 0
        fits = event.scope == scope_label(f"hand:{event.deck}", rewinds) and rewinds <= now.rewinds
        if not pile.has_sealed_look or not fits or not event.t >= 0:
            raise ProtocolFault(n, "looked-cards-first", expected=(), found=card if isinstance(card, str) else "")
        self._count(event.scope, False, True)
        self.piles.take(n, pile, None, card)

    def _unknown_card(self, n: int, event: Any, now: PeriodMoment, bound_before: int) -> None:
        """A card of an unknown deck consumes a number like any other, so that dice behind it can be checked."""
        self.tally.unknown += 1
        if event.t == now.t:
            self._draw(n, now, event.scope, max(event.remaining, 0) + 1, bound_before)
