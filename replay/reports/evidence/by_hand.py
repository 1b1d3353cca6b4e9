"""The steps in which a reader makes a draw again by hand, from the first event to the card or the face.

It has the arithmetic of `replay.telling.recompute` and the bytes behind each step of it. A step says what comes out and
whether that is what the log has; the whole file is the verifier's (`replay.proof.verify`).
"""

from collections.abc import Iterator, Sequence
from hmac import digest as hmac_digest
from typing import Any

from msgspec import UNSET, Struct

from domain.engine.draws import face_of
from domain.events.battle import CardDrawn, ContributionGiven, KeyDisclosed, KeysContinued, OrderAccepted, SideJoined
from domain.log import fairness
from domain.log.fairness import LENGTH, PUBLIC, SEAL_BYTES, Part, Stream
from domain.log.record import Recorded
from replay.telling.recompute import Recomputed, recomputed, stream_before

WORDS_IN_A_BLOCK = 4
LONGEST_PART = 200
"""Characters of a text that stand in a formula."""


class HandStep(Struct, frozen=True):
    """One step: `what` it is, `members` of its sentence, and `holds`: the log has what comes out.

    Where something is hashed, `formula` names it, `data` are the bytes, `key` that of an HMAC (b"": SHA-256 alone) and
    `result` what comes out."""

    what: str
    members: dict[str, Any]
    formula: str = ""
    data: bytes = b""
    key: bytes = b""
    result: bytes = b""
    holds: bool = True


def steps(
    battle: str, log: Sequence[Recorded], n: int, pile: Sequence[str], seeded: str = ""
) -> tuple[str, list[HandStep]]:
    """The steps of the draw of event `n`, and the seed that it used ("" while its key is not disclosed).

    Shape:  `pile` are the cards that could come, in their canonical order; `seeded` a seed whose steps have been shown
            already, so that only the draw itself is
    """
    draw = recomputed(battle, log, n)
    if draw is None:
        return "", [HandStep("no-draw", {"n": n})]
    if not draw.key:
        return "", [*_bound(battle, log, draw), HandStep("key-later", {"index": draw.index})]
    seeding = [] if draw.seed == seeded else [*_bound(battle, log, draw), *_seeding(battle, log, draw)]
    return draw.seed, [*seeding, *_drawing(log, draw, n, pile)]


# --- what was bound before


def _bound(battle: str, log: Sequence[Recorded], draw: Recomputed) -> Iterator[HandStep]:
    """What event 1 has bound."""
    opened: Any = log[0].event
    if opened.keys is UNSET or opened.commitment is UNSET:
        return
    parts: list[Part] = [battle, opened.keys.length]
    for chain, anchor in sorted(opened.keys.anchors.items()):
        parts += [chain, bytes.fromhex(anchor)]
    yield _hashed("commitment", {}, "pbem/2 commitment", parts, bytes.fromhex(opened.commitment))
    if draw.key:
        yield _key_step(battle, log, draw, opened.keys.length)


def _key_step(battle: str, log: Sequence[Recorded], draw: Recomputed, length: int) -> HandStep:
    """The disclosed key hashes to what was known before it: the key of the period before, or the anchor."""
    chain = fairness.chain_of(draw.scope)
    generation, place = divmod(draw.index, length or LENGTH)
    key = bytes.fromhex(draw.key)
    told = {"index": draw.index, "disclosed": draw.disclosed, "key": draw.key, "chain": chain}
    parts: list[Part] = [battle, chain, generation, key]
    before = next((one for one in log if _discloses(one, draw.index - 1)), None) if place and chain == PUBLIC else None
    if before is not None:
        event: Any = before.event
        return _hashed("key", {**told, "before": before.n}, "pbem/2 key", parts, bytes.fromhex(event.key))
    anchor_n, anchor = _anchor(log, chain, generation)
    told = {**told, "anchor": anchor_n}
    if not place:
        return _hashed("key-anchor", told, "pbem/2 key", parts, anchor)
    lowest = fairness.key_below(battle, chain, generation, key, place + 1)
    data = fairness.frame("pbem/2 key", *parts)
    formula = _formula("H", "pbem/2 key", parts)
    told |= {"times": place + 1, "hex": anchor.hex()}
    return HandStep("key-far", told, formula, data, b"", fairness.H("pbem/2 key", *parts), lowest == anchor)


def _discloses(entry: Recorded, index: int) -> bool:
    return isinstance(entry.event, KeyDisclosed) and entry.event.index == index


def _anchor(log: Sequence[Recorded], chain: str, generation: int) -> tuple[int, bytes]:
    """The event that has the anchor of a chain, and the anchor."""
    for entry in log:
        event: Any = entry.event
        if isinstance(event, KeysContinued) and event.generation == generation:
            return entry.n, bytes.fromhex(event.anchors.get(chain, ""))
    opened: Any = log[0].event
    return 1, bytes.fromhex(opened.keys.anchors.get(chain, "") if not generation else "")


# --- the seed


def _seeding(battle: str, log: Sequence[Recorded], draw: Recomputed) -> Iterator[HandStep]:
    values = []
    for n in draw.contributions:
        event: Any = log[n - 1].event
        values.append(bytes.fromhex(event.value))
        yield _contribution(battle, log, n, event)
    parts: list[Part] = [battle, draw.index, draw.scope, *values]
    key = bytes.fromhex(draw.key)
    yield _hashed("seed", {"index": draw.index}, "pbem/2 seed", parts, bytes.fromhex(draw.seed), key)


def _contribution(battle: str, log: Sequence[Recorded], n: int, event: ContributionGiven) -> HandStep:
    told: dict[str, Any] = {"n": n, "side": event.side, "t": event.t, "phrase": event.phrase}
    value = bytes.fromhex(event.value)
    if event.kind == "seal":
        before_n, before = _seal_before(log, n, event.side)
        parts: list[Part] = [battle, event.side, value]
        return _hashed("seal", {**told, "before": before_n}, "pbem/2 seal", parts, before, size=SEAL_BYTES)
    orders = [""]
    behind: Any = log[n].event if n < len(log) else None
    if event.channel is UNSET and isinstance(behind, OrderAccepted) and isinstance(behind.text, str):
        orders.insert(0, behind.text)
    made: list[list[Part]] = [[battle, event.t, event.side, event.phrase, order] for order in orders]
    fitting = next((parts for parts in made if fairness.H("pbem/2 plain", *parts) == value), made[0])
    return _hashed("plain", {**told, "order": fitting[-1]}, "pbem/2 plain", fitting, value)


def _seal_before(log: Sequence[Recorded], n: int, side: str) -> tuple[int, bytes]:
    """The seal that a side gave before, or the anchor of its book, and the event that has it."""
    for entry in reversed(log[: n - 1]):
        event: Any = entry.event
        if isinstance(event, ContributionGiven) and event.side == side and event.kind in ("seal", "reanchor"):
            return entry.n, bytes.fromhex(event.value)
        if isinstance(event, SideJoined) and event.side == side and event.anchor is not UNSET:
            return entry.n, bytes.fromhex(event.anchor)
    return 0, b""


# --- the draw


def _drawing(log: Sequence[Recorded], draw: Recomputed, n: int, pile: Sequence[str]) -> Iterator[HandStep]:
    stream = Stream(bytes.fromhex(draw.seed))
    for size in stream_before(log[: n - 1], draw.scope)[1]:
        stream.below(size)
    begun = stream.position
    number = stream.below(draw.size)
    at = stream.position - 1
    block, place = divmod(at, WORDS_IN_A_BLOCK)
    data = fairness.stream_block(block)
    result = hmac_digest(stream.key, data, "sha256")
    word = int.from_bytes(result[8 * place : 8 * place + 8], "big")
    told = {
        "n": n,
        "scope": draw.scope,
        "place": draw.place,
        "block": block,
        "which": place + 1,
        "word": word,
        "size": draw.size,
        "number": number,
        "dropped": at - begun,
    }
    formula = f'HMAC-SHA-256(seed, "pbem/2 stream" ‖ u64be({block}))'
    yield HandStep("word", told, formula, data, stream.key, result, word % draw.size == number)
    event: Any = log[n - 1].event
    if not isinstance(event, CardDrawn):
        face = face_of(event)
        counts = {"value": event.value} if face != event.value else {}
        yield HandStep("die", {"number": number, "face": number + 1, **counts}, holds=face == number + 1)
    elif isinstance(event.card, str) and number < len(pile) == draw.size:
        told = {"number": number, "deck": event.deck, "card": event.card, "cards": " ".join(pile)}
        yield HandStep("card", told, holds=pile[number] == event.card)
    else:
        yield HandStep("card-secret", {"number": number, "deck": event.deck})


# --- hashes


def _hashed(
    what: str,
    members: dict[str, Any],
    tag: str,
    parts: Sequence[Part],
    expected: bytes,
    key: bytes = b"",
    size: int | None = None,
) -> HandStep:
    """A step that hashes; `size` are the bytes of the result that count."""
    result = (fairness.M(key, tag, *parts) if key else fairness.H(tag, *parts))[:size]
    formula = _formula("M" if key else "H", tag, parts)
    told = {**members, "hex": expected.hex()}
    return HandStep(what, told, formula, fairness.frame(tag, *parts), key, result, result == expected)


def _formula(function: str, tag: str, parts: Sequence[Part]) -> str:
    """A hash as the protocol writes it, with the values of this battle."""
    first = ["key"] if function == "M" else []
    return f"{function}({', '.join([*first, _part_text(tag), *map(_part_text, parts)])})"


def _part_text(part: Part) -> str:
    if isinstance(part, str):
        return f'"{part[:LONGEST_PART]}…"' if len(part) > LONGEST_PART else f'"{part}"'
    return part.hex() if isinstance(part, bytes) else str(part)
