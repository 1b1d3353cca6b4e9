"""Messages of clubs (CAM-CLB-01)."""

from msgspec import UNSET, Struct, UnsetType

from server.acts.clubs.founding import USUAL_RUNNING
from server.acts.clubs.pairing import Pairing
from server.shown.club_table import ClubTableRow


class MakeClub(Struct, frozen=True, forbid_unknown_fields=True):
    """Make a club. You are its organiser."""

    club: str
    name: str
    readers: str = "public"
    running: int = USUAL_RUNNING


class ChangeClub(Struct, frozen=True, forbid_unknown_fields=True):
    """Change what holds for a club, as an organiser: what is left out stays. `renew` gives it other links."""

    name: str | UnsetType = UNSET
    readers: str | UnsetType = UNSET
    running: int | UnsetType = UNSET
    renew: bool = False


class EnterClub(Struct, frozen=True, forbid_unknown_fields=True):
    """Become a member by the entry link."""

    token: str


class ChangeMember(Struct, frozen=True, forbid_unknown_fields=True):
    """Change somebody in a club: as an organiser their `role`; as the member the day before which you are seated in no
    battle."""

    role: str | UnsetType = UNSET
    not_before: str | UnsetType = UNSET


class AddMembers(Struct, frozen=True, forbid_unknown_fields=True):
    """Add members from a file, a line for each: `name, address?, zone?`."""

    csv: str


class RosterLineView(Struct, frozen=True):
    """What a line of the file has come to. Who has no address logs in by `link`, once, within seven days."""

    line: int
    name: str
    what: str
    link: str
    code: str
    detail: str


class RosterAnswer(Struct, frozen=True):
    """The lines of the file, each with what it has come to."""

    lines: tuple[RosterLineView, ...]


class ClubMember(Struct, frozen=True):
    """Somebody in a club. `running` counts the battles of the club that they fight now."""

    player: str
    name: str
    role: str
    not_before: str
    running: int


class ClubInvited(Struct, frozen=True):
    """Somebody who was invited to a club and has not answered: told to its organisers."""

    name: str
    address: str
    expires: str


class ClubView(Struct, frozen=True):
    """A club as you know it. Links, invitations and who is banned are for its organisers; who is in it is for whoever
    may read it."""

    club: str
    name: str
    readers: str
    running: int
    created: str
    role: str
    members: tuple[ClubMember, ...]
    link: str = ""
    token: str = ""
    page: str = ""
    invited: tuple[ClubInvited, ...] = ()
    banned: tuple[ClubMember, ...] = ()


class ClubListed(Struct, frozen=True):
    """A club in a list; `role` is yours, "" for none."""

    club: str
    name: str
    members: int
    role: str


class Clubs(Struct, frozen=True):
    """Your clubs, and those that everybody may read, by id."""

    mine: tuple[ClubListed, ...]
    clubs: tuple[ClubListed, ...]


class OpenBulk(Struct, frozen=True, forbid_unknown_fields=True):
    """Open battles between members of your club, 500 at most: all of them, or none."""

    club: str
    pairings: tuple[Pairing, ...]
    tag: str = ""
    pace: str = ""


class BulkOpened(Struct, frozen=True):
    """The battles that were opened, in the order of the pairings."""

    battles: tuple[str, ...]


class ClubTable(Struct, frozen=True):
    """What the battles of a club that have ended come to: two points for a victory, one for a draw."""

    rows: tuple[ClubTableRow, ...]
