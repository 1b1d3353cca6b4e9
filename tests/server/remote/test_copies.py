"""The copy of a log and the index of its check: they last, and an index that does not fit is made again."""

from pathlib import Path

import pytest

from replay.proof import growing
from replay.proof.chain import Log
from replay.proof.growing import CheckedSoFar
from replay.proof.resuming import WalkSoFar
from server.remote import judging
from server.remote.copies import read_copy, require_log
from server.remote.errors import NotDone
from tests.server.remote.remote_player import RemotePlayer
from tests.server.remote.test_remote_play import two
from tests.support.serving import RunningServer


async def _turns(anna: RemotePlayer, bob: RemotePlayer, battle: str, count: int = 2) -> None:
    for _ in range(count):
        await anna.order(battle, "end turn")
        await bob.order(battle, "end turn")


async def test_another_program_goes_on_where_the_first_has_stopped(
    server: RunningServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bob, battle = await two(server, tmp_path)
    await _turns(anna, bob, battle)
    place = RemotePlayer(server, anna.token, tmp_path / "Anna").place(battle)
    kept = read_copy(place)
    assert kept is not None and kept.walk is not None
    assert kept.walk.checked == len(kept.log.lines)
    chained = require_log(place, kept.content, "")
    assert [*kept.log.lines] == [*chained.lines]
    assert [*kept.log.hashes] == [*chained.hashes]
    gone_on: list[object] = []
    honest = growing.checked_on

    def watched(log: Log, walk: WalkSoFar | None) -> CheckedSoFar:
        gone_on.append(walk)
        return honest(log, walk)

    monkeypatch.setattr(judging, "checked_on", watched)
    await bob.look(battle)
    await anna.order(battle, "end turn")
    assert gone_on and None not in gone_on


@pytest.mark.parametrize("damage", ["index gone", "index damaged", "index of another release", "another copy"])
async def test_an_index_that_does_not_fit_is_made_again(server: RunningServer, tmp_path: Path, damage: str) -> None:
    anna, bob, battle = await two(server, tmp_path)
    await _turns(anna, bob, battle, 1)
    place = anna.place(battle)
    index = place.checked.read_bytes()
    if damage == "index gone":
        place.checked.unlink()
    elif damage == "index damaged":
        place.checked.write_bytes(index[:-9])
    elif damage == "index of another release":
        place.checked.write_bytes(index.replace(b'"program":"', b'"program":"9'))
    else:
        await anna.order(battle, "end turn")
        place.checked.write_bytes(index)
    kept = read_copy(place)
    assert kept is not None and kept.walk is None
    await _turns(anna, bob, battle, 1) if damage != "another copy" else await bob.order(battle, "end turn")
    await anna.look(battle)
    kept = read_copy(place)
    assert kept is not None and kept.walk is not None


async def test_a_copy_that_was_altered_is_damaged_whatever_its_index_says(
    server: RunningServer, tmp_path: Path
) -> None:
    anna, bob, battle = await two(server, tmp_path)
    await _turns(anna, bob, battle, 1)
    file = anna.place(battle).log
    file.write_bytes(file.read_bytes().replace(b"end turn", b"end tern", 1))
    with pytest.raises(NotDone, match="is damaged"):
        await anna.look(battle)
