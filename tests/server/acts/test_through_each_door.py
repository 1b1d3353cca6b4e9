"""Each act through each door: the same events, the same answer, the same letters, whichever way a player comes.

A row of the table is an act with the doors that have it. Each door gets a server of its own; what it leaves is compared
with what the first door left, and the first door's answer with what the row says.
"""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.server.acts import bringing, campaigning, inviting, joining, moving, opening, taking_back, talking
from tests.server.acts.doors import Doors, Facts
from tests.support.serving import serving

Door = Callable[[Doors], Awaitable[Facts]]


class Row(NamedTuple):
    """An act: its doors by name, the facts of its answer, what stands before it, if it needs anything, and the letters
    that it causes."""

    doors: Mapping[str, Door]
    answer: Facts
    before: Callable[[Doors], Awaitable[None]] | None = None
    letters: tuple[str, ...] = ()


ACTS = (opening, joining, inviting, bringing, talking, moving, taking_back, campaigning)
TABLE: dict[str, Row] = {name: Row(*row) for act in ACTS for name, row in act.ROWS.items()}


async def left_by(row: Row, door: Door, folder: Path) -> dict[str, Any]:
    """What an act leaves through a door, on a server of its own."""
    async with serving(folder / "data", mail=True) as server:
        doors = Doors(server, folder)
        await doors.arrive("Anna", "Bob")
        if row.before is not None:
            await row.before(doors)
        since = doors.newest_letter()
        return await doors.traces(await door(doors), since)


@pytest.mark.parametrize("act", TABLE)
async def test_an_act_is_the_same_through_each_door(act: str, tmp_path: Path) -> None:
    row = TABLE[act]
    assert len(row.doors) > 1
    left = {name: await left_by(row, door, tmp_path / name) for name, door in row.doors.items()}
    first, *others = left
    assert left[first]["answer"] == row.answer
    assert left[first]["letters"] == list(row.letters)
    for other in others:
        assert left[other] == left[first], f"{other} is not as {first}"
