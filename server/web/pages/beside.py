"""What a player has beside a board for themselves: the words of the two players, their own notes, and what is new.

A note belongs to one player and one battle. Nobody else is ever shown it: no opponent, no umpire, no host's page.
"""

from aiohttp import web
from msgspec import Struct

from domain.basics.errors import Refusal
from server.people.players import Player
from server.play import access
from server.play.live_battle import LiveBattle
from server.store.tables import notes
from server.web import auth
from server.web.api.battles import live_for
from server.web.api.exchange import answer
from server.web.limits import spend
from server.web.pages.away import Away, away_of
from server.web.pages.forms import form_of, text
from server.web.pages.rendering import see
from server.web.pages.talk import Talk, talk_of


class BesideBoard(Struct, frozen=True):
    """What stands beside the board for a player: what was said, and their note about the battle ("": none), and
    what has happened since they were here."""

    talk: Talk
    note: str
    away: Away


class NoteKept(Struct, frozen=True):
    """A note as it was kept."""

    text: str


def beside_of(live: LiveBattle, player: Player, side: str) -> BesideBoard:
    """What stands beside the board for the player who holds a side."""
    return BesideBoard(talk_of(live, player, side), notes.find(live.store, live.id, player.id), away_of(live, player))


async def post_note(request: web.Request) -> web.Response:
    """POST /battles/{id}/note: a player's note, which replaces the one that their page showed (`was`). If it was
    changed elsewhere since, both are kept, one below the other. The script of the page gets what was kept, a form leads
    back to the board."""
    auth.require_own_page(request)
    live, player = await live_for(request)
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    access.require_side(live, player)
    spend(request, "draft", player)
    form = await form_of(request)
    written, was = (text(form, name).replace("\r\n", "\n") for name in ("note", "was"))
    kept = both(notes.find(live.store, live.id, player.id), was, written)
    if len(kept) > notes.LONGEST:
        raise Refusal("core.bad-request", "CORE-PARSE", reason=f"a note has {notes.LONGEST} characters at most")
    statement = notes.keep(live.id, player.id, kept, live.now()) if kept.strip() else notes.forget(live.id, player.id)
    await live.store.write(statement)
    if text(form, "do"):
        return see(f"/battles/{live.id}#notes")
    return answer(NoteKept(kept))


def both(there: str, was: str, written: str) -> str:
    """What to keep of a note that is there and one that was written over another."""
    if not there.strip() or there in (was, written) or there in written:
        return written
    return f"{there}\n{written}"
