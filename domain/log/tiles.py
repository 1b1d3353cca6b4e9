"""The tiles in which a Merkle log is stored and served (C2SP tlog-tiles), and their addresses.

A tile has the hashes of 256 neighbours at a level that is a multiple of 8; a bundle has 256 entries. The last of each
row is partial, and is named by its width.
"""

from collections.abc import Callable, Iterator

from msgspec import Struct

from domain.log.merkle import HASH_BYTES, Node, node_hash

__all__ = ["ENTRIES", "WIDTH", "Tile", "bundle", "entries_in", "node_in_tiles", "tile_path", "tiles_of"]

HEIGHT = 8
WIDTH = 1 << HEIGHT
ENTRIES = -1
"""The level of bundles of entries."""
MOST_ENTRY = 0xFFFF


class Tile(Struct, frozen=True):
    """A tile by its place: the level in tiles (`ENTRIES` for a bundle), its number in the row, and its width."""

    level: int
    n: int
    width: int = WIDTH


def tile_path(tile: Tile) -> str:
    """The address of a tile below that of its log: `tile/0/x001/234.p/5`."""
    level = "entries" if tile.level == ENTRIES else str(tile.level)
    groups = [f"{tile.n % 1000:03d}"]
    rest = tile.n // 1000
    while rest:
        groups.append(f"x{rest % 1000:03d}")
        rest //= 1000
    end = "" if tile.width == WIDTH else f".p/{tile.width}"
    return f"tile/{level}/{'/'.join(reversed(groups))}{end}"


def tiles_of(size: int, since: int = 0) -> Iterator[Tile]:
    """The tiles and bundles of a tree of `size` entries that a tree of `since` entries had not, or not so wide."""
    for level in (ENTRIES, *range(size.bit_length() // HEIGHT + 1)):
        shift = 0 if level == ENTRIES else level * HEIGHT
        before, now = since >> shift, size >> shift
        if now == before:
            continue
        for n in range(before // WIDTH, (now + WIDTH - 1) // WIDTH):
            yield Tile(level, n, min(WIDTH, now - n * WIDTH))


def bundle(entries: list[bytes]) -> bytes:
    """Entries as a bundle has them, each behind its length in two bytes.

    Raises:  ValueError for an entry of more than 65,535 bytes
    """
    if any(len(entry) > MOST_ENTRY for entry in entries):
        raise ValueError("an entry is too long")
    return b"".join(len(entry).to_bytes(2, "big") + entry for entry in entries)


def entries_in(content: bytes) -> list[bytes]:
    """The entries of a bundle.

    Raises:  ValueError for a bundle that is cut off, or has more entries than fit
    """
    found: list[bytes] = []
    place = 0
    while place < len(content):
        start = place + 2
        place = start + int.from_bytes(content[place:start], "big")
        if start > len(content) or place > len(content) or len(found) == WIDTH:
            raise ValueError("not a bundle of entries")
        found.append(content[start:place])
    return found


def node_in_tiles(tile: Callable[[int, int], bytes]) -> Node:
    """The reader of a tree whose tiles `tile(level, n)` gives, as wide as they are.

    The reader raises ValueError for a subtree that the tiles do not have whole.
    """

    def node(level: int, index: int) -> bytes:
        row, height = divmod(level, HEIGHT)
        n, place = divmod(index << height, WIDTH)
        content = tile(row, n)[place * HASH_BYTES : (place + (1 << height)) * HASH_BYTES]
        if len(content) != HASH_BYTES << height:
            raise ValueError("a tile is too short")
        hashes = [content[at : at + HASH_BYTES] for at in range(0, len(content), HASH_BYTES)]
        while len(hashes) > 1:
            hashes = [node_hash(hashes[at], hashes[at + 1]) for at in range(0, len(hashes), 2)]
        return hashes[0]

    return node
