"""Table of what players have reported to the administrators, and what came of it."""

from enum import StrEnum
from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows


class ComplaintKind(StrEnum):
    """What is reported: a player, a battle, a message between its players, or words of a spectator."""

    PLAYER = "player"
    BATTLE = "battle"
    POST = "post"
    REMARK = "remark"


class ComplaintOutcome(StrEnum):
    """What an administrator has made of a complaint."""

    ACTED = "acted"
    DISMISSED = "dismissed"


class Complaint(NamedTuple):
    """A complaint. `about` is the player who is reported ("": nobody), `battle` and `item` say where, `words` are those
    that were reported, as they stood. `settled`, `outcome` and `answer` are "" as long as it is open."""

    id: str
    at: str
    reporter: str
    kind: str
    about: str
    battle: str
    item: str
    words: str
    why: str
    settled: str = ""
    outcome: str = ""
    answer: str = ""


COLUMNS = ", ".join(Complaint._fields)


def add(report: Complaint) -> Statement:
    """Keep a complaint, unless the same reporter has an open one about the same thing."""
    marks, same = ", ".join("?" * len(report)), (report.reporter, report.kind, report.about, report.battle, report.item)
    return Statement(
        f"INSERT INTO complaints ({COLUMNS}) SELECT {marks} WHERE NOT EXISTS (SELECT 1 FROM complaints "
        "WHERE reporter=? AND kind=? AND about=? AND battle=? AND item=? AND settled='')",
        (*report, *same),
        1,
    )


def settle(id_: str, at: str, outcome: str, answer: str) -> Statement:
    """Settle an open complaint; Unmatched if it is not open."""
    return Statement(
        "UPDATE complaints SET settled=?, outcome=?, answer=? WHERE id=? AND settled=''", (at, outcome, answer, id_), 1
    )


def forget(player: str) -> Statement:
    """Forget who made the complaints of a player; what they are about stays with the administrators."""
    return Statement("UPDATE complaints SET reporter='' WHERE reporter=?", (player,))


def find(store: TableRows, id_: str) -> Complaint | None:
    """One complaint."""
    found = store.rows(f"SELECT {COLUMNS} FROM complaints WHERE id=?", (id_,))
    return Complaint(*found[0]) if found else None


def of_player(store: TableRows, player: str, limit: int = 100) -> list[Complaint]:
    """What a player has reported, the newest first."""
    query = f"SELECT {COLUMNS} FROM complaints WHERE reporter=? ORDER BY at DESC, id LIMIT ?"
    return [Complaint(*row) for row in store.rows(query, (player, limit))]


def waiting(store: TableRows, limit: int) -> list[Complaint]:
    """The open complaints, the oldest first."""
    query = f"SELECT {COLUMNS} FROM complaints WHERE settled='' ORDER BY at, id LIMIT ?"
    return [Complaint(*row) for row in store.rows(query, (limit,))]


def latest(store: TableRows, limit: int) -> list[Complaint]:
    """The complaints that were settled last."""
    query = f"SELECT {COLUMNS} FROM complaints WHERE settled<>'' ORDER BY settled DESC, id LIMIT ?"
    return [Complaint(*row) for row in store.rows(query, (limit,))]


def count_open(store: TableRows) -> int:
    """How many are open."""
    return int(store.rows("SELECT COUNT(*) FROM complaints WHERE settled=''")[0][0])
