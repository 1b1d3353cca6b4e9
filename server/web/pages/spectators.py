"""What those who watch a battle say to each other: beside its board, and on a page of their own.

They know what strangers know, and nothing that they say comes to a player before the battle is over (decision 22): who
may read it is asked anew at each request, and nothing of it is kept for several readers.
"""

from aiohttp import web
from msgspec.structs import replace

from domain.basics.errors import Refusal
from server.acts.remark import LONGEST, SPECTATORS, remark, why_not
from server.people.moderation import recorded
from server.people.players import Player
from server.play.access import hears_spectators, is_over, removes_words, speaks_as_spectator, spectators_may_talk
from server.play.live_battle import LiveBattle
from server.play.scripts import require_key
from server.store.tables import blocks, spectators
from server.store.tables.spectators import Remark
from server.web import auth
from server.web.api.battles import live_for
from server.web.limits import spend
from server.web.pages.forms import form_of, text
from server.web.pages.language import page_language
from server.web.pages.rendering import page, see
from server.web.pages.talk import BESIDE, PostShown, Talk, number_of, words_page
from server.web.problems import status_of
from server.words import sentence_of

ON_PAGE = 100


def spectators_talk(live: LiveBattle, player: Player | None, most: int = BESIDE) -> Talk | None:
    """What the spectators of a battle say, as far as the reader may read it; None if there is nothing for them."""
    if not hears_spectators(live, player):
        return None
    may = speaks_as_spectator(live, player)
    unheard = blocks.blocked_by(live.store, player.id) if player else frozenset()
    said = [one for one in spectators.of_battle(live.store, live.id, most) if one.player not in unheard]
    if is_over(live) and not said:
        return None
    counts = player is not None and not is_over(live)
    unread = spectators.unread(live.store, live.id, player.id) if player and counts and said else 0
    shown = tuple(_post_view(live, player, remark) for remark in said)
    return Talk(SPECTATORS, shown, str(said[-1].n if said else 0), unread, may, why_not(live), LONGEST)


def is_offered(live: LiveBattle, player: Player | None) -> bool:
    """Whether a reader would have the spectators' talk if they logged in, or gave an address."""
    if is_over(live) or not spectators_may_talk(live):
        return False
    return player is None or (not player.email and hears_spectators(live, replace(player, email="their own")))


def _post_view(live: LiveBattle, player: Player | None, remark: Remark) -> PostShown:
    is_own = player is not None and remark.player == player.id
    may = bool(remark.text) and removes_words(live, player, remark.player)
    where = f"/complain?kind=remark&battle={live.id}&item={remark.n}" if player and remark.text and not is_own else ""
    return PostShown(remark.name, remark.at, remark.text, is_own, str(remark.n) if may else "", where)


async def show_spectators(request: web.Request) -> web.Response:
    """GET /battles/{id}/spectators?part=: what the spectators say; read then. The script of the board asks for that
    `part` of its page alone, and says itself what was read."""
    live, player, talk = await _talk(request, BESIDE if "part" in request.query else ON_PAGE)
    if "part" in request.query:
        return page(request, "talk_part.html", talk=talk, id=live.id, key="")
    if talk.unread and player is not None:
        await live.store.write(spectators.read(live.id, player.id, int(talk.seen)))
    return words_page(request, live, talk)


async def post_spectators(request: web.Request) -> web.Response:
    """POST /battles/{id}/spectators: say something to the other spectators; beside the board (`beside`) it leads back
    there."""
    auth.require_own_page(request)
    live, player, _ = await _talk(request, 1)
    form = await form_of(request)
    written = text(form, "words").replace("\r\n", "\n")
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    spend(request, "words", player)
    try:
        await remark(live, player, written, require_key(text(form, "key")))
    except Refusal as refused:
        said, talk = sentence_of(refused, page_language(request)), spectators_talk(live, player, ON_PAGE)
        assert talk is not None, "who may not read it was refused before"
        return words_page(request, live, talk, said, written, status_of(refused.code))
    return see(f"/battles/{live.id}#talk" if text(form, "beside") else f"/battles/{live.id}/spectators")


async def post_removal(request: web.Request) -> web.Response:
    """POST /battles/{id}/spectators/remove: take words away (`post` is their number): who said them, umpire, host."""
    auth.require_own_page(request)
    live, player, _ = await _talk(request, 1)
    n = number_of(await form_of(request), "post")
    author = spectators.author(live.store, live.id, n)
    if player is None or not author or not removes_words(live, player, author):
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    spend(request, "deed", player)
    deed = [] if author == player.id else [recorded("remove-words", live.id, player.id, live.now())]
    await live.store.write(spectators.remove(live.id, n), *deed)
    live.tell_spectators()
    return see(f"/battles/{live.id}/spectators")


async def post_spectators_read(request: web.Request) -> web.Response:
    """POST /battles/{id}/spectators/read: the reader has seen what was said, up to the words with a number (`seen`)."""
    auth.require_own_page(request)
    live, player, talk = await _talk(request, 1)
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    spend(request, "draft", player)
    seen = number_of(await form_of(request), "seen")
    await live.store.write(spectators.read(live.id, player.id, min(seen, int(talk.seen))))
    return web.Response(status=204, headers={"Cache-Control": "no-store"})


async def _talk(request: web.Request, most: int) -> tuple[LiveBattle, Player | None, Talk]:
    """A battle, the reader, and what its spectators say.

    Raises: Refusal core.no-such-page for whoever may not read that, whatever was said; core.unknown-battle
    """
    live, player = await live_for(request)
    talk = spectators_talk(live, player, most)
    if talk is None:
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    return live, player, talk
