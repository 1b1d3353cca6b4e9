"""The tree of a linked campaign as a picture: its nodes from the first down to the last, and the ways between them.

Who wins a node decides the way on: on the left the ways of the first side, on the right those of the second, in their
colours and strokes. What was fought carries the banner of its winner; what nobody can reach any more is faded.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from replay.drawing.atlas.colours import SIGNS, Banner, Scheme, cloth_of, colour
from replay.drawing.pen import Spot, escaped, fitting, number, tag, text
from replay.drawing.svg import NAMESPACE

SERIF = "'Iowan Old Style', 'Palatino Linotype', Palatino, 'URW Palladio L', 'DejaVu Serif', Georgia, serif"
WIDTH, MARGIN, TITLE_ROOM, KEY_ROOM = 720.0, 26.0, 20.0, 56.0
PLATE, ROW = (200.0, 66.0), 106.0
"""Width and height of a node, and from one row to the next."""
FOUGHT, NOW, AHEAD, PASSED = "fought", "now", "ahead", "passed"
MOST_BESIDE = 3
LETTERS, SMALL = 22.0, 18.0
STROKES = (None, "9 5", "2 6")
"""Of the ways of the first side, of the second, and of a draw."""


class TreeNode(Struct, frozen=True):
    """A node: `status` is `fought now ahead passed`, `winner` a side or "", `next` has where each side's victory leads,
    and a draw (""). `words` say all of it to who does not see the picture.
    """

    id: str
    title: str
    below: str
    status: str
    winner: str
    next: Mapping[str, str]
    words: str


class TreeKey(Struct, frozen=True):
    """What the picture calls things: the ways of each side in their order, then that of a draw."""

    title: str
    ways: tuple[str, ...]


def draw_tree(nodes: Sequence[TreeNode], sides: tuple[str, ...], key: TreeKey, scheme: Scheme = "day") -> str:
    """The tree as an SVG document, the same bytes for the same tree; the first node is the beginning."""
    spots = _spots(nodes, sides)
    height = max(y for _, y in spots.values()) + PLATE[1] / 2 + KEY_ROOM
    banners = {side: cloth_of(sides, side) for side in sides}
    return tag(
        "svg",
        "\n",
        tag("title", escaped(key.title), id="tree-title"),
        "\n",
        tag("desc", escaped(" ".join(node.words for node in nodes)), id="tree-words"),
        "\n",
        tag("rect", width=WIDTH, height=height, rx=8, fill=colour("paper", scheme), stroke=colour("casing", scheme)),
        *_ways(nodes, spots, sides, banners, scheme),
        *(_plate(node, spots[node.id], banners.get(node.winner), scheme) for node in nodes),
        *_key(key, sides, banners, height - KEY_ROOM / 2 + 4, scheme),
        xmlns=NAMESPACE,
        view_box=f"0 0 {number(WIDTH)} {number(height)}",
        role="img",
        aria_labelledby="tree-title tree-words",
        font_family=SERIF,
        class_="tree",
    )


# --- where nodes stand


def _spots(nodes: Sequence[TreeNode], sides: Sequence[str]) -> dict[str, Spot]:
    """The middle of each node: as many rows down as ways lead to it at most; in a row those whom the victories of the
    first side lead to stand on the left."""
    known = {node.id: node for node in nodes}
    rows = _rows(nodes, known)
    leaning = {nodes[0].id: 0.0}
    for row in sorted({*rows.values()}):
        for node in (node for node in nodes if rows[node.id] == row):
            came = [
                leaning.get(other.id, 0.0) + _lean(winner, sides)
                for other in nodes
                for winner, to in other.next.items()
                if to == node.id
            ]
            leaning[node.id] = sum(came) / len(came) if came else 0.0
    spots, line = dict[str, Spot](), 0
    for row in sorted({*rows.values()}):
        there = sorted((node for node in nodes if rows[node.id] == row), key=lambda node: leaning[node.id])
        for beside in (there[at : at + MOST_BESIDE] for at in range(0, len(there), MOST_BESIDE)):
            for at, node in enumerate(beside):
                spots[node.id] = _place(line, at, len(beside), leaning[node.id])
            line += 1
    return spots


def _lean(winner: str, sides: Sequence[str]) -> float:
    """-1 for the first side, 1 for the second, 0 for a draw."""
    return 0.0 if winner not in sides else -1.0 if winner == sides[0] else 1.0


def _place(line: int, at: int, count: int, leaning: float) -> Spot:
    y = MARGIN + TITLE_ROOM + PLATE[1] / 2 + line * ROW
    if count > 1:
        half = WIDTH / 2 - MARGIN - PLATE[0] / 2
        return WIDTH / 2 + half * (2 * at / (count - 1) - 1) * min(1.0, count / 3 + 0.2), y
    return WIDTH / 2 + max(-1.0, min(1.0, leaning)) * 130, y


def _rows(nodes: Sequence[TreeNode], known: Mapping[str, TreeNode]) -> dict[str, int]:
    """The longest way to each node. A way that leads back counts once."""
    rows = dict.fromkeys(known, 0)
    for _ in nodes:
        for node in nodes:
            for to in node.next.values():
                if to in rows and rows[to] < len(nodes):
                    rows[to] = max(rows[to], min(rows[node.id] + 1, len(nodes)))
    return rows


# --- what is drawn


def _ways(
    nodes: Sequence[TreeNode],
    spots: Mapping[str, Spot],
    sides: Sequence[str],
    banners: Mapping[str, Banner],
    scheme: Scheme,
) -> Iterator[str]:
    for node in nodes:
        for winner, to in node.next.items():
            if to not in spots:
                continue
            (x, y), (to_x, to_y) = spots[node.id], spots[to]
            lean = _lean(winner, sides)
            start, end = (x + lean * 52, y + PLATE[1] / 2), (to_x + lean * 52, to_y - PLATE[1] / 2 - 7)
            was_taken = node.status == FOUGHT and winner == node.winner
            is_open = node.status in (NOW, AHEAD)
            ink = banners[winner].colour if winner in banners else colour("quiet", scheme)
            bend = (end[1] - start[1]) * 0.5
            data = (
                f"M{number(start[0])} {number(start[1])}C{number(start[0])} {number(start[1] + bend)} "
                f"{number(end[0])} {number(end[1] - bend)} {number(end[0])} {number(end[1])}"
            )
            yield "\n" + tag(
                "path",
                d=data,
                fill="none",
                stroke=ink,
                stroke_width=5 if was_taken else 2.4,
                stroke_dasharray=_stroke(winner, sides),
                opacity=None if was_taken or is_open else 0.35,
            )
            head = f"M{number(end[0] - 6)} {number(end[1] - 2)}h12l-6 9z"
            yield tag("path", d=head, fill=ink, opacity=None if was_taken or is_open else 0.35)


def _stroke(winner: str, sides: Sequence[str]) -> str | None:
    return STROKES[sides.index(winner)] if winner in sides[:2] else STROKES[-1]


def _plate(node: TreeNode, at: Spot, banner: Banner | None, scheme: Scheme) -> str:
    """A node: its name, what is fought for, and the banner of its winner."""
    (x, y), (wide, high) = at, PLATE
    ink = colour("ink", scheme)
    edge = colour("alarm", scheme) if node.status == NOW else colour("rule", scheme)
    left = 34 if banner else 0
    parts = [
        tag("title", escaped(node.words)),
        tag(
            "rect",
            x=x - wide / 2,
            y=y - high / 2,
            width=wide,
            height=high,
            rx=6,
            fill=colour("tag", scheme),
            stroke=edge,
            stroke_width=4 if node.status == NOW else 1.6,
            stroke_dasharray="4 4" if node.status == PASSED else None,
        ),
        text(node.title, x + left / 2, y - 11, _size(node.title, wide - 20 - left), ink, font_weight="bold"),
        text(node.below, x + left / 2, y + 17, SMALL, colour("quiet", scheme)),
    ]
    if banner:
        parts.append(_pennon(x - wide / 2 + 24, y, banner))
    faded = "0.55" if node.status == PASSED else None
    return "\n" + tag("g", *parts, opacity=faded)


def _size(words: str, width: float) -> float:
    return fitting(words, width, LETTERS)


def _pennon(x: float, y: float, banner: Banner, scale: float = 0.9) -> str:
    """A small banner with the sign of a side."""
    cloth = tag("path", d="M-15-17H15V12L0 19-15 12z", fill=banner.colour, stroke="#2b2218")
    sign = tag("g", SIGNS[banner.sign], fill="#fbf4de", transform="translate(0 -1)")
    return tag("g", cloth, sign, transform=f"translate({number(x)} {number(y)}) scale({number(scale)})")


def _key(key: TreeKey, sides: Sequence[str], banners: Mapping[str, Banner], y: float, scheme: Scheme) -> Iterator[str]:
    """Whose way a stroke is."""
    room = (WIDTH - 2 * MARGIN) / len(key.ways)
    for at, words in enumerate(key.ways):
        side = sides[at] if at < len(sides) else ""
        x = MARGIN + at * room
        ink = banners[side].colour if side else colour("quiet", scheme)
        if side:
            yield "\n" + _pennon(x + 10, y, banners[side], 0.6)
        yield tag(
            "path",
            d=f"M{number(x + 26)} {number(y)}h34",
            stroke=ink,
            stroke_width=2.4,
            stroke_dasharray=_stroke(side, sides),
        )
        yield text(words, x + 68, y, SMALL, colour("ink", scheme), text_anchor="start")
