"""Where the areas of a map lie that its file gives no place: near those to which they are linked (CAM-MAP-02).

Only sums, products and roots are used, so that a map is laid out the same on every machine.
"""

from collections.abc import Collection, Mapping, Sequence
from math import sqrt

from domain.campaign.theatre.state import SEA, Link

Spot = tuple[int, int]
"""A place on a map: x from the west, y from the north."""
STEP, ACROSS = 100, 3
"""Length of a link, and how many times as far areas lie from each other between which there is no way."""
SEA_STEP = 130
ROUNDS = 120
NEAREST = 1.0
"""Two areas on one spot are taken to lie so far apart."""


def laid_out(areas: Sequence[str], links: Sequence[Link], given: Mapping[str, Spot]) -> dict[str, Spot]:
    """A spot for each area: the given ones, and for the others such that links are about equally long.

    The spots given fix the scale; without any a link by land is `STEP` long.
    """
    unknown = [name for name in areas if name not in given]
    if not unknown:
        return {name: given[name] for name in areas}
    apart = _distances(areas, links)
    scale = _scale(given, apart)
    at = {name: (float(given[name][0]), float(given[name][1])) for name in given if name in apart}
    corner = min((x for x, _ in at.values()), default=0.0), min((y for _, y in at.values()), default=0.0)
    for number, name in enumerate(unknown):
        x, y = _on_spiral(number)
        at[name] = corner[0] + x * STEP * scale, corner[1] + y * STEP * scale
    for _ in range(ROUNDS):
        for name in unknown:
            at[name] = _pulled(name, at, apart[name], scale)
    return {name: given[name] if name in given else (round(at[name][0]), round(at[name][1])) for name in areas}


def _distances(areas: Collection[str], links: Sequence[Link]) -> dict[str, dict[str, float]]:
    """How far each two areas lie apart by the shortest way."""
    far = float(STEP * (ACROSS + len(areas) // ACROSS))
    found = {one: {other: 0.0 if one == other else far for other in areas} for one in areas}
    for one, other, kind in links:
        found[one][other] = found[other][one] = float(SEA_STEP if kind == SEA else STEP)
    for middle in areas:
        by_middle = found[middle]
        for row in found.values():
            first = row[middle]
            for other, second in by_middle.items():
                row[other] = min(row[other], first + second)
    return found


def _scale(given: Mapping[str, Spot], apart: Mapping[str, Mapping[str, float]]) -> float:
    """How many units of the given spots the unit of the distances has; 1 without two of them."""
    names = [name for name in given if name in apart]
    pairs = [(one, other) for at, one in enumerate(names) for other in names[:at]]
    wanted = sum(apart[one][other] for one, other in pairs)
    is_so = sum(_length(given[one][0] - given[other][0], given[one][1] - given[other][1]) for one, other in pairs)
    return is_so / wanted if wanted and is_so else 1.0


def _on_spiral(number: int) -> tuple[int, int]:
    """The cells around the first one, ring by ring."""
    x = y = 0
    east, north, left, turns = 1, 0, 1, 0
    length = 1
    for _ in range(number):
        x, y, left = x + east, y + north, left - 1
        if not left:
            east, north, turns = -north, east, turns + 1
            length += turns % 2 == 0
            left = length
    return x, y


def _pulled(
    name: str, at: Mapping[str, tuple[float, float]], apart: Mapping[str, float], scale: float
) -> tuple[float, float]:
    """Where an area is drawn to by all others: to its distance from each, the nearest most."""
    x, y = at[name]
    east = north = weights = 0.0
    for other, distance in apart.items():
        if other != name:
            from_x, from_y = at[other]
            length, wanted = max(_length(x - from_x, y - from_y), NEAREST), distance * scale
            weight = 1 / (distance * distance)
            east += weight * (from_x + wanted * (x - from_x) / length)
            north += weight * (from_y + wanted * (y - from_y) / length)
            weights += weight
    return (east / weights, north / weights) if weights else (x, y)


def _length(x: float, y: float) -> float:
    return sqrt(x * x + y * y)
