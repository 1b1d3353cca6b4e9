"""Post in the press of a club or campaign, and take posts away: short, by members, moderated by who organises
(CAM-CLB-05)."""

from msgspec import Struct

from domain.basics.errors import Refusal
from replay.writing.clock import later
from server.acts.plain_text import readable
from server.acts.services import Services
from server.acts.talk import DAY_S, id_of
from server.entropy import new_secret
from server.people.players import Player
from server.store import Unmatched, Violated
from server.store.tables import blocks, press
from server.store.tables.press import PressPost

RULE = "CAM-CLB-05"
LONGEST, MOST_A_DAY, SHOWN = 500, 10, 50
"""Characters of a post; posts of one member a day; posts on a page."""


class PressRights(Struct, frozen=True):
    """What somebody may do in a press: write, and take others' posts away."""

    writes: bool
    moderates: bool


async def post_words(
    services: Services, player: Player, owner_kind: str, owner: str, rights: PressRights, written: str, key: str
) -> None:
    """Post something. The same `key` again posts it once.

    Raises: Refusal club.press-closed, core.no-words, club.words-too-long, club.too-many-posts
    """
    words = readable(written)
    if not rights.writes:
        raise Refusal("club.press-closed", RULE)
    if not words:
        raise Refusal("core.no-words", RULE)
    if len(words) > LONGEST:
        raise Refusal("club.words-too-long", RULE, most=LONGEST, length=len(words))
    key = key or new_secret(services.battles.entropy)
    id_, now = id_of(f"press\n{owner_kind}\n{owner}\n{player.id}\n{key}"), services.now()
    if press.find(services.store, id_) is not None:
        return
    if press.count_of(services.store, owner_kind, owner, player.id, later(now, -DAY_S)) >= MOST_A_DAY:
        raise Refusal("club.too-many-posts", RULE, most=MOST_A_DAY)
    try:
        await services.store.write(press.post(PressPost(id_, owner_kind, owner, player.id, now, words)))
    except Violated:  # posted a moment ago
        return


def posts_for(services: Services, player: Player | None, owner_kind: str, owner: str) -> list[PressPost]:
    """The newest posts, the newest first, without those of players whom the reader has blocked."""
    unheard = blocks.blocked_by(services.store, player.id) if player else ()
    found = press.of_owner(services.store, owner_kind, owner, limit=SHOWN)
    return [one for one in found if one.player not in unheard]


async def remove_post(
    services: Services, player: Player, owner_kind: str, owner: str, rights: PressRights, item: str
) -> None:
    """Take a post away: one's own, or as who moderates any.

    Raises: Refusal club.no-such-post
    """
    found = press.find(services.store, int(item)) if is_item(item) else None
    is_here = found is not None and (found.owner_kind, found.owner) == (owner_kind, owner)
    if found is None or not is_here or not (rights.moderates or found.player == player.id or player.administers):
        raise Refusal("club.no-such-post", RULE)
    try:
        await services.store.write(press.remove(found.id))
    except Unmatched:  # a moment ago
        return


def is_item(text: str) -> bool:
    """Whether a text is the number of a post."""
    return text.isascii() and text.isdigit() and len(text) <= 19
