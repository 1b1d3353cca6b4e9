"""A round of a Swiss cup: who meets whom, who has a bye, and how far it had to give way (CAM-CUP-03 … -06)."""

from collections.abc import Mapping, Sequence, Set

from msgspec import Struct

from domain.campaign.boards import Contest
from domain.campaign.matching import Taken, first_pairing, spared
from domain.campaign.sides import SideRecord, seated, side_records
from domain.campaign.tie_breaks import scores_of

LEVELS = (0, 1, 2, 3)
"""Who may meet: none kept apart or met before; none met before; none met in the round before; anybody (CAM-CUP-06)."""
MEET_FROM = {"apart": 1, "met": 2, "last": 3}
"""Why two are barred, and the level from which on they may meet all the same."""
REST = "rest"
"""Why somebody is not paired who may be: the rest could not be paired completely."""


class Contender(Struct, frozen=True, gc=False):
    """An entrant to be paired. `without` is in how many rounds it had no battle; `met` whom it has met on a board,
    `last` those of the round before."""

    entrant: str
    points: int
    record: SideRecord
    without: int = 0
    met: frozenset[str] = frozenset()
    last: frozenset[str] = frozenset()

    @property
    def order(self) -> tuple[int, int]:
        """By what contenders are ordered: more points first, then the lower rank number (CAM-CUP-03)."""
        return -self.points, self.record.rank


class Passed(Struct, frozen=True, gc=False):
    """Somebody nearer who was passed over: `apart met last` barred at this level, `rest` needed by the others."""

    entrant: str
    reason: str


class SwissRound(Struct, frozen=True):
    """Pairs as south and north in order of boards, the entrant with the bye or none, and the level of the round.

    Shape: `passed` for each board those nearer to the first of the two in order; `spared` those before the bye in its
    order, all needed by the rest
    """

    pairs: tuple[tuple[str, str], ...]
    bye: str
    level: int
    passed: tuple[tuple[Passed, ...], ...]
    spared: tuple[Passed, ...] = ()


def contenders_of(contest: Contest, absent: Set[str] = frozenset()) -> list[Contender]:
    """Those to be paired after the rounds of a contest: all who are neither gone nor absent."""
    scores, records = scores_of(contest), side_records(contest.entrants, contest.places)
    rounds = max((place.round for place in contest.places), default=0)
    met: dict[str, set[str]] = {entrant: set() for entrant in contest.entrants}
    last: dict[str, set[str]] = {entrant: set() for entrant in contest.entrants}
    for place in contest.places:
        for entrant in place.pair:
            met[entrant].add(place.other(entrant))
            if place.round == rounds:
                last[entrant].add(place.other(entrant))
    without = rounds_without(contest)
    return [
        Contender(each, scores.points[each], records[each], without[each], frozenset(met[each]), frozenset(last[each]))
        for each in contest.entrants
        if each not in contest.left and each not in absent
    ]


def rounds_without(contest: Contest) -> dict[str, int]:
    """In how many rounds each entrant had no battle: a bye, a default won or lost, an absence (CAM-STD-03)."""
    rounds: dict[str, set[int]] = {entrant: set() for entrant in contest.entrants}
    for idle in contest.idle:
        rounds[idle.entrant].add(idle.round)
    for outcome in contest.outcomes:
        if outcome.is_default:
            for entrant in outcome.place.pair:
                rounds[entrant].add(outcome.place.round)
    for outcome in contest.outcomes:
        if not outcome.is_default:
            for entrant in outcome.place.pair:
                rounds[entrant].discard(outcome.place.round)
    return {entrant: len(found) for entrant, found in rounds.items()}


def pair_round(contenders: Sequence[Contender], round_number: int, apart: Sequence[tuple[str, str]] = ()) -> SwissRound:
    """The pairs of a round: the lowest level at which a complete pairing exists (CAM-CUP-04 … -06).

    Shape: contenders in any order; at least one
    """
    order = sorted(contenders, key=lambda each: each.order)
    bars = _bars(order, apart)
    for level in LEVELS:
        barred = [{other for other, reason in each.items() if MEET_FROM[reason] > level} for each in bars]
        byes = _bye_order(order) if len(order) % 2 else []
        bye = spared(barred, byes) if byes else None
        if byes and bye is None:
            continue
        kept = [at for at in range(len(order)) if at != bye]
        taken = first_pairing(_without(barred, kept))
        if taken is not None:
            pairs = [Taken(kept[t.first], kept[t.second], tuple(kept[r] for r in t.refused)) for t in taken]
            return _round(order, pairs, byes, bye, level, bars, round_number)
    raise AssertionError("at the last level anybody may meet")


def _bars(order: Sequence[Contender], apart: Sequence[tuple[str, str]]) -> list[dict[int, str]]:
    """For each contender those whom a level bars, with the strongest reason."""
    at = {each.entrant: number for number, each in enumerate(order)}
    bars: list[dict[int, str]] = [{} for _ in order]
    kept_apart = [(one, other, "apart") for one, other in apart]
    met = [(each.entrant, other, "met") for each in order for other in each.met]
    last = [(each.entrant, other, "last") for each in order for other in each.last]
    for one, other, reason in (*kept_apart, *met, *last):  # a later reason is the stronger one
        if one in at and other in at and one != other:
            bars[at[one]][at[other]] = bars[at[other]][at[one]] = reason
    return bars


def _bye_order(order: Sequence[Contender]) -> list[int]:
    """The order in which entrants go without: fewest rounds without a battle, of these the lowest (CAM-CUP-05)."""
    return sorted(range(len(order)), key=lambda at: (order[at].without, -at))


def _without(barred: Sequence[Set[int]], kept: Sequence[int]) -> list[Set[int]]:
    """What is barred among those kept, who are numbered anew."""
    if len(kept) == len(barred):
        return list(barred)
    number = {at: new for new, at in enumerate(kept)}
    return [{number[other] for other in barred[at] if other in number} for at in kept]


def _round(
    order: Sequence[Contender],
    taken: Sequence[Taken],
    byes: Sequence[int],
    bye: int | None,
    level: int,
    bars: Sequence[Mapping[int, str]],
    round_number: int,
) -> SwissRound:
    records = {each.entrant: each.record for each in order}
    pairs = [(order[pair.first].entrant, order[pair.second].entrant) for pair in taken]
    before = byes[: byes.index(bye)] if bye is not None else ()
    return SwissRound(
        seated(pairs, records, round_number),
        "" if bye is None else order[bye].entrant,
        level,
        _passed(order, taken, bye, level, bars),
        tuple(Passed(order[at].entrant, REST) for at in before),
    )


def _passed(
    order: Sequence[Contender], taken: Sequence[Taken], bye: int | None, level: int, bars: Sequence[Mapping[int, str]]
) -> tuple[tuple[Passed, ...], ...]:
    """For each pair those who were nearer to its first and still to be had, with what kept them from it."""
    gone: set[int | None] = {bye}
    found: list[tuple[Passed, ...]] = []
    for pair in taken:
        nearer = [at for at in range(pair.first + 1, pair.second) if at not in gone]
        found.append(tuple(Passed(order[at].entrant, _reason(pair, at, bars, level)) for at in nearer))
        gone |= {pair.first, pair.second}
    return tuple(found)


def _reason(pair: Taken, at: int, bars: Sequence[Mapping[int, str]], level: int) -> str:
    reason = bars[pair.first].get(at, "")
    return reason if reason and MEET_FROM[reason] > level else REST
