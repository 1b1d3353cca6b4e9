"""Keeps the bytes of answers as long as there is room.

What an answer shows is its key: the battle, its last event, the side, the language and whatever else it depends on. So
an answer never has to be taken back; when its battle has gone on, nobody asks for it any more and it makes room.
"""

from collections import OrderedDict
from collections.abc import Hashable, Mapping
from hashlib import blake2b

from aiohttp import web
from msgspec import Struct

PICTURE_BYTES, ANSWER_BYTES = 32 << 20, 16 << 20
"""The room for pictures, and for views and pages: some hundred of them."""
TAG_BYTES = 12


class KeptAnswer(Struct, frozen=True):
    """The body of an answer. `tag` is its entity tag, equal for equal bodies, "" if it has none; `packed` is the body
    compressed, b"" if it is not kept so."""

    body: bytes
    tag: str = ""
    packed: bytes = b""

    @property
    def size(self) -> int:
        """The bytes that it takes."""
        return len(self.body) + len(self.packed)


class KeptAnswers:
    """Answers by what they show. Those not asked for longest make room."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._answers: OrderedDict[Hashable, KeptAnswer] = OrderedDict()

    def get(self, key: Hashable) -> KeptAnswer | None:
        """The answer to a question, if it is there."""
        answer = self._answers.get(key)
        if answer is not None:
            self._answers.move_to_end(key)
        return answer

    def keep(self, key: Hashable, answer: KeptAnswer) -> None:
        """Keep an answer; it replaces what was kept under its key."""
        replaced = self._answers.pop(key, None)
        self.bytes += answer.size - (replaced.size if replaced else 0)
        self._answers[key] = answer
        while self.bytes > self.most_bytes:
            _, oldest = self._answers.popitem(last=False)
            self.bytes -= oldest.size


def tag_of(body: bytes) -> str:
    """The entity tag of a body, as it stands in a header."""
    return f'"{blake2b(body, digest_size=TAG_BYTES).hexdigest()}"'


def is_known(request: web.Request, tag: str) -> bool:
    """Whether the caller has what a tag stands for (`If-None-Match`)."""
    known = request.headers.get("If-None-Match", "")
    return bool(tag) and tag in (one.strip().removeprefix("W/") for one in known.split(","))


def served(request: web.Request, answer: KeptAnswer, content_type: str, headers: Mapping[str, str]) -> web.Response:
    """An answer with its tag; 304 without the body for a caller who has it."""
    tagged = {**headers, "ETag": answer.tag}
    if is_known(request, answer.tag):
        return web.Response(status=304, headers=tagged)
    return web.Response(body=answer.body, content_type=content_type, headers=tagged)
