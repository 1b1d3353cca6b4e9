"""Open a list of battles between members of a club (CAM-CLB-02).

The list is kept whole, in one transaction, once all of it was checked; then each pairing is opened, and its players are
seated. A pairing knows its battle in the transaction of the opening, so a crash anywhere leaves no battle twice or
missing: the list is continued at start, or by the same request. At the end each player gets one letter, however many
battles of the list are theirs.
"""

import logging
from hashlib import sha256

import msgspec

from domain.basics.decoding import decode
from domain.basics.errors import Refusal
from domain.run.terms import Terms
from server.acts.clubs.pairing import (
    READERS_OF,
    CheckedPairing,
    PairingList,
    checked,
    scenario_of,
    tags_of,
)
from server.acts.clubs.reading import organised_by
from server.acts.services import Services
from server.entropy import new_secret
from server.people.players import Player, player_of
from server.play.live_battle import LiveBattle
from server.play.request import key_reused
from server.play.seating import seat_member
from server.store import Unmatched, Violated
from server.store.tables import club_battles, clubs, holdings, outbox
from server.store.tables.club_battles import Bulk, PairingRow
from server.store.tables.outbox import LetterKind

log = logging.getLogger(__name__)
DIGITS = 32
"""Hex digits of the id of a list."""


async def open_list(services: Services, player: Player, wanted: PairingList, key: str = "") -> tuple[str, ...]:
    """Open a list of battles for an organiser; gives their ids in its order. The same `key` again continues the list,
    or gives the same ids.

    Raises: Refusal club.unknown, club.not-organiser, core.key-reused, and as `checked`
    """
    club = organised_by(services, wanted.club, player)
    id_ = bulk_id(player.id, key or new_secret(services.battles.entropy))
    digest = sha256(msgspec.json.encode(wanted)).digest()
    async with services.seating:  # what each member may fight at once is counted and used in one step
        known = club_battles.find(services.store, id_)
        if known is None:
            pairings = await checked(services, club, wanted)
            tags = " ".join(tags_of(wanted.tag))
            known = Bulk(id_, player.id, digest, club.club, tags, wanted.pace, services.now())
            rows = (club_battles.keep_pairing(id_, at, msgspec.json.encode(one)) for at, one in enumerate(pairings))
            await services.store.write(club_battles.keep(known), *rows)
        if known.digest != digest:
            raise key_reused()
        return await continue_list(services, known)


def bulk_id(player: str, key: str) -> str:
    """The id of the list that a player sends under a key."""
    return sha256(f"{player}\n{key}".encode()).hexdigest()[:DIGITS]


async def resume_lists(services: Services) -> None:
    """Continue the lists that a crash has cut."""
    for bulk in club_battles.unfinished(services.store):
        await continue_list(services, bulk)


async def continue_list(services: Services, bulk: Bulk) -> tuple[str, ...]:
    """Open what a list has left, seat its players, and write to them; gives the ids of all its battles. A pairing that
    has become impossible meanwhile is passed over, and has "" for an id."""
    rows = club_battles.pairings(services.store, bulk.bulk)
    if bulk.done:
        return tuple(row.battle for row in rows)
    found = [await _opened(services, bulk, row) for row in rows]
    players = {one for row in rows for one in decode(row.content, CheckedPairing).seats.values()}
    kind, now = f"{LetterKind.SEATED}:{bulk.bulk}", services.now()
    letters = [outbox.post_if_reached("", 0, player, kind, now) for player in sorted(players)]
    try:
        await services.store.write(club_battles.finish(bulk.bulk), *letters)
    except Unmatched:  # done a moment ago
        return tuple(found)
    services.ring()
    return tuple(found)


async def _opened(services: Services, bulk: Bulk, row: PairingRow) -> str:
    """The battle of a pairing, opened and with its players in their seats; "" if that is impossible by now."""
    pairing = decode(row.content, CheckedPairing)
    try:
        live = await services.battles.get(row.battle) if row.battle else await _open(services, bulk, row, pairing)
    except (Refusal, Unmatched, Violated):
        log.exception("pairing %d of the list %s cannot be opened", row.place, bulk.bulk)
        return ""
    for seat, player in pairing.seats.items():
        account = services.account(player)
        if account is None or live.recording.battle.seats.get(seat) is not None:
            continue
        try:
            await seat_member(live, seat, player_of(account))
        except Refusal as refused:  # somebody who has gone meanwhile leaves it free
            log.warning("%s of battle %s stays free: %s", seat, live.id, refused.code)
    return live.id


async def _open(services: Services, bulk: Bulk, row: PairingRow, pairing: CheckedPairing) -> LiveBattle:
    """Raises: Refusal of the ruleset; Unmatched if the pairing has its battle"""
    club = clubs.find(services.store, bulk.club)
    ruleset, scenario = scenario_of(services, pairing.written)
    readers = READERS_OF[club.readers] if club else "players"
    now = services.now()
    return await services.battles.open(
        ruleset,
        scenario,
        readers,
        bulk.pace,
        terms=Terms(tags=tuple(bulk.tags.split())),
        also=lambda battle: (
            club_battles.opened(bulk.bulk, row.place, battle),
            club_battles.put(battle, bulk.club, now),
            holdings.opened(battle, bulk.account),
        ),
    )
