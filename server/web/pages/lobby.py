"""The entrance page: battles listed, and new ones opened."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from aiohttp import web
from msgspec import Struct

from domain.catalogue import army_book, army_books
from domain.data import first_scenario, parse_toml, read_toml, scenario_names, scenario_text
from domain.engine.armies import BattleChoice
from domain.engine.bots import BOTS, USUAL
from domain.engine.errors import Refusal
from domain.engine.inputs import Phrase
from domain.engine.state import OTHER, SIDES
from domain.time.pace import canonical_pace
from projections.database import NotReady
from projections.lobby import LobbyEntry
from replay.telling.years import years
from server.armies import battle_between
from server.play.live_battles import READERS
from server.play.request import PAGE_CHANNEL
from server.play.seating import require_mode, seat_bot, take_side
from server.running import Server
from server.web import auth
from server.web.api.exchange import language_of
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages import clocks
from server.web.pages.forms import PostedForm, form_of, mode_said, text
from server.web.pages.rendering import moment, page, see
from server.web.pages.visitors import visitor, with_session

LISTED = 50
ATTEMPTS, PAUSE_S = 40, 0.05
PERSON = "person"
"""The opponent of who waits for somebody."""
SEED_BYTES, MOST_NUMBER = 4, 10**12


class LobbyRow(Struct, frozen=True):
    """A battle in a list: its players and its status, in words."""

    id: str
    title: str
    players: str
    words: str
    at: str
    urgent: bool


class ScenarioShown(Struct, frozen=True):
    """A packaged scenario: `id` is ruleset and name."""

    id: str
    title: str
    history: str
    first: str


class GameShown(Struct, frozen=True):
    """A game with its packaged scenarios, the one for a first battle before the others."""

    title: str
    scenarios: tuple[ScenarioShown, ...]


class ArmyShown(Struct, frozen=True):
    """An army list to choose: its key, its name and its years."""

    key: str
    title: str


class ArmiesShown(Struct, frozen=True):
    """The armies of points of one game, how large they usually are, and what is asked for their battle."""

    ruleset: str
    game: str
    about: str
    size: int
    choices: tuple[BattleChoice, ...]
    lists: tuple[ArmyShown, ...]


async def show_lobby(request: web.Request) -> web.Response:
    """GET /"""
    server, player = server_of(request), auth.caller(request)
    mine: Sequence[LobbyEntry] = ()
    waiting: Sequence[LobbyEntry] = ()
    if player is not None:
        waiting = await _listed(server, "waiting", player.id)
        mine = await _listed(server, "mine", player.id)
    public = await _listed(server)
    own = player.id if player else ""
    urgent = {entry.battle for entry in waiting}
    return page(
        request,
        "lobby.html",
        games=_games(server),
        armies=_armies(server),
        paces=clocks.paces(language_of(request)),
        vacations=clocks.vacations(request, own, language_of(request)) if own else [],
        mine=_rows((*waiting, *(entry for entry in mine if entry.battle not in urgent)), own, urgent),
        free=_rows((entry for entry in public if entry.status == "waiting"), own),
        running=_rows((entry for entry in public if entry.status == "running"), own),
        ended=_rows((entry for entry in public if entry.status == "ended"), own),
    )


async def open_battle(request: web.Request) -> web.Response:
    """POST /battles: open one, take a side, and let the bot take the other if requested.

    With `later` the page of the battle takes the side: the book of seals that it makes needs the battle's id.
    """
    auth.require_own_page(request)
    form = await form_of(request)
    server = server_of(request)
    code, _, name = (text(form, "armies") or text(form, "scenario")).partition("/")
    side, readers = text(form, "side") or SIDES[0], text(form, "readers") or "link"
    opponent = text(form, "opponent") or USUAL
    if side not in SIDES:
        raise Refusal("core.no-such-side", "CORE-SIDE", side=side)
    if opponent not in (PERSON, *BOTS):
        raise Refusal("core.unknown-bot", "CORE-SIDE", bot=opponent, known=list(BOTS))
    if readers not in READERS:
        raise Refusal("core.bad-request", "CORE-OPEN", reason=f"readers are one of {', '.join(READERS)}")
    if not code:
        raise Refusal("core.which-game", "CORE-OPEN", known=list(server.battles.rulesets))
    server.battles.ruleset(code)
    pace = canonical_pace(text(form, "pace"))
    scenario = _armies_meet(server, form) if text(form, "armies") else parse_toml(scenario_text(code, name), name)
    player, session = await visitor(request, text(form, "name"))
    for kind in ("battle", "seat", *(["bot"] if opponent != PERSON else [])):
        spend(request, kind, player)
    mode, is_later = mode_said(form), bool(text(form, "later"))
    require_mode(player, "sealed" if is_later else mode, server.settings.operators)
    live = await server.battles.open(code, scenario, readers, pace, player)
    if opponent != PERSON:
        await seat_bot(live, OTHER[side], opponent, server.entropy, player)
    if is_later:
        return with_session(request, see(f"/battles/{live.id}?take={side}"), session)
    # the battle is new: its head is in the page that answers this form
    given = Phrase(text(form, "phrase"), PAGE_CHANNEL, live.recording.newest_head())
    await take_side(live, side, player, mode=mode, phrase=given)
    return with_session(request, see(f"/battles/{live.id}"), session)


def _armies_meet(server: Server, form: PostedForm) -> dict[str, Any]:
    """The scenario between two armies of points, made from their lists.

    Raises: Refusal of the ruleset; core.bad-request for what is not a number
    """
    code = text(form, "armies")
    book = army_book(code)
    size, seed = (
        _number(form, "size", book.usual_size),
        _number(form, "seed", int.from_bytes(server.entropy.bytes(SEED_BYTES))),
    )
    options = {choice.option: _chosen(form, choice) for choice in book.choices}
    return battle_between(code, text(form, "south"), text(form, "north"), size, seed, options)


def _chosen(form: PostedForm, choice: BattleChoice) -> bool | int:
    """What a form says of an option; a box that is not ticked is not sent at all."""
    if isinstance(choice.usual, bool):
        return bool(text(form, choice.option))
    return _number(form, choice.option, choice.usual, choice.most)


def _number(form: PostedForm, name: str, usual: int, most: int = MOST_NUMBER) -> int:
    """A number in a form, or the usual one if the field is empty."""
    written = text(form, name).strip()
    if not written:
        return usual
    if not (written.isascii() and written.isdigit() and len(written) <= len(str(most)) and int(written) <= most):
        raise Refusal("core.bad-request", "CORE-OPEN", reason=f"{name} is a number from 0 to {most}")
    return int(written)


async def _listed(server: Server, which: str = "", player: str = "") -> Sequence[LobbyEntry]:
    """The battles of a list; in a fresh data folder the read models need a moment to appear.

    Raises: Refusal core.busy
    """
    for _ in range(ATTEMPTS):
        try:
            return await server.lobby.battles(which, player, LISTED)
        except NotReady:
            await asyncio.sleep(PAUSE_S)
    raise Refusal("core.busy", "CORE-ACCESS")


# --- in words


def _games(server: Server) -> list[GameShown]:
    """The games that have packaged scenarios."""
    return [
        GameShown(ruleset.title, tuple(_scenario(code, name) for name in _first_before_others(code)))
        for code, ruleset in server.battles.rulesets.items()
        if scenario_names(code)
    ]


def _first_before_others(code: str) -> list[str]:
    first = first_scenario(code)
    return sorted(scenario_names(code), key=lambda name: name != first)


def _scenario(code: str, name: str) -> ScenarioShown:
    table = read_toml(code, "scenarios", f"{name}.toml")
    history = str(table.get("history", "")).strip()
    return ScenarioShown(f"{code}/{name}", str(table.get("title", name)), history, str(table.get("first", "")))


def _armies(server: Server) -> list[ArmiesShown]:
    """The army lists of all games that have some, in the order of their books."""
    return [
        ArmiesShown(
            code,
            server.battles.rulesets[code].title,
            book.about,
            book.usual_size,
            book.choices,
            tuple(ArmyShown(key, f"{entry.name}, {years(entry)}") for key, entry in book.lists().items()),
        )
        for code, book in sorted(army_books().items())
        if code in server.battles.rulesets
    ]


def _rows(entries: Iterable[LobbyEntry], player: str, urgent: Iterable[str] = ()) -> list[LobbyRow]:
    wanted = set(urgent)
    return [_row(entry, player, entry.battle in wanted) for entry in entries]


def _row(entry: LobbyEntry, player: str, urgent: bool) -> LobbyRow:
    held = [
        f"{seat.name if seat.player != player or not player else 'you'} ({seat.side})"
        for seat in entry.seats
        if seat.name
    ]
    return LobbyRow(entry.battle, entry.title, " against ".join(held), _words(entry, urgent), entry.at, urgent)


def _words(entry: LobbyEntry, urgent: bool) -> str:
    """The status of a battle in words."""
    names = {seat.side: seat.name or seat.side for seat in entry.seats}
    if entry.status == "ended":
        return f"{names.get(entry.winner, entry.winner)} won" if entry.winner else "drawn"
    if entry.status == "waiting":
        free = [seat.side for seat in entry.seats if not seat.name]
        return f"{' and '.join(free)} still free" if free else "about to begin"
    turn = f"turn {entry.turn}" if entry.turn else entry.phase
    acting = " and ".join(names.get(side, side) for side in entry.to_act)
    until = f", until {moment(entry.deadline)} UTC" if entry.deadline else ""
    return f"{turn}, your turn{until}" if urgent else f"{turn}, {acting} to move{until}" if acting else turn
