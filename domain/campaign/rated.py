"""Which battles count for a ladder, and in which period (CAM-RAT-01, -03)."""

from collections.abc import Iterable, Mapping, Set
from typing import Literal

from msgspec import Struct

Unit = Literal["quarter", "month"]
MONTHS: Mapping[Unit, int] = {"quarter": 3, "month": 1}
YEAR = 12
PERSON = "person"
ON_TIME = "time"
LEAST_TURNS = 2


class EndedBattle(Struct, frozen=True):
    """What a ladder asks of a battle that has ended.

    Shape: `ended` a time of the log, `2027-01-10…`, in UTC; `players` and `kinds` of south, then of north; `members` of
    the ladder when it began; `held` if both seats were held by one person each from beginning to end; `turns` those of
    either player that have begun; `winner` a player, or empty
    """

    ended: str
    players: tuple[str, str]
    kinds: tuple[str, str]
    members: Set[str]
    held: bool
    turns: int
    how: str
    winner: str
    is_void: bool = False

    @property
    def losers(self) -> tuple[str, ...]:
        """The losers; nobody in a draw."""
        return tuple(player for player in self.players if player != self.winner) if self.winner else ()


def is_rated(battle: EndedBattle, lost_on_time: Set[str]) -> bool:
    """Whether a battle is rated (CAM-RAT-01).

    Shape: `lost_on_time` who has lost a rated battle on time in its period: one player who vanished is one loss
    """
    return (
        not battle.is_void
        and battle.held
        and all(kind == PERSON for kind in battle.kinds)
        and battle.members >= set(battle.players)
        and battle.turns >= LEAST_TURNS
        and not (battle.how == ON_TIME and lost_on_time & set(battle.losers))
    )


def rated(battles: Iterable[EndedBattle], unit: Unit = "quarter") -> list[bool]:
    """Which of some battles, in the order in which they were counted, are rated (CAM-RAT-01)."""
    on_time: dict[int, set[str]] = {}
    found: list[bool] = []
    for battle in battles:
        lost = on_time.setdefault(period(battle.ended, unit), set())
        found.append(is_rated(battle, lost))
        if found[-1] and battle.how == ON_TIME:
            lost.update(battle.losers)
    return found


def period(at: str, unit: Unit = "quarter") -> int:
    """The period of a time of the log: quarters or months of the calendar, one after the other (CAM-RAT-03)."""
    return (int(at[:4]) * YEAR + int(at[5:7]) - 1) // MONTHS[unit]


def period_name(number: int, unit: Unit = "quarter") -> str:
    """`2027-Q1`, or `2027-01`."""
    year, rest = divmod(number, YEAR // MONTHS[unit])
    return f"{year:04}-Q{rest + 1}" if unit == "quarter" else f"{year:04}-{rest + 1:02}"
