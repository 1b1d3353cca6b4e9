"""Scenes to draw: a battle as it is set up, one in full swing, a table of free measure, hexes.

`python -m tests.replay.drawing.scenes` writes the golden files and the README's picture anew.
"""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from domain.data import read_toml
from domain.engine.decide import beginning, evolve, opening
from domain.engine.events import Event
from domain.engine.state import GameState
from domain.games.to_the_strongest import RULESET
from domain.games.to_the_strongest.state.state import State, with_general, with_unit_in
from domain.scene import Arrow, Cell, Line, Mark, Scene, Token
from replay.drawing.moves import with_moves
from replay.drawing.svg import draw_svg
from replay.drawing.text import draw_text
from replay.telling.words import worded

GOLDEN = Path(__file__).parent / "golden"
PICTURE = Path(__file__).parents[3] / "docs" / "board.svg"

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
    """A table of free measure, in millimetres."""
    return Scene(
        width=1800,
        height=1200,
        cells=(
            Cell("W1", "wood", ((300, 300), (600, 250), (650, 500), (350, 550)), title="the wood"),
            Cell("H1", "gentle_hill", ((900, 600), (1300, 650), (1250, 900), (950, 850)), label="Hill 40"),
            Cell("Q1", "quicksand", ((1400, 200), (1560, 200), (1560, 330), (1400, 330))),
        ),
        lines=(Line("road", ((0, 600), (700, 650), (1800, 500))), Line("ditch", ((0, 900), (500, 950)))),
        tokens=(
            Token("A1", "south", "unit", "heavy_foot", (300, 150), (120, 60), facing=450, label="A1", title="A1, foot"),
            Token("A2", "south", "unit", "cavalry", (700, 150), (60, 30), facing=3300, label="A2"),
            Token("B1", "north", "unit", "dragons", (700, 900), (80, 80), facing=1950, label="B1"),
            Token("G", "north", "general", "general", (900, 1000), (70, 70), label="G", marks=(Mark("wound"),)),
        ),
        arrows=(Arrow("shot", ((300, 150), (690, 880))),),
        captions=(("", "Phase 2."), ("south", "Red: 3 points.")),
        title="Free measure",
    )


def hexes() -> Scene:
    """Three hexes, two of one wood."""
    corners = ((0, 58), (50, 29), (50, -29), (0, -58), (-50, -29), (-50, 29))
    cells = tuple(
        Cell(f"{at}", kind, tuple((100 + at * 100 + x, 100 + y) for x, y in corners))
        for at, kind in enumerate(("wood", "wood", "plain"))
    )
    token = Token("S1", "red", "unit", "horse", (300, 100), (60, 40), cell="2", label="S1")
    return Scene(400, 200, cells, tokens=(token,), sides=("red", "blue", "green"))


def golden() -> dict[Path, str]:
    """The files kept in the repository, each with what must be in it."""
    return {
        GOLDEN / "duel.svg": draw_svg(duel()) + "\n",
        GOLDEN / "duel.txt": draw_text(duel(), roster=True),
        GOLDEN / "in-full-swing.txt": draw_text(view(in_full_swing())),
        GOLDEN / "open-table.txt": draw_text(open_table()),
        PICTURE: draw_svg(view(cannae()), width=1000) + "\n",
    }


if __name__ == "__main__":
    for file, content in golden().items():
        file.write_text(content, encoding="utf-8", newline="\n")
