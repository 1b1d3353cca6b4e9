"""Read a mail step by step: machine or person, whose text, whose name.

The header fields come first: a mail made by a machine is treated as such even if the rest cannot be read, so that it
is never answered. Only then is the text examined.
"""

from collections.abc import Callable, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from msgspec.structs import replace

from server.mail.incoming.reading import bounce, parts, trust
from server.mail.incoming.reading.caps import MOST_BYTES, MOST_HEAD, Capped, plain, require_small
from server.mail.incoming.reading.head import MailHead, read_head
from server.mail.incoming.reading.machine import MachineMark, machine_mark
from server.mail.incoming.reading.reply import reply_of
from server.mail.incoming.reading.signature import verified
from server.mail.incoming.reading.vacation import back_on, is_absence
from server.mail.verdict import MailReading
from server.people.addresses import Addresses

SignatureLookup = Callable[[bytes], bytes | None]


def read_mail(
    raw: bytes, addresses: Addresses, trusted: Sequence[str] = (), lookup: SignatureLookup | None = None
) -> MailReading:
    """Read a mail as it was received.

    `trusted`: the names (authserv-id) of the mail servers whose Authentication-Results are believed (`trust`).
    `lookup`: returns the TXT record of a DNS name, None if there is none; with it, a mail about which no trusted server
    says anything is checked for a DKIM signature here.

    Never raises. A machine's mail has no `text`. A `broken` or `too-large` one has the content of its header fields;
    `why` names the limit (`caps`), or the exception of the parser.
    """
    is_large = len(raw) > MOST_BYTES
    content = b""
    try:
        content = plain(raw[: 2 * MOST_HEAD] if is_large else raw)
        if not content.strip():
            return MailReading(what="broken", why="empty")
        head = read_head(content)
        if not head.fields:
            return MailReading(what="broken", why="no-fields")
        mark = machine_mark(head, addresses)
        about = _about(head, addresses)
    except Capped as capped:
        return MailReading(what="too-large" if is_large else "broken", why="bytes" if is_large else capped.why)
    except Exception as error:
        return MailReading(what="broken", why=type(error).__name__)
    if mark is None:  # what is not read any further is answered to those who are known to have written it
        belief, signed = trust.stated(head, about.sender.rpartition("@")[2], addresses, trusted)
        about = replace(about, trust=belief, signed=signed)
    if is_large and mark is None:
        return replace(about, what="too-large", why="bytes")
    try:
        require_small(content)
        message = message_from_bytes(content, policy=policy.default.clone(header_factory=_each_once()))
        parts.require_few_parts(message)
        if mark is not None:
            return _of_machine(message, mark, head, about, addresses)
        return _of_person(message, raw, about, head, addresses, trusted, lookup)
    except Exception as error:
        if mark is not None:
            return _unread(mark, head, about, addresses)
        why = error.why if isinstance(error, Capped) else type(error).__name__
        return replace(about, what="broken", why=why)


def _each_once() -> Callable[[str, str], Any]:
    """A maker of header fields that parses each once: Python asks for a Content-Type half a dozen times."""
    made: dict[tuple[str, str], Any] = {}

    def factory(name: str, value: str) -> Any:
        if (name, value) not in made:
            made[name, value] = policy.default.header_factory(name, value)
        return made[name, value]

    return factory


def _about(head: MailHead, addresses: Addresses) -> MailReading:
    """The content of a mail's header fields, whoever made it."""
    return MailReading(
        what="mail",
        message_id=head.message_id,
        sender=head.sender,
        subject=head.subject,
        tokens=tuple(head.tokens(addresses)),
        heads=tuple(head.heads(addresses)),
        is_ours=head.is_to(addresses),
        named=tuple(head.named(addresses)),
    )


def _of_person(
    message: EmailMessage,
    raw: bytes,
    about: MailReading,
    head: MailHead,
    addresses: Addresses,
    trusted: Sequence[str],
    lookup: SignatureLookup | None,
) -> MailReading:
    found = parts.written(message)
    reply = reply_of(found.lines, found.is_cut_off, addresses.is_named_in)
    if clicked := parts.gesture(message, reply.text):
        return replace(about, what="automatic", why=clicked)
    domain = about.sender.rpartition("@")[2]
    belief, signed = trust.stated(head, domain, addresses, trusted)
    if belief == trust.NONE and lookup is not None:
        belief, signed = verified(raw, head, domain, lookup)
    return replace(
        about,
        why="encrypted" if found.is_encrypted and not reply.text else "",
        text=reply.text,
        dropped=reply.dropped,
        below=reply.below,
        marked=reply.marked,
        attachments=found.attachments,
        trust=belief,
        signed=signed,
    )


def _of_machine(
    message: EmailMessage, mark: MachineMark, head: MailHead, about: MailReading, addresses: Addresses
) -> MailReading:
    """Read a loop, a bounce, a vacation note, or another automatic mail."""
    if mark.what == "loop":
        return replace(about, what="loop", why=mark.why)
    if mark.what in {"report", "bounce"}:
        action, report = bounce.reported(message, addresses, about.tokens)
        if report is not None:
            return replace(about, what="bounce", why="delivery-status", bounce=report)
        if action:
            return replace(about, what="automatic", why=f"delivery-status {action}")
    text = _words(message)
    if mark.what == "bounce":
        return replace(about, what="bounce", why=mark.why, bounce=bounce.bounce_of(head, text, addresses, about.tokens))
    if is_absence(mark, head, text):
        return replace(about, what="vacation", why=mark.why, back=back_on(head, text))
    return replace(about, what="automatic", why=mark.why)


def _unread(mark: MachineMark, head: MailHead, about: MailReading, addresses: Addresses) -> MailReading:
    """A machine's mail of which only the header fields could be read."""
    if mark.what == "bounce":
        return replace(about, what="bounce", why=mark.why, bounce=bounce.bounce_of(head, "", addresses, about.tokens))
    return replace(about, what="loop" if mark.what == "loop" else "automatic", why=mark.why)


def _words(message: EmailMessage) -> str:
    return "\n".join(parts.written(message).lines)
