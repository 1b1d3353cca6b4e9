"""The sheet of a map: its size, and where on it the spots of a campaign file are."""

from collections.abc import Iterable

from msgspec import Struct

from domain.campaign.theatre.map_scene import MapScene
from replay.drawing.pen import Spot

WIDTH = 1200
CASING, PAPER_EDGE = 8, 34
"""Where the paper begins, and where the map does."""
SIDE, ABOVE, BELOW = 92.0, 108.0, 78.0
"""Room between the outermost places and the edges of the map: for their names and banners."""
LOWEST, HIGHEST = 560.0, 940.0
"""Heights of the map itself."""
MOST_STRETCH = 1.4
"""How much a flat map is drawn higher than its file has it, so that names find room on a phone."""
HEAD = 76
"""Height of the title above the map."""
A_ROW = {"wide": 3, "narrow": 2}
ROW = {"wide": 44.0, "narrow": 46.0}
"""Powers in a row of the legend, and how high it is, for a page and for a phone."""


class MapSheet(Struct, frozen=True, gc=False):
    """A sheet: the map lies between `left`, `top`, `right` and `bottom`; `height` is that of the sheet."""

    left: float
    top: float
    right: float
    bottom: float
    height: float
    origin: Spot
    scale: Spot

    def spot(self, point: tuple[int, int]) -> Spot:
        """A point of the file on the sheet."""
        return self.origin[0] + point[0] * self.scale[0], self.origin[1] + point[1] * self.scale[1]

    def spots(self, points: Iterable[tuple[int, int]]) -> list[Spot]:
        """Points of the file on the sheet."""
        return [self.spot(point) for point in points]

    def holds(self, spot: Spot) -> bool:
        """Whether a spot is on the map."""
        return self.left < spot[0] < self.right and self.top < spot[1] < self.bottom


def sheet_of(scene: MapScene) -> MapSheet:
    """The sheet on which a map is drawn: as wide as any, as high as its places need."""
    xs, ys = zip(*(place.at for place in scene.places), strict=True)
    across, down = max(max(xs) - min(xs), 1), max(max(ys) - min(ys), 1)
    inner = WIDTH - 2 * PAPER_EDGE - 2 * SIDE
    scale = min(inner / across, (HIGHEST - ABOVE - BELOW) / down)
    stretched = scale * min(MOST_STRETCH, max(1.0, (LOWEST + 60 - ABOVE - BELOW) / (down * scale)))
    high = min(HIGHEST, max(LOWEST, down * stretched + ABOVE + BELOW))
    free = inner - across * scale, high - ABOVE - BELOW - down * stretched
    left, top = PAPER_EDGE + SIDE + free[0] / 2, HEAD + ABOVE + free[1] / 2
    origin = left - min(xs) * scale, top - min(ys) * stretched
    end, height = HEAD + high, HEAD + high + legend_height(len(scene.powers))
    return MapSheet(PAPER_EDGE, HEAD, WIDTH - PAPER_EDGE, end, height, origin, (scale, stretched))


def legend_height(powers: int) -> float:
    """How high the legend is at most."""
    wide, narrow = (-(-powers // A_ROW[which]) * ROW[which] for which in ("wide", "narrow"))
    return max(wide + 30, narrow) + 2 * CASING + 16
