"""Open a battle, find one, take a side, see how it stands."""

from collections.abc import Hashable
from typing import Any
from urllib.parse import urlencode

from aiohttp import web

from domain.basics.data import parse_toml, read_toml, scenario_names
from domain.basics.decoding import decode
from domain.basics.errors import Refusal
from domain.events.battle import Seen
from domain.log.limits import is_battle, is_time
from domain.run.bots import offered
from domain.run.inputs import Phrase, facts_of_opening
from domain.run.own_word import OwnWord
from domain.run.seats import Seat
from domain.time.clock import ClockFace
from projections.lobby import LobbyEntry, Place
from replay.telling.words import ENGLISH, worded
from replay.writing.recording import Scenario
from server.acts import open as acts
from server.acts.campaigns.ladders import terms_in
from server.acts.join import Chair, join_battle
from server.acts.open import Wish, packaged
from server.people.players import Player
from server.play.access import require_reader, require_side, side_for
from server.play.disputing import terms_of
from server.play.live_battle import LiveBattle
from server.play.request import require_seen
from server.play.seating import (
    account_beside,
    cancel,
    change_book,
    is_opener,
    leave_side,
)
from server.running import Server
from server.web.api.exchange import JSON, answer, body_of, encoded, key_in, language_of, number_in_query
from server.web.api.messages import (
    Battles,
    BattleView,
    ChangeBook,
    ClockView,
    LeaveSide,
    Listed,
    OpenBattle,
    Opened,
    Question,
    Scenarios,
    ScenarioView,
    SeatView,
    StandingView,
    TakeSide,
)
from server.web.api.sought import sought_in
from server.web.auth import caller, require_caller
from server.web.kept import KeptAnswer, served, tag_of
from server.web.keys import kept_of, server_of
from server.web.limits import spend, spend_made, spend_reading
from server.web.reading_rate import FILE_COST
from server.web.waiting import share

WHICH = ("mine", "waiting", "ended")
TOLD = ("title", "history", "title_fr", "history_fr")
"""The members of a scenario file shown to readers."""
MOST_LISTED = 200
IN_LISTS = tuple(name for name in Listed.__struct_fields__ if name not in ("seats", "judging", "programs"))
"""The members of a list that are those of the read models."""


async def open_battle(request: web.Request) -> web.Response:
    """POST /api/v1/battles"""
    player = require_caller(request)
    server = server_of(request)
    wanted = await body_of(request, OpenBattle)
    spend(request, "battle", player)
    scenario: Scenario
    with share(request, player):
        ruleset, scenario = await scenario_of(server, wanted)
        if wanted.scenario_toml:  # to look through a stranger's takes as long again as to read it
            game = server.battles.ruleset(ruleset)
            scenario = await server.battles.workers.people.run(facts_of_opening, game, scenario)
    store, unsigned = server.battles.store, wanted.unsigned_umpire
    terms = terms_of(store, wanted.umpire, wanted.takebacks, wanted.disputes_days, wanted.tags, unsigned)
    terms = await terms_in(server.steward, player, wanted.campaign, ruleset, terms)
    wish = Wish(ruleset, scenario, wanted.readers, wanted.pace, terms)
    live = (await acts.open_battle(server.acts, player, wish, key_in(request))).live
    url = f"{server.settings.base}/api/v1/battles/{live.id}"
    opened = Opened(live.id, url, live.recording.battle.commitment, head_of(live), live.note())
    return answer(opened, 201, {"Location": url})


async def scenario_of(server: Server, wanted: OpenBattle) -> tuple[str, dict[str, Any]]:
    """The code of the game and the scenario that a request names or contains; the request's options override its own.

    Raises: Refusal core.unknown-scenario, core.which-scenario, core.which-game, core.bad-request, and what `parse_toml`
            raises
    """
    if wanted.ruleset:
        server.battles.ruleset(wanted.ruleset)  # the code of a game, before any use of it
    if bool(wanted.scenario) == bool(wanted.scenario_toml):
        raise Refusal("core.bad-request", "CORE-OPEN", reason="name a `scenario` or bring a `scenario_toml`")
    if wanted.scenario:
        code, table = packaged(server.acts, wanted.scenario, wanted.ruleset)
    else:  # a stranger's text takes up to a twentieth of a second
        table = await server.battles.workers.people.run(parse_toml, wanted.scenario_toml, "scenario_toml")
        code = wanted.ruleset or str(table.get("ruleset", ""))
        if not code:
            raise Refusal("core.which-game", "CORE-OPEN", known=list(server.battles.rulesets))
    options = table.get("options")
    if wanted.options:
        table["options"] = {**(options if isinstance(options, dict) else {}), **wanted.options}
    return code, table


async def list_scenarios(request: web.Request) -> web.Response:
    """GET /api/v1/scenarios"""
    shown = []
    for code, ruleset in sorted(server_of(request).battles.rulesets.items()):
        for name in scenario_names(code):
            table = read_toml(code, "scenarios", f"{name}.toml")
            title, history, title_fr, history_fr = (str(table.get(key, "")).strip() for key in TOLD)
            shown.append(ScenarioView(code, name, title or name, title_fr, history, history_fr, offered(ruleset)))
    return answer(Scenarios(tuple(shown)))


async def list_battles(request: web.Request) -> web.Response:
    """GET /api/v1/battles?mine|waiting|ended&game=&scenario=&player=&status=&since=&until=&words=&limit=&before="""
    server = server_of(request)
    which = next((word for word in WHICH if word in request.query), "")
    player = require_caller(request) if which in ("mine", "waiting") else caller(request)
    limit = number_in_query(request, "limit", 50, 1, MOST_LISTED)
    sought, place = sought_in(request), place_in(request)
    if sought.is_long:
        spend_reading(request, FILE_COST)
    found = await server.lobby.battles(which, player.id if player else "", limit, place, sought)
    headers = {}
    if len(found) == limit:
        query = {**request.query, "limit": str(limit), "before": f"{found[-1].at}~{found[-1].battle}"}
        headers["Link"] = f'<{request.path}?{urlencode(query, safe=":~")}>; rel="next"'
    return answer(Battles(tuple(listed(entry, player.id if player else "") for entry in found)), headers=headers)


def place_in(request: web.Request) -> Place | None:
    """Where the page before this one ended, as its Link names it.

    Raises: Refusal core.bad-query
    """
    text = request.query.get("before", "")
    at, _, battle = text.partition("~")
    if text and not (is_time(at) and is_battle(battle)):
        raise Refusal("core.bad-query", "CORE-PARSE", reason="before is what the Link of a list names")
    return (at, battle) if text else None


def listed(entry: LobbyEntry, player: str = "") -> Listed:
    """A battle of the read models as a player sees it; player ids stay here, only names are shown."""
    same = {name: getattr(entry, name) for name in IN_LISTS}
    seats = {seat.side: seat.name for seat in entry.seats}
    programs = tuple(seat.side for seat in entry.seats if seat.kind in ("bot", "program"))
    judging = bool(entry.umpire) and entry.umpire == player
    return Listed(**same, seats=seats, judging=judging, programs=programs)


async def post_side(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/sides/{side}: anyone who knows a battle's id may take a free side."""
    player = require_caller(request)
    server = server_of(request)
    live = await server.battles.get(request.match_info["id"])
    side = request.match_info["side"]
    wanted = await body_of(request, TakeSide)
    spend(request, "bot" if wanted.bot else "seat", player)
    given = Phrase(wanted.phrase, "api", require_seen(wanted.seen)) if wanted.phrase and not wanted.bot else None
    mode = wanted.mode or ""
    word = OwnWord(wanted.seen, wanted.signature)
    chair = Chair(side, wanted.bot, wanted.name, mode, wanted.anchor, wanted.signer, given, word)
    await join_battle(server.acts, player, live, chair)
    return answer(view_of(server, live, player, "" if wanted.bot else side, language_of(request)), 201)


async def delete_side(request: web.Request) -> web.Response:
    """DELETE /api/v1/battles/{id}/sides/{side}: before the battle begins."""
    player, live, server = await own_of(request)
    side = request.match_info["side"]
    await leave_side(live, side, player)
    return answer(view_of(server, live, player, "", language_of(request)))


async def post_leave(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/sides/{side}/leave: before the battle begins, signed where the seat signs all."""
    player, live, server = await own_of(request)
    wanted = await body_of(request, LeaveSide)
    await leave_side(live, request.match_info["side"], player, OwnWord(wanted.seen, wanted.signature))
    return answer(view_of(server, live, player, "", language_of(request)))


async def delete_battle(request: web.Request) -> web.Response:
    """DELETE /api/v1/battles/{id}: cancelled by whoever has opened it, before it begins."""
    player, live, server = await own_of(request)
    await cancel(live, player)
    return answer(view_of(server, live, player, "", language_of(request)))


async def own_of(request: web.Request) -> tuple[Player, LiveBattle, Server]:
    """The caller, and the battle in the address, about whose set-up they decide something. Whoever has opened it may do
    so even if only its players may read it.

    Raises: Refusal core.unknown-battle, core.not-signed-in, core.too-many
    """
    player, server = require_caller(request), server_of(request)
    spend(request, "deed", player)
    live = await server.battles.get(request.match_info["id"])
    if not is_opener(live, player):
        require_reader(live, player)
    return player, live, server


async def post_book(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/sides/{side}/book: another book of seals; the other side contributes anew before its
    first seal."""
    player = require_caller(request)
    live = await server_of(request).battles.get(request.match_info["id"])
    require_reader(live, player)
    side = require_side(live, player, request.match_info["side"])
    wanted = await body_of(request, ChangeBook)
    spend(request, "deed", player)
    await change_book(live, side, Phrase(wanted.anchor, "api", require_seen(wanted.seen), wanted.signature))
    return answer(view_of(server_of(request), live, player, side, language_of(request)))


async def show_battle(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}: made once for each state that it shows."""
    server, kept = server_of(request), kept_of(request)
    live, player = await live_for(request)
    side, lang = side_for(live, player, request.query.get("side", "")), language_of(request)
    held = live.recording.battle.seat_of(player.id) if player else ()
    faces = tuple(live.clock(server.clock.now()).items())
    key = (*shown_state(live, side, lang), held, faces)
    view = kept.get(key)
    if view is None:
        spend_made(request, player)
        body = encoded(view_of(server, live, player, side, lang))
        view = KeptAnswer(body, tag_of(body))
        kept.keep(key, view)
    return served(request, view, JSON, {"Vary": "Authorization, Cookie, Accept-Language"})


def shown_state(live: LiveBattle, side: str, lang: str) -> tuple[Hashable, ...]:
    """What decides how a battle looks to a side, but for clocks and the reader: equal only where nothing differs."""
    parked = live.parked.get(side) if side else None
    beside = tuple(account_beside(live.store, seat) for seat in live.recording.battle.seats.values())
    return live.id, live.n, side, lang, live.closed, live.is_clock_doubted, parked.lines if parked else b"", beside


async def live_for(request: web.Request) -> tuple[LiveBattle, Player | None]:
    """The battle in the address, if the caller may read it.

    Raises: Refusal core.unknown-battle
    """
    player = caller(request)
    live = await server_of(request).battles.get(request.match_info["id"])
    require_reader(live, player)
    return live, player


def view_of(
    server: Server, live: LiveBattle, player: Player | None, wanted: str = "", lang: str = ENGLISH
) -> BattleView:
    """A battle as a player knows it."""
    side = side_for(live, player, wanted)
    battle, game = live.recording.battle, live.known(side)
    clocks, faces = live.recording.clocks, live.clock(server.clock.now())
    return BattleView(
        battle=live.id,
        ruleset=live.ruleset.code,
        rules=battle.rules or live.ruleset.version,
        title=getattr(game, "title", "") or live.ruleset.title,
        readers=battle.readers,
        created=live.recording.header.created,
        closed=live.closed or (battle.stopped.how if battle.stopped else ""),
        stopped=battle.stopped.reason if battle.stopped else "",
        n=live.n,
        begun=battle.begun,
        phase=game.phase,
        turn=game.turn,
        t=game.t,
        active=game.active,
        to_act=live.to_act(),
        waiting=_question(game.waiting),
        draw_offer=game.draw_offer,
        winner=battle.winner,
        how=battle.how,
        seats=_seat_views(live, player),
        side=side,
        tally=dict(live.ruleset.shown.tally(game)),
        deadline=min((face.deadline for face in faces.values() if face.deadline), default=None),
        pace=clocks.pace.text() if clocks else "",
        clocks={name: _clock_view(face) for name, face in faces.items()},
        clock_doubted=live.is_clock_doubted,
        pause_asked=clocks.asked if clocks else "",
        parked=parked_lines(live, side),
        standing=tuple(StandingView(o.topic, o.unit, o.value, o.n) for o in game.standing if side and o.side == side),
        board=worded(live.ruleset.shown.view(game, side), lang),
        head=head_of(live),
        receipt=live.note(),
        branch=battle.branch,
        umpire=battle.disputes.umpire_name,
        disputed=len(battle.disputes.open),
        tags=battle.tags,
    )


def head_of(live: LiveBattle) -> Seen:
    """The newest head of a battle, as its players name it when they answer."""
    head = live.recording.newest_head()
    assert head is not None, "every battle has its opening"
    return head


def _question(waiting: Any) -> Question | None:
    return Question(waiting.side, waiting.kind, waiting.unit, waiting.options) if waiting else None


def _seat_views(live: LiveBattle, player: Player | None) -> dict[str, SeatView]:
    seats = live.recording.battle.seats
    held = live.recording.battle.seat_of(player.id) if player else ()
    return {name: _seat_view(live, seats[name], name in held) for name in live.seats.names if name in seats}


def _seat_view(live: LiveBattle, seat: Seat, yours: bool) -> SeatView:
    battle = live.recording.battle
    return SeatView(
        seat.name,
        seat.kind,
        seat.mode,
        seat.is_operator,
        yours,
        contributed=bool(seat.contribution) and not seat.stale,
        owes=battle.owes(seat.side),
        signer=seat.signer,
        serial=battle.serials.get(seat.side, 0),
        account=account_beside(live.store, seat),
        program=seat.is_program,
    )


def _clock_view(face: ClockFace) -> ClockView:
    return ClockView(face.running, face.left_s, face.deadline or None, face.flagged, face.away, face.paused)


def parked_lines(live: LiveBattle, side: str) -> tuple[str, ...]:
    """The lines of a side's script that wait for the other side's answer; () for a stranger."""
    script = live.parked.get(side) if side else None
    return lines_of(script.lines) if script else ()


def lines_of(kept: bytes) -> tuple[str, ...]:
    """The lines of a parked script."""
    return decode(kept, tuple[str, ...])
