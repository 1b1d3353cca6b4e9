"""What waits for each player, and since when.

One row per battle and side; `kind` is empty where nothing waits. A *turn* waits until it ends or the other side gets
a question; a decision waits under its own name (`evade`, `replay` …); a *contribution* waits where the side that is
not acting has given no valid one, because no card can be drawn without it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.contract.ruleset import Ruleset
from domain.run.decide import to_act
from domain.run.seats import Battle, Seat
from projections.clock import ProjectedClock
from projections.model import Changes, ModelStep, ModelTable, OpenedBattle, ReadModel, Rows

TURN, CONTRIBUTION = "turn", "contribution"

TABLE = ModelTable(
    "inbox",
    {
        "battle": str,
        "side": str,
        "player": str,
        "name": str,
        "kind": str,
        "unit": str,
        "since": str,
        "since_n": int,
        "title": str,
        "deadline": str,
    },
    key=("battle", "side"),
    indexes=(("player", "kind"),),
)


class WaitingQuestion(Struct, frozen=True):
    """Something that a battle wants from a side. `kind` is turn, contribution, or that of a decision, perhaps about
    a `unit`; it has been open since event `since_n`, and should be answered before `deadline` ("": any time)."""

    battle: str
    side: str
    player: str
    name: str
    kind: str
    unit: str
    since: str
    since_n: int
    title: str
    deadline: str


# --- folding

_NOTHING = ("", "")


def questions(ruleset: Ruleset, battle: Battle) -> dict[str, tuple[str, str]]:
    """What the battle wants now: (kind, unit) by side."""
    game = battle.game
    asked = dict.fromkeys(ruleset.seats.names, _NOTHING)
    if not battle.begun or battle.ended:
        return asked
    for side in set(asked).intersection(to_act(ruleset, game)):  # between two phases a game may name nobody
        asked[side] = (game.waiting.kind, game.waiting.unit) if game.waiting else (TURN, "")
    for side, seat in battle.seats.items():
        if asked[side] == _NOTHING and (seat.stale or not seat.contribution):
            asked[side] = (CONTRIBUTION, "")
    return asked


class InboxMemory:
    """What waits for each side, and since which event."""

    def __init__(self, opening: OpenedBattle) -> None:
        self._opening = opening
        self._title = opening.ruleset.title
        self._asked = dict.fromkeys(opening.ruleset.seats.names, _NOTHING)
        self._since = dict.fromkeys(opening.ruleset.seats.names, ("", 0))
        self._seats: Mapping[str, Seat] = {}
        self._acting: tuple[str, ...] = ()
        self._changed = True
        self._clock = ProjectedClock(opening.ruleset)
        self._deadlines: Mapping[str, str] = {}

    def apply(self, step: ModelStep) -> None:
        """Apply the next event; most change no question."""
        before, after = step.before, step.after
        self._clock.apply(step)
        deadlines = self._clock.deadlines(after, step.recorded.at)
        if deadlines != self._deadlines:
            self._deadlines, self._changed = deadlines, True
        acting = () if after.is_halted else to_act(self._opening.ruleset, after.game)
        if (
            after.game.waiting is before.game.waiting
            and after.seats is before.seats
            and acting == self._acting
            and after.begun is before.begun
            and after.game.winner == before.game.winner
            and before.n
        ):
            return
        if not before.n:
            self._title = getattr(step.recorded.event, "title", "") or self._title
        self._acting = acting
        self._seats = after.seats
        self._changed = True
        for side, asked in questions(self._opening.ruleset, after).items():
            if asked != self._asked[side]:
                self._asked[side] = asked
                self._since[side] = (step.recorded.at, step.recorded.n)

    def changes(self) -> Changes:
        """The rows of all sides, if anything has changed."""
        if not self._changed:
            return {}
        self._changed = False
        return {"inbox": [self._row(side) for side in self._asked]}

    def _row(self, side: str) -> tuple[Any, ...]:
        seat = self._seats.get(side)
        player, name = (seat.player, seat.name) if seat else ("", "")
        deadline = self._deadlines.get(side, "")
        return (self._opening.battle, side, player, name, *self._asked[side], *self._since[side], self._title, deadline)


INBOX = ReadModel("inbox", 3, (TABLE,), InboxMemory)

# --- asking


def waiting_for(rows: Rows, player: str) -> list[WaitingQuestion]:
    """What waits for a player, the longest first."""
    query = f"SELECT {', '.join(TABLE.columns)} FROM inbox WHERE player = ? AND player <> '' AND kind <> ''"
    return [WaitingQuestion(*row) for row in rows.rows(f"{query} ORDER BY since, battle, side", (player,))]


def battles_waiting_for(rows: Rows, players: Sequence[str]) -> list[str]:
    """The battles that wait for any of some players: costs as much as there are of them."""
    marks = ",".join("?" * len(players))
    query = f"SELECT DISTINCT battle FROM inbox WHERE player IN ({marks}) AND kind > '' ORDER BY battle"
    return [battle for (battle,) in rows.rows(query, tuple(players))]


def of_battle(rows: Rows, battle: str) -> list[WaitingQuestion]:
    """What a battle waits for."""
    query = f"SELECT {', '.join(TABLE.columns)} FROM inbox WHERE battle = ? AND kind <> '' ORDER BY side DESC"
    return [WaitingQuestion(*row) for row in rows.rows(query, (battle,))]
