"""The log of this host as static files, and this host as a witness of others (C2SP tlog-tiles, tlog-witness)."""

import asyncio
import re

from aiohttp import web

from domain.basics.errors import Refusal
from domain.basics.pace import moment_of
from server.running import Server
from server.store.tables import campaigns, closings
from server.web.api.exchange import answer
from server.web.api.witness_messages import LoggedBattle
from server.web.bodies import bytes_of
from server.web.keys import server_of
from server.witness.alone import answered, as_http
from server.witness.host_log import CHECKPOINT, FOLDER

TILE = re.compile(r"(?:[0-9]{1,2}|entries)/(?:x[0-9]{3}/){0,5}[0-9]{3}(?:\.p/[0-9]{1,3})?")
FOR_EVER = "public, max-age=31536000, immutable"
NAME = re.compile("[0-9a-f]{64}")


async def show_checkpoint(request: web.Request) -> web.Response:
    """GET /tlog/checkpoint"""
    return await _file(request, CHECKPOINT, "text/plain", "no-cache")


async def show_tile(request: web.Request) -> web.Response:
    """GET /tlog/tile/{tile}"""
    tile = request.match_info["tile"]
    if not TILE.fullmatch(tile):
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    return await _file(request, f"tile/{tile}", "application/octet-stream", FOR_EVER)


async def _file(request: web.Request, name: str, media: str, cache: str) -> web.Response:
    path = server_of(request).settings.data / FOLDER / name
    try:
        content = await asyncio.to_thread(path.read_bytes)
    except OSError:
        raise Refusal("core.no-such-page", "CORE-ACCESS") from None
    return web.Response(body=content, content_type=media, headers={"Cache-Control": cache})


async def add_checkpoint(request: web.Request) -> web.Response:
    """POST /witness/add-checkpoint"""
    server = server_of(request)
    body = await bytes_of(request)

    def now_s() -> int:
        return moment_of(server.clock.now()) // 1000

    parts = server.witness
    return as_http(await asyncio.to_thread(lambda: answered(body, parts.file, parts.cosigner, now_s)))


async def show_witness_key(request: web.Request) -> web.Response:
    """GET /witness/key"""
    parts = server_of(request).witness
    return web.Response(text=await asyncio.to_thread(lambda: parts.cosigner.key.text() + "\n"))


async def show_logged(request: web.Request) -> web.Response:
    """GET /api/v1/logged/{name}: the head of a battle or a campaign by its name in the log, which tells nothing of
    a private id."""
    name = request.match_info["name"]
    found = await asyncio.to_thread(_logged, server_of(request), name) if NAME.fullmatch(name) else None
    if found is None:
        raise Refusal("core.unknown-battle", "CORE-ACCESS", battle=name[:64])
    return answer(found)


def _logged(server: Server, name: str) -> LoggedBattle | None:
    battle = server.witness.log.file.battle_named(name) if server.witness.has_log else ""
    n = campaigns.count_of(server.store, battle) if battle else 0
    if n:
        return LoggedBattle(n, (campaigns.hash_of(server.store, battle, n) or b"").hex())
    head = server.store.head(battle) if battle else None
    closing = closings.find(server.store, battle) if battle else None
    if head is None or not head.n or (closing is not None and closing.how == closings.REMOVED):
        return None
    return LoggedBattle(head.n, head.hash.hex())
