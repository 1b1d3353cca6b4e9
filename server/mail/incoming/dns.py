"""Look up the key that a domain publishes for its signatures.

Used only where the host wants signatures checked here (`--mail-check-dkim`, the extra `dkim`), and never in the loop's
thread: a name server may take seconds. A late answer counts as no answer, so the mail is treated as
unsigned, not as forged.
"""

from importlib.util import find_spec

from server.mail.incoming.reading.signature import Lookup
from server.settings import BadSetting

TIMEOUT_S = 3.0


def txt_record(name: bytes) -> bytes | None:
    """The TXT record of a name, None if there is none or no answer comes in time."""
    import dns.exception
    import dns.resolver

    try:
        answer = dns.resolver.resolve(name.decode("ascii"), "TXT", lifetime=TIMEOUT_S)
    except (dns.exception.DNSException, UnicodeDecodeError):
        return None
    return b"".join(answer[0].strings)


def lookup_if(wanted: bool) -> Lookup | None:
    """The lookup function for keys; None if keys are not to be looked up.

    Raises: BadSetting if the extra `dkim` is not installed
    """
    if not wanted:
        return None
    if not all(find_spec(module) for module in ("dkim", "dns")):
        raise BadSetting("To check signatures here the extra is needed: pip install 'phalera[dkim]'.")
    return txt_record
