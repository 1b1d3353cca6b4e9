"""Who may read a battle: of a private one who holds a side, its umpire, and nobody else."""

from pathlib import Path

import pytest

from server.people.players import Player
from server.play.access import may_read
from server.play.disputing import terms_of
from server.store.tables.closings import REMOVED
from tests.support.serving import PHRASE, serving


@pytest.mark.parametrize(("readers", "is_open"), [("public", True), ("link", True), ("players", False)])
async def test_a_private_battle_is_read_by_its_players_and_its_umpire(
    tmp_path: Path, readers: str, is_open: bool
) -> None:
    async with serving(tmp_path / "data") as server:
        people = {name: await server.player(name) for name in ("Anna", "Judge", "Bob")}
        battle = await people["Anna"].open(readers=readers, umpire="Judge")
        assert (await people["Anna"].sit(battle, "south", phrase=PHRASE)).status == 201
        live = await server.running.battles.get(battle)
        judge = terms_of(server.running.store, "Judge", "agreed", 30).umpire
        seat = live.recording.battle.seats["south"]
        assert may_read(live, Player(seat.player, "Anna"))
        assert may_read(live, Player(judge, "Judge"))
        assert may_read(live, Player("somebody", "Bob")) is is_open
        assert may_read(live, None) is is_open
        live.closed = REMOVED
        assert not may_read(live, Player(seat.player, "Anna"))
