"""Say something to the others who watch a battle. Its players hear nothing of it before it is over (decision 22)."""

from domain.basics.errors import Refusal
from replay.writing.clock import later
from server.acts.plain_text import readable
from server.acts.talk import DAY_S, MOST_A_DAY, RULE, id_of, too_many
from server.people.players import Player
from server.play.access import is_over, speaks_as_spectator
from server.play.live_battle import LiveBattle
from server.store import Violated
from server.store.tables import spectators

SPECTATORS = "spectators"
LONGEST = 1000
"""Characters of what a spectator says at once."""


async def remark(live: LiveBattle, player: Player, written: str, key: str) -> None:
    """Say something as a spectator. The same `key` again says it once.

    Raises: Refusal core.remarks-over, core.umpire-silent, core.no-words, core.remark-too-long, core.too-many-words
    """
    words = readable(written)
    if not speaks_as_spectator(live, player):
        raise Refusal(why_not(live), RULE)
    if not words:
        raise Refusal("core.no-words", RULE)
    if len(words) > LONGEST:
        raise Refusal("core.remark-too-long", RULE, most=LONGEST, length=len(words))
    id_, now = id_of(f"{SPECTATORS}\n{live.id}\n{player.id}\n{key}"), live.now()
    if spectators.is_said(live.store, id_):
        return
    if spectators.count_since(live.store, live.id, player.id, later(now, -DAY_S)) >= MOST_A_DAY:
        raise too_many()
    try:
        await live.store.write(*spectators.say(id_, live.id, player.id, now, words))
    except Violated:  # said a moment ago
        return
    live.tell_spectators()


def why_not(live: LiveBattle) -> str:
    """Why somebody who may read the spectators' words may say none: the code of the refusal."""
    return "core.remarks-over" if is_over(live) else "core.umpire-silent"
