"""An army that its player is making, in words: what any page shows of it, whatever the game."""

from msgspec import Struct


class DraftedUnit(Struct, frozen=True):
    """A unit: its name, its points, the grades it may have and those extras that it may or does have (value, words,
    whether it has it)."""

    id: str
    title: str
    points: int
    grade: str
    grades: tuple[tuple[str, str], ...]
    extras: tuple[tuple[str, str, bool], ...]


class DraftedChoice(Struct, frozen=True):
    """Something of a part that is chosen from a list: the verb of the change, its name, what is chosen, and all there
    is to choose (value, words)."""

    verb: str
    title: str
    value: str
    options: tuple[tuple[str, str], ...]


class DraftedMarks(Struct, frozen=True):
    """Something of a part that is ticked: the verb of the change, its name, and what may be ticked (value, words,
    whether it is)."""

    verb: str
    title: str
    options: tuple[tuple[str, str, bool], ...]


class DraftedGroup(Struct, frozen=True):
    """A part of an army: `also` are its other items, each a line, and `choices` and `marks` what can be changed of
    them."""

    id: str
    title: str
    points: int
    also: tuple[str, ...]
    choices: tuple[DraftedChoice, ...]
    marks: tuple[DraftedMarks, ...]
    units: tuple[DraftedUnit, ...]


class DraftedLine(Struct, frozen=True):
    """A line of the list from which units are added: how many there are and may be, and what one of the usual grade
    costs."""

    key: str
    title: str
    count: int
    least: int
    most: int
    points: int


class Drafted(Struct, frozen=True):
    """An army: its groups, the lines to add from, and its worth in a sentence."""

    name: str
    size: int
    points: int
    groups: tuple[DraftedGroup, ...]
    lines: tuple[DraftedLine, ...]
    worth: str
