"""How large a scenario may be: its numbers, its lists, its texts (TTS-SCN-02).

Every packaged battle fits in several times over. What is larger is no battle that people would play, and a server
would have to think, draw and store for all of it. A scenario is judged as it is written, before anything is made of it.
"""

from collections.abc import Iterator, Mapping, Sized

from domain.games.to_the_strongest.state.roster import MOST_CAMPS
from domain.games.to_the_strongest.state.scenario_file import (
    MISSING,
    GridScenarioGiven,
    GridSideGiven,
    GridUnitGiven,
    bad,
)
from domain.games.to_the_strongest.state.state import Options

OPTIONS: Mapping[str, tuple[int, int]] = {
    "disorder_difficulty": (0, 10),
    "out_of_command": (0, 10),
    "radius_attached": (0, 30),
    "radius_detached": (0, 30),
    "radius_brilliant": (0, 30),
    "radius_great": (0, 30),
    "stack_capacity": (1, 12),
    "bonus_cap": (0, 10),
    "turn_limit": (0, 100),
    "stratagems_per_side": (0, 14),  # every card of the deck
    "ammo_reserve": (-1, 200),  # −1 stands for `auto`
    "group_max": (1, 12),
}
"""The least and the greatest value of each option that is a number; `deploy_rows` depends on the board."""
WOUND_CARDS = (0, 13)
MOST_BOXES = 400
MEDALS = (1, 9_999)
MOST_MARKERS = 20
LENGTHS: Mapping[str, int] = {
    "corps": 12,
    "units": 60,  # of a side
    "stratagems": 20,
    "terrain": 400,  # every box of the largest board
    "edge": 800,
    "extras": 20,
    "traits": 20,
    "fortified": 4,
    "sources": 20,
}
"""The most entries of each list."""
TEXTS: Mapping[str, int] = {"title": 200, "name": 100, "id": 24, "history": 8000, "sources": 500}
"""The most characters of each text; a translation may be as long."""


def require_within(given: GridScenarioGiven, options: Options) -> None:
    """Refuse a scenario that is larger than any battle.

    Raises: Refusal tts.bad-scenario with `key` and the fault `range`, `too-many` or `too-long`
    """
    for key, (least, most) in OPTIONS.items():
        _number(f"options.{key}", getattr(options, key), least, most)
    for card in options.wound_table:
        _number("options.wound_table", card, *WOUND_CARDS)
    for key, text in _texts(given):
        most = TEXTS[key.rpartition(".")[2].removesuffix("_fr")]
        if len(text) > most:
            raise bad(key, "too-long", most=most)
    if given.board.columns * given.board.rows > MOST_BOXES:
        raise bad("board", "too-many-boxes", most=MOST_BOXES)
    _entries("terrain", given.terrain or ())
    _entries("edge", given.edge)
    _entries("sources", given.sources)
    for side, army in given.sides.items():
        _side(f"sides.{side}", army)


def _side(key: str, army: GridSideGiven) -> None:
    _entries(f"{key}.corps", army.corps)
    _entries(f"{key}.units", tuple(unit for corps in army.corps for unit in corps.units))
    _entries(f"{key}.stratagems", army.stratagems or ())
    if army.medals is not None:
        _number(f"{key}.medals", army.medals, *MEDALS)
    for corps in army.corps:
        if corps.camp:
            _entries(f"{corps.id}.fortified", corps.camp.fortified)
            if corps.camp.size > MOST_CAMPS:
                raise bad(f"{key}.corps", "too-many-camps", most=MOST_CAMPS)
        if corps.general:
            _entries(f"{corps.general.id}.traits", corps.general.traits)
        for unit in corps.units:
            _unit(unit)


def _unit(unit: GridUnitGiven) -> None:
    for marker in ("ammo", "lance", "pilum"):
        if getattr(unit, marker) != MISSING:
            _number(f"{unit.id}.{marker}", getattr(unit, marker), 0, MOST_MARKERS)
    _entries(f"{unit.id}.extras", unit.extras)


def _number(key: str, found: int, least: int, most: int) -> None:
    if not least <= found <= most:
        raise bad(key, "range", least=max(least, 0), most=most)


def _entries(key: str, found: Sized) -> None:
    most = LENGTHS[key.rpartition(".")[2]]
    if len(found) > most:
        raise bad(key, "too-many", most=most)


def _texts(given: GridScenarioGiven) -> Iterator[tuple[str, str]]:
    """The texts whose length is free otherwise, each with its key; the other words are among few."""
    yield "title", given.title
    yield "title_fr", given.title_fr
    yield "history", given.history
    yield "history_fr", given.history_fr
    for source in given.sources:
        yield "sources", source
    for side, army in given.sides.items():
        yield f"sides.{side}.name", army.name
        yield f"sides.{side}.name_fr", army.name_fr
        for corps in army.corps:
            yield f"sides.{side}.corps.id", corps.id
            yield f"sides.{side}.corps.name", corps.name
            yield f"sides.{side}.corps.name_fr", corps.name_fr
            for piece in (*corps.units, *((corps.general,) if corps.general else ())):
                yield f"sides.{side}.corps.id", piece.id
