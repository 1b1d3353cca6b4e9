"""The tables of campaigns: one writer wins, the log only grows, and what the steward asks costs no scan."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from server.store import EventStore, Violated
from server.store.tables import campaigns
from server.store.tables.campaigns import NEVER, ListedCampaign, SetBattle, StoredCampaign

NOW, LATER = "2026-05-01T12:00:00.000Z", "2026-05-09T12:00:00.000Z"
ONE = StoredCampaign("c1", b"{}", NOW, "public")
ROW = ("Kind", b"{}", bytes(32))


@pytest.fixture
def store(tmp_path: Path):
    with EventStore.open(tmp_path / "log.db") as opened:
        opened.write_now(campaigns.open_one(ONE), *campaigns.events("c1", 0, [ROW, ROW]), campaigns.due("c1", LATER))
        yield opened


def test_a_log_is_read_back(store: EventStore) -> None:
    assert campaigns.find(store, "c1") == ONE
    assert campaigns.find(store, "c2") is None
    assert [n for n, _, _ in campaigns.lines(store, "c1", 1)] == [2]


def test_of_two_writers_one_wins_and_the_other_leaves_nothing(store: EventStore) -> None:
    store.write_now(*campaigns.events("c1", 2, [ROW]))
    with pytest.raises(Violated):
        store.write_now(*campaigns.events("c1", 2, [ROW]), campaigns.takes_part("c1", "p1"))
    assert len(campaigns.lines(store, "c1")) == 3
    assert not campaigns.of_player(store, "p1")


@pytest.mark.parametrize("sql", ["DELETE FROM campaign_events", "UPDATE campaigns SET readers='link'"])
def test_the_logs_of_campaigns_refuse_to_change(store: EventStore, tmp_path: Path, sql: str) -> None:
    with (
        closing(sqlite3.connect(tmp_path / "log.db")) as db,
        pytest.raises(sqlite3.IntegrityError, match="append-only"),
    ):
        db.execute(sql)


def test_what_is_due_is_found_until_the_campaign_is_over(store: EventStore) -> None:
    assert campaigns.due_by(store, NOW, 10) == []
    assert campaigns.due_by(store, LATER, 10) == ["c1"]
    store.write_now(campaigns.done("c1"))
    assert campaigns.due_by(store, NEVER, 10) == []


def test_a_battle_that_has_ended_is_found_until_it_is_over_for_its_campaign(store: EventStore) -> None:
    store.write_now(campaigns.set_battle("b1", "c1", "1.1"))
    assert campaigns.battle(store, "b1") == SetBattle("b1", "c1", "1.1", campaigns.SET)
    store.write_now(campaigns.battle_is("b1", campaigns.OPEN))
    assert campaigns.ended_battles(store, "BattleEnded") == []


def test_campaigns_are_listed_the_newest_first(store: EventStore) -> None:
    store.write_now(
        campaigns.open_one(StoredCampaign("c2", b"{}", NOW, "public")),
        campaigns.open_one(StoredCampaign("c3", b"{}", NOW, "players")),
        campaigns.takes_part("c3", "p1"),
        campaigns.takes_part("c3", "p1"),
    )
    assert campaigns.listed(store, "public", "", 10) == ["c2", "c1"]
    assert campaigns.listed(store, "public", "c2", 10) == ["c1"]
    assert campaigns.of_player(store, "p1") == ["c3"]


def test_what_lists_tell_is_found_without_a_log(store: EventStore) -> None:
    row = ListedCampaign("c1", "Cup", "cup", "toy", "entering", 0, 3)
    assert campaigns.rows_of(store, ["c1", "c2"]) == {}
    store.write_now(campaigns.list_as(row))
    store.write_now(campaigns.list_as(row._replace(status="running", round=1)))
    assert campaigns.rows_of(store, ["c1", "c2"]) == {"c1": row._replace(status="running", round=1)}
    assert campaigns.of_readers(store, "public", ["c1", "c2"]) == ["c1"]
    assert campaigns.of_readers(store, "players", ["c1"]) == campaigns.of_readers(store, "public", []) == []
    plan = store.rows(
        "EXPLAIN QUERY PLAN SELECT campaign FROM campaigns WHERE readers=? ORDER BY rowid DESC", ("link",)
    )
    assert "campaigns_readers" in str(plan)
