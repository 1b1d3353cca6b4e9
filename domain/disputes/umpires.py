"""Decide who becomes umpire of a battle, and with which key (CORE-DSP-10, docs/disputes.md)."""

from collections.abc import Mapping

from msgspec import UNSET

from domain.basics.errors import Refusal
from domain.contract.dispute_lines import PLAYER
from domain.disputes.case import Case
from domain.engine.dockets import Said, needs_key, newest_of_others
from domain.events.battle import Fact, UmpireNamed, UmpireProposed
from domain.log.record import PBEM_2_1

BY_AGREEMENT = "agreement"
"""How an umpire is named, and a battle ends, if both sides want it."""


def require_no_bot(case: Case) -> None:
    """A bot may not say this.

    Raises: Refusal core.docket-bot
    """
    if case.is_bot:
        raise Refusal("core.docket-bot", "CORE-DSP-10", side=case.side)


def all_others_say(case: Case, said: Mapping[str, Said], what: str) -> bool:
    """Whether each of the other sides has said this, and nothing else since."""
    return all(side in said and said[side].what == what for side in case.others)


def umpire(case: Case) -> list[Fact]:
    """CORE-DSP-10: an umpire is named by all sides, and holds none."""
    case.require_side()
    require_no_bot(case)
    _require_outsider(case, case.order.player, case.order.signer)
    return _proposed(case, case.order.player, case.order.signer)


def _proposed(case: Case, player: str, signer: str) -> list[Fact]:
    """A side wants an umpire, who is named with it if all others want the same player with the same key."""
    facts = [case.said(UmpireProposed(case.side, player, signer or UNSET), "CORE-DSP-10")]
    proposed = case.disputes.proposed
    is_same = all(side in proposed and proposed[side].signer == signer for side in case.others)
    return [*facts, _named(case, player, signer)] if is_same and all_others_say(case, proposed, player) else facts


def agree_umpire(case: Case) -> list[Fact]:
    """CORE-DSP-10: a side takes whom another has proposed last, and what it has seen."""
    case.require_side()
    require_no_bot(case)
    other = newest_of_others(case.disputes.proposed, case.side)
    if other is None:
        raise Refusal("core.docket-no-proposal", "CORE-DSP-10", side=case.others[0])
    if case.spoken.seen is not None and other.n > case.spoken.seen.n:
        raise Refusal("core.docket-unseen-umpire", "CORE-DSP-10", player=other.what, n=other.n)
    _require_outsider(case, other.what, other.signer)
    return _proposed(case, other.what, other.signer)


def _named(case: Case, player: str, signer: str) -> Fact:
    name = case.spoken.name or player
    return Fact("server", "CORE-DSP-10", UmpireNamed(player, name, BY_AGREEMENT, signer or UNSET))


def _require_outsider(case: Case, player: str, signer: str) -> None:
    """The player whom an order names must be somebody, and hold no side. Players who all sign need an umpire who
    signs; one in office may be named anew with another key."""
    if not PLAYER.fullmatch(player) or (signer and case.battle.version < PBEM_2_1):
        raise Refusal("core.docket-unknown-player", "CORE-DSP-10", player=f"{player} {signer}".strip()[:64])
    if (player, signer) == (case.disputes.umpire, case.disputes.umpire_signer):
        raise Refusal("core.docket-same-umpire", "CORE-DSP-10", name=case.disputes.umpire_name)
    signers = (seat.signer for seat in case.battle.seats.values() if seat.kind == "person")
    if not signer and case.battle.version >= PBEM_2_1 and needs_key(signers, case.disputes.unsigned_umpire):
        raise Refusal("core.umpire-unsigned", "CORE-FAIR", name=case.spoken.name or player)
    if case.battle.seat_of(player):
        raise Refusal("core.docket-own-battle", "CORE-DSP-10", player=player, name=case.spoken.name or player)
