"""Check the DKIM signature of a mail ourselves.

Needs the extra `dkim`. The caller supplies the DNS lookup. A key of any size and a text of any shape would let dkimpy
compute for minutes, so both are checked first. Expiry of a signature is judged by the clock of the machine.
"""

import re
from collections.abc import Callable

from server.mail.incoming.reading.head import MailHead
from server.mail.incoming.reading.trust import FAIL, NONE, PASS, is_aligned

MOST_SIGNATURES = 3
LONGEST_RECORD = 800
"""Bytes of a key record: RSA of 4,096 bits with its usual exponent has 760."""

_TAG = re.compile(r"(?:^|;)\s*(d|l)\s*=\s*([^;\s]{1,255})", re.I)
_RUN = re.compile(rb"[ \t]{100}")

Lookup = Callable[[bytes], bytes | None]


def verified(raw: bytes, head: MailHead, domain: str, lookup: Lookup) -> tuple[str, str]:
    """(trust, domain that signed): `pass` if one of the first three aligned signatures is valid, `fail` if one of them
    is invalid and none is valid, `none` if there is none or its key is unavailable. A signature over part of the text
    (`l=`) proves nothing."""
    try:
        import dkim
    except ImportError:
        return NONE, ""
    tagged = [{name.lower(): tag for name, tag in _TAG.findall(value)} for value in head.all("dkim-signature")]
    aligned = [
        (number, tags["d"].lower())
        for number, tags in enumerate(tagged)
        if "d" in tags and "l" not in tags and is_aligned(tags["d"], domain)
    ]
    if not domain or not aligned or _RUN.search(raw):
        return NONE, ""
    trust = NONE
    for number, signed in aligned[:MOST_SIGNATURES]:
        asked: list[bytes | None] = []

        def key(name: bytes, timeout: int = 0, asked: list[bytes | None] = asked) -> bytes | None:
            asked.append(None)
            record = lookup(name)
            asked[-1] = record if record and len(record) <= LONGEST_RECORD else None
            return asked[-1]

        try:
            holds = dkim.DKIM(raw).verify(number, dnsfunc=key)
        except Exception:  # dkimpy raises for each way in which a signature can be wrong, and for some others
            holds = False
        if holds:
            return PASS, signed
        if all(asked):
            trust = FAIL
    return trust, ""
