"""The pages of disputes: a list of the dockets of a battle, and one with what both said and what can be done about it.

Each button and form becomes a line of a dispute, as a mail would have it, and goes the way of orders. They work without
a script, but for a seat with a key, whose lines the script signs.
"""

from aiohttp import web
from msgspec import Struct

from domain.basics.errors import Refusal
from domain.contract.dispute_lines import KINDS
from domain.engine.dockets import TAKEBACK, UMPIRE, Docket, newest_of_others
from domain.events.settlements import DisputeRaised
from domain.run.rewind_points import before_block, is_of_dispute
from replay.telling.dockets import statements, taken_back
from replay.telling.words.sentences import fragment
from server.entropy import new_secret
from server.people.players import Player
from server.play.access import is_umpire, require_speaker, side_for
from server.play.disputing import entry_of_agreeing
from server.play.live_battle import LiveBattle
from server.play.request import PAGE_CHANNEL, OrderRequest, RequestAnswer, require_seen
from server.play.scripts import Unreadable
from server.shown.story import ToldEvent, tell
from server.web import auth
from server.web.api.battles import live_for
from server.web.api.disputes import docket_in, verdict_of
from server.web.keys import server_of
from server.web.limits import count_refused, require_orders, spend
from server.web.pages.battle.status import umpire_key_sentence, umpire_sentence
from server.web.pages.forms import form_key, form_of, seen_in, signatures_in, text
from server.web.pages.language import page_language
from server.web.pages.rendering import page, see
from server.web.problems import status_of
from server.words import say, sentence_of

REMEDIES = ("none", "rewind", "draw", "award north", "award south")


class DocketShown(Struct, frozen=True):
    """A docket on a page: its event and all that was said, as sentences; what its offers would draw anew; the events
    before and after what it is about; the lines of its buttons, each with its label."""

    docket: Docket
    about: str
    said: tuple[ToldEvent, ...]
    anew: tuple[str, ...]
    before: int
    after: int
    buttons: tuple[tuple[str, str], ...]


class SeatNamed(Struct, frozen=True):
    """Somebody is named for a seat, as a sentence; `player` is whom the reader may name as well, "" for nobody."""

    said: str
    seat: str
    player: str


async def show_disputes(request: web.Request) -> web.Response:
    """GET /battles/{id}/disputes?about="""
    live, player = await live_for(request)
    return await _list(request, live, player)


async def show_docket(request: web.Request) -> web.Response:
    """GET /battles/{id}/disputes/{d}"""
    live, player = await live_for(request)
    return await _docket(request, live, player, docket_in(request, live))


async def post_dispute(request: web.Request) -> web.Response:
    """POST /battles/{id}/disputes: one line, made of the fields of a form; leads to its docket.

    The same form again says nothing more.
    """
    auth.require_own_page(request)
    live, player = await live_for(request)
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    require_orders(request, player)
    form = await form_of(request)
    remedy = text(form, "remedy")
    to = text(form, "to") if remedy == "rewind" else ""
    parts = (text(form, "say"), remedy, text(form, "kind"), to, text(form, "text"))
    line = text(form, "line") or " ".join(" ".join(parts).split())  # as the script has signed it
    side = require_speaker(live, player, text(form, "side"))
    seen, signatures = require_seen(seen_in(form)), signatures_in(form)
    phrase, seal = text(form, "phrase"), text(form, "seal")
    orders = OrderRequest(live.id, side, player.id, PAGE_CHANNEL, line, phrase, seal, seen=seen, signatures=signatures)
    refusal, docket = None, live.recording.battle.disputes.docket(text(form, "docket"))
    try:
        key = form_key(form, server_of(request).entropy) if text(form, "key") else ""
        played = await server_of(request).play.orders(orders, key)
        count_refused(request, player, played)
        refusal = played.refused
        docket = _raised(live, played) or docket
    except Unreadable as unreadable:
        refusal = unreadable.faults[0].refusal
    except Refusal as refused:  # of the request as a whole, as where a signature is missing
        refusal = refused
    if refusal is None:
        return see(f"/battles/{live.id}/disputes{f'/{docket.id}' if docket is not None else ''}")
    answer = sentence_of(refusal, page_language(request))
    status = status_of(refusal.code)
    if docket is not None:
        return await _docket(request, live, player, docket, answer, text(form, "text"), status)
    return await _list(request, live, player, answer, text(form, "text"), status)


def _raised(live: LiveBattle, played: RequestAnswer) -> Docket | None:
    """The docket that a line has raised."""
    for outcome in played.outcomes:
        for recorded in live.recording.timeline.events[outcome.first - 1 : outcome.last] if outcome.first else ():
            if isinstance(recorded.event, DisputeRaised):
                return live.recording.battle.disputes.docket(recorded.event.docket)
    return None


# --- what is shown


async def _list(
    request: web.Request, live: LiveBattle, player: Player | None, answer: str = "", words: str = "", status: int = 200
) -> web.Response:
    await live.remember()
    disputes, side = live.recording.battle.disputes, _speaker(live, player)
    lang, about = page_language(request), request.query.get("about", "")
    proposed = newest_of_others(disputes.proposed, side) if side in live.seats else None
    return page(
        request,
        "disputes.html",
        status,
        id=live.id,
        dockets=[docket_shown(live, docket, side, lang) for docket in reversed(disputes.dockets)],
        disputes=disputes,
        side=side,
        plays=side in live.seats,
        kinds=[(kind, fragment(f"dispute-kind.{kind}", {}, lang)) for kind in KINDS],
        **_key_of(live, side),
        about=about if about.isdecimal() and len(about) < 8 else "",
        seats=_seats_shown(live, side, lang),
        flags=sorted(side for side, face in live.clock(live.now()).items() if face.flagged),
        rules=side == UMPIRE,
        key=new_secret(server_of(request).entropy),
        proposed=proposed,
        umpire=umpire_sentence(live.recording.battle, lang),
        proposed_key=umpire_key_sentence(live.recording.battle, proposed.signer, lang) if proposed else "",
        seen=_newest_head(live),
        ended=live.recording.battle.ended,
        answer=answer,
        words=words,
    )


async def _docket(
    request: web.Request,
    live: LiveBattle,
    player: Player | None,
    docket: Docket,
    answer: str = "",
    words: str = "",
    status: int = 200,
) -> web.Response:
    await live.remember()
    spend(request, "picture")
    side, ended, lang = _speaker(live, player), live.recording.battle.ended, page_language(request)
    verdict = await verdict_of(request, live, docket, lang)
    is_ruled = side == UMPIRE and not docket.is_decided
    return page(
        request,
        "docket.html",
        status,
        id=live.id,
        shown=docket_shown(live, docket, side, lang),
        verdict=verdict.said if verdict is not None else "",
        entry=entry_of_agreeing(live.recording.battle, docket, side),
        side=side,
        offers="rule" if is_ruled else "offer" if docket.is_open and side in live.seats else "",
        answers=docket.is_open and bool(side),
        remedies=[one for one in REMEDIES if not (ended and one == "rewind")],
        **_key_of(live, side),
        seen=_newest_head(live),
        answer=answer,
        words=words,
    )


def _seats_shown(live: LiveBattle, side: str, lang: str) -> list[SeatNamed]:
    """The players named for each seat, and whether the reader may say the same."""
    found = []
    for seat, said in live.recording.battle.disputes.substitutes.items():
        for by, one in said.items() if seat else ():
            told = {"side": by, "seat": seat, "name": one.name or one.player}
            agrees = bool(side) and side != by and seat in (side, by)
            agrees = agrees and (side not in said or said[side].player != one.player)
            found.append(SeatNamed(say(lang, "pages.disputes.named", **told), seat, one.player if agrees else ""))
    return found


def docket_shown(live: LiveBattle, docket: Docket, side: str, lang: str) -> DocketShown:
    """A docket as a side sees it, or the umpire, or a stranger; the past of the battle is in memory."""
    recording, timeline = live.recording, live.recording.timeline
    reader = side if side in live.seats else ""
    events = [timeline.events[one.n - 1] for one in statements(timeline.events, docket)]
    about = next(iter(tell(recording, reader, [timeline.events[docket.about - 1]], lang)))
    anew = []
    for remedy in dict.fromkeys(said.what for said in docket.offers.values()):
        what, _, to = remedy.partition(" ")
        for one in taken_back(timeline.events, timeline.counts, int(to), live.seats) if what == "rewind" else ():
            told = {"to": to, "side": one.side, "cards": one.cards, "dice": one.dice}
            anew.append(say(lang, "pages.disputes.anew", **told))
    order = _order_of(live, docket.about)
    before, after = (before_block(timeline, order), _last_of(live, order)) if order else (docket.about, docket.about)
    said = tuple(tell(recording, reader, events, lang))
    buttons = tuple(_buttons(live, docket, side, lang))
    return DocketShown(docket, about.said, said, tuple(anew), before, after, buttons)


def _order_of(live: LiveBattle, n: int) -> int:
    """The order that event `n` follows from, or comes with; 0 if it follows from something else."""
    events = live.recording.timeline.events
    if events[n - 1].type == "ContributionGiven" and n < len(events) and events[n].type == "OrderAccepted":
        return n + 1
    while n > 1 and events[n - 1].type != "OrderAccepted":
        n -= 1
    return n if n > 1 and not is_of_dispute(live.recording.timeline, n) else 0


def _last_of(live: LiveBattle, order: int) -> int:
    events = live.recording.timeline.events
    last = order
    while last < len(events) and events[last].type not in ("OrderAccepted", "ContributionGiven", "ClockFired"):
        last += 1
    return last


def _buttons(live: LiveBattle, docket: Docket, side: str, lang: str) -> list[tuple[str, str]]:
    """The lines that need no words."""
    if side not in live.seats and side != UMPIRE:
        return []
    disputes, is_own, plays = live.recording.battle.disputes, docket.side == side, side in live.seats
    other = newest_of_others(docket.offers, side) if plays else None
    is_declined = docket.is_open and plays and not is_own and (docket.kind == TAKEBACK or not disputes.umpire)
    is_halter = is_own or side == UMPIRE
    wanted = {
        "agree": docket.is_open and other is not None,
        "decline": is_declined,
        "withdraw": docket.is_open and is_own,
        "halt": docket.is_open and is_halter and not disputes.halted and docket.kind != TAKEBACK,
        "go on": is_halter and disputes.halted == docket.id,
    }
    return [
        (f"{verb} {docket.id}", say(lang, f"pages.disputes.{verb.replace(' ', '-')}"))
        for verb, is_wanted in wanted.items()
        if is_wanted
    ]


def _speaker(live: LiveBattle, player: Player | None) -> str:
    return UMPIRE if is_umpire(live, player) else side_for(live, player)


def _key_of(live: LiveBattle, side: str) -> dict[str, str | int]:
    """The key with which the reader signs their lines, as a player or as umpire, and the newest serial."""
    battle = live.recording.battle
    seat = battle.seats.get(side)
    anchor = seat.anchor if seat is not None else ""
    return {"signer": battle.signer_of(side), "serial": battle.serials.get(side, 0), "anchor": anchor}


def _newest_head(live: LiveBattle) -> str:
    head = live.recording.newest_head()
    return f"{head.n} {head.hash}" if head is not None else ""
