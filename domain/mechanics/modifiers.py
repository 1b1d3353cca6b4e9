"""A modifier: a number with the rule that gives it."""

from collections.abc import Iterable

from msgspec import Struct


class Factor(Struct, frozen=True, gc=False):
    """One line of a calculation: rule ID, short reason (`why`), and what it adds."""

    rule: str
    why: str
    plus: int


Factors = tuple[Factor, ...]


def total(factors: Iterable[Factor]) -> int:
    """The sum of a list of factors."""
    return sum(factor.plus for factor in factors)
