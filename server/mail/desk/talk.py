"""Messages between the players of a battle.

The words go to the other side's player by letter; neither sees an address. They are not part of the battle's log.
"""

import unicodedata
from hashlib import sha256

from domain.engine.message import Message
from domain.engine.state import OTHER
from server.clock import later
from server.mail.desk.caller import Caller, Declined
from server.mail.desk.desk import Desk
from server.mail.verdict import MailRequest
from server.play.live_battle import LiveBattle
from server.store import Violated
from server.store.tables import blocks, outbox, posts
from server.store.tables.outbox import LetterKind

MOST_BYTES = 4096
MOST_A_DAY = 30
DAY_S = 24 * 3600
ID_BITS = 62
"""An id is a positive number that the store holds as it is."""


async def say(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message:
    """`say TEXT`, a `message` block, or a reply to such a letter.

    Raises: Declined desk.say-what, desk.say-too-long, desk.say-nobody, desk.say-bot, desk.say-too-often
    """
    battle, text = request.args if len(request.args) == 2 else ("", *request.args)
    live, side = await desk.own(caller, battle)
    name = await speak(desk, live, side, caller.account.player, text, key)
    return Message("desk.did.say", {"name": name})


async def speak(desk: Desk, live: LiveBattle, side: str, player: str, text: str, key: str) -> str:
    """Relay words of a side to the other's player; returns the other's name. The same `key` again sends them only once.

    Raises: Declined, as `say`
    """
    words = readable(text)
    if not words:
        raise Declined("desk.say-what")
    if len(words.encode()) > MOST_BYTES:
        raise Declined("desk.say-too-long", most=MOST_BYTES, bytes=len(words.encode()))
    other = live.recording.battle.seats.get(OTHER[side])
    if other is None:
        raise Declined("desk.say-nobody", battle=live.id)
    if other.kind == "bot":
        raise Declined("desk.say-bot")
    now = desk.now()
    id_ = int.from_bytes(sha256(f"{player}\n{key}".encode()).digest()) >> (256 - ID_BITS)
    if posts.find(desk.store, id_) is not None:
        return other.name
    since = later(now, -DAY_S)
    said = [post for post in posts.of_battle(desk.store, live.id) if post.side == side and post.at > since]
    if len(said) >= MOST_A_DAY:
        raise Declined("desk.say-too-often", most=MOST_A_DAY)
    is_heard = not blocks.is_blocked(desk.store, player, [other.player])  # else it is kept, and nobody is told
    row = [outbox.post(live.id, live.n, other.player, f"{LetterKind.SAY}:{id_}", now)] if is_heard else []
    try:
        await desk.store.write(posts.post(id_, live.id, side, player, now, words), *row)
    except Violated:  # said a moment ago
        return other.name
    if not is_heard:
        return other.name
    desk.ring()
    live.heard()
    return other.name


def readable(text: str) -> str:
    """A text in displayable form: NFC, line feeds kept, no other control characters or invisible marks."""
    lines = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\t", " ")).split("\n")
    return "\n".join("".join(filter(_is_visible, line)).rstrip() for line in lines).strip()


def _is_visible(letter: str) -> bool:
    """Whether a character is not a control, format (direction marks, zero widths) or surrogate character."""
    return letter.isprintable() or unicodedata.category(letter) in ("Zs", "Co")
