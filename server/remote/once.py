"""Ask a server for something that is done once: the key of a request is kept until its answer comes, so that the same
command after no answer is the same request."""

from hashlib import sha256
from typing import TypeVar

import msgspec
from msgspec import Struct

from replay.writing.entropy import Entropy
from server.entropy import new_secret
from server.remote.connection import ServerConnection, Unanswered
from server.remote.errors import NotDone
from server.remote.state import BattleFiles, ServerFolder, read_kept, write_kept

T = TypeVar("T")


class UnansweredRequest(Struct, frozen=True):
    """A request that has had no answer yet: its key, and the digest (hex) of its address and body."""

    key: str
    digest: str


async def send_once(
    connection: ServerConnection,
    place: BattleFiles | ServerFolder,
    path: str,
    body: object,
    kind: type[T],
    entropy: Entropy,
    same: object = None,
) -> T:
    """POST something about a battle, or for one that is not there yet.

    Shape:  `same` what makes another body the same request: a line that is signed anew
    Raises: Refused, Unanswered (the same again goes on), NotDone
    """
    content = msgspec.json.encode(body)
    digest = sha256(path.encode() + (content if same is None else msgspec.json.encode(same))).hexdigest()
    kept = read_kept(place.asked, UnansweredRequest)
    if kept is None or kept.digest != digest:
        kept = UnansweredRequest(new_secret(entropy), digest)
        (place.server if isinstance(place, BattleFiles) else place).keep_folder()
        write_kept(place.asked, kept)
    try:
        found = await connection.send(path, content, kind, kept.key)
    except Unanswered:
        raise
    except NotDone:
        place.asked.unlink(missing_ok=True)
        raise
    place.asked.unlink(missing_ok=True)
    return found
