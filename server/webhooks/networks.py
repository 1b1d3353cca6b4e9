"""Which addresses of the net a webhook may reach: those of the public Internet, and no others.

Whatever this machine could reach without being asked from outside is shut: itself, its neighbours, the addresses that a
cloud answers by itself, and those that carry an address of IPv4 inside.
"""

from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network

SHUT = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",  # this network (RFC 791)
            "10.0.0.0/8",  # private (RFC 1918)
            "100.64.0.0/10",  # behind a carrier (RFC 6598)
            "127.0.0.0/8",  # this machine
            "169.254.0.0/16",  # link-local; what a cloud tells its machines
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocols (RFC 6890)
            "192.0.2.0/24",  # documentation
            "192.88.99.0/24",  # relays of 6to4
            "192.168.0.0/16",  # private
            "198.18.0.0/15",  # benchmarks (RFC 2544)
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
            "2001::/23",  # protocols, Teredo among them: an IPv4 address inside
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4: an IPv4 address inside
            "3fff::/20",  # documentation (RFC 9637)
        ),
    )
)
OPEN_6 = IPv6Network("2000::/3")
"""The one part of IPv6 from which public addresses are given. Loopback, IPv4-mapped (`::ffff:0:0/96`), NAT64
(`64:ff9b::/96`), unique local, link-local, site-local and multicast addresses stand outside."""
ISATAP = (b"\0\0\x5e\xfe", b"\x02\0\x5e\xfe")
"""What stands before an IPv4 address at the end of one of IPv6 (RFC 5214)."""


def is_public(address: str) -> bool:
    """Whether an address, as numbers, is one of the public Internet."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and not _is_open(found):
        return False
    return not any(found in network for network in SHUT if network.version == found.version)


def _is_open(address: IPv6Address) -> bool:
    return address in OPEN_6 and address.scope_id is None and address.packed[8:12] not in ISATAP
