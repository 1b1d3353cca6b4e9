"""The arithmetic of PBEM-2 gives the published vectors, made by another program."""

import json
from base64 import b64decode
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.log import fairness, record
from domain.log.fairness import Stream
from domain.log.keys import HostKeys, KeyChain

VECTORS = json.loads((Path(__file__).parents[1] / "fairness-vectors.json").read_text())
GID, LENGTH = VECTORS["gid"], VECTORS["length"]
MASTER = bytes.fromhex(VECTORS["master"])
KEYS = HostKeys(MASTER, GID, ("north", "south"), LENGTH)

of = pytest.mark.parametrize


def octets(texts: list[str]) -> list[bytes]:
    return [bytes.fromhex(text) for text in texts]


@of("chain", VECTORS["chains"], ids=lambda chain: chain["chain"])
def test_chains_and_their_anchors(chain):
    made = KeyChain(MASTER, GID, chain["chain"], chain["generation"], LENGTH)
    assert fairness.top_key(MASTER, GID, chain["chain"], chain["generation"]).hex() == chain["top"]
    assert made.anchor.hex() == chain["anchor"]
    assert {place: made.key(int(place)).hex() for place in chain["keys"]} == chain["keys"]


def test_the_commitment_binds_all_anchors():
    assert KEYS.commitment().hex() == VECTORS["commitment"]


def test_a_second_generation_goes_on_from_the_same_master():
    continued = VECTORS["continued"]
    assert KEYS.anchors(continued["generation"])["public"].hex() == continued["anchor"]
    assert KEYS.key("draw:north", continued["index"]).hex() == continued["key"]


@of("disclosed", VECTORS["disclosures"], ids=lambda disclosed: f"index {disclosed['index']}")
def test_a_disclosed_key_hashes_to_the_one_before(disclosed):
    key = bytes.fromhex(disclosed["key"])
    assert KEYS.key("common", disclosed["index"]) == key
    generation = disclosed["index"] // LENGTH
    assert fairness.key_before(GID, disclosed["chain"], generation, key).hex() == disclosed["hashes_to"]


@of("seat", VECTORS["seals"], ids=lambda seat: seat["seat"])
def test_seals(seat):
    seals = fairness.seal_chain(GID, seat["seat"], bytes.fromhex(seat["secret"]), seat["length"])
    assert [seal.hex() for seal in seals[:3]] == [seat["anchor"], seat["s_1"], seat["s_2"]]
    assert fairness.seal_text(seals[1]) == seat["s_1_text"]


@of("given", VECTORS["plain"], ids=lambda given: given["seat"])
def test_plain_contributions(given):
    value = fairness.plain_contribution(GID, given["t"], given["seat"], given["phrase"], given["order"])
    assert value.hex() == given["value"]


@of("draw", VECTORS["draws"], ids=lambda draw: draw["what"])
def test_seeds_and_numbers(draw):
    assert fairness.chain_of(draw["scope"]) == draw["chain"]
    key = KEYS.key(draw["scope"], draw["index"])
    seed = fairness.seed(key, GID, draw["index"], draw["scope"], octets(draw["contributions"]))
    stream = Stream(seed)
    assert seed.hex() == draw["seed"]
    assert [stream.below(size) for size in draw["sizes"]] == draw["numbers"]
    assert stream.position == draw["words_used"]


def test_a_word_that_would_favour_low_numbers_is_dropped():
    words = VECTORS["words"]
    stream = Stream(bytes.fromhex(words["seed"]))
    assert [str(stream.below(int(size))) for size in words["sizes"]] == words["numbers"]
    assert stream.position == words["words_used"]


def test_sealed_members():
    sealed = VECTORS["sealed"]
    content = record.canonical(sealed["content"])
    assert content.hex() == sealed["bytes"]
    salt = bytes.fromhex(sealed["salt"])
    assert fairness.sealed_commitment(salt, GID, sealed["t"], sealed["seat"], content).hex() == sealed["value"]


@of("signed", VECTORS["player_signature"], ids=lambda signed: f"serial {signed['serial']}")
def test_what_a_player_signs(signed):
    seen = signed["seen"]["n"], bytes.fromhex(signed["seen"]["hash"])
    giving = bytes.fromhex(signed["giving"])
    message = fairness.signed_message(GID, signed["seat"], signed["serial"], seen, giving, signed["text"])
    assert message.hex() == signed["message"]
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(signed["private"])).public_key()
    key.verify(b64decode(signed["signature"]), message)
    assert b64decode(signed["signer"]) == key.public_bytes_raw()


def test_the_canonical_line_and_its_hash():
    log = VECTORS["log"]
    header = record.first_hash(log["header_line"].encode())
    assert header.hex() == log["hash_0"]
    line = log["event_line"].encode()
    assert record.next_hash(header, line).hex() == log["hash_1"]
    assert record.splice_hash(line, bytes.fromhex(log["hash_1"])) == log["file_line"].encode()
