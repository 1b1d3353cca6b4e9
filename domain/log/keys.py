"""The host's keys of one battle, made from its master.

A chain of N keys is made from its last one downwards, so the keys of early periods cost the most hashes. Every
`STEP`-th key is kept: any other is at most that many hashes away, and a battle in memory holds little.
"""

from functools import cached_property

from domain.log import fairness
from domain.log.fairness import LENGTH, PUBLIC

STEP = 32


class KeyChain:
    """One generation of one chain."""

    def __init__(self, master: bytes, battle: str, chain: str, generation: int, length: int) -> None:
        self._of = battle, chain, generation
        self._top = fairness.top_key(master, battle, chain, generation)
        self._length = length
        self._newest = -1, b""  # the key asked for last: a turn asks for the same one again and again

    def key(self, place: int) -> bytes:
        """k_place, 0 … N-1."""
        if self._newest[0] == place:
            return self._newest[1]
        kept = min(place // STEP * STEP + STEP, self._length) - 1
        key = fairness.key_below(*self._of, self._checkpoints[place // STEP], kept - place)
        self._newest = place, key
        return key

    @property
    def anchor(self) -> bytes:
        """What k_0 hashes to."""
        return fairness.key_before(*self._of, self.key(0))

    @cached_property
    def _checkpoints(self) -> list[bytes]:
        """The last key of every run of `STEP`, from the first run on."""
        kept, place = [self._top], self._length - 1
        while (before := place // STEP * STEP - 1) >= 0:
            kept.append(fairness.key_below(*self._of, kept[-1], place - before))
            place = before
        return kept[::-1]


class HostKeys:
    """All chains of a battle: `public` and one for the hand of each seat."""

    def __init__(self, master: bytes, battle: str, seats: tuple[str, ...], length: int = LENGTH) -> None:
        self.master = master
        self.battle = battle
        self.length = length
        self.chains = tuple(sorted((PUBLIC, *(f"hand:{seat}" for seat in seats))))
        self._generations: dict[tuple[str, int], KeyChain] = {}

    def key(self, scope: str, index: int) -> bytes:
        """The key of period `index` in the chain of a scope."""
        generation, place = divmod(index, self.length)
        return self._chain(fairness.chain_of(scope), generation).key(place)

    def anchors(self, generation: int) -> dict[str, bytes]:
        """The anchors of a generation, by chain."""
        return {chain: self._chain(chain, generation).anchor for chain in self.chains}

    def commitment(self) -> bytes:
        """C, which binds the anchors of generation 0."""
        return fairness.commitment(self.battle, self.length, self.anchors(0))

    def _chain(self, chain: str, generation: int) -> KeyChain:
        made = self._generations.get((chain, generation))
        if made is None:
            made = KeyChain(self.master, self.battle, chain, generation, self.length)
            self._generations[chain, generation] = made
        return made
