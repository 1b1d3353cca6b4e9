"""Find the part of a mail that its sender wrote.

Text, or HTML where there is no text; attachments are counted and never opened. If a mail has several texts side by
side (Apple Mail continues below an attachment), all of them are read.
"""

import codecs
import re
from collections.abc import Iterable
from email.message import EmailMessage, Message

from msgspec import Struct

from server.mail.incoming.reading.caps import MOST_DEPTH, MOST_HTML, MOST_PARTS, MOST_TEXT, MOST_TEXT_LINES, Capped
from server.mail.incoming.reading.folding import lines_of
from server.mail.incoming.reading.html import lines_of_html

TEXTS = frozenset({"text/plain", "text/html", "text/markdown"})
FIRST_ONLY = frozenset({"multipart/related", "multipart/signed", "multipart/report"})
ENCRYPTED = frozenset({"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})
MOST_BYTES_OF_TEXT = 4 * MOST_TEXT
MOST_HTML_PARTS = 3

_WESTERN = frozenset({"ascii", "iso8859-1", "cp1252"})
"""Mail programs declare one of these three and mean the last."""
_CHARSETS = frozenset(
    {"utf-8", *_WESTERN, *(f"iso8859-{n}" for n in (*range(2, 12), *range(13, 17))), *(f"cp125{n}" for n in range(9))}
    | {"koi8-r", "koi8-u", "gb2312", "gbk", "gb18030", "big5", "shift_jis", "cp932", "euc_jp", "euc_kr", "iso2022_jp"}
)


REACTION = "text/vnd.google.email-reaction+json"
_REACTED = re.compile(
    r".{1,80} (?:reacted (?:via|to your message)|a réagi (?:via|à votre message))\b.{0,80}", re.I | re.S
)


class MailPart(Struct):
    """A part of a mail with the content of its headers, each read once. A message within a message is a part without
    children: somebody else wrote it."""

    message: Message
    type: str
    children: tuple["MailPart", ...] = ()
    is_attached: bool = False
    text: str = ""
    is_cut_off: bool = False


class Written(Struct):
    """What the writer wrote: lines, still with quotes. `is_cut_off`: there was more than is examined."""

    lines: list[str]
    is_cut_off: bool = False
    attachments: int = 0
    is_encrypted: bool = False


def require_few_parts(message: Message) -> None:
    """Refuse a mail with too many parts, or with parts nested too deep.

    Raises: Capped `parts`, `depth`
    """
    count, level = 0, [message]
    for _ in range(MOST_DEPTH + 1):
        count += len(level)
        if count > MOST_PARTS:
            raise Capped("parts")
        level = [child for part in level for child in within(part)]
        if not level:
            return
    raise Capped("depth")


def within(message: Message) -> list[Message]:
    """The messages that a message consists of."""
    payload = message.get_payload()
    return [child for child in payload if isinstance(child, Message)] if isinstance(payload, list) else []


def gesture(message: Message, text: str) -> str:
    """The mark of a mail that a person has not written, but clicked: a reaction, an answer to an invitation; or ""."""
    parts = list(message.walk())
    if any(part.get_content_type() == REACTION for part in parts) or _REACTED.fullmatch(text.strip()):
        return "reaction"
    calendars = (part for part in parts if part.get_content_type() == "text/calendar")
    return "text/calendar" if any(_says(part, "method", "reply") for part in calendars) else ""


def written(message: EmailMessage) -> Written:
    """The text to read in a mail that `require_few_parts` has accepted.

    Raises: Capped `html` for HTML that is too much or too deep; the errors of Python's parser
    """
    root = _part(message)
    found = Written([], attachments=_attachments(root), is_encrypted=root.type in ENCRYPTED)
    html = 0
    for part in _texts(root):
        found.is_cut_off |= part.is_cut_off
        if part.type != "text/html":
            _add(found, lines_of(part.text), part.message)
        elif html < MOST_HTML_PARTS:
            html += 1
            _add(found, lines_of_html(part.text))
        else:
            found.is_cut_off = True
    return found


def _add(found: Written, lines: list[str], flowed: Message | None = None) -> None:
    """Add lines of a part, up to 2,000 lines and 64 kB in all."""
    size = sum(map(len, found.lines)) + len(found.lines)
    kept: list[str] = []
    for line in lines:
        size += len(line) + 1
        if size > MOST_TEXT or len(found.lines) + len(kept) >= MOST_TEXT_LINES:
            found.is_cut_off = True
            break
        kept.append(line)
    if flowed is not None and _says(flowed, "format", "flowed"):
        kept = unflowed(kept, _says(flowed, "delsp", "yes"))
    found.lines += kept


def _part(message: Message) -> MailPart:
    part = MailPart(message, message.get_content_type())
    if part.type.startswith("multipart/"):
        part.children = tuple(_part(child) for child in within(message))
    if part.type.startswith("multipart/") and not part.children:  # no boundary, or none that occurs
        part.type = "text/plain"
    if part.children:
        return part
    if part.type not in TEXTS or message.get_content_disposition() == "attachment" or message.get_filename():
        part.is_attached = True
    else:
        payload = message.get_payload(decode=True)
        content = payload if isinstance(payload, bytes) else b""
        most = MOST_HTML if part.type == "text/html" else MOST_BYTES_OF_TEXT
        part.text = decoded(content[:most], message.get_content_charset() or "")
        part.is_cut_off = len(content) > most
    return part


def _attachments(part: MailPart) -> int:
    return part.is_attached + sum(map(_attachments, part.children))


def _texts(part: MailPart) -> list[MailPart]:
    """The parts that hold the writer's text: of alternatives the plain text, unless it is empty."""
    if not part.children:
        return [] if part.is_attached or part.type not in TEXTS else [part]
    if part.type == "multipart/alternative":
        choices = [_texts(child) for child in part.children]
        filled = [choice for choice in choices if any(text.text.strip() for text in choice)]
        plain = [choice for choice in filled if all(text.type != "text/html" for text in choice)]
        return (plain or filled or [[]])[0]
    children = part.children[:1] if part.type in FIRST_ONLY else part.children
    return [text for child in children for text in _texts(child)]


def decoded(content: bytes, charset: str) -> str:
    """Decode text in the charset it claims if that is common in mail; otherwise as UTF-8 if valid, else as Western.
    Text that begins with the mark of UTF-16 is that, whatever it claims, unless its zeros were lost on the way."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        if b"\0" in content or charset.casefold().startswith("utf-16"):
            return content.decode("utf-16", "replace")
        content = content[len(codecs.BOM_UTF16_LE) :]
    name = _codec(charset)
    for codec in (name, "utf-8"):
        if codec and codec not in _WESTERN:
            try:
                return content.decode(codec)
            except UnicodeDecodeError:
                continue
    return content.decode(name if name and name not in _WESTERN else "cp1252", "replace")


def _codec(charset: str) -> str:
    """Python's name of an allowed charset, "" for all others: some codecs are expensive, and some are not for text."""
    try:
        name = codecs.lookup(charset).name if charset.isascii() and charset.isprintable() and charset else ""
    except (LookupError, ValueError):
        name = ""
    return name if name in _CHARSETS else ""


def _says(part: Message, name: str, value: str) -> bool:
    return str(part.get_param(name, "")).casefold() == value


def unflowed(lines: Iterable[str], delete_space: bool) -> list[str]:
    """Join flowed text (RFC 3676) into paragraphs: a line that ends in a space continues in the next of the same
    depth."""
    paragraphs: list[tuple[int, list[str]]] = []
    flows = False
    for line in lines:
        text = line.lstrip(">")
        depth = len(line) - len(text)
        text = text[1:] if text.startswith(" ") else text
        is_signature = text == "-- "
        if flows and depth == paragraphs[-1][0] and not is_signature:
            pieces = paragraphs[-1][1]
            if delete_space:
                pieces[-1] = pieces[-1][:-1]
            pieces.append(text)
        else:
            paragraphs.append((depth, [text]))
        flows = text.endswith(" ") and not is_signature
    return [f"{'>' * depth} {''.join(pieces)}" if depth else "".join(pieces) for depth, pieces in paragraphs]
