"""A webhook reaches the public Internet, and nothing that this machine alone could reach."""

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.webhooks.networks import is_public


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.215.14", "172.15.0.1", "172.32.0.1", "2606:4700::1111", "2a00::1"]
)
def test_an_address_of_the_public_internet_is_reached(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "::ffff:0:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::808:808",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:0:7f00:1::",
        "2001:10::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2a00::5efe:7f00:1",
        "2a00::200:5efe:a00:1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd12:3456::1",
        "fe80::1",
        "fe80::1%lo",
        "2a00::1%lo",
        "fec0::1",
        "ff02::1",
        "localhost",
        "2130706433",
        "0x7f000001",
        "127.1",
        "",
    ],
)
def test_any_other_address_is_not(address: str) -> None:
    assert not is_public(address)


@given(st.integers(0, 2**32 - 1))
def test_what_python_calls_private_is_never_public(number: int) -> None:
    address = IPv4Address(number)
    if not address.is_global or address.is_multicast or address.is_reserved:
        assert not is_public(str(address))
    for carrier in (
        f"::ffff:{address}",
        f"::{address}",
        f"64:ff9b::{address}",
        str(IPv6Address((0x2002 << 112) | number << 80)),
    ):
        assert not is_public(carrier)
