"""The book of a game for armies as a log has them: tables, which each of its functions reads."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from domain.contract.campaign_book import CampaignBook, Element, Fielded, Ground, Recruit

Table = Mapping[str, Any]


@lru_cache(16)
def on_tables(book: CampaignBook) -> CampaignBook:
    """A book whose armies are tables. They have been read before: nothing is refused that was not refused then."""

    def fielded(forces: Sequence[Fielded]) -> tuple[Fielded, ...]:
        return tuple(replace(force, army=book.read(force.army)) for force in forces)

    def roster(army: Table) -> tuple[Element, ...]:
        return book.roster(book.read(army))

    def promoted(army: Table, unit: Element) -> Element | None:
        return book.promoted(book.read(army), unit)

    def stand_in(army: Table, leader: Element, name: str, unit: str) -> Element:
        return book.stand_in(book.read(army), leader, name, unit)

    def recruit(army: Table, now: Sequence[Element], wanted: Recruit) -> Element:
        return book.recruit(book.read(army), now, wanted)

    def battle(
        south: Sequence[Fielded], north: Sequence[Fielded], ground: Ground | None, title: str, options: Table
    ) -> tuple[dict[str, Any], Mapping[tuple[str, str], str]]:
        return book.battle(fielded(south), fielded(north), ground, title, options)

    return replace(book, roster=roster, promoted=promoted, stand_in=stand_in, recruit=recruit, battle=battle)
