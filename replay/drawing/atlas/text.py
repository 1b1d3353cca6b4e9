"""Write a map as plain text, for mail and terminals: at most 72 columns wide.

Areas stand where they lie, with a sign for their walls and the first letters of their owner; roads are dots and sea
lanes tildes between them. Below stand the powers, the forces, and what the turn has brought.
"""

from collections.abc import Iterator, Mapping
from textwrap import wrap

from domain.campaign.theatre.map_scene import MapPlace, MapScene
from domain.campaign.theatre.state import SEA
from replay.drawing.atlas.words import force_words, happened, power_words, turn_words
from replay.telling.words import ENGLISH
from replay.telling.words.sentences import fragment

COLUMNS, FEWEST_ROWS, MOST_ROWS = 72, 9, 19
WALLS = "-oO@"
"""Signs of places without walls, towns, cities and fortresses."""
SIGNS = {SEA: "~", "road": ".", "track": ":"}
LONGEST = 11
"""Letters of a name at most."""
ASIDE = (0, 1, -1, 2, -2, 3, -3)
"""Rows that a name may move from where it belongs."""


def map_text(scene: MapScene, *, rows: int = MOST_ROWS, lang: str = ENGLISH) -> str:
    """The map with its legend, and what the turn has brought."""
    told = [line for words in happened(scene, lang) for line in wrap(words, COLUMNS - 2, initial_indent="  ")]
    title = f"{scene.title}. {turn_words(scene, lang)}" if scene.title else turn_words(scene, lang)
    parts = [[title, ""], board(scene, rows), ["", *signs_of(scene, lang)], ["", *roster(scene, lang)]]
    if told:
        parts.append(["", *told])
    return "".join(f"{line.rstrip()}\n" for part in parts for line in part)


def marks_of(scene: MapScene) -> dict[str, str]:
    """The shortest beginnings of the powers' ids that tell them apart."""
    ids = [power.id for power in scene.powers]
    return {
        one: next(
            (one[:length] for length in range(1, len(one)) if sum(x.startswith(one[:length]) for x in ids) == 1), one
        ).capitalize()
        for one in ids
    }


def board(scene: MapScene, rows: int = MOST_ROWS) -> list[str]:
    """The map itself: lines of at most 72 characters."""
    marks = marks_of(scene)
    labels = {place.id: _label(scene, place, marks) for place in scene.places}
    at = _spots(scene, labels, rows)
    found = [[" "] * COLUMNS for _ in range(max(row for _, row in at.values()) + 1)]
    for way in scene.ways:
        _way(found, at[way.ends[0]], at[way.ends[1]], SIGNS[way.kind])
    for name, (column, row) in at.items():
        _write(found[row], column - len(labels[name]) // 2, labels[name])
    return ["".join(line).rstrip() for line in found]


def _label(scene: MapScene, place: MapPlace, marks: Mapping[str, str]) -> str:
    """`O Catana:R F4 F6`: walls, name, owner, forces; `*` where a battle was fought, `#` where there is a siege."""
    owner = f":{marks[place.owner]}" if place.owner else ""
    fought = "*" if any(battle.area == place.id for battle in scene.battles) else ""
    siege = "#" if place.besieged else ""
    forces = "".join(f" {force.name}" for force in scene.forces_at(place.id))
    return f"{WALLS[place.city]}{place.name[:LONGEST]}{owner}{siege}{fought}{forces}"


def _spots(scene: MapScene, labels: Mapping[str, str], rows: int) -> dict[str, tuple[int, int]]:
    """Column and row of the middle of each label: as on the map, and moved up or down until nothing overlaps."""
    xs, ys = zip(*(place.at for place in scene.places), strict=True)
    across, down = max(max(xs) - min(xs), 1), max(max(ys) - min(ys), 1)
    high = min(rows, max(FEWEST_ROWS, round(down / across * COLUMNS * 0.55), len(scene.places) // 3 + 5)) - 1
    taken: dict[int, list[tuple[int, int]]] = {}
    found = dict[str, tuple[int, int]]()
    for place in sorted(scene.places, key=lambda place: (-len(scene.forces_at(place.id)), -place.city, place.id)):
        half, wide = len(labels[place.id]) // 2, len(labels[place.id])
        column = round((place.at[0] - min(xs)) / across * (COLUMNS - 1))
        column = min(max(column, half), COLUMNS - wide + half)
        row = round((place.at[1] - min(ys)) / down * high)
        spot = _free(taken, column, half, wide, row, high)
        taken.setdefault(spot[1], []).append((spot[0] - half, spot[0] - half + wide))
        found[place.id] = spot
    return found


def _free(
    taken: Mapping[int, list[tuple[int, int]]], column: int, half: int, wide: int, row: int, high: int
) -> tuple[int, int]:
    """The nearest place where a label has room: first in its column, then beside it, then in a row below all."""
    for sideways in (0, 3, -3, 6, -6, 10, -10):
        at = min(max(column + sideways, half), COLUMNS - wide + half)
        for aside in ASIDE[: 5 if sideways == 0 else 7]:
            start = at - half
            is_free = all(start > end or start + wide < begin for begin, end in taken.get(row + aside, []))
            if 0 <= row + aside <= high and is_free:
                return at, row + aside
    below = next(line for line in range(high + 1, high + 100) if not taken.get(line))
    return column, below


def _way(found: list[list[str]], one: tuple[int, int], other: tuple[int, int], sign: str) -> None:
    """A line of signs between two places."""
    steps = max(abs(other[0] - one[0]) // 2, abs(other[1] - one[1]), 1)
    for step in range(1, steps):
        column = one[0] + round((other[0] - one[0]) * step / steps)
        row = one[1] + round((other[1] - one[1]) * step / steps)
        if found[row][column] == " ":
            found[row][column] = sign


def _write(line: list[str], column: int, words: str) -> None:
    for at, letter in enumerate(words, column):
        if 0 <= at < COLUMNS:
            line[at] = letter


# --- below the map


def signs_of(scene: MapScene, lang: str) -> Iterator[str]:
    """What the signs mean, then the powers."""
    yield from wrap(fragment("map.signs", {}, lang), COLUMNS)
    marks = marks_of(scene)
    for power in scene.powers:
        known = fragment("map.strength", {"strength": power.strength}, lang) if scene.knows(power) else ""
        strength = f" · {known}" if known else ""
        yield from wrap(
            f":{marks[power.id]} {power.name} · {power_words(power, lang)}{strength}",
            COLUMNS,
            subsequent_indent="  ",
        )


def roster(scene: MapScene, lang: str) -> Iterator[str]:
    """A line for each force, power by power."""
    order = {power.id: at for at, power in enumerate(scene.powers)}
    for force in sorted(scene.forces, key=lambda force: (order[force.power], force.id)):
        yield from wrap(force_words(scene, force, lang), COLUMNS, initial_indent="  ", subsequent_indent="    ")
