"""Scenes to draw: a battle as it is set up, one in full swing, a table of free measure, hexes.

`python -m tests.support.scenes` writes the golden files and the README's picture anew.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from domain.basics.data import read_toml
from domain.contract.scene import Arc, Arrow, Cell, Disc, Line, Mark, Measure, Ruler, Scene, Sight, Sign, Token
from domain.engine.state import GameState
from domain.events.battle import Event
from domain.games.singidunum import RULESET as SINGIDUNUM
from domain.games.singidunum.state.scenario import MOST_UNITS
from domain.games.to_the_strongest import RULESET
from domain.games.to_the_strongest.state.state import State, with_general, with_unit_in
from domain.mechanics import hex as hexgrid
from domain.run.decide import beginning, evolve, opening
from replay.drawing.moves import with_moves
from replay.drawing.svg import draw_svg
from replay.drawing.text import draw_text
from replay.telling.words import worded

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "replay" / "drawing" / "golden"
PICTURE = ROOT / "docs" / "board.svg"

DUEL: dict[str, Any] = {
    "ruleset": "tts",
    "title": "A duel <on the hill> & by the stream",
    "terrain": [{"box": "B2", "kind": "gentle_hill"}, {"box": "C3", "kind": "wood"}],
    "edge": [{"between": ["A2", "A3"], "kind": "stream"}, {"between": ["C1", "D1"], "kind": "wall"}],
    "board": {"columns": 4, "rows": 4},
    "sides": {
        "south": {
            "name": "Rome",
            "corps": [
                {
                    "id": "I",
                    "name": "Legions",
                    "general": {"id": "G1", "attached": "R1", "traits": ["heroic"]},
                    "camp": {"box": "B1", "fortified": ["N", "W"]},
                    "units": [
                        {"id": "R1", "type": "legionaries", "box": "B2", "quality": "veteran", "disorder": 1},
                        {"id": "R2", "type": "light_bow", "box": "D2"},
                        {"id": "R3", "type": "light_javelin", "box": "D2", "facing": "E", "ammo": 1},
                    ],
                }
            ],
        },
        "north": {
            "name": "Numidia",
            "corps": [
                {
                    "id": "II",
                    "name": "Horse",
                    "general": {"id": "G2", "mounted": True, "box": "A4", "traits": ["brilliant"]},
                    "units": [
                        {"id": "N1", "type": "elephants", "box": "B3", "facing": "W", "hero": True},
                        {"id": "N2", "type": "pikemen", "box": "C4", "disorder": 2, "extras": ["standard"]},
                    ],
                }
            ],
        },
    },
}


def folded(events: list[Event], state: GameState) -> Any:
    """The state after events that follow a state."""
    for event in events:
        state = evolve(RULESET, state, event, state.n + 1)
    return state


def battle(scenario: dict[str, Any]) -> State:
    """A battle as it stands when play begins."""
    state = folded([fact.event for fact in opening(RULESET, scenario)], RULESET.rules.initial)
    begun = beginning(RULESET, state)
    return folded([fact.event for fact in begun], state)


def cannae() -> State:
    """The packaged scenario."""
    return battle(read_toml("tts", "scenarios", "cannae.toml"))


def view(state: State) -> Scene:
    """What a stranger sees."""
    return worded(RULESET.shown.view(RULESET.secrets.known(state, ""), ""))


def duel() -> Scene:
    """A small table with a little of everything, after a move."""
    state = battle(DUEL)
    moved = with_unit_in(state, replace(state.units["N2"], facing="E"), "D4")
    return with_moves(view(state), view(moved))


def in_full_swing() -> State:
    """Cannae with losses, mixed facings, units off the field and wounded generals."""
    state = cannae()
    for unit, box, change in (
        ("R1", "D4", {"facing": "E", "losses": 1}),
        ("R5", "E4", {"losses": 1, "pilum": 0}),
        ("R3", "E4", {"facing": "W"}),
        ("R4", "F5", {"formation": "tortoise", "losses": 1}),
        ("N7", "E8", {"hero": True, "extras": ("standard",)}),
        ("N11", "", {"left_box": "K8", "off_turns": 2}),
        ("N14", "", {"alive": False}),
    ):
        state = with_unit_in(state, replace(state.units[unit], **change), box)
    state = with_general(state, replace(state.generals["G5"], box="F6", wound="light"))
    state = with_general(state, replace(state.generals["G4"], alive=False))
    return replace(state, turn=3)


def open_table() -> Scene:
    """A table of free measure, in millimetres, with all that can be measured on it."""
    return Scene(
        width=1800,
        height=1200,
        cells=(
            Cell("W1", "wood", ((300, 300), (600, 250), (650, 500), (350, 550)), title="the wood"),
            Cell("H1", "rise", ((900, 600), (1300, 650), (1250, 900), (950, 850)), label="Hill 40", look="hill"),
            Cell("Q1", "quicksand", ((1400, 200), (1560, 200), (1560, 330), (1400, 330))),
        ),
        lines=(Line("road", ((0, 600), (700, 650), (1800, 500))), Line("ditch", ((0, 900), (500, 950)))),
        tokens=(
            Token("A1", "south", "unit", "heavy_foot", (300, 150), (120, 60), facing=450, label="A1", title="A1, foot"),
            Token("A2", "south", "unit", "cavalry", (700, 150), (60, 30), facing=3300, label="A2"),
            Token("B1", "north", "unit", "dragons", (700, 900), (80, 80), facing=1950, label="B1"),
            Token("B2", "north", "unit", "cannon", (705, 910), (40, 40), facing=1800, label="B2"),
            Token("G", "north", "general", "general", (900, 1000), (70, 70), label="G", marks=(HURT,), form="emblem"),
        ),
        arrows=(Arrow("shot", ((300, 150), (690, 880))),),
        captions=(("", "Phase 2."), ("south", "Red: 3 points.")),
        title="Free measure",
        arcs=(
            Arc("fire", (685, 176), 3300, 400, width=60, spread=450, side="south", title="A2 can shoot so far."),
            Arc("view", (900, 1000), 900, 300, spread=225),
            Arc("lane", (325, 175), 450, 250, width=120),
        ),
        discs=(Disc("command", (900, 1000), 250, "north", "G commands within 25 cm."),),
        rulers=(Ruler(((700, 150), (700, 900)), "75 cm", "south", "From A2 to B1: 75 cm."),),
        sights=(
            Sight(((300, 150), (700, 900)), (390, 320), title="A1 does not see B1: the wood is in the way."),
            Sight(((700, 150), (705, 910)), title="A2 sees B2."),
        ),
        signs=(Sign("wood", ("w",)), Sign("rise", ("h",)), Sign("road", ("-", "|"), ("·",)), Sign("general", ("*",))),
        measure=Measure("cm", 1, (-900, -600)),
    )


HURT = Mark("wound", symbol="drop", harm=True)


def hexes() -> Scene:
    """Three hexes, two of one wood."""
    board = (3, 1)
    cells = tuple(
        Cell(name, kind, hexgrid.outline(board, name))
        for name, kind in zip(("A0", "B0", "C0"), ("wood", "wood", "plain"), strict=True)
    )
    token = Token("S1", "red", "unit", "horse", hexgrid.middle(board, "C0"), (60, 40), cell="C0", label="S1")
    width, height = hexgrid.size(board)
    return Scene(width, height, cells, tokens=(token,), sides=("red", "blue", "green"), grid="hex")


HEX_BOARD = (9, 11)
HEX_GROUND = {
    **{f"{column}{row}": "scrub" for column in "AI" for row in range(11)},
    **{f"{column}{row}": "scrub" for column in "BH" for row in (0, 1, 9, 10)},
    **{f"{column}{row}": "base" for column in "CDEFG" for row in (0, 10)},
    **{f"{column}{row}": "rampart" for column in "CDEFG" for row in (1, 9)},
    **dict.fromkeys(("D4", "E4", "D5"), "forest"),
}
HEX_UNITS = (
    ("NHI7", "north", "heavy_foot", "D3", 1500, ()),
    ("NAR5", "north", "archers", "E3", None, (Mark("activated", text="-"),)),
    ("NCV6", "north", "cavalry", "B5", 900, (Mark("shaken", 2, symbol="burst", harm=True),)),
    ("SEL9", "south", "spears", "E6", 300, ()),
    ("SHI7B", "south", "heavy_foot", "F6", 3300, (Mark("activated", text="-"),)),
    ("SSV2", "south", "light_foot", "F6", None, ()),
)


def hex_board() -> Scene:
    """A board of hexes with ground, a river along two sides, units of both sides, and a line of sight."""

    def at(name: str) -> tuple[int, int]:
        return hexgrid.middle(HEX_BOARD, name)

    names = [name for name in hexgrid.XY if hexgrid.on_board(HEX_BOARD, name)]
    look = {"base": "building", "rampart": "rocky", "forest": "wood"}
    river = hexgrid.outline(HEX_BOARD, "G5")
    width, height = hexgrid.size(HEX_BOARD)
    return Scene(
        width,
        height,
        tuple(
            Cell(name, kind, hexgrid.outline(HEX_BOARD, name), look=look.get(kind, ""))
            for name in names
            for kind in [HEX_GROUND.get(name, "plain")]
        ),
        lines=(Line("river", (river[5], river[0])), Line("river", (river[4], river[5]))),
        tokens=(
            *(
                Token(id_, side, "unit", symbol, at(cell), (72, 46), cell, facing, id_, marks=marks)
                for id_, side, symbol, cell, facing, marks in HEX_UNITS
            ),
            Token("GE", "south", "general", "general", at("E6"), (30, 17), "E6", label="GE", on="SEL9", form="emblem"),
            Token("fire", "north", "fire", "fire", at("D10"), (90, 90), "D10", form="site"),
        ),
        captions=(("", "Turn 3: Blue to act."), ("south", "Red: 2 points of 7."), ("north", "Blue: 3 points of 7.")),
        title="Two bases",
        discs=(Disc("command", at("E6"), 300, "south", "GE commands within 3 hexes."),),
        sights=(Sight((at("E3"), at("E6")), at("D4"), title="E4 bars the line of NAR5."),),
        signs=(
            *(Sign(word, (letter,)) for word, letter in (("scrub", "u"), ("base", "#"), ("rampart", "="))),
            *(Sign(word, (letter,)) for word, letter in (("forest", "w"), ("general", "*"), ("fire", "f"))),
            Sign("shaken", ("!", "!!"), ("!", "‼")),
            Sign("river", ("~", "S"), ("≈", "≀")),
        ),
        grid="hex",
    )


def battle_on_hexes(columns: int, rows: int, length: int) -> Scene:
    """A blank board with as many units as a scenario of Singidunum may have, or four rows hold; `length` is of ids."""

    def units(side: str, row: int) -> list[dict[str, Any]]:
        places = [(at % columns, row + at // columns) for at in range(min(MOST_UNITS, 4 * columns))]
        return [
            {
                "id": f"{side}{at:02}".ljust(length, "X"),
                "type": "HI",
                "strength": 7,
                "hex": hexgrid.name_at(*place),
                "state": "activated",
            }
            for at, place in enumerate(places)
        ]

    scenario = {
        "ruleset": SINGIDUNUM.code,
        "title": "Many",
        "board": {"layout": "blank", "columns": columns, "rows": rows},
        "sides": {"south": {"units": units("S", rows - 4)}, "north": {"units": units("N", 0)}},
    }
    opened = SINGIDUNUM.opening.load(scenario)
    return SINGIDUNUM.shown.view(SINGIDUNUM.evolutions[type(opened)](SINGIDUNUM.rules.initial, opened), "south")


DRAWINGS: dict[Path, Callable[[], str]] = {
    GOLDEN / "duel.svg": lambda: draw_svg(duel()) + "\n",
    GOLDEN / "duel.txt": lambda: draw_text(duel(), roster=True),
    GOLDEN / "in-full-swing.txt": lambda: draw_text(view(in_full_swing())),
    GOLDEN / "open-table.svg": lambda: draw_svg(open_table()) + "\n",
    GOLDEN / "open-table.txt": lambda: draw_text(open_table()),
    GOLDEN / "hex-board.svg": lambda: draw_svg(hex_board()) + "\n",
    GOLDEN / "hex-board.txt": lambda: draw_text(hex_board(), roster=True),
    PICTURE: lambda: draw_svg(view(cannae()), width=1000) + "\n",
}
"""The files kept in the repository, each with what makes its content: nothing is drawn before somebody asks."""


if __name__ == "__main__":
    for file, content in DRAWINGS.items():
        file.write_text(content(), encoding="utf-8", newline="\n")
