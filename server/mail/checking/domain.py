"""Look at what the DNS says of a domain that sends letters: MX, SPF (RFC 7208), DKIM and DMARC."""

import re
from collections.abc import Callable, Iterator
from functools import partial

from server.mail.checking.finding import MailFinding, fault, ok, unknown
from server.mail.checking.names import Ask, NoNames
from server.mail.signing_key import SigningKey, zone_line

MOST_LOOKUPS = 10
"""Questions to the DNS that a receiver asks for one SPF record (RFC 7208 4.6.4)."""
FEWEST_LABELS = 2
_ASKING = re.compile(r"[+?~-]?(?:(include):|(?:a|mx|ptr)(?:[:/]|$)|exists:)(.*)", re.I)


def domain_findings(ask: Ask, domain: str, key: SigningKey | None) -> Iterator[MailFinding]:
    """What the DNS says of a domain. `key`: with which letters are signed here, None if they are not."""
    looks: list[tuple[str, Callable[[], MailFinding]]] = [
        ("mx", partial(_mx, ask, domain)),
        ("spf", partial(_spf, ask, domain)),
        ("dkim", partial(_dkim, ask, key)),
        ("dmarc", partial(_dmarc, ask, domain)),
    ]
    for what, look in looks:
        try:
            yield look()
        except NoNames as reason:
            yield unknown(what, f"{reason}", "Check again from a machine with a working name server.")


def _mx(ask: Ask, domain: str) -> MailFinding:
    hosts = mail_hosts(ask, domain)
    if hosts:
        return ok("mx", f"mail for {domain} goes to {', '.join(hosts)}")
    return fault(
        "mx",
        f"nobody takes mail for {domain}: replies cannot arrive",
        f"Publish an MX record for {domain} with the name of your mail system.",
    )


def mail_hosts(ask: Ask, domain: str) -> tuple[str, ...]:
    """The hosts that take mail for a domain, the preferred first.

    Raises: NoNames
    """
    records = sorted(
        (int(number), host.rstrip("."))
        for number, _, host in (text.partition(" ") for text in ask(domain, "MX"))
        if number.isdigit()
    )
    if records:
        return tuple(host for _, host in records if host)  # "0 .": it takes none (RFC 7505)
    return (domain,) if ask(domain, "A") or ask(domain, "AAAA") else ()


# --- SPF


def _spf(ask: Ask, domain: str) -> MailFinding:
    records = _spf_of(ask, domain)
    if not records:
        return fault(
            "spf",
            f"{domain} does not say who may send for it",
            f'Publish a TXT record at {domain} that names your relay: "v=spf1 mx -all", or as its provider says.',
        )
    if len(records) > 1:
        return fault("spf", f"{domain} has {len(records)} records for SPF: receivers heed none", "Leave one of them.")
    record = records[0]
    terms = record.lower().split()[1:]
    if "all" in terms or "+all" in terms:
        return fault("spf", f"everybody may send as {domain}: {record}", "Let the record end with -all or ~all.")
    if not any(term.endswith("all") and term[:1] in "-~" for term in terms) and "redirect=" not in record.lower():
        return fault("spf", f"it says nothing of other senders: {record}", "Let the record end with -all or ~all.")
    lookups = _lookups(ask, record, MOST_LOOKUPS + 1)
    if lookups > MOST_LOOKUPS:
        said = f"it makes a receiver ask more than {MOST_LOOKUPS} times, so it is not heeded: {record}"
        return fault("spf", said, "Name addresses (ip4:, ip6:) in place of some of include:, a and mx.")
    return ok("spf", record)


def _spf_of(ask: Ask, domain: str) -> list[str]:
    return [text for text in ask(domain, "TXT") if text.lower().split(" ", 1)[0] == "v=spf1"]


def _lookups(ask: Ask, record: str, most: int) -> int:
    """How often a receiver asks the DNS for a record, up to `most`; those that it includes count, too."""
    count = 0
    for term in record.split()[1:]:
        found = _ASKING.fullmatch(term)
        target = found[2] if found and found[1] else term[9:] if term.lower().startswith("redirect=") else ""
        if found or target:
            count += 1
        if target and count < most:
            count += sum(_lookups(ask, included, most - count) for included in _spf_of(ask, target)[:1])
        if count >= most:
            return most
    return count


# --- DKIM


def _dkim(ask: Ask, key: SigningKey | None) -> MailFinding:
    if key is None:
        return unknown(
            "dkim",
            "letters are not signed here; the relay may sign them",
            "The results of the probe tell. If nobody signs: phalera mail key, then --dkim-selector and --dkim-key.",
        )
    advice = f"Publish: {zone_line(key)}"
    records = ask(key.name, "TXT")
    if not records:
        return fault("dkim", f"there is no key at {key.name}, so no signature holds", advice)
    if len(records) > 1:
        return fault("dkim", f"there are {len(records)} records at {key.name}", "Leave one of them.")
    published = re.search(r"(?:^|;)\s*p\s*=([^;]*)", records[0])
    if published is None or re.sub(r"\s", "", published[1]) != key.public:
        return fault("dkim", f"{key.name} has another key than the one that signs here", advice)
    return ok("dkim", f"{key.name} has the key that signs here")


# --- DMARC


def _dmarc(ask: Ask, domain: str) -> MailFinding:
    labels = domain.split(".")
    for at in range(len(labels) - FEWEST_LABELS + 1):
        name = f"_dmarc.{'.'.join(labels[at:])}"
        records = [text for text in ask(name, "TXT") if text.lower().replace(" ", "").startswith("v=dmarc1")]
        if len(records) > 1:
            return fault("dmarc", f"{name} has {len(records)} records: receivers heed none", "Leave one of them.")
        if records:
            if not re.search(r";\s*p\s*=\s*(?:none|quarantine|reject)\s*(?:;|$)", records[0], re.I):
                return fault("dmarc", f"{name} names no policy: {records[0]}", "Write p=none, quarantine or reject.")
            return ok("dmarc", f"{name}: {records[0]}")
    return fault(
        "dmarc",
        f"{domain} has no policy; large providers demand one",
        f'Publish a TXT record at _dmarc.{domain}: "v=DMARC1; p=none", and p=quarantine when all is well.',
    )
