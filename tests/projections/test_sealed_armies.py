"""The read models follow a battle whose armies were sealed: once they are opened it is read from its start."""

import tomllib
from contextlib import closing

from domain.basics.data import scenario_text
from projections import inbox, lobby
from projections.database import ModelReader
from tests.projections.kept import all_rows, caught_up, refolded
from tests.projections.played import MemoryLog
from tests.support.recorded import Recorded

BATTLE = "rec00001"
ORDERS = (
    *("south: army EL9 HI7", "south: done", "north: army HI6", "north: done"),
    *("south: deploy SEL9 E7", "south: deploy SHI7 D7", "south: done", "north: deploy NHI6 E3", "north: done"),
)


def test_a_unit_of_a_sealed_list_can_be_followed_after_the_reveal(tmp_path):
    scenario = tomllib.loads(scenario_text("singidunum", "muster"))
    battle, log = Recorded({**scenario, "first": "south"}), MemoryLog()
    path, fed = tmp_path / "live.db", 0
    with closing(caught_up(path, log)) as runner, closing(ModelReader(path)) as reader:
        for line in (*ORDERS, "south: SEL9 to E6", "north: NHI6 to E4"):
            battle.orders(line)
            log.append(BATTLE, *(row for _, row, _ in battle.rows[fed:]))
            fed = len(battle.rows)
            runner.catch_up()
        entry = lobby.entry(reader, BATTLE)
        asked = {question.side for question in inbox.of_battle(reader, BATTLE)}
    assert entry is not None and entry.to_act == ("south",)
    assert asked == {"south"}
    assert all_rows(path) == refolded(tmp_path / "again.db", log)
