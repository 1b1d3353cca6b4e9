"""The page of the events of each game has every type that stands in a file, with all its members."""

import json
import re
from pathlib import Path

import pytest

from domain.events.battle import CORE_EVENTS
from tests.event_pages import page

GOLDENS = sorted((Path(__file__).parent / "golden").glob("*.battle"))


def told() -> dict[tuple[str, str], dict[str, bool]]:
    """By game and type the members, and whether each may be absent."""
    found = {}
    for part in page().split("\n## ")[1:]:
        game = part.split(" ", 1)[0]
        for kind, cell in re.findall(r"^\| `(\w+)` \|[^|]*\|(.*)\|$", part, re.M):
            members = re.findall(r"(?:^|; )`(\w+)(\??)`", cell.strip())
            found[game, kind] = {name: bool(mark) for name, mark in members}
    return found


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_each_event_of_a_battle_has_the_members_of_the_page(path: Path):
    header, *lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    known = told()
    own = [line for line in lines if line.get("type", "") and line["type"] not in CORE_EVENTS]
    assert own
    for event in own:
        members = known[header["ruleset"], event["type"]]
        hidden = "sealed" in event["data"]
        assert event["data"].keys() <= members.keys(), event
        assert hidden or {name for name, may_lack in members.items() if not may_lack} <= event["data"].keys(), event
