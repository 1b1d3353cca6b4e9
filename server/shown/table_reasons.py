"""Why an entrant stands where they stand in the table: points, each tie-break with its sum, and the neighbours."""

from collections.abc import Iterator, Sequence

from domain.campaign.events import PointsTaken, ResultsStruck
from domain.campaign.standings import TableRow, standings
from domain.campaign.state import contest_of
from domain.campaign.tie_breaks import DIRECT, scores_of
from domain.campaign.why import LEFT, LOTS, POINTS, Above, why_above
from domain.events.battle import Event
from server.shown.reason_words import CampaignReason, ReasonWords, signed
from server.words import say

RULES = {LEFT: "CAM-RND-06", POINTS: "CAM-STD-01", DIRECT: "CAM-STD-05"}
"""The rule by which one stands above another; else CAM-STD-04."""


def table_reasons(events: Sequence[Event], name: str, words: ReasonWords) -> Iterator[CampaignReason]:
    """The sums of an entrant, and what divides them from whoever stands above and below."""
    state = words.state
    for event in events:
        if isinstance(event, ResultsStruck) and event.entrant == name:
            yield words.reason("CAM-PPL-04", "struck", name=words.name(name), played=event.played, of=event.of)
        elif isinstance(event, PointsTaken) and event.entrant == name:
            yield words.reason("CAM-RUL-07", "taken", name=words.name(name), points=event.points)
    if not state.is_cup or name not in state.order or state.entrants[name].is_struck:
        return
    contest = contest_of(state)
    rows = standings(contest, state.cup.tiebreaks)
    place = next(at for at, row in enumerate(rows) if row.entrant == name)
    own = rows[place]
    yield _points(own, words)
    for upper, lower in ((rows[place - 1 : place], [own]), ([own], rows[place + 1 : place + 2])):
        if upper and lower:
            yield _above(upper[0], lower[0], why_above(upper[0], lower[0], contest), words)
    yield from _sums(own, words)


def _points(own: TableRow, words: ReasonWords) -> CampaignReason:
    met = scores_of(contest_of(words.state)).met[own.entrant]
    parts = ", ".join(f"{each.place}: {each.points}" for each in met)
    name = words.name(own.entrant)
    return words.reason("CAM-STD-01", "points", name=name, points=own.points, parts=parts)


def _above(upper: TableRow, lower: TableRow, above: Above, words: ReasonWords) -> CampaignReason:
    """What puts one row above the next."""
    told = {"upper": words.name(upper.entrant), "lower": words.name(lower.entrant)}
    if above.by == LEFT:
        return words.reason(RULES[LEFT], "above-left", **told)
    if above.by == POINTS:
        return words.reason(RULES[POINTS], "above-points", **told, more=upper.points, fewer=lower.points)
    if above.by == LOTS or above.upper is None or above.lower is None:
        return words.reason("CAM-STD-04", "above-lots", **told)
    column = say(words.lang, f"campaigns.tie.{above.by}")
    rule = RULES.get(above.by, "CAM-STD-04")
    return words.reason(rule, "above", **told, column=column, more=above.upper.value, fewer=above.lower.value)


def _sums(own: TableRow, words: ReasonWords) -> Iterator[CampaignReason]:
    """Each tie-break as the sum that it is; a round without a battle counts as a draw against oneself."""
    rounds = False
    for figure in own.figures:
        if figure.name == LOTS:
            continue
        parts = [
            say(
                words.lang,
                "reason.part-dropped" if part.is_dropped else "reason.part",
                place=part.place,
                sum=signed(part.value),
            )
            for part in figure.parts
        ]
        rounds = rounds or any("." not in part.place for part in figure.parts)
        column = say(words.lang, f"campaigns.tie.{figure.name}")
        rule = RULES.get(figure.name, "CAM-STD-04")
        yield words.reason(rule, "sum", column=column, sum=figure.value, parts=", ".join(parts))
    if rounds:
        yield words.reason("CAM-STD-03", "without-battle")
