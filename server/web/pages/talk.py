"""The messages between the players of a battle: beside its board, and on a page of their own.

They are for the two players alone. How far each has read is kept by the server, so that what is new is marked on every
device; a stream tells the open pages of both that something was said.
"""

from aiohttp import web
from msgspec import Struct

from domain.basics.errors import Refusal
from server.acts.talk import MOST_BYTES, heard_by, talk
from server.entropy import new_secret
from server.people.players import Player
from server.play import access
from server.play.access import unknown_battle
from server.play.live_battle import LiveBattle
from server.store.tables import posts
from server.store.tables.posts import Post
from server.web import auth
from server.web.api.battles import live_for
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.forms import PostedForm, form_key, form_of, text
from server.web.pages.language import page_language
from server.web.pages.rendering import page, see
from server.web.problems import status_of
from server.words import sentence_of

BESIDE = 30
"""As many of the last messages stand beside the board; the page of its own has a hundred."""
LONGEST_NUMBER = 10
PLAYERS = "words"


class PostShown(Struct, frozen=True):
    """A message, as somebody reads it: `text` is "" if it was removed, `removable` its id if the reader may do that,
    `report` the page where they may report it, "" if there is none."""

    name: str
    at: str
    text: str
    mine: bool
    removable: str = ""
    report: str = ""


class Talk(Struct, frozen=True):
    """What was said, as somebody reads it: the last messages, oldest first. `of`: among whom, as addresses and
    sentences name it. `seen` is what a page sends back when all of them were in view, `unread` counts those of others
    that are new. `may`: the reader may say something, of `longest` characters; `why` is the sentence (its id) for a
    reader who may not."""

    of: str
    posts: tuple[PostShown, ...]
    seen: str
    unread: int
    may: bool
    why: str
    longest: int


def talk_of(live: LiveBattle, player: Player, side: str, most: int = BESIDE) -> Talk:
    """The messages of a battle, as the player who holds a side reads them."""
    seats = live.recording.battle.seats
    names = {name: seat.name for name, seat in seats.items()}
    shown = tuple(_post_view(one, names.get(one.side, ""), player) for one in heard_by(live, player, most))
    heard = posts.count_for(live.store, live.id, player.id) if shown else 0
    unread = posts.unread(live.store, player.id, [live.id]).get(live.id, 0) if heard else 0
    may = any(seats[other].kind == "person" for other in live.seats.others(side) if other in seats)
    return Talk(PLAYERS, shown, str(heard), unread, may, "desk.page.words.nobody", MOST_BYTES)


def _post_view(one: Post, name: str, player: Player) -> PostShown:
    is_own = one.player == player.id
    where = "" if is_own else f"/complain?kind=post&battle={one.battle}&item={one.id}"
    return PostShown(name, one.at, one.text, is_own, report=where)


async def show_words(request: web.Request) -> web.Response:
    """GET /battles/{id}/words: the messages between the players of a battle; for them alone, and read then."""
    live, player, side = await _own_table(request)
    shown = talk_of(live, player, side, 100)
    if shown.unread:
        await live.store.write(posts.read(live.id, player.id, int(shown.seen)))
    return words_page(request, live, shown)


async def post_words(request: web.Request) -> web.Response:
    """POST /battles/{id}/words: send a message to the other side; it goes there as a letter, too. One that was written
    beside the board (`beside`) leads back there."""
    auth.require_own_page(request)
    live, player, side = await _own_table(request)
    form = await form_of(request)
    spend(request, "words", player)
    acts, written = server_of(request).acts, text(form, "words").replace("\r\n", "\n")
    try:
        await talk(acts, player, live, side, written, form_key(form, server_of(request).entropy))
    except Refusal as refused:
        said = sentence_of(refused, page_language(request))
        return words_page(request, live, talk_of(live, player, side, 100), said, written, status_of(refused.code))
    return see(f"/battles/{live.id}#talk" if text(form, "beside") else f"/battles/{live.id}/words")


async def post_words_read(request: web.Request) -> web.Response:
    """POST /battles/{id}/words/read: the player has seen so many messages of the other one (`seen`)."""
    auth.require_own_page(request)
    live, player, _ = await _own_table(request)
    spend(request, "draft", player)
    seen = number_of(await form_of(request), "seen")
    await live.store.write(posts.read(live.id, player.id, min(seen, posts.count_for(live.store, live.id, player.id))))
    return web.Response(status=204, headers={"Cache-Control": "no-store"})


def number_of(form: PostedForm, name: str) -> int:
    """The number of a message, or of messages, in a form.

    Raises: Refusal core.bad-request
    """
    number = text(form, name)
    if not (number.isascii() and number.isdigit() and len(number) < LONGEST_NUMBER):
        raise Refusal("core.bad-request", "CORE-PARSE", reason=f"{name} is a number")
    return int(number)


async def _own_table(request: web.Request) -> tuple[LiveBattle, Player, str]:
    """A battle of the visitor's, and their side in it.

    Raises: Refusal core.unknown-battle for anybody else
    """
    live, player = await live_for(request)
    side = access.side_for(live, player)
    if player is None or not side:
        raise unknown_battle(live.id)
    return live, player, side


def words_page(
    request: web.Request, live: LiveBattle, shown: Talk, note: str = "", written: str = "", status: int = 200
) -> web.Response:
    """The page of what was said: with a `note` if the reader's words (`written`) were refused."""
    more = {"id": live.id, "talk": shown, "note": note, "written": written}
    return page(request, "words.html", status, key=new_secret(server_of(request).entropy), **more)
