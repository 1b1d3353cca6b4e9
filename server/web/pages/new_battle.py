"""The page on which a battle is opened: a packaged scenario, or two armies of points."""

from collections.abc import Collection
from functools import cache
from typing import Any

from aiohttp import web
from msgspec import Struct
from msgspec.structs import replace

from domain.basics.data import first_scenario, parse_toml, read_toml, scenario_names
from domain.basics.errors import Refusal
from domain.basics.seats import SOUTH_AND_NORTH
from domain.catalogue import RULESETS, army_book, army_books
from domain.contract.armies import BattleChoice
from domain.contract.heraldry import Shield
from domain.contract.ruleset import Ruleset
from domain.engine.dockets import DISPUTES_DAYS, TAKEBACKS
from domain.run.bots import BOTS, USUAL, offered
from domain.run.inputs import Phrase
from domain.run.terms import require_tags
from replay.telling.words.catalogue import find
from replay.telling.words.names import name_in
from replay.telling.words.sentences import fragment
from replay.telling.years import years
from server.acts import open as acts
from server.acts.open import USUAL_READERS, Wish, packaged, require_usable
from server.armies import battle_between
from server.entropy import new_secret
from server.play.disputing import sorted_tags, terms_of
from server.play.request import PAGE_CHANNEL
from server.running import Server
from server.shown.scenarios import shields_of_scenario
from server.web import auth
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages import clocks
from server.web.pages.forms import PostedForm, chosen_mode, form_key, form_of, seed_of, text
from server.web.pages.language import page_language
from server.web.pages.rendering import page, see
from server.web.pages.visitors import visitor, with_session
from server.words import say

PERSON = "person"
"""The opponent of who waits for somebody."""
MOST_NUMBER = 10**12


class ScenarioShown(Struct, frozen=True):
    """A packaged scenario: `id` is ruleset and name, `facts` its size in a line, `shields` those of its sides."""

    id: str
    title: str
    history: str
    facts: str
    shields: tuple[Shield, ...]


class GameChoice(Struct, frozen=True):
    """A game with its packaged scenarios, the one for a first battle before the others."""

    title: str
    scenarios: tuple[ScenarioShown, ...]


class BotShown(Struct, frozen=True):
    """A bot to play against: `games` are the codes of those that have it, `titles` their names, "" if all have it."""

    name: str
    games: tuple[str, ...]
    titles: str


class SeatChoice(Struct, frozen=True):
    """A seat to take: its name and its words; `games` as of a bot."""

    name: str
    words: str
    games: tuple[str, ...]


class ArmyShown(Struct, frozen=True):
    """An army list to choose: its key, its name and its years."""

    key: str
    title: str


class ArmiesShown(Struct, frozen=True):
    """The armies of points of one game, how large they usually are, what is asked for their battle, its bots
    and its seats."""

    ruleset: str
    game: str
    about: str
    size: int
    choices: tuple[BattleChoice, ...]
    lists: tuple[ArmyShown, ...]
    bots: tuple[BotShown, ...]
    seats: tuple[SeatChoice, ...]


async def show_new(request: web.Request) -> web.Response:
    """GET /new?scenario=&south=&north="""
    return _new(request)


async def post_new(request: web.Request) -> web.Response:
    """POST /new: the same page for a player who brings an army, as text (`own`)."""
    auth.require_own_page(request)
    return _new(request, text(await form_of(request), "own").replace("\r\n", "\n"))


def _new(request: web.Request, own: str = "") -> web.Response:
    server, lang = server_of(request), page_language(request)
    games = games_shown(server, lang)
    listed = [scenario.id for game in games for scenario in game.scenarios]
    wanted = request.query.get("scenario", "")
    armies = armies_shown(server, lang)
    having = [ruleset for code, ruleset in server.battles.rulesets.items() if scenario_names(code)]
    return page(
        request,
        "new.html",
        games=games,
        bots=bots_shown(having),
        sides=seats_shown(having, lang),
        armies=armies,
        paces=clocks.paces(lang),
        chosen=wanted if wanted in listed else next(iter(listed), ""),
        wanted={seat.name: request.query.get(seat.name, "") for game in armies for seat in game.seats},
        own=own,
        key=new_secret(server.entropy),
    )


async def open_battle(request: web.Request) -> web.Response:
    """POST /battles: open one, take a side, and let the bot take the other if requested.

    With `later` the page of the battle takes the side: the book of seals that it makes needs the battle's id.
    """
    auth.require_own_page(request)
    form = await form_of(request)
    server = server_of(request)
    code, _, name = (text(form, "armies") or text(form, "scenario")).partition("/")
    if not code:
        raise Refusal("core.which-game", "CORE-OPEN", known=list(server.battles.rulesets))
    side = text(form, "side") or server.battles.ruleset(code).seats.names[0]
    opponent = text(form, "opponent") or USUAL
    if text(form, "armies"):
        scenario = await _armies_meet(server, form, side)
    else:
        code, scenario = packaged(server.acts, name, code)
    bot = "" if opponent == PERSON else opponent
    readers, pace = text(form, "readers") or USUAL_READERS, text(form, "pace")
    return await begin_battle(request, form, Wish(code, scenario, readers, pace, side=side, bot=bot))


async def begin_battle(request: web.Request, form: PostedForm, wish: Wish) -> web.Response:
    """Open a battle and take its sides, as the form says how chance is drawn; answers with the way to its page.

    Raises: Refusal core.bad-name, core.name-taken, core.too-many, core.bad-mode; core.bad-tags; as `open_battle`
    """
    server = server_of(request)
    tags = sorted_tags(text(form, "tags").replace(",", " ").split())
    require_tags(tags)  # before there is an account for them
    require_usable(server.acts, wish)
    player, session = await visitor(request, text(form, "name"))
    for kind in ("battle", "seat", *(["bot"] if wish.bot else [])):
        spend(request, kind, player)
    umpire, is_later = " ".join(text(form, "umpire").split()), bool(text(form, "later"))
    wish = replace(
        wish,
        terms=terms_of(
            server.store, umpire, TAKEBACKS[0], DISPUTES_DAYS, tags, unsigned=bool(text(form, "unsigned_umpire"))
        ),
        mode="sealed" if is_later else chosen_mode(form),
        phrase=Phrase(text(form, "phrase"), PAGE_CHANNEL),
    )
    live = (await acts.open_battle(server.acts, player, wish, form_key(form, server.entropy))).live
    return with_session(request, see(f"/battles/{live.id}{f'?take={wish.side}' if is_later else ''}"), session)


async def _armies_meet(server: Server, form: PostedForm, side: str) -> dict[str, Any]:
    """The scenario between two armies of points, made from their lists; that of a side is its player's `own`, if they
    bring one.

    Raises: Refusal of the ruleset; core.bad-request for what is not a number; core.bad-toml
    """
    code = text(form, "armies")
    book = army_book(code)
    size, seed = (
        number_in(form, "size", book.usual_size),
        number_in(form, "seed", seed_of(form, server.entropy)),
    )
    options = {choice.option: _chosen(form, choice) for choice in book.choices}
    given: dict[str, Any] = {one: text(form, one) for one in server.battles.ruleset(code).seats.names}
    if own := text(form, "own").replace("\r\n", "\n").strip():
        given[side] = await server.battles.workers.people.run(parse_toml, own, "army")
    first, second = given.values()  # a battle of points has two armies
    return battle_between(code, first, second, size, seed, options)


def _chosen(form: PostedForm, choice: BattleChoice) -> bool | int:
    """What a form says of an option; a box that is not ticked is not sent at all."""
    if isinstance(choice.usual, bool):
        return bool(text(form, choice.option))
    return number_in(form, choice.option, choice.usual, choice.most)


def number_in(form: PostedForm, name: str, usual: int, most: int = MOST_NUMBER) -> int:
    """A number in a form, or the usual one if the field is empty.

    Raises: Refusal core.bad-request
    """
    written = text(form, name).strip()
    if not written:
        return usual
    if not (written.isascii() and written.isdigit() and len(written) <= len(str(most)) and int(written) <= most):
        raise Refusal("core.bad-request", "CORE-OPEN", reason=f"{name} is a number from 0 to {most}")
    return int(written)


# --- in words


def games_shown(server: Server, lang: str) -> list[GameChoice]:
    """The games that have packaged scenarios."""
    return [
        GameChoice(ruleset.title, tuple(scenario_shown(code, name, lang) for name in _first_before_others(code)))
        for code, ruleset in server.battles.rulesets.items()
        if scenario_names(code)
    ]


def bots_shown(rulesets: Collection[Ruleset]) -> tuple[BotShown, ...]:
    """The bots that at least one of those games has."""
    having = {bot: [ruleset for ruleset in rulesets if bot in offered(ruleset)] for bot in BOTS}
    return tuple(
        BotShown(
            bot,
            tuple(ruleset.code for ruleset in found),
            "" if len(found) == len(rulesets) else ", ".join(ruleset.title for ruleset in found),
        )
        for bot, found in having.items()
        if found
    )


def seats_shown(rulesets: Collection[Ruleset], lang: str) -> tuple[SeatChoice, ...]:
    """The seats that at least one of those games has, in the order of play."""
    having: dict[str, list[str]] = {}
    for ruleset in rulesets:
        for name in ruleset.seats.names:
            having.setdefault(name, []).append(ruleset.code)
    return tuple(
        SeatChoice(name, seat_in_words(name, lang), () if len(found) == len(rulesets) else tuple(found))
        for name, found in having.items()
    )


def seat_in_words(name: str, lang: str) -> str:
    """A seat as a form names it; one that no catalogue knows by its name."""
    return say(lang, f"desk.side.{name}") if name in SOUTH_AND_NORTH else find(f"side.{name}", lang) or name


def _first_before_others(code: str) -> list[str]:
    first = first_scenario(code)
    return sorted(scenario_names(code), key=lambda name: name != first)


@cache
def scenario_shown(code: str, name: str, lang: str) -> ScenarioShown:
    """A packaged scenario in words."""
    table = read_toml(code, "scenarios", f"{name}.toml")
    title = str(table.get("title", name))
    history = table.get(f"history_{lang}") or table.get("history", "")
    facts, shields = _facts(code, table, lang), shields_of_scenario(code, name)
    return ScenarioShown(f"{code}/{name}", name_in(title, lang), str(history).strip(), facts, shields)


def _facts(code: str, table: dict[str, Any], lang: str) -> str:
    """How large a scenario is, who moves first: in a line."""
    size, first = RULESETS[code].shown.size(table), str(table.get("first", ""))
    wide = {"columns": size.columns, "rows": size.rows} if size.columns else {}
    told: dict[str, dict[str, Any]] = {
        "points": {"points": sum(size.points)} if size.points else {},
        "table-cm" if size.is_cm else "table": wide,
        "turns": {"turns": size.turns} if size.turns else {},
        "first": {"side": first} if first in RULESETS[code].seats else {},
    }
    return ", ".join(fragment(f"pages.scenario.{what}", params, lang) for what, params in told.items() if params)


def army_name(entry: Any, lang: str) -> str:
    """The name of an army list in a language."""
    return str(getattr(entry, f"name_{lang}", "") or entry.name)


def armies_shown(server: Server, lang: str) -> list[ArmiesShown]:
    """The army lists of all games that have some, in the order of their books."""
    return [
        ArmiesShown(
            code,
            server.battles.rulesets[code].title,
            book.about,
            book.usual_size,
            book.choices,
            tuple(
                ArmyShown(key, f"{army_name(entry, lang)}, {years(entry, lang)}") for key, entry in book.lists().items()
            ),
            bots_shown([server.battles.rulesets[code]]),
            seats_shown([server.battles.rulesets[code]], lang),
        )
        for code, book in sorted(army_books().items())
        if code in server.battles.rulesets
    ]
