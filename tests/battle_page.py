"""Writes the table of docs/battles.md from the packaged scenarios and from what `phalera simulate --json` says.

Run `python -m tests.battle_page FILE.json …`: battles in the files get their balance from there, the others keep it.
"""

import json
import sys
from collections.abc import Sequence
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any

from domain.basics.data import read_toml, scenario_names
from domain.games.to_the_strongest.shown.size import boxes_of, points_of
from domain.games.to_the_strongest.state.roster import (
    PROFILES,
    starting_medals,
    victory_points,
)

PAGE = Path(__file__).parents[1] / "docs" / "battles.md"
HEADINGS = (
    "battle",
    "title",
    "date",
    "south",
    "north",
    "points",
    "medals",
    "board",
    "won south – north – drawn",
    "seed",
)
UNMEASURED = ("–", "–")
"""Balance and seed of a battle that has not been simulated."""


def facts(name: str) -> tuple[str, ...]:
    """The cells that follow from the scenario: all but balance and seed. Values are south's, then north's."""
    table = read_toml("tts", "scenarios", f"{name}.toml")
    south, north = table["sides"]["south"], table["sides"]["north"]
    title, _, date = table["title"].partition(", ")
    board = table["board"]
    return (
        f"`{name}`",
        title,
        date or "–",
        south["name"],
        north["name"],
        f"{points_of(south)} – {points_of(north)}",
        f"{medals_of(south)} – {medals_of(north)}",
        f"{board['columns']} × {board['rows']}",
    )


def medals_of(side: dict[str, Any]) -> int:
    """The medals of a side at the start: those that the scenario gives, else by its victory points."""
    units = [(PROFILES[unit["type"]], unit.get("extras", ())) for corps in side["corps"] for unit in corps["units"]]
    generals = [corps["general"].get("traits", ()) for corps in side["corps"] if "general" in corps]
    camps = sum(boxes_of(corps["camp"]) for corps in side["corps"] if "camp" in corps)
    by_points = starting_medals(victory_points(units, generals, camps))
    return int(side.get("medals", by_points))


def rows(text: str) -> dict[str, tuple[str, ...]]:
    """The first table of the page: name to cells."""
    lines = [line for line in _table(text.splitlines()) if line.startswith("| `")]
    cells = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]
    return {row[0].strip("`"): row for row in cells}


def measured(results: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Balance and seed of each scenario in the JSON of `phalera simulate`."""
    return {
        one["scenario"]: (f"{one['won']['south']} – {one['won']['north']} – {one['drawn']}", str(results["seed"]))
        for one in results["scenarios"]
    }


def page(text: str, balance: dict[str, tuple[str, str]]) -> str:
    """The page with its table made anew; `balance` overrides what stands there."""
    known = {name: row[-2:] for name, row in rows(text).items()} | balance
    live = [HEADINGS, ("---",) * len(HEADINGS)]
    live += [(*facts(name), *known.get(name, UNMEASURED)) for name in scenario_names("tts")]
    lines = text.splitlines()
    table = _table(lines)
    first = lines.index(table[0])
    lines[first : first + len(table)] = [f"| {' | '.join(row)} |" for row in live]
    return "\n".join(lines) + "\n"


def _table(lines: Sequence[str]) -> list[str]:
    """The lines of the first table."""
    begun = dropwhile(lambda line: not line.startswith("|"), lines)
    return list(takewhile(lambda line: line.startswith("|"), begun))


if __name__ == "__main__":
    balance: dict[str, tuple[str, str]] = {}
    for file in sys.argv[1:]:
        balance |= measured(json.loads(Path(file).read_text()))
    PAGE.write_text(page(PAGE.read_text(), balance))
