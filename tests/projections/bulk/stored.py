"""A store with battles of the read models' tests, exported and read back in any form."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.log import record
from domain.log.record import Header
from projections.bulk.tables import TABLES
from projections.bulk.writers import LINES, PARQUET, SQLITE
from server.store import Append, EventStore, Opening
from tests.projections.played import Played

AT = "2026-11-24T12:00:00.000Z"


def put(store: EventStore, played: Played, name: str = "") -> None:
    """Store a battle, under another id if one is named."""
    header = msgspec.structs.replace(played.recording.header, battle=name or played.battle)
    put_lines(store, header, played.lines, played.recording.battle.readers)


def put_lines(store: EventStore, header: Header, lines: Iterable[bytes], readers: str = "public") -> None:
    """Store lines as the log of a battle."""
    first = record.encode_header(header)
    rows, head = [], record.first_hash(first)
    for line in lines:
        head = record.next_hash(head, line)
        rows.append((msgspec.json.decode(line)["type"], line, head))
    store.append_now(Append(header.battle, 0, rows, opens=Opening(first, header.created, readers)))


def tables_in(form: str, path: Path) -> dict[str, list[dict[str, Any]]]:
    """Every table of an export, its rows as objects in the order of the file."""
    return {table.name: _READERS[form](path, table.name) for table in TABLES}


def _of_sqlite(path: Path, table: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(f"SELECT * FROM [{table}]")]


def _of_lines(path: Path, table: str) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in (path / f"{table}.jsonl").read_bytes().splitlines()]


def _of_parquet(path: Path, table: str) -> list[dict[str, Any]]:
    found = asked(f"SELECT * FROM '{path / f'{table}.parquet'}'")
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def asked(sql: str) -> Any:
    """What DuckDB answers."""
    return pytest.importorskip("duckdb", reason="the extra parquet is not installed").sql(sql)


_READERS = {SQLITE: _of_sqlite, LINES: _of_lines, PARQUET: _of_parquet}
