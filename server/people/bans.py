"""Ban networks: what may be banned, for how long, and whether an address is.

Nobody can ban the machine itself, a proxy that is trusted, or half the world by a slip.
"""

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network

from domain.basics.errors import Refusal
from replay.writing.clock import later
from replay.writing.entropy import Entropy, new_id
from server.store.contract import TableRows
from server.store.tables import bans
from server.store.tables.bans import Ban

WIDEST = {4: 8, 6: 16}
"""The least bits of a network's prefix, by the version of the protocol."""
LOOPBACK = ("127.0.0.0/8", "::1/128")
LONGEST_REASON = 200
LONGEST_DAYS = 3650
DAY_S = 24 * 3600

Network = IPv4Network | IPv6Network


def network_of(text: str) -> Network:
    """A network as people write it: an address, or a network with its prefix. IPv4 inside IPv6 is IPv4.

    Raises: Refusal core.no-network
    """
    try:
        found = ip_network(text.strip(), strict=False)
    except ValueError:
        raise Refusal("core.no-network", "CORE-PARSE", text=text[:80]) from None
    if isinstance(found, IPv6Network) and found.network_address.ipv4_mapped and found.prefixlen >= 96:
        return IPv4Network((found.network_address.ipv4_mapped, found.prefixlen - 96))
    return found


def planned(
    written: str, days: float, reason: str, now: str, entropy: Entropy, *, trusted: Sequence[str], own: str = ""
) -> Ban:
    """A ban of a network, for some days (0: without an end). `trusted`: proxies; `own`: the address of who bans.

    Raises: Refusal core.no-network, core.ban-too-wide, core.ban-of-own, core.bad-request
    """
    network = network_of(written)
    if network.prefixlen < WIDEST[network.version]:
        raise Refusal("core.ban-too-wide", "CORE-ACCESS", network=str(network), bits=WIDEST[network.version])
    for kept in (*LOOPBACK, *trusted, *([own] if own else [])):
        if network_of(kept).version == network.version and network_of(kept).overlaps(network):
            raise Refusal("core.ban-of-own", "CORE-ACCESS", network=str(network))
    if not 0 <= days <= LONGEST_DAYS:
        raise Refusal("core.bad-request", "CORE-PARSE", reason=f"a ban lasts at most {LONGEST_DAYS} days")
    note = " ".join(reason.split())[:LONGEST_REASON]
    return Ban(new_id(entropy), str(network), note, now, later(now, days * DAY_S) if days else "")


def ends(ban: Ban, now: str) -> bool:
    """Whether a ban has ended."""
    return bool(ban.until) and ban.until <= now


def found(store: TableRows, written: str) -> Ban:
    """The ban of a network that somebody has written.

    Raises: Refusal core.no-network, core.no-ban
    """
    network = str(network_of(written))
    for ban in bans.all_of(store):
        if ban.network == network:
            return ban
    raise Refusal("core.no-ban", "CORE-ACCESS", network=network)
