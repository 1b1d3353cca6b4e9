"""Read a bounce: which letter did not arrive, at whom, and whether it ever will.

A delivery report (RFC 3464) says so in fields. Old systems say it in words, to the address the letter came from.
"""

import re
from collections.abc import Sequence
from email.message import Message

from server.mail.incoming.reading.head import MailHead
from server.mail.incoming.reading.parts import within
from server.mail.verdict import Bounce
from server.people.addresses import Addresses

LONGEST_STATUS = 20
MOST_RETURNED = 32 * 1024

_ADDRESS = re.compile(r"[^@\s<>()\[\],;:\"\\]{1,64}@[a-z0-9.-]{1,255}[a-z0-9]", re.I)
_STATUS = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])")
_REPLY = re.compile(r"(?<![\d.-])([45])\d\d(?=[ -])")
_NEVER = re.compile(
    r"user unknown|unknown user|no such (?:user|mailbox|address)|does not exist|n'existe pas|"
    r"permanent (?:fatal )?error|mailbox (?:unavailable|not found)|no mailbox here|address rejected|"
    r"i've given up|invalid recipient",
    re.I,
)


def reported(message: Message, addresses: Addresses, tokens: Sequence[str]) -> tuple[str, Bounce | None]:
    """What a delivery report says: its worst action (`failed`, `delayed`, `delivered` …), "" if the mail is not one.

    The bounce is included if something failed. `tokens` are those of the report's own fields."""
    status, returned = None, ""
    for part in message.walk():
        if part.get_content_type() == "message/delivery-status" and status is None:
            status = [_fields(block) for block in within(part)]
        elif part.get_content_type() in {"message/rfc822", "text/rfc822-headers", "message/global"} and not returned:
            returned = _returned(part)
    if status is None:
        return "", None
    failed = next((block for block in status if block.get("action", "").lower() == "failed"), None)
    if failed is None:
        actions = [block["action"].lower() for block in status if "action" in block]
        return (actions[0][:LONGEST_STATUS] if actions else "none"), None
    found = _STATUS.search(failed.get("status", "")) or _STATUS.search(failed.get("diagnostic-code", ""))
    code = found[0] if found else ""
    recipient = _recipient(failed.get("original-recipient", "")) or _recipient(failed.get("final-recipient", ""))
    return "failed", Bounce(_tokens(tokens, returned, addresses), recipient, code, code.startswith("5"))


def bounce_of(head: MailHead, text: str, addresses: Addresses, tokens: Sequence[str]) -> Bounce:
    """What a bounce in free text says."""
    found, reply = _STATUS.search(text), _REPLY.search(text)
    status = found[0] if found else f"{reply[1]}.0.0" if reply else ""
    recipient = _recipient(head.first("x-failed-recipients")) or next(
        (address for address in map(str.lower, _ADDRESS.findall(text)) if not _is_ours(address, addresses)), ""
    )
    is_hard = status.startswith("5") if status else bool(_NEVER.search(text))
    return Bounce(_tokens(tokens, text, addresses), recipient, status, is_hard)


def _fields(block: Message) -> dict[str, str]:
    return {name.lower(): " ".join(str(value).split()) for name, value in block.raw_items()}


def _returned(part: Message) -> str:
    """The fields of the returned letter in a report."""
    inner = within(part)
    if inner:
        return "\n".join(f"{name}: {value}" for name, value in inner[0].raw_items())[:MOST_RETURNED]
    payload = part.get_payload(decode=True)
    return payload[:MOST_RETURNED].decode("utf-8", "replace") if isinstance(payload, bytes) else ""


def _recipient(field: str) -> str:
    found = _ADDRESS.search(field[:1_000])
    return found[0].lower() if found else ""


def _is_ours(address: str, addresses: Addresses) -> bool:
    return address.rpartition("@")[2] in addresses.hosts or address.startswith(("mailer-daemon@", "postmaster@"))


def _tokens(tokens: Sequence[str], text: str, addresses: Addresses) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*tokens, *addresses.tokens_in(text))))
