"""Addresses and networks, as limits and trusted proxies name them."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

SUBNET_BITS = 64
"""What one subscriber has of IPv6 at the least: they may use any address in it."""
HOUSEHOLD_BITS, HOUSEHOLD_TIMES = 56, 4
"""What a household has of it as a rule, with mobile networks several people: together they may do so many times what
one subnet may."""


PRIVATE = (
    *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"),
    *("::1/128", "fc00::/7", "fe80::/10"),
)
"""Networks that no client in the internet has its address in."""
ENOUGH = 20
"""Requests in a row that a proxy has to bring before it is taken for one."""


class HiddenClients:
    """Whether all clients are hidden behind one address: that of a proxy which nobody has named as trusted, so that
    they share its limits. `tell` is called once with the address; `proxy` is it from then on, "" before."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.proxy = ""
        self._tell = tell
        self._last = ""
        self._count = 0

    def saw(self, unbelieved: str) -> None:
        """Note a request: the address whose word for its client was not believed, "" if there is none."""
        if self.proxy:
            return
        is_another = unbelieved != self._last or not is_private(unbelieved)
        self._last, self._count = unbelieved, 0 if is_another else self._count
        self._count += is_private(unbelieved)
        if self._count >= ENOUGH:
            self.proxy = unbelieved
            self._tell(unbelieved)


def is_within(address: str, networks: Sequence[str]) -> bool:
    """Whether an address is one of some addresses and networks."""
    if not networks:
        return False
    try:
        found = _plain(address)
    except ValueError:
        return False
    return any(found in network for network in _networks(tuple(networks)))


def is_address(text: str) -> bool:
    """Whether a text is an IP address."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=4096)
def counted_in(address: str) -> tuple[tuple[str, int], ...]:
    """Where limits count an address, and how many times a limit each holds: one household has 256 subnets of IPv6, and
    is not 256 people. Nowhere for the address ""."""
    if not address:
        return ()
    narrow = counted_as(address)
    if ":" not in narrow or "/" not in narrow:
        return ((narrow, 1),)
    wide = ip_network(f"{narrow.partition('/')[0]}/{HOUSEHOLD_BITS}", strict=False)
    return ((narrow, 1), (str(wide), HOUSEHOLD_TIMES))


@lru_cache(maxsize=4096)
def is_private(address: str) -> bool:
    """Whether an address is one of this machine or of a network of its own, as proxies have them."""
    return is_within(address, PRIVATE)


@lru_cache(maxsize=4096)
def counted_as(address: str) -> str:
    """The form in which limits count an address: IPv6 by its subnet."""
    try:
        found = _plain(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(ip_network((found, SUBNET_BITS), strict=False))
    return str(found)


def _plain(address: str) -> IPv4Address | IPv6Address:
    """An address, an IPv4 address inside IPv6 as itself."""
    found = ip_address(address.partition("%")[0])
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


@lru_cache(maxsize=8)
def _networks(written: tuple[str, ...]) -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(ip_network(network, strict=False) for network in written)
