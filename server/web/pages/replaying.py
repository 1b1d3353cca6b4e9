"""The replay on the page of a battle: what changes from one event to the next, and the curve behind the slider."""

import asyncio
from collections.abc import Sequence

import msgspec
from aiohttp import web
from msgspec import Struct

from domain.basics.errors import Refusal
from replay.telling.odds import DeckDraw
from replay.telling.why import to_text
from server.people.players import Player
from server.play import access
from server.play.live_battle import LiveBattle
from server.shown.explaining import explained
from server.shown.story import DrawnValues, tell
from server.shown.subjects import subjects_of
from server.web.api.battles import live_for
from server.web.api.exchange import number_in_query
from server.web.kept import KeptAnswer, is_known, tag_of
from server.web.keys import kept_of
from server.web.limits import spend
from server.web.pages.battle.board import BoardPart, Draw, board_part
from server.web.pages.battle.showing import drawer
from server.web.pages.battle.sides import SidesPart, sides_then
from server.web.pages.battle.status import StatusPart, status_then
from server.web.pages.battle.stepping import curve_of
from server.web.pages.battle.viewpoint import viewpoint_of
from server.web.pages.language import page_language
from server.web.pages.rendering import HEADERS, PRIVATE, packed, rendered, sent
from server.web.pages.turning import is_turned
from server.web.waiting import goes_on, kept_or_turn


class ReplayMoment(Struct, frozen=True):
    """What the page of a battle shows of event `n`, and of the state after it. `said` is its sentence, `drawn` the
    test that it was, `harm` what it harms (`server.shown.story.ToldEvent`), `drawn_by` the events of its cards and
    dice, `why` the lines that explain it; `doers`, `aims` and `spots` are what it names on the board. The rest as in
    `server.web.pages.battle.page.BattlePage`, some of it always so because it is no newest page."""

    id: str
    ruleset: str
    n: int
    last: int
    side: str
    held: tuple[str, ...]
    status: StatusPart
    board: BoardPart
    sides: SidesPart
    said: str
    drawn: DrawnValues | None
    harm: str
    drawn_by: tuple[int, ...]
    voided: bool
    why: tuple[str, ...]
    doers: tuple[str, ...]
    aims: tuple[str, ...]
    spots: tuple[str, ...]
    begun: bool = True
    ended: bool = False
    is_newest: bool = False


async def show_moment(request: web.Request) -> web.Response:
    """GET /battles/{id}/moment?n=&turned=&side=&lang=: a part of the page, for its script."""
    live, player = await live_for(request)
    side = access.side_for(live, player, request.query.get("side", ""))
    n = number_in_query(request, "n", live.n, 1)
    if n > live.n:
        raise Refusal("core.no-such-event", "CORE-ACCESS", n=n, last=live.n)
    await live.remember()
    lang, is_below = page_language(request), is_turned(request, side)
    who = player.id if player else ""

    def key_of() -> tuple[object, ...]:
        return "moment", live.id, live.n, n, side, lang, is_below, who

    async with kept_or_turn(request, player, key_of, "picture") as (key, kept):
        made = kept
        if made is None:
            moment = moment_of(live, player, side, n, is_below, drawer(request, live, n, side, is_below, lang), lang)
            await goes_on(request)
            body = rendered(request, "battle/moment.html", page=moment).encode()
            made = KeptAnswer(body, tag_of(body), await asyncio.to_thread(packed, body))
            kept_of(request).keep(key, made)
    return await sent(request, made)


def moment_of(
    live: LiveBattle, player: Player | None, side: str, n: int, is_turned: bool, draw: Draw, lang: str
) -> ReplayMoment:
    """What a side ("" for a stranger) sees of event `n`."""
    recording, ruleset = live.recording, live.ruleset
    timeline, seen = recording.timeline, viewpoint_of(live, player, side, n, is_turned, lang)
    recorded = timeline.events[n - 1]
    stood = ruleset.shown.view(ruleset.secrets.known(timeline.at(n - 1).game, side), side)
    told, explanation = next(tell(recording, side, [recorded], lang)), explained(live, side, n, lang)
    subjects = subjects_of(recording.seen(side, recorded), stood, seen.scene)
    return ReplayMoment(
        id=live.id,
        ruleset=ruleset.code,
        n=n,
        last=live.n,
        side=side,
        held=seen.held,
        status=status_then(seen),
        board=board_part(seen, draw),
        sides=sides_then(seen),
        said=told.said,
        drawn=told.drawn or _of_draws(explanation.draws),
        harm=told.harm,
        drawn_by=tuple(draw.n for draw in explanation.draws),
        voided=told.voided,
        why=tuple(to_text(explanation, lang).split("\n")[1:]),
        doers=subjects.doers,
        aims=subjects.aims,
        spots=subjects.spots,
    )


def _of_draws(draws: Sequence[DeckDraw]) -> DrawnValues | None:
    """The cards or dice that an event tells nothing of itself, as values; None where they have none."""
    values = tuple(int(draw.card) for draw in draws if draw.card.isdigit())
    return DrawnValues(values, draws[0].sides > 0, None, ()) if values else None


async def show_curve(request: web.Request) -> web.Response:
    """GET /battles/{id}/curve: the tally event by event, as data for the slider of the page."""
    live, _ = await live_for(request)
    spend(request, "picture")
    await live.remember()
    body = msgspec.json.encode(await curve_of(live))
    headers = {**HEADERS, "Cache-Control": PRIVATE, "ETag": tag_of(body)}
    if is_known(request, headers["ETag"]):
        return web.Response(status=304, headers=headers)
    response = web.Response(body=body, content_type="application/json", headers=headers)
    response.enable_compression()
    return response
