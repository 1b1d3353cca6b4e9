"""The log of a battle: its events, live or past, boards, the battle file, and what it takes to check it.

Events are sent as they are stored: bytes are copied, only the hash is spliced in.
"""

import asyncio
from typing import Any

from aiohttp import ClientConnectionResetError, web

from domain.engine.errors import Refusal
from domain.engine.events import ContributionGiven, KeyDisclosed, MasterRevealed
from domain.log.fairness import PUBLIC
from domain.log.record import checkpoint_line, splice_hash
from replay.proof import notes
from server.play.access import side_for
from server.play.live_battle import LiveBattle, StoredLine
from server.play.recording import Batch
from server.running import Server
from server.web.api.battles import live_for
from server.web.api.exchange import JSON, answer, language_of, number_in_query, preferred
from server.web.api.messages import Contribution, Key, Proof
from server.web.keys import pictures_of, server_of, streams_of
from server.web.limits import spend, spend_reading
from server.web.pictures import BoardKey
from server.web.reading_rate import FILE_COST

LINES = "application/jsonl"
SVG, PNG, TEXT = "image/svg+xml", "image/png", "text/plain"
FORMS = {JSON: "json", SVG: "svg", PNG: "png", TEXT: "text"}
"""The forms of a board, by media type."""
CHARSETS = {SVG: "utf-8", TEXT: "utf-8"}
EVENT_STREAM = "text/event-stream"
MOST_LINES = 10_000
FEW_LINES = 1_000
"""Events that cost no more than a page."""
AT_ONCE = 500
"""Events per chunk of a stream."""


async def list_events(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/events?after=&limit="""
    live, _ = await live_for(request)
    after = number_in_query(request, "after", 0)
    limit = number_in_query(request, "limit", MOST_LINES, 1, MOST_LINES)
    if min(limit, live.n - after) > FEW_LINES:
        spend_reading(request, FILE_COST)
    lines = live.lines(after, limit)
    headers = {"Phalera-Head": str(live.n)}
    if lines and lines[-1][0] < live.n:
        headers["Link"] = f'<{request.path}?after={lines[-1][0]}&limit={limit}>; rel="next"'
    body = b"".join(splice_hash(line, hash_) + b"\n" for _, hash_, line in lines)
    return web.Response(body=body, content_type=LINES, headers=headers)


# --- live


async def stream_events(request: web.Request) -> web.StreamResponse:
    """GET /api/v1/battles/{id}/stream: from `Last-Event-ID` on, or from now; ends when the server stops."""
    live, _ = await live_for(request)
    streams, heartbeat_s = streams_of(request), server_of(request).settings.heartbeat_s
    after = _last_seen(request, live)
    bell, loop = asyncio.Event(), asyncio.get_running_loop()

    def ring(_: LiveBattle, batch: Batch) -> None:
        bell.set()

    response = web.StreamResponse(
        headers={"Content-Type": EVENT_STREAM, "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    )
    live.listeners.add(ring)
    streams.bells.add(bell)
    try:
        await response.prepare(request)
        await response.write(b": after %d\n\n" % after)
        while not streams.stopping:
            bell.clear()
            if after < live.n:
                after, frames = _frames(live, after)
                await response.write(frames)
                continue
            timer = loop.call_later(heartbeat_s, bell.set)  # a tenth of the cost of `wait_for`, for each watcher
            await bell.wait()
            timer.cancel()
            if loop.time() >= timer.when():
                await response.write(b": still here\n\n")
    except (ConnectionResetError, ClientConnectionResetError):
        pass
    finally:
        streams.bells.discard(bell)
        live.listeners.discard(ring)
    return response


def _last_seen(request: web.Request, live: LiveBattle) -> int:
    seen = request.headers.get("Last-Event-ID")
    if seen is None:
        return number_in_query(request, "after", live.n)
    if not (seen.isascii() and seen.isdigit() and len(seen) < 17):
        raise Refusal("core.bad-query", "CORE-PARSE", reason="Last-Event-ID is the number of an event")
    return int(seen)


def _frames(live: LiveBattle, after: int) -> tuple[int, bytes]:
    """The next events of a stream, and the last of them. Those who watch a battle are nearly all at the same place:
    what was made for one is kept for the others."""
    kept = live.frames
    if kept is None or kept[:2] != (after, live.n):
        lines = live.lines(after, AT_ONCE)
        kept = live.frames = (after, live.n, lines[-1][0], b"".join(map(_frame, lines)))
    return kept[2:]


def _frame(line: StoredLine) -> bytes:
    n, hash_, event = line
    return b"id: %d\ndata: %b\n\n" % (n, splice_hash(event, hash_))


# --- boards


async def show_board(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/board?n=&lang=: as the caller's side knew it after event n."""
    live, player = await live_for(request)
    media = preferred(request, tuple(FORMS))
    if media != JSON:
        spend(request, "picture")
    side = side_for(live, player, request.query.get("side", ""))
    n = number_in_query(request, "n", live.n)
    if n > live.n:
        raise Refusal("core.no-such-event", "CORE-ORDER", n=n, last=live.n)
    if n < live.n:
        await live.remember()
    lang = language_of(request)
    headers = {"Phalera-Event": str(n), "Content-Language": lang, "Vary": "Accept, Accept-Language"}

    def known() -> Any:
        return live.ruleset.secrets.known(live.recording.timeline.at(n).game, side)

    board = await pictures_of(request).get(BoardKey(live.id, n, side, lang, FORMS[media]), live.ruleset, known)
    return web.Response(body=board, content_type=media, charset=CHARSETS.get(media), headers=headers)


# --- file and proof


async def export_battle(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/export"""
    live, _ = await live_for(request)
    if live.n > FEW_LINES:
        spend_reading(request, FILE_COST)
    content = await battle_file(server_of(request), live)
    headers = {"Content-Disposition": f'attachment; filename="{live.id}.battle"'}
    return web.Response(body=content, content_type=LINES, headers=headers)


async def battle_file(server: Server, live: LiveBattle) -> bytes:
    """The battle file: the stored bytes, and a checkpoint signed now over their last event."""
    lines = await asyncio.to_thread(server.store.read, live.id)
    out = [live.recording.header_line]
    out += [splice_hash(line, hash_) for _, hash_, line in lines]
    n, hash_ = (lines[-1][0], lines[-1][1]) if lines else (0, live.recording.head)
    origin = notes.origin(live.recording.header.host, live.id)
    note = live.foreign_note or notes.sign_head(server.signer, notes.Head(origin, n, hash_))
    out += [checkpoint_line(note), b""]
    return b"\n".join(out)


async def show_proof(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/proof"""
    live, player = await live_for(request)
    server = server_of(request)
    held = live.recording.battle.seat_of(player.id) if player else ()
    await live.remember()
    contributions, keys, master = [], [], None
    for recorded in live.recording.timeline.events:
        event = recorded.event
        if isinstance(event, ContributionGiven) and event.side in held:
            contributions.append(Contribution(recorded.n, event.side, event.t, event.kind, event.value, event.phrase))
        elif isinstance(event, KeyDisclosed):
            keys.append(Key(PUBLIC, event.index, event.key))
        elif isinstance(event, MasterRevealed):
            master = event.master
    over = range(0 if live.foreign_note else live.recording.battle.period)
    secret = live.recording.secrets.keys
    hand = [
        Key(chain, index, secret.key(chain, index).hex())
        for side in held
        for chain in (f"hand:{side}",)
        for index in over
    ]
    proof = Proof(
        live.id,
        server.signer.key,
        notes.Verifier(server.signer.key).fingerprint(),
        live.recording.battle.commitment,
        tuple(contributions),
        tuple(keys),
        tuple(hand),
        master,
        live.note(server.signer),
    )
    return answer(proof)
