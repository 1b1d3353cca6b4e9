"""How chance comes into the rules: as a value that answers when asked.

The rules name the scope of a draw (`draw:south`, fairness.md 2) and the possible results; the answer is
drawn by the protocol (server), read from the log (audit) or stacked beforehand (tests, `lab`).
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from domain.log.fairness import Stream

DICE, OPEN = "dice:", "open:"


class Die(Struct, frozen=True, gc=False):
    """A die of `sides` sides; `values` holds the value of each face, from face 1 on, if it is not the face number."""

    sides: int
    values: tuple[int, ...] = ()


class Pile(Struct, frozen=True, gc=False):
    """What a card is drawn from: the deck's name, its epoch, the number of cards drawn in it so far, and the cards it
    can still yield, in canonical order. An `endless` pile never shrinks: draws are independent. `looked` are the
    next cards, first to come first, where their owner has looked at them, and `look` the (t, scope) of that look."""

    deck: str
    epoch: int
    index: int
    cards: tuple[str, ...]
    endless: bool = False
    looked: tuple[str, ...] = ()
    look: tuple[int, str] = (0, "")


class Chance(Protocol):
    """What a rules decision may ask of chance."""

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        """One card of the pile of a deck, in player-turn `t`; its code."""

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        """The face of one die, 1 … `sides`, in player-turn `t`. `values` are what the faces of a special die count."""


class DeckTooShort(Exception):
    """A stacked deck, or a recorded log, holds no further draw; `name` is the deck's or the scope's."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class NoSuchFace(Exception):
    """A stacked value that no face of the die counts; `name` is the scope, `value` what it should be."""

    def __init__(self, name: str, value: int) -> None:
        super().__init__(name, value)
        self.name = name
        self.value = value


class DrawReached(Exception):
    """The rules have come to a draw: up to there they have refused nothing."""


class NoDraw:
    """Chance that stops at the first draw, by raising `DrawReached`."""

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        raise DrawReached

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        raise DrawReached


class StreamChance:
    """Draws from a stream of numbers alone: what a bot throws for itself, what a preview imagines. Nothing of it is
    proven."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        return pile[self._stream.below(len(pile))]

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        return self._stream.below(sides) + 1


class StackedChance:
    """Draws prepared beforehand, used from the front: cards per deck, values of dice per scope.

    A number stands for the first card of the pile with that value; if none is left, for any code of
    it (codes are free in a case, values count). A text is the very code of the card. The value of a special die stands
    for its lowest face. The dice of a side are one list, whichever scope they fall under.
    """

    def __init__(self, draws: Mapping[str, Sequence[int | str]]) -> None:
        self.left = {name: list(values) for name, values in draws.items()}

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        value = self._next(deck)
        if isinstance(value, str):
            return value
        return next((card for card in pile if card[:-2] == str(value)), f"{value}c1")

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        name = scope.replace(OPEN, DICE, 1)
        value = int(self._next(name))
        counted = values or range(1, sides + 1)
        if value not in counted:
            raise NoSuchFace(name, value)
        return counted.index(value) + 1

    def _next(self, name: str) -> int | str:
        values = self.left.get(name)
        if not values:
            raise DeckTooShort(name)
        return values.pop(0)


class RecordedChance:
    """The draws of a log, in its order: what an audit gives to the rules."""

    def __init__(self, draws: Sequence[tuple[str, str]]) -> None:
        self.left = list(reversed(draws))

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        return self._next(scope)

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        return int(self._next(scope))

    def _next(self, scope: str) -> str:
        if not self.left or self.left[-1][0] != scope:
            raise DeckTooShort(scope)
        return self.left.pop()[1]
