"""Make and read the addresses that this server gives out.

All of them are `LOCAL+TOKEN@HOST`, where `LOCAL@HOST` is the one mailbox of the server. A token is 120 bits in 24
letters and digits of base32, lower-case, made from a secret of the host, what it is for and a name that is never used
again: a letter that has to be sent twice carries the same token both times, and the same Message-ID unless the battle
has gone on meanwhile.
"""

import hmac
import re
from base64 import b32encode
from hashlib import sha256

from replay.proof.notes import Signer

TOKEN_BYTES = 15
TOKEN = r"[a-z2-7]{24}"
LETTER = "letter"
"""The first part of the Message-ID of a letter that is about no battle."""


class Addresses:
    """The addresses of a host. `mailbox` is `LOCAL@HOST`, where mail for the server arrives."""

    def __init__(self, mailbox: str, secret: bytes) -> None:
        self.mailbox = mailbox
        self._secret = secret
        self.local, _, self.host = mailbox.rpartition("@")
        local, host = re.escape(self.local.casefold()), re.escape(self.host.casefold())
        self._ours = re.compile(rf"(?<![\w.+-]){local}(?:\+{TOKEN})?@{host}(?![\w-])")

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

    def thread(self, battle: str) -> str:
        """The Message-ID that begins the thread of a battle; no letter has it."""
        return f"<{battle}@{self.host}>"

    def is_named_in(self, text: str) -> bool:
        """Whether a text names an address of ours, wherever a mail program has broken its lines."""
        joined = "".join(text.split()).casefold()
        return f"@{self.host.casefold()}" in joined and self._ours.search(joined) is not None

    def tokens_in(self, text: str) -> list[str]:
        """The tokens in addresses or Message-IDs of this host, in any letter case, in order."""
        local, host = re.escape(self.local), re.escape(self.host)
        found = re.findall(rf"(?:\b{local}\+|\.)({TOKEN})@{host}\b", text, re.I)
        return list(dict.fromkeys(token.lower() for token in found))


def mailbox_of(address: str) -> str:
    """An address without its `+` suffix, in the form in which mailboxes are counted."""
    local, _, host = address.strip().lower().rpartition("@")
    return f"{local.partition('+')[0]}@{host}"


def host_secret(signer: Signer) -> bytes:
    """The secret behind the tokens of a host. It is derived from the host's key, so the store alone does not reveal
    it."""
    return hmac.digest(signer.secret_key().encode(), b"phalera/mail tokens", sha256)
