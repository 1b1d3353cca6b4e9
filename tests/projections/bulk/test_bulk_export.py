"""All battles of a host as tables: the right rows in every form, nothing that a stranger may not know, flat memory."""

import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from domain.catalogue import RULESETS
from domain.log import record
from domain.run.timeline import Timeline, catalogue_of, is_within
from projections.bulk import writers
from projections.bulk.placing import NotReplaced
from projections.bulk.tables import SCHEMA, TABLES
from projections.bulk.writers import FORMS, LINES, PARQUET, SQLITE
from projections.luck import luck_of
from projections.statistics import battle_statistics
from server.release import release
from server.store import EventStore
from server.store.tables import closings
from server.upkeep.bulk import export_all
from tests import table_pages
from tests.projections.bulk.stored import AT, asked, put, put_lines, tables_in
from tests.projections.played import Played
from tests.projections.test_privacy import hidden
from tests.support.looping import some

RULES = RULESETS["tts"]
EACH_FORM = [SQLITE, LINES, pytest.param(PARQUET, marks=pytest.mark.slow)]
IN_SQLITE = {"text": "TEXT", "time": "TEXT", "json": "TEXT", "integer": "INTEGER", "truth": "INTEGER", "real": "REAL"}
IN_PARQUET = {
    "text": "VARCHAR",
    "time": "TIMESTAMP WITH TIME ZONE",
    "json": "JSON",
    "integer": "BIGINT",
    "truth": "BOOLEAN",
    "real": "DOUBLE",
}


@pytest.fixture
def store(tmp_path: Path):
    with EventStore.open(tmp_path / "log.db") as opened:
        yield opened


def exported(store: EventStore, folder: Path, form: str = LINES, **options):
    """The tables of a store, read back."""
    if form == PARQUET:
        asked("SELECT 1")
    target = folder / f"out-{form}"
    export_all(store, target, form, AT, **options)
    return tables_in(form, target)


# --- what is written


@pytest.mark.parametrize("form", EACH_FORM)
def test_the_page_of_the_tables_names_what_is_written(
    form: str, store: EventStore, tmp_path: Path, three_battles
) -> None:
    put(store, three_battles[0])
    exported(store, tmp_path, form)
    documented: dict[str, dict[str, str]] = {}
    for line in table_pages.page().splitlines():
        if line.startswith("## "):
            documented[line[3:]] = {}
        elif line.startswith("| ") and not line.startswith(("| column", "| ---")):
            name, kind, _ = (cell.strip(" *") for cell in line[1:-1].split("|", 2))
            [*documented.values()][-1][name] = kind
    assert written(form, tmp_path / f"out-{form}") == documented


def written(form: str, path: Path) -> dict[str, dict[str, str]]:
    """The tables of an export with their columns and kinds, as far as the form tells kinds apart."""
    kinds = {table.name: {column.name: column.kind for column in table.columns} for table in TABLES}
    found = {}
    for table, columns in kinds.items():
        if form == LINES:
            rows = tables_in(form, path)[table]
            names = [*rows[0]] if rows else [*columns]
            found[table] = {name: columns.get(name, "undocumented") for name in names}
            continue
        if form == SQLITE:
            with closing(sqlite3.connect(path)) as connection:
                told = [row[1:3] for row in connection.execute(f"PRAGMA table_info([{table}])")]
            spelled = IN_SQLITE
        else:
            told = asked(f"DESCRIBE SELECT * FROM '{path / f'{table}.parquet'}'").fetchall()
            spelled = IN_PARQUET
        found[table] = {row[0]: columns[row[0]] if row[1] == spelled[columns[row[0]]] else row[1] for row in told}
    return found


@pytest.mark.parametrize("form", EACH_FORM)
def test_each_form_has_the_same_rows(form: str, store: EventStore, tmp_path: Path, three_battles) -> None:
    for played in three_battles:
        put(store, played)
    lines = exported(store, tmp_path, LINES, readers="players")
    other = exported(store, tmp_path, form, readers="players", over=form == LINES)
    for table in some(TABLES):
        assert [plain(row) for row in other[table.name]] == [plain(row) for row in lines[table.name]], table.name
        assert table.name == "unreadable" or lines[table.name]


def plain(row):
    """A row with times and JSON values alike in all forms."""
    found = {}
    for name, value in row.items():
        if name in ("data", "command") and isinstance(value, str):
            found[name] = msgspec.json.decode(value)
        elif hasattr(value, "isoformat"):
            found[name] = value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        else:
            found[name] = value
    return found


def test_the_rows_say_what_the_log_says(store: EventStore, tmp_path: Path, three_battles) -> None:
    for played in three_battles:
        put(store, played)
    found = exported(store, tmp_path, readers="players")
    for played in some(three_battles):
        events = [record.decode(line, catalogue_of(RULES)) for line in played.lines]
        timeline = Timeline(RULES)
        for event in events:
            timeline.feed(event)
        spans, mine = (
            timeline.voided(),
            {name: [r for r in rows if r.get("battle") == played.battle] for name, rows in found.items()},
        )
        assert [row["data"] for row in mine["events"]] == [msgspec.json.decode(line)["data"] for line in played.lines]
        assert [row["voided"] for row in mine["events"]] == [is_within(spans, event.n) for event in events]
        assert [row["n"] for row in mine["orders"]] == [e.n for e in events if e.type == "OrderAccepted"]
        assert [row["n"] for row in mine["draws"]] == [e.n for e in events if e.type == "CardDrawn"]
        assert [(row["n"], row["luck"]) for row in mine["stakes"]] == [
            (row.n, pytest.approx(float(row.luck))) for row in luck_of(timeline)
        ]
        counted = battle_statistics(RULES, events).counted
        assert sum(row["passed"] for row in mine["trials"] if not row["voided"]) == sum(
            trial.passed for side in counted for trial in side.trials
        )
        assert [(row["lost"], row["gained"]) for row in mine["seats"]] == [(side.lost, side.gained) for side in counted]
        (battle,) = mine["battles"]
        assert (battle["events"], battle["status"]) == (len(events), "ended" if timeline.now.ended else "running")
        assert [row["army"] for row in mine["seats"]] == ["Rome", "The valley"]
    ended = {row["battle"]: row["ended"] for row in found["battles"]}
    assert [bool(ended[played.battle]) for played in three_battles] == [True, False, False]
    results = {row["result"] for row in found["seats"] if row["battle"] == "aaaaaaaa"}
    assert results in ({"won", "lost"}, {"drawn"})
    (about,) = found["export"]
    assert about == {
        "schema": SCHEMA,
        "release": release(),
        "made": AT,
        "readers": "players",
        "battles": 3,
        "events": len(found["events"]),
    }


def test_an_order_that_the_log_has_opened_is_told_where_it_stands(store: EventStore, tmp_path: Path) -> None:
    played = Played("aaaaaaaa", 5).begin()
    played.order("south", "standing evade R6 heavier")
    secret = len(played.lines)
    put(store, played)
    (sealed,) = [row for row in exported(store, tmp_path)["orders"] if row["text"] is None]
    assert secret - 2 <= sealed["n"] <= secret and sealed["command"] is None
    put(store, played.play(4000), "bbbbbbbb")
    opened = exported(store, tmp_path, over=True)["orders"]
    (told,) = [row for row in opened if (row["battle"], row["n"]) == ("bbbbbbbb", sealed["n"])]
    assert told["text"] == "standing evade R6 heavier" and told["command"]


# --- who may know it


def test_only_battles_that_all_may_read_are_written_unless_others_are_asked_for(
    store: EventStore, tmp_path: Path, three_battles
) -> None:
    for played in three_battles:
        put(store, played)
    seen = {
        readers: {
            row["battle"]
            for rows in exported(store, tmp_path, readers=readers, over=True).values()
            for row in rows
            if "battle" in row
        }
        for readers in ("public", "link", "players")
    }
    assert seen == {
        "public": {"aaaaaaaa"},
        "link": {"aaaaaaaa", "cccccccc"},
        "players": {"aaaaaaaa", "bbbbbbbb", "cccccccc"},
    }


def test_a_battle_that_was_taken_away_is_not_written_and_a_closed_one_says_so(
    store: EventStore, tmp_path: Path, three_battles
) -> None:
    put(store, three_battles[0])
    put(store, three_battles[0], "dddddddd")
    store.write_now(closings.remove("aaaaaaaa", AT), closings.close("dddddddd", AT, closings.STOPPED))
    assert [(row["battle"], row["closed"]) for row in exported(store, tmp_path)["battles"]] == [("dddddddd", "stopped")]


@pytest.mark.parametrize("form", [SQLITE, LINES])
def test_nothing_that_is_sealed_is_written(form: str, store: EventStore, tmp_path: Path) -> None:
    played = Played("aaaaaaaa", 5).begin()
    played.order("south", "standing evade R6 heavier")
    played.order("south", "standing replay always")
    put(store, played.play(40))
    shown = repr(exported(store, tmp_path, form))
    words = hidden(played)
    assert "heavier" in words
    assert not [word for word in words if word in shown]


# --- where it is written


@pytest.mark.parametrize("form", EACH_FORM)
def test_what_is_there_stays_unless_it_may_be_written_over(
    form: str, store: EventStore, tmp_path: Path, three_battles
) -> None:
    put(store, three_battles[0])
    first = exported(store, tmp_path, form)
    with pytest.raises(NotReplaced, match="--force"):
        exported(store, tmp_path, form)
    put(store, three_battles[0], "dddddddd")
    assert tables_in(form, tmp_path / f"out-{form}") == first
    assert len(exported(store, tmp_path, form, over=True)["battles"]) == 2


@pytest.mark.parametrize("form", EACH_FORM)
def test_a_run_that_is_cut_leaves_what_was_there(form: str, store: EventStore, tmp_path: Path, three_battles) -> None:
    put(store, three_battles[0])
    before = exported(store, tmp_path, form)

    def cut(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        exported(store, tmp_path, form, over=True, follow=cut)
    assert tables_in(form, tmp_path / f"out-{form}") == before
    assert sorted(path.name for path in tmp_path.glob("*out*")) == [f"out-{form}"]
    assert not [*tmp_path.glob(".*")]


def test_a_folder_with_other_files_is_never_replaced(store: EventStore, tmp_path: Path) -> None:
    (tmp_path / "out-jsonl").mkdir()
    (tmp_path / "out-jsonl" / "diary.txt").write_text("mine")
    with pytest.raises(NotReplaced, match="other files"):
        exported(store, tmp_path, LINES, over=True)
    (tmp_path / "out-sqlite").mkdir()
    with pytest.raises(NotReplaced, match="no export"):
        exported(store, tmp_path, SQLITE, over=True)
    assert (tmp_path / "out-jsonl" / "diary.txt").read_text() == "mine"


def test_a_battle_that_cannot_be_read_is_named_and_stops_no_other(
    store: EventStore, tmp_path: Path, three_battles
) -> None:
    played = three_battles[0]
    header = msgspec.structs.replace(played.recording.header, battle="zzzzzzzz")
    put_lines(store, header, [played.lines[0].replace(b'"ruleset":"tts"', b'"ruleset":"xyz"')])
    put(store, played)
    found = exported(store, tmp_path)
    assert found["unreadable"] == [{"battle": "zzzzzzzz", "reason": "UnknownGame"}]
    assert [row["battle"] for row in found["battles"]] == ["aaaaaaaa"]


def test_without_its_extra_parquet_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "find_spec", lambda name: None)
    assert [form for form in FORMS if writers.can_write(form)] == [SQLITE, LINES]


# --- how much it takes


@pytest.mark.slow
@pytest.mark.parametrize("form", [SQLITE, LINES])
def test_ten_times_the_battles_take_no_more_memory(form: str, tmp_path: Path) -> None:
    played = Played("aaaaaaaa", 1).begin().play(5)
    peaks: dict[int, int] = {}
    for count in (10, 10, 100):  # the first fills caches
        with EventStore.open(tmp_path / f"{len(peaks)}-{count}.db") as store:
            for number in range(count):
                put(store, played, f"b{number:07}")
            tracemalloc.start()
            done = export_all(store, tmp_path / "out", form, AT, over=True)
            peaks[count] = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert done.battles == count
    assert peaks[100] < 1.5 * peaks[10]
