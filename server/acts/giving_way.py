"""Cancel the battle that another one makes needless: the same with another army (`server.acts.bring`)."""

from server.acts.services import Services
from server.play.live_battle import LiveBattle
from server.store.tables import closings, invitations


async def give_way(services: Services, live: LiveBattle) -> None:
    """Cancel what a battle that has just begun leaves behind: the one in whose place it stands, with another army; or
    those that would have stood in its own."""
    if not live.recording.battle.begun or live.recording.battle.ended:
        return
    others = invitations.followers(live.store, live.id)
    if others:
        await services.store.write(invitations.end_followers(live.id))
    if first := invitations.followed(live.store, live.id):
        others.append(first)
    for other in others:
        await cancelled(await services.battles.get(other))


async def cancelled(live: LiveBattle) -> None:
    """Cancel a battle, unless it has begun."""
    if _stands(live):  # also a rematch's first battle, whose lock is held by whoever asks for the rematch
        return
    async with live.lock:
        await live.freshen()
        if not _stands(live):
            await live.close(closings.CANCELLED)


def _stands(live: LiveBattle) -> bool:
    return live.recording.battle.begun or bool(live.closed)
