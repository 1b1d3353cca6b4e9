"""How large a base is, by class and formation (STP-GEO-03, STP-GAP-01)."""

from collections.abc import Mapping

Size = tuple[int, int]
"""Frontage and depth in 1/100 cm."""

FOOT, SQUARE = (400, 300), (400, 400)
CLASSES: Mapping[str, Size] = {
    "inf": FOOT,
    "skm": (400, 200),
    "cav": SQUARE,
    "skc": SQUARE,
    "art": SQUARE,
    "mg": SQUARE,
    "veh": SQUARE,
}
FORMATIONS: Mapping[str, Size] = {
    "extended": (400, 200),
    "closed-column": FOOT,
    "square": SQUARE,
    "march": (200, 600),
}
"""Those that have a size of their own."""


def base_size(kind: str, formation: str, given: Mapping[str, Size]) -> Size:
    """Frontage and depth of a base; a LINE has double frontage and half the depth.

    Shape: `kind` the class of its figures, `given` the option `base_sizes`, by class or formation
    """
    width, depth = given.get(kind, CLASSES[kind])
    if formation == "line":
        return given.get(formation, (2 * width, depth // 2))
    if formation in FORMATIONS:
        return given.get(formation, FORMATIONS[formation])
    return width, depth
