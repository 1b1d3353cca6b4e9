"""Shields are legible, apart from each other, and of few bytes."""

from typing import get_args

import pytest
from msgspec.structs import replace

from domain.catalogue import RULESETS
from domain.contract.heraldry import LIGHT, Charge, Colour, Pattern, Shape, Shield, read_heraldry
from domain.contract.scene import Scene
from replay.drawing.charges import CHARGES
from replay.drawing.palette import TINCTURES, contrast
from replay.drawing.shields import OUTLINES, PATTERNS, RINGS, shield_drawn, shield_picture
from replay.drawing.svg import draw_svg
from tests.support.scenes import cannae, view

GRAPHICS = 3.0
MOST_CHARACTERS = 2_100
ALL = [
    shield
    for code in RULESETS
    for read in (read_heraldry(code),)
    for shield in (*(people.shield for people in read.peoples.values()), *read.sides.values())
]


def test_there_is_a_drawing_of_every_word():
    assert set(get_args(Shape)) == set(OUTLINES)
    assert set(get_args(Pattern)) == {*PATTERNS, *RINGS}
    assert set(get_args(Charge)) == {"", *CHARGES}
    assert set(get_args(Colour)) == {"", *TINCTURES}
    assert set(TINCTURES) > LIGHT


def test_light_and_dark_colours_reach_the_contrast_of_graphics():
    dark = set(TINCTURES) - LIGHT
    assert all(contrast(TINCTURES[one], TINCTURES[other]) >= GRAPHICS for one in LIGHT for other in dark)


def test_shields_are_drawn_apart_within_their_square_and_in_few_bytes():
    drawn = [shield_drawn(shield) for shield in dict.fromkeys(ALL)]
    assert len(set(drawn)) == len(drawn)
    for one in drawn:
        assert len(one) <= MOST_CHARACTERS
        assert "id=" not in one  # any number of them may stand on one page
    for outline in OUTLINES.values():
        assert all(abs(x) <= 12 and abs(y) <= 12 for x, y in outline)


@pytest.mark.parametrize("pattern", get_args(Pattern)[1:])
@pytest.mark.parametrize("shape", get_args(Shape))
def test_every_pattern_shows_on_every_shape(shape: Shape, pattern: Pattern):
    one = Shield(shape, "red", pattern, "white")
    assert shield_drawn(one).count("<path") == 3
    assert shield_drawn(one) != shield_drawn(replace(one, pattern="halved" if pattern != "halved" else "bars"))


def test_a_shield_beside_words_is_not_read_aloud():
    assert 'aria-hidden="true"' in shield_picture(ALL[0], 20)


# --- on the board


def test_a_board_draws_the_shield_of_a_side_once_and_every_unit_carries_it():
    scene = view(cannae())
    picture = draw_svg(scene, prefix="b2")
    south, north = scene.shields
    assert picture.count(shield_drawn(south)) == picture.count(shield_drawn(north)) == 1
    units = [token for token in scene.tokens if token.form == "base"]
    for side in scene.sides:
        carried = picture.count(f'href="#b2-shield-{side}"')
        assert carried == sum(unit.side == side for unit in units)


def test_a_board_without_shields_and_a_light_one_draw_none():
    scene = view(cannae())
    for picture in (draw_svg(replace(scene, shields=())), draw_svg(scene, light=True), draw_svg(Scene(100, 100, ()))):
        assert "shield-" not in picture
        assert "#shield" not in picture


def test_shields_take_few_bytes_of_a_board():
    scene = view(cannae())
    assert len(draw_svg(scene)) - len(draw_svg(replace(scene, shields=()))) < 8_000
