"""Speak to a server by its API: requests with the player's token, answers as values, problems as sentences.

What a server sends is not trusted: an answer is bounded before it is read and decoded into the shapes below; what is
shown of it cannot steer a terminal. The token goes to its own server only; redirects are not followed.
"""

from collections.abc import AsyncIterator, Iterator
from http import HTTPStatus
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar
from urllib.parse import unquote

import aiohttp
import msgspec
from msgspec import Struct

from domain.basics.decoding import decode
from domain.contract.option import Option
from domain.events.battle import Seen
from server.remote.errors import NotDone

T = TypeVar("T")

API = "/api/v1"
JSON = "application/json"
KEY = "Idempotency-Key"
NOTICE = "Phalera-Notice"
LONGEST_NOTICE = 400
MOST_BYTES = 1 << 28
"""The longest answer that is read."""
PATIENCE_S = 60
QUIET_S = 90
"""How long a stream may be silent; a server says every few seconds that it is still there."""
EVENT_STREAM = "text/event-stream"
MOST_FRAME_BYTES = 2 << 20
"""The longest frame of a stream; an event has at most half of that."""
SPACES = "\n\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"


class Unanswered(NotDone):
    """The server did not answer, or not with an answer of its own: what was sent may have arrived or not."""


class Refused(NotDone):
    """The server refuses; `lines` are the results of the order lines, if orders were refused; `text` is the line that
    ought to be signed, where another signature came."""

    def __init__(self, sentence: str, code: str, lines: tuple["LineResult", ...] = (), text: str = "") -> None:
        super().__init__(sentence)
        self.code = code
        self.lines = lines
        self.text = text


class SeatNow(Struct, frozen=True):
    """The holder of a side, and whether its next ordinary order brings a contribution."""

    name: str
    kind: str
    mode: str
    yours: bool
    contributed: bool
    owes: bool


class QuestionNow(Struct, frozen=True):
    """What the rules ask of a side."""

    side: str
    kind: str
    unit: str
    options: tuple[str, ...]


class ClockNow(Struct, frozen=True):
    """A side's clock."""

    running: bool
    left_s: int
    deadline: str | None
    flagged: bool


class BattleNow(Struct, frozen=True):
    """A battle as its player knows it: the members of the server's answer that this client reads."""

    battle: str
    ruleset: str
    title: str
    n: int
    begun: bool
    phase: str
    turn: int
    t: int
    to_act: tuple[str, ...]
    waiting: QuestionNow | None
    draw_offer: str
    winner: str | None
    how: str
    seats: dict[str, SeatNow]
    side: str
    clocks: dict[str, ClockNow]
    parked: tuple[str, ...]
    head: Seen
    receipt: str


class LineResult(Struct, frozen=True):
    """What became of an order line."""

    line: int
    order: str
    status: str
    sentence: str = ""


class Given(Struct, frozen=True):
    """The answer to orders."""

    lines: tuple[LineResult, ...]
    again: bool


class LinesNamed(Struct, frozen=True):
    """Order lines in which players stand with their ids."""

    texts: tuple[str, ...]


class LegalOrders(Struct, frozen=True):
    """The legal orders of a side."""

    side: str
    options: tuple[Option, ...]


class LobbyBattle(Struct, frozen=True):
    """A battle in a list."""

    battle: str
    title: str
    status: str
    turn: int
    to_act: tuple[str, ...]
    winner: str | None
    seats: dict[str, str]
    deadline: str
    branch_n: int = 0
    disputed: int = 0
    judging: bool = False
    tags: tuple[str, ...] = ()


class OwnBattles(Struct, frozen=True):
    """The player's battles."""

    battles: tuple[LobbyBattle, ...]


class _Problem(Struct, frozen=True):
    code: str
    detail: str
    rule: str = ""
    lines: tuple[LineResult, ...] = ()
    params: dict[str, Any] = {}


class HttpAnswer(NamedTuple):
    """An answer that is not a problem."""

    content: bytes
    headers: Any


class ServerConnection:
    """Requests of one player, or with the token "" of a stranger, to one server."""

    def __init__(self, address: str, token: str, lang: str = "en") -> None:
        self.address = address
        self._headers = {"Accept-Language": lang} | ({"Authorization": f"Bearer {token}"} if token else {})
        self._session: aiohttp.ClientSession | None = None
        self.notice = ""  # what the host tells everybody, as the last answer has it
        self.told: tuple[str, ...] = ()  # what was seen on the way and stops nobody

    async def __aenter__(self) -> Self:
        timeout = aiohttp.ClientTimeout(total=PATIENCE_S)
        self._session = aiohttp.ClientSession(headers=self._headers, timeout=timeout)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, reason: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def read(self, path: str, kind: type[T]) -> T:
        """GET a value.

        Raises: Refused, Unanswered
        """
        return _decoded((await self.ask("GET", path)).content, kind)

    async def send(self, path: str, body: bytes, kind: type[T], key: str = "") -> T:
        """POST a JSON body, with a key under which it is done once.

        Raises: Refused, Unanswered
        """
        headers = {"Content-Type": JSON} | ({KEY: key} if key else {})
        return _decoded((await self.ask("POST", path, body, headers)).content, kind)

    async def ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> HttpAnswer:
        """Any request below `/api/v1`.

        Raises: Refused, Unanswered
        """
        assert self._session is not None, "a connection is used within `async with`"
        url = f"{self.address}{API}{path}"
        try:
            async with self._session.request(
                method, url, data=body, headers=headers, allow_redirects=False
            ) as response:
                content = await _bounded(response)
                status, found = response.status, response.headers
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as reason:
            raise _unanswered(self.address, reason) from None
        self.notice = visible(unquote(found.get(NOTICE, ""))[:LONGEST_NOTICE])
        if 200 <= status < 300:
            return HttpAnswer(content, found)
        raise _refusal(self.address, status, content)

    async def stream(self, path: str) -> AsyncIterator[tuple[bytes, ...]]:
        """The data of server-sent events, as many at a time as have come; () for a sign of life. It ends when the
        server ends it.

        Raises: Refused, Unanswered
        """
        assert self._session is not None, "a connection is used within `async with`"
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=PATIENCE_S, sock_read=QUIET_S)
        url, headers = f"{self.address}{API}{path}", {"Accept": EVENT_STREAM}
        try:
            async with self._session.get(url, headers=headers, timeout=timeout, allow_redirects=False) as response:
                if response.status != HTTPStatus.OK:
                    raise _refusal(self.address, response.status, await _bounded(response))
                if response.content_type != EVENT_STREAM:
                    raise ValueError(f"a stream of type {response.content_type}")
                kept = b""
                async for piece in response.content.iter_any():
                    *frames, kept = (kept + piece).split(b"\n\n")
                    if len(kept) > MOST_FRAME_BYTES:
                        raise ValueError(f"a frame of more than {MOST_FRAME_BYTES} bytes")
                    yield tuple(line for frame in frames for line in _data(frame))
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as reason:
            raise _unanswered(self.address, reason) from None


def _data(frame: bytes) -> Iterator[bytes]:
    """The data of a frame; ours have one line of it. A frame with a name is not of the log."""
    lines = frame.split(b"\n")
    if any(line.startswith(b"event:") for line in lines):
        return iter(())
    return (line.removeprefix(b"data: ") for line in lines if line.startswith(b"data: "))


def _unanswered(address: str, reason: Exception) -> Unanswered:
    why = visible(str(reason)) or type(reason).__name__
    return Unanswered(f"{address} does not answer ({why}).")


def visible(text: str) -> str:
    """A text of the server's that cannot steer a terminal."""
    return "".join(letter if letter.isprintable() or letter in SPACES else "?" for letter in text)


async def _bounded(response: aiohttp.ClientResponse) -> bytes:
    pieces, size = [], 0
    async for piece in response.content.iter_chunked(1 << 16):
        size += len(piece)
        if size > MOST_BYTES:
            raise ValueError(f"an answer of more than {MOST_BYTES} bytes")
        pieces.append(piece)
    return b"".join(pieces)


def _decoded(content: bytes, kind: type[T]) -> T:
    try:
        return decode(content, kind)
    except (msgspec.DecodeError, RecursionError) as reason:
        raise Unanswered(f"The answer of the server cannot be read ({visible(str(reason))}).") from None


def _refusal(address: str, status: int, content: bytes) -> NotDone:
    """A problem document as what it means for the player; a server that is busy has not answered."""
    try:
        problem = decode(content, _Problem)
    except (msgspec.DecodeError, RecursionError):
        return Unanswered(f"{address} answers with status {status}, which is not an answer of Phalera.")
    code, rule = visible(problem.code), visible(problem.rule)
    sentence = f"{visible(problem.detail)} ({code}{f', {rule}' if rule else ''})"
    if status >= 500:
        return Unanswered(sentence)
    if status == 401:
        sentence += f" Another token: phalera remote login {address}"
    text = problem.params.get("text", "")
    return Refused(sentence, code, problem.lines, text if isinstance(text, str) else "")
