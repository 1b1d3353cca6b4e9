"""The tree of a linked campaign: each node and way is drawn, no two nodes overlap, nothing is told by colour alone."""

import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from replay.drawing.atlas.tree import TreeKey, TreeNode, draw_tree

SIDES = ("rome", "carthage")
KEY = TreeKey("War & <peace>", ("Rome wins", "Carthage wins", "A draw"))
SVG = "{http://www.w3.org/2000/svg}"


def node(name: str, status: str = "ahead", winner: str = "", **leads: str) -> TreeNode:
    ways = {("" if by == "draw" else by): to for by, to in leads.items()}
    return TreeNode(name, name.title(), "80 points", status, winner, ways, f"{name.title()}: {status}.")


@st.composite
def trees(draw: st.DrawFn) -> list[TreeNode]:
    """Trees whose ways lead on in the order of the file."""
    names = [f"n{at}" for at in range(draw(st.integers(1, 12)))]
    found = []
    for at, name in enumerate(names):
        later = st.sampled_from(names[at + 1 :]) if names[at + 1 :] else st.nothing()
        sides = draw(st.sets(st.sampled_from(["rome", "carthage", "draw"]))) if names[at + 1 :] else set()
        leads = {side: draw(later) for side in sorted(sides)}
        found.append(node(name, draw(st.sampled_from(["fought", "now", "ahead", "passed"])), **leads))
    return found


@given(trees())
def test_every_node_and_every_way_is_drawn_and_no_node_lies_on_another(nodes: list[TreeNode]) -> None:
    svg = draw_tree(nodes, SIDES, KEY)
    root = ElementTree.fromstring(svg)
    _, _, wide, high = map(float, root.attrib["viewBox"].split())
    drawn = root.findall(f"{SVG}g/{SVG}rect")
    plates = [[float(rect.attrib[name]) for name in ("x", "y", "width", "height")] for rect in drawn]
    assert len(plates) == len(nodes)
    for at, (x, y, width, height) in enumerate(plates):
        assert min(x, y) >= 0 and x + width <= wide and y + height <= high
        for other_x, other_y, *_ in plates[:at]:
            assert abs(x - other_x) >= width or abs(y - other_y) >= height
    curves = [path for path in root.findall(f"{SVG}path") if "C" in path.attrib["d"]]
    assert len(curves) == sum(len(one.next) for one in nodes)
    assert all(one.words in (root.findtext(f"{SVG}desc") or "") for one in nodes)
    assert draw_tree(nodes, SIDES, KEY) == svg


def test_what_has_been_is_told_from_what_may_be_without_colours() -> None:
    nodes = [
        node("a", "fought", "carthage", rome="b", carthage="c"),
        node("b", "passed", rome="d"),
        node("c", "now", rome="d", draw="d"),
        node("d"),
    ]
    svg = draw_tree(nodes, SIDES, KEY)
    curves = dict(re.findall(r'<path d="M[^"]*C[^"]*" fill="none" stroke="[^"]*" stroke-width="([^"]*)"([^>]*)/>', svg))
    assert set(curves) == {"5", "2.4"}
    assert svg.count('stroke-dasharray="9 5"') == 2  # the way that Carthage took, and the key
    assert svg.count('stroke-dasharray="2 6"') == 2  # a draw, and the key
    assert svg.count('stroke-dasharray="4 4"') == 1  # the node that is passed
    assert "War &amp; &lt;peace&gt;" in svg
