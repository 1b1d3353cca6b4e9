"""When a player gets a letter.

The rows are posted in the transaction of the events that cause them (design.md 8), to those who have an address by
then.
"""

from collections.abc import Mapping, Sequence

from domain.events.battle import (
    DISPUTES,
    SETTLEMENTS,
    BattleBegan,
    BattleEnded,
    BattleStopped,
    ContributionGiven,
    DecisionAsked,
    DecisionMade,
    FlagRuled,
    OrderAccepted,
    SideJoined,
    SideLeft,
    SubstituteAgreed,
    TurnBegan,
    UmpireNamed,
)
from domain.run.decide import to_act
from domain.run.seats import Battle
from replay.writing.recording import Batch
from server.play.announcing import battle_after
from server.play.live_battle import LiveBattle
from server.play.request import MAIL_CHANNEL
from server.store import Statement
from server.store.tables import outbox
from server.store.tables.closings import STOPPED
from server.store.tables.outbox import LetterKind
from server.time.deadlines import clock_letters

SAID = DISPUTES | SETTLEMENTS
ON_FLAG = "flag"
"""What a letter about a ruling on a flag has instead of a docket."""
OFFERED, TAKEN = "seat-", "left-"
"""The same, the side behind it, of letters to who may take over a seat, and to who has lost it to a substitute."""


def letters(live: LiveBattle, batch: Batch, at: str) -> Sequence[Statement]:
    """The outbox rows of an append: to the side that must act after it, to both at the end, to whoever waits
    when the other side is taken, and about clock events."""
    if not batch.recorded:
        return ()
    asked = _of_move(live, batch)
    told = {side: kind for side, kind in _joined(live, batch).items() if side not in asked} | dict(asked)
    if not told and SAID.isdisjoint([type(recorded.event) for recorded in batch.recorded]):
        return [*clock_letters(live, batch, at)]  # as after most orders
    people = _people(live, batch)
    disputes = _disputed(live, batch, people)
    due = [(people[side], str(kind)) for side, kind in told.items() if people.get(side)]
    over = {player for player, kind in due if kind == LetterKind.END}
    due = [one for one in due if one[0] in over or one[0] not in disputes]
    due += [one for one in disputes.items() if one[0] not in over]
    due += _of_seats(live, batch)
    posted = [outbox.post_if_reached(live.id, batch.recorded[-1].n, player, kind, at) for player, kind in due]
    return [*posted, *clock_letters(live, batch, at)]


def _disputed(live: LiveBattle, batch: Batch, people: Mapping[str, str]) -> dict[str, str]:
    """The readers of what was said in a dispute: everybody of the battle but its speaker. The letter to a side
    that must act asks for its orders as well."""
    said = [recorded.event for recorded in batch.recorded if type(recorded.event) in SAID]
    order = next((recorded.event for recorded in batch.recorded if isinstance(recorded.event, OrderAccepted)), None)
    if not said:
        return {}
    if order is None:
        umpires = [event.player for event in said if isinstance(event, UmpireNamed)]  # as the battle is opened
        return dict.fromkeys(umpires, f"{LetterKind.DISPUTE}:")
    docket = next((str(named) for event in said if (named := getattr(event, "docket", ""))), "")
    if any(isinstance(event, FlagRuled) for event in said):
        docket = ON_FLAG
    umpire = _after(live, batch).disputes.umpire
    is_theirs = docket or any(isinstance(event, (UmpireNamed, SubstituteAgreed)) for event in said)
    told = {*people.values()} | ({umpire} if umpire and is_theirs else set())
    return dict.fromkeys(sorted(told - {order.player, ""}), f"{LetterKind.DISPUTE}:{docket}")


def _of_seats(live: LiveBattle, batch: Batch) -> list[tuple[str, str]]:
    """The players who may take over a seat from now on, and those who have lost one to a substitute."""
    due = []
    for recorded in batch.recorded:
        event = recorded.event
        if isinstance(event, SubstituteAgreed) and event.seat:
            silent = recorded.n - 1 if event.silent is True else 0
            if _after(live, batch).may_follow(event.seat, event.player, silent):
                due.append((event.player, f"{LetterKind.DISPUTE}:{OFFERED}{event.seat}"))
        elif isinstance(event, SideLeft) and live.recording.battle.begun:
            held = live.recording.battle.seats[event.side]
            due += [(held.player, f"{LetterKind.DISPUTE}:{TAKEN}{event.side}")] if held.kind == "person" else []
    return due


def _people(live: LiveBattle, batch: Batch) -> dict[str, str]:
    """The players who hold the sides after the append; bots get no letters."""
    people = {side: seat.player for side, seat in live.recording.battle.seats.items() if seat.kind == "person"}
    for recorded in batch.recorded:
        event = recorded.event
        if isinstance(event, SideJoined) and event.kind == "person":
            people[event.side] = event.player or ""
    return people


def _of_move(live: LiveBattle, batch: Batch) -> Mapping[str, LetterKind]:
    """The letter that each side gets; empty if an append leaves the move where it was."""
    for recorded in reversed(batch.recorded):
        event = recorded.event
        if isinstance(event, BattleEnded) or (isinstance(event, BattleStopped) and event.how == STOPPED):
            return dict.fromkeys(live.seats.names, LetterKind.END)
        if isinstance(event, DecisionAsked):
            return {} if _is_answered(live, batch, event.side) else {event.side: LetterKind.DECISION}
        if isinstance(event, BattleBegan):
            return _begun(live, batch)
        if isinstance(event, TurnBegan) and live.recording.battle.begun:
            return dict.fromkeys(to_act(live.ruleset, _after(live, batch).game), LetterKind.TURN)
        if isinstance(event, DecisionMade):
            return _given_back(live, batch) if live.question() else _passed_on(live, batch)
    return _called(live, batch) | _contributed(live, batch) | _passed_on(live, batch)


def _is_answered(live: LiveBattle, batch: Batch, side: str) -> bool:
    """Whether a mailed order of the side itself has led to the question: the answer to that mail asks it. Lines
    that waited continue without an answer."""
    orders = [recorded.event for recorded in batch.recorded if isinstance(recorded.event, OrderAccepted)]
    is_own = any(order.side == side and order.channel == MAIL_CHANNEL for order in orders)
    return is_own and side not in live.parked


def _begun(live: LiveBattle, batch: Batch) -> Mapping[str, LetterKind]:
    """The battle begins: a side that has yet to contribute is asked for its contribution; the mover is asked for
    orders, unless no card can be drawn before the other side has contributed."""
    after = _after(live, batch)
    told = dict.fromkeys(after.owing, LetterKind.CONTRIBUTION)
    moving = to_act(live.ruleset, after.game)
    return told | {side: LetterKind.TURN for side in moving if not after.game.t or not _others(after, side)}


def _contributed(live: LiveBattle, batch: Batch) -> dict[str, LetterKind]:
    """The contribution that a mover waited for has come: they get a letter, unless they contributed themselves just
    now."""
    given = {recorded.event.side for recorded in batch.recorded if isinstance(recorded.event, ContributionGiven)}
    before = live.recording.battle
    if not given or not before.game.t:
        return {}
    after = _after(live, batch)
    moving = [side for side in to_act(live.ruleset, after.game) if side not in given]
    return {side: LetterKind.TURN for side in moving if _others(before, side) and not _others(after, side)}


def _others(battle: Battle, side: str) -> set[str]:
    """The other sides that have yet to contribute."""
    return set(battle.owing) - {side}


def _given_back(live: LiveBattle, batch: Batch) -> Mapping[str, LetterKind]:
    """A question was answered and the move returns to the side that had it: its player gets a letter, unless parked
    lines of theirs continue by themselves.

    A player who answered it themselves (or by a standing order) has not waited.
    """
    asked = live.question()
    if not asked:
        return {}
    moving = to_act(live.ruleset, _after(live, batch).game)
    return {side: LetterKind.TURN for side in live.seats.others(asked) if side in moving and side not in live.parked}


def _passed_on(live: LiveBattle, batch: Batch) -> dict[str, LetterKind]:
    """Within a player-turn: the sides that must act after an order and did not have to before it."""
    if not live.game.t or not any(isinstance(recorded.event, OrderAccepted) for recorded in batch.recorded):
        return {}
    moving = to_act(live.ruleset, _after(live, batch).game)
    return {side: LetterKind.TURN for side in moving if side not in live.to_act()}


def _called(live: LiveBattle, batch: Batch) -> dict[str, LetterKind]:
    """Before the first turn: the sides that must act after an append and did not have to before it."""
    before = live.recording.battle
    if before.game.t or not batch.entered:
        return {}
    after = _after(live, batch)
    moving = to_act(live.ruleset, after.game)
    due = dict.fromkeys(moving, LetterKind.TURN) or dict.fromkeys(after.owing, LetterKind.CONTRIBUTION)
    return {side: kind for side, kind in due.items() if side not in live.to_act()}


def _joined(live: LiveBattle, batch: Batch) -> dict[str, LetterKind]:
    """The holders of sides, when somebody takes another one; a bot was invited by a holder."""
    seats = live.recording.battle.seats
    joined = [recorded.event for recorded in batch.recorded if isinstance(recorded.event, SideJoined)]
    return {
        side: LetterKind.JOINED
        for event in joined
        for side in live.seats.others(event.side)
        if event.kind == "person" and side in seats
    }


def _after(live: LiveBattle, batch: Batch) -> Battle:
    """The battle as the append leaves it."""
    return battle_after(live.ruleset, live.recording.battle, batch)
