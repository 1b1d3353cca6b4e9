"""Maps to draw: Sicily with its coasts in the middle of a turn, and one that has nothing but its links.

python -m tests.support.charts     # draw the kept ones anew
"""

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any

from domain.campaign.theatre.events import (
    EncounterMade,
    ForceAvoided,
    ForceLost,
    ForceMoved,
    ForceRetreated,
)
from domain.campaign.theatre.evolve import evolve_theatre
from domain.campaign.theatre.map_scene import MapChart, MapScene, Moment, map_scene
from domain.campaign.theatre.state import Area, Link, MapTerms, Power, Theatre
from domain.events.event import Event
from replay.drawing.atlas.svg import draw_map
from replay.drawing.atlas.text import map_text
from tests.support.theatres import force


def spot(lon: float, lat: float) -> tuple[int, int]:
    """Degrees as units of a map."""
    return max(0, round((lon - 11) * 160)), max(0, round((39 - lat) * 200))


COASTS: Any = {
    "sicily": "15.65,38.27 15.56,38.19 15.29,37.85 15.19,37.70 15.09,37.50 15.22,37.23 15.29,37.06 15.15,36.67 "
    "14.85,36.73 14.45,36.86 14.25,37.06 13.94,37.10 13.58,37.27 13.28,37.39 13.08,37.50 12.82,37.58 12.59,37.65 "
    "12.43,37.80 12.50,38.02 12.73,38.18 12.88,38.03 13.10,38.10 13.31,38.22 13.37,38.12 13.53,38.11 "
    "13.70,37.99 14.02,38.04 14.26,38.02 14.74,38.16 15.04,38.14 15.23,38.25 15.40,38.22",
    "italy": "15.68,38.22 15.66,38.10 15.70,37.95 16.06,37.92 16.26,38.23 16.55,38.42 16.60,38.80 17.2,39.2 "
    "17,40 16,40 15.9,39.3 16.05,39.05 16.20,38.85 16.05,38.70 15.87,38.68 15.93,38.50 15.88,38.40 15.78,38.27",
    "africa": "10,37.3 10.9,37.27 11.27,37.25 11.25,37.06 11.43,36.90 11.40,36.78 11.62,36.80 11.85,36.95 12.25,37.10 "
    "12.32,36.85 12.0,36.45 11.8,36.2 11.8,35 10,35",
    "lipara": "14.90,38.45 14.98,38.43 15.02,38.50 14.95,38.55 14.88,38.51",
}
RIVERS = (
    "14.45,37.75 14.75,37.62 14.95,37.45 15.10,37.42",
    "14.10,37.72 14.02,37.45 14.02,37.25 13.94,37.10",
    "13.45,37.80 13.40,37.60 13.28,37.39",
)
TOWNS = """carthago 11.43 36.86 open 3 12 3 sc carthage
utica 11.22 37.12 marshy 1 4 1 s carthage
aspis 12.24 36.93 open 1 4 1 - carthage
drepana 12.54 38.00 hilly 2 4 1 s carthage
lilybaeum 12.47 37.79 open 3 6 2 s carthage
segesta 12.90 37.92 hilly 1 2 1 - -
selinus 12.86 37.61 open 0 3 1 - -
panormus 13.36 38.09 hilly 2 5 2 - carthage
thermae 13.71 37.95 wooded 1 3 1 - carthage
heraclea 13.33 37.43 open 1 3 1 - -
agrigentum 13.62 37.33 hilly 3 6 2 - carthage
enna 14.25 37.57 hilly 1 2 1 - -
gela 14.22 37.13 open 0 3 1 - -
camarina 14.50 36.93 marshy 0 3 1 - -
halaesa 14.28 37.98 wooded 0 2 1 - -
tyndaris 14.98 38.10 wooded 1 3 1 - -
messana 15.52 38.17 open 2 4 2 - rome
tauromenium 15.24 37.84 hilly 1 2 1 - hiero
catana 15.02 37.53 river 1 4 1 - -
leontini 14.92 37.28 open 1 5 1 - hiero
syracusae 15.23 37.08 open 3 9 3 sc hiero
rhegium 15.71 38.12 hilly 2 6 1 sc rome
locri 16.16 38.25 wooded 1 4 1 s rome
lipara 14.96 38.49 open 1 2 1 - carthage"""
WAYS = """carthago utica road
carthago aspis road|carthago lilybaeum sea|utica drepana sea|aspis selinus sea|lilybaeum drepana road
drepana segesta road|segesta panormus road|lilybaeum selinus road|selinus heraclea road|heraclea agrigentum road
segesta selinus track|panormus thermae road|thermae halaesa road|halaesa tyndaris road|tyndaris messana road
thermae enna track|agrigentum gela road|agrigentum enna road|enna catana road|enna halaesa track|gela camarina road
camarina syracusae road|gela leontini track|leontini syracusae road|leontini catana road|catana tauromenium road
tauromenium messana road|messana rhegium sea|rhegium locri road|syracusae locri sea|lipara tyndaris sea
panormus lipara sea"""
TROOPS = ("legionaries", "warriors", "hoplites", "light_sling")


def _points(words: str) -> tuple[tuple[int, int], ...]:
    pairs = (word.split(",") for word in words.split())
    return tuple(spot(float(lon), float(lat)) for lon, lat in pairs)


def sicily_chart() -> MapChart:
    """Where everything is on Sicily."""
    spots = {row.split()[0]: spot(float(row.split()[1]), float(row.split()[2])) for row in TOWNS.splitlines()}
    return MapChart(spots, {}, tuple(map(_points, COASTS.values())), tuple(map(_points, RIVERS)))


def sicily() -> Theatre:
    """Sicily in 264 with three powers and seven forces."""
    areas = dict[str, Area]()
    for row in TOWNS.splitlines():
        name, _, _, ground, city, income, vp, marks, owner = row.split()
        is_supply, is_capital = "s" in marks, "c" in marks
        holder = "" if owner == "-" else owner
        areas[name] = Area(name, ground, int(city), int(income), int(vp), is_supply, is_capital, holder)
    links: list[Link] = [
        (one, other, kind)  # type: ignore[misc]  # a kind of link
        for one, other, kind in (row.split() for line in WAYS.splitlines() for row in line.split("|"))
    ]
    powers = {
        "carthage": Power("carthage", "punic", 10),
        "rome": Power("rome", "latin", 8),
        "hiero": Power("hiero", "latin", 5),
    }
    where = (
        ("F1", "carthage", "lilybaeum", 5),
        ("F2", "carthage", "agrigentum", 4),
        ("F3", "carthage", "panormus", 2),
        ("F4", "rome", "messana", 5),
        ("F5", "rome", "rhegium", 3),
        ("F6", "hiero", "syracusae", 4),
        ("F7", "carthage", "enna", 2),
    )
    forces = {name: force(name, power, area, *_units(count)) for name, power, area, count in where}
    return Theatre(powers, forces, areas, MapTerms(tuple(links), turns=12, size=100))


def _units(count: int) -> list[str]:
    return [f"U{at} {TROOPS[at % len(TROOPS)]} standard" for at in range(count)]


def a_turn() -> tuple[Theatre, tuple[Event, ...]]:
    """Sicily after a turn with marches, a battle, a retreat, a siege; and what happened."""
    events: tuple[Event, ...] = (
        ForceMoved("F1", "lilybaeum", "selinus", 1),
        ForceMoved("F4", "messana", "tauromenium", 1),
        ForceMoved("F5", "rhegium", "messana", 1),
        ForceMoved("F6", "syracusae", "leontini", 1),
        ForceMoved("F1", "selinus", "heraclea", 2),
        ForceMoved("F4", "tauromenium", "catana", 2),
        ForceMoved("F6", "leontini", "catana", 2),
        ForceMoved("F7", "enna", "catana", 1),
        EncounterMade("catana", "latin", "punic", "latin", {"south": ("F7",), "north": ("F4", "F6")}, {}),
        ForceRetreated("F7", "catana", "enna"),
        ForceAvoided("F3", "panormus", "thermae"),
        ForceLost("F2", "agrigentum", "surrounded"),
    )
    return reduce(evolve_theatre, events, sicily()), events


def sicily_turn() -> MapScene:
    """The map of Sicily after that turn."""
    theatre, events = a_turn()
    names = {"carthage": "Carthage", "rome": "Rome", "hiero": "Hiero of Syracuse"}
    return map_scene(theatre, sicily_chart(), Moment("Sicily, 264", 3, events, {"catana": "latin"}, names))


def bare() -> MapScene:
    """A map of eight areas whose file gives no place to any."""
    return map_scene(bare_theatre(), MapChart(), Moment("Eight hills", 1))


def bare_theatre() -> Theatre:
    """Eight areas, two powers, three forces."""
    names = ("alba", "bovillae", "cora", "fidenae", "gabii", "lavinium", "ostia", "veii")
    areas = {
        name: Area(
            name,
            ("open", "hilly", "wooded", "river")[at % 4],
            city=at % 4,
            income=at,
            vp=1,
            supply=at in (0, 7),
            owner=("red", "", "blue")[at % 3],
        )
        for at, name in enumerate(names)
    }
    links: tuple[Link, ...] = (
        ("alba", "bovillae", "road"),
        ("bovillae", "cora", "track"),
        ("alba", "gabii", "road"),
        ("gabii", "fidenae", "track"),
        ("fidenae", "veii", "road"),
        ("bovillae", "lavinium", "road"),
        ("lavinium", "ostia", "sea"),
        ("ostia", "veii", "road"),
    )
    powers = {"red": Power("red", "reds", 4), "blue": Power("blue", "blues", 3)}
    forces = {
        "R1": force("R1", "red", "alba", *_units(3)),
        "R2": force("R2", "red", "alba", *_units(1)),
        "B1": force("B1", "blue", "veii", *_units(4)),
    }
    return Theatre(powers, forces, areas, MapTerms(links, turns=6, size=45))


GOLDEN = Path(__file__).parents[1] / "replay" / "drawing" / "golden"


GOLDEN_MAPS: dict[Path, Callable[[], str]] = {
    GOLDEN / "sicily-map.svg": lambda: draw_map(sicily_turn(), styled=True) + "\n",
    GOLDEN / "sicily-map.txt": lambda: map_text(sicily_turn()),
    GOLDEN / "eight-hills-map.svg": lambda: draw_map(bare(), styled=True) + "\n",
    GOLDEN / "eight-hills-map.txt": lambda: map_text(bare()),
}
"""The files kept in the repository, each with what makes its content: nothing is drawn before somebody asks."""


if __name__ == "__main__":
    for file, content in GOLDEN_MAPS.items():
        file.write_text(content(), encoding="utf-8", newline="\n")
