"""What an ended battle leaves to the campaigns that carry forces on: fates, and deeds that are remembered."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from domain.contract.deeds import Deed, deeds_of, patterns
from domain.events.battle import Fact
from domain.run.timeline import Timeline


class BattleRemains(Struct, frozen=True):
    """Fates of the elements that are not whole or well, deeds in the order in which they were completed."""

    fates: Mapping[str, str]
    deeds: tuple[Deed, ...]


def remains(timeline: Timeline, n: int) -> BattleRemains:
    """What is left after event `n`, the last of a battle; nothing of a game whose forces are not carried on.

    Rule: CAM-RND-04, CAM-TTS-02, CAM-TTS-03
    """
    book = timeline.ruleset.campaign
    if book is None:
        return BattleRemains({}, ())
    wanted = [pattern for pattern in patterns(timeline.ruleset.code) if pattern.id in book.honours]
    return BattleRemains(book.fates(timeline.at(n).game), deeds_of(timeline.ruleset, _facts(timeline, n), wanted))


def told_left(
    timeline: Timeline, n: int, names: Mapping[tuple[str, str], str]
) -> tuple[dict[str, dict[str, str]], tuple[dict[str, Any], ...]]:
    """Fates and deeds as a `ResultCounted` has them: by force and element of the campaign.

    Shape: `names` what the elements of forces are called in the battle
    """
    elements = {called: element for element, called in names.items()}
    found = remains(timeline, n)
    fates: dict[str, dict[str, str]] = {}
    for called, fate in found.fates.items():
        if called in elements:
            force, element = elements[called]
            fates.setdefault(force, {})[element] = fate
    deeds = tuple(
        {"force": elements[deed.unit][0], "element": elements[deed.unit][1], "honour": deed.id, "n": deed.n}
        for deed in found.deeds
        if deed.unit in elements
    )
    return fates, deeds


def _facts(timeline: Timeline, n: int) -> Iterator[tuple[int, Any, Fact]]:
    """The events that count, each with the state before it: what a rewind took back earns nothing."""
    for before, recorded in timeline.along(2, n):
        if timeline.counts(recorded.n):
            yield recorded.n, before.game, Fact(recorded.by, recorded.rule, recorded.event)
