"""A picture of few colours is held by places, and is the same picture."""

from random import Random

import pytest
from PIL import Image

from replay.drawing.flat import CLEAR, MOST, Flat, flat_of, laid_upon


def noise(colours: int, alpha: tuple[int, ...] = (255,)) -> Image.Image:
    chance = Random(f"{colours} {alpha}")
    drawn = [(at % 7, at // 7, at) for at in range(colours)]
    pixels = [(*drawn[at % colours], alpha[at % len(alpha)]) for at in range(40 * 30)]
    chance.shuffle(pixels)
    return Image.frombytes("RGBA", (40, 30), bytes(channel for pixel in pixels for channel in pixel))


@pytest.mark.parametrize("colours", [1, 2, 24, MOST])
def test_the_pixels_stay_what_they_are(colours):
    picture = noise(colours)
    flat = flat_of(picture)
    assert flat is not None
    assert len(flat.colours) == colours
    assert flat.full().tobytes() == picture.convert("RGB").tobytes()
    assert flat.mask().getextrema() == (255, 255)


def test_colours_that_are_near_each_other_stay_apart():
    picture = Image.frombytes("RGB", (2, 1), bytes([100, 100, 100, 100, 100, 101]))
    flat = flat_of(picture)
    assert flat is not None
    assert flat.full().tobytes() == picture.tobytes()


def test_where_nothing_is_drawn_is_masked():
    picture = noise(5, (255, 0))
    flat = flat_of(picture)
    assert flat is not None
    assert flat.mask().tobytes() == picture.getchannel("A").tobytes()
    assert set(flat.places.tobytes()) <= {*range(5), CLEAR}


def test_more_colours_or_what_can_be_seen_through_is_not_flat():
    assert flat_of(noise(MOST + 1)) is None
    assert flat_of(noise(3, (255, 254))) is None


def flat_from(picture: Image.Image) -> Flat:
    made = flat_of(picture)
    assert made is not None
    return made


def test_a_later_piece_covers_an_earlier_one():
    ground, red, blue = (flat_from(Image.new("RGB", size, colour)) for size, colour in SHEETS)
    together = laid_upon(ground, [(red, red.mask(), (1, 1)), (blue, blue.mask(), (3, 1))])
    assert isinstance(together, Flat)
    full = together.full()
    seen = [full.getpixel((x, 1)) for x in range(6)]
    assert seen == [(255, 255, 255), (255, 0, 0), (255, 0, 0), (0, 0, 255), (0, 0, 255), (255, 255, 255)]
    assert together.places.histogram()[: len(together.colours)] == [30 - 6 - 2, 4, 4]


SHEETS = (((6, 5), "white"), ((3, 2), "red"), ((2, 2), "blue"))


def test_too_many_colours_together_are_none():
    ground, piece = flat_from(noise(MOST)), flat_from(Image.new("RGB", (2, 2), (255, 255, 254)))
    assert laid_upon(ground, [(piece, piece.mask(), (0, 0))]) is None
