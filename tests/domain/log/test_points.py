"""Weak keys and keys with a second encoding are none, by vectors of RFC 8032 and Wycheproof that the page has, too."""

import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from domain.log import points
from domain.log.points import FIELD, is_strong_key, key_id
from tests.support.looping import some

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("key-vectors.json").read_bytes())


@pytest.mark.parametrize("row", VECTORS["strong"], ids=lambda row: row["key"][:12])
def test_an_honest_key_is_taken(row: dict[str, str]) -> None:
    assert is_strong_key(bytes.fromhex(row["key"]))


@pytest.mark.parametrize("row", VECTORS["weak"], ids=lambda row: row["key"][:6] + row["key"][-4:])
def test_a_weak_key_is_refused(row: dict[str, str]) -> None:
    assert not is_strong_key(bytes.fromhex(row["key"])), row["why"]


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_key_has_32_bytes(size: int) -> None:
    assert not is_strong_key(bytes.fromhex(VECTORS["strong"][0]["key"]).ljust(size, b"\1")[:size])


@pytest.mark.parametrize("row", VECTORS["signatures"], ids=lambda row: row["from"])
def test_a_signature_is_judged_as_elsewhere(row: dict[str, Any]) -> None:
    key, message, signature = (bytes.fromhex(row[name]) for name in ("key", "message", "signature"))
    assert is_strong_key(key)
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        is_right = True
    except InvalidSignature:
        is_right = False
    assert is_right is row["is_right"]


def test_the_weak_points_are_those_that_three_doublings_bring_to_the_identity() -> None:
    weak = {_y(row) for row in VECTORS["weak"]}
    for y in some(y for y in sorted(weak) if y < FIELD and _x_squared(y) is not None):
        assert _doubled(_doubled(_doubled(y))) == 1
    for row in some(VECTORS["strong"]):
        assert _doubled(_doubled(_doubled(_y(row)))) != 1


def _y(row: dict[str, str]) -> int:
    return int.from_bytes(bytes.fromhex(row["key"]), "little") & (1 << 255) - 1


def _x_squared(y: int) -> int | None:
    square = (y * y - 1) * pow(points.CURVE * y * y + 1, -1, FIELD) % FIELD
    return square if pow(square, (FIELD - 1) // 2, FIELD) in (0, 1) else None


def _doubled(y: int) -> int:
    """y of twice the point: (y² + x²) / (2 + x² - y²)."""
    square = _x_squared(y)
    assert square is not None
    return (y * y + square) * pow(2 + square - y * y, -1, FIELD) % FIELD


def test_the_id_of_a_key_is_read_in_four_groups() -> None:
    assert key_id(bytes(32)) == "6668 7aad f862 bd77"
