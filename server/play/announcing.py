"""What webhooks are told of an append: a turn has begun, a decision is asked, a battle has begun or is over.

The rows are written in the transaction of the append (design.md 8). Talk is never told.
"""

from collections.abc import Collection, Iterator, Mapping

from domain.contract.ruleset import Ruleset
from domain.events.battle import (
    BattleBegan,
    BattleEnded,
    BattleStopped,
    DecisionAsked,
    Event,
    TurnBegan,
)
from domain.run.decide import to_act
from domain.run.seats import Battle, evolve_battle
from replay.writing.recording import Batch
from server.store import Statement
from server.store.tables import webhooks
from server.store.tables.webhooks import HookNews, HookOwner, OwnerKind

BATTLE = "battle"
"""What a battle is called where something is about it."""


def announced(
    ruleset: Ruleset, battle: str, before: Battle, acting: Collection[str], batch: Batch, at: str
) -> list[Statement]:
    """The rows for the webhooks of those who sit in a battle, and of its club. `acting`: the sides that must act
    `before` the append, or go on by themselves."""
    if not batch.recorded or not (before.begun or _has(batch, BattleBegan)):
        return []
    after = battle_after(ruleset, before, batch)
    people = {side: seat.player for side, seat in after.seats.items() if seat.kind == "person"}
    n, told = batch.recorded[-1].n, list(dict.fromkeys(_addressed(ruleset, people, after, acting, batch)))
    of_club = sorted({what for _, what in told} & {"begun", "ended"})
    return [
        *(
            webhooks.tell(HookOwner(OwnerKind.ACCOUNT, player), HookNews(what, BATTLE, battle, n), at)
            for player, what in told
        ),
        *(webhooks.tell_club(battle, HookNews(what, BATTLE, battle, n), at) for what in of_club),
    ]


def _addressed(
    ruleset: Ruleset, people: Mapping[str, str], after: Battle, acting: Collection[str], batch: Batch
) -> Iterator[tuple[str, str]]:
    """Each person and what they hear; somebody who holds both sides may come twice."""
    if _has(batch, BattleBegan):
        yield from ((player, "begun") for player in people.values())
    if _has(batch, BattleEnded) or _has(batch, BattleStopped):
        yield from ((player, "ended") for player in people.values())
        return
    moving = () if after.is_halted or after.stopped is not None else to_act(ruleset, after.game) or after.owing
    is_asked, is_turn = after.game.waiting and _has(batch, DecisionAsked), _has(batch, TurnBegan)
    for side in moving:
        if side in people and (is_asked or is_turn or side not in acting):
            yield people[side], "decision" if after.game.waiting else "turn"


def _has(batch: Batch, kind: type[Event]) -> bool:
    for recorded in batch.recorded:  # noqa: SIM110 - a generator costs more than the loop, at each append
        if isinstance(recorded.event, kind):
            return True
    return False


def battle_after(ruleset: Ruleset, before: Battle, batch: Batch) -> Battle:
    """A battle as an append leaves it."""
    if before.n and batch.entered and (folded := batch.entered[-1].after) is not None:
        return folded
    for item in batch.entered:
        before = evolve_battle(ruleset, before, item.whole.event, before.n + 1, item.secret is not None)
    return before
