"""Decide whether the sender's own domain is proven to have sent a mail.

Only Authentication-Results of a mail server named in the settings (`trusted`) count, and of those only what that server
put there itself. A server puts its fields above those it received, so:

1. nothing counts from the first field on that belongs to the mail as it was sent (From, Subject, DKIM-Signature …), or
   to a hop outside: a Received whose `by` is not a host of ours;
2. of each name only the topmost field counts. A sender may begin a mail with a forged field, which then stands
   right below the true one.

One case remains: a mail that the named server did not stamp at all, with a forged field on top. So `trusted` may only
name a server that stamps every mail it hands on, ideally one that removes its own name from incoming mail (RFC 8601 5).

A domain is aligned if it is the sender's domain or one above it (`example.org` signs for `mail.example.org`). DMARC
also lets a domain below sign for one above; without a list of public suffixes that would let `evil.dyn.example` sign
for `dyn.example`, so here it does not count: such mail is `none`, not `fail`.
"""

import re
from collections.abc import Iterator, Sequence

from server.mail.incoming.reading.head import MailHead
from server.people.addresses import Addresses

PASS, FAIL, NONE = "pass", "fail", "none"
LONGEST_FIELD = 4_000
FEWEST_LABELS = 2
SENT = frozenset(
    {"from", "to", "cc", "subject", "date", "message-id", "reply-to", "sender", "in-reply-to", "references"}
    | {"mime-version", "content-type", "dkim-signature", "user-agent", "x-mailer"}
)
"""Fields with which the mail as it was sent begins at the latest."""

_ID = re.compile(r"\s*(?:\([^)]{0,200}\)\s*)?\"?([^\s;()\"]{1,255})")
_BY = re.compile(r"\bby\s+([^\s;()]{1,255})", re.I)
_WITHIN = re.compile(r"\[?[0-9a-f.:]+\]?|localhost(?:\.localdomain)?", re.I)


def stated(head: MailHead, domain: str, addresses: Addresses, trusted: Sequence[str]) -> tuple[str, str]:
    """(trust, domain that signed) according to the trusted servers; `domain` is the sender's."""
    if not domain or not trusted:
        return NONE, ""
    verdicts = [verdict for field in _stamped(head, addresses, trusted) for verdict in _verdicts(field, domain)]
    for wanted in (PASS, FAIL):
        for trust, signed in verdicts:
            if trust == wanted:
                return trust, signed
    return NONE, ""


def is_aligned(signed: str, domain: str) -> bool:
    """Whether a domain may speak for the sender's."""
    signed = signed.lower().rstrip(".")
    return signed.count(".") + 1 >= FEWEST_LABELS and (domain == signed or domain.endswith(f".{signed}"))


def _stamped(head: MailHead, addresses: Addresses, trusted: Sequence[str]) -> Iterator[str]:
    """The fields that the trusted servers put there, the topmost of each name."""
    names = {name.lower() for name in trusted}
    domains = {_domain(name) for name in names} | {addresses.host.lower()}
    seen = set()
    for field, value in head.fields:
        if field in SENT or (field == "received" and not _is_hop_of(domains, value)):
            return
        if field != "authentication-results":
            continue
        found = _ID.match(value)
        name = found[1].lower() if found else ""
        if name in names and name not in seen:
            seen.add(name)
            yield value


def _is_hop_of(domains: set[str], received: str) -> bool:
    """Whether a hop was internal: at a host in one of the domains, or at an address without a name."""
    found = _BY.search(received)
    host = found[1].lower() if found else ""
    return bool(_WITHIN.fullmatch(host)) or any(host == ours or host.endswith(f".{ours}") for ours in domains)


def _domain(server: str) -> str:
    """The domain of a mail server: the part above its own name (`imap.example.org` is in the same domain as
    `mx.example.org`), unless that is a top-level domain."""
    above = server.partition(".")[2]
    return above if "." in above else server


def _verdicts(field: str, domain: str) -> Iterator[tuple[str, str]]:
    """What a field says about the sender's domain."""
    from authres import AuthenticationResultsHeader

    try:
        parsed = AuthenticationResultsHeader.parse_value(field[:LONGEST_FIELD])
    except Exception:  # not the grammar of RFC 8601, or nested too deep: it says nothing
        return
    for result in parsed.results:
        method, said = str(getattr(result, "method", "")).lower(), str(getattr(result, "result", "")).lower()
        named = {str(part.name).lower(): str(part.value) for part in getattr(result, "properties", ())}
        if method == "dmarc":
            of = named.get("from", domain).rpartition("@")[2].lower()
            if of == domain or is_aligned(of, domain):
                yield (PASS, domain) if said == PASS else (FAIL, "") if said == FAIL else (NONE, "")
        elif method == "dkim":
            signed = (named.get("d") or named.get("i", "").rpartition("@")[2]).lower()
            if is_aligned(signed, domain):
                yield (PASS, signed) if said == PASS else (FAIL, "") if said in {FAIL, "permerror"} else (NONE, "")
            elif said == FAIL and not signed:
                yield FAIL, ""
