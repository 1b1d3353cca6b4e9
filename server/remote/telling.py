"""What a terminal shows of a battle on a server: how it stands, what is wanted, legal orders, what came of them."""

from collections.abc import Iterator, Mapping, Sequence

from domain.contract.option import Option
from domain.engine.state import SIDES
from replay import battle_file
from replay.reports import plain
from server.remote.connection import BattleNow, LegalOrders, LineResult, OwnBattles, visible
from server.remote.inviting import Armies, AskedRematch, BroughtBattle, SentInvitation
from server.remote.state import BattleFiles, KeptSeat
from server.shown.forces import in_words
from server.shown.menus import menus, tail
from server.shown.outcome import told_number

MOST_LISTED = 60
DAY_S, HOUR_S, MINUTE_S = 86_400, 3_600, 60


def situation(now: BattleNow, kept: KeptSeat | None) -> Iterator[str]:
    """Title, seats and clocks, and what is wanted of whom."""
    yield f"{visible(now.title)} ({now.battle}), {_moment(now)}"
    for side in _sides(now.seats):
        yield f"  {side:<6} {_holder(now, side)}{_clock(now, side)}"
    yield from wanted(now, kept)


def wanted(now: BattleNow, kept: KeptSeat | None) -> Iterator[str]:
    """What the battle waits for, and what the player can do about it."""
    side = kept.side if kept else ""
    if now.winner is not None:
        yield f"It is over, {visible(now.how)}: " + (f"{visible(now.winner)} has won." if now.winner else "a draw.")
        return
    if not now.begun:
        yield "It waits for a player."
        return
    if now.waiting is not None:
        asked = " or ".join(map(visible, now.waiting.options))
        yield f"{visible(now.waiting.side)} is asked: {visible(now.waiting.kind)} {visible(now.waiting.unit)}: {asked}"
    elif now.to_act:
        yield f"To act: {', '.join(map(visible, now.to_act))}."
    if now.draw_offer:
        yield f"{visible(now.draw_offer)} offers a draw."
    if side in now.seats and not now.seats[side].contributed:
        yield f"Your part of the chance is missing: phalera remote order {now.battle}"
    if now.parked:
        yield f"Waiting for the other side: {'; '.join(map(visible, now.parked))}"
    if kept is not None and kept.pending is not None:
        yield "A request of yours has had no answer yet: give the same orders again."


def invited(found: SentInvitation) -> str:
    """The people invited, to which side, and how long it is kept."""
    return f"{visible(found.address)} is invited to play {visible(found.side)}, until {visible(found.expires)[:10]}."


REMATCHES = {
    "asked": "Your opponent is asked by letter.",
    "waiting": "Your opponent has been asked, and has not answered.",
    "accepted": "You have accepted what your opponent had asked for.",
    "begun": "It has begun before.",
    "bot": "A bot plays with you.",
}
"""What is told of a rematch, by how far it is."""


def rematch(found: AskedRematch, address: str) -> str:
    """Your side in the battle that follows, how far it is, and where."""
    return f"You play {found.side}. {REMATCHES.get(found.what, '')}".rstrip() + f"\n{address}"


def _moment(now: BattleNow) -> str:
    return f"turn {now.turn}, event {now.n}" if now.turn else f"{visible(now.phase) or 'not begun'}, event {now.n}"


def _sides(taken: Mapping[str, object]) -> tuple[str, ...]:
    """The sides of a battle of which these are taken: south and north, or those of another game as far as they are."""
    return SIDES if taken.keys() <= {*SIDES} else tuple(taken)


def _holder(now: BattleNow, side: str) -> str:
    seat = now.seats.get(side)
    if seat is None:
        return "free"
    kind = "a bot" if seat.kind == "bot" else seat.mode
    return f"{visible(seat.name)} ({visible(kind)}{', you' if seat.yours else ''})"


def _clock(now: BattleNow, side: str) -> str:
    clock = now.clocks.get(side)
    if clock is None:
        return ""
    if clock.flagged:
        return ", its time is up"
    by = f", until {visible(clock.deadline)}" if clock.running and clock.deadline else ""
    return f", {_span(clock.left_s)} left{by}"


def _span(seconds: int) -> str:
    for size, name in ((DAY_S, "days"), (HOUR_S, "hours"), (MINUTE_S, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds // size} {name}"
    return f"{max(seconds, 0)} seconds"


# --- news


def news(place: BattleFiles, since: int, lang: str) -> tuple[list[str], int]:
    """The events behind `since` in the player's copy, in sentences, and the number of the last one.

    Raises: UnreadableFile
    """
    battle = battle_file.load(str(place.log), lang)
    shown = {recorded.n for recorded in battle.events if plain.is_shown(recorded)}
    width = len(str(battle.last))
    told = [
        visible(f"{line.n:>{width}}{'~' if line.voided else ' '} {line.said}")
        for line in plain.lines(battle, since + 1, battle.last, lang)
        if line.n in shown
    ]
    return told, battle.last


# --- orders


def options(found: LegalOrders, unit: str) -> Iterator[str]:
    """The legal orders, each with what it needs; runs of similar ones once, unless a unit is named."""
    listed = [option for option in found.options if not unit or unit in option.order.split()]
    if not listed:
        yield "There is nothing to order" + (f" for {unit}." if unit else ".")
        return
    folded = menus(listed) if not unit else {}
    told = {option.order for run in folded.values() for option in run}
    rest = [option for option in listed if option.order not in told]
    for begins, run in folded.items():
        yield visible(f"{begins} {tail(run[0])} … {len(run)} places")
    for option in rest[:MOST_LISTED]:
        yield visible(f"{option.order:<32}{_odds(option)}").rstrip()
    if len(rest) > MOST_LISTED:
        yield f"… and {len(rest) - MOST_LISTED} more: name a unit."


def _odds(option: Option) -> str:
    if not option.needed or option.odds is None:
        return ""
    good, left = option.odds
    percent = f", {round(100 * good / left)}%" if left else ""
    return f"needs {told_number(option.needed, option.how)}: {good} of {left}{percent}"


def results(lines: Sequence[LineResult]) -> Iterator[str]:
    """What became of each line."""
    for line in lines:
        said = f": {visible(line.sentence)}" if line.sentence else ""
        yield f"{visible(line.order) or 'contribution':<32}{visible(line.status)}{said}"


# --- battles


def armies(found: Armies, lang: str) -> Iterator[str]:
    """The armies of a battle that has not begun."""
    for force in in_words(found.armies, lang):
        yield visible(force.title)
        for part in force.parts:
            yield visible(f"  {part.title}")
            yield from (visible(f"    {line}") for line in part.lines)
    yield from (visible(line) for line in found.options)
    if found.proposed:
        yield f"Another army is proposed: {visible(found.proposed)}"
    elif found.brings:
        yield "The free side may bring another army: phalera remote bring BATTLE LIST|FILE"


def brought(found: BroughtBattle, address: str) -> str:
    """Another army that is proposed, and where."""
    return f"You play {visible(found.side)} with your army. {visible(found.opponent)} is asked to accept it.\n{address}"


def battles(found: OwnBattles) -> Iterator[str]:
    """The player's battles, a line each."""
    if not found.battles:
        yield "You have no battle on this server."
    for entry in found.battles:
        names = " – ".join(visible(entry.seats.get(side, "") or "nobody") for side in reversed(_sides(entry.seats)))
        acts = f", to act: {', '.join(map(visible, entry.to_act))}" if entry.to_act else ""
        by = f" by {visible(entry.deadline)}" if entry.deadline else ""
        state = "over" if entry.status == "ended" else f"turn {entry.turn}{acts}{by}"
        disputes = f", {counted(entry.disputed)}" if entry.disputed else ""
        judging = ", you are the umpire" if entry.judging else ""
        branch = f" (branch after event {entry.branch_n})" if entry.branch_n else ""
        tags = f" [{' '.join(map(visible, entry.tags))}]" if entry.tags else ""
        yield f"{visible(entry.battle)}  {visible(entry.title)}{branch}{tags}: {names}, {state}{disputes}{judging}"


def counted(dockets: int) -> str:
    """How many dockets are open."""
    return f"{dockets} open docket{'' if dockets == 1 else 's'}"
