"""Periods, keys and contributions (docs/record-format.md 4)."""

from collections.abc import Mapping

from .file import BattleFile, Line, from_hex, h, m
from .lines import Wrong

UNBOUND = 1 << 60


class Now:
    """The moment before an event: `index` of the period, `t`, `mover`, `by_turn` if a turn has begun the period."""

    def __init__(self, index: int = 0, t: int = 0, mover: str = "", by_turn: bool = False, rewinds: int = 0) -> None:
        self.index, self.t, self.mover, self.by_turn, self.rewinds = index, t, mover, by_turn, rewinds


def moments(blocks: list[list[Line]], seats: list[str]) -> tuple[dict[int, Now], Wrong | None]:
    """Of each event the moment before it, and of the number behind the last one the end; up to a fault, if there is
    one."""
    position = blocks[0][0].own.get("position", {})
    now, found = Now(0, position.get("t", 0), position.get("mover", "")), dict[int, Now]()
    stack: list[tuple[int, int, str]] = []
    began = 0
    for block in blocks:
        for line in block:
            found[line.n] = now
            if line.type == "TurnBegan":
                if line.data["side"] not in seats:
                    return found, Wrong(line.n, "unknown-side")
                now = Now(now.index + 1, now.t + 1, line.data["side"], True, now.rewinds)
            if line.type == "Rewound":
                to = line.data["to"]
                while stack and stack[-1][0] > to:
                    stack.pop()
                if not began or to < began or not stack or stack[-1][0] != to:
                    return found, Wrong(line.n, "rewound-to-nowhere")
                now = Now(now.index + 1, stack[-1][1], stack[-1][2], False, now.rewinds + 1)
        stack.append((block[-1].n, now.t, now.mover))
        if block[0].type == "BattleBegan" and not began:
            began = block[-1].n
        found[block[-1].n + 1] = now
    return found, None


class Keys:
    """The keys of the host that a file discloses, with the faults of the events that do so wrongly."""

    def __init__(self, file: BattleFile, seats: list[str], periods: int) -> None:
        self.gid, self.periods, self.faults = file.gid, periods, dict[int, str]()
        self.chains = [*(f"hand:{seat}" for seat in seats), "public"]
        self.length = 1
        self.generations: list[tuple[int, Mapping[str, bytes]]] = []  # the event that binds them, anchors by chain
        self.public: dict[int, bytes] = {}
        self.master = b""
        readers = {
            "BattleOpened": self._open,
            "KeysContinued": self._continue,
            "KeyDisclosed": self._disclose,
            "MasterRevealed": self._reveal,
        }
        for line in file.events:
            try:
                if line.type in readers:
                    readers[line.type](line)
            except Wrong as wrong:
                self.faults[line.n] = wrong.kind

    def bound_at(self, index: int) -> int:
        """The event that has bound the keys of a period."""
        generation = index // self.length
        return self.generations[generation][0] if generation < len(self.generations) else UNBOUND

    def of(self, scope: str, index: int) -> bytes | None:
        """The key of a period for a scope, None if it is not disclosed."""
        chain, generation = scope if scope.startswith("hand:") else "public", index // self.length
        if self.master:
            return self._element(self.master, chain, generation, index % self.length)
        return self.public.get(index) if chain == "public" else None

    def _open(self, line: Line) -> None:
        n, keys = line.n, line.own.get("keys", {})
        if self.generations:
            raise Wrong(n, "opened-late")
        commitment, length = from_hex(n, line.own.get("commitment"), 32), keys.get("length", 0)
        if not 2 <= length <= 65536:
            raise Wrong(n, "bad-length")
        anchors = self._anchors(n, keys.get("anchors", {}))
        parts = [part for name in sorted(anchors) for part in (name, anchors[name])]
        if h("commitment", self.gid, length, *parts) != commitment:
            raise Wrong(n, "anchors-differ")
        self.length = length
        self.generations.append((n, anchors))

    def _anchors(self, n: int, given: Mapping[str, str]) -> Mapping[str, bytes]:
        if sorted(given) != self.chains:
            raise Wrong(n, "chains-differ")
        return {chain: from_hex(n, given[chain], 32) for chain in self.chains}

    def _continue(self, line: Line) -> None:
        generation = line.data["generation"]
        if generation != len(self.generations) or generation > self.periods / self.length + 1:
            raise Wrong(line.n, "generation-differs")
        self.generations.append((line.n, self._anchors(line.n, line.data["anchors"])))

    def _disclose(self, line: Line) -> None:
        key, index = from_hex(line.n, line.data["key"], 32), line.data["index"]
        generation, place = divmod(index, self.length)
        if index < 0 or generation >= len(self.generations):
            raise Wrong(line.n, "keys-not-bound")
        before = self.public.get(index - 1) if place else self.generations[generation][1]["public"]
        if h("key", self.gid, "public", generation, key) != before:
            raise Wrong(line.n, "key-differs")
        self.public.setdefault(index, key)

    def _reveal(self, line: Line) -> None:
        master = from_hex(line.n, line.data["master"], 32)
        if self.master or not self.generations:
            raise Wrong(line.n, "master-out-of-place")
        for generation, (_, anchors) in enumerate(self.generations):
            for chain, anchor in anchors.items():
                if self._element(master, chain, generation, -1) != anchor:
                    raise Wrong(line.n, "master-differs")
        self.master = master

    def _element(self, master: bytes, chain: str, generation: int, place: int) -> bytes:
        """Element `place` of a chain, its anchor with -1."""
        key = m(master, "top", self.gid, chain, generation)
        for _ in range(self.length - 1 - place):
            key = h("key", self.gid, chain, generation, key)
        return key


class Given:
    """What the seats have contributed."""

    def __init__(self, file: BattleFile, seats: list[str]) -> None:
        self.gid, self.seats, self.keeps_entries = file.gid, seats, file.version > 2
        self.is_branch = "position" in file.events[0].own
        self.has_begun = False
        self.alone: dict[str, int] = {}  # the newest entry of a seat that came alone
        self.newest: dict[str, bytes] = {}
        self.stale = set(seats)
        self.book: dict[str, bytes] = {}
        self.waits: dict[str, set[str]] = {seat: set() for seat in seats}
        self.entered: dict[str, int] = {}
        self.ordered: dict[str, int] = {}
        self.drawn = -1

    def joined(self, n: int, side: str, anchor: bytes) -> None:
        """A player takes a seat, with the anchor of a book if it is sealed; in play they are a substitute."""
        self.waits[side], self.alone[side] = set(), 0
        if self.has_begun and anchor:
            self.new_book(n, side, anchor)
        elif self.has_begun:
            self.stale = set(self.seats)
        self.book[side] = anchor

    def new_book(self, n: int, side: str, anchor: bytes) -> None:
        """A seat begins another book."""
        if any(side in waits for waits in self.waits.values()):
            raise Wrong(n, "book-too-early")
        others = set(self.seats) - {side}
        self.stale |= others
        self.waits[side] = others
        self.book[side] = anchor

    def contributed(
        self, line: Line, mode: str, now: Now, order: Line | None, is_ordinary: bool, has_facts: bool
    ) -> None:
        """A contribution; `order` is that of its side which begins the next block."""
        n, side, kind, t = line.n, line.data["side"], line.data["kind"], line.data["t"]
        alone = "channel" in line.data
        if kind not in (("seal", "reanchor") if mode == "sealed" else ("plain",)):
            raise Wrong(n, "contribution-of-other-kind")
        if not alone and order is None:
            raise Wrong(n, "contribution-without-order")
        if kind == "reanchor":
            if t != now.t:
                raise Wrong(n, "other-turn")
            value = from_hex(n, line.data["value"], 16)
            if h("seal", self.gid, side, value)[:16] == self.book[side]:
                raise Wrong(n, "seal-as-book")
            self.new_book(n, side, value)
            return
        is_entry = side in self.stale
        if is_entry:
            if t != (0 if alone and side not in self.newest and not self.is_branch else now.t):
                raise Wrong(n, "other-turn")
        else:
            self._in_turn(n, side, t, now, not alone and is_ordinary and not has_facts)
        value = from_hex(n, line.data["value"], 16 if kind == "seal" else 32)
        if kind == "seal":
            if self.waits[side]:
                raise Wrong(n, "seal-too-early")
            if h("seal", self.gid, side, value)[:16] != self.book[side]:
                raise Wrong(n, "seal-not-of-chain")
            self.book[side] = value
        else:
            text = order.own.get("text", "") if order else ""
            phrase = line.data.get("phrase", "")
            texts = {text, ""} if is_entry else {text}
            if not any(h("plain", self.gid, t, side, phrase, one) == value for one in texts):
                raise Wrong(n, "contribution-differs")
        self.newest[side] = value
        if is_entry and alone:
            self.alone[side] = n
        self.stale.discard(side)
        if t == now.t:
            self.entered[side] = now.index
        for waits in self.waits.values():
            waits.discard(side)

    def _in_turn(self, n: int, side: str, t: int, now: Now, is_right_order: bool) -> None:
        if not now.by_turn or side != now.mover:
            raise Wrong(n, "contribution-out-of-turn")
        if t != now.t:
            raise Wrong(n, "other-turn")
        if now.index in (self.entered.get(side), self.ordered.get(side)):
            raise Wrong(n, "contribution-twice")
        if not is_right_order:
            raise Wrong(n, "contribution-without-order")
        if self.drawn == now.index:
            raise Wrong(n, "contribution-after-draw")

    def signed(self, line: Line) -> None:
        """A signed line names a head that has the entry of its seat which came alone."""
        data = line.data
        is_signed = self.keeps_entries and "serial" in data and "seen" in data
        if is_signed and data["seen"]["n"] < self.alone.get(data["side"], 0):
            raise Wrong(line.n, "entry-missing")

    def ordinary(self, n: int, side: str, now: Now) -> None:
        """An ordinary order."""
        if self.keeps_entries and side in self.stale:
            raise Wrong(n, "entry-missing")
        if now.by_turn and side == now.mover:
            if now.index not in (self.entered.get(side), self.ordered.get(side)):
                raise Wrong(n, "contribution-missing")
            self.ordered[side] = now.index

    def seeds(self, n: int, scope: str, now: Now) -> list[bytes]:
        """What enters a seed that is first drawn from now."""
        if not self.has_begun:
            raise Wrong(n, "draw-before-start")
        owes = now.by_turn and self.entered.get(now.mover) != now.index and not scope.startswith("open:")
        if self.stale or owes:
            raise Wrong(n, "draw-before-contribution")
        if not scope.startswith("open:"):
            self.drawn = now.index
        return [self.newest[seat] for seat in self.seats]
