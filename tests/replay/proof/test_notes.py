"""Our signed notes follow the public format, and every change of one is refused."""

import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.log import record
from replay.proof import chain, notes
from replay.proof.notes import BadNote, Head, Signer, Verifier
from tests.support.key_changes import sign_new_key
from tests.support.looping import some

VECTORS = json.loads((Path(__file__).parents[2] / "domain" / "fairness-vectors.json").read_text())
POINTS = json.loads((Path(__file__).parents[2] / "domain" / "log" / "key-vectors.json").read_text())

# The example of the C2SP signed-note specification.
SPEC_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
SPEC_NOTE = (
    "This is an example message.\n\n— example.com/foo "
    "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)
# The example of golang.org/x/mod/sumdb/note.
GO_SECRET = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
GO_NOTE = (
    f"{GO_TEXT}\n— PeterNeumann "
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)

SIGNER = Signer("h.example", b"\x07" * 32)
HEAD = Head("h.example/phalera/b7", 41, bytes(range(32)))
NOTE = notes.sign_head(SIGNER, HEAD)


def refusal(action, *arguments) -> str:
    with pytest.raises(BadNote) as caught:
        action(*arguments)
    return caught.value.what


def test_the_example_of_the_specification_verifies():
    assert Verifier(SPEC_KEY).open(SPEC_NOTE) == "This is an example message.\n"


def test_the_example_of_the_go_library_is_signed_to_the_same_bytes():
    signer = notes.signer_from(GO_SECRET)
    assert signer.key == GO_KEY
    assert signer.sign(GO_TEXT) == GO_NOTE
    assert signer.secret_key() == GO_SECRET
    assert Verifier(GO_KEY).open(GO_NOTE) == GO_TEXT


def test_a_head_is_three_lines_and_a_signature():
    origin, n, head_hash, empty, signature, end = NOTE.split("\n")
    assert (origin, n, empty, end) == ("h.example/phalera/b7", "41", "", "")
    assert head_hash == "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    assert signature.startswith("— h.example ")
    assert notes.open_head(Verifier(SIGNER.key), NOTE) == HEAD
    assert notes.unverified_head(NOTE) == HEAD
    assert notes.origin("h.example", "b7") == HEAD.origin


@pytest.mark.slow
def test_every_single_bit_of_a_note_matters():
    verifier, content = Verifier(SIGNER.key), NOTE.encode()
    for place in some(range(len(content) * 8)):
        changed = bytearray(content)
        changed[place // 8] ^= 1 << place % 8
        try:
            text = bytes(changed).decode()
        except UnicodeDecodeError:
            continue
        with pytest.raises(BadNote):
            notes.open_head(verifier, text)


@pytest.mark.parametrize(
    "changed",
    [
        NOTE + NOTE.split("\n\n")[1],  # a second signature line
        NOTE.removesuffix("\n"),
        NOTE + "\n",
        NOTE.replace("\n", "\r\n"),
        NOTE.replace("— ", "- "),
        NOTE.replace("— ", "—  "),
        NOTE.split("\n\n", maxsplit=1)[0],
        "",
    ],
)
def test_a_note_of_another_shape_is_refused(changed):
    assert refusal(Verifier(SIGNER.key).open, changed) == "not-a-note"


def test_a_note_by_another_key_is_refused():
    assert refusal(Verifier(SIGNER.key).open, Signer("h.example", b"\x08" * 32).sign("x\n")) == "other-key"
    assert refusal(Verifier(SIGNER.key).open, Signer("g.example", b"\x07" * 32).sign("x\n")) == "other-key"


@pytest.mark.parametrize("text", ["", "no line feed", "a\tb\n", "a\x00\n", "a\x7f\n"])
def test_a_text_that_mail_could_change_is_not_signed(text):
    assert refusal(SIGNER.sign, text) == "not-a-note"


@pytest.mark.parametrize(
    "text",
    [
        "o\n041\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n",
        "o\n-1\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n",
        "o\n1\nAAEC\n",
        "o\n1\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9=\n",
        "o\n1\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\nmore\n",
        "o\nkey\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n",
        "This is no head.\n",
    ],
)
def test_a_signed_text_that_is_no_head_is_refused(text):
    assert refusal(notes.open_head, Verifier(SIGNER.key), SIGNER.sign(text)) == "not-a-head"


@pytest.mark.parametrize(
    "key",
    [
        "",
        "h.example",
        SIGNER.key + "=",
        SIGNER.key.replace("+", "-"),
        SIGNER.key.replace("h.example", "g.example"),
        SPEC_KEY.replace("530d903a", "530D903A"),
        "a b" + SIGNER.key.removeprefix("h.example"),
        GO_SECRET,
        "x+00000000+AAAA",
    ],
)
def test_a_key_that_is_not_spelled_right_is_refused(key):
    assert refusal(Verifier, key) == "bad-key"


@pytest.mark.parametrize("row", POINTS["weak"], ids=lambda row: row["key"][:6] + row["key"][-4:])
def test_a_weak_key_of_a_host_is_none(row):
    material = notes.ED25519 + bytes.fromhex(row["key"])
    digits = sha256(b"h.example\n" + material).hexdigest()[:8]
    assert refusal(Verifier, f"h.example+{digits}+{b64encode(material).decode()}") == "weak-key"


@pytest.mark.parametrize(
    "key", ["", GO_KEY, GO_SECRET[:-1], GO_SECRET + "=", GO_SECRET.replace("c74f", "c74e"), "PRIVATE+KEY+a"]
)
def test_a_secret_key_that_is_not_spelled_right_is_refused(key):
    assert refusal(notes.signer_from, key) == "bad-key"


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\u2028b", "a\nb"])
def test_a_key_needs_a_name_without_space_or_plus(name):
    assert refusal(Signer, name, bytes(32)) == "bad-key"


def test_a_key_is_made_of_32_bytes():
    assert refusal(Signer, "h", bytes(31)) == "bad-key"


def test_a_fingerprint_can_be_read_aloud():
    fingerprint = Verifier(SPEC_KEY).fingerprint()
    assert [len(group) for group in fingerprint.split(" ")] == [4] * 8
    assert fingerprint != Verifier(GO_KEY).fingerprint()


def test_a_new_key_is_signed_by_the_old_one():
    new = Signer("h.example", b"\x09" * 32)
    signature = sign_new_key(SIGNER, HEAD.origin, new.key)
    assert notes.require_new_key(Verifier(SIGNER.key), HEAD.origin, new.key, signature).key == new.key
    assert refusal(notes.require_new_key, Verifier(new.key), HEAD.origin, new.key, signature) == "bad-signature"
    assert (
        refusal(notes.require_new_key, Verifier(SIGNER.key), "other/phalera/b7", new.key, signature) == "bad-signature"
    )
    assert (
        refusal(notes.require_new_key, Verifier(SIGNER.key), HEAD.origin, new.key, signature[:-3] + "B==")
        == "bad-signature"
    )
    assert refusal(notes.require_new_key, Verifier(SIGNER.key), HEAD.origin, new.key, "?") == "bad-signature"


@settings(max_examples=50)
@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**53), st.binary(min_size=32, max_size=32))
def test_every_head_is_opened_by_the_key_that_signed_it(seed, n, head_hash):
    signer = Signer("h.example:8080", seed)
    head = Head("h.example:8080/phalera/b7", n, head_hash)
    assert notes.open_head(Verifier(signer.key), notes.sign_head(signer, head)) == head
    assert notes.signer_from(signer.secret_key()).key == signer.key


# --- the vectors of the protocol


def test_the_vectors_of_checkpoint_and_new_key_are_recomputed():
    checkpoint, changed, log = VECTORS["checkpoint"], VECTORS["key_changed"], VECTORS["log"]
    assert record.checkpoint_note(checkpoint["line"].encode(), 1) == checkpoint["note"]
    head = notes.open_head(Verifier(checkpoint["key"]), checkpoint["note"])
    assert head == Head(checkpoint["origin"], checkpoint["n"], bytes.fromhex(log["hash_1"]))
    file = f"{log['header_line']}\n{log['file_line']}\n{checkpoint['line']}\n".encode()
    opened = chain.open_file(file)
    assert [one.hex() for one in opened.hashes] == [log["hash_0"], log["hash_1"]]
    new = notes.require_new_key(Verifier(changed["old"]), changed["origin"], changed["new"], changed["signature"])
    assert new.key == changed["new"]
