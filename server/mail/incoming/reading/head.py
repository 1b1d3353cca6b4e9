"""Read the header fields of a mail.

They are parsed here, line by line; only From and Subject go through Python's own parser of addresses and encoded
words, and only if they are short. Tokens are searched for in the raw text of the fields.
"""

import re
from collections.abc import Iterator
from email import policy
from functools import cached_property

from server.mail.incoming.reading.caps import MOST_FIELD, MOST_HEAD, Capped
from server.people.addresses import TOKEN, Addresses

LONGEST_PARSED = 2_000
LONGEST_SUBJECT = 200
LONGEST_ID = 250
DELIVERED = ("delivered-to", "x-delivered-to", "x-original-to", "envelope-to", "x-envelope-to")
WRITTEN = ("to", "cc", "in-reply-to", "references")

_FIELD = re.compile(rb"([\x21-\x39\x3b-\x7e]{1,100})[ \t]*:(.*)", re.S)
_ADDRESS = re.compile(r"[^@\s<>()\[\],;:\"\\]{1,64}@[^@\s<>()\[\],;:\"\\]{1,255}")
_ID = re.compile(r"<[^<>\s]+>")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


class MailHead:
    """The fields of a mail, top down: names lower-case, values unfolded."""

    def __init__(self, fields: list[tuple[str, str]]) -> None:
        self.fields = fields

    def all(self, name: str) -> list[str]:
        """The values of a field, top down."""
        return [value for at, value in self.fields if at == name]

    def first(self, name: str) -> str:
        """Its topmost value, "" if the field is absent."""
        return next((value for at, value in self.fields if at == name), "")

    def has(self, name: str) -> bool:
        """Whether the field is present, with whatever value."""
        return any(at == name for at, _ in self.fields)

    @cached_property
    def sender(self) -> str:
        """The one address of From, lower-case; "" if there is none or more than one.

        Raises: the errors of Python's parser, RecursionError among them
        """
        values = self.all("from")
        if len(values) != 1 or len(values[0]) > LONGEST_PARSED:
            return ""
        parsed = policy.default.header_factory("From", values[0])
        addresses = [address.addr_spec for address in parsed.addresses]
        if len(addresses) != 1 or not _ADDRESS.fullmatch(addresses[0]):
            return ""
        return str(addresses[0]).lower()

    @cached_property
    def subject(self) -> str:
        """The subject, decoded, on one line, truncated if it is too long."""
        value = self.first("subject")[:LONGEST_PARSED]
        decoded = str(policy.default.header_factory("Subject", value)).encode("utf-8", "replace").decode()
        return " ".join(_CONTROL.sub(" ", decoded).split())[:LONGEST_SUBJECT]

    @property
    def message_id(self) -> str:
        """The Message-ID with its brackets, "" if there is none."""
        found = _ID.search(self.first("message-id"))
        return found[0][:LONGEST_ID] if found else ""

    @property
    def is_from_nobody(self) -> bool:
        """Whether the envelope has an empty sender. The topmost Return-Path is the one of our own delivery."""
        return self.has("return-path") and self.first("return-path").strip() in {"<>", ""}

    def tokens(self, addresses: Addresses) -> list[str]:
        """Our tokens: where it was delivered, then where it was sent to, then what it answers."""
        texts = [value for names in (DELIVERED, *((name,) for name in WRITTEN)) for value in self._of(names)]
        found = [token for text in texts for token in addresses.tokens_in(text)]
        return list(dict.fromkeys(found))

    def is_to(self, addresses: Addresses) -> bool:
        """Whether the fields signed by the writer name an address of ours. What they wrote to somebody else bears their
        signature too, wherever others deliver it."""
        ours = re.compile(rf"(?<![^\s<>,;:\"]){addresses.any_address}(?![\w.-])", re.I)
        return any(ours.search(value) for value in self._of(("to", "cc")))

    def named(self, addresses: Addresses) -> list[str]:
        """The tokens that its writer has written to, in To and Cc; none where a field comes twice, as a signature
        covers one of them."""
        texts = [self.all(name) for name in ("to", "cc")]
        if any(len(values) > 1 for values in texts):
            return []
        return [token for values in texts for text in values for token in addresses.tokens_in(text)]

    def heads(self, addresses: Addresses) -> list[str]:
        """The 16 hex digits in our Message-IDs that it answers (`Addresses.message_id`)."""
        pattern = re.compile(rf"\.([0-9a-f]{{16}})\.{TOKEN}@{addresses.any_host}\b", re.I)
        found = [head.lower() for text in self._of(("references", "in-reply-to")) for head in pattern.findall(text)]
        return list(dict.fromkeys(found))

    def _of(self, names: tuple[str, ...]) -> Iterator[str]:
        return (value for at, value in self.fields if at in names)


def read_head(content: bytes) -> MailHead:
    """The fields of a mail; `content` is `caps.plain`. As in Python's parser, a line that is not a field ends them.

    Raises: Capped `head` if they are longer than 32 kB together, `field` if one is longer than 8 kB
    """
    end = content.find(b"\n\n", 0, MOST_HEAD + 2)
    block = content[:end] if end >= 0 else content
    if len(block) > MOST_HEAD:
        raise Capped("head")
    fields: list[list[bytes]] = []
    for number, line in enumerate(block.split(b"\n")):
        if line[:1] in {b" ", b"\t"}:
            if fields:
                fields[-1].append(b" " + line.strip())
            continue
        found = _FIELD.fullmatch(line)
        if found:
            fields.append([found[1].lower(), found[2].strip()])
        elif number or not line.startswith(b"From "):  # the first line of a mail in an mbox
            break
    if any(sum(map(len, parts)) > MOST_FIELD for parts in fields):
        raise Capped("field")
    return MailHead([(name.decode("ascii"), b"".join(value).decode("utf-8", "replace")) for name, *value in fields])
