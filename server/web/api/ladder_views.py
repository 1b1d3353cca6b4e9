"""The ratings of a ladder as the API tells them."""

from msgspec.structs import replace

from domain.campaign.rated import period, period_name
from projections.ratings.book import PROVISIONAL, LadderResult, RatingStep
from projections.ratings.glicko import Rating
from projections.ratings.ladder import LadderRow
from server.campaigns.live_campaign import LiveCampaign
from server.web.api.campaign_messages import LadderBattleView, RatingCareer, RatingRowView, Ratings

WON, DRAWN, LOST = "won", "drawn", "lost"
_RESULTS = (LOST, DRAWN, WON)


def ratings_of(live: LiveCampaign) -> Ratings:
    """The ratings now; of a cup there are none."""
    unit = live.state.settings.ladder.period
    return Ratings(live.id, live.n, period_name(period(live.now(), unit), unit), rating_rows(live))


def rating_rows(live: LiveCampaign) -> tuple[RatingRowView, ...]:
    """The members who have a rating, the best first."""
    rows = live.ladder_rows()
    return tuple(_row(live, place, row) for place, row in enumerate(rows, 1))


def rating_career(live: LiveCampaign, entrant: str) -> RatingCareer:
    """A member of a ladder, with all their battles in the order in which they were counted."""
    book = live.book()
    steps = {step.result.n: step for step in book.steps(entrant)}
    row = next((row for row in rating_rows(live) if row.entrant == entrant), None)
    battles = tuple(_battle(live, entrant, result, steps.get(result.n)) for result in book.of(entrant))
    return RatingCareer(live.id, entrant, live.state.entrants[entrant].name, row, battles)


def _row(live: LiveCampaign, place: int, row: LadderRow) -> RatingRowView:
    name = live.state.entrants[row.player].name
    return RatingRowView(
        place, row.player, name, row.number, *_shown(row.rating), row.games, row.rating.rd > PROVISIONAL
    )


def _shown(rating: Rating) -> tuple[float, float]:
    """A rating and its deviation, to a tenth."""
    return round(rating.r, 1), round(rating.rd, 1)


def _battle(live: LiveCampaign, entrant: str, result: LadderResult, step: RatingStep | None) -> LadderBattleView:
    other = result.other(entrant)
    told = LadderBattleView(
        result.at,
        result.battle,
        other,
        live.state.entrants[other].name,
        _RESULTS[result.score(entrant)],
        result.how,
        result.rated,
    )
    if step is None:
        return told
    after, deviation = _shown(step.after)
    opponent, opponents = _shown(step.opponent)
    return replace(
        told,
        before=_shown(step.before)[0],
        after=after,
        deviation=deviation,
        opponent_rating=opponent,
        opponent_deviation=opponents,
        expected=round(step.expected, 3),
    )
