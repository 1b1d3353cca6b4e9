"""Write the log of a server: one line for each record, as JSON or for people, without secrets.

Modules log by the standard `logging`; structlog forms the lines. What is logged while a request is answered has its
id. Tokens and addresses are replaced in every text, wherever they come from.
"""

import logging
import re
import sys
from collections.abc import MutableMapping
from contextvars import ContextVar
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


def configure(form: str = "console", level: str = "info", stream: TextIO | None = None) -> None:
    """Send all records of this process from `level` on to a stream, standard error if none is named."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(LogLines(form))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())


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
        if self._made is None:
            self._made = _formatter(self.form)
        return self._made.format(record)


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


OUR_OWN = frozenset({"level", "logger", "time", "request", "route"})
"""Fields that only the server writes: looking for secrets in them would be most of the work of a line."""


def _redact(logger: Any, method: str, fields: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for name, value in fields.items():
        if isinstance(value, str) and name not in OUR_OWN:
            fields[name] = without_secrets(value)
    return fields


def _json(fields: Any, **_: Any) -> str:
    import msgspec

    return msgspec.json.encode(fields, enc_hook=str).decode()
