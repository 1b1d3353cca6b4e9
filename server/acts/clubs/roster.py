"""Add members to a club from a file, a line for each: `name, address?, zone?` (CAM-CLB-01).

A line with an address is an invitation: one letter goes there, and nobody is a member before they have accepted. A line
without one makes an account at once, and a link by which whoever it is for logs in, once, for the organiser to give
them. Each line is answered by itself; the same file again makes nobody twice and writes to nobody twice.
"""

import csv
from collections.abc import Iterator
from io import StringIO
from typing import NamedTuple

from msgspec import Struct

from domain.basics.errors import Refusal
from replay.writing.clock import later
from replay.writing.entropy import new_id
from server.acts.clubs.entering import club_full
from server.acts.clubs.founding import MOST_MEMBERS
from server.acts.clubs.inviting import invite_to_club
from server.acts.clubs.reading import RULE, organised_by
from server.acts.invite import account_at
from server.acts.services import Services
from server.acts.wishes import with_zone
from server.entropy import new_secret
from server.people.players import INVITATION_S, Player, login_link, require_player_name
from server.play.quotas import require_guest_quota
from server.store import Unmatched, Violated
from server.store.tables import accounts, clubs, correspondents, tokens
from server.store.tables.accounts import Account
from server.store.tables.clubs import BANNED, MEMBER, Club
from server.store.tables.correspondents import Correspondent

MOST_ROWS, MOST_BYTES, LONGEST_CELL = 200, 64 * 1024, 254
HEADINGS = frozenset({"name", "nom"})
"""A first line that begins with one of these has the names of the columns."""
MADE, INVITED, IN_ALREADY = "made", "invited", "member"


class RosterRow(NamedTuple):
    """A line of the file, counted from 1."""

    line: int
    name: str
    address: str = ""
    zone: str = ""


class RosterLine(Struct, frozen=True):
    """What a line has come to: `made` an account, `invited` by a letter (again changes nothing), `member` before; or
    the refusal. `link` logs a new account in, once."""

    line: int
    name: str
    what: str = ""
    link: str = ""
    refusal: Refusal | None = None


async def add_members(services: Services, player: Player, id_: str, text: str) -> list[RosterLine]:
    """Add the members of a file, line by line, for an organiser.

    Raises: Refusal club.unknown, club.not-organiser, core.guest-writes, club.bad-roster,
            club.roster-too-long
    """
    club, rows = organised_by(services, id_, player), rows_of(text)
    if services.battles.settings.mail and not player.email:
        raise Refusal("core.guest-writes", RULE)
    return [await _added(services, player, club, row) for row in rows]


def rows_of(text: str) -> list[RosterRow]:
    """The lines of a file, without empty ones and the names of the columns.

    Raises: Refusal club.bad-roster, club.roster-too-long
    """
    if len(text.encode()) > MOST_BYTES:
        raise too_long()
    found = list(_rows(text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")))
    if len(found) > MOST_ROWS:
        raise too_long()
    return found


def _rows(text: str) -> Iterator[RosterRow]:
    if "\0" in text:
        raise Refusal("club.bad-roster", RULE, line=1)
    delimiter = ";" if ";" in text.partition("\n")[0] else ","
    reader = csv.reader(StringIO(text), delimiter=delimiter, skipinitialspace=True, strict=True)
    line = 0
    try:
        for cells in reader:
            line = reader.line_num
            plain = [cell.strip() for cell in cells]
            if not any(plain) or (line == 1 and plain[0].casefold() in HEADINGS):
                continue
            if len(plain) > 3 or any(len(cell) > LONGEST_CELL for cell in plain):
                raise Refusal("club.bad-roster", RULE, line=line)
            yield RosterRow(line, *plain)
    except csv.Error:
        raise Refusal("club.bad-roster", RULE, line=line + 1) from None


async def _added(services: Services, player: Player, club: Club, row: RosterRow) -> RosterLine:
    try:
        zone = with_zone(Correspondent(""), row.zone).zone if row.zone else ""
        if row.address:
            return await _invited(services, player, club, row, zone)
        return await _made(services, club, row, zone)
    except Refusal as refused:
        return RosterLine(row.line, row.name, refusal=refused)


async def _invited(services: Services, player: Player, club: Club, row: RosterRow, zone: str) -> RosterLine:
    """Raises: Refusal core.bad-name, core.name-reserved; as `invite_to_club`"""
    name = require_player_name(row.name)
    address = services.addresses.elsewhere(row.address)
    known = account_at(services, address) if address else None
    member = clubs.member(services.store, club.club, known.player) if known else None
    if member is not None and member.role != BANNED:
        return RosterLine(row.line, row.name, IN_ALREADY)
    await invite_to_club(services, player, club, row.address, name, zone)
    return RosterLine(row.line, row.name, INVITED)


async def _made(services: Services, club: Club, row: RosterRow, zone: str) -> RosterLine:
    """Raises: Refusal core.bad-name, core.name-reserved, core.name-taken, core.too-many-guests, club.full"""
    name = require_player_name(row.name)
    known = accounts.by_look(services.store, name)
    member = clubs.member(services.store, club.club, known.player) if known else None
    if member is not None and member.role != BANNED:
        return RosterLine(row.line, row.name, IN_ALREADY)
    require_guest_quota(services.store, services.battles.settings.limits)
    now, token = services.now(), new_secret(services.battles.entropy)
    account = Account(f"p{new_id(services.battles.entropy)}", name, "", now)
    wishes = (correspondents.save(Correspondent(account.player, zone=zone)),) if zone else ()
    try:
        await services.store.write(
            accounts.add(account),
            tokens.issue(token, account.player, "login", now, later(now, INVITATION_S)),
            *wishes,
            clubs.join(club.club, account.player, MEMBER, now, MOST_MEMBERS),
        )
    except Violated:
        raise Refusal("core.name-taken", RULE, name=name) from None
    except Unmatched:
        raise club_full() from None
    return RosterLine(row.line, row.name, MADE, login_link(services.battles.settings.address, token))


def too_long() -> Refusal:
    """The refusal of a file that is larger than it may be."""
    return Refusal("club.roster-too-long", RULE, most=MOST_ROWS, kib=MOST_BYTES // 1024)
