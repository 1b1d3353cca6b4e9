"""Make and read the addresses that this server gives out.

All of them are `LOCAL+TOKEN@HOST`, where `LOCAL@HOST` is the mailbox of the server. Those that it gave out under former
mailboxes are read like its own: letters are answered for months, and a host may change its name meanwhile.

A token is 120 bits in 24 letters and digits of base32, lower-case, made from a secret of the host, what it is for and a
name that is never used again: a letter that has to be sent twice carries the same token both times, and the same
Message-ID unless the battle has gone on meanwhile.
"""

import hmac
import re
from base64 import b32encode
from collections.abc import Iterable, Sequence
from hashlib import sha256

from server.people.keys import Keyring
from server.settings import Settings

MAIL_TOKENS = b"phalera/mail tokens"
TOKEN_BYTES = 15
TOKEN = r"[a-z2-7]{24}"
LONGEST = 254
LETTER = "letter"
"""The first part of the Message-ID of a letter that is about no battle."""


_PLAIN = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}"
)


class Addresses:
    """The addresses of a host. `mailbox` is `LOCAL@HOST`, where mail for the server arrives; `former` are those where
    it arrived before. `any_host` and `any_address` match all of them in a regular expression, in lower case."""

    def __init__(self, mailbox: str, secret: bytes, former: Sequence[str] = ()) -> None:
        self.mailbox = mailbox
        self._secret = secret
        self.local, _, self.host = mailbox.rpartition("@")
        self.mailboxes = tuple(dict.fromkeys(box.casefold() for box in (mailbox, *former)))
        parts = [box.rpartition("@")[::2] for box in self.mailboxes]
        self.hosts = tuple(dict.fromkeys(host for _, host in parts))
        self.any_host = _either(map(re.escape, self.hosts))
        pairs = [(re.escape(local), re.escape(host)) for local, host in parts]
        self.any_address = _either(rf"{local}(?:\+{TOKEN})?@{host}" for local, host in pairs)
        before = _either(rf"(?:\b{local}\+|\.)(?={TOKEN}@{host}\b)" for local, host in pairs)
        self._ours = re.compile(rf"(?<![\w.+-]){self.any_address}(?![\w-])")
        self._tokens = re.compile(rf"{before}({TOKEN})@", re.I)

    def token(self, kind: str, name: str) -> str:
        """The token of a kind (`mail_tokens`) for a name that is never used again, e.g. `12.south`."""
        digest = hmac.digest(self._secret, f"phalera/mail\n{kind}\n{name}".encode(), sha256)
        return b32encode(digest[:TOKEN_BYTES]).decode().lower()

    def to(self, token: str) -> str:
        """The address of a token; that of the server itself for ""."""
        return f"{self.local}+{token}@{self.host}" if token else self.mailbox

    def message_id(self, battle: str, n: int, head: bytes, token: str) -> str:
        """The Message-ID of a letter: it names the head its reader has seen (fairness.md 2), and the token, for mail
        systems that know no `+` addresses (a reply has it in its References). A letter about no battle ("") has
        neither; no part of an id may be empty (RFC 5322 3.6.4)."""
        parts = (battle, str(n), head.hex()[:16], token) if battle else (LETTER, str(n), token)
        return f"<{'.'.join(parts)}@{self.host}>"

    def thread(self, battle: str, host: str = "") -> str:
        """The Message-ID that begins the thread of a battle, here or at a former host; no letter has it."""
        return f"<{battle}@{host or self.host}>"

    def is_named_in(self, text: str) -> bool:
        """Whether a text names an address of ours, wherever a mail program has broken its lines."""
        joined = "".join(text.split()).casefold()
        return any(f"@{host}" in joined for host in self.hosts) and self._ours.search(joined) is not None

    def is_own(self, address: str) -> bool:
        """Whether an address, of whatever token, is one of this server."""
        return mailbox_of(address) in self.mailboxes

    def elsewhere(self, written: str) -> str:
        """The one plain address that somebody has written; "" for anything else, and for an address of this server."""
        address = written.strip().strip("<>,;")
        if len(address) > LONGEST or not _PLAIN.fullmatch(address) or ".." in address:
            return ""
        return "" if self.is_own(address) else address

    def tokens_in(self, text: str) -> list[str]:
        """The tokens in addresses or Message-IDs of this host, in any letter case, in order."""
        return list(dict.fromkeys(token.lower() for token in self._tokens.findall(text)))


def _either(patterns: Iterable[str]) -> str:
    return f"(?:{'|'.join(patterns)})"


def mailbox_of(address: str) -> str:
    """An address without its `+` suffix, in the form in which mailboxes are counted."""
    local, _, host = address.strip().lower().rpartition("@")
    return f"{local.partition('+')[0]}@{host}"


def addresses_of(settings: Settings, keys: Keyring) -> Addresses:
    """The addresses of a host, those of its former names among them."""
    former = (*(settings.mailbox_of(name) for name in keys.former_names), *settings.post.former)
    return Addresses(settings.mailbox, host_secret(keys), former)


def host_secret(keys: Keyring, purpose: bytes = MAIL_TOKENS) -> bytes:
    """A secret of a host, 32 bytes: that behind its tokens, or for another purpose. It is derived from the host's first
    key, so the store alone does not reveal it, and a change of the host's name does not change it."""
    return hmac.digest(keys.oldest.secret_key().encode(), purpose, sha256)
