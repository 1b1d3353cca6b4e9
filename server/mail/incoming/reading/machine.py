"""Recognise mail made by machines: never answered, never played.

Header fields decide; the subject alone only if it is, word for word, that of an automatic answer and begins no reply.
X-Auto-Response-Suppress and List-Unsubscribe decide nothing alone either: Exchange and alias services put them on
"""

import re

from msgspec import Struct

from server.mail.incoming.reading.head import MailHead
from server.people.addresses import TOKEN, Addresses

MOST_HOPS = 50
BULK = frozenset({"bulk", "junk", "list", "auto_reply", "auto-reply"})
REPLIES = (
    *("x-autoreply", "x-autorespond", "x-autoresponder", "x-autoreply-from", "x-mail-autoreply", "x-vacation"),
    *("x-ms-exchange-inbox-rules-loop", "x-apple-action"),
)
LISTS = ("list-id", "list-post", "mailing-list", "x-mailing-list", "feedback-type")
DAEMONS = frozenset({"mailer-daemon", "mailerdaemon", "mail-daemon", "postmaster"})

_WORD = re.compile(r"\s*(?:\([^)]{0,200}\)\s*)?([a-z-]+)", re.I)
_NO_REPLY = re.compile(r"(?:no|do-?not|ne-?pas)[-_.]?(?:reply|repondre|répondre)\b|bounces?\b|.*[-_.]bounces?$")
_AUTOMATIC = re.compile(
    r"(?:re: ?|tr: ?|fw: ?)*\W{0,2}(?:auto(?:matic)?[- ]?(?:reply|response|réponse)|réponse automatique|"
    r"out of (?:the )?office|(?:i am )?away\b|absence|absent|vacation|on (?:leave|holiday|vacation)|"
    r"en (?:congés?|vacances)|"
    r"message d'absence|automatische antwort|"
    r"abwesenheit|respuesta automática|risposta automatica|automatisch antwoord|autosvar)",
    re.I,
)
_ALONE = re.compile(
    r"(?:out of (?:the )?office|auto(?:matic)?[- ]?(?:reply|response)|réponse automatique|automatische antwort|"
    r"(?:absence|abwesenheits)[- ]?(?:notice|notiz|message)?|message d'absence|respuesta automática|"
    r"risposta automatica|automatisch antwoord|autosvar|automaattinen vastaus|"
    r"i am (?:out of|away from) (?:the )?office)"
    r"(?: (?:re|auto-?reply))?(?:\s*[:(\[-].*)?",
    re.I,
)
_BOUNCED = re.compile(
    r"undeliver|delivery (?:status notification|failure|has failed|report)|mail delivery (?:failed|failure|system)|"
    r"(?:failure|warning) notice|returned mail|returned to sender|message not delivered|non[- ]remis|non[- ]distribu|"
    r"échec de (?:la )?remise|unzustellbar|could not be delivered|delivery problem",
    re.I,
)
_DELAYED = re.compile(r"\bdelay|retard|warning: (?:could not|message)", re.I)


class MachineMark(Struct, frozen=True):
    """The kind of a machine's mail, by its header fields: `loop`, `report`, `bounce`, `automatic`; and the deciding
    field. `answers`: it may be an answer to a letter, such as a vacation note."""

    what: str
    why: str
    answers: bool = False


def machine_mark(head: MailHead, addresses: Addresses) -> MachineMark | None:
    """The mark of a machine, None for a mail that a person wrote.

    Raises: what `MailHead.sender` raises
    """
    return _loop(head, addresses) or _report(head) or _automatic(head)


def _loop(head: MailHead, addresses: Addresses) -> MachineMark | None:
    if addresses.is_own(head.sender):
        return MachineMark("loop", "From")
    if any(addresses.host.lower() in value.lower() for value in head.all("x-loop")):
        return MachineMark("loop", "X-Loop")
    if re.search(rf"\.{TOKEN}@{addresses.any_host}>", head.message_id, re.I):
        return MachineMark("loop", "Message-ID")
    return MachineMark("loop", "Received") if len(head.all("received")) > MOST_HOPS else None


def _report(head: MailHead) -> MachineMark | None:
    kind = head.first("content-type").lower()
    if kind.startswith("multipart/report"):
        return MachineMark("report", "multipart/report")
    if head.has("x-failed-recipients"):
        return MachineMark("bounce", "X-Failed-Recipients")
    is_daemon = head.sender.partition("@")[0] in DAEMONS
    if (is_daemon or head.is_from_nobody) and _BOUNCED.search(head.subject) and not _DELAYED.search(head.subject):
        return MachineMark("bounce", "From" if is_daemon else "Return-Path")
    return None


def _automatic(head: MailHead) -> MachineMark | None:
    for name in ("auto-submitted", "x-auto-submitted"):
        for value in head.all(name):
            word = _WORD.match(value)
            if word and word[1].lower() != "no":
                return MachineMark("automatic", "Auto-Submitted", answers=word[1].lower() != "auto-notified")
    for name in REPLIES:
        if head.has(name) and head.first(name).strip().lower() not in {"no", "false", "0"}:
            return MachineMark("automatic", _named(name), answers=True)
    for name in LISTS:
        if head.has(name):
            return MachineMark("automatic", _named(name))
    if any(value.strip().lower() in BULK for value in (*head.all("precedence"), *head.all("x-precedence"))):
        return MachineMark("automatic", "Precedence", answers=True)
    if head.is_from_nobody:
        return MachineMark("automatic", "Return-Path", answers=True)
    local = head.sender.partition("@")[0]
    if local in DAEMONS or _NO_REPLY.match(local):
        return MachineMark("automatic", "From")
    if head.has("x-auto-response-suppress") and is_automatic_subject(head.subject):
        return MachineMark("automatic", "X-Auto-Response-Suppress", answers=True)
    if _ALONE.fullmatch(head.subject):
        return MachineMark("automatic", "Subject", answers=True)
    return None


def is_automatic_subject(subject: str) -> bool:
    """Whether a subject begins as automatic answers do."""
    return bool(_AUTOMATIC.match(subject))


def _named(name: str) -> str:
    """The usual spelling of a field's name."""
    return "-".join(word.capitalize() if word not in {"id", "ms"} else word.upper() for word in name.split("-"))
