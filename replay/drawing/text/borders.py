"""Linear features by the border on which they lie."""

from domain.contract.scene import Line, Point, Scene

Border = tuple[Point, Point]
"""The two ends, the lesser first."""


def borders_of(scene: Scene) -> dict[Border, Line]:
    """The linear features of a scene by their borders."""
    return {border(line.points[0], line.points[-1]): line for line in scene.lines}


def border(one: Point, two: Point) -> Border:
    """The border between two points."""
    return (one, two) if one < two else (two, one)
