"""The tables of a bulk export: their columns, keys and meanings, each said once.

The page of the tables in the site of the docs is made from this module, and so is the table `columns` of each export. A
change of what is written raises `SCHEMA`.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

SCHEMA = 1
"""The version of the tables, in the table `export` of each export."""

TEXT, INTEGER, REAL, TIME, TRUTH, JSON = "text", "integer", "real", "time", "truth", "json"
"""The kinds of columns."""

BulkRows = Mapping[str, list[tuple[Any, ...]]]
"""Rows by table, values in the order of the columns: str, int, float, bool, the bytes of a JSON value, or None."""


class BulkColumn(Struct, frozen=True):
    """A column. `may_lack`: it may be null, and `about` says when."""

    name: str
    kind: str
    about: str
    may_lack: bool = False


class BulkTable(Struct, frozen=True):
    """A table: one row is one of `about`. All tables with a column `battle` are joined by it."""

    name: str
    about: str
    key: tuple[str, ...]
    columns: tuple[BulkColumn, ...]

    @property
    def is_of_battles(self) -> bool:
        """Whether the rows belong to battles, and so refer to the table of battles."""
        return self.name != "battles" and self.columns[0] == _BATTLE


_BATTLE = BulkColumn("battle", TEXT, "the id of the battle")
_SIDE = BulkColumn("side", TEXT, "the side: `south`, `north`, or as its game calls it")
_N = BulkColumn("n", INTEGER, "the number of the event in the log, from 1")
_AT = BulkColumn("at", TIME, "when it was recorded, UTC")
_PHASE = BulkColumn("phase", TEXT, "the phase of the battle after the event")
_TURN = BulkColumn("turn", INTEGER, "the turn after the event")
_T = BulkColumn("t", INTEGER, "the player-turn after the event, from 1; 0 before the first")
_VOIDED = BulkColumn("voided", TRUTH, "a rewind took it back: leave it out of sums")
_PURPOSE = BulkColumn("purpose", TEXT, "what the draw was for, in a word of the game")
_UNIT = BulkColumn("unit", TEXT, "the unit it was for; empty for none")

BATTLES = BulkTable(
    "battles",
    "a battle",
    ("battle",),
    (
        _BATTLE,
        BulkColumn("title", TEXT, "the title of its scenario, in English"),
        BulkColumn("ruleset", TEXT, "the code of its game"),
        BulkColumn("rules", TEXT, "the version of the rules with which it was opened"),
        BulkColumn("host", TEXT, "the host that opened it"),
        BulkColumn("readers", TEXT, "who may read it: `public`, `link`, `players`"),
        BulkColumn("created", TIME, "when it was opened, UTC"),
        BulkColumn("begun", TIME, "when both sides were taken, UTC; null before that", may_lack=True),
        BulkColumn("ended", TIME, "when it ended, UTC; null while it goes on", may_lack=True),
        BulkColumn("last", TIME, "when its last event was recorded, UTC"),
        BulkColumn("status", TEXT, "`waiting` for players, `running`, `ended`"),
        BulkColumn(
            "winner", TEXT, "the side that has won, empty for a draw; null where nothing is decided", may_lack=True
        ),
        BulkColumn("how", TEXT, "how it ended; empty while it goes on"),
        BulkColumn("closed", TEXT, "how the host closed it (`cancelled`, `stopped`, `outdated`); empty if not"),
        BulkColumn("phase", TEXT, "its phase now"),
        BulkColumn("turn", INTEGER, "its turn now"),
        BulkColumn("t", INTEGER, "its player-turns so far"),
        BulkColumn("events", INTEGER, "how many events its log has"),
        BulkColumn("branch_of", TEXT, "the battle of which it is a branch; empty if it is none"),
        BulkColumn("branch_n", INTEGER, "the event after which the branch begins; 0 if it is none"),
        BulkColumn("rewinds", INTEGER, "how often it was rewound"),
        BulkColumn("open_dockets", INTEGER, "how many disputes are open"),
    ),
)
SEATS = BulkTable(
    "seats",
    "a side of a battle",
    ("battle", "side"),
    (
        _BATTLE,
        _SIDE,
        BulkColumn("army", TEXT, "the name of its army, in English; empty if it has none"),
        BulkColumn(
            "player", TEXT, "the id of who holds it: the same person has the same id in all battles; empty if free"
        ),
        BulkColumn("name", TEXT, "the name they had when they took it"),
        BulkColumn("kind", TEXT, "`person` or `bot`; empty if free"),
        BulkColumn("result", TEXT, "`won`, `lost`, `drawn`; null where nothing is decided", may_lack=True),
        BulkColumn("lost", INTEGER, "what it has lost of what the game counts (its tally), rewinds left out"),
        BulkColumn("gained", INTEGER, "what it has gained of it, rewinds left out"),
    ),
)
EVENTS = BulkTable(
    "events",
    "an event of a log",
    ("battle", "n"),
    (
        _BATTLE,
        _N,
        _AT,
        BulkColumn("by", TEXT, "the side or party that caused it, or `server`"),
        BulkColumn("type", TEXT, "the type of the event"),
        BulkColumn("rule", TEXT, "the rule that it follows from"),
        _PHASE,
        _TURN,
        _T,
        _VOIDED,
        BulkColumn("data", JSON, "the members of the event, as the log has them: what is sealed is not there"),
    ),
)
ORDERS = BulkTable(
    "orders",
    "an order that was accepted",
    ("battle", "n"),
    (
        _BATTLE,
        _N,
        _AT,
        _SIDE,
        BulkColumn("player", TEXT, "the id of the account that gave it"),
        BulkColumn("channel", TEXT, "how it came: `api`, `page`, `mail`, `cli`, `bot`"),
        BulkColumn("line", INTEGER, "its line in the request, from 1"),
        BulkColumn("phase", TEXT, "the phase of the battle before the order"),
        BulkColumn("turn", INTEGER, "the turn before the order"),
        BulkColumn("t", INTEGER, "the player-turn of the order"),
        _VOIDED,
        BulkColumn("text", TEXT, "the order in canonical notation; null while it is secret", may_lack=True),
        BulkColumn("command", JSON, "the same, parsed; null while it is secret", may_lack=True),
    ),
)
DRAWS = BulkTable(
    "draws",
    "a card drawn or a die rolled",
    ("battle", "n"),
    (
        _BATTLE,
        _N,
        _AT,
        BulkColumn("side", TEXT, "the side that drew; of a card the side of the deck, if nobody did"),
        BulkColumn("kind", TEXT, "`card` or `die`"),
        _PURPOSE,
        _UNIT,
        _PHASE,
        _TURN,
        _T,
        _VOIDED,
        BulkColumn("card", TEXT, "the card; null for a die, and while the card is secret", may_lack=True),
        BulkColumn(
            "value", INTEGER, "the number of the card (0: it has none) or of the die; null while secret", may_lack=True
        ),
        BulkColumn("sides", INTEGER, "the sides of the die; null for a card", may_lack=True),
    ),
)
STAKES = BulkTable(
    "stakes",
    "a draw that put something of the tally at stake: the luck of a battle is their sum",
    ("battle", "settled", "place"),
    (
        _BATTLE,
        BulkColumn("settled", INTEGER, "the event that settled the draw"),
        BulkColumn("place", INTEGER, "its place among the draws that the event settled, from 0"),
        BulkColumn("n", INTEGER, "the event of the draw: joins `draws`"),
        BulkColumn("side", TEXT, "the side whose draw it was"),
        _UNIT,
        BulkColumn("t", INTEGER, "the player-turn"),
        BulkColumn("turn", INTEGER, "the turn"),
        _PURPOSE,
        BulkColumn("happened", TRUTH, "whether it was a success"),
        BulkColumn("odds", REAL, "how likely a success was, 0 to 1"),
        BulkColumn("swing", REAL, "what a success was worth to the side against a failure, in its tally"),
        BulkColumn("luck", REAL, "(happened − odds) × swing: what the side gained beyond what was to be expected"),
        _VOIDED,
    ),
)
TRIALS = BulkTable(
    "trials",
    "the tests of one purpose of a side, counted",
    ("battle", "side", "voided", "purpose"),
    (
        _BATTLE,
        _SIDE,
        _VOIDED,
        _PURPOSE,
        BulkColumn("passed", INTEGER, "tests passed"),
        BulkColumn("failed", INTEGER, "tests failed"),
        BulkColumn("draws", INTEGER, "draws made for them that can be weighed"),
        BulkColumn("reached", INTEGER, "draws that reached what was needed"),
        BulkColumn("expected", REAL, "draws that were expected to"),
    ),
)
TALLIES = BulkTable(
    "tallies",
    "a change of what a side has left",
    ("battle", "n", "side"),
    (
        _BATTLE,
        _N,
        _SIDE,
        _AT,
        _T,
        BulkColumn("tally", INTEGER, "what the side has after the event, as the game counts"),
        _VOIDED,
    ),
)
UNREADABLE = BulkTable(
    "unreadable",
    "a battle that this release cannot read: it is in no other table",
    ("battle",),
    (BulkColumn("battle", TEXT, "the id of the battle that is left out"), BulkColumn("reason", TEXT, "why, as a code")),
)
EXPORT = BulkTable(
    "export",
    "the export, in one row",
    ("schema",),
    (
        BulkColumn("schema", INTEGER, "the version of these tables"),
        BulkColumn("release", TEXT, "the release of Phalera that wrote them"),
        BulkColumn("made", TIME, "when the export began, UTC"),
        BulkColumn("readers", TEXT, "the battles that at least these may read are in it: `public`, `link`, `players`"),
        BulkColumn("battles", INTEGER, "how many battles are in it"),
        BulkColumn("events", INTEGER, "how many events are in it"),
    ),
)
COLUMNS = BulkTable(
    "columns",
    "a column of these tables",
    ("table", "column"),
    (
        BulkColumn("table", TEXT, "the table"),
        BulkColumn("column", TEXT, "the column"),
        BulkColumn("kind", TEXT, "`text`, `integer`, `real`, `time`, `truth`, `json`"),
        BulkColumn("key", TRUTH, "whether it belongs to the key"),
        BulkColumn("about", TEXT, "what it means"),
    ),
)
TABLES = (BATTLES, SEATS, EVENTS, ORDERS, DRAWS, STAKES, TRIALS, TALLIES, UNREADABLE, EXPORT, COLUMNS)


def column_rows() -> list[tuple[Any, ...]]:
    """The rows of the table `columns`."""
    return [
        (table.name, column.name, column.kind, column.name in table.key, column.about)
        for table in TABLES
        for column in table.columns
    ]
