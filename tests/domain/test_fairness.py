"""The primitives of PBEM-1 give the published vectors; draws are fair and repeatable."""

import hmac
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.log.fairness import (
    H,
    M,
    Stream,
    commitment,
    nonce,
    plain_contribution,
    scope_label,
    seal_before,
    seal_chain,
    seal_from_text,
    seal_text,
    sealed_commitment,
    seed,
)

GID = "G42"
MASTER = bytes(range(32))
NORTH = seal_chain(GID, "north", b"\x11" * 32, 200)
SOUTH = seal_chain(GID, "south", b"\x22" * 32, 200)
# The deck of the vectors: a to h stand for the four suits of two packs.
EIGHTY = [value + mark for value in ("A", *map(str, range(2, 11))) for mark in "abcdefgh"]


def first_stream(scope: str) -> Stream:
    return Stream(seed(nonce(MASTER, GID, 1, scope), GID, 1, scope, NORTH[1], SOUTH[1]))


def test_the_commitment_is_that_of_the_vectors():
    assert commitment(GID, MASTER).hex() == "fdcc7a4ffec156565b50f32205327addcf0af92a4589cbfe385eec3cdaa0e39a"


def test_anchors_and_first_seals_are_those_of_the_vectors():
    assert [seal.hex() for seal in NORTH[:2]] == [
        "1ad35c5e3578ac7167bc81fb8c7b2201",
        "7cb0d14c58073f17f8085bbf4921e46b",
    ]
    assert [seal.hex() for seal in SOUTH[:2]] == [
        "e55aaf64160ee3d9fdbf0a7a06bbe27e",
        "1c291e2101a5925bf7392ed725379135",
    ]


def test_the_seal_book_prints_the_seal_of_the_vectors():
    assert seal_text(NORTH[1]) == "PSYNCTCYA47RP6AILO7USIPENM"


def test_the_public_seed_of_turn_one_is_that_of_the_vectors():
    key = seed(nonce(MASTER, GID, 1, "public"), GID, 1, "public", NORTH[1], SOUTH[1])
    assert key.hex() == "ccaf26b49b573cc1b556241dc784e9c1fdd31308da10ee543b9b1312e389be19"


def test_ten_dice_are_those_of_the_vectors():
    stream = first_stream("public")
    assert [stream.below(6) + 1 for _ in range(10)] == [2, 5, 6, 3, 3, 2, 3, 5, 3, 3]


@pytest.mark.parametrize(
    ("scope", "cards"),
    [
        ("draw:north", "9b 8e 9a 3b 5f 9f Ac 3d 5d 5a"),
        ("draw:south", "3g 8b 3e 7e 8e 5c 2h Ab Ad 7c"),
    ],
)
def test_ten_cards_of_each_deck_are_those_of_the_vectors(scope, cards):
    stream, pile = first_stream(scope), list(EIGHTY)
    assert [pile.pop(stream.below(len(pile))) for _ in range(10)] == cards.split()


def test_the_sealed_commitment_is_that_of_the_vectors():
    found = sealed_commitment(b"\x33" * 32, GID, 3, "north", b'{"deploy":["U1@B2","U2@C3"]}')
    assert found.hex() == "cb710e62dc86df1f85b8463241f2cab8ee0b6945bafd74ef4317f31d64e441e8"


def test_a_tag_and_its_parts_are_hashed_with_their_lengths():
    assert H("a", "bc") != H("a", "b", "c") != H("ab", "c")
    assert H("a", 7) == H("a", b"\x00\x00\x00\x07")
    assert H("a", "é") == H("a", "é".encode())
    assert M(b"key", "a", 7) == hmac.digest(b"key", b"\x00\x01a\x00\x00\x00\x04\x00\x00\x00\x07", "sha256")


def test_every_seal_hashes_to_the_one_before_it():
    assert len(NORTH) == 201
    assert all(seal_before(GID, "north", after) == before for before, after in pairwise(NORTH))


def test_a_seal_typed_with_spaces_and_in_small_letters_is_the_same_seal():
    assert seal_from_text("psync-tcya4 7rp6a\nilo7usipenm") == NORTH[1]


@pytest.mark.parametrize(
    "text", ["", "PSYNCTCYA47RP6AILO7USIPEN", "PSYNCTCYA47RP6AILO7USIPENN", "1SYNCTCYA47RP6AILO7USIPENM"]
)
def test_a_mistyped_seal_is_refused(text):
    with pytest.raises(ValueError):
        seal_from_text(text)


def test_a_plain_contribution_depends_on_all_it_is_made_of():
    one = plain_contribution(GID, 1, "north", "luck", "done")
    others = [
        plain_contribution("G43", 1, "north", "luck", "done"),
        plain_contribution(GID, 2, "north", "luck", "done"),
        plain_contribution(GID, 1, "south", "luck", "done"),
        plain_contribution(GID, 1, "north", "luckd", "one"),
        plain_contribution(GID, 1, "north", "luck"),
    ]
    assert len({one, *others}) == 6


def test_after_a_rewind_the_scope_bears_its_number():
    assert (scope_label("draw:north", 0), scope_label("draw:north", 2)) == ("draw:north", "draw:north/r2")


def test_a_draw_below_one_is_zero_and_consumes_a_word():
    stream = Stream(b"k" * 32)
    assert (stream.below(1), stream.position) == (0, 1)


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_nothing_can_be_drawn_below_zero_or_above_a_word(n):
    with pytest.raises(ValueError, match="cannot draw"):
        Stream(b"k" * 32).below(n)


def test_a_word_above_the_last_whole_multiple_is_rejected():
    # Below 2^63 + 1 about half of all words are rejected: 200 draws take clearly more than 200 words.
    stream = Stream(b"k" * 32)
    drawn = [stream.below(2**63 + 1) for _ in range(200)]
    words = [word for block in range(stream.position // 4 + 1) for word in block_of(b"k" * 32, block)]
    assert drawn == [word for word in words[: stream.position] if word <= 2**63]
    assert stream.position > 300


def block_of(key: bytes, number: int) -> list[int]:
    block = hmac.digest(key, b"pbem/1 stream" + number.to_bytes(8, "big"), "sha256")
    return [int.from_bytes(block[start : start + 8], "big") for start in range(0, 32, 8)]


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(1, 2**64), max_size=40), st.integers(0, 40))
def test_a_stream_goes_on_where_another_stopped(key, sizes, cut):
    whole, first = Stream(key), Stream(key)
    expected = [whole.below(n) for n in sizes]
    drawn = [first.below(n) for n in sizes[:cut]]
    rest = Stream(key, first.position)
    twin = first.copy()
    assert drawn + [rest.below(n) for n in sizes[cut:]] == expected
    assert [twin.below(n) for n in sizes[cut:]] == expected[len(drawn) :]
    assert all(0 <= number < n for number, n in zip(expected, sizes, strict=True))
