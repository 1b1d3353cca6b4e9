"""The filters of a list of battles, as a query names them."""

from datetime import date, timedelta

import msgspec
from aiohttp import web

from domain.basics.errors import Refusal
from domain.log.limits import is_player
from domain.run.terms import LONGEST_TAG, is_tag
from projections.lobby import ANY, Sought
from server.acts.clubs.reading import club_for, membership
from server.acts.open import packaged
from server.store.tables import club_battles
from server.web.auth import caller
from server.web.keys import server_of

STATUSES = ("waiting", "running", "ended")
LONGEST_WORDS = 60
"""Characters of `words`."""
FILTERS = ("game", "scenario", "player", "status", "since", "until", "words", "tag", "club")


def sought_in(request: web.Request) -> Sought:
    """What battles a query asks for; a filter that is not there, or empty, asks for any.

    `since` and `until` are days (`2026-11-24`, UTC), both included, on which a battle was opened; a `scenario` is
    packaged, and found by its title. The battles of a `club` are those that its page shows the caller.

    Raises: Refusal core.bad-query, core.unknown-ruleset, core.unknown-scenario, core.which-scenario, club.unknown
    """
    asked = {name: request.query.get(name, "") for name in FILTERS}
    require_fitting(asked)
    game, title = asked["game"], ""
    services = server_of(request).acts
    if asked["scenario"]:
        game, table = packaged(services, asked["scenario"], game)
        title = str(table.get("title", ""))
    elif game:
        services.battles.ruleset(game)
    until = day_in(asked, "until")
    sought = Sought(
        status=asked["status"],
        ruleset=game,
        words=" ".join(asked["words"].split()),
        title=title,
        player=asked["player"],
        since=asked["since"] if day_in(asked, "since") else "",
        until=str(until + timedelta(days=1)) if until else "",
        tag=asked["tag"].casefold(),
    )
    return of_club(request, asked["club"], sought) if asked["club"] else sought


def of_club(request: web.Request, id_: str, sought: Sought = ANY) -> Sought:
    """The same, among the battles of a club, as far as the caller may see them: the members all, others what its page
    shows them; where that is read by link, the query has its `key`.

    Raises: Refusal club.unknown
    """
    services, player = server_of(request).acts, caller(request)
    club = club_for(services, id_, player, request.query.get("key", ""))
    shared = "all" if membership(services, club, player) else "link" if club.readers == "link" else ""
    battles = msgspec.json.encode(club_battles.of_club(services.store, club.club)).decode()
    return sought._replace(battles=battles, shared=shared)


def require_fitting(asked: dict[str, str]) -> None:
    """Refuse a status, a player or words that no battle could have.

    Raises: Refusal core.bad-query
    """
    if asked["status"] not in ("", *STATUSES):
        raise bad_query(f"status is one of {', '.join(STATUSES)}")
    if asked["player"] and not is_player(asked["player"]):
        raise bad_query("player is the id of an account")
    if not is_tag(asked["tag"].casefold()):
        raise bad_query(f"tag is a word of small letters, digits and hyphens, at most {LONGEST_TAG}")
    if len(asked["words"]) > LONGEST_WORDS:
        raise bad_query(f"words are at most {LONGEST_WORDS} characters")


def day_in(asked: dict[str, str], name: str) -> date | None:
    """The day that a filter names; None for none.

    Raises: Refusal core.bad-query
    """
    text = asked[name]
    try:
        found = date.fromisoformat(text) if text else None
    except ValueError:
        found = date.max
    if found is not None and (str(found) != text or not 2000 <= found.year < date.max.year):
        raise bad_query(f"{name} is a day, 2000-01-01 or later")
    return found


def bad_query(reason: str) -> Refusal:
    """The refusal of a filter, with what it should be."""
    return Refusal("core.bad-query", "CORE-PARSE", reason=reason)
