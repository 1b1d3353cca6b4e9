"""What the page of a campaign shows of a ladder, and the page of a member: ratings, challenges, battles, the curve."""

from aiohttp import web
from msgspec import Struct

from domain.basics.pace import text_of
from domain.campaign.scenario import scenario_of
from domain.campaign.state import BoardState, CampaignState, OpenChallenge
from replay.telling.words.names import name_in
from server.campaigns.live_campaign import LiveCampaign
from server.people.players import Player
from server.web.api.campaign_messages import LadderBattleView, RatingCareer
from server.web.api.campaigns import member_in, readable
from server.web.api.ladder_views import WON, rating_career, rating_rows
from server.web.pages.language import PageReader, page_reader
from server.web.pages.rendering import page
from server.words import say

MOST_DUELS = 50
"""Battles on the page of a ladder, the newest first."""
CURVE_W, CURVE_H, CURVE_EDGE = 640, 180, 12
"""Of the picture of a curve."""


class DuelRow(Struct, frozen=True):
    """A battle of a ladder in words."""

    battle: str
    south: str
    north: str
    words: str
    is_mine: bool


class ChallengeRow(Struct, frozen=True):
    """A challenge of somebody to a battle, with the entrant whom it is between; `is_own`: they have made it."""

    other: str
    name: str
    battle: str
    until: str
    is_own: bool


class CareerLine(Struct, frozen=True):
    """A battle of a member in words."""

    at: str
    battle: str
    opponent: str
    name: str
    result: str
    rating: str
    change: str
    why: str


def ladder_parts(live: LiveCampaign, player: Player | None, reader: PageReader) -> dict[str, object]:
    """What the page of a ladder has beside that of any campaign."""
    state = live.state
    own = state.players.get(player.id, "") if player else ""
    challenges = [
        _challenge(state, own, one, reader)
        for one in state.challenges.values()
        if own and own in (one.challenger, one.challenged)
    ]
    taken = {row.other for row in challenges}
    newest = sorted(state.duels.values(), key=lambda duel: -state.counted.get(duel.battle, live.n + 1))
    return {
        "ratings": rating_rows(live),
        "challenges": challenges,
        "rivals": [one for one in state.competing() if one.id != own and one.id not in taken] if own else [],
        "duels": [_duel(state, duel, player, reader.lang) for duel in newest[:MOST_DUELS]],
        "has_scenario": bool(state.settings.battle.scenario),
    }


def _challenge(state: CampaignState, own: str, one: OpenChallenge, reader: PageReader) -> ChallengeRow:
    other = state.entrants[one.challenged if own == one.challenger else one.challenger]
    battle = name_in(str(scenario_of(state.settings, one.scenario).get("title", one.scenario)), reader.lang)
    return ChallengeRow(other.id, other.name, battle, reader.moment(text_of(one.until)), own == one.challenger)


def _duel(state: CampaignState, duel: BoardState, player: Player | None, lang: str) -> DuelRow:
    south, north = (state.entrants[name].name for name in duel.place.pair)
    mine = player is not None and player.id in duel.players.values()
    return DuelRow(duel.battle, south, north, duel_words(state, duel, lang), mine)


def duel_words(state: CampaignState, duel: BoardState, lang: str) -> str:
    """What came of a battle of a ladder, in words."""
    if duel.is_running:
        return say(lang, "campaigns.board.running")
    winner = state.entrants[duel.victor].name if duel.victor else ""
    south, north = duel.kept
    kind = "campaigns.board.counted" if winner else "campaigns.board.counted-drawn"
    words = say(lang, kind, name=winner, south=south, north=north)
    return words if duel.rated else f"{words} · {say(lang, 'campaigns.ratings.unrated')}"


async def show_career(request: web.Request) -> web.Response:
    """GET /campaigns/{id}/ratings/{entrant}"""
    live, reader = await readable(request), page_reader(request)
    career = rating_career(live, member_in(live, request))
    rated = [row for row in career.battles if row.after is not None]
    title = live.state.settings.title
    return page(
        request,
        "ladder_member.html",
        live=live,
        title=say(reader.lang, "campaigns.ratings.of", name=career.name, title=title),
        career=career,
        lines=[_line(row, reader) for row in reversed(career.battles)],
        curve=_curve(career),
        first=_whole(rated[0].before) if rated else "",
        last=_whole(rated[-1].after) if rated else "",
        size=(CURVE_W, CURVE_H),
    )


def _line(row: LadderBattleView, reader: PageReader) -> CareerLine:
    lang = reader.lang
    told = (reader.moment(row.at), row.battle, row.opponent, row.name, say(lang, f"campaigns.ratings.{row.result}"))
    if row.before is None or row.after is None or row.expected is None:
        return CareerLine(*told, "", say(lang, "campaigns.ratings.unrated"), "")
    change = round(row.after) - round(row.before)
    score = 100 if row.result == WON else 50 if row.result == "drawn" else 0
    why = say(
        lang,
        "campaigns.ratings.reason",
        opponent=row.name,
        rating=_whole(row.opponent_rating),
        deviation=_whole(row.opponent_deviation),
        expected=round(100 * row.expected),
        score=score,
    )
    rating = f"{_whole(row.after)} ± {_whole(2 * (row.deviation or 0))}"
    return CareerLine(*told, rating, f"{change:+d}".replace("-", "−"), why)


def _whole(value: float | None) -> str:
    return str(round(value or 0))


def _curve(career: RatingCareer) -> str:
    """The points of the curve in a picture of `CURVE_W` to `CURVE_H`; "" for fewer than two."""
    rated = [row for row in career.battles if row.after is not None]
    values = [row.before or 0 for row in rated[:1]] + [row.after or 0 for row in rated]
    if len(values) < 2:
        return ""
    low, high = min(values), max(values)
    span = (high - low) or 1
    width, height = CURVE_W - 2 * CURVE_EDGE, CURVE_H - 2 * CURVE_EDGE
    return " ".join(
        f"{CURVE_EDGE + width * at / (len(values) - 1):.0f},{CURVE_EDGE + height * (high - value) / span:.0f}"
        for at, value in enumerate(values)
    )
