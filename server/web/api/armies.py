"""The API of armies: lists, checks, and the battle between two armies.

Nothing here is stored, so nobody needs to sign in: a battle between two armies is a scenario that can be opened.
"""

from typing import Any

from aiohttp import web

from domain.basics.errors import Refusal
from domain.catalogue import army_book, army_books, army_game
from replay.telling import words
from server.armies import army_toml, battle_between, new_army, plain, scenario_toml
from server.web.api.army_messages import (
    ArmiesMeet,
    ArmyChecked,
    ArmyListed,
    ArmyLists,
    ArmyListView,
    ArmyMade,
    CheckArmy,
    FindingView,
    NewArmy,
    PointsBattle,
)
from server.web.api.exchange import answer, body_of, language_of
from server.web.limits import spend


async def list_armies(request: web.Request) -> web.Response:
    """GET /api/v1/armies"""
    listed = [
        ArmyListed(ruleset, key, entry.name, entry.name_fr, entry.first, entry.last, entry.region)
        for ruleset, book in sorted(army_books().items())
        for key, entry in book.lists().items()
    ]
    return answer(ArmyLists(tuple(listed)))


async def show_army_list(request: web.Request) -> web.Response:
    """GET /api/v1/armies/{key}"""
    key = request.match_info["key"]
    for ruleset, book in sorted(army_books().items()):
        if key in book.lists():
            return answer(ArmyListView(ruleset, plain(book.army_list(key))))
    raise Refusal("core.no-such-page", "CORE-ACCESS", path=request.path)


async def check_army(request: web.Request) -> web.Response:
    """POST /api/v1/armies/check"""
    spend(request, "army")
    wanted = await body_of(request, CheckArmy)
    return answer(checked(wanted.army, language_of(request)))


def checked(table: dict[str, Any], lang: str = "en") -> ArmyChecked:
    """An army's cost and worth, with the findings in sentences.

    Raises: Refusal of the ruleset for what is not an army; core.no-armies
    """
    book = army_book(str(table.get("ruleset", "")))
    army = book.read(table)
    findings = [
        FindingView(one.code, one.rule, one.params, words.refusal(one.code, one.rule, one.params, lang))
        for one in book.findings(army)
    ]
    bill = book.price(army)
    return ArmyChecked(not findings, bill.points, army.size, plain(bill), tuple(findings))


async def make_army(request: web.Request) -> web.Response:
    """POST /api/v1/armies/new"""
    spend(request, "army")
    wanted = await body_of(request, NewArmy)
    ruleset, book = army_game(wanted.ruleset), army_book(wanted.ruleset)
    army = new_army(ruleset, wanted.list, wanted.size or book.usual_size, wanted.seed)
    bill = book.price(army)
    return answer(ArmyMade(plain(army), army_toml(army), bill.points, plain(bill)))


async def make_battle(request: web.Request) -> web.Response:
    """POST /api/v1/armies/battle"""
    spend(request, "army")
    wanted = await body_of(request, ArmiesMeet)
    ruleset = army_game(wanted.ruleset)
    size = wanted.size or army_book(ruleset).usual_size
    scenario = battle_between(ruleset, wanted.south, wanted.north, size, wanted.seed, wanted.options)
    return answer(PointsBattle(scenario, scenario_toml(scenario)))
