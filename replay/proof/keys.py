"""Check that the host's keys are those that its first event has bound (fairness.md 2).

Keys stand in reverse hash chains: the first event has their anchors, a disclosed key hashes to the one before it, and
the master, from which all chains are made, must give every anchor. Everything that a log discloses is collected first,
so that each draw can be checked in its place; what is wrong with a disclosure is kept as the fault of its event.

Work is bounded by the log: no more generations are computed than its periods can have reached, and a chain has at
most 65,536 keys.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from msgspec import UNSET, Struct

from domain.log import fairness
from domain.log.fairness import LENGTHS, PUBLIC, SECRET_BYTES
from domain.log.record import Recorded
from replay.proof.blocks import ProtocolFault, octets


class KeysSoFar(Struct, frozen=True):
    """What the index of a check keeps: the length of a chain, the anchors of each generation with the event that has
    them, and the newest keys that are disclosed, by period."""

    length: int
    anchors: tuple[tuple[int, dict[str, bytes]], ...]
    public: dict[int, bytes]


class DisclosedKeys:
    """The keys that a log binds and discloses; `names` are the seats in the order of seeding, `periods` is the index of
    its newest period.

    `faults` has the fault of each event that binds or discloses wrongly, by n. `master_n` is the event that reveals the
    master, 0 if none does.
    """

    def __init__(
        self,
        battle: str,
        names: tuple[str, ...],
        events: Sequence[Recorded],
        periods: int,
        kept: KeysSoFar | None = None,
    ) -> None:
        self._names = (*(f"hand:{seat}" for seat in names), PUBLIC)  # of the chains, sorted
        self.faults: dict[int, ProtocolFault] = {}
        self.length = 0
        self.master_n = 0
        self._battle = battle
        self._periods = periods
        self._anchors: list[dict[str, bytes]] = []
        self._published: list[int] = []  # the event that has the anchors of each generation
        self._public: dict[int, bytes] = {}
        self._chains: dict[tuple[str, int], list[bytes]] = {}
        if kept is not None:
            self.length, self._public = kept.length, {**kept.public}
            self._published = [n for n, _ in kept.anchors]
            self._anchors = [anchors for _, anchors in kept.anchors]
        read = {
            "BattleOpened": self._opened,
            "CampaignOpened": self._opened,
            "KeysContinued": self._continued,
            "KeyDisclosed": self._disclosed,
            "MasterRevealed": self._revealed,
        }
        for entry in events:
            check = read.get(entry.type)
            if check is not None:
                try:
                    check(entry.n, entry.event)
                except ProtocolFault as fault:
                    self.faults[entry.n] = fault

    @property
    def newest(self) -> int:
        """The newest period whose key is disclosed, -1 for none."""
        return max(self._public, default=-1)

    def so_far(self, n: int, index: int) -> KeysSoFar:
        """What an index keeps of event `n`, in period `index`."""
        anchors = tuple(one for one in zip(self._published, self._anchors, strict=True) if one[0] <= n)
        return KeysSoFar(self.length, anchors, {i: key for i, key in self._public.items() if i == index - 1})

    def key(self, scope: str, index: int) -> bytes | None:
        """The key of period `index` for a scope, None as long as the log has not disclosed it."""
        chain = fairness.chain_of(scope)
        if self._chains:
            generation, place = divmod(index, self.length)
            return self._chains[chain, generation][place] if (chain, generation) in self._chains else None
        return self._public.get(index) if chain == PUBLIC else None

    def bound_at(self, index: int) -> int | None:
        """The event that has bound the keys of period `index`; None if none has."""
        generation = index // self.length if self.length else 0
        return self._published[generation] if generation < len(self._published) else None

    @property
    def continued_from(self) -> int:
        """The first index whose keys are not bound by the first event, but by a later one; 0 if there is none."""
        return self.length if len(self._anchors) > 1 else 0

    # --- reading

    def _opened(self, n: int, event: Any) -> None:
        if self._anchors:
            raise ProtocolFault(n, "opened-late")
        commitment = octets(n, "commitment", event.commitment, SECRET_BYTES)
        keys = event.keys
        if keys is UNSET or keys.length not in LENGTHS:
            raise ProtocolFault(n, "bad-length", found=0 if keys is UNSET else keys.length)
        anchors = self._named(n, keys.anchors)
        if fairness.commitment(self._battle, keys.length, anchors) != commitment:
            raise ProtocolFault(n, "anchors-differ")
        self.length = keys.length
        self._anchors.append(anchors)
        self._published.append(n)

    def _continued(self, n: int, event: Any) -> None:
        # more generations than that are never due, and each costs as many hashes as it has keys
        most = self._periods // self.length + 1 if self.length else 0
        if event.generation != len(self._anchors) or event.generation > most:
            raise ProtocolFault(n, "generation-differs", expected=len(self._anchors), found=event.generation)
        self._anchors.append(self._named(n, event.anchors))
        self._published.append(n)

    def _disclosed(self, n: int, event: Any) -> None:
        key = octets(n, "key", event.key, SECRET_BYTES)
        generation, place = divmod(event.index, self.length) if self.length else (0, 0)
        if not 0 <= generation < len(self._anchors):
            raise ProtocolFault(n, "keys-not-bound", index=event.index)
        before = self._public.get(event.index - 1) if place else self._anchors[generation][PUBLIC]
        if before is None or fairness.key_before(self._battle, PUBLIC, generation, key) != before:
            raise ProtocolFault(n, "key-differs", index=event.index)
        self._public.setdefault(event.index, key)

    def _revealed(self, n: int, event: Any) -> None:
        if self.master_n:
            raise ProtocolFault(n, "master-out-of-place")
        master = octets(n, "master", event.master, SECRET_BYTES)
        chains: dict[tuple[str, int], list[bytes]] = {}
        for generation, anchors in enumerate(self._anchors):
            for chain, anchor in anchors.items():
                keys = self._chain(master, chain, generation, anchor)
                if keys is None:
                    raise ProtocolFault(n, "master-differs", chain=chain, generation=generation)
                chains[chain, generation] = keys
        if not chains:
            raise ProtocolFault(n, "master-out-of-place")
        self.master_n = n
        self._chains = chains

    def _named(self, n: int, given: dict[str, str]) -> dict[str, bytes]:
        """The anchors of a generation, one for each chain of the battle."""
        if tuple(sorted(given)) != self._names:
            raise ProtocolFault(n, "chains-differ", expected=self._names, found=tuple(sorted(given))[:8])
        return {chain: octets(n, chain, given[chain], SECRET_BYTES) for chain in self._names}

    def _chain(self, master: bytes, chain: str, generation: int, anchor: bytes) -> list[bytes] | None:
        """The keys of a chain that the log can use, k_0 first; None if they do not lead to the anchor."""
        of = self._battle, chain, generation
        top = fairness.top_key(master, *of)
        downwards = [top, *islice(fairness.keys_before(*of, top), self.length)]
        if downwards.pop() != anchor:
            return None
        kept = max(0, self._periods - generation * self.length + 1)
        return downwards[::-1][:kept]
