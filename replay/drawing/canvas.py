"""Map points of a scene to points of a picture.

A picture measures its table in steps of 100 for a box or hex; a table of free measure is brought to the
width of twelve boxes, so that lettering and lines have the same weight everywhere.
"""

from collections.abc import Sequence

from msgspec import Struct

from domain.contract.scene import Cell, Point, Scene
from replay.drawing.pen import Spot

FREE_WIDTH = 1200
BOX = 100
"""Steps across a box."""
LIGHT_WIDTH = 1120
"""Pixels across a light picture at most: twice what a mail program shows, for fine screens."""
MARGIN_LETTERED = 46
MARGIN_PLAIN = 24


class Canvas(Struct, frozen=True, gc=False):
    """The mapping of one scene: `scale` picture steps to a scene unit, y turned downwards; `light`: few colours and
    little detail are wanted, for a picture of few bytes."""

    scale: float
    margin: float
    table_width: float
    table_height: float
    light: bool = False

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


def canvas_of(scene: Scene, *, light: bool = False) -> Canvas:
    """The canvas on which a scene is drawn. In a light picture a box is a whole number of pixels wide, so that boxes
    which look alike have the same pixels, and take hardly any bytes."""
    scale = 1.0 if scene.grid != "free" or not scene.width else FREE_WIDTH / scene.width
    table_width = scene.width * scale
    margin: float = MARGIN_LETTERED if is_lettered(scene) else MARGIN_PLAIN
    if light and scene.grid == "square":
        box = int(LIGHT_WIDTH * BOX / (table_width + 2 * margin))
        margin = (LIGHT_WIDTH * BOX / box - table_width) / 2
    return Canvas(scale=scale, margin=margin, table_width=table_width, table_height=scene.height * scale, light=light)


def light_width(scene: Scene, canvas: Canvas) -> int:
    """Pixels across a light picture; a hex has as many as it has steps, if they are not too many: its rows, too, are
    whole pixels apart then."""
    return round(canvas.width) if scene.grid == "hex" and canvas.width <= LIGHT_WIDTH else LIGHT_WIDTH


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
