"""What is remembered is what would be made; the room is bounded; an id that is given again is never mistaken."""

from typing import Any

from replay.remembered import Remembered


class Asked:
    """Something remembered, with the list of what was really made."""

    def __init__(self, most_bytes: int, size: int = 3) -> None:
        self.kept: Remembered[str] = Remembered(most_bytes, len)
        self.made: list[Any] = []
        self._size = size

    def ask(self, one: list[int], how: str = "") -> str:
        def make() -> str:
            self.made.append(one)
            return f"{one}{how}".ljust(self._size)

        return self.kept.get((one,), how, make)


def test_the_same_objects_are_worked_on_once_and_equal_ones_again() -> None:
    asked, first, other = Asked(1000), [1], [1]
    found = [asked.ask(first, "a"), asked.ask(first, "a"), asked.ask(other, "a"), asked.ask(first, "b")]
    assert found == ["[1]a", "[1]a", "[1]a", "[1]b"]
    assert [one is first for one in asked.made] == [True, False, True]


def test_what_was_made_first_makes_room() -> None:
    asked, objects = Asked(250, size=100), [[at] for at in range(3)]
    for at in (0, 1, 2, 2, 0):
        asked.ask(objects[at])
    assert asked.made == [[0], [1], [2], [0]]
    assert asked.kept.bytes == 200


def test_an_object_lives_as_long_as_what_was_made_of_it() -> None:
    asked = Asked(10**6)
    assert [asked.ask([at]) for at in range(500)] == [str([at]) for at in range(500)]
