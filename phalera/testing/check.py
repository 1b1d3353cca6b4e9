"""What a check is: a function over a game, with a name, and the ability without which there is nothing to check."""

from collections.abc import Callable

from msgspec import Struct

from phalera.testing.game import ABILITIES, Game

Holds = Callable[[Game], None]
"""Raises `GameFault` if something does not hold; any other error is a fault as well."""


class CheckedRule(Struct, frozen=True):
    """A check of any game; `ability` is "" where every game is asked."""

    name: str
    says: str
    ability: str
    holds: Holds


class Check(Struct, frozen=True):
    """A check of one game. `str` of it is its name, as pytest shows it."""

    game: Game
    rule: CheckedRule

    def __str__(self) -> str:
        return self.rule.name

    def run(self) -> None:
        """Raises: GameFault, or whatever error the game ends in"""
        self.rule.holds(self.game)


RULES: list[CheckedRule] = []


def asked(ability: str = "") -> Callable[[Holds], Holds]:
    """A function as a check: its name with spaces, its docstring as what it says."""
    if ability and ability not in ABILITIES:
        raise ValueError(ability)

    def add(holds: Holds) -> Holds:
        says = (holds.__doc__ or "").partition("\n")[0]
        RULES.append(CheckedRule(holds.__name__.replace("_", "-"), says, ability, holds))
        return holds

    return add
