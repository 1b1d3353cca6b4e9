"""Decide the order lines of disputes: what may be said about a battle, by whom, and what follows from it at once.

What holds (docs/disputes.md, CORE-DSP-01 … 12):
- A dispute is about the log, so a decision needs the battle and its past: which events count, where blocks end. It
  draws nothing and moves nothing on the board; a rewind restores a state that has been.
- Nothing is settled but by all sides in the same words, or by an umpire of all. A remedy takes effect in the block
  of the order that settles it: `Rewound` or `BattleEnded` stand behind the agreement or the ruling.
- What an order settles is what its line says. The verifier (`replay.proof.authority`) reads the same lines, and the
  audit asks the function here (`decide_dispute`), so a log cannot have other facts behind them.

Rejected: remedies that wait for a further word (what all have agreed would hang between two letters); undoing single
orders (what came after them would stand on a board that never was).
"""

from collections.abc import Callable

from msgspec import UNSET

from domain.basics.errors import Refusal
from domain.basics.pace import DAY_MS, moment_of
from domain.contract.dispute_lines import (
    AWARD,
    CORRECT,
    DRAW,
    LOST,
    NONE,
    PLAYER,
    REWIND,
    SUBSTITUTE,
    DisputeOrder,
)
from domain.contract.ruleset import Ruleset
from domain.disputes.case import Case, Spoken
from domain.disputes.corrections import corrected
from domain.disputes.umpires import BY_AGREEMENT, agree_umpire, all_others_say, require_no_bot, umpire
from domain.engine.dockets import (
    AGREED,
    DECLINED,
    LAPSED,
    RULED,
    TAKEBACK,
    UMPIRE,
    WITHDRAWN,
    Docket,
    awarded,
    newest_of_others,
)
from domain.events.battle import (
    BattleEnded,
    DisputeAnswered,
    DisputeRaised,
    DisputeSettled,
    Event,
    Fact,
    FlagRuled,
    RemedyOffered,
    Rewound,
    RulingGiven,
    SubstituteAgreed,
)
from domain.run.rewind_points import (
    Past,
    before_block,
    has_drawn_since,
    is_rewind_point,
    last_order,
    rewind_point_before,
)
from domain.run.seats import Battle

MOST_OPEN = 3
"""Dockets that one side may have open at once (CORE-DSP-02)."""
MOST_HALTS = 2
"""How often a side may halt play without the umpire (CORE-DSP-03)."""
BY_RULING = "ruling"
"""How a battle ends that a ruling ends."""
SERVER = "server"


def decide_dispute(ruleset: Ruleset, battle: Battle, past: Past, spoken: Spoken) -> tuple[Fact, ...]:
    """What follows from an order of a dispute.

    Raises: Refusal core.not-begun, core.docket-…; of a correction those of `domain.disputes.corrections`
    """
    if not battle.begun:
        raise Refusal("core.not-begun", "CORE-BEGIN")
    if battle.stopped is not None:
        raise Refusal("core.battle-closed", "CORE-STOP", how=battle.stopped.how)
    if spoken.side == UMPIRE and battle.disputes.umpire != spoken.player:
        raise Refusal("core.docket-not-umpire", "CORE-DSP-10", player=spoken.player)
    return tuple(_DECISIONS[spoken.order.verb](Case(ruleset, battle, past, spoken)))


def _follows(event: Event, rule: str = "") -> Fact:
    return Fact(SERVER, rule or event.RULE, event)


# --- raising, answering, halting


def _dispute(case: Case) -> list[Fact]:
    """CORE-DSP-01, -02 and -09: a docket about an event that counts."""
    case.require_side()
    order = case.order
    if order.about > case.battle.n or not case.past.counts(order.about):
        raise Refusal("core.docket-event", "CORE-DSP-01", about=order.about, n=case.battle.n)
    _require_in_time(case)
    return [_raised(case, order.about, order.kind, "", "CORE-DSP-01")]


def _raised(case: Case, about: int, kind: str, remedy: str, rule: str) -> Fact:
    open_ = [docket for docket in case.disputes.open if docket.side == case.side]
    same = next((docket for docket in open_ if docket.about == about), None)
    if same is not None:
        raise Refusal("core.docket-again", "CORE-DSP-02", docket=same.id, about=about)
    if len(open_) >= MOST_OPEN:
        raise Refusal("core.docket-too-many", "CORE-DSP-02", most=MOST_OPEN, dockets=[docket.id for docket in open_])
    name = f"d{len(case.disputes.dockets) + 1}"
    raised = DisputeRaised(docket=name, side=case.side, about=about, remedy=remedy, text=case.order.text, kind=kind)
    return case.said(raised, rule)


def _require_in_time(case: Case) -> None:
    """CORE-DSP-09: an ended battle may be disputed for some days."""
    if not case.battle.ended:
        return
    end = next(one for one in reversed(case.past.events) if isinstance(one.event, BattleEnded))
    days = case.disputes.days
    if moment_of(case.spoken.at) > moment_of(end.at) + days * DAY_MS:
        raise Refusal("core.docket-too-late", "CORE-DSP-09", days=days, ended=end.at)


def _takeback(case: Case) -> list[Fact]:
    """CORE-DSP-08: a side asks to have its own last order back. The docket is its offer, too."""
    case.require_side()
    case.require_running()
    if case.disputes.takebacks == "never":
        raise Refusal("core.docket-no-takebacks", "CORE-DSP-08")
    last = last_order(case.past, case.side)
    if last is None:
        raise Refusal("core.docket-no-order", "CORE-DSP-08", side=case.side)
    remedy = f"{REWIND} {before_block(case.past, last)}"
    raised = _raised(case, last, TAKEBACK, remedy, "CORE-DSP-08")
    assert isinstance(raised.event, DisputeRaised)
    offered = RemedyOffered(raised.event.docket, case.side, remedy)
    return [raised, case.said(offered, "CORE-DSP-08")]


def _answer(case: Case) -> list[Fact]:
    docket = case.open_docket()
    return [case.said(DisputeAnswered(docket=docket.id, by=case.side, text=case.order.text))]


def _halt(case: Case) -> list[Fact]:
    """CORE-DSP-03: the raiser, or the umpire, halts clocks and orders."""
    case.require_running()
    docket = case.open_docket()
    if case.side not in (docket.side, UMPIRE):
        raise Refusal("core.docket-not-raiser", "CORE-DSP-03", docket=docket.id, side=docket.side)
    if case.disputes.halted:
        raise Refusal("core.docket-halted", "CORE-DSP-03", docket=case.disputes.halted)
    if case.side != UMPIRE and case.disputes.halts.get(case.side, 0) >= MOST_HALTS:
        raise Refusal("core.docket-halts", "CORE-DSP-03", most=MOST_HALTS)
    return [case.said(DisputeAnswered(docket=docket.id, by=case.side, halt=True), "CORE-DSP-03")]


def _go_on(case: Case) -> list[Fact]:
    docket = case.docket()
    if case.disputes.halted != docket.id:
        raise Refusal("core.docket-not-halted", "CORE-DSP-03", docket=docket.id)
    if case.side not in (docket.side, UMPIRE):
        raise Refusal("core.docket-not-raiser", "CORE-DSP-03", docket=docket.id, side=docket.side)
    return [case.said(DisputeAnswered(docket=docket.id, by=case.side, halt=False), "CORE-DSP-03")]


# --- settling between the sides


def _offer(case: Case) -> list[Fact]:
    """CORE-DSP-04: the same words of all sides are an agreement."""
    case.require_side()
    require_no_bot(case)
    docket, order = case.open_docket(), case.order
    _require_possible(case, order.remedy)
    facts = [case.said(RemedyOffered(docket.id, case.side, order.remedy, order.text), "CORE-DSP-04")]
    return facts + (_agreed(case, docket, order.remedy) if all_others_say(case, docket.offers, order.remedy) else [])


def _agree(case: Case) -> list[Fact]:
    """CORE-DSP-04: a side takes what another has offered last, and what it has seen; it is agreed when all do."""
    case.require_side()
    docket = case.open_docket()
    other = newest_of_others(docket.offers, case.side)
    if other is None:
        raise Refusal("core.docket-no-offer", "CORE-DSP-04", docket=docket.id, side=case.others[0])
    if case.spoken.seen is not None and other.n > case.spoken.seen.n:
        raise Refusal("core.docket-unseen", "CORE-DSP-04", docket=docket.id, remedy=other.what, n=other.n)
    if case.is_bot and not (docket.kind == TAKEBACK and not has_drawn_since(case.past, docket.about)):
        raise Refusal("core.docket-bot", "CORE-DSP-10", side=case.side)
    _require_possible(case, other.what)
    offered = RemedyOffered(docket.id, case.side, other.what)
    facts = [case.said(offered, "CORE-DSP-04")]
    return facts + (_agreed(case, docket, other.what) if all_others_say(case, docket.offers, other.what) else [])


def _agreed(case: Case, docket: Docket, remedy: str) -> list[Fact]:
    settled = _follows(DisputeSettled(docket.id, AGREED), "CORE-DSP-04")
    return [settled, *_carried_out(case, docket, remedy, BY_AGREEMENT)]


def _decline(case: Case) -> list[Fact]:
    """CORE-DSP-04: one other side does not want it. With an umpire in office only a take-back is closed so."""
    case.require_side()
    docket = case.open_docket()
    if docket.side == case.side:
        raise Refusal("core.docket-own", "CORE-DSP-04", docket=docket.id)
    if docket.kind != TAKEBACK and case.disputes.umpire:
        raise Refusal("core.docket-umpires", "CORE-DSP-05", docket=docket.id, name=case.disputes.umpire_name)
    return [_follows(DisputeSettled(docket.id, DECLINED), "CORE-DSP-04")]


def _withdraw(case: Case) -> list[Fact]:
    case.require_side()
    docket = case.open_docket()
    if docket.side != case.side:
        raise Refusal("core.docket-not-raiser", "CORE-DSP-04", docket=docket.id, side=docket.side)
    return [_follows(DisputeSettled(docket.id, WITHDRAWN), "CORE-DSP-04")]


# --- the umpire, and who else comes in


def _substitute(case: Case) -> list[Fact]:
    """CORE-DSP-12: agree that a player may take over a seat, one's own or another side's; the umpire may, of any.

    Whoever names the one who sits there takes their word back. A line that names no seat is one of an earlier release.
    """
    case.require_running()
    require_no_bot(case)
    player, side = case.order.player, case.order.side
    if not PLAYER.fullmatch(player):
        raise Refusal("core.docket-unknown-player", "CORE-DSP-10", player=player[:64])
    takes_back = case.battle.sits(player, side) and case.side in case.disputes.substitutes.get(side, {})
    if (player in case.disputes.umpires or case.battle.seat_of(player)) and not takes_back:
        raise Refusal("core.substitute-plays", "CORE-DSP-12", player=player, name=case.spoken.name or player)
    if not side:
        return [case.said(SubstituteAgreed(case.side, player), "CORE-DSP-10")]
    is_silent = side in case.spoken.silent and case.side != side and not takes_back
    name = case.spoken.name or player
    return [case.said(SubstituteAgreed(case.side, player, name, side, is_silent or UNSET), "CORE-DSP-12")]


def require_named_seat(order: DisputeOrder, name: str) -> None:
    """Refuse a new line that does not say whose seat a substitute takes: it could be any (CORE-DSP-12).

    Raises: Refusal core.substitute-seat
    """
    if order.verb == SUBSTITUTE and not order.side:
        raise Refusal("core.substitute-seat", "CORE-DSP-12", name=name or order.player[:64])


def _rule(case: Case) -> list[Fact]:
    """CORE-DSP-05: the umpire rules, once for each docket that is not agreed."""
    if case.side != UMPIRE:
        raise Refusal("core.docket-not-umpire", "CORE-DSP-10", player=case.spoken.player)
    docket, order = case.docket(), case.order
    if docket.is_decided:
        raise Refusal("core.docket-closed", "CORE-DSP-05", docket=docket.id, how=docket.how)
    _require_possible(case, order.remedy)
    ruling = case.said(RulingGiven(docket.id, order.text, order.remedy), "CORE-DSP-05")
    settled = _follows(DisputeSettled(docket.id, RULED), "CORE-DSP-05")
    return [ruling, settled, *_carried_out(case, docket, order.remedy, BY_RULING)]


def _flag(case: Case) -> list[Fact]:
    """CORE-DSP-11: the umpire rules on a fallen flag, without a docket. Of several opponents the
    game says who has won by it."""
    if case.side != UMPIRE:
        raise Refusal("core.docket-not-umpire", "CORE-DSP-11", player=case.spoken.player)
    case.require_running()
    late, effect = case.order.side, case.order.remedy
    if late not in case.spoken.flags:
        raise Refusal("core.docket-no-flag", "CORE-DSP-11", side=late)
    opponent = case.ruleset.seats.opponent(late)
    if effect == LOST and not opponent:
        raise Refusal("core.docket-flag-several", "CORE-DSP-11", side=late, others=case.ruleset.seats.others(late))
    ruled = case.said(FlagRuled(late, effect, case.order.text))
    if effect not in (LOST, DRAW):
        return [ruled]
    return [ruled, _follows(BattleEnded(opponent if effect == LOST else "", BY_RULING), "CORE-RULING")]


# --- remedies


def _require_possible(case: Case, remedy: str) -> None:
    """CORE-DSP-07 and -09: refuse a remedy that cannot be carried out, as a rewind to nowhere."""
    what, _, to = remedy.partition(" ")
    if what != REWIND:
        return
    if case.battle.ended:
        raise Refusal("core.docket-battle-over", "CORE-DSP-09", verb=REWIND)
    if not is_rewind_point(case.past, int(to)):
        nearest = rewind_point_before(case.past, int(to))
        raise Refusal("core.docket-rewind-point", "CORE-DSP-07", to=int(to), nearest=nearest)


def _carried_out(case: Case, docket: Docket, remedy: str, how: str) -> list[Fact]:
    """What a remedy brings about at once."""
    what, _, to = remedy.partition(" ")
    if what == NONE:
        return []
    if what == CORRECT:
        return list(corrected(case.ruleset, case.battle.game, docket.id, case.order.text))
    if what in (DRAW, AWARD):
        ends = BattleEnded(awarded(remedy) or "", how)
        return [] if case.battle.ended else [_follows(ends, "CORE-RULING")]
    back = int(to)
    lapsed = [one for one in case.disputes.open if one.id != docket.id and one.about > back]
    return [
        _follows(Rewound(back, docket.id)),
        *(_follows(DisputeSettled(one.id, LAPSED), "CORE-DSP-07") for one in lapsed),
    ]


_DECISIONS: dict[str, Callable[[Case], list[Fact]]] = {
    "dispute": _dispute,
    "takeback": _takeback,
    "answer": _answer,
    "offer": _offer,
    "agree": _agree,
    "decline": _decline,
    "withdraw": _withdraw,
    "halt": _halt,
    "go on": _go_on,
    "umpire": umpire,
    "agree umpire": agree_umpire,
    SUBSTITUTE: _substitute,
    "rule": _rule,
    "flag": _flag,
}
