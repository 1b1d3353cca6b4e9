"""The signature of what a webhook is told: HMAC-SHA256 over time and body, by the secret of the webhook.

`Phalera-Signature: t=SECONDS,v1=HEX`: the seconds since 1970 at which it was sent, and the digest of the seconds as
they are written, a full stop and the body. The key is the secret as its owner was shown it, in ASCII.
"""

import hmac
from hashlib import sha256

HEADER = "Phalera-Signature"


def signature(secret: str, at_s: int, body: bytes) -> str:
    """The value of the header for a body that is sent at a time (seconds since 1970)."""
    return f"t={at_s},v1={hmac.digest(secret.encode(), f'{at_s}.'.encode() + body, sha256).hex()}"
