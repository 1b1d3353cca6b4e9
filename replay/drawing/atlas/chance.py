"""Numbers that look random and are the same on every machine: jitter of coasts, scatter of trees."""

from zlib import crc32

LATTICE = 36.0
"""How far the points are apart between which `wobble` goes over."""


def scatter(*key: object) -> float:
    """A number from 0 to 1 that belongs to a key."""
    return crc32("/".join(map(str, key)).encode()) / 2**32


def wobble(x: float, y: float, most: float) -> tuple[float, float]:
    """How far a point of a map is moved, so that straight lines look drawn: the same for each line through it."""
    column, row = int(x // LATTICE), int(y // LATTICE)
    across, down = x / LATTICE - column, y / LATTICE - row
    across, down = (part * part * (3 - 2 * part) for part in (across, down))
    moved = []
    for axis in "xy":
        corners = [scatter(axis, column + east, row + south) for south in (0, 1) for east in (0, 1)]
        above = corners[0] + (corners[1] - corners[0]) * across
        below = corners[2] + (corners[3] - corners[2]) * across
        moved.append((above + (below - above) * down - 0.5) * 2 * most)
    return moved[0], moved[1]
