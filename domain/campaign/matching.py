"""The lexicographically first complete pairing of a field in which some may not meet (CAM-CUP-04).

Entrants are numbers from 0 in their order, `barred[x]` those whom x may not meet. As long as many are left, the next
one takes the nearest whom it may meet: of m of whom nobody has more than f barred, each has at least m−1−f to meet, and
if that is half of them they can all be paired (Dirac). So only the last 2f+2 or so are searched, by alternating trees
(Edmonds), of which each step costs one tree.
"""

from collections.abc import Iterable, Sequence, Set

from msgspec import Struct

Barred = Sequence[Set[int]]
FREE = -1


class Taken(Struct, frozen=True, gc=False):
    """A pair. `refused` are nearer ones whom `first` may meet, but without whom the rest could not be paired."""

    first: int
    second: int
    refused: tuple[int, ...] = ()


def first_pairing(barred: Barred) -> list[Taken] | None:
    """The pairs in order, or None if there is no complete pairing; an odd number has none."""
    if len(barred) % 2:
        return None
    taken, rest = _head(barred)
    tail = Matching(rest, barred)
    if not tail.is_complete():
        return None
    while rest:
        pair = _take(rest, barred, tail)
        rest = [each for each in rest if each not in {pair.first, pair.second}]
        taken.append(pair)
    return taken


def spared(barred: Barred, order: Iterable[int]) -> int | None:
    """The first of an order without whom an odd field can be paired completely; None if there is nobody."""
    if len(barred) > paired_from(barred):
        return next(iter(order), None)
    outer = Matching(range(len(barred)), barred).spare()
    return next((each for each in order if each in outer), None)


def paired_from(barred: Barred) -> int:
    """From how many on any even number of a field can be paired completely, because so few are barred (Dirac)."""
    return 2 * max((len(each) for each in barred), default=0) + 2


def _head(barred: Barred) -> tuple[list[Taken], list[int]]:
    """The pairs that need no search, and those who are left."""
    is_taken = bytearray(len(barred))
    pairs: list[Taken] = []
    first = 0
    for _ in range(len(barred) - 2, paired_from(barred) - 1, -2):
        while is_taken[first]:
            first += 1
        second = first + 1
        while is_taken[second] or second in barred[first]:
            second += 1
        is_taken[first] = is_taken[second] = 1
        pairs.append(Taken(first, second))
    return pairs, [each for each in range(len(barred)) if not is_taken[each]]


def _take(rest: Sequence[int], barred: Barred, tail: "Matching") -> Taken:
    """The pair of the first of those left: with the nearest by whom the others stay paired."""
    first = rest[0]
    refused: list[int] = []
    for second in rest[1:]:
        if second in barred[first]:
            continue
        if tail.take(first, second):
            return Taken(first, second, tuple(refused))
        refused.append(second)
    raise AssertionError("a complete pairing pairs the first with somebody")


class Matching:
    """A greatest pairing of some entrants, from which pairs are taken one after the other."""

    def __init__(self, entrants: Iterable[int], barred: Barred) -> None:
        self._entrants, self._barred = list(entrants), barred
        self._mates: dict[int, int] = dict.fromkeys(self._entrants, FREE)
        self._pair_the_nearest()

    def is_complete(self) -> bool:
        """Whether all can be paired."""
        return all(self._mates[each] != FREE or self._augment(each) for each in self._entrants)

    def spare(self) -> Set[int]:
        """Of an odd number, those of whom any one may be left out so that the others can be paired; maybe none."""
        alone = (each for each in self._entrants if self._mates[each] == FREE and not self._augment(each))
        first = next(alone, FREE)
        if first == FREE or next(alone, FREE) != FREE:
            return frozenset()
        return _Tree(first, self._entrants, self._mates, self._barred).outer

    def take(self, first: int, second: int) -> bool:
        """Take a pair out of a complete pairing, if the others can still be paired; else change nothing."""
        before, entrants = dict(self._mates), self._entrants
        one, other = self._mates.pop(first), self._mates.pop(second)
        self._entrants = [each for each in entrants if each not in {first, second}]
        if one == second:
            return True
        self._mates[one] = self._mates[other] = FREE
        if self._augment(one):
            return True
        self._mates, self._entrants = before, entrants
        return False

    def _pair_the_nearest(self) -> None:
        for at, first in enumerate(self._entrants):
            if self._mates[first] == FREE:
                for second in self._entrants[at + 1 :]:
                    if self._mates[second] == FREE and second not in self._barred[first]:
                        self._mates[first], self._mates[second] = second, first
                        break

    def _augment(self, root: int) -> bool:
        """Pair somebody who is free, by changing pairs along a path to another who is free."""
        tree = _Tree(root, self._entrants, self._mates, self._barred)
        at = tree.end
        while at != FREE:
            parent = tree.parents[at]
            beyond = self._mates[parent]
            self._mates[at], self._mates[parent] = parent, at
            at = beyond
        return tree.end != FREE


class _Tree:
    """The alternating tree of a free entrant: `end` is another free one whom it reaches, or FREE; `outer` are those at
    an even distance, any of whom could be free in place of the root; odd circles are shrunk to their base."""

    def __init__(self, root: int, entrants: Sequence[int], mates: dict[int, int], barred: Barred) -> None:
        self._entrants, self._mates, self._barred = entrants, mates, barred
        self._base = {each: each for each in entrants}
        self.parents: dict[int, int] = {}
        self.outer: set[int] = {root}
        self._root, self._queue = root, [root]
        self.end = self._grow()

    def _grow(self) -> int:
        for at in self._queue:
            for to in self._entrants:
                if to in self._barred[at] or self._base[at] == self._base[to] or self._mates[at] == to:
                    continue
                if self._is_outer(to):
                    self._shrink(at, to)
                elif to not in self.parents:
                    self.parents[to] = at
                    if self._mates[to] == FREE:
                        return to
                    self._reach(self._mates[to])
        return FREE

    def _is_outer(self, entrant: int) -> bool:
        return entrant == self._root or self._mates[entrant] in self.parents

    def _reach(self, entrant: int) -> None:
        if entrant not in self.outer:
            self.outer.add(entrant)
            self._queue.append(entrant)

    def _shrink(self, one: int, other: int) -> None:
        """Make an odd circle one point: all in it are outer."""
        base = self._common_base(one, other)
        bases = self._circle(one, base, other) | self._circle(other, base, one)
        for each in self._entrants:
            if self._base[each] in bases:
                self._base[each] = base
                self._reach(each)

    def _common_base(self, one: int, other: int) -> int:
        passed: set[int] = set()
        at = self._base[one]
        while at != self._root and self._mates[at] != FREE:
            passed.add(at)
            at = self._base[self.parents[self._mates[at]]]
        passed.add(at)
        at = self._base[other]
        while at not in passed:
            at = self._base[self.parents[self._mates[at]]]
        return at

    def _circle(self, at: int, base: int, child: int) -> set[int]:
        """The bases on one half of a circle; its parents are turned, so that a path may go either way round."""
        bases: set[int] = set()
        while self._base[at] != base:
            bases |= {self._base[at], self._base[self._mates[at]]}
            self.parents[at] = child
            child = self._mates[at]
            at = self.parents[child]
        return bases
