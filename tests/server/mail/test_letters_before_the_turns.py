"""What does a letter say while terrain is placed and armies deploy?"""

from collections.abc import Sequence
from typing import Any

from server.mail.letter import letter, options_lines, recap
from server.mail.occasions import TURN, letters
from server.recording import Batch
from server.store import Statement
from server.table import Table
from tests.server.pages.test_before_the_turns import set_up, two_players
from tests.server.serving import Server

AT = "2026-01-01T00:00:00.000Z"


def written(server: Server, table: Table, side: str) -> str:
    told: Any = letter(table, side, TURN, "ann@example.org", "token", server.house.signer, AT, 1)
    return str(told.get_content())


async def test_a_letter_says_what_is_to_be_done_in_each_phase(server: Server) -> None:
    ann, ben, battle = await two_players(server, stratagems="2", blind="yes")
    table = await server.house.hall.table(battle)
    text = written(server, table, "south")
    assert "Place your terrain, a line for each piece" in text
    assert "place wood A1 (or 95 other places)" in text
    assert "place wood B1" not in text
    await ann.order(battle, "place wood D4\ndone")
    assert "South places a wood in D4 (piece 1)." in written(server, table, "north")
    await set_up(ann, ben, server, battle, "deployment")
    (side,) = table.to_act()
    assert "Choose the corps that you deploy" in " ".join(written(server, table, side).split())
    assert "deploy camp" not in "\n".join(options_lines(table.options(side)))


async def test_a_recap_tells_nothing_that_is_sealed(server: Server) -> None:
    ann, ben, battle = await two_players(server, stratagems="3", blind="yes")
    await set_up(ann, ben, server, battle, "deployment")
    table = await server.house.hall.table(battle)
    (first,) = table.to_act()
    other = {"south": "north", "north": "south"}[first]
    while table.to_act() == (first,):
        await (ann if first == "south" else ben).order(battle, table.options(first)[-1].order)
    told = "\n".join(recap(table, other))
    placed = [unit.id for unit in table.game.units.values() if unit.side == first and unit.box]
    assert "deploys a unit, unseen by the other side." in told
    assert placed
    assert not any(unit in told for unit in placed)


async def test_who_is_to_act_before_the_turns_gets_a_letter(server: Server) -> None:
    told: list[tuple[str, int]] = []

    def posted(table: Table, batch: Batch, at: str) -> Sequence[Statement]:
        rows = letters(table, batch, at)
        told.append((batch.recorded[-1].type if batch.recorded else "", len(rows)))
        return rows

    server.house.hall.letters = posted
    ann, ben, battle = await two_players(server, stratagems="0", blind="")
    assert told[-1][1] == 1  # the battle has begun: south places its terrain
    await ann.order(battle, "place wood D4\ndone")
    assert [count for _, count in told[-2:]] == [0, 1]  # a piece leaves the move where it was; `done` calls north
    before = len(told)
    await set_up(ann, ben, server, battle, "deployment")
    (first,) = (await server.house.hall.table(battle)).to_act()
    called = sum(count for _, count in told[before:])
    assert called >= 1 if first == "south" else called % 2 == 0  # north has been at it: nobody has to call it
