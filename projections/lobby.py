"""The list of battles: who plays, how each stands, whose turn it is.

One row per battle and one per seat. The caller decides who may see a battle: `public` lists only battles
that anybody may read, the other queries those of one player.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from domain.engine.state import SIDES
from domain.run.decide import to_act
from domain.run.seats import Battle, Seat
from projections.clock import ProjectedClock
from projections.model import Changes, ModelStep, ModelTable, OpenedBattle, ReadModel, Rows

BATTLES = ModelTable(
    "lobby",
    {
        "battle": str,
        "title": str,
        "ruleset": str,
        "created": str,
        "readers": str,
        "phase": str,
        "turn": int,
        "t": int,
        "to_act": str,
        "status": str,
        "winner": None,
        "how": str,
        "n": int,
        "at": str,
        "deadline": str,
        "branch_of": str,
        "branch_n": int,
        "umpire": str,
        "disputed": int,
        "tags": str,
    },
    key=("battle",),
    indexes=(("readers", "at", "battle"), ("readers", "status", "at", "battle"), ("branch_of",), ("umpire",)),
)
SEATS = ModelTable(
    "seats",
    {"battle": str, "side": str, "player": str, "name": str, "kind": str, "army": str},
    key=("battle", "side"),
    indexes=(("player",),),
)


Place = tuple[str, str]
"""Where a page of a list ends, and the next begins: `at` and `battle` of its last entry."""


class Sought(NamedTuple):
    """What battles are looked for: "" means any. `words` are part of a title or of a player's name; `title` is the
    whole title, as the scenario has it; `player` holds a side; the battle was opened at `since` or later, and before
    `until` (times of the log, or their beginnings); it has the `tag`; it is one of `battles`, a JSON array of ids.
    `shared` says who may read what a list of them shows: everybody (""), also whoever has the `link`, or `all` of them
    are the reader's to see."""

    status: str = ""
    ruleset: str = ""
    words: str = ""
    title: str = ""
    player: str = ""
    since: str = ""
    until: str = ""
    tag: str = ""
    battles: str = ""
    shared: str = ""

    @property
    def is_long(self) -> bool:
        """Whether to look costs as much as there are battles in the list, not as much as is found."""
        return bool(self.words or self.title or self.since or self.until or self.tag)


ANY = Sought()


class LobbyEntry(Struct, frozen=True):
    """A battle in a list. `status` is waiting (for players), running or ended; `winner` is None until it ends, and
    where the host has stopped it, and "" for a draw; `t` counts player-turns; `n` and `at` are the last event's.
    `deadline` is when the time of a side on move is up ("": it plays without a clock, or the clocks stand still). A
    branch has its source and the event after which it began, else "" and 0. `umpire` is a player, "" for none;
    `disputed` counts the open dockets. A free seat has no player and no name."""

    battle: str
    title: str
    ruleset: str
    created: str
    readers: str
    phase: str
    turn: int
    t: int
    to_act: tuple[str, ...]
    status: str
    winner: str | None
    how: str
    n: int
    at: str
    deadline: str
    branch_of: str
    branch_n: int
    umpire: str
    disputed: int
    seats: tuple["SeatShown", ...]
    tags: tuple[str, ...] = ()


class SeatShown(Struct, frozen=True):
    """The holder of a side."""

    side: str
    player: str
    name: str
    kind: str  # person | bot | program (the account of a bot)


# --- folding


class LobbyMemory:
    """The last state of a battle, and its seats as last written."""

    def __init__(self, opening: OpenedBattle) -> None:
        self._opening = opening
        self._title = opening.ruleset.title
        self._last: ModelStep | None = None
        self._seats: Any = None
        self._clock = ProjectedClock(opening.ruleset)

    def apply(self, step: ModelStep) -> None:
        """Apply the next event."""
        self._last = step
        self._clock.apply(step)
        if step.recorded.n == 1:
            self._title = getattr(step.recorded.event, "title", "") or self._title

    def changes(self) -> Changes:
        """The battle's row, and its seats if they have changed."""
        if self._last is None:
            return {}
        battle, at = self._last.after, self._last.recorded.at
        self._last = None
        changed: dict[str, Sequence[tuple[Any, ...]]] = {"lobby": [self._row(battle, at)]}
        sides = self._opening.ruleset.seats.names
        armies = self._opening.ruleset.shown.table.names(battle.game)
        seats = [self._seat_row(side, battle.seats.get(side), armies.get(side, "")) for side in sides]
        if seats != self._seats:
            changed["seats"] = self._seats = seats
        return changed

    def _row(self, battle: Battle, at: str) -> tuple[Any, ...]:
        game, opening = battle.game, self._opening
        return (
            opening.battle,
            self._title,
            opening.ruleset.code,
            opening.created,
            battle.readers,
            game.phase,
            game.turn,
            game.t,
            "" if battle.is_halted or battle.ended else " ".join(to_act(opening.ruleset, game)),
            "ended" if battle.ended else "running" if battle.begun else "waiting",
            battle.winner,
            battle.how,
            battle.n,
            at,
            min((at for at in self._clock.deadlines(battle, at).values() if at), default=""),
            battle.branch.battle if battle.branch else "",
            battle.branch.n if battle.branch else 0,
            battle.disputes.umpire,
            len(battle.disputes.open),
            " ".join(battle.tags),
        )

    def _seat_row(self, side: str, seat: Seat | None, army: str) -> tuple[Any, ...]:
        if seat is None:
            return (self._opening.battle, side, "", "", "", army)
        kind = "program" if seat.is_program else seat.kind
        return (self._opening.battle, side, seat.player, seat.name, kind, army)


LOBBY = ReadModel("lobby", 8, (BATTLES, SEATS), LobbyMemory)

# --- asking

_COLUMNS = ", ".join(f"lobby.{column}" for column in BATTLES.columns)
_PAGE = "ORDER BY lobby.at DESC, lobby.battle DESC LIMIT ?"
_BEFORE = "(lobby.at, lobby.battle) < (?, ?)"
_LIKE, _ESCAPED = re.compile(r"[%_^]"), r"^\g<0>"
_WORDS = (
    "(lobby.title LIKE ? ESCAPE '^' OR EXISTS (SELECT 1 FROM seats WHERE seats.battle = lobby.battle "
    "AND seats.name LIKE ? ESCAPE '^'))"
)
_OPEN_TO = {"": "lobby.readers = 'public'", "link": "lobby.readers <> 'players'", "all": "lobby.readers <> ''"}
"""Who may read the battles of a list, by `Sought.shared`."""
_OF_PLAYER = "lobby.battle IN (SELECT battle FROM seats WHERE player = ? AND player <> '')"
_OF_PLAYER_OR_UMPIRE = (
    "lobby.battle IN (SELECT battle FROM seats WHERE player = ? AND player <> '' "
    "UNION SELECT battle FROM lobby WHERE umpire = ? AND umpire <> '')"
)


def entry(rows: Rows, battle: str) -> LobbyEntry | None:
    """One battle, regardless of who may read it; None if it does not exist (yet)."""
    found = _entries(rows, "lobby.battle = ?", (battle,), 1)
    return found[0] if found else None


def public(rows: Rows, sought: Sought = ANY, limit: int = 50, before: Place | None = None) -> list[LobbyEntry]:
    """The battles that anybody may read, most recently active first; those that are sought.

    What `Sought.is_long` costs as much as there are public battles; all else costs as much as is found.
    """
    where, params = _narrowed(_OPEN_TO[sought.shared], (), sought)
    return _entries(rows, where, params, limit, before)


def mine(
    rows: Rows, player: str, sought: Sought = ANY, limit: int = 50, before: Place | None = None
) -> list[LobbyEntry]:
    """The battles in which a player holds a side, or is the umpire; those that are sought."""
    where, params = _narrowed(_OF_PLAYER_OR_UMPIRE, (player, player), sought)
    return _entries(rows, where, params, limit, before)


def among_mine(rows: Rows, player: str, battles: Sequence[str]) -> set[str]:
    """Which of some battles, 500 at most, a player holds a side in, or is the umpire of."""
    marks = ", ".join("?" * len(battles))
    found = rows.rows(
        f"SELECT battle FROM lobby WHERE {_OF_PLAYER_OR_UMPIRE} AND battle IN ({marks})", (player, player, *battles)
    )
    return {battle for (battle,) in found}


def public_of(rows: Rows, player: str, limit: int = 50, before: Place | None = None) -> list[LobbyEntry]:
    """The public battles in which a player holds a side."""
    return _entries(rows, f"lobby.readers = 'public' AND {_OF_PLAYER}", (player,), limit, before)


def results(rows: Rows, player: str, only_public: bool, limit: int) -> list[tuple[str, str]]:
    """The newest battles that a player has fought to their end, each with `won`, `lost` or `drawn`. A branch is no
    result, nor is a battle in which they hold both sides."""
    seen = "AND lobby.readers = 'public' " if only_public else ""
    found = rows.rows(
        "SELECT lobby.battle, CASE lobby.winner WHEN '' THEN 'drawn' WHEN seats.side THEN 'won' ELSE 'lost' END "
        "FROM seats JOIN lobby ON lobby.battle = seats.battle "
        "WHERE seats.player = ? AND seats.player <> '' AND lobby.winner IS NOT NULL AND lobby.branch_of = '' "
        f"{seen}GROUP BY lobby.battle HAVING COUNT(*) = 1 ORDER BY lobby.at DESC LIMIT ?",
        (player, limit),
    )
    return [(battle, outcome) for battle, outcome in found]


def outcomes(rows: Rows, ruleset: str, title: str, limit: int) -> list[tuple[str, str]]:
    """The public battles with a title that have ended, of the newest `limit` of their game: each with its winner, ""
    for a draw. A branch is no result."""
    found = rows.rows(
        "SELECT battle, winner FROM (SELECT battle, winner, title FROM lobby WHERE readers = 'public' "
        "AND status = 'ended' AND winner IS NOT NULL AND ruleset = ? AND branch_of = '' ORDER BY at DESC LIMIT ?) "
        "WHERE title = ?",
        (ruleset, limit, title),
    )
    return [(battle, winner) for battle, winner in found]


def waiting_for(
    rows: Rows, player: str, sought: Sought = ANY, limit: int = 50, before: Place | None = None
) -> list[LobbyEntry]:
    """The battles that wait for a player's order, answer or contribution; those that are sought."""
    waits = "lobby.battle IN (SELECT battle FROM inbox WHERE player = ? AND player <> '' AND kind <> '')"
    where, params = _narrowed(waits, (player,), sought)
    return _entries(rows, where, params, limit, before)


def ended(
    rows: Rows, player: str = "", sought: Sought = ANY, limit: int = 50, before: Place | None = None
) -> list[LobbyEntry]:
    """The results: the public battles that have ended, or one player's. A branch is no result, nor is a battle that the
    host has stopped."""
    of_whom = _OF_PLAYER if player else _OPEN_TO[sought.shared]
    of_whom = f"{of_whom} AND lobby.winner IS NOT NULL AND lobby.branch_of = ''"
    of_whom = f"{of_whom} AND lobby.status = 'ended'"
    where, params = _narrowed(of_whom, (player,) if player else (), sought)
    return _entries(rows, where, params, limit, before)


def branches(rows: Rows, sources: Sequence[str], limit: int) -> list[LobbyEntry]:
    """The branches of some battles, regardless of who may read them, most recently active first."""
    marks = ", ".join("?" * len(sources))
    return _entries(rows, f"lobby.branch_of IN ({marks})", tuple(sources), limit) if sources else []


def _narrowed(where: str, params: tuple[str, ...], sought: Sought) -> tuple[str, tuple[str, ...]]:
    """A condition, and what is sought beside it."""
    part = f"%{_LIKE.sub(_ESCAPED, sought.words)}%" if sought.words else ""
    wanted = (
        ("lobby.status = ?", (sought.status,)),
        ("lobby.ruleset = ?", (sought.ruleset,)),
        (_WORDS, (part, part)),
        ("lobby.title = ?", (sought.title,)),
        (_OF_PLAYER, (sought.player,)),
        ("lobby.created >= ?", (sought.since,)),
        ("lobby.created < ?", (sought.until,)),
        ("instr(' ' || lobby.tags || ' ', ?) > 0", (f" {sought.tag} " if sought.tag else "",)),
        ("lobby.battle IN (SELECT value FROM json_each(?))", (sought.battles,)),
    )
    for condition, values in wanted:
        if values[0]:
            where, params = f"{where} AND {condition}", (*params, *values)
    return where, params


def _entries(
    rows: Rows, where: str, params: tuple[str, ...], limit: int, before: Place | None = None
) -> list[LobbyEntry]:
    """A page costs the same wherever it is: what is before it is passed over in the index, not counted."""
    if before is not None:
        where, params = f"{where} AND {_BEFORE}", (*params, *before)
    found = rows.rows(f"SELECT {_COLUMNS} FROM lobby WHERE {where} {_PAGE}", (*params, limit))
    marks = ", ".join("?" * len(found))
    query = f"SELECT battle, side, player, name, kind FROM seats WHERE battle IN ({marks})"
    seats: dict[str, dict[str, SeatShown]] = {row[0]: {} for row in found}
    for battle, *seat in rows.rows(query, [row[0] for row in found]) if found else ():
        seats[battle][seat[0]] = SeatShown(*seat)
    return [_entry(row, seats[row[0]]) for row in found]


def _entry(row: tuple[Any, ...], seats: dict[str, SeatShown]) -> LobbyEntry:
    values = dict(zip(BATTLES.columns, row, strict=True))
    values["to_act"], values["tags"] = tuple(values["to_act"].split()), tuple(values["tags"].split())
    return LobbyEntry(**values, seats=tuple(seats[side] for side in sorted(seats, key=_place_of)))


def _place_of(side: str) -> tuple[int, str]:
    """South before north; those of a game with other seats by name, for rows do not say in which order they play."""
    return (SIDES.index(side) if side in SIDES else len(SIDES)), side
