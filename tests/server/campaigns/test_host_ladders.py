"""A host opens a ladder for each game of its settings, once; battles that ask for it count in it."""

import asyncio
from pathlib import Path

import pytest

from domain.catalogue import RULESETS
from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import NOT_ALL_JUDGED
from server.acts.campaigns.ladders import host_ladder, open_host_ladders
from server.settings import BadSetting
from server.settings_file import ladders_for
from server.store import EventStore
from server.store.tables import campaigns
from server.web.api.campaigns import file_of
from tests.server.campaigns.test_killed import Dying, Host, Killed
from tests.support.ladders import LADDER, ServedLadder
from tests.support.serving import PHRASE, RunningServer, serving

CAMPAIGNS = "/api/v1/campaigns"


async def test_a_ladder_of_the_host_is_opened_at_the_first_start_alone(tmp_path: Path) -> None:
    found = set[str]()
    for _ in range(3):
        async with serving(tmp_path / "data", ladders=("tts", "singidunum")) as server:
            told = (await server.stranger.get(CAMPAIGNS)).json["campaigns"]
            assert [(one["kind"], one["ruleset"]) for one in told] == [("ladder", "singidunum"), ("ladder", "tts")]
            found.add(" ".join(one["campaign"] for one in told))
    assert len(found) == 1


@pytest.mark.parametrize("behind", [False, True])
async def test_a_start_may_be_killed_at_any_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, behind: bool
) -> None:
    games = ("tts", "singidunum")
    with EventStore.open(tmp_path / "log.db", asyncio.get_running_loop()) as store:
        host, dying, kills = Host(tmp_path, store), Dying(store, monkeypatch), 0
        for _ in range(3):
            dying.left, dying.behind = 1, behind
            try:
                await open_host_ladders(host.steward, games)
            except Killed:
                kills += 1
                host.begun()
        dying.left = 0
        await open_host_ladders(host.steward, games)
        assert kills >= 2
        assert len(campaigns.listed(store, "public", "", 10)) == 2
        assert all(host_ladder(host.steward, game) for game in games)


async def test_a_battle_that_asks_for_it_counts_in_the_ladder_of_the_host(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", ladders=("tts",)) as server:
        (told,) = (await server.stranger.get(CAMPAIGNS)).json["campaigns"]
        path = f"{CAMPAIGNS}/{told['campaign']}"
        anna, bob = await server.player("Anna"), await server.player("Bob")
        await bob.post(f"{path}/entrants", {})
        battle = await anna.open(campaign="host")
        await anna.sit(battle, "south")
        await bob.sit(battle, "north")
        for _ in range(2):
            for caller in (anna, bob):
                await caller.order(battle, "end turn", phrase=PHRASE)
        assert (await bob.order(battle, "resign")).status == 200
        await server.running.steward.settle()
        rows = (await bob.get(f"{path}/ratings")).json["rows"]
        assert [(row["name"], row["battles"]) for row in rows] == [("Anna", 1), ("Bob", 1)]
        live = await server.running.steward.campaigns.get(told["campaign"])
        files = {battle: await anna.export(battle)}
        report = verify_campaign(file_of(live), find=files.get)
        assert (report.exit, report.fault) == (NOT_ALL_JUDGED, None)
        assert report.compared == (battle,)
        other = {battle: await anna.export(await anna.open())}
        assert verify_campaign(file_of(live), find=other.get).fault is not None


async def test_a_battle_of_somebody_who_is_no_member_is_not_counted(server: RunningServer) -> None:
    ladder = await ServedLadder.opened(server)
    anna, cid = ladder.callers["Anna"], await server.player("Cid")
    battle = await anna.open(campaign=ladder.live.id)
    await anna.sit(battle, "south")
    await cid.sit(battle, "north")
    assert (await cid.order(battle, "resign")).status == 200
    await ladder.settled()
    await ladder.settled()
    assert ladder.live.book().results == []


async def test_whoever_is_no_member_opens_nothing_in_a_ladder(server: RunningServer) -> None:
    ladder = await ServedLadder.opened(server)
    cid = await server.player("Cid")
    cup = await cid.post(CAMPAIGNS, {"example": "club-cup"})
    body = {"scenario": "skirmish"}
    for campaign, code in (
        (ladder.live.id, "campaign.not-entered"),
        (cup.json["campaign"], "campaign.no-ladder"),
        ("host", "campaign.unknown-campaign"),
    ):
        assert (await cid.post("/api/v1/battles", {**body, "campaign": campaign})).code == code
    other = await cid.post(CAMPAIGNS, {"toml": LADDER.replace("tts", "singidunum").replace("skirmish", "quick")})
    asked = await cid.post("/api/v1/battles", {**body, "campaign": other.json["campaign"]})
    assert asked.code == "core.bad-request"


def test_the_setting_names_installed_games(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    assert ladders_for(str(tmp_path), "", RULESETS) == ()
    file.write_text('ladders = ["tts", "tts"]\n[limits]\n')
    assert ladders_for(str(tmp_path), "", RULESETS) == ("tts",)
    for wrong in ('ladders = ["chess"]', "ladders = true"):
        file.write_text(wrong)
        with pytest.raises(BadSetting, match="ladders"):
            ladders_for(str(tmp_path), "", RULESETS)
