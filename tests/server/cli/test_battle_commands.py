"""What a host does about a battle: list, stop, remove."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from replay.proof.verify import verify
from server.cli.main import main
from server.play import snapshots
from server.settings import Settings
from server.sole import sole_server
from server.store.cache_file import CacheFile
from server.store.schema import APPEND_ONLY
from server.time import timekeeper
from tests.support.serving import BATTLES, PHRASE, Caller, RunningServer, serving
from tests.support.waiting import eventually


class Said:
    """What a command said, and its exit code."""

    def __init__(self, *arguments: object, typed: str = "") -> None:
        result = CliRunner().invoke(main, ["battle", *map(str, arguments)], input=typed)
        self.code, self.out, self.err = result.exit_code, result.stdout, result.stderr


async def played(server: RunningServer, anna: Caller, bob: Caller) -> str:
    """A battle in which something was played, refused and said."""
    battle = await server.battle(anna, bob)
    assert (await anna.order(battle, "corps I\nnonsense", f"monday {battle}")).status == 422
    assert (await anna.order(battle, "end turn", f"tuesday {battle}")).status == 200
    return battle


@pytest.fixture
async def two(tmp_path: Path) -> tuple[Path, str, str]:
    """A data folder with two battles."""
    folder = tmp_path / "data"
    async with serving(folder) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        first, second = await played(server, anna, bob), await played(server, anna, bob)
        assert len((await anna.get(BATTLES)).json["battles"]) == 2
    return folder, first, second


@pytest.mark.slow
async def test_all_battles_are_listed_with_their_status(two: tuple[Path, str, str]) -> None:
    folder, first, second = two
    assert Said("end", first, "--data", folder).code == 0
    told = {line.split()[0]: line.split()[-1] for line in Said("list", "--data", folder).out.splitlines()}
    assert told == {first: "stopped", second: "open"}
    assert '"status": "stopped"' in Said("list", "--json", "--data", folder).out


async def test_the_list_is_narrowed_by_a_tag(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with serving(folder) as server:
        anna = await server.player("Anna")
        await anna.open()
        battle = (await anna.post(BATTLES, {"scenario": "skirmish", "tags": ["Spring", "league-2"]})).json["battle"]
    (line,) = Said("list", "--tag", "spring", "--data", folder).out.splitlines()
    assert line.startswith(battle) and line.endswith("open  [league-2 spring]")
    assert len(Said("list", "--data", folder).out.splitlines()) == 2
    assert Said("list", "--tag", "summer", "--data", folder).out == ""


async def test_a_stopped_battle_takes_no_orders_and_its_file_holds(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with serving(folder) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        battle = await played(server, anna, bob)
        before = await anna.export(battle)
        assert Said("end", battle, "--reason", "A flaw in the rules.", "--data", folder).code == 0

        async def is_noticed() -> bool:
            return bool((await anna.view(battle))["closed"])

        await eventually("the battle is closed", is_noticed)
        assert (await bob.order(battle, "end turn")).code == "core.battle-closed"
        assert (await anna.view(battle))["to_act"] == []
        view = await anna.view(battle)
        assert (view["closed"], view["stopped"], view["how"], view["winner"]) == (
            "stopped",
            "A flaw in the rules.",
            "stopped",
            None,
        )
        after = await anna.export(battle)
        assert after.startswith(before[: before.rindex(b'{"checkpoint"')]), "nothing of before is touched"
        report = verify(after)
        assert (report.fault, report.ended) == (None, True)
        assert [(act.what, act.about) for act in report.listed] == [("stopped", "A flaw in the rules.")]
        assert (await anna.get(f"{BATTLES}?ended")).json["battles"] == [], "it is no result"
        assert (await anna.get(f"{BATTLES}?mine")).json["battles"] == []


@pytest.mark.slow
async def test_what_has_ended_or_is_not_there_is_not_stopped(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with serving(folder) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(anna, bob)
        assert (await anna.order(battle, "resign")).status == 200
    assert "has ended by its rules" in Said("end", battle, "--data", folder).err
    assert "no battle none" in Said("end", "none", "--data", folder).err
    assert "no battle none" in Said("rm", "none", "--yes", "--data", folder).err


@pytest.mark.slow
async def test_a_removed_battle_leaves_nothing_and_the_others_everything(two: tuple[Path, str, str]) -> None:
    folder, first, second = two
    for name in (snapshots.FILE, timekeeper.FILE):
        with closing(CacheFile(folder / "read" / name)) as cache:
            cache.put({first: b"something"})
    assert Said("rm", first, "--yes", "--data", folder).code == 0
    content = b"".join(path.read_bytes() for path in [*folder.glob("log.db*"), *folder.glob("read/*")])
    assert content.count(first.encode()) == content.count(b"rm" + first.encode())  # in the log of moderation alone
    assert second.encode() in content
    async with serving(folder) as server:
        again = await server.player("Cato")
        assert (await again.get(f"{BATTLES}/{first}")).status == 404
        assert [one["battle"] for one in (await again.get(BATTLES)).json["battles"]] == [second]
        assert verify(await again.export(second)).fault is None
        assert (await again.sit(await again.open(), "south", phrase=PHRASE)).status == 201


@pytest.mark.slow
async def test_after_a_removal_the_log_is_append_only_again(two: tuple[Path, str, str]) -> None:
    folder, first, _ = two
    assert Said("rm", first, "--yes", "--data", folder).code == 0
    with closing(sqlite3.connect(folder / "log.db")) as db:
        db.execute("INSERT INTO campaigns VALUES ('c1', x'7b7d', '2026-05-01T12:00:00.000Z', 'public')")
        db.execute("INSERT INTO campaign_events VALUES (1, 'c1', 1, 'Kind', x'00', x'7b7d')")
        for table in (*APPEND_ONLY, "stored_events"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                db.execute(f"DELETE FROM {table}")


@pytest.mark.slow
async def test_a_removal_asks_first_and_needs_the_server_stopped(two: tuple[Path, str, str]) -> None:
    folder, first, _ = two
    assert Said("rm", first, "--data", folder, typed="n\n").code == 1
    with sole_server(Settings.at(folder, {})):
        assert "A server runs" in Said("rm", first, "--yes", "--data", folder).err
    assert first in Said("list", "--data", folder).out
    assert Said("rm", first, "--data", folder, typed="y\n").code == 0


@pytest.mark.slow
async def test_rules_that_are_installed_already_are_not_changed(two: tuple[Path, str, str]) -> None:
    folder, first, _ = two
    before = Said("list", "--data", folder).out
    assert Said("rules", first, "--data", folder, typed="n\n").code == 1
    same = Said("rules", first, "--yes", "--data", folder)
    assert (same.code, "installed already" in same.err) == (1, True)
    assert "no battle nothing" in Said("rules", "nothing", "--yes", "--data", folder).err
    assert Said("list", "--data", folder).out == before
