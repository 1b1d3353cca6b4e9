"""PBEM-2 written again from docs/record-format.md alone, for the vectors that the page adds to the published ones.

It imports nothing of the product. `python -m tests.support.by_hand` writes the file of the vectors.
"""

import hmac
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parents[1] / "domain" / "page-vectors.json"
GID, MASTER, LENGTH = "G42", bytes(range(32)), 16
SECRETS = {"north": b"\x11" * 32, "south": b"\x22" * 32}
SEALS = 200
OWN_DECK = [f"{value}{suit}{pack}" for value in range(1, 11) for suit in "cdhs" for pack in (1, 2)]


def frame(tag: str, *parts: Any) -> bytes:
    tag = "pbem/2 " + tag
    out = len(tag).to_bytes(2, "big") + tag.encode()
    for part in parts:
        raw = part.to_bytes(4, "big") if isinstance(part, int) else part.encode() if isinstance(part, str) else part
        out += len(raw).to_bytes(4, "big") + raw
    return out


def H(tag: str, *parts: Any) -> bytes:
    return sha256(frame(tag, *parts)).digest()


def M(key: bytes, tag: str, *parts: Any) -> bytes:
    return hmac.new(key, frame(tag, *parts), sha256).digest()


def key_of(chain: str, index: int) -> bytes:
    generation, place = divmod(index, LENGTH)
    key = M(MASTER, "top", GID, chain, generation)
    for _ in range(LENGTH - 1 - place):
        key = H("key", GID, chain, generation, key)
    return key


def book(seat: str, secret: bytes) -> list[bytes]:
    seals = [M(secret, "seal tip", GID, seat)[:16]]
    for _ in range(SEALS):
        seals.append(H("seal", GID, seat, seals[-1])[:16])
    return seals[::-1]


def seed(index: int, scope: str, north: bytes, south: bytes) -> bytes:
    base = scope.split("/", maxsplit=1)[0]
    chain = base if base.startswith("hand:") else "public"
    return M(key_of(chain, index), "seed", GID, index, scope, north, south)


def words(of: bytes) -> Iterator[int]:
    j = 0
    while True:
        block = hmac.new(of, b"pbem/2 stream" + j.to_bytes(8, "big"), sha256).digest()
        yield from (int.from_bytes(block[at : at + 8], "big") for at in (0, 8, 16, 24))
        j += 1


def below(stream: Iterator[int], n: int) -> int:
    return next(word % n for word in stream if word < 2**64 - 2**64 % n)


def taken(stream: Iterator[int], pile: list[str], count: int) -> list[str]:
    """Cards drawn from a pile, which then lacks them."""
    return [pile.pop(below(stream, len(pile))) for _ in range(count)]


def look() -> dict[str, Any]:
    """South looks at three cards of its whole deck, all of them come up, and two more are drawn."""
    north, south = (book(seat, SECRETS[seat])[1] for seat in ("north", "south"))
    pile = list(OWN_DECK)
    seeds = {scope: seed(1, scope, north, south) for scope in ("hand:south", "draw:south")}
    shown = taken(words(seeds["hand:south"]), pile, 3)
    after = taken(words(seeds["draw:south"]), pile, 2)
    return {"seeds": {scope: value.hex() for scope, value in seeds.items()}, "shown": shown, "after": after}


def another_book() -> dict[str, Any]:
    """In its turn south begins another book; north contributes s_2, and then south the first seal of the new one."""
    north, new = book("north", SECRETS["north"]), book("south", b"\x77" * 32)
    made = seed(1, "dice:south", north[2], new[1])
    dice = words(made)
    return {
        "secret": "77" * 32,
        "anchor": new[0].hex(),
        "contributions": [north[2].hex(), new[1].hex()],
        "seed": made.hex(),
        "d6": [below(dice, 6) + 1 for _ in range(5)],
    }


def rewind() -> dict[str, Any]:
    """South draws three cards and keeps the second and the third; play goes back to behind the second."""
    books = {seat: book(seat, SECRETS[seat]) for seat in SECRETS}
    before = words(seed(1, "draw:south", books["north"][1], books["south"][1]))
    pile = list(OWN_DECK)
    first, kept, void = taken(before, pile, 3)
    pile = [card for card in OWN_DECK if card not in (first, kept)]
    made = seed(2, "draw:south/r1", books["north"][2], books["south"][2])
    stream = words(made)
    after = taken(stream, pile, 2)
    pile = [card for card in OWN_DECK if card != kept]
    return {
        "before": [[first, 1], [kept, 0], [void, 0]],
        "seed": made.hex(),
        "after": after,
        "size": len(pile),
        "shuffled": taken(stream, pile, 2),
    }


def vectors() -> dict[str, Any]:
    return {"look": look(), "another_book": another_book(), "rewind": rewind()}


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), indent=1) + "\n")
