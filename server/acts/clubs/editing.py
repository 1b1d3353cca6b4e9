"""Amend a bulletin, hold it, send it: what its organiser does with it in the day before it goes, and what time does."""

from collections.abc import Callable
from datetime import date, timedelta

import msgspec

from domain.basics.errors import Refusal
from domain.campaign.rated import PERSON
from projections.lobby import Sought
from server.acts.clubs.chores import CLUB
from server.acts.plain_text import readable
from server.acts.services import Services
from server.campaigns.letters import due_of
from server.campaigns.steward import Steward
from server.people.players import Player
from server.play.lobby import Lobby
from server.play.rounds import Rounds
from server.store import Unmatched
from server.store.tables import bulletins, club_battles, clubs, outbox
from server.store.tables.bulletins import DRAFT, HELD, SENT, Bulletin
from server.store.tables.clubs import BANNED
from server.store.tables.outbox import LetterKind

RULE = "CAM-CLB-06"
LONGEST = 4000
"""Characters of an organiser's own words."""
KEEP, HOLD, RELEASE, SEND = "keep", "hold", "release", "send"
DOES = (KEEP, HOLD, RELEASE, SEND)
POLL_S = 60.0


async def amend(services: Services, row: Bulletin, do: str, words: str, steward: Steward) -> Bulletin:
    """Keep an organiser's words of a bulletin that has not gone, and hold it, let it go in a day, or send it.

    Raises: Refusal club.no-such-act, club.bulletin-sent, club.words-too-long
    """
    if do not in DOES:
        raise Refusal("club.no-such-act", RULE)
    plain = readable(words)
    if len(plain) > LONGEST:
        raise Refusal("club.words-too-long", RULE, most=LONGEST, length=len(plain))
    states = {KEEP: row.state, HOLD: HELD, RELEASE: DRAFT, SEND: DRAFT}
    due = due_of(services.now()) if do == RELEASE else row.due
    kept = row._replace(words=plain, state=states[do], due=due)
    try:
        if row.state == SENT:
            raise Unmatched
        await services.store.write(bulletins.change(kept, row.state))
    except Unmatched:
        raise Refusal("club.bulletin-sent", RULE) from None
    return await send(services, steward, kept) if do == SEND else kept


async def send(services: Services, steward: Steward, row: Bulletin) -> Bulletin:
    """Send a bulletin: whoever reads the club or campaign may read it from now on, and members get a letter."""
    now = services.now()
    gone = row._replace(state=SENT, due=now)
    kind = f"{LetterKind.BULLETIN}:{row.bulletin}"
    letters = [outbox.post_if_reached("", 0, one, kind, now) for one in await readers_of(services, steward, row)]
    try:
        await services.store.write(bulletins.change(gone, row.state), *letters)
    except Unmatched:  # sent a moment ago
        return gone
    services.ring()
    return gone


async def readers_of(services: Services, steward: Steward, row: Bulletin) -> list[str]:
    """To whom a bulletin goes: the members of a club, whoever competes in a campaign, waits or has an office."""
    if row.owner_kind == CLUB:
        return [one.player for one in clubs.members(services.store, row.owner) if one.role != BANNED]
    state = (await steward.campaigns.get(row.owner)).state
    people = {one.player for one in state.entrants.values() if one.kind == PERSON and not one.left}
    people |= {one.player for one in state.reserves} | {state.organiser.player}
    return sorted(people | ({state.umpire.player} if state.umpire else set()))


async def edits_campaign(steward: Steward, player: Player | None, campaign: str) -> bool:
    """Whether somebody amends the bulletins of a campaign: its organiser, and its umpire.

    Raises: Refusal campaign.unknown-campaign
    """
    state = (await steward.campaigns.get(campaign)).state
    return player is not None and (player.id == state.organiser.player or state.umpires(player.id))


class Bulletins:
    """Makes the weekly bulletins of clubs on Mondays, UTC, and sends what is due; those of rounds are made with the log
    of their campaign."""

    def __init__(self, services: Services, steward: Steward, lobby: Callable[[], Lobby]) -> None:
        self.services, self.steward = services, steward
        self._lobby = lobby
        self._week = ""  # the last one that was looked at
        self.rounds = Rounds(lambda: self.tick(self.services.now()), POLL_S, "bulletins were left")

    async def tick(self, now: str) -> int:
        """Do what is due at a moment; returns how many bulletins were made or sent."""
        done = await self._weekly(now)
        for row in bulletins.due_by(self.services.store, now):
            await send(self.services, self.steward, row)
            done += 1
        return done

    async def _weekly(self, now: str) -> int:
        """A bulletin for each club in which a battle has ended in the week before."""
        day = date.fromisoformat(now[:10])
        monday = day - timedelta(days=day.weekday())
        if str(monday) == self._week:
            return 0
        since, until = f"{monday - timedelta(days=7)}T00:00:00.000Z", f"{monday}T00:00:00.000Z"
        place, made = (monday - date.min).days // 7, 0
        for club in club_battles.clubs_with_battles(self.services.store):
            known = bulletins.find(self.services.store, CLUB, club, place)
            if known is None and await self._has_news(club, since, until):
                id_ = bulletins.id_of(CLUB, club, place)
                row = Bulletin(id_, CLUB, club, place, since, until, due_of(now))
                await self.services.store.write(bulletins.add(row))
                made += 1
        self._week = str(monday)
        return made

    async def _has_news(self, club: str, since: str, until: str) -> bool:
        wanted = msgspec.json.encode(club_battles.of_club(self.services.store, club)).decode()
        found = await self._lobby().battles("", "", 500, None, Sought("ended", battles=wanted, shared="all"))
        return any(since <= one.at < until for one in found)
