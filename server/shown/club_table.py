"""The table of a club: what its members have won, drawn and lost, by hand-made rounds (CAM-STD-01)."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from projections.lobby import LobbyEntry

WIN, DRAW = 2, 1
"""Points of a battle; a loss has none."""


class ClubTableRow(Struct, frozen=True):
    """A line of a table: the place, which equal players share, and who has fought how many battles how."""

    place: int
    player: str
    name: str
    played: int
    won: int
    drawn: int
    lost: int
    points: int


def table_of(battles: Iterable[LobbyEntry], names: Mapping[str, str]) -> tuple[ClubTableRow, ...]:
    """The table of battles that have ended, highest points first, then by victories, then by name; `names` those of
    players by their ids. A battle that was stopped counts nowhere, nor does a branch, nor a bot."""
    counts: dict[str, list[int]] = {}
    for battle in battles:
        if battle.winner is None or battle.status != "ended" or battle.branch_of:
            continue
        for seat in battle.seats:
            if seat.kind != "person":
                continue
            won_drawn_lost = counts.setdefault(seat.player, [0, 0, 0])
            won_drawn_lost[1 if battle.winner == "" else 0 if battle.winner == seat.side else 2] += 1
    rows = [_row(player, names.get(player, player), *told) for player, told in counts.items()]
    rows.sort(key=lambda row: (-row.points, -row.won, row.name.casefold()))
    return tuple(_placed(rows))


def _row(player: str, name: str, won: int, drawn: int, lost: int) -> ClubTableRow:
    return ClubTableRow(0, player, name, won + drawn + lost, won, drawn, lost, WIN * won + DRAW * drawn)


def _placed(rows: list[ClubTableRow]) -> Iterable[ClubTableRow]:
    place, before = 0, None
    for at, row in enumerate(rows, 1):
        if before is None or (row.points, row.won) != (before.points, before.won):
            place = at
        before = row
        yield ClubTableRow(place, *(getattr(row, name) for name in ClubTableRow.__struct_fields__[1:]))
