"""Merkle trees over a growing list of entries: hashes, roots and proofs (RFC 6962).

A tree is read by a function that gives the hash of a complete subtree: `node(level, index)` covers the entries from
`index << level` on, `1 << level` of them. Nothing here reads or stores anything.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256

__all__ = [
    "EMPTY_ROOT",
    "HASH_BYTES",
    "MOST_PROOF",
    "Node",
    "consistency_proof",
    "grown",
    "inclusion_proof",
    "is_consistent",
    "is_included",
    "leaf_hash",
    "node_hash",
    "root",
    "root_of_leaves",
    "root_of_peaks",
]

HASH_BYTES = 32
MOST_PROOF = 63
"""Hashes in a proof: as many as the tallest tree has levels."""
EMPTY_ROOT = sha256().digest()

Node = Callable[[int, int], bytes]


def leaf_hash(entry: bytes) -> bytes:
    """The hash of an entry: 32 bytes."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash over two subtrees: 32 bytes."""
    return sha256(b"\x01" + left + right).digest()


def root(size: int, node: Node) -> bytes:
    """The root of the tree over the first `size` entries."""
    return _range_hash(0, size, node) if size else EMPTY_ROOT


def root_of_leaves(leaves: Sequence[bytes]) -> bytes:
    """The root over hashes of entries."""
    level = list(leaves)
    while len(level) > 1:  # what is left over at a level goes up as it is
        above = [node_hash(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
        level = above + level[len(above) * 2 :]
    return level[0] if level else EMPTY_ROOT


def grown(peaks: Sequence[bytes], size: int, leaves: Iterable[bytes]) -> tuple[bytes, ...]:
    """The complete subtrees over `size` entries, the largest first, when hashes of entries come behind them."""
    found = list(peaks)
    for place, leaf in enumerate(leaves, size):
        found.append(leaf)
        full = place
        while full & 1:
            right = found.pop()
            found[-1] = node_hash(found[-1], right)
            full >>= 1
    return tuple(found)


def root_of_peaks(peaks: Sequence[bytes]) -> bytes:
    """The root over complete subtrees, the largest first."""
    if not peaks:
        return EMPTY_ROOT
    *others, found = peaks
    for peak in reversed(others):
        found = node_hash(peak, found)
    return found


def inclusion_proof(index: int, size: int, node: Node) -> list[bytes]:
    """The hashes that lead from entry `index` to the root of `size` entries, the lowest first.

    Raises:  ValueError unless 0 <= index < size
    """
    if not 0 <= index < size:
        raise ValueError("no such entry")
    proof: list[bytes] = []
    first, end = 0, size
    while end - first > 1:
        middle = first + _split(end - first)
        if index < middle:
            proof.append(_range_hash(middle, end, node))
            end = middle
        else:
            proof.append(_range_hash(first, middle, node))
            first = middle
    return proof[::-1]


def consistency_proof(old: int, size: int, node: Node) -> list[bytes]:
    """The hashes by which the root of `size` entries is shown to extend that of `old`; none if `old` is 0 or `size`.

    Raises:  ValueError unless 0 <= old <= size
    """
    if not 0 <= old <= size:
        raise ValueError("the tree has never had that size")
    proof: list[bytes] = []
    first, end = 0, size
    if old in (0, size):
        return proof
    while old != end:
        middle = first + _split(end - first)
        if old <= middle:
            proof.append(_range_hash(middle, end, node))
            end = middle
        else:
            proof.append(_range_hash(first, middle, node))
            first = middle
    if first:
        proof.append(_range_hash(first, end, node))
    return proof[::-1]


def is_included(index: int, size: int, leaf: bytes, proof: Sequence[bytes], expected: bytes) -> bool:
    """Whether a proof leads from the hash of entry `index` to the root of `size` entries."""
    if not 0 <= index < size or len(proof) > MOST_PROOF:
        return False
    place, last, found = index, size - 1, leaf
    for each in proof:
        if last == 0:
            return False
        if place & 1 or place == last:
            found = node_hash(each, found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = node_hash(found, each)
        place, last = place >> 1, last >> 1
    return last == 0 and found == expected


def is_consistent(old: int, size: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether a proof shows that the tree of `size` entries begins with that of `old`."""
    if not 0 <= old <= size or len(proof) > MOST_PROOF:
        return False
    if old == size:
        return not proof and old_root == new_root
    if old == 0:
        return not proof and old_root == EMPTY_ROOT
    hashes = iter(proof)
    place, last = old - 1, size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    start = old_root if old & (old - 1) == 0 else next(hashes, b"")
    return _leads_to(place, last, start, hashes) == (old_root, new_root)


def _leads_to(place: int, last: int, start: bytes, hashes: Iterator[bytes]) -> tuple[bytes, bytes] | None:
    """The old and the new root that the hashes of a consistency proof give; None if there are too many or few."""
    of_old = of_new = start
    for each in hashes:
        if last == 0:
            return None
        if place & 1 or place == last:
            of_old, of_new = node_hash(each, of_old), node_hash(each, of_new)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            of_new = node_hash(of_new, each)
        place, last = place >> 1, last >> 1
    return (of_old, of_new) if last == 0 else None


def _split(count: int) -> int:
    """The largest power of two below a count of two or more."""
    return 1 << (count - 1).bit_length() - 1


def _range_hash(first: int, end: int, node: Node) -> bytes:
    """The hash of the entries from `first` on, which begin a subtree, up to `end`."""
    peaks = []
    while first < end:
        level = (end - first).bit_length() - 1
        peaks.append(node(level, first >> level))
        first += 1 << level
    return root_of_peaks(peaks)
