"""Talk to the others.

The words go to the players of the other sides by letter, and stand beside the board; nobody sees an address. They are
not part of the battle's log.
"""

from hashlib import sha256

from domain.basics.errors import Refusal
from domain.run.seats import Seat
from replay.writing.clock import later
from server.acts.plain_text import readable
from server.acts.services import Services
from server.people.players import Player
from server.play.live_battle import LiveBattle
from server.play.request import key_reused
from server.store import Violated
from server.store.tables import blocks, outbox, posts
from server.store.tables.outbox import LetterKind
from server.store.tables.posts import Post

RULE = "CORE-TALK"
MOST_BYTES = 4096
MOST_A_DAY = 30
DAY_S = 24 * 3600
ID_BITS = 62
"""An id is a positive number that the store holds as it is."""


async def talk(services: Services, player: Player, live: LiveBattle, side: str, text: str, key: str) -> str:
    """Relay words of a side to the players of the others; gives their names. The same `key` again sends them only once.

    Raises: Refusal core.no-words, core.words-too-long, core.nobody-there, core.no-reader, core.too-many-words,
            core.key-reused
    """
    words, others = _usable(text), _hearers(live, side)
    names = ", ".join(other.name for other in others)
    id_, now = id_of(f"{player.id}\n{key}"), services.now()
    if (known := posts.find(services.store, id_)) is not None:
        if known.text != words or known.battle != live.id:
            raise key_reused()
        return names
    since = later(now, -DAY_S)
    said = [post for post in posts.of_battle(services.store, live.id) if post.side == side and post.at > since]
    if len(said) >= MOST_A_DAY:
        raise too_many()
    kind, of = f"{LetterKind.SAY}:{id_}", dict.fromkeys(other.player for other in others)
    heard = [one for one in of if not blocks.is_blocked(services.store, player.id, [one])]  # others are told nothing
    rows = [outbox.post(live.id, live.n, one, kind, now) for one in heard]
    try:
        await services.store.write(posts.post(id_, live.id, side, player.id, now, words), *rows)
    except Violated:  # said a moment ago
        return names
    if heard:
        services.ring()
        live.heard()
    return names


def heard_by(live: LiveBattle, player: Player, most: int) -> list[Post]:
    """The last messages of a battle, oldest first, without those of players whom the reader has blocked."""
    unheard = blocks.blocked_by(live.store, player.id)
    return [one for one in posts.of_battle(live.store, live.id, most) if one.player not in unheard]


def id_of(said: str) -> int:
    """The number under which words are kept; the same words under the same key have the same one."""
    return int.from_bytes(sha256(said.encode()).digest()) >> (256 - ID_BITS)


def too_many() -> Refusal:
    """The refusal of more words than somebody may say in a battle on a day."""
    return Refusal("core.too-many-words", RULE, most=MOST_A_DAY)


def _usable(text: str) -> str:
    """Words in a form fit for somebody else's eyes.

    Raises: Refusal core.no-words, core.words-too-long
    """
    words = readable(text)
    if not words:
        raise Refusal("core.no-words", RULE)
    if len(words.encode()) > MOST_BYTES:
        raise Refusal("core.words-too-long", RULE, most=MOST_BYTES, bytes=len(words.encode()))
    return words


def _hearers(live: LiveBattle, side: str) -> list[Seat]:
    """The persons at the other sides.

    Raises: Refusal core.nobody-there, core.no-reader
    """
    seats = live.recording.battle.seats
    others = [seats[other] for other in live.seats.others(side) if other in seats]
    if not others:
        raise Refusal("core.nobody-there", RULE, battle=live.id)
    persons = [other for other in others if other.kind != "bot"]
    if not persons:
        raise Refusal("core.no-reader", RULE)
    return persons
