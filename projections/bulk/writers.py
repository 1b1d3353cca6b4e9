"""The forms of a bulk export: a SQLite file, or a folder with JSON Lines or Parquet, one file for each table.

Rows are written as they come; no writer keeps them. Parquet is made by DuckDB from JSON Lines, within a bounded memory;
DuckDB is an extra (`phalera[parquet]`) and is imported only when it is needed.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import msgspec

from projections.bulk.tables import INTEGER, JSON, REAL, TABLES, TEXT, TIME, TRUTH, BulkRows, BulkTable

SQLITE, LINES, PARQUET = "sqlite", "jsonl", "parquet"
EXTRA = "parquet"
"""The extra that Parquet needs."""
MEMORY = "256MB"
"""At most for DuckDB, beside the process itself."""
GROUP = 20_000
"""Rows of a group in a Parquet file."""

_BY_NAME = {table.name: table for table in TABLES}


class BulkWriter(Protocol):
    """Takes rows, table by table, and writes them at once."""

    def add(self, rows: BulkRows) -> None:
        """Write rows."""

    def finish(self) -> None:
        """Complete what is written; nothing is added after it."""

    def close(self) -> None:
        """Close the files, complete or not."""


def can_write(form: str) -> bool:
    """Whether a form can be written here: Parquet needs its extra."""
    return form != PARQUET or find_spec("duckdb") is not None


def name_in(form: str) -> str:
    """The name that an export has by itself."""
    return "phalera.db" if form == SQLITE else f"phalera-{form}"


def files_of(form: str) -> set[str]:
    """The names of the files in the folder of an export."""
    return {f"{table.name}.{form}" for table in TABLES}


def writer_of(form: str, path: Path) -> BulkWriter:
    """A writer of a form to a path that is not there yet."""
    return _WRITERS[form](path)


# --- SQLite

_SQLITE: Mapping[str, type] = {TEXT: str, INTEGER: int, REAL: float, TIME: str, TRUTH: int, JSON: str}


class SqliteWriter:
    """One file with keys, indexes and references. It is thrown away after a crash, so nothing waits for the disk."""

    def __init__(self, path: Path) -> None:
        import sqlite_utils

        self._connection = sqlite3.connect(path, isolation_level=None)
        for pragma in ("journal_mode=OFF", "synchronous=OFF"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._utils = sqlite_utils.Database(self._connection)
        for table in TABLES:
            self._create(table)

    def _create(self, table: BulkTable) -> None:
        self._utils.table(table.name).create(
            {column.name: _SQLITE[column.kind] for column in table.columns},
            pk=table.key,
            not_null={column.name for column in table.columns if not column.may_lack},
            foreign_keys=[("battle", "battles", "battle")] if table.is_of_battles else [],
        )

    def add(self, rows: BulkRows) -> None:
        """Write rows in one transaction."""
        self._connection.execute("BEGIN")
        for name, values in rows.items():
            columns = _BY_NAME[name].columns
            texts = [place for place, column in enumerate(columns) if column.kind == JSON]
            marks = ", ".join("?" * len(columns))
            self._connection.executemany(
                f"INSERT INTO [{name}] VALUES ({marks})", (_with_text(row, texts) for row in values)
            )
        self._connection.execute("COMMIT")

    def finish(self) -> None:
        """Let SQLite learn how the values are spread, so that it finds good plans."""
        self._connection.execute("ANALYZE")

    def close(self) -> None:
        """Close the file."""
        self._utils.close()


def _with_text(row: tuple[Any, ...], places: list[int]) -> tuple[Any, ...]:
    """A row with the bytes of JSON values as text."""
    if not places:
        return row
    values = list(row)
    for place in places:
        if values[place] is not None:
            values[place] = values[place].decode()
    return tuple(values)


# --- JSON Lines


class LinesWriter:
    """A folder with one file of JSON objects for each table."""

    def __init__(self, path: Path) -> None:
        path.mkdir()
        with ExitStack() as opened:
            self._files = {name: opened.enter_context((path / f"{name}.{LINES}").open("wb")) for name in _BY_NAME}
            self._opened = opened.pop_all()
        self._encoder = msgspec.json.Encoder()

    def add(self, rows: BulkRows) -> None:
        """Write rows as objects."""
        for name, values in rows.items():
            self._files[name].write(self._encoder.encode_lines(_objects(_BY_NAME[name], values)))

    def finish(self) -> None:
        """Nothing is left to do."""

    def close(self) -> None:
        """Close the files."""
        self._opened.close()


def _objects(table: BulkTable, rows: Iterable[tuple[Any, ...]]) -> list[dict[str, Any]]:
    names = [column.name for column in table.columns]
    nested = [column.name for column in table.columns if column.kind == JSON]
    found = [dict(zip(names, row, strict=True)) for row in rows]
    for one in found if nested else ():
        for name in nested:
            one[name] = None if one[name] is None else msgspec.Raw(one[name])
    return found


# --- Parquet

_PARQUET: Mapping[str, str] = {
    TEXT: "VARCHAR",
    INTEGER: "BIGINT",
    REAL: "DOUBLE",
    TIME: "TIMESTAMPTZ",
    TRUTH: "BOOLEAN",
    JSON: "JSON",
}


class ParquetWriter:
    """A folder with one Parquet file for each table, from JSON Lines that are deleted as they are read."""

    def __init__(self, path: Path) -> None:
        import duckdb

        path.mkdir()
        self._path, self._between = path, path / LINES
        self._lines = LinesWriter(self._between)
        self._duckdb = duckdb.connect(
            config={"memory_limit": MEMORY, "threads": 1, "temp_directory": str(path / "spill")}
        )
        self._duckdb.execute("SET autoinstall_known_extensions=false; SET TimeZone='UTC'")

    def add(self, rows: BulkRows) -> None:
        """Keep rows in the files between."""
        self._lines.add(rows)

    def finish(self) -> None:
        """Make the Parquet files, one after another."""
        self._lines.close()
        for table in TABLES:
            source = self._between / f"{table.name}.{LINES}"
            self._duckdb.execute(_copy(table, source, self._path / f"{table.name}.{PARQUET}"))
            source.unlink()
        self._between.rmdir()

    def close(self) -> None:
        """Close the files."""
        self._lines.close()
        self._duckdb.close()


def _copy(table: BulkTable, source: Path, target: Path) -> str:
    columns = ", ".join(f"{_quoted(column.name)}: {_quoted(_PARQUET[column.kind])}" for column in table.columns)
    read = f"read_json({_quoted(str(source))}, format='newline_delimited', columns={{{columns}}})"
    return (
        f"COPY (SELECT * FROM {read}) TO {_quoted(str(target))}"
        f" (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {GROUP})"
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


_WRITERS: Mapping[str, Callable[[Path], BulkWriter]] = {
    SQLITE: SqliteWriter,
    LINES: LinesWriter,
    PARQUET: ParquetWriter,
}
FORMS = tuple(_WRITERS)
