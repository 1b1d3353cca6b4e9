"""Ask the DNS, through dnspython (the extra `dkim`)."""

from collections.abc import Callable
from importlib.util import find_spec

TIMEOUT_S = 5.0


class NoNames(Exception):
    """The DNS gives no answer; the text says why. A name without records is not that: it is answered with none."""


Ask = Callable[[str, str], tuple[str, ...]]
"""The records of a name and a kind (`TXT`, `MX`, `A`, `AAAA`, `PTR`) as text, the strings of a TXT joined; () if there
are none. Raises NoNames."""


def ask_system(name: str, kind: str) -> tuple[str, ...]:
    """Ask the name servers of this machine.

    Raises: NoNames
    """
    if not find_spec("dns"):
        raise NoNames("the DNS cannot be asked without the extra: pip install 'phalera[dkim]'")
    import dns.exception
    import dns.resolver

    try:
        answer = dns.resolver.resolve(name, kind, lifetime=TIMEOUT_S, search=False)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return ()
    except (dns.exception.DNSException, OSError, UnicodeError) as reason:
        raise NoNames(f"no name server answers for {name} ({type(reason).__name__})") from None
    if kind == "TXT":
        return tuple(b"".join(record.strings).decode("utf-8", "replace") for record in answer)
    return tuple(str(record.to_text()) for record in answer)
