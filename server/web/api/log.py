"""The log of a battle: its events, live or past, boards, the battle file, and what it takes to check it.

Events are sent as they are stored: bytes are copied, only the hash is spliced in.
"""

import asyncio
from typing import Any

from aiohttp import web

from domain.basics.errors import Refusal
from domain.events.battle import ContributionGiven, KeyDisclosed, MasterRevealed
from domain.log.fairness import PUBLIC
from domain.log.record import checkpoint_line, splice_hash
from replay.proof import notes
from server.play.access import side_for
from server.play.live_battle import LiveBattle
from server.play.rules_version import is_played_on
from server.running import Server
from server.web.api.battles import live_for
from server.web.api.exchange import JSON, answer, language_of, number_in_query, preferred
from server.web.api.messages import Contribution, Key, Proof
from server.web.kept import KeptAnswer
from server.web.keys import FILES, pictures_of, server_of
from server.web.limits import spend, spend_reading
from server.web.pictures import BoardKey
from server.web.reading_rate import FILE_COST, SHARED_COST
from server.web.waiting import reader

LINES = "application/jsonl"
SVG, PNG, TEXT = "image/svg+xml", "image/png", "text/plain"
FORMS = {JSON: "json", SVG: "svg", PNG: "png", TEXT: "text"}
"""The forms of a board, by media type."""
CHARSETS = {SVG: "utf-8", TEXT: "utf-8"}
MOST_LINES = 10_000
MINUTE_LINES = 20
"""Events that cost next to nothing: what a page asks for to see that its history is the same."""
FEW_LINES = 1_000
"""Events that cost no more than a page."""


async def list_events(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/events?after=&limit="""
    live, _ = await live_for(request)
    after = number_in_query(request, "after", 0)
    limit = number_in_query(request, "limit", MOST_LINES, 1, MOST_LINES)
    asked = min(limit, live.n - after)
    if asked > MINUTE_LINES:
        spend_reading(request, FILE_COST if asked > FEW_LINES else 1 - SHARED_COST)
    lines = live.lines(after, limit)
    headers = {"Phalera-Head": str(live.n)}
    if lines and lines[-1][0] < live.n:
        headers["Link"] = f'<{request.path}?after={lines[-1][0]}&limit={limit}>; rel="next"'
    body = b"".join(splice_hash(line, hash_) + b"\n" for _, hash_, line in lines)
    return web.Response(body=body, content_type=LINES, headers=headers)


# --- boards


async def show_board(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/board?n=&lang=: as the caller's side knew it after event n."""
    live, player = await live_for(request)
    media = preferred(request, tuple(FORMS))
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

    pictures, key = pictures_of(request), BoardKey(live.id, n, side, lang, FORMS[media])
    if media != JSON and not pictures.has(key):
        spend(request, "picture")
    board = await pictures.get(key, live.ruleset, known)
    return web.Response(body=board, content_type=media, charset=CHARSETS.get(media), headers=headers)


# --- file and proof


async def export_battle(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/export"""
    live, player = await live_for(request)
    headers = {"Content-Disposition": f'attachment; filename="{live.id}.battle"'}
    files = request.app[FILES]

    def begin() -> None:
        spend_reading(request, (FILE_COST if live.n > FEW_LINES else 1) - SHARED_COST)

    async with files.making.kept_or_turn(lambda: (live.id, live.n), *reader(request, player), begin) as (key, kept):
        made = kept
        if made is None:
            async with files.one_at_a_time:
                made = KeptAnswer(await battle_file(server_of(request), live))
            files.kept.keep(key, made)
    return web.Response(body=made.body, content_type=LINES, headers=headers)


async def battle_file(server: Server, live: LiveBattle) -> bytes:
    """The battle file: the stored bytes, and a checkpoint signed now over their last event. Nobody waits for it but
    whoever asks."""
    return await asyncio.to_thread(_battle_file, server, live)


def _battle_file(server: Server, live: LiveBattle) -> bytes:
    lines = server.store.read(live.id)
    out = [live.recording.header_line]
    out += [splice_hash(line, hash_) for _, hash_, line in lines]
    n, hash_ = (lines[-1][0], lines[-1][1]) if lines else (0, live.recording.head)
    out += [checkpoint_line(live.signed(n, hash_)), b""]
    return b"\n".join(out)


async def export_proof(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/export/proof: what is kept beside the battle file (docs/witnesses.md)."""
    live, _ = await live_for(request)
    proof = await asyncio.to_thread(server_of(request).witness.proof, server_of(request).store, live.id)
    if not proof:
        raise Refusal("core.not-logged", "CORE-FAIR", battle=live.id)
    headers = {"Content-Disposition": f'attachment; filename="{live.id}.battle.proof"'}
    return web.Response(text=proof, content_type=TEXT, headers=headers)


async def show_proof(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/proof"""
    live, player = await live_for(request)
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
    has_keys = is_played_on(live.recording.header) and not live.foreign_note
    over = range(live.recording.battle.period if has_keys else 0)
    secret = live.recording.secrets.keys
    hand = [
        Key(chain, index, secret.key(chain, index).hex())
        for side in held
        for chain in (f"hand:{side}",)
        for index in over
    ]
    proof = Proof(
        live.id,
        live.recording.header.key,
        notes.Verifier(live.recording.header.key).fingerprint(),
        live.recording.battle.commitment,
        tuple(contributions),
        tuple(keys),
        tuple(hand),
        master,
        live.note(),
        await asyncio.to_thread(server_of(request).witness.proof, server_of(request).store, live.id),
    )
    return answer(proof)
