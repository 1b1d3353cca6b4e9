"""A list of battles between members of a club, checked whole before any of it is opened (CAM-CLB-02)."""

from collections import Counter
from typing import Any

import msgspec
from msgspec import Struct

from domain.basics.errors import Refusal
from domain.basics.pace import canonical_pace
from domain.catalogue import army_book, army_game
from domain.run.inputs import facts_of_opening
from domain.run.terms import require_tags
from server.acts.clubs.reading import not_member
from server.acts.open import packaged
from server.acts.services import Services
from server.armies import battle_between
from server.play.disputing import sorted_tags
from server.store.tables import absences, accounts, blocks, club_battles, clubs
from server.store.tables.clubs import BANNED, Club, Member

RULE, TAGS_RULE = "CAM-CLB-02", "CAM-CLB-03"
MOST_PAIRINGS, MOST_TAGS = 500, 3
READERS_OF = {"public": "public", "link": "link", "members": "players"}
"""The readers of a battle of a club, by the readers of its page; the members of the club read it whatever this says."""
Options = dict[str, bool | int | str | dict[str, int]]


class ArmiesOfPairing(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Two armies of points: each the key of a list, from which one is made by `size` and `seed`, or an army."""

    south: str | dict[str, Any]
    north: str | dict[str, Any]
    ruleset: str = ""
    size: int = 0
    seed: int = 1


class Pairing(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A battle to be opened: who sits where, by the names or ids of members; a packaged scenario, or two armies; and
    options of the scenario."""

    seats: dict[str, str]
    scenario: str = ""
    armies: ArmiesOfPairing | None = None
    options: Options = {}


class PairingList(Struct, frozen=True):
    """Battles of a club to be opened at once, all with the same tags, separated by spaces, and the same pace."""

    club: str
    pairings: tuple[Pairing, ...]
    tag: str = ""
    pace: str = ""


class CheckedPairing(Struct, frozen=True):
    """A pairing that can be opened: the ids of the players by seat, the code of the game, and the pairing as written.
    The scenario is made of it again when it is opened."""

    seats: dict[str, str]
    ruleset: str
    written: Pairing


async def checked(services: Services, club: Club, wanted: PairingList) -> list[CheckedPairing]:
    """The pairings of a list, if all of it can be opened now. A refusal names the first pairing that cannot, from 1.

    Raises: Refusal club.no-pairings, club.too-many-pairings, core.bad-tags, core.bad-pace; of a pairing
            core.bad-request, core.no-such-side, club.not-member, club.same-member, club.not-accepting,
            club.running-limit; of the ruleset for a bad scenario
    """
    if not wanted.pairings:
        raise Refusal("club.no-pairings", RULE)
    if len(wanted.pairings) > MOST_PAIRINGS:
        raise Refusal("club.too-many-pairings", RULE, most=MOST_PAIRINGS, given=len(wanted.pairings))
    tags_of(wanted.tag)
    canonical_pace(wanted.pace)
    check = _Check(services, club)
    found = []
    for place, pairing in enumerate(wanted.pairings, 1):
        try:
            found.append(await check.pairing(pairing))
        except Refusal as refused:
            raise Refusal(refused.code, refused.rule, **{**refused.params, "pairing": place}) from None
    return found


def tags_of(text: str) -> tuple[str, ...]:
    """The tags of a battle of a club, at most three.

    Raises: Refusal core.bad-tags
    """
    tags = sorted_tags(text.replace(",", " ").split())
    if len(tags) > MOST_TAGS:
        raise Refusal("core.bad-tags", TAGS_RULE, most=MOST_TAGS, longest=24)
    require_tags(tags)
    return tags


def scenario_of(services: Services, pairing: Pairing) -> tuple[str, dict[str, Any]]:
    """The code of the game of a pairing, and its scenario with the options merged in.

    Raises: Refusal core.bad-request, core.unknown-scenario, core.which-scenario; of the ruleset for an army
    """
    if bool(pairing.scenario) == (pairing.armies is not None):
        raise Refusal("core.bad-request", RULE, reason="name a `scenario`, or two `armies`")
    if pairing.armies is not None:
        armies = pairing.armies
        ruleset = army_game(armies.ruleset)
        size = armies.size or army_book(ruleset).usual_size
        return ruleset, battle_between(ruleset, armies.south, armies.north, size, armies.seed, pairing.options)
    ruleset, table = packaged(services, pairing.scenario)
    if pairing.options:
        options = table.get("options")
        table["options"] = {**(options if isinstance(options, dict) else {}), **pairing.options}
    return ruleset, table


class _Check:
    """Checks the pairings of one list, each after those before it."""

    def __init__(self, services: Services, club: Club) -> None:
        self.services, self.club = services, club
        listed = [one for one in clubs.members(services.store, club.club) if one.role != BANNED]
        self.members = {accounts.name_key(one.name): one for one in listed} | {one.player: one for one in listed}
        self.running = Counter(club_battles.running(services.store, club.club))
        self.games: dict[bytes, str] = {}

    async def pairing(self, pairing: Pairing) -> CheckedPairing:
        """Raises: Refusal, as `checked`"""
        members = {seat: self._member(name) for seat, name in pairing.seats.items()}
        ruleset = await self._game(pairing)
        names = self.services.battles.ruleset(ruleset).seats.names
        for seat in pairing.seats:
            if seat not in names:
                raise Refusal("core.no-such-side", RULE, side=seat[:40])
        if len(members) != len(names):
            raise Refusal("core.bad-request", RULE, reason=f"`seats` names each of {', '.join(names)}")
        self._require_accepting(tuple(members.values()))
        return CheckedPairing({seat: members[seat].player for seat in names}, ruleset, pairing)

    def _member(self, name: str) -> Member:
        found = self.members.get(name) or self.members.get(accounts.name_key(name))
        if found is None:
            raise not_member(name[:40])
        return found

    async def _game(self, pairing: Pairing) -> str:
        """The game of a pairing whose scenario can be opened; the same scenario is looked through once."""
        key = msgspec.json.encode((pairing.scenario, pairing.armies, pairing.options))
        if key not in self.games:
            workers = self.services.battles.workers.people
            ruleset, scenario = scenario_of(self.services, pairing)
            await workers.run(facts_of_opening, self.services.battles.ruleset(ruleset), scenario)
            self.games[key] = ruleset
        return self.games[key]

    def _require_accepting(self, members: tuple[Member, ...]) -> None:
        """Refuse to seat somebody who wants no battle now, or no more, and count the battle for each."""
        store, now = self.services.store, self.services.now()
        if len({one.player for one in members}) != len(members):
            raise Refusal("club.same-member", RULE, name=members[0].name)
        for one in members:
            others = [other.player for other in members if other is not one]
            is_away = any(away.begins <= now < away.ends for away in absences.open_of(store, one.player))
            if one.not_before > now[:10] or is_away or blocks.is_blocked(store, one.player, others):
                raise Refusal("club.not-accepting", RULE, name=one.name)
            if self.running[one.player] >= self.club.running:
                raise Refusal("club.running-limit", RULE, name=one.name, most=self.club.running)
            self.running[one.player] += 1
