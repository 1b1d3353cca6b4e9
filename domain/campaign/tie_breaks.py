"""What a tie-break counts, board by board (CAM-STD-03 … -05).

A round without a battle counts as a draw against oneself, whichever way it came: a bye, a default won or lost, an
absence. Boards still fought count nowhere.
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from domain.campaign.boards import BoardResult, Contest, Points, points_of

DIRECT = "direct"

Counted = tuple[int, tuple["Part", ...]]
"""A value, and what it is the sum of."""


class Part(Struct, frozen=True, gc=False):
    """What a board adds to a column; of a round without a board `place` is the number of the round. `is_dropped` is
    the term that `buchholz-1` leaves out."""

    place: str
    value: int
    is_dropped: bool = False


class Met(Struct, frozen=True, gc=False):
    """A board or a round as one entrant has it; `opponent` is empty in a round without a battle.

    Shape: `score` 2 won, 1 drawn, 0 lost
    """

    place: str
    opponent: str
    score: int
    points: int
    margin: int


class Scores(Struct, frozen=True):
    """A contest by entrant: what each met, its points, and its points with rounds without a battle as draws."""

    worth: Points
    rank: Mapping[str, int]
    met: Mapping[str, Sequence[Met]]
    points: Mapping[str, int]
    adjusted: Mapping[str, int]

    def tie_break(self, name: str, entrant: str) -> Counted:
        """A tie-break other than `direct`.

        Raises: KeyError for a name that is none
        """
        return TIE_BREAKS[name](self, entrant)

    def fought(self, entrant: str) -> list[Met]:
        """The battles of an entrant."""
        return [met for met in self.met[entrant] if met.opponent]

    def adjusted_of(self, met: Met, entrant: str) -> int:
        """T of the opponent, of oneself in a round without a battle."""
        return self.adjusted[met.opponent or entrant]


def scores_of(contest: Contest) -> Scores:
    """Sort what has been counted by entrant; results of those who are struck count for nobody (CAM-PPL-04)."""
    worth, taken = contest.points, contest.taken
    met: dict[str, list[Met]] = {entrant: [] for entrant in contest.entrants}
    for outcome in contest.outcomes:
        south, north = outcome.place.pair
        if south not in contest.struck and north not in contest.struck:
            met[south].append(_met(outcome, south, worth))
            met[north].append(_met(outcome, north, worth))
    for idle in contest.idle:
        met[idle.entrant].append(Met(str(idle.round), "", 1, worth.bye if idle.kind == "bye" else worth.loss, 0))
    points = {entrant: sum(each.points for each in rows) - taken.get(entrant, 0) for entrant, rows in met.items()}
    adjusted = {
        entrant: sum(each.points if each.opponent else worth.draw for each in rows) for entrant, rows in met.items()
    }
    rank = {entrant: number for number, entrant in enumerate(contest.entrants, 1)}
    return Scores(worth, rank, met, points, adjusted)


def _met(outcome: BoardResult, entrant: str, worth: Points) -> Met:
    place, points = outcome.place, points_of(outcome, entrant, worth)
    if outcome.is_default:
        return Met(place.name, "", 1, points, 0)
    score = 2 * (outcome.winner == entrant) if outcome.winner else 1
    return Met(place.name, place.other(entrant), score, points, outcome.margin(entrant))


def _buchholz(scores: Scores, entrant: str) -> Counted:
    """Σ T of the opponents."""
    return _total([Part(met.place, scores.adjusted_of(met, entrant)) for met in scores.met[entrant]])


def _buchholz_less_one(scores: Scores, entrant: str) -> Counted:
    """The same without its lowest term, of equal ones the first."""
    value, parts = _buchholz(scores, entrant)
    if not parts:
        return 0, ()
    lowest = min(range(len(parts)), key=lambda at: parts[at].value)
    dropped = Part(parts[lowest].place, parts[lowest].value, is_dropped=True)
    return value - dropped.value, (*parts[:lowest], dropped, *parts[lowest + 1 :])


def _sonneborn(scores: Scores, entrant: str) -> Counted:
    """Σ 2·T of those beaten and T of those drawn with."""
    return _total(
        [Part(met.place, met.score * scores.adjusted_of(met, entrant)) for met in scores.met[entrant] if met.score]
    )


def _margin(scores: Scores, entrant: str) -> Counted:
    """Σ of the margins of all battles."""
    return _total([Part(met.place, met.margin) for met in scores.fought(entrant)])


def _wins(scores: Scores, entrant: str) -> Counted:
    """Victories on the table."""
    return _total([Part(met.place, 1) for met in scores.fought(entrant) if met.score == 2])


def _lots(scores: Scores, entrant: str) -> Counted:
    """The lower rank number."""
    return -scores.rank[entrant], ()


def direct(equal: Sequence[str], scores: Scores) -> dict[str, Counted]:
    """Among those equal so far: the points from the boards between them, if every two have fought; else 0 for all.

    (CAM-STD-05.) A default is no battle: two of whom one did not come have not fought.
    """
    among = set(equal)
    boards = {entrant: [met for met in scores.met[entrant] if met.opponent in among] for entrant in equal}
    if any(len({met.opponent for met in rows}) < len(among) - 1 for rows in boards.values()):
        return dict.fromkeys(equal, (0, ()))
    return {entrant: _total([Part(met.place, met.points) for met in rows]) for entrant, rows in boards.items()}


def _total(parts: Sequence[Part]) -> Counted:
    return sum(part.value for part in parts), tuple(parts)


TIE_BREAKS: Mapping[str, Callable[[Scores, str], Counted]] = {
    "buchholz": _buchholz,
    "buchholz-1": _buchholz_less_one,
    "sonneborn": _sonneborn,
    "margin": _margin,
    "wins": _wins,
    "lots": _lots,
}
"""All but `direct`, which is decided within a group (CAM-STD-04)."""
