"""A picture of few colours is written as it is, in few bytes."""

from io import BytesIO
from random import Random

import pytest
from PIL import Image

from replay.drawing.png import FEW, NONE, UP, palette_png

MOST = 20_000


def drawn(width: int, colours: int) -> Image.Image:
    chance = Random(f"{width} {colours}")
    return Image.frombytes("L", (width, 31), bytes(chance.randrange(colours) for _ in range(width * 31)))


@pytest.mark.parametrize("filter_", [NONE, UP])
@pytest.mark.parametrize(("width", "colours"), [(40, 2), (40, FEW), (41, FEW), (40, FEW + 1), (1, 64)])
def test_each_pixel_has_its_colour(width: int, colours: int, filter_: int) -> None:
    places, palette = drawn(width, colours), [(at, 255 - at, at * 3) for at in range(colours)]
    with Image.open(BytesIO(palette_png(places, palette, filter_, MOST))) as found:
        found.load()
        assert found.mode == "P" and found.size == places.size
        seen = found.convert("RGB")
    assert seen.tobytes() == bytes(channel for place in places.tobytes() for channel in palette[place])


def test_two_pixels_of_few_colours_are_a_byte() -> None:
    palette = [(at, at, at) for at in range(FEW + 1)]
    few, many = (len(palette_png(drawn(400, FEW), palette[:count], NONE, MOST)) for count in (FEW, FEW + 1))
    assert few < many


def test_what_is_too_large_is_compressed_harder() -> None:
    places = Image.frombytes("L", (300, 300), bytes(at * at // 7 % 5 for at in range(90_000)))
    palette = [(at, at, at) for at in range(5)]
    light, hard = (len(palette_png(places, palette, NONE, most)) for most in (MOST, 0))
    assert hard < light
