"""Say where a point of a table of free measure is, how long and which way, in the words of the table."""

from collections.abc import Iterator
from itertools import count

from domain.contract.scene import Point, Scene
from domain.mechanics.notation import decimal_text
from domain.mechanics.plane import DEGREES


def coordinate(scene: Scene, point: Point) -> tuple[str, str]:
    """What a point of the picture is called, east and north."""
    x, y = (scene.width - point[0], scene.height - point[1]) if scene.is_turned else point
    west, south = scene.measure.origin
    return decimal_text(west + x, scene.measure.decimals), decimal_text(south + y, scene.measure.decimals)


def degrees(scene: Scene, heading: int) -> str:
    """A heading of the picture, in degrees, as it is on the table."""
    return str((heading + (180 if scene.is_turned else 0)) % DEGREES)


def length(scene: Scene, units: int) -> str:
    """A length with its unit."""
    return f"{decimal_text(units, scene.measure.decimals)} {scene.measure.unit}".rstrip()


def ticks(scene: Scene, axis: int, most: int) -> range:
    """The places along an edge (axis 0: from west to east) with round names, at most `most` + 1 of them."""
    size, origin = (scene.width, scene.height)[axis], scene.measure.origin[axis]
    step = next(step for step in _round_numbers() if size <= step * max(1, most))
    return range((origin + size) % step if scene.is_turned else -origin % step, size + 1, step)


def _round_numbers() -> Iterator[int]:
    """1, 2, 5, 10, 20 … without end."""
    return (step * 10**power for power in count() for step in (1, 2, 5))
