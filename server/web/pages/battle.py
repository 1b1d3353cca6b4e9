"""What is on the page of one battle, and what happens when its forms are sent?

The order box goes the way of every order (`server.play.service`): its lines are played once under the key of the form,
and only if the battle is still at the event that the page showed. The phrase of a player is made by their browser, or
by themselves; the server never makes one up.
"""

from aiohttp import web

from domain.engine.errors import Refusal
from replay.telling.why import to_text
from server.clock import new_secret
from server.people import auth
from server.people.players import Player
from server.play.live_battle import Table
from server.play.preview import preview
from server.play.scripts import Unreadable, read_script, require_key
from server.play.seating import seat_bot, take_side
from server.play.service import Orders
from server.running import house_of
from server.shown.explaining import explained
from server.shown.outcome import Answer, answer_of, outlook_of, refusal_answer, unreadable_answer
from server.web.api.battles import require_may_seat_bot, table_for
from server.web.api.exchange import language_of, number_in_query
from server.web.pages.forms import Draft, chosen, draft_of, form_of, text, with_line
from server.web.pages.paper import page, see
from server.web.pages.sheet import lacks_contribution, sheet_of
from server.web.pages.visitors import visitor, with_session

CHANNEL = "page"
NOTHING = Draft("", "", None, "", "", "")


async def show_battle(request: web.Request) -> web.Response:
    """GET /battles/{id}?n=&turned&side=&lang="""
    table, player = await table_for(request)
    return battle_page(request, table, player)


def battle_page(
    request: web.Request,
    table: Table,
    player: Player | None,
    draft: Draft = NOTHING,
    answer: Answer | None = None,
    status: int = 200,
) -> web.Response:
    """The page of a battle, with what became of the order box if it was sent."""
    house = house_of(request)
    side = auth.side_for(table, player, draft.side or request.query.get("side", ""))
    n = number_in_query(request, "n", table.n, 1) if "n" in request.query else None
    if n is not None and n > table.n:
        raise Refusal("core.no-such-event", "CORE-ACCESS", n=n, last=table.n)
    sheet = sheet_of(
        table, house.signer, player, side, n, "turned" in request.query, language_of(request), house.clock.now()
    )
    return page(
        request,
        "battle.html",
        status,
        sheet=sheet,
        draft=draft,
        answer=answer,
        key=new_secret(house.entropy),
        link=f"{house.settings.address}/battles/{table.id}",
    )


# --- orders


async def post_orders(request: web.Request) -> web.Response:
    """POST /battles/{id}/orders: the order box, to be sent, tried, or filled with a picked line."""
    auth.require_own_page(request)
    table, player = await table_for(request)
    form = await form_of(request)
    draft = draft_of(form)
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    auth.require_side(table, player, draft.side)
    if pick := text(form, "pick") or chosen(form):
        return battle_page(request, table, player, _with_text(draft, with_line(draft.orders, pick)))
    try:
        answer = await (_tried if text(form, "do") == "preview" else _played)(request, table, player, draft)
    except Unreadable as unreadable:
        answer = unreadable_answer(unreadable, language_of(request))
    except Refusal as refusal:
        answer = refusal_answer(refusal, language_of(request))
    if answer.all_well:
        return see(_battle_link(request, table))
    return battle_page(request, table, player, _with_text(draft, answer.left or draft.orders), answer, answer.status)


async def _played(request: web.Request, table: Table, player: Player, draft: Draft) -> Answer:
    """Send the orders.

    Raises: Refusal, Unreadable, StoreError
    """
    side = auth.require_side(table, player, draft.side)
    orders = Orders(table.id, side, player.id, CHANNEL, draft.orders, draft.phrase, draft.seal, draft.expect)
    return answer_of(await house_of(request).play.orders(orders, require_key(draft.key)), language_of(request))


async def _tried(request: web.Request, table: Table, player: Player, draft: Draft) -> Answer:
    """Preview the orders: nothing is drawn or stored.

    Raises: Refusal, Unreadable
    """
    ruleset = table.ruleset
    script = read_script(draft.orders, ruleset.parse, draft.phrase, draft.seal, ruleset.senses, preview=True)
    return outlook_of(await preview(table, auth.require_side(table, player, draft.side), script), language_of(request))


def _battle_link(request: web.Request, table: Table) -> str:
    """The page of the battle, the board as it was turned."""
    return f"/battles/{table.id}{'?turned' if 'turned' in request.query else ''}"


def _with_text(draft: Draft, orders: str) -> Draft:
    return Draft(orders, "", None, draft.phrase, draft.seal, draft.side)


# --- chance, sides


async def post_contribution(request: web.Request) -> web.Response:
    """POST /battles/{id}/contribution: a side's part of the chance, before its own turn; once given it is given."""
    auth.require_own_page(request)
    table, player = await table_for(request)
    draft = draft_of(await form_of(request))
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    side = auth.require_side(table, player, draft.side)
    orders = Orders(table.id, side, player.id, CHANNEL, phrase=draft.phrase, seal=draft.seal)
    if lacks_contribution(table.recording.battle, side):
        played = await house_of(request).play.orders(orders, require_key(draft.key))
        if played.refused is not None and lacks_contribution(table.recording.battle, side):
            raise played.refused
    return see(_battle_link(request, table))


async def post_side(request: web.Request) -> web.Response:
    """POST /battles/{id}/sides/{side}: take a free side (who has a battle's address may), or let the bot take it."""
    auth.require_own_page(request)
    form, house, side = await form_of(request), house_of(request), request.match_info["side"]
    table = await house.hall.table(request.match_info["id"])
    player, session = await visitor(request, text(form, "name"))
    if text(form, "bot"):
        require_may_seat_bot(table, player)
        await seat_bot(table, side, text(form, "bot"), house.entropy)
    else:
        await take_side(table, side, player, phrase=text(form, "phrase"))
    return with_session(request, see(f"/battles/{table.id}"), session)


# --- why


async def show_why(request: web.Request) -> web.Response:
    """GET /battles/{id}/why/{n}?lang=: the rule, the number, the cards and the order behind an event."""
    table, player = await table_for(request)
    side = auth.side_for(table, player, request.query.get("side", ""))
    written, lang = request.match_info["n"], language_of(request)
    n = int(written) if len(written) < 16 else 0
    told = explained(table, side, n, lang)
    lines = to_text(told, lang).split("\n")[1:]
    return page(request, "why.html", id=table.id, told=told, lines=lines, n=n, last=table.n)
