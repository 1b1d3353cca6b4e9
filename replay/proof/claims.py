"""Check what a log says of its game, its authors and its rules.

These members matter neither to the draws nor to the rules: the author of an input or of a disclosure,
its rule, the game of the first event, and the words that say what kind of seat is taken.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.contract.ruleset import Ruleset
from domain.events.battle import CORE_EVENTS
from domain.log.record import Recorded
from replay.called_off import CAMPAIGN
from replay.proof.blocks import DISCLOSURES, STOPPED
from replay.proof.clock import DEADLINE

OF_A_SIDE = frozenset({"SideJoined", "SideLeft", "ContributionGiven", "OrderAccepted", "ClockFired"})
OF_THE_SERVER = DISCLOSURES | {"BattleOpened", "BattleBegan", "RulesChanged", "KeyChanged", "NonceDisclosed", STOPPED}

Wrong = tuple[int, str, dict[str, Any]]
"""Event, stable code and details of a wrong claim."""


def wrong_claims(
    game: str, ruleset: Ruleset | None, names: tuple[str, ...], events: Sequence[Recorded]
) -> Iterator[Wrong]:
    """The wrong claims, in the order of the log; `game` is that of the header, `ruleset` None if it is unknown, `names`
    are the seats of the battle."""
    authors = (*names, "server", "umpire")
    if not events or getattr(events[0].event, "ruleset", None) != game:
        yield 1, "other-game", {"expected": game}
    cited = {} if ruleset is None else ruleset.rules.cited
    for recorded in events:
        event, n, kind = recorded.event, recorded.n, recorded.type
        if recorded.by not in authors:
            yield n, "other-author", {"expected": authors, "found": recorded.by}
        if kind not in OF_A_SIDE and kind not in OF_THE_SERVER:
            continue
        is_a_flag = kind == "ClockFired" and getattr(event, "what", "") in (DEADLINE, CAMPAIGN)
        by = getattr(event, "side", "") if kind in OF_A_SIDE and not is_a_flag else "server"
        if recorded.by != by:
            yield n, "other-author", {"expected": by, "found": recorded.by}
        rules = (CORE_EVENTS[kind].RULE, event.RULE, cited.get(kind, event.RULE))
        if ruleset is not None and recorded.rule not in rules:
            yield n, "other-rule", {"expected": rules[-1], "found": recorded.rule}
