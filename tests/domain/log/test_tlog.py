"""Hashes, proofs, tiles and notes of a Merkle log are those of the Go packages sumdb/tlog and sumdb/note."""

import json
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from domain.log import merkle, tiles
from domain.log.entries import Checkpoint
from domain.log.tiles import Tile, tile_path, tiles_of
from replay.proof.cosigned import Cosigner, NoteKey, cosigned_times, read_checkpoint, read_public_key
from replay.proof.notes import BadNote, Signer
from tests.support.looping import some

HERE = Path(__file__).parent
RECORDED = HERE / "tlog-vectors.json"
VECTORS = json.loads(RECORDED.read_bytes())
GOPATH = Path("/usr/share/gocode")
ENTRIES = [b"entry %d" % n for n in range(VECTORS["entries"])]
LEAVES = [merkle.leaf_hash(entry) for entry in ENTRIES]


def node(level: int, index: int) -> bytes:
    return merkle.root_of_leaves(LEAVES[index << level : (index + 1) << level])


def hashes(given: list[str]) -> list[bytes]:
    return [bytes.fromhex(each) for each in given]


def root(size: int) -> bytes:
    return bytes.fromhex(VECTORS["roots"][str(size)])


def tile(level: int, n: int) -> bytes:
    first = n * tiles.WIDTH
    count = min(tiles.WIDTH, (len(LEAVES) >> 8 * level) - first)
    return b"".join(node(8 * level, at) for at in range(first, first + count))


def test_roots_are_those_of_go() -> None:
    for size in some(VECTORS["roots"]):
        assert merkle.root(int(size), node) == root(int(size))
        assert merkle.root_of_leaves(LEAVES[: int(size)]) == root(int(size))


def test_a_log_that_is_read_piece_by_piece_has_the_roots_of_go() -> None:
    for step in (1, 3, 256):
        peaks: tuple[bytes, ...] = ()
        for first in range(0, len(LEAVES), step):
            peaks = merkle.grown(peaks, first, LEAVES[first : first + step])
            size = min(first + step, len(LEAVES))
            assert merkle.root_of_peaks(peaks) == merkle.root(size, node)
        assert merkle.root_of_peaks(peaks) == root(len(LEAVES))
    assert merkle.root_of_peaks(()) == merkle.EMPTY_ROOT


def test_proofs_that_an_entry_is_in_a_log_are_those_of_go() -> None:
    for vector in some(VECTORS["inclusions"]):
        index, size, proof = vector["index"], vector["size"], hashes(vector["proof"])
        assert merkle.inclusion_proof(index, size, node) == proof
        assert merkle.is_included(index, size, LEAVES[index], proof, root(size))


def test_proofs_that_a_log_grew_are_those_of_go() -> None:
    for vector in some(VECTORS["consistency"]):
        old, size, proof = vector["old"], vector["size"], hashes(vector["proof"])
        assert merkle.consistency_proof(old, size, node) == proof
        assert merkle.is_consistent(old, size, root(old), root(size), proof)


def test_a_proof_that_was_changed_proves_nothing() -> None:
    for vector in some(VECTORS["inclusions"]):
        index, size, proof = vector["index"], vector["size"], hashes(vector["proof"])
        assert not merkle.is_included(index, size, merkle.leaf_hash(b"another"), proof, root(size))
        assert not merkle.is_included(index, size, LEAVES[index], [*proof, bytes(32)], root(size))
        assert not proof or not merkle.is_included(index, size, LEAVES[index], proof[:-1], root(size))
        assert not merkle.is_included(size, size, LEAVES[index], proof, root(size))
    for vector in some(each for each in VECTORS["consistency"] if each["old"] < each["size"]):
        old, size, proof = vector["old"], vector["size"], hashes(vector["proof"])
        assert not merkle.is_consistent(old, size, bytes(32), root(size), proof)
        assert not merkle.is_consistent(old, size, root(old), bytes(32), proof)
        assert not merkle.is_consistent(old, size, root(old), root(size), [*proof, bytes(32)])
        assert not proof or not merkle.is_consistent(old, size, root(old), root(size), proof[:-1])


def test_a_log_of_no_entries_grows_into_any_other() -> None:
    assert merkle.root(0, node) == sha256().digest()
    assert merkle.is_consistent(0, 5, merkle.EMPTY_ROOT, root(5), [])
    assert not merkle.is_consistent(0, 5, merkle.EMPTY_ROOT, root(5), [bytes(32)])
    assert not merkle.is_consistent(5, 3, root(5), root(3), [])


def test_tiles_have_the_names_and_the_content_of_go() -> None:
    for vector in some(VECTORS["tiles"]):
        named = Tile(vector["level"], vector["n"], vector["width"])
        assert tile_path(named) == vector["path"].replace("tile/8/", "tile/")
        if vector["content"]:
            content = tile(named.level, named.n)[: named.width * merkle.HASH_BYTES]
            assert sha256(content).hexdigest() == vector["content"]


def test_a_tree_of_600_entries_has_the_tiles_that_go_makes() -> None:
    widest: dict[tuple[int, int], int] = {}  # go lists each width that a tile ever has
    for each in VECTORS["tiles"]:
        if each["content"]:
            widest[each["level"], each["n"]] = each["width"]
    ours = {(each.level, each.n): each.width for each in tiles_of(600) if each.level != tiles.ENTRIES}
    assert ours == widest
    assert [each for each in tiles_of(600) if each.level == tiles.ENTRIES] == [
        Tile(-1, 0),
        Tile(-1, 1),
        Tile(-1, 2, 88),
    ]
    assert list(tiles_of(600, 600)) == []


def test_a_tree_is_read_from_its_tiles() -> None:
    of_tiles = tiles.node_in_tiles(tile)
    for size in some(VECTORS["roots"]):
        assert merkle.root(int(size), of_tiles) == root(int(size))
    with pytest.raises(ValueError, match="too short"):
        of_tiles(0, 600)


def test_entries_come_back_from_their_bundle() -> None:
    assert tiles.entries_in(tiles.bundle(ENTRIES[:256])) == ENTRIES[:256]
    for broken in (b"\x00", b"\x00\x02a", tiles.bundle(ENTRIES[:257])):
        with pytest.raises(ValueError, match="bundle"):
            tiles.entries_in(broken)


def test_a_checkpoint_is_signed_and_cosigned_as_go_does() -> None:
    seed, text = bytes.fromhex(VECTORS["seed"]), VECTORS["checkpoint"]
    signer, witness = Signer("games.example/phalera", seed), Cosigner("witness.example", seed)
    assert signer.key == VECTORS["key"]
    assert witness.key.text() == VECTORS["witness"]
    assert signer.sign(text) + witness.line(text, VECTORS["time"]) + "\n" == VECTORS["note"]
    found = read_checkpoint(VECTORS["note"], read_public_key(VECTORS["key"]))
    assert found == Checkpoint("games.example/phalera", 600, root(600))
    assert list(cosigned_times(VECTORS["note"], read_public_key(VECTORS["witness"]))) == [VECTORS["time"]]


def test_a_cosignature_over_another_text_or_time_counts_for_nothing() -> None:
    witness = read_public_key(VECTORS["witness"])
    other = Cosigner("witness.example", bytes.fromhex(VECTORS["seed"])).line(VECTORS["checkpoint"] + "x\n", 1)
    assert not list(cosigned_times(VECTORS["note"].replace("600", "601"), witness))
    assert not list(cosigned_times(VECTORS["note"].rpartition("\N{EM DASH} ")[0] + other + "\n", witness))


@pytest.mark.parametrize("key", ["", "a+b", "witness.example+00000000+BAAA", VECTORS["key"] + "=", VECTORS["key"][1:]])
def test_a_key_that_is_none_is_refused(key: str) -> None:
    with pytest.raises(BadNote):
        read_public_key(key)


def test_a_weak_key_is_refused() -> None:
    weak = NoteKey("w.example", 4, bytes([1, *bytes(31)]))
    with pytest.raises(BadNote) as refused:
        read_public_key(weak.text())
    assert refused.value.what == "weak-key"


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("go") is None or not (GOPATH / "src/golang.org/x/mod/sumdb").is_dir(),
    reason="golang-go and golang-golang-x-mod-dev are not installed",
)
def test_go_makes_the_recorded_vectors_and_opens_our_notes(tmp_path: Path) -> None:
    go = {"GO111MODULE": "off", "GOPATH": str(GOPATH), "GOCACHE": str(tmp_path), "PATH": "/usr/bin:/bin:/usr/local/bin"}
    program = tmp_path / "vectors"
    subprocess.run(["go", "build", "-o", program, HERE / "tlog_vectors.go"], env=go, check=True)
    assert subprocess.run([program], capture_output=True, check=True).stdout == RECORDED.read_bytes()
    signer, witness = Signer("hosts.example/phalera", bytes([3]) * 32), Cosigner("w.example/witness", bytes([4]) * 32)
    text = Checkpoint("hosts.example/phalera", 257, root(257)).text()
    note = signer.sign(text) + witness.line(text, 1_900_000_000) + "\n"
    keys = (signer.key, witness.key.text())
    opened = subprocess.run([program, "check", *keys], input=note.encode(), capture_output=True, check=True)
    assert opened.stdout.decode().split() == ["2", *text.split("\n")[1:3]]
