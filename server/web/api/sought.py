"""The filters of a list of battles, as a query names them."""

from datetime import date, timedelta

from aiohttp import web

from domain.basics.errors import Refusal
from domain.log.limits import is_player
from domain.run.terms import LONGEST_TAG, is_tag
from projections.lobby import Sought
from server.acts.open import packaged
from server.web.keys import server_of

STATUSES = ("waiting", "running", "ended")
LONGEST_WORDS = 60
"""Characters of `words`."""
FILTERS = ("game", "scenario", "player", "status", "since", "until", "words", "tag")


def sought_in(request: web.Request) -> Sought:
    """What battles a query asks for; a filter that is not there, or empty, asks for any.

    `since` and `until` are days (`2026-11-24`, UTC), both included, on which a battle was opened; a `scenario` is
    packaged, and found by its title.

    Raises: Refusal core.bad-query, core.unknown-ruleset, core.unknown-scenario, core.which-scenario
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
    return Sought(
        status=asked["status"],
        ruleset=game,
        words=" ".join(asked["words"].split()),
        title=title,
        player=asked["player"],
        since=asked["since"] if day_in(asked, "since") else "",
        until=str(until + timedelta(days=1)) if until else "",
        tag=asked["tag"].casefold(),
    )


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
