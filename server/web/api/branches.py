"""Branches over HTTP: open one, and see what has branched from a battle."""

from collections.abc import Sequence

from aiohttp import web

from projections.lobby import LobbyEntry
from server.people.players import Player
from server.play.branching import open_branch
from server.play.live_battle import LiveBattle
from server.running import Server
from server.store.tables import holdings
from server.web.api.battles import head_of, listed, live_for
from server.web.api.branch_messages import Branches, OpenBranch
from server.web.api.exchange import answer, body_of
from server.web.api.messages import Opened
from server.web.auth import require_caller
from server.web.keys import server_of
from server.web.limits import spend, spend_reading
from server.web.reading_rate import FILE_COST


async def post_branch(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/branch"""
    player = require_caller(request)
    live, _ = await live_for(request)
    server = server_of(request)
    wanted = await body_of(request, OpenBranch)
    spend(request, "battle", player)
    new = await open_branch(server.battles, live, player, wanted.n, wanted.readers or "")
    url = f"{server.settings.base}/api/v1/battles/{new.id}"
    opened = Opened(new.id, url, new.recording.battle.commitment, head_of(new), new.note())
    return answer(opened, 201, {"Location": url})


async def list_branches(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/branches"""
    live, player = await live_for(request)
    spend_reading(request, FILE_COST)
    entries = await tree_of(server_of(request), live, player)
    return answer(Branches(live.id, entries[0].battle if entries else live.id, tuple(map(listed, entries))))


async def tree_of(server: Server, live: LiveBattle, player: Player | None) -> Sequence[LobbyEntry]:
    """The battles that a battle branches from, and all that branch from these, as far as a player may read them: each
    behind its source."""
    tree = await server.lobby.tree(live.id)
    seen = {entry.battle: entry for entry in tree if entry.battle == live.id or _may_list(live, entry, player)}
    root = live.id
    while seen.get(root) and seen[root].branch_of in seen:
        root = seen[root].branch_of
    found, behind = list[LobbyEntry](), [root]
    while behind:
        entry = seen.pop(behind.pop(), None)
        if entry is not None:
            found.append(entry)
            behind += [other.battle for other in tree if other.branch_of == entry.battle and other.battle in seen]
    return found


def _may_list(live: LiveBattle, entry: LobbyEntry, player: Player | None) -> bool:
    """Whether a battle is listed to a player: whoever has no side of it must find it by themselves, unless it is
    public."""
    if entry.readers == "public":
        return True
    if player is None:
        return False
    return (
        any(seat.player == player.id for seat in entry.seats) or holdings.opener(live.store, entry.battle) == player.id
    )
