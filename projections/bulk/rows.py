"""The rows of one battle, from the lines of its log, as a stranger who may read the battle knows it.

A battle is folded once, by the memories of some read models and by one of the export's own (`projections.bulk.memory`).
What is sealed is in no row; what the log has opened since stands where it was sealed.
"""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Raw, Struct

from domain.basics.decoding import decoder
from domain.log.record import Header, decode_header
from domain.run.seats import Battle
from projections.bulk.memory import RECORD
from projections.bulk.tables import BulkRows
from projections.luck import LUCK
from projections.model import ModelRow
from projections.reading import Games, whole
from projections.statistics import SCALE, STATISTICS
from projections.tally import TALLY

_MODELS = (RECORD, TALLY, STATISTICS, LUCK)


class _LoggedLine(Struct):
    """A line of a log, of which the members of the event are wanted as they stand."""

    data: Raw


_LINES = decoder(_LoggedLine)


def battle_rows(header_line: bytes, lines: Sequence[bytes], games: Games, closed: str = "") -> BulkRows:
    """The rows of a battle by table, `lines` being its log from event 1 on; `closed` is how the host has closed it.

    Raises: UnknownGame, FileFault, BrokenInvariant, as a read model of the battle would
    """
    header = decode_header(header_line)
    reading = whole(header.battle, lines, games, _MODELS)
    found, *counted = reading.changes()
    counts = {table: rows for changes in counted for table, rows in changes.items()}
    losses = {row[1]: row[3:] for row in counts.get("losses", ()) if not row[2]}
    return {
        "battles": [_standing(header, reading.now, found["battles"][0], closed)],
        "seats": [(*seat, *losses.get(seat[1], (0, 0))) for seat in found["seats"]],
        "events": [
            (*event, bytes(_LINES.decode(line).data)) for event, line in zip(found["events"], lines, strict=True)
        ],
        "orders": list(found["orders"]),
        "draws": list(found["draws"]),
        "stakes": [_stake(row) for row in counts.get("luck", ())],
        "trials": [(*row[:2], bool(row[2]), *row[3:-1], row[-1] / SCALE) for row in counts.get("trials", ())],
        "tallies": [(*row[:-1], bool(row[-1])) for row in counts.get("tally", ())],
    }


def _standing(header: Header, battle: Battle, told: ModelRow, closed: str) -> ModelRow:
    title, begun, ended, last = told
    game, branch = battle.game, battle.branch
    return (
        *(header.battle, title, header.ruleset, header.rules, header.host, battle.readers),
        *(header.created, begun, ended, last),
        "ended" if battle.ended else "running" if battle.begun else "waiting",
        *(battle.winner, battle.how, closed),
        *(game.phase, game.turn, game.t, battle.n),
        *((branch.battle, branch.n) if branch else ("", 0)),
        *(game.rewinds, len(battle.disputes.open)),
    )


def _stake(row: ModelRow) -> ModelRow:
    """A row of the read model of luck, with its fractions as numbers."""
    *of, happened, does, out_of, swing, voided = row
    odds, worth = Fraction(does, out_of), Fraction(swing)
    luck = (happened - odds) * worth
    return (*of, bool(happened), float(odds), float(worth), float(luck), bool(voided))
