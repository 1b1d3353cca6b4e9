"""How does chance come into the rules: as a value that answers when asked.

The rules name the scope of a draw (`draw:south`, fairness.md 5) and what can come; the answer is
drawn by the protocol (server), read from the log (audit) or stacked beforehand (tests, `lab`).
"""

from collections.abc import Mapping, Sequence
from typing import Protocol


class Chance(Protocol):
    """What a rules decision may ask of chance."""

    def card(self, scope: str, pile: Sequence[str]) -> str:
        """One card of the pile; its code."""

    def die(self, scope: str, sides: int) -> int:
        """One die, 1 … `sides`."""


class DeckTooShort(Exception):
    """A stacked deck, or a recorded log, holds no further draw for this scope."""

    def __init__(self, scope: str) -> None:
        super().__init__(scope)
        self.scope = scope


class StackedChance:
    """Draws prepared beforehand: values per scope, used from the front.

    A card is the first of the pile with the wanted value; if none is left, any code of that value
    (codes are free in a case, values count: TTS-CASE-01).
    """

    def __init__(self, draws: Mapping[str, Sequence[int]]) -> None:
        self.left = {scope: list(values) for scope, values in draws.items()}

    def card(self, scope: str, pile: Sequence[str]) -> str:
        value = self._next(scope)
        return next((card for card in pile if card[:-2] == str(value)), f"{value}c1")

    def die(self, scope: str, sides: int) -> int:
        return self._next(scope)

    def _next(self, scope: str) -> int:
        values = self.left.get(scope)
        if not values:
            raise DeckTooShort(scope)
        return values.pop(0)


class RecordedChance:
    """The draws of a log, in its order: what an audit gives to the rules."""

    def __init__(self, draws: Sequence[tuple[str, str]]) -> None:
        self.left = list(reversed(draws))

    def card(self, scope: str, pile: Sequence[str]) -> str:
        return self._next(scope)

    def die(self, scope: str, sides: int) -> int:
        return int(self._next(scope))

    def _next(self, scope: str) -> str:
        if not self.left or self.left[-1][0] != scope:
            raise DeckTooShort(scope)
        return self.left.pop()[1]
