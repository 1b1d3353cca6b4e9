"""Map points of a scene to points of a picture.

A picture measures its table in steps of 100 for a box or hex; a table of free measure is brought to the
width of twelve boxes, so that lettering and lines have the same weight everywhere.
"""

from collections.abc import Sequence

from msgspec import Struct

from domain.scene import Cell, Point, Scene
from replay.drawing.pen import Spot

FREE_WIDTH = 1200
MARGIN_LETTERED = 46
MARGIN_PLAIN = 24


class Canvas(Struct, frozen=True, gc=False):
    """The mapping of one scene: `scale` picture steps to a scene unit, y turned downwards."""

    scale: float
    margin: int
    table_width: float
    table_height: float

    @property
    def width(self) -> float:
        """The whole width, margins included."""
        return self.table_width + 2 * self.margin

    def spot(self, point: Point) -> Spot:
        """A point of the scene on the picture."""
        return self.margin + point[0] * self.scale, self.margin + self.table_height - point[1] * self.scale

    def on_table(self, spot: Spot) -> Spot:
        """The spot, or the nearest one on the table."""
        x, y = spot
        right, bottom = self.margin + self.table_width, self.margin + self.table_height
        return min(max(x, self.margin), right), min(max(y, self.margin), bottom)

    def spots(self, points: Sequence[Point]) -> list[Spot]:
        """Points of the scene on the picture."""
        return [self.spot(point) for point in points]


def canvas_of(scene: Scene) -> Canvas:
    """The canvas on which a scene is drawn."""
    scale = 1.0 if scene.grid != "free" or not scene.width else FREE_WIDTH / scene.width
    return Canvas(
        scale=scale,
        margin=MARGIN_LETTERED if is_lettered(scene) else MARGIN_PLAIN,
        table_width=scene.width * scale,
        table_height=scene.height * scale,
    )


def is_lettered(scene: Scene) -> bool:
    """Whether columns and rows, or lengths, are named around the table."""
    return bool(scene.grid == "square" and scene.cells) or bool(scene.grid == "free" and scene.measure.unit)


def middle(cell: Cell) -> Point:
    """The middle of what surrounds a cell."""
    xs, ys = [x for x, _ in cell.outline], [y for _, y in cell.outline]
    return (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2


def column_and_row(name: str) -> tuple[str, str]:
    """The letters and the number of a box: ("D", "4")."""
    letters = name.rstrip("0123456789")
    return letters, name[len(letters) :]


def lettering(scene: Scene) -> tuple[list[str], list[str]]:
    """The names of the columns from the left and of the rows from the top, as the cells lie."""
    columns: dict[int, str] = {}
    rows: dict[int, str] = {}
    for cell in scene.cells:
        x, y = middle(cell)
        columns[x], rows[-y] = column_and_row(cell.id)
    return [columns[x] for x in sorted(columns)], [rows[y] for y in sorted(rows)]
