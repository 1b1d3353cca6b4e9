"""Messages of the organiser's desk (CAM-CLB-09)."""

from msgspec import Struct


class ChoreActView(Struct, frozen=True):
    """What settles it: send it to `POST /api/v1/organising` as it stands, with the `owner`."""

    do: str
    value: str


class ChoreView(Struct, frozen=True):
    """Something that needs you as the organiser of a club, or as organiser or umpire of a campaign."""

    kind: str
    what: str
    owner_kind: str
    owner: str
    title: str
    battle: str
    board: str
    names: tuple[str, ...]
    since: str
    until: str
    detail: str
    acts: tuple[ChoreActView, ...]


class Chores(Struct, frozen=True):
    """What needs you today, the most pressing kind first."""

    chores: tuple[ChoreView, ...]


class SettleChore(Struct, frozen=True, forbid_unknown_fields=True):
    """Settle something that needs you, by one of its acts."""

    owner: str
    do: str
    value: str
