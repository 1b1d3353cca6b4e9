"""What does a letter say while terrain is placed and armies deploy?"""

from collections.abc import Sequence
from typing import Any

from server.mail.address import Addresses
from server.mail.outgoing.letters import Writer
from server.mail.outgoing.letters.pieces import Items
from server.mail.outgoing.letters.position import recap
from server.mail.outgoing.occasions import letters
from server.play.live_battle import Table
from server.play.recording import Batch
from server.store import Statement
from server.store.tables import accounts, outbox
from tests.server.pages.test_before_the_turns import set_up, two_players
from tests.server.serving import Server

AT = "2026-01-01T00:00:00.000Z"


async def written(server: Server, table: Table, side: str) -> str:
    """A letter to a side as text: one that is sent whoever has to act."""
    store, player = server.house.store, table.recording.battle.seats[side].player
    await store.write(accounts.move(player, f"{side}@example.org"))
    await store.write(outbox.post(table.id, table.n, player, "pause:asked:south", AT))
    row = outbox.unsent(store)[-1]
    composed = await Writer(server.house.hall, Addresses("play@localhost", b"\0" * 32)).compose(row)
    assert composed is not None
    body: Any = composed.message.get_body(("plain",))
    return str(body.get_content())


async def test_a_letter_says_what_is_to_be_done_in_each_phase(server: Server) -> None:
    ann, ben, battle = await two_players(server, stratagems="2", blind="yes")
    table = await server.house.hall.table(battle)
    text = " ".join((await written(server, table, "south")).split())
    assert "Place your terrain, a line for each piece" in text
    assert "place wood | place wood A1 # " in text
    assert ": or one of 95 other places: | # B1, C1, D1," in text
    assert "place wood B1" not in text
    await ann.order(battle, "place wood D4\ndone")
    assert "South places a wood in D4 (piece 1)." in await written(server, table, "north")
    await set_up(ann, ben, server, battle, "deployment")
    (side,) = table.to_act()
    text = await written(server, table, side)
    assert "Choose the corps that you deploy" in " ".join(text.split())
    assert "Stratagems that you hold\n========" in text
    assert "| deploy camp" not in text


async def test_a_recap_tells_nothing_that_is_sealed(server: Server) -> None:
    ann, ben, battle = await two_players(server, stratagems="3", blind="yes")
    await set_up(ann, ben, server, battle, "deployment")
    table = await server.house.hall.table(battle)
    (first,) = table.to_act()
    other = {"south": "north", "north": "south"}[first]
    while table.to_act() == (first,):
        await (ann if first == "south" else ben).order(battle, table.options(first)[-1].order)
    told = "\n".join(said for piece in recap(table, other, "en") if isinstance(piece, Items) for _, said in piece.lines)
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
