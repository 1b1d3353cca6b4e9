"""Sign letters as the domain that sends them (DKIM, RFC 6376), where no relay does.

Needs the extra `dkim`. The bytes that go out are signed, so nothing may change them afterwards; they are seven-bit and
short-lined for that reason (`carrier`).
"""

from collections.abc import Callable
from email import message_from_bytes
from importlib.util import find_spec
from pathlib import Path

from server.mail.signing_key import SigningKey, read_key
from server.settings import BadSetting, Settings

Sign = Callable[[bytes], bytes]
"""A letter with its signature in front."""

SIGNED = (
    *("From", "Reply-To", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Auto-Submitted"),
    *("List-Id", "List-Unsubscribe", "List-Unsubscribe-Post"),  # the last two must be (RFC 8058 4)
    *("MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Content-Language"),
)
"""What is signed, where a letter has it."""
ONCE = frozenset({"From", "Reply-To", "To", "Subject", "Date", "Message-ID", "Content-Type"})
"""What nobody may add a second time: signed once more than it is there (RFC 6376 8.15)."""
CANONICAL = (b"relaxed", b"relaxed")


def key_if(settings: Settings) -> SigningKey | None:
    """The key with which the letters of a host are signed here; None if they are not.

    Raises: BadSetting for an unusable key, or if the extra `dkim` is not installed
    """
    selector, file = settings.post.dkim_selector, settings.post.dkim_key
    if not selector and not file:
        return None
    if not selector or not file:
        raise BadSetting("To sign letters both are needed: --dkim-selector and --dkim-key.")
    if not find_spec("dkim"):
        raise BadSetting("To sign letters here the extra is needed: pip install 'phalera[dkim]'.")
    return read_key(Path(file), selector, settings.mailbox.rpartition("@")[2])


def signer_if(settings: Settings) -> Sign | None:
    """What signs the letters of a host; None if it is not to be done here.

    Raises: BadSetting as `key_if`
    """
    key = key_if(settings)
    return signer(key) if key is not None else None


def signer(key: SigningKey) -> Sign:
    """What signs with a key."""

    def sign(letter: bytes) -> bytes:
        import dkim

        head = message_from_bytes(letter.partition(b"\r\n\r\n")[0] + b"\r\n\r\n")
        names = [name for name in SIGNED for _ in range(len(head.get_all(name, [])) + (name in ONCE))]
        made = dkim.sign(
            letter,
            key.selector.encode(),
            key.domain.encode("idna"),
            key.pem,
            canonicalize=CANONICAL,
            include_headers=[name.lower().encode() for name in names],
        )
        return bytes(made) + letter

    return sign
