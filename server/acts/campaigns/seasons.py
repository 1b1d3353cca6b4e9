"""Seasons of a club's league: open the cups of its divisions, and those of the next season (CAM-CLB-07).

Each division is opened in a transaction of its own, with everybody who fights in it; the table of seasons lets it be
opened once. So an opening that a crash has cut is continued by the same line.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.basics.data import parse_toml
from domain.basics.errors import Refusal
from domain.campaign.acts import ORGANISER as BY_ORGANISER
from domain.campaign.acts import opening
from domain.campaign.config import CampaignConfig, bad_file, resolved
from domain.campaign.events import EntrantJoined, RoleGiven
from domain.campaign.season import MOST_DIVISIONS, RULE, Berth, Division, division_of, next_season
from domain.campaign.state import CampaignState, Entrant, Officer
from domain.events.battle import Fact
from domain.run.bots import BOT
from server.acts.campaigns.armies import require_armies
from server.acts.campaigns.seeding import require_ladders, seed_of
from server.campaigns.boards import require_playable
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.recording import CampaignRecording
from server.campaigns.steward import Steward
from server.people.players import Player
from server.spelling.words import folded
from server.store import Violated
from server.store.contract import TableRows
from server.store.tables import accounts, clubs, seasons
from server.store.tables.clubs import BANNED, ORGANISER

PERSON, BOT_SEAT = "person", "bot"
LEAST = 2
"""Entrants of a division that may begin."""


class SeasonWish(Struct, frozen=True):
    """A first season to be opened: the club, the name of the league, the campaign file of each of its divisions, and
    the members of each by name, the highest division first; () for one that is entered."""

    club: str
    name: str
    file: str
    divisions: tuple[tuple[str, ...], ...] = ((), ())


class _Entering(Struct, frozen=True):
    """Who is entered in a division: a player, or a bot of a kind."""

    entrant: str
    player: str
    name: str
    kind: str = PERSON
    army: Mapping[str, Any] | None = None


# --- the first season


async def open_season(steward: Steward, player: Player, wish: SeasonWish) -> tuple[str, ...]:
    """Open the divisions of a first season, for an organiser of the club; gives their ids, the highest first. The same
    again opens what is missing, and gives what is there.

    Raises: Refusal club.not-organiser, club.not-member, campaign.already-entered, campaign.bad-file …
    """
    store = steward.store
    require_club(store, wish.club, player)
    if not 1 <= len(wish.divisions) <= MOST_DIVISIONS:
        raise bad_file("season.division")
    table = await steward.battles.workers.people.run(parse_toml, wish.file, "campaign.toml")
    configs = [_first(table, wish, at) for at in range(1, len(wish.divisions) + 1)]
    await require_playable(steward.battles, configs[0])
    require_armies(steward.battles, configs[0])
    await require_ladders(steward, player, configs[0])
    if configs[0].entry.armies is not None and any(wish.divisions):
        raise bad_file("entry.armies")  # everybody brings their own: they enter
    seated = _members(store, wish)
    for config, seats in zip(configs, seated, strict=True):
        await _open(steward, player, config, seats, None)
    steward.call()
    return tuple(row.campaign for row in seasons.of_season(store, wish.club, wish.name, 1))


def _first(table: Mapping[str, Any], wish: SeasonWish, number: int) -> CampaignConfig:
    """The file of a division of the first season.

    Raises: Refusal campaign.bad-file
    """
    given = table.get("season", {})
    if not isinstance(given, dict):
        raise bad_file("season")
    own = {"club": wish.club, "name": wish.name, "number": 1, "division": number}
    config = resolved({**table, "title": title_of(wish.name, 1, number), "season": {**given, **own}})
    count = len(wish.divisions[number - 1])
    return _closed(config, count) if count and number < len(wish.divisions) else _roomy(config, count)


def _members(store: TableRows, wish: SeasonWish) -> list[list[_Entering]]:
    """The members of each division, by their names.

    Raises: Refusal club.not-member, campaign.already-entered
    """
    inside = {folded(one.name): one for one in clubs.members(store, wish.club) if one.role != BANNED}
    found, taken = list[list[_Entering]](), set[str]()
    for names in wish.divisions:
        seats = list[_Entering]()
        for at, name in enumerate(names, 1):
            member = inside.get(folded(name))
            if member is None:
                raise Refusal("club.not-member", "CAM-CLB-01", name=name[:80])
            if member.player in taken:
                raise Refusal("campaign.already-entered", RULE, entrant=member.name)
            taken.add(member.player)
            seats.append(_Entering(f"p{at}", member.player, member.name))
        found.append(seats)
    return found


def title_of(name: str, number: int, division: int) -> str:
    """The title of a division: `Spring League 2, Division 1`."""
    return f"{name} {number}, Division {division}"


# --- the next one


async def open_next(steward: Steward, player: Player, live: LiveCampaign) -> tuple[str, ...]:
    """Open the next season of the league to which a campaign belongs, with who is still there (`season next`), for an
    organiser of the club; gives its campaigns, the highest division first.

    Raises: Refusal campaign.no-season, club.not-organiser, campaign.season-running, campaign.season-open
    """
    lives = await require_next(steward, player, live)
    states = [one.state for one in lives]
    berths = next_season(await standing_of(steward.store, states))
    for at, state in enumerate(states):
        seats = _seats(states, berths[at], at)
        config = _following(states, seats, at, is_last=at + 1 == len(states))
        await require_ladders(steward, player, config)
        await _open(steward, player, config, seats, _umpire(steward.store, state))
    steward.call()
    season = states[0].settings.season
    assert season is not None
    return tuple(row.campaign for row in seasons.of_season(steward.store, season.club, season.name, season.number + 1))


async def require_next(steward: Steward, player: Player, live: LiveCampaign) -> list[LiveCampaign]:
    """The divisions of a season that is over and has no next one yet.

    Raises: as `open_next`
    """
    row = seasons.of_campaign(steward.store, live.id)
    if row is None:
        raise Refusal("campaign.no-season", RULE)
    require_club(steward.store, row.club, player)
    lives = await divisions(steward, row.club, row.name, row.number)
    running = next((at for at, one in enumerate(lives, 1) if not one.state.is_over), 0)
    if running:
        raise Refusal("campaign.season-running", RULE, name=row.name, season=row.number, division=running)
    if len(seasons.of_season(steward.store, row.club, row.name, row.number + 1)) >= len(lives):
        raise Refusal("campaign.season-open", RULE, name=row.name, season=row.number + 1)
    return lives


async def divisions(steward: Steward, club: str, name: str, number: int) -> list[LiveCampaign]:
    """The campaigns of a season, the highest division first."""
    return [await steward.campaigns.get(row.campaign) for row in seasons.of_season(steward.store, club, name, number)]


async def standing_of(store: TableRows, states: Sequence[CampaignState]) -> list[Division]:
    """The divisions of a season as they stand; who is no member of the club any more has gone."""
    season = states[0].settings.season
    assert season is not None
    there = {one.player for one in clubs.members(store, season.club) if one.role != BANNED}

    def reckoned() -> list[Division]:
        return [division_of(state, lambda one: one.kind == BOT_SEAT or one.player in there) for state in states]

    return await asyncio.to_thread(reckoned)


def _seats(states: Sequence[CampaignState], berths: Sequence[Berth], at: int) -> list[_Entering]:
    """Who is entered in a division of the next season; each keeps the id, unless another of it has the same."""
    taken = {berth.entrant for berth in berths if berth.division == at}
    found = list[_Entering]()
    for berth in berths:
        entrant = states[berth.division].entrants[berth.entrant]
        id_ = entrant.id if berth.division == at or entrant.id not in taken else _free(taken)
        taken.add(id_)
        found.append(_Entering(id_, _player(entrant, id_), entrant.name, entrant.kind, entrant.army))
    return found


def _free(taken: Iterable[str]) -> str:
    known = {*taken}
    return next(id_ for id_ in (f"p{number}" for number in range(1, len(known) + 2)) if id_ not in known)


def _player(entrant: Entrant, id_: str) -> str:
    """The player of an entrant; the id of a bot has that of the entrant, for one kind may enter often."""
    if entrant.kind != BOT_SEAT:
        return entrant.player
    return f"{BOT}{entrant.player.removeprefix(BOT).partition('.')[0]}.{id_}"


def _following(states: Sequence[CampaignState], seats: Sequence[_Entering], at: int, is_last: bool) -> CampaignConfig:
    """The configuration of a division of the next season: that of this one, without what was of its day and its
    entrants."""
    old = states[at].settings
    season, cup = old.season, old.cup
    assert season is not None
    assert cup is not None
    cup = replace(cup, apart=_apart(states, seats), order=(), seed="lots" if cup.seed == "given" else cup.seed)
    number = season.number + 1
    config = replace(
        old,
        title=title_of(season.name, number, season.division),
        season=replace(season, number=number),
        cup=cup,
        entry=replace(old.entry, closes=""),
    )
    config = _roomy(config, len(seats)) if is_last else _closed(config, len(seats))
    return resolved(config.plain())


def _closed(config: CampaignConfig, count: int) -> CampaignConfig:
    """With as many places as there are entrants: newcomers enter the last division."""
    entry = config.entry
    least = max(LEAST, min(entry.least, count))
    return replace(config, entry=replace(entry, least=least, most=max(least, count)))


def _roomy(config: CampaignConfig, count: int) -> CampaignConfig:
    """With places for all who stay, and those that the file has."""
    entry = config.entry
    return replace(config, entry=replace(entry, most=max(entry.most, count)))


def _apart(states: Sequence[CampaignState], seats: Sequence[_Entering]) -> tuple[tuple[str, ...], ...]:
    """The pairs to be kept apart, as far as both are in the division."""
    ids = {seat.player: seat.entrant for seat in seats}
    pairs = [(state.entrants, pair) for state in states for pair in state.cup.apart]
    named = (tuple(ids.get(known[one].player, "") if one in known else "" for one in pair) for known, pair in pairs)
    return tuple(dict.fromkeys(pair for pair in named if all(pair)))


def _umpire(store: TableRows, state: CampaignState) -> Officer | None:
    """Who has ruled, if they are still there and are not who organised."""
    umpire = state.umpire
    if umpire is None or umpire.player == state.organiser.player or accounts.by_player(store, umpire.player) is None:
        return None
    return umpire


# --- opening


def require_club(store: TableRows, club: str, player: Player) -> None:
    """Raises: Refusal club.not-organiser"""
    member = clubs.member(store, club, player.id)
    if member is None or member.role != ORGANISER:
        raise Refusal("club.not-organiser", "CAM-CLB-01", club=club[:40])


async def _open(
    steward: Steward, player: Player, config: CampaignConfig, seats: Sequence[_Entering], umpire: Officer | None
) -> None:
    """Open a division with those who fight in it; one that is there stays as it is."""
    season = config.season
    assert season is not None
    known = seasons.of_season(steward.store, season.club, season.name, season.number)
    if any(row.division == season.division for row in known):
        return
    joined = [await _joined(steward, config, seat) for seat in seats]

    def make(recording: CampaignRecording) -> Sequence[Fact]:
        fact = opening(config, Officer(player.id, player.name))
        first = replace(fact, event=replace(fact.event, **recording.bound()))
        role = RoleGiven("umpire", umpire.player, umpire.name) if umpire is not None else None
        given = [Fact(BY_ORGANISER, role.RULE, role)] if role is not None else []
        return [first, *given, *(Fact(BY_ORGANISER, one.RULE, one) for one in joined)]

    try:
        await steward.campaigns.open(make)
    except Violated:  # opened a moment ago
        if not seasons.of_season(steward.store, season.club, season.name, season.number):
            raise


async def _joined(steward: Steward, config: CampaignConfig, seat: _Entering) -> EntrantJoined:
    is_bot = seat.kind == BOT_SEAT
    rating: int | UnsetType = UNSET if is_bot else await seed_of(steward, config, seat.player)
    army: dict[str, Any] | UnsetType = UNSET if seat.army is None else dict(seat.army)
    mode = UNSET if is_bot else "plain"
    return EntrantJoined(seat.entrant, seat.player, seat.name, seat.kind, mode, rating=rating, army=army)
