"""Make a club, and change what holds for it (CAM-CLB-01)."""

import unicodedata

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.log.limits import unfit_text
from server.acts.clubs.reading import LEAST_ID, LONGEST_ID, RULE, is_club_id, organised_by
from server.acts.services import Services
from server.people.players import Player
from server.store import Violated
from server.store.tables import clubs
from server.store.tables.clubs import ORGANISER, READERS, Club

USUAL_RUNNING, MOST_RUNNING = 6, 50
"""Battles of a club that a member fights at once."""
LONGEST_NAME = 60
MOST_MEMBERS = 500
MOST_OF_ACCOUNT, MOST_OF_GUEST = 5, 1
"""Clubs that one account organises."""


class ClubWish(Struct, frozen=True):
    """A club to be made: its id, its name, who reads its page (`public`, `link`, `members`), and how many battles a
    member fights at once."""

    club: str
    name: str
    readers: str = "public"
    running: int = USUAL_RUNNING


async def found(services: Services, player: Player, wish: ClubWish) -> Club:
    """Make a club; whoever makes it is its organiser. The same again by the same player changes nothing.

    Raises: Refusal club.bad-id, club.bad-name, club.bad-readers, club.bad-running,
            club.taken, club.too-many
    """
    if not is_club_id(wish.club):
        raise Refusal("club.bad-id", RULE, club=wish.club[:40], least=LEAST_ID, most=LONGEST_ID)
    now = services.now()
    club = Club(wish.club, usable_name(wish.name), _readers(wish.readers), _running(wish.running), 1, now)
    known = clubs.find(services.store, club.club)
    if known is not None:
        return _own_again(services, player, known, club)
    most = MOST_OF_ACCOUNT if player.email else MOST_OF_GUEST
    if clubs.organised(services.store, player.id) >= most:
        raise Refusal("club.too-many", RULE, most=most)
    try:
        await services.store.write(clubs.add(club), clubs.join(club.club, player.id, ORGANISER, now, MOST_MEMBERS))
    except Violated:  # made a moment ago
        raise _taken(club.club) from None
    return club


async def change(
    services: Services,
    player: Player,
    id_: str,
    name: str | None = None,
    readers: str | None = None,
    running: int | None = None,
) -> Club:
    """Change what an organiser says of a club; None leaves it.

    Raises: Refusal club.unknown, club.not-organiser, club.bad-name, club.bad-readers,
            club.bad-running
    """
    club = organised_by(services, id_, player)
    changed = club._replace(
        name=club.name if name is None else usable_name(name),
        readers=club.readers if readers is None else _readers(readers),
        running=club.running if running is None else _running(running),
    )
    await services.store.write(clubs.change(changed))
    return changed


async def renew_link(services: Services, player: Player, id_: str) -> Club:
    """Give a club another entry link, and another link to its page; the old ones are good no longer.

    Raises: Refusal club.unknown, club.not-organiser
    """
    club = organised_by(services, id_, player)
    renewed = club._replace(link=club.link + 1)
    await services.store.write(clubs.change(renewed))
    return renewed


def usable_name(name: str) -> str:
    """The name of a club: one line of readable text, not empty, not too long.

    Raises: Refusal club.bad-name
    """
    plain = " ".join(unicodedata.normalize("NFC", name).split())
    if not plain or len(plain) > LONGEST_NAME or not plain.isprintable() or unfit_text(plain):
        raise Refusal("club.bad-name", RULE, longest=LONGEST_NAME)
    return plain


def _readers(readers: str) -> str:
    if readers not in READERS:
        raise Refusal("club.bad-readers", RULE, known=list(READERS))
    return readers


def _running(running: int) -> int:
    if not 1 <= running <= MOST_RUNNING:
        raise Refusal("club.bad-running", RULE, most=MOST_RUNNING)
    return running


def _own_again(services: Services, player: Player, known: Club, wanted: Club) -> Club:
    """The club that the same player has made in the same words.

    Raises: Refusal club.taken
    """
    member = clubs.member(services.store, known.club, player.id)
    is_same = known._replace(at="", link=0) == wanted._replace(at="", link=0)
    if member is None or member.role != ORGANISER or not is_same:
        raise _taken(known.club)
    return known


def _taken(club: str) -> Refusal:
    return Refusal("club.taken", RULE, club=club)
