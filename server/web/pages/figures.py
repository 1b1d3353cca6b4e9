"""The page over all public battles of a host: scenarios, armies and luck, game by game."""

from fractions import Fraction

from aiohttp import web
from msgspec import Struct

from domain.contract.ruleset import Ruleset
from projections.luck import SCALE
from projections.overview import ArmyFigures, GameFigures, ScenarioFigures
from replay.telling.luck import amount
from replay.telling.words.names import name_in
from replay.telling.words.sentences import fragment
from server.web.keys import server_of
from server.web.pages.language import page_language
from server.web.pages.rendering import page
from server.words import say


class FiguresTable(Struct, frozen=True):
    """A table in words: what stands above its columns; its rows, each with its name first; a sentence below it."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str


class GameTables(Struct, frozen=True):
    """The figures of a game in words: how many battles, its tables, a sentence on luck ("" where none was weighed)."""

    title: str
    battles: str
    tables: tuple[FiguresTable, ...]
    luck: str


async def show_figures(request: web.Request) -> web.Response:
    """GET /figures: the same for everybody.

    Raises: Refusal core.busy if the read models are not made yet
    """
    server, lang = server_of(request), page_language(request)
    found = await server.lobby.figures()
    rulesets = server.battles.rulesets
    games = [_game(rulesets[one.ruleset], one, lang) for one in found if one.ruleset in rulesets]
    return page(request, "figures.html", games=games)


def _game(ruleset: Ruleset, of: GameFigures, lang: str) -> GameTables:
    tally = fragment(ruleset.shown.tallied, {}, lang)
    tables = [_scenarios(of.scenarios, ruleset.seats.names, lang)]
    if of.armies:
        tables.append(_armies(of.armies, tally, lang))
    luck = ""
    if of.luck:
        brought = _amount(of.luck.of_winner, lang)
        told = {"count": of.luck.luckier_won, "of": of.luck.battles, "luck": brought, "tally": tally}
        luck = say(lang, "pages.figures.luck", **told)
    return GameTables(ruleset.title, say(lang, "pages.figures.battles", count=of.battles), tuple(tables), luck)


def _scenarios(scenarios: tuple[ScenarioFigures, ...], seats: tuple[str, ...], lang: str) -> FiguresTable:
    sides = tuple(say(lang, "pages.figures.side-won", side=side) for side in seats)
    heads = (*_heads(("scenario", "fought"), lang), *sides, *_heads(("drawn", "player-turns"), lang))
    rows = tuple(
        (
            name_in(one.title, lang),
            str(one.battles),
            *(str(one.won.get(side, 0)) for side in seats),
            str(one.drawn),
            str(one.player_turns),
        )
        for one in scenarios
    )
    return FiguresTable(say(lang, "pages.figures.scenarios"), heads, rows, say(lang, "pages.figures.turns-are"))


def _armies(armies: tuple[ArmyFigures, ...], tally: str, lang: str) -> FiguresTable:
    heads = _heads(("army", "fought", "won", "lost", "drawn", "luck-head"), lang)
    rows = tuple(
        (
            name_in(one.army, lang),
            *(str(count) for count in (one.battles, one.won, one.lost, one.drawn)),
            "–" if one.luck is None else _amount(one.luck, lang),
        )
        for one in armies
    )
    return FiguresTable(say(lang, "pages.figures.armies"), heads, rows, say(lang, "pages.figures.luck-is", tally=tally))


def _heads(names: tuple[str, ...], lang: str) -> tuple[str, ...]:
    return tuple(say(lang, f"pages.figures.{name}") for name in names)


def _amount(thousandths: int, lang: str) -> str:
    return amount(Fraction(thousandths, SCALE), fragment("luck.mark", {}, lang))
