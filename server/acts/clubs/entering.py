"""Enter a club by its link, leave it, ban somebody, say when one fights (CAM-CLB-01).

Being a member is consent to be seated by the organisers. Whoever a club has banned is not told apart from somebody with
a link that is good no longer.
"""

import hmac
from datetime import date

from domain.basics.errors import Refusal
from server.acts.clubs.founding import MOST_MEMBERS
from server.acts.clubs.reading import RULE, entry_token, is_club_id, joined_by, membership, not_member, organised_by
from server.acts.services import Services
from server.people.players import Player
from server.store import Unmatched, Violated
from server.store.tables import clubs
from server.store.tables.clubs import BANNED, MEMBER, ROLES, Club, Member


def by_entry_link(services: Services, id_: str, token: str) -> Club:
    """The club to which an entry link leads.

    Raises: Refusal club.bad-link
    """
    club = clubs.find(services.store, id_) if is_club_id(id_) else None
    if club is None or not hmac.compare_digest(token.encode(), entry_token(services, club).encode()):
        raise bad_link()
    return club


async def enter(services: Services, player: Player, id_: str, token: str) -> Club:
    """Become a member by the entry link; who is one already changes nothing.

    Raises: Refusal club.bad-link, club.full, core.bot-account
    """
    club = by_entry_link(services, id_, token)
    if player.owner:
        raise Refusal("core.bot-account", RULE)
    known = clubs.member(services.store, club.club, player.id)
    if known is not None and known.role == BANNED:
        raise bad_link()
    if known is None:
        await take_in(services, club, player.id)
    return club


async def take_in(services: Services, club: Club, player: str) -> None:
    """Make somebody a member who is not banned.

    Raises: Refusal club.full
    """
    try:
        await services.store.write(clubs.join(club.club, player, MEMBER, services.now(), MOST_MEMBERS))
    except Unmatched:
        raise club_full() from None
    except Violated:  # a moment ago, by the other way
        return


async def leave(services: Services, player: Player, id_: str) -> None:
    """Leave a club; its battles go on.

    Raises: Refusal club.unknown, club.not-member, club.last-organiser
    """
    club, _ = joined_by(services, id_, player)
    try:
        await services.store.write(clubs.leave(club.club, player.id))
    except Unmatched:
        raise last_organiser() from None


async def set_role(services: Services, player: Player, id_: str, whom: str, role: str) -> None:
    """Make a member organiser, or a plain member again, as an organiser; `banned` bans somebody for good, `""` takes
    somebody off the list who was a member, or banned.

    Raises: Refusal club.unknown, club.not-organiser, club.not-member, club.bad-role,
            club.last-organiser
    """
    club = organised_by(services, id_, player)
    if role not in (*ROLES, BANNED, ""):
        raise Refusal("club.bad-role", RULE, known=[*ROLES, BANNED])
    known = clubs.member(services.store, club.club, whom)
    if known is None or (known.role == BANNED and role in ROLES):
        raise not_member(whom[:40])
    statement = clubs.set_role(club.club, whom, role) if role else clubs.remove(club.club, whom)
    try:
        await services.store.write(statement)
    except Unmatched:
        raise last_organiser() from None


async def set_not_before(services: Services, player: Player, id_: str, day: str) -> Member:
    """Keep the day (`2026-12-24`) before which a member is seated in no battle of a club; "" for none.

    Raises: Refusal club.unknown, club.not-member, club.bad-day
    """
    club, member = joined_by(services, id_, player)
    if day:
        _require_day(day)
    await services.store.write(clubs.set_not_before(club.club, player.id, day))
    return membership(services, club, player) or member


def _require_day(day: str) -> None:
    try:
        found = date.fromisoformat(day)
    except ValueError:
        found = date.max
    if str(found) != day or not 2000 <= found.year < date.max.year:
        raise Refusal("club.bad-day", RULE, day=day[:20])


def bad_link() -> Refusal:
    """The refusal of a link that takes nobody in."""
    return Refusal("club.bad-link", RULE)


def club_full() -> Refusal:
    """The refusal of one member more than a club may have."""
    return Refusal("club.full", RULE, most=MOST_MEMBERS)


def last_organiser() -> Refusal:
    """The refusal to leave a club without an organiser."""
    return Refusal("club.last-organiser", RULE)
