"""Find a club, and say who may read it, and who organises it (CAM-CLB-01).

A club that somebody may not read does not exist for them: the answer is that of an id that nobody has taken.
"""

import hmac
import re

from domain.basics.errors import Refusal
from server.acts.services import Services
from server.people.players import Player
from server.store.tables import clubs
from server.store.tables.clubs import BANNED, ORGANISER, Club, Member

RULE = "CAM-CLB-01"
LEAST_ID, LONGEST_ID = 3, 20
ENTRY, PAGE = "club-entry", "club-page"
"""The kinds of the two links of a club: one takes people in, the other lets them read."""
_ID = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


def is_club_id(text: str) -> bool:
    """Whether a club may have it as its id: small letters, digits and hyphens, at least three and at most twenty."""
    return LEAST_ID <= len(text) <= LONGEST_ID and _ID.fullmatch(text) is not None


def unknown_club(club: str) -> Refusal:
    """The refusal if there is no club with this id, or the caller may not know that there is."""
    return Refusal("club.unknown", RULE, club=club[:LONGEST_ID])


def entry_token(services: Services, club: Club) -> str:
    """The token in the entry link of a club: another one with each link."""
    return services.addresses.token(ENTRY, f"{club.club}.{club.link}")


def page_token(services: Services, club: Club) -> str:
    """The token by which a page that is read by link is read."""
    return services.addresses.token(PAGE, f"{club.club}.{club.link}")


def membership(services: Services, club: Club, player: Player | None) -> Member | None:
    """Somebody as a member of a club; None for a stranger, and for whoever the club has banned."""
    found = clubs.member(services.store, club.club, player.id) if player else None
    return found if found is not None and found.role != BANNED else None


def may_read(services: Services, club: Club, player: Player | None, key: str = "") -> bool:
    """Whether somebody may read the page of a club, by its `key` if it is read by link."""
    if club.readers == "public" or membership(services, club, player) is not None:
        return True
    return club.readers == "link" and hmac.compare_digest(key.encode(), page_token(services, club).encode())


def club_for(services: Services, id_: str, player: Player | None, key: str = "") -> Club:
    """The club with an id, if somebody may read it.

    Raises: Refusal club.unknown
    """
    club = clubs.find(services.store, id_) if is_club_id(id_) else None
    if club is None or not may_read(services, club, player, key):
        raise unknown_club(id_)
    return club


def organised_by(services: Services, id_: str, player: Player) -> Club:
    """The club with an id, for one of its organisers.

    Raises: Refusal club.unknown, club.not-organiser
    """
    club = club_for(services, id_, player)
    member = membership(services, club, player)
    if member is None or member.role != ORGANISER:
        raise Refusal("club.not-organiser", RULE, club=club.club)
    return club


def joined_by(services: Services, id_: str, player: Player) -> tuple[Club, Member]:
    """The club with an id, and one of its members.

    Raises: Refusal club.unknown, club.not-member
    """
    club = club_for(services, id_, player)
    member = membership(services, club, player)
    if member is None:
        raise not_member(player.name)
    return club, member


def not_member(name: str) -> Refusal:
    """The refusal of somebody who is in no club, or in another one."""
    return Refusal("club.not-member", RULE, name=name)
