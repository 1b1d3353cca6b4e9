"""Names of small bases and badges of leaders stand where nothing covers them."""

from collections.abc import Sequence

from domain.contract.scene import Measure, Scene, Token, turned
from replay.drawing.canvas import canvas_of
from replay.drawing.room import NameRoom, room_of
from replay.drawing.svg import _plates

WIDTH, HEIGHT = 18000, 12000


def unit(name: str, x: int, y: int, facing: int = 0, side: str = "south") -> Token:
    """A unit of four by four centimetres, its place in centimetres."""
    return Token(
        name, side, "unit", "riflemen", (100 * x, 100 * y), (400, 400), facing=facing, label=name, title="foot"
    )


def leader(x: int, y: int) -> Token:
    """A leader alone."""
    return Token(
        "G1", "south", "general", "general", (100 * x, 100 * y), (300, 300), label="G1", form="emblem", layer=1
    )


def scene(*tokens: Token) -> Scene:
    return Scene(WIDTH, HEIGHT, (), tokens=tokens, grid="free", measure=Measure("cm", 2))


def room(tokens: Sequence[Token], *, is_turned: bool = False) -> NameRoom:
    table = turned(scene(*tokens)) if is_turned else scene(*tokens)
    canvas = canvas_of(table)
    return room_of(table, canvas, _plates(table, canvas))


def test_a_name_under_another_base_stands_before_its_own() -> None:
    close = [unit("D6", 50, 40), unit("D7", 51, 33)]
    assert room(close).before == {"D6"}
    assert room([unit("D6", 50, 40), unit("D7", 51, 20)]).before == frozenset()
    assert room(close, is_turned=True).before == {"D6"}


def test_the_second_of_two_lines_has_its_names_before_it() -> None:
    first = [unit(name, x, 84, 1800, "north") for name, x in (("K5", 116), ("K6", 120))]
    second = [unit(name, x, 90, 1800, "north") for name, x in (("K7", 116), ("K9", 120))]
    assert room([*first, *second]).before == {"K5", "K6"}


def test_a_name_stays_where_both_places_are_taken() -> None:
    assert "D6" not in room([unit("D5", 50, 45), unit("D6", 50, 40), unit("D7", 51, 33)]).before


def test_a_badge_gives_way_to_a_name_and_goes_no_farther_than_it_must() -> None:
    stands = [unit("A6", 60, 40), leader(61, 37)]
    where = room(stands).badges["G1"]
    x, y = canvas_of(scene(*stands)).spot((6100, 3700))
    assert where != (x, y) and abs(where[0] - x) < 30 and abs(where[1] - y) < 24
    assert room([unit("A6", 60, 40), leader(90, 37)]).badges == {}


def test_a_badge_without_room_keeps_its_place() -> None:
    crowd = [unit(f"A{at}", 40 + 5 * (at % 5), 40 + 5 * (at // 5)) for at in range(25)]
    assert room([*crowd, leader(50, 50)]).badges == {}


def test_what_carries_its_id_as_label_is_called_by_it() -> None:
    assert unit("A6", 1, 1).called == "A6, foot"
    assert leader(1, 1).called == "G1"
    named = Token("S1", "south", "unit", "foot", (0, 0), (1, 1), label="S1", title="S1, heavy foot")
    assert named.called == "S1, heavy foot"
    marker = Token("m1", "south", "unit", "foot", (0, 0), (1, 1), label="?", title="ambush marker")
    assert marker.called == "ambush marker"
