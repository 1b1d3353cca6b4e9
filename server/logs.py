"""Write the log of a server: one line for each record, as JSON or for people, without secrets.

Modules log by the standard `logging`; structlog forms the lines. What is logged while a request is answered has its
id. Tokens and addresses are replaced in every text, wherever they come from.

The lines of requests, by far the most, are formed here, in the same way; written are those of a quarter of a second
together.
"""

import asyncio
import logging
import re
import sys
from collections.abc import MutableMapping
from contextlib import nullcontext, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

FORMS = ("console", "json")
LEVELS = ("debug", "info", "warning", "error")

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that is being answered; "" outside of one."""

SECRETS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(/(?:login|confirm|unsubscribe)/)[^\s/?#\"'<>:,{}]+"), r"\1…"),
    (re.compile(r"(?i)\b(bearer\s+|phalera_session=|password=)[^\s;,\"']+"), r"\1…"),
    (re.compile(r"(?i)(\w+://[^\s:/@]+:)[^\s/@]+(?=@)"), r"\1…"),
    (re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)*"), "…@…"),
    (re.compile(r"(?<![\w-])(?:[0-9a-f]{32,}|[a-z2-7]{24}|[\w-]{40,})(?![\w-])"), "…"),
)
"""What is never written: tokens in links, headers and addresses, passwords in URLs, addresses, long random words."""


SHORTEST_TOKEN = 24


def without_secrets(text: str) -> str:
    """A text whose tokens, passwords and addresses are replaced."""
    if text.isalpha() and len(text) < SHORTEST_TOKEN:
        return text
    for pattern, shown in SECRETS:
        text = pattern.sub(shown, text)
    return text


METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
MORE = ("code", "limited", "client", "account")
"""Fields that not every request has."""
GATHERED_S = 0.25
"""How late the line of a request may be written."""
MOST_GATHERED = 1_000


class RequestRecord(logging.LogRecord):
    """The record of an answered request, with its id. `route` is the pattern of an address, never an address; `code`
    is that of a refusal, `limited` the limit behind it (`guest.address`); `client` and `account` are tags, never an
    address or an id."""

    def __init__(
        self,
        level: int,
        method: str,
        route: str,
        status: int,
        ms: float,
        code: str = "",
        limited: str = "",
        client: str = "",
        account: str = "",
    ) -> None:
        super().__init__("phalera.access", level, "", 0, "request", (), None)
        self.method = method
        self.route = route
        self.status = status
        self.ms = ms
        if code:
            self.code = code
        if limited:
            self.limited = limited
        if client:
            self.client = client
        if account:
            self.account = account
        self.request = REQUEST_ID.get()


class LogHandler(logging.StreamHandler[TextIO]):
    """Writes the lines: those of requests a moment later, together; all others at once. At the end of the process
    the standard module flushes it."""

    def __init__(self, stream: TextIO, form: str) -> None:
        super().__init__(stream)
        self.setFormatter(LogLines(form))
        self._gathered: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or keep it for a moment."""
        if not isinstance(record, RequestRecord):
            self._write_gathered()
            super().emit(record)
            return
        self._gathered.append(record)
        if len(self._gathered) == 1:
            try:
                asyncio.get_running_loop().call_later(GATHERED_S, self.flush)
            except RuntimeError:  # no loop: nobody would write it later
                self.flush()
        elif len(self._gathered) >= MOST_GATHERED or record.created - self._gathered[0].created > 2 * GATHERED_S:
            self.flush()

    def flush(self) -> None:
        """Write what is kept. Where nothing can be written, lines are lost: nobody is refused an answer for that."""
        with self.lock or nullcontext():
            self._write_gathered()
        with suppress(OSError, ValueError):  # a full disk, a reader that has gone, a closed stream
            super().flush()

    def handleError(self, record: logging.LogRecord) -> None:
        """Tell of a line that cannot be formed; one that cannot be written is lost."""
        if not self.stream.closed:
            super().handleError(record)

    def _write_gathered(self) -> None:
        gathered, self._gathered = self._gathered, []
        if gathered:
            try:
                self.stream.write("".join([f"{self.format(record)}\n" for record in gathered]))
            except Exception:
                self.handleError(gathered[-1])


def configure(form: str = "console", level: str = "info", stream: TextIO | None = None) -> None:
    """Send all records of this process from `level` on to a stream, standard error if none is named."""
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False  # no line shows what they find out
    root = logging.getLogger()
    root.handlers[:] = [LogHandler(stream or sys.stderr, form)]
    root.setLevel(level.upper())


def form() -> str:
    """The form of the lines of this process; "" if it writes none of ours."""
    formatters = (handler.formatter for handler in logging.getLogger().handlers)
    return next((lines.form for lines in formatters if isinstance(lines, LogLines)), "")


class LogLines(logging.Formatter):
    """One line for each record, as JSON or for people.

    structlog is imported with the first record: it takes a tenth of a second, and a server is ready without it.
    """

    def __init__(self, form: str) -> None:
        super().__init__()
        self.form = form
        self._made: logging.Formatter | None = None

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        if isinstance(record, RequestRecord) and record.method in METHODS:  # another one may be anything
            return self._of_request(record)
        if self._made is None:
            self._made = _formatter(self.form)
        return self._made.format(record)

    def _of_request(self, record: RequestRecord) -> str:
        """The very line that structlog would form, for a twentieth of the time; there is no secret in it."""
        time = f"{datetime.fromtimestamp(record.created, UTC).isoformat(timespec='microseconds')[:-6]}Z"
        level, method, status, ms = record.levelname.lower(), record.method, record.status, record.ms
        own = record.__dict__
        if self.form == "json":
            more = "".join([f'"{name}":"{own[name]}",' for name in MORE if name in own])
            return (
                f'{{"level":"{level}","logger":"{record.name}","method":"{method}","route":"{record.route}",'
                f'"status":{status},"ms":{ms},{more}"time":"{time}","request":"{record.request}","message":"request"}}'
            )
        more = "".join([f"{name}={own[name]} " for name in sorted(MORE) if name in own])
        return (
            f"{time} [{level:<9}] {'request':<20} [{record.name}] {more}method={method} ms={ms} "
            f"request={record.request} route={record.route} status={status}"
        )


def _formatter(form: str) -> logging.Formatter:
    import structlog

    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
        _add_request,
    ]
    clean: list[Any] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        _shorten,
        structlog.processors.format_exc_info,
        _redact,
    ]
    if form == "json":
        clean += [
            structlog.processors.EventRenamer("message"),
            structlog.processors.JSONRenderer(serializer=_json),
        ]
    else:
        clean.append(structlog.dev.ConsoleRenderer(colors=False, timestamp_key="time", pad_event_to=20))
    return structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=clean)


def _add_request(logger: Any, method: str, fields: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    if request := REQUEST_ID.get():
        fields.setdefault("request", request)
    return fields


DISK_FULL = "disk is full"


def _shorten(logger: Any, method: str, fields: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Tell of a full disk in a line: everybody who writes finds it full, and the log may be on it."""
    raised = fields.get("exc_info")
    if isinstance(raised, tuple) and DISK_FULL in str(raised[1]):
        del fields["exc_info"]
        fields["error"] = str(raised[1])
    return fields


OUR_OWN = frozenset({"level", "logger", "time", "request", "route", "client", "account"})
"""Fields that only the server writes: looking for secrets in them would be most of the work of a line."""


def _redact(logger: Any, method: str, fields: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for name, value in fields.items():
        if isinstance(value, str) and name not in OUR_OWN:
            fields[name] = without_secrets(value)
    return fields


def _json(fields: Any, **_: Any) -> str:
    import msgspec

    return msgspec.json.encode(fields, enc_hook=str).decode()
