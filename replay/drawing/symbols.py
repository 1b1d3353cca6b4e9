"""The picture of each troop type, in a few strokes.

Each symbol is a list of strokes in a square of 24 × 24 around (0, 0), x to the right and y down:
`fill` and `line` in the ink of the symbol, `gap` and `cut` (a filled shape, a line) in the colour
behind it. A symbol that is not in the table is drawn as a plain lozenge.
"""

from replay.drawing.pen import number, tag

Stroke = tuple[str, str]

_HORSE_HEAD = (
    "M-6 11.5 L8 11.5 C9 4 8 -5 2 -9 L1 -12 L-1.5 -9.5 C-5 -8.5 -7 -4.5 -10 -0.5 C-10.8 2 -8.8 4.3 -7 3.6 "
    "C-5.5 2.6 -3.6 2.2 -1 1.4 C-1 5 -6 6.5 -6 11.5 Z"
)
_EYE = "M-4.6 -4.6 m-1.1 0 a1.1 1.1 0 1 0 2.2 0 a1.1 1.1 0 1 0 -2.2 0"
_MANE = "M2 -7.5 C6 -4 6.4 3 5.4 10"
_RUNNER = (
    ("fill", "M-1 -7.5 m-2.8 0 a2.8 2.8 0 1 0 5.6 0 a2.8 2.8 0 1 0 -5.6 0"),
    ("line", "M-0.5 -4.5 L0.5 3 L-5.5 11 M0.5 3 L6 5.5 L6.5 11.5"),
)
_ELEPHANT = (
    "M-11 0 C-11 -7 -6 -8.5 0 -8.5 C2 -10 6.5 -10 8.5 -6.5 C10 -4 9.5 1 9.8 4 C10 7 11.5 7.5 11.8 6.2 "
    "C12 9.6 7.6 10 7.2 5.5 L6.6 1.5 L4.5 2.5 L4.5 11 L0.5 11 L0.5 4.5 L-5 4.5 L-5 11 L-9 11 L-9 5 "
    "C-9.6 6.4 -9.8 7.4 -10.8 8.4 C-11.4 6 -11 3 -11 0 Z"
)
_WHEEL = "M{x} 5 m-6 0 a6 6 0 1 0 12 0 a6 6 0 1 0 -12 0 M{x} -1 V11 M{left} 5 h12"
_CAR = "M-9 -9 C-6 -9 -6 -1 -1 -1 L6 -1 C7 -4 8 -7 8 -9"

SYMBOLS: dict[str, tuple[Stroke, ...]] = {
    # foot of the line: by what they carry
    "heavy_foot": (
        ("fill", "M-7 -10 Q0 -12.5 7 -10 L7 10 Q0 12.5 -7 10 Z"),
        ("cut", "M0 -10 V-4 M0 4 V10 M-5.5 0 H-4 M4 0 H5.5"),
        ("gap", "M0 -3.6 L3.6 0 L0 3.6 L-3.6 0 Z"),
    ),
    "spears": (
        ("line", "M-11 11 L11 -11"),
        ("fill", "M11.8 -11.8 L10.6 -6.2 L6.2 -10.6 Z"),
        ("fill", "M-1 1.5 m-8 0 a8 8 0 1 0 16 0 a8 8 0 1 0 -16 0"),
        ("cut", "M-1 1.5 m-5 0 a5 5 0 1 0 10 0 a5 5 0 1 0 -10 0"),
        ("gap", "M-1 1.5 m-1.6 0 a1.6 1.6 0 1 0 3.2 0 a1.6 1.6 0 1 0 -3.2 0"),
    ),
    "pikes": (
        ("line", "M-10 6 L-4 -11.5 M-4.5 6 L1.5 -11.5 M1 6 L7 -11.5 M6.5 6 L11 -7"),
        ("fill", "M-11 5 H11 V11 H-11 Z"),
        ("cut", "M-5.5 5.5 V11 M0 5.5 V11 M5.5 5.5 V11"),
    ),
    "warriors": (
        ("line", "M-9.5 11 L9 -10 M6.5 -4 L1.8 -8.6"),
        ("fill", "M-2.5 -9.5 C3.5 -8 4.5 7 -0.5 11 C-6.5 9.5 -8 -6 -2.5 -9.5 Z"),
        ("cut", "M-2 -8 L-1 9.5"),
        ("gap", "M-1.6 -2 C0.2 -1 0.4 2.4 -1.2 3.4 C-3 2.4 -3.2 -1 -1.6 -2 Z"),
    ),
    "axes": (
        ("line", "M-8 11 L4.5 -9"),
        ("fill", "M1 -11.5 C5 -12 9.5 -10 11.5 -5.5 C8.5 -5.8 6 -5 4.6 -2.6 L0.4 -5.6 C2 -7.5 2.2 -9.5 1 -11.5 Z"),
    ),
    "javelins": (
        ("line", "M-11 9 L5 -11 M-3 11 L11 -7"),
        ("fill", "M6 -12.2 L5.4 -7 L1.6 -10.1 Z M11.8 -8 L10.8 -2.8 L7.2 -6 Z"),
        ("fill", "M-4.5 2 m-5.5 0 a5.5 5.5 0 1 0 11 0 a5.5 5.5 0 1 0 -11 0"),
        ("gap", "M-4.5 2 m-1.7 0 a1.7 1.7 0 1 0 3.4 0 a1.7 1.7 0 1 0 -3.4 0"),
    ),
    "mob": (
        ("fill", "M-6.5 -2 m-3 0 a3 3 0 1 0 6 0 a3 3 0 1 0 -6 0 M6.5 -2 m-3 0 a3 3 0 1 0 6 0 a3 3 0 1 0 -6 0"),
        ("fill", "M-11.5 10 C-11.5 1 -1.5 1 -1.5 10 Z M1.5 10 C1.5 1 11.5 1 11.5 10 Z"),
        ("fill", "M0 -8 m-3.2 0 a3.2 3.2 0 1 0 6.4 0 a3.2 3.2 0 1 0 -6.4 0 M-3.4 6 C-4 -6 4 -6 3.4 6 Z"),
    ),
    # foot that shoots
    "archers": (
        ("line", "M-3 -11.5 Q11 0 -3 11.5"),
        ("thin", "M-3 -11.5 V11.5"),
        ("line", "M-10 0 H8"),
        ("fill", "M12 0 L6.6 -3 V3 Z M-11.5 -3 L-7 0 L-11.5 3 Z"),
    ),
    "crossbows": (
        ("line", "M0 11.5 V-9 M-10.5 -3 Q0 -11 10.5 -3"),
        ("thin", "M-10.5 -3 L0 3 L10.5 -3"),
        ("fill", "M0 -12 L3 -7 H-3 Z"),
    ),
    "handguns": (
        ("fill", "M-11.5 9.5 L-7 3 L10 -9 L12 -6.4 L-4.5 6 L-8 11.5 Z"),
        ("line", "M-2 4 L-1 9"),
        ("thin", "M8 -1.5 L11 1 M5 3 L6 6"),
    ),
    "light_foot": (*_RUNNER, ("line", "M-0.5 -3.5 L-6.5 -2.5 M0 -3 L6 -4.5"), ("line", "M-11.5 -0.5 L11.5 -8")),
    "light_archers": (
        *_RUNNER,
        ("line", "M-0.5 -3 L7 -3.5 M-0.5 -3 L-6 -1"),
        ("thin", "M6 -11.5 Q13 -3.5 6 4.5 M6 -11.5 L-3 -2 L6 4.5"),
    ),
    "slingers": (
        *_RUNNER,
        ("line", "M0 -3.5 L6.5 -7.5 M-0.5 -3 L-6 -1"),
        ("thin", "M6.5 -7.5 Q-2 -15.5 -9 -8.5"),
        ("fill", "M-9.5 -7 m-2 0 a2 2 0 1 0 4 0 a2 2 0 1 0 -4 0"),
    ),
    # horse: a full head is heavy, an outlined one light
    "cavalry": (("fill", _HORSE_HEAD), ("gap", _EYE), ("cut", _MANE)),
    "lancers": (
        ("fill", _HORSE_HEAD),
        ("gap", _EYE),
        ("line", "M9.5 11.5 L11 -11"),
        ("fill", "M11 -12 L5 -9.5 L10.6 -6 Z"),
    ),
    "horse_archers": (("fill", _HORSE_HEAD), ("gap", _EYE), ("cut", "M0 -5 Q9 1 0 8 Z M-3.5 1.5 H6")),
    "knights": (
        ("fill", _HORSE_HEAD),
        ("cut", "M-4 -8 L7 1 M-8 -2.5 L6.5 9 M-2 4 L0 11.5 M4 -7 L-2.5 1.5 M7.5 -2 L-3.5 11.5"),
        ("gap", _EYE),
    ),
    "light_cavalry": (("line", _HORSE_HEAD), ("fill", _EYE), ("line", "M0 11 L11.5 -8")),
    "light_horse_archers": (("line", _HORSE_HEAD), ("fill", _EYE), ("thin", "M6 -11 Q14 -3 6 5 Z")),
    "camels": (
        (
            "fill",
            "M-11 11 L-10.5 2 C-9.5 -2 -6.5 -2 -4.5 -6 C-3 -9.5 0.5 -9.5 1.5 -5 C2.2 -2 5 -2 5.6 -5 L6.2 -11 "
            "C8 -12.4 10.5 -10.6 11.8 -8.4 L11.2 -6.8 L8.8 -7.2 C9 -1 8.4 3.6 5.2 3.8 L5.6 11 L3 11 L2 4 "
            "L-5.5 4 L-7.6 7 L-7.8 11 Z",
        ),
    ),
    # wheels and beasts
    "chariots": (
        ("line", _WHEEL.format(x=1, left=-5)),
        ("fill", _CAR + " L8 -1.5 L-8 -1.5 Z"),
        ("line", "M-11.5 3 L-4 -2"),
    ),
    "light_chariots": (("line", _WHEEL.format(x=1, left=-5)), ("line", _CAR), ("line", "M-11.5 3 L-4 -2")),
    "scythed_chariots": (
        ("line", _WHEEL.format(x=0, left=-6)),
        ("line", _CAR),
        ("fill", "M4 5 C8 3 11 5 12 9.5 C9.5 7.5 7 7 4 7 Z M-4 5 C-8 3 -11 5 -12 9.5 C-9.5 7.5 -7 7 -4 7 Z"),
    ),
    "elephants": (
        ("fill", _ELEPHANT),
        ("cut", "M1 -6 C-1 -2 0 1.5 3.4 1 C4.8 -1 4.6 -4 3.6 -6"),
        ("gap", "M6.6 -4.4 m-0.9 0 a0.9 0.9 0 1 0 1.8 0 a0.9 0.9 0 1 0 -1.8 0"),
        ("fill", "M-8 -12 H-1.5 V-8 H-8 Z"),
    ),
    "engines": (
        ("line", "M-10 -5 Q0 -13 10 -5 M0 -11.5 V5 M-7.5 11.5 L0 3 L7.5 11.5"),
        ("thin", "M-10 -5 L0 1 L10 -5"),
    ),
    "cannon": (
        ("fill", "M-11.5 3 L8.5 -9 L11.5 -4.5 L-6 6.5 Z"),
        ("line", "M2 5 m-5.5 0 a5.5 5.5 0 1 0 11 0 a5.5 5.5 0 1 0 -11 0"),
        ("line", "M-3 7 L-11 11"),
    ),
    "wagons": (
        ("fill", "M-11 3 C-11 -11 11 -11 11 3 Z"),
        ("cut", "M-4 3 C-4 -5 -4 -6 -3.6 -7 M4 3 C4 -5 4 -6 3.6 -7"),
        ("line", "M-6 7 m-4 0 a4 4 0 1 0 8 0 a4 4 0 1 0 -8 0 M6 7 m-4 0 a4 4 0 1 0 8 0 a4 4 0 1 0 -8 0"),
    ),
    # soldiers of the age of powder, and their machines
    "riflemen": (
        ("line", "M-6.5 6 L9.5 -11 M6.5 6 L-9.5 -11"),
        ("fill", "M-8.5 3.5 L-4 8 L-8.5 12 L-12 8.5 Z M8.5 3.5 L4 8 L8.5 12 L12 8.5 Z"),
    ),
    "sharpshooters": (
        ("line", "M-5 5 L10.5 -10.5"),
        ("fill", "M-7.5 3 L-3 7.5 L-8 11.5 L-11.5 8 Z"),
        ("fill", "M-6.5 -6 m-2.6 0 a2.6 2.6 0 1 0 5.2 0 a2.6 2.6 0 1 0 -5.2 0"),
        ("fill", "M7 7.5 m-2.6 0 a2.6 2.6 0 1 0 5.2 0 a2.6 2.6 0 1 0 -5.2 0"),
    ),
    "horse_riflemen": (
        ("line", _HORSE_HEAD),
        ("fill", _EYE),
        ("line", "M2 11 L10 -9"),
        ("fill", "M0 7.5 L5.5 9.5 L4 12 L-1.5 12 Z"),
    ),
    "machine_gun": (
        ("line", "M-12 -4.5 H3"),
        ("fill", "M-5 -7.5 H10 V-1 H-5 Z"),
        ("line", "M2 -1 L-7 11 M2 -1 L11 11 M2 -1 V8"),
    ),
    "tank": (
        ("fill", "M-12 2.5 L-7.5 -5 H7.5 L12 2.5 L7.5 9 H-7.5 Z"),
        ("cut", "M-9 2.5 L-6 -2 H6 L9 2.5 L6 6 H-6 Z"),
        ("fill", "M-4 -10 H4 V-5 H-4 Z"),
        ("line", "M4 -8 H11"),
    ),
    "armoured_car": (
        ("fill", "M-12 5 L-10 -2 H-4 L-3 -8 H5 L6 -2 H10 L12 5 Z"),
        ("line", "M5 -6 H12"),
        ("fill", "M-6 7 m-4 0 a4 4 0 1 0 8 0 a4 4 0 1 0 -8 0 M6 7 m-4 0 a4 4 0 1 0 8 0 a4 4 0 1 0 -8 0"),
        ("gap", "M-6 7 m-1.5 0 a1.5 1.5 0 1 0 3 0 a1.5 1.5 0 1 0 -3 0"),
        ("gap", "M6 7 m-1.5 0 a1.5 1.5 0 1 0 3 0 a1.5 1.5 0 1 0 -3 0"),
    ),
    "rockets": (
        ("line", "M-11 11 L3 -3 M-11 3 L-5 -3 M-3 11 L3 5"),
        ("fill", "M-1.5 -2.5 L5 -9.5 L12 -12 L9.5 -5 L2.5 1.5 Z"),
    ),
    "general": (
        ("fill", "M0 -11.5 L3 -4 L11 -3.6 L4.8 1.4 L6.8 9.3 L0 4.9 L-6.8 9.3 L-4.8 1.4 L-11 -3.6 L-3 -4 Z"),
    ),
}  # fmt: skip

GENERIC: dict[str, str] = {
    "foot": "heavy_foot",
    "infantry": "heavy_foot",
    "skirmishers": "light_foot",
    "horse": "cavalry",
    "light_horse": "light_cavalry",
    "cavalry_heavy": "knights",
    "chariot": "chariots",
    "elephant": "elephants",
    "artillery": "cannon",
    "bow": "archers",
    "pike": "pikes",
    "wagon": "wagons",
}
"""Other names for symbols, so that a game may say the plain word."""

_UNKNOWN: tuple[Stroke, ...] = (("line", "M0 -9 L9 0 L0 9 L-9 0 Z"),)


def symbol(name: str, x: float, y: float, size: float, ink: str, behind: str) -> str:
    """A symbol around (x, y), fitted into a square of this size."""
    strokes = SYMBOLS.get(GENERIC.get(name, name), _UNKNOWN)
    scale = max(1, round(size / 24 * 10)) / 10
    drawn = "".join(_stroke(way, data, ink, behind) for way, data in strokes)
    return tag(
        "g",
        drawn,
        class_=f"symbol {name}",
        transform=f"translate({number(x)} {number(y)}) scale({number(scale)})",
        fill="none",
        stroke_linecap="round",
        stroke_linejoin="round",
    )


def _stroke(way: str, data: str, ink: str, behind: str) -> str:
    colour = behind if way in ("gap", "cut") else ink
    if way in ("fill", "gap"):
        return tag("path", d=data, fill=colour)
    return tag("path", d=data, stroke=colour, stroke_width=1.4 if way in ("thin", "cut") else 2.2)
