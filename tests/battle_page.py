"""Writes the tables of docs/battles.md from the packaged scenarios and from what `phalera simulate --json` says.

Run `python -m tests.battle_page FILE.json …`: battles in the files get their balance from there, the others keep it.
"""

import json
import sys
from collections.abc import Callable, Sequence
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any, NamedTuple

from domain.basics.data import read_toml, scenario_names
from domain.games.shot_to_pieces.state.profiles import period
from domain.games.to_the_strongest.shown.size import boxes_of, points_of
from domain.games.to_the_strongest.state.roster import (
    PROFILES,
    starting_medals,
    victory_points,
)

PAGE = Path(__file__).parents[1] / "docs" / "battles.md"
BALANCE = ("won south – north – drawn", "seed")
UNMEASURED = ("–", "–")
"""Balance and seed of a battle that has not been simulated."""


def facts(name: str) -> tuple[str, ...]:
    """Of *To the Strongest!*: all cells but balance and seed. Values are south's, then north's."""
    table = read_toml("tts", "scenarios", f"{name}.toml")
    south, north = table["sides"]["south"], table["sides"]["north"]
    board = table["board"]
    return (
        *_named(name, table),
        f"{points_of(south)} – {points_of(north)}",
        f"{medals_of(south)} – {medals_of(north)}",
        f"{board['columns']} × {board['rows']}",
    )


def facts_stp(name: str) -> tuple[str, ...]:
    """Of *Shot to Pieces*: all cells but balance and seed. Values are south's, then north's."""
    table = read_toml("stp", "scenarios", f"{name}.toml")
    code, title, date, *sides = _named(name, table)
    units, corps = (
        " – ".join(map(str, counted)) for counted in zip(*map(_forces, table["sides"].values()), strict=True)
    )
    ground = table["table"]
    size = f"{ground['width'] // 100} × {ground['height'] // 100} cm"
    return (
        code,
        title,
        date,
        period(table["period"]).title,
        *sides,
        units,
        corps,
        size,
        str(table["options"]["turn_limit"]),
    )


def _named(name: str, table: dict[str, Any]) -> tuple[str, ...]:
    title, _, date = table["title"].partition(", ")
    return f"`{name}`", title, date or "–", table["sides"]["south"]["name"], table["sides"]["north"]["name"]


def _forces(side: dict[str, Any]) -> tuple[int, int]:
    return sum(len(corps["units"]) for corps in side["corps"]), len(side["corps"])


def medals_of(side: dict[str, Any]) -> int:
    """The medals of a side at the start: those that the scenario gives, else by its victory points."""
    units = [(PROFILES[unit["type"]], unit.get("extras", ())) for corps in side["corps"] for unit in corps["units"]]
    generals = [corps["general"].get("traits", ()) for corps in side["corps"] if "general" in corps]
    camps = sum(boxes_of(corps["camp"]) for corps in side["corps"] if "camp" in corps)
    by_points = starting_medals(victory_points(units, generals, camps))
    return int(side.get("medals", by_points))


class Table(NamedTuple):
    """The table of a game: its headings before those of the balance, and the cells below them."""

    game: str
    headings: tuple[str, ...]
    facts: Callable[[str], tuple[str, ...]]


TABLES = (
    Table("tts", ("battle", "title", "date", "south", "north", "points", "medals", "board"), facts),
    Table(
        "stp",
        ("battle", "title", "date", "period", "south", "north", "units", "corps", "table", "turns"),
        facts_stp,
    ),
)


def rows(text: str, table: Table = TABLES[0]) -> dict[str, tuple[str, ...]]:
    """The table of a game on the page: name to cells."""
    lines = [line for line in _table(text.splitlines(), table) if line.startswith("| `")]
    cells = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]
    return {row[0].strip("`"): row for row in cells}


def measured(results: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Balance and seed of each scenario in the JSON of `phalera simulate`."""
    return {
        one["scenario"]: (f"{one['won']['south']} – {one['won']['north']} – {one['drawn']}", str(results["seed"]))
        for one in results["scenarios"]
    }


def page(text: str, balance: dict[str, tuple[str, str]]) -> str:
    """The page with its tables made anew; `balance` overrides what stands there."""
    lines = text.splitlines()
    for table in TABLES:
        known = {name: row[-2:] for name, row in rows(text, table).items()} | balance
        headings = (*table.headings, *BALANCE)
        live = [headings, ("---",) * len(headings)]
        live += [(*table.facts(name), *known.get(name, UNMEASURED)) for name in scenario_names(table.game)]
        old = _table(lines, table)
        first = lines.index(old[0])
        lines[first : first + len(old)] = [f"| {' | '.join(row)} |" for row in live]
    return "\n".join(lines) + "\n"


def _table(lines: Sequence[str], table: Table) -> list[str]:
    """The lines of the table of a game."""
    begun = dropwhile(lambda line: not line.startswith(f"| {' | '.join(table.headings)}"), lines)
    return list(takewhile(lambda line: line.startswith("|"), begun))


if __name__ == "__main__":
    balance: dict[str, tuple[str, str]] = {}
    for file in sys.argv[1:]:
        balance |= measured(json.loads(Path(file).read_text()))
    PAGE.write_text(page(PAGE.read_text(), balance))
