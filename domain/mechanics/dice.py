"""The dice of tabletop games, and how often each reaches what it must.

A special die has a table of values: `special(1, 2, 3, 3, 4, 5)` has six faces, two of them worth 3.
"""

from domain.log.chance import Die

D4, D6, D8, D10, D12, D20 = (Die(sides) for sides in (4, 6, 8, 10, 12, 20))


def special(*values: int) -> Die:
    """A die whose faces, from face 1 on, have these values."""
    return Die(len(values), values)


def faces_at_least(die: Die, needed: int) -> int:
    """The number of faces of a die with the needed value or more."""
    return sum(1 for value in _values(die) if value >= needed)


def _values(die: Die) -> tuple[int, ...]:
    return die.values or tuple(range(1, die.sides + 1))
