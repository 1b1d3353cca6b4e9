"""What the battles of a ladder have changed for the reader of a letter (CAM-RAT-03)."""

from collections.abc import Iterator, Mapping

from domain.campaign.events import CAMPAIGN_EVENTS
from domain.log import record
from projections.ratings.book import LadderBook, RatingStep
from server.store.contract import TableRows
from server.store.tables import campaigns
from server.words import say


def rating_steps(store: TableRows, campaign: str, last: int, entrant: str) -> Mapping[str, RatingStep]:
    """The rated battles of a member of a ladder, by id, each with what it changed, as after an event of the log."""
    book = LadderBook()
    for n, _, line in campaigns.lines(store, campaign):
        if n <= last:
            entry = record.decode(line, CAMPAIGN_EVENTS)
            book.feed(n, entry.at, entry.event)
    return {step.result.battle: step for step in book.steps(entrant)}


def rating_told(step: RatingStep | None, lang: str) -> Iterator[str]:
    """The new rating and what it has changed by; nothing of a battle that is not rated."""
    if step is None:
        return
    change = round(step.after.r) - round(step.before.r)
    told = {"rating": round(step.after.r), "deviation": round(2 * step.after.rd)}
    yield say(lang, "campaigns.letter.rating", change=f"{change:+d}".replace("-", "−"), **told)
