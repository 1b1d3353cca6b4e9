"""The primitives of the protocol, beside their vectors (test_fairness_vectors): draws are fair and repeatable."""

import hmac
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.log import fairness
from domain.log.fairness import (
    H,
    M,
    Stream,
    plain_contribution,
    scope_label,
    seal_before,
    seal_chain,
    seal_from_text,
)
from domain.log.keys import KeyChain

GID = "G42"
NORTH = seal_chain(GID, "north", b"\x11" * 32, 200)


def test_a_tag_and_its_parts_are_hashed_with_their_lengths():
    assert H("a", "bc") != H("a", "b", "c") != H("ab", "c")
    assert H("a", 7) == H("a", b"\x00\x00\x00\x07")
    assert H("a", "é") == H("a", "é".encode())
    assert M(b"key", "a", 7) == hmac.digest(b"key", b"\x00\x01a\x00\x00\x00\x04\x00\x00\x00\x07", "sha256")


def test_every_seal_hashes_to_the_one_before_it():
    assert len(NORTH) == 201
    assert all(seal_before(GID, "north", after) == before for before, after in pairwise(NORTH))


def test_a_seal_typed_with_spaces_and_in_small_letters_is_the_same_seal():
    assert seal_from_text("eameq-3az2t bgpbm\n6gdm4ddlgra") == NORTH[1]


@pytest.mark.parametrize(
    "text", ["", "EAMEQ3AZ2TBGPBM6GDM4DDLGR", "EAMEQ3AZ2TBGPBM6GDM4DDLGRB", "1AMEQ3AZ2TBGPBM6GDM4DDLGRA"]
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
    block = hmac.digest(key, b"pbem/2 stream" + number.to_bytes(8, "big"), "sha256")
    return [int.from_bytes(block[start : start + 8], "big") for start in range(0, 32, 8)]


@pytest.mark.slow
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


@pytest.mark.parametrize("length", [2, 31, 32, 33, 64, 65, 100])
def test_every_key_of_a_chain_is_that_many_hashes_below_the_last(length: int) -> None:
    of = "b1", "public", 0
    chain, top = KeyChain(bytes(32), *of, length), fairness.top_key(bytes(32), *of)
    below = [top, *islice(fairness.keys_before(*of, top), length)]
    assert [*(chain.key(place) for place in reversed(range(length))), chain.anchor] == below
    assert fairness.key_below(*of, top, length) == below[-1]
