"""Curves of a report as SVG pictures, without colours of their own: a style sheet around them gives those.

Sides differ by the stroke and by marks, not by colour alone; each curve ends with its name and its last number.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import ceil

from replay.drawing.palette import DRESSES, PAPER
from replay.drawing.pen import escaped, number, path, tag
from replay.drawing.svg import NAMESPACE
from replay.reports.account.contents import Chart, Series

WIDTH, HEIGHT = 720.0, 260.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 150.0, 16.0, 40.0
STEPS = 5
NAME_GAP = 16.0
"""Least distance of the names of two curves that end beside each other."""
GREY = "#8a8474"


def chart_svg(chart: Chart, prefix: str, axis: str, on_paper: bool = False) -> str:
    """A chart as an SVG document; `axis` says what is counted to the right. `on_paper` gives it a ground of its own."""
    lowest, highest, step = _scale(chart)
    name, words = f"{prefix}-title", f"{prefix}-words"

    def x(at: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * at / max(1, len(chart.labels) - 1)

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (highest - value) / (highest - lowest)

    lines = [tag("rect", width=WIDTH, height=HEIGHT, fill=PAPER)] if on_paper else []
    value = lowest
    while value <= highest + step / 2:
        lines += _rule(value, y(value))
        value += step
    for at, label in enumerate(chart.labels):
        if label != "0" and (at == len(chart.labels) - 1 or label != chart.labels[at + 1]):
            lines.append(_label(label, x(at), HEIGHT - BOTTOM + 18, "middle"))
    lines.append(_label(axis, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4, "middle"))
    ends = _ends(chart, y)
    for which, series in enumerate(chart.series):
        lines += _curve(which, [(x(at), y(value)) for at, value in enumerate(series.values)])
        said = f"{series.name} {series.values[-1]:g}"
        lines.append(_label(said, WIDTH - RIGHT + 12, ends[which] + 4, "start", bold=True))
    return tag(
        "svg",
        "\n",
        tag("title", escaped(chart.title), id=name),
        tag("desc", escaped(chart.words), id=words),
        "\n".join(lines),
        "\n",
        xmlns=NAMESPACE,
        view_box=f"0 0 {number(WIDTH)} {number(HEIGHT)}",
        role="img",
        aria_labelledby=f"{name} {words}",
        class_="chart",
        font_family="inherit" if not on_paper else "sans-serif",
    )


def _scale(chart: Chart) -> tuple[float, float, float]:
    """The lowest and the highest line, and the step between lines."""
    values = [value for series in chart.series for value in series.values]
    low, high = min(0.0, *values), max(0.0, *values)
    rough = max(high - low, 1.0) / STEPS
    size = 10.0 ** max(0, len(str(int(rough))) - 1)
    step = next(size * one for one in (1, 2, 5, 10) if size * one >= rough)
    return 0.0 - step * ceil(-low / step), step * ceil(max(high, step) / step), step


def _ends(chart: Chart, y: Callable[[float], float]) -> dict[int, float]:
    """Where the names of the curves stand, beside their ends and apart from each other."""
    heights = {which: y(series.values[-1]) for which, series in enumerate(chart.series)}
    ordered = sorted(heights, key=lambda which: heights[which])
    for upper, lower in pairwise(ordered):
        heights[lower] = max(heights[lower], heights[upper] + NAME_GAP)
    return heights


def _rule(value: float, y: float) -> Iterator[str]:
    """The line of a value across the chart, with its number."""
    yield tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, stroke=GREY, stroke_width=1 if value else 1.6)
    yield _label(f"{value + 0.0:g}", LEFT - 8, y + 4, "end")


def _curve(which: int, spots: list[tuple[float, float]]) -> Iterator[str]:
    """The curve of a side, and its marks."""
    colour = DRESSES[which % len(DRESSES)].strong
    dashes = "7 4" if which else None
    yield tag("path", d=path(spots), fill="none", stroke=colour, stroke_width=3, stroke_dasharray=dashes)
    yield from (_mark(which, spot, colour) for spot in spots)


def _mark(which: int, spot: tuple[float, float], colour: str) -> str:
    """A point of a curve: a square for the first side, a disc for the other."""
    if which:
        return tag("circle", cx=spot[0], cy=spot[1], r=4, fill=colour)
    return tag("rect", x=spot[0] - 3.5, y=spot[1] - 3.5, width=7, height=7, fill=colour)


def _label(words: str, x: float, y: float, anchor: str, bold: bool = False) -> str:
    return tag(
        "text",
        escaped(words),
        x=x,
        y=y,
        font_size=13,
        fill="currentColor",
        text_anchor=anchor,
        font_weight="bold" if bold else None,
    )


def table(chart: Chart) -> Iterator[tuple[str, ...]]:
    """The same in rows: a heading, then the last numbers of each turn."""
    yield ("", *(series.name for series in chart.series))
    for at, label in enumerate(chart.labels):
        if at == len(chart.labels) - 1 or label != chart.labels[at + 1]:
            yield (label, *(_at(series, at) for series in chart.series))


def _at(series: Series, at: int) -> str:
    return f"{series.values[at]:g}"
