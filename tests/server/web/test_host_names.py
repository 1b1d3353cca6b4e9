"""A battle from before its host got another name, and one from afterwards, beside each other at every door."""

from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from replay.proof import heads, notes
from replay.proof.chain import open_file
from replay.proof.heads import Evidence
from replay.proof.verify import OK, verify
from server.people.keys import take_name
from server.play.archive import import_battle
from server.settings import Settings
from server.store import EventStore
from tests.support.entropy import entropy_of_test
from tests.support.looping import some
from tests.support.serving import BATTLES, Caller, RunningServer, serving

OLD, NEW = "trial.example", "games.example"


def signs(note: str, key: str) -> bool:
    """Whether a note over a head is signed with a key."""
    try:
        notes.open_head(notes.Verifier(key), note)
    except notes.BadNote:
        return False
    return True


class Two:
    """A server under its new name with a battle of each name; Anna plays south in both, Bob north."""

    def __init__(self, server: RunningServer, callers: list[Caller], battles: dict[str, str]) -> None:
        self.server = server
        self.anna, self.bob = callers
        self.battles = battles
        keys = server.running.keys
        self.keys = {OLD: keys.former[0].key, NEW: keys.current.key}

    def with_others(self) -> list[tuple[str, str, str]]:
        """Each name with its key, and the key of the other name."""
        return [(OLD, self.keys[OLD], self.keys[NEW]), (NEW, self.keys[NEW], self.keys[OLD])]


@asynccontextmanager
async def two(folder: Path):
    async with serving(folder, host=OLD) as server:
        before = [await server.player(name) for name in ("Anna", "Bob")]
        old = await server.battle(*before)
        assert (await before[0].order(old, "end turn")).status == 200
    take_name(Settings.at(folder, {}), NEW, entropy_of_test())
    async with serving(folder, host=NEW) as server:
        callers = [
            Caller(server.client, caller.headers["Authorization"].split()[1], caller.player) for caller in before
        ]
        yield Two(server, callers, {OLD: old, NEW: await server.battle(*callers)})


@pytest.fixture
async def both(tmp_path: Path):
    async with two(tmp_path / "data") as running:
        yield running


async def test_both_are_played_on_and_receipts_are_signed_under_the_name_of_each(both: Two) -> None:
    for name, own, other in some(both.with_others()):
        battle = both.battles[name]
        player = both.bob if name == OLD else both.anna
        receipts = [(await player.order(battle, "end turn")).json["receipt"], (await both.anna.view(battle))["receipt"]]
        receipts.append((await both.anna.get(f"{BATTLES}/{battle}/proof")).json["receipt"])
        for receipt in some(receipts):
            assert receipt.startswith(f"{name}/phalera/{battle}\n")
            assert (signs(receipt, own), signs(receipt, other)) == (True, False)
        page = await both.anna.ask("GET", f"/battles/{battle}", {"Accept": "text/html"})
        assert (page.status, f"{name}/phalera/{battle}" in page.text) == (200, True)


async def test_both_are_exported_verified_and_taken_in_elsewhere(both: Two, tmp_path: Path) -> None:
    elsewhere = Settings.at(tmp_path / "elsewhere", {}, host="elsewhere.example")
    elsewhere.data.mkdir()
    for name, own, other in some(both.with_others()):
        battle = both.battles[name]
        player = both.bob if name == OLD else both.anna
        receipt = (await player.order(battle, "end turn")).json["receipt"]
        running = await both.anna.export(battle)
        assert (verify(running, own).fault, verify(running, own).trusted) == (None, True)
        fault = verify(running, other).fault
        assert fault is not None
        assert [head.n for head in heads.prove(open_file(running), Evidence("a receipt", receipt.encode()))]
        assert (await both.anna.order(battle, "resign")).status == 200
        ended = await both.anna.export(battle)
        report = verify(ended, own)
        assert (report.exit, report.host, report.trusted, report.ended) == (OK, name, True, True)
        with EventStore.open(elsewhere.store()) as store:
            assert import_battle(store, ended, own) == battle
    async with serving(elsewhere.data, host=elsewhere.host) as server:
        for name, own, _ in some(both.with_others()):
            proof = (await server.stranger.get(f"{BATTLES}/{both.battles[name]}/proof")).json
            assert (proof["key"], signs(proof["receipt"], own)) == (own, True)
            assert await server.stranger.export(both.battles[name]) == await both.anna.export(both.battles[name])


async def test_the_keys_of_all_names_are_published(both: Two) -> None:
    host = (await both.server.stranger.get("/api/v1/host")).json
    assert host["name"] == NEW
    assert [(key["name"], key["key"], key["current"]) for key in host["keys"]] == [
        (NEW, both.keys[NEW], True),
        (OLD, both.keys[OLD], False),
    ]
    for name, key in both.keys.items():
        proof = (await both.anna.get(f"{BATTLES}/{both.battles[name]}/proof")).json
        assert (proof["key"], proof["fingerprint"]) == (key, notes.Verifier(key).fingerprint())
    assert "PRIVATE" not in str(host)


async def test_a_branch_and_a_rematch_of_a_battle_from_before_have_the_new_name(both: Two) -> None:
    old = both.battles[OLD]
    branch = await both.anna.post(f"{BATTLES}/{old}/branch", {"n": (await both.anna.view(old))["n"]})
    assert (await both.bob.order(old, "resign")).status == 200
    rematch = await both.anna.post(f"{BATTLES}/{old}/rematch", {})
    for made in branch, rematch:
        report = verify(await both.anna.export(made.json["battle"]), both.keys[NEW])
        assert (report.host, report.trusted, report.fault) == (NEW, True, None)
    told = (await both.anna.get(f"{BATTLES}/{old}/branches")).json
    assert (told["root"], len(told["branches"])) == (old, 2)


async def test_a_live_battle_that_left_memory_comes_back_with_its_key(tmp_path: Path) -> None:
    async with two(tmp_path / "data") as both:
        notes_before = {name: (await both.anna.view(battle))["receipt"] for name, battle in both.battles.items()}
    async with serving(tmp_path / "data", host=NEW, memory_bytes=1) as server:
        for name, battle in some(both.battles.items()):
            assert (await Caller(server.client).view(battle))["receipt"] == notes_before[name]
